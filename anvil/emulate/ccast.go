package emulate

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// In C the conversion of a float to an integer type that cannot hold it is undefined. This file gives the results
// of x86: cvttsd2si gives the least integer of its width, 32 or 64 bits. An integer of fewer than 32 bits is the low
// bits of the 32-bit result, and ui32 is the low half of the 64-bit result.

// numpyConvert converts like C: to narrow integers by way of i32. Finite 8-bit floats are converted by way of i64, and
// their infinities and nan as in XLA.
func numpyConvert(c Call, x expr.Value, d dtype.DType) expr.Value {
	if d != dtype.I1 {
		x = realPart(c, x, d)
	}
	b := c.Build()
	switch from := x.DType(); {
	case !d.Is(dtype.Integral) || !from.Is(dtype.Floating):
		return c.Convert(x, d)
	case from.Bits() == 8:
		f := c.Convert(x, dtype.F32)
		return b.Where(b.Unary(ir.IsFinite, f), c.Convert(c.Convert(f, dtype.I64), d), c.Convert(f, d))
	}
	return cConvert(c, x, d, dtype.I32, overflowToZero)
}

// torchConvert converts like C: to ui8 by way of i64, to other narrow integers by way of i32. Values outside the range
// of f8e4m3fn saturate.
func torchConvert(c Call, x expr.Value, d dtype.DType) expr.Value {
	if d != dtype.I1 {
		x = realPart(c, x, d)
	}
	switch {
	case d == dtype.F8E4M3FN:
		return c.Convert(clampToF8E4M3FN(c, x), d)
	case !d.Is(dtype.Integral) || !x.DType().Is(dtype.Floating):
		return c.Convert(x, d)
	case d == dtype.U8:
		return cConvert(c, x, d, dtype.I64, overflowToZero)
	}
	return cConvert(c, x, d, dtype.I32, overflowToZero)
}

// tensorflowConvert converts like C: to narrow integers by way of i32. If d is ui64, NaN and values too great for it
// give 2^63. Only floats can be cast to 8-bit floats.
func tensorflowConvert(c Call, x expr.Value, d dtype.DType) expr.Value {
	if from := x.DType(); d.Is(dtype.Floating) && d.Bits() == 8 && !from.Is(dtype.Floating) {
		c.Check(refusal("Cast", "UnimplementedError", "Cast "+from.Long()+" to "+d.Long()+" is not supported"))
	}
	x = realPart(c, x, d)
	if !d.Is(dtype.Integral) || !x.DType().Is(dtype.Floating) {
		return c.Convert(x, d)
	}
	return cConvert(c, x, d, dtype.I32, func(b expr.Builder, _, least expr.Value) expr.Value { return least })
}

// realPart returns the real part of x if x is complex and d is real.
func realPart(c Call, x expr.Value, d dtype.DType) expr.Value {
	if d.Is(dtype.Complex) {
		return x
	}
	return c.Build().Real(x)
}

// cConvert converts floats to integers of dtype d: by way of via if d has fewer than 32 bits or is i32, and otherwise
// by way of i64. If d is ui64, NaN and values of 2^64 or more become overflow(b, x, 2^63).
func cConvert(
	c Call, x expr.Value, d, via dtype.DType, overflow func(b expr.Builder, x, least expr.Value) expr.Value,
) expr.Value {
	if x.DType().Bits() < 32 {
		x = c.Convert(x, dtype.F32)
	}
	b := c.Build()
	if d == dtype.U64 { // x86 has no instruction for ui64: values from 2^63 on are converted separately
		low, high := c.Convert(c.Convert(x, dtype.I64), dtype.U64), c.Convert(x, dtype.U64)
		upper := b.Where(b.Lt(x, math.Ldexp(1, 64)), high, overflow(b, x, b.Like(low, uint64(1)<<63)))
		return b.Where(b.Lt(x, math.Ldexp(1, 63)), low, upper)
	}
	if d.Bits() >= 32 && d != dtype.I32 {
		via = dtype.I64
	}
	limit := math.Ldexp(1, via.Bits()-1)
	r := c.Convert(x, via) // values that are too small already give the least integer
	return c.Convert(b.Where(b.Lt(x, limit), r, -limit), d)
}

// overflowToZero is a function for the parameter overflow of cConvert. It returns least (2^63, which has the bits of
// the least int64) where x is NaN, and 0 elsewhere.
func overflowToZero(b expr.Builder, x, least expr.Value) expr.Value {
	return b.Where(b.IsNaN(x), least, 0)
}

// clampToF8E4M3FN clamps x to the range of f8e4m3fn. The result has at least 16 bits.
func clampToF8E4M3FN(c Call, x expr.Value) expr.Value {
	if d := x.DType(); !d.Is(dtype.Floating) || d.Bits() < 16 {
		x = c.Convert(x, dtype.F32)
	}
	b := c.Build()
	return b.Do(ir.Clamp, nil, b.Like(x, -448), x, b.Like(x, 448))
}
