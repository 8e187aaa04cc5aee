package compile

import (
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/ssa"
)

// fuse finds values that have only one use and can be computed there, without a step and a register of their own:
//   - addresses from which the next instruction loads, or at which it selects a field,
//   - addresses to which a store of the same block stores,
//   - comparisons that the jump at the end of the block uses,
//   - products that the next instruction adds.
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
						isLast := bb.Instrs[len(bb.Instrs)-2] == in // before the jump
						b.fused[v] = isComparison(v.Op) && isLast
					}
				}
			}
		}
	}
}

// isAddedProduct reports whether v is a product of float64s that user adds to another value.
func (b *builder) isAddedProduct(v *ssa.BinOp, user ssa.Instruction) bool {
	sum, ok := user.(*ssa.BinOp)
	return ok && v.Op == token.MUL && sum.Op == token.ADD && sum.X != sum.Y && b.inner(v.Type()).Kind() == reflect.Float64
}

// fuseRows makes the reading of a[i][j], where a is a slice of slices, one step. It finds each row a[i] that is used
// only once, for the load of an element by the next instructions.
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

// fuseUpdates finds assignments m[k] op= v. The lookup, the operation and the assignment then are one step, which
// searches for the key once.
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
			if !ok || get.CommaOk || get.X != set.Map || get.Index != set.Key {
				continue
			}
			if len(*get.Referrers()) != 1 || b.next(bb, get) != change {
				continue
			}
			switch change.Op {
			case token.QUO, token.REM, token.SHL, token.SHR:
				continue // a step before the operation checks its operands
			}
			t := b.inner(set.Map.Type())
			_, isNumber := arithmetic[t.Elem().Kind()]
			if isNumber && b.assigner(t) != nil {
				b.updates[set], b.skipped[get], b.skipped[change] = change, true, true
			}
		}
	}
}

// next returns the instruction of bb after in, or nil if in is the last one.
func (b *builder) next(bb *ssa.BasicBlock, in ssa.Instruction) ssa.Instruction {
	for i, x := range bb.Instrs {
		if x == in && i+1 < len(bb.Instrs) {
			return bb.Instrs[i+1]
		}
	}
	return nil
}

func (b *builder) isInt(v ssa.Value) bool { return b.inner(v.Type()).Kind() == reflect.Int }
