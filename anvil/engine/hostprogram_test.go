package engine

import (
	"context"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/host"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// An endsInWait is a context that ends as soon as a caller waits for it.
type endsInWait struct {
	context.Context
	end context.CancelFunc
}

func (c endsInWait) Done() <-chan struct{} {
	c.end()
	return c.Context.Done()
}

// TestAsyncRunsAreBounded checks that Run waits, until its context ends, while maxAsyncRuns programs run
// in goroutines, and that others can run when these have ended.
func TestAsyncRunsAreBounded(t *testing.T) {
	g, ty := &ir.Graph{}, shape.Of(dtype.F32, 1)
	g.Outputs = g.Add(ir.Neg, nil, nil, []*ir.Value{g.Param(ty)}, ty).Results
	e := &xlaExecutor{asyncRuns: make(chan struct{}, maxAsyncRuns)}
	x := newHostExecutable(e, host.Compile(g), g, 0)
	operand := &xlaBuffer{e: e, typ: ty, async: &asyncRun{done: make(chan struct{})}}

	results := make([][]Buffer, maxAsyncRuns)
	for i := range results {
		results[i] = make([]Buffer, 1)
		if err := x.Run(context.Background(), []Buffer{operand}, results[i]); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := x.Run(endsInWait{ctx, cancel}, []Buffer{operand}, make([]Buffer, 1)); err != context.Canceled {
		t.Errorf("%v, though %d programs are under way", err, maxAsyncRuns)
	}

	operand.settle(host.Of(ty, make([]byte, 4)))
	close(operand.async.done)
	for _, out := range append(results, make([]Buffer, 1)) {
		if out[0] == nil {
			if err := x.Run(context.Background(), []Buffer{operand}, out); err != nil {
				t.Fatal(err)
			}
		}
		if err := out[0].Await(context.Background()); err != nil {
			t.Error(err)
		}
	}
	for range maxAsyncRuns {
		e.asyncRuns <- struct{}{}
	}
}
