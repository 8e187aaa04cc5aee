package compile

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"unicode"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// convert emits a conversion that changes the representation.
func (b *builder) convert(in *ssa.Convert) {
	to, from := b.inner(in.Type()), b.inner(in.X.Type())
	d, x, pos := b.off(in), b.off(in.X), b.posOf(in)
	if row, ok := conversions[to.Kind()]; ok {
		if f, ok := row[from.Kind()]; ok {
			b.emit(f(d, x))
			return
		}
	}
	switch {
	case to.Kind() == from.Kind() && classOf(to) == classOf(from) && to.Kind() != reflect.Slice:
		b.emit(copyOp(b.reg(in), d, x))
	case to.Kind() == reflect.Uintptr, to.Kind() == reflect.UnsafePointer && from.Kind() == reflect.Uintptr:
		b.emit(func(fr unsafe.Pointer) { *at[uintptr](fr, d) = *at[uintptr](fr, x) })
	case to.Kind() == reflect.UnsafePointer, from.Kind() == reflect.UnsafePointer: // the other type is a pointer
		b.emit(copyOp(b.reg(in), d, x))
	case to.Kind() == reflect.String && isSliceOf(from, reflect.Uint8):
		b.emit(toText[[]byte](d, x, pos, 1))
	case to.Kind() == reflect.String && isSliceOf(from, reflect.Int32):
		b.emit(toText[[]rune](d, x, pos, 4))
	case isSliceOf(to, reflect.Uint8) && from.Kind() == reflect.String:
		b.emit(fromText[[]byte](d, x, pos, 1))
	case isSliceOf(to, reflect.Int32) && from.Kind() == reflect.String:
		b.emit(fromText[[]rune](d, x, pos, 4))
	case to.Kind() == reflect.String && isInteger(from.Kind()):
		readInt := int64Readers[from.Kind()](x)
		b.emit(func(fr unsafe.Pointer) {
			n := readInt(fr)
			if n < 0 || n > unicode.MaxRune {
				n = unicode.ReplacementChar
			}
			*at[string](fr, d) = string(rune(n))
		})
	case to.Kind() == reflect.Complex128 && from.Kind() == reflect.Complex64:
		b.emit(func(fr unsafe.Pointer) { *at[complex128](fr, d) = complex128(*at[complex64](fr, x)) })
	case to.Kind() == reflect.Complex64 && from.Kind() == reflect.Complex128:
		b.emit(func(fr unsafe.Pointer) { *at[complex64](fr, d) = complex64(*at[complex128](fr, x)) })
	default:
		b.fail("cells do not support a conversion of %v to %v", from, to)
	}
}

// isSliceOf reports whether t is a slice whose elements have kind elem.
func isSliceOf(t reflect.Type, elem reflect.Kind) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == elem
}

// toText returns the step d = string(x). The string has at most size bytes for each element of x.
func toText[T []byte | []rune](d, x uintptr, pos token.Pos, size int) op {
	return func(fr unsafe.Pointer) {
		if n := size * len(*at[T](fr, x)); n >= largeObject {
			(*frame)(fr).pos = pos
			(*frame)(fr).allocate("conversion", n, 1, func() { *at[string](fr, d) = string(*at[T](fr, x)) })
			return
		}
		*at[string](fr, d) = string(*at[T](fr, x))
	}
}

// fromText returns the step d = T(x). The slice takes at most size bytes for each byte of x.
func fromText[T []byte | []rune](d, x uintptr, pos token.Pos, size int) op {
	return func(fr unsafe.Pointer) {
		if n := size * len(*at[string](fr, x)); n >= largeObject {
			(*frame)(fr).pos = pos
			(*frame)(fr).allocate("conversion", n, 1, func() { *at[T](fr, d) = T(*at[string](fr, x)) })
			return
		}
		*at[T](fr, d) = T(*at[string](fr, x))
	}
}

// toArray emits the conversion of a slice to an array pointer.
func (b *builder) toArray(in *ssa.SliceToArrayPointer) {
	d, x, pos := b.off(in), b.off(in.X), b.posOf(in)
	n := b.inner(in.Type().Underlying().(*types.Pointer).Elem()).Len()
	b.emit(func(fr unsafe.Pointer) {
		s := *at[slice](fr, x)
		if s.len < n {
			(*frame)(fr).pos = pos
			const format = "cannot convert slice with length %d to array or pointer to array with length %d"
			panic(runtimeError(fmt.Sprintf(format, s.len, n)))
		}
		*at[unsafe.Pointer](fr, d) = s.data
	})
}
