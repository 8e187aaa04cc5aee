package tangent_test

import (
	"fmt"
	"math"
	"strings"
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
		want string // the result with its type, or "! " and a part of the error
	}{
		{add, int8(1), int64(2), "int 3"}, {add, uint8(1), 2, "int 3"}, {add, 1, 2.5, "float64 3.5"},
		{add, float32(1), 2, "float64 3"},
		{add, float32(1), float32(2), "float32 3"}, {add, 1, 2i, "complex128 (1+2i)"},
		{add, celsius(1), celsius(2), "tangent_test.celsius 3"},
		{add, celsius(1), 2.0, "! no rule"}, {add, int8(100), int8(100), "! overflow: 200"},
		{add, math.MaxInt, 1, "! overflow"},
		{add, uint64(math.MaxUint64), 1, "! overflow"}, {add, time.Second, time.Minute, "time.Duration 1m1s"},
		{add, time.Duration(math.MaxInt64), time.Second, "! overflow"},
		{add, time.Second, dates.Second(1), "! no rule"},
		{scale, 2, 3, "int 6"}, {scale, 2, int8(3), "int8 6"}, {scale, 0.5, 3, "float64 1.5"},
		{scale, 2, float32(1.5), "float32 3"},
		{scale, 2i, 3.0, "complex128 (0+6i)"}, {scale, 2.0, complex64(1i), "complex64 (0+2i)"},
		{scale, 0.5, 3 * time.Second, "time.Duration 1.5s"},
		{scale, 0.5, 3 * time.Nanosecond, "! inexact: 1.5"}, {scale, 2i, time.Second, "! complex"},
		{scale, math.MaxInt, 2, "! overflow"}, {scale, -1, uint8(2), "int -2"},
		{scale, math.Inf(1), time.Second, "! inexact"}, {scale, 1e30, time.Second, "! overflow"},
		{scale, celsius(2), 3.0, "! not a scalar"},
		{scale, time.Second, 2, "! not a scalar"}, {scale, nv.Ones(nv.Shape{2}), 2, "! not a scalar"},
		{scale, nv.Scalar(2.0), 3, "anvil.Tensor f32?{} 6"},
		{addTo, 1, 2.0, "int 3"}, {addTo, 1, 2.5, "! inexact: 2.5"}, {addTo, uint8(1), -2, "! overflow: -1"},
		{addTo, 1.5, 2, "float64 3.5"},
		{addTo, float32(1), 2.5, "float32 3.5"}, {addTo, 1.5, 2i, "! real part"}, {addTo, 1i, 2, "complex128 (2+1i)"},
		{addTo, celsius(1), 2.0, "tangent_test.celsius 3"}, {addTo, 1.0, celsius(2), "! not a tangent"},
		{addTo, "s", 1, "! not a tangent"},
		{addTo, nv.Ones(nv.Shape{1}, nv.I32), nv.Full(nv.Shape{1}, 0.5), "! inexact"},
		{addTo, nv.Ones(nv.Shape{1}, nv.I32), 2, "anvil.Tensor i32{1} [3]"},
		{addTo, nv.Ones(nv.Shape{1}, nv.F32), nv.Ones(nv.Shape{1}, nv.F64), "anvil.Tensor f32{1} [2]"},
		{addTo, nv.Ones(nv.Shape{1}), nv.Full(nv.Shape{1}, 1i), "! complex"},
		{addTo, nv.Ones(nv.Shape{1}), nv.Ones(nv.Shape{3}), "! shape"},
		{addTo, []int{1, 2}, []float64{2, 3}, "[]int [3 5]"}, {addTo, []int{1, 2}, []float64{2, 3.5}, "! inexact"},
		{addTo, []int8{100}, []int{100}, "! overflow"},
		{addTo, []int{1}, []int{1, 2}, "! the tangent has 2 elements"}, {addTo, (*float64)(nil), 1.0, "! nil"},
		{addTo, 1.0, nil, "! nil"},
		{addTo, 1.0, tangent.NotImplemented("why"), "! not implemented: why"},
		{diff, uint8(1), uint8(3), "int64 -2"}, {diff, 3.5, 1.0, "float64 2.5"},
		{diff, []int{1, 5}, []int{1, 2}, "[]int [0 3]"},
		{diff, []int{1}, []int{1, 2}, "! the operands have 1 and 2 elements"}, {diff, "a", "a", "tangent.NoTangent NoTangent()"},
		{diff, "a", "b", "! no tangent"},
		{diff, 1, 2.0, "! different types"}, {diff, 1, nil, "! different types"},
		{diff, map[string]int{"a": 1}, map[string]int{"b": 1}, "! the two maps have different keys"},
		{diff, int64(math.MaxInt64), int64(-1), "! overflow"}, {diff, celsius(3), celsius(1), "tangent_test.celsius 2"},
	} {
		got := ""
		if err := nv.Try(func() { v := c.op(c.a, c.b); got = fmt.Sprintf("%T %v", v, v) }); err != nil {
			got = "! " + err.Error()
		}
		want, isError := strings.CutPrefix(c.want, "! ")
		if isError && !(strings.HasPrefix(got, "! ") && strings.Contains(got, want)) || !isError && got != want {
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
		{func() any { return tangent.Add(two, element(nv.Shape{2}, 1.0, 0)) }, "! differ"},
		{func() any { return tangent.Add(two, nv.Ones(nv.Shape{2})) }, "! differ"},
		{func() any { return tangent.Add(two, element(nv.Shape{2, 2}, 1.0, 2, 0)) }, "! out of range"},
		{func() any { return tangent.Add(two, element(nv.Shape{2, 2}, 1.0, 0, -1)) }, "! out of range"},
		{func() any { return tangent.Add(two, element(nv.Shape{2, 2}, 1.0, 0)) }, "! one number per axis"},
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
			"! reads one element"},
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
		if want, isError := strings.CutPrefix(c.want, "! "); isError && !strings.Contains(got, want) || !isError &&
			got != want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
