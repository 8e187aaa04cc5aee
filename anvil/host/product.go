package host

import (
	"context"
	"sync"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dense"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// products has the sizes of the matrix products of a DotGeneral: batch is the number of products, and each is
// of a rows x inner and an inner x columns matrix.
type products struct{ batch, rows, inner, columns int }

// productsOf returns the sizes of the products of n, a DotGeneral.
func productsOf(n *ir.Node) products {
	a, p := n.Attrs.(ir.DotAttrs), products{1, 1, 1, 1}
	for i, length := range n.Args[0].Type.Shape {
		switch {
		case a.LhsBatch.Has(i):
			p.batch *= length
		case a.LhsContract.Has(i):
			p.inner *= length
		default:
			p.rows *= length
		}
	}
	for i, length := range n.Args[1].Type.Shape {
		if !a.RhsBatch.Has(i) && !a.RhsContract.Has(i) {
			p.columns *= length
		}
	}
	return p
}

// minTiled is the least number of multiplications of a product for which dense.Multiply, which copies the
// matrices into tiles, is faster than multiplySmall.
const minTiled = 512

// isTiled reports whether dense.Multiply computes the products of n.
func (p products) isTiled(n *ir.Node) bool {
	return ofFloats(n) && p.rows*p.inner*p.columns >= minTiled
}

// ofFloats reports whether the operands and the result of n have dtype f32 or f64.
func ofFloats(n *ir.Node) bool {
	for _, t := range []shape.Type{n.Args[0].Type, n.Results[0].Type} { // both operands have one dtype
		if t.DType != dtype.F32 && t.DType != dtype.F64 {
			return false
		}
	}
	return true
}

// cost returns the work of the products of n.
func (p products) cost(n *ir.Node) int {
	if !p.isTiled(n) {
		return costs[ir.DotGeneral] * p.batch * p.rows * p.inner * p.columns
	}
	const (
		perProduct              = 512   // the fixed work of a product
		perUnit                 = 12    // multiplications in a unit of work
		extraRows, extraColumns = 2, 24 // computed in vain: tiles at the edges extend beyond the result
	)
	multiplications := (p.rows + extraRows) * p.inner * (p.columns + extraColumns)
	converted := p.inner*p.columns + p.rows*p.columns // the converted elements: of rhs and the result
	return p.batch * (perProduct + multiplications/perUnit + 2*converted)
}

// product returns the kernel of a DotGeneral of f32 or f64, or nil for other dtypes.
func product(n *ir.Node) kernel {
	p, a := productsOf(n), n.Attrs.(ir.DotAttrs)
	if !ofFloats(n) {
		return nil
	}
	multiply := dense.Multiply
	if !p.isTiled(n) {
		multiply = multiplySmall
	}
	lhs := sideOf(n.Args[0].Type.Shape, a.LhsBatch, a.LhsContract)
	rhs := sideOf(n.Args[1].Type.Shape, a.RhsBatch, a.RhsContract)
	var space sync.Pool // of *[3][]float64: the operands and the result
	space.New = func() any {
		return &[3][]float64{make([]float64, n.Args[0].Type.Shape.Size()), make([]float64, n.Args[1].Type.Shape.Size()),
			make([]float64, p.batch*p.rows*p.columns)}
	}
	return func(ctx context.Context, out []byte, in [][]byte) error {
		s := space.Get().(*[3][]float64)
		defer space.Put(s)
		x, y, r := lhs.matrices(s[0], n.Args[0].Type.DType, in[0]), rhs.matrices(s[1], n.Args[1].Type.DType, in[1]), s[2]
		clear(r)
		for i := range p.batch {
			if err := ctx.Err(); err != nil {
				return err
			}
			c := dense.Of(p.rows, p.columns, r[i*p.rows*p.columns:][:p.rows*p.columns])
			multiply(c, lhs.matrix(x, i, p.rows, p.inner), rhs.matrix(y, i, p.columns, p.inner), lhs.transposed, !rhs.transposed)
		}
		if n.Results[0].Type.DType == dtype.F32 {
			convert(array.View[float32](out), r)
		} else {
			copy(array.View[float64](out), r)
		}
		return nil
	}
}

// multiplySmall is dense.Multiply for small matrices: it does not copy them into tiles.
func multiplySmall(c, a, b dense.Matrix, aTransposed, bTransposed bool) {
	inner, aRow, aColumn := a.Cols, a.Stride, 1 // strides of the rows and columns of a or its transpose
	if aTransposed {
		inner, aRow, aColumn = a.Rows, 1, a.Stride
	}
	bRow, bColumn := b.Stride, 1
	if bTransposed {
		bRow, bColumn = 1, b.Stride
	}
	for i := range c.Rows {
		to := c.Row(i)
		for j := range to {
			x, y := i*aRow, j*bColumn
			for range inner {
				to[j] += a.X[x] * b.X[y]
				x, y = x+aColumn, y+bRow
			}
		}
	}
}

// A side describes how the matrices of one operand lie in memory. They are outer x inner matrices, or inner x
// outer matrices if transposed is true. outer is the number of rows of the result if the operand is the left
// one, and the number of columns of the result if it is the right one.
type side struct {
	transposed bool
	// If the operand must be copied, shape is its shape after the copy, and steps has the stride
	// in the operand for each axis of shape. Otherwise both are nil.
	shape shape.Shape
	steps []int
}

// sideOf returns the side of an operand of shape s with these batch and contracted axes.
func sideOf(s shape.Shape, batch, contract shape.Dims) side {
	var free shape.Dims
	for i := range s {
		if !batch.Has(i) && !contract.Has(i) {
			free += shape.DimsOf(i)
		}
	}
	order := batch + free + contract
	if ascending(s, order) {
		return side{}
	}
	if ascending(s, batch+contract+free) {
		return side{transposed: true}
	}
	var d side
	strides := array.Strides(s)
	for _, axis := range order.All() {
		d.shape, d.steps = append(d.shape, s[axis]), append(d.steps, strides[axis])
	}
	return d
}

// ascending reports whether axes, a permutation of the axes of s, is in ascending order. It ignores axes of
// length 1.
func ascending(s shape.Shape, axes shape.Dims) bool {
	last := -1
	for _, axis := range axes.All() {
		if s[axis] == 1 {
			continue
		}
		if axis < last {
			return false
		}
		last = axis
	}
	return true
}

// matrices returns the elements of an operand of dtype t as float64, in the order of d.shape if d.shape is
// set. The result is in space if the elements are converted or reordered; if both, it is in a new slice.
func (d side) matrices(space []float64, t dtype.DType, data []byte) []float64 {
	xs := space
	if t == dtype.F32 {
		convert(xs, array.View[float32](data))
	} else {
		xs = array.View[float64](data)
	}
	if d.shape == nil || len(xs) == 0 {
		return xs
	}
	if t == dtype.F32 {
		space = make([]float64, len(xs))
	}
	readAxes(space, xs, d.shape, 0, d.steps)
	return space
}

// matrix returns matrix i of xs, the result of matrices.
func (d side) matrix(xs []float64, i, outer, inner int) dense.Matrix {
	xs = xs[i*outer*inner:][:outer*inner]
	if d.transposed {
		return dense.Of(inner, outer, xs)
	}
	return dense.Of(outer, inner, xs)
}
