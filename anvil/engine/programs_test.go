package engine

import (
	"context"
	"errors"
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

// TestGetSaysWhatIsFound checks which calls of get compile a program and which find one, also after it has become
// old, and that an ended context ends get before it compiles.
func TestGetSaysWhatIsFound(t *testing.T) {
	p := &programs{}
	compiles := 0
	want := func(key string, wantFound bool, wantCompiles int) {
		t.Helper()
		c, found, err := p.get(context.Background(), key, func() (*compiled, error) {
			compiles++
			return &compiled{results: len(key)}, nil
		})
		if err != nil || c.results != len(key) || found != wantFound || compiles != wantCompiles {
			t.Errorf("%s: %+v, %v; found %t, %d compilations, want %t and %d", key, c, err, found, compiles,
				wantFound, wantCompiles)
		}
	}
	want("k", false, 1)
	want("k", true, 1)
	want("other", false, 2)
	p.old, p.young = p.young, map[string]*compiled{}
	want("k", true, 2)
	if p.young["k"] == nil || p.young["other"] != nil {
		t.Error("the program that is used has not become young, or another one has")
	}
	ended, end := context.WithCancel(context.Background())
	end()
	c, found, err := p.get(ended, "new", func() (*compiled, error) { return &compiled{}, nil })
	if c != nil || found || !errors.Is(err, context.Canceled) {
		t.Errorf("after the context has ended: %v, %t, %v", c, found, err)
	}
}
