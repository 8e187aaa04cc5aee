package interp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/interptest"
	"github.com/goanvil/notebook/interp/universe"
)

// TestValue checks which names have a value, and that it is the variable.
func TestValue(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	nb.MustRun(t, 1, "x := 3\nconst c = 4\ntype T int\nfunc f() {}")
	v, ok := nb.Value("x")
	if !ok || v.Int() != 3 {
		t.Fatalf("x is %v, %t", v, ok)
	}
	v.SetInt(5)
	if got := nb.MustRun(t, 2, "x"); got != "5" {
		t.Errorf("x is %s, want 5", got)
	}
	for _, name := range []string{"c", "T", "f", "missing"} {
		if v, ok := nb.Value(name); ok || v.IsValid() {
			t.Errorf("%s has the value %v", name, v)
		}
	}
	nb.Names(func(e *check.Env) {
		if e != nb.Env() || e.Lookup("x") == nil || e.Lookup("missing") != nil {
			t.Error("Names passes other names than Env returns")
		}
	})
}

// TestSnapshot checks that restoring a snapshot restores variables, but not elements of slices and maps, and not
// variables that have been declared again.
func TestSnapshot(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	nb.MustRun(t, 1, "n, s, xs, w := 1, \"a\", []int{1}, nv.Scalar(2.0)")
	restore := nb.Snapshot()
	nb.MustRun(t, 2, "n, xs[0], w = 2, 7, w+1\ns := 5\nlater := 8")
	restore()
	if got := nb.MustRun(t, 3, "fmt.Sprint(n, s, xs, w.Float(), later)"); got != "1 5 [7] 2 8" {
		t.Errorf("got %s", got)
	}
}

// TestCall checks the errors of functions that show values.
func TestCall(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	nb.MustRun(t, 1, "func down(n int) int { return down(n+1) + 1 }\n"+
		"deep := func() { down(0) }\nboom := func() { panic(3) }")
	called := func(name string) func() {
		v, _ := nb.Value(name)
		return v.Interface().(func())
	}
	const source = "\n    func down(n int) int { return down(n+1) + 1 }"
	for _, c := range []struct {
		f          func()
		name, want string
	}{
		{func() { panic("wrong") }, "panic", "panic: showing the value panicked: wrong"},
		{func() { panic(errors.New("wrong")) }, "error", "error: wrong"},
		{runtime.Goexit, "error", "error: the cell has ended its goroutine with runtime.Goexit"},
		{called("boom"), "panic", "cell[1]:3:18: showing the value panicked: 3\n    boom := func() { panic(3) }"},
		{called("deep"), "error", "cell[1]:1:31: functions call each other without end" + source},
	} {
		var e *interp.Error
		if err := nb.Call(t.Context(), c.f); !errors.As(err, &e) || e.Name != c.name || !strings.HasPrefix(e.Text()+"\n", c.want+"\n") {
			t.Errorf("got %v, want %s: %s", err, c.name, c.want)
		}
	}
	done := false
	if err := nb.Call(t.Context(), func() { done = true }); err != nil || !done {
		t.Errorf("a call that returns: %v, %t", err, done)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := nb.Call(ctx, func() { cancel(); select {} }); err != context.Canceled {
		t.Errorf("an interrupted call: %v", err)
	}
}

// TestIsComplete checks the statuses of code, and that they follow the options of the session's syntax.
func TestIsComplete(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	check := func(code string, want cell.Status, indent string) {
		t.Helper()
		if status, got := nb.IsComplete(code); status != want || got != indent {
			t.Errorf("%q is %s with the indentation %q, want %s and %q", code, status, got, want, indent)
		}
	}
	check("x := 1", cell.Complete, "")
	check("if true {", cell.Incomplete, "\t")
	check("x := )", cell.Invalid, "")
	check("!echo a b", cell.Invalid, "")
	nb.Syntax(cell.Shell)
	check("!echo a b", cell.Complete, "")
	nb.Syntax()
	check("!echo a b", cell.Invalid, "")
}

// TestUnder checks that a promotion system holds for the cells after it, until the default is set again.
func TestUnder(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	nb.MustRun(t, 1, "x := nv.New([]int8{1, 2})")
	for i, c := range [][3]string{{"", "", "i8"}, {universe.Module + "/anvil/promote", "Torch", "i64"}, {"", "", "i8"}} {
		nb.Under(c[0], c[1])
		if got := nb.MustRun(t, 2+i, "x.Sum().DType()"); got != c[2] {
			t.Errorf("under %q, the sum of i8 is %s, want %s", c[1], got, c[2])
		}
	}
}

// TestParse checks the syntax and the lines of a parsed cell, and the errors of cells that do not run.
func TestParse(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	p := nb.Parse(t.Context(), "x := 1\n\nx + 1", 1)
	if stmts := p.Syntax().Stmts; len(stmts) != 2 || p.Line(stmts[0].Pos()) != 1 || p.Line(stmts[1].Pos()) != 3 {
		t.Errorf("parsed %d statements", len(stmts))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, res := range []interp.Result{nb.RunParsed(ctx, p), nb.Run(ctx, "x := 1", 1)} {
		if res.Err == nil || res.Err.Name != "Interrupt" || res.Err.Text() != "cell[1]: interrupted" {
			t.Errorf("interrupted before it runs: %+v", res.Err)
		}
	}
	p = nb.Parse(t.Context(), "x := 1", 2)
	p.Syntax().Stmts = append(p.Syntax().Stmts, nil)
	res := nb.RunParsed(t.Context(), p)
	const want = "cell[2]: this cell cannot be compiled because of an error in goanvil: ast.Walk: unexpected node type <nil>; " +
		"the session is unchanged; write the cell another way"
	if res.Err == nil || res.Err.Text() != want {
		t.Errorf("a statement that is nil: %+v", res.Err)
	}
	if _, ok := nb.Value("x"); ok {
		t.Error("x is declared")
	}
}

// TestStreams checks that cells read from the session's standard input, and that a session without options reads
// and writes nothing.
func TestStreams(t *testing.T) {
	const scan = "var a, b, c int\nn, _ := fmt.Scan(&a)\nm, _ := fmt.Scanf(\" %d\\n\", &b)\nk, _ := fmt.Scanln(&c)\n" +
		"fmt.Print(\"read\")\nfmt.Sprint(n, m, k, a, b, c)"
	nb := interptest.New(t, interp.Options{Stdin: strings.NewReader("1 2\n3\n4")})
	if got := nb.MustRun(t, 1, scan); got != "1 1 1 1 2 3" || nb.Stdout.String() != "read" {
		t.Errorf("got %s and printed %q", got, nb.Stdout.String())
	}
	s, err := interp.New(universe.WithReceivers(nil), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if res := s.Run(t.Context(), scan, 1); res.Err != nil || interptest.Text(res.Values) != "0 0 0 0 0 0" {
		t.Errorf("without options: %+v", res)
	}
}

// TestTensorFailure checks that an error in computing a tensor has the position of the last assignment to the variable
// that holds the tensor.
func TestTensorFailure(t *testing.T) {
	for _, c := range []struct {
		code, want string
		failed     rootError
	}{
		{"c, d := nv.Scalar(1.0), nv.Scalar(2.0)", "cell[1]:1:9: tensor 0", 0},
		{"c, d := nv.Scalar(1.0), nv.Scalar(2.0)", "cell[1]:1:25: tensor 1", 1},
		{"var c, d = nv.Scalar(1.0), nv.Scalar(2.0)", "cell[1]:1:12: tensor 0", 0},
		{"var c, d = nv.Scalar(1.0), nv.Scalar(2.0)", "cell[1]:1:28: tensor 1", 1},
		{"two := func() (a, b nv.Tensor) { return }\nc, d := two()", "cell[1]:2:9: tensor 1", 1},
		{"two := func() (a, b nv.Tensor) { return }\nvar c, d = two()", "cell[1]:2:12: tensor 1", 1},
		{"c := nv.Scalar(1.0)\nc = c + 1\nc += 2", "cell[1]:3:6: tensor 0", 0},
		{"var c nv.Tensor", "cell[1]: tensor 0", 0},
		{"c := nv.Scalar(1.0)", "cell[1]: tensor 1", 1},
	} {
		nb := interptest.New(t, interp.Options{AfterCell: func(context.Context, []reflect.Value) error {
			return fmt.Errorf("%w", c.failed)
		}})
		res := nb.Run(t.Context(), c.code, 1)
		if res.Err == nil || res.Err.Traceback[0] != c.want || res.Err.Error() != c.want {
			t.Errorf("%s: %+v, want %s", c.code, res.Err, c.want)
		}
	}
}

// TestDisplayError checks the positions that errors of displaying values get.
func TestDisplayError(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	res := nb.Run(t.Context(), "x := 1\nx", 1)
	placed := interp.Error{Message: "wrong", Pos: "cell[9]:1:1", Traceback: []string{"cell[9]:1:1: wrong"}}
	bare := interp.Error{Message: "wrong", Traceback: []string{"panic: wrong"}}
	for _, c := range []struct {
		res       interp.Result
		err       error
		pos, want string
	}{
		{res, &placed, "cell[9]:1:1", "cell[9]:1:1: wrong\ncell[1]:2:1\n    x\n    ^"},
		{res, &bare, "cell[1]:2:1", "cell[1]:2:1: wrong\n    x\n    ^"},
		{interp.Result{}, &interp.Error{Message: "bare", Traceback: []string{"panic: bare"}}, "", "panic: bare"},
		{interp.Result{}, errors.New("plain"), "", "plain"},
		{res, errors.New("plain"), "cell[1]:2:1", "cell[1]:2:1: plain\n    x\n    ^"},
	} {
		if e := nb.DisplayError(c.res, c.err); e.Pos != c.pos || e.Text() != c.want {
			t.Errorf("%q: %s", e.Pos, e.Text())
		}
	}
}

// TestUnwrap checks that an Error holds the error that its cell panicked with or returned, and no other value.
func TestUnwrap(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	nb.MustRun(t, 1, "import \"io\"\nfunc fail() error { return io.EOF }")
	for code, want := range map[string]error{"panic(io.EOF)": io.EOF, "fail()": io.EOF, "panic(1)": nil, "missing": nil} {
		if res := nb.Run(t.Context(), code, 2); res.Err == nil || errors.Unwrap(res.Err) != want {
			t.Errorf("%s: %+v", code, res.Err)
		}
	}
}
