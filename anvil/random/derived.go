package random

import (
	nv "github.com/goanvil/notebook/anvil"
)

// Maxwell returns numbers of the Maxwell distribution of scale 1: lengths of
// vectors of three standard normal numbers.
func Maxwell(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Maxwell", k, s, nv.F32, opts)
	r.s = append(r.s.Clone(), 3)
	x := r.normal(r.uniform(r.key))
	return r.result(x.Mul(x).Sum(nv.Axis(len(r.s) - 1)).Sqrt())
}

// Triangular returns numbers of the triangular distribution from left to right
// that is highest at mode.
func Triangular(k PRNGKey, left, mode, right any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Triangular", k, s, nv.F32, opts, left, mode, right)
	u := r.uniform(r.key)
	a, m, b := r.param("left", left), r.param("mode", mode), r.param("right", right)
	rising, falling, width := m.Sub(a), b.Sub(m), b.Sub(a)
	low := a.Add(u.Mul(width).Mul(rising).Sqrt())
	high := b.Sub(r.con(u, 1).Sub(u).Mul(width).Mul(falling).Sqrt())
	return r.result(u.Lt(rising.Div(width)).Where(low, high))
}
