package ops

import (
	"slices"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// Inference, lowering and evaluation of Reduce, which combines elements by a region. Its row is in reduce.go.
//
// (C1), (C2), ... in comments are the constraints of the operation in the StableHLO specification.

// inferFold: (C1) dtypes agree and init_value is of rank 0; (C6) the region
// combines two scalars into one; inferReduce checks the other constraints.
func inferFold(args []shape.Type, attrs any, regions []*ir.Graph) ([]shape.Type, error) {
	if args[1].DType != args[0].DType || len(args[1].Shape) > 0 {
		return nil, fault("init_value is "+args[1].String(), "it must be "+args[0].DType.String()+" of rank 0")
	}
	if err := checkFold(args[0].DType, regions); err != nil {
		return nil, err
	}
	return inferReduce(args[:1], attrs, nil)
}

func lowerFold(w *stablehlo.Writer, n *ir.Node) {
	x, init, wide := n.Args[0], n.Args[1], n
	if anyNarrow(n.Args) {
		wide = &ir.Node{Code: n.Code, Attrs: n.Attrs, Regions: n.Regions}
		x, init = widen(w, x), widen(w, init)
		wide.Results = []*ir.Value{{Type: wideType(n.Results[0].Type), Node: wide}}
	}
	scalar := shape.Type{DType: x.Type.DType}
	w.Op(wide).Str("stablehlo.reduce(").Value(x).Str(" init: ").Value(init).
		Str(") across dimensions = ").Dims(n.Attrs.(ir.AxesAttrs).Axes).
		Str(" : (").Type(x.Type).Str(", ").Type(scalar).Str(") -> ").Type(wide.Results[0].Type).Str("\n")
	a, b := w.Fresh(), w.Fresh()
	w.Line().Str(" reducer(").Param(a, scalar).Str(", ").Param(b, scalar).Str(") {\n")
	lowerFoldRegion(w, n.Regions[0], a, b, scalar)
	w.Line().Str("}\n")
	if wide != n {
		w.Rename(n.Results[0], convert(w, w.NameOf(wide.Results[0]), wide.Results[0].Type, n.Results[0].Type))
	}
}

// evalFold combines the elements with init_value one by one, in row-major order.
func evalFold(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	x, init, axes := args[0], args[1], n.Attrs.(ir.AxesAttrs).Axes
	out, size := array.New(n.Results[0].Type), x.DType().Size()
	copy(out.Data, slices.Repeat(init.Data, out.Size()))
	_, to := array.Without(x.Type.Shape, axes)
	var failed error
	err := array.Walk(e.Context(), x.Type.Shape, 0, to, func(i, at int) {
		if failed != nil {
			return
		}
		old := array.Array{Type: init.Type, Data: slices.Clone(out.Data[at*size : (at+1)*size])}
		r, err := e.Run(n.Regions[0], []array.Array{old, {Type: init.Type, Data: slices.Clone(x.Data[i*size : (i+1)*size])}})
		if err != nil {
			failed = err
			return
		}
		copy(out.Data[at*size:], r[0].Data)
	})
	if failed != nil {
		err = failed
	}
	return oneResult(out, err)
}
