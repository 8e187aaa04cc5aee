package universe

import (
	"fmt"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/optimize"
)

// square is the problem of the minimum of (x-1)².
var square = optimize.Problem{
	Func: func(x []float64) float64 { return (x[0] - 1) * (x[0] - 1) },
	Grad: func(grad, x []float64) { grad[0] = 2 * (x[0] - 1) },
}

// TestMinimize checks that minimize returns what optimize.Minimize returns, except how long it took.
func TestMinimize(t *testing.T) {
	for _, m := range []func() optimize.Method{
		func() optimize.Method { return nil },
		func() optimize.Method { return &optimize.NelderMead{} },
		func() optimize.Method { return &optimize.BFGS{} },
		func() optimize.Method { return &optimize.GradientDescent{GradStopThreshold: 1e-3} },
	} {
		want, wantErr := optimize.Minimize(square, []float64{5}, nil, m())
		got, err := minimize(square, []float64{5}, nil, m())
		if want.Runtime, got.Runtime = 0, 0; !reflect.DeepEqual(got, want) || err != wantErr {
			t.Errorf("%T: %v, %v, want %v, %v", m(), got, err, want, wantErr)
		}
	}
}

// TestMinimizePanics checks that panics of methods are panics of minimize.
func TestMinimizePanics(t *testing.T) {
	for want, m := range map[string]optimize.Method{
		"cg: IterationRestartFactor is negative":                           &optimize.CG{IterationRestartFactor: -1},
		"neldermead: incorrect number of vertices in initial simplex":      &optimize.NelderMead{InitialVertices: [][]float64{{1}}},
		"runtime error: invalid memory address or nil pointer dereference": &optimize.GuessAndCheck{},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != want {
					t.Errorf("%T: %s, want %s", m, got, want)
				}
			}()
			minimize(square, []float64{5}, nil, m)
		}()
	}
}
