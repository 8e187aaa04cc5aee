package compile_test

import (
	"context"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
)

// TestTranscripts runs the notebooks in testdata.
func TestTranscripts(t *testing.T) { interptest.Transcripts(t) }

// TestPrograms runs programs as cells that declare what the program does and then call main.
func TestPrograms(t *testing.T) {
	interptest.Programs(t, "testdata/programs/*.go", func(program string) string {
		return strings.Replace(program, "package main\n", "", 1) + "\nmain()"
	})
}

// TestPastedPrograms runs whole programs, as somebody may paste them into a cell.
func TestPastedPrograms(t *testing.T) {
	interptest.Programs(t, "testdata/pasted/*.go", func(program string) string { return program })
}

// TestCompiledAcrossCells checks that compiled functions see the changes that later cells make.
func TestCompiledAcrossCells(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	for i, c := range []struct{ code, want string }{
		{"k := 2\nfunc f(x int) int { return k * x }\nfunc g(x int) int { return f(x) + 1 }\ntype T struct{ n int }\nfunc (t T) Get() int { return t.n }\nfunc of(t T) int { return t.Get() }", ""},
		{"g(3)", "7"},
		{"k = 5; g(3)", "16"},
		{"func f(x int) int { return -x }", ""},
		{"g(3)", "-2"},
		{"of(T{4})", "4"},
		{"func (t T) Get() int { return t.n * 10 }", ""},
		{"of(T{4})", "40"},
		{"s := 0; for i := range 10 { s += g(i) }", ""},
		{"s", "-35"},
		{"func caught(i int) (err any) { defer func() { err = recover() }(); return []int{1}[i] }", ""},
		{"fmt.Sprint(caught(3), caught(0))", "runtime error: index out of range [3] with length 1 <nil>"},
		{"func nested(n int) int { if n == 0 { panic(\"deep\") }; return nested(n-1) + 1 }", ""},
		{"s = 7; s", "7"},
		{"type Box[E any] struct{ e E }\nfunc (b Box[E]) Get() E { return b.e }", ""},
		{"func boxed[E any](e E) interface{ Get() E } { return Box[E]{e} }", ""},
		{"boxed(8).Get()", "8"},
	} {
		if got := nb.MustRun(t, i+1, c.code); got != c.want {
			t.Errorf("%s: got %s, want %s", c.code, got, c.want)
		}
	}
	res := nb.Run(context.Background(), "nested(2)", 100)
	const source = "\n    func nested(n int) int { if n == 0 { panic(\"deep\") }; return nested(n-1) + 1 }\n    "
	const call = "cell[13]:1:62 in nested" + source + "                                                             ^\n"
	want := "cell[13]:1:38: deep" + source + "                                     ^\n" + call + call + "cell[100]:1:1\n    nested(2)\n    ^"
	if res.Err == nil || res.Err.Text() != want {
		t.Errorf("got %q", res.Err.Text())
	}
}
