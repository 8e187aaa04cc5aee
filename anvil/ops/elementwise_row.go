package ops

import (
	"slices"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// An elementwiseRow is the row of an elementwise operation whose operands and result have one type. B, I, U, F
// and C are the types of the functions b, i, u, f and c, which compute one element as a bool, int64, uint64, float64 or
// complex128. A function is nil if the operation does not accept its kind of dtype.
type elementwiseRow[B, I, U, F, C any] struct {
	code     ir.Code
	name     string
	hlo      string
	chlo     string
	accepts  dtype.Kind
	bound    Bound
	doc      string
	operands OperandClass // see Function
	names    []string     // see Function
	args     []string     // see Function

	expansion Expansion // nil: the compiler's own operation
	exact     bool      // the expansion is exact for floats narrower than f32, so that it needs no wider ones
	lower     LowerFunc // nil: lowers the expansion, or the compiler's own operation

	// The functions for booleans, signed and unsigned integers, floats and complex numbers.
	b B
	i I
	u U
	f F
	c C
}

type (
	unaryRow = elementwiseRow[func(bool) bool, func(int64) int64, func(uint64) uint64, func(float64) float64,
		func(complex128) complex128]
	binaryRow = elementwiseRow[func(x, y bool) bool, func(x, y int64) int64, func(x, y uint64) uint64,
		func(x, y float64) float64, func(x, y complex128) complex128]
)

// def returns the Def of r, with the evaluation eval and operands named params.
func (r elementwiseRow[B, I, U, F, C]) def(eval EvalFunc, params ...string) Def {
	switch {
	case r.lower != nil: // the row has its own lowering
	case r.expansion != nil:
		r.lower = lowerExpansion(r.expansion, r.exact)
	default:
		r.lower = lowerSameType(r.hlo)
	}
	n := len(params)
	wide := r.expansion != nil && !r.exact
	return Def{Code: r.code, Name: r.name, HLO: r.hlo, CHLO: r.chlo, Wide: wide, Expansion: r.expansion, Params: params,
		Accepts: slices.Repeat([]dtype.Kind{r.accepts}, n), Doc: r.doc, Infer: sameTypes, Lower: r.lower, Eval: eval,
		Bound: r.bound, Function: Function{Operands: r.operands, Names: r.names, Args: r.args}}
}

func unaryDefs(rows []unaryRow) []Def {
	ds := make([]Def, len(rows))
	for i, r := range rows {
		ds[i] = r.def(evalUnary(r), "operand")
	}
	return ds
}

func binaryDefs(rows []binaryRow) []Def {
	ds := make([]Def, len(rows))
	for i, r := range rows {
		ds[i] = r.def(evalBinary(r), "lhs", "rhs")
	}
	return ds
}

func evalUnary(r unaryRow) EvalFunc {
	return func(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
		t, x := n.Results[0].Type, args[0]
		switch t.DType.Kind() {
		case dtype.Boolean:
			return oneResult(array.Map1(e.Context(), t, x, r.b))
		case dtype.Signed:
			return oneResult(array.Map1(e.Context(), t, x, r.i))
		case dtype.Unsigned:
			return oneResult(array.Map1(e.Context(), t, x, r.u))
		case dtype.Complex:
			return oneResult(array.Map1(e.Context(), t, x, r.c))
		}
		return oneResult(array.Map1(e.Context(), t, x, r.f))
	}
}

func evalBinary(r binaryRow) EvalFunc {
	return func(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
		t, x, y := n.Results[0].Type, args[0], args[1]
		switch t.DType.Kind() {
		case dtype.Boolean:
			return oneResult(array.Map2(e.Context(), t, x, y, r.b))
		case dtype.Signed:
			return oneResult(array.Map2(e.Context(), t, x, y, r.i))
		case dtype.Unsigned:
			return oneResult(array.Map2(e.Context(), t, x, y, r.u))
		case dtype.Complex:
			return oneResult(array.Map2(e.Context(), t, x, y, r.c))
		}
		return oneResult(array.Map2(e.Context(), t, x, y, r.f))
	}
}

// oneResult returns a as the only element of a list.
func oneResult(a array.Array, err error) ([]array.Array, error) {
	if err != nil {
		return nil, err
	}
	return []array.Array{a}, nil
}

// defs returns the Defs of a list of rows.
func defs[R interface{ def() Def }](rows []R) []Def {
	ds := make([]Def, len(rows))
	for i, r := range rows {
		ds[i] = r.def()
	}
	return ds
}

// sameTypes is the InferFunc of operations whose operands and result have one type.
func sameTypes(args []shape.Type, _ any, _ []*ir.Graph) ([]shape.Type, error) {
	if err := allSame(args); err != nil {
		return nil, err
	}
	return args[:1:1], nil
}

// allSame checks that all operands have one type: (C1) of binary operations.
func allSame(args []shape.Type) error {
	for _, a := range args[1:] {
		if a.DType != args[0].DType {
			return fault("dtypes differ", "convert one with AsType")
		}
		if !a.Shape.Equal(args[0].Shape) {
			return fault("shapes differ", "broadcast one to the other")
		}
	}
	return nil
}

// lowerSameType returns a LowerFunc that writes one type for operands and result, as in
// "stablehlo.add %0, %1 : tensor<f32>".
func lowerSameType(hlo string) LowerFunc {
	return func(w *stablehlo.Writer, n *ir.Node) {
		w.Op(n).Str("stablehlo.").Str(hlo).Str(" ").Values(n.Args...).End(n)
	}
}

// lowerWithTypes returns a LowerFunc that writes the types of operands and result, as in
// "stablehlo.convert %0 : (tensor<i32>) -> tensor<f32>".
func lowerWithTypes(hlo string) LowerFunc {
	return func(w *stablehlo.Writer, n *ir.Node) {
		w.Op(n).Str("stablehlo.").Str(hlo).Str(" ").Values(n.Args...).EndFunc(n)
	}
}

// lowerCHLO returns a LowerFunc that writes an operation of CHLO, as in
// "chlo.erf %0 : tensor<f32> -> tensor<f32>".
func lowerCHLO(chlo string) LowerFunc {
	return func(w *stablehlo.Writer, n *ir.Node) {
		w.Rename(n.Results[0], w.ApplyCHLO(chlo, n.Results[0].Type, w.NamesOf(n.Args)...))
	}
}
