package compile

import (
	"bytes"
	"fmt"
	"strings"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// stackCall returns the implementation of calls of fn, which is runtime.Stack, debug.Stack or debug.PrintStack. The
// stacks list the calls of functions of cells in the runtime's format. Only runtime.Stack for all goroutines returns
// the stacks of the process itself.
func (b *builder) stackCall(fn *ssa.Function) caller {
	s := b.s
	stack, ok := s.Hooks.Symbols("runtime")["Stack"].Interface().(func(buf []byte, all bool) int)
	if !ok {
		return nil
	}
	text := func(fr *frame) []byte {
		head := make([]byte, 64) // enough for the first line: goroutine 7 [running]:
		line, _, _ := bytes.Cut(head[:stack(head, false)], []byte("\n"))
		return append(append(line, '\n'), s.traceback(fr.callers())...)
	}
	switch fn.String() {
	case "runtime.Stack":
		return func(fr *frame, args, results []*register) {
			p := unsafe.Pointer(fr)
			buf := *at[[]byte](p, args[0].off)
			var n int
			if *at[bool](p, args[1].off) {
				n = stack(buf, true)
			} else {
				n = copy(buf, text(fr))
			}
			if len(results) > 0 {
				*at[int](p, results[0].off) = n
			}
		}
	case "runtime/debug.Stack":
		return func(fr *frame, args, results []*register) {
			if len(results) > 0 {
				*at[[]byte](unsafe.Pointer(fr), results[0].off) = text(fr)
			}
		}
	}
	return func(fr *frame, args, results []*register) { fmt.Fprintf(s.Hooks.Stderr, "%s", text(fr)) }
}

// traceback returns calls in the format of the runtime. It leaves out the functions of the runtime except panic.
func (s *Session) traceback(calls []callSite) string {
	var b strings.Builder
	for _, site := range calls {
		name := site.function
		switch {
		case name == "runtime.gopanic":
			name = "panic"
		case strings.HasPrefix(name, "runtime."):
			continue
		}
		args := ""
		if site.hasArgs {
			args = "..."
		}
		file, line := s.Hooks.Position(site.pos)
		if name == "panic" {
			file, line = "runtime/panic.go", 1
		}
		fmt.Fprintf(&b, "%s(%s)\n\t%s:%d +0x0\n", name, args, file, line)
	}
	return b.String()
}
