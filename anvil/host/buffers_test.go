package host

import (
	"math"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// TestBuffersOfSecondResults checks that a value keeps its memory while the second result of a sort, which has
// memory of its own, is used for the last time.
func TestBuffersOfSecondResults(t *testing.T) {
	ty := shape.Of(dtype.F64, 3)
	g := &ir.Graph{}
	add := func(code ir.Code, args ...*ir.Value) *ir.Value { return g.Add(code, nil, nil, args, ty).Results[0] }
	x, y := g.Param(ty), g.Param(ty)
	kept := add(ir.Mul, add(ir.Add, x, x), y) // in the second buffer; the first is free again
	sorted := g.Add(ir.Sort, ir.SortAttrs{Axis: 0}, nil, []*ir.Value{x, y}, ty, ty).Results
	sum := add(ir.Add, sorted[1], y)
	g.Outputs = []*ir.Value{add(ir.Add, add(ir.Add, sum, sum), kept), sorted[0]}
	p := Compile(g)
	if p == nil {
		t.Fatal("the program is not taken")
	}
	floats := func(xs ...float64) Value {
		a := array.New(ty)
		for i, v := range xs {
			dtype.PutFloat(a.Data[8*i:], dtype.F64, v)
		}
		return Of(ty, a.Data)
	}
	out := make([]Value, 2)
	if err := p.Run(t.Context(), []Value{floats(3, 1, 2), floats(10, 20, 30)}, out); err != nil {
		t.Fatal(err)
	}
	// Sorted by x, y is 20, 30, 10: 2 * (20 + 10) + 2 * 3 * 10, and so on.
	for i, want := range []float64{120, 140, 200} {
		if got := dtype.GetFloat(out[0].Data[8*i:], dtype.F64); got != want {
			t.Errorf("element %d is %v, want %v", i, got, want)
		}
	}
}

// TestHalfKernels checks that halves are computed in f32 and rounded once, and that a kernel needs a loop.
func TestHalfKernels(t *testing.T) {
	if half1(dtype.F16, nil) != nil || half2(dtype.F16, nil) != nil {
		t.Error("a kernel without a loop")
	}
	double := half1(dtype.F16, func(out, x []float32) {
		for i := range out {
			out[i] = 2 * x[i]
		}
	})
	sum := half2(dtype.BF16, func(out, x, y []float32) {
		for i := range out {
			out[i] = x[i] + y[i]
		}
	})
	if double == nil || sum == nil {
		t.Fatal("no kernel of a loop")
	}
	bits := func(b ...byte) []byte { return b }
	out := make([]byte, 4)
	if err := double(t.Context(), out, [][]byte{bits(0x00, 0x3c, 0xff, 0x7b)}); err != nil { // 1 and 65504
		t.Fatal(err)
	}
	if string(out) != "\x00\x40\x00\x7c" { // 2 and infinity
		t.Errorf("doubled %x", out)
	}
	if err := sum(t.Context(), out[:2], [][]byte{bits(0x80, 0x3f), bits(0x80, 0x3b)}); err != nil { // 1 + 1/256
		t.Fatal(err)
	}
	if string(out[:2]) != "\x80\x3f" { // a tie, rounded to even
		t.Errorf("added %x", out[:2])
	}
	for bits, want := range map[uint16]float32{0x0001: 0x1p-24, 0x8400: -0x1p-14, 0x7c00: float32(math.Inf(1))} {
		if got := fromF16(bits); got != want || toF16(want) != bits {
			t.Errorf("%#x is %v and back %#x", bits, got, toF16(want))
		}
	}
}
