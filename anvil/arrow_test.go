package anvil_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil"
)

var updateFiles = flag.Bool("update", false, "write the files that pyarrow is to read, and docs/gradients.md")

// An arrowColumn is a column as pyarrow reads it.
type arrowColumn struct {
	Name, Type string
	Values     []any // texts, nil for null, and lists of these
}

func readArrow(t *testing.T) (files map[string][]arrowColumn) {
	t.Helper()
	readJSON(t, "testdata/arrow/read.json", &files)
	return files
}

// flatValues returns values, rows of each texts, as one list. A null row gives each nils.
func flatValues(values []any, each int) (flat []*string) {
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			flat = append(flat, make([]*string, each)...)
		case string:
			flat = append(flat, &v)
		case []any:
			flat = append(flat, flatValues(v, each/len(v))...)
		}
	}
	return flat
}

// sameArrowValue reports whether got, a text of a column, is the value that pyarrow reads.
func sameArrowValue(got string, want *string, bits int) bool {
	if want == nil {
		return got == ""
	}
	if *want == "nan" { // a missing value in our tables
		return got == ""
	}
	number := map[string]string{"True": "1", "False": "0", "true": "1", "false": "0"}
	for _, text := range []*string{&got, want} {
		if n, ok := number[*text]; ok {
			*text = n
		}
	}
	a, errA := strconv.ParseFloat(got, bits)
	b, errB := strconv.ParseFloat(*want, 64)
	if _, err := strconv.ParseInt(*want, 10, 64); err == nil && !strings.Contains(got, ".") {
		return got == *want // a float64 does not hold every integer
	}
	return errA == nil && errB == nil && a == b || got == *want
}

// TestArrowAsPyarrow checks that every column of the files that pyarrow wrote has
// the dtype and the values that pyarrow reads: in one batch and in several, as a
// file and as a stream, compressed and not.
func TestArrowAsPyarrow(t *testing.T) {
	holds := map[string]string{
		"bool": "i1", "halffloat": "f16", "float": "f32", "double": "f64", "string": "texts", "large_string": "texts", "string_view": "texts",
		"struct<a: int64>": "texts", "null": "floats", "decimal128(9, 2)": "f64", "dictionary<values=double, indices=int8, ordered=0>": "f64",
		"fixed_size_list<item: int8>[2]": "i8{2}", "fixed_size_list<item: int32>[2]": "f64{2}", "fixed_size_list<item: bool>[1]": "i1{1}",
		"fixed_size_list<item: halffloat>[2]": "f16{2}", "fixed_size_list<item: fixed_size_list<item: int16>[2]>[3]": "i16{3,2}",
		"fixed_size_list<item: fixed_size_list<item: float>[2]>[3]": "f32{3,2}", "list<item: double>": "f64{1}",
	}
	lib := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	for file, columns := range readArrow(t) {
		table, err := lib.ReadArrow("testdata/arrow/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if len(table.Names()) != len(columns) || table.Rows() != len(columns[0].Values) {
			t.Fatalf("%s: %d rows, columns %q", file, table.Rows(), table.Names())
		}
		for _, want := range columns {
			c := table.Col(want.Name)
			expected, known := holds[want.Type]
			hasNull := slices.Contains(want.Values, nil)
			switch {
			case want.Name == "too great", !known && !strings.Contains(want.Type, "int"), strings.HasPrefix(want.Type, "list<item: int64>"), strings.Contains(want.Type, "values=") && want.Name == "word":
				expected = "texts"
			case hasNull && want.Type == "bool":
				expected = "floats"
			case !known && hasNull:
				expected = "f64"
			case !known:
				expected = strings.Replace(strings.TrimPrefix(want.Type, "u"), "int", map[bool]string{true: "ui", false: "i"}[want.Type[0] == 'u'], 1)
			}
			if file == "none.arrows" && strings.HasPrefix(want.Type, "list") {
				continue // without rows, the length of their lists is unknown
			}
			if c.Holds() != expected {
				t.Errorf("%s: %s, %s, holds %s, want %s", file, want.Name, want.Type, c.Holds(), expected)
				continue
			}
			if c.Kind() == "texts" && !strings.HasSuffix(want.Type, "string") && want.Type != "string_view" && want.Name != "too great" && want.Name != "word" {
				continue // Go and Python write such values differently
			}
			checkArrowValues(t, file, want, c)
		}
	}
}

func checkArrowValues(t *testing.T, file string, want arrowColumn, c *anvil.Column) {
	t.Helper()
	var got []string
	for _, text := range c.Texts() {
		if strings.HasPrefix(text, "[") {
			got = append(got, strings.Split(strings.Trim(text, "[]"), " ")...)
		} else {
			got = append(got, text)
		}
	}
	values := flatValues(want.Values, len(got)/max(len(want.Values), 1))
	if len(values) != len(got) {
		t.Fatalf("%s: %s has %d values, want %d", file, want.Name, len(got), len(values))
	}
	bits := 64
	if strings.Contains(want.Type, "float") {
		bits = 32 // texts have as many digits as f32 needs
	}
	for i, text := range got {
		if !sameArrowValue(text, values[i], bits) {
			t.Errorf("%s: %s[%d] is %q, pyarrow has %v", file, want.Name, i, text, want.Values)
			break
		}
	}
}

// TestArrowColumnsAsTensors checks dtypes and shapes of columns as tensors, and the
// errors of columns that cannot be tensors.
func TestArrowColumnsAsTensors(t *testing.T) {
	lib := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	read := func(file string) *anvil.Table {
		table, err := lib.ReadArrow("testdata/arrow/" + file)
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	shapes, types := read("shapes.arrow"), read("types.arrow")
	for want, x := range map[string]anvil.Tensor{
		"i8{4,2} [1 2 3 4 5 6 7 8]": shapes.Col("pair").Tensor(), "f64{4,1} [1.5 2.5 3.5 4.5]": shapes.Col("list").Tensor(),
		"f32{1,3,2} [3 1 2 3 4 5]":         shapes.Col("nested").Tensor().At(anvil.Range(3, 4)),
		"f64{1,3} [3 4 2.5]":               shapes.Matrix("pair", "list").At(anvil.Range(1, 2)),
		"ui64{1} [1.8446744073709552e+19]": types.Col("uint64").Tensor().At(anvil.Range(2, 3)),
		"i32{3} [-128 0 127]":              types.Col("int8").Tensor(anvil.I32),
	} {
		if got := fmt.Sprintf("%s%v %v", x.Typed(), x.Shape(), anvil.Values[float64](x)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := anvil.Values[uint64](types.Col("uint64").Tensor()); got[2] != 1<<64-1 {
		t.Errorf("the greatest ui64 is %d", got[2])
	}
	if codes, levels := read("holes.arrow").Col("word").Codes(); !slices.Equal(anvil.Values[int32](codes), []int32{0, -1, 0}) || !slices.Equal(levels, []string{"b"}) {
		t.Errorf("codes %v of %q", codes, levels)
	}
	for want, f := range map[string]func(){
		`Tensor("too great"): the column has texts, not numbers: the texts were made from values of type int64; ` +
			"the method Texts returns them, and Codes encodes them as integers": func() { read("holes.arrow").Col("too great").Tensor() },
		`Tensor("time"): the column has texts, not numbers: the texts were made from values of type timestamp[ms]; ` +
			"the method Texts returns them, and Codes encodes them as integers": func() { read("others.arrow").Col("time").Tensor() },
	} {
		if err := anvil.Try(f); err == nil || err.Error() != want {
			t.Errorf("says %v, want %s", err, want)
		}
	}
	if err := lib.WriteCSV(filepath.Join(t.TempDir(), "s.csv"), shapes); err == nil || !strings.HasSuffix(err.Error(), `s.csv"): column "pair" has 2 values in each row, but a CSV field has one`) {
		t.Errorf("lists as CSV: %v", err)
	}
}

// ours returns the tensors that TestArrowIsReadByPyarrow writes.
func ours(lib *anvil.Context) map[string]anvil.Tensor {
	n := []float64{1, 0, 3, 2}
	tensors := map[string]anvil.Tensor{
		"matrix": lib.Arange(8, anvil.F16).Reshape(anvil.Shape{4, 2}), "cube": lib.Arange(24, anvil.I16).Reshape(anvil.Shape{4, 3, 2}),
		"greatest": lib.From([]uint64{0, 1, 1 << 63, 1<<64 - 1}), "holes": lib.New([]float64{1, math.NaN(), -3, 0}, anvil.F64),
	}
	for _, d := range []anvil.DType{anvil.I1, anvil.I8, anvil.I32, anvil.I64, anvil.U8, anvil.U16, anvil.U32, anvil.F32} {
		tensors[d.String()] = lib.From(n).AsType(d)
	}
	return tensors
}

// TestArrowIsReadByPyarrow writes tensors of every dtype and rank, and a table from
// CSV with texts and missing values. The files must be byte for byte those that
// pyarrow read for read.json, with which TestArrowAsPyarrow compares them.
func TestArrowIsReadByPyarrow(t *testing.T) {
	lib := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	csv, err := lib.ReadCSV("testdata/data/comma.csv")
	if err != nil {
		t.Fatal(err)
	}
	for name, what := range map[string]any{"ours.arrow": ours(lib), "ours.arrows": csv} {
		path := filepath.Join(t.TempDir(), name)
		if *updateFiles {
			path = "testdata/arrow/" + name
		}
		if err := lib.WriteArrow(path, what); err != nil {
			t.Fatal(err)
		}
		got, _ := os.ReadFile(path)
		want, err := os.ReadFile("testdata/arrow/" + name)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not the file that pyarrow read (%v); write it with -update, and run generate.py", name, err)
		}
	}
	again, err := lib.ReadArrow("testdata/arrow/ours.arrow")
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range ours(lib) {
		back := again.Col(name).Tensor()
		if back.Typed() != x.Typed() || !back.Shape().Equal(x.Shape()) || fmt.Sprint(anvil.Values[float64](back)) != fmt.Sprint(anvil.Values[float64](x)) {
			t.Errorf("%s: %v came back as %v", name, x, back)
		}
	}
}

// TestArrowOfAllFiles checks that tables are the same after they are written and read again.
func TestArrowOfAllFiles(t *testing.T) {
	lib := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	for file := range readArrow(t) {
		first, err := lib.ReadArrow("testdata/arrow/" + file)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), file)
		if err := lib.WriteArrow(path, first); err != nil {
			t.Fatal(err)
		}
		second, err := lib.ReadArrow(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range first.Names() {
			a, b := first.Col(name), second.Col(name)
			// A nan or "" that is a value cannot be told from a missing value.
			if hidden := name == "float32" || name == "text"; a.Missing() != b.Missing() && !hidden || a.Kind() != b.Kind() || !slices.Equal(a.Texts(), b.Texts()) {
				t.Errorf("%s: %s, %d %s %q, came back as %d %s %q", file, name, a.Missing(), a.Holds(), a.Texts(), b.Missing(), b.Holds(), b.Texts())
			}
		}
	}
}

// TestArrowErrors checks the errors for what cannot be read or written.
func TestArrowErrors(t *testing.T) {
	lib := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	t.Chdir(t.TempDir())
	write := func(x any) error { return lib.WriteArrow("x.arrow", x) }
	if err := os.WriteFile("x.csv", []byte("a,b\n1,2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, head := range map[string]string{"x.parquet": "PAR1....", "x.feather": "FEA1...."} {
		if err := os.WriteFile(name, []byte(head), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, parquet := lib.ReadArrow("x.parquet")
	_, feather := lib.ReadArrow("x.feather")
	_, picture := lib.ReadImage("x.csv")
	_, missing := lib.ReadArrow("no.arrow")
	_, csv := lib.ReadArrow("x.csv")
	for want, err := range map[string]error{
		`ReadArrow("x.parquet"): it is a Parquet file; in Python, polars.read_parquet(path).write_ipc("t.arrow") ` +
			"converts it to an Arrow file": parquet,
		`ReadArrow("x.feather"): it is a file of Feather version 1; in Python, ` +
			`pyarrow.feather.write_feather(pyarrow.feather.read_table(path), "t.arrow") converts it to an Arrow file`: feather,
		`ReadImage("x.csv"): the file is not a PNG, JPEG or GIF image`: picture,
		`ReadArrow("no.arrow"): no such file or directory`:             missing,
		`ReadArrow("x.csv"): it is not an Arrow file or stream`:        csv,
		`WriteArrow("x.arrow"): column "x": there is no Arrow type for bf16; convert the tensor with AsType(nv.F32), ` +
			"or write it with nv.WriteSafetensors": write(map[string]anvil.Tensor{"x": lib.Ones(anvil.Shape{2}, anvil.BF16)}),
		`WriteArrow(): "x" is a scalar and has no rows; to write it as one row, give x.Reshape(nv.Shape{1}) for ` +
			"the scalar x": write(map[string]anvil.Tensor{"x": lib.Scalar(1)}),
		`WriteArrow(): "x" has 2 rows, "a" has 3; give all columns the same length`:                 write(map[string]anvil.Tensor{"a": lib.Ones(anvil.Shape{3}), "x": lib.Ones(anvil.Shape{2})}),
		`WriteArrow(): "x" is f32{2,0}, whose rows are empty; leave it out`:                         write(map[string]anvil.Tensor{"x": lib.Ones(anvil.Shape{2, 0})}),
		`WriteArrow(c64{2}): tables do not support complex numbers; give nv.Real(x) and nv.Imag(x)`: write(map[string]anvil.Tensor{"x": lib.Ones(anvil.Shape{2}, anvil.C64)}),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("says %v, want %s", err, want)
		}
	}
}

// TestDamagedArrow checks that a file of which a part is missing or changed is read
// as a table or gives an error, and does not panic.
func TestDamagedArrow(t *testing.T) {
	lib := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	path := filepath.Join(t.TempDir(), "x")
	for _, file := range []string{"shapes.arrow", "holes.arrows", "batches.arrow"} {
		whole, err := os.ReadFile("testdata/arrow/" + file)
		if err != nil {
			t.Fatal(err)
		}
		failed := 0
		for at := 0; at < len(whole); at += 61 {
			changed := bytes.Clone(whole)
			changed[at] ^= byte(at*7) | 1
			for _, text := range [][]byte{whole[:at], changed} {
				if err := os.WriteFile(path, text, 0o644); err != nil {
					t.Fatal(err)
				}
				if table, err := lib.ReadArrow(path); err != nil {
					failed++
				} else if table == nil {
					t.Errorf("%s, damaged at %d, is neither a table nor an error", file, at)
				}
			}
		}
		if failed == 0 {
			t.Errorf("%s is never damaged", file)
		}
	}
}
