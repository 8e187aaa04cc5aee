package ops_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// halving returns a graph with a loop in a branch that is taken if the first parameter is
// true. The loop replaces x by (x+limit)/2 while x > limit, the next two parameters; if counts
// is true, it also counts its steps. The last result does not depend on the loop.
func halving(counts bool) *ir.Graph {
	x, flag, number := shape.Of(dtype.F32), shape.Of(dtype.I1), shape.Of(dtype.I32)
	carried := []shape.Type{x, x, number, number}
	cond, body, branch, other, g := &ir.Graph{}, &ir.Graph{}, &ir.Graph{}, &ir.Graph{}, &ir.Graph{}
	for _, r := range []*ir.Graph{cond, body, branch, other} {
		for _, t := range carried {
			r.Param(t)
		}
	}
	cond.Outputs = cond.Add(ir.Compare, ir.CompareAttrs{Direction: ir.GT}, nil, cond.Params[:2], flag).Results
	sum := body.Add(ir.Add, nil, nil, []*ir.Value{body.Params[0], body.Params[1]}, x).Results[0]
	two := body.Add(ir.Constant, ir.ConstantAttrs{DType: dtype.F32, Data: "\x00\x00\x00\x40"}, nil, nil, x).Results[0]
	half := body.Add(ir.Div, nil, nil, []*ir.Value{sum, two}, x).Results[0]
	next := body.Params[2]
	if counts {
		next = body.Add(ir.Add, nil, nil, body.Params[2:], number).Results[0]
	}
	body.Outputs = []*ir.Value{half, body.Params[1], next, body.Params[3]}
	branch.Outputs = branch.Add(ir.While, nil, []*ir.Graph{cond, body}, branch.Params, carried...).Results
	other.Outputs = other.Params
	args := []*ir.Value{g.Param(flag)}
	for _, t := range carried {
		args = append(args, g.Param(t))
	}
	if_ := g.Add(ir.If, nil, []*ir.Graph{branch, other}, args, carried...)
	alone := g.Add(ir.Neg, nil, nil, args[1:2], x)
	g.Outputs = []*ir.Value{if_.Results[0], if_.Results[2], alone.Results[0]}
	return g
}

// scanning returns a graph that doubles its first parameter twice, and adds an element of
// the second, in each of three steps.
func scanning() *ir.Graph {
	types := []shape.Type{shape.Of(dtype.F32), shape.Of(dtype.F32, 3)}
	return expr.Graph(ops.Infer, types, func(b expr.Builder, x []expr.Value) []expr.Value {
		final, stacked := b.Scan(3, x[:1], nil, x[1:], false, func(b expr.Builder, carried, _, elements []expr.Value) (next, results []expr.Value) {
			twice := b.For(0, 2, carried, nil, func(b expr.Builder, _ expr.Value, carried, _ []expr.Value) []expr.Value {
				return []expr.Value{b.Add(carried[0], carried[0])}
			})
			next = []expr.Value{b.Add(twice[0], elements[0])}
			return next, next
		})
		return append(final, stacked...)
	})
}

func rank0(d dtype.DType, v float64) array.Array {
	a := array.New(shape.Of(d))
	switch d {
	case dtype.I32:
		dtype.PutInt(a.Data, d, int64(v))
	case dtype.I1:
		a.Data[0] = byte(v)
	default:
		dtype.PutFloat(a.Data, d, v)
	}
	return a
}

func TestStoppable(t *testing.T) {
	for _, counts := range []bool{false, true} {
		g := halving(counts)
		text := ir.Print(g)
		s, looped := ops.Stoppable(g, 16)
		if ir.Print(g) != text {
			t.Error("the graph has changed")
		}
		if err := ops.Verify(s); err != nil {
			t.Fatal(err)
		}
		if len(looped) != 3 || !looped[0] || !looped[1] || looped[2] {
			t.Errorf("results that depend on loops: %v", looped)
		}
		for _, taken := range []float64{0, 1} {
			args := []array.Array{rank0(dtype.I1, taken), rank0(dtype.F32, 1000), rank0(dtype.F32, 3), rank0(dtype.I32, 5), rank0(dtype.I32, 1)}
			want := evaluate(t, g, args)
			if got := evaluate(t, s, append(args, array.New(shape.Of(dtype.I32, 16)))); !same(got, want) {
				t.Errorf("counts %v, taken %v: %v, want %v", counts, taken, got, want)
			}
			stop := array.New(shape.Of(dtype.I32, 16))
			for i := range stop.Data {
				stop.Data[i] = 1
			}
			if got := evaluate(t, s, append(args, stop)); !bytes.Equal(got[0].Data, args[1].Data) {
				t.Errorf("a loop that is stopped gives %v", got[0])
			}
		}
	}
	g := scanning()
	s, looped := ops.Stoppable(g, 16)
	if err := ops.Verify(s); err != nil {
		t.Fatal(err)
	}
	if len(looped) != 2 || !looped[0] || !looped[1] {
		t.Errorf("results that depend on loops: %v", looped)
	}
	x := []array.Array{rank0(dtype.F32, 2), array.Store(array.New(shape.Of(dtype.F32, 3)), []float64{1, 2, 3})}
	if got, want := evaluate(t, s, append(x, array.New(shape.Of(dtype.I32, 16)))), evaluate(t, g, x); !same(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	stop := array.New(shape.Of(dtype.I32, 16))
	stop.Data[0] = 1
	if got := evaluate(t, s, append(x, stop)); !bytes.Equal(got[0].Data, x[0].Data) {
		t.Errorf("a scan that is stopped gives %v", got[0])
	}
	g = &ir.Graph{}
	g.Outputs = []*ir.Value{g.Param(shape.Of(dtype.F32))}
	if s, looped := ops.Stoppable(g, 16); s != g || looped != nil {
		t.Error("Stoppable changes a graph without a loop")
	}
}

func evaluate(t *testing.T, g *ir.Graph, args []array.Array) []array.Array {
	t.Helper()
	out, err := reference.Run(context.Background(), g, args)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func same(x, y []array.Array) bool {
	for i := range x {
		if !bytes.Equal(x[i].Data, y[i].Data) {
			return false
		}
	}
	return len(x) == len(y)
}
