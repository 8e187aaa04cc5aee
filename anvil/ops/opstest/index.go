package opstest

import (
	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// Samples of operations at indices that are known only when the program runs.

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
		cut("inside", dtype.I32, 1, 2), cut("before", dtype.I64, -5, 1), cut("beyond", dtype.I8, 2, 100), cut("unsigned", dtype.U8, 250, 0),
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
	return []Sample{put("inside", dtype.I32, 1, 2), put("before", dtype.I64, -5, 1), put("beyond", dtype.I8, 2, 100), empty}
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
		// The second block is out of bounds.
		put("blocks", blocks, dtype.I32, []int64{0, 1, 2, 3}, shape.Shape{2, 2}, []int{2, 2, 2}, []int{4, 3}),
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
	default: // a scatter takes long to compile, and dtypes of the same kind are lowered alike
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
