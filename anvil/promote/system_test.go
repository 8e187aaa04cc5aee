package promote_test

import (
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// ranked is a system with rules unlike anvil's: within a category operands with dimensions
// decide, as in PyTorch, and int literals are i64 and wrap.
var ranked = promote.New("ranked", "for the test", []dtype.DType{dtype.I8, dtype.I32, dtype.F32}, promote.Rules{
	Literal: func(v any) (dtype.Typed, error) {
		if _, ok := v.(int); ok {
			return promote.Amb(dtype.I64), nil
		}
		return dtype.OfLiteral(v)
	},
	Convert: dtype.Cast,
	Join: func(a, b promote.Operand) (dtype.Typed, promote.Rule, error) {
		if dtype.CategoryOf(a.DType) == dtype.CategoryOf(b.DType) && a.Rank > 0 != (b.Rank > 0) {
			if a.Rank == 0 {
				a = b
			}
			return promote.Known(a.DType), promote.Rule{Name: "ranked", Doc: "axes decide"}, nil
		}
		t, err := dtype.Join(promote.Known(a.DType), promote.Known(b.DType))
		return t, promote.Rule{Name: "join"}, err
	},
	Resolve: func(xs []promote.Operand) (dtype.Typed, []promote.Step, error) {
		t := xs[0].Typed
		for _, x := range xs {
			if x.Rank > 0 {
				t = x.Typed
			}
		}
		return t, []promote.Step{{Operands: "all", Result: t, Rule: promote.Rule{Name: "last ranked", Doc: "for the test"}}}, nil
	},
	Divide: func(dtype.Typed) (dtype.Typed, promote.Rule) { return promote.Known(dtype.F32), promote.Rule{} },
	Reduce: func(promote.Reduction, dtype.Typed) (dtype.Typed, promote.Rule) {
		return promote.Known(dtype.I64), promote.Rule{}
	},
})

// TestOtherRules checks a system whose rules depend on ranks, have their own literals
// and join many operands at once.
func TestOtherRules(t *testing.T) {
	vector, scalar := promote.Operand{Typed: promote.Known(dtype.I8), Rank: 1}, promote.Operand{Typed: promote.Known(dtype.I32)}
	if got, _ := ranked.Join(vector, scalar); got != promote.Known(dtype.I8) {
		t.Errorf("i8{n} with i32{}: %s", got)
	}
	if got := ranked.Result(scalar, 300, vector); got != promote.Known(dtype.I8) { // 300 wraps: no error
		t.Errorf("resolved: %s", got)
	}
	if s := ranked.Explain(vector, 1<<40).String(); !strings.Contains(s, "1099511627776: i64?") || !strings.Contains(s, "last ranked") {
		t.Errorf("explained: %s", s)
	}
	if v, err := ranked.Convert(300, dtype.U8); v != uint8(44) || err != nil {
		t.Errorf("300 as ui8: %v, %v", v, err)
	}
	if ranked.Division(promote.Known(dtype.I32)) != promote.Known(dtype.F32) || ranked.Reduction(promote.Sum, promote.Known(dtype.I8)) != promote.Known(dtype.I64) {
		t.Error("division and reduction")
	}
	if tab := ranked.Table(); len(tab.Cells) != 3 || tab.Cells[0][2].Result != promote.Known(dtype.F32) {
		t.Errorf("table: %v", tab.Cells)
	}
}

func TestAtLeast(t *testing.T) {
	for d, want := range map[dtype.DType]dtype.DType{dtype.F16: dtype.F32, dtype.BF16: dtype.F32, dtype.I8: dtype.F32, dtype.F64: dtype.F64, dtype.C64: dtype.C64} {
		if got := promote.JAX64.AtLeast(dtype.F32, d); got != promote.Known(want) {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
	if got := promote.AtLeast(dtype.I32, dtype.U8, 2); got != promote.Known(dtype.I32) {
		t.Errorf("anvil: %s", got)
	}
}

// TestNumberOfOperands checks that an operation fails without a panic if it has too few or too many operands.
func TestNumberOfOperands(t *testing.T) {
	ops := []string{"add", "sub", "pow", "power", "clamp", "sum", "matmul", "where", "lerp", "maximum", "ldexp", "lax.add",
		"concatenate", "cat", "divide", "true_divide", "rtrue_divide", "tensordot", "less", "tf.where", "tf.add", "clip", "dot"}
	for _, s := range promote.Systems() {
		for _, op := range ops {
			for n := range 5 {
				func() {
					defer func() {
						if r := recover(); r != nil {
							t.Errorf("%s: %s of %d operands: %v", s, op, n, r)
						}
					}()
					xs := make([]any, n)
					for i := range xs {
						xs[i] = dtype.F32
					}
					_, err := s.Operation(op, xs...)
					if explained := s.ExplainOperation(op, xs...).Err; (err == nil) != (explained == nil) {
						t.Errorf("%s: %s of %d operands: %v, but explained: %v", s, op, n, err, explained)
					}
					if n == 0 && err == nil {
						t.Errorf("%s: %s has a result without operands", s, op)
					}
				}()
			}
		}
	}
}
