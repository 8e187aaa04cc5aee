package anvil

import (
	"slices"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// detBorder is the greatest number of rows and columns that borderedDeterminant adds to a matrix.
const detBorder = 3

// borderedDeterminant returns the determinants of the square matrices a. It has derivatives
// for singular matrices too. Derivatives of all orders are correct for matrices of rank
// n-detBorder or more. For lower ranks, only derivatives of orders up to detBorder are
// correct; they are 0.
//
// A singular matrix A gets a border: M = [[A, B], [C, 0]]. If the rank of A is n-detBorder or more, M is regular for
// generic B and C, and det(A) = det(M) * det(W), where W is the lower right block of inv(M). For a regular matrix, B
// and C are 0 and the lower right block of M is an identity matrix, so that elements of very different magnitudes keep
// their accuracy.
//
// lu is the first result of ir.LU for a, which holds both factors.
func (c *call) borderedDeterminant(a, lu expr.Value) expr.Value {
	s := a.Shape()
	rank := len(s) - 2
	n := s[rank]
	k := min(n, detBorder)
	m, singular := c.bordered(a, lu, k)
	f := c.All(ir.LU, nil, nil, m)
	det, inverse := c.determinant(f), c.solveFactored(f, c.to(c.identityMatrix(n+k, m.DType()), m.Shape()))
	finite := c.IsFinite(c.Abs(inverse))
	for range 2 {
		finite = c.Reduce(ir.ReduceAnd, finite, rank)
	}
	lost := c.And(singular, c.Not(finite)) // m is singular too: the rank is below n-k
	det = c.Where(lost, 0, det)
	inverse = c.Where(c.to(c.Column(c.Column(lost)), inverse.Shape()), 0, inverse)

	block := func(b expr.Builder, x expr.Value, low, high, left, right int) expr.Value {
		return b.Slice(b.Slice(x, -2, low, high), -1, left, right)
	}
	// out holds det(M), W and inv(M). The second argument of Rule returns their tangents for the tangent da of a; it
	// takes B and C as constants, and does not use the tangents of det and inverse.
	out := c.Rule(func(b expr.Builder, args []expr.Value) []expr.Value {
		return []expr.Value{args[1], block(b, args[2], n, n+k, n, n+k), args[2]}
	}, func(b expr.Builder, args []expr.Value) []expr.Value {
		det, inverse, da := args[3], args[5], args[6]
		inner := block(b, inverse, 0, n, 0, n)
		trace := b.Sum(b.Sum(b.Mul(b.Transpose(inner), da), -1), -1)
		right := b.MatMul(da, block(b, inverse, 0, n, n, n+k))
		dw := b.Neg(b.MatMul(block(b, inverse, n, n+k, 0, n), right))
		di := b.Neg(b.MatMul(b.Slice(inverse, -1, 0, n), b.MatMul(da, b.Slice(inverse, -2, 0, n))))
		return []expr.Value{b.Mul(det, trace), dw, di}
	}, a, det, inverse)
	return c.Mul(out[0], expandedDeterminant(c.Builder, out[1]))
}

// bordered returns the square matrices a with the border of k rows and columns that
// borderedDeterminant describes, and which of a are singular: those with a pivot in lu that
// is no greater than the rounding errors of the elements above it.
func (c *call) bordered(a, lu expr.Value, k int) (m, singular expr.Value) {
	s, d := a.Shape(), a.DType()
	rank := len(s) - 2
	n := s[rank]
	size := c.Abs(lu)
	pivot := c.Reduce(ir.ReduceMax, c.Where(c.compareIndices(n, n, ir.EQ), size, 0), rank)
	above := c.Reduce(ir.ReduceMax, c.Where(c.compareIndices(n, n, ir.LE), size, 0), rank)
	singular = c.Reduce(ir.ReduceOr, c.Le(pivot, c.Mul(above, c.rcond(a))), rank)

	most := c.Reduce(ir.ReduceMax, c.Abs(a), rank, rank+1)
	most = c.Where(c.Gt(most, 0), most, 1)
	scale := c.Column(c.Column(c.convert(c.Where(singular, most, 0), d)))
	batch := s[:rank:rank]
	border := func(rows, cols int) expr.Value { // cosines of quadratically growing angles serve as random numbers
		at := c.Add(c.Mul(c.Iota(d.Elem(), 0, rows, cols), cols), c.Iota(d.Elem(), 1, rows, cols))
		generic := c.convert(c.Cos(c.Mul(c.Square(c.Add(at, 1)), 0.7)), d)
		size := slices.Concat(batch, Shape{rows, cols})
		return c.Mul(c.to(generic, size), c.to(scale, size))
	}
	cornerShape := slices.Concat(batch, Shape{k, k})
	corner := c.Where(c.to(c.Column(c.Column(singular)), cornerShape), 0, c.to(c.Eye(d, k, k), cornerShape))
	upper := c.Concatenate(-1, a, border(n, k))
	return c.Concatenate(-2, upper, c.Concatenate(-1, border(k, n), corner)), singular
}

// expandedDeterminant returns the determinants of small matrices by expansion along their first rows.
func expandedDeterminant(b expr.Builder, a expr.Value) expr.Value {
	s := a.Shape()
	rank := len(s) - 2
	n := s[rank]
	first := b.Slice(a, rank, 0, 1)
	if n == 1 {
		return b.Reshape(first, s[:rank]...)
	}
	var sum expr.Value
	rest := b.Slice(a, rank, 1, n)
	for j := range n {
		minor := b.Concatenate(rank+1, b.Slice(rest, rank+1, 0, j), b.Slice(rest, rank+1, j+1, n))
		term := b.Mul(b.Reshape(b.Slice(first, rank+1, j, j+1), s[:rank]...), expandedDeterminant(b, minor))
		switch {
		case j == 0:
			sum = term
		case j%2 == 1:
			sum = b.Sub(sum, term)
		default:
			sum = b.Add(sum, term)
		}
	}
	return sum
}
