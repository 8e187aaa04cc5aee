package ops_test

import (
	"testing"

	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/autodiff/rulestest"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
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

func TestRules(t *testing.T) { rulestest.Check(t) }

// TestCotangentOfConvert checks that the cotangent of a converted value has the dtype of the value, not that of the
// conversion, and that the value of a real number has a real one.
func TestCotangentOfConvert(t *testing.T) {
	dtypes := []dtype.DType{dtype.F16, dtype.BF16, dtype.F32, dtype.F64, dtype.C64, dtype.C128}
	for _, from := range dtypes {
		for _, to := range dtypes {
			g := expr.Graph(ops.Infer, []shape.Type{shape.Of(from, 2)}, func(b expr.Builder, x []expr.Value) []expr.Value {
				return []expr.Value{b.Convert(x[0], to)}
			})
			vjp, err := autodiff.VJP(g, []bool{true}, nil)
			if err != nil {
				t.Fatalf("%v to %v: %v", from, to, err)
			}
			if got := vjp.Outputs[len(vjp.Outputs)-1].Type; !got.Equal(shape.Of(from, 2)) {
				t.Errorf("%v to %v: the cotangent is %v", from, to, got)
			}
		}
	}
}
