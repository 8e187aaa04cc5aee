package main

import (
	"fmt"
	"math"
	"reflect"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// castLists answer the rows of casts of values.
var castLists = lists{"rows": {answer: castRow}}

// castRow answers with the value after a cast in each system. It adds the values that vector
// instructions and XLA's constant folding give, where they differ.
func castRow(r row) row {
	from, to := dtypeOf(r.text("src")), dtypeOf(r.text("dst"))
	cast := func(s valueSystem) any {
		cell := valueRow(firstValue, func() anvil.Tensor { return s.lib().AsType(s.tensorOf(from, r["v"]), to) })
		if v, ok := cell["v"]; ok {
			return v
		}
		return cell
	}
	answer := row{}
	for field, s := range valueSystems {
		answer[field] = cast(s)
	}
	answer["agree"] = agree(answer, true)
	for field := range castVectors {
		if v, ok := castByVector(field, r["v"], from, to); ok && !reflect.DeepEqual(v, answer[field]) {
			answer[field+"_simd"] = v
		}
	}
	if folded := cast(folding); !to.Is(dtype.Complex) && !reflect.DeepEqual(folded, answer["jax"]) {
		answer["jax_constfold"] = folded
	}
	return answer
}

// folding computes values as XLA's constant folding does: it keeps subnormal numbers, which XLA's
// programs flush to 0. XLA does not fold complex numbers.
var folding = valueSystem{valueSystems["jax"].system, false}

// In C the cast of a float to an integer type that cannot represent it is undefined. Loops over
// many elements are compiled to vector instructions, whose results differ from those of the scalar
// instruction. On x86 cvttps2dq and cvttpd2dq give 0x80000000 for a float that int32 cannot
// represent; casts to narrower and to unsigned integers start from that result. Source: Intel 64 and
// IA-32 Architectures Software Developer's Manual, volume 2.

// A floatToInteger returns the result of a cast of x by vector instructions.
type floatToInteger func(x float64, to dtype.DType) int64

// castVectors are the casts that use vector instructions in a framework's loops, by
// framework and target dtype.
var castVectors = map[string]map[dtype.DType][]castVector{
	"numpy": {dtype.U32: {{vectorUnsigned, []dtype.DType{dtype.BF16, dtype.F32, dtype.F64, dtype.C64}}}},
	"torch": {dtype.U32: {{vectorUnsigned, []dtype.DType{dtype.BF16, dtype.F32, dtype.F64, dtype.C64}}}},
	"tf": {
		dtype.I8:  {{vectorSaturated, floats}},
		dtype.I16: {{vectorSaturated, floats}},
		dtype.U16: {{vectorSaturated, floats}},
		dtype.U8: {{vectorSaturated, []dtype.DType{dtype.BF16, dtype.F32}},
			{vectorPacked, []dtype.DType{dtype.F16, dtype.F64}}},
		dtype.U32: {{vectorHalves, append([]dtype.DType{dtype.F8E4M3FN, dtype.F8E5M2, dtype.C64}, floats...)}},
	},
}

// A castVector is a cast by vector instructions, and the dtypes from which a framework uses it.
type castVector struct {
	cast floatToInteger
	from []dtype.DType
}

// floats are the dtypes from which most of castVectors cast.
var floats = []dtype.DType{dtype.BF16, dtype.F16, dtype.F32, dtype.F64}

// truncateToInt32 computes cvttps2dq: the integer part of x, or the least int32.
func truncateToInt32(x float64) int32 {
	if x > math.MinInt32-1 && x < 1<<31 {
		return int32(x)
	}
	return math.MinInt32
}

// vectorSaturated clamps to the range of the narrower dtype (vpmovsdb, vpackssdw).
func vectorSaturated(x float64, to dtype.DType) int64 { return clampTo(int64(truncateToInt32(x)), to) }

// vectorPacked clamps to ui16 and then, as signed integers, to ui8 (packusdw, then
// packuswb): from 2^15 on the result is 0.
func vectorPacked(x float64, to dtype.DType) int64 {
	return clampTo(int64(int16(clampTo(int64(truncateToInt32(x)), dtype.U16))), to)
}

// clampTo clamps n to the range of the dtype.
func clampTo(n int64, to dtype.DType) int64 {
	least, greatest := int64(0), int64(1)<<to.Bits()-1
	if to.Is(dtype.Signed) {
		least, greatest = -1<<(to.Bits()-1), 1<<(to.Bits()-1)-1
	}
	return min(max(n, least), greatest)
}

// vectorUnsigned subtracts 2^31 from floats of at least 2^31 before the conversion,
// and flips the highest bit after it.
func vectorUnsigned(x float64, _ dtype.DType) int64 {
	if x >= 1<<31 {
		return int64(uint32(truncateToInt32(x-1<<31)) ^ 1<<31)
	}
	return int64(uint32(truncateToInt32(x)))
}

// vectorHalves converts x and x - 2^31. If x did not fit in int32, it combines the bits of both results.
func vectorHalves(x float64, _ dtype.DType) int64 {
	low, high := truncateToInt32(x), truncateToInt32(x-1<<31)
	return int64(uint32(low | high&(low>>31)))
}

// castByVector returns a row's value after a cast by the vector instructions of a
// framework; ok is false if the framework does not use them for this cast.
func castByVector(field string, v any, from, to dtype.DType) (result any, ok bool) {
	for _, c := range castVectors[field][to] {
		for _, d := range c.from {
			if d == from {
				return c.cast(realPart(fitElement(v, from)), to), true
			}
		}
	}
	return nil, false
}

// realPart returns a float, or the real part of a complex number.
func realPart(v any) float64 {
	z, err := dtype.Cast(v, dtype.C128)
	if err != nil {
		panic(unsupported(fmt.Sprintf("no float %v", v)))
	}
	return real(z.(complex128))
}
