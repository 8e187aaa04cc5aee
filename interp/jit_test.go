package interp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
)

// A change is a cell, and the result of a jitted function after it.
type change struct{ code, want string }

// TestJitIsNeverStale changes in later cells the variables and functions that a jitted function uses, and checks that
// its result is that of the function itself. The function prints when it is traced, which must not happen if nothing
// has changed.
func TestJitIsNeverStale(t *testing.T) {
	notebooks := []struct {
		name, setup string
		changes     []change
	}{
		{"scalar", "lr := 2.0\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * lr })",
			[]change{{"lr = 3", "3"}, {"lr := 4.0", "4"}, {"var lr float64 = 5", "5"}}},
		{"tensor", "w := nv.Scalar(2.0)\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * w })",
			[]change{{"w = nv.Scalar(3.0)", "3"}, {"w += 1", "4"}}},
		{"helper", "func h(x nv.Tensor) nv.Tensor { return x * 2 }\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return h(x) })",
			[]change{{"func h(x nv.Tensor) nv.Tensor { return x * 3 }", "3"}, {"k := 4\nfunc h(x nv.Tensor) nv.Tensor { return x * k }", "4"}, {"k = 5", "5"}}},
		{"helper of a helper", "func g(x nv.Tensor) nv.Tensor { return x * 2 }\nfunc h(x nv.Tensor) nv.Tensor { return g(x) }\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return h(x) })",
			[]change{{"func g(x nv.Tensor) nv.Tensor { return x * 3 }", "3"}}},
		{"named function", "lr := 2.0\nfunc h(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * lr }\nf := nv.Jit(h)",
			[]change{{"lr = 3", "3"}, {"func h(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * 4 }", "4"}}},
		{"variadic", "k := 2\nfunc h(xs ...nv.Tensor) nv.Tensor { fmt.Println(1); return xs[0] * k }\nf := nv.Jit(h)",
			[]change{{"k = 3", "3"}}},
		{"struct", "type M struct{ w nv.Tensor; lr float64; sub struct{ n []int } }\nm := M{nv.Scalar(1.0), 1, struct{ n []int }{[]int{2}}}\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * m.w * m.lr * m.sub.n[0] })",
			[]change{{"m.lr = 2", "4"}, {"m.w = nv.Scalar(3.0)", "12"}, {"m.sub.n[0] = 1", "6"}}},
		{"literal of a struct", "type M struct{ w nv.Tensor; lr float64 }\nm := M{nv.Scalar(2.0), 1}\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * m.w * m.lr })",
			[]change{{"m = M{nv.Scalar(3.0), 1}", "3"}, {"m = M{nv.Scalar(3.0), 2}", "6"}, {"func set() { m = M{w: nv.Scalar(4.0), lr: 2} }\nset()", "8"}, {"m, k := M{nv.Scalar(5.0), 2}, 1", "10"}}},
		{"literal of a generic struct", "type Box[T any] struct{ v T }\nfunc (b Box[T]) get() T { return b.v }\nb := Box[nv.Tensor]{nv.Scalar(2.0)}\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * b.get() })",
			[]change{{"b = Box[nv.Tensor]{nv.Scalar(3.0)}", "3"}, {"b.v = nv.Scalar(4.0)", "4"}}},
		{"one tensor under several names", "w := nv.Scalar(2.0)\nold := w\nall := [2]nv.Tensor{w, old}\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * w + 10*old + 100*all[0] + 1000*all[1] })",
			[]change{{"w = nv.Scalar(3.0)", "2223"}, {"all[0] = w", "2323"}, {"old = nv.Scalar(4.0)", "2343"}, {"all[1] = old", "4343"}}},
		{"pointer, map, interface", "type M struct{ lr float64 }\np := &M{2}\nd := map[string]float64{\"a\": 1}\nvar v any = 1\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * p.lr * d[\"a\"] * v.(int) })",
			[]change{{"p.lr = 3", "3"}, {"d[\"a\"] = 2", "6"}, {"v = 2", "12"}, {"p = &M{1}", "4"}}},
		{"pointers to a struct and its first field", "type M struct{ a, b float64 }\nm := M{1, 2}\npa, pm := &m.a, &m\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * *pa * pm.b })",
			[]change{{"m.b = 3", "3"}, {"m.a = 2", "6"}}},
		{"method", "type M struct{ lr float64 }\nfunc (m M) scale() float64 { return m.lr * lr }\nm, lr := M{2}, 1.0\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * m.scale() })",
			[]change{{"lr = 3", "6"}, {"m.lr = 4", "12"}}},
		{"generic function", "func twice[T any](x T, f func(T) T) T { return f(f(x)) }\nk := 2\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return twice(x, func(x nv.Tensor) nv.Tensor { return x * k }) })",
			[]change{{"k = 3", "9"}}},
		{"local", "var set func(float64)\nfunc make_() func(nv.Tensor) nv.Tensor {\n\tlr := 2.0\n\tset = func(v float64) { lr = v }\n\treturn nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * lr })\n}\nf := make_()",
			[]change{{"set(3)", "3"}, {"set(4)", "4"}}},
		{"function in a variable", "h := func(x nv.Tensor) nv.Tensor { return x * 2 }\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return h(x) })",
			[]change{{"h = func(x nv.Tensor) nv.Tensor { return x * 3 }", "3"}}},
		{"method value", "type M struct{ lr float64 }\nfunc (m *M) apply(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * m.lr }\nm := &M{2}\nf := nv.Jit(m.apply)",
			[]change{{"m.lr = 3", "3"}}},
		{"interface", "type S interface{ scale() float64 }\ntype A struct{}\ntype B struct{}\nfunc (A) scale() float64 { return 2 }\nfunc (B) scale() float64 { return 3 }\nvar s S = A{}\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * s.scale() })",
			[]change{{"s = B{}", "3"}, {"type C struct{ k *float64 }\nfunc (c C) scale() float64 { return *c.k }\nk := 4.0\ns = C{&k}", "4"}, {"k = 5", "5"}}},
		{"variable of a method called through an interface", "type S interface{ scale() float64 }\ntype A struct{}\nk := 2.0\nfunc (A) scale() float64 { return k }\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); var s S = A{}; return x * s.scale() })",
			[]change{{"k = 3", "3"}, {"func (A) scale() float64 { return k + 1 }", "4"}}},
		{"method that a package calls", "import \"sort\"\ndown := false\ntype by []float64\nfunc (b by) Len() int { return len(b) }\nfunc (b by) Swap(i, j int) { b[i], b[j] = b[j], b[i] }\nfunc (b by) Less(i, j int) bool { return (b[i] < b[j]) != down }\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); b := by{3, 2, 4}; sort.Sort(b); return x * b[0] })",
			[]change{{"down = true", "4"}, {"func (b by) Less(i, j int) bool { return b[i] < b[j] }", "2"}}},
		{"closure of a function", "func adder(k float64) func(nv.Tensor) nv.Tensor { return func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x + k } }\ng := adder(1)\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { return g(x) })",
			[]change{{"g = adder(2)", "3"}}},
		{"function in a struct", "type L struct{ W nv.Tensor; Act func(nv.Tensor) nv.Tensor }\nk := 2\nl := L{nv.Scalar(1.0), func(x nv.Tensor) nv.Tensor { return x * k }}\nj := nv.Jit(func(l L, x nv.Tensor) nv.Tensor { fmt.Println(1); return l.Act(x * l.W) })\nf := func(x nv.Tensor) nv.Tensor { return j(l, x) }",
			[]change{{"k = 3", "3"}, {"l.Act = func(x nv.Tensor) nv.Tensor { return -x }", "-1"}, {"l.Act = nv.Tensor.Square; l.W = nv.Scalar(3.0)", "9"}}},
		{"itself", "var g func(nv.Tensor, int) nv.Tensor\nk := 2\ng = func(x nv.Tensor, n int) nv.Tensor { if n == 0 { return x }; return g(x*k, n-1) }\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return g(x, 2) })",
			[]change{{"k = 3", "9"}}},
		{"ring", "type N struct{ v float64; next *N }\na, b := &N{v: 1}, &N{v: 2}\na.next, b.next = b, a\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * a.next.next.next.v })",
			[]change{{"b.v = 3", "3"}}},
		{"gradient in a variable", "k := 2.0\ng := nv.Grad(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * x * k })\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { return g(x) })",
			[]change{{"k = 3", "6"}, {"g = nv.Grad(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return -k * x })", "-3"}, {"k := 5.0", "-5"}}},
		{"jitted function in a variable", "k := 2.0\ng := nv.Jit(nv.Vmap(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * k }))\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { return g(x.Reshape(nv.Shape{1})) })",
			[]change{{"k = 3", "3"}, {"g = nv.Checkpoint(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x - k })", "-2"}}},
		{"gradient itself", "k := nv.Scalar(2.0)\nf := nv.Jit(nv.Grad(func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * x * k }))",
			[]change{{"k = nv.Scalar(3.0)", "6"}, {"k := nv.Scalar(5.0)", "10"}}},
		{"mapped gradient of a jitted function", "k := 2.0\ng := func(x nv.Tensor) nv.Tensor { fmt.Println(1); return x * x * k }\nh := nv.Jit(nv.Vmap(nv.Grad(nv.Jit(g))))\nf := func(x nv.Tensor) nv.Tensor { return h(x.Reshape(nv.Shape{1})).Sum() }",
			[]change{{"k = 3", "6"}, {"k = 1", "2"}}},
		{"optimizer", "opt := optim.SGD{Rate: 2.0}\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { fmt.Println(1); w, _ := optim.Update(opt, x, x, optim.State{Count: nv.Scalar(0)}); return w })",
			[]change{{"opt.Rate = 3.0", "-2"}, {"opt = optim.SGD{Rate: 4.0}", "-3"}}},
	}
	for _, n := range notebooks {
		t.Run(n.name, func(t *testing.T) {
			nb := interptest.New(t, interp.Options{})
			nb.MustRun(t, 1, n.setup)
			ask := func(i int) string { return nb.MustRun(t, i, "f(nv.Scalar(1.0)).Float()") }
			ask(2)
			for i, c := range n.changes {
				nb.MustRun(t, 3*i+3, c.code)
				if got := ask(3*i + 4); got != c.want {
					t.Errorf("after %s: %s, want %s", c.code, got, c.want)
				}
				nb.Stdout.Reset()
				ask(3*i + 5)
				if strings.Contains(nb.Stdout.String(), "1") {
					t.Errorf("after %s: traced again", c.code)
				}
			}
		})
	}
}

// TestJitCompilesOnce checks that no further program is compiled if a captured scalar changes or a closure is created
// again.
func TestJitCompilesOnce(t *testing.T) {
	loops := map[string]string{
		"captured scalar": "for i := range 20 {\n\tlr = 1 / float64(i+1)\n\tw = f(w)\n}",
		"new closure":     "for i := range 20 {\n\trate := 1 / float64(i+1)\n\tg := nv.Jit(func(x nv.Tensor) nv.Tensor { return x - rate*x })\n\tw = g(w)\n}",
	}
	for name, loop := range loops {
		t.Run(name, func(t *testing.T) {
			nb := interptest.New(t, interp.Options{})
			nb.MustRun(t, 1, "lr := 1.0\nw := nv.New([]float64{1, 2})\nf := nv.Jit(func(x nv.Tensor) nv.Tensor { return x - lr*x })")
			nb.MustRun(t, 2, loop)
			if n := nb.MustRun(t, 3, "w.Values(); nv.Stats().Compiles"); n != "1" {
				t.Errorf("%s programs compiled", n)
			}
		})
	}
}

// TestJitOfAVariable counts how often a function that prints is traced if nv.Jit(f)(x) is evaluated repeatedly, and
// checks that the result is always that of f itself.
func TestJitOfAVariable(t *testing.T) {
	const literal = "func(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x * k }"
	const again = "for range 5 {\n\tgot = nv.Jit(f)(x).Float()\n}\ngot, f(x).Float()"
	notebooks := []struct {
		name  string
		cells []string // code and want, in turn: the values, and a T for each trace and for the call of f itself
	}{
		{"a variable", []string{"f := " + literal, "", again, "TT2\n2", again, "T2\n2"}},
		{"what it reads changes", []string{"f := " + literal, "", again, "TT2\n2", "k = 3", "", again, "TT3\n3", "k := 2", "", again, "T2\n2"}},
		{"assigned again", []string{"f := " + literal, "", again, "TT2\n2", "f = func(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x - k }", "", again, "TT-1\n-1", again, "T-1\n-1"}},
		{"declared again", []string{"f := " + literal, "", again, "TT2\n2", "f := func(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x - k }", "", again, "TT-1\n-1", again, "T-1\n-1"}},
		{"declared, then assigned", []string{"var f func(x nv.Tensor) nv.Tensor", "", "f = " + literal, "", again, "TT2\n2", again, "T2\n2"}},
		{"a declared function", []string{"func f(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x * k }", "", again, "TT2\n2", again, "T2\n2",
			"func f(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x - k }", "", again, "TT-1\n-1", again, "T-1\n-1"}},
		{"a variable set to a declared function", []string{"func g(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x * k }\nf := g", "", again, "TT2\n2", again, "T2\n2",
			"func g(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x - k }", "", again, "TT-1\n-1"}},
		{"kept", []string{"f := " + literal + "\ng := nv.Jit(f)\nold := f", "", "g(x).Float(), g(x).Float()", "T2\n2", "f = func(x nv.Tensor) nv.Tensor { return x - 5 }\nk = 4", "",
			"g(x).Float(), old(x).Float(), nv.Jit(f)(x).Float()", "TT4\n4\n-4", "g(x).Float()", "4"}},
		{"in a function", []string{"f := " + literal + "\nfunc run(x nv.Tensor) float64 { return nv.Jit(f)(x).Float() }", "", "run(x), run(x)", "T2\n2",
			"w := 5.0\nf = func(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x - w }", "", "run(x), run(x)", "T-4\n-4", "w = 6", "", "run(x), run(x)", "T-5\n-5"}},
		{"a local variable", []string{"func run(x nv.Tensor, rate float64) float64 {\n\tf := func(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x * rate * k }\n\tg := nv.Jit(f)\n\ta := g(x) + g(x)\n\trate++\n\treturn (a + g(x)).Float()\n}", "",
			"run(x, 1)", "TT8", "run(x, 2)", "T14"}},
		{"a shadowed local", []string{"func run(x nv.Tensor) float64 {\n\trate := 2.0\n\tf := func(x nv.Tensor) nv.Tensor { return x * rate }\n\ttotal := 0.0\n\tfor range 2 {\n\t\trate, outer := 10.0, &rate\n\t\t_ = rate\n\t\ttotal += nv.Jit(f)(x).Float()\n\t\t*outer++\n\t}\n\treturn total\n}", "", "run(x)", "5"}},
		{"a variable of each step", []string{"var fs []func(nv.Tensor) nv.Tensor\nfor i := range 3 {\n\tf := func(x nv.Tensor) nv.Tensor { return x * i }\n\tfs = append(fs, nv.Jit(f))\n}", "",
			"fs[0](x).Float(), fs[1](x).Float(), fs[2](x).Float()", "0\n1\n2"}},

		// A function whose dependencies are unknown is traced at each call.
		{"set by a function", []string{"f := " + literal, "", "func set() { f = func(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x - k } }", "", again, "TT2\n2", "set()", "", again, "TT-1\n-1",
			"k = 3", "", again, "TT-2\n-2"}},
		{"set through a pointer", []string{"f := " + literal + "\np := &f", "", again, "TT2\n2", "*p = func(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x - k }", "", again, "TT-1\n-1"}},
		{"set by a method", []string{"type F func(nv.Tensor) nv.Tensor\nfunc (f *F) set() { *f = func(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x - k } }\nvar f F = " + literal, "",
			again, "TT2\n2", "f.set()", "", again, "TT-1\n-1"}},
		{"set in a loop", []string{"f := " + literal, "", "for i := range 2 {\n\tf = func(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x * i }\n}", "", again, "TT1\n1"}},
		{"set by range", []string{"f := " + literal, "", "for _, f = range []func(nv.Tensor) nv.Tensor{func(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x - k }} {\n}", "", again, "TT-1\n-1"}},
		{"what a call returns", []string{"func scaled(r float64) func(nv.Tensor) nv.Tensor { return func(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x * r } }\nf := scaled(3)", "", again, "TT3\n3",
			"f = scaled(4)", "", again, "TT4\n4"}},
		{"two at once", []string{"f, g := " + literal + ", func(x nv.Tensor) nv.Tensor { return x }\nf, g = g, f", "", "g(x).Float(), nv.Jit(g)(x).Float(), nv.Jit(f)(x).Float()", "TT2\n2\n1"}},
		{"a cell that fails", []string{"f := " + literal, "", again, "TT2\n2", "f = func(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x - k }\npanic(1)", "panic", again, "TT-1\n-1"}},
		{"a panic before it is set", []string{"f := " + literal, "", again, "TT2\n2", "panic(1)\nf = func(x nv.Tensor) nv.Tensor { fmt.Print(\"T\"); return x - k }", "panic", again, "T2\n2"}},
	}
	for _, n := range notebooks {
		t.Run(n.name, func(t *testing.T) {
			nb := interptest.New(t, interp.Options{})
			nb.MustRun(t, 1, "k := 2\nx := nv.Scalar(1.0)\nvar got float64")
			for i := 0; i < len(n.cells); i += 2 {
				nb.Stdout.Reset()
				if n.cells[i+1] == "panic" {
					nb.Run(context.Background(), n.cells[i], i+2)
					continue
				}
				out := nb.MustRun(t, i+2, n.cells[i])
				if got := nb.Stdout.String() + out; got != n.cells[i+1] {
					t.Errorf("%s\ngave %q, want %q", n.cells[i], got, n.cells[i+1])
				}
			}
		})
	}
}
