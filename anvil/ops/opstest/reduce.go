package opstest

import (
	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// Samples of reductions, cumulative operations, sorts and products of matrices.

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

// cumulativeSamples returns the samples of cumulative sums and products, or of cumulative
// maxima and minima with their positions.
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
		if c == ir.CumSum && d == dtype.F8E8M0FNU { // f8e8m0fnu has no 0 with which a sum could begin
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

// drawFold draws the operand, and keeps the identity of the region as init_value.
func drawFold(r source, d dtype.DType) Sample {
	samples := foldSamples(d)
	s := samples[r.Int(0, len(samples)-1)]
	s.Args = []array.Array{drawArray(r, s.Args[0].Type), s.Args[1]}
	return s
}
