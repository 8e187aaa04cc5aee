package lower_test

import (
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
)

// TestReached declares names again with other types. The old object keeps its value, with a note, if a pointer, a
// slice, a method value or a function of an earlier cell reaches it; otherwise it is released without a note.
func TestReached(t *testing.T) {
	const declare = "import \"sync/atomic\"\ntype C struct{ n int }\nfunc (c *C) Get() int { return c.n }\nfunc (c C) Copy() int { return c.n }\n" +
		"x, xs, ok := 5, [3]int{5, 6, 7}, true\nc := C{5}\np := &C{5}\nvar n atomic.Int64\nn.Store(5)\nch := make(chan int, 1)\nch <- 5\n" +
		"func f() int { return 5 }\nconst k = 5"
	for _, c := range []struct {
		use, name, read string
		reached         bool
	}{
		{"r := &x", "x", "*r", true},
		{"r := &xs[0]", "xs", "*r", true},
		{"r := &c.n", "c", "*r", true},
		{"r := xs[:]", "xs", "r[0]", true},
		{"r := c.Get", "c", "r()", true},
		{"r := n.Load", "n", "r()", true},
		{"r := func() int { return x }", "x", "r()", true},
		{"func r() int { return x }", "x", "r()", true},
		{"r := func() int { return k }", "k", "r()", true},
		{"r := f", "f", "r()", true},
		{"r := []func() int{f}", "f", "r[0]()", true},
		{"r := -x", "x", "-r", false},
		{"r := ^x", "x", "^r", false},
		{"r := <-ch", "ch", "r", false},
		{"r := !ok", "ok", "map[bool]int{false: 5}[r]", false},
		{"r := xs[0]", "xs", "r", false},
		{"r := c.n", "c", "r", false},
		{"r := c.Copy", "c", "r()", false},
		{"r := p.Get", "p", "r()", false},
		{"r := (f)()", "f", "r", false},
	} {
		nb := interptest.New(t, interp.Options{})
		nb.MustRun(t, 1, declare)
		nb.MustRun(t, 2, c.use)
		res := nb.Run(t.Context(), c.name+" := \"new\"", 3)
		if res.Err != nil || (len(res.Notes) > 0) != c.reached {
			t.Errorf("%s: the notes on the new %s are %q, %v", c.use, c.name, res.Notes, res.Err)
		}
		if got := nb.MustRun(t, 4, c.read); got != "5" {
			t.Errorf("%s: %s is %s after %s is declared again", c.use, c.read, got, c.name)
		}
	}
}
