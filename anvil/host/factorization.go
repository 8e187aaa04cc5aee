package host

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dense"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A factorizer computes the results of an operation for one matrix of each operand. It returns a vector as a
// matrix of one row, and integers as float64.
type factorizer func(attrs any, xs []dense.Matrix) []dense.Matrix

// A factorization is the implementation of an operation of linear algebra. Its work for a matrix of m rows
// and n columns is fixed + factor*m*n*min(m, n), in the unit of Budget.
type factorization struct {
	factorize     factorizer
	fixed, factor int
}

var factorizations = map[ir.Code]factorization{
	ir.Cholesky:        {cholesky, 1000, 4},
	ir.TriangularSolve: {triangular, 1000, 4},
	ir.LU:              {lu, 1000, 4},
	ir.QR:              {qr, 4000, 8},
	ir.Eigh:            {eigh, 8000, 40},
	ir.SVD:             {svd, 16000, 80},
}

// The bounds of Factorizes. They are lower for complex matrices, which Eval of package ops factorizes: it is
// slower than package dense.
const (
	maxFactorized  = 1 << 26 // elements of an operand
	maxComplex     = 1 << 14 // elements of a complex operand
	maxComplexSide = 32      // the longer side of a complex matrix
)

// Factorizes reports whether c is an operation of linear algebra that package host runs on operands of these
// types as a program of its own. A plugin takes a second to compile such a program, and ten seconds for an
// eigenvalue problem in f64, and then does not run it faster.
func Factorizes(c ir.Code, operands ...shape.Type) bool {
	if _, ok := factorizations[c]; !ok {
		return false
	}
	for _, t := range operands {
		maxSize, maxSide := maxFactorized, maxFactorized
		switch t.DType {
		case dtype.F32, dtype.F64:
		case dtype.C64, dtype.C128:
			maxSize, maxSide = maxComplex, maxComplexSide
		default:
			return false
		}
		rows, cols := sides(t)
		// Axes are bounded too: if an operand has no elements, its size says nothing about their lengths.
		if !t.Within(maxSize*t.DType.Size()) || slices.Max(t.Shape) > maxSize || max(rows, cols) > maxSide {
			return false
		}
	}
	return true
}

// factorizes reports whether Factorizes is true for n.
func factorizes(n *ir.Node) bool { return Factorizes(n.Code, typesOf(n)...) }

// typesOf returns the types of n's operands.
func typesOf(n *ir.Node) []shape.Type {
	types := make([]shape.Type, len(n.Args))
	for i, a := range n.Args {
		types[i] = a.Type
	}
	return types
}

// factorizationCost returns the work of n. factorizes must be true for n.
func factorizationCost(n *ir.Node) int {
	f, t := factorizations[n.Code], n.Args[len(n.Args)-1].Type
	rows, cols := sides(t)
	if rows == 0 || cols == 0 {
		return perStep
	}
	return t.Shape.Size() / (rows * cols) * (f.fixed + f.factor*rows*cols*min(rows, cols))
}

// sides returns the sides of the matrices in the last two axes of t.
func sides(t shape.Type) (rows, cols int) {
	return t.Shape[len(t.Shape)-2], t.Shape[len(t.Shape)-1]
}

// factorizationKernel returns a kernel that factorizes the matrices of n's operands one by one.
func factorizationKernel(n *ir.Node) manyKernel {
	if n.Args[0].Type.DType.Is(dtype.Complex) {
		return evalManyKernel(n)
	}
	return func(ctx context.Context, out, in [][]byte) error {
		batch := n.Args[0].Type.Shape
		batch = batch[:len(batch)-2]
		factorizationRun{n, operandsOf(n, in), out}.runAll(ctx, batch.Size())
		return ctx.Err()
	}
}

// operandsOf returns the operands of n as float64.
func operandsOf(n *ir.Node, in [][]byte) [][]float64 {
	xs := make([][]float64, len(in))
	for i, a := range n.Args {
		xs[i] = array.Load[float64](array.Array{Type: a.Type, Data: in[i]})
	}
	return xs
}

// A factorizationRun is one run of n on the operands in, which writes the results to out.
type factorizationRun struct {
	n   *ir.Node
	in  [][]float64
	out [][]byte
}

// runAll computes the results of count matrices, in parallel if their work exceeds Budget.
func (r factorizationRun) runAll(ctx context.Context, count int) {
	parts := 1
	if count > 1 && factorizationCost(r.n) > Budget {
		parts = min(count, runtime.GOMAXPROCS(0))
	}
	var wg sync.WaitGroup
	for part := range parts {
		wg.Go(func() {
			for i := part; i < count && ctx.Err() == nil; i += parts {
				r.runOne(i)
			}
		})
	}
	wg.Wait()
}

// runOne computes the results of matrix i.
func (r factorizationRun) runOne(i int) {
	xs := make([]dense.Matrix, len(r.in))
	for k, a := range r.n.Args {
		rows, cols := sides(a.Type)
		xs[k] = dense.Of(rows, cols, r.in[k][i*rows*cols:(i+1)*rows*cols])
	}
	for k, x := range factorizations[r.n.Code].factorize(r.n.Attrs, xs) {
		store(r.n.Results[k].Type.DType, r.out[k], i*x.Rows*x.Cols, x)
	}
}

// store sets elements of data, which have dtype d, to the elements of a, beginning with element at of data.
// The rows of a must be contiguous.
func store(d dtype.DType, data []byte, at int, a dense.Matrix) {
	xs := a.X[:a.Rows*a.Cols]
	switch d {
	case dtype.F64:
		copy(array.View[float64](data)[at:], xs)
	case dtype.F32:
		for i, x := range xs {
			array.View[float32](data)[at+i] = float32(x)
		}
	case dtype.I32:
		for i, x := range xs {
			array.View[int32](data)[at+i] = int32(x)
		}
	}
}

func cholesky(_ any, xs []dense.Matrix) []dense.Matrix {
	l, _ := dense.Cholesky(xs[0])
	return []dense.Matrix{l}
}

// triangular solves the triangular system op(a)*x = b, or x*op(a) = b, which it transposes.
func triangular(attrs any, xs []dense.Matrix) []dense.Matrix {
	t, a, b := attrs.(ir.TriangularAttrs), xs[0], xs[1]
	upper := t.Upper
	if (t.Op != ir.AsIs) != t.Right {
		a, upper = a.Transpose(), !upper
	}
	if t.Right {
		return []dense.Matrix{dense.Triangular(a, b.Transpose(), upper, t.Unit).Transpose()}
	}
	return []dense.Matrix{dense.Triangular(a, b, upper, t.Unit)}
}

func lu(_ any, xs []dense.Matrix) []dense.Matrix {
	f, pivots, order := dense.LU(xs[0])
	return []dense.Matrix{f, rowOf(pivots), rowOf(order)}
}

// rowOf returns xs as a matrix of one row.
func rowOf(xs []int) dense.Matrix {
	a := dense.New(1, len(xs))
	for i, x := range xs {
		a.X[i] = float64(x)
	}
	return a
}

func qr(attrs any, xs []dense.Matrix) []dense.Matrix {
	width := min(xs[0].Rows, xs[0].Cols)
	if attrs.(ir.FullAttrs).Full {
		width = xs[0].Rows
	}
	q, r := dense.QR(xs[0], width)
	return []dense.Matrix{q, r}
}

func eigh(_ any, xs []dense.Matrix) []dense.Matrix {
	w, v := dense.Eigh(xs[0])
	return []dense.Matrix{dense.Of(1, len(w), w), v}
}

func svd(attrs any, xs []dense.Matrix) []dense.Matrix {
	u, w, vt := dense.SVD(xs[0], attrs.(ir.FullAttrs).Full)
	return []dense.Matrix{u, dense.Of(1, len(w), w), vt}
}
