package autodiff_test

import (
	"hash/fnv"
	"math"
	"math/cmplx"
	"slices"
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

// withoutRule are the operations with regions. Their rows have no rule, since package
// autodiff derives the regions.
var withoutRule = map[ir.Code]bool{ir.If: true, ir.Case: true, ir.While: true, ir.Scan: true, ir.Call: true, ir.Reduce: true}

// linearToo are the rows with a derivative that also have a transposition, since they occur
// in linear programs.
var linearToo = map[ir.Code]bool{ir.Mul: true, ir.Div: true, ir.MulNoNaN: true, ir.Scatter: true, ir.TriangularSolve: true}

// TestEveryRowHasARule checks that each row has exactly one rule of differentiation or is
// flat, except withoutRule and linearToo.
func TestEveryRowHasARule(t *testing.T) {
	for _, d := range ops.All() {
		rules := 0
		for _, has := range []bool{d.Partial != nil, d.JVP != nil, d.Transpose != nil, d.Flat} {
			if has {
				rules++
			}
		}
		want := 1
		switch {
		case withoutRule[d.Code]:
			want = 0
		case linearToo[d.Code] && d.Transpose != nil && !d.Flat:
			want = 2
		}
		if rules != want {
			t.Errorf("%s has %d rules of differentiation, want %d", d.Name, rules, want)
		}
		if d.Bilinear && d.Transpose == nil {
			t.Errorf("%s is bilinear and has no transposition", d.Name)
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

// moved returns x + by*t in the dtype of t.
func moved(x, t array.Array, by float64) array.Array {
	out := array.New(t.Type)
	ts := complexes(t)
	for i, v := range complexes(x) {
		dtype.PutComplex(out.Data[i*t.Type.DType.Size():], t.Type.DType, v+complex(by, 0)*ts[i])
	}
	return out
}

// magnitudes returns the absolute values of real numbers x.
func magnitudes(x array.Array) array.Array {
	out := array.New(x.Type)
	for i, v := range complexes(x) {
		dtype.PutFloat(out.Data[i*x.Type.DType.Size():], x.Type.DType, math.Abs(real(v)))
	}
	return out
}

// kinks are the rows and samples for which difference quotients do not give the derivative,
// and the reasons.
var kinks = map[string]string{
	"Convert":   "conversion to a narrow float is a step function to difference quotients",
	"Polygamma": "it has no derivative with respect to its order",
	"Zeta":      "it has no derivative with respect to its exponent",

	"Cholesky/awkward": "the matrices are singular",
	"QR/{4,3}":         "the full factors are not determined",
	"QR/{2,0}":         "the full factors are not determined",
	"SVD/{2,0}":        "the full factors are not determined",
	"SVD/{3,4}":        "the full factors are not determined",
}

// TestRules checks the rule of each row on its own samples and on drawn ones, with random
// elements in double precision: the tangent against a difference quotient, the cotangent
// against the tangent.
func TestRules(t *testing.T) {
	checked := map[*ops.Def]int{}
	for _, row := range ops.All() {
		if row.Flat {
			continue
		}
		for _, d := range []dtype.DType{dtype.F64, dtype.C128} {
			if len(row.Params) == 0 || !row.Takes(0, d) && !row.Takes(len(row.Params)-1, d) {
				continue
			}
			samples := opstest.Samples(row, d)
			samples = append(samples, opstest.Drawn(row, d, 20, 1)...)
			factorizes := row.Code >= ir.Cholesky && row.Code <= ir.SVD
			useF32Samples := factorizes || row.HLO == "" && row.Expansion != nil || row.Code == ir.MulNoNaN
			if useF32Samples { // those of f32 have all forms
				samples = opstest.Samples(row, dtype.F32)
			}
			for _, s := range samples {
				if row.Code == ir.Scatter && len(s.Regions) > 0 { // only Scatter without a region has a derivative
					continue
				}
				name := row.Name + "/" + d.String() + "/" + s.Name
				if kinks[name] != "" || kinks[row.Name] != "" || kinks[row.Name+"/"+d.String()] != "" || kinks[row.Name+"/"+s.Name] != "" {
					continue
				}
				hash := fnv.New64a()
				hash.Write([]byte(name))
				seed := hash.Sum64()
				args := make([]array.Array, len(s.Args))
				for i, a := range s.Args {
					switch {
					case factorizes: // a random change of a matrix that the row accepts
						args[i] = moved(a, random(shape.Type{DType: d, Shape: a.Type.Shape}, &seed), 0.25)
					case useF32Samples:
						args[i] = random(shape.Type{DType: d, Shape: a.Type.Shape}, &seed)
					case autodiff.Differentiable(a.Type.DType) && a.Type.DType.Bits() >= 64:
						args[i] = random(a.Type, &seed)
					default:
						args[i] = a
					}
				}
				if row.Code == ir.Digamma { // its second derivative, Polygamma of order 2, is NaN at negative numbers
					args[0] = magnitudes(args[0])
				}
				checked[row] += checkRule(t, name, row, s, args, &seed)
			}
		}
		if checked[row] == 0 && len(row.Params) > 0 && kinks[row.Name] == "" {
			t.Errorf("%s: no sample has a derivative that can be checked", row.Name)
		}
	}
	all := 0
	for _, n := range checked {
		all += n
	}
	t.Logf("%d elements of tangents", all)
}

// checkRule checks the first and second derivatives of a row on args. It returns the number
// of elements of tangents that it compared.
func checkRule(t *testing.T, name string, row *ops.Def, s opstest.Sample, args []array.Array, seed *uint64) int {
	t.Helper()
	g := &ir.Graph{}
	nodes := make([]*ir.Value, len(args))
	types := make([]shape.Type, len(args))
	for i, a := range args {
		nodes[i], types[i] = g.Param(a.Type), a.Type
		if a.Type.Shape.Size() > 500 {
			return 0
		}
	}
	results, err := ops.Infer(row.Code, s.Attrs, s.Regions, types...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	g.Outputs = g.Add(row.Code, s.Attrs, s.Regions, nodes, results...).Results
	active := make([]bool, len(args))
	for i, a := range args {
		active[i] = autodiff.Differentiable(a.Type.DType) && a.Type.DType.Bits() >= 64
	}
	if !slices.Contains(active, true) {
		return 0
	}
	reversible := row.Code != ir.While
	jvp, vjp, tangents, cotangents, checked := checkGraph(t, name, g, args, active, reversible, seed)
	if jvp == nil {
		return 0
	}
	for _, x := range args {
		if x.Type.Shape.Size() > 50 {
			return checked
		}
	}
	second := func(name string, g *ir.Graph, more []array.Array) {
		all := slices.Concat(args, more)
		active := slices.Clone(active)
		for range more {
			active = append(active, true)
		}
		_, _, _, _, n := checkGraph(t, name, g, all, active, reversible, seed)
		checked += n
	}
	second(name+"/JVP of JVP", jvp, tangents)
	if reversible {
		second(name+"/VJP of VJP", vjp, cotangents)
	}
	return checked
}

// checkGraph checks the tangents of g against difference quotients, and, if g is reversible,
// its cotangents against the tangents. It returns the derived programs, the tangents and
// cotangents that they take after args, and how many elements of tangents it compared.
func checkGraph(
	t *testing.T, name string, g *ir.Graph, args []array.Array, active []bool, reversible bool, seed *uint64,
) (jvp, vjp *ir.Graph, tangents, cts []array.Array, checked int) {
	t.Helper()
	for i, a := range args {
		if active[i] {
			tangents = append(tangents, random(a.Type, seed))
		}
	}
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
		return nil, nil, nil, nil, 0
	}
	outputs := len(g.Outputs)
	dy := run(jvp, append(args[:len(args):len(args)], tangents...)...)[outputs:]
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
	const h = 1e-4
	high, low, high2, low2 := step(h), step(-h), step(h/2), step(-h/2)
	at, sum, scale := 0, 0.0, 1.0
	for i, o := range g.Outputs {
		if !autodiff.Differentiable(o.Type.DType) {
			continue
		}
		hs, ls, hs2, ls2 := complexes(high[i]), complexes(low[i]), complexes(high2[i]), complexes(low2[i])
		for k, v := range complexes(dy[at]) {
			wide, narrow := (hs[k]-ls[k])/complex(2*h, 0), (hs2[k]-ls2[k])/complex(h, 0)
			quotient := narrow + (narrow-wide)/3
			size := math.Max(1, math.Max(cmplx.Abs(quotient), cmplx.Abs(hs[k])))
			if !(cmplx.Abs(narrow-wide) <= 1e-5*size) { // a pole or a kink is near
				continue
			}
			if !(cmplx.Abs(v-quotient) <= 1e-7*size) {
				t.Errorf("%s: tangent %v, difference quotient %v", name, v, quotient)
				return nil, nil, nil, nil, 0
			}
			checked++
		}
		cts = append(cts, random(o.Type, seed))
		sum += inner(cts[at], dy[at])
		scale += math.Sqrt(inner(cts[at], cts[at]) * inner(dy[at], dy[at]))
		at++
	}
	if !reversible {
		return jvp, nil, tangents, nil, checked
	}
	vjp, err = autodiff.VJP(g, active, nil)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return nil, nil, nil, nil, 0
	}
	dx := run(vjp, append(args[:len(args):len(args)], cts...)...)[outputs:]
	back := 0.0
	for i, v := range dx {
		back += inner(v, tangents[i])
		scale += math.Sqrt(inner(v, v) * inner(tangents[i], tangents[i]))
	}
	if math.Abs(back-sum) > 1e-12*scale && !math.IsNaN(sum) {
		t.Errorf("%s: <ct, tangent> is %v and <cotangent, t> %v", name, sum, back)
		return nil, nil, nil, nil, 0
	}
	return jvp, vjp, tangents, cts, checked
}
