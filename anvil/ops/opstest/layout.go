package opstest

import (
	"strconv"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// Samples of operations with attributes or regions, other than windows and linear algebra.

// sampleOf returns a sample with one operand of shape s, whose elements are those of counting.
func sampleOf(name string, d dtype.DType, attrs any, s ...int) Sample {
	return Sample{Name: name, Attrs: attrs, Args: []array.Array{counting(shape.Of(d, s...), 0)}}
}

func dims(xs ...int) shape.Dims { return shape.DimsOf(xs...) }

func reduceSamples(d dtype.DType) []Sample {
	return []Sample{
		sampleOf("rows", d, ir.AxesAttrs{Axes: dims(1)}, 3, 4),
		sampleOf("columns", d, ir.AxesAttrs{Axes: dims(0)}, 3, 4),
		sampleOf("all", d, ir.AxesAttrs{Axes: dims(0, 1)}, 3, 4),
		sampleOf("middle", d, ir.AxesAttrs{Axes: dims(1)}, 2, 3, 2),
		sampleOf("no axes", d, ir.AxesAttrs{}, 2, 3),
		sampleOf("scalar", d, ir.AxesAttrs{}),
		sampleOf("empty", d, ir.AxesAttrs{Axes: dims(0)}, 0, 3),
		sampleOf("size 1", d, ir.AxesAttrs{Axes: dims(0)}, 1),
		{Name: "awkward", Attrs: ir.AxesAttrs{}, Args: []array.Array{awkward(d)}},
	}
}

func drawReduce(r source, d dtype.DType) Sample {
	s := drawElementwise(1)(r, d)
	var axes []int
	for i := range s.Args[0].Type.Shape {
		if r.Int(0, 1) == 1 {
			axes = append(axes, i)
		}
	}
	s.Attrs = ir.AxesAttrs{Axes: shape.DimsOf(axes...)}
	return s
}

func argSamples(d dtype.DType) []Sample {
	samples := []Sample{
		{Name: "awkward", Attrs: ir.ArgAttrs{Axis: 0, DType: dtype.I64}, Args: []array.Array{awkward(d)}},
		sampleOf("no rows", d, ir.ArgAttrs{Axis: 1, DType: dtype.I32}, 0, 3),
		sampleOf("size 1", d, ir.ArgAttrs{Axis: 0, DType: dtype.I32}, 1),
	}
	for axis, t := range []dtype.DType{dtype.I32, dtype.I64, dtype.U8} {
		samples = append(samples, sampleOf("ties", d, ir.ArgAttrs{Axis: axis, DType: t}, 2, 3, 7))
	}
	return samples
}

// cumulativeSamples returns the samples of running sums and products, or of running
// extremes with their positions.
func cumulativeSamples(c ir.Code) func(d dtype.DType) []Sample {
	extremes := c == ir.CumMax || c == ir.CumMin
	return func(d dtype.DType) []Sample {
		sample := func(name string, axis int, reverse bool, s ...int) Sample {
			a := ir.CumulativeAttrs{Axis: axis, Reverse: reverse}
			if extremes {
				a.DType = []dtype.DType{dtype.I32, dtype.I64, dtype.U8}[len(s)%3]
			}
			x := sampleOf(name, d, a, s...)
			if d.Is(dtype.Floating) && d.Bits() <= 8 { // sums and products of larger numbers would overflow
				for i := range x.Args[0].Size() {
					putSmall(x.Args[0], i, (i+1)%2)
				}
			}
			return x
		}
		samples := []Sample{sample("size 1", 0, false, 1), sample("no rows", 1, false, 0, 3), sample("no elements", 0, false, 0)}
		if c == ir.CumSum && d == dtype.F8E8M0FNU { // it has no zero to begin a sum with
			return samples
		}
		if extremes {
			samples = append(samples, Sample{Name: "awkward", Attrs: samples[0].Attrs, Args: []array.Array{awkward(d)}})
		}
		return append(samples, sample("vector", 0, false, 7), sample("columns", 0, true, 3, 2), sample("rows", 1, false, 2, 5), sample("blocks", 0, true, 35))
	}
}

func sortSamples(d dtype.DType) []Sample {
	var samples []Sample
	for _, descending := range []bool{false, true} {
		x := counting(shape.Of(d, 3, 7), 2)
		order := counting(shape.Of(dtype.I32, 3, 7), 0)
		for i := range order.Size() {
			dtype.PutInt(order.Data[4*i:], dtype.I32, int64(i))
		}
		samples = append(samples,
			Sample{Name: "awkward", Attrs: ir.SortAttrs{Axis: 0, Descending: descending}, Args: []array.Array{awkward(d)}},
			Sample{Name: "columns", Attrs: ir.SortAttrs{Axis: 0, Descending: descending}, Args: []array.Array{x}},
			Sample{Name: "with positions", Attrs: ir.SortAttrs{Axis: 1, Descending: descending}, Args: []array.Array{x, order}},
			sampleOf("empty", d, ir.SortAttrs{Axis: 0, Descending: descending}, 0))
	}
	return samples
}

func constantSamples(d dtype.DType) []Sample {
	x := awkward(d)
	n := x.Size()
	return []Sample{
		{Name: "awkward", Attrs: ir.ConstantAttrs{DType: d, Shape: dims(n), Data: string(x.Data)}},
		{Name: "splat", Attrs: ir.ConstantAttrs{DType: d, Shape: dims(2, 3), Data: string(x.Data[d.Size() : 2*d.Size()])}},
		{Name: "matrix", Attrs: ir.ConstantAttrs{DType: d, Shape: dims(2, 3), Data: string(counting(shape.Of(d, 2, 3), 0).Data)}},
		{Name: "scalar", Attrs: ir.ConstantAttrs{DType: d, Shape: "", Data: string(x.Data[:d.Size()])}},
		{Name: "empty", Attrs: ir.ConstantAttrs{DType: d, Shape: dims(0, 2), Data: ""}},
	}
}

func iotaSamples(d dtype.DType) []Sample {
	if !d.Is(dtype.Numeric) {
		return nil
	}
	return []Sample{
		{Name: "vector", Attrs: ir.IotaAttrs{DType: d, Shape: dims(4), Axis: 0}},
		{Name: "rows", Attrs: ir.IotaAttrs{DType: d, Shape: dims(3, 2), Axis: 0}},
		{Name: "columns", Attrs: ir.IotaAttrs{DType: d, Shape: dims(2, 4), Axis: 1}},
		{Name: "empty", Attrs: ir.IotaAttrs{DType: d, Shape: dims(0), Axis: 0}},
	}
}

func convertSamples(d dtype.DType) []Sample {
	var samples []Sample
	for _, to := range dtype.All() {
		samples = append(samples, Sample{Name: "to " + to.String(), Attrs: ir.DTypeAttrs{DType: to}, Args: []array.Array{awkward(d)}})
	}
	return samples
}

func bitcastSamples(d dtype.DType) []Sample {
	var samples []Sample
	for _, to := range dtype.All() {
		x := awkward(d)
		if to.Bits() > d.Bits() && to.Bits()%d.Bits() == 0 {
			x = counting(shape.Of(d, 3, to.Bits()/d.Bits()), 1)
		}
		if _, err := ops.Infer(ir.BitcastConvert, ir.DTypeAttrs{DType: to}, nil, x.Type); err == nil {
			samples = append(samples, Sample{Name: "to " + to.String(), Attrs: ir.DTypeAttrs{DType: to}, Args: []array.Array{x}})
		}
	}
	return samples
}

func reshapeSamples(d dtype.DType) []Sample {
	return []Sample{
		sampleOf("flat", d, ir.ReshapeAttrs{Shape: dims(6)}, 2, 3),
		sampleOf("matrix", d, ir.ReshapeAttrs{Shape: dims(3, 1, 2)}, 6),
		sampleOf("scalar", d, ir.ReshapeAttrs{}, 1, 1),
		sampleOf("empty", d, ir.ReshapeAttrs{Shape: dims(3, 0)}, 0, 2),
	}
}

func broadcastSamples(d dtype.DType) []Sample {
	return []Sample{
		sampleOf("scalar", d, ir.BroadcastAttrs{Shape: dims(2, 3), Axes: ""}),
		sampleOf("row", d, ir.BroadcastAttrs{Shape: dims(2, 3), Axes: dims(1)}, 3),
		sampleOf("column", d, ir.BroadcastAttrs{Shape: dims(2, 3), Axes: dims(0)}, 2),
		sampleOf("length 1", d, ir.BroadcastAttrs{Shape: dims(2, 3), Axes: dims(0, 1)}, 1, 3),
		sampleOf("crossed", d, ir.BroadcastAttrs{Shape: dims(3, 2), Axes: dims(1, 0)}, 2, 3),
		sampleOf("empty", d, ir.BroadcastAttrs{Shape: dims(0, 3), Axes: dims(1)}, 3),
	}
}

func drawBroadcast(r source, d dtype.DType) Sample {
	to := drawShape(r)
	var from, axes []int
	for i, n := range to {
		switch r.Int(0, 2) {
		case 0:
			from, axes = append(from, n), append(axes, i)
		case 1:
			from, axes = append(from, 1), append(axes, i)
		}
	}
	return Sample{Name: "drawn", Attrs: ir.BroadcastAttrs{Shape: to.Dims(), Axes: shape.DimsOf(axes...)},
		Args: []array.Array{drawArray(r, shape.Of(d, from...))}}
}

func transposeSamples(d dtype.DType) []Sample {
	return []Sample{
		sampleOf("matrix", d, ir.AxesAttrs{Axes: dims(1, 0)}, 2, 3),
		sampleOf("rotated", d, ir.AxesAttrs{Axes: dims(2, 0, 1)}, 2, 3, 4),
		sampleOf("scalar", d, ir.AxesAttrs{}),
		sampleOf("empty", d, ir.AxesAttrs{Axes: dims(1, 0)}, 0, 3),
	}
}

func drawTranspose(r source, d dtype.DType) Sample {
	s := drawElementwise(1)(r, d)
	var axes []int
	for i := range s.Args[0].Type.Shape {
		k := r.Int(0, i)
		axes = append(axes, i)
		axes[i], axes[k] = axes[k], axes[i]
	}
	s.Attrs = ir.AxesAttrs{Axes: shape.DimsOf(axes...)}
	return s
}

func sliceSamples(d dtype.DType) []Sample {
	return []Sample{
		sampleOf("part", d, ir.SliceAttrs{Start: dims(1, 0), Limit: dims(3, 2), Strides: dims(1, 1)}, 4, 3),
		sampleOf("strided", d, ir.SliceAttrs{Start: dims(1, 0), Limit: dims(6, 3), Strides: dims(2, 3)}, 7, 3),
		sampleOf("nothing", d, ir.SliceAttrs{Start: dims(2), Limit: dims(2), Strides: dims(1)}, 4),
		sampleOf("scalar", d, ir.SliceAttrs{}),
		sampleOf("empty", d, ir.SliceAttrs{Start: dims(0, 1), Limit: dims(0, 2), Strides: dims(1, 1)}, 0, 3),
	}
}

func drawSlice(r source, d dtype.DType) Sample {
	s := drawElementwise(1)(r, d)
	var start, limit, strides []int
	for _, n := range s.Args[0].Type.Shape {
		low := r.Int(0, n)
		start, limit, strides = append(start, low), append(limit, r.Int(low, n)), append(strides, r.Int(1, 3))
	}
	s.Attrs = ir.SliceAttrs{Start: shape.DimsOf(start...), Limit: shape.DimsOf(limit...), Strides: shape.DimsOf(strides...)}
	return s
}

func concatenateSamples(d dtype.DType) []Sample {
	a, b := counting(shape.Of(d, 2, 3), 0), counting(shape.Of(d, 2, 1), 3)
	return []Sample{
		{Name: "columns", Attrs: ir.AxisAttrs{Axis: 1}, Args: []array.Array{a, b}},
		{Name: "rows", Attrs: ir.AxisAttrs{Axis: 0}, Args: []array.Array{a, a, a}},
		{Name: "one", Attrs: ir.AxisAttrs{Axis: 0}, Args: []array.Array{a}},
		{Name: "with nothing", Attrs: ir.AxisAttrs{Axis: 0}, Args: []array.Array{counting(shape.Of(d, 0, 3), 0), a}},
	}
}

func padSamples(d dtype.DType) []Sample {
	pad := func(name string, a ir.PadAttrs, s ...int) Sample {
		x := sampleOf(name, d, a, s...)
		x.Args = append(x.Args, scalar(d, 3))
		return x
	}
	return []Sample{
		pad("all round", ir.PadAttrs{Low: dims(1, 0), High: dims(2, 1), Interior: dims(0, 2)}, 2, 3),
		pad("cut", ir.PadAttrs{Low: dims(-1, 0), High: dims(0, -2), Interior: dims(0, 1)}, 3, 3),
		pad("scalar", ir.PadAttrs{}),
		pad("empty", ir.PadAttrs{Low: dims(1), High: dims(2), Interior: dims(3)}, 0),
	}
}

func drawPad(r source, d dtype.DType) Sample {
	s := drawElementwise(1)(r, d)
	var low, high, interior []int
	for _, n := range s.Args[0].Type.Shape {
		cut := r.Int(0, n/2)
		low, high, interior = append(low, -cut), append(high, r.Int(-(n-cut)/2, 2)), append(interior, r.Int(0, 2))
	}
	s.Attrs = ir.PadAttrs{Low: shape.DimsOf(low...), High: shape.DimsOf(high...), Interior: shape.DimsOf(interior...)}
	s.Args = append(s.Args, drawArray(r, shape.Of(d)))
	return s
}

func reverseSamples(d dtype.DType) []Sample {
	return []Sample{
		sampleOf("rows", d, ir.AxesAttrs{Axes: dims(0)}, 3, 2),
		sampleOf("both", d, ir.AxesAttrs{Axes: dims(1, 0)}, 3, 2),
		sampleOf("none", d, ir.AxesAttrs{}, 3),
		sampleOf("empty", d, ir.AxesAttrs{Axes: dims(0)}, 0, 2),
	}
}

func dotSamples(d dtype.DType) []Sample {
	dot := func(name string, a ir.DotAttrs, lhs, rhs shape.Shape) Sample {
		return Sample{Name: name, Attrs: a, Args: []array.Array{
			counting(shape.Type{DType: d, Shape: lhs}, 0), counting(shape.Type{DType: d, Shape: rhs}, 1)}}
	}
	matrix := ir.DotAttrs{LhsContract: dims(1), RhsContract: dims(0)}
	samples := []Sample{
		dot("matrices", matrix, shape.Shape{2, 3}, shape.Shape{3, 4}),
		dot("matrix and vector", matrix, shape.Shape{2, 3}, shape.Shape{3}),
		dot("vectors", ir.DotAttrs{LhsContract: dims(0), RhsContract: dims(0)}, shape.Shape{5}, shape.Shape{5}),
		dot("outer", ir.DotAttrs{}, shape.Shape{2}, shape.Shape{3}),
		dot("scalars", ir.DotAttrs{}, nil, nil),
		dot("batch", ir.DotAttrs{LhsBatch: dims(0), RhsBatch: dims(1), LhsContract: dims(2), RhsContract: dims(0)},
			shape.Shape{2, 3, 4}, shape.Shape{4, 2, 5}),
		dot("two axes", ir.DotAttrs{LhsContract: dims(0, 1), RhsContract: dims(1, 0)}, shape.Shape{2, 3}, shape.Shape{3, 2}),
		dot("empty sum", matrix, shape.Shape{2, 0}, shape.Shape{0, 3}),
		dot("default precision", ir.DotAttrs{LhsContract: dims(1), RhsContract: dims(0), Precision: ir.DefaultPrecision},
			shape.Shape{2, 3}, shape.Shape{3, 2}),
	}
	if d.Is(dtype.Floating) && d.Bits() >= 8 && d.Bits() < 32 {
		wide := matrix
		wide.DType = dtype.F32
		samples = append(samples, dot("to f32", wide, shape.Shape{2, 3}, shape.Shape{3, 2}))
	}
	return samples
}

func drawDot(r source, d dtype.DType) Sample {
	b, m, k, n := r.Int(1, 2), r.Int(0, 3), r.Int(0, 4), r.Int(0, 3)
	return Sample{Name: "drawn", Attrs: ir.DotAttrs{LhsBatch: dims(0), RhsBatch: dims(0), LhsContract: dims(2), RhsContract: dims(1)},
		Args: []array.Array{drawArray(r, shape.Of(d, b, m, k)), drawArray(r, shape.Of(d, b, k, n))}}
}

// starts returns start indices, each an array of rank 0.
func starts(d dtype.DType, xs ...int64) []array.Array {
	var args []array.Array
	for _, x := range xs {
		a := array.New(shape.Of(d))
		dtype.PutInt(a.Data, d, x)
		args = append(args, a)
	}
	return args
}

func dynamicSliceSamples(d dtype.DType) []Sample {
	cut := func(name string, index dtype.DType, at ...int64) Sample {
		s := sampleOf(name, d, ir.DynamicSliceAttrs{Sizes: dims(2, 1)}, 3, 4)
		s.Args = append(s.Args, starts(index, at...)...)
		return s
	}
	return []Sample{
		cut("inside", dtype.I32, 1, 2), cut("before", dtype.I64, -5, 1), cut("behind", dtype.I8, 2, 100), cut("unsigned", dtype.U8, 250, 0),
		sampleOf("scalar", d, ir.DynamicSliceAttrs{}),
	}
}

func updateSamples(d dtype.DType) []Sample {
	put := func(name string, index dtype.DType, at ...int64) Sample {
		s := sampleOf(name, d, nil, 3, 4)
		s.Args = append(append(s.Args, counting(shape.Of(d, 2, 2), 3)), starts(index, at...)...)
		return s
	}
	empty := sampleOf("nothing", d, nil, 3)
	empty.Args = append(append(empty.Args, counting(shape.Of(d, 0), 0)), starts(dtype.I32, 1)...)
	return []Sample{put("inside", dtype.I32, 1, 2), put("before", dtype.I64, -5, 1), put("behind", dtype.I8, 2, 100), empty}
}

func gatherSamples(d dtype.DType) []Sample {
	take := func(name string, a ir.GatherAttrs, index dtype.DType, at []int64, s shape.Shape, x ...int) Sample {
		return Sample{Name: name, Attrs: a, Args: []array.Array{counting(shape.Of(d, x...), 0),
			indices(shape.Type{DType: index, Shape: s}, at)}}
	}
	rows := ir.GatherAttrs{OffsetDims: dims(1), CollapsedSliceDims: dims(0), StartIndexMap: dims(0), IndexVectorDim: 1, SliceSizes: dims(1, 3)}
	points := ir.GatherAttrs{CollapsedSliceDims: dims(0, 1), StartIndexMap: dims(0, 1), IndexVectorDim: 1, SliceSizes: dims(1, 1)}
	columns := ir.GatherAttrs{OffsetDims: dims(0), CollapsedSliceDims: dims(1), StartIndexMap: dims(1), IndexVectorDim: 2, SliceSizes: dims(4, 1)}
	blocks := ir.GatherAttrs{OffsetDims: dims(1, 2), StartIndexMap: dims(1, 0), IndexVectorDim: 1, SliceSizes: dims(2, 2)}
	batched := ir.GatherAttrs{CollapsedSliceDims: dims(1), OperandBatchingDims: dims(0), IndicesBatchingDims: dims(0), StartIndexMap: dims(1),
		IndexVectorDim: 2, SliceSizes: dims(1, 1)}
	return []Sample{
		take("rows", rows, dtype.I32, []int64{2, 0, -1, 9}, shape.Shape{4}, 4, 3),
		take("points", points, dtype.I64, []int64{0, 1, 3, 2, 1, 1}, shape.Shape{3, 2}, 4, 3),
		take("columns", columns, dtype.U8, []int64{2, 0, 1, 200}, shape.Shape{2, 2}, 4, 3),
		take("blocks", blocks, dtype.I32, []int64{0, 1, 1, 3}, shape.Shape{2, 2}, 4, 3),
		take("batched", batched, dtype.I32, []int64{0, 2, 1, 1}, shape.Shape{2, 2}, 2, 3),
		take("nothing", rows, dtype.I32, nil, shape.Shape{0}, 4, 3),
	}
}

// indices returns xs as an array of type t.
func indices(t shape.Type, xs []int64) array.Array {
	out := array.New(t)
	for i, x := range xs {
		dtype.PutInt(out.Data[i*t.DType.Size():], t.DType, x)
	}
	return out
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
		limit := g.Add(ir.Constant, ir.ConstantAttrs{DType: dtype.I32, Shape: "", Data: "\x05\x00\x00\x00"}, nil, nil, i).Results[0]
		return g.Add(ir.Compare, ir.CompareAttrs{Direction: ir.LT}, nil, []*ir.Value{p[0], limit}, shape.Of(dtype.I1)).Results
	}, i, t)
	body := region(func(g *ir.Graph, p []*ir.Value) []*ir.Value {
		one := g.Add(ir.Constant, ir.ConstantAttrs{DType: dtype.I32, Shape: "", Data: "\x01\x00\x00\x00"}, nil, nil, i).Results[0]
		next := g.Add(ir.Add, nil, nil, []*ir.Value{p[0], one}, i).Results[0]
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
	// The region takes the carried operands, an i32 and a d{2}, a shared d{2}, and the elements of two inputs, a
	// d{2} and a scalar.
	step := region(func(g *ir.Graph, p []*ir.Value) []*ir.Value {
		one := g.Add(ir.Constant, ir.ConstantAttrs{DType: dtype.I32, Data: "\x01\x00\x00\x00"}, nil, nil, p[0].Type).Results[0]
		next := g.Add(ir.Add, nil, nil, []*ir.Value{p[0], one}, p[0].Type).Results[0]
		wide := g.Add(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: dims(2)}, nil, p[4:5], t).Results[0]
		odd := g.Add(ir.And, nil, nil, []*ir.Value{p[0], one}, p[0].Type).Results[0]
		second := g.Add(ir.Compare, ir.CompareAttrs{Direction: ir.EQ}, nil, []*ir.Value{odd, one}, shape.Of(dtype.I1)).Results[0]
		kept := g.Add(ir.Select, nil, nil, []*ir.Value{second, p[2], p[3]}, t).Results[0]
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

func scatterSamples(d dtype.DType) []Sample {
	put := func(name string, a ir.ScatterAttrs, index dtype.DType, at []int64, s shape.Shape, updates, x []int) Sample {
		return Sample{Name: name, Attrs: a, Args: []array.Array{counting(shape.Of(d, x...), 0),
			indices(shape.Type{DType: index, Shape: s}, at), counting(shape.Of(d, updates...), 2)}}
	}
	rows := ir.ScatterAttrs{UpdateWindowDims: dims(1), InsertedWindowDims: dims(0), ScatterDimsToOperandDims: dims(0), IndexVectorDim: 1}
	points := ir.ScatterAttrs{InsertedWindowDims: dims(0, 1), ScatterDimsToOperandDims: dims(0, 1), IndexVectorDim: 1}
	columns := ir.ScatterAttrs{UpdateWindowDims: dims(0), InsertedWindowDims: dims(1), ScatterDimsToOperandDims: dims(1), IndexVectorDim: 2}
	blocks := ir.ScatterAttrs{UpdateWindowDims: dims(1, 2), ScatterDimsToOperandDims: dims(1, 0), IndexVectorDim: 1}
	batched := ir.ScatterAttrs{InsertedWindowDims: dims(1), OperandBatchingDims: dims(0), IndicesBatchingDims: dims(0),
		ScatterDimsToOperandDims: dims(1), IndexVectorDim: 2}
	samples := []Sample{
		put("rows", rows, dtype.I32, []int64{2, 0, -1, 9}, shape.Shape{4}, []int{4, 3}, []int{4, 3}),
		put("points", points, dtype.I64, []int64{0, 1, 3, 2, 1, 1}, shape.Shape{3, 2}, []int{3}, []int{4, 3}),
		put("columns", columns, dtype.U8, []int64{2, 0, 1, 200}, shape.Shape{2, 2}, []int{4, 2, 2}, []int{4, 3}),
		put("blocks", blocks, dtype.I32, []int64{0, 1, 2, 3}, shape.Shape{2, 2}, []int{2, 2, 2}, []int{4, 3}), // the last is out of bounds
		put("batched", batched, dtype.I32, []int64{0, 2, 1, 0}, shape.Shape{2, 2}, []int{2, 2}, []int{2, 3}),
		put("nothing", rows, dtype.I32, nil, shape.Shape{0}, []int{0, 3}, []int{4, 3}),
	}
	t := shape.Of(d)
	greater := region(func(g *ir.Graph, p []*ir.Value) []*ir.Value { return g.Add(ir.Max, nil, nil, p, t).Results }, t, t)
	s := put("by a region", rows, dtype.I32, []int64{1, 1, 3}, shape.Shape{3}, []int{3, 3}, []int{4, 3})
	s.Regions = []*ir.Graph{greater}
	samples = append(samples, s)
	codes := []ir.Code{ir.Add, ir.Mul, ir.Max, ir.Min, ir.And, ir.Or, ir.Xor}
	switch d {
	case dtype.I1, dtype.I32, dtype.U8, dtype.BF16, dtype.F32, dtype.C64:
	default: // a scatter takes long to compile, and dtypes of a class are lowered alike
		codes = codes[:1]
	}
	for _, code := range codes {
		if ops.Lookup(code).Takes(0, d) {
			again := points
			again.Combine = code
			samples = append(samples, put("by "+code.String(), again, dtype.I32, []int64{1, 1, 1, 1, 0, 2}, shape.Shape{3, 2}, []int{3}, []int{4, 3}))
		}
	}
	return samples
}

// drawScatter draws the operand and the updates. It draws the indices only if updates are
// combined, since otherwise the result for equal indices is not defined.
func drawScatter(r source, d dtype.DType) Sample {
	samples := scatterSamples(d)
	s := samples[r.Int(0, len(samples)-1)]
	a := s.Attrs.(ir.ScatterAttrs)
	at := s.Args[1]
	if a.Combine != ir.Invalid || len(s.Regions) > 0 {
		at = drawArray(r, at.Type)
	}
	s.Args = []array.Array{drawArray(r, s.Args[0].Type), at, drawArray(r, s.Args[2].Type)}
	return s
}

func foldSamples(d dtype.DType) []Sample {
	t := shape.Of(d)
	greater := region(func(g *ir.Graph, p []*ir.Value) []*ir.Value { return g.Add(ir.Max, nil, nil, p, t).Results }, t, t)
	fold := func(name string, axes shape.Dims, s ...int) Sample {
		x := sampleOf(name, d, ir.AxesAttrs{Axes: axes}, s...)
		least := array.Array{Type: t, Data: ops.Identity(ir.ReduceMax, d)}
		x.Args, x.Regions = append(x.Args, least), []*ir.Graph{greater}
		return x
	}
	return []Sample{fold("rows", dims(1), 3, 4), fold("all", dims(0, 1), 3, 4), fold("no axes", "", 2, 3), fold("scalar", ""), fold("empty", dims(0), 0, 3)}
}

// drawFold draws the operand; init_value stays the identity of the region.
func drawFold(r source, d dtype.DType) Sample {
	samples := foldSamples(d)
	s := samples[r.Int(0, len(samples)-1)]
	s.Args = []array.Array{drawArray(r, s.Args[0].Type), s.Args[1]}
	return s
}

func callSamples(d dtype.DType) []Sample {
	t := shape.Of(d, 2, 3)
	reverse := region(func(g *ir.Graph, p []*ir.Value) []*ir.Value {
		return g.Add(ir.Reverse, ir.AxesAttrs{Axes: dims(1)}, nil, p, t).Results
	}, t)
	return []Sample{{Name: "reversed", Attrs: ir.CallAttrs{}, Regions: []*ir.Graph{reverse}, Args: []array.Array{counting(t, 1)}}}
}
