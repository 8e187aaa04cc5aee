package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// lowerQR writes two custom calls that XLA expands. Qr computes R and Householder reflections in the form of LAPACK's
// geqrf; ProductOfElementaryHouseholderReflectors multiplies the reflections, which gives Q.
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
	tausType := shape.Type{DType: t.DType, Shape: appendAxes(batch, k)}
	packedName, tausName := w.TempPair()
	w.Str("stablehlo.custom_call @Qr(").Value(n.Args[0]).Str(") : (").Type(t).Str(") -> (").
		Type(t).Str(", ").Type(tausType).Str(")\n")
	packed, taus := &ir.Value{Type: t}, &ir.Value{Type: tausType} // packed has R and, below, the reflections
	w.Rename(packed, packedName)
	w.Rename(taus, tausName)
	width := k
	if a.Full {
		width = rows
	}
	prepared := inline(w, []*ir.Value{packed, taus}, func(b expr.Builder, args []expr.Value) []expr.Value {
		columns, taus := b.Slice(args[0], -1, 0, k), args[1]
		upper := b.Le(b.Iota(dtype.I32, 0, k, 1), b.Iota(dtype.I32, 1, 1, cols))
		r := padMatrix(b, b.Where(upper, b.Slice(args[0], -2, 0, k), 0), width, cols)
		taus = b.Reshape(padMatrix(b, b.Row(taus), 1, width), appendAxes(batch, width)...)
		return []expr.Value{padMatrix(b, columns, rows, width), taus, r}
	})
	w.Rename(n.Results[1], w.NameOf(prepared[2]))
	name := w.Temp()
	w.Str("stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(").Values(prepared[:2]...).Str(") : (").
		Types(prepared[:2]).Str(") -> ").Type(n.Results[0].Type).Str("\n")
	w.Rename(n.Results[0], name)
}
