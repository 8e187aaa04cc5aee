package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// IsClose returns whether x and y are nearly equal, elementwise: |x - y| <= atol + rtol*|y|, or both are the
// same infinity. nan is not close to anything. tolerances are rtol (default 1e-5) and atol (default 1e-8).
// Integers are compared as f64.
func (l *Lib) IsClose(x, y any, tolerances ...float64) Tensor {
	c := l.call("IsClose", x, y)
	r, t := c.isClose(x, y, tolerances)
	return c.result(r, c.sys.Reduction(promote.Compare, t).Ambiguous) // as ambiguous as a comparison of x and y
}

// AllClose returns whether all elements of x and y are close as defined by IsClose. Shapes broadcast.
func (l *Lib) AllClose(x, y any, tolerances ...float64) Tensor {
	c := l.call("AllClose", x, y)
	r, _ := c.isClose(x, y, tolerances)
	return c.result(c.fold(ir.ReduceAnd, r, nil), false)
}

// ArrayEqual returns whether x and y have the same shape and equal elements. nan is not equal to anything.
// Shapes do not broadcast.
func (l *Lib) ArrayEqual(x, y any) Tensor {
	c := l.call("ArrayEqual", x, y)
	t := c.common(x, y)
	a, b := c.at(x, t.DType), c.at(y, t.DType)
	if !a.Shape().Equal(b.Shape()) {
		return c.result(c.literal(false, dtype.I1), false)
	}
	return c.result(c.fold(ir.ReduceAnd, c.Eq(a, b), nil), false)
}

// isClose returns whether x and y are close as defined by IsClose, elementwise, and their common dtype.
func (c *call) isClose(x, y any, tolerances []float64) (expr.Value, dtype.Typed) {
	if len(tolerances) > 2 {
		c.fail("more than two tolerances are given", "write "+c.op+"(x, y, rtol, atol)")
	}
	rtol, atol := 1e-5, 1e-8
	switch len(tolerances) {
	case 2:
		atol = tolerances[1]
		fallthrough
	case 1:
		rtol = tolerances[0]
	}
	t := c.common(x, y)
	a, b := c.match(t.DType, x, y)
	d := wide(t.DType)
	if !d.Is(dtype.Inexact) {
		d = dtype.F64
	}
	a, b = c.convert(a, d), c.convert(b, d)
	distance, magnitude := c.Abs(c.Sub(a, b)), c.Abs(b)
	near := c.Le(distance, c.Add(c.Mul(magnitude, rtol), atol))
	near = c.And(near, c.Do(ir.IsFinite, nil, magnitude)) // if y is infinite, so is the tolerance
	return c.Or(near, c.Eq(a, b)), t
}
