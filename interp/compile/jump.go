package compile

// Jumps between blocks, and the moves that set phis before them.

import (
	"go/ast"
	"go/token"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// branch returns the conditional jump that ends a block.
func (b *builder) branch(in *ssa.If, yes, no *block) func(unsafe.Pointer) *block {
	if v, ok := in.Cond.(*ssa.BinOp); ok && b.fused[v] {
		t := b.inner(v.X.Type())
		x, y := b.operandOf(v.X), b.operandOf(v.Y)
		if f, ok := branches[t.Kind()]; ok {
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

// side returns the block that bb jumps to in order to reach its successor i: the successor itself, or a new block
// that first makes the moves to its phis, and polls if the jump may be a back-edge.
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

// isBack reports whether a jump may be a back-edge, which closes a loop. Every loop contains at least one such jump.
func isBack(from, to *ssa.BasicBlock) bool { return to.Index <= from.Index }

// edge returns the steps on the edge between two blocks, the moves to the phis. succ is the index of to among
// the successors of from.
func (b *builder) edge(from, to *ssa.BasicBlock, succ int) (moves []op) {
	n := -1 // the index of the edge in to.Preds
	for i, p := range to.Preds {
		if p == from && (n < 0 || succ > 0) { // if from has two edges to this block, the first is that of succ 0
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
		if fn, ok := phi.Edges[n].(*ssa.Function); ok && b.isRedefinable(fn) {
			moves = append(moves, b.functionValue(fn))
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
				panic("a phi has no temporary register")
			}
			moves = append(moves, copyOp(t, t.off, m.src))
		}
	}
	for _, m := range list {
		src := m.src
		if conflict {
			src = b.temps[m.phi].off
		}
		moves = append(moves, copyOp(b.reg(m.phi), b.off(m.phi), src))
	}
	return moves
}

// loopPos returns the position of the jump at the end of bb. It is that of the last instruction that has a
// position; if bb jumps to itself and has no such instruction, it is that of the next for statement or label in the
// source.
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

// smallBlock is the greatest number of steps of a block that threadJumps copies.
const smallBlock = 3

// threadJumps replaces jumps to small blocks, such as the conditions of loops, by copies of the blocks.
func (b *builder) threadJumps() {
	type saved struct {
		ops  []op
		next func(unsafe.Pointer) *block
	}
	old := map[*block]saved{} // as the blocks are now, since a block that is copied may itself get a copy first
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
