package dtype_test

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A castRow is a cast of V from dtype Src to Dst, and its result in JAX.
type castRow struct {
	Src, Dst string
	V, Jax   any
	Folded   any
}

// TestCasts compares casts of single values with JAX's on the CPU. XLA's programs flush
// subnormals of f32, but its constant folding does not. If the two results differ, the row
// has both; Cast gives that of constant folding.
func TestCasts(t *testing.T) {
	var data struct{ Rows []castRow }
	readJSON(t, "testdata/casts.json", &data)
	flushed := 0
	for _, r := range data.Rows {
		src, dst := dtype.MustParse(r.Src), dtype.MustParse(r.Dst)
		v := value(t, r.V, src)
		got, err := dtype.Cast(v, dst)
		if err != nil {
			t.Fatal(err)
		}
		want := r.Jax
		if r.Folded != nil {
			want = r.Folded
		}
		if show(got) == show(value(t, want, dst)) {
			continue
		}
		if subnormalF32(v) && subnormalF32(got) {
			flushed++
			continue
		}
		t.Errorf("%s %v to %s: %v, jax has %v", src, r.V, dst, show(got), want)
	}
	if len(data.Rows) < 3000 || flushed > 10 {
		t.Errorf("%d rows, %d of them flushed", len(data.Rows), flushed)
	}
}

// subnormalF32 reports whether the real part of v is a subnormal of f32.
func subnormalF32(v any) bool {
	c, _ := dtype.Cast(v, dtype.C128)
	m := math.Abs(real(c.(complex128)))
	return 0 < m && m < 0x1p-126
}

// value returns a JSON value (a bool, a number, a decimal string or [re, im]) at dtype d.
func value(t *testing.T, v any, d dtype.DType) any {
	t.Helper()
	var host any
	switch v := v.(type) {
	case bool:
		host = v
	case float64:
		host = v
	case []any:
		host = complex(number(t, v[0]), number(t, v[1]))
	case string:
		if i, err := strconv.ParseInt(v, 10, 64); err == nil {
			host = i
		} else if u, err := strconv.ParseUint(v, 10, 64); err == nil {
			host = u
		} else {
			host = number(t, v)
		}
	}
	c, err := dtype.Cast(host, d)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func number(t *testing.T, v any) float64 {
	if s, ok := v.(string); ok {
		return parse(t, s)
	}
	return v.(float64)
}

func show(v any) string { return fmt.Sprintf("%T %v", v, v) }

// TestCastByWayOfF32 checks that an integer of more than 24 bits is rounded to f32
// first, as by XLA on the CPU: the last bit is lost before it can break a tie.
func TestCastByWayOfF32(t *testing.T) {
	i := int64(1)<<62 + 1<<54 + 1 // halfway between two bf16 values, and one more
	for _, row := range []struct{ v, want any }{{i, float32(1 << 62)}, {-i, float32(-(1 << 62))}, {uint64(i), float32(1 << 62)}, {float64(i + 1<<40), float32(1<<62 + 1<<55)}} {
		if got, _ := dtype.Cast(row.v, dtype.BF16); got != row.want {
			t.Errorf("bf16(%T %v) = %v, want %v", row.v, row.v, got, row.want)
		}
	}
}

// TestElements checks that Get returns the value of Put for every dtype, and that the
// typed functions agree with them.
func TestElements(t *testing.T) {
	for _, d := range dtype.All() {
		for _, v := range []any{true, 0, 1, -1, 2, 3.7, -2.5, 200, 1e9, -1e30, math.NaN(), math.Inf(1), complex(1.5, -2), uint64(1 << 63)} {
			b, err := dtype.Append(nil, d, v)
			if err != nil || len(b) != d.Size() {
				t.Fatalf("%s %v: %d bytes, %v", d, v, len(b), err)
			}
			want, _ := dtype.Cast(v, d)
			if got := dtype.Get(b, d); show(got) != show(want) {
				t.Errorf("%s %v: got %s, want %s", d, v, show(got), show(want))
			}
			c := make([]byte, d.Size())
			putFast(c, d, v)
			if string(b) != string(c) {
				t.Errorf("%s %v: Put writes % x, the typed function % x", d, v, b, c)
			}
			checkReads(t, d, b, want)
		}
	}
}

// putFast writes v with the Put function for its type.
func putFast(b []byte, d dtype.DType, v any) {
	switch v := v.(type) {
	case bool:
		dtype.PutBool(b, d, v)
	case int:
		dtype.PutInt(b, d, int64(v))
	case uint64:
		dtype.PutUint(b, d, v)
	case float64:
		dtype.PutFloat(b, d, v)
	case complex128:
		dtype.PutComplex(b, d, v)
	}
}

// checkReads compares the typed Get functions on b, which has the value v, with casts of v.
func checkReads(t *testing.T, d dtype.DType, b []byte, v any) {
	t.Helper()
	for to, got := range map[dtype.DType]any{dtype.I1: dtype.GetBool(b, d), dtype.I64: dtype.GetInt(b, d),
		dtype.U64: dtype.GetUint(b, d), dtype.F64: dtype.GetFloat(b, d), dtype.C128: dtype.GetComplex(b, d)} {
		if want, _ := dtype.Cast(v, to); show(got) != show(want) {
			t.Errorf("%s %v read as %s: %s, want %s", d, v, to, show(got), show(want))
		}
	}
}

func TestConvert(t *testing.T) {
	src := make([]byte, 12)
	for i, v := range []float64{300.7, -1, math.NaN()} {
		dtype.PutFloat(src[4*i:], dtype.F32, v)
	}
	dst := make([]byte, 3)
	dtype.Convert(dst, dtype.U8, src, dtype.F32)
	if want := []byte{255, 0, 0}; string(dst) != string(want) {
		t.Errorf("got %v, want %v", dst, want)
	}
}

func TestGoType(t *testing.T) {
	for _, d := range dtype.All() {
		v, _ := dtype.Cast(1, d)
		if got := fmt.Sprintf("%T", v); got != d.GoType().String() {
			t.Errorf("%s: GoType is %s, Cast gives %s", d, d.GoType(), got)
		}
		if of, _ := dtype.Of(v); d.Bits() >= 8 && d.Bits() != 16 && d.Kind() != dtype.Floating && of != d {
			t.Errorf("Of(%T) = %s, want %s", v, of, d)
		}
	}
}

func TestCastRefuses(t *testing.T) {
	for _, v := range []any{nil, "1", []int{1}, struct{}{}} {
		if _, err := dtype.Cast(v, dtype.F32); err == nil {
			t.Errorf("Cast(%#v) has no error", v)
		}
		if err := dtype.Put(make([]byte, 16), dtype.F32, v); err == nil {
			t.Errorf("Put(%#v) has no error", v)
		}
	}
	if _, err := dtype.Cast(1, dtype.Invalid); err == nil {
		t.Error("Cast to Invalid has no error")
	}
}
