package compile

// Jumps between blocks, and the moves before a jump that set the phis of the next block.

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

// edgeBlock returns the block that bb jumps to in order to reach its successor i. This is the successor itself, unless
// its phis must be set or the jump may be a back-edge. Then it is a new block, which sets the phis, polls if the jump
// may be a back-edge, and jumps to the successor.
func (b *builder) edgeBlock(bb *ssa.BasicBlock, i int) *block {
	succ := bb.Succs[i]
	target := b.blocks[succ.Index]
	moves := b.edgeMoves(bb, succ, i)
	if len(moves) == 0 && !isBack(bb, succ) {
		return target
	}
	fresh := &block{ops: moves, next: func(unsafe.Pointer) *block { return target }, polls: isBack(bb, succ), pos: b.pos}
	b.jumps[fresh] = target
	return fresh
}

// isBack reports whether a jump may be a back-edge, which closes a loop. Every loop contains at least one such jump.
func isBack(from, to *ssa.BasicBlock) bool { return to.Index <= from.Index }

// edgeMoves returns the steps that set the phis of the block to before a jump from the block from. succ is the index of
// to among the successors of from.
func (b *builder) edgeMoves(from, to *ssa.BasicBlock, succ int) (moves []op) {
	n := -1 // the index of the edge in to.Preds
	for i, p := range to.Preds {
		if p == from && (n < 0 || succ > 0) { // if from has two edges to this block, the first in Preds is successor 0
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

// loopPos returns the position of the jump at the end of bb: that of the last instruction that has a position. If bb
// jumps to itself and none of its instructions has a position, bb is an empty loop. Then loopPos returns the position
// of the next for statement or label in the source.
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

// threadJumps replaces jumps to small blocks, such as the conditions of loops, with copies of the blocks.
func (b *builder) threadJumps() {
	type saved struct {
		ops  []op
		next func(unsafe.Pointer) *block
	}
	old := map[*block]saved{} // the original blocks, since a block may be changed before it is copied
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
