package tensoriter_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/promote/tensoriter"
)

// operands returns every dtype with and without an axis, and a number of every kind.
func operands() (xs []any) {
	for _, d := range promote.Torch.DTypes() {
		xs = append(xs, tensoriter.Tensor(d, 1), tensoriter.Tensor(d, 0))
	}
	return append(xs, true, 5, 5.5, 1i)
}

// plain returns x as package promote takes it.
func plain(x any) any {
	if o, ok := x.(tensoriter.Operand); ok {
		return o.Operand
	}
	return x
}

// TestTraceIsTheRule checks that traces end in the dtype or error of promote.Torch,
// for every operation of two operands that uses the iterator, every pair of operands
// and two default dtypes.
func TestTraceIsTheRule(t *testing.T) {
	for _, s := range []*promote.System{promote.Torch, promote.Torch.WithDefault(dtype.F64)} {
		for _, op := range strings.Fields("add sub mul true_divide floor_divide remainder maximum bitwise_and eq lt logical_and atan2 hypot copysign div_trunc left_shift") {
			for _, a := range operands() {
				for _, b := range operands() {
					agree(t, s, op, a, b)
				}
			}
		}
	}
}

// agree checks that the trace of op on xs has the dtype or the error of s.
func agree(t *testing.T, s *promote.System, op string, xs ...any) {
	t.Helper()
	seen := make([]any, len(xs))
	for i, x := range xs {
		seen[i] = plain(x)
	}
	trace := tensoriter.BuildOpUnder(s, op, xs...)
	want, err := s.Operation(op, seen...)
	switch {
	case (err == nil) != (trace.Err == nil), err != nil && err.Error() != trace.Err.Error():
		t.Errorf("%s: %s; want the error %v", s, trace, err)
	case err == nil && trace.Result() != want.DType:
		t.Errorf("%s: %s; want %s", s, trace, want)
	}
}

// TestTraceOfAssignments checks operations in place, whose output is the first
// input.
func TestTraceOfAssignments(t *testing.T) {
	for op, cfg := range map[string]tensoriter.Config{"add_": tensoriter.Binary, "div_": tensoriter.BinaryFloat} {
		for _, d := range promote.Torch.DTypes() {
			for _, x := range operands() {
				into := tensoriter.Tensor(d, 1)
				trace := tensoriter.Build(cfg, tensoriter.Out(into), into, x)
				got, err := promote.Torch.Assignment(op, into.Operand, plain(x))
				var kernel *promote.Refusal
				if errors.As(err, &kernel) && kernel.Kind == "NotImplementedError" {
					continue // not an error of the iterator
				}
				if (err == nil) != (trace.Err == nil) || err == nil && trace.Result() != got.DType {
					t.Errorf("%s: %s; want %s, %v", op, trace, got, err)
				}
			}
		}
	}
}

// TestFlags checks the effect of each flag, with and without it.
func TestFlags(t *testing.T) {
	i32, i64, f32, f64 := dtype.I32, dtype.I64, dtype.F32, dtype.F64
	out := tensoriter.Out
	for _, c := range []struct {
		name string
		cfg  tensoriter.Config
		xs   []any
		want string // in the title, after the operands
		step string // in the steps
	}{
		{"a static dtype is that of the output", tensoriter.Comparison, []any{out(nil), i32, f32}, "-> i1", "StaticDType"},
		{"without one it waits", tensoriter.Binary, []any{out(nil), i32, f32}, "-> f32", "waits for the common dtype"},
		{"equal inputs are not promoted", tensoriter.Binary, []any{out(nil), i32, i32}, "-> i32", "nothing to promote"},
		{"differing ones are", tensoriter.Binary, []any{out(nil), i32, i64}, "-> i64", "dim i64, zero -, wrapped -"},
		{"nothing asked for: no common dtype", tensoriter.Config{}, []any{out(f64), i32, f32}, "-> f64", "return early  all         undefined"},
		{"nothing asked for, equal inputs", tensoriter.Config{}, []any{out(f64), f32, f32}, "-> f64", "return early  all         f32"},
		{"nothing asked for but an output", tensoriter.Config{}, []any{out(nil), f32, f32}, "-> f32", "PromoteInputs is off"},
		{"all zero-dimensional: computed though equal", tensoriter.Binary, []any{out(nil), tensoriter.Tensor(i32, 0), tensoriter.Tensor(i32, 0)}, "-> i32", "update state"},
		{"numbers alone", tensoriter.Binary, []any{out(nil), 5, 5.5}, "-> f32", "dim -, zero -, wrapped f32"},
		{"promotion off", tensoriter.Config{CheckAllSameDevice: true}, []any{out(nil), i32, f32}, "-> i32", "PromoteInputs is off"},
		{"integers to float", tensoriter.BinaryFloat, []any{out(nil), i32, 5}, "-> f32", "integers to float   i32            f32"},
		{"bools to float", tensoriter.BinaryFloat, []any{out(nil), dtype.I1, dtype.I1}, "-> f32", "integers to float"},
		{"to another default", tensoriter.BinaryFloat.Under(promote.Torch.WithDefault(f64)), []any{out(nil), i32, 5}, "-> f64", "integers to float"},
		{"the default leaves halves alone", tensoriter.Binary.Under(promote.Torch.WithDefault(f64)), []any{out(nil), dtype.F16, 5.5}, "-> f16", "5.5"},
		{"outputs do not take part", tensoriter.Binary, []any{out(f64), i32, i64}, "-> f64", "i64 to f64"},
		{"unsafe cast", tensoriter.Binary, []any{out(i32), i32, 5.5}, ": RuntimeError: result type Float can't be cast to the desired output type Int", "check cast"},
		{"unsafe cast not looked at", tensoriter.Config{PromoteInputs: true, CastCommonDTypeToOutputs: true}, []any{out(i32), i32, 5.5}, "-> i32", "f32 to i32"},
		{"dtypes must agree", tensoriter.Unary, []any{out(f32), i32}, ": RuntimeError: Found dtype Float but expected Int", "check dtype"},
		{"dtypes agree", tensoriter.Unary, []any{out(nil), i32}, "-> i32", "they agree"},
		{"devices must agree", tensoriter.Binary, []any{out(nil), tensoriter.On("cuda:0", f32), f32}, ": RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!", "check device"},
		{"but for a zero-dimensional one", tensoriter.Binary, []any{out(nil), tensoriter.Tensor(f32, 0), tensoriter.On("cuda:0", f32)}, "-> f32", "a constant of the kernel"},
		{"one only", tensoriter.Binary, []any{out(nil), 1, 2, tensoriter.On("cuda:0", f32)}, ": RuntimeError: Trying to pass too many CPU scalars to non-CPU kernel!", "check device"},
		{"devices not looked at", tensoriter.Config{PromoteInputs: true}, []any{out(nil), tensoriter.On("cuda:0", f32), f32}, "-> f32", "nothing to promote"},
		{"arguments that were not given are skipped", tensoriter.Binary, []any{out(nil), nil, i32}, "-> i32", "skipped"},
		{"but one must be", tensoriter.Binary, []any{out(nil), nil, nil}, "INTERNAL ASSERT FAILED", "common dtype"},
		{"a wrapped number with an axis counts as a tensor", tensoriter.Binary,
			[]any{out(nil), tensoriter.Operand{Operand: promote.Operand{Typed: promote.Amb(i64), Rank: 1, Literal: 5}}, i32}, "-> i64", "dim i64, zero -, wrapped -"},
		{"not a system of PyTorch's", tensoriter.Binary.Under(promote.JAX), []any{out(nil), i32}, "not one of PyTorch's systems", ""},
		{"not an operand", tensoriter.Binary, []any{out(nil), "five"}, "five", ""},
	} {
		trace := tensoriter.Build(c.cfg, c.xs...)
		if c.name == "not an operand" {
			if trace.Err == nil {
				t.Error("a text was taken for an operand")
			}
			continue
		}
		if !strings.Contains(trace.Title(), c.want) || !strings.Contains(oneSpace(trace.String()), oneSpace(c.step)) {
			t.Errorf("%s: want %q, and %q in\n%s", c.name, c.want, c.step, trace)
		}
		if !strings.Contains(trace.HTML(), "<table") || strings.Count(trace.HTML(), "<tr>") != len(trace.Steps)+1 {
			t.Errorf("%s: %s", c.name, trace.HTML())
		}
	}
}

// oneSpace returns s with one space for each run of spaces, so that widths of columns do not matter.
func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// TestConfigOf checks the configurations of operations.
func TestConfigOf(t *testing.T) {
	for op, want := range map[string]tensoriter.Config{"add": tensoriter.Binary, "true_divide": tensoriter.BinaryFloat,
		"atan2": tensoriter.BinaryFloat, "eq": tensoriter.Comparison, "bitwise_and": tensoriter.Binary, "floor_divide": tensoriter.Binary} {
		if got, err := tensoriter.ConfigOf(op, 2); got != want || err != nil {
			t.Errorf("%s: %s, %v", op, got, err)
		}
	}
	for op, want := range map[string]tensoriter.Config{"neg": tensoriter.Unary, "sin": tensoriter.UnaryFloat} {
		if got, err := tensoriter.ConfigOf(op, 1); got != want || err != nil {
			t.Errorf("%s: %s, %v", op, got, err)
		}
	}
	if _, err := tensoriter.ConfigOf("no_such", 2); err == nil {
		t.Error("an operation that does not exist has a configuration")
	}
}
