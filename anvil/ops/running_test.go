package ops_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// runningShapes have axes shorter and longer than a block, and enough elements for the computation by rows.
var runningShapes = []shape.Shape{{0}, {1}, {2}, {31}, {32}, {33}, {64}, {65}, {100}, {1100}, {3, 70}, {70, 3}, {2, 33, 2},
	{40, 2000}, {2000, 40}, {1 << 16}, {1<<16 + 7}}

// drawnArray returns an array of small random integers.
func drawnArray(r *rand.Rand, t shape.Type) array.Array {
	a := array.New(t)
	for i := range t.Shape.Size() {
		dtype.PutInt(a.Data[i*t.DType.Size():], t.DType, r.Int64N(7)-3)
	}
	return a
}

// TestExpandRunning compares cumulative operations with those that compute them: sums, products and extremes with
// their positions, in both directions, along each axis, alone and in a branch.
func TestExpandRunning(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range runningShapes {
		x := drawnArray(r, shape.Type{DType: dtype.I64, Shape: s})
		for axis := range s {
			for _, code := range []ir.Code{ir.CumSum, ir.CumProd, ir.CumMax, ir.CumMin} {
				attrs := ir.CumulativeAttrs{Axis: axis, Reverse: code == ir.CumProd || axis == 1}
				if code >= ir.CumMax {
					attrs.DType = dtype.I32
				}
				g := expr.Graph(ops.Infer, []shape.Type{x.Type}, func(b expr.Builder, args []expr.Value) []expr.Value {
					return b.All(code, attrs, nil, args...)
				})
				for _, rows := range []bool{false, true} {
					checkSame(t, fmt.Sprint(code, s, axis, rows), g, ops.ExpandRunning(g, rows), x)
				}
			}
		}
	}
	flag, x := array.New(shape.Of(dtype.I1)), drawnArray(r, shape.Of(dtype.I64, 40))
	flag.Data[0] = 1
	branch := func(code ir.Code, attrs any) *ir.Graph {
		return expr.Graph(ops.Infer, []shape.Type{x.Type}, func(b expr.Builder, args []expr.Value) []expr.Value {
			return b.All(code, attrs, nil, args...)
		})
	}
	branches := []*ir.Graph{branch(ir.CumSum, ir.CumulativeAttrs{}), branch(ir.Neg, nil)}
	g := expr.Graph(ops.Infer, []shape.Type{flag.Type, x.Type}, func(b expr.Builder, args []expr.Value) []expr.Value {
		return b.All(ir.If, nil, branches, args...)
	})
	expanded := ops.ExpandRunning(g, false)
	checkSame(t, "in a branch", g, expanded, flag, x)
	for _, region := range expanded.Nodes[len(expanded.Nodes)-1].Regions {
		for _, n := range region.Nodes {
			if n.Code == ir.CumSum {
				t.Error("the sum in a branch is not expanded")
			}
		}
	}
	if again := ops.ExpandRunning(expanded, true); again != expanded {
		t.Error("a graph without cumulative operations is copied")
	}
}

// checkSame runs two programs and compares their results.
func checkSame(t *testing.T, name string, want, got *ir.Graph, args ...array.Array) {
	t.Helper()
	if err := ops.Verify(got); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	wants, err := reference.Run(t.Context(), want, args)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	gots, err := reference.Run(t.Context(), got, args)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for i, w := range wants {
		if !gots[i].Type.Equal(w.Type) || !bytes.Equal(gots[i].Data, w.Data) {
			t.Errorf("%s: result %d differs", name, i)
		}
	}
}

// TestRunning compares running compositions of the functions x*a + b, which depend on their order, with a loop.
func TestRunning(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range runningShapes {
		typ := shape.Type{DType: dtype.I64, Shape: s}
		args := []array.Array{drawnArray(r, typ), drawnArray(r, typ)}
		for axis := range s {
			want := [][]int64{array.Load[int64](args[0]), array.Load[int64](args[1])}
			stride := s[axis+1:].Size()
			for i := range s.Size() {
				if before := i - stride; i/stride%s[axis] > 0 {
					want[1][i] += want[1][before] * want[0][i]
					want[0][i] *= want[0][before]
				}
			}
			for _, way := range []string{"Along", "Along by rows", "InOrder"} {
				g := expr.Graph(ops.Infer, []shape.Type{typ, typ}, func(b expr.Builder, xs []expr.Value) []expr.Value {
					running := ops.Running{
						Combine: func(b expr.Builder, f, g []expr.Value) []expr.Value {
							return []expr.Value{b.Mul(f[0], g[0]), b.Add(b.Mul(f[1], g[0]), g[1])}
						},
						Unit: []expr.Value{b.Number(1, dtype.I64), b.Number(0, dtype.I64)},
						Rows: way == "Along by rows",
					}
					if way == "InOrder" {
						return running.InOrder(b, xs, axis)
					}
					return running.Along(b, xs, axis)
				})
				got, err := reference.Run(t.Context(), g, args)
				if err != nil {
					t.Fatal(err)
				}
				for i := range got {
					if !bytes.Equal(got[i].Data, array.Store(array.New(typ), want[i]).Data) {
						t.Errorf("%s of %v along axis %d: result %d differs", way, s, axis, i)
					}
				}
			}
		}
	}
}
