package opstest

import (
	"strconv"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Samples of control flow.

// i32Constant adds a constant of rank 0 to g.
func i32Constant(g *ir.Graph, x int32) *ir.Value {
	t, data := shape.Of(dtype.I32), make([]byte, 4)
	dtype.PutInt(data, t.DType, int64(x))
	return g.Add(ir.Constant, ir.ConstantAttrs{DType: t.DType, Data: string(data)}, nil, nil, t).Results[0]
}

// region returns a graph with parameters of the given types and the outputs that build returns.
func region(build func(g *ir.Graph, params []*ir.Value) []*ir.Value, params ...shape.Type) *ir.Graph {
	g := &ir.Graph{}
	for _, t := range params {
		g.Param(t)
	}
	g.Outputs = build(g, g.Params)
	return g
}

func ifSamples(d dtype.DType) []Sample {
	t := shape.Of(d, 2)
	first := region(func(_ *ir.Graph, p []*ir.Value) []*ir.Value { return p[:1] }, t, t)
	swapped := region(func(g *ir.Graph, p []*ir.Value) []*ir.Value {
		return g.Add(ir.Reverse, ir.AxesAttrs{Axes: dims(0)}, nil, p[1:], t).Results
	}, t, t)
	both := region(func(_ *ir.Graph, p []*ir.Value) []*ir.Value { return p }, t, t)
	crossed := region(func(_ *ir.Graph, p []*ir.Value) []*ir.Value { return []*ir.Value{p[1], p[0]} }, t, t)
	args := func(pred int) []array.Array {
		return []array.Array{scalar(dtype.I1, pred), counting(t, 1), counting(t, 2)}
	}
	return []Sample{
		{Name: "true", Regions: []*ir.Graph{first, swapped}, Args: args(1)},
		{Name: "false", Regions: []*ir.Graph{first, swapped}, Args: args(0)},
		{Name: "two results", Regions: []*ir.Graph{both, crossed}, Args: args(0)},
	}
}

func caseSamples(d dtype.DType) []Sample {
	t := shape.Of(d, 2)
	pass := func(i int) *ir.Graph {
		return region(func(_ *ir.Graph, p []*ir.Value) []*ir.Value { return p[i : i+1] }, t, t)
	}
	reversed := region(func(g *ir.Graph, p []*ir.Value) []*ir.Value {
		return g.Add(ir.Reverse, ir.AxesAttrs{Axes: dims(0)}, nil, p[1:], t).Results
	}, t, t)
	var samples []Sample
	for _, at := range []int{0, 1, 2, 3, -1} {
		samples = append(samples, Sample{Name: "at " + strconv.Itoa(at), Regions: []*ir.Graph{pass(0), pass(1), reversed},
			Args: []array.Array{scalar(dtype.I32, at), counting(t, 1), counting(t, 2)}})
	}
	return samples
}

func whileSamples(d dtype.DType) []Sample {
	i, t := shape.Of(dtype.I32), shape.Of(d, 3)
	cond := region(func(g *ir.Graph, p []*ir.Value) []*ir.Value {
		args := []*ir.Value{p[0], i32Constant(g, 5)}
		return g.Add(ir.Compare, ir.CompareAttrs{Direction: ir.LT}, nil, args, shape.Of(dtype.I1)).Results
	}, i, t)
	body := region(func(g *ir.Graph, p []*ir.Value) []*ir.Value {
		next := g.Add(ir.Add, nil, nil, []*ir.Value{p[0], i32Constant(g, 1)}, i).Results[0]
		reversed := g.Add(ir.Reverse, ir.AxesAttrs{Axes: dims(0)}, nil, p[1:], t).Results[0]
		return []*ir.Value{next, reversed}
	}, i, t)
	run := func(name string, from int) Sample {
		return Sample{Name: name, Regions: []*ir.Graph{cond, body}, Args: []array.Array{scalar(dtype.I32, from), counting(t, 1)}}
	}
	return []Sample{run("five times", 0), run("once", 4), run("never", 7)}
}

func barrierSamples(d dtype.DType) []Sample {
	return []Sample{{Name: "two", Args: []array.Array{awkward(d), counting(shape.Of(d, 2, 3), 1)}}}
}

func scanSamples(d dtype.DType) []Sample {
	t, row := shape.Of(d, 2), shape.Of(d)
	// The parameters of the region are the carried operands, an i32 and a d{2}; the shared operand, a d{2}; and the
	// elements of two scanned operands, a d{2} and a scalar.
	step := region(func(g *ir.Graph, p []*ir.Value) []*ir.Value {
		one := i32Constant(g, 1)
		next := g.Add(ir.Add, nil, nil, []*ir.Value{p[0], one}, p[0].Type).Results[0]
		wide := g.Add(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: dims(2)}, nil, p[4:5], t).Results[0]
		lowBit := g.Add(ir.And, nil, nil, []*ir.Value{p[0], one}, p[0].Type).Results[0]
		equal := ir.CompareAttrs{Direction: ir.EQ}
		isOdd := g.Add(ir.Compare, equal, nil, []*ir.Value{lowBit, one}, shape.Of(dtype.I1)).Results[0]
		kept := g.Add(ir.Select, nil, nil, []*ir.Value{isOdd, p[2], p[3]}, t).Results[0]
		return []*ir.Value{next, kept, p[1], wide, p[0]}
	}, shape.Of(dtype.I32), t, t, t, row)
	run := func(name string, n int, reverse bool) Sample {
		return Sample{Name: name, Attrs: ir.ScanAttrs{Length: n, Carried: 2, Shared: 1, Reverse: reverse}, Regions: []*ir.Graph{step},
			Args: []array.Array{scalar(dtype.I32, 1), counting(t, 0), counting(t, 3), counting(shape.Of(d, n, 2), 1), counting(shape.Of(d, n), 2)}}
	}
	pass := region(func(_ *ir.Graph, p []*ir.Value) []*ir.Value { return p }, shape.Of(dtype.I32))
	return []Sample{run("five steps", 5, false), run("backwards", 5, true), run("one step", 1, false), run("no steps", 0, false),
		{Name: "carried alone", Attrs: ir.ScanAttrs{Length: 3, Carried: 1}, Regions: []*ir.Graph{pass}, Args: []array.Array{scalar(dtype.I32, 2)}},
		{Name: "results alone", Attrs: ir.ScanAttrs{Length: 3}, Regions: []*ir.Graph{region(func(_ *ir.Graph, p []*ir.Value) []*ir.Value { return p }, t)},
			Args: []array.Array{counting(shape.Of(d, 3, 2), 1)}}}
}

func callSamples(d dtype.DType) []Sample {
	t := shape.Of(d, 2, 3)
	reverse := region(func(g *ir.Graph, p []*ir.Value) []*ir.Value {
		return g.Add(ir.Reverse, ir.AxesAttrs{Axes: dims(1)}, nil, p, t).Results
	}, t)
	return []Sample{{Name: "reversed", Attrs: ir.CallAttrs{}, Regions: []*ir.Graph{reverse}, Args: []array.Array{counting(t, 1)}}}
}
