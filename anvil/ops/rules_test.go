package ops_test

import (
	"testing"

	"github.com/goanvil/notebook/anvil/autodiff/rulestest"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
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

func TestRules(t *testing.T) { rulestest.Check(t) }
