package rulestest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

const testLanes = 3

// CheckBatch compares the batched program of row d with the row applied to each lane, bit by bit, on the row's samples
// and on random ones. It tests all combinations of operands with and without lanes. The row must have operands.
func CheckBatch(t *testing.T, d *ops.Def) {
	t.Helper()
	for _, dt := range dtype.All() {
		if !d.Takes(0, dt) && !d.Takes(len(d.Params)-1, dt) {
			continue
		}
		for _, s := range append(opstest.Samples(d, dt), opstest.Drawn(d, dt, 4, 1)...) {
			for _, batched := range lanesOf(len(s.Args)) {
				checkSample(t, d, s, batched)
				if t.Failed() {
					t.Fatalf("%s: sample %q of %v, lanes %v", d.Name, s.Name, dt, batched)
				}
			}
		}
	}
}

// lanesOf returns all ways to mark at least one of n operands. If n > 4 it returns only those that mark one operand or
// all operands.
func lanesOf(n int) [][]bool {
	var all [][]bool
	for bits := 1; bits < 1<<n; bits++ {
		if ones := bits & (bits - 1); n > 4 && ones != 0 && bits != 1<<n-1 {
			continue
		}
		marks := make([]bool, n)
		for i := range marks {
			marks[i] = bits>>i&1 == 1
		}
		all = append(all, marks)
	}
	return all
}

// checkSample compares the batched program of the sample's operation with that of each lane.
func checkSample(t *testing.T, d *ops.Def, s opstest.Sample, batched []bool) {
	t.Helper()
	g := &ir.Graph{}
	var types []shape.Type
	for _, a := range s.Args {
		g.Param(a.Type)
		types = append(types, a.Type)
	}
	results, err := ops.Infer(d.Code, s.Attrs, s.Regions, types...)
	if err != nil {
		t.Fatal(err)
	}
	g.Outputs = g.Add(d.Code, s.Attrs, s.Regions, g.Params, results...).Results
	compareBatch(t, g, s.Args, batched)
}

// compareBatch compares the batched program of g with g for each lane. The lanes of batched arguments differ.
func compareBatch(t *testing.T, g *ir.Graph, args []array.Array, batched []bool) {
	t.Helper()
	b, err := autodiff.Batch(g, testLanes, batched)
	if err != nil {
		t.Fatal(err)
	}
	if err := ops.Verify(b); err != nil {
		t.Fatal(err)
	}
	all := slices.Clone(args)
	want := make([][]byte, len(g.Outputs))
	for lane := range testLanes {
		own := slices.Clone(args)
		for i, a := range args {
			if batched[i] {
				own[i] = varied(a, lane)
				if lane == 0 {
					all[i] = array.Array{Type: shape.Type{DType: a.DType(), Shape: append(shape.Shape{testLanes}, a.Type.Shape...)}}
				}
				all[i].Data = append(all[i].Data[:len(all[i].Data):len(all[i].Data)], own[i].Data...)
			}
		}
		out, err := reference.Run(context.Background(), g, own)
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range out {
			want[i] = append(want[i], y.Data...)
		}
	}
	got, err := reference.Run(context.Background(), b, all)
	if err != nil {
		t.Fatal(err)
	}
	for i, y := range got {
		of := g.Outputs[i].Type
		if !y.Type.Shape.Equal(append(shape.Shape{testLanes}, of.Shape...)) || y.DType() != of.DType {
			t.Fatalf("result %d is %v, want %d lanes of %v", i, y.Type, testLanes, of)
		}
		if !bytes.Equal(y.Data, want[i]) {
			t.Errorf("result %d is %s, want %s", i, elements(y, y.Data), elements(y, want[i]))
		}
	}
}

// varied returns the value of the argument a for a lane: a with its elements rotated by lane positions. If a has one
// element, varied adds lane to a signed integer, and negates a bool in odd lanes.
func varied(a array.Array, lane int) array.Array {
	size, n := a.DType().Size(), a.Size()
	if n == 0 {
		return a
	}
	out := array.Array{Type: a.Type, Data: slices.Clone(a.Data)}
	switch {
	case n > 1:
		at := lane % n * size
		out.Data = slices.Concat(a.Data[at:], a.Data[:at])
	case a.DType() == dtype.I1:
		dtype.PutBool(out.Data, dtype.I1, dtype.GetBool(a.Data, dtype.I1) != (lane%2 == 1))
	case a.DType().Is(dtype.Signed):
		dtype.PutInt(out.Data, a.DType(), dtype.GetInt(a.Data, a.DType())+int64(lane))
	}
	return out
}

// elements returns the elements in data, of the type of a, as text.
func elements(a array.Array, data []byte) string {
	var xs []any
	for i := range a.Size() {
		xs = append(xs, dtype.Get(data[i*a.DType().Size():(i+1)*a.DType().Size()], a.DType()))
	}
	return fmt.Sprint(xs)
}
