package host

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Budget is the greatest work of a program that package host runs, in units of about half a nanosecond. A
// plugin takes 20,000,000 units to compile a program and 5,000 to 50,000 to launch it. Compiling takes longer
// for more operations, so each operation adds perNode to the budget. Within the budget, the first run is a
// hundred times faster here than with a plugin, and later runs are at most a few times slower.
const Budget, perNode = 1 << 18, 1 << 11

// perStep is the fixed work of an operation, whatever the number of its elements.
const perStep = 100

// costs has the work of each operation per element, or per 16 bytes if streams is true. Apart from
// factorizations, package host runs only these operations. The cheap ones are loops of this package; the
// others use Eval of package ops.
var costs = map[ir.Code]int{
	ir.Constant: 1, ir.Iota: 1, ir.Convert: 8, ir.BitcastConvert: 1, ir.Reshape: 1, ir.BroadcastInDim: 1,
	ir.Transpose: 2, ir.Slice: 1, ir.DynamicSlice: 1, ir.DynamicUpdateSlice: 10, ir.Gather: 30,
	ir.Concatenate: 1, ir.Pad: 30, ir.Reverse: 2,

	ir.Neg: 1, ir.Abs: 1, ir.Not: 1, ir.Sqrt: 6, ir.Floor: 4, ir.Ceil: 4, ir.Sign: 16, ir.RoundEven: 16, ir.RoundAway: 16,
	ir.IsFinite: 16, ir.Popcount: 16, ir.Clz: 16, ir.Real: 16, ir.Imag: 16,
	ir.Exp: 24, ir.Expm1: 24, ir.Log: 24, ir.Log1p: 24, ir.Rsqrt: 20, ir.Cbrt: 40, ir.Sin: 40, ir.Cos: 40, ir.Tan: 40,
	ir.Tanh: 24, ir.Logistic: 24, ir.Erf: 24,

	ir.Add: 1, ir.Sub: 1, ir.Mul: 1, ir.MulNoNaN: 1, ir.Div: 3, ir.Max: 3, ir.Min: 3, ir.And: 1, ir.Or: 1, ir.Xor: 1,
	ir.Rem: 30, ir.Pow: 120, ir.Atan2: 60, ir.Threefry: 100,
	ir.ShiftLeft: 16, ir.ShiftRightArithmetic: 16, ir.ShiftRightLogical: 16,
	ir.Compare: 1, ir.Select: 2, ir.Clamp: 16,

	ir.ReduceSum: 16, ir.ReduceProd: 16, ir.ReduceMax: 16, ir.ReduceMin: 16, ir.ReduceAnd: 16, ir.ReduceOr: 16,
	ir.ArgMax: 16, ir.ArgMin: 16, ir.DotGeneral: 8, ir.Sort: 200,
}

// streams reports whether n copies elements or computes them by vector instructions. Its time then depends on
// the number of bytes, and costs has the work per 16 bytes.
func streams(n *ir.Node) bool {
	switch n.Code {
	case ir.Constant, ir.Iota, ir.BitcastConvert, ir.BroadcastInDim, ir.Slice, ir.DynamicSlice, ir.Concatenate:
		return true
	case ir.Add, ir.Sub, ir.Mul, ir.MulNoNaN, ir.Div:
		d := n.Results[0].Type.DType
		return d == dtype.F32 || d == dtype.F64
	}
	return false
}

// minHalfCost is the least work per element of an operation on bf16 or f16.
const minHalfCost = 14

// maxElements is the greatest number of elements of a value. A large value would take too long to copy to the
// host if a plugin has computed it.
const maxElements = 1 << 14

// approximate has the operations that plugins do not round correctly. Their results differ from those of
// package host in the last places.
var approximate = map[ir.Code]bool{ir.Exp: true, ir.Expm1: true, ir.Log: true, ir.Log1p: true, ir.Rsqrt: true,
	ir.Cbrt: true, ir.Sin: true, ir.Cos: true, ir.Tan: true, ir.Tanh: true, ir.Logistic: true, ir.Erf: true,
	ir.Pow: true, ir.Atan2: true}

// Takes reports whether package host runs g. It does if it has the operations and dtypes of g, the work is
// within the budget, and g does not draw random numbers (see Draws), or if g is a single sort or
// factorization (see Sorts and Factorizes).
func Takes(g *ir.Graph) bool {
	if len(g.Nodes) == 1 && (sorts(g.Nodes[0]) || factorizes(g.Nodes[0])) {
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
		if work += cost(n); work > Budget+perNode*len(g.Nodes) {
			return false
		}
	}
	return !Draws(g)
}

// Draws reports whether g seems to draw random numbers of a distribution: it reinterprets bits as floats and has
// approximate operations. Such programs are left to the plugin, since their numbers equal those of jax.random
// only if XLA computes them.
func Draws(g *ir.Graph) bool {
	bitsToFloats, approximates := false, false
	for _, n := range g.Nodes {
		bitsToFloats = bitsToFloats || n.Code == ir.BitcastConvert && n.Results[0].Type.DType.Is(dtype.Floating)
		approximates = approximates || approximate[n.Code]
	}
	return bitsToFloats && approximates
}

// fits reports whether package host can run n in a program with other operations.
func fits(n *ir.Node) bool {
	for _, v := range n.Results {
		if !Holds(v.Type) {
			return false
		}
	}
	if len(n.Regions) > 0 || n.Attrs == (ir.CompilerAttrs{}) { // CompilerAttrs ask for XLA's bits
		return false
	}
	return len(n.Results) == 1 && costs[n.Code] > 0 || factorizes(n) || sorts(n)
}

// maxSorted is the greatest number of elements of a sort that package host runs.
const maxSorted = 1 << 26

// Sorts reports whether c is a sort that package host runs on operands of these types. It allows up to
// maxSorted elements, even if the work exceeds Budget, since plugins take ten times as long: they compare one
// pair after another.
func Sorts(c ir.Code, operands ...shape.Type) bool {
	if c != ir.Sort || !sortable(operands[0].DType) || operands[0].Shape.Size() > maxSorted {
		return false
	}
	for _, t := range operands[1:] {
		if !supportedDTypes[t.DType] {
			return false
		}
	}
	return true
}

// sorts reports whether Sorts is true for n.
func sorts(n *ir.Node) bool { return Sorts(n.Code, typesOf(n)...) }

// Holds reports whether package host computes with values of type t.
func Holds(t shape.Type) bool { return supportedDTypes[t.DType] && t.Shape.Size() <= maxElements }

// supportedDTypes are the dtypes that package host computes with.
var supportedDTypes = map[dtype.DType]bool{dtype.I1: true,
	dtype.I8: true, dtype.I16: true, dtype.I32: true, dtype.I64: true,
	dtype.U8: true, dtype.U16: true, dtype.U32: true, dtype.U64: true,
	dtype.BF16: true, dtype.F16: true, dtype.F32: true, dtype.F64: true}

// cost returns the work of n.
func cost(n *ir.Node) int {
	if factorizes(n) {
		return factorizationCost(n)
	}
	if n.Code == ir.DotGeneral {
		return perStep + productsOf(n).cost(n)
	}
	if n.Code == ir.Reshape {
		return 0
	}
	result := n.Results[0].Type
	each, elements := costs[n.Code], result.Shape.Size()
	if n.Code == ir.Convert && conversions[[2]dtype.DType{n.Args[0].Type.DType, result.DType}] != nil {
		each = 1
	}
	if sorts(n) {
		each = 40 * len(n.Args) // a radix sort; costs has the work of Eval
	}
	half := false
	for _, a := range n.Args {
		if n.Code != ir.DynamicSlice && n.Code != ir.Slice { // slices read only the elements that they return
			elements = max(elements, a.Type.Shape.Size())
		}
		half = half || isHalf(a.Type.DType)
	}
	if half {
		each = max(2*each, minHalfCost)
	}
	if streams(n) && !isHalf(result.DType) {
		return perStep + each*elements*result.DType.Size()/16
	}
	return perStep + each*elements
}
