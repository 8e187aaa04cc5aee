package dtype_test

import (
	"errors"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
)

// states returns every dtype, known and ambiguous.
func states() (ts []dtype.Typed) {
	for _, d := range dtype.All() {
		ts = append(ts, dtype.Typed{DType: d}, dtype.Typed{DType: d, Ambiguous: true})
	}
	return ts
}

func TestJoinIsCommutativeAndIdempotent(t *testing.T) {
	for _, a := range states() {
		if got, err := dtype.Join(a, a); got != a || err != nil {
			t.Errorf("%s with itself: %s, %v", a, got, err)
		}
		for _, b := range states() {
			ab, err := dtype.Join(a, b)
			ba, err2 := dtype.Join(b, a)
			if ab != ba || (err == nil) != (err2 == nil) {
				t.Errorf("%s with %s: %s, %v; reversed %s, %v", a, b, ab, err, ba, err2)
			}
		}
	}
}

// TestJoinIsAssociative joins every triple of states in both groupings. If both have a
// result, the results must be equal. If only one has, the triple must have two narrow
// floats without a common dtype: a wider third one helps only the grouping that joins it
// first.
func TestJoinIsAssociative(t *testing.T) {
	triples, oneSided := 0, 0
	for _, a := range states() {
		for _, b := range states() {
			ab, abErr := dtype.Join(a, b)
			for _, c := range states() {
				triples++
				bc, bcErr := dtype.Join(b, c)
				left, leftOK := joinNext(ab, abErr, c)
				right, rightOK := joinNext(bc, bcErr, a)
				switch {
				case leftOK && rightOK && left != right:
					t.Errorf("(%s, %s), %s: %s; grouped to the right %s", a, b, c, left, right)
				case leftOK != rightOK:
					oneSided++
					if !clash(a, b) && !clash(b, c) && !clash(a, c) {
						t.Errorf("(%s, %s), %s: one grouping has no result, though no two narrow floats clash", a, b, c)
					}
				}
			}
		}
	}
	t.Logf("%d triples, %d with a result in one grouping only", triples, oneSided)
	if want := 56 * 56 * 56; triples != want {
		t.Errorf("%d triples, want %d", triples, want)
	}
}

// joinNext joins ab, the result of a join with error err, with c.
func joinNext(ab dtype.Typed, err error, c dtype.Typed) (dtype.Typed, bool) {
	if err != nil {
		return dtype.Typed{}, false
	}
	t, err := dtype.Join(ab, c)
	return t, err == nil
}

// clash reports whether a and b are different narrow floats, neither of which holds
// all values of the other.
func clash(a, b dtype.Typed) bool {
	x, y := a.DType, b.DType
	if x.Bits() > y.Bits() {
		x, y = y, x
	}
	return x != y && x.Is(dtype.Floating) && y.Is(dtype.Floating) && y.Bits() == 8 &&
		(x.Bits() == 8 || y == dtype.F8E8M0FNU)
}

// TestJoinErrors checks that only pairs that clash, and are both known or both
// ambiguous, have no common dtype.
func TestJoinErrors(t *testing.T) {
	for _, a := range states() {
		for _, b := range states() {
			_, err := dtype.Join(a, b)
			if want := clash(a, b) && a.Ambiguous == b.Ambiguous; (err != nil) != want {
				t.Errorf("%s with %s: %v", a, b, err)
			}
		}
	}
	var e *dtype.Error
	_, err := dtype.Join(dtype.Typed{}, dtype.Typed{DType: dtype.F32})
	if !errors.As(err, &e) || e.Reason != "not a dtype" {
		t.Errorf("Join with Invalid: %v", err)
	}
}

// TestJoinHoldsFloats checks that the result of a join with f4e2m1fn holds every value of
// f4e2m1fn.
func TestJoinHoldsFloats(t *testing.T) {
	for bits := uint64(0); bits < 16; bits++ {
		v := dtype.Decode(dtype.F4E2M1FN, bits)
		for _, d := range dtype.Floating.DTypes() {
			j, err := dtype.Join(dtype.Typed{DType: d}, dtype.Typed{DType: dtype.F4E2M1FN})
			if err == nil && dtype.Round(j.DType, v) != v {
				t.Errorf("f4e2m1fn with %s is %s, which has no %v", d, j, v)
			}
		}
	}
}

// TestJoinBeyondEleven checks dtypes other than the eleven of R anvil.
func TestJoinBeyondEleven(t *testing.T) {
	for _, row := range []struct{ a, b, want string }{
		{"bf16", "f16", "f32"}, {"bf16", "f32", "f32"}, {"f16", "f64", "f64"},
		{"i64", "f16", "f16"}, {"ui64", "bf16", "bf16"}, {"i1", "f8e5m2", "f8e5m2"}, {"i32", "f8e4m3fn", "f8e4m3fn"},
		{"f8e4m3fn", "f16", "f16"}, {"f8e5m2", "bf16", "bf16"}, {"f4e2m1fn", "f8e5m2", "f8e5m2"},
		{"c64", "f32", "c64"}, {"c64", "f64", "c128"}, {"c64", "i64", "c64"}, {"c64", "c128", "c128"}, {"c128", "f16", "c128"},
		{"i2", "i4", "i4"}, {"i2", "ui2", "i4"}, {"i4", "ui2", "i4"}, {"i4", "ui4", "i8"}, {"i8", "ui4", "i8"}, {"ui4", "ui8", "ui8"},
		// With literals.
		{"f32?", "bf16", "bf16"}, {"f32?", "i4", "f32?"}, {"i32?", "i4", "i4"}, {"i32?", "c64", "c64"}, {"f32?", "f8e5m2", "f8e5m2"},
		{"c64?", "i64", "c64?"}, {"c64?", "i1", "c64?"}, {"c64?", "f16", "c64"}, {"c64?", "f32", "c64"}, {"c64?", "f64", "c128"},
		{"c128?", "f32", "c64"}, {"c128?", "c64", "c64"}, {"c64?", "f32?", "c64?"}, {"c64?", "f64?", "c128?"}, {"bf16?", "f16?", "f32?"},
	} {
		got, err := dtype.Join(typed(row.a), typed(row.b))
		if err != nil || got != typed(row.want) {
			t.Errorf("%s with %s: %s, %v; want %s", row.a, row.b, got, err, row.want)
		}
	}
}

func typed(s string) dtype.Typed {
	if n := len(s) - 1; s[n] == '?' {
		return dtype.Typed{DType: dtype.MustParse(s[:n]), Ambiguous: true}
	}
	return dtype.Typed{DType: dtype.MustParse(s)}
}

func TestCommon(t *testing.T) {
	for _, row := range []struct {
		flags []bool
		want  string
	}{{nil, "f64"}, {[]bool{false, true}, "f32"}, {[]bool{true}, "f64"}, {[]bool{true, true}, "f64?"}, {[]bool{false, false}, "f64"}} {
		if got := dtype.Common(dtype.F32, dtype.F64, row.flags...); got != typed(row.want) {
			t.Errorf("Common(f32, f64, %v) = %s, want %s", row.flags, got, row.want)
		}
	}
	for _, call := range []func(){
		func() { dtype.Common(dtype.F8E5M2, dtype.F8E4M3) },
		func() { dtype.Common(dtype.F32, dtype.F64, true, true, true) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(*dtype.Error); !ok {
					t.Error("no *dtype.Error")
				}
			}()
			call()
		}()
	}
}

func TestJoinAll(t *testing.T) {
	got, err := dtype.JoinAll(typed("i1"), typed("i8"), typed("f32?"))
	if got != typed("f32?") || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
	if _, err := dtype.JoinAll(); err == nil {
		t.Error("joining nothing has no error")
	}
	if _, err := dtype.JoinAll(typed("f8e5m2"), typed("f8e4m3"), typed("f32")); err == nil {
		t.Error("two kinds of float8 have no error")
	}
}

func TestJoinDoesNotAllocate(t *testing.T) {
	ts := states()
	n := testing.AllocsPerRun(100, func() {
		for _, a := range ts[:20] {
			_, _ = dtype.Join(a, ts[len(ts)-1])
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestRulesHaveTexts checks that Rules returns the rules that are applied, in order, and that each has texts, and the
// name of the rule of some pairs.
func TestRulesHaveTexts(t *testing.T) {
	seen := map[dtype.Rule]bool{}
	for _, a := range states() {
		for _, b := range states() {
			_, r := dtype.JoinRule(a, b)
			seen[r] = true
		}
	}
	delete(seen, dtype.NoRule)
	if rules := dtype.Rules(); !slices.Equal(rules, slices.Sorted(maps.Keys(seen))) {
		t.Errorf("the rules are %v, those applied %v", rules, seen)
	}
	for _, r := range dtype.Rules() {
		if !seen[r] || r.String() == "" || r.Doc() == "" {
			t.Errorf("rule %d %q: %q; applied: %v", r, r, r.Doc(), seen[r])
		}
	}
	for _, c := range []struct {
		a         dtype.DType
		ambiguous bool
		b         dtype.DType
		want      string
	}{
		{dtype.F8E5M2, false, dtype.F8E4M3FN, "none"}, {dtype.C64, true, dtype.F64, "ambiguous complex, known float"},
		{dtype.F32, true, dtype.I64, "ambiguous of a higher kind"}, {dtype.I32, true, dtype.I1, "ambiguous over bool"},
		{dtype.I32, true, dtype.I8, "ambiguous yields"}, {dtype.I8, false, dtype.I8, "same dtype"},
		{dtype.I1, false, dtype.U8, "bool is lowest"}, {dtype.C64, false, dtype.F64, "complex"},
		{dtype.I64, false, dtype.F16, "float over integer"}, {dtype.F16, false, dtype.F32, "wider float"},
		{dtype.BF16, false, dtype.F16, "two halves"}, {dtype.U8, false, dtype.U32, "wider integer"},
		{dtype.I16, false, dtype.U8, "signed holds unsigned"}, {dtype.I8, false, dtype.U8, "signed of twice the width"},
	} {
		a, b := dtype.Typed{DType: c.a, Ambiguous: c.ambiguous}, dtype.Typed{DType: c.b}
		if _, r := dtype.JoinRule(a, b); r.String() != c.want {
			t.Errorf("the rule of %s and %s is %q, want %q", a, b, r, c.want)
		}
	}
}

func TestDescribe(t *testing.T) {
	for d, want := range map[dtype.DType]string{dtype.F64: "<FloatType: 64>", dtype.F32: "<FloatType: 32>",
		dtype.I8: "<IntegerType: 8>", dtype.U16: "<UIntegerType: 16>", dtype.I1: "<BooleanType>",
		dtype.BF16: "<FloatType: 16, bf16>", dtype.C64: "<ComplexType: 64>", dtype.Invalid: "<InvalidType>"} {
		if got := d.Describe(); got != want {
			t.Errorf("%s.Describe() = %s, want %s", d, got, want)
		}
	}
	if dtype.CategoryOf(dtype.U8).String() != "integral" || dtype.CategoryOf(dtype.BF16) != dtype.FloatingCategory {
		t.Error("categories")
	}
}

func TestLiterals(t *testing.T) {
	type celsius float64
	for _, row := range []struct {
		v    any
		want string
	}{{1, "i32?"}, {1.0, "f32?"}, {true, "i1"}, {1i, "c64?"}, {int8(1), "i8"}, {uint(1), "ui64"}, {'x', "i32"}, {float32(1), "f32"}, {uint8(1), "ui8"}, {complex64(1), "c64"}} {
		if got, err := dtype.OfLiteral(row.v); err != nil || got != typed(row.want) {
			t.Errorf("%T: %s, %v; want %s", row.v, got, err, row.want)
		}
	}
	for _, v := range []any{celsius(1), "1", nil, []int{1}} {
		if _, err := dtype.OfLiteral(v); err == nil {
			t.Errorf("%T has no error", v)
		}
	}
}

func TestFit(t *testing.T) {
	ok := []struct {
		v    any
		d    dtype.DType
		want any
	}{
		{5, dtype.I8, int8(5)}, {-128, dtype.I8, int8(-128)}, {255, dtype.U8, uint8(255)}, {1 << 40, dtype.I64, int64(1 << 40)},
		{2.0, dtype.I8, int8(2)}, {0.1, dtype.F64, 0.1}, {0.1, dtype.F32, float32(0.1)}, {16777217, dtype.F32, float32(16777216)},
		{math.MinInt64, dtype.I64, int64(math.MinInt64)}, {-9223372036854775808.0, dtype.I64, int64(math.MinInt64)}, {-2, dtype.I2, int8(-2)}, {3, dtype.U2, uint8(3)},
		{math.Inf(1), dtype.F16, float32(math.Inf(1))}, {true, dtype.F32, float32(1)}, {1, dtype.I1, true}, {1, dtype.C64, complex64(1)},
		{complex(2, 0), dtype.I8, int8(2)}, {uint64(math.MaxUint64), dtype.U64, uint64(math.MaxUint64)}, {6.9, dtype.F4E2M1FN, float32(6)},
	}
	for _, row := range ok {
		if got, err := dtype.Fit(row.v, row.d); err != nil || show(got) != show(row.want) {
			t.Errorf("Fit(%v, %s) = %v, %v; want %v", row.v, row.d, got, err, row.want)
		}
	}
	for _, row := range []struct {
		v any
		d dtype.DType
	}{{300, dtype.I8}, {-1, dtype.U8}, {1 << 40, dtype.I32}, {2.5, dtype.I32}, {math.NaN(), dtype.I32}, {1e39, dtype.F32}, {100000, dtype.F16},
		{500, dtype.F8E4M3FN}, {8.0, dtype.F4E2M1FN}, {7.3, dtype.F4E2M1FN}, {7.0, dtype.F4E2M1FN}, {7.75, dtype.F6E2M3FN}, {1i, dtype.F32}, {2, dtype.I1}, {complex(1e39, 0), dtype.C64}, {-1, dtype.F8E8M0FNU},
		{1e30, dtype.I64}, {uint64(1 << 63), dtype.I64}, {"1", dtype.F32}, {-129, dtype.I8}, {128, dtype.I8}, {256, dtype.U8}, {uint8(128), dtype.I8},
		{-1, dtype.U64}, {-1, dtype.I1}, {9223372036854775808.0, dtype.I64}, {-1.0, dtype.U8}, {2, dtype.I2}, {4, dtype.U2}} {
		if got, err := dtype.Fit(row.v, row.d); err == nil {
			t.Errorf("Fit(%v, %s) = %v, want an error", row.v, row.d, got)
		}
	}
	_, err := dtype.Fit(1<<40, dtype.I32)
	want := "dtype.Fit(1099511627776, i32): the number does not fit i32, which holds -2147483648 to 2147483647; say the dtype: nv.Scalar(v, nv.I64) or int64(v)"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func BenchmarkJoin(b *testing.B) {
	x, y := typed("i32?"), typed("f32")
	for b.Loop() {
		_, _ = dtype.Join(x, y)
	}
}

func BenchmarkFit(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, _ = dtype.Fit(5, dtype.I32)
	}
}

func BenchmarkEncodeBF16(b *testing.B) {
	for b.Loop() {
		_ = dtype.Encode(dtype.BF16, 1.2345)
	}
}
