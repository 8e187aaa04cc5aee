package compile

// Range statements over functions. go/ssa translates the loop bodies to functions. The functions below add what the
// translation lacks.

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// rangePanic returns a function that returns the value with which Go panics at the end of bb, if go/ssa panics there
// because a function that is ranged over misuses the loop body. For other blocks it returns nil.
func (b *builder) rangePanic(bb *ssa.BasicBlock) func(fr unsafe.Pointer) any {
	const continued = "range function continued iteration after "
	switch bb.Comment {
	case "rangefunc.resume.busy":
		return func(unsafe.Pointer) any {
			return runtimeError("range function recovered a loop body panic and did not resume panicking")
		}
	case "yield-invalid": // the block before bb compares the state of the loop
		before := bb.Preds[0].Instrs
		state := b.off(before[len(before)-1].(*ssa.If).Cond.(*ssa.BinOp).X)
		return func(fr unsafe.Pointer) any {
			switch *at[int](fr, state) {
			case -1: // jBusy of go/ssa
				return runtimeError(continued + "loop body panic")
			case -2: // jDone of go/ssa
				return runtimeError(continued + "whole loop exit")
			}
			return runtimeError(continued + "function for loop body returned false")
		}
	}
	return nil
}

// rangedOver returns the position of the range expression if in is the call of a function that is ranged over. go/ssa
// gives such calls no position. For other instructions, rangedOver returns NoPos.
func rangedOver(in ssa.Instruction) token.Pos {
	call, ok := in.(*ssa.Call)
	if !ok || len(call.Call.Args) != 1 {
		return token.NoPos
	}
	body, ok := call.Call.Args[0].(*ssa.MakeClosure)
	if !ok {
		return token.NoPos
	}
	if loop := loopOf(body.Fn.(*ssa.Function)); loop != nil {
		return loop.X.Pos()
	}
	return token.NoPos
}

// resumePos returns the position of the range expression if go/ssa panics in bb after the call of the function that is
// ranged over. go/ssa may place bb after the statements that follow the loop. For other blocks, resumePos returns NoPos.
func resumePos(bb *ssa.BasicBlock) (pos token.Pos) {
	if bb.Comment != "rangefunc.resume.busy" {
		return token.NoPos
	}
	for _, in := range bb.Preds[0].Instrs {
		pos = cmp.Or(rangedOver(in), pos)
	}
	return pos
}

// loopOf returns the range statement whose body go/ssa has translated to fn, or nil if fn is another function.
func loopOf(fn *ssa.Function) *ast.RangeStmt {
	loop, _ := fn.Syntax().(*ast.RangeStmt)
	return loop
}

// endRange emits the step that marks a range over a function as ended, if control reaches bb because the loop body left
// the loop, as by break. For other ends of the loop, go/ssa emits this.
func (b *builder) endRange(bb *ssa.BasicBlock) {
	if exit, ok := bb.Instrs[0].(*ssa.BinOp); ok && bb.Comment == "rangefunc.resume.exits" {
		state := b.off(exit.X.(*ssa.UnOp).X)
		b.emit(func(fr unsafe.Pointer) { **at[*int](fr, state) = -2 }) // jDone of go/ssa
	}
}

// missingDefers emits the deferred calls before the return in bb if go/ssa has emitted no RunDefers, because only the
// bodies of ranges over functions have defer statements. Named results that bb has read before are read again, since
// the deferred calls may change them.
func (b *builder) missingDefers(bb *ssa.BasicBlock) {
	if !b.code.defers {
		return
	}
	for _, in := range bb.Instrs {
		if _, ok := in.(*ssa.RunDefers); ok {
			return
		}
	}
	b.runDefers(bb)
	for _, in := range bb.Instrs {
		load, ok := in.(*ssa.UnOp)
		if !ok || load.Op != token.MUL || b.layout.of[load] == nil {
			continue
		}
		for v := range b.fn.Signature.Results().Variables() {
			if alloc, ok := load.X.(*ssa.Alloc); ok && v.Name() != "" && alloc.Pos() == v.Pos() {
				b.emit(b.place(alloc).load(b.inner(load.Type()), b.off(load)))
			}
		}
	}
}

// isDeferStack reports whether v returns the frame to which defer statements in the bodies of ranges over functions add
// their calls.
func isDeferStack(v *ssa.Call) bool {
	f, ok := v.Call.Value.(*ssa.Builtin)
	return ok && f.Name() == "ssa:deferstack"
}

// isDeferStackType reports whether t is the type that go/ssa gives such a frame.
func isDeferStackType(t types.Type) bool {
	n, ok := t.(*types.Named)
	return ok && n.Obj().Name() == "deferStack" && n.Obj().Parent() == nil
}
