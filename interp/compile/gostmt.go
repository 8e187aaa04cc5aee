package compile

import (
	"runtime"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// goStatement emits a go statement. Objects whose addresses the statement converts to uintptr (pattern 4 of package
// unsafe) are kept alive until the goroutine ends.
func (b *builder) goStatement(in *ssa.Go) {
	capture := b.captureCall(&in.Call)
	var held []uintptr // the registers of these addresses
	for _, instr := range in.Block().Instrs {
		if c, ok := instr.(*ssa.Convert); ok && b.isAddressAsNumber(c) {
			held = append(held, b.off(c.X))
		}
	}
	s := b.s
	pos := b.posOf(in)
	c := b.code
	b.emit(func(p unsafe.Pointer) {
		fr := (*frame)(p)
		fr.pos = pos
		call := capture(fr)
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

// goroutine is the body of a goroutine that a go statement starts. It makes the given call, from a frame of c,
// the code that contains the statement.
func (s *Session) goroutine(c *code, call deferredCall) {
	defer s.Own()()
	defer func() {
		s.Hooks.Caught(recover())
	}()
	fr := s.begin(c)
	fr.reported = true // tracebacks omit this frame, which only makes the call
	th := fr.th
	th.top = fr
	fr.caller = nil
	fr.depth = 0
	done := false
	defer func() {
		if !done {
			th.reportUnwound(nil)
		}
	}()
	if s.mustPoll() {
		th.poll()
	}
	call(fr)
	done = true
	s.exit(fr)
}
