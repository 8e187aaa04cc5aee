package ops

import (
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// lowerCholesky writes a factorization, with NaN where a diagonal element did
// not come out positive: compilers leave there what the arithmetic made of it.
func lowerCholesky(w *stablehlo.Writer, n *ir.Node) {
	t := n.Results[0].Type
	l := &ir.Value{Type: t}
	name := w.Temp()
	w.Str("stablehlo.cholesky ").Value(n.Args[0]).Str(", lower = true : ").Type(t).Str("\n")
	w.Rename(l, name)
	write(w, n, []*ir.Value{l}, func(p composer, args []*ir.Value) []*ir.Value {
		if t.Shape.Size() == 0 {
			return args
		}
		return []*ir.Value{p.lowerFactor(args[0])}
	})
}

// nan returns NaN of x's dtype.
func (p composer) nan(x *ir.Value) *ir.Value {
	zero := p.like(x, 0)
	return p.div(zero, zero)
}

// lowerQR writes a factorization by Householder reflections: XLA's expanders
// make the reflections, and multiply them.
func lowerQR(w *stablehlo.Writer, n *ir.Node) {
	a := n.Attrs.(ir.FullAttrs)
	t := n.Args[0].Type
	batch, rows, cols, _ := matrix(t)
	k := min(rows, cols)
	if t.Shape.Size() == 0 {
		write(w, n, nil, func(p composer, _ []*ir.Value) []*ir.Value {
			q, r := n.Results[0].Type, n.Results[1].Type
			return []*ir.Value{p.to(p.eye(t.DType, q.Shape[len(q.Shape)-2], q.Shape[len(q.Shape)-1]), q.Shape), p.zeros(t.DType, r.Shape...)}
		})
		return
	}
	taus := shape.Type{DType: t.DType, Shape: with(batch, k)}
	packed, scales := w.TempPair()
	w.Str("stablehlo.custom_call @Qr(").Value(n.Args[0]).Str(") : (").Type(t).Str(") -> (").Type(t).Str(", ").Type(taus).Str(")\n")
	f, s := &ir.Value{Type: t}, &ir.Value{Type: taus}
	w.Rename(f, packed)
	w.Rename(s, scales)
	width := k
	if a.Full {
		width = rows
	}
	prepared := inline(w, []*ir.Value{f, s}, func(p composer, args []*ir.Value) []*ir.Value {
		f, s := p.cut(args[0], -1, 0, k), args[1]
		upper := p.compare(ir.LE, p.column(p.count(k)), p.row(p.count(cols)))
		r := p.where(upper, p.cut(args[0], -2, 0, k), p.like(f, 0))
		r = p.pad(r, width, cols)
		s = p.reshape(p.pad(p.row(s), 1, width), with(batch, width)...)
		return []*ir.Value{p.pad(f, rows, width), s, r}
	})
	w.Rename(n.Results[1], w.NameOf(prepared[2]))
	q := n.Results[0].Type
	name := w.Temp()
	w.Str("stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(").Values(prepared[:2]...).Str(") : (").
		Types(prepared[:2]).Str(") -> ").Type(q).Str("\n")
	w.Rename(n.Results[0], name)
}
