package oracle_test

import (
	"testing"

	"github.com/goanvil/notebook/anvil/promote/oracle"
)

// TestFlaxPromotesAsJAX: a layer computes in the common dtype of input and
// parameter, in f32 where that is no float and must be, or in the dtype given.
func TestFlaxPromotesAsJAX(t *testing.T) {
	for _, row := range []struct {
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
		q := oracle.Row{"input": row.input, "param": row.param, "dtype": nil, "inexact": row.inexact, "x64": row.x64}
		if row.dtype != "" {
			q["dtype"] = row.dtype
		}
		got := oracle.Answer(oracle.Question{File: "flax", List: "promote_dtype", Row: q})
		if got["result"] != row.want {
			t.Errorf("%v: %v", row, got)
		}
	}
}
