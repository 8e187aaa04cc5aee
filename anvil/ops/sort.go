package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// Inference, lowering and evaluation of Sort. Its row is in reduce.go.
//
// (C1), (C2), ... in comments are the constraints of the operation in the StableHLO specification.

// inferSort: (C1) there is an input; (C2) the results have the types of the inputs; (C3)
// shapes agree; (C4) the axis is in range.
func inferSort(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, ok := attrs.(ir.SortAttrs)
	if !ok || len(args) == 0 {
		return nil, fault("no operand is given", "")
	}
	for _, x := range args {
		if !x.Shape.Equal(args[0].Shape) {
			return nil, fault("shapes differ", "inputs that are sorted together must have the same shape")
		}
	}
	return args[:len(args):len(args)], checkAxis(a.Axis, len(args[0].Shape))
}

func lowerSort(w *stablehlo.Writer, n *ir.Node) {
	a := n.Attrs.(ir.SortAttrs)
	w.Op(n).Str(`"stablehlo.sort"(`).Values(n.Args...).
		Str(") <{dimension = ").Int(a.Axis).Str(" : i64, is_stable = true}> ({\n")
	w.Line().Str("^bb0(")
	params := make([]stablehlo.Name, 2*len(n.Args))
	for i := range params {
		params[i] = w.Fresh()
		w.Comma(i).Param(params[i], shape.Type{DType: n.Args[i/2].Type.DType})
	}
	w.Str("):\n")
	x, y := params[0], params[1]
	if a.Descending {
		x, y = y, x
	}
	lowerScalars(w, less, shape.Type{DType: n.Args[0].Type.DType}, x, y)
	w.Line().Str("})").EndFunc(n)
}

// less returns whether x[0] sorts before x[1]. NaN is the greatest; complex numbers are ordered
// by real, then imaginary part.
func less(b expr.Builder, x ...expr.Value) expr.Value {
	x0, x1 := x[0], x[1]
	if isComplex(x0) {
		re0, re1 := b.Real(x0), b.Real(x1)
		im0, im1 := b.Imag(x0), b.Imag(x1)
		return b.Or(b.Lt(re0, re1), b.And(b.Eq(re0, re1), b.Lt(im0, im1)))
	}
	r := b.Lt(x0, x1)
	if x0.DType().Is(dtype.Floating) {
		nan0, nan1 := b.IsNaN(x0), b.IsNaN(x1)
		r = b.Or(r, b.And(nan1, b.Not(nan0)))
	}
	return r
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

// sortOrder returns the positions of the elements of x in the order given by a; see array.Order.
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

// directed returns less, or its converse if a.Descending is set.
func directed[T any](a ir.SortAttrs, less func(x, y T) bool) func(x, y T) bool {
	if a.Descending {
		return func(x, y T) bool { return less(y, x) }
	}
	return less
}
