package host

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Budget bounds the work of a program that is run here. A unit is about half a
// nanosecond. A launch of a compiled program takes 5,000 to 50,000 of them, and
// compiling one 20,000,000: up to the budget the first run is a hundred times
// faster here, and later ones at most a few times slower.
const Budget = 1 << 18

// perStep is the work of an operation besides that on its elements.
const perStep = 100

// costs are the work of each operation per element of its operands and its
// result; those that are not here are not done here. Cheap ones are loops over
// the elements, the others go through the row's evaluation.
var costs = map[ir.Code]int{
	ir.Constant: 1, ir.Iota: 1, ir.Convert: 8, ir.BitcastConvert: 1, ir.Reshape: 1, ir.BroadcastInDim: 1, ir.Transpose: 2, ir.Slice: 1,
	ir.DynamicSlice: 1, ir.DynamicUpdateSlice: 10, ir.Gather: 30, ir.Concatenate: 1, ir.Pad: 30, ir.Reverse: 2,

	ir.Neg: 1, ir.Abs: 1, ir.Not: 1, ir.Sqrt: 6, ir.Floor: 4, ir.Ceil: 4, ir.Sign: 16, ir.RoundEven: 16, ir.RoundAway: 16,
	ir.IsFinite: 16, ir.Popcount: 16, ir.Clz: 16, ir.Real: 16, ir.Imag: 16,
	ir.Exp: 24, ir.Expm1: 24, ir.Log: 24, ir.Log1p: 24, ir.Rsqrt: 20, ir.Cbrt: 40, ir.Sin: 40, ir.Cos: 40, ir.Tan: 40,
	ir.Tanh: 24, ir.Logistic: 24, ir.Erf: 24,

	ir.Add: 1, ir.Sub: 1, ir.Mul: 1, ir.Div: 3, ir.Max: 3, ir.Min: 3, ir.And: 1, ir.Or: 1, ir.Xor: 1,
	ir.Rem: 30, ir.Pow: 120, ir.Atan2: 60, ir.ShiftLeft: 16, ir.ShiftRightArithmetic: 16, ir.ShiftRightLogical: 16, ir.Threefry: 100,
	ir.Compare: 1, ir.Select: 2, ir.Clamp: 16,

	ir.ReduceSum: 16, ir.ReduceProd: 16, ir.ReduceMax: 16, ir.ReduceMin: 16, ir.ReduceAnd: 16, ir.ReduceOr: 16,
	ir.ArgMax: 16, ir.ArgMin: 16, ir.DotGeneral: 8, ir.Sort: 200,
}

// halves is the work per element of an operation on bf16 or f16, at least.
const halves = 14

// most is how many elements a value may have at most: one that the plugin has
// computed is copied.
const most = 1 << 14

// approximate are the operations that are not exactly rounded by plugins: results
// of theirs differ from those here in the last places.
var approximate = map[ir.Code]bool{ir.Exp: true, ir.Expm1: true, ir.Log: true, ir.Log1p: true, ir.Rsqrt: true, ir.Cbrt: true, ir.Sin: true,
	ir.Cos: true, ir.Tan: true, ir.Tanh: true, ir.Logistic: true, ir.Erf: true, ir.Pow: true, ir.Atan2: true}

// Takes reports whether g is run here: it is made of operations that are done
// here, on dtypes that are, and there is no more to do than Budget. What Draws is
// left to the plugin.
func Takes(g *ir.Graph) bool {
	if isSort(g) || isFactorization(g) {
		return true
	}
	for _, v := range g.Params {
		if !Holds(v.Type) {
			return false
		}
	}
	work := 0
	for _, n := range g.Nodes {
		if !fits(n) {
			return false
		}
		if work += cost(n); work > Budget {
			return false
		}
	}
	return !Draws(g)
}

// Draws reports whether g makes random numbers of a distribution, which begin as
// bits read as floats and end in functions that are rounded: numbers that are
// jax.random's where they are computed as there.
func Draws(g *ir.Graph) bool {
	drawn, rough := false, false
	for _, n := range g.Nodes {
		drawn = drawn || n.Code == ir.BitcastConvert && n.Results[0].Type.DType.Is(dtype.Floating)
		rough = rough || approximate[n.Code]
	}
	return drawn && rough
}

// fits reports whether n is done here, among others.
func fits(n *ir.Node) bool {
	for _, v := range n.Results {
		if !Holds(v.Type) {
			return false
		}
	}
	if len(n.Regions) > 0 || n.Attrs == (ir.CompilerAttrs{}) {
		return false
	}
	return len(n.Results) == 1 && costs[n.Code] > 0 || factorizes(n) || sorts(n)
}

// mostSorted is how many elements are sorted here, at most.
const mostSorted = 1 << 26

// Sorts reports whether an operation on such operands is a sort that is done here,
// which has a bound of its own: plugins compare one pair of elements after the
// other, and take ten times as long.
func Sorts(c ir.Code, attrs any, operands ...shape.Type) bool {
	if c != ir.Sort || !sortable(operands[0].DType) || operands[0].Shape.Size() > mostSorted {
		return false
	}
	for _, t := range operands[1:] {
		if !taken[t.DType] {
			return false
		}
	}
	return true
}

func sorts(n *ir.Node) bool { return Sorts(n.Code, n.Attrs, typesOf(n)...) }

// isSort reports whether g is nothing but a sort that is done here.
func isSort(g *ir.Graph) bool { return len(g.Nodes) == 1 && sorts(g.Nodes[0]) }

// Holds reports whether values of type t are computed with here.
func Holds(t shape.Type) bool { return taken[t.DType] && t.Shape.Size() <= most }

// taken are the dtypes that are computed with here.
var taken = map[dtype.DType]bool{dtype.I1: true, dtype.I8: true, dtype.I16: true, dtype.I32: true, dtype.I64: true,
	dtype.U8: true, dtype.U16: true, dtype.U32: true, dtype.U64: true,
	dtype.BF16: true, dtype.F16: true, dtype.F32: true, dtype.F64: true}

// cost returns the work of n.
func cost(n *ir.Node) int {
	if factorizes(n) {
		return factorizationCost(n)
	}
	each, times := costs[n.Code], n.Results[0].Type.Shape.Size()
	if sorts(n) {
		each = 40 * len(n.Args)
	}
	for _, a := range n.Args {
		if n.Code != ir.DynamicSlice && n.Code != ir.Slice { // of which only the result is looked at
			times = max(times, a.Type.Shape.Size())
		}
		if isHalf(a.Type.DType) {
			each = max(2*each, halves)
		}
	}
	if n.Code == ir.DotGeneral {
		times = products(n)
	}
	return perStep + each*times
}

// products returns how many products a DotGeneral adds up.
func products(n *ir.Node) int {
	times := n.Results[0].Type.Shape.Size()
	for _, axis := range n.Attrs.(ir.DotAttrs).LhsContract.All() {
		times *= n.Args[0].Type.Shape[axis]
	}
	return times
}

// Done reports whether c is done here, on some dtypes and sizes.
func Done(c ir.Code) bool { return costs[c] > 0 }
