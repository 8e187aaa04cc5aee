package host_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/xla"
)

// exact are the operations whose results XLA rounds once, as package host does.
var exact = []ir.Code{ir.Iota, ir.Convert, ir.BitcastConvert, ir.Reshape, ir.BroadcastInDim, ir.Transpose, ir.Slice, ir.DynamicSlice,
	ir.DynamicUpdateSlice, ir.Gather, ir.Concatenate, ir.Pad, ir.Reverse, ir.Neg, ir.Abs, ir.Sign, ir.Sqrt, ir.Floor, ir.Ceil,
	ir.RoundEven, ir.RoundAway, ir.IsFinite, ir.Not, ir.Popcount, ir.Clz, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem, ir.Max, ir.Min,
	ir.And, ir.Or, ir.Xor, ir.ShiftLeft, ir.ShiftRightArithmetic, ir.ShiftRightLogical, ir.Compare, ir.Select, ir.Clamp,
	ir.ReduceAnd, ir.ReduceOr, ir.ArgMax, ir.ArgMin}

// common are dtypes of each kind. The floats are those whose subnormal numbers are flushed.
var common = []dtype.DType{dtype.I1, dtype.I32, dtype.U8, dtype.BF16, dtype.F32, dtype.F64}

// TestExactRowsAreXLAs checks that operations that are rounded once give the bits that XLA
// gives, except for the sign of zero where the row leaves it open.
func TestExactRowsAreXLAs(t *testing.T) {
	client, _, err := xla.Open("", xla.ClientOptions{})
	if unsupported := new(xla.UnsupportedError); errors.As(err, &unsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var batch []point
	for _, p := range points(t) {
		if slices.Contains(exact, p.def.Code) && slices.Contains(common, p.dtype) && (strings.HasPrefix(p.sample, "awkward") || strings.HasPrefix(p.sample, "to ")) {
			batch = append(batch, p)
		}
	}
	t.Logf("%d points", len(batch))
	for len(batch) > 0 {
		n := min(200, len(batch))
		compare(t, client, batch[:n])
		batch = batch[n:]
	}
}

// compare compares points with one program of XLA that computes all of them.
func compare(t *testing.T, client *xla.Client, points []point) {
	t.Helper()
	g, o := &ir.Graph{Name: "points"}, xla.CompileOptions{}
	var in []*xla.Buffer
	for _, p := range points {
		var args []*ir.Value
		for _, a := range p.args {
			b, err := client.Upload(a.Data, a.DType(), a.Type.Shape, nil)
			if err != nil {
				t.Fatal(err)
			}
			in, args = append(in, b), append(args, g.Param(a.Type))
			o.Args = append(o.Args, xla.Type{DType: a.DType(), Dims: a.Type.Shape})
		}
		n, r := p.g.Nodes[0], p.g.Outputs[0].Type
		g.Outputs = append(g.Outputs, g.Add(n.Code, n.Attrs, nil, args, r).Results...)
		o.Results = append(o.Results, xla.Type{DType: r.DType, Dims: r.Shape})
	}
	exe, err := client.Compile(ops.AppendStableHLO(nil, g), o)
	if err != nil {
		t.Fatal(err)
	}
	defer exe.Destroy()
	out := make([]*xla.Buffer, len(points))
	if err := exe.Run(in, out); err != nil {
		t.Fatal(err)
	}
	for i, p := range points {
		want := array.New(p.g.Outputs[0].Type)
		if err := out[i].Read(context.Background(), want.Data); err != nil {
			t.Fatal(err)
		}
		got := run(t, p.g, p.args)[0]
		if p.def.Bound.AnyZero {
			got, want = canonical(got), canonical(want)
		}
		if !same(got, want) {
			t.Errorf("%s: %v, XLA %v", p.name, got, want)
		}
	}
}

// canonical removes what depends on the processor: the signs of zeros and NaNs, and
// subnormal numbers of bf16, which processors with AVX512_BF16 keep and others flush.
func canonical(a array.Array) array.Array {
	d, data := a.DType(), slices.Clone(a.Data)
	if !d.Is(dtype.Floating) {
		return a
	}
	for i := 0; i < len(data); i += d.Size() {
		switch x := dtype.GetFloat(data[i:], d); {
		case x == 0, d == dtype.BF16 && math.Abs(x) < 0x1p-126:
			dtype.PutFloat(data[i:], d, 0)
		case math.IsNaN(x):
			dtype.PutFloat(data[i:], d, math.NaN())
		}
	}
	return array.Array{Type: a.Type, Data: data}
}
