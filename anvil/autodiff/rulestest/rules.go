// Package rulestest checks the rules of differentiation and of batching in the op table: the tests of the table and of
// package autodiff call it.
package rulestest

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

// Kinks has the rows and samples for which difference quotients do not give the derivative, with the reasons. The keys
// are Row, Row/dtype, Row/sample or Row/dtype/sample.
var Kinks = map[string]string{
	"Convert":   "conversion to a narrow float is a step function to difference quotients",
	"Polygamma": "it has no derivative with respect to its order",
	"Zeta":      "it has no derivative with respect to its exponent",

	"Cholesky/awkward": "the matrices are singular",
	"QR/{4,3}":         "the full factors are not determined",
	"QR/{2,0}":         "the full factors are not determined",
	"SVD/{2,0}":        "the full factors are not determined",
	"SVD/{3,4}":        "the full factors are not determined",
}

// Check checks the rule of each row on its own samples and, for most rows, on random ones, with random elements in
// double precision: the tangent against a difference quotient, and the cotangent against the tangent.
func Check(t *testing.T) {
	t.Helper()
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
			if useF32Samples { // only f32 has samples of all shapes; args below has elements of dtype d
				samples = opstest.Samples(row, dtype.F32)
			}
			for _, s := range samples {
				if row.Code == ir.Scatter && len(s.Regions) > 0 { // only Scatter without a region has a derivative
					continue
				}
				name := row.Name + "/" + d.String() + "/" + s.Name
				if Kinks[name] != "" || Kinks[row.Name] != "" || Kinks[row.Name+"/"+d.String()] != "" ||
					Kinks[row.Name+"/"+s.Name] != "" {
					continue
				}
				hash := fnv.New64a()
				hash.Write([]byte(name))
				seed := hash.Sum64()
				args := make([]array.Array, len(s.Args))
				for i, a := range s.Args {
					switch {
					case factorizes: // a random change of a matrix that the row accepts
						args[i] = opstest.Moved(a, opstest.Random(shape.Type{DType: d, Shape: a.Type.Shape}, &seed), 0.25)
					case useF32Samples:
						args[i] = opstest.Random(shape.Type{DType: d, Shape: a.Type.Shape}, &seed)
					case autodiff.Differentiable(a.Type.DType) && a.Type.DType.Bits() >= 64:
						args[i] = opstest.Random(a.Type, &seed)
					default:
						args[i] = a
					}
				}
				if row.Code == ir.Digamma { // its second derivative, Polygamma of order 2, is NaN at negative numbers
					args[0] = opstest.Magnitudes(args[0])
				}
				checked[row] += checkRule(t, name, row, s, args, &seed)
			}
		}
		if checked[row] == 0 && len(row.Params) > 0 && Kinks[row.Name] == "" {
			t.Errorf("%s: no sample has a derivative that can be checked", row.Name)
		}
	}
	all := 0
	for _, n := range checked {
		all += n
	}
	t.Logf("%d elements of tangents", all)
}

// checkRule checks the first and second derivatives of a row on args. It returns the number of elements of tangents
// that it compared.
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

// checkGraph checks the tangents of g against difference quotients, and, if reversible is true, the cotangents against
// the tangents. It returns the derived programs, the tangents and cotangents that they take after args, and the number
// of elements of tangents that it compared.
func checkGraph(
	t *testing.T, name string, g *ir.Graph, args []array.Array, active []bool, reversible bool, seed *uint64,
) (jvp, vjp *ir.Graph, tangents, cts []array.Array, checked int) {
	t.Helper()
	for i, a := range args {
		if active[i] {
			tangents = append(tangents, opstest.Random(a.Type, seed))
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
				at[i] = opstest.Moved(at[i], tangents[k], by)
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
		hs, ls := opstest.Complexes(high[i]), opstest.Complexes(low[i])
		hs2, ls2 := opstest.Complexes(high2[i]), opstest.Complexes(low2[i])
		for k, v := range opstest.Complexes(dy[at]) {
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
		cts = append(cts, opstest.Random(o.Type, seed))
		sum += opstest.Inner(cts[at], dy[at])
		scale += math.Sqrt(opstest.Inner(cts[at], cts[at]) * opstest.Inner(dy[at], dy[at]))
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
		back += opstest.Inner(v, tangents[i])
		scale += math.Sqrt(opstest.Inner(v, v) * opstest.Inner(tangents[i], tangents[i]))
	}
	if !(math.Abs(back-sum) <= 1e-12*scale) && !math.IsNaN(sum) && !math.IsInf(sum, 0) {
		t.Errorf("%s: <ct, tangent> is %v and <cotangent, t> %v", name, sum, back)
		return nil, nil, nil, nil, 0
	}
	return jvp, vjp, tangents, cts, checked
}
