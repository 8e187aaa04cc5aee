package ipc

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/table"
)

func sample() *table.Table {
	return &table.Table{Rows: 3, Columns: []table.Column{
		{Name: "b", Kind: table.Bools, Bools: []bool{true, false, true}, DType: dtype.I1},
		{Name: "i", Kind: table.Ints, Ints: []int64{1, -2, 3}, DType: dtype.I16},
		{Name: "u", Kind: table.Ints, Ints: []int64{1, -1, 3}, DType: dtype.U64},
		{Name: "f", Kind: table.Floats, Floats: []float64{1.5, math.NaN(), -3}, Missing: 1, DType: dtype.F64},
		{Name: "t", Kind: table.Texts, Texts: []string{"a", "", "c"}, Missing: 1},
		{Name: "m", Kind: table.Floats, Floats: []float64{1, 2, 3, 4, 5, 6}, DType: dtype.F32, Shape: []int{2}},
	}}
}

// A table is read as it was written, as a file and as a stream.
func TestRoundTrip(t *testing.T) {
	for _, stream := range []bool{false, true} {
		var b bytes.Buffer
		if err := Write(&b, sample(), stream); err != nil {
			t.Fatal(err)
		}
		got, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		nan := cmp.Comparer(func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) })
		if d := cmp.Diff(sample(), got, nan); d != "" {
			t.Errorf("stream %v: %s", stream, d)
		}
	}
}

// Every prefix of a file, and a file with a byte changed, is an error or a table, not a
// panic or a huge allocation.
func TestDamaged(t *testing.T) {
	for _, stream := range []bool{false, true} {
		var b bytes.Buffer
		if err := Write(&b, sample(), stream); err != nil {
			t.Fatal(err)
		}
		whole := b.Bytes()
		for n := range whole {
			if _, err := Read(bytes.NewReader(whole[:n]), int64(n)); err == nil && !stream {
				t.Errorf("the first %d of %d bytes of a file are a table", n, len(whole))
			}
			changed := bytes.Clone(whole)
			changed[n] ^= 0xff
			_, _ = Read(bytes.NewReader(changed), int64(len(changed)))
		}
	}
}

// A file of another format is an error that says which it is.
func TestOtherFormats(t *testing.T) {
	for data, want := range map[string]string{
		"PAR1....PAR1": "Parquet", "FEA1....FEA1": "Feather version 1", "name,age\nx,3\n": "not an Arrow file", "": "not an Arrow file",
	} {
		if _, err := Read(strings.NewReader(data), int64(len(data))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", data, err)
		}
	}
}

// A column of nulls takes no bytes in a file, so that its rows are bounded.
func TestRowsOfNulls(t *testing.T) {
	for _, c := range []struct {
		rows int
		ok   bool
	}{{0, true}, {1 << 20, true}, {1<<24 + 1, false}} {
		var b bytes.Buffer
		schema := arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.Null, Nullable: true}}, nil)
		out, err := writer(&b, schema, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := out.Write(array.NewRecordBatch(schema, []arrow.Array{array.NewNull(c.rows)}, int64(c.rows))); err != nil {
			t.Fatal(err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
		switch {
		case c.ok && (err != nil || got.Rows != c.rows || got.Columns[0].Missing != c.rows):
			t.Errorf("%d rows: %v, %v", c.rows, got, err)
		case !c.ok && (err == nil || err.Error() != fmt.Sprintf("too many rows of nulls: %d", c.rows)):
			t.Errorf("%d rows: %v", c.rows, err)
		}
	}
}

// A row of lists is missing where the list is null, whatever is below it, and a value where
// it is null itself.
func TestNullsOfLists(t *testing.T) {
	b := array.NewFixedSizeListBuilder(memory.DefaultAllocator, 2, arrow.PrimitiveTypes.Float64)
	values := b.ValueBuilder().(*array.Float64Builder)
	b.Append(true)
	values.AppendValues([]float64{1, 2}, nil)
	b.Append(false)
	values.AppendValues([]float64{3, 4}, nil)
	b.Append(true)
	values.AppendValues([]float64{5, 6}, []bool{true, false})
	list := b.NewArray()
	var w bytes.Buffer
	schema := arrow.NewSchema([]arrow.Field{{Name: "l", Type: list.DataType(), Nullable: true}}, nil)
	out, err := writer(&w, schema, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(out.Write(array.NewRecordBatch(schema, []arrow.Array{list}, 3)), out.Close()); err != nil {
		t.Fatal(err)
	}
	got, err := Read(bytes.NewReader(w.Bytes()), int64(w.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if s := fmt.Sprint(got.Columns[0].Floats, got.Columns[0].Shape); s != "[1 2 NaN NaN 5 NaN] [2]" {
		t.Error(s)
	}
}
