package display

import (
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestMarks checks the verdict on answers and the reason that it gives.
func TestMarks(t *testing.T) {
	matrix := nv.New([][]int{{1, 2, 3}, {4, 5, 6}})
	third := nv.Scalar(1.0, nv.F64).Div(3)
	for _, c := range []struct {
		value  any
		given  string
		want   promote.Verdict
		reason string
	}{
		{matrix, "i32", promote.Right, ""},
		{matrix, "i32{2,3}", promote.Right, ""},
		{matrix, "i32 {2, 3}", promote.Right, ""},
		{matrix, "int32 of shape (2, 3)", promote.Right, ""},
		{matrix, "AnvilTensor\n 1 2 3\n 4 5 6\n[ CPUi32{2,3} ]", promote.Right, ""},
		{matrix, "[[1, 2, 3], [4, 5, 6]] as i32", promote.Right, ""},
		{matrix, "{2,3}", promote.NearlyRight, "say the dtype too"},
		{matrix, "{3,2}", promote.Wrong, "say the dtype too; the shape is {2,3}, not {3,2}"},
		{matrix, "i64 (6,)", promote.Wrong, "the dtype is i32, not i64; the shape is {2,3}, not {6}"},
		{matrix, "i32 1 2 3 4 5 7", promote.Wrong, "element 5 is 6, not 7"},
		{matrix, "i32 1 2 3", promote.Wrong, "it has 6 elements, and you said 3"},
		{matrix, "i32 or i64", promote.Unreadable, ""},
		{matrix, "hopefully i32 of shape {2,3}", promote.Unreadable, ""},
		{matrix, "The dtype is i32, and it has values.", promote.Unreadable, ""}, // "has" is unknown
		{matrix, "The dtype is i32, with values 1 2 3 4 5 6.", promote.Right, ""},
		{third, "f64 0.333", promote.Right, ""},
		{third, "f64 0.33", promote.Wrong, "the value is 0.3333333333333333, not 0.33"},
		{third, "f64?", promote.NearlyRight, "it is not ambiguous"},
		{nv.Scalar(1.0), "f32", promote.NearlyRight, "it is ambiguous: write ?"},
		{nv.Scalar(1.0), "ambiguous f32", promote.Right, ""},
		{nv.Scalar(3.0), "f32? 3.001", promote.Wrong, "the value is 3, not 3.001"},
		{nv.New([]bool{true, false}), "i1 true false", promote.Right, ""},
		{nv.New([]bool{true, false}), "i1 1 1", promote.Wrong, "element 1 is false, not 1"},
		{nv.Scalar(int64(9007199254740993)), "i64 9007199254740992", promote.Wrong, "the value is 9007199254740993, not 9007199254740992"},
		{nv.Scalar(int64(9007199254740993)), "i64 9007199254740993", promote.Right, ""},
		{nv.Scalar(1+2i, nv.C64), "c64 1+2i", promote.Right, ""},
		{nv.Scalar(1+2i, nv.C64), "c64 1-2i", promote.Wrong, "the value is (1+2i), not 1-2i"},
		{dtype.I8, "int8", promote.Right, ""},
		{nv.Zeros(nv.Shape{1001}), "f32 " + strings.Repeat("0 ", 1001), promote.Wrong, "more than 1000 elements are not compared"},
		{nv.Zeros(nv.Shape{2000}), "f32 0 1 2", promote.Wrong, "it has 2000 elements, and you said 3"},
		{dtype.I8, "i8 3", promote.Wrong, "a dtype has no elements"},
		{dtype.I8, "i8{2}", promote.Wrong, "a dtype has no shape"},
		{matrix.Shape(), "(2, 3)", promote.Right, ""},
		{[]float64{0.5, 1.0 / 3}, "[0.5, 0.3333]", promote.Right, ""},
		{[]float64{0.5, 1.0 / 3}, "[0.5 0.34]", promote.Wrong, ""},
		{[]float64{0.5}, ".5", promote.Right, ""},
		{nv.Scalar(1.0), "f32, ambiguous.", promote.Right, ""},
		{"x", "X", promote.Right, ""},
	} {
		m := Prediction{Value: c.value}.Mark(c.given)
		_, reason, _ := strings.Cut(m.Line, "and it is ")
		_, reason, _ = strings.Cut(reason, ": ")
		if m.Verdict != c.want || reason != c.reason {
			t.Errorf("%v answered %q: %s\nwant %s with the reason %q", c.value, c.given, m.Line, c.want, c.reason)
		}
	}
}

// TestNoAnswer checks that an empty answer is not marked as right, whatever the outcome.
func TestNoAnswer(t *testing.T) {
	for _, p := range []Prediction{{Value: 1}, {Value: ""}, {Value: []int{}}, {None: true}, {None: true, Printed: " \n"}, {Err: "e"},
		{Value: nv.Scalar(1)}, {Question: "q", Value: ""}} {
		for _, given := range []string{"", " ", "\t"} {
			if m := p.Mark(given); m.Judged || m.Verdict == promote.Right {
				t.Errorf("%+v answered %q: %+v", p, given, m)
			}
		}
	}
}
