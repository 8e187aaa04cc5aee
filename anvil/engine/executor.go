package engine

import (
	"context"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// An Executor compiles and runs graphs: XLA through a PJRT plugin, or the
// reference evaluator.
type Executor interface {
	Name() string      // "xla:cpu", "reference"
	Platform() string  // the word in a print: "CPU", "CUDA", "REFERENCE"
	Devices() []string // "cpu:0", "cpu:1"
	Compile(ctx context.Context, g *ir.Graph, m Mode) (Executable, error)
	// Upload returns data, which nobody changes afterwards, on a device.
	Upload(t shape.Type, data []byte, device int) (Buffer, error)
	// Copy returns a copy of b on another device.
	Copy(b Buffer, device int) (Buffer, error)
	// Abandoned returns how many programs that were given up still run there.
	Abandoned(device int) int
	Counters() Counters
	Close() error
}

// A Mode is what a graph is compiled for.
type Mode struct {
	Device int
	Cheap  bool // known to be tiny: it may run on the calling goroutine
	Quick  bool // compiling fast matters more than running fast

	Aliases []stablehlo.Alias // results that may take the memory of parameters
}

// An Executable is a compiled graph. It is used by one goroutine at a time.
type Executable interface {
	// Run launches the program and fills out, with buffers that may not be
	// computed yet. When ctx ends first it returns ctx's error.
	Run(ctx context.Context, args, out []Buffer) error
}

// A Buffer is a tensor on a device, being computed or computed.
type Buffer interface {
	Await(ctx context.Context) error
	Read(ctx context.Context, dst []byte) error
}

// Counters are what an Executor counts.
type Counters struct {
	Compiles, DiskHits, Launches int64
	HostLaunches                 int64 // of the launches, those in host memory
	BytesToHost, BytesToDevice   int64
	LiveBytes, LiveBuffers       int64
	PeakBytes                    int64
}
