package dtype

import (
	"fmt"
	"math"
	"reflect"
)

// A number is a boolean or a number of any dtype, held in the widest type of its kind.
type number struct {
	kind   Kind    // Boolean, Signed, Unsigned, Floating or Complex
	bits   uint64  // the value of a boolean or an integer, sign-extended if it is signed
	re, im float64 // the value of a complex number; re is the value of a float
}

func fromBool(v bool) number {
	if v {
		return number{kind: Boolean, bits: 1}
	}
	return number{kind: Boolean}
}
func fromInt(v int64) number          { return number{kind: Signed, bits: uint64(v)} }
func fromUint(v uint64) number        { return number{kind: Unsigned, bits: v} }
func fromFloat(v float64) number      { return number{kind: Floating, re: v} }
func fromComplex(v complex128) number { return number{kind: Complex, re: real(v), im: imag(v)} }

// numberOf returns v as a number; ok is false if v is neither a Go bool nor a number. Named
// types count as their underlying ones.
func numberOf(v any) (n number, ok bool) {
	switch v := v.(type) {
	case bool:
		return fromBool(v), true
	case int:
		return fromInt(int64(v)), true
	case int64:
		return fromInt(v), true
	case float64:
		return fromFloat(v), true
	case float32:
		return fromFloat(float64(v)), true
	}
	r := reflect.ValueOf(v)
	switch {
	case !r.IsValid():
		return number{}, false
	case r.Kind() == reflect.Bool:
		return fromBool(r.Bool()), true
	case r.CanInt():
		return fromInt(r.Int()), true
	case r.CanUint():
		return fromUint(r.Uint()), true
	case r.CanFloat():
		return fromFloat(r.Float()), true
	case r.CanComplex():
		return fromComplex(r.Complex()), true
	}
	return number{}, false
}

// Cast returns the Go number v converted to the dtype d, as XLA converts:
//
//   - From an integer to a narrower integer, it wraps.
//   - From a float to an integer, it truncates and saturates; nan becomes 0.
//   - From a float to a float, it rounds once, to nearest with ties to even.
//   - From an integer to a float, it rounds to f32 or f64, and the f32 again to a narrower float.
//   - To i1, every value but 0 becomes true.
//   - From a complex number to a real one, it drops the imaginary part.
//
// The result has the Go type of d (see GoType): bool, int8 (also for i2 and i4),
// int16, int32, int64, uint8 (also for ui2 and ui4) ... uint64, float32 (also for
// every narrower float, exactly), float64, complex64, complex128.
func Cast(v any, d DType) (any, error) {
	n, ok := numberOf(v)
	if !ok {
		return nil, &Error{"dtype.Cast", fmt.Sprintf("%T, %s", v, d), "not a bool or a number",
			"give a value of one of Go's number types"}
	}
	if !d.Valid() {
		return nil, &Error{"dtype.Cast", d.String(), "not a dtype", "the dtypes are " + names(All())}
	}
	return n.to(d).host(d), nil
}

// to returns n converted to the dtype d (see Cast).
func (n number) to(d DType) number {
	switch d.Kind() {
	case Boolean:
		return fromBool(n.bits != 0 || n.re != 0 || n.im != 0)
	case Signed:
		return number{kind: Signed, bits: uint64(n.signed(d.Bits()))}
	case Unsigned:
		return number{kind: Unsigned, bits: n.unsigned(d.Bits())}
	case Floating:
		return fromFloat(n.float(d))
	case Complex:
		return number{kind: Complex, re: n.float(d.Elem()), im: Round(d.Elem(), n.im)}
	}
	return number{}
}

// signed returns n as a signed integer of w bits. An integer wraps; a float is truncated and
// saturates.
func (n number) signed(w int) int64 {
	if n.kind&Inexact == 0 {
		return int64(n.bits) << (64 - w) >> (64 - w)
	}
	limit := math.Ldexp(1, w-1)
	switch {
	case math.IsNaN(n.re):
		return 0
	case n.re >= limit:
		return 1<<(w-1) - 1
	case n.re < -limit:
		return -1 << (w - 1)
	}
	return int64(n.re)
}

// unsigned returns n as an unsigned integer of w bits, converted as by signed.
func (n number) unsigned(w int) uint64 {
	if n.kind&Inexact == 0 {
		return n.bits << (64 - w) >> (64 - w)
	}
	switch {
	case !(n.re > 0): // also true for nan
		return 0
	case n.re >= math.Ldexp(1, w):
		return ^uint64(0) >> (64 - w)
	}
	return uint64(n.re)
}

// float returns n rounded to the float dtype d. If d is narrower than f32, an integer
// is rounded to f32 first, as in XLA. Rounding twice makes a difference in bf16 and
// f8e8m0fnu, which have the range of f32.
func (n number) float(d DType) float64 {
	switch {
	case n.kind&Inexact != 0:
		return Round(d, n.re)
	case n.kind == Signed && d == F64:
		return float64(int64(n.bits))
	case n.kind == Signed:
		return Round(d, float64(float32(int64(n.bits))))
	case d == F64:
		return float64(n.bits)
	}
	return Round(d, float64(float32(n.bits)))
}

// host returns n, which has been converted to dtype d, as a value of the Go type of d.
func (n number) host(d DType) any {
	switch d {
	case I1:
		return n.bits != 0
	case I2, I4, I8:
		return int8(n.bits)
	case I16:
		return int16(n.bits)
	case I32:
		return int32(n.bits)
	case I64:
		return int64(n.bits)
	case U2, U4, U8:
		return uint8(n.bits)
	case U16:
		return uint16(n.bits)
	case U32:
		return uint32(n.bits)
	case U64:
		return n.bits
	case F64:
		return n.re
	case C64:
		return complex(float32(n.re), float32(n.im))
	case C128:
		return complex(n.re, n.im)
	}
	return float32(n.re) // f32 and the narrower floats
}
