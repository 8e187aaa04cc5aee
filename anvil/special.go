package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

// This file has elementwise functions that are written by hand because they are not rows of the op table (see
// function.go). docs/accuracy.md lists the maximum errors in units in the last place.

// Trigamma returns the derivative of Digamma at x, elementwise.
func (l *Lib) Trigamma(x any) Tensor {
	c := l.call("Trigamma", x)
	_, t := c.unaryTypes(x)
	t = c.realOf(t)
	a := c.at(x, t.DType)
	return c.result(c.Do(ir.Polygamma, nil, c.Like(a, 1), a), t.Ambiguous)
}

// Lerp returns x + weight*(y - x), elementwise. It is exactly x for weight 0 and, unless complex, exactly y for
// weight 1.
func (l *Lib) Lerp(x, y, weight any) Tensor {
	c := l.call("Lerp", x, y, weight)
	t := c.inexact(c.joined([]any{x, y, weight}))
	a, b, w := c.at(x, t.DType), c.at(y, t.DType), c.at(weight, t.DType)
	s := c.broadcast(a, b, w)
	a, b, w = c.to(a, s), c.to(b, s), c.to(w, s)
	a, b, w = c.convert(a, wide(t.DType)), c.convert(b, wide(t.DType)), c.convert(w, wide(t.DType))
	// For w below 1/2 the result is computed from a, otherwise from b, so that both ends are exact.
	step := c.Sub(b, a)
	up := c.Add(a, c.Mul(w, step))
	if t.DType.Is(dtype.Complex) {
		return c.resultAs(up, t)
	}
	down := c.Sub(b, c.Mul(step, c.Sub(1, w)))
	return c.resultAs(c.Where(c.Lt(w, 0.5), up, down), t)
}

// Heaviside returns 0 where x is negative, 1 where x is positive, y where x is 0, and nan where x is nan, elementwise.
func (l *Lib) Heaviside(x, y any) Tensor {
	c := l.call("Heaviside", x, y)
	t := c.arithmetic(x, y)
	if t.DType.Is(dtype.Complex) {
		c.fail("complex numbers have no sign", "take nv.Real first")
	}
	a, b := c.match(t.DType, x, y)
	r := c.Where(c.Gt(a, 0), c.Like(a, 1), c.Like(a, 0))
	r = c.Where(c.Eq(a, 0), b, r)
	return c.result(c.Where(c.Ne(a, a), a, r), t.Ambiguous)
}

// DivMod returns FloorDiv(x, y) and the remainder x - y*FloorDiv(x, y), elementwise. The remainder has the sign of y.
// For floats, the remainder is exact if x and y have the same sign, else it may be rounded.
func (l *Lib) DivMod(x, y any) (quotient, remainder Tensor) {
	c := l.call("DivMod", x, y)
	t := c.arithmetic(x, y)
	a, b := c.match(t.DType, x, y)
	quotient = c.result(c.floorDiv(t.DType, x, y), t.Ambiguous)
	floorMod := func(args ...expr.Value) expr.Value { return c.FloorMod(args[0], args[1]) }
	return quotient, c.result(c.emulated("Rem", t.DType, c.xs, floorMod, a, b), t.Ambiguous)
}

// Polygamma returns the derivative of order n of Digamma at x, elementwise. At 0 and negative integers the result is
// inf for odd n, and -inf for even n above 0.
func (l *Lib) Polygamma(n, x any) Tensor {
	c := l.call("Polygamma", n, x)
	t := c.inexact(c.arithmetic(n, x))
	r := c.binaryResult(ir.Polygamma, nil, t, n, x)
	if k, isNumber := numberOf(n); isNumber && k < 2 { // only higher orders need PolygammaReflected
		return r
	}
	order, a := c.match(t.DType, n, x)
	return c.result(ops.PolygammaReflected(c.Builder, order, a, r.t), t.Ambiguous)
}
