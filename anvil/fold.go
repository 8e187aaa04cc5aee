package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/shape"
)

// Reduce combines the elements of x over axes by f, a function of two scalars that is recorded once. The order is
// unspecified, so f must be associative and commutative. init may be combined with the elements any number of times,
// so it must be the identity element of f. With init 1 and func(a, b nv.Tensor) nv.Tensor { return a.Mul(b) } the
// result is the product.
func (l *Lib) Reduce(x, init any, f func(a, b Tensor) Tensor, opts ...ReduceOption) Tensor {
	c := l.call("Reduce", x, init)
	opts = accepted("Reduce", opts, x, init)
	t := c.typed(x)
	a := c.at(x, t.DType)
	start := c.element(init, a)
	if len(start.Shape()) > 0 {
		c.fail("the initial value is not a scalar", "")
	}
	if f == nil {
		c.fail("f is nil", "give a function of two tensors")
	}
	code, region := c.combiner("f", t, f)
	if code != ir.Invalid { // f is a single operation, for which combiner returns a code in place of a region
		g := &ir.Graph{Name: "f"}
		scalar := shape.Of(t.DType)
		params := []*ir.Value{g.Param(scalar), g.Param(scalar)}
		g.Outputs = g.Add(code, nil, nil, params, scalar).Results
		region = []*ir.Graph{g}
	}
	r, axes, kept := c.reducedAxes(a, opts)
	if len(axes) > 0 {
		a = c.All(ir.Reduce, ir.AxesAttrs{Axes: shape.DimsOf(axes...)}, region, a, start)[0]
	}
	if r.keep {
		a = c.reshape(a, kept)
	}
	return c.result(a, t.Ambiguous)
}

// reduceBits returns x, which must be integers or bools, reduced by a bitwise operation.
func (l *Lib) reduceBits(op string, code ir.Code, x any, opts []ReduceOption) Tensor {
	c, a, amb := l.layout(op, x)
	if d := a.DType(); !d.Is(dtype.Integral | dtype.Boolean) {
		c.fail("the operand must be integers or bools, not "+d.String(), "convert x with AsType")
	}
	return c.result(c.fold(code, a, accepted(op, opts, x)), amb)
}

// Ptp returns the range of the elements of x over axes, Max(x) - Min(x).
func (l *Lib) Ptp(x any, opts ...ReduceOption) Tensor {
	high := l.reduce("Ptp", ir.ReduceMax, promote.Extreme, x, opts)
	low := l.reduce("Ptp", ir.ReduceMin, promote.Extreme, x, opts)
	c := l.call("Ptp", x)
	return c.result(c.Sub(high.t, low.t), high.t.amb)
}

// Trace returns the sum of the diagonal of the matrices in the last two axes of x, at the dtype that the
// promotion system chooses for sums.
func (l *Lib) Trace(x any) Tensor {
	c := l.call("Trace", x)
	from := c.typed(x)
	t := c.widenSum(promote.Sum, c.sys.Reduction(promote.Sum, from))
	a := c.cast(c.at(x, from.DType), t.DType)
	s := a.Shape()
	c.requireMatrices(a)
	row := c.Iota(dtype.I32, len(s)-2, s...)
	col := c.Iota(dtype.I32, len(s)-1, s...)
	zero := c.to(c.literal(0, t.DType), s)
	diagonal := c.Where(c.Eq(row, col), a, zero)
	return c.result(c.fold(ir.ReduceSum, diagonal, []ReduceOption{Axis(-2), Axis(-1)}), t.Ambiguous)
}
