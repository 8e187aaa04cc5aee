package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// Eigenvalues by divide and conquer. Source: Gu and Eisenstat, A divide-and-conquer algorithm for the symmetric
// tridiagonal eigenproblem, 1995. Their algorithm sorts the eigenvalues between steps; this one does not, so that
// each step is one operation on all eigenvalues.

// maxLoopSize is the greatest size of matrices that one loop computes, whose body is compiled once for all sizes.
// For larger matrices, the program has separate operations for each size.
const maxLoopSize = 32

// divideAndConquer returns the eigenvalues, in no particular order, and the eigenvectors of real symmetric tridiagonal
// matrices. d are their diagonals and e their off-diagonals; the last element of each off-diagonal is not used.
// divideAndConquer solves the two halves of each matrix without the element of e between them, and merges the
// solutions.
func divideAndConquer(b expr.Builder, d, e expr.Value) (w, v expr.Value) {
	batch, n := d.Shape()[0], d.Shape()[1]
	padded := 1
	for padded < n {
		padded *= 2
	}
	pad := func(x expr.Value) expr.Value { return b.Reshape(padMatrix(b, b.Row(x), 1, padded), batch, padded) }
	zero := b.Number(0, d.DType(), batch, 1)
	e = b.Slice(e, 1, 0, n-1)
	radius := b.Add(b.Concatenate(1, b.Abs(e), zero), b.Concatenate(1, zero, b.Abs(e)))
	limit := b.Add(b.Reduce(ir.ReduceMax, b.Add(d, radius), 1), b.Mul(b.Reduce(ir.ReduceMax, b.Abs(d), 1), 0x1p-10))
	inside := b.Lt(b.Iota(dtype.I32, 0, padded), n)
	// Each split between two rows subtracts the magnitude of the element of e between them from both diagonal
	// elements. The padding of the diagonal is limit: since no eigenvalue exceeds limit (Gershgorin's theorem), a
	// stable sort moves the padding to the end.
	w = b.Where(inside, pad(b.Sub(d, radius)), b.Column(limit))
	e = pad(e)

	size := min(padded, maxLoopSize)
	w, v = conquerInLoop(b, b.Reshape(w, batch*padded/size, size), b.Reshape(e, batch*padded/size, size))
	for half := size; half < padded; half *= 2 {
		pairs := batch * padded / (2 * half)
		between := b.Reshape(b.Slice(b.Reshape(e, pairs, 2*half), 1, half-1, half), pairs, 1)
		// The barrier keeps the compiler from fusing operations of two levels.
		level := b.Barrier(b.Reshape(w, pairs, 2*half), between, b.Reshape(v, pairs, 2, half, half))
		w, v = conquerHalves(b, level[0], level[1], level[2])
	}
	w = b.Reshape(w, batch, padded)
	if padded == n {
		return w, v
	}
	w, v = sortEigenvalues(b, w, v)
	return b.Slice(w, 1, 0, n), b.Slice(b.Slice(v, 1, 0, n), 2, 0, n)
}

// conquerInLoop returns the eigenvalues and eigenvectors of matrices whose size is a power of 2, up to maxLoopSize.
// It begins with parts of size 1, whose eigenvalues are d; e are the off-diagonal elements between the parts. Step i
// merges pairs of adjacent parts of size 2^i. The eigenvectors of all parts are the blocks of a block-diagonal matrix.
func conquerInLoop(b expr.Builder, d, e expr.Value) (w, v expr.Value) {
	batch, n := d.Shape()[0], d.Shape()[1]
	start := []expr.Value{b.Number(1, dtype.I32), d, eyeOf(b, d.DType(), []int{batch, n, n})}
	levels := math.Ilogb(float64(n))
	out := b.For(0, levels, start, []expr.Value{e}, func(
		b expr.Builder, _ expr.Value, carried, shared []expr.Value,
	) []expr.Value {
		half, d, v, e := carried[0], carried[1], carried[2], shared[0]
		whole := b.Add(half, half)
		at := b.Iota(dtype.I32, 0, n)
		part := b.Div(at, whole)
		before := b.Add(b.Mul(part, whole), b.Sub(half, 1)) // the last index of the first half
		second := b.Gt(at, before)

		between := b.Sum(b.Where(b.Eq(b.Column(before), b.Row(at)), b.Row(e), 0), 2)
		edge := b.Add(before, b.Convert(second, dtype.I32)) // in the half of at, the index next to the other half
		z := b.Sum(b.Where(b.Eq(b.Column(at), b.Row(edge)), v, 0), 1)
		s := secularOf(b, d, between, z, second, b.Eq(b.Column(part), b.Row(part)))
		undo := s.deflate(b)
		w, u := s.solve(b)
		return []expr.Value{whole, w, b.MatMul(v, undo(u))}
	})
	return out[1], out[2]
}

// conquerHalves returns the eigenvalues and eigenvectors of matrices, from the eigenvalues d and the eigenvectors v of
// the halves of each matrix. between has the off-diagonal element that connects the halves.
func conquerHalves(b expr.Builder, d, between, v expr.Value) (w, u expr.Value) {
	pairs, n := d.Shape()[0], d.Shape()[1]
	half := n / 2
	last := b.Slice(b.Slice(v, 1, 0, 1), 2, half-1, half)
	first := b.Slice(b.Slice(v, 1, 1, 2), 2, 0, 1)
	z := b.Concatenate(1, b.Reshape(last, pairs, half), b.Reshape(first, pairs, half))
	second := b.Ge(b.Iota(dtype.I32, 0, n), half)
	s := secularOf(b, d, b.BroadcastTo(between, d.Shape()), z, second, b.Number(true, dtype.I1, n, n))
	undo := s.deflate(b)
	w, u = s.solve(b)
	u = b.MatMul(b.Reshape(v, pairs*2, half, half), b.Reshape(undo(u), pairs*2, half, n))
	return w, b.Reshape(u, pairs, n, n)
}

// A secular is the eigenproblem of diag(d) + rho*z*transpose(z), or one such problem for each
// part of d. Its eigenvalues are each d[i] with z[i] = 0, and the zeros x of the secular
// equation 1 + rho * sum over j of z[j]*z[j] / (d[j] - x), one above each d[i] with z[i] != 0.
type secular struct {
	d, z, rho expr.Value
	part      expr.Value // [i, j]: whether i and j are in the same part
	tolerance expr.Value // the greatest number that is negligible compared with d and rho
}

// secularOf returns the problem of merging two halves, with the eigenvalues d and the element
// between them. z is the last row of the first half's eigenvectors followed by the first row of
// the second half's; second reports which indices belong to the second half.
func secularOf(b expr.Builder, d, between, z, second, part expr.Value) *secular {
	s := &secular{d: d, part: part, rho: b.Mul(b.Abs(between), 2)}
	sign := b.Where(b.And(second, b.Lt(between, 0)), b.Like(d, -math.Sqrt2/2), math.Sqrt2/2)
	most := b.Max(b.Reduce(ir.ReduceMax, b.Where(part, b.Row(b.Abs(d)), 0), 2), s.rho)
	s.tolerance = b.Mul(most, 8*epsilon(d.DType()))
	z = b.Mul(z, sign)
	s.z = b.Where(b.Gt(b.Mul(s.rho, b.Abs(z)), s.tolerance), z, 0)
	return s
}

// epsilon returns half of the distance from 1 to the next number.
func epsilon(d dtype.DType) float64 {
	if d.Elem() == dtype.F64 {
		return 0x1p-53
	}
	return 0x1p-24
}

// deflate applies a reflection to each group of elements of d that are equal within the tolerance, so that z is zero at
// all elements of the group but one. Afterwards the elements of a part whose z is not 0 differ by about half of the
// tolerance or more. The function undo applies the reflections to the eigenvectors of the deflated problem, which
// makes them eigenvectors of the original problem.
func (s *secular) deflate(b expr.Builder) (undo func(u expr.Value) expr.Value) {
	inCells := s.deflateCells(b, 0)
	acrossBounds := s.deflateCells(b, 0.5) // nearly equal elements in two neighboring cells of the first call
	return func(u expr.Value) expr.Value { return inCells(acrossBounds(u)) }
}

// deflateCells does the work of deflate for groups of elements that lie in the same cell. Cells are intervals as wide
// as the tolerance; one of them begins at -offset*tolerance.
func (s *secular) deflateCells(b expr.Builder, offset float64) (undo func(u expr.Value) expr.Value) {
	at, live := b.Iota(dtype.I32, 0, s.d.Shape()[1]), b.Ne(s.z, 0)
	cell := b.Floor(b.Add(b.Div(s.d, s.tolerance), offset))
	same := b.And(b.And(s.part, b.Eq(b.Column(cell), b.Row(cell))), b.And(b.Column(live), b.Row(live)))
	others := b.And(same, b.Ne(b.Column(at), b.Row(at)))
	later := b.And(same, b.Lt(b.Column(at), b.Row(at)))
	reflect := b.Reduce(ir.ReduceOr, others, 2)     // the cell has other elements
	final := b.Not(b.Reduce(ir.ReduceOr, later, 2)) // the element is the last one of its cell

	// The Householder reflection I - 2*u*transpose(u)/square of a cell moves the norm of its z to the final element.
	length := b.Sqrt(b.Sum(b.Where(same, b.Row(b.Square(s.z)), 0), 2))
	signed := b.Where(b.Lt(s.z, 0), b.Neg(length), length)
	u := b.Where(reflect, b.Where(final, b.Add(s.z, signed), s.z), 0)
	square := b.Sum(b.Where(same, b.Row(b.Square(u)), 0), 2)
	scaled := b.Where(reflect, b.Div(b.Mul(u, 2), square), 0)
	s.z = b.Where(reflect, b.Where(final, b.Neg(signed), 0), s.z)

	anyReflects := b.Reduce(ir.ReduceOr, reflect, 0, 1)
	return func(x expr.Value) expr.Value {
		args := []expr.Value{x, u, scaled, b.Convert(same, x.DType())}
		return b.If(anyReflects, args, func(b expr.Builder, args []expr.Value) expr.Value {
			x, u, scaled, same := args[0], args[1], args[2], args[3]
			return b.Sub(x, b.Mul(b.Column(u), b.MatMul(same, b.Mul(b.Column(scaled), x))))
		})
	}
}

// solve returns the eigenvalues and eigenvectors. It computes each eigenvalue as its distance from origin, the nearer
// of the two elements of d between which the eigenvalue lies. The distances between eigenvalues and elements of d
// then have full precision, which makes the eigenvectors orthogonal.
func (s *secular) solve(b expr.Builder) (w, u expr.Value) {
	n := s.d.Shape()[1]
	infinity := math.Inf(1)
	live := b.Ne(s.z, 0)
	weight := b.Mul(s.rho, b.Square(s.z))

	higher := b.And(b.And(s.part, b.Row(live)), b.Gt(b.Row(s.d), b.Column(s.d)))
	above := b.Reduce(ir.ReduceMin, b.Where(higher, b.Row(s.d), infinity), 2)
	top := b.Eq(above, infinity) // no element is above
	width := b.Where(top, b.Sum(b.Where(s.part, b.Row(weight), 0), 2), b.Sub(above, s.d))
	middle := b.Mul(width, 0.5)
	gap := s.distances(b, s.d)                                           // d[j] - d[i]
	right := b.And(b.Lt(s.value(b, gap, weight, middle), 0), b.Not(top)) // the eigenvalue is nearer to above
	sign, origin := b.Where(right, b.Like(s.d, -1), 1), b.Where(right, above, s.d)
	from := s.distances(b, origin) // d[j] - origin[i]

	distance := b.Mul(sign, s.bisect(b, from, weight, sign, b.Where(top, width, middle)))
	w = b.Where(live, b.Add(origin, distance), s.d)
	away := b.Where(b.Column(live), b.Sub(from, b.Column(distance)), 1) // d[j] - w[i]

	// Eigenvectors are computed from the z for which the computed eigenvalues would be exact. Its elements are
	// products of distances.
	diagonal := b.Eye(dtype.I1, n, n)
	ratio := b.Where(diagonal, b.Neg(away), b.Div(away, b.Where(diagonal, 1, gap)))
	ratio = b.Where(b.And(s.part, b.And(b.Column(live), b.Row(live))), ratio, 1)
	z := b.Sqrt(b.Abs(b.Reduce(ir.ReduceProd, ratio, 1)))
	z = b.Where(live, b.Where(b.Lt(s.z, 0), b.Neg(z), z), 0)
	vectors := b.Div(b.Row(z), away) // [i, j]: element j of vector i
	length := b.Column(b.Sqrt(b.Sum(b.Square(vectors), 2)))
	vectors = b.Where(b.Column(live), b.Div(vectors, length), b.Convert(diagonal, s.d.DType()))
	return w, b.Transpose(vectors)
}

// distances returns d[j] - origin[i], or infinity where i and j are in different parts or z[j] is 0. In these cases
// d[j] has no influence on eigenvalue i, but may be equal to it; then z[j]/(d[j] - w[i]) would be NaN.
func (s *secular) distances(b expr.Builder, origin expr.Value) expr.Value {
	poles := b.And(s.part, b.Row(b.Ne(s.z, 0)))
	return b.Where(poles, b.Sub(b.Row(s.d), b.Column(origin)), math.Inf(1))
}

// value returns 1 + the sum over j of weight[j] / (from[i,j] - x[i]).
func (s *secular) value(b expr.Builder, from, weight, x expr.Value) expr.Value {
	return b.Add(1, b.Sum(b.Div(b.Row(weight), b.Sub(from, b.Column(x))), 2))
}

// bisect returns the x between 0 and high at which the increasing function
// sign * value(sign*x) is 0. It bisects the bits of x as an integer, so that small x are as
// accurate as large ones.
func (s *secular) bisect(b expr.Builder, from, weight, sign, high expr.Value) expr.Value {
	d, bits := high.DType(), dtype.I32
	if d == dtype.F64 {
		bits = dtype.I64
	}
	start := []expr.Value{b.Number(0, bits, high.Shape()...), b.Bitcast(high, bits)}
	out := b.For(0, d.Bits()-1, start, []expr.Value{from, weight, sign}, func(
		b expr.Builder, _ expr.Value, carried, shared []expr.Value,
	) []expr.Value {
		low, high, sign := carried[0], carried[1], shared[2]
		middle := b.Add(low, b.ShiftRight(b.Sub(high, low), 1))
		x := b.Mul(sign, b.Bitcast(middle, d))
		above := b.Ge(b.Mul(sign, s.value(b, shared[0], shared[1], x)), 0)
		return []expr.Value{b.Where(above, low, middle), b.Where(above, middle, high)}
	})
	return b.Bitcast(out[1], d)
}
