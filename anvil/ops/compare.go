package ops

import (
	"cmp"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// compare holds the rows of comparison and selection.
//
// (C1), (C2), ... in comments are the constraints of the operation in the StableHLO specification.
var compare = []Def{
	{Code: ir.Compare, Name: "Compare", HLO: "compare", Params: []string{"lhs", "rhs"}, Accepts: []dtype.Kind{dtype.Any, dtype.Any},
		Doc: "Compare returns whether the relation between lhs and rhs holds, elementwise. NaN is unequal to every number; " +
			"complex numbers can be compared only for equality.",
		Infer: inferCompare, Lower: lowerCompare, Eval: evalCompare},
	{Code: ir.Select, Name: "Select", HLO: "select", Params: []string{"pred", "on_true", "on_false"},
		Accepts: []dtype.Kind{dtype.Boolean, dtype.Any, dtype.Any},
		Doc:     "Select returns on_true where pred is true and on_false elsewhere, elementwise; a pred of rank 0 selects for all elements.",
		Infer:   inferSelect, Lower: lowerSelect, Eval: evalSelect},
	{Code: ir.Clamp, Name: "Clamp", HLO: "clamp", Params: []string{"min", "operand", "max"},
		Accepts: []dtype.Kind{dtype.Any, dtype.Any, dtype.Any},
		Doc:     "Clamp returns operand limited to the range from min to max, elementwise; min and max may have rank 0.",
		Infer:   inferClamp, Lower: lowerClamp, Eval: evalClamp, Bound: Bound{AnyZero: true}},
}

// inferCompare: (C1) dtypes agree; (C2) shapes agree. (C3), the compare_type, is chosen in lowerCompare. As in the
// specification's reference interpreter, complex numbers have no order.
func inferCompare(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	if err := allSame(args); err != nil {
		return nil, err
	}
	a, ok := attrs.(ir.CompareAttrs)
	if !ok || a.Direction > ir.GE {
		return nil, fault("no direction is given", "give EQ, NE, LT, LE, GT or GE")
	}
	if args[0].DType.Is(dtype.Complex) && a.Direction > ir.NE {
		return nil, fault("complex numbers have no order", "compare Abs, Real or Imag of them")
	}
	return toBool(args, nil, nil)
}

// compareTypes has the compare_type of each kind, by (C3) of compare.
var compareTypes = map[dtype.Kind]string{dtype.Boolean: "UNSIGNED", dtype.Unsigned: "UNSIGNED",
	dtype.Signed: "SIGNED", dtype.Floating: "FLOAT", dtype.Complex: "FLOAT"}

func lowerCompare(w *stablehlo.Writer, n *ir.Node) {
	d := n.Attrs.(ir.CompareAttrs).Direction
	w.Op(n).Str("stablehlo.compare ").Str(d.String()).Str(", ").Values(n.Args...).
		Str(", ").Str(compareTypes[n.Args[0].Type.DType.Kind()]).EndFunc(n)
}

func evalCompare(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	d, x, y := n.Attrs.(ir.CompareAttrs).Direction, args[0], args[1]
	switch x.DType().Kind() {
	case dtype.Boolean:
		return oneResult(array.Map2(e.Context(), n.Results[0].Type, x, y,
			func(x, y bool) bool { return relation[uint64](d)(fromBool(x), fromBool(y)) }))
	case dtype.Signed:
		return oneResult(array.Map2(e.Context(), n.Results[0].Type, x, y, relation[int64](d)))
	case dtype.Unsigned:
		return oneResult(array.Map2(e.Context(), n.Results[0].Type, x, y, relation[uint64](d)))
	case dtype.Complex:
		return oneResult(array.Map2(e.Context(), n.Results[0].Type, x, y,
			func(x, y complex128) bool { return (x == y) == (d == ir.EQ) }))
	}
	return oneResult(array.Map2(e.Context(), n.Results[0].Type, x, y, relation[float64](d)))
}

// relation returns the function that compares numbers by the relation d.
func relation[T cmp.Ordered](d ir.Direction) func(x, y T) bool {
	return [...]func(x, y T) bool{
		ir.EQ: func(x, y T) bool { return x == y }, ir.NE: func(x, y T) bool { return x != y },
		ir.LT: func(x, y T) bool { return x < y }, ir.LE: func(x, y T) bool { return x <= y },
		ir.GT: func(x, y T) bool { return x > y }, ir.GE: func(x, y T) bool { return x >= y },
	}[d]
}

func fromBool(x bool) uint64 {
	if x {
		return 1
	}
	return 0
}

// inferSelect: (C1) pred is of rank 0 or of the operands' shape; (C2) on_true,
// on_false and result are of one type.
func inferSelect(args []shape.Type, _ any, _ []*ir.Graph) ([]shape.Type, error) {
	if err := allSame(args[1:]); err != nil {
		return nil, err
	}
	if !scalarOrEqual(args[0].Shape, args[1].Shape) {
		return nil, fault("the shape of pred is not that of on_true", "broadcast pred to "+args[1].Shape.String())
	}
	return args[1:2:2], nil
}

// inferClamp: (C1), (C2) bounds are of rank 0 or of the operand's shape; (C3)
// dtypes agree; (C4) the result is of the operand's type.
func inferClamp(args []shape.Type, _ any, _ []*ir.Graph) ([]shape.Type, error) {
	for _, bound := range []shape.Type{args[0], args[2]} {
		if bound.DType != args[1].DType {
			return nil, fault("dtypes differ", "convert the bounds with AsType")
		}
		if !scalarOrEqual(bound.Shape, args[1].Shape) {
			return nil, fault("a bound has another shape than the operand",
				"use a bound of rank 0, or broadcast it to "+args[1].Shape.String())
		}
	}
	return args[1:2:2], nil
}

// scalarOrEqual reports whether s is of rank 0 or equal to t.
func scalarOrEqual(s, t shape.Shape) bool { return len(s) == 0 || s.Equal(t) }

func lowerSelect(w *stablehlo.Writer, n *ir.Node) {
	w.Op(n).Str("stablehlo.select ").Values(n.Args...).
		Str(" : ").Type(n.Args[0].Type).Str(", ").Type(n.Args[1].Type).Str("\n")
}

func evalSelect(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	size := n.Results[0].Type.DType.Size()
	out := array.New(n.Results[0].Type)
	pred := array.Load[bool](args[0])
	err := array.Walk(e.Context(), out.Type.Shape, 0, array.Strides(out.Type.Shape), func(i, _ int) {
		from := args[2].Data
		if pred[i%len(pred)] { // the only element if pred has rank 0
			from = args[1].Data
		}
		copy(out.Data[i*size:(i+1)*size], from[i*size:])
	})
	return oneResult(out, err)
}

func evalClamp(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	t := n.Results[0].Type
	switch t.DType.Kind() {
	case dtype.Boolean:
		return oneResult(array.Map3(e.Context(), t, args[0], args[1], args[2],
			func(low, x, high bool) bool { return high && (low || x) }))
	case dtype.Signed:
		return oneResult(array.Map3(e.Context(), t, args[0], args[1], args[2], clamp[int64]))
	case dtype.Unsigned:
		return oneResult(array.Map3(e.Context(), t, args[0], args[1], args[2], clamp[uint64]))
	case dtype.Complex:
		return oneResult(array.Map3(e.Context(), t, args[0], args[1], args[2],
			func(low, x, high complex128) complex128 { return minComplex(high, maxComplex(low, x)) }))
	}
	return oneResult(array.Map3(e.Context(), t, args[0], args[1], args[2], clamp[float64]))
}

func clamp[T cmp.Ordered](low, x, high T) T { return min(high, max(low, x)) }
