package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// lowerQR writes two custom calls that XLA expands: Qr computes Householder reflections in
// the form of LAPACK's geqrf, and the other call multiplies them.
func lowerQR(w *stablehlo.Writer, n *ir.Node) {
	a := n.Attrs.(ir.FullAttrs)
	t := n.Args[0].Type
	batch, rows, cols, _ := matrix(t)
	k := min(rows, cols)
	if t.Shape.Size() == 0 {
		write(w, n, nil, func(b expr.Builder, _ []expr.Value) []expr.Value {
			return []expr.Value{eyeOf(b, t.DType, n.Results[0].Type.Shape), b.Number(0, t.DType, n.Results[1].Type.Shape...)}
		})
		return
	}
	taus := shape.Type{DType: t.DType, Shape: appendAxes(batch, k)}
	packed, scales := w.TempPair()
	w.Str("stablehlo.custom_call @Qr(").Value(n.Args[0]).Str(") : (").Type(t).Str(") -> (").
		Type(t).Str(", ").Type(taus).Str(")\n")
	f, s := &ir.Value{Type: t}, &ir.Value{Type: taus}
	w.Rename(f, packed)
	w.Rename(s, scales)
	width := k
	if a.Full {
		width = rows
	}
	prepared := inline(w, []*ir.Value{f, s}, func(b expr.Builder, args []expr.Value) []expr.Value {
		columns, scales := b.Slice(args[0], -1, 0, k), args[1]
		upper := b.Le(b.Iota(dtype.I32, 0, k, 1), b.Iota(dtype.I32, 1, 1, cols))
		r := padMatrix(b, b.Where(upper, b.Slice(args[0], -2, 0, k), 0), width, cols)
		scales = b.Reshape(padMatrix(b, b.Row(scales), 1, width), appendAxes(batch, width)...)
		return []expr.Value{padMatrix(b, columns, rows, width), scales, r}
	})
	w.Rename(n.Results[1], w.NameOf(prepared[2]))
	name := w.Temp()
	w.Str("stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(").Values(prepared[:2]...).Str(") : (").
		Types(prepared[:2]).Str(") -> ").Type(n.Results[0].Type).Str("\n")
	w.Rename(n.Results[0], name)
}
