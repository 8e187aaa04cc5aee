package ipc

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/table"
)

var update = flag.Bool("update", false, "write testdata/want.txt")

// readFile reads a file of testdata.
func readFile(t *testing.T, name string) (*table.Table, error) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return Read(bytes.NewReader(data), int64(len(data)))
}

// describe returns the columns of a table, a line each, with at most ten values.
func describe(t *table.Table) string {
	var b strings.Builder
	for _, c := range t.Columns {
		fmt.Fprintf(&b, "%s: %v", c.Name, c.Kind)
		if c.DType.Valid() {
			fmt.Fprintf(&b, " %v", c.DType)
		}
		if c.Shape != nil {
			fmt.Fprintf(&b, " in rows of %v", c.Shape)
		}
		if c.Origin != "" {
			fmt.Fprintf(&b, " of %s", c.Origin)
		}
		fmt.Fprintf(&b, ", %d missing:", c.Missing)
		for i := range min(t.Rows, 10) {
			fmt.Fprintf(&b, " | %s", c.Text(i))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestTypes compares files of pyarrow and Polars with testdata/want.txt. testdata/generate.py
// has written the files with the same values.
func TestTypes(t *testing.T) {
	files, err := filepath.Glob("testdata/*.arrow*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var got strings.Builder
	for _, path := range files {
		name := filepath.Base(path)
		table, err := readFile(t, name)
		if err != nil {
			fmt.Fprintf(&got, "== %s: %v\n", name, err)
			continue
		}
		fmt.Fprintf(&got, "== %s: %d rows\n%s", name, table.Rows, describe(table))
	}
	if *update {
		if err := os.WriteFile("testdata/want.txt", []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/want.txt")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); d != "" {
		t.Error(d)
	}
}

// TestSameValues checks that files and streams of one table have the same values: in one batch
// or several, compressed or not, and of different versions of the format.
func TestSameValues(t *testing.T) {
	want, err := readFile(t, "types.arrow")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"types.arrows", "version4.arrow", "legacy.arrows"} {
		got, err := readFile(t, name)
		if err != nil {
			t.Fatal(name, err)
		}
		if d := cmp.Diff(describe(want), describe(got)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	for _, name := range []string{"lz4.arrow", "zstd.arrows"} { // rows 0, 1, 2, 0, 1, 2
		got, err := readFile(t, name)
		if err != nil {
			t.Fatal(name, err)
		}
		for k, w := range want.Columns {
			w, g := w.Take([]int{0, 1, 2, 0, 1, 2}), got.Columns[k]
			for i := range 6 {
				if w.Text(i) != g.Text(i) {
					t.Errorf("%s: %s[%d] is %s, want %s", name, w.Name, i, g.Text(i), w.Text(i))
				}
			}
		}
	}
}

// sample returns a table with columns of all kinds.
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

// TestRoundTrip checks that Read returns the table that Write has written, as a file and as a
// stream.
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

// TestEmptyAxis checks that a column whose rows have no values is an error.
func TestEmptyAxis(t *testing.T) {
	c := table.Column{Name: "m", Kind: table.Floats, Shape: []int{0}}
	err := Write(io.Discard, &table.Table{Rows: 3, Columns: []table.Column{c}}, false)
	if err == nil || err.Error() != `column "m": cannot write an axis of length 0` {
		t.Errorf("the error is %v", err)
	}
}

// TestDamaged checks that Read does not panic for prefixes of a file and for files with a
// changed byte, and that prefixes of a file are errors.
func TestDamaged(t *testing.T) {
	for _, stream := range []bool{false, true} {
		var b bytes.Buffer
		if err := Write(&b, sample(), stream); err != nil {
			t.Fatal(err)
		}
		whole := b.Bytes()
		for n := range whole {
			if _, err := Read(bytes.NewReader(whole[:n]), int64(n)); err == nil && !stream {
				t.Errorf("the first %d of %d bytes of a file are read without an error", n, len(whole))
			}
			changed := bytes.Clone(whole)
			changed[n] ^= 0xff
			_, _ = Read(bytes.NewReader(changed), int64(len(changed)))
		}
	}
}

// TestUnknownTypes checks the error for the numbers of types that Arrow may add.
func TestUnknownTypes(t *testing.T) {
	for _, id := range []int{len(types), 255} {
		func() {
			defer func() {
				want := fmt.Sprintf("a column has an unknown type, number %d in Arrow's Schema.fbs", id)
				if got := fmt.Sprint(recover()); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			}()
			typeOf(byte(id), record{}, nil)
		}()
	}
}

// TestDecimals checks the parameters of decimal types.
func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		precision, scale, width int
		ok                      bool
	}{
		{5, 2, 128, true}, {76, -1000, 256, true}, {1, 0, 32, true}, {1, 0, 64, true}, {0, 0, 128, false},
		{77, 0, 256, false}, {5, 1001, 128, false}, {5, 2, 0, false}, {5, 2, 8, false}, {5, 2, -128, false},
	} {
		var damage any
		func() {
			defer func() { damage = recover() }()
			new(dataType).setDecimal(c.precision, c.scale, c.width)
		}()
		if c.ok != (damage == nil) || !c.ok && damage != errIncomplete {
			t.Errorf("%+v: %v", c, damage)
		}
	}
}

// TestOtherFormats checks that the error for a file of another format names that format.
func TestOtherFormats(t *testing.T) {
	for data, want := range map[string]string{
		"PAR1....PAR1": `it is a Parquet file; in Python, polars.read_parquet(path).write_ipc("t.arrow") converts ` +
			"it to an Arrow file", "FEA1....FEA1": "it is a file of Feather version 1; in Python, " +
			`pyarrow.feather.write_feather(pyarrow.feather.read_table(path), "t.arrow") converts it to an ` +
			"Arrow file",
		"name,age\nx,3\n": "it is not an Arrow file or stream", "": "it is not an Arrow file or stream",
	} {
		if _, err := Read(strings.NewReader(data), int64(len(data))); err == nil || err.Error() != want {
			t.Errorf("%q: %v", data, err)
		}
	}
}

// TestRowsOfNulls checks the bound on the rows of a column of nulls, which has no bytes in a
// file.
func TestRowsOfNulls(t *testing.T) {
	for _, c := range []struct {
		rows int
		ok   bool
	}{{0, true}, {1 << 20, true}, {1<<24 + 1, false}} {
		got, err := readFile(t, fmt.Sprintf("nulls_%d.arrow", c.rows))
		switch {
		case c.ok && (err != nil || got.Rows != c.rows || got.Columns[0].Missing != c.rows):
			t.Errorf("%d rows: %v, %v", c.rows, got, err)
		case !c.ok && (err == nil || err.Error() != "a column has only nulls, and 16777217 rows of them, but at most 16777216 can be read; save the file without it"):
			t.Errorf("%d rows: %v", c.rows, err)
		}
	}
}

// TestNullsOfLists checks that all values of a row are missing if its list is null, and that
// otherwise the null elements are.
func TestNullsOfLists(t *testing.T) {
	got, err := readFile(t, "types.arrow")
	if err != nil {
		t.Fatal(err)
	}
	c := got.Column("fixed list with values below nulls")
	if s := fmt.Sprint(c.Floats, c.Shape, c.Missing); s != "[1 2 NaN NaN 5 NaN] [2] 3" {
		t.Error(s)
	}
}

// TestNullsBelowLists checks the bound on the number of nulls in lists.
func TestNullsBelowLists(t *testing.T) {
	_, err := readFile(t, "many_nulls.arrow")
	if want := "a column has only nulls, and 33554432 rows of them, but at most 16777216 can be read; save the file without it"; err == nil || err.Error() != want {
		t.Error(err)
	}
}

// FuzzRead checks that reading any bytes gives an error or a table, whose columns have all rows,
// and which can be written and read again.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.arrow*")
	files = append(files, "../../testdata/arrow/holes.arrow", "../../testdata/arrow/shapes.arrows")
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := Read(bytes.NewReader(data), int64(len(data)))
		if err != nil || read.Rows > 1<<16 {
			return
		}
		for _, c := range read.Columns {
			if read.Rows > 0 && c.Len() != read.Rows {
				t.Fatalf("column %q has %d rows, the table has %d", c.Name, c.Len(), read.Rows)
			}
		}
		var b bytes.Buffer
		if err := Write(&b, read, len(data)%2 == 0); err != nil {
			t.Fatal(err)
		}
		again, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil || again.Rows != read.Rows {
			t.Fatalf("%d rows came back as %v, %v", read.Rows, again, err)
		}
	})
}
