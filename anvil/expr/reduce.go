package expr

import (
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Reduce returns x reduced over axes, which count from the last if negative, by
// one of the reductions of the table, such as ir.ReduceSum.
func (b Builder) Reduce(c ir.Code, x Value, axes ...int) Value {
	return b.Do(c, ir.AxesAttrs{Axes: positions(x, axes)}, x)
}

// Sum returns the sum of x over an axis, which counts from the last if negative.
func (b Builder) Sum(x Value, axis int) Value { return b.Reduce(ir.ReduceSum, x, axis) }

// MatMul returns the products of the matrices in the last two axes of x and y,
// whose leading axes are equal.
func (b Builder) MatMul(x, y Value) Value {
	n := len(x.Shape()) - 2
	batch := make([]int, n)
	for i := range batch {
		batch[i] = i
	}
	d := shape.DimsOf(batch...)
	return b.Do(ir.DotGeneral, ir.DotAttrs{LhsBatch: d, RhsBatch: d, LhsContract: shape.DimsOf(n + 1), RhsContract: shape.DimsOf(n)}, x, y)
}
