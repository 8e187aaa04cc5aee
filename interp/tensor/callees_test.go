package tensor_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
)

// TestCalleesOfDrawnFunctions checks the list of operations that random functions reach. Each function may call
// operations and earlier functions in any place of its body.
func TestCalleesOfDrawnFunctions(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	nb.MustRun(t, 1, `import "anvil/backend"`)
	r := rand.New(rand.NewPCG(7, 8))
	reached := make([]map[string]bool, 6)
	for n := 2; n < 26; n++ {
		i := r.IntN(len(reached))
		if n < 2+len(reached) {
			i = n - 2 // each function is declared once in order, and then again at random
		}
		code, calls := drawFunction(r, i)
		nb.MustRun(t, n, code)
		reached[i] = calls
		at := r.IntN(min(n-1, len(reached)))
		want := slices.Sorted(maps.Keys(reach(reached, at, map[string]bool{})))
		got := nb.MustRun(t, 100+n, fmt.Sprintf("backend.FunctionCalls(f%d)", at))
		if got != fmt.Sprint(want) {
			t.Fatalf("after\n%s\nf%d calls %s, want %v", code, at, got, want)
		}
	}
}

// operations maps expressions to the operations that they call, by their names in Ivy.
var operations = map[string]string{
	"nv.Expm1(x)": "expm1", "nv.Lcm(x, x)": "lcm", "x.Sqrt()": "sqrt", "x + 1": "add", "-x": "negative",
	"x / x": "divide", "nv.Sin(x).Cos()": "sin cos",
}

// places are statements of functions, with a place for a call.
var places = []string{"x = %s", "if deep { x = %s }", "for range 2 { x = %s }", "x = func(x nv.Tensor) nv.Tensor { return %s }(x)",
	"g%[2]d := func(x nv.Tensor) nv.Tensor { return %[1]s }; x = g%[2]d(x)", "switch { case deep: x = %s }", "defer func() { x = %s }()"}

// drawFunction returns the source of a random function f<i>, and the names of the functions that it calls.
func drawFunction(r *rand.Rand, i int) (code string, calls map[string]bool) {
	calls = map[string]bool{}
	exprs := slices.Sorted(maps.Keys(operations))
	for earlier := range i {
		exprs = append(exprs, fmt.Sprintf("f%d(x, deep)", earlier))
	}
	var body strings.Builder
	for k := range 1 + r.IntN(3) {
		e := exprs[r.IntN(len(exprs))]
		calls[e] = true
		place := places[r.IntN(len(places))]
		if strings.Contains(place, "%[2]d") {
			fmt.Fprintf(&body, "\t"+place+"\n", e, k)
		} else {
			fmt.Fprintf(&body, "\t"+place+"\n", e)
		}
	}
	return fmt.Sprintf("func f%d(x nv.Tensor, deep bool) nv.Tensor {\n%s\treturn x\n}", i, body.String()), calls
}

// reach adds the operations that function i reaches to into, and returns it.
func reach(calls []map[string]bool, i int, into map[string]bool) map[string]bool {
	for e := range calls[i] {
		var earlier int
		if _, err := fmt.Sscanf(e, "f%d(", &earlier); err == nil {
			reach(calls, earlier, into)
			continue
		}
		for op := range strings.FieldsSeq(operations[e]) {
			into[op] = true
		}
	}
	return into
}
