package reference_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

var i32 = shape.Of(dtype.I32)

func scalar(x int64) array.Array { return array.Store(array.New(i32), []int64{x}) }

// forever returns a loop that does not end.
func forever() *ir.Graph {
	cond, body, g := &ir.Graph{}, &ir.Graph{}, &ir.Graph{}
	x := cond.Param(i32)
	cond.Outputs = cond.Add(ir.Compare, ir.CompareAttrs{Direction: ir.EQ}, nil, []*ir.Value{x, x}, shape.Of(dtype.I1)).Results
	body.Outputs = []*ir.Value{body.Param(i32)}
	g.Outputs = g.Add(ir.While, nil, []*ir.Graph{cond, body}, []*ir.Value{g.Param(i32)}, i32).Results
	return g
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := reference.Run(ctx, forever(), []array.Array{scalar(0)})
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Run returns %v", err)
	}
}

func TestRunChecksArguments(t *testing.T) {
	g := forever()
	for text, args := range map[string][]array.Array{
		"0 arguments, want 1":       nil,
		"argument 0 is i64{}":       {array.New(shape.Of(dtype.I64))},
		"is i32{} of 2 bytes, want": {{Type: i32, Data: make([]byte, 2)}},
	} {
		if _, err := reference.Run(context.Background(), g, args); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestIntegers tests cases of integer arithmetic in which hardware or languages differ, with
// XLA's results.
func TestIntegers(t *testing.T) {
	const low = -1 << 31
	for _, c := range []struct {
		code       ir.Code
		x, y, want int64
	}{
		{ir.Div, 7, 0, -1}, {ir.Rem, 7, 0, 7}, {ir.Div, low, -1, low}, {ir.Rem, low, -1, 0}, {ir.Div, -7, 2, -3}, {ir.Rem, -7, 2, -1},
		{ir.ShiftLeft, 1, 32, 0}, {ir.ShiftLeft, 1, -1, 0}, {ir.ShiftRightArithmetic, -8, 40, -1}, {ir.ShiftRightLogical, -8, 32, 0},
		{ir.Pow, 2, 31, low}, {ir.Pow, 0, 64, 0}, {ir.Pow, 3, -1, 0}, {ir.Pow, -1, -3, -1}, {ir.Pow, 3, 100, -818408495},
		{ir.Add, low, -1, 1<<31 - 1},
	} {
		g := &ir.Graph{}
		g.Outputs = g.Add(c.code, nil, nil, []*ir.Value{g.Param(i32), g.Param(i32)}, i32).Results
		out, err := reference.Run(context.Background(), g, []array.Array{scalar(c.x), scalar(c.y)})
		if err != nil {
			t.Fatal(err)
		}
		if got := array.Load[int64](out[0])[0]; got != c.want {
			t.Errorf("%v(%d, %d) = %d, want %d", c.code, c.x, c.y, got, c.want)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	t := shape.Of(dtype.F32, 1<<16)
	g := &ir.Graph{}
	g.Outputs = g.Add(ir.Add, nil, nil, []*ir.Value{g.Param(t), g.Param(t)}, t).Results
	x := array.New(t)
	b.SetBytes(int64(t.Bytes()))
	for b.Loop() {
		if _, err := reference.Run(context.Background(), g, []array.Array{x, x}); err != nil {
			b.Fatal(err)
		}
	}
}
