package compile

import (
	"go/ast"
	"go/token"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// A deferredCall makes the call of a defer or go statement. The function and the arguments were evaluated when the
// statement ran. by is the frame that makes the call.
type deferredCall func(by *frame)

// A panicRecord describes a panic that unwinds a frame with defer statements.
type panicRecord struct {
	value     any
	goexit    bool // not a panic, but runtime.Goexit, ends the calls
	recovered bool
	pos       token.Pos    // where in this frame the call or step that panicked is
	inner     *panicRecord // the record of the same panic in the next inner frame with defer statements, or nil
	ended     []callSite   // the calls inside this frame that the panic has ended, without those in inner; innermost first
}

// runWithDefers runs the frame of a function that has defer statements.
func (fr *frame) runWithDefers() {
	fr.deferred = nil
	done := false
	defer func() {
		if done {
			return
		}
		fr.recordPanic(recover())
		fr.unwind()
	}()
	fr.runBlocks(fr.code.first)
	done = true
}

// An Exit is the value of a panic that ends a cell as os.Exit ends a program.
type Exit = misuse.Exit

// recordPanic sets fr.panicking for a panic with value v, or for runtime.Goexit if v is nil.
func (fr *frame) recordPanic(v any) {
	fr.th.reportUnwound(fr.caller)
	f := &panicRecord{value: v, goexit: v == nil, pos: fr.pos, ended: fr.th.top.callersBelow(fr)}
	if fr.th.top != fr {
		f.inner = fr.th.top.panicking
	}
	fr.th.top, fr.reported, fr.panicking = fr, true, f
	if _, ok := v.(Exit); ok {
		fr.deferred = nil
	}
}

// unwind runs the remaining deferred calls of fr after a panic. It returns if one of them recovers the panic, or if
// runtime.Goexit ends the goroutine. Otherwise it panics again with the value of the last panic: that of a deferred
// call replaces the one before.
func (fr *frame) unwind() {
	fr.deferring, fr.returnPos = true, token.NoPos
	for len(fr.deferred) > 0 {
		fr.callDeferred(fr.popDeferred())
		if f := fr.panicking; f != nil && f.recovered {
			fr.panicking, fr.reported = nil, false
		}
	}
	switch f := fr.panicking; {
	case f == nil:
		if fr.code.recover != nil {
			fr.runBlocks(fr.code.recover)
		}
	case !f.goexit:
		panic(f.value)
	}
}

// popDeferred removes the next deferred call of fr and returns it.
func (fr *frame) popDeferred() deferredCall {
	n := len(fr.deferred) - 1
	call := fr.deferred[n]
	fr.deferred[n] = nil
	fr.deferred = fr.deferred[:n]
	return call
}

// callDeferred makes a deferred call. A panic of the call replaces the panic of fr.
func (fr *frame) callDeferred(call deferredCall) {
	done := false
	defer func() {
		if done {
			return
		}
		v := recover()
		if v == nil && fr.panicking != nil && fr.panicking.goexit {
			fr.th.top = fr // another Goexit changes nothing
		} else {
			if v != nil { // discard the frames that were reported for the panic that v replaces
				fr.th.s.Hooks.Recovered(v)
				fr.reported = false
				if fr.panicking != nil {
					fr.pos = fr.panicking.pos
				}
			}
			fr.recordPanic(v)
		}
		if v == nil { // Goexit does not return to the loop in unwind
			fr.unwind()
		}
	}()
	call(fr)
	done = true
}

// runDefers emits the deferred calls before the return at the end of bb. As in Go, their position is that of the return
// statement, or of the closing brace if there is no return statement or a defer statement is in a loop.
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
		b.callPositions[in] = pos
	}
	b.emit(func(p unsafe.Pointer) {
		fr := (*frame)(p)
		fr.returnPos = pos
		fr.deferring = true
		for len(fr.deferred) > 0 {
			fr.popDeferred()(fr)
		}
	})
}

// defersInLoop reports whether a defer statement of b.fn may run more than once.
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

// reaches reports whether control can go from a block in list to the block to. seen has the blocks already visited.
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

// recoverPanic is the predeclared recover, called in the frame at p. It stops a panic and returns its value, or returns
// nil.
func recoverPanic(p unsafe.Pointer) any {
	fr := (*frame)(p)
	by := fr.deferredBy // the frame that deferred this call, directly or through relays and wrappers
	for c := fr.caller; by == nil && c != nil && (c.isRelay || c.code.isWrapper); c = c.caller {
		by = c.deferredBy
	}
	if by == nil || by.panicking == nil || by.panicking.recovered || by.panicking.goexit {
		return nil
	}
	f := by.panicking
	f.recovered = true
	return fr.th.s.Hooks.Recovered(f.value)
}

// deferStatement emits a defer statement.
func (b *builder) deferStatement(in *ssa.Defer) {
	var stack uintptr // the register with the frame whose return runs the call, or 0 for the current frame
	if in.DeferStack != nil {
		stack = b.off(in.DeferStack)
	}
	call := b.captureCall(&in.Call)
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
		to.deferred = append(to.deferred, call(fr))
	})
}

// captureCall returns a function, capture, for the step of a defer or go statement. When the step runs, capture copies
// the callee and the arguments from the registers of fr, and returns the call to be made later.
func (b *builder) captureCall(common *ssa.CallCommon) func(fr *frame) deferredCall {
	if f, ok := common.Value.(*ssa.Builtin); ok {
		return b.captureBuiltinCall(common, f.Name())
	}
	regs := b.args(common) // the registers that are copied
	_, isStatic := common.Value.(*ssa.Function)
	hasValue := common.IsInvoke() || !isStatic // regs begins with the receiver or the function value
	if hasValue {
		regs = append([]*register{b.reg(common.Value)}, regs...)
	}
	calleeCode := b.deferredCode(common)
	do := b.caller(common)
	s, enclosing := b.s, b.code // regs are registers in frames of enclosing, the code with the statement
	pos := b.posAt(common.Pos())
	return func(fr *frame) deferredCall {
		held := copyRegisters(fr, regs)
		return func(by *frame) {
			by.pos = pos
			if calleeCode != nil {
				if c := calleeCode(); c != nil {
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
					defer s.beginIndirectDefer(by)()
				}
			}
			next := by.relayFrame(enclosing, regs, held)
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

// deferredCode returns a function that returns the code of the callee at the time of the call. The result of
// deferredCode is nil unless the call names a function of cells.
func (b *builder) deferredCode(common *ssa.CallCommon) func() *code {
	fn, ok := common.Value.(*ssa.Function)
	if !ok || common.IsInvoke() {
		return nil
	}
	if b.isRedefinable(fn) {
		f := b.cellFunction(fn)
		return f.current
	}
	if b.hasBody(fn) {
		c := b.p.want(fn)
		return func() *code { return c }
	}
	return nil
}

// callHeld makes a deferred call of c with the copied arguments held. c may recover the panic of fr.
func (fr *frame) callHeld(c *code, clo *closure, held []unsafe.Pointer) {
	next := fr.th.newFrame(c)
	for i, p := range held {
		r := &c.params[i]
		move(r.class, r.desc, unsafe.Add(unsafe.Pointer(next), r.off), p)
	}
	if clo != nil {
		clo.load(next)
	}
	next.deferredBy = fr
	fr.call(next)
	fr.th.drop(next)
}

// captureBuiltinCall is captureCall for a predeclared function. The steps of the call run in a relay frame whose
// registers hold copies of the arguments.
func (b *builder) captureBuiltinCall(common *ssa.CallCommon, name string) func(fr *frame) deferredCall {
	if name == "recover" {
		return func(*frame) deferredCall {
			return func(by *frame) {
				if by.panicking == nil { // defer recover() does not stop a panic of its own function
					recoverPanic(unsafe.Pointer(by))
				}
			}
		}
	}
	before := b.steps
	b.steps = nil
	b.builtin(&ssa.Call{Call: *common}, name)
	steps := b.steps
	b.steps = before
	regs, c := b.args(common), b.code
	return func(fr *frame) deferredCall {
		held := copyRegisters(fr, regs)
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

// copyRegisters returns pointers to copies of the values in registers of fr.
func copyRegisters(fr *frame, regs []*register) []unsafe.Pointer {
	held := make([]unsafe.Pointer, len(regs))
	for i, r := range regs {
		held[i] = newObject(r.desc)
		move(r.class, r.desc, held[i], unsafe.Add(unsafe.Pointer(fr), r.off))
	}
	return held
}

// relayFrame returns a frame of c, called by fr, whose registers regs have the copied values held. The frame only makes
// a deferred call, which may recover the panic of fr.
func (fr *frame) relayFrame(c *code, regs []*register, held []unsafe.Pointer) *frame {
	next := fr.th.newFrame(c)
	next.caller, next.depth = fr, fr.depth+1
	next.deferredBy, next.isRelay = fr, true
	fr.th.top = next
	for i, r := range regs {
		move(r.class, r.desc, unsafe.Add(unsafe.Pointer(next), r.off), held[i])
	}
	return next
}
