package tangent_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/tangent"
	"github.com/goanvil/notebook/anvil/tangent/dates"
)

type celsius float64

// TestNumbers checks the types of sums, products and primal values, and the errors of inexact
// results and overflows.
func TestNumbers(t *testing.T) {
	add, scale, addTo, diff := tangent.Add, tangent.Scale, tangent.AddTo, tangent.Diff
	for _, c := range []struct {
		op   func(a, b any) any
		a, b any
		want string // the result with its type, or "! " and the error
	}{
		{add, int8(1), int64(2), "int 3"}, {add, uint8(1), 2, "int 3"}, {add, 1, 2.5, "float64 3.5"},
		{add, float32(1), 2, "float64 3"},
		{add, float32(1), float32(2), "float32 3"}, {add, 1, 2i, "complex128 (1+2i)"},
		{add, celsius(1), celsius(2), "tangent_test.celsius 3"},
		{add, celsius(1), 2.0, "! tangent.Add(celsius, float64): there is no rule for celsius and float64; declare one: tangent.RegisterAdd(func(a celsius, b float64) ...)"}, {add, int8(100), int8(100), "! tangent.Add(int8, int8): overflow: 200 does not fit in int8"},
		{add, math.MaxInt, 1, "! tangent.Add(int, int): overflow: 9223372036854775808 does not fit in int"},
		{add, uint64(math.MaxUint64), 1, "! tangent.Add(uint64, int): overflow: 18446744073709551616 does not fit in int"}, {add, time.Second, time.Minute, "time.Duration 1m1s"},
		{add, time.Duration(math.MaxInt64), time.Second, "! tangent.Add(Duration, Duration): overflow: 9223372037854775807 does not fit in Duration"},
		{add, time.Second, dates.Second(1), "! tangent.Add(Duration, Second): there is no rule for Duration and Second; declare one: tangent.RegisterAdd(func(a Duration, b Second) ...)"},
		{scale, 2, 3, "int 6"}, {scale, 2, int8(3), "int8 6"}, {scale, 0.5, 3, "float64 1.5"},
		{scale, 2, float32(1.5), "float32 3"},
		{scale, 2i, 3.0, "complex128 (0+6i)"}, {scale, 2.0, complex64(1i), "complex64 (0+2i)"},
		{scale, 0.5, 3 * time.Second, "time.Duration 1.5s"},
		{scale, 0.5, 3 * time.Nanosecond, "! tangent.Scale(float64, Duration): inexact: 1.5 is not a value of the integer type Duration"}, {scale, 2i, time.Second, "! tangent.Scale(complex128, Duration): a complex multiple of a Duration is not a Duration"},
		{scale, math.MaxInt, 2, "! tangent.Scale(int, int): overflow: 18446744073709551614 does not fit in int"}, {scale, -1, uint8(2), "int -2"},
		{scale, math.Inf(1), time.Second, "! tangent.Scale(float64, Duration): inexact: +Inf is not a value of the integer type Duration"}, {scale, 1e30, time.Second, "! tangent.Scale(float64, Duration): overflow: 1000000000000000090824893823431825424384 does not fit in Duration"},
		{scale, celsius(2), 3.0, "! tangent.Scale(celsius, float64): the factor is not a scalar; give a number; tangent.Mul multiplies tensors"},
		{scale, time.Second, 2, "! tangent.Scale(Duration, int): the factor is not a scalar; give a number; tangent.Mul multiplies tensors"}, {scale, nv.Ones(nv.Shape{2}), 2, "! tangent.Scale(f32{2}, int): the factor is not a scalar; give a number; tangent.Mul multiplies tensors"},
		{scale, nv.Scalar(2.0), 3, "anvil.Tensor f32?{} 6"},
		{addTo, 1, 2.0, "int 3"}, {addTo, 1, 2.5, "! tangent.AddTo(int, float64): inexact: 2.5 is not a value of the integer type int"}, {addTo, uint8(1), -2, "! tangent.AddTo(uint8, int): overflow: -1 does not fit in uint8"},
		{addTo, 1.5, 2, "float64 3.5"},
		{addTo, float32(1), 2.5, "float32 3.5"}, {addTo, 1.5, 2i, "! tangent.AddTo(float64, complex128): the tangent of a real number cannot be complex; take its real part with tangent.Project"}, {addTo, 1i, 2, "complex128 (2+1i)"},
		{addTo, celsius(1), 2.0, "tangent_test.celsius 3"}, {addTo, 1.0, celsius(2), "! tangent.AddTo(float64, celsius): celsius is not a tangent of float64; its tangent types are float64, ZeroTangent, NoTangent, NotImplemented, Thunk, InplaceableThunk"},
		{addTo, "s", 1, "! tangent.AddTo(string, int): int is not a tangent of string; its tangent types are ZeroTangent, NoTangent, NotImplemented, Thunk, InplaceableThunk"},
		{addTo, nv.Ones(nv.Shape{1}, nv.I32), nv.Full(nv.Shape{1}, 0.5), "! tangent.AddTo(i32{1}, f32{1}): inexact: a tensor of integers or bools cannot hold fractions; convert it to a float: x.AsType(nv.F32)"},
		{addTo, nv.Ones(nv.Shape{1}, nv.I32), 2, "anvil.Tensor i32{1} [3]"},
		{addTo, nv.Ones(nv.Shape{1}, nv.F32), nv.Ones(nv.Shape{1}, nv.F64), "anvil.Tensor f32{1} [2]"},
		{addTo, nv.Ones(nv.Shape{1}), nv.Full(nv.Shape{1}, 1i), "! tangent.AddTo(f32{1}, c64{1}): a real tensor has no complex tangent; take the real part of the tangent with tangent.Project"},
		{addTo, nv.Ones(nv.Shape{1}), nv.Ones(nv.Shape{3}), "! tangent.AddTo(f32{1}, f32{3}): the shapes differ; give a tangent with the shape of the first operand"},
		{addTo, []int{1, 2}, []float64{2, 3}, "[]int [3 5]"}, {addTo, []int{1, 2}, []float64{2, 3.5}, "! tangent.AddTo(int, float64): inexact: 3.5 is not a value of the integer type int"},
		{addTo, []int8{100}, []int{100}, "! tangent.AddTo(int8, int): overflow: 200 does not fit in int8"},
		{addTo, []int{1}, []int{1, 2}, "! tangent.AddTo([]int, []int): the tangent has length 2, but the primal value has 1; its tangent types are Tangent{[]int}, ZeroTangent, NoTangent, NotImplemented, Thunk, InplaceableThunk"}, {addTo, (*float64)(nil), 1.0, "! tangent.AddTo(*float64, float64): nil has no tangents other than Zero and None"},
		{addTo, 1.0, nil, "! tangent.AddTo(float64, nil): nil has no tangents other than Zero and None"},
		{addTo, 1.0, tangent.NotImplemented("why"), "! tangent.AddTo(float64, NotImplemented): the tangent is not implemented: why"},
		{diff, uint8(1), uint8(3), "int64 -2"}, {diff, 3.5, 1.0, "float64 2.5"},
		{diff, []int{1, 5}, []int{1, 2}, "[]int [0 3]"},
		{diff, []int{1}, []int{1, 2}, "! tangent.Diff([]int, []int): the operands have lengths 1 and 2; give values of the same length"}, {diff, "a", "a", "tangent.NoTangent NoTangent()"},
		{diff, "a", "b", "! tangent.Diff(string, string): the values differ, but a string has no tangent"},
		{diff, 1, 2.0, "! tangent.Diff(int, float64): the operands have different types, or one of them is nil"}, {diff, 1, nil, "! tangent.Diff(int, nil): the operands have different types, or one of them is nil"},
		{diff, map[string]int{"a": 1}, map[string]int{"b": 1}, "! tangent.Diff(map[string]int, map[string]int): the two maps have different keys; give maps with the same keys"},
		{diff, int64(math.MaxInt64), int64(-1), "! tangent.Diff(int64, int64): overflow: 9223372036854775808 does not fit in int64"}, {diff, celsius(3), celsius(1), "tangent_test.celsius 2"},
		{diff, uint64(math.MaxInt64), uint64(1), "int64 9223372036854775806"},
		{diff, uint64(1 << 63), uint64(1),
			"! tangent.Diff(uint64): overflow: 9223372036854775808 does not fit in int64"},
		{diff, uint64(1), uint64(1 << 63),
			"! tangent.Diff(uint64): overflow: 9223372036854775808 does not fit in int64"},
	} {
		got := ""
		if err := nv.Try(func() { v := c.op(c.a, c.b); got = fmt.Sprintf("%T %v", v, v) }); err != nil {
			got = "! " + err.Error()
		}
		if got != c.want {
			t.Errorf("%v, %v: got %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

// TestEqual compares values of the same and of different types.
func TestEqual(t *testing.T) {
	type unsigned uint
	one := tangent.OneElement{Shape: nv.Shape{2}, Index: []int{1}, Value: 1.0}
	for _, c := range []struct {
		a, b any
		want bool
	}{
		{1, 1.0, true}, {1, 2.0, false}, {1, int8(1), true}, {uint64(math.MaxUint64), -1, false}, {1, 1i, false},
		{celsius(1), 1.0, false},
		{dates.Minute(60), dates.Hour(1), true}, {dates.Minute(61), dates.Hour(1), false},
		{dates.Hour(1), time.Hour, false},
		{tangent.Zero, tangent.Zero, true}, {tangent.Zero, tangent.None, false}, {tangent.Zero, 0.0, false},
		{tangent.NotImplemented("a"), tangent.NotImplemented("b"), false},
		{tangent.Thunk(func() any { return 2 }), 2, true},
		{[]int{1}, []int{1}, true}, {[]int{1}, []int{2}, false}, {[]int{1}, []int{1, 2}, false},
		{[]int{}, []float64{}, false}, {nil, nil, true}, {nil, 1, false},
		{nv.Ones(nv.Shape{2}), nv.Ones(nv.Shape{2}), true}, {nv.Ones(nv.Shape{2}), nv.Zeros(nv.Shape{2}), false},
		{nv.Ones(nv.Shape{1}), 1.0, false},
		{one, nv.New([]float64{0, 1}, nv.F64), true}, {one, tangent.Add(one, one), false}, {"a", "a", true},
		{"a", "b", false}, {3, unsigned(3), false}, {1, time.Duration(math.MinInt64), false},
	} {
		if tangent.Equal(c.a, c.b) != c.want || tangent.Equal(c.b, c.a) != c.want {
			t.Errorf("Equal(%v, %v) is %v", c.a, c.b, !c.want)
		}
	}
}

// TestElements covers sums and products of OneElements, and their errors.
func TestElements(t *testing.T) {
	element := func(shape nv.Shape, value any, index ...int) any {
		return tangent.OneElement{Shape: shape,
			Index: index, Value: value}
	}
	two := element(nv.Shape{2, 2}, 3.0, 1, 0)
	var full any = tangent.Zero
	for i := range 100 {
		full = tangent.Add(full, element(nv.Shape{100}, 1.0, i))
	}
	for _, c := range []struct {
		f    func() any
		want string
	}{
		{func() any { return tangent.Add(two, element(nv.Shape{2}, 1.0, 0)) }, "! tangent.Add(OneElement, OneElement): the shapes [2 2] and [2] differ"},
		{func() any { return tangent.Add(two, nv.Ones(nv.Shape{2})) }, "! tangent.Add(OneElement, f32{2}): the shapes [2 2] and [2] differ"},
		{func() any { return tangent.Add(two, element(nv.Shape{2, 2}, 1.0, 2, 0)) }, "! tangent.Add(OneElement): the index [2 0] is out of range of [2 2]"},
		{func() any { return tangent.Add(two, element(nv.Shape{2, 2}, 1.0, 0, -1)) }, "! tangent.Add(OneElement): the index [0 -1] is out of range of [2 2]"},
		{func() any { return tangent.Add(two, element(nv.Shape{2, 2}, 1.0, 0)) }, "! tangent.Add(OneElement): the index [0] does not have one number per axis of [2 2]"},
		{func() any { return tangent.Add(nv.Zeros(nv.Shape{2, 2}), two) }, "f32{2,2} [[0 0] [3 0]]"},
		{func() any { return tangent.Mul(nv.Full(nv.Shape{2, 2}, 2.0), two) }, "f32{2,2} [[0 0] [6 0]]"},
		{func() any { return tangent.Scale(2, two) }, "OneElement(6 at [1 0] of [2 2])"},
		{func() any { return tangent.Scale(nv.Scalar(2.0), two) }, "OneElement(f32?{} 6 at [1 0] of [2 2])"},
		{func() any { return tangent.AddTo(nv.Ones(nv.Shape{2, 2}), tangent.Scale(2, tangent.Add(two, two))) },
			"f32{2,2} [[1 1] [13 1]]"},
		{func() any { return tangent.Add(full, full) }, "Sparse(dense, of [100])"},
		{func() any {
			return nv.Sum(tangent.Canonical(nv.Zeros(nv.Shape{100}),
				tangent.Add(full, tangent.Scale(2, full))))
		}, "f32{} 300"},
		{func() any {
			return nv.Sum(tangent.Add(nv.Ones(nv.Shape{100}),
				tangent.Add(element(nv.Shape{100}, 1.0, 3), full)))
		}, "f32{} 201"},
		{func() any { return tangent.Canonical(nv.Zeros(nv.Shape{1}, nv.C64), element(nv.Shape{1}, 2i, 0)) },
			"c64{1} [(0+2i)]"},
		{func() any { _, back := tangent.VJP("At", nv.Ones(nv.Shape{2, 2}), 1); return back(1.0) },
			"! tangent.VJP(f32{2,2}, []int): the rule At reads one element; give an index for each axis"},
		{func() any { _, back := tangent.VJP("At", nv.Ones(nv.Shape{2}), 1); return back(tangent.Zero) },
			"[ZeroTangent() ZeroTangent()]"},
		{func() any {
			x := nv.Ones(nv.Shape{2, 3})
			_, back := tangent.VJP("At", x, -1, 0)
			return tangent.Canonical(x, back(1.0)[0])
		}, "f32{2,3} [[0 0 0] [1 0 0]]"},
		{func() any { return full.(tangent.Sparse).Stored() }, "100"},
		{func() any { return tangent.Add(two, two).(tangent.Sparse).Stored() }, "1"},
	} {
		got := ""
		if err := nv.Try(func() { got = fmt.Sprint(c.f()) }); err != nil {
			got = "! " + err.Error()
		}
		if got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
