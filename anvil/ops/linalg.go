package ops

import (
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// linalg holds the rows of linear algebra. The last two axes of an operand are a matrix, and the axes before them
// the batch. Cholesky is lowered to StableHLO's operation (for CPUs see LowerForCPU), QR to custom
// calls that XLA expands. TriangularSolve, LU, Eigh and SVD are composed of other rows
// (triangular.go, lu.go, eigh.go, svd.go).
//
// If a factorization is not unique, the rows choose one: the diagonal of QR's R has the
// signs of LAPACK, and each column of Eigh's v and SVD's u has a real positive leading
// component. The leading component is the first whose magnitude is at least 0.9 times the
// greatest.
//
// (C1), (C2), ... in comments are the constraints of the operation in the StableHLO specification.
var linalg = []Def{
	matrixRow(Def{Code: ir.Cholesky, HLO: "cholesky", Params: []string{"operand"}, Infer: inferSquare,
		Doc: "Cholesky returns the lower triangular L with L*adjoint(L) = operand, a Hermitian matrix. Only the lower triangle of operand is read. " +
			"The triangle of L is NaN if operand is not positive definite.",
		Lower: lowerCholesky, Eval: evalMatrices(choleskyOf[float64], choleskyOf[complex128])}),
	matrixRow(Def{Code: ir.TriangularSolve, Params: []string{"a", "b"}, Infer: inferTriangular,
		Doc:   "TriangularSolve returns the x with op(a)*x = b, or x*op(a) = b, where a is triangular; its other triangle is not read.",
		Lower: composed(writeTriangularSolve), Eval: evalMatrices(triangularOf[float64], triangularOf[complex128])}),
	matrixRow(Def{Code: ir.LU, Params: []string{"operand"}, Infer: inferLU,
		Doc: "LU returns the factors of operand[permutation] = L*U in one matrix, the pivots, and the permutation. " +
			"L is unit lower triangular and stored below the diagonal, U is upper triangular. Pivot i is the row " +
			"that step i exchanges with row i: " +
			"the row with the greatest magnitude in column i, where the magnitude of a complex number is |re| + |im|.",
		Lower: composed(lowerLU), Eval: evalMatrices(luOf[float64], luOf[complex128])}),
	matrixRow(Def{Code: ir.QR, Params: []string{"operand"}, Infer: inferQR,
		Doc:   "QR returns q with orthonormal columns and the upper triangular r with q*r = operand.",
		Lower: lowerQR, Eval: evalMatrices(qrOf[float64], qrOf[complex128])}),
	matrixRow(Def{Code: ir.Eigh, Params: []string{"operand"}, Infer: inferEigh,
		Doc:   "Eigh returns the eigenvalues of a Hermitian operand in ascending order, and its eigenvectors as columns. Only the lower triangle of operand is read.",
		Lower: composed(lowerEigh), Eval: evalMatrices(eighOf[float64], eighOf[complex128])}),
	matrixRow(Def{Code: ir.SVD, Params: []string{"operand"}, Infer: inferSVD,
		Doc: "SVD returns u with orthonormal columns, the singular values in descending order, and the adjoint of v, also with orthonormal columns: " +
			"u*diag(values)*adjoint(v) = operand.",
		Lower: composed(lowerSVD), Eval: evalMatrices(svdOf[float64], svdOf[complex128])}),
}

// matrixRow returns d with the fields that all rows of this family have in common.
func matrixRow(d Def) Def {
	d.Name = d.Code.String()
	for range d.Params {
		d.Accepts = append(d.Accepts, dtype.Inexact)
	}
	d.Only = []dtype.DType{dtype.F32, dtype.F64, dtype.C64, dtype.C128}
	d.Bound = Bound{ULP: 256, Norm: true, AnyZero: true}
	return d
}

// matrix returns the lengths of the batch axes of t and the numbers of rows and columns of its matrices.
func matrix(t shape.Type) (batch shape.Shape, rows, cols int, err error) {
	s := t.Shape
	n := len(s) - 2
	if n < 0 {
		return nil, 0, 0, fault("the operand of shape "+s.String()+" is not a matrix", "add axes with Reshape")
	}
	return s[:n:n], s[n], s[n+1], nil
}

// inferSquare: the operand is a batch of square matrices, and the result has its type.
func inferSquare(args []shape.Type, _ any, _ []*ir.Graph) ([]shape.Type, error) {
	_, _, err := square(args[0])
	return args[:1:1], err
}

// square returns the lengths of the batch axes of t and the number of rows of its matrices. It returns an error if they
// are not square.
func square(t shape.Type) (batch shape.Shape, n int, err error) {
	batch, rows, cols, err := matrix(t)
	if err == nil && rows != cols {
		err = fault("the matrix has "+strconv.Itoa(rows)+" rows and "+strconv.Itoa(cols)+" columns", "it must be square")
	}
	return batch, rows, err
}

// inferTriangular: (C1) dtypes agree; (C2) both operands have the same rank, at least 2; (C3)
// batch axes agree, and b has as many rows as a, or as many columns if Right is set; (C4) a is square; (C5)
// the result has the type of b.
func inferTriangular(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, _ := attrs.(ir.TriangularAttrs)
	if args[0].DType != args[1].DType {
		return nil, fault("dtypes differ", "convert one with AsType")
	}
	batch, n, err := square(args[0])
	if err != nil {
		return nil, err
	}
	other, rows, cols, err := matrix(args[1])
	if err != nil {
		return nil, err
	}
	if !batch.Equal(other) {
		return nil, fault("batch axes differ", "broadcast one to the other")
	}
	length, name := rows, "rows"
	if a.Right {
		length, name = cols, "columns"
	}
	if length != n {
		return nil, fault("a has "+strconv.Itoa(n)+" "+name+", but b has "+strconv.Itoa(length)+" "+name,
			"the numbers must be equal")
	}
	return args[1:2:2], nil
}

// appendAxes returns the shape that has the axes of batch followed by axes of the given lengths.
func appendAxes(batch shape.Shape, lengths ...int) shape.Shape {
	return append(batch.Clone(), lengths...)
}

// inferLU: the results are the factors, with the type of the operand, and the pivots and the permutation, both i32.
func inferLU(args []shape.Type, _ any, _ []*ir.Graph) ([]shape.Type, error) {
	batch, m, n, err := matrix(args[0])
	pivots := shape.Type{DType: dtype.I32, Shape: appendAxes(batch, min(m, n))}
	return []shape.Type{args[0], pivots, {DType: dtype.I32, Shape: appendAxes(batch, m)}}, err
}

// inferQR: q is m x k and r is k x n, where k is min(m, n), or m if Full is set.
func inferQR(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	batch, m, n, err := matrix(args[0])
	k := min(m, n)
	if a, _ := attrs.(ir.FullAttrs); a.Full {
		k = m
	}
	d := args[0].DType
	return []shape.Type{{DType: d, Shape: appendAxes(batch, m, k)}, {DType: d, Shape: appendAxes(batch, k, n)}}, err
}

// inferEigh: the results are real eigenvalues, and eigenvectors with the type of the operand.
func inferEigh(args []shape.Type, _ any, _ []*ir.Graph) ([]shape.Type, error) {
	batch, n, err := square(args[0])
	return []shape.Type{{DType: args[0].DType.Elem(), Shape: appendAxes(batch, n)}, args[0]}, err
}

// inferSVD: the results are u, the real singular values, and the adjoint of v. If Full is set, u and v are square.
func inferSVD(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	batch, m, n, err := matrix(args[0])
	k, d := min(m, n), args[0].DType
	u, v := k, k
	if a, _ := attrs.(ir.FullAttrs); a.Full {
		u, v = m, n
	}
	return []shape.Type{{DType: d, Shape: appendAxes(batch, m, u)}, {DType: d.Elem(), Shape: appendAxes(batch, k)},
		{DType: d, Shape: appendAxes(batch, v, n)}}, err
}
