package reference

import (
	"context"
	"math"
	"slices"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

// RunFlushing is Run with subnormal operands and results flushed to 0, as in XLA's programs
// for CPUs: in arithmetic, in comparisons, and in conversions between f32 and f64. Operations
// that only move bits keep subnormal numbers.
func RunFlushing(ctx context.Context, g *ir.Graph, args []array.Array) ([]array.Array, error) {
	return evaluator{ctx, true}.Run(g, args)
}

// moves has the operations that only move bits or change the sign.
var moves = []ir.Code{ir.Constant, ir.BitcastConvert, ir.Reshape, ir.BroadcastInDim, ir.Transpose, ir.Slice, ir.DynamicSlice,
	ir.DynamicUpdateSlice, ir.Gather, ir.Concatenate, ir.Pad, ir.Reverse, ir.Neg, ir.Abs, ir.Select, ir.Real, ir.Imag,
	ir.Complex, ir.Sort, ir.If, ir.Case, ir.While, ir.OptimizationBarrier, ir.Call, ir.Scan}

// eval evaluates n, with flushing if e.flush is set.
func (e evaluator) eval(n *ir.Node, args []array.Array) ([]array.Array, error) {
	if out := emptyResults(n); out != nil {
		return out, nil
	}
	if !e.flush || !Flushes(n) {
		return ops.Lookup(n.Code).Eval(e, n, args)
	}
	for i, a := range args {
		args[i] = flushSubnormal(a)
	}
	out, err := ops.Lookup(n.Code).Eval(e, n, args)
	for i, a := range out {
		out[i] = flushSubnormal(a)
	}
	return out, err
}

// emptyResults returns the results of n if they have no elements, and nil otherwise. They
// are not computed: the other axes of an empty array may be too long to iterate over.
func emptyResults(n *ir.Node) []array.Array {
	if len(n.Regions) > 0 || slices.ContainsFunc(n.Results, func(v *ir.Value) bool { return v.Type.Bytes() > 0 }) {
		return nil
	}
	out := make([]array.Array, len(n.Results))
	for i, v := range n.Results {
		out[i] = array.Array{Type: v.Type, Data: []byte{}}
	}
	return out
}

// Flushes reports whether RunFlushing flushes subnormal numbers in n, that is whether n
// computes with floats.
func Flushes(n *ir.Node) bool {
	if n.Code != ir.Convert {
		return !slices.Contains(moves, n.Code)
	}
	from, to := realDType(n.Args[0].Type.DType), realDType(n.Results[0].Type.DType)
	return from != to && (from == dtype.F64 || to == dtype.F64 || from == dtype.F32 && to == dtype.I1)
}

// realDType returns the dtype of the parts of a complex dtype, and other dtypes unchanged.
func realDType(d dtype.DType) dtype.DType {
	if d.Is(dtype.Complex) {
		return d.Elem()
	}
	return d
}

// minExponents has the exponents of the smallest normal numbers. bf16 has that of f32, in
// which it is computed.
var minExponents = map[dtype.DType]int{dtype.F64: -1022, dtype.F32: -126, dtype.BF16: -126}

// flushSubnormal returns a with 0 in place of subnormal numbers.
func flushSubnormal(a array.Array) array.Array {
	d := realDType(a.DType())
	exp, ok := minExponents[d]
	if !ok {
		return a
	}
	tiny, data := math.Ldexp(1, exp), slices.Clone(a.Data)
	for at := 0; at < len(data); at += d.Size() {
		if x := dtype.GetFloat(data[at:], d); x != 0 && math.Abs(x) < tiny {
			dtype.PutFloat(data[at:], d, math.Copysign(0, x))
		}
	}
	a.Data = data
	return a
}
