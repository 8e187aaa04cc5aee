package main

import (
	"testing"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/messagingtest"
)

// TestParsedOnce counts how often a cell is parsed and type-checked on its way
// through the kernel, with commands too.
func TestParsedOnce(t *testing.T) {
	t.Setenv("GOANVIL_CACHE", t.TempDir())
	s, err := newSession(backend{name: "reference"})
	if err != nil {
		t.Fatal(err)
	}
	f := &front{T: t, client: messagingtest.NewServer(t, s, messaging.Options{}).Client()}
	for _, code := range []string{"1+1", "x := nv.Arange(3)\n2*x + 1", "func f(n int) int { return n + 1 }", "for i := range 3 {\n\tx += i\n}\nx", "%promotion anvil\n2*x", "%time x + 1", "%%bench\ny := x * 2\ny"} {
		parses, checks := cell.Parses(), s.interp.Env().Checks()
		f.run(code)
		if n := cell.Parses() - parses; n != 1 {
			t.Errorf("%d parses of\n%s", n, code)
		}
		if n := s.interp.Env().Checks() - checks; n != 1 {
			t.Errorf("%d checks of\n%s", n, code)
		}
	}
}
