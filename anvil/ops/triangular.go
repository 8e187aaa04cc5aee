package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// triangularBlock is how many rows are substituted between two products of
// matrices.
const triangularBlock = 32

// lowerTriangular is substitution, a block of rows at a time. The compilers' own
// operation multiplies by inverses of blocks, which of a singular matrix makes
// NaN of infinities, and takes longer to compile.
func lowerTriangular(n *ir.Node) program {
	return func(p composer, args []*ir.Value) []*ir.Value {
		attrs, a, b := n.Attrs.(ir.TriangularAttrs), args[0], args[1]
		if b.Type.Shape.Size() == 0 {
			return []*ir.Value{b}
		}
		batch, rows, cols, _ := matrix(b.Type)
		size := a.Type.Shape[len(a.Type.Shape)-1]
		a, b = p.reshape(a, batch.Size(), size, size), p.reshape(b, batch.Size(), rows, cols)
		flipped := (attrs.Op == ir.AsIs) == attrs.Right // what stands to the right of x is solved transposed
		if flipped {
			a = p.transpose(a)
		}
		if attrs.Op == ir.Adjoint {
			a = p.conj(a)
		}
		turned := func(x *ir.Value) *ir.Value { return x }
		if attrs.Right {
			turned = p.transpose
		}
		if attrs.Upper != flipped {
			a = p.do(ir.Reverse, ir.AxesAttrs{Axes: dims(1, 2)}, a)
			x := p.substitute(a, p.do(ir.Reverse, ir.AxesAttrs{Axes: dims(1)}, turned(b)), attrs.Unit)
			return []*ir.Value{p.reshape(turned(p.do(ir.Reverse, ir.AxesAttrs{Axes: dims(1)}, x)), n.Results[0].Type.Shape...)}
		}
		return []*ir.Value{p.reshape(turned(p.substitute(a, turned(b), attrs.Unit)), n.Results[0].Type.Shape...)}
	}
}

// substitute returns the x of a*x = b, where a is lower triangular.
func (p composer) substitute(a, b *ir.Value, unit bool) *ir.Value {
	batch, n, cols := b.Type.Shape[0], b.Type.Shape[1], b.Type.Shape[2]
	width := min(n, triangularBlock)
	whole := (n + width - 1) / width * width
	row, col := p.column(p.count(n)), p.row(p.count(n))
	diagonal := p.to(p.like(a, 1), []int{batch, n, 1})
	if !unit {
		diagonal = p.column(p.sum(p.where(p.compare(ir.EQ, row, col), a, p.like(a, 0)), 2))
	}
	below := p.pad(p.where(p.compare(ir.GT, row, col), a, p.like(a, 0)), whole, whole)
	shared := []*ir.Value{below, p.pad(diagonal, whole, 1), p.pad(b, whole, cols)}
	if whole == width {
		return p.rows(shared[0], shared[1], shared[2])
	}
	start := []*ir.Value{p.zeros(b.Type.DType, batch, whole, cols)}
	x := p.loop(p.number(dtype.I32, 0), p.number(dtype.I32, float64(whole/width)), start, shared, func(p composer, i *ir.Value, carried, shared []*ir.Value) []*ir.Value {
		at := p.mul(i, p.like(i, float64(width)))
		across := p.window(shared[0], 1, at, width)
		rest := p.sub(p.window(shared[2], 1, at, width), p.dot(across, carried[0]))
		solved := p.rows(p.window(across, 2, at, width), p.window(shared[1], 1, at, width), rest)
		return []*ir.Value{p.update(carried[0], solved, 1, at)}
	})[0]
	return p.cut(x, 1, 0, n)
}

// rows substitutes row by row: below is what is left of the diagonal.
func (p composer) rows(below, diagonal, b *ir.Value) *ir.Value {
	n := b.Type.Shape[1]
	start := []*ir.Value{p.zeros(b.Type.DType, b.Type.Shape...)}
	return p.loop(p.number(dtype.I32, 0), p.number(dtype.I32, float64(n)), start, []*ir.Value{below, diagonal, b}, func(p composer, i *ir.Value, carried, shared []*ir.Value) []*ir.Value {
		rest := p.sub(p.window(shared[2], 1, i, 1), p.dot(p.window(shared[0], 1, i, 1), carried[0]))
		return []*ir.Value{p.update(carried[0], p.div(rest, p.window(shared[1], 1, i, 1)), 1, i)}
	})[0]
}
