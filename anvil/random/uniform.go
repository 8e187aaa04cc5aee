package random

import (
	nv "github.com/goanvil/notebook/anvil"
)

// Bits returns uniformly random bits as unsigned integers. The default dtype is u32.
func Bits(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Bits", k, s, nv.U32, opts)
	switch r.d {
	case nv.U8, nv.U16, nv.U32, nv.U64:
		return r.result(r.key.bits(r.d, r.s))
	}
	r.fail("the dtype must be ui8, ui16, ui32 or ui64", "use RandInt for signed integers")
	return nv.Tensor{}
}

// Uniform returns numbers uniformly distributed in [0, 1). The default dtype is f32.
func Uniform(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Uniform", k, s, nv.F32, opts)
	return r.result(r.uniform(r.key))
}

// UniformRange returns numbers uniformly distributed in [low, high). The default dtype is
// f32.
func UniformRange(k PRNGKey, s nv.Shape, low, high any, opts ...nv.Option) nv.Tensor {
	r := newDraw("UniformRange", k, s, nv.F32, opts, low, high)
	r.format() // checks the dtype
	return r.result(r.between(r.uniform(r.key), r.param("low", low), r.param("high", high)))
}

// uniform returns numbers uniformly distributed in [0, 1), of dtype r.d and shape r.s.
func (r *draw) uniform(k pair) nv.Tensor { return r.mantissas(k.bits(r.format().random, r.s)) }

// uniformUnfused is uniform with a barrier, which keeps the compiler from fusing the random bits with their
// uses and computing them again for each use. It is for programs that take longer to compile than to run.
func (r *draw) uniformUnfused(k pair) nv.Tensor {
	return r.mantissas(k.bits(r.format().random, r.s).OptimizationBarrier())
}

// mantissas returns numbers in [0, 1) with the given random bits as mantissas.
func (r *draw) mantissas(bits nv.Tensor) nv.Tensor {
	f := r.format()
	c, s := r.lib, bits.Shape()
	bits = bits.AsType(f.bits).Shr(c.Constant(s, f.shift, f.bits)).Or(c.Constant(s, f.one, f.bits))
	x := bits.BitcastConvert(r.d)
	return x.Sub(constLike(x, 1))
}

// between maps u from [0, 1) to [low, high).
func (r *draw) between(u, low, high nv.Tensor) nv.Tensor {
	return low.Maximum(u.Mul(high.Sub(low)).Add(low))
}

// stretchFrom maps u from [0, 1) to [low, 1).
func (r *draw) stretchFrom(u nv.Tensor, low float64) nv.Tensor {
	return r.between(u, constLike(u, low), constLike(u, 1))
}
