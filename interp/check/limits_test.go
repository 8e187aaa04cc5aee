package check_test

import (
	"context"
	"errors"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"sync/atomic"
	"testing"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/universe"
)

// An endingContext ends when its error is asked for a number of times.
type endingContext struct {
	context.Context
	left atomic.Int32
}

func (c *endingContext) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestCheckEndsSilently checks that a check that ends within a declaration writes nothing to standard error.
func TestCheckEndsSilently(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr = write
	defer func() { os.Stderr = stderr }()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", "package main\nimport \"unsafe\"\nvar n [3]int\nconst size = unsafe.Sizeof(n)\nvar a [size]int", 0)
	if err != nil {
		t.Fatal(err)
	}
	env := check.NewEnv(universe.WithReceivers(nil))
	env.Sizes = types.SizesFor("gc", "amd64")
	ctx := &endingContext{Context: t.Context()}
	ctx.left.Store(2) // for Abandon and the first size
	func() {
		defer func() {
			if v := recover(); v != context.Canceled {
				t.Errorf("Check panics with %v, not %v", v, context.Canceled)
			}
		}()
		env.Check(ctx, fset, file)
	}()
	write.Close()
	if text, err := io.ReadAll(read); err != nil || len(text) > 0 {
		t.Errorf("written to standard error: %q, %v", text, err)
	}
}

// TestAbandon checks that functions that poll a context panic with its error once it has ended, and that Abandon
// passes on what its function does.
func TestAbandon(t *testing.T) {
	recovered := func(f func()) (v any) {
		defer func() { v = recover() }()
		f()
		return nil
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	running, stop := context.WithCancel(t.Context())
	block := make(chan struct{})
	defer close(block)
	env := check.NewEnv(universe.WithReceivers(nil))
	file, err := parser.ParseFile(token.NewFileSet(), "", "package main", 0)
	if err != nil {
		t.Fatal(err)
	}
	ran := false
	failure := errors.New("failure")
	for _, row := range []struct {
		name string
		f    func()
		want any
	}{
		{"Poll", func() { check.Poll(t.Context()) }, nil},
		{"Poll, ended", func() { check.Poll(ended) }, context.Canceled},
		{"Abandon", func() { check.Abandon(t.Context(), func() { ran = true }) }, nil},
		{"Abandon, ended", func() { check.Abandon(ended, func() { t.Error("f runs") }) }, context.Canceled},
		{"Abandon of a panic", func() { check.Abandon(t.Context(), func() { panic(failure) }) }, failure},
		{"Abandon, ending", func() { check.Abandon(running, func() { stop(); <-block }) }, context.Canceled},
		{"Check, ended", func() { env.Check(ended, token.NewFileSet(), file) }, context.Canceled},
	} {
		if got := recovered(row.f); got != row.want {
			t.Errorf("%s panics with %v, not %v", row.name, got, row.want)
		}
	}
	if !ran {
		t.Error("Abandon does not wait")
	}
}
