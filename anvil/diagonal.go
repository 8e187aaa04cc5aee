package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// triangle returns the matrices in the last two axes of x with 0 in place of the elements outside a triangle. The
// element in row i and column j is kept if j is at most i+k (kept is ir.LE) or at least i+k (ir.GE). k has at most one
// element; the default is 0.
func (l *Lib) triangle(op string, kept ir.Direction, x any, k []int) Tensor {
	c, a, amb := l.layout(op, x)
	c.requireMatrices(a)
	s := a.Shape()
	row := c.Iota(dtype.I64, len(s)-2, s...)
	col := c.Iota(dtype.I64, len(s)-1, s...)
	row = c.Add(row, c.offset(k))
	return c.result(c.Where(c.Compare(kept, col, row), a, 0), amb)
}

// Diagonal returns diagonal k of the matrices in the last two axes of x: result[..., i] = x[..., i, i+k], or
// x[..., i-k, i] for a negative k. The default of k is 0, the main diagonal.
func (l *Lib) Diagonal(x any, k ...int) Tensor {
	c, a, amb := l.layout("Diagonal", x)
	c.requireMatrices(a)
	return c.result(c.diagonal(a, c.offset(k)), amb)
}

// Diag returns the matrix with the vector x on its diagonal k and 0 elsewhere, or diagonal k of a matrix x. The default
// of k is 0, the main diagonal.
func (l *Lib) Diag(x any, k ...int) Tensor {
	c, a, amb := l.layout("Diag", x)
	switch len(a.Shape()) {
	case 1:
		return c.result(c.onDiagonal(a, c.offset(k)), amb)
	case 2:
		return c.result(c.diagonal(a, c.offset(k)), amb)
	}
	c.fail("the operand must be a vector or a matrix", "nv.Diagonal takes batches of matrices")
	return Tensor{}
}

// offset returns k[0], or 0 if k is empty. It fails if k has more than one element.
func (c *call) offset(k []int) int {
	if len(k) > 1 {
		c.fail("more than one diagonal is given", "give one number, or none for the main diagonal")
	}
	return givenOr(k, 0)
}

// requireMatrices fails unless a has at least two axes.
func (c *call) requireMatrices(a expr.Value) {
	if len(a.Shape()) < 2 {
		c.fail("an operand has shape "+a.Shape().String()+" and must be a matrix, or a batch of them",
			"nv.ExpandDims inserts an axis")
	}
}

// diagonal returns diagonal k of the matrices in the last two axes of a. It uses that the elements of a diagonal are
// equally spaced in row-major order.
func (c *call) diagonal(a expr.Value, k int) expr.Value {
	s := a.Shape()
	at := len(s) - 2
	rows, cols := s[at], s[at+1]
	n := max(0, min(rows, cols-k))
	start := k
	if k < 0 {
		n, start = max(0, min(rows+k, cols)), -k*cols
	}
	rest := s[:at:at].Clone()
	if n == 0 || s.Size() == 0 {
		return c.to(c.zero(a.DType()), append(rest, n))
	}
	flat := c.reshape(a, append(rest, rows*cols))
	return c.sliceAxis(flat, at, start, start+(n-1)*(cols+1)+1, cols+1)
}

// onDiagonal returns the matrix with the vector a on its diagonal k.
func (c *call) onDiagonal(a expr.Value, k int) expr.Value {
	n := a.Shape()[0]
	size, start := n+max(k, -k), k // the first element is at index start of the flattened matrix
	if k < 0 {
		start = -k * size
	}
	s := Shape{size, size}
	c.checkLengths(s)
	if n == 0 {
		return c.to(c.zero(a.DType()), s)
	}
	length := (n-1)*(size+1) + 1 // the length of a with size zeros between its elements
	end := size*size - start - length
	attrs := ir.PadAttrs{Low: shape.DimsOf(start), High: shape.DimsOf(end), Interior: shape.DimsOf(size)}
	return c.reshape(c.Do(ir.Pad, attrs, a, c.zero(a.DType())), s)
}

// zero returns the scalar 0 of dtype d, false for bools.
func (c *call) zero(d dtype.DType) expr.Value {
	w, err := dtype.Cast(0, d)
	c.check(err)
	return c.literal(w, d)
}
