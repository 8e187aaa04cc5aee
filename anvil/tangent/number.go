package tangent

import (
	"fmt"
	"math"
	"math/big"
	"reflect"

	nv "github.com/goanvil/notebook/anvil"
)

var tensorType = reflect.TypeFor[nv.Tensor]()

// isNumber reports whether t is a type of integers, floats or complex numbers.
func isNumber(t reflect.Type) bool {
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Complex128 && t.Kind() != reflect.Uintptr
}

// numberOf returns the reflect.Value of v, and reports whether v is a number.
func numberOf(v any) (n reflect.Value, ok bool) {
	n = reflect.ValueOf(v)
	return n, n.IsValid() && isNumber(n.Type())
}

// isDefined reports whether t is a type with a name of its own, such as time.Duration.
func isDefined(t reflect.Type) bool { return t.PkgPath() != "" }

// isInteger reports whether v is an integer, signed or not.
func isInteger(v reflect.Value) bool { return v.CanInt() || v.CanUint() }

// bigOf returns an integer as a big.Int.
func bigOf(v reflect.Value) *big.Int {
	if v.CanUint() {
		return new(big.Int).SetUint64(v.Uint())
	}
	return big.NewInt(v.Int())
}

// floatOf returns an integer or a float as a float64.
func floatOf(v reflect.Value) float64 {
	switch {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	}
	return v.Float()
}

// complexOf returns any number as a complex128.
func complexOf(v reflect.Value) complex128 {
	if v.CanComplex() {
		return v.Complex()
	}
	return complex(floatOf(v), 0)
}

// toInteger returns n as a value of the integer type t. It fails if n does not fit.
func toInteger(op string, operands []any, n *big.Int, t reflect.Type) any {
	out := reflect.New(t).Elem()
	switch {
	case out.CanInt() && n.IsInt64() && !out.OverflowInt(n.Int64()):
		out.SetInt(n.Int64())
	case out.CanUint() && n.IsUint64() && !out.OverflowUint(n.Uint64()):
		out.SetUint(n.Uint64())
	default:
		fail(op, operands, fmt.Sprintf("overflow: %v does not fit in %s", n, typeName(t)), "")
	}
	return out.Interface()
}

// floatToInteger returns the float f as an integer of type t. It fails if f has a fraction.
func floatToInteger(op string, operands []any, f float64, t reflect.Type) any {
	if f != math.Trunc(f) || math.IsInf(f, 0) {
		fail(op, operands, fmt.Sprintf("inexact: %v is not a value of the integer type %s", f, typeName(t)), "")
	}
	n, _ := big.NewFloat(f).Int(nil)
	return toInteger(op, operands, n, t)
}

// commonType returns the type of a sum of numbers: the type of both if it is the same, and otherwise complex128,
// float64 or int. Two different types have no common type if one of them is a defined type.
func commonType(a, b reflect.Value) (t reflect.Type, ok bool) {
	switch {
	case a.Type() == b.Type():
		return a.Type(), true
	case isDefined(a.Type()) || isDefined(b.Type()):
		return nil, false
	case a.CanComplex() || b.CanComplex():
		return reflect.TypeFor[complex128](), true
	case a.CanFloat() || b.CanFloat():
		return reflect.TypeFor[float64](), true
	}
	return reflect.TypeFor[int](), true
}

// addNumbers returns a + b as a value of type t. If t is an integer type, the sum must fit in t; a float b must then be
// an integer that fits in t.
func addNumbers(op string, a, b reflect.Value, t reflect.Type) any {
	operands := []any{a.Interface(), b.Interface()}
	out := reflect.New(t).Elem()
	switch {
	case out.CanComplex():
		out.SetComplex(complexOf(a) + complexOf(b))
	case a.CanComplex() || b.CanComplex():
		fail(op, operands, "the tangent of a real number cannot be complex", "take its real part with tangent.Project")
	case out.CanFloat():
		out.SetFloat(floatOf(a) + floatOf(b))
	case b.CanFloat():
		step := bigOf(reflect.ValueOf(floatToInteger(op, operands, b.Float(), t)))
		return toInteger(op, operands, new(big.Int).Add(bigOf(a), step), t)
	default:
		return toInteger(op, operands, new(big.Int).Add(bigOf(a), bigOf(b)), t)
	}
	return out.Interface()
}

// scaleNumber returns s * v, where the type of s is not a defined type. The product has the type of v if that is a
// defined type, if v is complex, if v is a float and s is real, or if v is a signed integer and s an integer. Otherwise
// the product has the common type of s and v. A product of an integer type must be an integer that fits in the type.
func scaleNumber(op string, s, v reflect.Value) any {
	operands := []any{s.Interface(), v.Interface()}
	t, _ := commonType(s, v)
	if isDefined(v.Type()) || v.CanComplex() || v.CanFloat() && !s.CanComplex() || v.CanInt() && isInteger(s) {
		t = v.Type()
	}
	out := reflect.New(t).Elem()
	switch {
	case out.CanComplex():
		out.SetComplex(complexOf(s) * complexOf(v))
	case s.CanComplex() || v.CanComplex():
		fail(op, operands, "a complex multiple of a "+typeName(t)+" is not a "+typeName(t), "")
	case out.CanFloat():
		out.SetFloat(floatOf(s) * floatOf(v))
	case isInteger(s) && isInteger(v):
		return toInteger(op, operands, new(big.Int).Mul(bigOf(s), bigOf(v)), t)
	default:
		return floatToInteger(op, operands, floatOf(s)*floatOf(v), t)
	}
	return out.Interface()
}
