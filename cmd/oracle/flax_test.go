package main

import (
	"reflect"
	"testing"
)

// TestFlaxPromotesAsJAX tests that a layer computes in the given dtype, or else in the
// common dtype of input and parameter, which becomes a float if it must be inexact.
func TestFlaxPromotesAsJAX(t *testing.T) {
	for _, c := range []struct {
		input, param, dtype string
		inexact, x64        bool
		want                string
	}{
		{"i32", "f32", "", true, false, "f32"},
		{"bf16", "f16", "", true, false, "f32"},
		{"i32", "i8", "", true, false, "f32"},
		{"i32", "i8", "", false, false, "i32"},
		{"f64", "f32", "", true, true, "f64"},
		{"f64", "f32", "", true, false, "f32"},
		{"c64", "f32", "bf16", true, false, "bf16"},
	} {
		q := row{"input": c.input, "param": c.param, "dtype": nil, "inexact": c.inexact, "x64": c.x64}
		if c.dtype != "" {
			q["dtype"] = c.dtype
		}
		got := answerRow(question{File: "flax", List: "promote_dtype", Row: q})
		if got["result"] != c.want {
			t.Errorf("%v: %v", c, got)
		}
	}
}

// TestFlaxLayers tests the rules of FLIP 1777, and where the release differs from them.
func TestFlaxLayers(t *testing.T) {
	for _, c := range []struct{ layer, input, dtype, param, want string }{
		{"Dense", "i32", "", "f32", "f32"},
		{"Conv", "bf16", "", "f32", "f32"},
		{"LayerNorm", "c64", "", "f32", "c64"},
		{"GroupNorm", "f16", "f16", "f32", "f16"},
		{"Embed", "i8", "", "bf16", "bf16"},
		{"Embed", "f32", "", "f32", "ValueError: Input type must be an integer or unsigned integer."},
		{"LSTMCell", "bf16", "bf16", "f32", "f32"},
		{"LSTMCell", "f32", "f32", "bf16", "TypeError: scan body function carry input and carry output must have equal types, but they differ:\n\n  * the input carry component c[1][0] has type bfloat16[2,3] but the corresponding output carry component has type float32[2,3]"},
	} {
		q := row{"layer": c.layer, "input": c.input, "dtype": nil, "param_dtype": c.param, "x64": false}
		if c.dtype != "" {
			q["dtype"] = c.dtype
		}
		got := answerRow(question{File: "flax", List: "linen", Row: q})
		want := c.want[:min(len(c.want), 200)] // as many characters as the rows have
		if got["result"] != want && got["error"] != want {
			t.Errorf("%v: %v", c, got)
		}
	}
	state := answerRow(question{File: "flax", List: "linen", Row: row{"layer": "BatchNorm", "input": "f16", "dtype": "f16", "param_dtype": "f16"}})["state"]
	if want := (row{"batch_stats": row{"mean": "f32", "var": "f32"}}); !reflect.DeepEqual(state, want) {
		t.Errorf("%v, want %v", state, want)
	}
}
