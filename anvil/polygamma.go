package anvil

import (
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
	beyond := c.infer(ir.And, nil, c.compareTo(ir.LT, a, 0), c.compareTo(ir.GT, order, 1))
	reflected := c.convert(c.polygammaBelow(c.convert(order, wide(t.DType)), c.convert(a, wide(t.DType))), t.DType)
	return c.result(c.choose(beyond, reflected, r.t), t.Ambiguous)
}

// polygammaBelow is Polygamma of negative x, where the order is above 1. Of the sum of
// (x+k)^-s over k >= 0, s = n+1, that over all whole k is known: it has the period 1,
// and is zeta(s, f) + (-1)^s * zeta(s, 1-f) with the fraction f of x. What is too much
// in it, over k < 0, is (-1)^s * zeta(s, 1-x).
func (c *call) polygammaBelow(n, x *tensor) *tensor {
	one := c.constant(1, x)
	s := c.infer(ir.Add, nil, n, one)
	floor := c.infer(ir.Floor, nil, x)
	f := c.infer(ir.Sub, nil, x, floor)
	rest := c.infer(ir.Sub, nil, c.infer(ir.Add, nil, floor, one), x)
	half := c.times(n, 0.5)
	odd := c.compare(ir.NE, half, c.infer(ir.Floor, nil, half))

	near := c.infer(ir.Zeta, nil, s, f)
	near = c.choose(odd, near, c.infer(ir.Neg, nil, near))
	far := c.infer(ir.Sub, nil, c.infer(ir.Zeta, nil, s, rest), c.infer(ir.Zeta, nil, s, c.infer(ir.Sub, nil, one, x)))
	return c.infer(ir.Mul, nil, c.infer(ir.Gamma, nil, s), c.infer(ir.Add, nil, near, far))
}
