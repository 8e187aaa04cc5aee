package anvil

import (
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// BlockDiag returns a matrix with xs, at their common dtype, along its diagonal, and 0
// elsewhere. A vector counts as a row, a scalar as a matrix of one element.
func (l *Lib) BlockDiag(xs ...any) Tensor {
	xs = spreadSlices(xs)
	c := l.call("BlockDiag", xs...)
	if len(xs) == 0 {
		c.fail("no tensor is given", "give at least one matrix")
	}
	t := c.joined(xs)
	blocks, width := make([]expr.Value, len(xs)), 0
	for i, x := range xs {
		a := c.at(x, t.DType)
		s := padded(a.Shape(), 2)
		if len(s) > 2 {
			c.fail("a block has shape "+s.String()+" and must be a matrix", "nv.Reshape gives it two axes")
		}
		blocks[i] = c.reshape(a, s)
		width += s[1]
	}
	left := 0
	for i, a := range blocks {
		n := a.Shape()[1]
		low, high := Shape{0, left}, Shape{0, width - left - n}
		attrs := ir.PadAttrs{Low: low.Dims(), High: high.Dims(), Interior: Shape{0, 0}.Dims()}
		blocks[i] = c.Do(ir.Pad, attrs, a, c.number(0, t.DType))
		left += n
	}
	return c.result(c.Concatenate(0, blocks...), t.Ambiguous)
}

// Toeplitz returns the matrix with constant diagonals: result[i, j] = column[i-j] on and
// below the main diagonal, and row[j-i] above it, at the common dtype of both. The default
// of row is the conjugate of column, which makes the result Hermitian.
func (l *Lib) Toeplitz(column any, row ...any) Tensor {
	if len(row) == 0 {
		row = []any{l.Conj(column)}
	}
	c := l.call("Toeplitz", append([]any{column}, row...)...)
	if len(row) > 1 {
		c.fail("more than one row is given", "write Toeplitz(column) or Toeplitz(column, row)")
	}
	t := c.common(column, row[0])
	a, b := c.at(column, t.DType), c.at(row[0], t.DType)
	c.requireVector("column", a)
	c.requireVector("row", b)
	m, n := a.Shape()[0], b.Shape()[0]
	s := Shape{m, n}
	if s.Size() == 0 {
		return c.result(c.to(c.number(0, t.DType), s), t.Ambiguous)
	}
	c.checkLengths(s)
	diagonals := c.Concatenate(0, c.Reverse(c.sliceAxis(b, 0, 1, n, 1), 0), a) // result[i, j] = diagonals[i-j+n-1]
	rows, columns := c.Iota(c.positionDType(), 0, s...), c.Iota(c.positionDType(), 1, s...)
	at := c.Sub(c.Add(rows, n-1), columns)
	return c.result(c.reshape(c.takeAt(diagonals, c.flat(at), 0), s), t.Ambiguous)
}
