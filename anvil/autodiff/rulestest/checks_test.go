package rulestest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/shape"
)

// TestLanes checks which operands get a batch axis: every combination of few operands, and of many one or all.
func TestLanes(t *testing.T) {
	for n, want := range map[int]string{
		0: "[]", 1: "[[true]]", 2: "[[true false] [false true] [true true]]",
		5: "[[true false false false false] [false true false false false] [false false true false false] " +
			"[false false false true false] [false false false false true] [true true true true true]]",
	} {
		if got := fmt.Sprint(lanesOf(n)); got != want {
			t.Errorf("%d operands: %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int]int{3: 7, 4: 15} {
		if got := len(lanesOf(n)); got != want {
			t.Errorf("%d operands: %d combinations, want %d", n, got, want)
		}
	}
}

// TestVaried checks that the lanes of an operand differ where they can.
func TestVaried(t *testing.T) {
	for _, c := range []struct {
		typ  shape.Type
		xs   []float64
		want [3]string
	}{
		{shape.Of(dtype.F32, 3), []float64{1, 2, 3}, [3]string{"[1 2 3]", "[2 3 1]", "[3 1 2]"}},
		{shape.Of(dtype.I16, 2), []float64{1, 2}, [3]string{"[1 2]", "[2 1]", "[1 2]"}},
		{shape.Of(dtype.I32), []float64{5}, [3]string{"[5]", "[6]", "[7]"}},
		{shape.Of(dtype.U8, 1), []float64{5}, [3]string{"[5]", "[5]", "[5]"}},
		{shape.Of(dtype.I1), []float64{1}, [3]string{"[true]", "[false]", "[true]"}},
		{shape.Of(dtype.I1), []float64{0}, [3]string{"[false]", "[true]", "[false]"}},
		{shape.Of(dtype.F32, 0), nil, [3]string{"[]", "[]", "[]"}},
	} {
		x := array.New(c.typ)
		for i, v := range c.xs {
			dtype.PutFloat(x.Data[i*c.typ.DType.Size():], c.typ.DType, v)
		}
		before := slices.Clone(x.Data)
		for lane, want := range c.want {
			y := varied(x, lane)
			if got := elements(y, y.Data); got != want || y.Type.String() != c.typ.String() {
				t.Errorf("lane %d of %v is %s, want %s", lane, c.typ, got, want)
			}
		}
		if !slices.Equal(x.Data, before) {
			t.Errorf("%v is changed", c.typ)
		}
	}
}

// TestCheckGraph checks what is compared, and the values that are returned: tangents of the active arguments, and cotangents
// of the results with derivatives.
func TestCheckGraph(t *testing.T) {
	g, float, whole := &ir.Graph{}, shape.Of(dtype.F64, 3), shape.Of(dtype.I32, 3)
	x, y := g.Param(float), g.Param(float)
	product := g.Add(ir.Mul, nil, nil, []*ir.Value{x, y}, float).Results[0]
	g.Outputs = []*ir.Value{g.Add(ir.Convert, ir.DTypeAttrs{DType: dtype.I32}, nil, []*ir.Value{x}, whole).Results[0], product, x}
	seed := uint64(7)
	args := []array.Array{opstest.Random(float, &seed), opstest.Random(float, &seed)}
	for _, c := range []struct {
		active     []bool
		reversible bool
		tangents   int
	}{{[]bool{true, true}, true, 2}, {[]bool{true, false}, true, 1}, {[]bool{true, true}, false, 2}} {
		jvp, vjp, tangents, cts, checked := checkGraph(t, "product", g, args, c.active, c.reversible, &seed)
		if jvp == nil || (vjp != nil) != c.reversible || len(tangents) != c.tangents || checked != 6 {
			t.Errorf("%+v: %d tangents, %d elements are checked, programs %t, %t", c, len(tangents), checked, jvp != nil, vjp != nil)
		}
		if want := map[bool]int{true: 2}[c.reversible]; len(cts) != want {
			t.Errorf("%+v: %d cotangents, want %d", c, len(cts), want)
		}
	}
}

// TestCheckRule checks how many elements are compared: of large operands only the first derivative, and of very large
// ones nothing; of integers nothing.
func TestCheckRule(t *testing.T) {
	for _, c := range []struct {
		code ir.Code
		typ  shape.Type
		want int
	}{
		{ir.Neg, shape.Of(dtype.F64), 1 + 2 + 2}, {ir.Neg, shape.Of(dtype.F64, 50), 50 * 5}, {ir.Neg, shape.Of(dtype.F64, 51), 51},
		{ir.Neg, shape.Of(dtype.F64, 500), 500}, {ir.Neg, shape.Of(dtype.F64, 501), 0}, {ir.Neg, shape.Of(dtype.C128, 2), 10},
		{ir.Neg, shape.Of(dtype.I32, 2), 0}, {ir.Neg, shape.Of(dtype.F32, 2), 0},
	} {
		seed := uint64(1)
		args := []array.Array{opstest.Random(c.typ, &seed)}
		if got := checkRule(t, c.typ.String(), ops.Lookup(c.code), opstest.Sample{}, args, &seed); got != c.want {
			t.Errorf("%v: %d elements, want %d", c.typ, got, c.want)
		}
	}
	loop := opstest.Samples(ops.Lookup(ir.While), dtype.F64)[0]
	seed := uint64(1)
	if got := checkRule(t, "While", ops.Lookup(ir.While), loop, loop.Args, &seed); got != 3+6 { // has no reverse mode
		t.Errorf("a loop: %d elements", got)
	}
}
