package ops_test

import (
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

func TestInfer(t *testing.T) {
	d := shape.DimsOf
	f := func(axes ...int) shape.Type { return shape.Of(dtype.F32, axes...) }
	i := shape.Of(dtype.I32)
	twice68 := make([]int, 70) // 0 to 68, and 68
	for k := range twice68 {
		twice68[k] = min(k, 68)
	}
	for _, c := range []struct {
		code  ir.Code
		attrs any
		args  []shape.Type
		want  string // the result's type, or the error
	}{
		{ir.Add, nil, []shape.Type{f(3), f(3)}, "f32{3}"},
		{ir.Add, nil, []shape.Type{f(3), f(4)}, "Add(f32{3}, f32{4}): shapes differ; broadcast one to the other"},
		{ir.Add, nil, []shape.Type{f(), i}, "Add(f32{}, i32{}): dtypes differ; convert one with AsType"},
		{ir.Add, nil, []shape.Type{f()}, "Add(f32{}): it takes 2 operands (lhs, rhs)"},
		{ir.Sin, nil, []shape.Type{i}, "Sin(i32{}): operand is i32, and the operation takes floats and complex numbers; convert it with AsType"},
		{ir.Complex, nil, []shape.Type{shape.Of(dtype.F16), shape.Of(dtype.F16)},
			"Complex(f16{}, f16{}): the operands have the common dtype f16, and the operation takes f32 " +
				"and f64; convert them with AsType"},
		{ir.Complex, nil, []shape.Type{f(2), f(2)}, "c64{2}"},
		{ir.Abs, nil, []shape.Type{shape.Of(dtype.C128, 2)}, "f64{2}"},
		{ir.Compare, ir.CompareAttrs{Direction: ir.LT}, []shape.Type{f(2), f(2)}, "i1{2}"},
		{ir.Compare, ir.CompareAttrs{Direction: ir.LT}, []shape.Type{shape.Of(dtype.C64), shape.Of(dtype.C64)},
			"Compare(c64{}, c64{}): complex numbers have no order; compare Abs, Real or Imag of them"},
		{ir.ReduceSum, ir.AxesAttrs{Axes: d(0)}, []shape.Type{f(2, 3)}, "f32{3}"},
		{ir.ReduceSum, ir.AxesAttrs{Axes: d(2)}, []shape.Type{f(2, 3)},
			"ReduceSum(f32{2,3}): axis 2 is out of range for rank 2; axes are 0 to 1"},
		{ir.ReduceSum, ir.AxesAttrs{Axes: d(1, 1)}, []shape.Type{f(2, 3)},
			"ReduceSum(f32{2,3}): axis 1 is given twice; give each axis once"},
		{ir.ArgMax, ir.ArgAttrs{Axis: 0, DType: dtype.I64}, []shape.Type{f(2, 3)}, "i64{3}"},
		{ir.ArgMax, ir.ArgAttrs{Axis: 0, DType: dtype.I64}, []shape.Type{f(0, 3)},
			"ArgMax(f32{0,3}): axis 0 is empty; give at least one element"},
		{ir.Reshape, ir.ReshapeAttrs{Shape: d(4)}, []shape.Type{f(2, 3)},
			"Reshape(f32{2,3}): {4} has 4 elements, not 6; the number of elements must stay the same"},
		{ir.BroadcastInDim, ir.BroadcastAttrs{Shape: d(2, 3), Axes: d(1)}, []shape.Type{f(3)}, "f32{2,3}"},
		{ir.BroadcastInDim, ir.BroadcastAttrs{Shape: d(2, 3), Axes: d(0)}, []shape.Type{f(3)},
			"BroadcastInDim(f32{3}): axis 0 of length 3 does not broadcast to 2; only axes of length 1 are " +
				"repeated"},
		{ir.Transpose, ir.AxesAttrs{Axes: d(1, 0)}, []shape.Type{f(2, 3)}, "f32{3,2}"},
		{ir.Transpose, ir.AxesAttrs{Axes: d(twice68...)}, []shape.Type{f(make([]int, 70)...)},
			"Transpose(f32{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}): " +
				"axis 68 is given twice; give each axis once"},
		{ir.Transpose, ir.AxesAttrs{Axes: d(1)}, []shape.Type{f(2, 3)},
			"Transpose(f32{2,3}): the permutation has length 1, but the operand has rank 2; name each axis once"},
		{ir.Slice, ir.SliceAttrs{Start: d(1), Limit: d(6), Strides: d(2)}, []shape.Type{f(7)}, "f32{3}"},
		{ir.Slice, ir.SliceAttrs{Start: d(1), Limit: d(8), Strides: d(2)}, []shape.Type{f(7)},
			"Slice(f32{7}): [1:8] is out of range for axis 0 of length 7"},
		{ir.DotGeneral, ir.DotAttrs{LhsContract: d(1), RhsContract: d(0)}, []shape.Type{f(2, 3), f(3, 4)}, "f32{2,4}"},
		{ir.DotGeneral, ir.DotAttrs{LhsContract: d(1), RhsContract: d(0)}, []shape.Type{f(2, 3), f(2, 4)},
			"DotGeneral(f32{2,3}, f32{2,4}): contracting axes differ: axis 1 of lhs has length 3, axis 0 of rhs 2; " +
				"they must have the same length; transpose one"},
		{ir.Concatenate, ir.AxisAttrs{Axis: 1}, []shape.Type{f(2, 3), f(2, 1)}, "f32{2,4}"},
		{ir.Concatenate, ir.AxisAttrs{Axis: 0}, []shape.Type{f(2, 3), f(2, 1)},
			"Concatenate(f32{2,3}, f32{2,1}): shapes differ along an axis other than 0; cut the longer one " +
				"with At, or extend the shorter one with Pad"},
		{ir.Pad, ir.PadAttrs{Low: d(1), High: d(-1), Interior: d(2)}, []shape.Type{f(3), f()}, "f32{7}"},
		{ir.DynamicSlice, ir.DynamicSliceAttrs{Sizes: d(2)}, []shape.Type{f(3), i}, "f32{2}"},
		{ir.DynamicSlice, ir.DynamicSliceAttrs{Sizes: d(4)}, []shape.Type{f(3), i},
			"DynamicSlice(f32{3}, i32{}): size 4 does not fit axis 0 of length 3"},
		{ir.BitcastConvert, ir.DTypeAttrs{DType: dtype.U8}, []shape.Type{f(3)}, "ui8{3,4}"},
		{ir.BitcastConvert, ir.DTypeAttrs{DType: dtype.F64}, []shape.Type{f(3, 2)}, "f64{3}"},
		{ir.BitcastConvert, ir.DTypeAttrs{DType: dtype.I8}, []shape.Type{shape.Of(dtype.I1)},
			"BitcastConvert(i1{}): the bits of a boolean cannot be read as another dtype; use Convert"},
		{ir.Select, nil, []shape.Type{shape.Of(dtype.I1), f(2), f(2)}, "f32{2}"},
		{ir.Select, nil, []shape.Type{shape.Of(dtype.I1, 3), f(2), f(2)},
			"Select(i1{3}, f32{2}, f32{2}): the shape of pred is not that of on_true; broadcast pred to {2}"},
		{ir.If, nil, []shape.Type{shape.Of(dtype.I1, 3)},
			"If(i1{3}): pred is i1{3} and must have rank 0; reduce it with Any() or All(), or choose " +
				"elementwise with Where"},
	} {
		got, err := ops.Infer(c.code, c.attrs, nil, c.args...)
		text := ""
		switch {
		case err != nil:
			text = err.Error()
		default:
			text = got[0].String()
		}
		if text != c.want {
			t.Errorf("%v%v: %s, want %s", c.code, c.args, text, c.want)
		}
	}
}

// TestResultsShareNothing checks that appending to the result of Infer does not change an
// operand.
func TestResultsShareNothing(t *testing.T) {
	args := []shape.Type{shape.Of(dtype.F32, 2), shape.Of(dtype.F32, 2)}
	got, err := ops.Infer(ir.Add, nil, nil, args...)
	if err != nil {
		t.Fatal(err)
	}
	_ = append(got, shape.Of(dtype.I1))
	if args[1].DType != dtype.F32 {
		t.Error("append to the result wrote over an operand")
	}
}
