package promote_test

import (
	"math"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestIvyModes checks that equal modes have one system, and the default dtypes of numbers.
func TestIvyModes(t *testing.T) {
	standard := promote.IvyMode{Precise: true, Int: dtype.I32, Float: dtype.F32, Complex: dtype.C64}
	if standard.In() != promote.IvyPrecise || (promote.IvyMode{}).In() != promote.IvyFast {
		t.Error("the standard modes have systems of their own")
	}
	wide := promote.IvyMode{Int: dtype.I64, Float: dtype.F64, Complex: dtype.C128}
	s := wide.In()
	if s != wide.In() || !strings.HasSuffix(s.Doc(), "; default dtypes i64, f64, c128") || s.Name() != "ivy-fast" {
		t.Errorf("%s: %s", s, s.Doc())
	}
	for _, c := range []struct {
		s    *promote.System
		v    any
		want string
	}{
		{s, 1, "i64?"}, {s, 1.5, "f64?"}, {s, 1i, "c128?"}, {s, true, "i1?"},
		{promote.Ivy, 1, "i32?"}, {promote.Ivy, math.MaxInt32, "i32?"}, {promote.Ivy, math.MaxInt32 + 1, "i64?"},
		{promote.Ivy, 1.5, "f32?"}, {promote.Ivy, 1e39, "f64?"}, {promote.Ivy, 1e-39, "f64?"},
		{promote.Ivy, math.Inf(1), "f32?"}, {promote.Ivy, math.NaN(), "f32?"},
		{promote.Ivy, complex(1e39, 1), "c64?"}, {promote.Ivy, complex(1e39, 1e39), "c128?"},
	} {
		if got, err := c.s.Literal(c.v); got.String() != c.want || err != nil {
			t.Errorf("%s: %v is %s, %v, want %s", c.s, c.v, got, err, c.want)
		}
	}
	now := promote.IvyPrecise
	follows := promote.FollowIvy(func() *promote.System { return now })
	if got := follows.Result(dtype.I64, dtype.F16); got.DType != dtype.F64 || !follows.Follows() || now.Follows() {
		t.Errorf("precise: %s", got)
	}
	now = promote.IvyFast
	if got := follows.Result(dtype.I64, dtype.F16); got.DType != dtype.F16 {
		t.Errorf("fast: %s", got)
	}
}

// TestIvyRefusals checks Ivy's errors, most of which quote those of its backend, NumPy.
func TestIvyRefusals(t *testing.T) {
	unsafe := "not supported for the input types, and the inputs could not be safely coerced to any supported types " +
		"according to the casting rule ''safe''"
	for _, c := range []struct {
		op   string
		xs   []any
		want string
	}{
		{"bitwise_invert", []any{dtype.F32}, "IvyBackendException: numpy: bitwise_invert: ufunc 'invert' " + unsafe},
		{"floor_divide", []any{dtype.C64, dtype.C64}, "IvyBackendException: numpy: floor_divide: ufunc 'floor' " + unsafe},
		{"bitwise_and", []any{dtype.I8, dtype.F32},
			"IvyBackendException: numpy: bitwise_and: numpy: promote_types_of_inputs: " +
				"numpy: promote_types: ('int8', 'float32')"},
		{"add", []any{dtype.U8, 300},
			"IvyBackendException: numpy: promote_types_of_inputs: Python integer 300 out of bounds for uint8"},
		{"where", []any{dtype.F32, -1 << 40},
			"IvyBackendException: numpy: where: Python integer -1099511627776 out of bounds for int32"},
		{"pow", []any{dtype.C64, -1 << 40},
			"IvyBackendException: numpy: pow: numpy: isinf: Python integer -1099511627776 out of bounds for int32"},
		{"add", []any{dtype.F8E5M2, dtype.I8}, "IvyException: these dtypes (float8_e5m2 and int8) are not type promotable"},
		{"add", []any{dtype.I8, dtype.I8, dtype.F16}, "f16"},
		{"divide", []any{dtype.I64, 2}, "f32"},
	} {
		got, err := promote.Ivy.Operation(c.op, c.xs...)
		if text := foreign(got, err); text != c.want {
			t.Errorf("%s of %v: %s, want %s", c.op, c.xs, text, c.want)
		}
	}
	for _, op := range []string{"power", "arctan2", "no_such"} { // NumPy's names are not Ivy's
		_, err := promote.Ivy.Operation(op, dtype.F32, dtype.F32)
		if err == nil || !strings.Contains(err.Error(), op+"(ivy)") {
			t.Errorf("%s: %v", op, err)
		}
	}
}
