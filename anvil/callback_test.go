package anvil_test

import (
	"math"
	"strings"
	"sync"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// printing runs f with each executor and returns what Print printed.
func printing(t *testing.T, f func(t *testing.T, c *nv.Context, printed func() string)) {
	for _, backend := range []string{"reference", ""} {
		t.Run("backend="+backend, func(t *testing.T) {
			var b strings.Builder
			f(t, nv.NewContext(nv.ContextOptions{Backend: backend, Output: &b}), func() string {
				defer b.Reset()
				return b.String()
			})
		})
	}
}

// saw fails the test unless want was printed.
func saw(t *testing.T, printed func() string, want string) {
	t.Helper()
	if got := printed(); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}

func TestPrint(t *testing.T) {
	printing(t, func(t *testing.T, c *nv.Context, printed func() string) {
		x := c.New([]float64{1, 2})
		want(t, x.Mul(2).Print("twice"), "f32{2} [2 4]")
		saw(t, printed, "twice: f32{2} [2 4]\n")
		c.Print(3)
		c.Arange(1000).Print()
		saw(t, printed, "i32?{} 3\ni32{1000} [0 1 2 3 4 5 6 7 8 9 ... 990 more]\n")
		c.Arange(100).Print()
		if got := printed(); !strings.HasPrefix(got, "i32{100} [0 1 2") || !strings.HasSuffix(got, " 98 99]\n") {
			t.Errorf("100 elements are printed as %s", got)
		}
		c.Arange(101).Print()
		saw(t, printed, "i32{101} [0 1 2 3 4 5 6 7 8 9 ... 91 more]\n")

		f := nv.Jit(func(x nv.Tensor) nv.Tensor {
			x.Print("x")
			y := x.Sum().Print("sum")
			x.Sub(1).Print("nobody needs it")
			return y.Mul(2)
		})
		want(t, f(x), "f32{} [6]")
		saw(t, printed, "x: f32{2} [1 2]\nsum: f32{} 3\nnobody needs it: f32{2} [0 1]\n")
		want(t, f(x.Mul(10)), "f32{} [60]")
		saw(t, printed, "x: f32{2} [10 20]\nsum: f32{} 30\nnobody needs it: f32{2} [9 19]\n")
	})
}

// TestPrintInAnotherGoroutine checks Print in a goroutine that a traced function
// starts. A tensor that depends on a parameter is printed by the program; another one
// is printed at once, while the function is traced.
func TestPrintInAnotherGoroutine(t *testing.T) {
	printing(t, func(t *testing.T, c *nv.Context, printed func() string) {
		f := c.JitAny(func(x nv.Tensor) nv.Tensor {
			c.Print(1)
			var wg sync.WaitGroup
			wg.Go(func() {
				c.Print(2)
				x.Print("x")
			})
			wg.Wait()
			c.Print(3)
			return x.Mul(2)
		}).(func(nv.Tensor) nv.Tensor)
		const program = "i32?{} 1\nx: f32{} 4\ni32?{} 3\n"
		x := c.Scalar(4.0, nv.F32)
		want(t, f(x), "f32{} [8]")
		saw(t, printed, "i32?{} 2\n"+program)
		want(t, f(x), "f32{} [8]")
		saw(t, printed, program)
		want(t, c.Print(5), "i32?{} [5]")
		saw(t, printed, "i32?{} 5\n")
	})
}

// TestPrintWhileAnotherGoroutineTraces checks that Print prints at once in a
// goroutine that traces nothing.
func TestPrintWhileAnotherGoroutineTraces(t *testing.T) {
	printing(t, func(t *testing.T, c *nv.Context, printed func() string) {
		tracing, end := make(chan struct{}), make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			c.Lower(func(x nv.Tensor) nv.Tensor { close(tracing); <-end; return c.Print(x) }, c.Scalar(1.0))
		})
		<-tracing
		c.Print(2)
		saw(t, printed, "i32?{} 2\n")
		close(end)
		wg.Wait()
		saw(t, printed, "")
	})
}

func TestPrintInLoopsAndBranches(t *testing.T) {
	printing(t, func(t *testing.T, c *nv.Context, printed func() string) {
		loop := func(x nv.Tensor) nv.Tensor {
			end := nv.ForI(3, x, func(i, x nv.Tensor) nv.Tensor {
				i.Print("step")
				return c.If(x.Gt(2), func() nv.Tensor { return x.Print("large").Mul(2) }, func() nv.Tensor { return x.Mul(3) })
			})
			return end.Print("end")
		}
		const all = "step: i32{} 0\nstep: i32{} 1\nlarge: f32{} 3\nstep: i32{} 2\nlarge: f32{} 6\nend: f32{} 12\n"
		for name, f := range map[string]func(nv.Tensor) nv.Tensor{"as it is": loop, "jitted": nv.Jit(loop)} {
			t.Run(name, func(t *testing.T) {
				want(t, f(c.Scalar(1.0, nv.F32)), "f32{} [12]")
				saw(t, printed, all)
			})
		}
		_, ys := nv.Scan(c.Scalar(0), c.Arange(3), func(s, x nv.Tensor) (nv.Tensor, nv.Tensor) {
			return s.Add(x).Print("running"), c.Switch(x, func() nv.Tensor { return s }, func() nv.Tensor { return x.Print("one") })
		})
		want(t, ys, "i32{3} [0 1 2]")
		saw(t, printed, "running: i32{} 0\nrunning: i32{} 1\none: i32{} 1\nrunning: i32{} 3\none: i32{} 2\n")
	})
}

func TestLoopsThatPrintCompileOnce(t *testing.T) {
	var b strings.Builder
	c := nv.NewContext(nv.ContextOptions{Output: &b, NoCache: true})
	run := func(n int) {
		x := nv.ForI(n, c.Ones(nv.Shape{3}), func(i, x nv.Tensor) nv.Tensor { return x.Mul(0.5).Print("x").Add(i) })
		if err := x.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	run(3)
	before := c.Stats().Programs
	run(30)
	if n := c.Stats().Programs - before; n != 0 {
		t.Error(n, "programs compiled for more steps")
	}
	if n := strings.Count(b.String(), "\n"); n != 33 {
		t.Error(n, "lines")
	}
}

func TestCallback(t *testing.T) {
	printing(t, func(t *testing.T, c *nv.Context, printed func() string) {
		calls := 0
		erf := func(xs ...nv.Tensor) nv.Tensor {
			calls++
			var ys []float32
			for _, v := range nv.Values[float64](xs[0]) {
				ys = append(ys, float32(math.Round(math.Erfc(v)*1000)))
			}
			return c.New(ys).Add(xs[1])
		}
		of := nv.Type{DType: nv.F32, Shape: nv.Shape{2}}
		host := func(x nv.Tensor) nv.Tensor { return c.Callback(erf, of, x, 1).Mul(2) }
		x := c.New([]float64{0, 1})
		eagerlyAndJitted(t, host, x, "f32{2} [2002 316]")
		loop := func(x nv.Tensor) nv.Tensor {
			return nv.ForI(2, x, func(_, x nv.Tensor) nv.Tensor { return c.Callback(erf, of, x.Mul(0.001), 1) })
		}
		eagerlyAndJitted(t, loop, x, "f32{2} [158 158]")
		calls = 0
		want(t, nv.Jit(func(x nv.Tensor) nv.Tensor { host(x); return x })(x), "f32{2} [0 1]")
		if calls != 0 {
			t.Error("the callback is called although its result is not needed")
		}
		wrong := func(x nv.Tensor) nv.Tensor {
			return c.Callback(func(xs ...nv.Tensor) nv.Tensor { return xs[0].Sum() }, of, x)
		}
		for _, f := range []func(nv.Tensor) nv.Tensor{wrong, nv.Jit(wrong)} {
			if s := errorOf(t, func() { f(x).Values() }); s != "Callback(f32{2}): the function returned f32{}, not f32{2}; "+
				"convert it with AsType or Reshape, or give Callback the type that it returns" {
				t.Error(s)
			}
		}
		if s := nv.Lower(host, x).StableHLO(); !strings.Contains(s, "custom_call @host_callback(") {
			t.Error(s)
		}
	})
}
