package dtype

import (
	"fmt"
	"math"
	"reflect"
)

// Of returns the dtype of v's Go type: int8 is i8, float64 is f64, int and uint
// are i64 and ui64. Named types count as their underlying ones; ok is false if v
// is neither a bool nor a number.
func Of(v any) (d DType, ok bool) {
	return OfType(reflect.TypeOf(v))
}

// OfType returns the dtype of a Go type (see Of).
func OfType(t reflect.Type) (d DType, ok bool) {
	if t == nil {
		return Invalid, false
	}
	d, ok = goTypes[t.Kind()]
	return d, ok
}

// goTypes maps the kinds of Go types to dtypes.
var goTypes = map[reflect.Kind]DType{
	reflect.Bool: I1,
	reflect.Int:  I64, reflect.Int8: I8, reflect.Int16: I16, reflect.Int32: I32, reflect.Int64: I64,
	reflect.Uint: U64, reflect.Uint8: U8, reflect.Uint16: U16, reflect.Uint32: U32, reflect.Uint64: U64,
	reflect.Float32: F32, reflect.Float64: F64, reflect.Complex64: C64, reflect.Complex128: C128,
}

// GoType returns the Go type of one element of d, the type of Cast's result.
func (d DType) GoType() reflect.Type { return reflect.TypeOf(number{}.host(d)) }

// OfLiteral returns the dtype that a Go value has as an operand under anvil's rules: i32?
// for an int, f32? for a float64, c64? for a complex128, and i1 for a bool. Values of
// other types have the known dtype of their type (see Of): i32 for a rune, ui64 for a
// uint. OfLiteral does not check that the value fits: Fit does, once the dtype of the
// result is known. A value of a named type is an error.
func OfLiteral(v any) (Typed, error) {
	switch v.(type) {
	case bool:
		return Typed{I1, false}, nil
	case int:
		return Typed{I32, true}, nil
	case float64:
		return Typed{F32, true}, nil
	case complex128:
		return Typed{C64, true}, nil
	}
	d, ok := Of(v)
	if !ok {
		hint := "operands are tensors, bools and numbers"
		if t := reflect.TypeOf(v); t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
			hint += "; nv.New makes a tensor of a slice of numbers"
		}
		return Typed{}, &Error{"dtype.OfLiteral", fmt.Sprintf("%T", v), "not a number", hint}
	}
	if t := reflect.TypeOf(v); t.PkgPath() != "" {
		return Typed{}, &Error{"dtype.OfLiteral", t.String(), "a value of a named type has no dtype by itself",
			"convert it: " + t.Kind().String() + "(v)"}
	}
	return Typed{d, false}, nil
}

// Fit returns the literal v converted to the dtype d under anvil's rules. An integer dtype takes
// only whole numbers in its range. A float dtype rounds; a finite number that would become inf
// or nan, or be clipped to the largest value, is an error. The result has the Go type that Cast
// returns for d.
func Fit(v any, d DType) (any, error) {
	n, ok := numberOf(v)
	if !ok || !d.Valid() {
		return Cast(v, d)
	}
	if reason := n.misfitReason(d); reason != "" {
		return nil, &Error{"dtype.Fit", fmt.Sprintf("%v, %s", v, d), reason, n.misfitHint(d)}
	}
	return n.to(d).host(d), nil
}

// misfitReason returns why n does not fit d, or "" if it does.
func (n number) misfitReason(d DType) string {
	switch {
	case n.kind == Complex && n.im != 0 && !d.Is(Complex):
		return fmt.Sprintf("a complex number does not fit %s", d)
	case d.Is(Inexact):
		return n.overflowReason(d)
	case n.kind&Inexact != 0 && (math.IsNaN(n.re) || math.IsInf(n.re, 0)):
		return fmt.Sprintf("%v does not fit %s", n.re, d)
	case n.kind&Inexact != 0 && n.re != math.Trunc(n.re):
		return fmt.Sprintf("a fraction does not fit %s", d)
	case n.outOfRange(d):
		return fmt.Sprintf("the number does not fit %s, which holds %s", d, d.Range())
	}
	return ""
}

// misfitHint returns what to write for a number that does not fit d.
func (n number) misfitHint(d DType) string {
	switch {
	case n.kind == Complex && n.im != 0 && !d.Is(Complex):
		return "convert the other operand to c64 or c128"
	case formats[d].unsigned && n.float(F64) <= 0:
		return "use a float dtype that has a sign"
	case d.Is(Inexact):
		return "use a wider float"
	case d == I1:
		return "write x.Ne(0), or AsType(nv.I1), which is true for every number but 0"
	case n.kind&Inexact != 0 && (math.IsNaN(n.re) || n.re == math.Trunc(n.re)): // nan, infinite or out of range
		return "make it a float tensor and convert the tensor with AsType, which saturates, and gives 0 for nan"
	case n.kind&Inexact != 0:
		return "round it first, or make it a float tensor and convert the tensor with AsType, which truncates"
	case d == I32 && !n.outOfRange(I64):
		return "say the dtype: nv.Scalar(v, nv.I64) or int64(v)"
	}
	return "use a wider dtype, or wrap on purpose with AsType"
}

// overflowReason returns why the real or imaginary part of n does not fit the float or complex
// dtype d, or "" if both fit. A format without inf and nan clips large numbers to its largest
// value; in it a part fits if its magnitude is less than half a step above that value.
func (n number) overflowReason(d DType) string {
	converted, f := n.to(d), formats[d]
	largest := f.value(f.largest())
	limit := largest + (largest-f.value(f.largest()-1))/2 // used only if d clips
	for _, part := range [][2]float64{{n.float(F64), converted.re}, {n.im, converted.im}} {
		from, to := part[0], part[1]
		finite := !math.IsNaN(from) && !math.IsInf(from, 0)
		clipped := f.special == none && math.Abs(from) >= limit
		if finite && (math.IsInf(to, 0) || math.IsNaN(to) || clipped) {
			if f.unsigned && from <= 0 {
				return fmt.Sprintf("the number does not fit %s, which holds only positive numbers", d)
			}
			return fmt.Sprintf("the number does not fit %s, which holds up to %s", d, d.Range())
		}
	}
	return ""
}

// outOfRange reports whether the whole number n is outside the range of d, an integer
// dtype or i1.
func (n number) outOfRange(d DType) bool {
	w := d.Bits()
	negative := n.kind == Signed && int64(n.bits) < 0
	switch {
	case n.kind&Inexact != 0 && d.Is(Signed):
		return n.re < -math.Ldexp(1, w-1) || n.re >= math.Ldexp(1, w-1)
	case n.kind&Inexact != 0:
		return n.re < 0 || n.re >= math.Ldexp(1, w)
	case d.Is(Signed) && negative:
		return int64(n.bits) < least(d)
	}
	return negative || n.bits > greatest(d)
}
