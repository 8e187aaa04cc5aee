package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/promote/oracle"
)

// reasoned are the lists whose errors have the real system's reasons, not only
// its kinds of error.
var reasoned = []string{"numpy/pairs", "numpy/binary_ops", "numpy/unary_ops", "numpy/inplace", "array_api/pairs", "array_api/binary_ops", "array_api/unary_ops",
	"array_api/inplace", "tensorflow/pairs", "tensorflow/binary_ops", "tensorflow/unary_ops", "ivy/unary_ops", "jax/unary_ops", "jax/binary_ops", "jax/scalar_ops", "tensorflow/scalar_ops", "ivy/can_cast", "torch/result_type", "torch/scalar_ops", "torch/unary_ops", "torch/inplace", "torch/can_cast"}

// TestReasons: an error says why in the words of the real system, as far as
// the packed rows have them; it may end where the real one goes on.
func TestReasons(t *testing.T) {
	asked := 0
	eachLine(t, func(line []byte) {
		if !has(line, `"error":`) {
			return
		}
		l := question(t, line)
		want, ok := l.Row["error"].(string)
		if !ok || !slices.Contains(reasoned, l.File+"/"+l.List) {
			return
		}
		asked++
		bare := oracle.Row{}
		for field, v := range l.Row {
			if field != "error" && field != "spec" {
				bare[field] = v
			}
		}
		got, _ := oracle.Answer(oracle.Question{File: l.File, List: l.List, Row: bare})["error"].(string)
		if len(got) > 60 {
			got = got[:60]
		}
		if kind, _, _ := strings.Cut(want, ":"); !strings.HasPrefix(want, got) || len(got) < len(kind)+10 {
			t.Errorf("%s/%s %v: %q, want %q", l.File, l.List, bare, got, want)
		}
	})
	if asked == 0 {
		t.Error("no errors")
	}
}
