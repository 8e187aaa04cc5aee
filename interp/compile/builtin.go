package compile

import (
	"fmt"
	"go/token"
	"go/types"
	"io"
	"math/bits"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// builtin emits the steps of a call of a predeclared function.
func (b *builder) builtin(in *ssa.Call, name string) {
	args := in.Call.Args
	var d uintptr
	if r := b.l.of[in]; r != nil {
		d = r.at
	}
	pos := b.posOf(in)
	switch name {
	case "len", "cap":
		b.length(name, d, args[0])
	case "append":
		b.appends(in, d)
	case "copy":
		b.copies(in, d)
	case "delete":
		mt := b.inner(args[0].Type())
		t, checkKey := descriptor(mt), misuse.KeyCheck(mt.Key())
		m, k := b.off(args[0]), b.off(args[1])
		maps := &b.s.maps
		var step op
		step = func(fr unsafe.Pointer) {
			(*frame)(fr).pos = pos
			if maps.begin(fr) {
				(*frame)(fr).th.locked(*at[unsafe.Pointer](fr, m), true, fr, step)
				return
			}
			checkKey(unsafe.Add(fr, k))
			mapDelete(t, *at[unsafe.Pointer](fr, m), unsafe.Add(fr, k))
			maps.end()
		}
		b.emit(step)
	case "clear":
		b.clears(args[0])
	case "close":
		x := b.off(args[0])
		b.emit(func(fr unsafe.Pointer) {
			(*frame)(fr).pos = pos
			chanClose(*at[unsafe.Pointer](fr, x))
		})
	case "recover":
		b.emit(func(fr unsafe.Pointer) { *at[any](fr, d) = recovered(fr) })
	case "Add":
		x, n := b.off(args[0]), b.wide(args[1])
		b.emit(func(fr unsafe.Pointer) {
			*at[unsafe.Pointer](fr, d) = unsafe.Add(*at[unsafe.Pointer](fr, x), n(fr))
		})
	case "Slice":
		b.unsafeSlice(d, args, pos)
	case "SliceData":
		x := b.off(args[0])
		b.emit(func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = at[slice](fr, x).data })
	case "String":
		x, n := b.off(args[0]), b.wide(args[1])
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
	case "Offsetof":
		n := uintptr(0)
		for f, ok := args[0].(*ssa.UnOp).X.(*ssa.FieldAddr); ok; f, ok = f.X.(*ssa.FieldAddr) {
			n += b.inner(f.X.Type().Underlying().(*types.Pointer).Elem()).Field(f.Field).Offset
		}
		b.emit(func(fr unsafe.Pointer) { *at[uintptr](fr, d) = n })
	case "min", "max":
		b.extreme(name, in)
	case "real", "imag":
		b.part(name, d, args[0])
	case "complex":
		x, y := b.off(args[0]), b.off(args[1])
		if b.inner(in.Type()).Kind() == reflect.Complex64 {
			b.emit(func(fr unsafe.Pointer) { *at[complex64](fr, d) = complex(*at[float32](fr, x), *at[float32](fr, y)) })
		} else {
			b.emit(func(fr unsafe.Pointer) { *at[complex128](fr, d) = complex(*at[float64](fr, x), *at[float64](fr, y)) })
		}
	case "ssa:wrapnilchk":
		x := b.off(args[0])
		typ, method := args[1].(*ssa.Const), args[2].(*ssa.Const)
		text := nilReceiverText(stringOf(typ.Value), stringOf(method.Value))
		b.emit(func(fr unsafe.Pointer) {
			if *at[unsafe.Pointer](fr, x) == nil {
				(*frame)(fr).pos = pos
				panic(nilReceiver(text))
			}
			*at[unsafe.Pointer](fr, d) = *at[unsafe.Pointer](fr, x)
		})
	case "print", "println":
		b.prints(name, args)
	case "panic": // only deferred; other calls are instructions of their own
		x := b.off(args[0])
		b.emit(func(fr unsafe.Pointer) {
			(*frame)(fr).pos = pos
			panic(*at[any](fr, x))
		})
	case "ssa:deferstack": // in functions that range over functions; see deferCall
		b.emit(func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = fr })
	default:
		b.cannot("%s", name)
	}
}

// wide returns the function that reads the integer v.
func (b *builder) wide(v ssa.Value) func(fr unsafe.Pointer) int64 {
	read, ok := wides.of(b.inner(v.Type()).Kind())
	if !ok {
		b.cannot("a length of type %v", v.Type())
	}
	return read(b.off(v))
}

// unsafeSlice emits unsafe.Slice. The panics are those of calls with arguments that are wrong in the same way.
func (b *builder) unsafeSlice(d uintptr, args []ssa.Value, pos token.Pos) {
	x, n := b.off(args[0]), b.wide(args[1])
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

// prints emits print and println, which write as the run time does.
func (b *builder) prints(name string, args []ssa.Value) {
	var texts []func(fr unsafe.Pointer) string
	for _, a := range args {
		t, x := b.inner(a.Type()), b.off(a)
		if k := t.Kind(); k == reflect.Struct || k == reflect.Array {
			b.cannot("%s takes no structs and arrays; write fmt.Println", name)
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

// printed returns v as the predeclared print writes it.
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
	// v is a single pointer.
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
		b.cannot("%s of %v", name, t)
	}
}

// appends emits the predeclared append.
func (b *builder) appends(in *ssa.Call, d uintptr) {
	x, y, pos := b.off(in.Call.Args[0]), b.off(in.Call.Args[1]), b.posOf(in)
	st := b.inner(in.Call.Args[0].Type())
	elem := st.Elem()
	t, size := descriptor(elem), elem.Size()
	hasPointers := pointers(elem)
	if b.inner(in.Call.Args[1].Type()).Kind() == reflect.String {
		b.emit(func(fr unsafe.Pointer) {
			*at[[]byte](fr, d) = append(*at[[]byte](fr, x), *at[string](fr, y)...)
		})
		return
	}
	b.emit(func(fr unsafe.Pointer) {
		s, more := *at[slice](fr, x), *at[slice](fr, y)
		if more.len == 0 {
			*at[slice](fr, d) = s
			return
		}
		n := s.len
		if uint(n+more.len) > uint(s.cap) { // also where the sum overflows
			(*frame)(fr).pos = pos
			most := max(n+more.len, s.cap+s.cap/4)
			(*frame)(fr).checkMemory("append", most, size)
			if uintptr(most) < largeMake/max(size, 1) {
				s = growSlice(t, s, more.len)
			} else {
				s = growLargeSlice(t, s, more.len)
			}
		}
		s.len = n + more.len
		switch {
		case more.len == 1 && !hasPointers && size == 8:
			*(*uint64)(unsafe.Add(s.data, uintptr(n)*8)) = *(*uint64)(more.data)
		case more.len == 1:
			typedMove(t, unsafe.Add(s.data, uintptr(n)*size), more.data)
		case uintptr(more.len) >= largeMake/max(size, 1):
			(*frame)(fr).pos = pos
			(*frame)(fr).copyLarge(t, size, slice{unsafe.Add(s.data, uintptr(n)*size), more.len, more.len}, more)
		default:
			typedSliceCopy(t, slice{unsafe.Add(s.data, uintptr(n)*size), more.len, more.len}, more)
		}
		*at[slice](fr, d) = s
	})
}

// copies emits the predeclared copy.
func (b *builder) copies(in *ssa.Call, d uintptr) {
	x, y, pos := b.off(in.Call.Args[0]), b.off(in.Call.Args[1]), b.posOf(in)
	hasResult := b.l.of[in] != nil
	elem := b.inner(in.Call.Args[0].Type()).Elem()
	t, size := descriptor(elem), elem.Size()
	fromString := b.inner(in.Call.Args[1].Type()).Kind() == reflect.String
	b.emit(func(fr unsafe.Pointer) {
		var n int
		switch {
		case uintptr(at[slice](fr, y).len) >= largeMake/max(size, 1): // strings have their length at the same offset
			(*frame)(fr).pos = pos
			from := at[slice](fr, y)
			n = (*frame)(fr).copyLarge(t, size, *at[slice](fr, x), slice{from.data, from.len, from.len})
		case fromString:
			n = copy(*at[[]byte](fr, x), *at[string](fr, y))
		default:
			n = typedSliceCopy(t, *at[slice](fr, x), *at[slice](fr, y))
		}
		if hasResult {
			*at[int](fr, d) = n
		}
	})
}

// growLargeSlice is growSlice for at least largeMake bytes.
func growLargeSlice(t unsafe.Pointer, s slice, more int) (grown slice) {
	uncollected(func() { grown = growSlice(t, s, more) })
	return grown
}

// copyLarge copies the elements of src, which have type t and the given size, to dst, as copy does. It copies
// a part at a time, so that an interrupt or a collection waits for one part and not for all.
func (fr *frame) copyLarge(t unsafe.Pointer, size uintptr, dst, src slice) int {
	n := min(dst.len, src.len)
	part := max(1, int(copiedAtOnce/max(size, 1)))
	// Like copy, copyLarge copies the last elements first if dst begins within src.
	backward := uintptr(dst.data)-uintptr(src.data) < uintptr(n)*size
	for done := 0; done < n; {
		k := min(part, n-done)
		first := done
		if backward {
			first = n - done - k
		}
		skip := uintptr(first) * size
		typedSliceCopy(t, slice{unsafe.Add(dst.data, skip), k, k}, slice{unsafe.Add(src.data, skip), k, k})
		done += k
		if fr.th.s.stopping() {
			fr.th.poll()
		}
	}
	return n
}

// copiedAtOnce is how many bytes copyLarge copies before it checks again for an interrupt. That takes a few
// milliseconds.
const copiedAtOnce = 4 << 20

// clears emits the predeclared clear.
func (b *builder) clears(v ssa.Value) {
	x, t := b.off(v), b.inner(v.Type())
	if t.Kind() == reflect.Map {
		desc, maps := descriptor(t), &b.s.maps
		var step op
		step = func(fr unsafe.Pointer) {
			m := *at[unsafe.Pointer](fr, x)
			if maps.begin(fr) {
				(*frame)(fr).th.locked(m, true, fr, step)
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

// extreme emits min or max.
func (b *builder) extreme(name string, in *ssa.Call) {
	r := b.reg(in)
	t := r.typ
	d := r.at
	less := func(x, y ssa.Value) test {
		a, c := b.operandOf(x), b.operandOf(y)
		if t.Kind() == reflect.String {
			return compare[string](token.LSS, a, c)
		}
		f, ok := ordered.of(t.Kind())
		if !ok || t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64 {
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
				*at[float64](fr, d) = extreme(isMin, *at[float64](fr, d), *at[float64](fr, y))
			})
			continue
		case reflect.Float32:
			b.emit(func(fr unsafe.Pointer) {
				*at[float32](fr, d) = extreme(isMin, *at[float32](fr, d), *at[float32](fr, y))
			})
			continue
		}
		var cond test
		if isMin {
			cond = less(a, in)
		} else {
			cond = less(in, a)
		}
		if cond == nil {
			b.cannot("%s of %v", name, t)
		}
		set := copyOp(r, d, y)
		b.emit(func(fr unsafe.Pointer) {
			if cond(fr) {
				set(fr)
			}
		})
	}
}

// extreme returns the minimum or maximum of two floats as Go defines them for NaN and zeros.
func extreme[T ~float32 | ~float64](isMin bool, x, y T) T {
	if isMin {
		return min(x, y)
	}
	return max(x, y)
}

// part emits real or imag.
func (b *builder) part(name string, d uintptr, v ssa.Value) {
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

// later returns the step of a defer or go statement: a function that copies the callee and the arguments
// from the registers of fr, and returns the call, which can then be made in any frame.
func (b *builder) later(common *ssa.CallCommon) func(fr *frame) deferred {
	if f, ok := common.Value.(*ssa.Builtin); ok {
		return b.laterBuiltin(common, f.Name())
	}
	// regs are the registers that are copied: the callee, if it is a value, and the arguments.
	regs := b.args(common)
	if common.IsInvoke() {
		regs = append([]*register{b.reg(common.Value)}, regs...)
	} else if _, static := common.Value.(*ssa.Function); !static {
		regs = append([]*register{b.reg(common.Value)}, regs...)
	}
	codeNow := b.deferredCode(common)
	do := b.caller(common)
	hasValue := len(regs) > len(common.Args)
	s, c := b.s, b.code
	pos := b.posAt(common.Pos())
	return func(fr *frame) deferred {
		held := hold(fr, regs)
		return func(by *frame) {
			by.pos = pos
			if codeNow != nil {
				if c := codeNow(); c != nil {
					by.callHeld(c, nil, held)
					return
				}
			}
			if hasValue && !common.IsInvoke() {
				f := *(*unsafe.Pointer)(held[0])
				if f == nil {
					failNil(unsafe.Pointer(by), pos)
				}
				if clo := closureAt(f); clo != nil && clo.s == s {
					if c := clo.current(); c != nil {
						by.callHeld(c, clo, held[1:])
						return
					}
				}
				if s.callsCellFunction(f) {
					defer s.entrust(by)()
				}
			}
			next := by.relayFrame(c, regs, held)
			args := regs
			if hasValue {
				args = regs[1:]
			}
			next.pos = pos
			do(next, args, nil)
			by.th.top = by
			next.th.drop(next)
		}
	}
}

// deferredCode returns a function that returns the code of the callee at the time of the call. It returns
// nil if the callee is not a function of cells that is called by name.
func (b *builder) deferredCode(common *ssa.CallCommon) func() *code {
	fn, ok := common.Value.(*ssa.Function)
	if !ok || common.IsInvoke() {
		return nil
	}
	if b.isLate(fn) {
		f := b.lateFunction(fn)
		return f.now
	}
	if b.isOurs(fn) {
		c := b.p.want(fn)
		return func() *code { return c }
	}
	return nil
}

// callHeld makes a deferred call of c with the copied arguments held. c may recover fr's panic.
func (fr *frame) callHeld(c *code, clo *closure, held []unsafe.Pointer) {
	next := fr.th.newFrame(c)
	for i, p := range held {
		r := &c.params[i]
		move(r.how, r.desc, unsafe.Add(unsafe.Pointer(next), r.at), p)
	}
	if clo != nil {
		clo.load(next)
	}
	next.deferredBy = fr
	fr.call(next)
	fr.th.drop(next)
}

// laterBuiltin is later for a predeclared function. The steps of the call run in a frame of their own, whose
// registers hold copies of the arguments.
func (b *builder) laterBuiltin(common *ssa.CallCommon, name string) func(fr *frame) deferred {
	if name == "recover" {
		return func(*frame) deferred {
			return func(by *frame) {
				if by.fails == nil { // otherwise recover would stop the panic that runs it
					recovered(unsafe.Pointer(by))
				}
			}
		}
	}
	before := b.out
	b.out = nil
	b.builtin(&ssa.Call{Call: *common}, name)
	steps := b.out
	b.out = before
	regs, c := b.args(common), b.code
	return func(fr *frame) deferred {
		held := hold(fr, regs)
		return func(by *frame) {
			next := by.relayFrame(c, regs, held)
			for _, f := range steps {
				f(unsafe.Pointer(next))
			}
			by.th.top = by
			next.th.drop(next)
		}
	}
}

// hold returns pointers to copies of the values in registers of fr.
func hold(fr *frame, regs []*register) []unsafe.Pointer {
	held := make([]unsafe.Pointer, len(regs))
	for i, r := range regs {
		held[i] = newObject(r.desc)
		move(r.how, r.desc, held[i], unsafe.Add(unsafe.Pointer(fr), r.at))
	}
	return held
}

// relayFrame returns a frame of c, called by fr, whose registers regs have the copied values held. The frame
// serves only to make a deferred call, which may recover fr's panic.
func (fr *frame) relayFrame(c *code, regs []*register, held []unsafe.Pointer) *frame {
	next := fr.th.newFrame(c)
	next.caller, next.depth = fr, fr.depth+1
	next.deferredBy, next.relaysDefer = fr, true
	fr.th.top = next
	for i, r := range regs {
		move(r.how, r.desc, unsafe.Add(unsafe.Pointer(next), r.at), held[i])
	}
	return next
}

// deferCall emits a defer statement.
func (b *builder) deferCall(in *ssa.Defer) {
	var stack uintptr // the register with the frame to defer to, or 0 if it is the current frame
	if in.DeferStack != nil {
		stack = b.off(in.DeferStack)
	}
	call := b.later(&in.Call)
	invoked := in.Call.IsInvoke()
	var x uintptr
	if invoked {
		x = b.off(in.Call.Value)
	}
	pos := b.posOf(in)
	b.emit(func(p unsafe.Pointer) {
		fr := (*frame)(p)
		if invoked && at[iface](p, x).word == nil {
			failNil(p, pos)
		}
		to := fr
		if stack > 0 {
			to = *at[*frame](p, stack)
		}
		to.calls = append(to.calls, call(fr))
	})
}

// goCall emits a go statement. Objects whose addresses are converted to uintptr in the statement (pattern 4
// of package unsafe) are kept alive until the goroutine ends.
func (b *builder) goCall(in *ssa.Go) {
	later := b.later(&in.Call)
	var held []uintptr
	for _, arg := range in.Block().Instrs {
		if c, ok := arg.(*ssa.Convert); ok && b.isAddressAsNumber(c) {
			held = append(held, b.off(c.X))
		}
	}
	s := b.s
	pos := b.posOf(in)
	c := b.code
	b.emit(func(p unsafe.Pointer) {
		fr := (*frame)(p)
		fr.pos = pos
		call := later(fr)
		s.crowd.start()
		s.maps.shared.Store(true)
		if len(held) == 0 {
			go s.goroutine(c, call)
			return
		}
		addresses := make([]unsafe.Pointer, len(held))
		for i, at := range held {
			addresses[i] = *(*unsafe.Pointer)(unsafe.Add(p, at))
		}
		go func() {
			defer runtime.KeepAlive(addresses)
			s.goroutine(c, call)
		}()
	})
}

// goroutine makes call, in a frame of c, as the body of a new goroutine.
func (s *Session) goroutine(c *code, call deferred) {
	defer s.Own()()
	defer func() {
		s.Hooks.Caught(recover())
	}()
	fr := s.begin(c)
	fr.reported = true // it only makes the call
	th := fr.th
	th.top = fr
	fr.caller = nil
	fr.depth = 0
	done := false
	defer func() {
		if !done {
			th.report(nil)
		}
	}()
	if s.stopping() {
		th.poll()
	}
	call(fr)
	done = true
	s.exit(fr)
}
