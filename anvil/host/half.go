package host

import (
	"math"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
)

// Operations on bf16 and f16 are computed in f32, and the result is rounded a second time, to the dtype. For
// +, -, *, / and sqrt that equals rounding once, since the precision of f32, 24 bits, is at least 2p+2 for
// the precisions p of bf16 and f16, 8 and 11 bits. The other operations here are exact.

// half1 returns the kernel for d of the loop f over one operand, or nil if f is nil.
func half1(d dtype.DType, f func(out, x []float32)) kernel {
	if f == nil {
		return nil
	}
	return infallible(func(out []byte, in [][]byte) {
		x := widened(d, in[0])
		f(x, x)
		narrow(d, array.View[uint16](out), x)
	})
}

// half2 returns the kernel for d of the loop f over two operands, or nil if f is nil.
func half2(d dtype.DType, f func(out, x, y []float32)) kernel {
	if f == nil {
		return nil
	}
	return infallible(func(out []byte, in [][]byte) {
		x, y := widened(d, in[0]), widened(d, in[1])
		f(x, x, y)
		narrow(d, array.View[uint16](out), x)
	})
}

// halfRelation returns the kernel for d of the comparison f.
func halfRelation(d dtype.DType, f func(out []uint8, x, y []float32)) kernel {
	return infallible(func(out []byte, in [][]byte) { f(out, widened(d, in[0]), widened(d, in[1])) })
}

// widened returns the elements of data, which have dtype d, as float32.
func widened(d dtype.DType, data []byte) []float32 {
	xs := array.View[uint16](data)
	out := make([]float32, len(xs))
	widen(d, out, xs)
	return out
}

// widen sets out to xs, the bits of elements of dtype d.
func widen(d dtype.DType, out []float32, xs []uint16) {
	if d == dtype.BF16 {
		for i, b := range xs[:len(out)] {
			out[i] = math.Float32frombits(uint32(b) << 16)
		}
		return
	}
	for i, b := range xs[:len(out)] {
		out[i] = fromF16(b)
	}
}

// narrow sets out to the bits of xs rounded to dtype d.
func narrow(d dtype.DType, out []uint16, xs []float32) {
	if d == dtype.BF16 {
		for i, x := range xs[:len(out)] {
			out[i] = toBF16(x)
		}
		return
	}
	for i, x := range xs[:len(out)] {
		out[i] = toF16(x)
	}
}

// toBF16 returns the bits of x rounded to bf16, to nearest with ties to even: it adds 0x8000,
// half a unit of the last place, or 0x7fff if the last place is even, and truncates.
func toBF16(x float32) uint16 {
	b := math.Float32bits(x)
	if x != x {
		return uint16(dtype.Encode(dtype.BF16, float64(x)))
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// fromF16 returns the f16 number with bits b. It shifts exponent and fraction to their places in an f32, and
// multiplies by 2^112, as the exponents' biases are 127 and 15. This also converts subnormal numbers.
func fromF16(b uint16) float32 {
	magnitude, sign := uint32(b&0x7fff), uint32(b&0x8000)<<16
	if magnitude >= 0x7c00 { // infinity or NaN
		return math.Float32frombits(sign | 0x7f80_0000 | magnitude<<13)
	}
	x := math.Float32frombits(magnitude<<13) * 0x1p112
	return math.Float32frombits(math.Float32bits(x) | sign)
}

// toF16 returns the bits of x rounded to f16. It rounds as toBF16 does if the magnitude of x is at least
// 2^-14 and less than 2^15. All other values take a slower path: zeros, infinities, NaNs, and numbers whose
// f16 may be subnormal or overflow.
func toF16(x float32) uint16 {
	const bias32, bias16 = 127, 15
	b := math.Float32bits(x)
	if exponent := b >> 23 & 0xff; exponent <= bias32-bias16 || exponent >= bias32+bias16 {
		return uint16(dtype.Encode(dtype.F16, float64(x)))
	}
	magnitude := b&0x7fff_ffff - (bias32-bias16)<<23
	return uint16(b>>16&0x8000) | uint16((magnitude+0xfff+b>>13&1)>>13)
}
