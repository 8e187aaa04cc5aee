package compile

import (
	"cmp"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/check"
)

// A builder compiles one function.
type builder struct {
	s             *Session
	p             *program
	fn            *ssa.Function
	code          *code
	types         map[types.Type]reflect.Type // the results of inner so far
	layout        *layout
	fused         map[ssa.Value]bool            // values that are computed at their only use; see fuse
	updates       map[*ssa.MapUpdate]*ssa.BinOp // the assignments m[k] op= v, with the operation
	skipped       map[ssa.Instruction]bool      // the lookups and operations of updates, which have no steps of their own
	sharesWith    map[ssa.Value]ssa.Value       // for each value that has the register of a phi, that phi; see coalesce
	blocks        []*block                      // by the index of their ssa.BasicBlock
	jumps         map[*block]*block             // the targets of blocks that end in an unconditional jump
	steps         []op                          // the steps of the current block
	areas         map[*ssa.Alloc]*register      // the registers for variables that stay in the frame
	temps         map[*ssa.Phi]*register        // temporary registers for the new values of phis; see edgeMoves
	pos           token.Pos                     // of the last instruction with a position
	noPositions   bool                          // the source of fn is not in a cell
	current       ssa.Instruction
	scratches     []*register                   // for indices that are converted to int, in the order of their use
	usedScratch   int                           // how many of scratches have been used
	receiver      *register                     // for the receivers of calls through interfaces; nil if fn makes none
	asValues      map[*ssa.Function]bool        // the functions that fn uses as values; nil until computed
	callPositions map[ssa.Instruction]token.Pos // the position at which a frame of fn stands during each call
}

// function compiles b.fn to b.code.
func (b *builder) function() {
	fn := b.fn
	if len(fn.Blocks) == 0 {
		b.fail("%s has no body", fn)
	}
	if fn.TypeParams().Len() > len(fn.TypeArgs()) {
		b.fail("cells do not support the generic function %s without type arguments", fn)
	}
	b.layout = &layout{of: map[ssa.Value]*register{}, parts: map[ssa.Value][]*register{}}
	b.callPositions = map[ssa.Instruction]token.Pos{}
	b.fused, b.sharesWith = map[ssa.Value]bool{}, map[ssa.Value]ssa.Value{}
	b.areas, b.temps, b.jumps = map[*ssa.Alloc]*register{}, map[*ssa.Phi]*register{}, map[*block]*block{}
	// Synthetic functions have no source in a cell, except instances of generic functions and bodies of ranges over
	// functions. Functions of stdFiles have none either.
	b.noPositions = fn.Synthetic != "" && originOf(fn) == nil && loopOf(fn) == nil || b.isStd(fn)
	b.pos = b.posAt(fn.Pos())
	b.fuse()
	b.fuseRows()
	b.updates, b.skipped = map[*ssa.MapUpdate]*ssa.BinOp{}, map[ssa.Instruction]bool{}
	b.fuseUpdates()
	b.coalesce()
	params, captured, results := b.registers()
	check.Abandon(b.p.src.Ctx, func() { b.layout.place(b.code) }) // takes long for large frames
	b.code.params, b.code.captured = registerValues(params), registerValues(captured)
	b.code.results = registerValues(results)
	b.addFills()
	b.blocks = make([]*block, len(fn.Blocks))
	for i := range b.blocks {
		b.blocks[i] = &block{}
	}
	for i, bb := range fn.Blocks {
		b.block(bb, b.blocks[i])
	}
	b.threadJumps()
	b.code.first = b.blocks[0]
	if len(b.callPositions) > 0 && !b.code.first.polls { // the function may recurse without a loop
		b.code.first.polls, b.code.first.pos = true, b.posAt(firstPoll(fn))
	}
	if fn.Recover != nil {
		b.code.recover = b.blocks[fn.Recover.Index]
	}
	b.code.funcType = b.goType(fn)
	if b.s.mayCollect {
		b.code.dead = b.deadAtCalls(b.callPositions)
	}
	b.recordReferences()
}

// firstPoll returns the position of the poll at the end of the first block of fn: that of the last instruction in the
// block that may have taken long, or else that of fn.
func firstPoll(fn *ssa.Function) token.Pos {
	pos := fn.Pos()
	for _, in := range fn.Blocks[0].Instrs {
		mayWait := false
		switch in := in.(type) {
		case *ssa.Call, *ssa.Send, *ssa.Select:
			mayWait = true
		case *ssa.UnOp:
			mayWait = in.Op == token.ARROW
		}
		if mayWait && in.Pos().IsValid() {
			pos = in.Pos()
		}
	}
	return pos
}

// isStd reports whether fn is an instance of a function in stdFiles, or a function literal in such an instance.
func (b *builder) isStd(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	origin := originOf(fn)
	return origin != nil && strings.HasPrefix(origin.Pkg().Path(), stdPath)
}

// goType returns the Go type of fn, with the inner types (see inner) of its parameters and results. The first parameter
// of a method is its receiver.
func (b *builder) goType(fn *ssa.Function) reflect.Type {
	var in, out []reflect.Type
	for _, p := range fn.Params {
		in = append(in, b.inner(p.Type()))
	}
	for v := range fn.Signature.Results().Variables() {
		out = append(out, b.inner(v.Type()))
	}
	variadic := fn.Signature.Variadic() && len(in) > 0 && in[len(in)-1].Kind() == reflect.Slice
	return reflect.FuncOf(in, out, variadic)
}

// off returns the offset of v's register.
func (b *builder) off(v ssa.Value) uintptr { return b.reg(v).off }

// commaOk returns the register of v. If tuple is set, v is a pair of a value and a bool, and commaOk returns the
// register of the value and the offset of the bool.
func (b *builder) commaOk(v ssa.Value, tuple bool) (value *register, ok uintptr) {
	if !tuple {
		return b.reg(v), 0
	}
	parts := b.layout.parts[v]
	return parts[0], parts[1].off
}

// reg returns the register of v.
func (b *builder) reg(v ssa.Value) *register {
	if x, ok := v.(*ssa.Extract); ok {
		return b.layout.parts[x.Tuple][x.Index]
	}
	r := b.layout.of[v]
	if r == nil {
		b.fail("cells do not support a %T as an operand", v)
	}
	return r
}

// emit appends a step to the current block.
func (b *builder) emit(f op) { b.steps = append(b.steps, f) }

// block compiles bb to the block to.
func (b *builder) block(bb *ssa.BasicBlock, to *block) {
	b.steps = nil
	b.endRange(bb)
	for _, in := range bb.Instrs {
		check.Poll(b.p.src.Ctx)
		if v, ok := in.(ssa.Value); ok && b.fused[v] || b.skipped[in] {
			continue
		}
		if p := b.posAt(in.Pos()); p.IsValid() {
			b.pos = p
		} else if p := b.posAt(rangedOver(in)); p.IsValid() {
			b.pos = p
		}
		b.current = in
		b.functionValues(in)
		switch in := in.(type) {
		case *ssa.Phi, *ssa.Extract, *ssa.DebugRef:
		case *ssa.Jump:
			moves := b.edgeMoves(bb, bb.Succs[0], 0)
			to.polls, to.pos = isBack(bb, bb.Succs[0]), b.loopPos(bb)
			b.steps = append(b.steps, moves...)
			target := b.blocks[bb.Succs[0].Index]
			to.next = func(unsafe.Pointer) *block { return target }
			b.jumps[to] = target
		case *ssa.If:
			to.next = b.branch(in, b.edgeBlock(bb, 0), b.edgeBlock(bb, 1))
		case *ssa.Return:
			b.missingDefers(bb)
			for i, v := range in.Results {
				r := &b.code.results[i]
				b.emit(copyOp(r, r.off, b.off(v)))
			}
			to.next = func(unsafe.Pointer) *block { return nil }
		case *ssa.Panic:
			x, pos := b.off(in.X), b.pos
			if t := b.reg(in.X).typ; t.NumMethod() > 0 {
				b.fail("cells do not support a panic with a value of type %v", t)
			}
			value := func(fr unsafe.Pointer) any { return *at[any](fr, x) }
			if f := b.rangePanic(bb); f != nil {
				value = f
				pos = cmp.Or(b.posAt(resumePos(bb)), pos)
			}
			to.next = func(fr unsafe.Pointer) *block {
				(*frame)(fr).pos = pos
				panic(value(fr))
			}
		default:
			b.instruction(in)
		}
	}
	if to.next == nil {
		b.fail("the compiler of cells made code without an end; this is a fault of goanvil, not of the cell")
	}
	to.ops = b.steps
}

// functionValues emits the steps that set registers to functions: one for each function of a cell that the instruction
// in uses as a value. For phis, edgeMoves does so.
func (b *builder) functionValues(in ssa.Instruction) {
	if _, ok := in.(*ssa.Phi); ok {
		return
	}
	var buffer [8]*ssa.Value
	call, isCall := in.(ssa.CallInstruction)
	for _, x := range in.Operands(buffer[:0]) {
		fn, ok := (*x).(*ssa.Function)
		if !ok || !b.isRedefinable(fn) || isCall && x == &call.Common().Value {
			continue
		}
		b.emit(b.functionValue(fn))
	}
}

// functionValue returns the step that sets the register of fn, a function of cells that is used as a value. Calls of
// the value run the latest body of the function.
func (b *builder) functionValue(fn *ssa.Function) op {
	if fn.Signature.Recv() != nil {
		b.fail("cells do not support the method %s as a value", fn)
	}
	f, d, t, s := b.cellFunction(fn), b.off(fn), b.inner(fn.Signature), b.s
	return func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = s.functionValue(f, t) }
}

// posOf returns the position of the instruction in, for tracebacks. If it has none, posOf returns the position of the
// last instruction with one.
func (b *builder) posOf(in interface{ Pos() token.Pos }) token.Pos {
	if p := b.posAt(in.Pos()); p.IsValid() {
		return p
	}
	return b.pos
}

// posAt returns p, or NoPos in functions whose source is not in a cell.
func (b *builder) posAt(p token.Pos) token.Pos {
	if b.noPositions {
		return token.NoPos
	}
	return p
}
