package engine

import (
	"fmt"
	"testing"
)

// TestProgramsAreBounded checks how many programs are kept: more if they are small or run by
// package host, and always the most recently used.
func TestProgramsAreBounded(t *testing.T) {
	for _, c := range []struct {
		program     compiled
		least, most int
	}{
		{compiled{ops: 500}, 20, 48},
		{compiled{ops: 1}, 1200, 2730},
		{compiled{ops: 1, origin: InHost}, 2048, 4096},
	} {
		p := &programs{}
		for i := range 10_000 {
			p.add(fmt.Sprint(i), &c.program)
			if p.find([]byte("0")) == nil {
				t.Fatalf("%+v: a program in constant use is dropped after %d programs", c.program, i)
			}
		}
		if n := len(p.young) + len(p.old); n < c.least || n > c.most {
			t.Errorf("%+v: %d programs are kept, want %d to %d", c.program, n, c.least, c.most)
		}
	}
}
