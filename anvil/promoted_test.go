package anvil_test

import (
	"fmt"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

func TestPromoteArrays(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	h, f := c.Ones(nv.Shape{2}, nv.F16), c.Full(nv.Shape{1}, 3, nv.F32)
	for _, q := range []struct {
		lib  *nv.Lib
		d    nv.DType
		xs   []any
		want string
	}{
		{c.With(promote.JAX), dtype.Invalid, []any{h, f}, "[f32{2} [1 1] f32{1} [3]]"},
		{c.With(promote.JAX), dtype.BF16, []any{f, f, 2}, "[bf16{1} [3] bf16{1} [3] bf16{} 2]"},
		{c.Lib, dtype.Invalid, []any{h, c.Scalar(2.5)}, "[f16{2} [1 1] f16{} 2.5]"},
	} {
		if got := fmt.Sprint(q.lib.PromoteArrays(q.d, q.xs...)); got != q.want {
			t.Errorf("%s %v: %s, want %s", q.lib.System(), q.d, got, q.want)
		}
	}
}

func TestPromoteTree(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	tree := map[string]any{"a": c.Ones(nv.Shape{1}, nv.F16), "b": []nv.Tensor{c.Ones(nv.Shape{2}, nv.F64)}, "name": "layer"}
	if got := fmt.Sprint(c.PromoteTree(dtype.Invalid, tree)); got != "map[a:f64{1} [1] b:[f64{2} [1 1]] name:layer]" {
		t.Errorf("to the common dtype: %s", got)
	}
	if got := fmt.Sprint(c.PromoteTree(dtype.BF16, tree).(map[string]any)["b"]); got != "[bf16{2} [1 1]]" {
		t.Errorf("to bf16: %s", got)
	}
	if got := c.PromoteTree(dtype.F32, 5); got != 5 {
		t.Errorf("of no tensor: %v", got)
	}
}
