package random

import (
	nv "github.com/goanvil/notebook/anvil"
)

// Bits returns uniformly random bits as unsigned integers, u32 where no option
// names another dtype.
func Bits(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Bits", k, s, nv.U32, opts)
	switch r.d {
	case nv.U8, nv.U16, nv.U32, nv.U64:
		return r.result(r.key.bits(r.d, r.s))
	}
	r.fail("it draws ui8, ui16, ui32 and ui64", "RandInt draws signed integers")
	return nv.Tensor{}
}

// Uniform returns numbers that are uniformly distributed from 0 to below 1, f32
// where no option names another float.
func Uniform(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := begin("Uniform", k, s, nv.F32, opts)
	return r.result(r.uniform(r.key))
}

// UniformRange returns numbers that are uniformly distributed from low to below
// high, f32 where no option names another float.
func UniformRange(k PRNGKey, s nv.Shape, low, high any, opts ...nv.Option) nv.Tensor {
	r := begin("UniformRange", k, s, nv.F32, opts, low, high)
	r.format()
	return r.result(r.between(r.uniform(r.key), r.param("low", low), r.param("high", high)))
}

// uniform returns numbers from 0 to below 1.
func (r *draw) uniform(k pair) nv.Tensor { return r.mantissas(k.bits(r.format().random, r.s)) }

// uniformApart is uniform of which compilers make the bits once, however many sums
// they are part of: where a program is long to compile and not to run.
func (r *draw) uniformApart(k pair) nv.Tensor {
	return r.mantissas(k.bits(r.format().random, r.s).Apart())
}

// mantissas returns numbers of [0, 1) whose mantissas are random bits.
func (r *draw) mantissas(bits nv.Tensor) nv.Tensor {
	f := r.format()
	c, s := r.lib, bits.Shape()
	bits = bits.AsType(f.bits).Shr(c.Constant(s, f.shift, f.bits)).Or(c.Constant(s, f.one, f.bits))
	x := bits.BitcastConvert(r.d)
	return x.Sub(r.con(x, 1))
}

// between returns u, which is in [0, 1), stretched to [low, high).
func (r *draw) between(u, low, high nv.Tensor) nv.Tensor {
	return low.Maximum(u.Mul(high.Sub(low)).Add(low))
}

// from returns u, which is in [0, 1), stretched to [low, 1).
func (r *draw) from(u nv.Tensor, low float64) nv.Tensor {
	return r.between(u, r.con(u, low), r.con(u, 1))
}
