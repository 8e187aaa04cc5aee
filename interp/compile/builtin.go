package compile

import (
	"fmt"
	"go/token"
	"go/types"
	"io"
	"math/bits"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// builtin emits the steps of a call of a predeclared function or a function of package unsafe.
func (b *builder) builtin(in *ssa.Call, name string) {
	args := in.Call.Args
	var d uintptr
	if r := b.layout.of[in]; r != nil {
		d = r.off
	}
	pos := b.posOf(in)
	switch name {
	case "len", "cap":
		b.length(name, d, args[0])
	case "append":
		b.appendSlice(in, d)
	case "copy":
		b.copySlice(in, d)
	case "delete":
		b.deleteKey(args[0], args[1], pos)
	case "clear":
		b.clearValue(args[0], pos)
	case "close":
		x := b.off(args[0])
		b.emit(func(fr unsafe.Pointer) {
			(*frame)(fr).pos = pos
			chanClose(*at[unsafe.Pointer](fr, x))
		})
	case "recover":
		b.emit(func(fr unsafe.Pointer) { *at[any](fr, d) = recoverPanic(fr) })
	case "Add":
		x, n := b.off(args[0]), b.int64Reader(args[1])
		b.emit(func(fr unsafe.Pointer) {
			*at[unsafe.Pointer](fr, d) = unsafe.Add(*at[unsafe.Pointer](fr, x), n(fr))
		})
	case "Slice":
		b.unsafeSlice(d, args, pos)
	case "SliceData":
		x := b.off(args[0])
		b.emit(func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = at[slice](fr, x).data })
	case "String":
		x, n := b.off(args[0]), b.int64Reader(args[1])
		b.emit(func(fr unsafe.Pointer) {
			(*frame)(fr).pos = pos
			*at[string](fr, d) = unsafe.String(*at[*byte](fr, x), n(fr))
		})
	case "StringData":
		x := b.off(args[0])
		b.emit(func(fr unsafe.Pointer) { *at[*byte](fr, d) = unsafe.StringData(*at[string](fr, x)) })
	case "Sizeof", "Alignof": // of a type parameter; others are constants
		t := b.inner(args[0].Type())
		n := t.Size()
		if name == "Alignof" {
			n = uintptr(t.Align())
		}
		b.emit(func(fr unsafe.Pointer) { *at[uintptr](fr, d) = n })
	case "Offsetof": // the operand is new(T).f, where f may be in embedded fields of T; see skipUnsafeOperands
		n := uintptr(0)
		for f, ok := args[0].(*ssa.UnOp).X.(*ssa.FieldAddr); ok; f, ok = f.X.(*ssa.FieldAddr) {
			n += b.inner(f.X.Type().Underlying().(*types.Pointer).Elem()).Field(f.Field).Offset
		}
		b.emit(func(fr unsafe.Pointer) { *at[uintptr](fr, d) = n })
	case "min", "max":
		b.minMax(name, in)
	case "real", "imag":
		b.complexPart(name, d, args[0])
	case "complex":
		x, y := b.off(args[0]), b.off(args[1])
		if b.inner(in.Type()).Kind() == reflect.Complex64 {
			b.emit(func(fr unsafe.Pointer) { *at[complex64](fr, d) = complex(*at[float32](fr, x), *at[float32](fr, y)) })
		} else {
			b.emit(func(fr unsafe.Pointer) { *at[complex128](fr, d) = complex(*at[float64](fr, x), *at[float64](fr, y)) })
		}
	case "ssa:wrapnilchk": // a wrapper checks that its receiver, a pointer, is not nil
		x := b.off(args[0])
		typ, method := args[1].(*ssa.Const), args[2].(*ssa.Const)
		text := nilReceiverText(stringOf(typ.Value), stringOf(method.Value))
		b.emit(func(fr unsafe.Pointer) {
			if *at[unsafe.Pointer](fr, x) == nil {
				(*frame)(fr).pos = pos
				panic(nilReceiverError(text))
			}
			*at[unsafe.Pointer](fr, d) = *at[unsafe.Pointer](fr, x)
		})
	case "print", "println":
		b.printArgs(name, args)
	case "panic": // only deferred; other calls are instructions of their own
		x := b.off(args[0])
		b.emit(func(fr unsafe.Pointer) {
			(*frame)(fr).pos = pos
			panic(*at[any](fr, x))
		})
	case "ssa:deferstack": // in functions that range over functions; see deferStatement
		b.emit(func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = fr })
	default:
		b.fail("cells do not support the predeclared function %s", name)
	}
}

// int64Reader returns a function that returns the value of v, an integer.
func (b *builder) int64Reader(v ssa.Value) func(fr unsafe.Pointer) int64 {
	newReader, ok := int64Readers[b.inner(v.Type()).Kind()]
	if !ok {
		b.fail("cells do not support a length of type %v", v.Type())
	}
	return newReader(b.off(v))
}

// unsafeSlice emits a call of unsafe.Slice. If the arguments are wrong, the step calls unsafe.Slice with a
// pointer to a byte and the same fault, so that it panics as Go does.
func (b *builder) unsafeSlice(d uintptr, args []ssa.Value, pos token.Pos) {
	x, n := b.off(args[0]), b.int64Reader(args[1])
	size := b.inner(args[0].Type()).Elem().Size()
	b.emit(func(fr unsafe.Pointer) {
		(*frame)(fr).pos = pos
		p, n := *at[unsafe.Pointer](fr, x), n(fr)
		high, bytes := bits.Mul64(uint64(n), uint64(size))
		switch {
		case p == nil:
			_ = unsafe.Slice((*byte)(nil), n) // panics unless n is 0
		case n < 0 || high != 0 || bytes > -uint64(uintptr(p)):
			_ = unsafe.Slice(new(byte), min(n, -1)) // panics
		}
		*at[slice](fr, d) = slice{p, int(n), int(n)}
	})
}

// printArgs emits a call of print or println. The output has the format of Go's runtime.
func (b *builder) printArgs(name string, args []ssa.Value) {
	var texts []func(fr unsafe.Pointer) string
	for _, a := range args {
		t, x := b.inner(a.Type()), b.off(a)
		if k := t.Kind(); k == reflect.Struct || k == reflect.Array {
			b.fail("%s does not accept structs or arrays; write fmt.Println", name)
		}
		texts = append(texts, func(fr unsafe.Pointer) string { return printed(reflect.NewAt(t, unsafe.Add(fr, x)).Elem()) })
	}
	w, isLine := b.s.Hooks.Stderr, name == "println"
	b.emit(func(fr unsafe.Pointer) {
		var line strings.Builder
		for i, text := range texts {
			if i > 0 && isLine {
				line.WriteByte(' ')
			}
			line.WriteString(text(fr))
		}
		if isLine {
			line.WriteByte('\n')
		}
		io.WriteString(w, line.String())
	})
}

// printed returns the text that the predeclared print writes for v.
func printed(v reflect.Value) string {
	switch k := v.Kind(); {
	case k == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	case v.CanComplex():
		return strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits())
	case k == reflect.String:
		return v.String()
	case k == reflect.Interface:
		i := (*iface)(v.Addr().UnsafePointer())
		return fmt.Sprintf("(%#x,%#x)", uintptr(i.word), uintptr(i.data))
	case k == reflect.Slice:
		return fmt.Sprintf("[%d/%d]%#x", v.Len(), v.Cap(), v.Pointer())
	}
	// Values of the other types are one pointer: pointers, maps, channels, and functions.
	return fmt.Sprintf("%#x", *(*uintptr)(v.Addr().UnsafePointer()))
}

// length emits len or cap.
func (b *builder) length(name string, d uintptr, v ssa.Value) {
	x, t := b.off(v), b.inner(v.Type())
	isCap := name == "cap"
	switch t.Kind() {
	case reflect.String:
		b.emit(func(fr unsafe.Pointer) { *at[int](fr, d) = len(*at[string](fr, x)) })
	case reflect.Slice:
		if isCap {
			b.emit(func(fr unsafe.Pointer) { *at[int](fr, d) = at[slice](fr, x).cap })
		} else {
			b.emit(func(fr unsafe.Pointer) { *at[int](fr, d) = at[slice](fr, x).len })
		}
	case reflect.Map:
		b.emit(func(fr unsafe.Pointer) { *at[int](fr, d) = mapLen(*at[unsafe.Pointer](fr, x)) })
	case reflect.Chan:
		if isCap {
			b.emit(func(fr unsafe.Pointer) { *at[int](fr, d) = chanCap(*at[unsafe.Pointer](fr, x)) })
		} else {
			b.emit(func(fr unsafe.Pointer) { *at[int](fr, d) = chanLen(*at[unsafe.Pointer](fr, x)) })
		}
	case reflect.Array:
		n := t.Len()
		b.emit(func(fr unsafe.Pointer) { *at[int](fr, d) = n })
	case reflect.Pointer:
		n := t.Elem().Len()
		b.emit(func(fr unsafe.Pointer) { *at[int](fr, d) = n })
	default:
		b.fail("cells do not support %s of %v", name, t)
	}
}

// deleteKey emits delete(m, key).
func (b *builder) deleteKey(m, key ssa.Value, pos token.Pos) {
	mt := b.inner(m.Type())
	t, checkKey := descriptor(mt), misuse.KeyCheck(mt.Key())
	x, k, maps := b.off(m), b.off(key), &b.s.maps
	var step op
	step = func(fr unsafe.Pointer) {
		(*frame)(fr).pos = pos
		if maps.begin(fr) { // other goroutines use maps: run step again, with the lock of the map
			(*frame)(fr).th.withMapLock(*at[unsafe.Pointer](fr, x), true, fr, step)
			return
		}
		checkKey(unsafe.Add(fr, k))
		mapDelete(t, *at[unsafe.Pointer](fr, x), unsafe.Add(fr, k))
		maps.end()
	}
	b.emit(step)
}

// clearValue emits the predeclared clear.
func (b *builder) clearValue(v ssa.Value, pos token.Pos) {
	x, t := b.off(v), b.inner(v.Type())
	if t.Kind() == reflect.Map {
		desc, maps := descriptor(t), &b.s.maps
		var step op
		step = func(fr unsafe.Pointer) {
			(*frame)(fr).pos = pos
			m := *at[unsafe.Pointer](fr, x)
			if maps.begin(fr) {
				(*frame)(fr).th.withMapLock(m, true, fr, step)
				return
			}
			if m != nil {
				mapClear(desc, m)
			}
			maps.end()
		}
		b.emit(step)
		return
	}
	desc, size := descriptor(t.Elem()), t.Elem().Size()
	b.emit(func(fr unsafe.Pointer) {
		s := at[slice](fr, x)
		for i := range s.len {
			typedClear(desc, unsafe.Add(s.data, uintptr(i)*size))
		}
	})
}

// minMax emits min or max.
func (b *builder) minMax(name string, in *ssa.Call) {
	r := b.reg(in)
	t := r.typ
	d := r.off
	less := func(x, y ssa.Value) condition {
		a, c := b.operandOf(x), b.operandOf(y)
		if t.Kind() == reflect.String {
			return compare[string](token.LSS, a, c)
		}
		f, ok := comparisons[t.Kind()]
		if !ok {
			return nil
		}
		return f(token.LSS, a, c)
	}
	args := in.Call.Args
	first := b.off(args[0])
	b.emit(copyOp(r, d, first))
	for _, a := range args[1:] {
		y := b.off(a)
		isMin := name == "min"
		switch t.Kind() {
		case reflect.Float64:
			b.emit(func(fr unsafe.Pointer) {
				*at[float64](fr, d) = floatMinMax(isMin, *at[float64](fr, d), *at[float64](fr, y))
			})
			continue
		case reflect.Float32:
			b.emit(func(fr unsafe.Pointer) {
				*at[float32](fr, d) = floatMinMax(isMin, *at[float32](fr, d), *at[float32](fr, y))
			})
			continue
		}
		var cond condition // whether a replaces the result so far, which is in the register at d
		if isMin {
			cond = less(a, in)
		} else {
			cond = less(in, a)
		}
		if cond == nil {
			b.fail("cells do not support %s of %v", name, t)
		}
		set := copyOp(r, d, y)
		b.emit(func(fr unsafe.Pointer) {
			if cond(fr) {
				set(fr)
			}
		})
	}
}

// floatMinMax returns the minimum or maximum of two floats as Go defines them for NaN and zeros.
func floatMinMax[T ~float32 | ~float64](isMin bool, x, y T) T {
	if isMin {
		return min(x, y)
	}
	return max(x, y)
}

// complexPart emits real or imag.
func (b *builder) complexPart(name string, d uintptr, v ssa.Value) {
	x, size := b.off(v), b.inner(v.Type()).Size()/2
	if name == "imag" {
		x += size
	}
	if size == 4 {
		b.emit(func(fr unsafe.Pointer) { *at[float32](fr, d) = *at[float32](fr, x) })
	} else {
		b.emit(func(fr unsafe.Pointer) { *at[float64](fr, d) = *at[float64](fr, x) })
	}
}
