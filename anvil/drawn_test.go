package anvil_test

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// drawnOperand returns an operand of testdata/drawn.txt of package tensoriter:
// "i32[2,1]", "5.5", "2i". ok is false for a dtype that no backend computes.
func drawnOperand(t *testing.T, s string) (x any, ok bool) {
	t.Helper()
	if name, axes, tensor := strings.Cut(strings.TrimSuffix(s, "]"), "["); tensor {
		d, err := dtype.Parse(name)
		if err != nil {
			return nil, false
		}
		var shape nv.Shape
		for axis := range strings.SplitSeq(axes, ",") {
			if n, err := strconv.Atoi(axis); err == nil {
				shape = append(shape, n)
			}
		}
		return nv.Ones(shape, d), true
	}
	if s == "true" {
		return true, true
	}
	if n, err := strconv.Atoi(s); err == nil {
		return n, true
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return f, true
	}
	c, err := strconv.ParseComplex(s, 128)
	if err != nil {
		t.Fatal(s)
	}
	return c, true
}

// TestDrawnOperations checks that PyTorch's system gives the dtypes and errors
// that PyTorch itself gave for random operands.
func TestDrawnOperations(t *testing.T) {
	data, err := os.ReadFile("promote/tensoriter/testdata/drawn.txt")
	if err != nil {
		t.Fatal(err)
	}
	torch := nv.With(promote.TorchExt)
	ops := map[string]func(x, y any, opts ...nv.BinaryOption) nv.Tensor{"add": torch.Add, "mul": torch.Mul,
		"true_divide": torch.Div, "eq": torch.Eq, "bitwise_and": torch.And}
	asked := 0
	for line := range strings.Lines(string(data)) {
		part := strings.SplitN(strings.TrimSpace(line), ": ", 3)
		op := ops[part[0]]
		if op == nil || strings.Contains(part[2], "c32") || strings.Contains(part[2], "Complex") {
			continue
		}
		var xs []any
		for _, s := range strings.Split(part[1], ", ") {
			if x, ok := drawnOperand(t, s); ok {
				xs = append(xs, x)
			}
		}
		if len(xs) != strings.Count(part[1], ", ")+1 {
			continue
		}
		asked++
		got, foreign := folded(op, xs)
		if !foreign && got != part[2] {
			t.Errorf("%s(%s): %s, want %s", part[0], part[1], got, part[2])
		}
	}
	if asked < 900 {
		t.Error("only", asked, "lines")
	}
}

// folded returns the dtype of op applied to xs from the left, or PyTorch's error.
// foreign reports whether a result has a dtype that no backend computes.
func folded(op func(x, y any, opts ...nv.BinaryOption) nv.Tensor, xs []any) (answer string, foreign bool) {
	var r nv.Tensor
	err := nv.Try(func() {
		r = op(xs[0], xs[1])
		for _, x := range xs[2:] {
			r = op(r, x)
		}
	})
	var refused *promote.Refusal
	switch {
	case err == nil:
		return r.Typed().String(), false
	case errors.As(err, &refused):
		return refused.Foreign(), false
	}
	return err.Error(), strings.Contains(err.Error(), "no backend computes")
}
