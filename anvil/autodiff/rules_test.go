package autodiff_test

import (
	"math"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// withoutRule are the rows whose rule is not a row's: package autodiff derives their
// regions.
var withoutRule = map[ir.Code]bool{ir.If: true, ir.Case: true, ir.While: true, ir.Scan: true, ir.Call: true}

// notYet are rows whose rule is still to be written.
var notYet = map[ir.Code]bool{ir.Cholesky: true, ir.TriangularSolve: true, ir.LU: true, ir.QR: true, ir.Eigh: true, ir.SVD: true}

// TestEveryRowHasARule lists rows that have neither a rule nor none to have.
func TestEveryRowHasARule(t *testing.T) {
	for _, d := range ops.All() {
		rules := 0
		for _, has := range []bool{d.Partial != nil, d.JVP != nil, d.Transpose != nil, d.Flat} {
			if has {
				rules++
			}
		}
		// Rows with two stand in linear programs too.
		both := d.Transpose != nil && (d.Partial != nil || d.JVP != nil) && !d.Flat
		if rules != 1 && !both && !withoutRule[d.Code] && !notYet[d.Code] {
			t.Errorf("%s has %d rules of differentiation, want one", d.Name, rules)
		}
	}
}

// random returns an array of numbers between 1/2 and 1 of either sign.
func random(t shape.Type, seed *uint64) array.Array {
	a := array.New(t)
	next := func() float64 {
		*seed = *seed*6364136223846793005 + 1442695040888963407
		v := 0.5 + float64(*seed>>40)/(1<<25)
		if *seed>>33&1 == 1 {
			v = -v
		}
		return v
	}
	for i := range t.Shape.Size() {
		at := a.Data[i*t.DType.Size():]
		if t.DType.Is(dtype.Complex) {
			dtype.PutComplex(at, t.DType, complex(next(), next()))
		} else {
			dtype.PutFloat(at, t.DType, next())
		}
	}
	return a
}

// inner returns the sum of Re(conj(x)*y).
func inner(x, y array.Array) (sum float64) {
	for i, v := range complexes(x) {
		w := complexes(y)[i]
		sum += real(v)*real(w) + imag(v)*imag(w)
	}
	return sum
}

func complexes(x array.Array) []complex128 {
	out := make([]complex128, x.Type.Shape.Size())
	for i := range out {
		out[i] = dtype.GetComplex(x.Data[i*x.Type.DType.Size():], x.Type.DType)
	}
	return out
}

// moved returns x + by*t.
func moved(x, t array.Array, by float64) array.Array {
	out := array.New(x.Type)
	ts := complexes(t)
	for i, v := range complexes(x) {
		dtype.PutComplex(out.Data[i*x.Type.DType.Size():], x.Type.DType, v+complex(by, 0)*ts[i])
	}
	return out
}

// kinks are the samples at points without a derivative, or without one that
// difference quotients find.
var kinks = map[string]string{
	"Convert":   "conversion to a narrow float is a step function to difference quotients",
	"Polygamma": "it has no derivative by its order",
	"Zeta":      "it has no derivative by its exponent",
}

// TestRules checks the rule of each row on its own samples in double precision, moved
// to ordinary points: the tangent against a difference quotient, the cotangent
// against the tangent.
func TestRules(t *testing.T) {
	seed := uint64(1)
	checked := 0
	for _, row := range ops.All() {
		if row.Flat || notYet[row.Code] {
			continue
		}
		for _, d := range []dtype.DType{dtype.F64, dtype.C128} {
			if len(row.Params) == 0 || !row.Takes(0, d) && !row.Takes(len(row.Params)-1, d) {
				continue
			}
			for _, s := range opstest.Samples(row, d) {
				if len(s.Regions) > 0 {
					continue
				}
				name := row.Name + "/" + d.String() + "/" + s.Name
				if kinks[name] != "" || kinks[row.Name] != "" || kinks[row.Name+"/"+d.String()] != "" {
					continue
				}
				checked += checkRule(t, name, row, s, &seed)
			}
		}
	}
	t.Logf("%d samples", checked)
}

func checkRule(t *testing.T, name string, row *ops.Def, s opstest.Sample, seed *uint64) int {
	t.Helper()
	g := &ir.Graph{}
	var args, tangents []array.Array
	active := make([]bool, len(s.Args))
	nodes := make([]*ir.Value, len(s.Args))
	types := make([]shape.Type, len(s.Args))
	for i, a := range s.Args {
		nodes[i], types[i] = g.Param(a.Type), a.Type
		if active[i] = autodiff.Differentiable(a.Type.DType) && a.Type.DType.Bits() >= 64; active[i] {
			if a.Type.Shape.Size() > 500 {
				return 0
			}
			a = random(a.Type, seed)
			tangents = append(tangents, random(a.Type, seed))
		}
		args = append(args, a)
	}
	if len(tangents) == 0 {
		return 0
	}
	results, err := ops.Infer(row.Code, s.Attrs, nil, types...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	g.Outputs = g.Add(row.Code, s.Attrs, nil, nodes, results...).Results
	run := func(g *ir.Graph, args ...array.Array) []array.Array {
		t.Helper()
		out, err := reference.Run(t.Context(), g, args)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return out
	}
	jvp, err := autodiff.JVP(g, active, nil)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return 0
	}
	dy := run(jvp, append(args[:len(args):len(args)], tangents...)...)[len(results):]
	step := func(by float64) []array.Array {
		at := append([]array.Array(nil), args...)
		k := 0
		for i := range at {
			if active[i] {
				at[i] = moved(at[i], tangents[k], by)
				k++
			}
		}
		return run(g, at...)
	}
	const h = 1e-6
	high, low := step(h), step(-h)
	var cts []array.Array
	at, sum := 0, 0.0
	for i, r := range results {
		if !autodiff.Differentiable(r.DType) {
			continue
		}
		hs, ls := complexes(high[i]), complexes(low[i])
		for k, v := range complexes(dy[at]) {
			quotient := (hs[k] - ls[k]) / complex(2*h, 0)
			scale := math.Max(1, math.Hypot(real(quotient), imag(quotient)))
			if diff := v - quotient; !(math.Hypot(real(diff), imag(diff)) <= 1e-5*scale) && quotient == quotient {
				t.Errorf("%s: tangent %v, difference quotient %v", name, v, quotient)
				return 0
			}
		}
		cts = append(cts, random(r, seed))
		sum += inner(cts[at], dy[at])
		at++
	}
	vjp, err := autodiff.VJP(g, active, nil)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return 0
	}
	dx := run(vjp, append(args[:len(args):len(args)], cts...)...)[len(results):]
	back := 0.0
	for i, v := range dx {
		back += inner(v, tangents[i])
	}
	if math.Abs(back-sum) > 1e-12*math.Max(1, math.Max(math.Abs(sum), 100)) && sum == sum {
		t.Errorf("%s: <ct, tangent> is %v and <cotangent, t> %v", name, sum, back)
		return 0
	}
	return 1
}
