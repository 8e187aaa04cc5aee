package ops_test

import (
	"context"
	"math"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// TestFusedWithSums checks that an elementwise operation has the same results if the plugin
// fuses it with a sum: fused kernels for CPUs have a maximum that ignores NaN, and their own
// implementations of functions.
func TestFusedWithSums(t *testing.T) {
	client := newClient(t)
	gaps := readLines(t, "testdata/xla_gaps.txt")
	var points []point
	for _, d := range ops.All() {
		if named(d.Name) {
			points = append(points, pointsOf(d, 2, gaps)...)
		}
	}
	var fused []point
	for _, p := range joined(points) {
		if p.dtype == dtype.F32 && p.types[0].DType == dtype.F32 && p.def.Code != ir.Convert {
			fused = append(fused, p)
		}
	}
	inBatches(fused, func(batch []point) {
		for _, p := range batch {
			checkFused(t, p, func(g *ir.Graph, args []array.Array) ([]array.Array, error) { return runXLA(client, g, args, nil) })
		}
	})
}

// checkFused compares sums over rows of equal results, computed with and without fusion.
func checkFused(t *testing.T, p point, run func(*ir.Graph, []array.Array) ([]array.Array, error)) {
	const row = 1024
	g, args := program([]point{p})
	want, err := reference.Run(context.Background(), g, args)
	if err != nil {
		t.Fatal(p, err)
	}
	n := p.types[0].Shape.Size()
	sums := &ir.Graph{Name: "fused"}
	var operands []*ir.Value
	var rows []array.Array
	for _, a := range args {
		wide := array.New(shape.Of(a.DType(), n, row))
		size := a.DType().Size()
		for i := range n * row {
			copy(wide.Data[i*size:(i+1)*size], a.Data[i/row*size:])
		}
		operands, rows = append(operands, sums.Param(wide.Type)), append(rows, wide)
	}
	result := shape.Of(dtype.F32, n, row)
	y := sums.Add(p.def.Code, p.sample.Attrs, p.sample.Regions, operands, result).Results[0]
	sum := sums.Add(ir.ReduceSum, ir.AxesAttrs{Axes: shape.DimsOf(1)}, nil, []*ir.Value{y}, shape.Of(dtype.F32, n))
	sums.Outputs = sum.Results
	got, err := run(sums, rows)
	if err != nil {
		t.Errorf("%v: %v", p, firstLine(err))
		return
	}
	gots, wants := array.Load[float64](got[0]), array.Load[float64](want[0])
	for i, w := range wants {
		g := gots[i] / row
		tolerance := (float64(p.def.Bound.For(dtype.F32)) + 64) * 0x1p-23 * math.Max(math.Abs(w), math.Max(p.def.Bound.Floor, 0x1p-120))
		switch {
		case math.IsNaN(w) && math.IsNaN(g), g == w, math.Abs(g-w) <= tolerance:
		case math.Abs(w) > 0x1p115 && !math.IsInf(w, 0): // the sum may be infinite
		case math.Abs(w) < 0x1p-125 && g == 0: // XLA has flushed a subnormal number
		default:
			t.Errorf("%v: of %s, fused with a sum, is %v, not %v", p, operandsAt(p, i), g, w)
			return
		}
	}
}
