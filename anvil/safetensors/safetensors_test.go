package safetensors_test

import (
	"bytes"
	"encoding/binary"
	"testing"

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
		{`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, `safetensors: tensor "x": f32[2] has 8 bytes, but its offsets are 0 to 4 of 8`},
		{`{"x":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}}`, `safetensors: tensor "x": f32[2] has 8 bytes, but its offsets are 8 to 16 of 8`},
		{`{"x":{"dtype":"I8","shape":[5],"data_offsets":[0,5]},"y":{"dtype":"I8","shape":[4],"data_offsets":[4,8]}}`, `safetensors: tensors "x" and "y" overlap`},
		{`{"x":{"dtype":"F31","shape":[2],"data_offsets":[0,8]}}`, `safetensors: tensor "x": unknown dtype "F31"`},
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
