package display

import (
	"fmt"
	"math"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// hostArray returns an array of the values vs, row by row, and a counter of the bytes read from it.
func hostArray(t *testing.T, typ dtype.Typed, s shape.Shape, vs ...any) (array, *int) {
	t.Helper()
	var data []byte
	for _, v := range vs {
		var err error
		if data, err = dtype.Append(data, typ.DType, v); err != nil {
			t.Fatal(err)
		}
	}
	if len(vs) != s.Size() {
		t.Fatalf("%d values for %s", len(vs), s)
	}
	read := new(int)
	a := array{typed: typ, shape: s, platform: "CPU"}
	a.read = func(matrices, rows, cols int) (out []byte, err error) {
		_, allRows, allCols := a.extent()
		size := typ.DType.Size()
		for m := range matrices {
			for r := range rows {
				at := (m*allRows + r) * allCols * size
				out = append(out, data[at:at+cols*size]...)
			}
		}
		*read += len(out)
		return out, nil
	}
	return a, read
}

// columnMajor returns the values first, first+1, ... as R fills matrices with them: column by column.
func columnMajor(first float64, lead, rows, cols int) (vs []any) {
	for m := range lead {
		for r := range rows {
			for c := range cols {
				vs = append(vs, first+float64(c*rows*lead+r*lead+m))
			}
		}
	}
	return vs
}

func count(n int) []any { return columnMajor(1, 1, n, 1) }

func repeat(v any, n int) (vs []any) {
	for range n {
		vs = append(vs, v)
	}
	return vs
}

type printCase struct {
	name  string
	typ   string
	shape shape.Shape
	vs    []any
	opts  Options
}

var inf, nan = math.Inf(1), math.NaN()

// printCases returns the cases of the printed snapshots of r-xla/pjrt and r-xla/anvil, followed by cases for which
// R anvil has no dtype or no snapshot.
func printCases() []printCase {
	std := DefaultOptions
	return []printCase{
		{"i8", "i8", shape.Shape{1}, []any{1}, std},
		{"vector", "i32", shape.Shape{3}, []any{1, 2, 3}, std},
		{"matrix", "i32", shape.Shape{2, 5}, columnMajor(1, 1, 2, 5), std},
		{"large integers", "i32", shape.Shape{2, 2}, []any{10000000, 30000000, 20000000, 1}, std},
		{"inf and nan", "f32", shape.Shape{4}, []any{inf, -inf, nan, 1}, std},
		{"inf and fraction", "f32", shape.Shape{4}, []any{inf, inf, nan, 100011.234567}, std},
		{"inf and fraction in a row", "f32", shape.Shape{1, 4}, []any{inf, inf, nan, 100011.234567}, std},
		{"seven digits", "i32", shape.Shape{1}, []any{1234567}, std},
		{"seven digits negative", "i32", shape.Shape{1}, []any{-1234567}, std},
		{"six digits", "i32", shape.Shape{1}, []any{123456}, std},
		{"six digits negative", "i32", shape.Shape{1}, []any{-123456}, std},
		{"whole floats", "f64", shape.Shape{10}, count(10), std},
		{"halves", "f32", shape.Shape{2}, []any{1, 2.5}, std},
		{"small", "f32", shape.Shape{1}, []any{1e-10}, std},
		{"far apart", "f32", shape.Shape{2}, []any{1e10, 1e-10}, std},
		{"truncated column", "f32", shape.Shape{50, 1}, count(50), std},
		{"column blocks", "f32", shape.Shape{2, 50}, columnMajor(1, 1, 2, 50), std},
		{"rank 3", "f32", shape.Shape{2, 3, 4}, columnMajor(1, 2, 3, 4), std},
		{"rank 7", "i32", shape.Shape{1, 1, 1, 1, 1, 5, 4}, columnMajor(1, 1, 5, 4), std},
		{"width per slice", "f32", shape.Shape{2, 2, 2}, []any{1, 3, 2, 4, 100, 300, 200, 400}, std},
		{"bools", "i1", shape.Shape{2, 2}, []any{true, true, false, false}, std},
		{"alignment", "i32", shape.Shape{1, 4}, []any{1000, 1, 10, 100}, std},
		{"wide rank 3", "i32", shape.Shape{1, 2, 50}, columnMajor(1, 1, 2, 50), std},
		{"very wide rank 3", "i32", shape.Shape{1, 2, 500}, columnMajor(1, 1, 2, 500), std},
		{"scalar", "f32", nil, []any{1}, std},
		{"scalar fraction", "f64", nil, []any{-10.1213}, std},
		{"scalar million", "f32", nil, []any{1e6}, std},
		{"scalar minus million", "f32", nil, []any{-1e6}, std},
		{"scalar hundred thousand", "f32", nil, []any{1e5}, std},
		{"ui64", "ui64", nil, []any{998}, std},
		{"false", "i1", nil, []any{false}, std},
		{"ten rows", "i32", shape.Shape{100}, count(100), Options{MaxRows: 10, MaxWidth: 85, Precision: 4}},
		{"eleventh row", "i32", shape.Shape{11, 1}, count(11), Options{MaxRows: 10, MaxWidth: 85, Precision: 4}},
		{"all rows", "i32", shape.Shape{100}, count(100), Options{MaxRows: -1, MaxWidth: 85, Precision: 4}},
		{"narrower than an element", "i32", shape.Shape{1, 1}, []any{100}, Options{MaxRows: 1, MaxWidth: 3, Precision: 4}},
		{"one column", "i32", shape.Shape{1, 3}, []any{100, 100, 100}, Options{MaxRows: 1, MaxWidth: 7, Precision: 4}},
		{"two columns", "i32", shape.Shape{1, 3}, []any{100, 100, 100}, Options{MaxRows: 1, MaxWidth: 8, Precision: 4}},
		{"scaled", "f32", shape.Shape{1, 50}, repeat(1e-7, 50), Options{MaxRows: 30, MaxWidth: -1, Precision: 4}},
		{"scaled per slice", "f32", shape.Shape{2, 1, 2}, []any{1e-6, 1e-6, 1e-9, 1e-9}, std},
		{"scaled in blocks", "f32", shape.Shape{2, 2, 5}, append(repeat(1e-6, 10), repeat(1e-9, 10)...), Options{MaxRows: 30, MaxWidth: 15, Precision: 4}},
		{"no empty slice", "i32", shape.Shape{3, 4, 5}, columnMajor(1, 3, 4, 5), Options{MaxRows: 4, MaxWidth: 85, Precision: 4}},
		{"stress", "f32", shape.Shape{3, 2}, []any{1e9, inf, 3, -2, 123, nan}, std},
		{"header and shape", "i32", shape.Shape{4, 1}, count(4), std},

		{"ambiguous", "f32?", nil, []any{1}, std},
		{"negative fractions", "f64", shape.Shape{2, 2}, []any{-1.5, 0, 0.25, -100}, std},
		{"negative zero", "f32", nil, []any{math.Copysign(0, -1)}, std},
		{"scaled up", "f64", shape.Shape{2}, []any{1234567.5, -2345678.25}, std},
		{"subnormals", "f64", shape.Shape{2}, []any{5e-324, 5e-324}, std},
		{"from a ten-thousandth", "f64", shape.Shape{2}, []any{1e-4, 0.5}, std},
		{"above a ten-thousandth", "f64", shape.Shape{2}, []any{1.1e-4, 0.5}, std},
		{"below a million", "f64", shape.Shape{2}, []any{0.5, 999999.25}, std},
		{"up to a million", "f64", shape.Shape{2}, []any{0.5, 1e6}, std},
		{"whole below a million", "f64", shape.Shape{2}, []any{-999999, 3}, std},
		{"scaled by the least power", "f64", shape.Shape{2}, []any{1e-299, 2.5e-299}, std},
		{"below the least power", "f64", shape.Shape{2}, []any{1e-300, 2.5e-300}, std},
		{"one small element", "f64", shape.Shape{1}, []any{1e-4}, std},
		{"f16", "f16", shape.Shape{2}, []any{0.1, 65504}, std},
		{"bf16", "bf16", shape.Shape{2}, []any{0.1, 3}, std},
		{"f8e4m3fn", "f8e4m3fn", shape.Shape{3}, []any{0.1, 448, nan}, std},
		{"i4", "i4", shape.Shape{3}, []any{-8, 7, 0}, std},
		{"i64", "i64", shape.Shape{2}, []any{math.MinInt64, math.MaxInt64}, std},
		{"c64 whole", "c64", shape.Shape{2}, []any{1 + 2i, -3 - 4i}, std},
		{"c64 fractions", "c64", shape.Shape{2, 1}, []any{0.5 + 2i, complex(nan, -inf)}, std},
		{"c128 small", "c128", nil, []any{1e-10i}, std},
		{"thousand rows", "f32", shape.Shape{1000}, count(1000), std},
		{"one more row", "f32", shape.Shape{31}, count(31), std},
		{"wide and high", "f32", shape.Shape{40, 100}, columnMajor(1, 1, 40, 100), std},
		{"empty", "f32", shape.Shape{0, 3}, nil, std},
		{"rows of no columns", "f32", shape.Shape{3, 0}, nil, std},
		{"rows of no columns, all", "f32", shape.Shape{3, 0}, nil, Options{MaxRows: -1, MaxWidth: 85, Precision: 4}},
		{"slices of no columns", "f32", shape.Shape{2, 3, 0}, nil, std},
		{"slices of no rows, all", "f32", shape.Shape{2, 0, 3}, nil, Options{MaxRows: -1, MaxWidth: 85, Precision: 4}},
		{"no rows wanted", "f32", shape.Shape{3}, count(3), Options{MaxRows: 0, MaxWidth: 85, Precision: 4}},
		{"slices left out", "i32", shape.Shape{2, 20, 20, 1}, count(800), std},
		// A hidden element must not change how the shown ones are written.
		{"hidden row", "f64", shape.Shape{31}, append(repeat(1.0, 30), 1e-9), std},
		{"hidden column", "f64", shape.Shape{30, 30}, hiddenColumn(), std},
		{"columns that an exponent would narrow", "f64", shape.Shape{1, 10}, append(repeat(999999.5, 9), 1e6), Options{MaxRows: 1, MaxWidth: 80, Precision: 1}},
	}
}

func hiddenColumn() (vs []any) {
	for range 30 {
		vs = append(append(vs, repeat(12345.0, 29)...), 1e-9)
	}
	return vs
}

func TestPrint(t *testing.T) {
	g := openGolden(t, "testdata/print.txtar")
	for _, c := range printCases() {
		a, _ := hostArray(t, parseTyped(c.typ), c.shape, c.vs...)
		v, err := c.opts.layOut(a)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		g.compare(c.name, a.text(v)+"\n")
	}
}

func parseTyped(s string) dtype.Typed {
	if n := len(s) - 1; s[n] == '?' {
		return dtype.Typed{DType: dtype.MustParse(s[:n]), Ambiguous: true}
	}
	return dtype.Typed{DType: dtype.MustParse(s)}
}

// TestReadsLittle checks that the number of bytes read does not grow with the tensor.
func TestReadsLittle(t *testing.T) {
	for _, s := range []shape.Shape{{1000000}, {1000, 1000}, {10, 100000}, {100, 100, 100}, {100000, 2, 5}, {1, 1000000}} {
		a := array{typed: parseTyped("f32"), shape: s, platform: "CPU"}
		read := 0
		a.read = func(matrices, rows, cols int) ([]byte, error) {
			read += 4 * matrices * rows * cols
			return make([]byte, 4*matrices*rows*cols), nil
		}
		if _, err := DefaultOptions.layOut(a); err != nil {
			t.Error(err)
		}
		if read > 16000 {
			t.Errorf("%s: %d bytes read", s, read)
		}
	}
}

// TestColumnsLeftOutOfAPage checks that columns left out of any page are counted, not only those of the last one. Here
// the last column of the first page does not fit, since it changes the format.
func TestColumnsLeftOutOfAPage(t *testing.T) {
	vs := repeat(1.0, 2*5*80)
	vs[79] = 0.5
	a, _ := hostArray(t, parseTyped("f32"), shape.Shape{2, 5, 80}, vs...)
	v, err := DefaultOptions.layOut(a)
	if err != nil {
		t.Fatal(err)
	}
	blocks := v.pages[0].blocks
	if left := 80 - blocks[len(blocks)-1].to; left == 0 || v.moreCols != left {
		t.Errorf("%d columns are left out of the first page, and %d are counted", left, v.moreCols)
	}
}

// TestNarrowest checks that a line of one character is shorter than any, and no line at all of any length.
func TestNarrowest(t *testing.T) {
	x := nv.New([][]int32{{1, 2, 3}})
	o := DefaultOptions
	o.MaxWidth = 2
	want := o.Render(x).Text()
	o.MaxWidth = 1
	if got := o.Render(x).Text(); got != want || !strings.Contains(got, "1\n") {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestAllDigits checks that text and HTML have all digits of an integer. R uses an exponent from seven digits on, so
// that 2^53 + 1 looks like 2^53.
func TestAllDigits(t *testing.T) {
	ctx := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	for v, want := range map[any]string{int64(1<<53 + 1): "9007199254740993", uint64(math.MaxUint64): "18446744073709551615", int64(-1234567): "-1234567"} {
		b := Render(ctx.New([]any{v}))
		if text := b.Text(); !strings.Contains(text, " "+want+"\n") {
			t.Errorf("text of %v: %s", v, text)
		}
		if page := fmt.Sprint(b.Data[MIMEHTML]); !strings.Contains(page, "<td>"+want+"</td>") {
			t.Errorf("page of %v: %s", v, page)
		}
	}
}
