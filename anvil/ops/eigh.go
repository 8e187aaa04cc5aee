package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// lowerEigh reduces the matrix to a real tridiagonal one by reflections, takes
// that one's eigenvalues by divide and conquer, and applies the reflections to its
// eigenvectors. XLA's own expander, a method of Jacobi, is a hundred times slower
// for large matrices, and of f64 gives half of the digits.
func lowerEigh(n *ir.Node) program {
	return func(p composer, args []*ir.Value) []*ir.Value {
		x, values, vectors := args[0], n.Results[0].Type, n.Results[1].Type
		batch, size, _, _ := matrix(x.Type)
		if x.Type.Shape.Size() == 0 {
			return []*ir.Value{p.zeros(values.DType, values.Shape...), x}
		}
		x, scale := p.scaled(p.hermitian(p.reshape(x, batch.Size(), size, size)))
		t := p.tridiagonal(x)
		w, v := p.conquer(t.diagonal, t.beside)
		v = p.reflected(t.reflections, p.convert(v, x.Type.DType))
		w, v = p.ascending(w, p.turned(v, v)[0])
		return []*ir.Value{p.reshape(p.mul(w, scale), values.Shape...), p.reshape(v, vectors.Shape...)}
	}
}

// hermitian returns the matrices whose lower triangles are those of x.
func (p composer) hermitian(x *ir.Value) *ir.Value {
	n := x.Type.Shape[1]
	row, col := p.column(p.count(n)), p.row(p.count(n))
	diagonal := p.convert(p.real(x), x.Type.DType)
	x = p.where(p.compare(ir.GT, row, col), x, p.adjoint(x))
	return p.where(p.compare(ir.EQ, row, col), diagonal, x)
}

// scaled returns matrices x divided by their greatest magnitudes, where these are
// not 0, and the divisors, so that no square of an element overflows.
func (p composer) scaled(x *ir.Value) (y, scale *ir.Value) {
	most := p.fold(ir.ReduceMax, p.fold(ir.ReduceMax, p.abs(x), -1), -1)
	good := p.and(p.compare(ir.GT, most, p.like(most, 0)), p.do(ir.IsFinite, nil, most))
	scale = p.where(good, most, p.like(most, 1))
	return p.div(x, p.convert(p.column(p.column(scale)), x.Type.DType)), p.column(scale)
}

// A tridiagonal is a real symmetric matrix T, and the reflections Q for which a
// matrix is Q*T*adjoint(Q).
type tridiagonal struct {
	diagonal, beside *ir.Value
	reflections
}

// tridiagonal reduces Hermitian matrices x, a column at a time.
func (p composer) tridiagonal(x *ir.Value) tridiagonal {
	d, batch, n := x.Type.DType, x.Type.Shape[0], x.Type.Shape[1]
	start := []*ir.Value{x, p.zeros(d, batch, n, n), p.zeros(d, batch, 1, n), p.zeros(d.Elem(), batch, 1, n)}
	out := p.loop(p.number(dtype.I32, 0), p.number(dtype.I32, float64(n-1)), start, nil, func(p composer, k *ir.Value, carried, _ []*ir.Value) []*ir.Value {
		x := carried[0]
		next := p.add(k, p.like(k, 1))
		v, tau, beta := p.reflection(p.window(x, 2, k, 1), next)
		below := p.compare(ir.GE, p.column(p.count(n)), next)
		v = p.where(below, v, p.like(v, 0))
		y := p.where(below, p.mul(tau, p.dot(x, v)), p.like(v, 0))
		half := p.mul(p.like(v, -0.5), p.mul(tau, p.dot(p.adjoint(y), v)))
		w := p.add(y, p.mul(half, v))
		x = p.sub(p.sub(x, p.mul(v, p.adjoint(w))), p.mul(w, p.adjoint(v)))
		return []*ir.Value{x, p.update(carried[1], v, 2, k), p.update(carried[2], tau, 2, k), p.update(carried[3], beta, 2, k)}
	})
	diagonal := p.real(p.sum(p.where(p.eye(dtype.I1, n, n), out[0], p.like(x, 0)), -1))
	return tridiagonal{diagonal, p.reshape(out[3], batch, n), reflections{out[1], p.reshape(out[2], batch, n)}}
}

// turned returns others with their columns multiplied by the phase that makes
// the leading component of v's real and positive: the first one of at least 0.9
// of the greatest magnitude.
func (p composer) turned(v *ir.Value, others ...*ir.Value) []*ir.Value {
	n := v.Type.Shape[1]
	size := p.abs(v)
	most := p.row(p.fold(ir.ReduceMax, size, 1))
	large := p.compare(ir.GE, size, p.mul(most, p.like(most, 0.9)))
	row := p.column(p.count(n))
	first := p.row(p.fold(ir.ReduceMin, p.where(large, row, p.like(row, float64(n))), 1))
	lead := p.row(p.sum(p.where(p.compare(ir.EQ, row, first), v, p.like(v, 0)), 1))
	length := p.convert(p.abs(lead), v.Type.DType)
	phase := p.where(p.compare(ir.EQ, length, p.like(length, 0)), p.like(v, 1), p.div(p.conj(lead), length))
	out := make([]*ir.Value, len(others))
	for i, x := range others {
		out[i] = p.mul(x, phase)
	}
	return out
}

// ascending returns eigenvalues w in ascending order, and the columns of v alike.
func (p composer) ascending(w, v *ir.Value) (*ir.Value, *ir.Value) {
	at := p.do(ir.Iota, ir.IotaAttrs{DType: dtype.I32, Shape: w.Type.Shape.Dims(), Axis: 1})
	sorted := p.all(ir.Sort, ir.SortAttrs{Axis: 1}, nil, w, at)
	return sorted[0], p.transpose(p.take(p.transpose(v), sorted[1]))
}
