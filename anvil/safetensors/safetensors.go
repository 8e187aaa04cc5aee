// Package safetensors reads and writes files of named tensors in the safetensors
// format: the length of a JSON header, the header, and the elements of all tensors,
// little-endian and row-major.
package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/memory"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Tensor is one tensor of a file.
type Tensor struct {
	shape.Type
	Ambiguous bool
	Data      []byte // little-endian, row-major; bools as bytes
}

// dtypeNames maps the format's names of dtypes to dtypes.
var dtypeNames = map[string]dtype.DType{
	"BOOL": dtype.I1, "U8": dtype.U8, "I8": dtype.I8, "U16": dtype.U16, "I16": dtype.I16,
	"U32": dtype.U32, "I32": dtype.I32, "U64": dtype.U64, "I64": dtype.I64,
	"F16": dtype.F16, "BF16": dtype.BF16, "F32": dtype.F32, "F64": dtype.F64, "C64": dtype.C64,
	"F8_E4M3": dtype.F8E4M3FN, "F8_E5M2": dtype.F8E5M2, "F8_E8M0": dtype.F8E8M0FNU,
}

// metadataKey is the key in the header under which a file has metadata, a map of texts. The other two are keys of the
// metadata, which other programs ignore. ambiguousKey has the names of the ambiguous tensors, one per line. dtypesKey
// has a line for each tensor whose dtype the format does not have: "i4 w" says that the tensor w, which is stored as
// I8 so that other programs can read it, has dtype i4.
const (
	metadataKey  = "__metadata__"
	ambiguousKey = "goanvil.ambiguous"
	dtypesKey    = "goanvil.dtypes"
)

// substitutes maps dtypes that the format does not have to the names of the dtypes in which they are
// stored. Integers are stored as wider integers, and complex128 as two F64 along an additional last
// axis. Dtypes that are neither here nor in dtypeNames are floats; their bits are stored as U8.
var substitutes = map[dtype.DType]string{
	dtype.I2: "I8", dtype.I4: "I8", dtype.U2: "U8", dtype.U4: "U8", dtype.C128: "F64",
}

// storedType returns the dtype, under the format's name, and the shape with which tensors of type t
// are stored. substitute says whether the format lacks the dtype of t.
func storedType(t shape.Type) (kind string, s []int, substitute bool) {
	s = append([]int{}, t.Shape...)
	for name, d := range dtypeNames {
		if d == t.DType {
			return name, s, false
		}
	}
	kind, ok := substitutes[t.DType]
	switch {
	case !ok:
		kind = "U8"
	case t.DType == dtype.C128:
		s = append(s, 2)
	}
	return kind, s, true
}

// originalType returns the type of a tensor of dtype d that is stored as e. The second result is
// false if tensors of dtype d are not stored in this way.
func (e entry) originalType(d dtype.DType) (shape.Type, bool) {
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
	kind, _, substitute := storedType(t)
	return t, substitute && kind == e.DType
}

// maxHeader is the greatest size of the header in bytes, as the format defines it.
const maxHeader = 100_000_000

// An entry describes a tensor in the header.
type entry struct {
	DType   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// Write writes the tensors in the order of their names.
func Write(w io.Writer, tensors map[string]Tensor) error {
	head := map[string]any{}
	var ambiguous, dtypes []string
	var start int64
	order := slices.Sorted(maps.Keys(tensors))
	for _, name := range order {
		t := tensors[name]
		if name == metadataKey || strings.Contains(name, "\n") || !utf8.ValidString(name) {
			return fmt.Errorf("safetensors: a tensor cannot have the name %q", name)
		}
		end := start + int64(len(t.Data))
		kind, axes, substitute := storedType(t.Type)
		if substitute {
			dtypes = append(dtypes, t.DType.String()+" "+name)
		}
		head[name] = entry{kind, axes, [2]int64{start, end}}
		start = end
		if t.Ambiguous {
			ambiguous = append(ambiguous, name)
		}
	}
	meta := map[string]string{}
	for key, lines := range map[string][]string{ambiguousKey: ambiguous, dtypesKey: dtypes} {
		if len(lines) > 0 {
			meta[key] = strings.Join(lines, "\n")
		}
	}
	if len(meta) > 0 {
		head[metadataKey] = meta
	}
	text, err := json.Marshal(head)
	if err != nil {
		return fmt.Errorf("safetensors: %w", err)
	}
	text = append(text, bytes.Repeat([]byte(" "), (8-len(text)%8)%8)...) // the elements begin at a multiple of 8
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	if _, err := w.Write(append(length, text...)); err != nil {
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
	_, err := io.ReadFull(r, start[:])
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, errors.New("safetensors: the file is too short")
	}
	if err != nil {
		return nil, fmt.Errorf("safetensors: %w", err)
	}
	n := binary.LittleEndian.Uint64(start[:])
	if n > maxHeader {
		return nil, errors.New("safetensors: not a safetensors file: the header would be too long")
	}
	text, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err != nil {
		return nil, fmt.Errorf("safetensors: %w", err)
	}
	if uint64(len(text)) < n {
		return nil, errors.New("safetensors: the file ends inside the header")
	}
	head, meta, err := parseHeader(text)
	if err != nil {
		return nil, err
	}
	data, err := memory.Read(r, memory.All)
	if err != nil {
		return nil, fmt.Errorf("safetensors: %w", err)
	}
	ambiguous, dtypes := strings.Split(meta[ambiguousKey], "\n"), parseDTypes(meta[dtypesKey])
	tensors := map[string]Tensor{}
	for name, e := range head {
		t, err := e.tensor(data)
		if err != nil {
			return nil, fmt.Errorf("safetensors: tensor %q: %w", name, err)
		}
		if original, ok := e.originalType(dtypes[name]); ok {
			t.Type = original
		}
		_, anyAmbiguous := meta[ambiguousKey]
		t.Ambiguous = anyAmbiguous && slices.Contains(ambiguous, name)
		tensors[name] = t
	}
	if err := checkOverlap(head); err != nil {
		return nil, err
	}
	return tensors, nil
}

// checkOverlap returns an error if two tensors share bytes, which the format forbids.
func checkOverlap(head map[string]entry) error {
	var order []string
	for name, e := range head {
		if e.Offsets[0] < e.Offsets[1] {
			order = append(order, name)
		}
	}
	slices.SortFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(head[a].Offsets[0], head[b].Offsets[0]), strings.Compare(a, b))
	})
	for i := 1; i < len(order); i++ {
		if a, b := order[i-1], order[i]; head[b].Offsets[0] < head[a].Offsets[1] {
			return fmt.Errorf("safetensors: tensors %q and %q overlap", a, b)
		}
	}
	return nil
}

// parseDTypes parses the lines of dtypesKey. It returns a map from the names of tensors to their dtypes.
func parseDTypes(lines string) map[string]dtype.DType {
	dtypes := map[string]dtype.DType{}
	for line := range strings.Lines(lines) {
		text, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if d, err := dtype.Parse(text); err == nil {
			dtypes[name] = d
		}
	}
	return dtypes
}

// parseHeader returns the entries of the tensors in the header, by their names, and the file's metadata.
func parseHeader(text []byte) (head map[string]entry, meta map[string]string, err error) {
	if !utf8.Valid(text) { // package json would replace the invalid bytes, and names that differ could become equal
		return nil, nil, errors.New("safetensors: the header is not valid UTF-8")
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, nil, fmt.Errorf("safetensors: the header is not a JSON object: %w", err)
	}
	if text, ok := raw[metadataKey]; ok {
		if err := json.Unmarshal(text, &meta); err != nil {
			return nil, nil, fmt.Errorf("safetensors: invalid metadata: %w", err)
		}
		delete(raw, metadataKey)
	}
	head = map[string]entry{}
	for name, text := range raw {
		var e entry
		if err := json.Unmarshal(text, &e); err != nil {
			return nil, nil, fmt.Errorf("safetensors: tensor %q: %w", name, err)
		}
		head[name] = e
	}
	return head, meta, nil
}

// tensor returns the tensor that e describes. data has the elements of all tensors of the file.
func (e entry) tensor(data []byte) (t Tensor, err error) {
	d, ok := dtypeNames[e.DType]
	if !ok {
		return t, fmt.Errorf("unknown dtype %q", e.DType)
	}
	size := int64(d.Size())
	for _, n := range e.Shape {
		if n < 0 || n > 0 && size > math.MaxInt64/int64(n) {
			return t, fmt.Errorf("invalid shape %v", e.Shape)
		}
		size *= int64(n)
	}
	from, to := e.Offsets[0], e.Offsets[1]
	if from < 0 || to < from || to > int64(len(data)) || to-from != size {
		return t, fmt.Errorf("%s has %d bytes, but its offsets are %d to %d in %d bytes of data",
			shape.Type{DType: d, Shape: e.Shape}, size, from, to, len(data))
	}
	return Tensor{Type: shape.Type{DType: d, Shape: e.Shape}, Data: data[from:to:to]}, nil
}
