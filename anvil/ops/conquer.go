package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// Divide and conquer. Source: Gu and Eisenstat, A divide-and-conquer algorithm
// for the symmetric tridiagonal eigenproblem, 1995; here without an order of the
// eigenvalues, so that all is done for all of them at once.

// conquerLoop is up to what size halves are put together in one loop, whose
// program is compiled once for all sizes; above it each size has its own.
const conquerLoop = 32

// conquer returns the eigenvalues, in no order, and the eigenvectors of real
// symmetric tridiagonal matrices with the diagonals d and beside them e, of
// which the last counts for nothing. Of halves less the element between them the
// eigenvalues are taken first, and the whole's from these.
func (p composer) conquer(d, e *ir.Value) (w, v *ir.Value) {
	batch, n := d.Type.Shape[0], d.Type.Shape[1]
	whole := 1
	for whole < n {
		whole *= 2
	}
	row := func(x *ir.Value) *ir.Value { return p.reshape(p.pad(p.row(x), 1, whole), batch, whole) }
	none := p.zeros(d.Type.DType, batch, 1)
	e = p.cut(e, 1, 0, n-1)
	beside := p.add(p.join(1, p.abs(e), none), p.join(1, none, p.abs(e)))
	limit := p.add(p.fold(ir.ReduceMax, p.add(d, beside), 1), p.mul(p.fold(ir.ReduceMax, p.abs(d), 1), p.like(d, 0x1p-10)))
	inside := p.compare(ir.LT, p.count(whole), p.number(dtype.I32, float64(n)))
	w = p.where(inside, row(p.sub(d, beside)), p.column(limit)) // what is added comes last
	e = row(e)

	size := min(whole, conquerLoop)
	w, v = p.small(p.reshape(w, batch*whole/size, size), p.reshape(e, batch*whole/size, size))
	for half := size; half < whole; half *= 2 {
		pairs := batch * whole / (2 * half)
		between := p.reshape(p.cut(p.reshape(e, pairs, 2*half), 1, half-1, half), pairs, 1)
		level := p.apart(p.reshape(w, pairs, 2*half), between, p.reshape(v, pairs, 2, half, half))
		w, v = p.merge(level[0], level[1], level[2])
	}
	w = p.reshape(w, batch, whole)
	if whole == n {
		return w, v
	}
	w, v = p.ascending(w, v)
	return p.cut(w, 1, 0, n), p.cut(p.cut(v, 1, 0, n), 2, 0, n)
}

// small is conquer for what fits conquerLoop. In step i, parts of 2^i become
// parts of twice that, within one matrix.
func (p composer) small(d, e *ir.Value) (w, v *ir.Value) {
	batch, n := d.Type.Shape[0], d.Type.Shape[1]
	start := []*ir.Value{p.number(dtype.I32, 1), d, p.to(p.eye(d.Type.DType, n, n), []int{batch, n, n})}
	levels := p.number(dtype.I32, float64(math.Ilogb(float64(n))))
	out := p.loop(p.number(dtype.I32, 0), levels, start, []*ir.Value{e}, func(p composer, _ *ir.Value, carried, shared []*ir.Value) []*ir.Value {
		half, d, v, e := carried[0], carried[1], carried[2], shared[0]
		whole := p.add(half, half)
		at := p.count(n)
		part := p.div(at, whole)
		before := p.add(p.mul(part, whole), p.sub(half, p.like(half, 1))) // the last of the first half
		second := p.compare(ir.GT, at, before)

		zero := p.like(d, 0)
		between := p.sum(p.where(p.compare(ir.EQ, p.column(before), p.row(at)), p.row(e), zero), 2)
		own := p.add(before, p.convert(second, dtype.I32))
		z := p.sum(p.where(p.compare(ir.EQ, p.column(at), p.row(own)), v, zero), 1)
		s := p.secular(d, between, z, second, p.compare(ir.EQ, p.column(part), p.row(part)))
		undo := s.gather(p)
		w, u := s.solve(p)
		return []*ir.Value{whole, w, p.dot(v, undo(u))}
	})
	return out[1], out[2]
}

// merge returns the eigenvalues and eigenvectors of matrices of two halves, from
// those of the halves and the element between them.
func (p composer) merge(d, between, v *ir.Value) (w, u *ir.Value) {
	pairs, n := d.Type.Shape[0], d.Type.Shape[1]
	half := n / 2
	last := p.cut(p.cut(v, 1, 0, 1), 2, half-1, half)
	first := p.cut(p.cut(v, 1, 1, 2), 2, 0, 1)
	z := p.join(1, p.reshape(last, pairs, half), p.reshape(first, pairs, half))
	second := p.compare(ir.GE, p.count(n), p.number(dtype.I32, float64(half)))
	s := p.secular(d, p.to(between, d.Type.Shape), z, second, p.to(p.number(dtype.I1, 1), []int{n, n}))
	undo := s.gather(p)
	w, u = s.solve(p)
	u = p.dot(p.reshape(v, pairs*2, half, half), p.reshape(undo(u), pairs*2, half, n))
	return w, p.reshape(u, pairs, n, n)
}

// A secular is an eigenproblem of diag(d) + rho*z*transpose(z), or one for each
// part of d. Its eigenvalues are the d of no z, and the zeros x of 1 + rho * the
// sum of z*z / (d - x), one above each other d.
type secular struct {
	d, z, rho *ir.Value
	part      *ir.Value // [i, j]: whether i and j are of one part
	tolerance *ir.Value // what counts for nothing beside d and rho
}

// secular returns the problem of two halves put together: z is the last row of
// the first half's eigenvectors, and the first of the second's.
func (p composer) secular(d, between, z, second, part *ir.Value) *secular {
	s := &secular{d: d, part: part, rho: p.mul(p.abs(between), p.like(d, 2))}
	sign := p.where(p.and(second, p.compare(ir.LT, between, p.like(d, 0))), p.like(d, -math.Sqrt2/2), p.like(d, math.Sqrt2/2))
	most := p.max(p.fold(ir.ReduceMax, p.where(part, p.row(p.abs(d)), p.like(d, 0)), 2), s.rho)
	s.tolerance = p.mul(most, p.like(most, 8*epsilon(d.Type.DType)))
	z = p.mul(z, sign)
	s.z = p.where(p.compare(ir.GT, p.mul(s.rho, p.abs(z)), s.tolerance), z, p.like(z, 0))
	return s
}

// epsilon returns half of the distance from 1 to the next number.
func epsilon(d dtype.DType) float64 {
	if d.Elem() == dtype.F64 {
		return 0x1p-53
	}
	return 0x1p-24
}

// gather makes z zero but in one place of those where the d are equal within the
// tolerance, by reflections; it returns what applies these to eigenvectors.
func (s *secular) gather(p composer) (undo func(u *ir.Value) *ir.Value) {
	at := p.count(s.d.Type.Shape[1])
	cell := p.do(ir.Floor, nil, p.div(s.d, s.tolerance))
	same := p.and(s.part, p.compare(ir.EQ, p.column(cell), p.row(cell)))
	others := p.fold(ir.ReduceOr, p.and(same, p.compare(ir.NE, p.column(at), p.row(at))), 2)
	final := p.not(p.fold(ir.ReduceOr, p.and(same, p.compare(ir.LT, p.column(at), p.row(at))), 2))

	zero := p.like(s.z, 0)
	length := p.sqrt(p.sum(p.where(same, p.row(p.mul(s.z, s.z)), zero), 2))
	signed := p.where(p.compare(ir.LT, s.z, zero), p.neg(length), length)
	reflect := p.and(others, p.compare(ir.GT, length, zero))
	u := p.where(reflect, p.where(final, p.add(s.z, signed), s.z), zero)
	square := p.sum(p.where(same, p.row(p.mul(u, u)), zero), 2)
	scaled := p.where(reflect, p.div(p.mul(u, p.like(u, 2)), square), zero)
	s.z = p.where(reflect, p.where(final, p.neg(signed), zero), s.z)

	any := p.fold(ir.ReduceOr, p.fold(ir.ReduceOr, reflect, 1), 0)
	return func(x *ir.Value) *ir.Value {
		return p.when(any, []*ir.Value{x, u, scaled, p.convert(same, x.Type.DType)}, func(p composer, args []*ir.Value) *ir.Value {
			x, u, scaled, same := args[0], args[1], args[2], args[3]
			return p.sub(x, p.mul(p.column(u), p.dot(same, p.mul(p.column(scaled), x))))
		})
	}
}

// solve returns eigenvalues and eigenvectors. Each eigenvalue is held as its
// distance from the nearer of the two d that it lies between: so all distances
// are known to the last digits, on which the vectors' being orthogonal depends.
func (s *secular) solve(p composer) (w, u *ir.Value) {
	n := s.d.Type.Shape[1]
	zero, one, infinity := p.like(s.d, 0), p.like(s.d, 1), p.like(s.d, math.Inf(1))
	live := p.compare(ir.NE, s.z, zero)
	weight := p.mul(s.rho, p.mul(s.z, s.z))

	above := p.fold(ir.ReduceMin, p.where(p.and(p.and(s.part, p.row(live)), p.compare(ir.GT, p.row(s.d), p.column(s.d))), p.row(s.d), infinity), 2)
	top := p.compare(ir.EQ, above, infinity)
	width := p.where(top, p.sum(p.where(s.part, p.row(weight), zero), 2), p.sub(above, s.d))
	middle := p.mul(width, p.like(width, 0.5))
	gap := s.distances(p, s.d)
	right := p.and(p.compare(ir.LT, s.value(p, gap, weight, middle), zero), p.not(top))
	sign, origin := p.where(right, p.neg(one), one), p.where(right, above, s.d)
	from := s.distances(p, origin)

	distance := p.mul(sign, s.bisect(p, from, weight, sign, p.where(top, width, middle)))
	w = p.where(live, p.add(origin, distance), s.d)
	away := p.where(p.column(live), p.sub(from, p.column(distance)), one) // d[j] - w[i]

	// The z whose eigenvalues these are exactly, from the products of distances.
	own := p.eye(dtype.I1, n, n)
	ratio := p.where(own, p.neg(away), p.div(away, p.where(own, one, gap)))
	ratio = p.where(p.and(s.part, p.and(p.column(live), p.row(live))), ratio, one)
	z := p.sqrt(p.abs(p.fold(ir.ReduceProd, ratio, 1)))
	z = p.where(live, p.where(p.compare(ir.LT, s.z, zero), p.neg(z), z), zero)
	vectors := p.div(p.row(z), away) // [i, j]: element j of vector i
	length := p.column(p.sqrt(p.sum(p.mul(vectors, vectors), 2)))
	vectors = p.where(p.column(live), p.div(vectors, length), p.convert(own, s.d.Type.DType))
	return w, p.transpose(vectors)
}

// distances returns d[j] - origin[i], of another part than i's infinity.
func (s *secular) distances(p composer, origin *ir.Value) *ir.Value {
	return p.where(s.part, p.sub(p.row(s.d), p.column(origin)), p.like(s.d, math.Inf(1)))
}

// value returns 1 + the sum over j of weight[j] / (from[i,j] - x[i]).
func (s *secular) value(p composer, from, weight, x *ir.Value) *ir.Value {
	return p.add(p.like(x, 1), p.sum(p.div(p.row(weight), p.sub(from, p.column(x))), 2))
}

// bisect returns the x between 0 and high at which sign * value(sign*x), which
// rises, is 0: it halves the bits of the float, so that small x are as exact as
// large ones.
func (s *secular) bisect(p composer, from, weight, sign, high *ir.Value) *ir.Value {
	d, bits := high.Type.DType, dtype.I32
	if d == dtype.F64 {
		bits = dtype.I64
	}
	as := func(p composer, x *ir.Value, d dtype.DType) *ir.Value {
		return p.do(ir.BitcastConvert, ir.DTypeAttrs{DType: d}, x)
	}
	start := []*ir.Value{p.zeros(bits, high.Type.Shape...), as(p, high, bits)}
	steps := p.number(dtype.I32, float64(d.Bits()-1))
	out := p.loop(p.number(dtype.I32, 0), steps, start, []*ir.Value{from, weight, sign}, func(p composer, _ *ir.Value, carried, shared []*ir.Value) []*ir.Value {
		low, high, sign := carried[0], carried[1], shared[2]
		middle := p.add(low, p.pair(ir.ShiftRightArithmetic, nil, p.sub(high, low), p.like(low, 1)))
		x := p.mul(sign, as(p, middle, d))
		above := p.compare(ir.GE, p.mul(sign, s.value(p, shared[0], shared[1], x)), p.like(x, 0))
		return []*ir.Value{p.where(above, low, middle), p.where(above, middle, high)}
	})
	return as(p, out[1], d)
}
