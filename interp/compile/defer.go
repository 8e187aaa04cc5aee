package compile

import "unsafe"

// A deferred call, with its arguments.
type deferred func(fr *frame)

// failing is a panic on its way through a frame.
type failing struct {
	value     any
	exit      bool // it is no panic, the goroutine ends
	recovered bool
}

// runDeferring runs a function that defers.
func (fr *frame) runDeferring() {
	fr.calls = nil
	done := false
	defer func() {
		if done {
			return
		}
		fr.fail(recover())
		fr.unwind()
	}()
	fr.loop(fr.code.first)
	done = true
}

// fail notes the panic with value v; there is no value where the goroutine ends.
func (fr *frame) fail(v any) {
	fr.th.report(fr.caller)
	fr.th.top, fr.told = fr, true
	fr.fails = &failing{value: v, exit: v == nil}
}

// unwind runs what fr still defers after a panic. The function returns if that was
// recovered; else it goes on.
func (fr *frame) unwind() {
	for len(fr.calls) > 0 {
		fr.guarded(fr.pop())
		if f := fr.fails; f != nil && f.recovered {
			fr.fails, fr.told = nil, false
		}
	}
	switch f := fr.fails; {
	case f == nil:
		if fr.code.recover != nil {
			fr.loop(fr.code.recover)
		}
	case !f.exit:
		panic(f.value)
	}
}

func (fr *frame) pop() deferred {
	n := len(fr.calls) - 1
	call := fr.calls[n]
	fr.calls[n] = nil
	fr.calls = fr.calls[:n]
	return call
}

// guarded makes a deferred call, whose own panic takes the place of fr's.
func (fr *frame) guarded(call deferred) {
	done := false
	defer func() {
		if !done {
			exit := fr.fails != nil && fr.fails.exit
			v := recover()
			if exit {
				fr.th.top = fr // what ends the goroutine has been told
			} else {
				fr.fail(v)
			}
			fr.fails.exit = exit || v == nil
			if v == nil { // nothing stops the end of the goroutine, and control does not come back
				fr.unwind()
			}
		}
	}()
	call(fr)
	done = true
}

// runDefers makes the deferred calls of a function that returns.
func runDefers(p unsafe.Pointer) {
	fr := (*frame)(p)
	for len(fr.calls) > 0 {
		fr.pop()(fr)
	}
}

// recovered returns the value of the panic that the frame of p, that of a deferred
// call, stops.
func recovered(p unsafe.Pointer) any {
	fr := (*frame)(p)
	if fr.by == nil || fr.by.fails == nil || fr.by.fails.recovered || fr.by.fails.exit {
		return nil
	}
	f := fr.by.fails
	f.recovered = true
	return fr.th.s.Hooks.Recovered(f.value)
}
