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

// RunFlushing is Run with subnormal numbers taken for 0 and made 0, as XLA's
// programs for CPUs have them: by arithmetic of f32 and f64, by comparisons and
// by conversions between the two, while what only moves bits keeps them.
func RunFlushing(ctx context.Context, g *ir.Graph, args []array.Array) ([]array.Array, error) {
	return evaluator{ctx, true}.Run(g, args)
}

// moves are the operations that move bits, or change the sign.
var moves = []ir.Code{ir.Constant, ir.BitcastConvert, ir.Reshape, ir.BroadcastInDim, ir.Transpose, ir.Slice, ir.DynamicSlice,
	ir.DynamicUpdateSlice, ir.Gather, ir.Concatenate, ir.Pad, ir.Reverse, ir.Neg, ir.Abs, ir.Select, ir.Real, ir.Imag,
	ir.Complex, ir.Sort, ir.If, ir.Case, ir.While, ir.OptimizationBarrier}

// eval is the evaluation of n, which flushes where the evaluator does.
func (e evaluator) eval(n *ir.Node, args []array.Array) ([]array.Array, error) {
	if out := nothing(n); out != nil {
		return out, nil
	}
	if !e.flush || !Flushes(n) {
		return ops.Lookup(n.Code).Eval(e, n, args)
	}
	for i, a := range args {
		args[i] = flushed(a)
	}
	out, err := ops.Lookup(n.Code).Eval(e, n, args)
	for i, a := range out {
		out[i] = flushed(a)
	}
	return out, err
}

// nothing returns the results of n where they have no elements, nil where they have
// some: beside an axis of length 0 others may be longer than anybody counts to.
func nothing(n *ir.Node) []array.Array {
	if len(n.Regions) > 0 || slices.ContainsFunc(n.Results, func(v *ir.Value) bool { return v.Type.Bytes() > 0 }) {
		return nil
	}
	out := make([]array.Array, len(n.Results))
	for i, v := range n.Results {
		out[i] = array.Array{Type: v.Type, Data: []byte{}}
	}
	return out
}

// Flushes reports whether RunFlushing takes subnormal numbers for 0 in n: whether
// it computes with floats.
func Flushes(n *ir.Node) bool {
	if n.Code != ir.Convert {
		return !slices.Contains(moves, n.Code)
	}
	from, to := part(n.Args[0].Type.DType), part(n.Results[0].Type.DType)
	return from != to && (from == dtype.F64 || to == dtype.F64 || from == dtype.F32 && to == dtype.I1)
}

// part returns the dtype of a complex number's parts, and any other as it is.
func part(d dtype.DType) dtype.DType {
	if d.Is(dtype.Complex) {
		return d.Elem()
	}
	return d
}

// least are the exponents of the smallest normal numbers. Those of bf16, which
// is converted by way of f32, are f32's.
var least = map[dtype.DType]int{dtype.F64: -1022, dtype.F32: -126, dtype.BF16: -126}

// flushed returns a with 0 in place of subnormal numbers.
func flushed(a array.Array) array.Array {
	d := part(a.DType())
	exp, ok := least[d]
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
