package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// linearizedTriangular: if op(a)*s = r, then op(a)*s' = r' - op(a')*s, where ' marks tangents. If attrs.Right is set,
// op(a) is the right factor instead. The solver reads only one triangle of a, so only that triangle of a' counts.
func linearizedTriangular(b expr.Builder, n *ir.Node, x, y, t []expr.Value) []expr.Value {
	attrs, rhs := n.Attrs.(ir.TriangularAttrs), t[1]
	if da := t[0]; da != nil {
		relation := ir.GE
		if attrs.Unit {
			relation = ir.GT
		}
		if attrs.Upper {
			da = upperTriangle(b, da, relation)
		} else {
			da = lowerTriangle(b, da, relation)
		}
		switch attrs.Op {
		case ir.Transposed:
			da = b.Transpose(da)
		case ir.Adjoint:
			da = b.Adjoint(da)
		}
		product := b.Neg(productOnSide(b, attrs.Right, da, y[0]))
		if rhs == nil {
			rhs = product
		} else {
			rhs = b.Add(rhs, product)
		}
	}
	return []expr.Value{b.Do(ir.TriangularSolve, attrs, x[0], rhs)}
}

// productOnSide returns x*a if right is true, and otherwise a*x.
func productOnSide(b expr.Builder, right bool, a, x expr.Value) expr.Value {
	if right {
		return b.MatMul(x, a)
	}
	return b.MatMul(a, x)
}

// transposeTriangular returns the cotangent of the right-hand side r (see linearizedTriangular): the solution of the
// equation with the adjoint of op(a).
func transposeTriangular(b expr.Builder, n *ir.Node, x, ct []expr.Value) []expr.Value {
	attrs, a := n.Attrs.(ir.TriangularAttrs), x[0]
	switch attrs.Op {
	case ir.AsIs:
		attrs.Op = ir.Adjoint
	case ir.Adjoint:
		attrs.Op = ir.AsIs
	case ir.Transposed: // the adjoint of the transpose is the conjugate
		attrs.Op, a = ir.AsIs, b.Conj(a)
	}
	return []expr.Value{nil, b.Do(ir.TriangularSolve, attrs, a, ct[0])}
}

// linearizedLU: P*A' = L'*U + L*U'. With G = inv(L)*P*A', the elements of F = G*inv(U) below
// its diagonal are those of inv(L)*L', and U' is the upper triangle of G - inv(L)*L'*U. L is
// made square with columns of the identity, and U with rows of zeros. If the matrix has at least
// as many columns as rows, no column of L depends on the last pivot, which may be 0. So F is
// computed with a U that has 1 in place of the last pivot and of the zeros below it on the diagonal.
func linearizedLU(b expr.Builder, _ *ir.Node, x, y, t []expr.Value) []expr.Value {
	s := x[0].Shape()
	rank := len(s) - 2
	m, n := s[rank], s[rank+1]
	if s.Size() == 0 {
		return []expr.Value{nil, nil, nil}
	}
	batch := s[:rank].Size()
	k := min(m, n)
	lu, order := b.Reshape(y[0], batch, m, n), b.Reshape(y[2], batch, m)
	l := b.Add(padMatrix(b, lowerTriangle(b, b.Slice(lu, 2, 0, k), ir.GT), m, m), b.Eye(lu.DType(), m, m))
	u := padMatrix(b, upperTriangle(b, b.Slice(lu, 1, 0, k), ir.GE), n, n)
	g := b.Do(ir.TriangularSolve, ir.TriangularAttrs{Unit: true}, l, takeRows(b, b.Reshape(t[0], batch, m, n), order))
	divisors := unitDiagonal(b, u, min(m-1, n))
	f := lowerTriangle(b, b.Do(ir.TriangularSolve, ir.TriangularAttrs{Upper: true, Right: true}, divisors, g), ir.GT)
	dl := b.MatMul(l, f)
	du := upperTriangle(b, b.Sub(g, b.MatMul(f, u)), ir.GE)
	return []expr.Value{b.Reshape(b.Add(dl, du), s...), nil, nil}
}

// unitDiagonal returns the square matrices of x with ones on the diagonal from row i on.
func unitDiagonal(b expr.Builder, x expr.Value, i int) expr.Value {
	row, _ := rowsAndColumns(b, x)
	return b.Where(b.And(diagonalMask(b, x), b.Ge(row, i)), 1, x)
}

// linearizedQR: let C = adjoint(Q)*A'*inv(R) and D = adjoint(Q)*Q', which is skew-Hermitian.
// Below the diagonal D equals C, and on it D has the imaginary parts of C, since the diagonal
// of R is real. Q' = A'*inv(R) + Q*(D - C), and R' = adjoint(Q)*A' - D*R. The first columns of
// a wide matrix determine Q. If Q is square, Q' = Q*D; if the matrix is also real, nothing
// depends on the last column of C, so that the last element of R's diagonal may be 0.
func linearizedQR(b expr.Builder, n *ir.Node, x, y, t []expr.Value) []expr.Value {
	s := x[0].Shape()
	rank := len(s) - 2
	if n.Attrs.(ir.FullAttrs).Full && s[rank] > s[rank+1] {
		panic(fault("the columns of QR's q that FullMatrices adds are not determined by the matrix, "+
			"so that they have no derivative",
			"leave FullMatrices out"))
	}
	k := min(s[rank], s[rank+1])
	if s.Size() == 0 {
		return []expr.Value{nil, nil}
	}
	q, r := y[0], y[1]
	divisors, square := b.Slice(r, -1, 0, k), k == s[rank]
	if square && !r.DType().Is(dtype.Complex) {
		divisors = unitDiagonal(b, divisors, k-1)
	}
	solved := b.Do(ir.TriangularSolve, ir.TriangularAttrs{Upper: true, Right: true}, divisors, b.Slice(t[0], -1, 0, k))
	c := b.MatMul(b.Adjoint(q), solved)
	below := lowerTriangle(b, c, ir.GT)
	d := b.Sub(below, b.Adjoint(below))
	if c.DType().Is(dtype.Complex) {
		d = b.Add(d, b.Where(diagonalMask(b, c), imaginary(b, b.Imag(c)), 0))
	}
	dq := b.MatMul(q, d)
	if !square {
		dq = b.Add(dq, b.Sub(solved, b.MatMul(q, c)))
	}
	dr := b.Sub(b.MatMul(b.Adjoint(q), t[0]), b.MatMul(d, r))
	return []expr.Value{dq, upperTriangle(b, dr, ir.GE)}
}

// linearizedEigh: let C = adjoint(V)*A'*V. The tangents of the eigenvalues are the diagonal of
// C, and O = adjoint(V)*V' is C divided by the differences of eigenvalues. For equal
// eigenvalues, V' is not determined, and O is 0. Higher derivatives also depend on N, the
// off-diagonal elements of adjoint(V)*A*V whose row and column belong to equal eigenvalues (see
// Coupling): N*O - O*N, divided by the differences, is added to O. N is 0, but its derivatives are not.
func linearizedEigh(b expr.Builder, n *ir.Node, x, y, t []expr.Value) []expr.Value {
	if x[0].Shape().Size() == 0 {
		return []expr.Value{nil, nil}
	}
	w, v := y[0], y[1]
	c := b.MatMul(b.Adjoint(v), b.MatMul(fromLower(b, t[0]), v))
	least := negligible(b, w, w.Shape()[len(w.Shape())-1])
	inverse := b.Convert(reciprocalAbove(b, least, b.Sub(b.Row(w), b.Column(w))), c.DType())
	o, coupling := b.MulNoNaN(c, inverse), Coupling(b, n.Code, x[0], y)
	o = b.Add(o, b.MulNoNaN(b.Sub(b.MatMul(coupling, o), b.MatMul(o, coupling)), inverse))
	dv := b.MatMul(v, o)
	if v.DType().Is(dtype.Complex) {
		dv = b.Add(dv, b.Mul(v, phaseTangent(b, v, dv)))
	}
	return []expr.Value{b.Real(diagonalOf(b, c)), dv}
}

// Coupling returns adjoint(V)*a*V for an Eigh of a with the results y, and the Hermitian part of adjoint(U)*a*V
// for an SVD. It replaces elements by 0 on the diagonal and wherever row and column belong to different
// eigenvalues or singular values. The other elements are 0 too, except for rounding, but their derivatives are not,
// because the vectors of equal values are coupled when a changes.
func Coupling(b expr.Builder, code ir.Code, a expr.Value, y []expr.Value) expr.Value {
	s := a.Shape()
	size := s[len(s)-1]
	var left, w, right expr.Value
	if code == ir.Eigh {
		left, w, right = b.Adjoint(y[1]), y[0], y[1]
		a = fromLower(b, a)
	} else {
		left, w, right = b.Adjoint(y[0]), y[1], b.Adjoint(y[2])
		size = max(size, s[len(s)-2])
	}
	c := b.MatMul(left, b.MatMul(a, right))
	if code == ir.SVD {
		c = b.Mul(b.Add(c, b.Adjoint(c)), 0.5)
	}
	difference := b.Abs(b.Sub(b.Row(w), b.Column(w)))
	equal := b.Le(difference, b.BroadcastTo(negligible(b, w, size), difference.Shape()))
	return b.Where(b.And(equal, b.BroadcastTo(b.Not(diagonalMask(b, c)), equal.Shape())), c, 0)
}

// linearizedSVD: let P = adjoint(U)*A'*V. The tangents of the singular values are the real
// parts of the diagonal of P. D = adjoint(U)*U' and E = adjoint(V)*V' are skew-Hermitian: D + E is
// (P + adjoint(P)) divided by differences of singular values, and D - E is (P - adjoint(P)) divided
// by sums of singular values; both are 0 where the divisor is 0. As in linearizedEigh, N = Coupling(...) matters for
// higher derivatives: D and E are computed once more, from P + N*E - D*N in place of P. If U has more rows than
// columns, U' also has a part orthogonal to the columns of U: X - X*N/w, where X is the orthogonal part of A'*V
// divided by the singular values w. V' likewise has such a part, with adjoint(A')*U in place of A'*V.
func linearizedSVD(b expr.Builder, n *ir.Node, x, y, t []expr.Value) []expr.Value {
	s := x[0].Shape()
	rank := len(s) - 2
	rows, cols := s[rank], s[rank+1]
	if n.Attrs.(ir.FullAttrs).Full && rows != cols {
		panic(fault("the columns that FullMatrices adds to a factor of SVD are not determined by the matrix, "+
			"so that they have no derivative",
			"leave FullMatrices out"))
	}
	if s.Size() == 0 {
		return []expr.Value{nil, nil, nil}
	}
	u, w, vh, da := y[0], y[1], y[2], t[0]
	uh, v, d := b.Adjoint(u), b.Adjoint(vh), u.DType()
	least := negligible(b, w, max(rows, cols))
	p := b.MatMul(uh, b.MatMul(da, v))
	quotient := func(x, divisor expr.Value) expr.Value {
		return b.MulNoNaN(b.Mul(x, 0.5), b.Convert(reciprocalAbove(b, least, divisor), d))
	}
	rotations := func(p expr.Value) (left, right expr.Value) { // D and E computed from P = p
		ph := b.Adjoint(p)
		halfSum := quotient(b.Add(p, ph), b.Sub(b.Row(w), b.Column(w)))
		halfDifference := quotient(b.Sub(p, ph), b.Add(b.Row(w), b.Column(w)))
		return b.Add(halfSum, halfDifference), b.Sub(halfSum, halfDifference)
	}
	coupling := Coupling(b, n.Code, x[0], y)
	left, right := rotations(p)
	left, right = rotations(b.Add(p, b.Sub(b.MatMul(coupling, right), b.MatMul(left, coupling))))
	du, dv := b.MatMul(u, left), b.MatMul(v, right)
	orthogonalPart := func(x, basis expr.Value) expr.Value {
		x = b.Sub(x, b.MatMul(basis, b.MatMul(b.Adjoint(basis), x)))
		inverse := b.Convert(reciprocalAbove(b, least, b.Row(w)), d)
		x = b.MulNoNaN(x, inverse)
		return b.Sub(x, b.MulNoNaN(b.MatMul(x, coupling), inverse))
	}
	if rows > cols {
		du = b.Add(du, orthogonalPart(b.MatMul(da, v), u))
	}
	if cols > rows {
		dv = b.Add(dv, orthogonalPart(b.MatMul(b.Adjoint(da), u), v))
	}
	if d.Is(dtype.Complex) {
		phase := phaseTangent(b, u, du)
		du, dv = b.Add(du, b.Mul(u, phase)), b.Add(dv, b.Mul(v, phase))
	}
	return []expr.Value{du, b.Real(diagonalOf(b, p)), b.Adjoint(dv)}
}

// negligible returns a bound for the rounding errors of w, the eigenvalues or singular values
// of matrices whose longer side is n. Values that differ by no more than the bound count as equal.
func negligible(b expr.Builder, w expr.Value, n int) expr.Value {
	eps := 0x1p-23
	if w.DType() == dtype.F64 {
		eps = 0x1p-52
	}
	most := b.Reduce(ir.ReduceMax, b.Abs(w), -1)
	return b.Column(b.Column(b.Mul(most, eps*float64(n))))
}

// reciprocalAbove returns 1/x, or 0 where the magnitude of x is at most least.
func reciprocalAbove(b expr.Builder, least, x expr.Value) expr.Value {
	zero := b.Le(b.Abs(x), b.BroadcastTo(least, x.Shape()))
	return b.Where(zero, 0, b.Reciprocal(b.Where(zero, 1, x)))
}

// phaseTangent returns a factor for each column of v. The product of v and the factors must be added to the tangent dv
// so that the leading components of v stay real. A factor is -i times the imaginary part of the leading
// component's tangent, divided by the leading component.
func phaseTangent(b expr.Builder, v, dv expr.Value) expr.Value {
	leading := leadingComponent(b, v)
	pick := func(x expr.Value) expr.Value { return b.Row(b.Sum(b.Where(leading, x, 0), -2)) }
	return imaginary(b, b.Neg(b.Div(b.Imag(pick(dv)), b.Real(pick(v)))))
}

// leadingComponent returns a mask of the leading components of the columns of v. The leading
// component is the first whose magnitude is at least 0.9 times the greatest.
func leadingComponent(b expr.Builder, v expr.Value) expr.Value {
	s := v.Shape()
	n := s[len(s)-2]
	size := b.Abs(v)
	large := b.Ge(size, b.Mul(b.Row(b.Reduce(ir.ReduceMax, size, -2)), 0.9))
	row := b.Iota(dtype.I32, 0, n, 1)
	first := b.Row(b.Reduce(ir.ReduceMin, b.Where(large, row, n), -2))
	return b.Eq(row, first)
}

// imaginary returns the complex numbers with imaginary part x and real part 0.
func imaginary(b expr.Builder, x expr.Value) expr.Value { return b.Complex(b.Like(x, 0), x) }

// lowerTriangle returns the lower triangles of the matrices of x, with 0 elsewhere: with the diagonal if the relation
// between row and column is GE, and without it if the relation is GT.
func lowerTriangle(b expr.Builder, x expr.Value, relation ir.Direction) expr.Value {
	row, col := rowsAndColumns(b, x)
	return b.Where(b.Compare(relation, row, col), x, 0)
}

// upperTriangle returns the upper triangles of the matrices of x, with 0 elsewhere: with the diagonal if the relation
// between column and row is GE, and without it if the relation is GT.
func upperTriangle(b expr.Builder, x expr.Value, relation ir.Direction) expr.Value {
	row, col := rowsAndColumns(b, x)
	return b.Where(b.Compare(relation, col, row), x, 0)
}

// diagonalMask returns a mask of the diagonals of the matrices of x.
func diagonalMask(b expr.Builder, x expr.Value) expr.Value {
	row, col := rowsAndColumns(b, x)
	return b.Eq(row, col)
}

// rowsAndColumns returns the row indices of the matrices of x as a column, and the column indices as a row.
func rowsAndColumns(b expr.Builder, x expr.Value) (row, col expr.Value) {
	s := x.Shape()
	rank := len(s) - 2
	return b.Iota(dtype.I32, 0, s[rank], 1), b.Iota(dtype.I32, 1, 1, s[rank+1])
}
