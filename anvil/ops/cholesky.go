package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// choleskyBlock is how many columns are made between two products of matrices.
const choleskyBlock = 32

// lowerCholeskyInBlocks makes the factor from left to right, a block of columns
// at a time: what the columns before leave of it is one product of matrices.
// Compilers for CPUs go an element at a time within a block, which takes several
// times as long.
func lowerCholeskyInBlocks(n *ir.Node) program {
	return func(p composer, args []*ir.Value) []*ir.Value {
		x, t := args[0], n.Results[0].Type
		if t.Shape.Size() == 0 {
			return args
		}
		batch, size, _, _ := matrix(x.Type)
		width := min(size, choleskyBlock)
		whole := (size + width - 1) / width * width
		a := p.pad(p.hermitian(p.reshape(x, batch.Size(), size, size)), whole, whole)
		if whole == width {
			return []*ir.Value{p.lowerFactor(p.reshape(p.choleskyColumns(a, p.number(dtype.I32, 0)), t.Shape...))}
		}
		start := []*ir.Value{p.zeros(t.DType, batch.Size(), whole, whole)}
		l := p.loop(p.number(dtype.I32, 0), p.number(dtype.I32, float64(whole/width)), start, []*ir.Value{a}, func(p composer, i *ir.Value, carried, shared []*ir.Value) []*ir.Value {
			at, l := p.mul(i, p.like(i, float64(width))), carried[0]
			panel := p.sub(p.window(shared[0], 2, at, width), p.dot(l, p.adjoint(p.window(l, 1, at, width))))
			return []*ir.Value{p.update(l, p.choleskyColumns(panel, at), 2, at)}
		})[0]
		return []*ir.Value{p.lowerFactor(p.reshape(p.cut(p.cut(l, 1, 0, size), 2, 0, size), t.Shape...))}
	}
}

// choleskyColumns returns columns of the factor, the first of which has its
// diagonal element in row at. What comes out above the diagonal means nothing.
func (p composer) choleskyColumns(panel, at *ir.Value) *ir.Value {
	width := panel.Type.Shape[2]
	start := []*ir.Value{p.zeros(panel.Type.DType, panel.Type.Shape...)}
	return p.loop(p.number(dtype.I32, 0), p.number(dtype.I32, float64(width)), start, []*ir.Value{panel, at}, func(p composer, j *ir.Value, carried, shared []*ir.Value) []*ir.Value {
		l, row := carried[0], p.add(shared[1], j)
		v := p.sub(p.window(shared[0], 2, j, 1), p.dot(l, p.adjoint(p.window(l, 1, row, 1))))
		root := p.do(ir.Sqrt, nil, p.real(p.window(v, 1, row, 1)))
		return []*ir.Value{p.update(l, p.div(v, p.convert(root, v.Type.DType)), 2, j)}
	})[0]
}

// lowerFactor returns the lower triangle of l with a real diagonal, NaN where an
// element of that did not come out positive.
func (p composer) lowerFactor(l *ir.Value) *ir.Value {
	rows := l.Type.Shape[len(l.Type.Shape)-1]
	eye := p.eye(dtype.I1, rows, rows)
	lower := p.compare(ir.GE, p.column(p.count(rows)), p.row(p.count(rows)))
	diagonal := p.real(p.sum(p.where(eye, l, p.like(l, 0)), -1))
	good := p.fold(ir.ReduceAnd, p.compare(ir.GT, diagonal, p.like(diagonal, 0)), -1)
	l = p.where(eye, p.convert(p.real(l), l.Type.DType), l)
	l = p.where(p.column(p.column(good)), l, p.nan(l))
	return p.where(lower, l, p.like(l, 0))
}
