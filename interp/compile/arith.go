package compile

// Arithmetic, comparisons, shifts and conversions of numbers: generic functions that make steps, and tables of their
// instances by kind of number. d, x and y are the offsets of the registers of the result and of the operands.

import (
	"go/token"
	"reflect"
	"unsafe"
)

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type number interface {
	integer | ~float32 | ~float64
}

// An operand is the value in the register at off. If isConst is set, the value is the integer constant n.
type operand struct {
	off     uintptr
	isConst bool
	n       int64
}

// byKind holds a value for each kind of number.
type byKind[R any] struct {
	i   R
	i8  R
	i16 R
	i32 R
	i64 R
	u   R
	u8  R
	u16 R
	u32 R
	u64 R
	up  R
	f32 R
	f64 R
}

// of returns the value for kind; ok is false if kind is not an integer or a float.
func (k *byKind[R]) of(kind reflect.Kind) (r R, ok bool) {
	switch kind {
	case reflect.Int:
		return k.i, true
	case reflect.Int8:
		return k.i8, true
	case reflect.Int16:
		return k.i16, true
	case reflect.Int32:
		return k.i32, true
	case reflect.Int64:
		return k.i64, true
	case reflect.Uint:
		return k.u, true
	case reflect.Uint8:
		return k.u8, true
	case reflect.Uint16:
		return k.u16, true
	case reflect.Uint32:
		return k.u32, true
	case reflect.Uint64:
		return k.u64, true
	case reflect.Uintptr:
		return k.up, true
	case reflect.Float32:
		return k.f32, true
	case reflect.Float64:
		return k.f64, true
	}
	return r, false
}

// A binaryStep returns the step d = x o y.
type binaryStep func(o token.Token, d uintptr, x, y operand) op

// arithmetic holds the functions that make arithmetic steps, by kind of number.
var arithmetic = byKind[binaryStep]{
	i: integerArith[int], i8: integerArith[int8], i16: integerArith[int16], i32: integerArith[int32], i64: integerArith[int64],
	u: integerArith[uint], u8: integerArith[uint8], u16: integerArith[uint16], u32: integerArith[uint32], u64: integerArith[uint64], up: integerArith[uintptr],
	f32: floatArith[float32], f64: floatArith[float64],
}

// integerArith returns the step d = x o y for integers. An earlier step has checked that a divisor is not zero.
func integerArith[T integer](o token.Token, d uintptr, x, y operand) op {
	x0, y0 := x.off, y.off
	if y.isConst {
		n := T(y.n)
		switch o {
		case token.ADD:
			if x0 == d {
				return func(fr unsafe.Pointer) { *at[T](fr, d) += n }
			}
			return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) + n }
		case token.SUB:
			return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) - n }
		case token.MUL:
			return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) * n }
		case token.AND:
			return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) & n }
		case token.REM:
			if n > 0 && n&(n-1) == 0 {
				var zero T
				if zero-1 > 0 { // T is unsigned
					n--
					return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) & n }
				}
			}
		}
	}
	switch o {
	case token.ADD:
		return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) + *at[T](fr, y0) }
	case token.SUB:
		return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) - *at[T](fr, y0) }
	case token.MUL:
		return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) * *at[T](fr, y0) }
	case token.QUO:
		return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) / *at[T](fr, y0) }
	case token.REM:
		return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) % *at[T](fr, y0) }
	case token.AND:
		return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) & *at[T](fr, y0) }
	case token.OR:
		return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) | *at[T](fr, y0) }
	case token.XOR:
		return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) ^ *at[T](fr, y0) }
	case token.AND_NOT:
		return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) &^ *at[T](fr, y0) }
	}
	return nil
}

// floatArith returns the step d = x o y for floats or complex numbers.
func floatArith[T ~float32 | ~float64 | ~complex64 | ~complex128](o token.Token, d uintptr, x, y operand) op {
	x0, y0 := x.off, y.off
	switch o {
	case token.ADD:
		return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) + *at[T](fr, y0) }
	case token.SUB:
		return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) - *at[T](fr, y0) }
	case token.MUL:
		return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) * *at[T](fr, y0) }
	case token.QUO:
		return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x0) / *at[T](fr, y0) }
	}
	return nil
}

// A condition is the condition of a jump.
type condition func(fr unsafe.Pointer) bool

// comparisons holds the functions that return the condition x o y of numbers.
var comparisons = byKind[func(o token.Token, x, y operand) condition]{
	i: compare[int], i8: compare[int8], i16: compare[int16], i32: compare[int32], i64: compare[int64],
	u: compare[uint], u8: compare[uint8], u16: compare[uint16], u32: compare[uint32], u64: compare[uint64], up: compare[uintptr],
	f32: compare[float32], f64: compare[float64],
}

func compare[T number | ~string](o token.Token, x, y operand) condition {
	x0, y0 := x.off, y.off
	switch o {
	case token.EQL:
		return func(fr unsafe.Pointer) bool { return *at[T](fr, x0) == *at[T](fr, y0) }
	case token.NEQ:
		return func(fr unsafe.Pointer) bool { return *at[T](fr, x0) != *at[T](fr, y0) }
	case token.LSS:
		return func(fr unsafe.Pointer) bool { return *at[T](fr, x0) < *at[T](fr, y0) }
	case token.LEQ:
		return func(fr unsafe.Pointer) bool { return *at[T](fr, x0) <= *at[T](fr, y0) }
	case token.GTR:
		return func(fr unsafe.Pointer) bool { return *at[T](fr, x0) > *at[T](fr, y0) }
	case token.GEQ:
		return func(fr unsafe.Pointer) bool { return *at[T](fr, x0) >= *at[T](fr, y0) }
	}
	return nil
}

// branches holds the functions that return a jump to yes or no on the comparison x o y of two numbers.
var branches = byKind[func(o token.Token, x, y operand, yes, no *block) func(unsafe.Pointer) *block]{
	i: branch[int], i8: branch[int8], i16: branch[int16], i32: branch[int32], i64: branch[int64],
	u: branch[uint], u8: branch[uint8], u16: branch[uint16], u32: branch[uint32], u64: branch[uint64], up: branch[uintptr],
	f32: branch[float32], f64: branch[float64],
}

func branch[T number](o token.Token, x, y operand, yes, no *block) func(unsafe.Pointer) *block {
	x0, y0 := x.off, y.off
	switch o {
	case token.EQL:
		return func(fr unsafe.Pointer) *block {
			if *at[T](fr, x0) == *at[T](fr, y0) {
				return yes
			}
			return no
		}
	case token.NEQ:
		return func(fr unsafe.Pointer) *block {
			if *at[T](fr, x0) != *at[T](fr, y0) {
				return yes
			}
			return no
		}
	case token.LSS:
		return func(fr unsafe.Pointer) *block {
			if *at[T](fr, x0) < *at[T](fr, y0) {
				return yes
			}
			return no
		}
	case token.LEQ:
		return func(fr unsafe.Pointer) *block {
			if *at[T](fr, x0) <= *at[T](fr, y0) {
				return yes
			}
			return no
		}
	case token.GTR:
		return func(fr unsafe.Pointer) *block {
			if *at[T](fr, x0) > *at[T](fr, y0) {
				return yes
			}
			return no
		}
	case token.GEQ:
		return func(fr unsafe.Pointer) *block {
			if *at[T](fr, x0) >= *at[T](fr, y0) {
				return yes
			}
			return no
		}
	}
	return nil
}

// shifts holds the functions that return the step d = x << count, or d = x >> count if o is SHR.
var shifts = byKind[func(o token.Token, d, x uintptr, count func(unsafe.Pointer) uint64) op]{
	i: shift[int], i8: shift[int8], i16: shift[int16], i32: shift[int32], i64: shift[int64],
	u: shift[uint], u8: shift[uint8], u16: shift[uint16], u32: shift[uint32], u64: shift[uint64], up: shift[uintptr],
}

func shift[T integer](o token.Token, d, x uintptr, count func(unsafe.Pointer) uint64) op {
	if o == token.SHL {
		return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x) << count(fr) }
	}
	return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x) >> count(fr) }
}

// int64Readers holds the functions that return a function that reads the integer at x as an int64. A uint64 above
// the maximum becomes negative.
var int64Readers = byKind[func(x uintptr) func(unsafe.Pointer) int64]{
	i: readInt64[int], i8: readInt64[int8], i16: readInt64[int16], i32: readInt64[int32], i64: readInt64[int64],
	u: readInt64[uint], u8: readInt64[uint8], u16: readInt64[uint16], u32: readInt64[uint32], u64: readInt64[uint64], up: readInt64[uintptr],
}

func readInt64[T integer](x uintptr) func(unsafe.Pointer) int64 {
	return func(fr unsafe.Pointer) int64 { return int64(*at[T](fr, x)) }
}

// signed reports whether the kind k of an integer is signed.
func signed(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Int64 }

func isInteger(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uintptr }

// negations holds the functions that return the step d = -x, or d = ^x if o is XOR.
var negations = byKind[func(o token.Token, d, x uintptr) op]{
	i: negate[int], i8: negate[int8], i16: negate[int16], i32: negate[int32], i64: negate[int64],
	u: negate[uint], u8: negate[uint8], u16: negate[uint16], u32: negate[uint32], u64: negate[uint64], up: negate[uintptr],
	f32: negateFloat[float32], f64: negateFloat[float64],
}

func negate[T integer](o token.Token, d, x uintptr) op {
	if o == token.XOR {
		return func(fr unsafe.Pointer) { *at[T](fr, d) = ^*at[T](fr, x) }
	}
	return func(fr unsafe.Pointer) { *at[T](fr, d) = -*at[T](fr, x) }
}

func negateFloat[T ~float32 | ~float64 | ~complex64 | ~complex128](o token.Token, d, x uintptr) op {
	return func(fr unsafe.Pointer) { *at[T](fr, d) = -*at[T](fr, x) }
}

// conversions holds the functions that return the step d = T(x), by the kind of T and then by the kind of x.
var conversions = byKind[byKind[func(d, x uintptr) op]]{
	i: convertsTo[int](), i8: convertsTo[int8](), i16: convertsTo[int16](), i32: convertsTo[int32](), i64: convertsTo[int64](),
	u: convertsTo[uint](), u8: convertsTo[uint8](), u16: convertsTo[uint16](), u32: convertsTo[uint32](), u64: convertsTo[uint64](), up: convertsTo[uintptr](),
	f32: convertsTo[float32](), f64: convertsTo[float64](),
}

func convertsTo[T number]() byKind[func(d, x uintptr) op] {
	return byKind[func(d, x uintptr) op]{
		i: convert[T, int], i8: convert[T, int8], i16: convert[T, int16], i32: convert[T, int32], i64: convert[T, int64],
		u: convert[T, uint], u8: convert[T, uint8], u16: convert[T, uint16], u32: convert[T, uint32], u64: convert[T, uint64], up: convert[T, uintptr],
		f32: convert[T, float32], f64: convert[T, float64],
	}
}

func convert[T, U number](d, x uintptr) op {
	return func(fr unsafe.Pointer) { *at[T](fr, d) = T(*at[U](fr, x)) }
}
