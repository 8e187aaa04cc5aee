package anvil

import (
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

// Polygamma returns the derivative of order n of Digamma at x, elementwise: at 0 and
// negative whole numbers infinity for odd n, and -infinity for even ones above 0.
func (l *Lib) Polygamma(n, x any) Tensor {
	c := l.call("Polygamma", n, x)
	t := c.inexact(c.arithmetic(n, x))
	r := c.pair(ir.Polygamma, nil, t, n, x)
	if k, number := numberOf(n); number && k < 2 {
		return r
	}
	order, a := c.match(t.DType, n, x)
	return c.result(ops.PolygammaReflected(c.Builder, order, a, r.t), t.Ambiguous)
}
