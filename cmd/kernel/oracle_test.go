package main

import (
	"strings"
	"testing"
)

// TestOracle: one line in, one line out, an answer or why there is none.
func TestOracle(t *testing.T) {
	in := `{"file":"torch","list":"binary_ops","row":{"op":"true_divide","a":"i32","b":"i64"}}
{"file":"torch","list":"binary_ops","row":{"op":"add","a":"i32","b":"ui16"}}
{"file":"numpy","list":"pairs","row":{"a":"i32","b":"f32"}}
{"file":"numpy","list":"values","row":{"expr":"np.array(2**64)"}}
`
	var out strings.Builder
	if err := askOracle(strings.NewReader(in), &out, false); err != nil {
		t.Fatal(err)
	}
	want := []string{`{"result":"f32"}`, `{"error":"RuntimeError: Promotion for uint16`, `{"result":"f64"}`, `{"unsupported":`}
	got := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d answers: %q", len(got), got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("line %d: %s, want %s", i+1, got[i], want[i])
		}
	}
}

// TestOracleExplains: with --explain an answer has its steps, numbered, each with
// the name of its rule.
func TestOracleExplains(t *testing.T) {
	in := `{"file":"jax","list":"binary_ops","row":{"x64":false,"op":"add","a":"i8","b":"ui32"}}`
	var out strings.Builder
	if err := askOracle(strings.NewReader(in), &out, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"result":"i32"`, `" 1. i8, ui32: i32 (least upper bound: `, `" 2. add of i32: i32 (keeps the dtype: `} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in %s", want, out.String())
		}
	}
}
