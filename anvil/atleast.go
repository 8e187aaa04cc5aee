package anvil

import (
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// AtLeast1D returns x with at least one axis: a scalar becomes a vector of one element.
func (l *Lib) AtLeast1D(x any) Tensor { return l.atLeast("AtLeast1D", x, 1) }

// AtLeast2D returns x with at least two axes: a scalar or vector becomes a matrix of one row.
func (l *Lib) AtLeast2D(x any) Tensor { return l.atLeast("AtLeast2D", x, 2) }

// AtLeast3D returns x with at least three axes: a scalar becomes {1,1,1}, a vector {n} becomes {1,n,1}, a matrix {m,n}
// becomes {m,n,1}.
func (l *Lib) AtLeast3D(x any) Tensor { return l.atLeast("AtLeast3D", x, 3) }

func (l *Lib) atLeast(op string, x any, rank int) Tensor {
	c, a, amb := l.layout(op, x)
	return c.result(c.reshape(a, atLeast(a.Shape(), rank)), amb)
}

// atLeast returns s with axes of length 1 added in front to reach the rank; for rank 3 one of them is added at the end.
func atLeast(s Shape, rank int) Shape {
	if rank == 3 && len(s) < 3 {
		return append(padded(s, 2), 1)
	}
	return padded(s, rank)
}

// ColumnStack returns xs joined along axis 1 at their common dtype; vectors become columns.
func (l *Lib) ColumnStack(xs ...any) Tensor {
	xs = spreadSlices(xs)
	c := l.call("ColumnStack", xs...)
	return c.concatenate(1, c.reshaped(xs, func(s Shape) Shape {
		if len(s) < 2 {
			return Shape{s.Size(), 1}
		}
		return s
	}), false)
}

// DStack returns xs joined along axis 2 at their common dtype, each extended to three axes as by AtLeast3D.
func (l *Lib) DStack(xs ...any) Tensor {
	xs = spreadSlices(xs)
	c := l.call("DStack", xs...)
	return c.concatenate(2, c.reshaped(xs, func(s Shape) Shape { return atLeast(s, 3) }), false)
}

// reshaped returns each of xs reshaped to f(its shape).
func (c *call) reshaped(xs []any, f func(Shape) Shape) []any {
	out := make([]any, len(xs))
	for i, x := range xs {
		t := c.operand(x).Typed
		a := c.at(x, t.DType)
		a = c.reshape(a, f(a.Shape()))
		out[i] = Tensor{t: &tensor{ctx: c.ctx, arr: a.(*tensor).arr, amb: t.Ambiguous}}
	}
	return out
}

// Rot90 returns x rotated by k quarter turns from the first of two axes towards the second. The axes are 0 and 1 if none
// are given.
func (l *Lib) Rot90(x any, k int, axes ...Axis) Tensor {
	c, a, amb := l.layout("Rot90", x)
	if len(axes) == 0 {
		axes = []Axis{0, 1}
	}
	if len(axes) != 2 {
		c.fail("two axes are needed", "write Rot90(x, k) or Rot90(x, k, first, second)")
	}
	rank := len(a.Shape())
	i, j := c.axis(axes[0], rank), c.axis(axes[1], rank)
	if i == j {
		c.fail("the two axes are the same", "give two axes")
	}
	reverse := func(a expr.Value, axes ...int) expr.Value {
		return c.Do(ir.Reverse, ir.AxesAttrs{Axes: Shape(axes).Dims()}, a)
	}
	order := upTo(rank)
	order[i], order[j] = j, i
	switch (k%4 + 4) % 4 {
	case 1:
		a = c.permute(reverse(a, j), order)
	case 2:
		a = reverse(a, min(i, j), max(i, j))
	case 3:
		a = reverse(c.permute(a, order), j)
	}
	return c.result(a, amb)
}
