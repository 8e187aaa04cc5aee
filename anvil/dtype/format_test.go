package dtype_test

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
)

// TestFormats compares every narrow float with ml_dtypes (testdata/formats.py).
func TestFormats(t *testing.T) {
	var rows []struct {
		DType  string
		Decode []string
		Encode [][2]any
	}
	readJSON(t, "testdata/formats.json", &rows)
	for _, row := range rows {
		d := dtype.MustParse(row.DType)
		for bits, want := range row.Decode {
			if got := dtype.Decode(d, uint64(bits)); !sameFloat(got, parse(t, want)) {
				t.Errorf("Decode(%s, %#x) = %v, want %s", d, bits, got, want)
			}
		}
		for _, e := range row.Encode {
			v, want := parse(t, e[0].(string)), uint64(e[1].(float64))
			got := dtype.Encode(d, v)
			if got != want && !(math.IsNaN(v) && math.IsNaN(dtype.Decode(d, got))) {
				t.Errorf("Encode(%s, %v) = %#x (%v), want %#x (%v)", d, v, got, dtype.Decode(d, got), want, dtype.Decode(d, want))
			}
		}
	}
	if len(rows) != 11 {
		t.Errorf("%d formats, want 11", len(rows))
	}
}

// TestHalvesRoundTrip decodes and encodes every pattern of the 16-bit floats.
func TestHalvesRoundTrip(t *testing.T) {
	for _, d := range []dtype.DType{dtype.F16, dtype.BF16} {
		for bits := uint64(0); bits < 1<<16; bits++ {
			v := dtype.Decode(d, bits)
			if got := dtype.Encode(d, v); got != bits && !math.IsNaN(v) {
				t.Fatalf("%s %#x: %v becomes %#x", d, bits, v, got)
			}
		}
	}
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func parse(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func sameFloat(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || a == b && math.Signbit(a) == math.Signbit(b)
}

// TestLargest checks that no bit pattern is a greater finite number.
func TestLargest(t *testing.T) {
	for _, d := range dtype.Floating.DTypes() {
		if d.Bits() > 16 {
			continue
		}
		greatest := 0.0
		for bits := range uint64(1) << d.Bits() {
			if x := dtype.Decode(d, bits); x > greatest && !math.IsInf(x, 0) {
				greatest = x
			}
		}
		if got := dtype.Largest(d); got != greatest {
			t.Errorf("Largest(%v) = %v, want %v", d, got, greatest)
		}
	}
}
