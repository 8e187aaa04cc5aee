//go:build amd64 || arm64

package compile

import (
	"reflect"
	"slices"
	"unsafe"
)

// Go passes the words of arguments and results in machine registers, in order: integers and pointers in general
// registers, floating-point numbers in others. A callee ignores registers for which it has no parameters. Therefore any
// function whose arguments and results fit into registers can be called as if it had the type in raw. The garbage
// collector must know which words of the results are pointers, so there is a type for each combination.

// An abiWord is a part of a value that Go passes in one machine register.
type abiWord struct {
	off   uintptr // the offset in the value
	size  uintptr // in bytes
	float bool    // a floating-point number
	ptr   bool    // a pointer
}

func pointerWord(off uintptr) abiWord       { return abiWord{off: off, size: 8, ptr: true} }
func integerWord(off, size uintptr) abiWord { return abiWord{off: off, size: size} }
func floatWord(off, size uintptr) abiWord   { return abiWord{off: off, size: size, float: true} }

// abiWordsOf appends the words of a value of type t, which is at offset off of a larger value, to list. ok is false if
// Go passes the value in memory.
func abiWordsOf(t reflect.Type, off uintptr, list []abiWord) (parts []abiWord, ok bool) {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		return append(list, floatWord(off, t.Size())), true
	case reflect.Complex64:
		return append(list, floatWord(off, 4), floatWord(off+4, 4)), true
	case reflect.Complex128:
		return append(list, floatWord(off, 8), floatWord(off+8, 8)), true
	case reflect.String:
		return append(list, pointerWord(off), integerWord(off+8, 8)), true
	case reflect.Slice:
		return append(list, pointerWord(off), integerWord(off+8, 8), integerWord(off+16, 8)), true
	case reflect.Interface:
		return append(list, pointerWord(off), pointerWord(off+8)), true
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Name == "_" {
				return nil, false
			}
			if list, ok = abiWordsOf(f.Type, off+f.Offset, list); !ok {
				return nil, false
			}
		}
		return list, true
	case reflect.Array:
		switch t.Len() {
		case 0:
			return list, true
		case 1:
			return abiWordsOf(t.Elem(), off, list)
		}
		return nil, false
	}
	if classOf(t) == pointerClass {
		return append(list, pointerWord(off)), true
	}
	return append(list, integerWord(off, t.Size())), true
}

// abiWords holds the words of the arguments or of the results of a function.
type abiWords struct {
	of       [][]abiWord // the words of each value
	ints     int         // how many words are integers or pointers
	floats   int         // how many words are floating-point numbers
	pointers int         // bit i is set if word i of the integers and pointers is a pointer
}

// wordsOfAll returns the words of n values. typ returns the type of each. ok is false if Go passes one of them in
// memory.
func wordsOfAll(n int, typ func(int) reflect.Type) (w abiWords, ok bool) {
	w.of = make([][]abiWord, n)
	for i := range w.of {
		if w.of[i], ok = abiWordsOf(typ(i), 0, nil); !ok {
			return w, false
		}
		for _, word := range w.of[i] {
			if word.float {
				w.floats++
				continue
			}
			if word.ptr {
				w.pointers |= 1 << w.ints
			}
			w.ints++
		}
	}
	return w, true
}

// whole reports whether all words are integers of eight bytes or pointers.
func (w abiWords) whole() bool {
	return !slices.ContainsFunc(slices.Concat(w.of...), func(word abiWord) bool { return word.float || word.size != 8 })
}

// offsets returns the offsets in the frame of the words of values in regs. It returns none if regs is nil, because the
// results of the call are not used.
func (w abiWords) offsets(regs []*register) (at []uintptr) {
	for i, r := range regs {
		for _, word := range w.of[i] {
			at = append(at, r.off+word.off)
		}
	}
	return at
}

// inRegisters returns a function that calls functions of type t with arguments and results in machine registers; see
// goCaller. It returns nil if the arguments or results do not fit.
func inRegisters(t reflect.Type) func(fr *frame, f unsafe.Pointer, args, results []*register) {
	argWords, ok := wordsOfAll(t.NumIn(), t.In)
	if !ok || argWords.ints > maxWords || argWords.floats > maxFloats {
		return nil
	}
	resultWords, ok := wordsOfAll(t.NumOut(), t.Out)
	if !ok || resultWords.ints > maxOut || resultWords.floats > maxOutFloats {
		return nil
	}
	in, out := argWords.of, resultWords.of
	call := rawCalls[resultWords.pointers]
	return func(fr *frame, f unsafe.Pointer, args, results []*register) {
		th := fr.th
		w := &th.in
		wi, fi := 0, 0
		for i, a := range args {
			p := unsafe.Add(unsafe.Pointer(fr), a.off)
			for _, word := range in[i] {
				q := unsafe.Add(p, word.off)
				if word.float {
					if word.size == 4 {
						*(*uint32)(unsafe.Pointer(&w.f[fi])) = *(*uint32)(q)
					} else {
						w.f[fi] = *(*float64)(q)
					}
					fi++
					continue
				}
				switch word.size {
				case 8:
					w.w[wi] = *(*uintptr)(q)
				case 4:
					w.w[wi] = uintptr(*(*uint32)(q))
				case 2:
					w.w[wi] = uintptr(*(*uint16)(q))
				default:
					w.w[wi] = uintptr(*(*uint8)(q))
				}
				wi++
			}
		}
		ptrs, ints, floats := &th.ptrs, &th.ints, &th.floats
		call(f, w, ptrs, ints, floats)
		wi, fi = 0, 0
		for i, d := range results {
			p := unsafe.Add(unsafe.Pointer(fr), d.off)
			for _, word := range out[i] {
				q := unsafe.Add(p, word.off)
				if word.float {
					if word.size == 4 {
						*(*uint32)(q) = *(*uint32)(unsafe.Pointer(&floats[fi]))
					} else {
						*(*float64)(q) = floats[fi]
					}
					fi++
					continue
				}
				switch {
				case word.ptr:
					*(*unsafe.Pointer)(q) = ptrs[wi]
				case word.size == 8:
					*(*uintptr)(q) = ints[wi]
				case word.size == 4:
					*(*uint32)(q) = uint32(ints[wi])
				case word.size == 2:
					*(*uint16)(q) = uint16(ints[wi])
				default:
					*(*uint8)(q) = uint8(ints[wi])
				}
				wi++
			}
		}
	}
}

// wordsOnly returns a function that calls f, which has type t, with arguments and results in the given registers of fr.
// That function is faster than the one that inRegisters returns. wordsOnly returns nil unless all words of the
// arguments and results are integers of eight bytes or pointers, and fit into machine registers.
func wordsOnly(t reflect.Type, f unsafe.Pointer, args, results []*register) func(fr *frame) {
	argWords, ok := wordsOfAll(t.NumIn(), t.In)
	resultWords, ok2 := wordsOfAll(t.NumOut(), t.Out)
	if !ok || !ok2 || argWords.ints > maxWords || resultWords.ints > maxOut || !argWords.whole() || !resultWords.whole() {
		return nil
	}
	in, out := argWords.offsets(args), resultWords.offsets(results)
	pointers := resultWords.pointers
	call := rawCalls[pointers]
	return func(fr *frame) {
		th := fr.th
		for i, at := range in {
			th.in.w[i] = *(*uintptr)(unsafe.Add(unsafe.Pointer(fr), at))
		}
		call(f, &th.in, &th.ptrs, &th.ints, &th.floats)
		for i, at := range out {
			p := unsafe.Add(unsafe.Pointer(fr), at)
			if pointers&(1<<i) != 0 {
				*(*unsafe.Pointer)(p) = th.ptrs[i]
			} else {
				*(*uintptr)(p) = th.ints[i]
			}
		}
	}
}

// A rawCall calls the function f and stores each integer or pointer in the results in ints or ptrs, at its index.
type rawCall func(f unsafe.Pointer, in *wordsIn, ptrs *[maxOut]unsafe.Pointer, ints *[maxOut]uintptr, fl *floatsOut)

// The types of words in results.
type (
	pw = unsafe.Pointer // a pointer
	iw = uintptr        // an integer
)

// rawCalls holds the rawCall for each combination of pointers and integers in the results. Bit i of the index is set if
// word i is a pointer.
var rawCalls = [1 << maxOut]rawCall{
	raw[iw, iw, iw, iw], raw[pw, iw, iw, iw], raw[iw, pw, iw, iw], raw[pw, pw, iw, iw],
	raw[iw, iw, pw, iw], raw[pw, iw, pw, iw], raw[iw, pw, pw, iw], raw[pw, pw, pw, iw],
	raw[iw, iw, iw, pw], raw[pw, iw, iw, pw], raw[iw, pw, iw, pw], raw[pw, pw, iw, pw],
	raw[iw, iw, pw, pw], raw[pw, iw, pw, pw], raw[iw, pw, pw, pw], raw[pw, pw, pw, pw],
}

// raw is the rawCall for functions whose results consist of words of types A, B, C and D. If the function returns fewer
// words, the other stored words have no meaning.
func raw[A, B, C, D pw | iw](
	f unsafe.Pointer, in *wordsIn, ptrs *[maxOut]unsafe.Pointer, ints *[maxOut]uintptr, fl *floatsOut,
) {
	type function = func(a, b, c, d, e, f, g, h, i uintptr, s, t, u, v, w, x, y, z float64) (A, B, C, D, float64, float64)
	call := *(*function)(unsafe.Pointer(&f))
	a, b, c, d, s, t := call(
		in.w[0], in.w[1], in.w[2], in.w[3], in.w[4], in.w[5], in.w[6], in.w[7], in.w[8],
		in.f[0], in.f[1], in.f[2], in.f[3], in.f[4], in.f[5], in.f[6], in.f[7])
	put(0, a, ptrs, ints)
	put(1, b, ptrs, ints)
	put(2, c, ptrs, ints)
	put(3, d, ptrs, ints)
	fl[0], fl[1] = s, t
}

// put stores v, word i of the results.
func put[T pw | iw](i int, v T, ptrs *[maxOut]unsafe.Pointer, ints *[maxOut]uintptr) {
	switch v := any(v).(type) {
	case unsafe.Pointer:
		ptrs[i] = v
	case uintptr:
		ints[i] = v
	}
}
