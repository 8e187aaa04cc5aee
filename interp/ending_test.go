package interp_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
)

// TestExhausted checks that lack of memory ends a cell, running or waiting, at its position, and that the next cell
// runs.
func TestExhausted(t *testing.T) {
	for code, want := range map[string]string{
		"fmt.Println(\"started\")\nfor {\n}":       "error\ncell[2]:",
		"fmt.Println(\"started\")\nselect {}":      "error\ncell[2]:",
		"fmt.Println(\"started\")\nwait()\nkept++": "error\ncell[",
	} {
		nb, out := interptest.New(t, interp.Options{}), signal{make(chan string, 1000)}
		nb.MustRun(t, 1, "kept := 3\nfunc wait() { <-make(chan int) }")
		nb.SetStdout(out)
		go func() {
			<-out.written
			nb.Exhaust(errors.New("no memory is left"))
		}()
		res := nb.Run(context.Background(), code, 2)
		if res.Err == nil || res.Err.Message != "no memory is left" ||
			!strings.HasPrefix(res.Err.Name+"\n"+res.Err.Text(), want) {
			t.Errorf("%s: %+v", code, res.Err)
		}
		nb.SetStdout(&nb.Stdout)
		if got := nb.MustRun(t, 3, "for range 10 {\n\tkept++\n}\nkept"); got != "13" {
			t.Errorf("the next cell shows %s", got)
		}
	}
}

// TestReports checks what is written when a goroutine panics that an earlier cell has started.
func TestReports(t *testing.T) {
	const declare = `
type Loud struct{}
func (Loud) Error() string { panic("the text fails") }
type Plain struct{ N int }
func down(n int) int { return down(n+1) + 1 }
`
	for _, c := range []struct{ code, want string }{
		{"panic(Plain{3})", "panic in a goroutine: {3}\n" +
			"cell[1]:6:13\n    go func() { panic(Plain{3}) }()\n                ^\n"},
		{"panic(Loud{})", "panic in a goroutine: a value of type main.Loud whose text cannot be computed\n" +
			"cell[1]:6:13\n    go func() { panic(Loud{}) }()\n                ^\n"},
		{"down(0)", "panic in a goroutine: functions call each other without end\n" +
			"cell[1]:5:31 in down\n    func down(n int) int { return down(n+1) + 1 }\n"},
	} {
		out := signal{make(chan string, 1)}
		nb := interptest.New(t, interp.Options{Stderr: out})
		nb.MustRun(t, 1, declare+"go func() { "+c.code+" }()")
		got := <-out.written
		if diff := cmp.Diff(c.want, got[:min(len(got), len(c.want))]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.code, diff)
		}
	}
}

// TestLoopInInterruptedDefer checks that a deferred function of an interrupted cell runs a loop to its end.
func TestLoopInInterruptedDefer(t *testing.T) {
	nb, out := interptest.New(t, interp.Options{}), signal{make(chan string, 1000)}
	nb.MustRun(t, 1, "sum, ended := 0, make(chan bool)\nfunc add() {\n\tdefer close(ended)\n"+
		"\tfor i := range 1000 {\n\t\tsum += i\n\t}\n}")
	nb.SetStdout(out)
	code := "func() {\n\tdefer add()\n\tfmt.Println(\"started\")\n\tfor {\n\t}\n}()"
	if res := interrupted(t, nb, out, code, 2); res.Err == nil || res.Err.Name != "Interrupt" {
		t.Errorf("got %+v", res.Err)
	}
	nb.SetStdout(&nb.Stdout)
	if got := nb.MustRun(t, 3, "<-ended\nsum"); got != "499500" {
		t.Errorf("the deferred function has added %s", got)
	}
}
