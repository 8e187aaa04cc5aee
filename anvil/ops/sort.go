package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// inferSort: (C1) there is an input; (C2) types stay; (C3) shapes agree; (C4)
// the axis is one of them.
func inferSort(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, ok := attrs.(ir.SortAttrs)
	if !ok || len(args) == 0 {
		return nil, fault("there is nothing to sort", "")
	}
	for _, x := range args {
		if !x.Shape.Equal(args[0].Shape) {
			return nil, fault("shapes differ", "inputs that move together have one shape")
		}
	}
	return args[:len(args):len(args)], checkAxis(a.Axis, len(args[0].Shape))
}

func lowerSort(w *stablehlo.Writer, n *ir.Node) {
	a := n.Attrs.(ir.SortAttrs)
	w.Op(n).Str(`"stablehlo.sort"(`).Values(n.Args...).Str(") <{dimension = ").Int(a.Axis).Str(" : i64, is_stable = true}> ({\n")
	w.Line().Str("^bb0(")
	params := make([]stablehlo.Name, 2*len(n.Args))
	for i := range params {
		params[i] = w.Fresh()
		if i > 0 {
			w.Str(", ")
		}
		w.Param(params[i], shape.Type{DType: n.Args[i/2].Type.DType})
	}
	w.Str("):\n")
	w.Indent(1)
	x, y := params[0], params[1]
	if a.Descending {
		x, y = y, x
	}
	less := lowerLess(w, x, y, shape.Type{DType: n.Args[0].Type.DType})
	w.Line().Str("stablehlo.return ").Name(less).Str(" : tensor<i1>\n")
	w.Indent(-1)
	w.Line().Str("})").EndFunc(n)
}

// lowerLess writes whether x comes before y; both have type t.
func lowerLess(w *stablehlo.Writer, x, y stablehlo.Name, t shape.Type) stablehlo.Name {
	b := stablehlo.Bool(t)
	if t.DType.Is(dtype.Complex) {
		return lowerLessComplex(w, x, y, t)
	}
	less := w.Compare("LT", compareTypes[t.DType.Kind()], x, y, t)
	if t.DType.Is(dtype.Floating) {
		nanX, nanY := w.Compare("NE", "FLOAT", x, x, t), w.Compare("NE", "FLOAT", y, y, t)
		less = w.Apply("or", b, less, w.Apply("and", b, nanY, w.Apply("not", b, nanX)))
	}
	return less
}

func lowerLessComplex(w *stablehlo.Writer, x, y stablehlo.Name, t shape.Type) stablehlo.Name {
	elem, b := shape.Type{DType: t.DType.Elem(), Shape: t.Shape}, stablehlo.Bool(t)
	realX, realY := w.Convert("real", x, t, elem), w.Convert("real", y, t, elem)
	imagX, imagY := w.Convert("imag", x, t, elem), w.Convert("imag", y, t, elem)
	less := w.Compare("LT", "FLOAT", realX, realY, elem)
	tie := w.Compare("EQ", "FLOAT", realX, realY, elem)
	return w.Apply("or", b, less, w.Apply("and", b, tie, w.Compare("LT", "FLOAT", imagX, imagY, elem)))
}

func evalSort(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	order, err := sortOrder(e, args[0], n.Attrs.(ir.SortAttrs))
	if err != nil {
		return nil, err
	}
	out := make([]array.Array, len(args))
	for i, x := range args {
		out[i] = array.Take(x.Type, x, order)
	}
	return out, nil
}

func sortOrder(e Evaluator, x array.Array, a ir.SortAttrs) ([]int, error) {
	switch x.DType().Kind() {
	case dtype.Boolean:
		return array.Order(e.Context(), x, a.Axis, directed(a, func(x, y bool) bool { return !x && y }))
	case dtype.Signed:
		return array.Order(e.Context(), x, a.Axis, directed(a, relation[int64](ir.LT)))
	case dtype.Unsigned:
		return array.Order(e.Context(), x, a.Axis, directed(a, relation[uint64](ir.LT)))
	case dtype.Complex:
		return array.Order(e.Context(), x, a.Axis, directed(a, lessComplex))
	}
	return array.Order(e.Context(), x, a.Axis, directed(a, func(x, y float64) bool {
		return x < y || math.IsNaN(y) && !math.IsNaN(x)
	}))
}

// directed returns less, or its converse for a descending order.
func directed[T any](a ir.SortAttrs, less func(x, y T) bool) func(x, y T) bool {
	if a.Descending {
		return func(x, y T) bool { return less(y, x) }
	}
	return less
}
