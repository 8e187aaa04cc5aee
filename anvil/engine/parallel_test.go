package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A gate is an executor that calls a function before each compilation.
type gate struct {
	Executor
	compiling func(ctx context.Context, g *ir.Graph) error
	compiles  atomic.Int64
}

func newGate(compiling func(ctx context.Context, g *ir.Graph) error) *gate {
	return &gate{Executor: NewReference(), compiling: compiling}
}

func (e *gate) Compile(ctx context.Context, g *ir.Graph, m Mode) (Executable, error) {
	e.compiles.Add(1)
	if err := e.compiling(ctx, g); err != nil {
		return nil, err
	}
	return e.Executor.Compile(ctx, g, m)
}

// meeting returns a function that returns once n callers have called it.
func meeting(n int) func(context.Context, *ir.Graph) error {
	var wg sync.WaitGroup
	wg.Add(n)
	return func(context.Context, *ir.Graph) error {
		wg.Done()
		wg.Wait()
		return nil
	}
}

// bytesOf returns n bytes, each 1.
func bytesOf(t *testing.T, s *Session, n int) Array {
	t.Helper()
	data := make([]byte, n)
	for i := range data {
		data[i] = 1
	}
	a, err := s.Host(shape.Of(dtype.U8, n), data, "")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func apply(t *testing.T, s *Session, code ir.Code, args ...Array) Array {
	t.Helper()
	r, err := s.Apply(args[0].Type(), code, nil, args...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func firstByte(t *testing.T, s *Session, a Array) byte {
	t.Helper()
	data := make([]byte, a.Type().Bytes())
	if err := s.Read(a, data); err != nil {
		t.Fatal(err)
	}
	return data[0]
}

// Two goroutines that need two programs compile them at the same time: each
// compilation waits for the other.
func TestGoroutinesCompileAtTheSameTime(t *testing.T) {
	s := New(Options{Executor: newGate(meeting(2))})
	var wg sync.WaitGroup
	for n := 1; n <= 2; n++ {
		a := bytesOf(t, s, n)
		wg.Go(func() {
			b := apply(t, s, ir.Add, a, a)
			if got := firstByte(t, s, b); got != 2 {
				t.Error(n, got)
			}
		})
	}
	wg.Wait()
}

func TestCallsCompileAtTheSameTime(t *testing.T) {
	s := New(Options{Executor: newGate(meeting(2))})
	var wg sync.WaitGroup
	for n := 1; n <= 2; n++ {
		a := bytesOf(t, s, n)
		wg.Go(func() {
			tr := s.NewTrace()
			x := tr.Param(a.Type())
			p, err := tr.Finish("main", []Array{apply(t, s, ir.Add, x, x)})
			if err != nil {
				t.Error(err)
				return
			}
			out, err := p.Call(a)
			if err != nil || firstByte(t, s, out[0]) != 2 {
				t.Error(n, err)
			}
		})
	}
	wg.Wait()
}

// Programs of one Force are compiled at the same time too, and run in order: the second
// program has a result of the first as a parameter.
func TestOneFlushCompilesItsProgramsAtTheSameTime(t *testing.T) {
	e := newGate(meeting(2))
	s := New(Options{Executor: e})
	chain := func(a Array, n int) Array {
		for range n {
			a = apply(t, s, ir.Add, a, a)
		}
		return a
	}
	const most = MaxOps * 3 / 4
	a := bytesOf(t, s, 1)
	x, z := chain(a, most), chain(bytesOf(t, s, 2), most)
	y := apply(t, s, ir.Add, apply(t, s, ir.Max, x, a), a) // in the program of z, with x as a parameter
	if err := s.Force(x, z, y); err != nil {
		t.Fatal(err)
	}
	if got := firstByte(t, s, y); got != 2 || firstByte(t, s, x) != 0 {
		t.Error(got)
	}
	if n := e.compiles.Load(); n != 2 {
		t.Error(n, "compilations")
	}
}

// A program that several goroutines need is compiled once, and a value that all of them
// need is computed once.
func TestOneProgramIsCompiledOnce(t *testing.T) {
	const readers = 8
	var s *Session
	e := newGate(func(context.Context, *ir.Graph) error { return nil })
	s = New(Options{Executor: e})
	a := bytesOf(t, s, 1)
	sum := apply(t, s, ir.Add, a, a)
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() {
			x := sum
			for range 2 { // the sum, then a product with it
				if err := s.Force(x); err != nil {
					t.Error(err)
				}
				if got := firstByte(t, s, x); got != 2 {
					t.Error(got)
				}
				x = apply(t, s, ir.Mul, x, a)
			}
		})
	}
	wg.Wait()
	if n, runs := e.compiles.Load(), e.Counters().Launches; n != 2 || runs != readers+1 {
		t.Error(n, "compilations,", runs, "launches")
	}
}

// If a compilation is interrupted, another call that waits for the same program compiles it.
func TestInterruptOfACompilationIsItsOwn(t *testing.T) {
	s := &programs{}
	started, first := make(chan struct{}), make(chan error)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _, err := s.get(ctx, "k", func() (*compiled, error) {
			close(started)
			<-ctx.Done()
			return nil, ctx.Err()
		})
		first <- err
	}()
	<-started
	second := make(chan error)
	go func() {
		c, _, err := s.get(context.Background(), "k", func() (*compiled, error) { return &compiled{results: 7}, nil })
		if err == nil && c.results != 7 {
			err = fmt.Errorf("%d results", c.results)
		}
		second <- err
	}()
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := <-second; err != nil {
		t.Error(err)
	}
	if len(s.pending) != 0 {
		t.Error(len(s.pending), "programs are still pending")
	}
}

// If a compilation fails or panics, the next call compiles the program again.
func TestFailedCompilation(t *testing.T) {
	p := &programs{}
	bad := errors.New("bad")
	for range 2 {
		if _, _, err := p.get(context.Background(), "k", func() (*compiled, error) { return nil, bad }); err != bad {
			t.Error(err)
		}
	}
	func() {
		defer func() { _ = recover() }()
		_, _, _ = p.get(context.Background(), "k", func() (*compiled, error) { panic("worse") })
	}()
	if c, found, err := p.get(context.Background(), "k", func() (*compiled, error) { return &compiled{}, nil }); c == nil || found || err != nil {
		t.Error(c, found, err)
	}
}

// A panic in a goroutine that compiles becomes an error; it does not end the process.
func TestPanickingCompilations(t *testing.T) {
	s := New(Options{Executor: newGate(func(context.Context, *ir.Graph) error { panic("bad") })})
	var as []Array
	for n := range 2 {
		a := bytesOf(t, s, n+1)
		for range MaxOps * 3 / 4 {
			a = apply(t, s, ir.Add, a, a)
		}
		as = append(as, a)
	}
	if err := s.Force(as...); err == nil || err.Error() != "a program could not be compiled because of an error in goanvil: bad" {
		t.Error(err)
	}
}
