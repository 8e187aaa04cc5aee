package safetensors_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/safetensors"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/google/go-cmp/cmp"
)

func TestRoundTrip(t *testing.T) {
	tensors := map[string]safetensors.Tensor{
		"w": {Type: shape.Of(dtype.F32, 2, 1), Ambiguous: true, Data: []byte("abcdefgh")},
		"b": {Type: shape.Of(dtype.BF16), Data: []byte("xy")},
		"e": {Type: shape.Of(dtype.I64, 0, 3)},
	}
	for _, d := range dtype.All() { // including those that the format does not have
		t := shape.Of(d, 2, 3)
		tensors["of "+d.String()] = safetensors.Tensor{Type: t, Data: bytes.Repeat([]byte{1}, t.Bytes())}
	}
	var b bytes.Buffer
	if err := safetensors.Write(&b, tensors); err != nil {
		t.Fatal(err)
	}
	got, err := safetensors.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range tensors {
		g := got[name]
		if !g.Type.Equal(want.Type) || g.Ambiguous != want.Ambiguous || !bytes.Equal(g.Data, want.Data) {
			t.Errorf("%s: %+v, want %+v", name, g, want)
		}
	}
	if len(got) != len(tensors) {
		t.Errorf("%d tensors", len(got))
	}
}

// TestUnnamedIsKnown checks that a tensor without a name is not ambiguous in a file that lists no ambiguous tensors.
func TestUnnamedIsKnown(t *testing.T) {
	var b bytes.Buffer
	if err := safetensors.Write(&b, map[string]safetensors.Tensor{"": {Type: shape.Of(dtype.F32), Data: []byte("abcd")}}); err != nil {
		t.Fatal(err)
	}
	if got, err := safetensors.Read(&b); err != nil || got[""].Ambiguous {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestStandIns checks that a dtype that the format does not have is stored as one that other
// programs can read.
func TestStandIns(t *testing.T) {
	var b bytes.Buffer
	err := safetensors.Write(&b, map[string]safetensors.Tensor{
		"c": {Type: shape.Of(dtype.C128, 1), Data: make([]byte, 16)},
		"w": {Type: shape.Of(dtype.I4, 2), Data: []byte{1, 255}},
	})
	want := `{"__metadata__":{"goanvil.dtypes":"c128 c\ni4 w"},"c":{"dtype":"F64","shape":[1,2],"data_offsets":[0,16]},"w":{"dtype":"I8","shape":[2],"data_offsets":[16,18]}}`
	if err != nil || !bytes.Contains(b.Bytes(), []byte(want)) {
		t.Errorf("%v, %s, want %s", err, b.Bytes(), want)
	}
	wrong := bytes.Replace(b.Bytes(), []byte("i4 w"), []byte("f4 w"), 1) // not the dtype of w
	if got, err := safetensors.Read(bytes.NewReader(wrong)); err != nil || got["w"].DType != dtype.I8 {
		t.Errorf("w is %s, %v", got["w"].Type, err)
	}
}

func TestErrors(t *testing.T) {
	tests := []struct{ header, want string }{
		{`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, `safetensors: tensor "x": f32{2} has 8 bytes, but its offsets are 0 to 4 in 8 bytes of data`},
		{`{"x":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}}`, `safetensors: tensor "x": f32{2} has 8 bytes, but its offsets are 8 to 16 in 8 bytes of data`},
		{`{"x":{"dtype":"I8","shape":[5],"data_offsets":[0,5]},"y":{"dtype":"I8","shape":[4],"data_offsets":[4,8]}}`, `safetensors: tensors "x" and "y" overlap`},
		{`{"x":{"dtype":"F31","shape":[2],"data_offsets":[0,8]}}`, `safetensors: tensor "x": unknown dtype "F31"`},
		{`{"x":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]}}`, `safetensors: tensor "x": f32{2} has 8 bytes, but its offsets are -8 to 0 in 8 bytes of data`},
		{`[]`, `safetensors: the header is not a JSON object: json: cannot unmarshal array into Go value of type map[string]json.RawMessage`},
		{`{"__metadata__":1}`, `safetensors: invalid metadata: json: cannot unmarshal number into Go value of type map[string]string`},
		{`{"x":1}`, `safetensors: tensor "x": json: cannot unmarshal number into Go value of type safetensors.entry`},
		{`{"x":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}`, `safetensors: tensor "x": invalid shape [-2]`},
	}
	for _, test := range tests {
		file := binary.LittleEndian.AppendUint64(nil, uint64(len(test.header)))
		file = append(append(file, test.header...), "12345678"...)
		_, err := safetensors.Read(bytes.NewReader(file))
		if err == nil || cmp.Diff(test.want, err.Error()) != "" {
			t.Errorf("%s: %v", test.header, err)
		}
	}
}

// TestNames checks the name that the format has for each dtype.
func TestNames(t *testing.T) {
	for d, name := range map[dtype.DType]string{
		dtype.I1: "BOOL", dtype.U8: "U8", dtype.I8: "I8", dtype.U16: "U16", dtype.I16: "I16", dtype.U32: "U32", dtype.I32: "I32",
		dtype.U64: "U64", dtype.I64: "I64", dtype.F16: "F16", dtype.BF16: "BF16", dtype.F32: "F32", dtype.F64: "F64",
		dtype.C64: "C64", dtype.F8E4M3FN: "F8_E4M3", dtype.F8E5M2: "F8_E5M2", dtype.F8E8M0FNU: "F8_E8M0",
	} {
		var b bytes.Buffer
		err := safetensors.Write(&b, map[string]safetensors.Tensor{"x": {Type: shape.Of(d, 1), Data: make([]byte, d.Size())}})
		want := fmt.Sprintf(`{"x":{"dtype":"%s","shape":[1],"data_offsets":[0,%d]}}`, name, d.Size())
		if err != nil || !bytes.HasPrefix(b.Bytes()[8:], []byte(want)) {
			t.Errorf("%s: %v, %s", d, err, b.Bytes()[8:])
		}
	}
}

// TestFiles checks the parts of a file around the header, and names that cannot be written.
func TestFiles(t *testing.T) {
	for file, want := range map[string]string{
		"":                                   "safetensors: the file is too short",
		"1234567":                            "safetensors: the file is too short",
		"\x01\xe1\xf5\x05\x00\x00\x00\x00":   "safetensors: not a safetensors file: the header would be too long",
		"\x00\xe1\xf5\x05\x00\x00\x00\x00":   "safetensors: the file ends inside the header",
		"\x03\x00\x00\x00\x00\x00\x00\x00{}": "safetensors: the file ends inside the header",

		"\x07\x00\x00\x00\x00\x00\x00\x00{\"\xff\":0}": "safetensors: the header is not valid UTF-8",
	} {
		if _, err := safetensors.Read(strings.NewReader(file)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", file, err, want)
		}
	}
	for _, start := range []string{"", "\x03\x00\x00\x00\x00\x00\x00\x00"} {
		r := io.MultiReader(strings.NewReader(start), iotest.ErrReader(io.ErrClosedPipe))
		if _, err := safetensors.Read(r); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%q: %v, want the error of the reader", start, err)
		}
	}
	for name, want := range map[string]string{
		"__metadata__": `safetensors: a tensor cannot have the name "__metadata__"`,
		"a\nb":         `safetensors: a tensor cannot have the name "a\nb"`,
		"\xff":         `safetensors: a tensor cannot have the name "\xff"`,
	} {
		if err := safetensors.Write(io.Discard, map[string]safetensors.Tensor{name: {}}); err == nil || err.Error() != want {
			t.Errorf("%q: %v", name, err)
		}
	}
	for n := range 3 {
		w := &failing{n}
		tensors := map[string]safetensors.Tensor{"x": {Type: shape.Of(dtype.I8)}, "y": {Type: shape.Of(dtype.I8)}}
		if err := safetensors.Write(w, tensors); err != io.ErrClosedPipe || w.left != -1 {
			t.Errorf("write %d: %v", n, err)
		}
	}
	wrong := `{"__metadata__":{"goanvil.dtypes":"c128 a\nc128 b\ni4 c"},"a":{"dtype":"F64","shape":[],"data_offsets":[0,8]},` +
		`"b":{"dtype":"F64","shape":[3],"data_offsets":[8,32]},"c":{"dtype":"I8","shape":[],"data_offsets":[32,33]}}`
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(wrong)))
	got, err := safetensors.Read(bytes.NewReader(append(append(file, wrong...), make([]byte, 33)...)))
	if err != nil || got["a"].Type.String() != "f64{}" || got["b"].Type.String() != "f64{3}" || got["c"].Type.String() != "i4{}" {
		t.Errorf("%v, %v", got, err)
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

// FuzzRead checks that Read returns tensors with all their elements or an error, for any bytes.
func FuzzRead(f *testing.F) {
	f.Add([]byte("\x3a\x00\x00\x00\x00\x00\x00\x00" + `{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}    abcd`))
	f.Fuzz(func(t *testing.T, file []byte) {
		tensors, err := safetensors.Read(bytes.NewReader(file))
		for name, x := range tensors {
			if err == nil && len(x.Data) != x.Bytes() {
				t.Errorf("%s: %s with %d bytes", name, x.Type, len(x.Data))
			}
		}
	})
}
