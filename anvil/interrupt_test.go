package anvil_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/xla"
)

// spin returns the result of a loop of n matrix products.
func spin(m nv.Tensor, n int) nv.Tensor {
	type state struct{ I, N, M nv.Tensor }
	c := m.Context()
	r := nv.While(state{c.Scalar(0, nv.I32), c.Scalar(n, nv.I32), m},
		func(s state) nv.Tensor { return s.I.Lt(s.N) },
		func(s state) state { return state{s.I.Add(1), s.N, s.M.MatMul(s.M).Tanh()} })
	return r.M
}

// afterLaunch returns a context that ends when c launches its next program.
func afterLaunch(c *nv.Context) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	launched := c.Stats().Launches
	go func() {
		for c.Stats().Launches == launched {
			runtime.Gosched()
		}
		cancel()
	}()
	return ctx
}

// interruptWait launches the computation of x, and interrupts waiting for it.
func interruptWait(t *testing.T, c *nv.Context, x nv.Tensor) {
	t.Helper()
	interrupted, cancel := context.WithCancel(context.Background())
	cancel()
	if strings.HasPrefix(c.Backend(), "reference") { // the reference computes x while launching it
		c.SetInterrupt(interrupted)
	} else if err := c.EndCell([]nv.Tensor{x}); err != nil {
		t.Fatal(err)
	}
	c.SetInterrupt(interrupted)
	if err := x.Wait(); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	c.SetInterrupt(context.Background())
}

func TestInterruptedProgram(t *testing.T) {
	for _, backend := range []string{"reference", ""} {
		t.Run("backend="+backend, func(t *testing.T) {
			c := nv.NewContext(nv.ContextOptions{Backend: backend})
			m := c.Ones(nv.Shape{64, 64}).Mul(0.01)
			if err := spin(m, 1).Wait(); err != nil { // compile the programs that follow
				t.Fatal(err)
			}
			before := c.Stats().LiveBytes
			x := spin(m, 1<<24)
			interruptWait(t, c, x)
			for c.Stats().LiveBytes > before+1<<12 { // until the memory of its results, 16 kB each, is freed
				runtime.Gosched()
			}
			if c.Scalar(1).Int() != 1 {
				t.Error("a number is not read")
			}
			if got := c.Scalar(1).Add(2).Int(); got != 3 {
				t.Error(got)
			}
			if err := spin(m, 1).Wait(); err != nil { // needs the device
				t.Error(err)
			}
			if strings.HasPrefix(c.Backend(), "reference") {
				return // x has not been computed
			}
			for what, y := range map[string]nv.Tensor{"it": x, "what is made of it": x.Add(1), "a loop over it": spin(x, 1)} {
				if err := y.Wait(); !errors.Is(err, xla.ErrInterrupted) || !strings.Contains(err.Error(), ": the program that computes it was interrupted; compute it again") {
					t.Errorf("%s: %v", what, err)
				}
			}
		})
	}
}

// TestInterruptEndsLoops interrupts loops of all kinds that would take hours, and
// then uses the device.
func TestInterruptEndsLoops(t *testing.T) {
	const many = 1 << 30
	step := func(x nv.Tensor) nv.Tensor { return x.MatMul(x).Tanh() }
	ever := func(x nv.Tensor) nv.Tensor {
		return nv.While(x, func(x nv.Tensor) nv.Tensor { return x.At(0, 0).Lt(2) }, step)
	}
	loops := map[string]func(x nv.Tensor) nv.Tensor{
		"While": ever,
		"ForI": func(x nv.Tensor) nv.Tensor {
			return nv.ForI(many, x, func(_, x nv.Tensor) nv.Tensor { return step(x) })
		},
		"nested": func(x nv.Tensor) nv.Tensor {
			return nv.ForI(many, x, func(_, x nv.Tensor) nv.Tensor {
				return nv.ForI(3, x, func(_, x nv.Tensor) nv.Tensor { return step(x) })
			})
		},
		"inside": func(x nv.Tensor) nv.Tensor {
			return nv.ForI(2, x, func(_, x nv.Tensor) nv.Tensor { return ever(x) })
		},
		"branch": func(x nv.Tensor) nv.Tensor {
			return nv.If(x.At(0, 0).Lt(2), func() nv.Tensor { return ever(x) }, func() nv.Tensor { return x })
		},
		"small": func(x nv.Tensor) nv.Tensor {
			y := nv.ForI(many, x.At(nv.Range(0, 2), 0), func(_, y nv.Tensor) nv.Tensor { return y.Mul(y) })
			return x.Add(y.Sum())
		},
		"Map": func(x nv.Tensor) nv.Tensor { return nv.Map(ever, nv.Stack(0, x, x)) },
	}
	c := nv.NewContext(nv.ContextOptions{})
	if strings.HasPrefix(c.Backend(), "reference") {
		return // the reference checks for an interrupt in each step
	}
	x := c.Full(nv.Shape{32, 32}, 0.01, nv.F32)
	before := x.Add(1)
	if err := before.Wait(); err != nil {
		t.Fatal(err)
	}
	for name, loop := range loops {
		t.Run(name, func(t *testing.T) {
			c.SetInterrupt(afterLaunch(c))
			var err error
			if failed := nv.Try(func() { err = nv.Jit(loop)(x).Wait() }); failed != nil {
				err = failed
			}
			c.SetInterrupt(context.Background())
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if got := step(x).Sum().Float(); math.Abs(got-32*32*0.0032) > 1e-3 {
				t.Errorf("the device computes %v", got)
			}
			if got := before.Sum().Float(); math.Abs(got-32*32*1.01) > 1e-2 {
				t.Errorf("a tensor from before the interrupt is %v", got)
			}
		})
	}
}

// TestInterruptKeepsFinishedResults checks that an interrupt affects only the tensors
// that are being computed, not finished ones.
func TestInterruptKeepsFinishedResults(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	if strings.HasPrefix(c.Backend(), "reference") {
		return
	}
	m := c.Ones(nv.Shape{64, 64}).Mul(0.01)
	finished := spin(m, 3)
	sibling := m.Add(1) // computed in the same program
	if err := c.EndCell([]nv.Tensor{finished, sibling}); err != nil {
		t.Fatal(err)
	}
	if err := finished.Add(sibling).Wait(); err != nil { // both are computed, without waiting for them
		t.Fatal(err)
	}
	x := spin(finished, 1<<24)
	y := x.Add(finished)
	interruptWait(t, c, y)
	if err := finished.Wait(); err != nil {
		t.Error(err)
	}
	if got, want := finished.At(0, 0).Float(), spin(m, 3).At(0, 0).Float(); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if err := sibling.Wait(); err != nil {
		t.Error(err)
	}
	if err := y.Wait(); !errors.Is(err, xla.ErrInterrupted) {
		t.Error(err)
	}
}

func TestConcurrentUse(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		x := c.Arange(4).Add(1)
		f := nv.Jit(func(x nv.Tensor) nv.Tensor { return x.Mul(2) })
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				y := x
				for range 20 {
					y = y.Add(i)
					c.Cut(&y)
				}
				if got := f(y).At(0).Int(); got != 2*(1+20*i) {
					t.Error(i, got)
				}
			})
		}
		wg.Wait()
	})
}
