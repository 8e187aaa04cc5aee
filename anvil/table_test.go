package anvil_test

import (
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/goanvil/notebook/anvil"
)

// A readBack is the content of the files in testdata/data as pandas and Pillow read them.
type readBack struct {
	Tables map[string]struct {
		Kinds   []string
		Columns [][]*string
	}
	Pictures map[string]struct {
		Shape  []int
		Values []float64
	}
}

func readData(t *testing.T) (r readBack) {
	t.Helper()
	readJSON(t, "testdata/data/read.json", &r)
	return r
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read(t, text, into)
}

// kindsOf maps pandas' dtypes to kinds of columns.
var kindsOf = map[string]string{"int64": "ints", "float64": "floats", "bool": "bools", "str": "texts"}

// TestCSVAsPandas checks that files that pandas wrote are read as pandas reads
// them, with missing and quoted values, and are the same after they are written
// again.
func TestCSVAsPandas(t *testing.T) {
	lib := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	for name, want := range readData(t).Tables {
		o := anvil.CSV{NoHeader: name == "headless"}
		if name == "semicolon" {
			o.Comma = ';'
		}
		table, err := lib.ReadCSV("testdata/data/"+name+".csv", o)
		if err != nil {
			t.Fatal(err)
		}
		again := filepath.Join(t.TempDir(), name)
		if err := lib.WriteCSV(again, table, o); err != nil {
			t.Fatal(err)
		}
		second, err := lib.ReadCSV(again, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, read := range []*anvil.Table{table, second} {
			checkTable(t, name, read, want.Kinds, want.Columns)
		}
	}
}

func checkTable(t *testing.T, name string, table *anvil.Table, kinds []string, columns [][]*string) {
	t.Helper()
	if len(table.Names()) != len(columns) || table.Rows() != len(columns[0]) {
		t.Fatalf("%s: %v rows, columns %q", name, table.Rows(), table.Names())
	}
	for k, column := range table.Names() {
		c := table.Col(column)
		if c.Kind() != kindsOf[kinds[k]] {
			t.Errorf("%s: %s is of %s, pandas has %s", name, column, c.Kind(), kinds[k])
			continue
		}
		for i, text := range c.Texts() {
			if want := columns[k][i]; !sameValue(text, want) {
				t.Errorf("%s: %s[%d] is %q, want %v", name, column, i, text, want)
			}
		}
	}
}

// sameValue reports whether a text is the value with pandas' repr want, which is nil for a missing value.
func sameValue(text string, want *string) bool {
	if want == nil {
		return text == ""
	}
	a, errA := strconv.ParseFloat(text, 64)
	b, errB := strconv.ParseFloat(*want, 64)
	if errA == nil && errB == nil {
		return a == b
	}
	return text == *want || strings.EqualFold(text, *want) && (text == "true" || text == "false")
}

// TestColumnsAsTensors checks dtypes, missing values, codes, and errors that name
// the column and the place in the file.
func TestColumnsAsTensors(t *testing.T) {
	lib := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	table, err := lib.ReadCSV("testdata/data/comma.csv")
	if err != nil {
		t.Fatal(err)
	}
	for column, want := range map[string]anvil.DType{"count": anvil.I64, "small": anvil.I32, "size": anvil.F64, "holes": anvil.F64, "right": anvil.I1} {
		if got := table.Col(column).Tensor(); got.DType() != want || got.Ambiguous() {
			t.Errorf("%s is %s, want %s", column, got.Typed(), want)
		}
	}
	if got := table.Col("small").Tensor(anvil.F64); got.DType() != anvil.F64 || fmt.Sprint(anvil.Values[float64](got)) != "[7 8 9 10]" {
		t.Errorf("small as f64: %v", got)
	}
	m := table.Matrix("small", "holes")
	if v := anvil.Values[float64](m); m.DType() != anvil.F64 || !m.Shape().Equal(anvil.Shape{4, 2}) || v[2] != 8 || !math.IsNaN(v[3]) {
		t.Errorf("the matrix is %v", m)
	}
	if all := table.Matrix(); !all.Shape().Equal(anvil.Shape{4, 5}) || all.DType() != anvil.F64 {
		t.Errorf("all numbers are %s%v", all.Typed(), all.Shape())
	}
	codes, levels := table.Col("gap").Codes()
	if !slices.Equal(anvil.Values[int32](codes), []int32{0, -1, 1, 0}) || !slices.Equal(levels, []string{"x", "z"}) {
		t.Errorf("codes %v of %q", codes, levels)
	}
	for want, f := range map[string]func(){
		`Tensor("text"): the column has texts, not numbers: "a \"quoted\" word" at line 2, byte 16; the method Texts returns them, and Codes encodes them as integers; if "a \"quoted\" word" means that a value is missing, give nv.CSV{Missing: []string{"", "a \"quoted\" word"}}`: func() { table.Matrix("small", "text") },
		`Col("smal"): there is no such column; the columns are "count", "small", "size", "holes", "right", "text", "gap"`:                                                                                                                                                             func() { table.Col("smal") },
	} {
		if err := anvil.Try(f); err == nil || err.Error() != want {
			t.Errorf("says %v\nwant %s", err, want)
		}
	}
	if _, err := lib.ReadCSV("testdata/data/ragged.csv"); err == nil || err.Error() !=
		`ReadCSV("testdata/data/ragged.csv"): line 3 has 3 fields, the lines before have 2` {
		t.Errorf("a ragged file: %v", err)
	}
}

// TestTablesOfTensors checks that a table made from tensors is the same after it is written and read.
func TestTablesOfTensors(t *testing.T) {
	lib := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	path := filepath.Join(t.TempDir(), "t.csv")
	x := lib.New([][]float64{{0.1, 2}, {math.NaN(), -3e30}})
	if err := lib.WriteCSV(path, x); err != nil {
		t.Fatal(err)
	}
	read, err := lib.ReadCSV(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := read.Matrix("col1", "col2"); fmt.Sprint(anvil.Values[float32](got)) != fmt.Sprint(anvil.Values[float32](x)) {
		t.Errorf("%v came back as %v", x, got)
	}
	if err := anvil.Try(func() { lib.NewTable(nil, []int{1, 2}, []string{"a"}) }); err == nil || err.Error() !=
		`NewTable(): column "col2" has 1 value, "col1" has 2; give all columns the same length` {
		t.Errorf("columns of two lengths: %v", err)
	}
}

// TestPicturesAsPillow checks that pictures that Pillow wrote have the values that
// Pillow reads, and are the same after they are written and read.
func TestPicturesAsPillow(t *testing.T) {
	lib := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	for name, want := range readData(t).Pictures {
		x, err := lib.ReadImage("testdata/data/" + name + ".png")
		if err != nil {
			t.Fatal(err)
		}
		if len(want.Shape) == 2 {
			want.Shape = append(want.Shape, 1)
		}
		got := anvil.Values[float64](x.AsType(anvil.F64))
		if !x.Shape().Equal(want.Shape) || !slices.Equal(got, want.Values) {
			t.Errorf("%s is %v, want %v %v", name, x, want.Shape, want.Values)
		}
		path := filepath.Join(t.TempDir(), name+".png")
		if err := lib.WriteImage(path, x); err != nil {
			t.Fatal(err)
		}
		if again, err := lib.ReadImage(path); err != nil || !slices.Equal(anvil.Values[float64](again.AsType(anvil.F64)), got) {
			t.Errorf("%s comes back as %v, %v", name, again, err)
		}
	}
	deep := lib.From([][][]uint16{{{1, 2, 3, 65535}, {65535, 256, 255, 7}}}) // four channels of 16 bits
	for n := 3; n <= 4; n++ {
		x, path := deep.At(anvil.All, anvil.All, anvil.Slice(0, n, 1)), filepath.Join(t.TempDir(), "deep.png")
		if err := lib.WriteImage(path, x); err != nil {
			t.Fatal(err)
		}
		if again, err := lib.ReadImage(path); err != nil || again.DType() != anvil.U16 || !slices.Equal(anvil.Values[uint16](again), anvil.Values[uint16](x)) {
			t.Errorf("%v comes back as %v, %v", x, again, err)
		}
	}
	floats := lib.New([][]float64{{-1, 0, 0.5}, {1, 2, math.NaN()}}).Image().(*image.Gray)
	if !slices.Equal(floats.Pix, []uint8{0, 0, 128, 255, 255, 0}) {
		t.Errorf("floats are %v", floats.Pix)
	}
	for _, bad := range []anvil.Tensor{lib.New([]float64{1}), lib.New([][]int{{1}}), lib.Ones(anvil.Shape{2, 2, 2})} {
		if err := anvil.Try(func() { bad.Image() }); err == nil {
			t.Errorf("%v is a picture", bad)
		}
	}
}

// TestMatricesOfGonum checks the conversion of gonum's matrices and vectors to
// tensors, and back.
func TestMatricesOfGonum(t *testing.T) {
	lib := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	m := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	for want, x := range map[string]anvil.Tensor{
		"f32{2,3} [1 2 3 4 5 6]": lib.New(m), "f64{2,3} [1 2 3 4 5 6]": lib.From(m), "f64{3,2} [1 4 2 5 3 6]": lib.New(m.T(), anvil.F64),
		"f32{3} [2 3 4]": lib.New(mat.NewVecDense(3, []float64{2, 3, 4})), "f64{2} [3 6]": lib.From(m.ColView(2)),
		"f64{2,2} [7 0 0 8]": lib.From(mat.NewDiagDense(2, []float64{7, 8})),
	} {
		if got := fmt.Sprintf("%s%v %v", x.Typed(), x.Shape(), anvil.Values[float64](x.AsType(anvil.F64))); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if z := lib.New(mat.NewCDense(1, 2, []complex128{1i, 2})); z.DType() != anvil.C64 || !z.Shape().Equal(anvil.Shape{1, 2}) {
		t.Errorf("a complex matrix is %s%v", z.Typed(), z.Shape())
	}
	back := mat.NewDense(2, 3, anvil.Values[float64](lib.From(m)))
	if !mat.Equal(back, m) {
		t.Errorf("came back as %v", mat.Formatted(back))
	}
}

// TestNamedNumbers makes tensors from slices and arrays of every number type, including named types.
func TestNamedNumbers(t *testing.T) {
	type celsius float32
	type id uint16
	type row [2]int8
	type flag bool
	lib := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	for want, v := range map[string]any{
		"f32{2} [1.5 -2]": []celsius{1.5, -2}, "ui16{3} [1 2 65535]": [3]id{1, 2, 65535}, "i8{2,2} [1 2 3 -4]": []row{{1, 2}, {3, -4}},
		"i1{2} [1 0]": []flag{true, false}, "ui32{1} [7]": []uint32{7}, "ui64{1} [7]": []uint{7}, "ui8{2} [1 2]": [2]uint8{1, 2},
		"i16{1,1} [-9]": [][1]int16{{-9}}, "i64{1} [5]": []int64{5},
	} {
		x := lib.From(v)
		if got := fmt.Sprintf("%s%v %v", x.Typed(), x.Shape(), anvil.Values[float64](x.AsType(anvil.F64))); got != want {
			t.Errorf("%T: got %s, want %s", v, got, want)
		}
	}
}

// TestTableRows checks rows by index, mask and order, groups, joins and statistics
// against values computed by hand.
func TestTableRows(t *testing.T) {
	lib := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	table := lib.NewTable([]string{"name", "age", "size"},
		[]string{"a", "b", "a", "c"}, []int{30, 20, 10, 40}, []float64{1.5, math.NaN(), 2.5, 16777217.25})
	texts := func(t *anvil.Table) (rows [][]string) {
		for _, name := range t.Names() {
			rows = append(rows, append([]string{name}, t.Col(name).Head(t.Rows())...))
		}
		return rows
	}
	for what, c := range map[string]struct {
		got  *anvil.Table
		want string
	}{
		"head":     {table.Head(2), "[[name a b] [age 30 20] [size 1.5 -]]"},
		"head 9":   {table.Head(9).Select("age"), "[[age 30 20 10 40]]"},
		"tail":     {table.Tail(1), "[[name c] [age 40] [size 1.677721725e+07]]"},
		"mask":     {table.Take(table.Col("age").Tensor().Gt(15)).Select("age"), "[[age 30 20 40]]"},
		"bools":    {table.Take([]bool{true, false, false, true}).Select("age"), "[[age 30 40]]"},
		"indices":  {table.Take([]int{-1, 0}).Select("age"), "[[age 40 30]]"},
		"index":    {table.Take(2).Select("age"), "[[age 10]]"},
		"sort":     {table.Sort("name", "-age").Select("name", "age"), "[[name a a b c] [age 30 10 20 40]]"},
		"missing":  {table.Sort("-size").Select("age"), "[[age 40 10 30 20]]"},
		"count":    {table.GroupBy("name").Count(), "[[name a b c] [count 2 1 1]]"},
		"mean":     {table.GroupBy("name").Mean(), "[[name a b c] [age 20.0 20.0 40.0] [size 2.0 - 1.677721725e+07]]"},
		"max":      {table.GroupBy("name").Max("age"), "[[name a b c] [age 30.0 20.0 40.0]]"},
		"describe": {table.Describe().Select("column", "count", "missing", "mean", "50%"), "[[column name age size] [count 4 4 3] [missing 0 0 1] [mean - 25.0 5.592407083333333e+06] [50% - 25.0 2.5]]"},
		"join": {table.Join(lib.NewTable([]string{"name", "age"}, []string{"c", "a"}, []int{7, 8}), "name").Select("name", "age", "age.1"),
			"[[name a a c] [age 30 10 40] [age.1 8 8 7]]"},
	} {
		if got := fmt.Sprint(texts(c.got)); got != c.want {
			t.Errorf("%s is %s, want %s", what, got, c.want)
		}
	}
	if m := table.Matrix("size"); m.DType() != anvil.F64 || anvil.Values[float64](m)[3] != 16777217.25 {
		t.Errorf("a column of floats is %v", m)
	}
	age := table.Col("age")
	if age.Mean() != 25 || age.Sum() != 100 || age.Min() != 10 || age.Max() != 40 || age.Median() != 25 || math.Abs(age.Std()-12.909944487358056) > 1e-12 {
		t.Error("a statistic of a column is wrong")
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := table.WriteCSV(path); err != nil {
		t.Fatal(err)
	}
	if again, err := lib.ReadCSV(path); err != nil || fmt.Sprint(texts(again)) != fmt.Sprint(texts(table)) {
		t.Error("the table has changed after it was written and read: ", err)
	}
	for what, do := range map[string]func(){
		"mask":  func() { table.Take([]bool{true}) },
		"index": func() { table.Take(4) },
		"sort":  func() { table.Sort("weight") },
		"none":  func() { table.GroupBy() },
		"text":  func() { table.Col("name").Mean() },
		"kinds": func() { table.Join(lib.NewTable([]string{"name"}, []int{1}), "name") },
	} {
		if err := anvil.Try(do); err == nil {
			t.Errorf("%s is not refused", what)
		}
	}
}
