package stablehlo_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/shape"
)

var update = flag.Bool("update", false, "rewrite testdata/rows.mlir")

// maxLines is the length of the longest program in testdata/rows.mlir.
const maxLines = 16

// TestRows compares the short programs among those of each row's samples, at the first dtype that the row
// takes, with testdata/rows.mlir.
func TestRows(t *testing.T) {
	var text strings.Builder
	for _, d := range ops.All() {
		for _, dt := range []dtype.DType{dtype.F32, dtype.I32, dtype.I1, dtype.C64} {
			if len(d.Params) > 0 && !d.Takes(0, dt) {
				continue
			}
			for _, s := range opstest.Samples(d, dt) {
				if program := ops.StableHLO(programOf(t, d, s)); strings.Count(program, "\n") <= maxLines {
					fmt.Fprintf(&text, "// %s: %s\n%s\n", d.Name, s.Name, program)
				}
			}
			break
		}
	}
	const golden = "testdata/rows.mlir"
	if *update {
		if err := os.WriteFile(golden, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	wanted := strings.Split(string(want), "\n")
	for i, line := range strings.Split(text.String(), "\n") {
		if i >= len(wanted) || wanted[i] != line {
			t.Fatalf("%s:%d differs, run go test ./anvil/stablehlo -update:\n%s", golden, i+1, line)
		}
	}
}

// programOf returns the program that applies d to the arguments of s.
func programOf(t *testing.T, d *ops.Def, s opstest.Sample) *ir.Graph {
	g := &ir.Graph{}
	args, types := make([]*ir.Value, len(s.Args)), make([]shape.Type, len(s.Args))
	for i, a := range s.Args {
		types[i] = a.Type
		args[i] = g.Param(types[i])
	}
	results, err := ops.Infer(d.Code, s.Attrs, s.Regions, types...)
	if err != nil {
		t.Fatal(err)
	}
	g.Outputs = g.Add(d.Code, s.Attrs, s.Regions, args, results...).Results
	return g
}
