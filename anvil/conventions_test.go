package anvil_test

import (
	"encoding/json"
	"os"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// A conventionRow is a row of testdata/conventions.json, which testdata/conventions.py describes.
type conventionRow struct {
	Name, Category, Go, DType string
	Order                     int
	Operands                  []conventionOperand
	Answers                   map[string]json.RawMessage
}

// A conventionOperand is the elements of an operand, nested as its axes are; a complex operand's last axis is parts.
type conventionOperand struct {
	shape  nv.Shape
	values []float64
}

// UnmarshalJSON reads nested lists of numbers, and the strings "NaN", "Infinity" and "-Infinity".
func (o *conventionOperand) UnmarshalJSON(data []byte) error {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	for at := v; ; {
		list, ok := at.([]any)
		if !ok {
			break
		}
		o.shape = append(o.shape, len(list))
		at = list[0]
	}
	o.add(v)
	return nil
}

func (o *conventionOperand) add(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			o.add(e)
		}
	default:
		o.values = append(o.values, callFloat(v))
	}
}

// tensor returns o as a tensor of dtype d.
func (o conventionOperand) tensor(d dtype.DType) nv.Tensor {
	x := nv.Reshape(nv.From(o.values), o.shape)
	if d == dtype.C128 {
		return nv.Complex(x.At(nv.Ellipsis, 0), x.At(nv.Ellipsis, 1))
	}
	return nv.AsType(x, d)
}

// TestConventions checks that each row of the conventions table is an expression that can be computed of its operands,
// and that it has an answer of JAX, PyTorch or TensorFlow.
func TestConventions(t *testing.T) {
	data, err := os.ReadFile("testdata/conventions.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Versions map[string]string
		Rows     []conventionRow
	}
	read(t, data, &table)
	if len(table.Rows) != len(conventionCases) {
		t.Errorf("%d rows, want %d", len(table.Rows), len(conventionCases))
	}
	for _, row := range table.Rows {
		if len(row.Answers) == 0 {
			t.Errorf("%s: no answer", row.Name)
		}
		f, ok := conventionCases[row.Name]
		if !ok {
			t.Errorf("conventionCases lacks %q", row.Name)
			continue
		}
		d, err := dtype.Parse(row.DType)
		if err != nil {
			t.Fatal(err)
		}
		in := make([]nv.Tensor, len(row.Operands))
		for i, o := range row.Operands {
			in[i] = o.tensor(d)
		}
		if err := nv.Try(func() { f(in).Values() }); err != nil {
			t.Errorf("%s: %s: %v", row.Name, row.Go, err)
		}
	}
}
