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

// byKind maps kinds of numbers to values of type R.
type byKind[R any] map[reflect.Kind]R

// A binaryStep returns the step d = x o y, where o is an operator, or nil if the operands have no such operator.
type binaryStep func(o token.Token, d uintptr, x, y operand) op

// arithmetic holds the functions that make arithmetic steps, by kind of number.
var arithmetic = byKind[binaryStep]{
	reflect.Int: integerArith[int], reflect.Int8: integerArith[int8], reflect.Int16: integerArith[int16],
	reflect.Int32: integerArith[int32], reflect.Int64: integerArith[int64],
	reflect.Uint: integerArith[uint], reflect.Uint8: integerArith[uint8], reflect.Uint16: integerArith[uint16],
	reflect.Uint32: integerArith[uint32], reflect.Uint64: integerArith[uint64],
	reflect.Uintptr: integerArith[uintptr],
	reflect.Float32: floatArith[float32], reflect.Float64: floatArith[float64],
}

// integerArith is the binaryStep for integers. An earlier step has checked that a divisor is not zero.
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
				if zero-1 > 0 { // T is unsigned: x % n is x & (n-1)
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

// floatArith is the binaryStep for floats and complex numbers.
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

// A condition computes a bool from the registers of the frame fr.
type condition func(fr unsafe.Pointer) bool

// comparisons holds the functions that return the condition x o y, by kind of number.
var comparisons = byKind[func(o token.Token, x, y operand) condition]{
	reflect.Int: compare[int], reflect.Int8: compare[int8], reflect.Int16: compare[int16],
	reflect.Int32: compare[int32], reflect.Int64: compare[int64],
	reflect.Uint: compare[uint], reflect.Uint8: compare[uint8], reflect.Uint16: compare[uint16],
	reflect.Uint32: compare[uint32], reflect.Uint64: compare[uint64], reflect.Uintptr: compare[uintptr],
	reflect.Float32: compare[float32], reflect.Float64: compare[float64],
}

// compare returns the condition x o y, or nil if o is not a comparison.
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

// branches holds the functions that return a jump on the comparison x o y, by kind of number.
var branches = byKind[func(o token.Token, x, y operand, yes, no *block) func(unsafe.Pointer) *block]{
	reflect.Int: branch[int], reflect.Int8: branch[int8], reflect.Int16: branch[int16],
	reflect.Int32: branch[int32], reflect.Int64: branch[int64],
	reflect.Uint: branch[uint], reflect.Uint8: branch[uint8], reflect.Uint16: branch[uint16],
	reflect.Uint32: branch[uint32], reflect.Uint64: branch[uint64], reflect.Uintptr: branch[uintptr],
	reflect.Float32: branch[float32], reflect.Float64: branch[float64],
}

// branch returns a function that returns yes if x o y, and otherwise no.
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

// shifts holds the functions that return the step d = x << count, or d = x >> count if o is SHR, by kind of x.
var shifts = byKind[func(o token.Token, d, x uintptr, count func(unsafe.Pointer) uint64) op]{
	reflect.Int: shift[int], reflect.Int8: shift[int8], reflect.Int16: shift[int16], reflect.Int32: shift[int32],
	reflect.Int64: shift[int64],
	reflect.Uint:  shift[uint], reflect.Uint8: shift[uint8], reflect.Uint16: shift[uint16],
	reflect.Uint32: shift[uint32], reflect.Uint64: shift[uint64], reflect.Uintptr: shift[uintptr],
}

func shift[T integer](o token.Token, d, x uintptr, count func(unsafe.Pointer) uint64) op {
	if o == token.SHL {
		return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x) << count(fr) }
	}
	return func(fr unsafe.Pointer) { *at[T](fr, d) = *at[T](fr, x) >> count(fr) }
}

// int64Readers maps each kind of integer to a function that returns a reader for the register at x. The reader returns
// the integer in the register as an int64. A uint64 that does not fit becomes negative.
var int64Readers = byKind[func(x uintptr) func(unsafe.Pointer) int64]{
	reflect.Int: readInt64[int], reflect.Int8: readInt64[int8], reflect.Int16: readInt64[int16],
	reflect.Int32: readInt64[int32], reflect.Int64: readInt64[int64],
	reflect.Uint: readInt64[uint], reflect.Uint8: readInt64[uint8], reflect.Uint16: readInt64[uint16],
	reflect.Uint32: readInt64[uint32], reflect.Uint64: readInt64[uint64], reflect.Uintptr: readInt64[uintptr],
}

func readInt64[T integer](x uintptr) func(unsafe.Pointer) int64 {
	return func(fr unsafe.Pointer) int64 { return int64(*at[T](fr, x)) }
}

// signed reports whether k, the kind of an integer type, is signed.
func signed(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Int64 }

func isInteger(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uintptr }

// negations holds the functions that return the step d = -x, or d = ^x if o is XOR, by kind of number.
var negations = byKind[func(o token.Token, d, x uintptr) op]{
	reflect.Int: negate[int], reflect.Int8: negate[int8], reflect.Int16: negate[int16],
	reflect.Int32: negate[int32], reflect.Int64: negate[int64],
	reflect.Uint: negate[uint], reflect.Uint8: negate[uint8], reflect.Uint16: negate[uint16],
	reflect.Uint32: negate[uint32], reflect.Uint64: negate[uint64], reflect.Uintptr: negate[uintptr],
	reflect.Float32: negateFloat[float32], reflect.Float64: negateFloat[float64],
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
	reflect.Int: convertsTo[int](), reflect.Int8: convertsTo[int8](), reflect.Int16: convertsTo[int16](),
	reflect.Int32: convertsTo[int32](), reflect.Int64: convertsTo[int64](),
	reflect.Uint: convertsTo[uint](), reflect.Uint8: convertsTo[uint8](), reflect.Uint16: convertsTo[uint16](),
	reflect.Uint32: convertsTo[uint32](), reflect.Uint64: convertsTo[uint64](),
	reflect.Uintptr: convertsTo[uintptr](),
	reflect.Float32: convertsTo[float32](), reflect.Float64: convertsTo[float64](),
}

func convertsTo[T number]() byKind[func(d, x uintptr) op] {
	return byKind[func(d, x uintptr) op]{
		reflect.Int: convert[T, int], reflect.Int8: convert[T, int8], reflect.Int16: convert[T, int16],
		reflect.Int32: convert[T, int32], reflect.Int64: convert[T, int64],
		reflect.Uint: convert[T, uint], reflect.Uint8: convert[T, uint8], reflect.Uint16: convert[T, uint16],
		reflect.Uint32: convert[T, uint32], reflect.Uint64: convert[T, uint64], reflect.Uintptr: convert[T, uintptr],
		reflect.Float32: convert[T, float32], reflect.Float64: convert[T, float64],
	}
}

func convert[T, U number](d, x uintptr) op {
	return func(fr unsafe.Pointer) { *at[T](fr, d) = T(*at[U](fr, x)) }
}
