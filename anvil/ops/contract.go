package ops

import (
	"strconv"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// contract holds the row of contraction. The reference adds products of floats in f64 and rounds the sum
// once. Products and sums of integers wrap.
//
// (C1), (C2), ... in comments are the constraints of the operation in the StableHLO specification.
var contract = []Def{
	{Code: ir.DotGeneral, Name: "DotGeneral", HLO: "dot_general", Params: []string{"lhs", "rhs"}, Accepts: []dtype.Kind{dtype.Any, dtype.Any},
		Doc: "DotGeneral returns the sum of products over contracting axes, for each index of batching axes: " +
			"result[batch..., i..., j...] = sum over k of lhs[batch, i, k]*rhs[batch, k, j].",
		Infer: inferDot, Lower: widened(lowerDot), Eval: evalDot, Bound: Bound{ULP: 32, Sum: true, AnyZero: true}},
}

// inferDot: (C1), (C2) batching and contracting axes come in pairs; (C3) to (C8)
// each axis exists and is named once; (C9), (C10) lengths agree; (C12) the result has the
// batching axes, then the other axes of lhs, then those of rhs; (C13) dtypes agree.
func inferDot(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, _ := attrs.(ir.DotAttrs)
	lhs, rhs := args[0], args[1]
	if lhs.DType != rhs.DType {
		return nil, fault("dtypes differ", "convert one with AsType")
	}
	if err := checkAxes(a.LhsBatch+a.LhsContract, len(lhs.Shape)); err != nil {
		return nil, err
	}
	if err := checkAxes(a.RhsBatch+a.RhsContract, len(rhs.Shape)); err != nil {
		return nil, err
	}
	if err := checkPairs("batching", lhs.Shape, rhs.Shape, a.LhsBatch, a.RhsBatch); err != nil {
		return nil, err
	}
	if err := checkPairs("contracting", lhs.Shape, rhs.Shape, a.LhsContract, a.RhsContract); err != nil {
		return nil, err
	}
	s := lengths(lhs.Shape, a.LhsBatch)
	s = append(s, lengths(lhs.Shape, otherAxes(len(lhs.Shape), a.LhsBatch+a.LhsContract))...)
	s = append(s, lengths(rhs.Shape, otherAxes(len(rhs.Shape), a.RhsBatch+a.RhsContract))...)
	return []shape.Type{{DType: dotDType(a, lhs.DType), Shape: s}}, nil
}

// dotDType returns the dtype of the product of operands of dtype d.
func dotDType(a ir.DotAttrs, d dtype.DType) dtype.DType {
	if a.DType != dtype.Invalid {
		return a.DType
	}
	return d
}

// checkPairs checks that left and right name equally many axes of lhs and rhs, with equal lengths in each
// pair. kind is "batching" or "contracting".
func checkPairs(kind string, lhs, rhs shape.Shape, left, right shape.Dims) error {
	if left.Len() != right.Len() {
		return fault(kind+" axes do not come in pairs", "")
	}
	other := right.Ints()
	for i, x := range left.All() {
		if lhs[x] != rhs[other[i]] {
			return fault(kind+" axes differ: axis "+strconv.Itoa(x)+" of lhs has length "+strconv.Itoa(lhs[x])+
				", axis "+strconv.Itoa(other[i])+" of rhs "+strconv.Itoa(rhs[other[i]]), "they must have the same length; transpose one")
		}
	}
	return nil
}

// lengths returns the lengths of axes of s.
func lengths(s shape.Shape, axes shape.Dims) shape.Shape {
	t := shape.Shape{}
	for _, x := range axes.All() {
		t = append(t, s[x])
	}
	return t
}

// otherAxes returns the axes of an array of the given rank that are not in axes.
func otherAxes(rank int, axes shape.Dims) shape.Dims {
	var rest []int
	for x := range rank {
		if !axes.Has(x) {
			rest = append(rest, x)
		}
	}
	return shape.DimsOf(rest...)
}

// lowerDot writes a barrier before a rhs whose elements may all be equal. Without it, XLA's compiler for CPUs,
// at least up to that of JAX 0.11, may fuse the product and a reduction of it into one loop that reads
// uninitialized memory.
func lowerDot(w *stablehlo.Writer, n *ir.Node) {
	a, rhs := n.Attrs.(ir.DotAttrs), w.NameOf(n.Args[1])
	t := n.Args[1].Type
	if t.DType.Is(dtype.Floating) && t.Shape.Size() > 1 && maybeSplat(n.Args[1], map[*ir.Value]bool{}) {
		rhs = w.Apply("optimization_barrier", t, rhs)
	}
	w.Op(n).Str("stablehlo.dot_general ").Value(n.Args[0]).Str(", ").Name(rhs)
	if a.LhsBatch != "" {
		w.Str(", batching_dims = ").Dims(a.LhsBatch).Str(" x ").Dims(a.RhsBatch)
	}
	w.Str(", contracting_dims = ").Dims(a.LhsContract).Str(" x ").Dims(a.RhsContract).
		Str(", precision = [").Str(a.Precision.String()).Str(", ").Str(a.Precision.String()).Str("]").EndFunc(n)
}

// maybeSplat reports whether the compiler may find out that all elements of v are equal, because v is computed only
// from scalars and constants. seen caches results.
func maybeSplat(v *ir.Value, seen map[*ir.Value]bool) bool {
	if v.Type.Shape.Size() == 1 {
		return true
	}
	if v.Node == nil {
		return false
	}
	if r, ok := seen[v]; ok {
		return r
	}
	maybe := len(v.Node.Regions) == 0
	for _, a := range v.Node.Args {
		maybe = maybe && maybeSplat(a, seen)
	}
	seen[v] = maybe
	return maybe
}

// evalDot permutes the axes of the operands so that they are batches of matrices, and multiplies the matrices.
func evalDot(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	a, t := n.Attrs.(ir.DotAttrs), n.Results[0].Type
	ls, rs := args[0].Type.Shape, args[1].Type.Shape
	lhsFree, rhsFree := otherAxes(len(ls), a.LhsBatch+a.LhsContract), otherAxes(len(rs), a.RhsBatch+a.RhsContract)
	lhs, err := permuted(e, args[0], a.LhsBatch+lhsFree+a.LhsContract)
	if err != nil {
		return nil, err
	}
	rhs, err := permuted(e, args[1], a.RhsBatch+a.RhsContract+rhsFree)
	if err != nil {
		return nil, err
	}
	batch, m := lengths(ls, a.LhsBatch).Size(), lengths(ls, lhsFree).Size()
	k, cols := lengths(ls, a.LhsContract).Size(), lengths(rs, rhsFree).Size()
	return oneResult(products(e, t, lhs, rhs, batch, m, k, cols))
}

// permuted returns x with its axes in the given order.
func permuted(e Evaluator, x array.Array, order shape.Dims) (array.Array, error) {
	from := array.Strides(x.Type.Shape)
	steps := make([]int, len(from))
	for i, axis := range order.All() {
		steps[i] = from[axis]
	}
	return array.Read(e.Context(), lengths(x.Type.Shape, order), x, 0, steps)
}

// products returns the matrix products of lhs, batch matrices of m x k elements, and rhs, batch
// matrices of k x cols elements. They are computed in the widest numbers of their dtype's kind.
func products(e Evaluator, t shape.Type, lhs, rhs array.Array, batch, m, k, cols int) (array.Array, error) {
	switch lhs.DType().Kind() {
	case dtype.Boolean:
		return booleanProducts(e, t, lhs, rhs, batch, m, k, cols)
	case dtype.Signed:
		return array.MatMul[int64](e.Context(), t, lhs, rhs, batch, m, k, cols)
	case dtype.Unsigned:
		return array.MatMul[uint64](e.Context(), t, lhs, rhs, batch, m, k, cols)
	case dtype.Complex:
		return array.MatMul[complex128](e.Context(), t, lhs, rhs, batch, m, k, cols)
	}
	return array.MatMul[float64](e.Context(), t, lhs, rhs, batch, m, k, cols)
}

// booleanProducts returns the matrix products of booleans: a sum is true if any term is.
func booleanProducts(e Evaluator, t shape.Type, lhs, rhs array.Array, batch, m, k, cols int) (array.Array, error) {
	lhs.Type.DType, rhs.Type.DType = dtype.U8, dtype.U8 // a boolean is stored as a byte, 0 or 1
	sums := shape.Type{DType: dtype.U64, Shape: t.Shape}
	counts, err := array.MatMul[uint64](e.Context(), sums, lhs, rhs, batch, m, k, cols)
	if err != nil {
		return array.Array{}, err
	}
	return array.Map1(e.Context(), t, counts, func(x uint64) bool { return x > 0 })
}
