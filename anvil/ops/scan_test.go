package ops_test

import (
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// decay returns a program that multiplies its first parameter by the second and adds
// each element of the third, from the last to the first.
func decay() *ir.Graph {
	types := []shape.Type{shape.Of(dtype.F32), shape.Of(dtype.F32), shape.Of(dtype.F32, 4)}
	return expr.Graph(ops.Infer, types, func(b expr.Builder, x []expr.Value) []expr.Value {
		final, stacked := b.Scan(4, x[:1], x[1:2], x[2:], true, func(b expr.Builder, carried, shared, elements []expr.Value) (next, results []expr.Value) {
			y := b.Add(b.Mul(carried[0], shared[0]), elements[0])
			return []expr.Value{y}, []expr.Value{y}
		})
		return append(final, stacked...)
	})
}

func TestScan(t *testing.T) {
	g := decay()
	if err := ops.Verify(g); err != nil {
		t.Error(err)
	}
	golden(t, "testdata/scan.mlir", ops.StableHLO(g))
	golden(t, "testdata/scan.txt", ops.Print(g))
}

func TestInferScan(t *testing.T) {
	region := decay().Nodes[0].Regions[0]
	x, xs := shape.Of(dtype.F32), shape.Of(dtype.F32, 4)
	for _, c := range []struct {
		attrs   ir.ScanAttrs
		regions []*ir.Graph
		args    []shape.Type
		want    string
	}{
		{ir.ScanAttrs{Length: 4, Carried: 1, Shared: 1}, []*ir.Graph{region}, []shape.Type{x, x, xs}, "f32{} f32{4}"},
		{ir.ScanAttrs{Length: 4, Carried: 1}, []*ir.Graph{region}, []shape.Type{x, xs, xs}, "f32{} f32{4}"},
		{ir.ScanAttrs{Length: 4, Carried: 2, Shared: 2}, []*ir.Graph{region}, []shape.Type{x, x, xs},
			"Scan(f32{}, f32{}, f32{4}): there are 3 operands, but the attributes say that 2 are carried " +
				"and 2 shared"},
		{ir.ScanAttrs{Length: -1, Carried: 1, Shared: 1}, []*ir.Graph{region}, []shape.Type{x, x, xs},
			"Scan(f32{}, f32{}, f32{4}): the number of steps is -1; give from 0 to 2147483647 steps"},
		{ir.ScanAttrs{Length: 4, Carried: 1, Shared: 1}, nil, []shape.Type{x, x, xs},
			"Scan(f32{}, f32{}, f32{4}): one region is needed, not 0"},
		{ir.ScanAttrs{Length: 3, Carried: 1, Shared: 1}, []*ir.Graph{region}, []shape.Type{x, x, xs},
			"Scan(f32{}, f32{}, f32{4}): operand 2 is f32{4}, and there are 3 steps; its first axis must " +
				"have one element for each step"},
		{ir.ScanAttrs{Length: 4, Carried: 1}, []*ir.Graph{region}, []shape.Type{x, x, xs},
			"Scan(f32{}, f32{}, f32{4}): operand 1 is f32{}, and there are 4 steps; its first axis must " +
				"have one element for each step"},
		{ir.ScanAttrs{Length: 4, Carried: 1, Shared: 1}, []*ir.Graph{region}, []shape.Type{x, xs, xs},
			"Scan(f32{}, f32{4}, f32{4}): the region takes f32{} where f32{4} is needed; make dtype and " +
				"shape agree, e.g. with AsType"},
		{ir.ScanAttrs{Length: 4, Carried: 3}, []*ir.Graph{region}, []shape.Type{x, x, x},
			"Scan(f32{}, f32{}, f32{}): the region returns 2 values, not 3"},
	} {
		types, err := ops.Infer(ir.Scan, c.attrs, c.regions, c.args...)
		var texts []string
		for _, t := range types {
			texts = append(texts, t.String())
		}
		text := strings.Join(texts, " ")
		if err != nil {
			text = err.Error()
		}
		if text != c.want {
			t.Errorf("%+v: %s, want %s", c.attrs, text, c.want)
		}
	}
}
