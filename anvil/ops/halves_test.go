package ops_test

import (
	"context"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// TestHalves checks that every function of one operand returns one of the two numbers nearest
// to its value for each of the 65,536 numbers of bf16 and of f16, in XLA and in package host.
func TestHalves(t *testing.T) {
	var halves, doubles []point
	for _, def := range functions() {
		for _, d := range []dtype.DType{dtype.BF16, dtype.F16} {
			x := spread(d, 1<<16)
			wide := array.Store(array.New(shape.Of(dtype.F64, 1<<16)), array.Load[float64](x))
			halves = append(halves, unaryPoint(def, x))
			doubles = append(doubles, unaryPoint(def, wide))
		}
	}
	client := newClient(t)
	for len(halves) > 0 {
		n := min(12, len(halves))
		checkHalves(t, func(p []point) ([]array.Array, error) {
			g, args := program(p)
			return runXLA(client, g, args, nil)
		}, "XLA", halves[:n], doubles[:n])
		checkHalves(t, func(p []point) ([]array.Array, error) {
			g, args := program(p)
			return reference.RunFlushing(context.Background(), g, args)
		}, "host", halves[:n], doubles[:n])
		halves, doubles = halves[n:], doubles[n:]
	}
}

// unaryPoint returns the point of a function at x.
func unaryPoint(def *ops.Def, x array.Array) point {
	return point{def: def, dtype: x.DType(), sample: opstest.Sample{Args: []array.Array{x}}, types: []shape.Type{x.Type}}
}

// checkHalves compares the results of run for halves with those of the reference for the
// same numbers in f64.
func checkHalves(t *testing.T, run func([]point) ([]array.Array, error), way string, halves, doubles []point) {
	got, err := run(halves)
	if err != nil {
		t.Fatal(err)
	}
	g, args := program(doubles)
	want, err := reference.Run(context.Background(), g, args)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range halves {
		if w := farthest(p.def, p.sample.Args[0], got[i], want[i]); w.ulp >= 1 {
			t.Errorf("%s: %s of %v(%v) is %v, not %v: %.3g ulp", way, p.def.Name, p.dtype, w.x, w.got, w.want, w.ulp)
		}
	}
}
