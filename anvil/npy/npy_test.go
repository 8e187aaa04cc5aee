package npy_test

import (
	"bytes"
	"strings"
	"testing"

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
		got, read, err := npy.Read(&b, unnamed(ty.DType))
		if err != nil || !got.Equal(ty) || !bytes.Equal(read, data) {
			t.Errorf("%s: %s, %v", ty, got, err)
		}
	})
}

// unnamed returns d if NumPy has no type code for it, and Invalid otherwise.
func unnamed(d dtype.DType) dtype.DType {
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
}

func TestErrors(t *testing.T) {
	tests := []struct{ name, header, want string }{
		{"records", "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (), }", "npy: records have no dtype; in NumPy, save their fields one by one"},
		{"objects", "{'descr': '|O', 'fortran_order': False, 'shape': (), }", `npy: elements of NumPy type "|O" have no dtype; in NumPy, save x.astype("float32") or another number`},
		{"nameless", "{'descr': '|V1', 'fortran_order': False, 'shape': (), }", `npy: elements of NumPy type "|V1" have no dtype; ml_dtypes saves f8, f4, i4 and i2 like this; give the dtype, as in ReadNPY(path, nv.F8E4M3FN)`},
		{"long code", "{'descr': '<<f4', 'fortran_order': False, 'shape': (), }", `npy: invalid type code "<<f4"`},
		{"short", "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", "npy: f32{3} has 12 bytes, but the file has 0: unexpected EOF"},
		{"huge", "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", "npy: f32{4611686018427387904,4} is too large"},
		{"many axes", "{'descr': '<f4', 'fortran_order': False, 'shape': (" + strings.Repeat("1,", 256) + "), }", "npy: the shape has more than 255 axes"},
		{"negative", "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }", `npy: invalid shape at "-3,), }"`},
		{"twice", "{'descr': '<f4', 'descr': '<f4'}", `npy: invalid key "descr" in the header`},
		{"list", "[]", "npy: the header is not a dictionary"},
	}
	for _, test := range tests {
		file := append([]byte("\x93NUMPY\x01\x00"), byte(len(test.header)), byte(len(test.header)>>8))
		_, _, err := npy.Read(bytes.NewReader(append(file, test.header...)), dtype.Invalid)
		if err == nil || cmp.Diff(test.want, err.Error()) != "" {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
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
