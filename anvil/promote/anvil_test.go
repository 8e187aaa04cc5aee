package promote_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// typed returns the dtype named s, ambiguous if s ends in "?".
func typed(t *testing.T, s string) dtype.Typed {
	t.Helper()
	name, amb := strings.CutSuffix(s, "?")
	d, err := dtype.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return dtype.Typed{DType: d, Ambiguous: amb}
}

// elevenStates returns the states of R anvil: eleven dtypes, known and ambiguous.
func elevenStates() (ts []dtype.Typed) {
	for _, d := range promote.Anvil.DTypes() {
		ts = append(ts, promote.Known(d), promote.Amb(d))
	}
	return ts
}

// TestAnvilAgainstItsSource compares dtype and flag of all pairs of states with the results of
// R anvil's own code.
func TestAnvilAgainstItsSource(t *testing.T) {
	data, err := os.ReadFile("testdata/anvil.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Pairs []struct{ A, B, Result string }
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	for _, p := range golden.Pairs {
		if got := promote.Anvil.Common(typed(t, p.A), typed(t, p.B)); got.String() != p.Result {
			t.Errorf("%s with %s: %s, want %s", p.A, p.B, got, p.Result)
		}
	}
	if len(golden.Pairs) != 22*22 {
		t.Errorf("%d pairs", len(golden.Pairs))
	}
}

// TestAnvilAgainstItsTables compares with the two tables of R anvil's documentation: one for
// two known or two ambiguous operands, and one for an ambiguous row and a known column.
func TestAnvilAgainstItsTables(t *testing.T) {
	data, err := os.ReadFile("testdata/tables.txt")
	if err != nil {
		t.Fatal(err)
	}
	known, amb, _ := strings.Cut(strings.TrimPrefix(string(data), "-- known --\n"), "-- ambiguous --\n")
	cells := 0
	eachCell(known, func(row, col, want string) {
		cells++
		for _, flag := range []string{"", "?"} {
			if got := promote.Common(typed(t, row+flag), typed(t, col+flag)); got != typed(t, want+flag) {
				t.Errorf("%s%s with %s%s: %s, want %s%s", row, flag, col, flag, got, want, flag)
			}
		}
	})
	eachCell(amb, func(row, col, want string) {
		cells++
		got := dtype.Common(typed(t, row).DType, typed(t, col).DType, true, false)
		if got.DType != typed(t, want).DType {
			t.Errorf("%s? with %s: %s, want %s", row, col, got, want)
		}
		if flag := want == row && want != col; got.Ambiguous != flag {
			t.Errorf("%s? with %s: %s, ambiguous should be %v", row, col, got, flag)
		}
	})
	if cells != 2*121 {
		t.Errorf("%d cells", cells)
	}
}

// eachCell calls visit for each cell of a table whose first line and first column have names.
func eachCell(table string, visit func(row, col, want string)) {
	lines := strings.Split(strings.TrimRight(table, "\n"), "\n")
	cols := strings.Fields(lines[0])
	for _, line := range lines[1:] {
		f := strings.Fields(line)
		for i, want := range f[1:] {
			visit(f[0], cols[i], want)
		}
	}
}

// TestAnvilOrderNeverMatters joins all 10,648 triples of the 22 states in both
// groupings and by Result, and checks that the results agree.
func TestAnvilOrderNeverMatters(t *testing.T) {
	states, triples := elevenStates(), 0
	for _, a := range states {
		for _, b := range states {
			for _, c := range states {
				triples++
				left := promote.Common(promote.Common(a, b), c)
				right := promote.Common(a, promote.Common(b, c))
				if left != right || left != promote.Anvil.Result(c, b, a) {
					t.Errorf("%s, %s, %s: %s and %s", a, b, c, left, right)
				}
			}
		}
	}
	if triples != 10648 {
		t.Errorf("%d triples", triples)
	}
}

func TestAnvilResult(t *testing.T) {
	i1, i8, i16, f32 := dtype.I1, dtype.I8, dtype.I16, dtype.F32
	for _, row := range []struct {
		xs   []any
		want string
	}{
		{[]any{1}, "i32?"}, {[]any{1.0}, "f32?"}, {[]any{true}, "i1"}, {[]any{1i}, "c64?"},
		{[]any{i1, 1, i16}, "i16"}, {[]any{i16, i1, 1}, "i16"}, {[]any{i1, i8, 1.5}, "f32?"},
		{[]any{2.0, 3}, "f32?"}, {[]any{2, dtype.F64}, "f64"}, {[]any{i8, int16(5)}, "i16"},
		{[]any{f32, 1 << 40}, "f32"}, {[]any{dtype.I64, 1 << 40}, "i64"}, {[]any{dtype.F64, 0.1}, "f64"},
		{[]any{promote.Amb(f32), promote.Known(dtype.I64)}, "f32?"},
	} {
		if got := promote.Anvil.Result(row.xs...); got != typed(t, row.want) {
			t.Errorf("Result(%v) = %s, want %s", row.xs, got, row.want)
		}
		if got := promote.Result(row.xs...); got != typed(t, row.want) {
			t.Errorf("the function Result(%v) = %s, want %s", row.xs, got, row.want)
		}
	}
	if got := promote.AtLeast(f32, 1); got != promote.Known(f32) {
		t.Errorf("AtLeast(f32, 1) = %s", got)
	}
	if got := promote.Common(promote.Amb(f32), promote.Known(i8)); got != promote.Amb(f32) {
		t.Errorf("Common(f32?, i8) = %s", got)
	}
}

func TestAnvilRefuses(t *testing.T) {
	type meters float64
	for _, row := range []struct {
		xs   []any
		want string
	}{
		{[]any{1 << 40}, "does not fit i32"}, {[]any{dtype.I1, 1 << 40}, "does not fit i32"}, {[]any{dtype.I8, 300}, "does not fit i8"},
		{[]any{dtype.U8, -1}, "does not fit ui8, which holds 0 to 255"}, {[]any{dtype.F16, 1e6}, "does not fit f16, which holds up to 65504"},
		{[]any{dtype.F32, meters(1)}, "float64(v)"}, {[]any{dtype.F8E5M2, dtype.F8E4M3}, "narrow floats"}, {nil, "nothing to join"},
		{[]any{dtype.F32, "x"}, "not a number"},
	} {
		e := promote.Anvil.Explain(row.xs...)
		if e.Err == nil || !strings.Contains(e.Err.Error(), row.want) || !strings.Contains(e.String(), row.want) {
			t.Errorf("Explain(%v): %v, want ...%s...", row.xs, e.Err, row.want)
		}
		func() {
			defer func() {
				if _, ok := recover().(*dtype.Error); !ok {
					t.Errorf("Result(%v) did not panic with a *dtype.Error", row.xs)
				}
			}()
			promote.Anvil.Result(row.xs...)
		}()
	}
}

func TestExplain(t *testing.T) {
	got := promote.Anvil.Explain(dtype.I1, 1, dtype.I16).String()
	want := `anvil: i1, 1, i16 -> i16
 1. 1: i32? (literal: the number 1 has no dtype of its own; by itself it counts as i32)
 2. i1 with i32?: i32? (ambiguous over bool: a known bool gives way to the ambiguous dtype, which stays ambiguous)
 3. i32? with i16: i16 (ambiguous yields: a known dtype of the same or a higher kind wins, even where it is narrower)`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestDivisionAndReductions(t *testing.T) {
	if got := promote.Anvil.Division(promote.Amb(dtype.I32)); got != promote.Amb(dtype.I32) {
		t.Errorf("i32? / i32?: %s", got)
	}
	for _, row := range []struct {
		r          promote.Reduction
		from, want string
	}{
		{promote.Sum, "i8", "i8"}, {promote.Sum, "f32?", "f32?"}, {promote.Extreme, "ui8", "ui8"},
		{promote.Mean, "i32", "f32?"}, {promote.Mean, "i64", "f32?"}, {promote.Mean, "f64", "f64"}, {promote.Mean, "i1", "f32?"}, {promote.Mean, "bf16", "bf16"},
		{promote.Logical, "i1?", "i1"}, {promote.Index, "f32?", "i32"}, {promote.Compare, "i32?", "i1?"}, {promote.Compare, "i32", "i1"},
	} {
		if got := promote.Anvil.Reduction(row.r, typed(t, row.from)); got != typed(t, row.want) {
			t.Errorf("%s of %s: %s, want %s", row.r, row.from, got, row.want)
		}
	}
}

func TestByName(t *testing.T) {
	if s, err := promote.ByName("anvil"); s != promote.Anvil || err != nil {
		t.Errorf("%v, %v", s, err)
	}
	if _, err := promote.ByName("pascal"); err == nil || !strings.Contains(err.Error(), "[anvil") {
		t.Errorf("%v", err)
	}
}

func BenchmarkJoin(b *testing.B) {
	x := promote.Operand{Typed: promote.Known(dtype.F32), Rank: 2}
	y := promote.Operand{Typed: promote.Amb(dtype.I32), Literal: 5}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = promote.Anvil.Join(x, y)
	}
}

func TestTable(t *testing.T) {
	tab := promote.Anvil.Table(true, false)
	if len(tab.Cells) != 11 || len(tab.Cells[0]) != 11 {
		t.Fatalf("%d x %d cells", len(tab.Cells), len(tab.Cells[0]))
	}
	if c := tab.Cells[10][3]; c.Result != promote.Amb(dtype.F64) || c.Rule.Name != "ambiguous of a higher kind" {
		t.Errorf("f64? with i32: %+v", c)
	}
	if c := promote.Anvil.TableOf([]dtype.DType{dtype.F8E5M2, dtype.F8E4M3}).Cells; c[0][0].Err != nil || c[0][1].Err == nil {
		t.Errorf("two kinds of float8: %v", c)
	}
	if want := "anvil: common dtype of row (ambiguous) and column (known)"; tab.Caption() != want {
		t.Errorf("caption %q", tab.Caption())
	}
}
