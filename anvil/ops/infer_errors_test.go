package ops_test

import (
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// TestInferSentences checks the result types of operations with attributes and regions, and what errors say.
func TestInferSentences(t *testing.T) {
	d := shape.DimsOf
	f := func(axes ...int) shape.Type { return shape.Of(dtype.F32, axes...) }
	i := func(axes ...int) shape.Type { return shape.Of(dtype.I32, axes...) }
	b := func(axes ...int) shape.Type { return shape.Of(dtype.I1, axes...) }
	c := func(axes ...int) shape.Type { return shape.Of(dtype.C64, axes...) }
	g := func(axes ...int) shape.Type { return shape.Of(dtype.F64, axes...) }
	// region returns a graph with parameters that returns some of them.
	region := func(params []shape.Type, outputs ...int) *ir.Graph {
		r := &ir.Graph{}
		var values []*ir.Value
		for _, p := range params {
			values = append(values, r.Param(p))
		}
		for _, o := range outputs {
			r.Outputs = append(r.Outputs, values[o])
		}
		return r
	}
	type types = []shape.Type
	type regions = []*ir.Graph
	conv := func(change func(a *ir.ConvAttrs)) ir.ConvAttrs {
		a := ir.ConvAttrs{Lhs: d(0, 1, 2), Rhs: d(0, 1, 2), Out: d(0, 1, 2), Strides: d(1), Low: d(0), High: d(0),
			LhsDilation: d(1), RhsDilation: d(1), Reversal: d(), FeatureGroups: 1, BatchGroups: 1}
		change(&a)
		return a
	}
	window := func(size, strides, low, high, base, dilation int) ir.WindowAttrs {
		return ir.WindowAttrs{Size: d(size), Strides: d(strides), Low: d(low), High: d(high), BaseDilation: d(base), Dilation: d(dilation)}
	}
	gather := func(change func(a *ir.GatherAttrs)) ir.GatherAttrs {
		a := ir.GatherAttrs{OffsetDims: d(1), CollapsedSliceDims: d(0), StartIndexMap: d(0), IndexVectorDim: 1, SliceSizes: d(1, 4)}
		change(&a)
		return a
	}
	scatter := func(change func(a *ir.ScatterAttrs)) ir.ScatterAttrs {
		a := ir.ScatterAttrs{UpdateWindowDims: d(1), InsertedWindowDims: d(0), ScatterDimsToOperandDims: d(0), IndexVectorDim: 1}
		change(&a)
		return a
	}
	gathered, scattered := types{f(3, 4), i(2, 1)}, types{f(3, 4), i(2, 1), f(2, 4)}
	const ofGather, ofScatter = "Gather(f32{3,4}, i32{2,1}): ", "Scatter(f32{3,4}, i32{2,1}, f32{2,4}): "
	pair := types{f(), f()}
	for n, row := range []struct {
		code    ir.Code
		attrs   any
		regions regions
		args    types
		want    string
	}{
		{ir.Constant, ir.ConstantAttrs{DType: dtype.I16, Shape: d(2), Data: "abcd"}, nil, nil, "i16{2}"},
		{ir.Constant, ir.ConstantAttrs{DType: dtype.I16, Shape: d(2), Data: "abc"}, nil, nil, "Constant(): the value has 3 bytes, but i16{2} takes 4"},
		{ir.Iota, ir.IotaAttrs{DType: dtype.I16, Shape: d(2, 3), Axis: 1}, nil, nil, "i16{2,3}"},
		{ir.Iota, ir.IotaAttrs{DType: dtype.I16, Shape: d(2, 3), Axis: 2}, nil, nil, "Iota(): axis 2 is out of range for rank 2; axes are 0 to 1"},
		{ir.Iota, ir.IotaAttrs{DType: dtype.I1, Shape: d(2), Axis: 0}, nil, nil, "Iota(): the dtype must be that of integers, floats or complex numbers; convert the result"},
		{ir.Convert, ir.DTypeAttrs{DType: dtype.F16}, nil, types{i(2)}, "f16{2}"},
		{ir.Convert, ir.DTypeAttrs{}, nil, types{i(2)}, "Convert(i32{2}): no dtype is given"},
		{ir.BitcastConvert, ir.DTypeAttrs{}, nil, types{i(2)}, "BitcastConvert(i32{2}): no dtype is given"},
		{ir.BitcastConvert, ir.DTypeAttrs{DType: dtype.C64}, nil, types{i(2)}, "BitcastConvert(i32{2}): the bits of real and complex numbers cannot be read as each other; use nv.Real and nv.Imag, or nv.Complex"},
		{ir.BitcastConvert, ir.DTypeAttrs{DType: dtype.C128}, nil, types{c(2)}, "BitcastConvert(c64{2}): c64 and c128 cannot be read as each other; use Convert"},
		{ir.BitcastConvert, ir.DTypeAttrs{DType: dtype.I8}, nil, types{{DType: dtype.F6E2M3FN, Shape: shape.Shape{4}}}, "BitcastConvert(float6_e2m3fn{4}): elements of 6 bits cannot be read as elements of 8 bits; convert the values with AsType"},
		{ir.BitcastConvert, ir.DTypeAttrs{DType: dtype.F64}, nil, types{i(3)}, "BitcastConvert(i32{3}): elements of 32 bits cannot be read as elements of 64 bits; the last axis must have length 2, the parts of one element"},
		{ir.BitcastConvert, ir.DTypeAttrs{DType: dtype.F32}, nil, types{i(3)}, "f32{3}"},
		{ir.Reshape, ir.ReshapeAttrs{Shape: d(-2, -3)}, nil, types{f(6)}, "Reshape(f32{6}): shape {-2,-3} has a negative length"},
		{ir.BroadcastInDim, ir.BroadcastAttrs{Shape: d(2, 3), Axes: d()}, nil, types{f(3)}, "BroadcastInDim(f32{3}): each axis of the operand needs an axis of the result"},
		{ir.BroadcastInDim, ir.BroadcastAttrs{Shape: d(2, 3), Axes: d(0)}, nil, types{f(1)}, "f32{2,3}"},
		{ir.BroadcastInDim, ir.BroadcastAttrs{Shape: d(2, 3), Axes: d(2)}, nil, types{f(3)}, "BroadcastInDim(f32{3}): axis 2 is out of range for rank 2; axes are 0 to 1"},
		{ir.Reverse, ir.AxesAttrs{Axes: d(-1)}, nil, types{f(3)}, "Reverse(f32{3}): axis -1 is out of range for rank 1; the only axis is 0"},
		{ir.Compare, nil, nil, types{f(), f()}, "Compare(f32{}, f32{}): no direction is given; give EQ, NE, LT, LE, GT or GE"},
		{ir.Constant, nil, nil, nil, "Constant(): no value is given"},
		{ir.ReduceSum, nil, nil, types{f(3)}, "ReduceSum(f32{3}): no axes are given"},
		{ir.Gather, nil, nil, types{f(3), i(1)}, "Gather(f32{3}, i32{1}): no dimension numbers are given"},
		{ir.Scatter, nil, nil, types{f(3), i(1), f(1)}, "Scatter(f32{3}, i32{1}, f32{1}): no dimension numbers are given"},
		{ir.Invalid, nil, nil, nil, "Invalid(): unknown operation code"},
		{ir.Compare, ir.CompareAttrs{Direction: ir.NE}, nil, types{c(), c()}, "i1{}"},
		{ir.Select, nil, nil, types{b(), f(2), f(2)}, "f32{2}"},
		{ir.Clamp, nil, nil, types{f(), f(2), f(2)}, "f32{2}"},
		{ir.Clamp, nil, nil, types{f(), f(2), g()}, "Clamp(f32{}, f32{2}, f64{}): dtypes differ; convert the bounds with AsType"},
		{ir.Clamp, nil, nil, types{f(3), f(2), f()}, "Clamp(f32{3}, f32{2}, f32{}): a bound has another shape than the operand; use a bound of rank 0, or broadcast it to {2}"},
		{ir.Slice, ir.SliceAttrs{Start: d(1), Limit: d(2), Strides: d(1)}, nil, types{f(7, 2)}, "Slice(f32{7,2}): bounds are given for 1 axes, but the operand has 2"},
		{ir.Slice, ir.SliceAttrs{Start: d(1), Limit: d(2), Strides: d(0)}, nil, types{f(7)}, "Slice(f32{7}): stride 0 is not positive; use Reverse to go backwards"},
		{ir.Slice, ir.SliceAttrs{Start: d(-1), Limit: d(2), Strides: d(1)}, nil, types{f(7)}, "Slice(f32{7}): [-1:2] is out of range for axis 0 of length 7"},
		{ir.Slice, ir.SliceAttrs{Start: d(3), Limit: d(2), Strides: d(1)}, nil, types{f(7)}, "Slice(f32{7}): [3:2] is out of range for axis 0 of length 7"},
		{ir.Slice, ir.SliceAttrs{Start: d(7), Limit: d(7), Strides: d(1)}, nil, types{f(7)}, "f32{0}"},
		{ir.Concatenate, ir.AxisAttrs{}, nil, nil, "Concatenate(): no tensor is given"},
		{ir.Concatenate, ir.AxisAttrs{}, nil, types{f(2), i(2)}, "Concatenate(f32{2}, i32{2}): dtypes differ; convert one with AsType"},
		{ir.Concatenate, ir.AxisAttrs{}, nil, types{f(2), f(2, 1)}, "Concatenate(f32{2}, f32{2,1}): shapes {2} and {2,1} have 1 and 2 axes; nv.ExpandDims adds an axis of length 1"},
		{ir.Concatenate, ir.AxisAttrs{Axis: 1}, nil, types{f(2)}, "Concatenate(f32{2}): axis 1 is out of range for rank 1; the only axis is 0"},
		{ir.Pad, ir.PadAttrs{Low: d(1), High: d(0), Interior: d(0)}, nil, types{f(3), f(1)}, "Pad(f32{3}, f32{1}): padding_value is f32{1}; it must be f32 of rank 0"},
		{ir.Pad, ir.PadAttrs{Low: d(1, 1), High: d(0, 0), Interior: d(0, 0)}, nil, types{f(3), f()}, "Pad(f32{3}, f32{}): padding is given for 2 axes, but the operand has 1"},
		{ir.Pad, ir.PadAttrs{Low: d(-2), High: d(-2), Interior: d(0)}, nil, types{f(3), f()}, "Pad(f32{3}, f32{}): axis 0 would have a negative length; interior padding must not be negative, and negative padding must not remove more elements than there are"},
		{ir.Pad, ir.PadAttrs{Low: d(-2), High: d(-1), Interior: d(0)}, nil, types{f(3), f()}, "f32{0}"},
		{ir.DynamicSlice, ir.DynamicSliceAttrs{Sizes: d(2)}, nil, types{f(3)}, "DynamicSlice(f32{3}): the number of start_indices is 0, and that of axes 1; give one for each axis"},
		{ir.DynamicSlice, ir.DynamicSliceAttrs{Sizes: d(2)}, nil, types{f(3), i(1)}, "DynamicSlice(f32{3}, i32{1}): start_indices must be scalars of one dtype"},
		{ir.DynamicSlice, ir.DynamicSliceAttrs{Sizes: d(2, 2)}, nil, types{f(3), i()}, "DynamicSlice(f32{3}, i32{}): the number of sizes is 2, and that of axes 1; give one size for each axis"},
		{ir.DynamicSlice, ir.DynamicSliceAttrs{Sizes: d(-1)}, nil, types{f(3), i()}, "DynamicSlice(f32{3}, i32{}): size -1 does not fit axis 0 of length 3"},
		{ir.DynamicSlice, ir.DynamicSliceAttrs{Sizes: d(3)}, nil, types{f(3), i()}, "f32{3}"},
		{ir.DynamicUpdateSlice, nil, nil, types{f(3), f(2), i()}, "f32{3}"},
		{ir.DynamicUpdateSlice, nil, nil, types{f(3), g(2), i()}, "DynamicUpdateSlice(f32{3}, f64{2}, i32{}): dtypes differ; convert update with AsType"},
		{ir.DynamicUpdateSlice, nil, nil, types{f(3), f(4), i()}, "DynamicUpdateSlice(f32{3}, f32{4}, i32{}): size 4 does not fit axis 0 of length 3"},
		{ir.Sort, ir.SortAttrs{}, nil, nil, "Sort(): no operand is given"},
		{ir.Sort, ir.SortAttrs{}, nil, types{f(3), i(2)}, "Sort(f32{3}, i32{2}): shapes differ; inputs that are sorted together must have the same shape"},
		{ir.Sort, ir.SortAttrs{Axis: 1}, nil, types{f(3)}, "Sort(f32{3}): axis 1 is out of range for rank 1; the only axis is 0"},
		{ir.ArgMax, ir.ArgAttrs{DType: dtype.F32}, nil, types{f(3)}, "ArgMax(f32{3}): the position needs an integer dtype; use i32 or i64"},
		{ir.ArgMax, ir.ArgAttrs{Axis: 1, DType: dtype.I32}, nil, types{f(3)}, "ArgMax(f32{3}): axis 1 is out of range for rank 1; the only axis is 0"},
		{ir.CumMax, ir.CumulativeAttrs{DType: dtype.F32}, nil, types{f(3)}, "CumMax(f32{3}): the position needs an integer dtype; use i32 or i64"},
		{ir.CumMax, ir.CumulativeAttrs{DType: dtype.I64}, nil, types{f(3)}, "f32{3} i64{3}"},
		{ir.CumSum, ir.CumulativeAttrs{Axis: 1}, nil, types{f(3)}, "CumSum(f32{3}): axis 1 is out of range for rank 1; the only axis is 0"},
		{ir.DotGeneral, ir.DotAttrs{LhsContract: d(0), RhsContract: d(0)}, nil, types{f(3), g(3)}, "DotGeneral(f32{3}, f64{3}): dtypes differ; convert one with AsType"},
		{ir.DotGeneral, ir.DotAttrs{LhsContract: d(0), RhsContract: d()}, nil, types{f(3), f(3)}, "DotGeneral(f32{3}, f32{3}): contracting axes do not come in pairs"},
		{ir.DotGeneral, ir.DotAttrs{LhsBatch: d(0), RhsBatch: d(0), LhsContract: d(1), RhsContract: d(1)}, nil, types{f(2, 3), f(4, 3)}, "DotGeneral(f32{2,3}, f32{4,3}): batching axes differ: axis 0 of lhs has length 2, axis 0 of rhs 4; they must have the same length; transpose one"},
		{ir.DotGeneral, ir.DotAttrs{LhsBatch: d(0), RhsBatch: d(0), LhsContract: d(0), RhsContract: d(1)}, nil, types{f(2, 3), f(2, 2)}, "DotGeneral(f32{2,3}, f32{2,2}): axis 0 is given twice; give each axis once"},
		{ir.DotGeneral, ir.DotAttrs{LhsBatch: d(0), RhsBatch: d(0), LhsContract: d(2), RhsContract: d(1), DType: dtype.F64}, nil, types{f(2, 5, 3), f(2, 3, 7)}, "f64{2,5,7}"},
		{ir.Cholesky, nil, nil, types{f(2, 3)}, "Cholesky(f32{2,3}): the matrix has 2 rows and 3 columns; it must be square"},
		{ir.Cholesky, nil, nil, types{f(3)}, "Cholesky(f32{3}): the operand of shape {3} is not a matrix; add axes with Reshape"},
		{ir.Cholesky, nil, nil, types{f(5, 3, 3)}, "f32{5,3,3}"},
		{ir.QR, ir.FullAttrs{}, nil, types{f(5, 3)}, "f32{5,3} f32{3,3}"},
		{ir.QR, ir.FullAttrs{Full: true}, nil, types{f(5, 3)}, "f32{5,5} f32{5,3}"},
		{ir.TriangularSolve, ir.TriangularAttrs{}, nil, types{f(3, 3), g(3, 2)}, "TriangularSolve(f32{3,3}, f64{3,2}): dtypes differ; convert one with AsType"},
		{ir.TriangularSolve, ir.TriangularAttrs{}, nil, types{f(3, 3), f(2, 3)}, "TriangularSolve(f32{3,3}, f32{2,3}): a has 3 rows, but b has 2 rows; the numbers must be equal"},
		{ir.TriangularSolve, ir.TriangularAttrs{Right: true}, nil, types{f(3, 3), f(2, 3)}, "f32{2,3}"},
		{ir.TriangularSolve, ir.TriangularAttrs{}, nil, types{f(5, 3, 3), f(4, 3, 2)}, "TriangularSolve(f32{5,3,3}, f32{4,3,2}): batch axes differ; broadcast one to the other"},
		{ir.FFT, ir.FFTAttrs{Lengths: d(4)}, nil, types{c(4)}, "c64{4}"},
		{ir.FFT, ir.FFTAttrs{Lengths: d(5)}, nil, types{c(4)}, "FFT(c64{4}): the last axes have lengths {4}, and the transform needs {5}; slice or pad the operand; each length must be at least 1"},
		{ir.FFT, ir.FFTAttrs{Lengths: d(4, 4)}, nil, types{c(4)}, "FFT(c64{4}): the transform is along 2 axes, but the operand has 1; transform one to three of its axes"},
		{ir.If, nil, regions{region(types{f()}, 0)}, types{b(), f()}, "If(i1{}, f32{}): two regions are needed, not 1"},
		{ir.If, nil, regions{region(types{f()}, 0), region(types{f()}, 0)}, types{b(), f()}, "f32{}"},
		{ir.If, nil, regions{region(types{f()}, 0), region(types{f()})}, types{b(), f()}, "If(i1{}, f32{}): the false branch returns 0 values, not 1"},
		{ir.If, nil, regions{region(types{f()}, 0), region(types{g()}, 0)}, types{b(), f()}, "If(i1{}, f32{}): the false branch takes f64{} where f32{} is needed; make dtype and shape agree, e.g. with AsType"},
		{ir.If, nil, regions{region(types{f()}, 0), region(nil)}, types{b(), f()}, "If(i1{}, f32{}): the false branch takes 0 values, not 1"},
		{ir.Case, nil, nil, types{i()}, "Case(i32{}): no branch is given"},
		{ir.Case, nil, regions{region(types{f()}, 0)}, types{f(), f()}, "Case(f32{}, f32{}): index is f32, and the operation takes signed integers; convert it with AsType"},
		{ir.Case, nil, regions{region(types{f()}, 0)}, types{i(1), f()}, "Case(i32{1}, f32{}): index is i32{1}, not an i32 of rank 0; convert it with AsType(nv.I32), and take one element of it"},
		{ir.While, nil, regions{region(types{b()}, 0)}, types{b()}, "While(i1{}): two regions are needed, not 1"},
		{ir.While, nil, regions{region(types{b()}, 0), region(types{b()}, 0)}, types{b()}, "i1{}"},
		{ir.While, nil, regions{region(types{f()}, 0), region(types{f()}, 0)}, types{f()}, "While(f32{}): cond returns f32{} where i1{} is needed; make dtype and shape agree, e.g. with AsType"},
		{ir.While, nil, regions{region(types{b()}, 0), region(types{b()})}, types{b()}, "While(i1{}): body returns 0 values, not 1"},
		{ir.Call, ir.CallAttrs{}, nil, types{f()}, "Call(f32{}): no region is given"},
		{ir.Call, ir.CallAttrs{}, regions{region(types{g()}, 0)}, types{f()}, "Call(f32{}): the region takes f64{} where f32{} is needed; make dtype and shape agree, e.g. with AsType"},
		{ir.Scan, ir.ScanAttrs{Length: 3, Carried: 1}, regions{region(types{f(), g()}, 0, 1)}, types{f(), g(3)}, "f32{} f64{3}"},
		{ir.Scan, ir.ScanAttrs{Length: 3, Carried: 3}, regions{region(types{f(), g()}, 0, 1)}, types{f(), g(3)}, "Scan(f32{}, f64{3}): there are 2 operands, but the attributes say that 3 are carried and 0 shared"},
		{ir.Scan, ir.ScanAttrs{Length: -1, Carried: 1}, regions{region(types{f(), g()}, 0, 1)}, types{f(), g(3)}, "Scan(f32{}, f64{3}): the number of steps is -1; give from 0 to 2147483647 steps"},
		{ir.Scan, ir.ScanAttrs{Length: 3, Carried: 1}, nil, types{f(), g(3)}, "Scan(f32{}, f64{3}): one region is needed, not 0"},
		{ir.Scan, ir.ScanAttrs{Length: 3, Carried: 1}, regions{region(types{f(), g()}, 0, 1)}, types{f(), g(4)}, "Scan(f32{}, f64{4}): operand 1 is f64{4}, and there are 3 steps; its first axis must have one element for each step"},
		{ir.Scan, ir.ScanAttrs{Length: 3, Carried: 1}, regions{region(types{f(), g()}, 1)}, types{f(), g(3)}, "Scan(f32{}, f64{3}): the region returns f64{} where f32{} is needed; make dtype and shape agree, e.g. with AsType"},
		{ir.Convolution, conv(func(*ir.ConvAttrs) {}), nil, types{f(5, 2, 9), f(4, 2, 3)}, "f32{5,4,7}"},
		{ir.Convolution, conv(func(a *ir.ConvAttrs) { a.Strides, a.Low, a.High = d(2), d(1), d(2) }), nil, types{f(5, 2, 9), f(4, 2, 3)}, "f32{5,4,5}"},
		{ir.Convolution, conv(func(a *ir.ConvAttrs) { a.LhsDilation, a.RhsDilation = d(2), d(3) }), nil, types{f(5, 2, 9), f(4, 2, 3)}, "f32{5,4,11}"},
		{ir.Convolution, conv(func(a *ir.ConvAttrs) { a.FeatureGroups = 2 }), nil, types{f(5, 4, 9), f(4, 2, 3)}, "f32{5,4,7}"},
		{ir.Convolution, conv(func(a *ir.ConvAttrs) { a.BatchGroups = 2 }), nil, types{f(6, 2, 9), f(4, 2, 3)}, "f32{3,4,7}"},
		{ir.Convolution, conv(func(*ir.ConvAttrs) {}), nil, types{f(5, 2, 9), g(4, 2, 3)}, "Convolution(f32{5,2,9}, f64{4,2,3}): dtypes differ; convert one with AsType"},
		{ir.Convolution, conv(func(*ir.ConvAttrs) {}), nil, types{f(5, 2, 9), f(4, 2)}, "Convolution(f32{5,2,9}, f32{4,2}): lhs has rank 3, rhs 2; both must have a batch or output axis, a feature axis, and the same number of spatial axes"},
		{ir.Convolution, conv(func(*ir.ConvAttrs) {}), nil, types{f(5, 2, 9), f(4, 3, 3)}, "Convolution(f32{5,2,9}, f32{4,3,3}): lhs has 2 input features in 1 groups, rhs has weights for 3; rhs must have weights for the input features of one group"},
		{ir.Convolution, conv(func(*ir.ConvAttrs) {}), nil, types{f(5, 2, 2), f(4, 2, 3)}, "f32{5,4,0}"},
		{ir.Convolution, conv(func(a *ir.ConvAttrs) { a.Out = d(0, 1) }), nil, types{f(5, 2, 9), f(4, 2, 3)}, "Convolution(f32{5,2,9}, f32{4,2,3}): not every axis is named; name each axis once"},
		{ir.Convolution, conv(func(a *ir.ConvAttrs) { a.Out = d(0, 0, 2) }), nil, types{f(5, 2, 9), f(4, 2, 3)}, "Convolution(f32{5,2,9}, f32{4,2,3}): axis 0 is given twice; give each axis once"},
		{ir.Convolution, conv(func(a *ir.ConvAttrs) { a.FeatureGroups = 0 }), nil, types{f(5, 2, 9), f(4, 2, 3)}, "Convolution(f32{5,2,9}, f32{4,2,3}): FeatureGroups is 0 and BatchGroups is 1; neither may be less than 1, and only one may be greater than 1"},
		{ir.Convolution, conv(func(a *ir.ConvAttrs) { a.FeatureGroups, a.BatchGroups = 2, 2 }), nil, types{f(6, 2, 9), f(4, 2, 3)}, "Convolution(f32{6,2,9}, f32{4,2,3}): FeatureGroups is 2 and BatchGroups is 2; neither may be less than 1, and only one may be greater than 1"},
		{ir.Convolution, conv(func(a *ir.ConvAttrs) { a.FeatureGroups = 3 }), nil, types{f(5, 2, 9), f(4, 2, 3)}, "Convolution(f32{5,2,9}, f32{4,2,3}): batch 5, input features 2 and output features 4 cannot be divided into 3 groups; FeatureGroups must divide the input features, BatchGroups the batch, and both the output features"},
		{ir.Convolution, conv(func(a *ir.ConvAttrs) { a.Reversal = d(1) }), nil, types{f(5, 2, 9), f(4, 2, 3)}, "Convolution(f32{5,2,9}, f32{4,2,3}): spatial axis 1 cannot be reversed: the number of spatial axes is 1"},
		{ir.Convolution, conv(func(a *ir.ConvAttrs) { a.DType = dtype.F64 }), nil, types{f(5, 2, 9), f(4, 2, 3)}, "f64{5,4,7}"},
		{ir.Convolution, conv(func(a *ir.ConvAttrs) { a.DType = dtype.I32 }), nil, types{f(5, 2, 9), f(4, 2, 3)}, "Convolution(f32{5,2,9}, f32{4,2,3}): products of f32 cannot be summed in i32; convert the operands with AsType first"},
		{ir.Convolution, conv(func(a *ir.ConvAttrs) { a.Strides = d(0) }), nil, types{f(5, 2, 9), f(4, 2, 3)}, "Convolution(f32{5,2,9}, f32{4,2,3}): the stride is 0 along axis 0; sizes, strides and dilations must be at least 1, and no number may exceed 2147483647 in magnitude"},
		{ir.Convolution, conv(func(a *ir.ConvAttrs) { a.Low = d() }), nil, types{f(5, 2, 9), f(4, 2, 3)}, "Convolution(f32{5,2,9}, f32{4,2,3}): the low padding has 0 numbers, but the window moves along 1 axes; give one number per axis"},
		{ir.ReduceWindowSum, window(3, 2, 1, 0, 1, 1), nil, types{f(8)}, "f32{4}"},
		{ir.ReduceWindowSum, window(3, 1, 0, 0, 2, 2), nil, types{f(8)}, "f32{11}"},
		{ir.ReduceWindowSum, window(0, 1, 0, 0, 1, 1), nil, types{f(8)}, "ReduceWindowSum(f32{8}): the window is 0 along axis 0; sizes, strides and dilations must be at least 1, and no number may exceed 2147483647 in magnitude"},
		{ir.ReduceWindowSum, window(9, 1, 0, 0, 1, 1), nil, types{f(8)}, "f32{0}"},
		{ir.ReduceWindowSum, window(9, 1, 1, 0, 1, 1), nil, types{f(8)}, "f32{1}"},
		{ir.ReduceWindowSum, window(2, 1, -2, -2, 1, 1), nil, types{f(3)}, "ReduceWindowSum(f32{3}): axis 0 of length 3 has length -1 with dilation and padding, and the window has length 2 with dilation; no length may exceed 2147483647, and negative padding must not remove more elements than there are"},
		{ir.ReduceWindowSum, window(2, 1, -2, -1, 1, 1), nil, types{f(3)}, "f32{0}"},
		{ir.Gather, gather(func(*ir.GatherAttrs) {}), nil, gathered, "f32{2,4}"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) { a.OffsetDims = d(0) }), nil, gathered, "f32{4,2}"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) { a.IndexVectorDim = 2 }), nil, gathered, "f32{2,4,1}"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) { a.OffsetDims = d(5) }), nil, gathered, ofGather + "offset_dims are not axes of the result"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) { a.SliceSizes = d(2, 4) }), nil, gathered, ofGather + "axis 0 is not in the result but has slices of length 2"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) { a.SliceSizes = d(0, 4) }), nil, gathered, "f32{2,4}"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) { a.SliceSizes = d(1, 5) }), nil, gathered, ofGather + "size 5 does not fit axis 1 of length 4"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) { a.OffsetDims = d() }), nil, gathered, ofGather + "offset, collapsed and batching axes must be 2 in all, one for each axis of the operand"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) { a.IndexVectorDim = 3 }), nil, gathered, ofGather + "index_vector_dim is out of range"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) { a.IndexVectorDim = -1 }), nil, gathered, ofGather + "index_vector_dim is out of range"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) { a.StartIndexMap = d(0, 1) }), nil, gathered, ofGather + "start_index_map names 2 axes, but an index vector has length 1"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) { a.StartIndexMap = d(2) }), nil, gathered, ofGather + "axis 2 is out of range for rank 2; axes are 0 to 1"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) { a.CollapsedSliceDims = d(2) }), nil, gathered, ofGather + "axis 2 is out of range for rank 2; axes are 0 to 1"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) { a.OffsetDims, a.CollapsedSliceDims = d(2, 1), d() }), nil, gathered, ofGather + "axes are not in ascending order"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) { a.OffsetDims, a.CollapsedSliceDims = d(1, 1), d() }), nil, gathered, ofGather + "axes are not in ascending order"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) {
			a.CollapsedSliceDims, a.OperandBatchingDims, a.IndicesBatchingDims, a.StartIndexMap = d(), d(0), d(1), d(1)
		}), nil, gathered, ofGather + "index_vector_dim is a batching axis"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) {
			a.CollapsedSliceDims, a.OperandBatchingDims, a.IndicesBatchingDims, a.StartIndexMap = d(), d(0), d(0), d(1)
		}), nil, types{f(2, 4), i(2, 1)}, "f32{2,4}"},
		{ir.Gather, gather(func(a *ir.GatherAttrs) {
			a.CollapsedSliceDims, a.OperandBatchingDims, a.StartIndexMap = d(), d(0), d(1)
		}), nil, gathered, ofGather + "batching axes do not come in pairs"},
		{ir.Scatter, scatter(func(*ir.ScatterAttrs) {}), nil, scattered, "f32{3,4}"},
		{ir.Scatter, scatter(func(a *ir.ScatterAttrs) { a.Combine = ir.Max }), nil, scattered, "f32{3,4}"},
		{ir.Scatter, scatter(func(a *ir.ScatterAttrs) { a.Combine = ir.Sub }), nil, scattered, ofScatter + "Sub cannot combine elements; give a region"},
		{ir.Scatter, scatter(func(a *ir.ScatterAttrs) { a.Combine = ir.And }), nil, scattered, ofScatter + "And does not accept f32; convert operand and updates with AsType"},
		{ir.Scatter, scatter(func(*ir.ScatterAttrs) {}), regions{region(pair, 0), region(pair, 0)}, scattered, ofScatter + "one region is needed, not 2"},
		{ir.Scatter, scatter(func(*ir.ScatterAttrs) {}), regions{region(pair, 0)}, scattered, "f32{3,4}"},
		{ir.Scatter, scatter(func(*ir.ScatterAttrs) {}), nil, types{f(3, 4), i(2, 1), g(2, 4)}, "Scatter(f32{3,4}, i32{2,1}, f64{2,4}): dtypes differ; convert updates with AsType"},
		{ir.Scatter, scatter(func(*ir.ScatterAttrs) {}), nil, types{f(3, 4), i(2, 1), f(3, 4)}, "Scatter(f32{3,4}, i32{2,1}, f32{3,4}): updates have {3} windows, but scatter_indices have {2} index vectors"},
		{ir.Scatter, scatter(func(*ir.ScatterAttrs) {}), nil, types{f(3, 4), i(2, 1), f(2, 5)}, "Scatter(f32{3,4}, i32{2,1}, f32{2,5}): size 5 does not fit axis 1 of length 4"},
		{ir.Scatter, scatter(func(*ir.ScatterAttrs) {}), nil, types{f(3, 4), i(2, 1), f(2, 3)}, "f32{3,4}"},
		{ir.Scatter, scatter(func(a *ir.ScatterAttrs) { a.UpdateWindowDims = d(7) }), nil, scattered, ofScatter + "axis 7 is out of range for rank 2; axes are 0 to 1"},
		{ir.Scatter, scatter(func(a *ir.ScatterAttrs) { a.InsertedWindowDims = d() }), nil, scattered, ofScatter + "window, inserted and batching axes must be 2 in all, one for each axis of the operand"},
		{ir.Scatter, scatter(func(a *ir.ScatterAttrs) { a.ScatterDimsToOperandDims = d(0, 1) }), nil, scattered, ofScatter + "scatter_dims_to_operand_dims names 2 axes, but an index vector has length 1"},
		{ir.Reduce, ir.AxesAttrs{Axes: d(0)}, regions{region(pair, 0)}, types{f(3), f()}, "f32{}"},
		{ir.Reduce, ir.AxesAttrs{Axes: d(0)}, regions{region(pair, 0)}, types{f(3), g()}, "Reduce(f32{3}, f64{}): init_value is f64{}; it must be f32 of rank 0"},
		{ir.Reduce, ir.AxesAttrs{Axes: d(0)}, regions{region(pair, 0)}, types{f(3), f(1)}, "Reduce(f32{3}, f32{1}): init_value is f32{1}; it must be f32 of rank 0"},
		{ir.Reduce, ir.AxesAttrs{Axes: d(0)}, nil, types{f(3), f()}, "Reduce(f32{3}, f32{}): one region is needed, not 0"},
	} {
		results, err := ops.Infer(row.code, row.attrs, row.regions, row.args...)
		var texts []string
		for _, r := range results {
			texts = append(texts, r.String())
		}
		got := strings.Join(texts, " ")
		if err != nil {
			got = err.Error()
		}
		if got != row.want {
			t.Errorf("row %d, %v: %s, want %s", n, row.code, got, row.want)
		}
	}
}
