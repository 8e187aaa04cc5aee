package anvil_test

import (
	"fmt"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

// eagerlyAndJitted calls f itself and as a function made by Jit, and compares both with result.
func eagerlyAndJitted(t *testing.T, f func(x nv.Tensor) nv.Tensor, x nv.Tensor, result string) {
	t.Helper()
	want(t, f(x), result)
	want(t, nv.Jit(f)(x), result)
}

func TestSwitch(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		x := c.New([]float64{1, 2})
		pick := func(i any) nv.Tensor {
			return c.Switch(i, func() nv.Tensor { return x.Add(1) }, func() nv.Tensor { return x.Mul(10) }, func() nv.Tensor { return c.Zeros(nv.Shape{2}, nv.F64) })
		}
		want(t, pick(0), "f64{2} [2 3]")
		want(t, pick(2), "f64{2} [0 0]")
		for i, result := range map[int]string{-3: "f64{2} [2 3]", 0: "f64{2} [2 3]", 1: "f64{2} [10 20]", 7: "f64{2} [0 0]"} {
			eagerlyAndJitted(t, func(i nv.Tensor) nv.Tensor { return pick(i) }, c.Scalar(i), result)
			eagerlyAndJitted(t, func(i nv.Tensor) nv.Tensor { return pick(i) }, c.Scalar(i, nv.I8), result)
		}
		eagerlyAndJitted(t, func(i nv.Tensor) nv.Tensor { return pick(i) }, c.Scalar(uint64(1)<<63), "f64{2} [0 0]")
		lit := func(v any, opts ...nv.Option) func() nv.Tensor {
			return func() nv.Tensor { return c.Scalar(v, opts...) }
		}
		want(t, c.Switch(1, lit(1), lit(2)), "i32?{} [2]")
		for call, part := range map[string]func(){
			"Switch(f32{2}): the index is f32{2} and must be an integer scalar; convert it with AsType(nv.I32), or choose " +
				"elementwise with nv.Where": func() { c.Switch(x, lit(1)) },
			"Switch(int 2): index 2 is out of range for 2 branches; give 0 to 1":                             func() { c.Switch(2, lit(1), lit(2)) },
			"Switch(int 0): no branch is given; for each index, from 0, give a func() that returns a Tensor": func() { c.Switch(0) },
			"Switch(int 0): branch 1 is nil; give a func() that returns a Tensor":                            func() { c.Switch(0, lit(1), nil) },
			"Switch(int 0): branches 0 and 1 return i32{} and i32{2}; return tensors of one shape":           func() { c.Switch(0, lit(1), func() nv.Tensor { return c.New([]int{1, 2}) }) },
		} {
			if s := errorOf(t, part); s != call {
				t.Errorf("%s\nwant %s", s, call)
			}
		}
	})
}

// TestSwitchOfManyBranches checks that an index is not clamped if its dtype cannot represent the last branch, in a
// library whose conversions wrap.
func TestSwitchOfManyBranches(t *testing.T) {
	torch := nv.NewContext(nv.ContextOptions{Backend: "reference"}).With(promote.Torch)
	branches := make([]func() nv.Tensor, 200)
	for i := range branches {
		branches[i] = func() nv.Tensor { return torch.Scalar(i) }
	}
	want(t, torch.Switch(torch.Scalar(100, nv.I8), branches...), "i64{} [100]")
	want(t, torch.Switch(torch.Scalar(-1, nv.I8), branches...), "i64{} [0]")
}

func TestScan(t *testing.T) {
	type carry struct {
		Sum nv.Tensor
		N   map[string]nv.Tensor
	}
	type pair struct{ Square, Sum nv.Tensor }
	contexts(t, func(t *testing.T, c *nv.Context) {
		xs := c.New([]float64{1, 2, 3, 4})
		body := func(s carry, x nv.Tensor) (carry, []pair) {
			sum := s.Sum.Add(x)
			return carry{sum, map[string]nv.Tensor{"n": s.N["n"].Add(c.Scalar(1, nv.I16))}}, []pair{{x.Mul(x), sum}}
		}
		start := carry{c.Scalar(0.0, nv.F32), map[string]nv.Tensor{"n": c.Scalar(0)}}
		run := func(xs nv.Tensor, opts ...nv.ScanOption) []nv.Tensor {
			end, ys := nv.Scan(start, xs, body, opts...)
			return []nv.Tensor{end.Sum, end.N["n"], ys[0].Square, ys[0].Sum}
		}
		for _, f := range []func(nv.Tensor) []nv.Tensor{func(xs nv.Tensor) []nv.Tensor { return run(xs) }, nv.Jit(func(xs nv.Tensor) []nv.Tensor { return run(xs) })} {
			r := f(xs)
			want(t, r[0], "f32{} [10]")
			want(t, r[1], "i16{} [4]")
			want(t, r[2], "f32{4} [1 4 9 16]")
			want(t, r[3], "f32{4} [1 3 6 10]")
		}
		want(t, run(xs, nv.Reverse)[3], "f32{4} [10 9 7 4]")
		want(t, run(c.Zeros(nv.Shape{0}))[3], "f32{0} []")
		rows := c.Arange(6).Reshape(nv.Shape{3, 2})
		end, ys := nv.Scan(c.Zeros(nv.Shape{2}, nv.I32), rows, func(s, x nv.Tensor) (nv.Tensor, nv.Tensor) { return s.Add(x), s })
		want(t, end, "i32{2} [6 9]")
		want(t, ys, "i32{3,2} [0 0 0 1 2 4]")
		fib, all := nv.Scan([2]nv.Tensor{c.Scalar(0), c.Scalar(1)}, nil, func(p [2]nv.Tensor, _ any) ([2]nv.Tensor, nv.Tensor) {
			return [2]nv.Tensor{p[1], p[0].Add(p[1])}, p[0]
		}, nv.Steps(10))
		want(t, fib[0], "i32?{} [55]")
		want(t, all, "i32?{10} [0 1 1 2 3 5 8 13 21 34]")
	})
}

func TestMap(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		xs := c.New([][]float64{{1, 2}, {3, 4}})
		eagerlyAndJitted(t, func(x nv.Tensor) nv.Tensor { return nv.Map(func(x nv.Tensor) nv.Tensor { return x.Sum() }, x) }, xs, "f32{2} [3 7]")
		r := nv.Map(func(p []nv.Tensor) map[string]nv.Tensor { return map[string]nv.Tensor{"sum": p[0].Sum().Add(p[1])} }, []nv.Tensor{xs, c.New([]int{10, 20})})
		want(t, r["sum"], "f32{2} [13 27]")
		if s := errorOf(t, func() { nv.Map(func(p []nv.Tensor) nv.Tensor { return p[0] }, []nv.Tensor{xs, c.Zeros(nv.Shape{3})}) }); s !=
			"Map(f32{2,2}, f32{3}): the tensor at [1] of xs has length 3 along its first axis, and the "+
				"number of steps is 2; give tensors whose first axes have equal lengths" {
			t.Error(s)
		}
	})
}

func TestAssociativeScan(t *testing.T) {
	type affine struct{ A, B nv.Tensor }
	contexts(t, func(t *testing.T, c *nv.Context) {
		for n, result := range map[int]string{0: "i32{0} []", 1: "i32{1} [1]", 2: "i32{2} [1 2]", 5: "i32{5} [1 2 6 24 120]", 8: "i32{8} [1 2 6 24 120 720 5040 40320]"} {
			eagerlyAndJitted(t, func(x nv.Tensor) nv.Tensor {
				return nv.AssociativeScan(func(a, b nv.Tensor) nv.Tensor { return a.Mul(b) }, x)
			}, c.Arange(n).Add(1), result)
		}
		chain := func(p affine) affine {
			return nv.AssociativeScan(func(f, g affine) affine { return affine{f.A.Mul(g.A), g.A.Mul(f.B).Add(g.B)} }, p)
		}
		p := chain(affine{c.New([]float64{2, 3, -1}), c.New([]float64{1, 1, 5})})
		want(t, p.A, "f32{3} [2 6 -6]")
		want(t, p.B, "f32{3} [1 4 1]")
		m := c.New([][]bool{{false, true, false}, {false, false, false}})
		or := func(a, b nv.Tensor) nv.Tensor { return a.Or(b) }
		want(t, nv.AssociativeScan(or, m, nv.Axis(1)), "i1{2,3} [false true true false false false]")
		want(t, nv.AssociativeScan(or, m, nv.Axis(-1), nv.Reverse), "i1{2,3} [true true false false false false]")
		last := func(a, b nv.Tensor) nv.Tensor { return b }
		if got := nv.AssociativeScan(last, c.New([]float64{0, 1, 2}).Neg()).At(0).Float(); 1/got > 0 {
			t.Error("a negative zero has lost its sign")
		}
	})
}

func TestLoopErrorsSayWhere(t *testing.T) {
	type layer struct{ W, B nv.Tensor }
	type model struct {
		Layers []layer
		Rate   float64
		Named  map[string]nv.Tensor
	}
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	start := model{[]layer{{c.Zeros(nv.Shape{2}), c.Zeros(nv.Shape{2})}, {c.Zeros(nv.Shape{2}), c.Zeros(nv.Shape{2})}}, 0.1, map[string]nv.Tensor{"n": c.Scalar(1, nv.I32)}}
	change := func(f func(m *model)) func(i nv.Tensor, m model) model {
		return func(_ nv.Tensor, m model) model {
			m.Layers = append([]layer(nil), m.Layers...)
			m.Named = map[string]nv.Tensor{"n": m.Named["n"]}
			f(&m)
			return m
		}
	}
	for part, f := range map[string]func(m *model){
		"ForI(f32{2}, f32{2}, f32{2}, f32{2}, i32{}, int 3): body is given f32{2} and returns f32{3} at " +
			".Layers[1].W; return the shape that body is given": func(m *model) { m.Layers[1].W = c.Zeros(nv.Shape{3}) },
		"ForI(f32{2}, f32{2}, f32{2}, f32{2}, i32{}, int 3): body is given f32{2} and returns f64{2} at " +
			".Layers[0].B; convert the result with AsType(nv.F32)": func(m *model) { m.Layers[0].B = m.Layers[0].B.AsType(nv.F64) },
		"ForI(f32{2}, f32{2}, f32{2}, f32{2}, i32{}, int 3): body changes the structure of its argument at .Rate: " +
			"0.1 becomes 0.2; change only tensors": func(m *model) { m.Rate = 0.2 },
		"ForI(f32{2}, f32{2}, f32{2}, f32{2}, i32{}, int 3): body changes the structure of its argument at " +
			".Layers: length 2 becomes 1; change only tensors": func(m *model) { m.Layers = m.Layers[:1] },
		"ForI(f32{2}, f32{2}, f32{2}, f32{2}, i32{}, int 3): body changes the structure of its argument at " +
			`.Named["k"]: the key is new; change only tensors`: func(m *model) { m.Named["k"] = c.Scalar(1) },
		"ForI(f32{2}, f32{2}, f32{2}, f32{2}, i32{}, int 3): body changes the structure of its argument at " +
			`.Named["n"]: the key is missing; change only tensors`: func(m *model) { delete(m.Named, "n") },
		`ForI(f32{2}, f32{2}, f32{2}, f32{2}, i32{}, int 3): body is given i32{} and returns i64{} at .Named["n"]; ` +
			"convert the result with AsType(nv.I32)": func(m *model) { m.Named["n"] = c.Scalar(1, nv.I64) },
	} {
		if s := errorOf(t, func() { nv.ForI(3, start, change(f)) }); s != part {
			t.Errorf("got  %s\nwant %s", s, part)
		}
	}
	if s := errorOf(t, func() { nv.ForI(3, model{Layers: []layer{{}}}, change(func(*model) {})) }); s !=
		"ForI(anvil_test.model): the tensor at .Layers[0].W has not been set; give every tensor a value" {
		t.Error(s)
	}
	if s := errorOf(t, func() { nv.ForI(2.5, start, change(func(*model) {})) }); s != "ForI(f32{2}, f32{2}, f32{2}, f32{2}, i32{}, float64 2.5): the number of steps is "+
		"float64 2.5 and must be an integer scalar; give an int; n.AsType(nv.I32) converts a float scalar" {
		t.Error(s)
	}
}

// TestFaultsOfLoopsAndBranches: if a system has an error for a value inside a loop or a branch, the
// program fails when it runs.
func TestFaultsOfLoopsAndBranches(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		torch := c.With(promote.Torch)
		divided := func(x nv.Tensor) nv.Tensor {
			return nv.ForI(3, x, func(i, x nv.Tensor) nv.Tensor { return torch.FloorDiv(x, torch.Sub(i, 1)) })
		}
		chosen := func(x nv.Tensor) nv.Tensor {
			return torch.If(x.Gt(0), func() nv.Tensor { return torch.FloorDiv(1, torch.Sub(x, 1)) }, func() nv.Tensor { return torch.FloorDiv(2, x) })
		}
		for name, f := range map[string]func(x nv.Tensor) nv.Tensor{"loop": divided, "branch": chosen, "jitted loop": nv.Jit(divided), "jitted branch": nv.Jit(chosen)} {
			if s := errorOf(t, func() { f(c.Scalar(1)).Int() }); !strings.Contains(s, "ZeroDivisionError") && !strings.Contains(s, "divided by 0") {
				t.Errorf("%s: %s", name, s)
			}
		}
		want(t, chosen(c.Scalar(2)), "i32{} [1]")
		want(t, nv.Jit(chosen)(c.Scalar(-1)), "i32{} [-2]")
	})
}

// TestLoopsOfKnownLengthAreScans: in a recorded program, a loop whose number of steps is known
// is a Scan, and another a While. Outside, one program serves all lengths.
func TestLoopsOfKnownLengthAreScans(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	halve := func(_, x nv.Tensor) nv.Tensor { return x.Mul(0.5) }
	add := func(s, x nv.Tensor) (nv.Tensor, nv.Tensor) { return s.Add(x), s }
	for name, f := range map[string]func(x nv.Tensor) nv.Tensor{
		"scan": func(x nv.Tensor) nv.Tensor { _, ys := nv.Scan(x.At(0), x, add, nv.Reverse); return ys },
		"map":  func(x nv.Tensor) nv.Tensor { return nv.Map(func(x nv.Tensor) nv.Tensor { return x.Sin() }, x) },
		"forI": func(x nv.Tensor) nv.Tensor { return nv.ForI(3, x, halve) },
	} {
		if text := nv.Lower(f, c.Ones(nv.Shape{4})).String(); !strings.Contains(text, " = scan [length = ") || strings.Contains(text, "while") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	steps := func(n, x nv.Tensor) nv.Tensor { return nv.ForI(n, x, halve) }
	if text := nv.Lower(steps, c.Scalar(3, nv.I32), c.Ones(nv.Shape{4})).String(); !strings.Contains(text, "while") {
		t.Error(text)
	}
	for n := range 4 {
		want(t, nv.ForI(n, c.Scalar(8.0), halve), fmt.Sprintf("f32?{} [%d]", 8>>n))
		want(t, nv.Jit(func(x nv.Tensor) nv.Tensor { return nv.ForI(n-1, x, halve) })(c.Scalar(8.0)), fmt.Sprintf("f32?{} [%d]", 8>>max(0, n-1)))
	}
	if n := c.Stats().Compiles; n > 5 {
		t.Errorf("%d programs for four lengths", n)
	}
}
