package interp_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
)

// mix are cells of the kinds that notebooks have many of: an expression, a type, a function, a variable of another
// type, a tensor operation.
var mix = []string{
	"1 + 1",
	"type P struct{ X, Y int }\np := P{%[1]d, 2}\np.X",
	"func f(n int) int { return n + %[1]d }\nf(1)",
	"v := %[1]d",
	"v := \"%[1]d\"",
	"t = 0.5*t + 1\nt.Float()",
	"for i := range 3 {\n\tt += i\n}",
	"undefined%[1]d",
}

// runMix runs the cells with the numbers from, from+1, ..., to-1, which repeat the mix.
func runMix(t testing.TB, nb *interptest.Notebook, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		format := mix[n%len(mix)]
		code := format
		if n%len(mix) != 0 && n%len(mix) < 5 || n%len(mix) == 7 {
			code = fmt.Sprintf(format, n)
		}
		res := nb.Run(context.Background(), code, n)
		if res.Err != nil && n%len(mix) != 7 {
			t.Fatalf("%s\n%s", code, res.Err.Text())
		}
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// mallocs returns how many objects f allocates.
func mallocs(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.Mallocs - before.Mallocs)
}

// TestGrowth checks that a late cell allocates as many objects as an early one, and that a cell leaves at most 1 kB
// on the heap.
func TestGrowth(t *testing.T) {
	const perCell = 1 << 10
	nb := interptest.New(t, interp.Options{})
	nb.MustRun(t, 1, "t := nv.Scalar(1.0)")
	runMix(t, nb, 2, 18)
	early := mallocs(func() { runMix(t, nb, 18, 98) })
	before := heap()
	runMix(t, nb, 98, 898)
	grown := (heap() - before) / 800
	late := mallocs(func() { runMix(t, nb, 898, 978) })
	if grown > perCell {
		t.Errorf("a cell leaves %d bytes on the heap", grown)
	}
	if late > early*12/10 {
		t.Errorf("cells 898 to 977 allocate %d objects, cells 18 to 97 %d", late, early)
	}
	t.Logf("%d bytes a cell; %d and %d objects for 80 cells", grown, early, late)
}

// TestDeclarationsKeepLittle bounds what a cell leaves on the heap that declares a type with a method, a function and
// a variable, all with new names. Each stays in use.
func TestDeclarationsKeepLittle(t *testing.T) {
	const perCell = 12_500
	nb := interptest.New(t, interp.Options{})
	declare := func(from, to int) {
		for n := from; n < to; n++ {
			nb.MustRun(t, n, fmt.Sprintf("type T%[1]d struct { A int; B string; C []float64 }\n"+
				"func (t T%[1]d) Sum() float64 { return float64(t.A) + float64(len(t.C)) }\n"+
				"func F%[1]d(n int) T%[1]d { return T%[1]d{A: n, B: \"x\", C: make([]float64, n)} }\n"+
				"var v%[1]d = F%[1]d(%[1]d %% 7)", n))
		}
	}
	declare(1, 50)
	before := heap()
	declare(50, 450)
	if grown := (heap() - before) / 400; grown > perCell {
		t.Errorf("a cell leaves %d bytes on the heap", grown)
	} else {
		t.Logf("%d bytes a cell", grown)
	}
}

// TestReplacedFunctions checks that the compiled body of a function is freed when a function of another type has
// replaced it and nothing calls it any more.
func TestReplacedFunctions(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	live := func(n int) int {
		nb.MustRun(t, n, "1")
		runtime.GC()
		runtime.GC()
		return nb.LiveFunctions()
	}
	nb.MustRun(t, 1, "func f(xs [1]int) int { return len(xs) }\nfunc g() int { return f([1]int{}) }")
	before := live(2)
	for n := 3; n < 53; n++ {
		nb.MustRun(t, n, fmt.Sprintf("func f(xs [%d]int) int { return len(xs) }", n))
	}
	if after := live(53); after > before+10 {
		t.Errorf("%d functions can be called, %d before", after, before)
	}
	nb.MustRun(t, 54, "if g() != 1 {\n\tpanic(g())\n}")
}

// TestPositionsOfOldCells checks that tracebacks show the lines of functions of much earlier cells, called by name,
// from maps, and as methods.
func TestPositionsOfOldCells(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	nb.MustRun(t, 1, "t := nv.Scalar(1.0)")
	nb.MustRun(t, 2, "held := map[string]func(){}")
	nb.MustRun(t, 3, "held[\"a\"] = func() {\n\tpanic(\"in a map\")\n}")
	nb.MustRun(t, 4, "type T struct{}\n\nfunc (T) Boom() { panic(\"in a method\") }\n\nfunc named(n int) int { return []int{}[n] }")
	runMix(t, nb, 5, 1005)
	runtime.GC()
	runMix(t, nb, 1005, 2005)
	for code, want := range map[string]string{
		"held[\"a\"]()": "\tpanic(\"in a map\")",
		"T{}.Boom()":    "func (T) Boom() { panic(\"in a method\") }",
		"named(3)":      "func named(n int) int { return []int{}[n] }",
	} {
		res := nb.Run(context.Background(), code, 3000)
		if res.Err == nil || !strings.Contains(res.Err.Text(), want) {
			t.Errorf("%s: %v", code, res.Err)
		}
	}
}
