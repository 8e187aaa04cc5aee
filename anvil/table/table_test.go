package table

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/goanvil/notebook/anvil/dtype"
)

// TestManyEqualNames checks that naming many equal columns takes time in proportion to their
// number; otherwise the test would take minutes.
func TestManyEqualNames(t *testing.T) {
	const n = 100_000
	header := make([]string, n)
	for i := range header {
		header[i] = "x"
	}
	columns := make([]Column, n)
	nameColumns(columns, header, false)
	if first, last := columns[0].Name, columns[n-1].Name; first != "x" || last != fmt.Sprint("x.", n-1) {
		t.Errorf("the names are %s to %s", first, last)
	}
}

// TestReadCSV checks kinds, names, and errors with line and byte.
func TestReadCSV(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "the file is empty",
		"a,b\n":                   "0: a floats [], b floats []",
		"\ufeffa,b\n1,x\n":        "1: a ints [1], b texts [x]",
		"a,a,,a\n1,2,3,4\n":       "1: a ints [1], a.1 ints [2], col3 ints [3], a.2 ints [4]",
		"a\n1\n-2\n":              "2: a ints [1 -2]",
		"a\n1\nNA\n":              "2: a floats [1 NaN] 1 missing",
		"a\n\"\"\n\"\"\n":         "2: a floats [NaN NaN] 2 missing",
		"a\ntrue\nNA\n":           "2: a floats [1 NaN] 1 missing",
		"a\nTrue\nfalse\n":        "2: a bools [true false]",
		"a\n1\ntrue\n":            "2: a texts [1 true]",
		"a\n 1.5 \n1e3\n-Inf\n":   "3: a floats [1.5 1000 -Inf]",
		"a\n1e999\n":              "1: a floats [+Inf]",
		"a\n0x10\n1_0\n":          "2: a texts [0x10 1_0]",
		"a\n9223372036854775808":  "1: a floats [9.223372036854776e+18]",
		"a,b\n1\n":                "line 2 has 1 fields, the lines before have 2",
		"a\n\"x\n":                `line 2, byte 4: extraneous or missing " in quoted-field`,
		"a,b\n1,2\"3\n":           `line 2, byte 4: bare " in non-quoted-field`,
		"a,b\r1,2\r":              `the lines end with "\r" alone; replace "\r" by "\n" in the file`,
		"a,b\r\n1,\"x\r\ny\"\r\n": "1: a ints [1], b texts [x\ny]",
	} {
		if got := shown(ReadCSV(strings.NewReader(text), CSV{})); got != want {
			t.Errorf("%q\n gives %s\n want  %s", text, got, want)
		}
	}
	options := CSV{Comma: '\t', Comment: '#', NoHeader: true, Missing: []string{"?"}}
	if got := shown(ReadCSV(strings.NewReader("# by hand\n1\tNA\n?\tx\n"), options)); got != "2: col1 floats [1 NaN] 1 missing, col2 texts [NA x]" {
		t.Errorf("with options: %s", got)
	}
}

// TestEmptyFieldsBetweenTabs checks that the tab after an empty field is a separator, not leading space of the field.
func TestEmptyFieldsBetweenTabs(t *testing.T) {
	const text = "a\tb\tc\n1\t\t3\n\t2\t\n\t\t\n 4\t5 \t x\n"
	const want = "4: a floats [1 NaN NaN 4] 2 missing, b floats [NaN 2 NaN 5] 2 missing, c texts [3    x] 2 missing"
	if got := shown(ReadCSV(strings.NewReader(text), CSV{Comma: '\t'})); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestDecimalComma reads and writes numbers with a decimal comma.
func TestDecimalComma(t *testing.T) {
	o := CSV{Decimal: ','}
	if got := shown(ReadCSV(strings.NewReader("a;b;c\n1,5;2;1.5\n-2e3;3;x\n"), o)); got != "2: a floats [1.5 -2000], b ints [2 3], c texts [1.5 x]" {
		t.Error(got)
	}
	if got := shown(ReadCSV(strings.NewReader("a\n1.5\n"), o)); got != "1: a texts [1.5]" {
		t.Error(got)
	}
	var b strings.Builder
	if err := WriteCSV(&b, &Table{Rows: 2, Columns: []Column{{Name: "a", Kind: Floats, Floats: []float64{1.5, 2}}, {Name: "b", Kind: Texts, Texts: []string{"1.5", "x,y"}}}}, o); err != nil || b.String() != "a;b\n1,5;1.5\n2,0;x,y\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
	o.Comma = ','
	if _, err := ReadCSV(strings.NewReader("a\n"), o); err == nil || err.Error() != "',' is both the field separator and the decimal point" {
		t.Error(err)
	}
}

// shown returns the columns of a table as text, or the error.
func shown(t *Table, err error) string {
	if err != nil {
		return err.Error()
	}
	words := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		values := map[Kind]any{Bools: c.Bools, Ints: c.Ints, Floats: c.Floats, Texts: c.Texts}[c.Kind]
		words[i] = fmt.Sprintf("%s %s %v", c.Name, c.Kind, values)
		if c.Missing > 0 {
			words[i] += fmt.Sprintf(" %d missing", c.Missing)
		}
	}
	return fmt.Sprintf("%d: %s", t.Rows, strings.Join(words, ", "))
}

// TestWrittenIsRead checks that tables are the same after writing and reading.
func TestWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 6).Draw(t, "rows")
		written := &Table{Rows: rows, Columns: []Column{
			{Name: "a", Kind: Ints, Ints: rapid.SliceOfN(rapid.Int64(), rows, rows).Draw(t, "ints")},
			{Name: "b, c", Kind: Floats, Floats: rapid.SliceOfN(rapid.Float64(), rows, rows).Draw(t, "floats")},
			{Name: "d", Kind: Texts, Texts: rapid.SliceOfN(rapid.StringMatching(`[a-z ,;"#]{0,8}x`), rows, rows).Draw(t, "texts")},
			{Name: "e", Kind: Bools, Bools: rapid.SliceOfN(rapid.Bool(), rows, rows).Draw(t, "bools")},
		}}
		for i := range written.Columns[2].Texts { // leading space of a field is dropped
			written.Columns[2].Texts[i] = strings.TrimLeft(written.Columns[2].Texts[i], " ")
		}
		o := CSV{Comma: rapid.SampledFrom([]rune{0, ';', '\t'}).Draw(t, "comma")}
		var b strings.Builder
		if err := WriteCSV(&b, written, o); err != nil {
			t.Fatal(err)
		}
		if got, want := shown(ReadCSV(strings.NewReader(b.String()), o)), shown(written, nil); got != want {
			t.Fatalf("%s\n read %s\n want %s", b.String(), got, want)
		}
	})
}

// TestWrittenMissing checks that missing values are written as a text that is read as missing.
func TestWrittenMissing(t *testing.T) {
	written := &Table{Rows: 2, Columns: []Column{{Name: "a", Kind: Floats, Floats: []float64{1.5, math.NaN()}, Missing: 1}}}
	for _, missing := range [][]string{nil, {"-"}, {"-", "NA", ""}} {
		o := CSV{Missing: missing}
		var b strings.Builder
		if err := WriteCSV(&b, written, o); err != nil {
			t.Fatal(err)
		}
		if got, want := shown(ReadCSV(strings.NewReader(b.String()), o)), shown(written, nil); got != want {
			t.Errorf("%q: read %s, want %s", missing, got, want)
		}
	}
}

// TestNarrowFloats checks that values of f32 are written with only the digits that f32 needs.
func TestNarrowFloats(t *testing.T) {
	c := Column{Name: "x", Kind: Floats, DType: dtype.F32, Floats: []float64{float64(float32(0.1)), 2}}
	var b strings.Builder
	if err := WriteCSV(&b, &Table{Columns: []Column{c}, Rows: 2}, CSV{}); err != nil || b.String() != "x\n0.1\n2.0\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// TestWriteCSV checks what is written for values that other files have, and tables that cannot be written.
func TestWriteCSV(t *testing.T) {
	big := Column{Name: "u", Kind: Ints, DType: dtype.U64, Ints: []int64{-1, 1 << 62, 0}}
	floats := Column{Name: "x", Kind: Floats, Floats: []float64{math.NaN(), 1e21, -0.5}}
	texts := Column{Name: "t", Kind: Texts, Texts: []string{"", "a,b", "c\"d"}}
	signs := Column{Name: "s", Kind: Texts, Texts: []string{"#", "x#", "#,"}}
	bools := Column{Name: "b", Kind: Bools, Bools: []bool{true, false, true}}
	narrow := Column{Name: "n", Kind: Floats, DType: dtype.F32, Floats: []float64{float64(float32(0.1)), 3, math.Inf(-1)}}
	wide := Column{Name: "w", Kind: Floats, Floats: make([]float64, 6), Shape: []int{2}}
	for _, c := range []struct {
		columns []Column
		options CSV
		want    string // the text, or the error
	}{
		{[]Column{big, floats}, CSV{}, "u,x\n18446744073709551615,\n4611686018427387904,1e+21\n0,-0.5\n"},
		{[]Column{texts, bools}, CSV{}, "t,b\n,true\n\"a,b\",false\n\"c\"\"d\",true\n"},
		{[]Column{floats}, CSV{}, "x\nNA\n1e+21\n-0.5\n"},
		{[]Column{texts}, CSV{NoHeader: true}, "NA\n\"a,b\"\n\"c\"\"d\"\n"},
		{[]Column{narrow, bools}, CSV{Comma: ';', Decimal: ','}, "n;b\n0,1;true\n3,0;false\n-Inf;true\n"},
		{[]Column{texts, wide}, CSV{}, `column "w" has 2 values in each row, but a CSV field has one`},
		{[]Column{texts}, CSV{Comma: ',', Decimal: ','}, "',' is both the field separator and the decimal point"},
		{[]Column{texts}, CSV{Comma: '"'}, "csv: invalid field or comment delimiter"},
		{[]Column{texts}, CSV{Comma: '"', NoHeader: true}, "csv: invalid field or comment delimiter"},
		{[]Column{signs, bools}, CSV{}, "s,b\n#,true\nx#,false\n\"#,\",true\n"},
		{[]Column{bools, signs}, CSV{Comment: '#'}, "b,s\ntrue,#\nfalse,x#\ntrue,\"#,\"\n"},
		{[]Column{signs, bools}, CSV{Comment: '#'},
			`the line of "#" begins with '#', so readers would skip it as a comment; leave out Comment`},
		{[]Column{bools}, CSV{Comment: 'b'},
			`the line of "b" begins with 'b', so readers would skip it as a comment; leave out Comment`},
	} {
		var b strings.Builder
		got := ""
		if err := WriteCSV(&b, &Table{Columns: c.columns, Rows: 3}, c.options); err != nil {
			got = err.Error()
		} else {
			got = b.String()
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.options, got, c.want)
		}
	}
	if err := WriteCSV(closed{}, &Table{Columns: []Column{bools}, Rows: 3}, CSV{}); err != io.ErrClosedPipe {
		t.Error(err)
	}
	if got := shown(ReadCSV(closed{}, CSV{})); got != io.ErrClosedPipe.Error() {
		t.Error(got)
	}
}

// closed is a file that cannot be read or written.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
func (closed) Read([]byte) (int, error)  { return 0, io.ErrClosedPipe }

// countNaN returns how many of xs are NaN.
func countNaN(xs []float64) (n int) {
	for _, x := range xs {
		if math.IsNaN(x) {
			n++
		}
	}
	return n
}

// FuzzReadCSV reads arbitrary text. What is read must keep its rows, names, kinds and values when it is
// written and read again.
func FuzzReadCSV(f *testing.F) {
	for _, text := range []string{"a,b\n1,x\n", "\ufeffa,a,,a\n1,2,3,4\n", "a\n\"\"\nNA\n", "t;x\n1,5;é\n", "a b\n 1 \"q\"\n"} {
		f.Add([]byte(text), byte(0))
		f.Add([]byte(text), byte(1))
		f.Add([]byte(text), byte(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, format byte) {
		o := []CSV{{}, {Decimal: ','}, {NoHeader: true}, {Comma: '\t', Comment: '#'}}[format%4]
		read, err := ReadCSV(bytes.NewReader(data), o)
		if err != nil || strings.HasPrefix(read.Columns[0].Name, "\ufeff") { // would be read as a byte order mark
			return
		}
		if bytes.Contains(data, []byte("\r\r")) { // encoding/csv reads \r\r\n in quotes as \r\n, and that as \n
			return
		}
		for _, c := range read.Columns { // NAN is a number, but it is written as NaN, which is a missing value
			if n := countNaN(c.Floats); n > c.Missing {
				return
			}
		}
		o.Comment = 0 // a field that begins with the comment character is written as it is
		o.NoHeader = false
		var b bytes.Buffer
		if err := WriteCSV(&b, read, o); err != nil {
			t.Fatal(err)
		}
		again, err := ReadCSV(&b, o)
		if err != nil {
			t.Fatal(err)
		}
		if want, got := shown(read, nil), shown(again, nil); got != want {
			t.Fatalf("%s came back as %s", want, got)
		}
	})
}
