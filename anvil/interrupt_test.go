package anvil_test

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// A notes keeps what a Context logs.
type notes struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (n *notes) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.Write(p)
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.String()
}

// spin returns a program that goes n times round a matrix product.
func spin(m nv.Tensor, n int) nv.Tensor {
	type state struct{ I, N, M nv.Tensor }
	c := m.Context()
	r := nv.While(state{c.Scalar(0, nv.I32), c.Scalar(n, nv.I32), m},
		func(s state) nv.Tensor { return s.I.Lt(s.N) },
		func(s state) state { return state{s.I.Add(1), s.N, s.M.MatMul(s.M).Tanh()} })
	return r.M
}

func TestInterruptedProgram(t *testing.T) {
	for _, backend := range []string{"reference", ""} {
		t.Run("backend="+backend, func(t *testing.T) {
			log := &notes{}
			c := nv.NewContext(nv.ContextOptions{Backend: backend, Log: log})
			m := c.Ones(nv.Shape{64, 64}).Mul(0.01)
			if err := spin(m, 1).Wait(); err != nil { // so that what follows is compiled
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			c.SetInterrupt(ctx)
			launched := c.Stats().Launches
			go func() {
				for c.Stats().Launches == launched {
					runtime.Gosched()
				}
				cancel()
			}()
			x := spin(m, 100_000)
			if err := x.Wait(); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			c.SetInterrupt(context.Background())
			if c.Scalar(1).Int() != 1 {
				t.Error("a number is not read")
			}
			if got := c.Scalar(1).Add(2).Int(); got != 3 {
				t.Error(got)
			}
			if err := spin(m, 1).Wait(); err != nil { // which takes the device
				t.Error(err)
			}
			if backend == "" && !strings.HasPrefix(c.Backend(), "reference") && !strings.Contains(log.String(), "waiting for 1 interrupted program") {
				t.Errorf("log: %q", log)
			}
		})
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
