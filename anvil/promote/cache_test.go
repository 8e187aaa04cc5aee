package promote_test

import (
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestCachedResults checks that a repeated operation, whose result is cached, has the result
// of its explanation, which is not: the type of a number, whether a tensor has axes, and the
// exponent of a power must count.
func TestCachedResults(t *testing.T) {
	scalar := promote.Operand{Typed: promote.Known(dtype.F64)}
	others := []any{dtype.I8, dtype.F16, dtype.F64, scalar, true, 1, 2, 1.0, 2.5, 1i, int8(1), promote.Amb(dtype.F32)}
	ops := map[*promote.System][]string{promote.Torch: {"add", "pow", "eq"}, promote.JAX64: {"add", "power", "equal"},
		promote.NumPy: {"add", "power", "equal"}, promote.TensorFlowAll: {"add", "pow"}, promote.IvyFast: {"add", "pow"}, promote.Polars: {"add"}}
	for s, names := range ops {
		for range 2 {
			for _, op := range names {
				for _, x := range others {
					e := s.ExplainOperation(op, dtype.I32, x)
					got, err := s.Operation(op, dtype.I32, x)
					if (err == nil) != (e.Err == nil) || err == nil && got != e.Result {
						t.Errorf("%s %s of i32 and %v: %v, %v; explained %v, %v", s, op, x, got, err, e.Result, e.Err)
					}
				}
			}
		}
	}
}

func BenchmarkOperation(b *testing.B) {
	x := []promote.Operand{{Typed: promote.Known(dtype.F32), Rank: 1}, {Typed: promote.Known(dtype.F16), Rank: 1}}
	for _, s := range []*promote.System{promote.Torch, promote.JAX, promote.NumPy} {
		b.Run(s.Name(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Operate("add", x); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
