package npy_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/npy"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestRoundTrip checks that arrays of every dtype are the same after writing and reading.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ty := shape.Type{DType: rapid.SampledFrom(dtype.All()).Draw(t, "dtype")}
		ty.Shape = rapid.SliceOfN(rapid.IntRange(0, 4), 0, 4).Draw(t, "shape")
		data := rapid.SliceOfN(rapid.Byte(), ty.Bytes(), ty.Bytes()).Draw(t, "data")
		var b bytes.Buffer
		if bits := ty.DType.Bits(); bits < 8 && bits > 1 { // in host form elements are sign-extended
			for i := range data {
				dtype.PutInt(data[i:], ty.DType, int64(data[i]))
			}
		}
		if err := npy.Write(&b, ty, data); err != nil {
			t.Fatal(err)
		}
		if at := b.Len() - len(data); at%64 != 0 {
			t.Errorf("the elements begin at %d", at)
		}
		got, read, err := npy.Read(&b, opaque(ty.DType))
		if err != nil || !got.Equal(ty) || !bytes.Equal(read, data) {
			t.Errorf("%s: %s, %v", ty, got, err)
		}
	})
}

// opaque returns d if NumPy has no type code for it, and Invalid otherwise.
func opaque(d dtype.DType) dtype.DType {
	if d.Bits() < 8 && d != dtype.I1 || d.Is(dtype.Floating) && d.Bits() == 8 {
		return d
	}
	return dtype.Invalid
}

// TestFortranOrder reads an array whose first axis varies fastest, as np.save writes the result
// of np.asfortranarray.
func TestFortranOrder(t *testing.T) {
	header := "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }"
	file := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0)
	file = append(append(file, header...), 0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 1, 6)
	ty, data, err := npy.Read(bytes.NewReader(file), dtype.Invalid)
	if want := []byte{1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 1}; err != nil || ty.String() != "i16{2,3}" || !bytes.Equal(data, want) {
		t.Errorf("%s %v, %v, want %v", ty, data, err, want)
	}
	header = "{'descr': '<f4', 'fortran_order': True, 'shape': (1099511627776, 0), }" // long, but without elements
	file = append(append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0), header...)
	if ty, data, err := npy.Read(bytes.NewReader(file), dtype.Invalid); err != nil || len(data) != 0 {
		t.Errorf("%s %v, %v, want no elements", ty, data, err)
	}
}

func TestErrors(t *testing.T) {
	tests := []struct{ name, header, want string }{
		{"records", "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (), }", "npy: records have no dtype; in NumPy, save their fields one by one"},
		{"objects", "{'descr': '|O', 'fortran_order': False, 'shape': (), }", `npy: elements of NumPy type "|O" have no dtype; in NumPy, save x.astype("float32") or another dtype of numbers`},
		{"nameless", "{'descr': '|V1', 'fortran_order': False, 'shape': (), }", `npy: elements of NumPy type "|V1" have no dtype; ml_dtypes saves f8, f4, i4 and i2 like this; give the dtype, as in ReadNPY(path, nv.F8E4M3FN)`},
		{"long code", "{'descr': '<<f4', 'fortran_order': False, 'shape': (), }", `npy: invalid type code "<<f4"`},
		{"short", "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", "npy: f32{3} has 12 bytes, but the file has 0: unexpected EOF"},
		{"huge", "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", "npy: f32{4611686018427387904,4} is too large"},
		{"many axes", "{'descr': '<f4', 'fortran_order': False, 'shape': (" + strings.Repeat("1,", 256) + "), }", "npy: the shape has more than 255 axes"},
		{"negative", "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }", `npy: invalid shape at "-3,), }"`},
		{"twice", "{'descr': '<f4', 'descr': '<f4'}", `npy: invalid key "descr" in the header`},
		{"list", "[]", "npy: the header is not a dictionary"},
		{"no tuple", "{'shape': [3], }", "npy: the shape is not a tuple"},
		{"long axis", "{'shape': (99999999999999999999,), }", `npy: the shape has an axis of length 99999999999999999999, which is too large`},
		{"two numbers", "{'shape': (1 2), }", `npy: invalid shape at "2), }"`},
		{"open tuple", "{'shape': (1", `npy: invalid shape at "1"`},
		{"no order", "{'fortran_order': 0, }", "npy: fortran_order is neither True nor False"},
		{"another key", "{'order': 'C', }", `npy: unknown key "order" in the header`},
		{"no colon", "{'descr' '<f4'}", `npy: invalid key "descr" in the header`},
		{"no key", "{1: 2}", `npy: expected a string in the header at "1: 2}"`},
		{"open string", "{'descr': '<f4", `npy: expected a string in the header at "'<f4"`},
		{"two keys", "{'descr': '<f4', 'shape': (1,)}", `npy: invalid header "{'descr': '<f4', 'shape': (1,)}"`},
		{"more text", "{'descr': '<f4', 'fortran_order': False, 'shape': ()} 1", `npy: invalid header "{'descr': '<f4', 'fortran_order': False, 'shape': ()} 1"`},
	}
	for _, test := range tests {
		file := append([]byte("\x93NUMPY\x01\x00"), byte(len(test.header)), byte(len(test.header)>>8))
		_, _, err := npy.Read(bytes.NewReader(append(file, test.header...)), dtype.Invalid)
		if err == nil || cmp.Diff(test.want, err.Error()) != "" {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

// TestCodes checks the type code that each dtype is written with, and that it is read in both byte orders.
func TestCodes(t *testing.T) {
	tests := []struct {
		dtype dtype.DType
		descr string
	}{
		{dtype.I1, "|b1"}, {dtype.I8, "|i1"}, {dtype.I16, "<i2"}, {dtype.I32, "<i4"}, {dtype.I64, "<i8"},
		{dtype.U8, "|u1"}, {dtype.U16, "<u2"}, {dtype.U32, "<u4"}, {dtype.U64, "<u8"},
		{dtype.F16, "<f2"}, {dtype.F32, "<f4"}, {dtype.F64, "<f8"}, {dtype.C64, "<c8"}, {dtype.C128, "<c16"},
		{dtype.BF16, "<V2"}, {dtype.F8E5M2, "|V1"}, {dtype.I4, "|V1"},
	}
	for _, test := range tests {
		data := make([]byte, test.dtype.Size())
		data[0] = 1
		var b bytes.Buffer
		if err := npy.Write(&b, shape.Type{DType: test.dtype}, data); err != nil {
			t.Fatal(err)
		}
		file := b.String()
		header := "\x93NUMPY\x01\x00v\x00{'descr': '" + test.descr + "', 'fortran_order': False, 'shape': (), }"
		if !strings.HasPrefix(file, header) || file[127] != '\n' || len(file) != 128+len(data) {
			t.Errorf("%s is written as %q", test.dtype, file)
		}
		swapped := slices.Clone(data)
		if width := len(data); test.dtype.Is(dtype.Complex) {
			swapped[0], swapped[width/2-1] = 0, 1
		} else {
			swapped[0] = 0
			swapped[width-1] = 1
		}
		file = strings.Replace(file[:128], "'<", "'>", 1) + string(swapped)
		ty, read, err := npy.Read(strings.NewReader(file), opaque(test.dtype))
		if err != nil || ty.DType != test.dtype || !bytes.Equal(read, data) {
			t.Errorf("%s, big-endian: %s %v, %v", test.dtype, ty, read, err)
		}
	}
	header := "{'descr': '|f1', 'fortran_order': False, 'shape': (1,), }"
	file := "\x93NUMPY\x01\x00" + string(rune(len(header))) + "\x00" + header + "a"
	if ty, _, err := npy.Read(strings.NewReader(file), dtype.Invalid); err != nil || ty.DType != dtype.F8E5M2 {
		t.Error("f1:", ty, err)
	}
	// NumPy has a code for f16, so opaque elements are not f16, even if the caller expects that.
	file = strings.Replace(file, "|f1", "<V2", 1) + "b"
	if ty, _, err := npy.Read(strings.NewReader(file), dtype.F16); err != nil || ty.DType != dtype.BF16 {
		t.Error("V2 as f16:", ty, err)
	}
}

// TestParts checks that elements of less than a byte are written without the sign that fills their byte in memory.
func TestParts(t *testing.T) {
	for d, want := range map[dtype.DType]byte{dtype.I2: 3, dtype.I4: 15, dtype.U4: 15, dtype.I8: 255, dtype.I1: 255} {
		var b bytes.Buffer
		if err := npy.Write(&b, shape.Type{DType: d}, []byte{255}); err != nil || b.Bytes()[128] != want {
			t.Errorf("%s is written as %d, %v", d, b.Bytes()[128], err)
		}
	}
}

// TestVersions checks the part of a file before the header.
func TestVersions(t *testing.T) {
	header := "{'descr': '<f4', 'fortran_order': False, 'shape': ( 1L , 2 ), }"
	long := string(rune(len(header))) + "\x00\x00\x00" + header + "abcdefgh"
	for start, want := range map[string]string{
		"\x93NUMPY\x01\x00" + long[:2] + long[4:]: "",
		"\x93NUMPY\x02\x00" + long:                "",
		"\x93NUMPY\x03\x00" + long:                "",
		"\x93NUMPY\x00\x00" + long:                "npy: unsupported version 0.0",
		"\x93NUMPY\x04\x01" + long:                "npy: unsupported version 4.1",
		"\x93NUMPX\x01\x00" + long:                "npy: not a .npy file",
		"\x93NUMP":                                "npy: not a .npy file",
		"\x93NUMPY\x02\x00\x01\x00\x01\x00":       "npy: header of 65537 bytes, want at most 65536",
		"\x93NUMPY\x02\x00\x00\x00\x01\x00":       "npy: EOF",
		"\x93NUMPY\x01\x00\x01":                   "npy: unexpected EOF",
	} {
		ty, data, err := npy.Read(strings.NewReader(start), dtype.Invalid)
		switch {
		case want == "" && (err != nil || ty.String() != "f32{1,2}" || string(data) != "abcdefgh"):
			t.Errorf("%q: %s %q, %v", start, ty, data, err)
		case want != "" && (err == nil || err.Error() != want):
			t.Errorf("%q: %v, want %s", start, err, want)
		}
	}
	if err := npy.Write(io.Discard, shape.Type{Shape: make(shape.Shape, 1<<15), DType: dtype.F32}, nil); err == nil || err.Error() != "npy: too many axes: 32768" {
		t.Error("many axes:", err)
	}
	if _, _, err := npy.Read(iotest.ErrReader(io.ErrClosedPipe), dtype.Invalid); !errors.Is(err, io.ErrClosedPipe) {
		t.Error("a reader that fails:", err)
	}
	for n := range 3 {
		w := &failing{n}
		if err := npy.Write(w, shape.Type{DType: dtype.I8}, []byte{1}); err != io.ErrClosedPipe || w.left != -1 {
			t.Errorf("write %d: %v", n, err)
		}
	}
}

// failing is a writer that fails after some writes.
type failing struct{ left int }

func (f *failing) Write(b []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(b), nil
}

// FuzzRead checks that Read returns an array with all its elements or an error, for any bytes.
func FuzzRead(f *testing.F) {
	f.Add([]byte("\x93NUMPY\x01\x00\x36\x00{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }abcd"))
	f.Fuzz(func(t *testing.T, file []byte) {
		ty, data, err := npy.Read(bytes.NewReader(file), dtype.Invalid)
		if err == nil && len(data) != ty.Bytes() {
			t.Errorf("%s with %d bytes", ty, len(data))
		}
	})
}
