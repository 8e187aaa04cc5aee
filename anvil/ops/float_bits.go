package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
)

// Functions of the bits of f32 and f64 numbers, as expressions.

// A floatLayout describes the bits of f32 or f64.
type floatLayout struct {
	ints     dtype.DType // the integers of the same width
	mantissa int         // the number of bits of the mantissa
	bias     int64       // the bias of the exponent
}

// layoutOf returns the layout of x, an f32 or f64.
func layoutOf(x expr.Value) floatLayout {
	if isDouble(x) {
		return floatLayout{dtype.I64, 52, 1023}
	}
	return floatLayout{dtype.I32, 23, 127}
}

// isDouble reports whether x is f64 or c128.
func isDouble(x expr.Value) bool { return x.DType().Elem() == dtype.F64 }

// isComplex reports whether x has a complex dtype.
func isComplex(x expr.Value) bool { return x.DType().Is(dtype.Complex) }

// bitsOf returns the bits of the float x as integers.
func bitsOf(b expr.Builder, x expr.Value) expr.Value { return b.Bitcast(x, layoutOf(x).ints) }

// signOf returns -1 where the sign bit of x is set, and 1 elsewhere.
func signOf(b expr.Builder, x expr.Value) expr.Value {
	sign := b.And(bitsOf(b, x), int64(-1)<<(x.DType().Bits()-1))
	return b.Bitcast(b.Or(sign, bitsOf(b, b.Like(x, 1))), x.DType())
}

// copysign returns the magnitude of v with the sign of x, or v where x is NaN.
func copysign(b expr.Builder, v, x expr.Value) expr.Value {
	return b.Where(b.IsNaN(x), v, b.Mul(b.Abs(v), signOf(b, x)))
}

// ldexp returns x * 2^n, with n clamped to about twice the greatest exponent. It multiplies by two powers
// of 2, neither of which overflows by itself.
func ldexp(b expr.Builder, x, n expr.Value) expr.Value {
	l := layoutOf(x)
	n = b.Min(b.Max(n, -2*l.bias+4), 2*l.bias-4)
	half := b.ShiftRight(n, 1)
	for _, part := range []expr.Value{half, b.Sub(n, half)} {
		power := b.ShiftLeft(b.Add(part, l.bias), l.mantissa)
		x = b.Mul(x, b.Bitcast(power, x.DType()))
	}
	return x
}

// frexp returns the integer exponent n and the fraction f of a positive normal x = f * 2^n, with f from
// sqrt(1/2) to sqrt(2).
func frexp(b expr.Builder, x expr.Value) (n, f expr.Value) {
	l, bits := layoutOf(x), bitsOf(b, x)
	root := int64(0x3f3504f3) // the bits of sqrt(1/2)
	if isDouble(x) {
		root = 0x3fe6a09e667f3bcd
	}
	n = b.ShiftRight(b.Sub(bits, root), l.mantissa)
	f = b.Bitcast(b.Sub(bits, b.ShiftLeft(n, l.mantissa)), x.DType())
	return n, f
}
