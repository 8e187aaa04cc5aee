package ops_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// branchPoints returns the points of testdata/branches.py.
func branchPoints() (points []complex128) {
	inf := math.Inf(1)
	parts := []float64{0, math.Copysign(0, -1), 0.5, -0.5, 1, -1, 2, -2, inf, -inf, math.NaN()}
	for _, re := range parts {
		for _, im := range parts {
			points = append(points, complex(re, im))
		}
	}
	return points
}

// TestBranches checks functions of complex numbers on branch cuts, at zeros of both signs, at
// infinities and at nan. Their values are those of C's Annex G where NumPy and JAX have these:
// in the reference, with flushing as in package host, and in XLA.
func TestBranches(t *testing.T) {
	text, err := os.ReadFile("testdata/branches.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		want[words[0]] = words[1:]
	}
	var points []point
	for _, def := range ops.All() {
		if len(want[def.Name]) == 0 {
			continue
		}
		for _, d := range []dtype.DType{dtype.C64, dtype.C128} {
			ty := shape.Of(d, len(branchPoints()))
			p := point{def: def, dtype: d, sample: opstest.Sample{Args: []array.Array{array.Store(array.New(ty), branchPoints())}}}
			if p.types, err = ops.Infer(def.Code, nil, nil, ty); err != nil {
				t.Fatal(err)
			}
			points = append(points, p)
		}
	}
	g, args := program(points)
	evaluated, compiled := bothWays(t, g, args)
	flushing, err := reference.RunFlushing(context.Background(), g, args)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range points {
		for way, got := range map[string]array.Array{"reference": evaluated[i], "host": flushing[i], "XLA": compiled[i]} {
			compareBranches(t, way, p, got, want[p.def.Name])
		}
	}
}

// compareBranches compares values with the expected ones.
func compareBranches(t *testing.T, way string, p point, got array.Array, want []string) {
	t.Helper()
	var values []complex128
	if got.DType().Is(dtype.Complex) {
		values = array.Load[complex128](got)
	} else {
		for _, f := range array.Load[float64](got) {
			values = append(values, complex(f, 0))
		}
	}
	for i, x := range branchPoints() {
		for part, g := range []float64{real(values[i]), imag(values[i])} {
			if w := want[2*i+part]; w != "-" && !nearBranch(w, g, p.dtype) {
				t.Errorf("%s: %s of %s %v: part %d is %v, want %s", way, p.def.Name, p.dtype, x, part, g, w)
			}
		}
	}
}

// nearBranch reports whether g is the number in word, up to rounding errors. The signs of zeros
// must agree.
func nearBranch(word string, g float64, d dtype.DType) bool {
	w, err := strconv.ParseFloat(word, 64)
	if err != nil {
		panic(fmt.Sprint(word, err))
	}
	if w != w || g != g {
		return w != w && g != g
	}
	if w == 0 || math.IsInf(w, 0) {
		return w == g && math.Signbit(w) == math.Signbit(g)
	}
	return math.Abs(w-g) <= math.Abs(w)*map[dtype.DType]float64{dtype.C64: 4e-6, dtype.C128: 1e-14}[d]
}
