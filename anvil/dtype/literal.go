package dtype

import (
	"fmt"
	"math"
	"reflect"
)

// Of returns the dtype that the Go value v has by its type: int8 is i8, float64
// is f64, int and uint are i64 and ui64. Named types count as what they are
// made of; ok is false where v is neither bool nor number.
func Of(v any) (d DType, ok bool) {
	return OfType(reflect.TypeOf(v))
}

// OfType is Of for a type.
func OfType(t reflect.Type) (d DType, ok bool) {
	if t == nil {
		return Invalid, false
	}
	d, ok = goTypes[t.Kind()]
	return d, ok
}

var goTypes = map[reflect.Kind]DType{
	reflect.Bool: I1,
	reflect.Int:  I64, reflect.Int8: I8, reflect.Int16: I16, reflect.Int32: I32, reflect.Int64: I64,
	reflect.Uint: U64, reflect.Uint8: U8, reflect.Uint16: U16, reflect.Uint32: U32, reflect.Uint64: U64,
	reflect.Float32: F32, reflect.Float64: F64, reflect.Complex64: C64, reflect.Complex128: C128,
}

// GoType returns the Go type that holds one element of d, as Cast gives it.
func (d DType) GoType() reflect.Type { return reflect.TypeOf(number{}.host(d)) }

// OfLiteral returns the dtype that anvil takes a Go value beside a tensor to
// have: int is i32?, float64 f32?, complex128 c64?, bool i1 (never ambiguous);
// a sized type has its own dtype, known; so have uint, and rune by being int32.
// Whether an int fits is seen when it meets a dtype (Fit), which may be wider.
// Named types are an error: nothing says what they stand for.
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

// Fit returns the literal v at the dtype d, by anvil's rules: an integer must
// fit an integer dtype exactly, a fraction does not fit one, floats are
// rounded, and a finite number that would become inf or nan is an error. The
// result's Go type is that of Cast.
func Fit(v any, d DType) (any, error) {
	n, ok := numberOf(v)
	if !ok || !d.Valid() {
		return Cast(v, d)
	}
	if reason := n.misfit(d); reason != "" {
		return nil, &Error{"dtype.Fit", fmt.Sprintf("%v, %s", v, d), reason, n.hint(d)}
	}
	return n.to(d).host(d), nil
}

// misfit says why n does not fit d, or nothing.
func (n number) misfit(d DType) string {
	switch {
	case n.kind == Complex && n.im != 0 && !d.Is(Complex):
		return fmt.Sprintf("a complex number does not fit %s", d)
	case d.Is(Inexact):
		return n.overflows(d)
	case n.kind&Inexact != 0 && (math.IsNaN(n.re) || math.IsInf(n.re, 0)):
		return fmt.Sprintf("%v does not fit %s", n.re, d)
	case n.kind&Inexact != 0 && n.re != math.Trunc(n.re):
		return fmt.Sprintf("a fraction does not fit %s", d)
	case n.outside(d):
		return fmt.Sprintf("it does not fit %s, which holds %s", d, d.Range())
	}
	return ""
}

func (n number) hint(d DType) string {
	switch {
	case n.kind == Complex && n.im != 0:
		return "convert the other operand to c64 or c128"
	case d.Is(Inexact):
		return "use a wider float"
	case n.kind&Inexact != 0:
		return "round it first, or make a float tensor of it: AsType of that truncates"
	case d == I32:
		return "say the dtype: nv.Scalar(v, nv.I64) or int64(v)"
	}
	return "use a wider dtype, or wrap on purpose with AsType"
}

func (n number) overflows(d DType) string {
	t := n.to(d)
	for _, p := range [][2]float64{{n.asFloat(), t.re}, {n.im, t.im}} {
		finite := !math.IsNaN(p[0]) && !math.IsInf(p[0], 0)
		if finite && (math.IsInf(p[1], 0) || math.IsNaN(p[1]) || n.beyond(d, p[0])) {
			return fmt.Sprintf("it does not fit %s, which holds up to %s", d, d.Range())
		}
	}
	return ""
}

// beyond reports whether v would be clipped by a format that has neither inf
// nor nan.
func (n number) beyond(d DType, v float64) bool {
	f := formats[d]
	return f.special == none && f.exp > 0 && math.Abs(v) >= f.value(f.largest())*1.25
}

func (n number) asFloat() float64 { return n.float(F64) }

// outside reports whether the whole number n is not one of d's, an integer
// dtype or i1.
func (n number) outside(d DType) bool {
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

// least and greatest are the bounds of an integer dtype or i1.
func least(d DType) int64 {
	if d.Is(Signed) {
		return -1 << (d.Bits() - 1)
	}
	return 0
}

func greatest(d DType) uint64 {
	all := ^uint64(0) >> (64 - d.Bits())
	if d.Is(Signed) {
		return all >> 1
	}
	return all
}

// Range returns the least and the greatest value of d in words: "-128 to 127";
// of a float or complex dtype, the greatest finite magnitude.
func (d DType) Range() string {
	switch e := d.Elem(); {
	case !d.Valid():
		return "nothing"
	case e == F64:
		return fmt.Sprint(Largest(e))
	case e.Is(Floating):
		return fmt.Sprint(float32(Largest(e)))
	}
	return fmt.Sprintf("%d to %d", least(d), greatest(d))
}

// Largest returns the largest finite value of a float dtype.
func Largest(d DType) float64 {
	switch d {
	case F64:
		return math.MaxFloat64
	case F32:
		return math.MaxFloat32
	}
	return formats[d].decode(formats[d].largest())
}
