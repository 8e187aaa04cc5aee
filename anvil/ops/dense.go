package ops

import (
	"math"
	"math/cmplx"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// Linear algebra of the reference evaluator: textbook loops over matrices of float64 or
// complex128. Results are rounded once.

// A scalar is an element of a matrix.
type scalar interface{ float64 | complex128 }

// A dense is a matrix in row-major order.
type dense[T scalar] struct {
	rows, cols int
	x          []T
}

// newDense returns the rows x cols matrix of zeros.
func newDense[T scalar](rows, cols int) dense[T] { return dense[T]{rows, cols, make([]T, rows*cols)} }

func (a dense[T]) at(i, j int) T     { return a.x[i*a.cols+j] }
func (a dense[T]) set(i, j int, v T) { a.x[i*a.cols+j] = v }

// identity returns the rows x cols matrix with ones on the diagonal.
func identity[T scalar](rows, cols int) dense[T] {
	a := newDense[T](rows, cols)
	for i := range min(rows, cols) {
		a.set(i, i, 1)
	}
	return a
}

// denseOf returns the rows x cols matrix with the elements f(i, j).
func denseOf[T scalar](rows, cols int, f func(i, j int) T) dense[T] {
	a := newDense[T](rows, cols)
	for i := range rows {
		for j := range cols {
			a.set(i, j, f(i, j))
		}
	}
	return a
}

func (a dense[T]) transpose() dense[T] {
	return denseOf(a.cols, a.rows, func(i, j int) T { return a.at(j, i) })
}

func (a dense[T]) adjoint() dense[T] {
	return denseOf(a.cols, a.rows, func(i, j int) T { return conj(a.at(j, i)) })
}

// swapRows exchanges rows i and j.
func (a dense[T]) swapRows(i, j int) {
	for k := range a.cols {
		a.x[i*a.cols+k], a.x[j*a.cols+k] = a.x[j*a.cols+k], a.x[i*a.cols+k]
	}
}

// dot returns the inner product of columns i and j, with column i conjugated, over row first and the rows below.
func (a dense[T]) dot(i, j, first int) (s T) {
	for k := first; k < a.rows; k++ {
		s += conj(a.at(k, i)) * a.at(k, j)
	}
	return s
}

// norm returns the Euclidean norm of column j over row first and the rows below.
func (a dense[T]) norm(j, first int) (r float64) {
	for k := first; k < a.rows; k++ {
		r = math.Hypot(r, abs(a.at(k, j)))
	}
	return r
}

// conj returns the complex conjugate of x.
func conj[T scalar](x T) T {
	if c, ok := any(x).(complex128); ok {
		return any(cmplx.Conj(c)).(T)
	}
	return x
}

// abs returns the magnitude of x.
func abs[T scalar](x T) float64 {
	if c, ok := any(x).(complex128); ok {
		return cmplx.Abs(c)
	}
	return math.Abs(any(x).(float64))
}

// re returns the real part of x.
func re[T scalar](x T) float64 {
	if c, ok := any(x).(complex128); ok {
		return real(c)
	}
	return any(x).(float64)
}

// im returns the imaginary part of x.
func im[T scalar](x T) float64 {
	if c, ok := any(x).(complex128); ok {
		return imag(c)
	}
	return 0
}

// scalarOf returns x as a T.
func scalarOf[T scalar](x float64) (r T) {
	switch p := any(&r).(type) {
	case *float64:
		*p = x
	case *complex128:
		*p = complex(x, 0)
	}
	return r
}

// A matrixFunc computes n for one element of the batch: xs has one matrix for each operand of n, and the function
// returns one matrix for each result. Vectors, including vectors of integers, are matrices with one row.
type matrixFunc[T scalar] func(n *ir.Node, xs []dense[T]) []dense[T]

// evalMatrices returns an EvalFunc that evaluates every matrix of a batch.
func evalMatrices(reals matrixFunc[float64], complexes matrixFunc[complex128]) EvalFunc {
	return func(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
		if args[0].DType().Is(dtype.Complex) {
			return eachMatrix(e, n, args, complexes)
		}
		return eachMatrix(e, n, args, reals)
	}
}

// eachMatrix calls f for every matrix of a batch and returns the results of all calls.
func eachMatrix[T scalar](e Evaluator, n *ir.Node, args []array.Array, f matrixFunc[T]) ([]array.Array, error) {
	batch, _, _, err := matrix(args[0].Type)
	if err != nil {
		return nil, err
	}
	in, out := make([][]T, len(args)), make([][]T, len(n.Results))
	for i, a := range args {
		in[i] = array.Load[T](a)
	}
	for range batch.Size() {
		if err := e.Context().Err(); err != nil {
			return nil, err
		}
		xs := make([]dense[T], len(args))
		for i, a := range args {
			_, rows, cols, _ := matrix(a.Type)
			xs[i] = dense[T]{rows, cols, in[i][: rows*cols : rows*cols]}
			in[i] = in[i][rows*cols:]
		}
		for i, r := range f(n, xs) {
			out[i] = append(out[i], r.x...)
		}
	}
	results := make([]array.Array, len(out))
	for i, r := range n.Results {
		results[i] = stored(array.New(r.Type), out[i])
	}
	return results, nil
}

// stored stores xs in a, or their real parts if a is not complex, and returns a.
func stored[T scalar](a array.Array, xs []T) array.Array {
	switch d := a.DType(); {
	case d.Is(dtype.Integral):
		ints := make([]int64, len(xs))
		for i, x := range xs {
			ints[i] = int64(re(x))
		}
		return array.Store(a, ints)
	case !d.Is(dtype.Complex):
		reals := make([]float64, len(xs))
		for i, x := range xs {
			reals[i] = re(x)
		}
		return array.Store(a, reals)
	}
	return array.Store(a, xs)
}
