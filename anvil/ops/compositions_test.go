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

// traced is an Emitter of a graph whose derivative is needed.
type traced struct{ to *ir.Graph }

func (traced) Traced([]expr.Value) bool { return true }

func (t traced) Emit(c ir.Code, attrs any, regions []*ir.Graph, args []expr.Value) []expr.Value {
	nodes, types := make([]*ir.Value, len(args)), make([]shape.Type, len(args))
	for i, a := range args {
		nodes[i] = a.(*ir.Value)
		types[i] = nodes[i].Type
	}
	results, err := ops.Infer(c, attrs, regions, types...)
	if err != nil {
		panic(err)
	}
	values := make([]expr.Value, len(results))
	for i, v := range t.to.Add(c, attrs, regions, nodes, results...).Results {
		values[i] = v
	}
	return values
}

// draws are the functions of pathwise.go.
var draws = map[string]func(b expr.Builder, parameter, draw expr.Value) expr.Value{
	"GammaSlope": ops.GammaSlope, "LogGammaSlope": ops.LogGammaSlope, "WaldSlope": ops.WaldSlope,
}

// compositionBounds are the greatest relative errors of functions and of their derivatives in f64, in units of
// 2^-52, near those measured: that of an exponential is large where its result is tiny. Others have at most 5.
var compositionBounds = map[string]struct{ value, derivative float64 }{
	"IGamma": {150, 150}, "IGammac": {120, 150}, "BetaInc": {320, 520}, "GammaSlope": {45, 0}, "LogGammaSlope": {45, 0},
	"Gelu":     {0, 150}, // near its least value
	"BesselI0": {0, 60},  // near 0 terms of the derivative cancel
}

// TestCompositions compares composed functions of f64 and their derivatives with exact values.
func TestCompositions(t *testing.T) {
	tested := map[string]bool{}
	for key, points := range readCompositions(t) {
		tested[key.name] = true
		n := 2 // operands
		body := func(b expr.Builder, x []expr.Value) expr.Value { return draws[key.name](b, x[0], x[1]) }
		if row := ops.FunctionOf(key.name); row != nil {
			n = len(row.Params)
			body = func(b expr.Builder, x []expr.Value) expr.Value { return row.Body(b, x, key.option) }
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
		g.Outputs = []*ir.Value{body(expr.New(traced{g}, ops.Infer), operands).(*ir.Value)}
		bound := compositionBounds[key.name]
		bound.value, bound.derivative = max(bound.value, 5), max(bound.derivative, 5)
		out, err := reference.Run(t.Context(), g, args)
		if err != nil {
			t.Fatal(err)
		}
		checkColumn(t, fmt.Sprint(key), out[0], points, n, n, bound.value)
		for i := range n {
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
		g.Outputs = []*ir.Value{ops.FunctionOf(c.name).Body(expr.New(traced{g}, ops.Infer), operands, 0).(*ir.Value)}
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
		if off := math.Abs(x-want) / math.Abs(want) * (1 << 52); !(off <= worst) {
			worst, at = off, fmt.Sprintf("at %v: %g, want %g", points[k][:n], x, want)
		}
	}
	if !(worst <= bound) {
		t.Errorf("%s: off by %.3g * 2^-52, at most %g: %s", name, worst, bound, at)
	}
}
