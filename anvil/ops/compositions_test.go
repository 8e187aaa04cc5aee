package ops_test

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// A compositionKey is a function and its option.
type compositionKey struct {
	name   string
	option float64
}

// readCompositions returns the numbers in each line of testdata/compositions.txt, after the option.
func readCompositions(t *testing.T) map[compositionKey][][]float64 {
	f, err := os.Open("testdata/compositions.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	points := map[compositionKey][][]float64{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		words := strings.Fields(lines.Text())
		var numbers []float64
		for _, w := range words[1:] {
			x, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, x)
		}
		key := compositionKey{words[0], numbers[0]}
		points[key] = append(points[key], numbers[1:])
	}
	return points
}

// otherBodies are functions of two operands that are not rows: those of pathwise.go, and Polygamma at any operand.
var otherBodies = map[string]func(b expr.Builder, x, y expr.Value) expr.Value{
	"GammaSlope": ops.GammaSlope, "LogGammaSlope": ops.LogGammaSlope, "WaldSlope": ops.WaldSlope,
	"PolygammaReflected": func(b expr.Builder, n, x expr.Value) expr.Value {
		return ops.PolygammaReflected(b, n, x, b.Do(ir.Polygamma, nil, n, x))
	},
}

// bodyOf returns the function of a row or of otherBodies.
func bodyOf(name string, option float64) func(b expr.Builder, x []expr.Value) expr.Value {
	if row := ops.FunctionOf(name); row != nil {
		return func(b expr.Builder, x []expr.Value) expr.Value { return row.Body(b, x, option) }
	}
	return func(b expr.Builder, x []expr.Value) expr.Value { return otherBodies[name](b, x[0], x[1]) }
}

// compositionBounds are the greatest relative errors of functions and of their derivatives in f64, in units of
// 2^-52. Functions that are not listed have at most 5. The others have an exponential whose result may be tiny, and
// then its relative error is large, or terms that cancel.
var compositionBounds = map[string]struct{ value, derivative float64 }{
	"IGamma": {150, 150}, "IGammac": {120, 150}, "BetaInc": {320, 520}, "GammaSlope": {45, 0}, "LogGammaSlope": {45, 0},
	"Gelu":               {0, 150}, // the derivative is 0 near -0.75
	"BesselI0":           {0, 60},  // near 0 terms of the derivative cancel
	"PolygammaReflected": {80, 0},
}

// TestCompositions compares composed functions of f64 and their derivatives with exact values.
func TestCompositions(t *testing.T) {
	tested := map[string]bool{}
	for key, points := range readCompositions(t) {
		tested[key.name] = true
		n := 2 // operands
		if row := ops.FunctionOf(key.name); row != nil {
			n = len(row.Params)
		}
		typ := shape.Of(dtype.F64, len(points))
		args := make([]array.Array, n)
		for i := range n {
			column := make([]float64, len(points))
			for k, p := range points {
				column[k] = p[i]
			}
			args[i] = array.Store(array.New(typ), column)
		}
		g := &ir.Graph{}
		operands := make([]expr.Value, n)
		for i := range operands {
			operands[i] = g.Param(typ)
		}
		g.Outputs = []*ir.Value{bodyOf(key.name, key.option)(opstest.Traced(g), operands).(*ir.Value)}
		bound := compositionBounds[key.name]
		bound.value, bound.derivative = max(bound.value, 5), max(bound.derivative, 5)
		out, err := reference.Run(t.Context(), g, args)
		if err != nil {
			t.Fatal(err)
		}
		checkColumn(t, fmt.Sprint(key), out[0], points, n, n, bound.value)
		for i := range n {
			if otherBodies[key.name] != nil {
				break // their derivatives are not known
			}
			active := make([]bool, n)
			active[i] = true
			jvp, err := autodiff.JVP(g, active, nil)
			if err != nil {
				t.Fatal(err)
			}
			ones := array.New(typ)
			for k := range points {
				dtype.PutFloat(ones.Data[k*8:], dtype.F64, 1)
			}
			out, err := reference.Run(t.Context(), jvp, append(args[:n:n], ones))
			if err != nil {
				t.Fatal(err)
			}
			checkColumn(t, fmt.Sprintf("%v, derivative by operand %d", key, i), out[1], points, n, n+1+i, bound.derivative)
		}
	}
	for _, row := range ops.Functions() {
		if row.Body != nil && row.Code == ir.Constant && !tested[row.Name] {
			t.Errorf("%s has no values", row.Name)
		}
	}
}

// TestDensitiesAtEnds checks the derivatives of incomplete integrals with respect to their upper limit at the ends of its
// range, where a density is 0, infinite or between them.
func TestDensitiesAtEnds(t *testing.T) {
	infinite := math.Inf(1)
	for _, c := range []struct {
		name     string
		operands []float64
		want     float64
	}{
		{"IGamma", []float64{0.5, 0}, infinite}, {"IGamma", []float64{1, 0}, 1}, {"IGamma", []float64{2, 0}, 0},
		{"IGamma", []float64{2, infinite}, 0}, {"IGammac", []float64{1, 0}, -1},
		{"BetaInc", []float64{0.5, 3, 0}, infinite}, {"BetaInc", []float64{1, 3, 0}, 3}, {"BetaInc", []float64{2, 3, 0}, 0},
		{"IGamma", []float64{-1, 0}, 0}, {"IGamma", []float64{-1, 2}, 0}, {"IGamma", []float64{0, 0}, 0},
		{"IGamma", []float64{0, 2}, 0},
		{"IGamma", []float64{2, -1}, 0}, {"IGamma", []float64{infinite, 2}, 0},
		{"IGamma", []float64{infinite, infinite}, 0},
		{"BetaInc", []float64{-1, 3, 0}, 0}, {"BetaInc", []float64{-1, 3, 0.5}, 0}, {"BetaInc", []float64{3, -1, 1}, 0},
		{"BetaInc", []float64{0, 3, 0}, 0}, {"BetaInc", []float64{0, 3, 0.5}, 0}, {"BetaInc", []float64{3, 0, 1}, 0},
		{"BetaInc", []float64{1, infinite, 0}, 0}, {"BetaInc", []float64{infinite, 3, 0.5}, 0},
		{"BetaInc", []float64{infinite, 1, 1}, 0},
		{"BetaInc", []float64{2, 3, -0.5}, 0}, {"BetaInc", []float64{2, 3, 1.5}, 0}, {"BetaInc", []float64{2, 2, 0.5}, 1.5},
		{"BetaInc", []float64{3, 0.5, 1}, infinite}, {"BetaInc", []float64{3, 1, 1}, 3}, {"BetaInc", []float64{3, 2, 1}, 0},
	} {
		scalar, g := shape.Of(dtype.F64), &ir.Graph{}
		var operands []expr.Value
		var args []array.Array
		for _, x := range append(c.operands, 1) {
			args = append(args, array.Store(array.New(scalar), []float64{x}))
		}
		for range c.operands {
			operands = append(operands, g.Param(scalar))
		}
		active := make([]bool, len(operands))
		active[len(active)-1] = true
		g.Outputs = []*ir.Value{ops.FunctionOf(c.name).Body(opstest.Traced(g), operands, 0).(*ir.Value)}
		jvp, err := autodiff.JVP(g, active, nil)
		if err != nil {
			t.Fatal(err)
		}
		out, err := reference.Run(t.Context(), jvp, args)
		if err != nil {
			t.Fatal(err)
		}
		if got := array.Load[float64](out[1])[0]; got != c.want {
			t.Errorf("%s at %v: the derivative is %g, want %g", c.name, c.operands, got, c.want)
		}
	}
}

// TestCompositionsAtEnds checks values of composed functions at and beyond the ends of their ranges, and nan.
func TestCompositionsAtEnds(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	ends := []float64{-1, 0, 0.5, 2, inf, nan}
	// The limits of IGamma for each a and x of ends. TestCompositions has the values where both are positive and finite.
	limits := [][]float64{
		{nan, nan, nan, nan, nan, nan},
		{nan, nan, 1, 1, 1, nan},
		{nan, 0, 0, 0, 1, nan},
		{nan, 0, 0, 0, 1, nan},
		{nan, 0, 0, 0, nan, nan},
		{nan, nan, nan, nan, nan, nan},
	}
	var a, x, lower, upper []float64
	for i, row := range limits {
		for j, limit := range row {
			if i != 2 && i != 3 || j != 2 && j != 3 {
				a, x, lower, upper = append(a, ends[i]), append(x, ends[j]), append(lower, limit), append(upper, 1-limit)
			}
		}
	}
	checkEnds(t, "IGamma", lower, a, x)
	checkEnds(t, "IGammac", upper, a, x)

	places := []float64{-1, 0, 0.5, 1, 2, nan}
	for _, c := range []struct {
		a, b float64
		want []float64 // at places
	}{
		{-1, 1, []float64{nan, nan, nan, nan, nan, nan}}, {1, -1, []float64{nan, nan, nan, nan, nan, nan}},
		{2, 3, []float64{nan, 0, 0.6875, 1, nan, nan}},
		{0, 1, []float64{nan, 1, 1, 1, nan, nan}}, {1, 0, []float64{nan, 0, 0, 0, nan, nan}},
		{0, 0.5, []float64{nan, 1, 1, 1, nan, nan}}, {0.5, 0, []float64{nan, 0, 0, 0, nan, nan}},
		{inf, 1, []float64{nan, 0, 0, 1, nan, nan}}, {1, inf, []float64{nan, 0, 1, 1, nan, nan}},
		{0, 0, []float64{nan, nan, nan, nan, nan, nan}}, {inf, inf, []float64{nan, 0, nan, 1, nan, nan}},
		{0, inf, []float64{nan, nan, nan, nan, nan, nan}}, {inf, 0, []float64{nan, nan, nan, nan, nan, nan}},
		{inf, -1, []float64{nan, nan, nan, nan, nan, nan}}, {-1, inf, []float64{nan, nan, nan, nan, nan, nan}},
		{nan, 1, []float64{nan, nan, nan, nan, nan, nan}}, {1, nan, []float64{nan, nan, nan, nan, nan, nan}},
	} {
		for k, x := range places {
			checkEnds(t, "BetaInc", c.want[k:k+1], []float64{c.a}, []float64{c.b}, []float64{x})
		}
	}

	checkEnds(t, "NormPDF", []float64{0, 0, 0, 0, nan}, []float64{-inf, -1e4, 1000.5, inf, nan})
	checkEnds(t, "Sinc", []float64{1, 1, 0, 0, nan, nan}, []float64{0, math.Copysign(0, -1), 1, -2, inf, nan})
	checkEnds(t, "Logit", []float64{nan, -inf, 0, inf, nan, nan}, []float64{-1, 0, 0.5, 1, 2, nan})
	checkEnds(t, "BesselI0", []float64{inf, 1, inf, nan}, []float64{-inf, 0, inf, nan})
	checkEnds(t, "BesselI1", []float64{-inf, 0, inf, nan}, []float64{-inf, 0, inf, nan})
	y := []float64{-1, 0, 1, inf, nan}
	zeros := make([]float64, len(y))
	checkEnds(t, "XLogY", []float64{0, 0, 0, 0, nan}, zeros, y)
	checkEnds(t, "XLog1py", []float64{0, 0, 0, 0, nan}, zeros, y)
	checkEnds(t, "HardSigmoid", []float64{0, 0, 0.5, 1, 1}, []float64{-inf, -3, 0, 3, inf})

	checkEnds(t, "GammaSlope", []float64{nan, nan, nan, nan, 0, nan},
		[]float64{-1, 0, inf, nan, 1, 1}, []float64{1, 1, 1, 1, 0, inf})
	checkEnds(t, "LogGammaSlope", []float64{nan, nan, nan, nan, nan, nan, nan},
		[]float64{-1, 0, inf, nan, 1, 1, 1}, []float64{0, 0, 0, 0, inf, -inf, nan})
}

// checkEnds compares the values of a composed function of f64, with the option 0, with those that are wanted.
func checkEnds(t *testing.T, name string, want []float64, operands ...[]float64) {
	t.Helper()
	g, typ := &ir.Graph{}, shape.Of(dtype.F64, len(want))
	var values []expr.Value
	var args []array.Array
	for _, x := range operands {
		values, args = append(values, g.Param(typ)), append(args, array.Store(array.New(typ), x))
	}
	g.Outputs = []*ir.Value{bodyOf(name, 0)(opstest.Traced(g), values).(*ir.Value)}
	out, err := reference.Run(t.Context(), g, args)
	if err != nil {
		t.Fatal(err)
	}
	for k, got := range array.Load[float64](out[0]) {
		if w := want[k]; got != w && !(math.IsNaN(got) && math.IsNaN(w)) {
			at := make([]float64, len(operands))
			for i := range at {
				at[i] = operands[i][k]
			}
			t.Errorf("%s at %v: %g, want %g", name, at, got, w)
		}
	}
}

// checkColumn compares results at points with the known values in a column of these, unless they are NaN. n is the
// number of operands.
func checkColumn(t *testing.T, name string, got array.Array, points [][]float64, n, column int, bound float64) {
	t.Helper()
	worst, at := 0.0, ""
	for k, x := range array.Load[float64](got) {
		want := points[k][column]
		if math.IsNaN(want) || x == want {
			continue
		}
		off := math.Abs(x-want) / math.Abs(want) * (1 << 52)
		if math.IsNaN(off) {
			off = math.Inf(1)
		}
		if off > worst {
			worst, at = off, fmt.Sprintf("at %v: %g, want %g", points[k][:n], x, want)
		}
	}
	if worst > bound {
		t.Errorf("%s: off by %.3g * 2^-52, at most %g: %s", name, worst, bound, at)
	}
}
