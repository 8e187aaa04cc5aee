package compile

import (
	"go/token"
	"go/types"
	"math/bits"
	"reflect"
	"slices"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// Go's runtime frees objects that the rest of a function cannot reach. Frames, however, keep the values of all
// registers until their calls return. Therefore, before a garbage collection that a cell starts, clearDead clears the
// registers that are not used again, in all frames of the goroutine.

// importsRuntime reports whether a cell uses package runtime or runtime/debug, and may therefore start a collection.
func importsRuntime(info *types.Info) bool {
	for _, obj := range info.Uses {
		if p, ok := obj.(*types.PkgName); ok && slices.Contains([]string{"runtime", "runtime/debug"}, p.Imported().Path()) {
			return true
		}
	}
	return false
}

// clearDead clears the registers with pointers that are not used again, in fr and in the frames of its callers.
func (fr *frame) clearDead() {
	th := fr.th
	clear(th.ptrs[:])
	for f := fr; f != nil; f = f.caller {
		pos := f.pos
		if f.deferring {
			pos = f.returnPos
		}
		for _, r := range f.code.dead[pos] {
			typedClear(r.desc, unsafe.Add(unsafe.Pointer(f), r.off))
		}
	}
}

// A registerSet is a set of registers, by their index in liveness.list.
type registerSet []uint64

func (s registerSet) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s registerSet) remove(i int)   { s[i/64] &^= 1 << (i % 64) }
func (s registerSet) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }

// addAll adds the elements of t, and reports whether any is new.
func (s registerSet) addAll(t registerSet) bool {
	more := 0
	for i, w := range t {
		more += bits.OnesCount64(w &^ s[i])
		s[i] |= w
	}
	return more > 0
}

// A liveness computes which registers with pointers are live in a function: their values may still be used.
type liveness struct {
	b     *builder
	list  []*register       // the registers with pointers
	index map[*register]int // the index in list of each register
	in    []registerSet     // the live registers at the beginning of each block
}

// isAddressAsNumber reports whether c converts an unsafe.Pointer to uintptr.
func (b *builder) isAddressAsNumber(c *ssa.Convert) bool {
	return b.inner(c.Type()).Kind() == reflect.Uintptr && b.inner(c.X.Type()).Kind() == reflect.UnsafePointer
}

// deadAtCalls returns, for the position of each call in b.fn, the registers with pointers that are not used after the
// call. Deferred calls have the position of the return that makes them. The registers at NoPos are used neither after a
// panic nor after calls without a position. calls has the positions of the calls.
func (b *builder) deadAtCalls(calls map[ssa.Instruction]token.Pos) map[token.Pos][]*register {
	l := &liveness{b: b, index: map[*register]int{}}
	for _, r := range slices.Concat(b.layout.ptrs, b.layout.mixed) {
		l.index[r] = len(l.list)
		l.list = append(l.list, r)
	}
	fixed := l.set() // treated as live at all calls
	for v := range b.layout.of {
		if _, ok := v.(*ssa.Alloc); ok && b.code.defers {
			l.use(fixed, v) // v may point to a result, which is read after the deferred calls
		}
	}
	during := map[ssa.Instruction]registerSet{} // live during a call, but not after it
	for v := range b.layout.of {
		c, ok := v.(*ssa.Convert)
		if !ok || !b.isAddressAsNumber(c) {
			continue
		}
		// An address that is passed to a call as a number keeps its object alive during the call (pattern 4 of package
		// unsafe).
		for _, user := range *c.Referrers() {
			if _, ok := user.(*ssa.Call); !ok {
				l.use(fixed, c.X)
				continue
			}
			if during[user] == nil {
				during[user] = l.set()
			}
			l.use(during[user], c.X)
		}
	}
	l.solve()
	if b.fn.Recover != nil {
		fixed.addAll(l.in[b.fn.Recover.Index])
	}
	dead := map[token.Pos][]*register{token.NoPos: l.except(fixed, l.list)}
	for _, bb := range b.fn.Blocks {
		l.block(bb, func(in ssa.Instruction, live registerSet) {
			pos, ok := calls[in]
			if !ok {
				return
			}
			held := slices.Clone(fixed)
			held.addAll(live)
			held.addAll(during[in])
			list, known := dead[pos] // the registers that are dead at all calls at pos so far and, for NoPos, after a panic
			if !known {
				list = l.list
			}
			dead[pos] = l.except(held, list)
		})
	}
	return dead
}

// except returns the registers of list that are not in held.
func (l *liveness) except(held registerSet, list []*register) (rest []*register) {
	for _, r := range list {
		if !held.has(l.index[r]) {
			rest = append(rest, r)
		}
	}
	return rest
}

// set returns an empty set.
func (l *liveness) set() registerSet { return make(registerSet, (len(l.list)+63)/64) }

// add adds r to s if it holds pointers.
func (l *liveness) add(s registerSet, r *register) {
	if i, ok := l.index[r]; ok {
		s.add(i)
	}
}

// use adds the registers that a use of v reads: the register of v and, if v points into a variable in the frame, the
// register of that variable; if v is fused or skipped, also the registers that its operands read.
func (l *liveness) use(s registerSet, v ssa.Value) {
	if x, ok := v.(*ssa.Extract); ok {
		l.add(s, l.b.layout.parts[x.Tuple][x.Index])
		return
	}
	l.add(s, l.b.layout.of[v])
	l.add(s, l.area(v))
	if in, ok := v.(ssa.Instruction); ok && (l.b.fused[v] || l.b.skipped[in]) {
		l.operands(s, in)
	}
}

// area returns the register that holds the variable into which v points, or nil if that variable is not in the frame.
func (l *liveness) area(v ssa.Value) *register {
	for {
		switch addr := v.(type) {
		case *ssa.FieldAddr:
			v = addr.X
		case *ssa.IndexAddr:
			v = addr.X
		case *ssa.Alloc:
			return l.b.areas[addr]
		default:
			return nil
		}
	}
}

// operands adds the registers that are read for the operands of in.
func (l *liveness) operands(s registerSet, in ssa.Instruction) {
	var buffer [8]*ssa.Value
	for _, x := range in.Operands(buffer[:0]) {
		if *x != nil {
			l.use(s, *x)
		}
	}
}

// block calls visit with each instruction of bb, from the last to the first, and the registers that are live after the
// instruction. It returns the registers that are live at the beginning of bb.
func (l *liveness) block(bb *ssa.BasicBlock, visit func(in ssa.Instruction, live registerSet)) registerSet {
	live := l.set()
	for _, succ := range bb.Succs {
		live.addAll(l.in[succ.Index])
		for _, in := range succ.Instrs {
			phi, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			for i, pred := range succ.Preds {
				if pred == bb {
					l.use(live, phi.Edges[i])
				}
			}
		}
	}
	for _, in := range slices.Backward(bb.Instrs) {
		visit(in, live)
		if v, ok := in.(ssa.Value); ok {
			own := []*register{l.b.layout.of[v]}
			if alloc, ok := v.(*ssa.Alloc); ok {
				own = append(own, l.b.areas[alloc]) // the step of alloc clears this register
			}
			for _, r := range slices.Concat(l.b.layout.parts[v], own) {
				if i, ok := l.index[r]; ok {
					live.remove(i)
				}
			}
			if l.b.fused[v] || l.b.skipped[in] {
				continue
			}
		}
		if _, ok := in.(*ssa.Phi); !ok {
			l.operands(live, in)
		}
	}
	return live
}

// solve computes the registers that are live at the beginning of each block.
func (l *liveness) solve() {
	for range l.b.fn.Blocks {
		l.in = append(l.in, l.set())
	}
	for changed := true; changed; {
		changed = false
		for _, bb := range slices.Backward(l.b.fn.Blocks) {
			if l.in[bb.Index].addAll(l.block(bb, func(ssa.Instruction, registerSet) {})) {
				changed = true
			}
		}
	}
}
