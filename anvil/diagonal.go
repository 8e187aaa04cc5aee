package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Tril returns the matrices that the last two axes of x are with 0 above a
// diagonal: result[..., i, j] = x[..., i, j] where j <= i + k, and 0 elsewhere.
// The main diagonal, k = 0, is meant where none is given.
func (l *Lib) Tril(x any, k ...int) Tensor { return l.triangle("Tril", ir.LE, x, k) }

// Triu returns the matrices that the last two axes of x are with 0 below a
// diagonal: result[..., i, j] = x[..., i, j] where j >= i + k, and 0 elsewhere.
func (l *Lib) Triu(x any, k ...int) Tensor { return l.triangle("Triu", ir.GE, x, k) }

func (l *Lib) triangle(op string, kept ir.Direction, x any, k []int) Tensor {
	c, a, amb := l.layout(op, x)
	c.matrices(a)
	s := a.Shape()
	row := c.Do(ir.Iota, ir.IotaAttrs{DType: dtype.I64, Shape: s.Dims(), Axis: len(s) - 2})
	col := c.Do(ir.Iota, ir.IotaAttrs{DType: dtype.I64, Shape: s.Dims(), Axis: len(s) - 1})
	row = c.Add(row, c.offset(k))
	return c.result(c.Where(c.Compare(kept, col, row), a, 0), amb)
}

// Diagonal returns a diagonal of the matrices that the last two axes of x are:
// result[..., i] = x[..., i, i+k], for negative k x[..., i-k, i]. The main
// diagonal, k = 0, is meant where none is given.
func (l *Lib) Diagonal(x any, k ...int) Tensor {
	c, a, amb := l.layout("Diagonal", x)
	c.matrices(a)
	return c.result(c.diagonal(a, c.offset(k)), amb)
}

// Diag returns the matrix with the vector x on its diagonal k and 0 elsewhere,
// or of a matrix x the diagonal k. The main diagonal is meant where no k is
// given.
func (l *Lib) Diag(x any, k ...int) Tensor {
	c, a, amb := l.layout("Diag", x)
	switch len(a.Shape()) {
	case 1:
		return c.result(c.onDiagonal(a, c.offset(k)), amb)
	case 2:
		return c.result(c.diagonal(a, c.offset(k)), amb)
	}
	c.fail("it is of a vector or a matrix", "nv.Diagonal takes those of many matrices")
	return Tensor{}
}

func (c *call) offset(k []int) int {
	if len(k) > 1 {
		c.fail("more than one diagonal", "give one number, or none for the main diagonal")
	}
	return append(k, 0)[0]
}

func (c *call) matrices(a expr.Value) {
	if len(a.Shape()) < 2 {
		c.fail("a matrix has two axes", "nv.Reshape inserts them")
	}
}

// diagonal returns diagonal k over the last two axes: in row-major order its
// elements have one distance.
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
	return c.every(flat, at, start, start+(n-1)*(cols+1)+1, cols+1)
}

// onDiagonal returns the matrix with the vector a on its diagonal k.
func (c *call) onDiagonal(a expr.Value, k int) expr.Value {
	n := a.Shape()[0]
	size, start := n+max(k, -k), k
	if k < 0 {
		start = -k * size
	}
	s := Shape{size, size}
	c.lengths(s)
	last := max(0, (n-1)*(size+1)+1)
	attrs := ir.PadAttrs{Low: shape.DimsOf(start), High: shape.DimsOf(size*size - start - last), Interior: shape.DimsOf(size)}
	if n == 0 {
		return c.to(c.zero(a.DType()), s)
	}
	return c.reshape(c.Do(ir.Pad, attrs, a, c.zero(a.DType())), s)
}

// zero returns the scalar 0 of dtype d, false of bools.
func (c *call) zero(d dtype.DType) expr.Value {
	w, err := dtype.Cast(0, d)
	c.check(err)
	return c.literal(w, d)
}
