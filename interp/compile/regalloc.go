package compile

import (
	"fmt"
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// A layout places the registers of a function in its frames.
type layout struct {
	of    map[ssa.Value]*register   // the register of each value that is not a tuple
	parts map[ssa.Value][]*register // the registers of each tuple

	// All registers, in the order of their offsets:
	mixed       []*register // of mixedClass; cleared when the frame is freed
	ptrs        []*register // of other classes with pointers; cleared when the frame is freed
	constants   []*register // of the same classes as ptrs, but set only when a frame is made
	pointerFree []*register
}

// add adds a register for values of type t. constant reports whether the register is set only when a frame is made.
func (l *layout) add(t reflect.Type, constant bool) *register {
	r := &register{typ: t, class: classOf(t), desc: descriptor(t)}
	switch {
	case r.class == mixedClass:
		l.mixed = append(l.mixed, r)
	case r.class >= pointerClass && r.class <= interfaceClass && constant:
		l.constants = append(l.constants, r)
	case r.class >= pointerClass && r.class <= interfaceClass:
		l.ptrs = append(l.ptrs, r)
	default:
		l.pointerFree = append(l.pointerFree, r)
	}
	return r
}

// place assigns an offset to every register, and records the layout and the type of the frames in c.
func (l *layout) place(c *code) {
	fields := []reflect.StructField{{Name: "Header", Type: reflect.TypeFor[frame]()}}
	at := headerSize
	var aggregates []reflect.StructField
	for i, r := range l.mixed {
		aggregates = append(aggregates, reflect.StructField{Name: fmt.Sprintf("A%d", i), Type: r.typ})
	}
	if len(aggregates) > 0 {
		t := reflect.StructOf(aggregates)
		for i, r := range l.mixed {
			r.off = headerSize + t.Field(i).Offset
		}
		at = align(headerSize+t.Size(), 8)
		c.aggregates = descriptor(t)
		fields = append(fields, reflect.StructField{Name: "Aggregates", Type: t})
	}
	c.pointersAt = at
	for _, r := range l.ptrs {
		r.off = at
		at += classWords[r.class] * 8
	}
	c.numPointers = int(at-c.pointersAt) / 8
	for _, r := range l.constants {
		r.off = at
		at += classWords[r.class] * 8
	}
	if n := roundUpWords(int(at-c.pointersAt) / 8); n > 0 {
		t := reflect.ArrayOf(n, reflect.TypeFor[unsafe.Pointer]())
		fields = append(fields, reflect.StructField{Name: "Pointers", Type: t})
		at = c.pointersAt + uintptr(n)*8
	}
	from := at
	for _, r := range l.pointerFree {
		r.off = at
		at += align(max(r.typ.Size(), 1), 8)
	}
	n := roundUpWords(int(at-from) / 8)
	fields = append(fields, reflect.StructField{Name: "Numbers", Type: reflect.ArrayOf(n+1, reflect.TypeFor[uint64]())})
	t := reflect.StructOf(fields)
	c.typ, c.weight = descriptor(t), 1+int(t.Size()/frameUnit)
}

// align rounds n up to a multiple of to, a power of two.
func align(n, to uintptr) uintptr { return (n + to - 1) &^ (to - 1) }

// roundUpWords rounds a number of words up, so that the frames of many functions have the same type.
func roundUpWords(n int) int {
	if n <= 16 {
		return (n + 3) &^ 3
	}
	return (n + 15) &^ 15
}

// classWords has the number of words of a register, for each class in layout.ptrs and layout.constants.
var classWords = [...]uintptr{pointerClass: 1, stringClass: 2, sliceClass: 3, interfaceClass: 2}

// registers allocates the registers of all values. It returns the registers of the parameters, the captured variables
// and the results.
func (b *builder) registers() (params, captured, results []*register) {
	l := b.layout
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
			var buffer [8]*ssa.Value
			for _, x := range in.Operands(buffer[:0]) {
				if *x != nil {
					b.operand(*x)
				}
			}
			b.addScratch(in)
		}
	}
	for v, phi := range b.sharesWith {
		l.of[v] = l.of[phi]
	}
	if b.needsReceiver() {
		b.receiver = l.add(reflect.TypeFor[unsafe.Pointer](), false)
	}
	return params, captured, results
}

// register allocates the registers for the value of the instruction v.
func (b *builder) register(v ssa.Value) {
	l := b.layout
	if b.fused[v] || b.sharesWith[v] != nil {
		return
	}
	switch v := v.(type) {
	case *ssa.Extract:
		return // it has the register of a part of the tuple
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
		// If an edge reads a phi of the same block, another move on the edge may overwrite that phi first. The new values
		// then wait in temporary registers; see edgeMoves.
		for _, in := range v.Block().Instrs {
			p, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			for _, e := range p.Edges {
				if q, ok := e.(*ssa.Phi); ok && q.Block() == v.Block() || b.sharesWith[e] != nil {
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

// operand allocates a register for v if v is a constant, a global variable or a function that has none yet.
func (b *builder) operand(v ssa.Value) {
	if b.layout.of[v] != nil {
		return
	}
	switch v := v.(type) {
	case *ssa.Const:
		if isUntypedNil(v.Type()) {
			b.layout.of[v] = b.layout.add(reflect.TypeFor[any](), true)
			return
		}
		b.layout.of[v] = b.layout.add(b.inner(v.Type()), true)
	case *ssa.Global:
		b.layout.of[v] = b.layout.add(reflect.TypeFor[unsafe.Pointer](), true)
	case *ssa.Function:
		b.layout.of[v] = b.layout.add(reflect.TypeFor[unsafe.Pointer](), true)
	}
}

func isUntypedNil(t types.Type) bool {
	basic, ok := t.(*types.Basic)
	return ok && basic.Kind() == types.UntypedNil
}

// addScratch allocates registers for those indices and sizes in an instruction that must be converted to int.
func (b *builder) addScratch(in ssa.Instruction) {
	var list []ssa.Value
	switch in := in.(type) {
	case *ssa.IndexAddr:
		list = []ssa.Value{in.Index}
	case *ssa.Index:
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
			b.scratches = append(b.scratches, b.layout.add(reflect.TypeFor[int](), false))
		}
	}
}

// scratch returns the offset of the next register that addScratch has allocated.
func (b *builder) scratch() uintptr {
	if b.usedScratch == len(b.scratches) {
		b.fail("no register for an index")
	}
	b.usedScratch++
	return b.scratches[b.usedScratch-1].off
}

// needsReceiver reports whether b.fn calls methods through interfaces.
func (b *builder) needsReceiver() bool {
	for _, bb := range b.fn.Blocks {
		for _, in := range bb.Instrs {
			if call, ok := in.(ssa.CallInstruction); ok && call.Common().IsInvoke() {
				return true
			}
		}
	}
	return false
}

// receiverRegister returns b.receiver.
func (b *builder) receiverRegister() *register {
	if b.receiver == nil {
		b.fail("no register for a receiver")
	}
	return b.receiver
}

// coalesce assigns one register to a phi and a value that it takes on an edge, if the old value of the phi is not read
// after the new value is computed.
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
					b.sharesWith[val] = phi
					taken[val] = true
					break
				}
			}
		}
	}
}

// mayShare reports whether v, which is computed in the block pred, may have the register of phi. pred ends with a jump
// to succ, the block of phi.
func (b *builder) mayShare(phi *ssa.Phi, v ssa.Value, pred, succ *ssa.BasicBlock) bool {
	if classOf(b.inner(phi.Type())) >= plainClass {
		return false
	}
	for _, ref := range *v.Referrers() { // v must not be read after phi has taken another value
		if p, ok := ref.(*ssa.Phi); ok {
			if p != phi {
				return false // before the other phi reads v, another edge may have changed the register
			}
			n := 0 // how many edges carry v to phi
			for i, e := range p.Edges {
				if e == v {
					n++
					if succ.Preds[i] != pred {
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
	b.addUses(phi, users)
	for _, in := range pred.Instrs { // phi must not be read after v is computed
		if computed && users[in] {
			return false
		}
		if in == v.(ssa.Instruction) {
			computed = true
		}
	}
	for _, in := range succ.Instrs { // nor by another phi on the edge from pred
		p, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		for i, e := range p.Edges {
			if e == phi && succ.Preds[i] == pred {
				return false
			}
		}
	}
	return true
}

// addUses adds to users the instructions that read v, directly or because they compute a fused value from v.
func (b *builder) addUses(v ssa.Value, users map[ssa.Instruction]bool) {
	for _, ref := range *v.Referrers() {
		users[ref] = true
		if x, ok := ref.(ssa.Value); ok && b.fused[x] {
			b.addUses(x, users)
		}
	}
}

// registerValues returns the registers to which list points.
func registerValues(list []*register) []register {
	all := make([]register, len(list))
	for i, r := range list {
		all[i] = *r
	}
	return all
}
