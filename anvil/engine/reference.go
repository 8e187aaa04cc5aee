package engine

import (
	"bytes"
	"context"
	"math"
	"runtime/debug"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/memory"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/xla"
)

// A referenceExecutor computes with package reference, in plain Go.
type referenceExecutor struct {
	run                                  func(context.Context, *ir.Graph, []array.Array) ([]array.Array, error)
	compiles, launches, toHost, toDevice atomic.Int64
}

// NewReference returns an executor that computes in plain Go.
func NewReference() Executor { return &referenceExecutor{run: reference.Run} }

// NewFlushingReference returns an executor that computes in plain Go and flushes subnormal
// numbers to 0, as XLA's programs for CPUs do.
func NewFlushingReference() Executor { return &referenceExecutor{run: reference.RunFlushing} }

func (e *referenceExecutor) Name() string        { return "reference" }
func (e *referenceExecutor) Platform() string    { return "REFERENCE" }
func (e *referenceExecutor) Devices() []string   { return []string{"reference:0"} }
func (e *referenceExecutor) HostMemory(int) bool { return true }
func (e *referenceExecutor) HostPrograms() bool  { return false }
func (e *referenceExecutor) Abandoned(int) int   { return 0 }
func (e *referenceExecutor) Close() error        { return nil }

func (e *referenceExecutor) Counters() Counters {
	return Counters{Compiles: e.compiles.Load(), Launches: e.launches.Load(),
		BytesToHost: e.toHost.Load(), BytesToDevice: e.toDevice.Load()}
}

func (e *referenceExecutor) Compile(ctx context.Context, g *ir.Graph, _ Mode) (Executable, error) {
	e.compiles.Add(1)
	return &referenceExecutable{e, g}, ctx.Err()
}

// checkMemory returns an error if the values of g do not fit in memory together; all of them live until g has run.
// Without this check, an allocation that fails would end the process.
func checkMemory(g *ir.Graph) error {
	need := valueBytes(g)
	if need < memory.Unchecked {
		return nil
	}
	free, known := memory.Available()
	if known && need > free {
		debug.FreeOSMemory()
		free, known = memory.Available()
	}
	if !known {
		free = assumedFree
	}
	if need > free {
		return xla.OutOfMemory("Run", g.Name, need, free)
	}
	return nil
}

// assumedFree is the number of free bytes that checkMemory assumes if the system does not report it.
const assumedFree = 64 << 30

// valueBytes returns the bytes of all values of g and of its regions.
func valueBytes(g *ir.Graph) int64 {
	var need int64
	for _, n := range g.Nodes {
		for _, r := range n.Regions {
			need = saturatingAdd(need, valueBytes(r))
		}
		for _, v := range n.Results {
			if !v.Type.Within(math.MaxInt / 2) {
				return math.MaxInt64
			}
			need = saturatingAdd(need, int64(v.Type.Bytes()))
		}
	}
	return need
}

// saturatingAdd returns a + b, or the largest int64 if the sum overflows. Neither a nor b may be negative.
func saturatingAdd(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func (e *referenceExecutor) Upload(t shape.Type, data []byte, device int) (Buffer, error) {
	e.toDevice.Add(int64(len(data)))
	return &referenceBuffer{e, array.Array{Type: t, Data: data}}, nil
}

func (e *referenceExecutor) UploadCopied(t shape.Type, data []byte, device int) (Buffer, error) {
	return e.Upload(t, bytes.Clone(data), device)
}

func (e *referenceExecutor) Copy(b Buffer, device int) (Buffer, error) { return b, nil }

// A referenceExecutable is a graph that a referenceExecutor interprets.
type referenceExecutable struct {
	e *referenceExecutor
	g *ir.Graph
}

func (x *referenceExecutable) Origin() Origin { return Compiled }

func (x *referenceExecutable) Run(ctx context.Context, args, out []Buffer) error {
	x.e.launches.Add(1)
	if err := checkMemory(x.g); err != nil {
		return err
	}
	in := make([]array.Array, len(args))
	for i, a := range args {
		in[i] = a.(*referenceBuffer).array
	}
	results, err := x.e.run(ctx, x.g, in)
	if err != nil {
		return err
	}
	for i, r := range results {
		out[i] = &referenceBuffer{x.e, r}
	}
	return nil
}

// A referenceBuffer is a tensor in Go's memory.
type referenceBuffer struct {
	e     *referenceExecutor
	array array.Array
}

func (b *referenceBuffer) Await(context.Context) error { return nil }

func (b *referenceBuffer) Release() {} // the elements are left to Go's collector

func (b *referenceBuffer) Read(_ context.Context, dst []byte) error {
	b.e.toHost.Add(int64(len(dst)))
	copy(dst, b.array.Data)
	return nil
}

func (b *referenceBuffer) View(_ context.Context, use func(data []byte)) (bool, error) {
	use(b.array.Data)
	return true, nil
}
