package ops_test

import (
	"bufio"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// A derivativePoint is a known value of a row's partial derivative with respect to an operand.
type derivativePoint struct {
	operand int
	args    []float64
	want    float64
}

// readPartials returns the lines of testdata/partials.txt, by row.
func readPartials(t *testing.T) map[string][]derivativePoint {
	f, err := os.Open("testdata/partials.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	points := map[string][]derivativePoint{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		words := strings.Fields(lines.Text())
		var p derivativePoint
		p.operand, _ = strconv.Atoi(words[1])
		for _, w := range words[2:] {
			v, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatal(err)
			}
			p.args = append(p.args, v)
		}
		last := len(p.args) - 1
		p.args, p.want = p.args[:last], p.args[last]
		points[words[0]] = append(points[words[0]], p)
	}
	return points
}

// partialAt returns the partial derivatives of an elementwise row with respect to an operand,
// at points of dtype d.
func partialAt(t *testing.T, row *ops.Def, d dtype.DType, points []derivativePoint, operand int) []float64 {
	t.Helper()
	of := shape.Of(d, len(points))
	g := &ir.Graph{}
	active := make([]bool, len(row.Params))
	active[operand] = true
	args := make([]array.Array, len(row.Params), len(row.Params)+1)
	for i := range args {
		g.Param(of)
		args[i] = array.New(of)
		for k, p := range points {
			dtype.PutFloat(args[i].Data[k*d.Size():], d, p.args[i])
		}
	}
	g.Outputs = g.Add(row.Code, nil, nil, g.Params, of).Results
	jvp, err := autodiff.JVP(g, active, nil)
	if err != nil {
		t.Fatalf("%s: %v", row.Name, err)
	}
	one := array.New(of)
	for k := range points {
		dtype.PutFloat(one.Data[k*d.Size():], d, 1)
	}
	out, err := reference.Run(t.Context(), jvp, append(args, one))
	if err != nil {
		t.Fatalf("%s: %v", row.Name, err)
	}
	values := make([]float64, len(points))
	for k := range values {
		values[k] = dtype.GetFloat(out[1].Data[k*d.Size():], d)
	}
	return values
}

// partialBounds are the greatest errors of the partial derivatives of rows, in units in the
// last place; others have 8.
var partialBounds = map[string]float64{
	"Pow":          150, // the exponent less 1 is rounded
	"ErfInv":       40,  // exp of the square of the result
	"NormQuantile": 25,
	"NormLogCDF":   17,
	"Gamma":        65, // near the zero of Digamma
	"Lgamma":       65,
	"Erfcx":        1400,   // 2*x*y and 2/sqrt(pi) cancel up to 30
	"BesselI0e":    100000, // for large x, I0e and I1e cancel
	"BesselI1e":    30000,
}

// TestPartials checks the partial derivatives of elementwise rows in f64 against mpmath's,
// and in narrower floats against those in f64.
func TestPartials(t *testing.T) {
	points := readPartials(t)
	// TestRules checks these; their derivatives are 0, 1/2, 1 or another integer.
	inTestRules := map[ir.Code]bool{ir.Rem: true, ir.Max: true, ir.Min: true, ir.Clamp: true}
	for _, row := range ops.All() {
		if row.Partial == nil || inTestRules[row.Code] {
			continue
		}
		if points[row.Name] == nil {
			t.Errorf("testdata/partials.txt has no points of %s", row.Name)
		}
		for _, d := range dtype.All() {
			if d.Is(dtype.Floating) && row.Takes(0, d) && d != dtype.F8E8M0FNU { // F8E8M0FNU has no zero and no sign
				for operand := range row.Params {
					checkPartial(t, row, d, operand, points[row.Name])
				}
			}
		}
	}
}

// checkPartial checks the partial derivative of a row with respect to an operand at those of
// all points that dtype d can represent.
func checkPartial(t *testing.T, row *ops.Def, d dtype.DType, operand int, all []derivativePoint) {
	t.Helper()
	var points []derivativePoint
	for _, p := range all {
		at := make([]float64, len(p.args))
		for i, x := range p.args {
			at[i] = rounded(x, d)
		}
		unusable := slices.ContainsFunc(at, func(x float64) bool {
			powersOverflow := math.Abs(x) >= 3 || math.Abs(x) < 0.125
			return x == 0 || math.IsInf(x, 0) || math.IsNaN(x) || d.Bits() < 16 && powersOverflow
		})
		if p.operand == operand && !unusable {
			points = append(points, derivativePoint{operand, at, p.want})
		}
	}
	if len(points) == 0 {
		return
	}
	if d != dtype.F64 {
		for k, v := range partialAt(t, row, dtype.F64, points, operand) {
			points[k].want = v
		}
	}
	bound := partialBounds[row.Name]
	if bound == 0 {
		bound = 8
	}
	eps, tiny := precision(d)
	for k, v := range partialAt(t, row, d, points, operand) {
		want := points[k].want
		if r := rounded(want, d); math.IsInf(r, 0) || math.IsNaN(r) || math.IsNaN(want) {
			continue
		}
		if unit := max(math.Abs(want), tiny) * eps; !(math.Abs(v-want) <= bound*unit) {
			t.Errorf("%s %v: the derivative with respect to operand %d at %v is %v, want %v: %.0f units in the last place, above %v",
				row.Name, d, operand, points[k].args, v, want, math.Abs(v-want)/unit, bound)
		}
	}
}

// rounded returns x rounded to dtype d.
func rounded(x float64, d dtype.DType) float64 {
	var b [8]byte
	dtype.PutFloat(b[:], d, x)
	return dtype.GetFloat(b[:], d)
}

// precision returns the distance from 1 to the next number of dtype d, and its least
// normal number.
func precision(d dtype.DType) (eps, tiny float64) {
	for eps = 1; rounded(1+eps/2, d) > 1; eps /= 2 {
	}
	for tiny = 1; tiny > 0x1p-1022 && rounded(tiny/2*(1+eps), d) == tiny/2*(1+eps); tiny /= 2 {
	}
	return eps, tiny
}
