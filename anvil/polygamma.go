package anvil

import (
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
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
	beyond := c.And(c.Lt(a, 0), c.Gt(order, 1))
	reflected := c.convert(c.polygammaBelow(c.convert(order, wide(t.DType)), c.convert(a, wide(t.DType))), t.DType)
	return c.result(c.Where(beyond, reflected, r.t), t.Ambiguous)
}

// polygammaBelow is Polygamma of negative x, where the order is above 1. Of the sum of
// (x+k)^-s over k >= 0, s = n+1, that over all whole k is known: it has the period 1,
// and is zeta(s, f) + (-1)^s * zeta(s, 1-f) with the fraction f of x. What is too much
// in it, over k < 0, is (-1)^s * zeta(s, 1-x).
func (c *call) polygammaBelow(n, x expr.Value) expr.Value {
	one := c.Like(x, 1)
	s := c.Add(n, one)
	floor := c.Floor(x)
	f := c.Sub(x, floor)
	rest := c.Sub(c.Add(floor, one), x)
	half := c.Mul(n, 0.5)
	odd := c.Ne(half, c.Floor(half))

	near := c.Do(ir.Zeta, nil, s, f)
	near = c.Where(odd, near, c.Neg(near))
	far := c.Sub(c.Do(ir.Zeta, nil, s, rest), c.Do(ir.Zeta, nil, s, c.Sub(one, x)))
	return c.Mul(c.Do(ir.Gamma, nil, s), c.Add(near, far))
}
