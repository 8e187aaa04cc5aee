package anvil

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/shape"
)

// TestTextsOfTimes checks the text of a Timing, and how its numbers are rounded.
func TestTextsOfTimes(t *testing.T) {
	timing := Timing{Median: 12345, Min: 999, Max: 1234567, Rounds: 5, Calls: 7, Launches: 1, First: 10 * time.Millisecond,
		Trace: 2 * time.Millisecond, Compile: 5 * time.Millisecond, Programs: 1}
	want := "12.3µs a call (999ns to 1.23ms in 5 rounds of 7), 1 launch\n" +
		"the first took 10ms: 2ms tracing, 5ms compiling 1 program, 3ms all else"
	if got := timing.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	timing.Compile = 9 * time.Millisecond // measured apart, the parts may be more than the whole
	if got := timing.String(); got != "12.3µs a call (999ns to 1.23ms in 5 rounds of 7), 1 launch\nthe first took "+
		"10ms: 2ms tracing, 9ms compiling 1 program, 0s all else" {
		t.Error(got)
	}
	for d, want := range map[time.Duration]string{0: "0s", 999: "999ns", 1000: "1µs", 1004: "1µs", 1006: "1.01µs",
		10006: "10µs", 99949: "99.9µs", 999500: "1ms", 1234567890: "1.23s"} {
		if got := short(d).String(); got != want {
			t.Errorf("short(%d) is %s, want %s", d, got, want)
		}
	}
	for n, want := range map[float64]string{0: "0 launches", 1: "1 launch", 2: "2 launches", 2.5: "2.5 launches",
		10.0 / 3: "3.33 launches"} {
		if got := launches(n); got != want {
			t.Errorf("launches(%v) is %s, want %s", n, got, want)
		}
	}
	if got := programs(1) + ", " + programs(2) + ", " + programs(0); got != "1 program, 2 programs, 0 programs" {
		t.Error(got)
	}
}

// TestSpent checks how the time of a cell is described, with and without computations.
func TestSpent(t *testing.T) {
	c := NewContext(ContextOptions{Backend: "reference"})
	defer c.Close()
	if got := c.Spent(1234*time.Microsecond, c.Stats(), 0); got != "1.23ms" {
		t.Errorf("nothing is computed: %s", got)
	}
	before := c.Stats()
	if x := c.Ones(Shape{3}).Add(1).Sum().Float(); x != 6 {
		t.Error(x)
	}
	got := c.Spent(time.Hour, before, math.MaxInt64)
	if !strings.HasPrefix(got, "1h0m0s: ") || !strings.Contains(got, " tracing, ") || !strings.Contains(got, " compiling, ") ||
		!strings.Contains(got, " all else; ") || !strings.HasSuffix(got, "launch") && !strings.HasSuffix(got, "launches") {
		t.Errorf("a sum is computed: %s", got)
	}
	compilations := c.Compilations(0)
	if len(compilations) == 0 {
		t.Fatal("nothing was compiled")
	}
	_, list, _ := strings.Cut(c.Spent(time.Hour, before, 0), "\n")
	for _, p := range compilations {
		line, rest, _ := strings.Cut(list, "\n")
		if line != p.String() {
			t.Errorf("a compilation: got %q, want %q", line, p)
		}
		list = rest
	}
}

// TestTruncate checks what happens to imaginary parts by each setting of SetTruncation.
func TestTruncate(t *testing.T) {
	var log strings.Builder
	c := NewContext(ContextOptions{Backend: "reference", Log: &log})
	defer c.Close()
	z := c.From([]complex64{1 + 2i})
	err := Try(func() { truncate("layer", z, F64) })
	want := "layer(c64{1}): the imaginary parts would be lost at f64; leave DType out, take x.Real(), or call " +
		"nn.OnComplexTruncation(nn.Silent)"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for _, s := range []struct {
		setting Truncation
		logged  string
	}{{AllowTruncation, ""}, {WarnTruncation, "warning: layer(c64{1}): the imaginary parts are lost at f64"}} {
		c.SetTruncation(s.setting)
		if got := truncate("layer", z, F64).String(); got != "f64{1} [1]" || strings.TrimSpace(log.String()) != s.logged {
			t.Errorf("%d: %s, logged %q, want %q", s.setting, got, log.String(), s.logged)
		}
	}
}

// TestErrorsOfOtherPackages checks which panics Try returns, and how errors become those of an operation.
func TestErrorsOfOtherPackages(t *testing.T) {
	own := &Error{Op: "Add", Operands: "f32", Reason: "wrong", Hint: "right"}
	of := &dtype.Error{Op: "Parse", Operands: "f33", Reason: "no dtype", Hint: "f32"}
	refusal := &promote.Refusal{Op: "add", Kind: "TypeError", Reason: "not here"}
	for _, e := range []error{own, of, refusal} {
		if got := Try(func() { panic(e) }); got != e {
			t.Errorf("Try returns %v", got)
		}
	}
	func() {
		defer func() {
			if r := recover(); r != "other" {
				t.Errorf("another panic becomes %v", r)
			}
		}()
		Try(func() { panic("other") })
	}()
	plain := errors.New("plain")
	for _, c := range []struct {
		op   string
		err  error
		want string
	}{
		{"Sum", own, "Add(f32): wrong; right"},
		{"Sum", fmt.Errorf("more: %w", own), "Add(f32): wrong; right"},
		{"Sum", refusal, "Sum(x): TypeError: not here"},
		{"Sum", of, "Sum(x): no dtype; f32"},
		{"", of, "Parse(f33): no dtype; f32"},
		{"Sum", plain, "Sum(x): plain"},
	} {
		got := asError(c.op, "x", c.err)
		if got.Error() != c.want || c.err != error(own) && c.op == "Sum" && got != own && !errors.Is(got, c.err) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	if MustAny(3, nil) != 3 {
		t.Error("MustAny changes its argument")
	}
	if got := Try(func() { Must(3, plain) }); got == nil || got.Error() != "Must(): plain" || !errors.Is(got, plain) {
		t.Error(got)
	}
	if got := plural(1, "axis", "axes") + ", " + plural(2, "axis", "axes") + ", " + plural(0, "axis", "axes"); got !=
		"1 axis, 2 axes, 0 axes" {
		t.Error(got)
	}
}

// TestTextsOfTables checks the texts of tables and columns, and the hints of a missing column.
func TestTextsOfTables(t *testing.T) {
	c := NewContext(ContextOptions{Backend: "reference"})
	defer c.Close()
	table := c.NewTable([]string{"kind", "size"}, []string{"a", "b", "a"}, []float64{1, math.NaN(), 4})
	if got := table.String(); got != "table of 3 rows: kind, size" {
		t.Error(got)
	}
	if s := table.Shape(); !s.Equal(Shape{3, 2}) {
		t.Error(s)
	}
	size := table.Col("size")
	got := fmt.Sprintf("%v; %d, %d, %s, %s", size, size.Len(), size.Missing(), size.Name(), size.Kind())
	if got != "size: 3 f64; 3, 1, size, floats" {
		t.Error(got)
	}
	for _, s := range []struct {
		what      string
		of        func(names ...string) *Table
		whole     float64
		first     float64
		lastIsNaN bool // a group with only missing values
	}{
		{"Sum", table.GroupBy("kind").Sum, size.Sum(), 5, false},
		{"Mean", table.GroupBy("kind").Mean, size.Mean(), 2.5, true},
		{"Std", table.GroupBy("kind").Std, size.Std(), 3 / math.Sqrt2, true},
		{"Min", table.GroupBy("kind").Min, size.Min(), 1, true},
		{"Median", table.GroupBy("kind").Median, size.Median(), 2.5, true},
		{"Max", table.GroupBy("kind").Max, size.Max(), 4, true},
	} {
		if s.whole != s.first { // the column has the values of the first group, and a missing one
			t.Errorf("%s of the column is %v, want %v", s.what, s.whole, s.first)
		}
		got := Values[float64](s.of("size").Col("size").Tensor())
		if len(got) != 2 || got[0] != s.first || math.IsNaN(got[1]) != s.lastIsNaN {
			t.Errorf("%s of the groups is %v", s.what, got)
		}
	}
	for name, want := range map[string]string{
		"a;b":  `Col("x"): there is no such column; the only column is "a;b"; to split it write nv.ReadCSV(path, nv.CSV{Comma: ';'})`,
		"a\tb": `Col("x"): there is no such column; the only column is "a\tb"; to split it write nv.ReadCSV(path, nv.CSV{Comma: '\t'})`,
		"a|b":  `Col("x"): there is no such column; the only column is "a|b"; to split it write nv.ReadCSV(path, nv.CSV{Comma: '|'})`,
		"ab":   `Col("x"): there is no such column; the columns are "ab"`,
	} {
		if err := Try(func() { c.NewTable([]string{name}, []float64{1}).Col("x") }); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := Try(func() { table.Col("x") }); err == nil || err.Error() !=
		`Col("x"): there is no such column; the columns are "kind", "size"` {
		t.Error(err)
	}
}

// TestTextsOfOptions checks the texts that list options, and those of the library and of a shortage of memory.
func TestTextsOfOptions(t *testing.T) {
	for op, want := range map[string]string{"Linspace": "a dtype, nv.Ambiguous and nv.Device", "Mul": "nv.Out",
		"Sub": "nv.Alpha and nv.Out", "Nothing": ""} {
		if got := optionWords(op); got != want {
			t.Errorf("%s takes %q, want %q", op, got, want)
		}
	}
	for _, c := range []struct {
		option any
		want   string
	}{{F32, "DType"}, {KeepDims, "KeepDims"}, {Axis(1), "Axis"}, {Same, "Same"}, {Valid, "Valid"}, {Exclusive, "Exclusive"},
		{Exclusive | Reverse, "Exclusive Reverse"}, {Reverse, "Reverse"}, {3, ""}} {
		if got := strings.Join(optionNames(c.option), " "); got != c.want {
			t.Errorf("%v is the option %q, want %q", c.option, got, c.want)
		}
	}
	if got := With(promote.Torch).String(); got != "the library under the promotion system torch" {
		t.Error(got)
	}
	if got := Ones(Shape{2, 2}).GoString(); got != "anvil.Tensor(f32{2,2})" {
		t.Error(got)
	}
	if got := hostShortage(shape.Of(F32, 1<<28), 1<<29); got != "1.00 GiB, but only 512.00 MiB of the host's memory is free" {
		t.Error(got)
	}
	if x := Why(Ones(Shape{2}).Add(Scalar(1))); !strings.HasPrefix(x.String(), "Add(f32, i32? literal) -> f32 under anvil") &&
		x.String() != "Add(f32, i32?) -> f32 under anvil\n 1. f32 with i32?: f32 (ambiguous yields: a known dtype "+
			"of the same or a higher kind wins, even where it is narrower)" {
		t.Error(x)
	}
}
