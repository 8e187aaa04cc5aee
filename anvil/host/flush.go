package host

import (
	"math"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/reference"
)

// flushes reports whether subnormal operands and results of n are flushed to 0.
func flushes(n *ir.Node) bool {
	if !reference.Flushes(n) {
		return false
	}
	for _, v := range append(n.Args[:len(n.Args):len(n.Args)], n.Results...) {
		if reference.FlushesDType(v.Type.DType) {
			return true
		}
	}
	return false
}

// moves reports whether all elements of n's result are elements of its operands, up to
// their signs.
func moves(n *ir.Node) bool {
	switch n.Code {
	case ir.Constant, ir.BitcastConvert, ir.Convert:
		return false
	}
	return !reference.Flushes(n) // the other operations whose results are not flushed only move elements
}

// The bits of the exponents of bf16, f32 and f64.
const (
	exponent16 = 0x7f80
	exponent32 = 0x7f80_0000
	exponent64 = 0x7ff0_0000_0000_0000
)

// flush replaces the subnormal numbers in data by zeros of the same sign.
func flush(d dtype.DType, data []byte) {
	switch d {
	case dtype.F32:
		flush32(array.View[float32](data))
	case dtype.F64:
		flush64(array.View[float64](data))
	case dtype.BF16:
		for i, b := range array.View[uint16](data) {
			if b&exponent16 == 0 {
				array.View[uint16](data)[i] = b &^ 0x7f // clear the fraction
			}
		}
	}
}

// flush32 is flush for f32. Its loop has no branches.
func flush32(xs []float32) {
	if !hasZeroExponent32(xs) {
		return
	}
	for i, x := range xs {
		b := math.Float32bits(x)
		mask := uint32(int32(b&exponent32-1) >> 31) // all ones if the exponent is 0, otherwise 0
		xs[i] = math.Float32frombits(b &^ (mask &^ (1 << 31)))
	}
}

// flush64 is flush for f64.
func flush64(xs []float64) {
	if !hasZeroExponent64(xs) {
		return
	}
	for i, x := range xs {
		b := math.Float64bits(x)
		mask := uint64(int64(b&exponent64-1) >> 63)
		xs[i] = math.Float64frombits(b &^ (mask &^ (1 << 63)))
	}
}

// hasZeroExponent32 reports whether the exponent of a number in xs is 0: the number is 0 or subnormal. It
// tests two numbers at a time, as the halves of a word. Subtracting 1 from an exponent of 0 borrows from the
// sign bit above it and sets that bit; no other exponent borrows. A borrow in the lower half may also set the
// sign bit of the upper half, which does not change the answer.
func hasZeroExponent32(xs []float32) bool {
	const exponents, ones, signs = exponent32<<32 | exponent32, 0x80_0000<<32 | 0x80_0000, 1<<63 | 1<<31
	borrowed := uint64(0)
	for _, b := range array.View[uint64](array.Bytes(xs)) {
		borrowed |= b&exponents - ones
	}
	odd := len(xs)%2 == 1 && math.Float32bits(xs[len(xs)-1])&exponent32 == 0
	return odd || borrowed&signs != 0
}

// hasZeroExponent64 is hasZeroExponent32 for f64, where a word holds one number.
func hasZeroExponent64(xs []float64) bool {
	borrowed := uint64(0)
	for _, x := range xs {
		borrowed |= math.Float64bits(x)&exponent64 - 1<<52
	}
	return borrowed>>63 != 0
}

// hasSubnormals reports whether data contains subnormal numbers.
func hasSubnormals(d dtype.DType, data []byte) bool {
	switch d {
	case dtype.F32:
		if !hasZeroExponent32(array.View[float32](data)) {
			return false
		}
		for _, b := range array.View[uint32](data) {
			if b&exponent32 == 0 && b<<1 != 0 {
				return true
			}
		}
	case dtype.F64:
		if !hasZeroExponent64(array.View[float64](data)) {
			return false
		}
		for _, b := range array.View[uint64](data) {
			if b&exponent64 == 0 && b<<1 != 0 {
				return true
			}
		}
	case dtype.BF16:
		for _, b := range array.View[uint16](data) {
			if b&exponent16 == 0 && b<<1 != 0 {
				return true
			}
		}
	}
	return false
}
