package compile

import (
	"go/ast"
	"go/token"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// A deferred is a deferred call with its arguments, which were evaluated by the defer statement.
type deferred func(fr *frame)

// panicking is a panic on its way through a frame.
type panicking struct {
	value     any
	exit      bool // not a panic: the goroutine ends
	recovered bool
	pos       token.Pos  // of the frame's call or step that panicked
	left      []callSite // the calls that the panic has ended between inner's frame and this one, the innermost first
	inner     *panicking // this panic in the frame that it left before, or nil
}

// runDeferring runs a frame whose function has defer statements.
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

// An Exit is the value of a panic that ends a cell as os.Exit ends a program.
type Exit = misuse.Exit

// fail records the panic with value v, or the end of the goroutine if there is no value.
func (fr *frame) fail(v any) {
	fr.th.report(fr.caller)
	f := &panicking{value: v, exit: v == nil, pos: fr.pos, left: fr.th.top.callersBelow(fr)}
	if fr.th.top != fr {
		f.inner = fr.th.top.fails
	}
	fr.th.top, fr.reported, fr.fails = fr, true, f
	if _, ok := v.(Exit); ok {
		fr.calls = nil
	}
}

// unwind runs the remaining deferred calls of fr after a panic. It returns if one of them
// recovers; otherwise the panic goes on.
func (fr *frame) unwind() {
	fr.deferring, fr.leaves = true, token.NoPos
	for len(fr.calls) > 0 {
		fr.callDeferred(fr.pop())
		if f := fr.fails; f != nil && f.recovered {
			fr.fails, fr.reported = nil, false
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

// pop removes the next deferred call of fr and returns it.
func (fr *frame) pop() deferred {
	n := len(fr.calls) - 1
	call := fr.calls[n]
	fr.calls[n] = nil
	fr.calls = fr.calls[:n]
	return call
}

// callDeferred makes a deferred call. A panic of the call replaces fr's.
func (fr *frame) callDeferred(call deferred) {
	done := false
	defer func() {
		if !done {
			exit := fr.fails != nil && fr.fails.exit
			v := recover()
			if exit {
				fr.th.top = fr // the first end of the goroutine is already reported
			} else {
				fr.fail(v)
			}
			fr.fails.exit = exit || v == nil
			if v == nil { // the end of the goroutine cannot be recovered; control does not return
				fr.unwind()
			}
		}
	}()
	call(fr)
	done = true
}

// runDefers emits the deferred calls before the return at the end of bb. As in Go, their position is that of
// the return statement; it is the closing brace if the function returns there, or if it defers in a loop.
func (b *builder) runDefers(bb *ssa.BasicBlock) {
	pos := bb.Instrs[len(bb.Instrs)-1].Pos()
	if !pos.IsValid() || b.defersInLoop() {
		switch syntax := b.fn.Syntax().(type) {
		case *ast.FuncDecl:
			pos = syntax.Body.Rbrace
		case *ast.FuncLit:
			pos = syntax.Body.Rbrace
		}
	}
	pos = b.posAt(pos)
	if in, ok := b.current.(*ssa.RunDefers); ok {
		b.calls[in] = pos
	}
	b.emit(func(p unsafe.Pointer) {
		fr := (*frame)(p)
		fr.leaves = pos
		fr.deferring = true
		for len(fr.calls) > 0 {
			fr.pop()(fr)
		}
	})
}

// defersInLoop reports whether a defer statement may run more than once.
func (b *builder) defersInLoop() bool {
	for _, bb := range b.fn.Blocks {
		for _, in := range bb.Instrs {
			if _, ok := in.(*ssa.Defer); ok && reaches(bb.Succs, bb, map[*ssa.BasicBlock]bool{}) {
				return true
			}
		}
	}
	return false
}

// reaches reports whether control can go from a block of the list to the block to.
func reaches(list []*ssa.BasicBlock, to *ssa.BasicBlock, seen map[*ssa.BasicBlock]bool) bool {
	for _, bb := range list {
		if bb == to {
			return true
		}
		if !seen[bb] {
			seen[bb] = true
			if reaches(bb.Succs, to, seen) {
				return true
			}
		}
	}
	return false
}

// recovered does what recover does in the frame p: it stops a panic and returns its value, or returns nil.
func recovered(p unsafe.Pointer) any {
	fr := (*frame)(p)
	by := fr.deferredBy
	for c := fr.caller; by == nil && c != nil && (c.relaysDefer || c.code.isWrapper); c = c.caller {
		by = c.deferredBy
	}
	if by == nil || by.fails == nil || by.fails.recovered || by.fails.exit {
		return nil
	}
	f := by.fails
	f.recovered = true
	return fr.th.s.Hooks.Recovered(f.value)
}
