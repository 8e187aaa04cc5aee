package ops_test

import (
	"hash/fnv"
	"math/cmplx"
	"slices"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/autodiff/rulestest"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// narrowBound is the greatest error of a tangent or cotangent at ordinary points, in
// units in the last place of the greatest element.
const narrowBound = 4

// TestNarrowRules checks the tangents and cotangents of each row in floats and complex
// numbers of less than double precision, on its own samples and on drawn ones, against
// those in double precision.
func TestNarrowRules(t *testing.T) {
	checked := 0
	for _, row := range ops.All() {
		if row.Flat || len(row.Params) == 0 || rulestest.Kinks[row.Name] != "" {
			continue
		}
		for _, d := range dtype.All() {
			switch {
			case !autodiff.Differentiable(d) || d == dtype.F64 || d == dtype.C128:
				continue
			case d.Bits() < 8 || d == dtype.F8E8M0FNU: // these have too few of the numbers that random returns
				continue
			case !row.Takes(0, d) && !row.Takes(len(row.Params)-1, d):
				continue
			}
			for _, s := range append(opstest.Samples(row, d), opstest.Drawn(row, d, 10, 2)...) {
				large := slices.ContainsFunc(s.Args, func(a array.Array) bool { return a.Size() > 100 })
				if large || len(s.Regions) > 0 || rulestest.Kinks[row.Name+"/"+s.Name] != "" {
					continue
				}
				checked += checkNarrow(t, row, s, d)
			}
		}
	}
	t.Logf("%d elements of tangents and cotangents", checked)
}

// checkNarrow checks a row on a sample with random elements in place of those of dtype d. It
// returns the number of elements that it compared.
func checkNarrow(t *testing.T, row *ops.Def, s opstest.Sample, d dtype.DType) (checked int) {
	t.Helper()
	name := row.Name + "/" + d.String() + "/" + s.Name
	hash := fnv.New64a()
	hash.Write([]byte(name))
	seed := hash.Sum64()
	args, wide := slices.Clone(s.Args), slices.Clone(s.Args)
	active := make([]bool, len(args))
	var tangents []array.Array
	for i, a := range args {
		if active[i] = a.Type.DType == d; !active[i] {
			continue
		}
		args[i] = opstest.Random(a.Type, &seed)
		if row.Code == ir.Digamma {
			args[i] = opstest.Magnitudes(args[i])
		}
		wide[i] = opstest.Moved(args[i], array.New(widened(a.Type)), 0)
		tangents = append(tangents, opstest.Random(a.Type, &seed))
	}
	if len(tangents) == 0 {
		return 0
	}
	g, h := rowGraph(t, name, row, s.Attrs, args), rowGraph(t, name, row, s.Attrs, wide)
	var cotangents []array.Array
	for _, o := range g.Outputs {
		if autodiff.Differentiable(o.Type.DType) {
			cotangents = append(cotangents, opstest.Random(o.Type, &seed))
		}
	}
	for _, mode := range []struct {
		name       string
		derive     func(*ir.Graph, []bool, *autodiff.Conventions) (*ir.Graph, error)
		directions []array.Array
	}{{"tangent", autodiff.JVP, tangents}, {"cotangent", autodiff.VJP, cotangents}} {
		narrow := derived(t, name, g, mode.derive, active, args, mode.directions)
		exact := derived(t, name, h, mode.derive, active, wide, mode.directions)
		for i, x := range narrow {
			checked += compareNarrow(t, name+": "+mode.name, x, exact[i])
		}
	}
	return checked
}

// widened returns t in double precision.
func widened(t shape.Type) shape.Type {
	if t.DType.Is(dtype.Complex) {
		return shape.Type{DType: dtype.C128, Shape: t.Shape}
	}
	return shape.Type{DType: dtype.F64, Shape: t.Shape}
}

// rowGraph returns the program of a row on operands of the types of args.
func rowGraph(t *testing.T, name string, row *ops.Def, attrs any, args []array.Array) *ir.Graph {
	t.Helper()
	g := &ir.Graph{}
	types := make([]shape.Type, len(args))
	for i, a := range args {
		g.Param(a.Type)
		types[i] = a.Type
	}
	results, err := ops.Infer(row.Code, attrs, nil, types...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	g.Outputs = g.Add(row.Code, attrs, nil, g.Params, results...).Results
	return g
}

// derived returns the tangents or cotangents of g at args for directions, converted to the
// types that the derived program takes.
func derived(t *testing.T, name string, g *ir.Graph, derive func(*ir.Graph, []bool, *autodiff.Conventions) (*ir.Graph, error),
	active []bool, args, directions []array.Array) []array.Array {
	t.Helper()
	program, err := derive(g, active, nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	all := slices.Clone(args)
	for i, x := range directions {
		all = append(all, opstest.Moved(x, array.New(program.Params[len(args)+i].Type), 0))
	}
	out, err := reference.Run(t.Context(), program, all)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out[len(g.Outputs):]
}

// compareNarrow compares x with exact and returns the number of elements that it compared.
// It skips elements near the end of the range of narrow floats, where an intermediate result
// may overflow.
func compareNarrow(t *testing.T, name string, x, exact array.Array) (compared int) {
	t.Helper()
	eps, _ := precision(x.Type.DType.Elem())
	want := opstest.Complexes(exact)
	scale := 1.0
	for _, w := range want {
		if a := cmplx.Abs(w); a < 7 {
			scale = max(scale, a)
		}
	}
	for k, v := range opstest.Complexes(x) {
		if w := want[k]; cmplx.Abs(w) < 7 {
			compared++
			if !(cmplx.Abs(v-w) <= narrowBound*eps*scale) {
				t.Errorf("%s: element %d is %v, want %v", name, k, v, w)
			}
		}
	}
	return compared
}
