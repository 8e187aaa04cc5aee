package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/check"
)

// builder makes the code of one function.
type builder struct {
	s           *Session
	p           *program
	fn          *ssa.Function
	code        *code
	types       map[types.Type]reflect.Type // the results of inner
	l           *layout
	fused       map[ssa.Value]bool            // addresses and comparisons that are computed at their only use
	updates     map[*ssa.MapUpdate]*ssa.BinOp // m[k] op= v
	skipped     map[ssa.Instruction]bool      // instructions without steps of their own: those of updates
	same        map[ssa.Value]ssa.Value       // values to the phis whose registers they share
	blocks      []*block                      // by the index of their ssa.BasicBlock
	jumps       map[*block]*block             // blocks that end in an unconditional jump, to its target
	out         []op                          // the steps of the current block
	areas       map[*ssa.Alloc]*register      // the memory of variables that stay in the frame
	temps       map[*ssa.Phi]*register        // the new values of phis until all phis of the block have been read
	pos         token.Pos                     // of the current instruction
	noPositions bool                          // the source of fn is not in a cell
	current     ssa.Instruction
	scratches   []*register                   // for indices that are not ints, in the order of their use
	usedScratch int                           // how many of scratches have been used
	receiver    *register                     // for the receivers of methods of packages, or nil
	asValues    map[*ssa.Function]bool        // the functions that fn uses as values; nil until computed
	calls       map[ssa.Instruction]token.Pos // the position that frames have during each call
}

// function compiles b.fn to b.code.
func (b *builder) function() {
	fn := b.fn
	if len(fn.Blocks) == 0 {
		b.cannot("%s has no body here", fn)
	}
	if fn.TypeParams().Len() > len(fn.TypeArgs()) {
		b.cannot("%s is generic", fn)
	}
	b.l = &layout{b: b, of: map[ssa.Value]*register{}, parts: map[ssa.Value][]*register{}}
	b.calls = map[ssa.Instruction]token.Pos{}
	b.fused, b.same = map[ssa.Value]bool{}, map[ssa.Value]ssa.Value{}
	b.areas, b.temps, b.jumps = map[*ssa.Alloc]*register{}, map[*ssa.Phi]*register{}, map[*block]*block{}
	b.noPositions = fn.Synthetic != "" && originOf(fn) == nil || b.isStd(fn)
	b.pos = b.posAt(fn.Pos())
	b.fuse()
	b.fuseRows()
	b.updates, b.skipped = map[*ssa.MapUpdate]*ssa.BinOp{}, map[ssa.Instruction]bool{}
	b.fuseUpdates()
	b.coalesce()
	params, captured, results := b.registers()
	check.Abandon(b.p.src.Ctx, func() { b.l.place(b.code) }) // the types of large frames take long to make
	b.code.params, b.code.captured, b.code.results = values(params), values(captured), values(results)
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
	if len(b.calls) > 0 && !b.code.first.polls {
		b.code.first.polls, b.code.first.pos = true, b.posAt(fn.Pos())
	}
	if fn.Recover != nil {
		b.code.recover = b.blocks[fn.Recover.Index]
	}
	b.code.fn = b.goType(fn)
	if b.s.collects {
		b.code.dead = b.deadAtCalls(b.calls)
	}
	b.references()
}

// isStd reports whether fn is, or is declared in, an instance of a function of stdFiles.
func (b *builder) isStd(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	origin := originOf(fn)
	return origin != nil && strings.HasPrefix(origin.Pkg().Path(), stdPath)
}

// values returns the registers that list points to.
func values(list []*register) []register {
	all := make([]register, len(list))
	for i, r := range list {
		all[i] = *r
	}
	return all
}

// goType returns the type of fn as a Go function over inner types, its receiver first.
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

// fuse finds the values that are computed at their only use: addresses that one load or store of the same
// block uses, comparisons that the jump at the end of the block uses, and products that are added next.
func (b *builder) fuse() {
	for _, bb := range b.fn.Blocks {
		for _, in := range bb.Instrs {
			v, ok := in.(ssa.Value)
			if !ok || v.Referrers() == nil || len(*v.Referrers()) != 1 {
				continue
			}
			user := (*v.Referrers())[0]
			if user.Block() != bb {
				continue
			}
			switch v := v.(type) {
			case *ssa.FieldAddr, *ssa.IndexAddr:
				switch user := user.(type) {
				case *ssa.UnOp:
					b.fused[v] = user.Op == token.MUL && b.next(bb, in) == user
				case *ssa.Store:
					b.fused[v] = user.Addr == v && user.Val != v
				case *ssa.FieldAddr:
					b.fused[v] = b.next(bb, in) == user
				}
			case *ssa.BinOp:
				if b.isAddedProduct(v, user) && b.next(bb, in) == user {
					b.fused[v] = true
				}
				if _, ok := user.(*ssa.If); ok {
					if _, basic := v.X.Type().Underlying().(*types.Basic); basic {
						b.fused[v] = isComparison(v.Op) && bb.Instrs[len(bb.Instrs)-2] == in
					}
				}
			}
		}
	}
}

// isAddedProduct reports whether v is a product of float64s and user adds it to another value.
func (b *builder) isAddedProduct(v *ssa.BinOp, user ssa.Instruction) bool {
	sum, ok := user.(*ssa.BinOp)
	return ok && v.Op == token.MUL && sum.Op == token.ADD && sum.X != sum.Y && b.inner(v.Type()).Kind() == reflect.Float64
}

// fuseUpdates finds m[k] op= v, so that looking up the element, changing it and setting it again is one step
// with one search.
func (b *builder) fuseUpdates() {
	for _, bb := range b.fn.Blocks {
		for _, in := range bb.Instrs {
			set, ok := in.(*ssa.MapUpdate)
			if !ok {
				continue
			}
			change, ok := set.Value.(*ssa.BinOp)
			if !ok || len(*change.Referrers()) != 1 || change.Block() != bb || b.next(bb, change) != set {
				continue
			}
			get, ok := change.X.(*ssa.Lookup)
			if !ok || get.CommaOk || get.X != set.Map || get.Index != set.Key || len(*get.Referrers()) != 1 || b.next(bb, get) != change {
				continue
			}
			t := b.inner(set.Map.Type())
			_, isNumber := arithmetic.of(t.Elem().Kind())
			if isNumber && b.assigner(t) != nil && change.Op != token.QUO && change.Op != token.REM && change.Op != token.SHL && change.Op != token.SHR {
				b.updates[set], b.skipped[get], b.skipped[change] = change, true, true
			}
		}
	}
}

// fuseRows finds the slices that are elements of slices and are only indexed, so that
// a[i][j] is one step.
func (b *builder) fuseRows() {
	for _, bb := range b.fn.Blocks {
		for _, in := range bb.Instrs {
			row, ok := in.(*ssa.UnOp)
			if !ok || row.Op != token.MUL || !b.fused[row.X] || len(*row.Referrers()) != 1 {
				continue
			}
			addr, isIndex := row.X.(*ssa.IndexAddr)
			elem, ok := (*row.Referrers())[0].(*ssa.IndexAddr)
			if !ok || !isIndex || !b.fused[elem] || elem.X != row || b.next(bb, in) != ssa.Instruction(elem) {
				continue
			}
			if user, ok := (*elem.Referrers())[0].(*ssa.UnOp); !ok || b.next(bb, elem) != ssa.Instruction(user) {
				continue
			}
			_, isSlice := addr.X.Type().Underlying().(*types.Slice)
			_, ofSlices := row.Type().Underlying().(*types.Slice)
			if isSlice && ofSlices && b.isInt(addr.Index) && b.isInt(elem.Index) {
				b.fused[row] = true
			}
		}
	}
}

func (b *builder) isInt(v ssa.Value) bool { return b.inner(v.Type()).Kind() == reflect.Int }

func isComparison(o token.Token) bool {
	switch o {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// next returns the instruction of bb after in, or nil.
func (b *builder) next(bb *ssa.BasicBlock, in ssa.Instruction) ssa.Instruction {
	for i, x := range bb.Instrs {
		if x == in && i+1 < len(bb.Instrs) {
			return bb.Instrs[i+1]
		}
	}
	return nil
}

// coalesce gives a phi and the value that it takes in the next iteration of a loop the same register, if
// the old value is not read after the new one is computed.
func (b *builder) coalesce() {
	taken := map[ssa.Value]bool{}
	for _, bb := range b.fn.Blocks {
		for _, in := range bb.Instrs {
			phi, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			for i, pred := range bb.Preds {
				v, ok := phi.Edges[i].(ssa.Instruction)
				if !ok || v.Block() != pred || len(pred.Succs) != 1 {
					continue
				}
				switch v.(type) {
				case *ssa.BinOp, *ssa.UnOp, *ssa.Convert:
				default:
					continue
				}
				val := v.(ssa.Value)
				if !taken[val] && b.mayShare(phi, val, pred, bb) {
					b.same[val] = phi
					taken[val] = true
					break
				}
			}
		}
	}
}

// mayShare reports whether v, computed in pred, may overwrite phi. phi is in the block to, to which pred
// jumps.
func (b *builder) mayShare(phi *ssa.Phi, v ssa.Value, pred, to *ssa.BasicBlock) bool {
	if classOf(b.inner(phi.Type())) >= plain {
		return false
	}
	for _, ref := range *v.Referrers() {
		if p, ok := ref.(*ssa.Phi); ok {
			if p != phi {
				return false // the other phi would read the value after the moves of another edge
			}
			n := 0
			for i, e := range p.Edges {
				if e == v {
					n++
					if to.Preds[i] != pred {
						return false
					}
				}
			}
			if n > 1 {
				return false
			}
			continue
		}
		if ref.Block() != pred {
			return false
		}
	}
	computed := false
	users := map[ssa.Instruction]bool{}
	b.uses(phi, users, 0)
	for _, in := range pred.Instrs {
		if computed && users[in] {
			return false
		}
		if in == v.(ssa.Instruction) {
			computed = true
		}
	}
	for _, in := range to.Instrs {
		p, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		for i, e := range p.Edges {
			if e == phi && to.Preds[i] == pred {
				return false
			}
		}
	}
	return true
}

// uses collects the instructions that read v, directly or through fused addresses.
func (b *builder) uses(v ssa.Value, users map[ssa.Instruction]bool, depth int) {
	for _, ref := range *v.Referrers() {
		users[ref] = true
		if x, ok := ref.(ssa.Value); ok && b.fused[x] && depth < 10 {
			b.uses(x, users, depth+1)
		}
	}
}

// registers allocates a register for every value. It returns those of the parameters, the captured
// variables and the results.
func (b *builder) registers() (params, captured, results []*register) {
	l := b.l
	for _, p := range b.fn.Params {
		r := l.add(b.inner(p.Type()), false)
		l.of[p] = r
		params = append(params, r)
	}
	for _, p := range b.fn.FreeVars {
		r := l.add(b.inner(p.Type()), false)
		l.of[p] = r
		captured = append(captured, r)
	}
	for v := range b.fn.Signature.Results().Variables() {
		results = append(results, l.add(b.inner(v.Type()), false))
	}
	for _, bb := range b.fn.Blocks {
		for _, in := range bb.Instrs {
			if _, ok := in.(*ssa.DebugRef); ok {
				continue
			}
			if _, ok := in.(*ssa.Defer); ok {
				b.code.defers = true
			}
			if v, ok := in.(ssa.Value); ok {
				b.register(v)
			}
			var rands [8]*ssa.Value
			for _, x := range in.Operands(rands[:0]) {
				if *x != nil {
					b.operand(*x)
				}
			}
			b.addScratch(in)
		}
	}
	for v, phi := range b.same {
		l.of[v] = l.of[phi]
	}
	if b.needsReceiver() {
		b.receiver = l.add(reflect.TypeFor[unsafe.Pointer](), false)
	}
	return params, captured, results
}

// register allocates the registers that the instruction v needs for its value.
func (b *builder) register(v ssa.Value) {
	l := b.l
	if b.fused[v] || b.same[v] != nil {
		return
	}
	switch v := v.(type) {
	case *ssa.Extract:
		return // a part of the tuple
	case *ssa.Range:
		l.of[v] = l.add(reflect.TypeFor[unsafe.Pointer](), false)
		return
	case *ssa.Alloc:
		if isMakeSlice(v) {
			return // makeSlice allocates it with the slice
		}
		if !v.Heap {
			b.areas[v] = l.add(b.inner(v.Type().Underlying().(*types.Pointer).Elem()), false)
		}
	case *ssa.Phi:
		b.temps[v] = nil
		for _, in := range v.Block().Instrs {
			p, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			for _, e := range p.Edges {
				if q, ok := e.(*ssa.Phi); ok && q.Block() == v.Block() || b.same[e] != nil {
					b.temps[v] = l.add(b.inner(v.Type()), false)
				}
			}
			if b.temps[v] != nil {
				break
			}
		}
	case *ssa.Call:
		b.code.defers = b.code.defers || isDeferStack(v)
	}
	if t, ok := v.Type().(*types.Tuple); ok {
		var parts []*register
		for i := range t.Len() {
			if isInvalid(t.At(i).Type()) {
				parts = append(parts, nil)
				continue
			}
			parts = append(parts, l.add(b.inner(t.At(i).Type()), false))
		}
		l.parts[v] = parts
		return
	}
	l.of[v] = l.add(b.inner(v.Type()), false)
}

// isInvalid reports whether t is the type that go/ssa gives an unused key or value of a range clause.
func isInvalid(t types.Type) bool {
	basic, ok := t.(*types.Basic)
	return ok && basic.Kind() == types.Invalid
}

// isDeferStack reports whether v reads the frame that the loop bodies of a range over a function defer to.
func isDeferStack(v *ssa.Call) bool {
	f, ok := v.Call.Value.(*ssa.Builtin)
	return ok && f.Name() == "ssa:deferstack"
}

// operand allocates a register for a value that is not an instruction.
func (b *builder) operand(v ssa.Value) {
	if b.l.of[v] != nil {
		return
	}
	switch v := v.(type) {
	case *ssa.Const:
		if isUntypedNil(v.Type()) {
			b.l.of[v] = b.l.add(reflect.TypeFor[any](), true)
			return
		}
		b.l.of[v] = b.l.add(b.inner(v.Type()), true)
	case *ssa.Global:
		b.l.of[v] = b.l.add(reflect.TypeFor[unsafe.Pointer](), true)
	case *ssa.Function:
		b.l.of[v] = b.l.add(reflect.TypeFor[unsafe.Pointer](), true)
	}
}

func isUntypedNil(t types.Type) bool {
	basic, ok := t.(*types.Basic)
	return ok && basic.Kind() == types.UntypedNil
}

// addFills adds the steps that set the registers of constants, globals and functions in a new
// frame.
func (b *builder) addFills() {
	for v, r := range b.l.of {
		switch v := v.(type) {
		case *ssa.Const:
			if f := b.constant(v, r); f != nil {
				b.code.fill = append(b.code.fill, f)
			}
		case *ssa.Global:
			b.fillGlobal(v, r.at)
		case *ssa.Function:
			b.fillFunction(v, r.at)
		}
	}
}

// fillGlobal adds the step that sets the register at d of new frames to the address of a variable.
func (b *builder) fillGlobal(g *ssa.Global, d uintptr) {
	obj := g.Object()
	if p := b.s.stdVariable(obj); p != nil {
		b.code.fill = append(b.code.fill, func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = p })
		return
	}
	if name := b.p.src.Engine(obj); name != "" {
		v := b.s.variable(name)
		b.code.fill = append(b.code.fill, func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = v.at })
		return
	}
	sym, ok := b.s.Hooks.Symbols(obj.Pkg().Path())[obj.Name()]
	if !ok || !sym.CanAddr() {
		b.cannot("there is no variable %s.%s", obj.Pkg().Path(), obj.Name())
	}
	p := sym.Addr().UnsafePointer()
	if t := b.inner(obj.Type()); t == fileType && sym.Type() != t {
		p = b.s.standIn(obj.Name(), sym.Interface())
	}
	b.code.fill = append(b.code.fill, func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = p })
}

// off returns the offset of v's register.
func (b *builder) off(v ssa.Value) uintptr {
	if x, ok := v.(*ssa.Extract); ok {
		return b.l.parts[x.Tuple][x.Index].at
	}
	r := b.l.of[v]
	if r == nil {
		b.cannot("a %T as an operand", v)
	}
	return r.at
}

// commaOk returns the register of v's value. If v is a tuple of a value and a bool, it also returns the
// offset of the bool.
func (b *builder) commaOk(v ssa.Value, tuple bool) (value *register, ok uintptr) {
	if !tuple {
		return b.reg(v), 0
	}
	parts := b.l.parts[v]
	return parts[0], parts[1].at
}

// reg returns the register of v.
func (b *builder) reg(v ssa.Value) *register {
	if x, ok := v.(*ssa.Extract); ok {
		return b.l.parts[x.Tuple][x.Index]
	}
	r := b.l.of[v]
	if r == nil {
		b.cannot("a %T as an operand", v)
	}
	return r
}

func (b *builder) emit(f op) { b.out = append(b.out, f) }

// block compiles bb to the block to.
func (b *builder) block(bb *ssa.BasicBlock, to *block) {
	b.out = nil
	b.endRange(bb)
	for _, in := range bb.Instrs {
		check.Poll(b.p.src.Ctx)
		if v, ok := in.(ssa.Value); ok && b.fused[v] || b.skipped[in] {
			continue
		}
		if p := b.posAt(in.Pos()); p.IsValid() {
			b.pos = p
		}
		b.current = in
		b.lateValues(in)
		switch in := in.(type) {
		case *ssa.Phi, *ssa.Extract, *ssa.DebugRef:
		case *ssa.Jump:
			moves := b.edge(bb, bb.Succs[0], 0)
			to.polls, to.pos = isBack(bb, bb.Succs[0]), b.loopPos(bb)
			b.out = append(b.out, moves...)
			target := b.blocks[bb.Succs[0].Index]
			to.next = func(unsafe.Pointer) *block { return target }
			b.jumps[to] = target
		case *ssa.If:
			to.next = b.branch(in, b.side(bb, 0), b.side(bb, 1))
		case *ssa.Return:
			b.missingDefers(bb)
			for i, v := range in.Results {
				r := &b.code.results[i]
				b.emit(copyOp(r, r.at, b.off(v)))
			}
			to.next = func(unsafe.Pointer) *block { return nil }
		case *ssa.Panic:
			x, pos := b.off(in.X), b.pos
			if t := b.reg(in.X).typ; t.NumMethod() > 0 {
				b.cannot("a panic with a %v", t)
			}
			value := func(fr unsafe.Pointer) any { return *at[any](fr, x) }
			if f := b.rangePanic(bb); f != nil {
				value = f
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
		b.cannot("a block without an end")
	}
	to.ops = b.out
}

// rangePanic returns the function that returns Go's panic value for a range over a function that misuses the
// loop body, if bb is one of the blocks of go/ssa that panic then. For other blocks it returns nil.
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
			case -1:
				return runtimeError(continued + "loop body panic")
			case -2:
				return runtimeError(continued + "whole loop exit")
			}
			return runtimeError(continued + "function for loop body returned false")
		}
	}
	return nil
}

// endRange emits the step that marks a range over a function as ended, if bb is where the loop body has left
// the loop. go/ssa marks it only where the function returns.
func (b *builder) endRange(bb *ssa.BasicBlock) {
	if exit, ok := bb.Instrs[0].(*ssa.BinOp); ok && bb.Comment == "rangefunc.resume.exits" {
		state := b.off(exit.X.(*ssa.UnOp).X)
		b.emit(func(fr unsafe.Pointer) { **at[*int](fr, state) = -2 })
	}
}

// missingDefers emits the deferred calls before the return in bb if go/ssa has not emitted a RunDefers, as
// in functions where only the bodies of ranges over functions defer. The named results that bb has read are
// read again, since the deferred calls may change them.
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
		if !ok || load.Op != token.MUL || b.l.of[load] == nil {
			continue
		}
		for v := range b.fn.Signature.Results().Variables() {
			if alloc, ok := load.X.(*ssa.Alloc); ok && v.Name() != "" && alloc.Pos() == v.Pos() {
				b.emit(b.place(alloc).load(b.inner(load.Type()), b.off(load)))
			}
		}
	}
}

// loopPos returns the position of the jump at the end of bb. It is that of the last instruction that has a
// position; if bb jumps to itself and has no such instruction, it is that of the next loop in the source.
func (b *builder) loopPos(bb *ssa.BasicBlock) token.Pos {
	if bb.Succs[0] != bb || b.fn.Syntax() == nil {
		return b.pos
	}
	for _, in := range bb.Instrs {
		if in.Pos().IsValid() {
			return b.pos
		}
	}
	next := b.pos
	ast.Inspect(b.fn.Syntax(), func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.LabeledStmt:
			if next == b.pos && n.Pos() > b.pos {
				next = n.Pos()
			}
		}
		return true
	})
	return next
}

// side returns the block that bb jumps to for its successor i. It makes the moves to the phis of the
// successor first.
func (b *builder) side(bb *ssa.BasicBlock, i int) *block {
	succ := bb.Succs[i]
	target := b.blocks[succ.Index]
	moves := b.edge(bb, succ, i)
	if len(moves) == 0 && !isBack(bb, succ) {
		return target
	}
	fresh := &block{ops: moves, next: func(unsafe.Pointer) *block { return target }, polls: isBack(bb, succ), pos: b.pos}
	b.jumps[fresh] = target
	return fresh
}

// isBack reports whether a jump may be a back-edge. Every loop contains at least one such jump.
func isBack(from, to *ssa.BasicBlock) bool { return to.Index <= from.Index }

// edge returns the steps on the edge between two blocks, the moves to the phis. succ is the index of to among
// the successors of from.
func (b *builder) edge(from, to *ssa.BasicBlock, succ int) (moves []op) {
	n := -1 // the index of the edge among those to the block
	for i, p := range to.Preds {
		if p == from && (n < 0 || succ > 0) { // if both successors are to, the first edge is that of succ 0
			n = i
		}
	}
	type phiMove struct {
		phi *ssa.Phi
		src uintptr
	}
	var list []phiMove
	written := map[uintptr]bool{}
	conflict := false // a move overwrites the source of a later one
	for _, in := range to.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		src := b.off(phi.Edges[n])
		if d := b.off(phi); src != d {
			conflict = conflict || written[src]
			list = append(list, phiMove{phi, src})
			written[d] = true
		}
	}
	if conflict {
		for _, m := range list {
			t := b.temps[m.phi]
			if t == nil {
				b.cannot("phis that wait for each other")
			}
			moves = append(moves, copyOp(t, t.at, m.src))
		}
	}
	for _, m := range list {
		src := m.src
		if conflict {
			src = b.temps[m.phi].at
		}
		moves = append(moves, copyOp(b.reg(m.phi), b.off(m.phi), src))
	}
	return moves
}

// smallBlock is the greatest number of steps of a block that threadJumps copies.
const smallBlock = 3

// threadJumps replaces jumps to small blocks, such as the conditions of loops, by copies of the blocks.
func (b *builder) threadJumps() {
	type saved struct {
		ops  []op
		next func(unsafe.Pointer) *block
	}
	old := map[*block]saved{}
	for from, to := range b.jumps {
		old[from] = saved{from.ops, from.next}
		old[to] = saved{to.ops, to.next}
	}
	for from, to := range b.jumps {
		if t := old[to]; len(t.ops) <= smallBlock && from != to && !to.polls {
			from.ops = append(from.ops[:len(from.ops):len(from.ops)], t.ops...)
			from.next = t.next
		}
	}
}

// branch returns the conditional jump that ends a block.
func (b *builder) branch(in *ssa.If, yes, no *block) func(unsafe.Pointer) *block {
	if v, ok := in.Cond.(*ssa.BinOp); ok && b.fused[v] {
		t := b.inner(v.X.Type())
		x, y := b.operandOf(v.X), b.operandOf(v.Y)
		if f, ok := branches.of(t.Kind()); ok {
			return f(v.Op, x, y, yes, no)
		}
		cond := b.comparison(v)
		return func(fr unsafe.Pointer) *block {
			if cond(fr) {
				return yes
			}
			return no
		}
	}
	x := b.off(in.Cond)
	return func(fr unsafe.Pointer) *block {
		if *at[bool](fr, x) {
			return yes
		}
		return no
	}
}

// operandOf returns v as an operand of integerArith or of another function that returns a step.
func (b *builder) operandOf(v ssa.Value) operand {
	o := operand{at: b.off(v)}
	if c, ok := v.(*ssa.Const); ok && c.Value != nil {
		if t := b.inner(c.Type()); isInteger(t.Kind()) {
			o.isConst = true
			o.n = c.Int64()
			if !signed(t.Kind()) {
				o.n = int64(c.Uint64())
			}
		}
	}
	return o
}

// addScratch allocates registers for the indices of an instruction that are not ints.
func (b *builder) addScratch(in ssa.Instruction) {
	var list []ssa.Value
	switch in := in.(type) {
	case *ssa.IndexAddr:
		list = []ssa.Value{in.Index}
	case *ssa.Index:
		list = []ssa.Value{in.Index}
	case *ssa.Lookup:
		list = []ssa.Value{in.Index}
	case *ssa.Slice:
		list = []ssa.Value{in.Low, in.High, in.Max}
	case *ssa.MakeSlice:
		list = []ssa.Value{in.Len, in.Cap}
	case *ssa.MakeChan:
		list = []ssa.Value{in.Size}
	}
	for _, v := range list {
		if v == nil {
			continue
		}
		if k := b.inner(v.Type()).Kind(); k != reflect.Int && k != reflect.Int64 {
			b.scratches = append(b.scratches, b.l.add(reflect.TypeFor[int](), false))
		}
	}
}

// scratch returns the offset of the next register that addScratch has allocated.
func (b *builder) scratch() uintptr {
	if b.usedScratch == len(b.scratches) {
		b.cannot("no register for an index")
	}
	b.usedScratch++
	return b.scratches[b.usedScratch-1].at
}

// needsReceiver reports whether fn makes calls that need b.receiver.
func (b *builder) needsReceiver() bool {
	for _, bb := range b.fn.Blocks {
		for _, in := range bb.Instrs {
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if call.Common().IsInvoke() {
				return true
			}
			if fn, ok := call.Common().Value.(*ssa.Function); ok && fn.Signature.Recv() != nil && b.isLate(fn) {
				return true
			}
		}
	}
	return false
}

// lateValues emits the steps that set the registers of the functions of cells that an instruction uses as
// values: functions whose latest body is called.
func (b *builder) lateValues(in ssa.Instruction) {
	var rands [8]*ssa.Value
	call, isCall := in.(ssa.CallInstruction)
	for _, x := range in.Operands(rands[:0]) {
		fn, ok := (*x).(*ssa.Function)
		if !ok || !b.isLate(fn) || isCall && x == &call.Common().Value {
			continue
		}
		if fn.Signature.Recv() != nil {
			b.cannot("method %s as a value", fn)
		}
		f, d, t, s := b.lateFunction(fn), b.off(fn), b.inner(fn.Signature), b.s
		b.emit(func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = s.latest(f, t) })
	}
}

// posOf returns the position of an instruction for tracebacks. It is the instruction's own, if that is
// valid, and otherwise that of the last instruction with one.
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
