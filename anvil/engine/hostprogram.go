package engine

import (
	"context"

	"github.com/goanvil/notebook/anvil/host"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A hostExecutable is a graph that package host runs for an xlaExecutor.
type hostExecutable struct {
	e       *xlaExecutor
	program *host.Program
	results []shape.Type
	device  int
	long    bool         // the program may take too long for the calling goroutine
	in, out []host.Value // reused by Run
}

// newHostExecutable returns an executable that runs p, compiled from g, on the device.
func newHostExecutable(e *xlaExecutor, p *host.Program, g *ir.Graph, device int) *hostExecutable {
	x := &hostExecutable{e: e, program: p, device: device}
	x.in, x.out = make([]host.Value, len(g.Params)), make([]host.Value, len(g.Outputs))
	for _, v := range g.Outputs {
		x.results = append(x.results, v.Type)
		x.long = x.long || !host.Holds(v.Type)
	}
	return x
}

// Origin implements Executable.
func (x *hostExecutable) Origin() Origin { return InHost }

// Run implements Executable. A program that may take long, or that has an argument that is
// still being computed, runs in a goroutine of its own.
func (x *hostExecutable) Run(ctx context.Context, args, out []Buffer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	x.e.hostLaunches.Add(1)
	if x.long {
		return x.runAsync(ctx, args, out)
	}
	for i, a := range args {
		v, ok := a.(*xlaBuffer).now()
		if !ok {
			return x.runAsync(ctx, args, out)
		}
		x.in[i] = v
	}
	err := x.program.Run(ctx, x.in, x.out)
	for i, v := range x.out {
		out[i] = newHostBuffer(x.e, x.results[i], x.device, v)
	}
	clear(x.in)
	clear(x.out)
	return err
}

// maxAsyncRuns is the number of host programs that may run in goroutines of their own at a
// time. Starting another one waits: otherwise a loop would get far ahead of its programs
// and hold the memory of all of them.
const maxAsyncRuns = 4

// runAsync is Run in a goroutine of its own.
func (x *hostExecutable) runAsync(ctx context.Context, args, out []Buffer) error {
	select {
	case x.e.asyncRuns <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	run := &asyncRun{done: make(chan struct{})}
	operands, results := make([]*xlaBuffer, len(args)), make([]*xlaBuffer, len(out))
	for i, a := range args {
		operands[i] = a.(*xlaBuffer)
	}
	for i := range out {
		results[i] = &xlaBuffer{e: x.e, typ: x.results[i], device: x.device, async: run}
		out[i] = results[i]
	}
	go func() {
		defer func() { <-x.e.asyncRuns }()
		defer close(run.done)
		run.err = awaitAndRun(x.program, operands, results)
	}()
	return nil
}

// awaitAndRun waits for operands, runs p on them, and sets the elements of results.
func awaitAndRun(p *host.Program, operands, results []*xlaBuffer) error {
	ctx := context.Background()
	in, out := make([]host.Value, len(operands)), make([]host.Value, len(results))
	for i, b := range operands {
		var err error
		if in[i], err = b.onHost(ctx); err != nil {
			return err
		}
	}
	if err := p.Run(ctx, in, out); err != nil {
		return err
	}
	for i, v := range out {
		results[i].settle(v)
	}
	return nil
}
