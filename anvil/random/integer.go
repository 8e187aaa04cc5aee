package random

import (
	"math/big"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// Bernoulli returns bools that are true with probability p, a number or a tensor of floats.
func Bernoulli(k PRNGKey, p any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Bernoulli", k, s, nv.F32, opts, p)
	if isFloat(p) {
		r.d = p.(nv.Tensor).DType()
	}
	return r.result(r.uniform(r.key).Lt(r.discrete("p", p)))
}

// Rademacher returns -1 or 1, each with probability 1/2. The default dtype is i32.
func Rademacher(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Rademacher", k, s, nv.I32, opts)
	return r.result(r.signs(r.key, r.d))
}

// signs returns -1 or 1, each with probability 1/2, as dtype d. As in JAX it compares f64
// numbers, of 64 random bits each, if d has 64 bits, and f32 numbers otherwise.
func (r *draw) signs(k pair, d nv.DType) nv.Tensor {
	floats := *r
	floats.d = nv.F32
	if d.Bits() == 64 {
		floats.d = nv.F64
	}
	u := floats.uniform(k)
	return u.Lt(constLike(u, 0.5)).Where(r.lib.Constant(r.s, 1, d), r.lib.Constant(r.s, -1, d))
}

// RandInt returns integers uniformly distributed in [low, high). The default dtype is i32. low and high are
// integers or integer tensors. Where high is not above low, the result is low. Where high is above the
// largest number of the dtype, the result may be the largest number.
func RandInt(k PRNGKey, s nv.Shape, low, high any, opts ...nv.Option) nv.Tensor {
	r := newDraw("RandInt", k, s, nv.I32, opts, low, high)
	r.checkInteger()
	d := r.d
	least, most := integerRange(d)
	if d.Bits() < 32 {
		// Draw i32, so that the bias of the remainder is small and high can be one above d's largest number.
		r.d = nv.I32
		most.Add(most, big.NewInt(1))
	}
	from, _ := r.bound("low", low, least, most)
	to, beyond := r.bound("high", high, least, most)
	if d.Bits() < 32 {
		beyond = r.lib.Scalar(false)
	}
	return r.result(r.integers(from, to, beyond.BroadcastTo(r.s)).AsType(d))
}

// integers returns integers in [from, to), or in [from, to] where beyond is true. Each is from + n%span, where span is
// the number of these integers and n is a random number of twice the dtype's width. As in JAX, the upper half of n has
// no effect if span is greater than 2^(width/2).
func (r *draw) integers(from, to, beyond nv.Tensor) nv.Tensor {
	u := unsigned[r.d.Bits()]
	constant := func(v any) nv.Tensor { return r.lib.Constant(r.s, v, u) }
	high, low := r.key.child(0).bits(u, r.s), r.key.child(1).bits(u, r.s)
	span := to.Sub(from).AsType(u)
	nonempty := to.Gt(from)
	span = nonempty.Where(span, constant(1))
	span = beyond.And(nonempty).Where(span.Add(constant(1)), span)
	// A span that wraps to 0 stands for all numbers of the dtype. It is replaced by 1 in divisions, since x%0
	// depends on the promotion system.
	all := span.Eq(constant(0))
	span = all.Where(constant(1), span)
	// factor is 2^bits modulo span; for a large span the square wraps, as in JAX, to 0.
	root := constant(uint64(1) << (r.d.Bits() / 2)).Rem(span)
	factor := root.Mul(root).Rem(span)
	offset := high.Rem(span).Mul(factor).Add(low.Rem(span)).Rem(span)
	return from.Add(all.Where(low, offset).AsType(r.d))
}

// unsigned has the unsigned dtypes by their width in bits.
var unsigned = map[int]nv.DType{8: nv.U8, 16: nv.U16, 32: nv.U32, 64: nv.U64}

// integerRange returns the least and the largest number of an integer dtype.
func integerRange(d nv.DType) (least, most *big.Int) {
	one := big.NewInt(1)
	bits := uint(d.Bits())
	if d.Is(dtype.Signed) {
		most = new(big.Int).Lsh(one, bits-1)
		return new(big.Int).Neg(most), most.Sub(most, one)
	}
	most = new(big.Int).Lsh(one, bits)
	return new(big.Int), most.Sub(most, one)
}

// bound returns x, an integer or an integer tensor, clamped to [least, most], as dtype r.d,
// and whether x was above most.
func (r *draw) bound(name string, x any, least, most *big.Int) (bounded, above nv.Tensor) {
	t, ok := x.(nv.Tensor)
	if !ok {
		return r.integerParam(name, x, least, most)
	}
	if !t.DType().Is(dtype.Integral) {
		r.fail(name+" is "+t.DType().String()+", not an integer", "convert it with AsType")
	}
	low, high := integerRange(t.DType()) // least and most may be outside of this range
	low, high = larger(low, least), smaller(high, most)
	limit := func(v *big.Int) nv.Tensor { return r.lib.Constant(t.Shape(), integer(v), t.DType()) }
	above = t.Gt(limit(high))
	return r.param(name, t.Clamp(limit(low), limit(high)).AsType(r.d)), above
}

// integerParam does what bound does, for a Go number.
func (r *draw) integerParam(name string, x any, least, most *big.Int) (bounded, above nv.Tensor) {
	var v *big.Int
	switch x := x.(type) {
	case int:
		v = big.NewInt(int64(x))
	case uint:
		v = new(big.Int).SetUint64(uint64(x))
	case uint64:
		v = new(big.Int).SetUint64(x)
	default:
		n, err := dtype.Cast(x, dtype.I64)
		if d, known := dtype.Of(x); err != nil || !known || !d.Is(dtype.Integral) {
			r.fail(name+" is not an integer", "give an integer or a tensor of integers")
		}
		v = big.NewInt(n.(int64))
	}
	inside := smaller(larger(v, least), most)
	return r.lib.Scalar(integer(inside), r.d).BroadcastTo(r.s), r.lib.Scalar(v.Cmp(most) > 0)
}

// integer returns v as a Go number.
func integer(v *big.Int) any {
	if v.IsInt64() {
		return v.Int64()
	}
	return v.Uint64()
}

// larger returns the larger of a and b.
func larger(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

// smaller returns the smaller of a and b.
func smaller(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return b
	}
	return a
}
