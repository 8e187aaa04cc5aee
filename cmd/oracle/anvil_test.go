package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestReductionsOfAnvil checks R anvil's reductions by its rules: sums, products and extremes keep the dtype, any and
// all give bools, positions are i32, and the mean of integers is an ambiguous f32.
func TestReductionsOfAnvil(t *testing.T) {
	const dtypes = "i1 i8 ui32 f64"
	for names, want := range map[string]string{
		"reduce_sum reduce_prod reduce_max reduce_min": dtypes,
		"reduce_any reduce_all":                        "i1 i1 i1 i1",
		"argmax argmin":                                "i32 i32 i32 i32",
		"mean":                                         "f32? f32? f32? f64",
	} {
		results := strings.Fields(want)
		for name := range strings.FieldsSeq(names) {
			for i, a := range strings.Fields(dtypes) {
				got := anvilOperation(row{"op": name + "(x)", "a": a})
				if len(got) != 1 || got["result"] != results[i] {
					t.Errorf("%s of %s: %v, want %s", name, a, got, results[i])
				}
			}
		}
	}
	for _, name := range []string{"argmax", "argmin"} {
		if got := anvilOperation(row{"op": name, "a": "any"}); got["result"] != "i32" {
			t.Errorf("%s of any dtype: %v", name, got)
		}
	}
}

// TestExpressionsOfAnvil checks answers to expressions of R by the rules of R anvil's article on promotion: a double
// literal is an ambiguous f32, an integer literal an ambiguous i32, and a known dtype of the same or a higher kind
// wins.
func TestExpressionsOfAnvil(t *testing.T) {
	for expr, want := range map[string]string{
		`jit(\() list(1L, 1, TRUE))()`:           "map[result:[i32? f32? i1]]",
		"z=x+1L; z*y, x=i16, y=f32":              "map[result:f32 steps:[i16 + i32? -> i16 i16 * f32 -> f32]]",
		"z=x-1; z+x  with x=nv_scalar(TRUE)":     "map[result:f32? steps:[i1 - f32? -> f32? f32? + i1 -> f32?]]",
		"nv_mul(x,2L), x=i8":                     "map[result:i8]",
		"x+-1L, x=i16":                           "map[result:i16]",
		`common_dtype("i8","f32")`:               "map[result:f32]",
		`common_dtype("i8","f32",TRUE,TRUE)`:     "map[ambiguous:true result:f32?]",
		`common_dtype("i8","f32",TRUE,FALSE)`:    "map[ambiguous:false result:f32]",
		`common_dtype("i8","f32",FALSE,TRUE)`:    "map[ambiguous:true result:f32?]",
		`nv_scalar(1,dtype="i64")+1L, x=i8`:      "map[result:i64]",
		"nv_negate(c(1L,2L))":                    "map[result:i32?]",
		"nv_tensor(1L)":                          "map[result:i32]",
		"nv_scalar(1L)":                          "map[result:i32?]",
		"c(1L,TRUE)+x, y=nv_scalar(FALSE), x=i8": "map[result:i8]",
	} {
		if got := fmt.Sprint(map[string]any(anvilExample(row{"expr": expr}))); got != want {
			t.Errorf("%s: %s, want %s", expr, got, want)
		}
	}
}

// TestUnsupportedRow checks the field of an answer that gives the reason why a row is not answered.
func TestUnsupportedRow(t *testing.T) {
	if got := fmt.Sprint(map[string]any(unsupported("no reason").row())); got != "map[unsupported:no reason]" {
		t.Error(got)
	}
}
