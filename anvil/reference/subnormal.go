package reference

import (
	"context"
	"math"
	"slices"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// RunFlushing is Run with subnormal operands and results flushed to 0, as in XLA's programs
// for CPUs: in arithmetic, in comparisons, and in some conversions (see Flushes). Operations
// that only move bits keep subnormal numbers.
func RunFlushing(ctx context.Context, g *ir.Graph, args []array.Array) ([]array.Array, error) {
	return evaluator{ctx, true}.Run(g, args)
}

// moves has the operations, other than Convert, that do not flush: those that only move bits or change the sign, and
// those that only run regions, since Flushes decides for each operation of a region.
var moves = []ir.Code{ir.Constant, ir.BitcastConvert, ir.Reshape, ir.BroadcastInDim, ir.Transpose, ir.Slice,
	ir.DynamicSlice, ir.DynamicUpdateSlice, ir.Gather, ir.Concatenate, ir.Pad, ir.Reverse, ir.Neg, ir.Abs, ir.Select,
	ir.Real, ir.Imag, ir.Complex, ir.Sort, ir.If, ir.Case, ir.While, ir.OptimizationBarrier, ir.Call, ir.Scan}

// Flushes reports whether RunFlushing flushes subnormal operands and results of n. Of the conversions, it flushes
// those from or to f64, and from f32 to i1.
func Flushes(n *ir.Node) bool {
	if n.Code != ir.Convert {
		return !slices.Contains(moves, n.Code)
	}
	from, to := realDType(n.Args[0].Type.DType), realDType(n.Results[0].Type.DType)
	return from != to && (from == dtype.F64 || to == dtype.F64 || from == dtype.F32 && to == dtype.I1)
}

// realDType returns the dtype of the real and imaginary parts of a complex dtype, and other dtypes unchanged.
func realDType(d dtype.DType) dtype.DType {
	if d.Is(dtype.Complex) {
		return d.Elem()
	}
	return d
}

// minExponents has the exponents of the smallest normal numbers of the dtypes whose subnormal numbers are
// flushed. The other floats, such as f16, are computed in f32, where their subnormal numbers are normal. The
// subnormal numbers of bf16 are subnormal in f32 too.
var minExponents = map[dtype.DType]int{dtype.F64: -1022, dtype.F32: -126, dtype.BF16: -126}

// FlushesDType reports whether RunFlushing flushes subnormal numbers of d, which is not complex.
func FlushesDType(d dtype.DType) bool {
	_, ok := minExponents[d]
	return ok
}

// flushSubnormal returns a with zeros of the same sign in place of subnormal numbers.
func flushSubnormal(a array.Array) array.Array {
	d := realDType(a.DType())
	exponent, ok := minExponents[d]
	if !ok {
		return a
	}
	tiny, data := math.Ldexp(1, exponent), slices.Clone(a.Data)
	for at := 0; at < len(data); at += d.Size() {
		if x := dtype.GetFloat(data[at:], d); x != 0 && math.Abs(x) < tiny {
			dtype.PutFloat(data[at:], d, math.Copysign(0, x))
		}
	}
	a.Data = data
	return a
}
