package anvil_test

import (
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

type (
	unit  struct{ W, B nv.Tensor }
	stack struct {
		Units []unit
		Named map[string]nv.Tensor
		Depth int
	}
)

// multiplied returns a stack with tensors of s, times k.
func multiplied(s stack, k any) stack {
	return nv.TreeMap(func(xs ...nv.Tensor) nv.Tensor { return xs[0].Mul(k) }, s)
}

func newStack(c *nv.Context) stack {
	return stack{
		Units: []unit{{c.New([]float64{1, 2}), c.New([]int{3})}, {c.Scalar(1.5, nv.F64), c.Scalar(2, nv.I8)}},
		Named: map[string]nv.Tensor{"a": c.New([]float64{4}), "b": c.Lit(5)}, Depth: 2,
	}
}

func TestTreesInBranches(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		s := newStack(c)
		is := func(name string, got stack, w, named string) {
			t.Helper()
			if got.Depth != 2 {
				t.Errorf("%s: %d", name, got.Depth)
			}
			want(t, got.Units[0].W, w)
			want(t, got.Named["b"], named)
		}
		chosen := func(p nv.Tensor, s stack) stack {
			return c.IfAny(p, func() stack { return multiplied(s, 2) }, func() stack { return s }).(stack)
		}
		is("If", chosen(c.Scalar(true), s), "f32{2} [2 4]", "i32?{} [10]")
		is("jitted If", nv.Jit(chosen)(c.Scalar(false), s), "f32{2} [1 2]", "i32?{} [5]")
		nth := func(i nv.Tensor, s stack) stack {
			return c.SwitchAny(i, func() stack { return s }, func() stack { return multiplied(s, 3) }, func() stack { return multiplied(s, -1) }).(stack)
		}
		is("Switch", nth(c.Scalar(2), s), "f32{2} [-1 -2]", "i32?{} [-5]")
		is("jitted Switch", nth(c.Scalar(1), s), "f32{2} [3 6]", "i32?{} [15]")

		// an ambiguous tensor takes the dtype of a known one, in whichever branch
		known := func() []nv.Tensor { return []nv.Tensor{c.Scalar(7, nv.I16), c.Scalar(1.0)} }
		literal := func() []nv.Tensor { return []nv.Tensor{c.Lit(8), c.Lit(2.0)} }
		for _, p := range []bool{true, false} {
			for _, got := range [][]nv.Tensor{c.IfAny(p, known, literal).([]nv.Tensor), c.IfAny(!p, literal, known).([]nv.Tensor)} {
				if ty := got[0].Typed().String(); ty != "i16" {
					t.Error(p, ty)
				}
			}
		}
	})
}

func TestTreesInBranchesMustAgree(t *testing.T) {
	c := plainGo(t)
	s := newStack(c)
	same := func() stack { return s }
	change := func(f func(*stack)) func() stack {
		return func() stack { s := multiplied(s, 1); f(&s); return s }
	}
	for part, f := range map[string]func(){
		"If(bool true): branches 0 and 1 return f32{2} and f64{2} at .Units[0].W; convert one with AsType": func() { c.IfAny(true, same, change(func(s *stack) { s.Units[0].W = s.Units[0].W.AsType(nv.F64) })) },
		"If(bool true): branches 0 and 1 return i32{1} and i32{1,1} at .Units[0].B; return tensors of one shape": func() {
			c.IfAny(true, same, change(func(s *stack) { s.Units[0].B = s.Units[0].B.Reshape(nv.Shape{1, 1}) }))
		},
		"If(bool true): the structure of the result changes from branch 0 to branch 1 at .Units: length 2 becomes " +
			"1; return structures that differ only in their tensors": func() { c.IfAny(true, same, change(func(s *stack) { s.Units = s.Units[:1] })) },
		"If(bool true): the structure of the result changes from branch 0 to branch 1 at .Depth: 2 becomes 3; " +
			"return structures that differ only in their tensors": func() { c.IfAny(true, same, change(func(s *stack) { s.Depth = 3 })) },
		`Switch(int 0): the structure of the result changes from branch 0 to branch 2 at .Named["b"]: the key is ` +
			"missing; return structures that differ only in their tensors": func() { c.SwitchAny(0, same, same, change(func(s *stack) { delete(s.Named, "b") })) },
		"If(bool true): branch 1 does not set the tensor at .Units[1].B; give every tensor a value":        func() { c.IfAny(true, same, change(func(s *stack) { s.Units[1].B = nv.Tensor{} })) },
		"If(bool true): the branches return no tensor; return a Tensor, or a struct, slice or map of them": func() { c.IfAny(true, func() int { return 1 }, func() int { return 1 }) },
		"If(bool true): branches 0 and 1 have the types func() anvil_test.stack and func() int; give functions of " +
			"one type": func() { c.IfAny(true, same, func() int { return 1 }) },
		"If(bool true): branch 0 has type int; give a func() that returns a Tensor, or a struct, slice or map of " +
			"them": func() { c.IfAny(true, 1, 2) },
		"If(bool true): branch 1 has type nil; give a func() that returns a Tensor, or a struct, slice or map of " +
			"them": func() { c.IfAny(true, same, nil) },
	} {
		if s := errorOf(t, f); s != part {
			t.Errorf("got  %s\nwant %s", s, part)
		}
	}
}

// TestFaultsOfConditions checks that faults of the condition of a loop are errors:
// before the first step, and after each step.
func TestFaultsOfConditions(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		torch := c.With(promote.Torch)
		down := func(x nv.Tensor) nv.Tensor { // until 12 / x is at least 100
			return nv.While(x, func(x nv.Tensor) nv.Tensor { return torch.FloorDiv(12, x).Lt(100) }, func(x nv.Tensor) nv.Tensor { return x.Sub(1) })
		}
		up := func(x nv.Tensor) nv.Tensor { // until 12 / x is 3
			return nv.While(x, func(x nv.Tensor) nv.Tensor { return torch.FloorDiv(12, x).Gt(3) }, func(x nv.Tensor) nv.Tensor {
				return x.Add(1)
			})
		}
		for name, f := range map[string]func(x nv.Tensor) nv.Tensor{"a later step": down, "jitted": nv.Jit(down)} {
			if s := errorOf(t, func() { f(c.Scalar(3)).Int() }); !strings.Contains(s, "ZeroDivisionError") && !strings.Contains(s, "divided by 0") {
				t.Errorf("%s: %s", name, s)
			}
		}
		for name, f := range map[string]func(x nv.Tensor) nv.Tensor{"the first": up, "jitted": nv.Jit(up)} {
			if s := errorOf(t, func() { f(c.Scalar(0)).Int() }); !strings.Contains(s, "ZeroDivisionError") && !strings.Contains(s, "divided by 0") {
				t.Errorf("%s: %s", name, s)
			}
			want(t, f(c.Scalar(1)), "i32?{} [4]")
			want(t, f(c.Scalar(9)), "i32?{} [9]")
		}
	})
}
