package anvil_test

import (
	"fmt"
	"runtime"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// train runs n steps of gradient descent with a learning rate that changes. It calls
// Cut at the start of each step.
func train(c *nv.Context, n int, between func()) nv.Tensor {
	w, target := c.Zeros(nv.Shape{8}), c.Arange(8).AsType(nv.F32)
	for i := range n {
		lr := 1 / float64(i+2)
		w = w.Sub(w.Sub(target).Mul(2).Mul(lr))
		c.Cut(&w)
		between()
	}
	return w
}

func lazy(t *testing.T, f func(t *testing.T, c *nv.Context)) {
	for _, backend := range []string{"reference", ""} {
		t.Run("backend="+backend, func(t *testing.T) {
			f(t, nv.NewContext(nv.ContextOptions{Backend: backend, NoCache: true}))
		})
	}
}

func TestUnreadLoopsShareTheirPrograms(t *testing.T) {
	for name, between := range map[string]func(){"": func() {}, " with collections": runtime.GC} {
		t.Run("loops"+name, func(t *testing.T) {
			lazy(t, func(t *testing.T, c *nv.Context) {
				for _, n := range []int{37, 100, 101, 1000} {
					if n == 1000 && name != "" {
						continue // a collection in each step would take minutes
					}
					last := train(c, n, between).At(7).Float()
					if last < 6 || last > 7.5 {
						t.Error(n, "steps:", last)
					}
				}
				if s := c.Stats(); s.Compiles > 4 || s.LargestOps > 512 { // three, and the reading of one element
					t.Errorf("%d programs compiled, the largest of %d operations", s.Compiles, s.LargestOps)
				}
			})
		})
	}
}

func TestReadLoopIsOneProgramPerBody(t *testing.T) {
	loops := map[string]struct {
		programs int64
		body     func(w *nv.Tensor, target nv.Tensor, lr float64) float64
	}{
		"update, then read": {1, func(w *nv.Tensor, target nv.Tensor, lr float64) float64 {
			d := w.Sub(target)
			loss := d.Mul(d).Sum()
			*w = w.Sub(d.Mul(lr))
			return loss.Float()
		}},
		"update, then read what it gives": {1, func(w *nv.Tensor, target nv.Tensor, lr float64) float64 {
			*w = w.Sub(w.Sub(target).Mul(lr))
			nv.Keep(w)
			d := w.Sub(target)
			return d.Mul(d).Sum().Float()
		}},
		"read, then update": {2, func(w *nv.Tensor, target nv.Tensor, lr float64) float64 {
			d := w.Sub(target)
			loss := d.Mul(d).Sum().Float()
			*w = w.Sub(d.Mul(lr))
			return loss
		}},
	}
	for name, l := range loops {
		for _, cut := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, cut=%v", name, cut), func(t *testing.T) {
				lazy(t, func(t *testing.T, c *nv.Context) {
					w, target := c.New([]float64{0, 0, 0}), c.New([]float64{1, 2, 3})
					counts := map[int]int64{}
					for i := range 100 {
						l.body(&w, target, 1/float64(i+2))
						if cut {
							c.Cut(&w)
						}
						counts[i] = c.Stats().Compiles
					}
					limit := l.programs
					if !cut {
						limit += 2 // the first steps have no history
					}
					if counts[99] > limit || counts[99] != counts[5] {
						t.Errorf("%d programs compiled, %d in the first six steps", counts[99], counts[5])
					}
				})
			})
		}
	}
}

func TestChainWithoutReadsIsBounded(t *testing.T) {
	lazy(t, func(t *testing.T, c *nv.Context) {
		x := c.New([]int{0, 0})
		for range 3000 {
			x = x.Add(1)
		}
		want(t, x, "i32{2} [3000 3000]")
		if s := c.Stats(); s.LargestOps > 512 {
			t.Error(s.LargestOps)
		}
		y := c.New([]int{1})
		for range 40 { // 2^40 operations as a tree, 40 as a graph
			y = y.Add(y).Rem(1000)
		}
		want(t, y, "i32{1} [776]")
	})
}

func TestPrecisionIsThatOfEachOperation(t *testing.T) { // a bf16 chain in one program
	contexts(t, func(t *testing.T, c *nv.Context) {
		x, d := c.Scalar(1.0, nv.BF16), c.Scalar(1e-4, nv.BF16)
		for range 100 {
			x = x.Sub(d)
		}
		want(t, x, "bf16{} [1]")
	})
}

func TestScalarsAreParameters(t *testing.T) {
	lazy(t, func(t *testing.T, c *nv.Context) {
		x := c.Arange(10)
		for i := range 10 {
			if got := x.Add(i).At(i).Int(); got != 2*i {
				t.Error(i, got)
			}
			x.At(nv.Range(i/2, i/2+2)).Values()
		}
		if n := c.Stats().Compiles; n > 2 {
			t.Error(n, "programs compiled")
		}
	})
}

func TestUpdatesLeaveTheHeapFlat(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	steps := 20_000
	if testing.Short() {
		steps = 2_000
	}
	w := c.Zeros(nv.Shape{4})
	update := func(n int) {
		for range n {
			w = w.Add(1).Mul(0.5)
			if err := w.Wait(); err != nil {
				t.Fatal(err)
			}
		}
	}
	update(1000)
	before := heap()
	update(steps)
	if grown := heap() - before; grown > 100_000 {
		t.Errorf("the heap grew by %d bytes in %d updates", grown, steps)
	}
	if s := nv.Why(w).String(); s[:3] != "Mul" {
		t.Error(s)
	}
}
