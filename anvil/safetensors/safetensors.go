// Package safetensors reads and writes files of named tensors in the format of
// that name: the length of a JSON header, the header, and the elements of all
// tensors, little-endian and row-major.
package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Tensor is one tensor of a file.
type Tensor struct {
	shape.Type
	Ambiguous bool
	Data      []byte // little-endian, row-major; bools as bytes
}

// names are the format's names of dtypes.
var names = map[string]dtype.DType{
	"BOOL": dtype.I1, "U8": dtype.U8, "I8": dtype.I8, "U16": dtype.U16, "I16": dtype.I16,
	"U32": dtype.U32, "I32": dtype.I32, "U64": dtype.U64, "I64": dtype.I64,
	"F16": dtype.F16, "BF16": dtype.BF16, "F32": dtype.F32, "F64": dtype.F64, "C64": dtype.C64,
	"F8_E4M3": dtype.F8E4M3FN, "F8_E5M2": dtype.F8E5M2, "F8_E8M0": dtype.F8E8M0FNU,
}

// The file's metadata name the ambiguous tensors, with a line end between them,
// and in lines such as "i4 w" the dtypes that the format has no name for: the
// elements of w stand as I8, which other programs read. These skip both.
const (
	metadataKey  = "__metadata__"
	ambiguousKey = "goanvil.ambiguous"
	dtypesKey    = "goanvil.dtypes"
)

// standIns are what dtypes stand as that the format has no name for: integers as
// wider ones, floats as the bytes that their bits are, and complex128 as two F64
// along one more axis.
var standIns = map[dtype.DType]string{
	dtype.I2: "I8", dtype.I4: "I8", dtype.U2: "U8", dtype.U4: "U8", dtype.C128: "F64",
}

// stored returns the format's name and shape for a type, and whether another
// dtype stands in for it.
func stored(t shape.Type) (kind string, s []int, standIn bool) {
	s = append([]int{}, t.Shape...)
	for name, of := range names {
		if of == t.DType {
			return name, s, false
		}
	}
	kind, ok := standIns[t.DType]
	switch {
	case !ok:
		kind = "U8"
	case t.DType == dtype.C128:
		s = append(s, 2)
	}
	return kind, s, true
}

// restored returns the type of a tensor of dtype d that stands as e says.
func (e entry) restored(d dtype.DType) (shape.Type, bool) {
	t := shape.Type{DType: d, Shape: e.Shape}
	if d == dtype.Invalid {
		return t, false
	}
	if d == dtype.C128 {
		if len(e.Shape) == 0 || e.Shape[len(e.Shape)-1] != 2 {
			return t, false
		}
		t.Shape = e.Shape[:len(e.Shape)-1]
	}
	kind, _, standIn := stored(t)
	return t, standIn && kind == e.DType
}

// maxHeader is the format's own bound.
const maxHeader = 100_000_000

type entry struct {
	DType   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// Write writes the tensors in the order of their names.
func Write(w io.Writer, tensors map[string]Tensor) error {
	head := map[string]any{}
	var ambiguous, dtypes []string
	var at int64
	order := slices.Sorted(maps.Keys(tensors))
	for _, name := range order {
		t := tensors[name]
		if name == metadataKey || strings.Contains(name, "\n") {
			return fmt.Errorf("safetensors: %q is no name for a tensor", name)
		}
		end := at + int64(len(t.Data))
		kind, axes, standIn := stored(t.Type)
		if standIn {
			dtypes = append(dtypes, t.DType.String()+" "+name)
		}
		head[name] = entry{kind, axes, [2]int64{at, end}}
		at = end
		if t.Ambiguous {
			ambiguous = append(ambiguous, name)
		}
	}
	meta := map[string]string{}
	for key, lines := range map[string][]string{ambiguousKey: ambiguous, dtypesKey: dtypes} {
		if len(lines) > 0 {
			meta[key], head[metadataKey] = strings.Join(lines, "\n"), meta
		}
	}
	text, err := json.Marshal(head)
	if err != nil {
		return fmt.Errorf("safetensors: %w", err)
	}
	text = append(text, bytes.Repeat([]byte(" "), (8-len(text)%8)%8)...) // the elements begin at a multiple of 8
	start := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	if _, err := w.Write(append(start, text...)); err != nil {
		return err
	}
	for _, name := range order {
		if _, err := w.Write(tensors[name].Data); err != nil {
			return err
		}
	}
	return nil
}

// Read reads all tensors of a file.
func Read(r io.Reader) (map[string]Tensor, error) {
	var start [8]byte
	if _, err := io.ReadFull(r, start[:]); err != nil {
		return nil, errors.New("safetensors: the file is too short")
	}
	n := binary.LittleEndian.Uint64(start[:])
	if n > maxHeader {
		return nil, errors.New("safetensors: this is no safetensors file: its header would be too long")
	}
	text, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err != nil || uint64(len(text)) < n {
		return nil, errors.New("safetensors: the header is cut off")
	}
	head, meta, err := parse(text)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("safetensors: %w", err)
	}
	ambiguous, dtypes := strings.Split(meta[ambiguousKey], "\n"), dtypesOf(meta[dtypesKey])
	tensors := map[string]Tensor{}
	for name, e := range head {
		t, err := e.tensor(data)
		if err != nil {
			return nil, fmt.Errorf("safetensors: tensor %q: %w", name, err)
		}
		if own, ok := e.restored(dtypes[name]); ok {
			t.Type = own
		}
		t.Ambiguous = slices.Contains(ambiguous, name)
		tensors[name] = t
	}
	return tensors, nil
}

// dtypesOf returns the dtypes that metadata tell, by the names of tensors.
func dtypesOf(lines string) map[string]dtype.DType {
	dtypes := map[string]dtype.DType{}
	for line := range strings.Lines(lines) {
		text, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if d, err := dtype.Parse(text); err == nil {
			dtypes[name] = d
		}
	}
	return dtypes
}

// parse returns the header's tensors, and the file's metadata.
func parse(text []byte) (head map[string]entry, meta map[string]string, err error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, nil, fmt.Errorf("safetensors: the header is no JSON object: %w", err)
	}
	if own, ok := raw[metadataKey]; ok {
		if err := json.Unmarshal(own, &meta); err != nil {
			return nil, nil, fmt.Errorf("safetensors: the metadata are wrong: %w", err)
		}
		delete(raw, metadataKey)
	}
	head = map[string]entry{}
	for name, one := range raw {
		var e entry
		if err := json.Unmarshal(one, &e); err != nil {
			return nil, nil, fmt.Errorf("safetensors: tensor %q: %w", name, err)
		}
		head[name] = e
	}
	return head, meta, nil
}

func (e entry) tensor(data []byte) (t Tensor, err error) {
	d, ok := names[e.DType]
	if !ok {
		return t, fmt.Errorf("the dtype %q is unknown", e.DType)
	}
	size := int64(d.Size())
	for _, n := range e.Shape {
		if n < 0 || n > 0 && size > math.MaxInt64/int64(n) {
			return t, fmt.Errorf("the shape %v is wrong", e.Shape)
		}
		size *= int64(n)
	}
	from, to := e.Offsets[0], e.Offsets[1]
	if from < 0 || to < from || to > int64(len(data)) || to-from != size {
		return t, fmt.Errorf("%s%v has %d bytes, and its place is %d to %d of %d", d, e.Shape, size, from, to, len(data))
	}
	return Tensor{Type: shape.Type{DType: d, Shape: e.Shape}, Data: data[from:to:to]}, nil
}
