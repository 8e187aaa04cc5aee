package ops_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/shape"
)

// TestComplexFunctions compares functions of complex numbers whose parts differ much in
// magnitude with NumPy, within the bounds of their rows, in the reference and in XLA.
func TestComplexFunctions(t *testing.T) {
	points, answers := complexPoints(t)
	g, args := program(points)
	evaluated, compiled := bothWays(t, g, args)
	for i, p := range points {
		comparePeer(t, p, evaluated[i:i+1], answers[i])
		comparePeer(t, p, compiled[i:i+1], answers[i])
	}
}

// complexPoints returns the points of testdata/complex.txt with NumPy's answers.
func complexPoints(t *testing.T) (points []point, answers [][][]byte) {
	text, err := os.ReadFile("testdata/complex.txt")
	if err != nil {
		t.Fatal(err)
	}
	operands, results := map[string][]complex128{}, map[string][]complex128{}
	for line := range strings.Lines(string(text)) {
		var row, d string
		var x, y [2]float64
		if _, err := fmt.Sscan(line, &row, &d, &x[0], &x[1], &y[0], &y[1]); err != nil {
			t.Fatal(line, err)
		}
		key := row + " " + d
		operands[key] = append(operands[key], complex(x[0], x[1]))
		results[key] = append(results[key], complex(y[0], y[1]))
	}
	defs := map[string]*ops.Def{}
	for _, d := range ops.All() {
		defs[d.Name] = d
	}
	for _, key := range slices.Sorted(maps.Keys(operands)) {
		row, name, _ := strings.Cut(key, " ")
		d, _ := dtype.Parse(name)
		ty := shape.Type{DType: d, Shape: shape.Shape{len(operands[key])}}
		sample := opstest.Sample{Args: []array.Array{array.Store(array.New(ty), operands[key])}}
		points = append(points, point{def: defs[row], dtype: d, sample: sample, types: []shape.Type{ty}})
		answers = append(answers, [][]byte{array.Store(array.New(ty), results[key]).Data})
	}
	return points, answers
}
