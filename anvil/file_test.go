package anvil_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	nv "github.com/goanvil/notebook/anvil"
)

// TestReadNPZ reads arrays that NumPy wrote: of each dtype, byte order and order of axes.
func TestReadNPZ(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	arrays, err := c.ReadNPZ("npy/testdata/arrays.npz")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]struct {
		tag    string
		values any
	}{
		"f32":         {"f32{2,3}", []float32{0, .25, .5, .75, 1, 1.25}},
		"big":         {"f32{2,3}", []float32{0, .25, .5, .75, 1, 1.25}},
		"f64":         {"f64{2,3}", []float64{0, 1. / 3, 2. / 3, 1, 4. / 3, 5. / 3}},
		"big_complex": {"c64{2,3}", []complex64{0, 1 + 2i, 2 + 4i, 3 + 6i, 4 + 8i, 5 + 10i}},
		"c128":        {"c128{2,3}", []complex128{0, 1 + 2i, 2 + 4i, 3 + 6i, 4 + 8i, 5 + 10i}},
		"fortran":     {"i32{2,3}", []int32{0, 1, 2, 3, 4, 5}},
		"bools":       {"i1{3}", []bool{true, false, true}},
		"u8":          {"ui8{2,3}", []uint8{0, 1, 2, 3, 4, 5}},
		"u64":         {"ui64{1}", []uint64{1<<64 - 1}},
		"i64":         {"i64{1}", []int64{-1 << 63}},
		"scalar":      {"i32{}", []int32{7}},
		"empty":       {"f32{0,3}", []float32{}},
	}
	for name, w := range want {
		x := arrays[name]
		if tag := x.DType().String() + x.Shape().String(); tag != w.tag {
			t.Errorf("%s is %s, want %s", name, tag, w.tag)
		} else if diff := cmp.Diff(w.values, x.Values()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got := nv.Values[int](arrays["fortran3"]); len(got) != 24 || got[5] != 5 || got[23] != 23 {
		t.Errorf("fortran3: %v", got)
	}
	if got := nv.Values[float64](arrays["f16"]); got[5] != 5 {
		t.Errorf("f16: %v", got)
	}
}

// TestNarrowNPZ checks that arrays of ml_dtypes are read as the dtype that is given, and that
// arrays without a dtype are skipped and logged, unless there are no others.
func TestNarrowNPZ(t *testing.T) {
	var notices strings.Builder
	c := nv.NewContext(nv.ContextOptions{Backend: "reference", Log: &notices})
	const path = "npy/testdata/narrow.npz"
	whole, signs := []float32{0, 1, -1, 0, 6, -7}, []float32{0, 1, -1, -2}
	for _, test := range []struct {
		name  string
		asked []nv.Option
		want  nv.DType
		is    []float32
	}{
		{"f32", nil, nv.F32, []float32{0, 1, -1, .5, 6, -7}},
		{"bf", nil, nv.BF16, []float32{0, 1, -1, .5, 6, -7}},
		{"e5m2", nil, nv.F8E5M2, []float32{0, 1, -1, .5, 6, -7}},
		{"f8", []nv.Option{nv.F8E4M3FN}, nv.F8E4M3FN, []float32{0, 1, -1, .5, 6, -7}},
		{"f8", []nv.Option{nv.U8}, nv.U8, []float32{0, 56, 184, 48, 76, 206}}, // the bits
		{"i4", []nv.Option{nv.I4}, nv.I4, whole},
		{"f4", []nv.Option{nv.F4E2M1FN}, nv.F4E2M1FN, []float32{0, 1, -1, .5, 6, -6}},
		{"u2", []nv.Option{nv.U2}, nv.U2, []float32{0, 1, 2, 3}},
		{"i2", []nv.Option{nv.I2}, nv.I2, signs},
	} {
		arrays, err := c.ReadNPZ(path, test.asked...)
		if err != nil {
			t.Fatal(err)
		}
		x := arrays[test.name]
		if x.DType() != test.want || !cmp.Equal(nv.Values[float32](x.AsType(nv.F32)), test.is) {
			t.Errorf("%s: %v, want %s %v", test.name, x, test.want, test.is)
		}
	}
	notices.Reset()
	if _, err := c.ReadNPZ(path); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		`ReadNPZ("` + path + `") skips array "words": npy: elements of NumPy type "<U6" have no dtype; in NumPy, save x.astype("float32") or another dtype of numbers`,
		`ReadNPZ("` + path + `") skips array "days": npy: elements of NumPy type "<M8[D]" have no dtype; in NumPy, save x.astype("float32") or another dtype of numbers`,
		`ReadNPZ("` + path + `") skips array "records": npy: records have no dtype; in NumPy, save their fields one by one`,
		`ReadNPZ("` + path + `") skips array "i4": npy: elements of NumPy type "<V1" have no dtype; ml_dtypes saves f8, f4, i4 and i2 like this; give the dtype, as in ReadNPY(path, nv.F8E4M3FN)`,
	} {
		if !strings.Contains("\n"+notices.String(), "\n"+line+"\n") {
			t.Errorf("%q is missing in %s", line, notices.String())
		}
	}
}

func TestFilesRoundTrip(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	dir := t.TempDir()
	m := c.New([][]float64{{1, 2}, {3, 4}})
	amb := c.Scalar(2.5)
	half := m.AsType(nv.BF16)

	if err := m.WriteNPY(dir + "/m.npy"); err != nil {
		t.Fatal(err)
	}
	back, err := c.ReadNPY(dir + "/m.npy")
	same(t, "npy", back, err, m)
	if err := c.WriteNPY(dir+"/m.npy", nv.Tensor{}); err == nil {
		t.Error("the zero Tensor is written")
	}
	back, err = c.ReadNPY(dir + "/m.npy")
	same(t, "npy after a failure", back, err, m)
	narrow := m.AsType(nv.F8E5M2)
	if err := narrow.WriteNPY(dir + "/m.npy"); err != nil {
		t.Fatal(err)
	}
	back, err = c.ReadNPY(dir+"/m.npy", nv.F8E5M2)
	same(t, "npy of f8e5m2", back, err, narrow)

	if err := c.WriteNPZ(dir+"/a.npz", map[string]nv.Tensor{"m": m, "x/amb": amb, "half": half}); err != nil {
		t.Fatal(err)
	}
	arrays, err := c.ReadNPZ(dir + "/a.npz")
	same(t, "npz", arrays["m"], err, m)
	same(t, "npz", arrays["half"], err, half)
	fromJAX, err := c.ReadNPY("npy/testdata/bf16.npy")
	same(t, "bf16 of JAX", fromJAX, err, half)
	if got := arrays["x/amb"]; got.Ambiguous() || got.Float() != 2.5 {
		t.Errorf("x/amb: %v", got)
	}

	if err := c.WriteSafetensors(dir+"/a.safetensors", map[string]nv.Tensor{"m": m, "amb": amb, "half": half, "narrow": m.AsType(nv.I4), "z": m.AsType(nv.C128)}); err != nil {
		t.Fatal(err)
	}
	tensors, err := c.ReadSafetensors(dir + "/a.safetensors")
	same(t, "safetensors", tensors["m"], err, m)
	same(t, "safetensors", tensors["half"], err, half)
	same(t, "safetensors", tensors["narrow"], err, m.AsType(nv.I4))
	same(t, "safetensors", tensors["z"], err, m.AsType(nv.C128))
	if !tensors["amb"].Ambiguous() || tensors["m"].Ambiguous() {
		t.Error("the flags have changed")
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 3 {
		t.Errorf("%d files are left in the folder", len(entries))
	}
}

func TestReadSafetensors(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	tensors, err := c.ReadSafetensors("safetensors/testdata/tensors.safetensors")
	same(t, "f32", tensors["f32"], err, c.New([][]float64{{0, .25, .5}, {.75, 1, 1.25}}))
	same(t, "scalar", tensors["scalar"], err, c.Scalar(7, nv.I32))
	if got := tensors["i64"].Int(); got != -1<<63 {
		t.Errorf("i64: %d", got)
	}
	_, err = c.ReadSafetensors("none.safetensors")
	var e *nv.Error
	if !errors.As(err, &e) || !errors.Is(err, os.ErrNotExist) || e.Error() != `ReadSafetensors("none.safetensors"): no such file or directory` {
		t.Errorf("no file: %v", err)
	}
}

// same fails the test unless err is nil and got equals want.
func same(t *testing.T, what string, got nv.Tensor, err error, want nv.Tensor) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if got.DType() != want.DType() || !got.Shape().Equal(want.Shape()) || !cmp.Equal(got.Values(), want.Values()) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
