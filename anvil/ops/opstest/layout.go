package opstest

import (
	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// Samples of constants, conversions of dtypes, and operations that move elements.

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
