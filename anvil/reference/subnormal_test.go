package reference_test

import (
	"context"
	"math"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// binary returns the graph of an operation of two operands of dtype d with a result of dtype out.
func binary(code ir.Code, attrs any, d, out dtype.DType) *ir.Graph {
	g := &ir.Graph{}
	t := shape.Of(d)
	g.Outputs = g.Add(code, attrs, nil, []*ir.Value{g.Param(t), g.Param(t)}, shape.Of(out)).Results
	return g
}

// unary returns the graph of an operation of an operand of dtype d with a result of dtype out.
func unary(code ir.Code, attrs any, d, out dtype.DType) *ir.Graph {
	g := &ir.Graph{}
	g.Outputs = g.Add(code, attrs, nil, []*ir.Value{g.Param(shape.Of(d))}, shape.Of(out)).Results
	return g
}

// run returns the only result of g on xs.
func run(t *testing.T, f func(context.Context, *ir.Graph, []array.Array) ([]array.Array, error), g *ir.Graph, xs ...float64) float64 {
	t.Helper()
	args := make([]array.Array, len(xs))
	for i, x := range xs {
		args[i] = array.Store(array.New(g.Params[i].Type), []float64{x})
	}
	out, err := f(context.Background(), g, args)
	if err != nil {
		t.Fatal(err)
	}
	if out[0].DType() == dtype.I1 {
		return float64(out[0].Data[0])
	}
	return array.Load[float64](out[0])[0]
}

// The smallest normal numbers.
const normal32, normal64 = 0x1p-126, 0x1p-1022

func TestRunFlushing(t *testing.T) {
	for name, c := range map[string]struct {
		g             *ir.Graph
		xs            []float64
		kept, flushed float64
	}{
		"subnormal operand":    {binary(ir.Mul, nil, dtype.F32, dtype.F32), []float64{normal32 / 2, 4}, normal32 * 2, 0},
		"subnormal result":     {binary(ir.Mul, nil, dtype.F32, dtype.F32), []float64{normal32, 0.5}, normal32 / 2, 0},
		"smallest normal":      {binary(ir.Mul, nil, dtype.F32, dtype.F32), []float64{normal32, 1}, normal32, normal32},
		"subnormal f64":        {binary(ir.Add, nil, dtype.F64, dtype.F64), []float64{normal64 / 2, 0}, normal64 / 2, 0},
		"smallest normal f64":  {binary(ir.Add, nil, dtype.F64, dtype.F64), []float64{normal64, 0}, normal64, normal64},
		"subnormal bf16":       {binary(ir.Add, nil, dtype.BF16, dtype.BF16), []float64{normal32 / 2, 0}, normal32 / 2, 0},
		"f16, computed in f32": {binary(ir.Add, nil, dtype.F16, dtype.F16), []float64{0x1p-20, 0}, 0x1p-20, 0x1p-20},
		"the sign is kept":     {unary(ir.Neg, nil, dtype.F32, dtype.F32), []float64{normal32 / 2}, -normal32 / 2, -normal32 / 2},
		"to f64":               {unary(ir.Convert, nil, dtype.F32, dtype.F64), []float64{normal32 / 2}, normal32 / 2, 0},
		"from f64":             {unary(ir.Convert, nil, dtype.F64, dtype.F32), []float64{normal32 / 2}, normal32 / 2, 0},
		"to bf16":              {unary(ir.Convert, nil, dtype.F32, dtype.BF16), []float64{normal32 / 2}, normal32 / 2, normal32 / 2},
		"f32 to bool":          {unary(ir.Convert, nil, dtype.F32, dtype.I1), []float64{normal32 / 2}, 1, 0},
		"bf16 to bool":         {unary(ir.Convert, nil, dtype.BF16, dtype.I1), []float64{normal32 / 2}, 1, 1},
		"f64 to f64":           {unary(ir.Convert, nil, dtype.F64, dtype.F64), []float64{normal64 / 2}, normal64 / 2, normal64 / 2},
		"comparison":           {binary(ir.Compare, ir.CompareAttrs{Direction: ir.GT}, dtype.F32, dtype.I1), []float64{normal32 / 2, 0}, 1, 0},
		"absolute value":       {unary(ir.Abs, nil, dtype.F32, dtype.F32), []float64{-normal32 / 2}, normal32 / 2, normal32 / 2},
		"square root":          {unary(ir.Sqrt, nil, dtype.F32, dtype.F32), []float64{0x1p-140}, 0x1p-70, 0},
		"infinity":             {binary(ir.Add, nil, dtype.F32, dtype.F32), []float64{math.Inf(1), 1}, math.Inf(1), math.Inf(1)},
		"largest subnormal":    {unary(ir.Ceil, nil, dtype.F32, dtype.F32), []float64{normal32 - 0x1p-149}, 1, 0},
	} {
		if got := run(t, reference.Run, c.g, c.xs...); got != c.kept {
			t.Errorf("%s: Run returns %g, want %g", name, got, c.kept)
		}
		if got := run(t, reference.RunFlushing, c.g, c.xs...); got != c.flushed {
			t.Errorf("%s: RunFlushing returns %g, want %g", name, got, c.flushed)
		}
	}
}

// A flushed number keeps its sign.
func TestFlushedSign(t *testing.T) {
	g := binary(ir.Mul, nil, dtype.F32, dtype.F32)
	if got := run(t, reference.RunFlushing, g, -normal32, 0.5); got != 0 || !math.Signbit(got) {
		t.Errorf("got %g, want -0", got)
	}
}

// Complex numbers are flushed by their parts.
func TestFlushedComplex(t *testing.T) {
	typ := shape.Of(dtype.C64)
	g := binary(ir.Add, nil, dtype.C64, dtype.C64)
	x := array.Store(array.New(typ), []complex128{complex(normal32/2, 1)})
	out, err := reference.RunFlushing(context.Background(), g, []array.Array{x, array.New(typ)})
	if err != nil {
		t.Fatal(err)
	}
	if got := array.Load[complex128](out[0])[0]; got != 1i {
		t.Errorf("got %g, want 1i", got)
	}
	if got := array.Load[complex128](x)[0]; real(got) != normal32/2 {
		t.Error("the argument has changed")
	}
}

// An operation whose results have no elements is not evaluated: the other axes are too long.
func TestEmptyResults(t *testing.T) {
	typ := shape.Of(dtype.F32, 0, 1<<40)
	g := &ir.Graph{}
	g.Outputs = g.Add(ir.Neg, nil, nil, []*ir.Value{g.Param(typ)}, typ).Results
	out, err := reference.Run(context.Background(), g, []array.Array{{Type: typ, Data: []byte{}}})
	if err != nil || len(out) != 1 || !out[0].Type.Equal(typ) || len(out[0].Data) > 0 {
		t.Errorf("got %v, %v", out, err)
	}
}

// A node that uses a later node is an error.
func TestRunNeedsOrder(t *testing.T) {
	g := unary(ir.Neg, nil, dtype.F32, dtype.F32)
	g.Add(ir.Exp, nil, nil, []*ir.Value{g.Outputs[0]}, g.Params[0].Type)
	g.Nodes[0], g.Nodes[1] = g.Nodes[1], g.Nodes[0]
	_, err := reference.Run(context.Background(), g, []array.Array{array.New(g.Params[0].Type)})
	if err == nil || err.Error() != "reference: Neg is used before it is computed" {
		t.Errorf("got %v", err)
	}
}
