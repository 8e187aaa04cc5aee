package compile

import (
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// makeChan emits a call of make for a channel.
func (b *builder) makeChan(in *ssa.MakeChan) {
	t := descriptor(b.inner(in.Type()))
	elem := b.inner(in.Type()).Elem().Size()
	d, n, pos := b.off(in), b.intIndex(in.Size), b.posOf(in)
	b.emit(func(fr unsafe.Pointer) {
		n := *at[int](fr, n)
		if n < 0 || elem > 0 && uint(n) > maxBytes/uint(elem) {
			(*frame)(fr).pos = pos
			_ = make(chan byte, n|-1<<62) // the size is negative: panics as Go does
		}
		(*frame)(fr).pos = pos
		(*frame)(fr).checkMemory("make", n, elem)
		*at[unsafe.Pointer](fr, d) = makeChan(t, n)
	})
}

// send emits a send statement.
func (b *builder) send(in *ssa.Send) {
	ch, x, pos := b.off(in.Chan), b.off(in.X), b.posOf(in)
	t := b.inner(in.Chan.Type())
	s := b.s
	b.emit(func(fr unsafe.Pointer) {
		(*frame)(fr).pos = pos
		c := *at[unsafe.Pointer](fr, ch)
		if c != nil && chanSend(c, unsafe.Add(fr, x), true) {
			return
		}
		stop := s.beginWait()
		if stop == nil {
			chanSend(c, unsafe.Add(fr, x), false)
			return
		}
		s.wait(stop, reflect.SelectCase{Dir: reflect.SelectSend, Chan: valueAt(t, fr, ch), Send: valueAt(t.Elem(), fr, x)})
	})
}

// valueAt returns a copy of the value of type t at offset off of fr.
func valueAt(t reflect.Type, fr unsafe.Pointer, off uintptr) reflect.Value {
	v := reflect.New(t).Elem()
	v.Set(reflect.NewAt(t, unsafe.Add(fr, off)).Elem())
	return v
}

// beginWait must be called before a goroutine waits for channels. It lets another goroutine run if goroutines run in
// turns. It returns the channel that an interrupt of the goroutine's cell closes, or nil if no interrupt can end the
// wait.
func (s *Session) beginWait() chan struct{} {
	s.crowd.yieldTurn()
	return s.Hooks.Waiting()
}

// wait waits until one of the cases can proceed or stop is closed by an interrupt. It returns the results of
// reflect.Select for cases. If the cell is interrupted, Poll ends the goroutine.
func (s *Session) wait(stop chan struct{}, cases ...reflect.SelectCase) (n int, v reflect.Value, ok bool) {
	all := append([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(stop)}}, cases...)
	for {
		n, v, ok = reflect.Select(all)
		if n > 0 {
			return n - 1, v, ok
		}
		s.Hooks.Poll()
		all[0].Chan = reflect.Value{} // Poll returns in deferred functions, whose waits an interrupt does not end
	}
}

// receive emits a receive operation.
func (b *builder) receive(in *ssa.UnOp) {
	ch, pos := b.off(in.X), b.posOf(in)
	t := b.inner(in.X.Type())
	var dst *register
	const noOk = ^uintptr(0) // the offset if there is no register for ok
	ok := noOk
	if in.CommaOk {
		parts := b.layout.parts[in]
		dst, ok = parts[0], parts[1].off
	} else {
		dst = b.reg(in)
	}
	s, d := b.s, dst.off
	b.emit(func(fr unsafe.Pointer) {
		(*frame)(fr).pos = pos
		c := *at[unsafe.Pointer](fr, ch)
		var selected, received bool
		if c != nil {
			selected, received = chanRecv(c, true, unsafe.Add(fr, d))
		}
		if !selected {
			if stop := s.beginWait(); stop == nil {
				_, received = chanRecv(c, false, unsafe.Add(fr, d))
			} else {
				var v reflect.Value
				_, v, received = s.wait(stop, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: valueAt(t, fr, ch)})
				setValue(dst, (*frame)(fr), v)
			}
		}
		if ok != noOk {
			*at[bool](fr, ok) = received
		}
	})
}

// selectStatement emits a select statement.
func (b *builder) selectStatement(in *ssa.Select) {
	type arm struct {
		dir  reflect.SelectDir
		ch   uintptr      // the register of the channel
		t    reflect.Type // the type of the channel
		send uintptr      // the register of the value to send; 0 if dir is SelectRecv
		into *register    // for the received value; nil if dir is SelectSend
	}
	parts := b.layout.parts[in]
	index, ok := parts[0].off, parts[1].off
	var arms []arm
	next := 2
	for _, st := range in.States {
		a := arm{ch: b.off(st.Chan), t: b.inner(st.Chan.Type())}
		if st.Dir == types.SendOnly {
			a.dir, a.send = reflect.SelectSend, b.off(st.Send)
		} else {
			a.dir = reflect.SelectRecv
			a.into = parts[next]
			next++
		}
		arms = append(arms, a)
	}
	s, pos, blocking := b.s, b.posOf(in), in.Blocking
	b.emit(func(fr unsafe.Pointer) {
		(*frame)(fr).pos = pos
		cases := make([]reflect.SelectCase, len(arms), len(arms)+1)
		for i, a := range arms {
			cases[i] = reflect.SelectCase{Dir: a.dir, Chan: valueAt(a.t, fr, a.ch)}
			if a.dir == reflect.SelectSend {
				cases[i].Send = valueAt(a.t.Elem(), fr, a.send)
			}
		}
		n := -1
		var v reflect.Value
		var received bool
		if !blocking || s.Crowded() { // in a crowd, beginWait ends the goroutine's turn: first try without waiting
			n, v, received = reflect.Select(append(cases, reflect.SelectCase{Dir: reflect.SelectDefault}))
			if n == len(arms) {
				n = -1
			}
		}
		if blocking && n < 0 {
			if stop := s.beginWait(); stop != nil {
				n, v, received = s.wait(stop, cases...)
			} else {
				n, v, received = reflect.Select(cases)
			}
		}
		*at[int](fr, index) = n
		*at[bool](fr, ok) = received
		for i, a := range arms {
			if a.into == nil {
				continue
			}
			if i == n && v.IsValid() {
				setValue(a.into, (*frame)(fr), v)
			} else {
				typedClear(a.into.desc, unsafe.Add(fr, a.into.off))
			}
		}
	})
}
