package engine

import (
	"context"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// An Executor compiles and runs graphs: XLA through a PJRT plugin, or the
// reference evaluator. Its methods may be called by several goroutines at a time.
type Executor interface {
	Name() string      // "xla:cpu", "reference"
	Platform() string  // as it is printed with a tensor: "CPU", "CUDA", "REFERENCE"
	Devices() []string // "cpu:0", "cpu:1"
	// HostMemory reports whether buffers of a device lie in host memory.
	HostMemory(device int) bool
	// HostPrograms reports whether package host runs the graphs that it can run, so that Compile does not compile them.
	HostPrograms() bool
	Compile(ctx context.Context, g *ir.Graph, m Mode) (Executable, error)
	// Upload returns a buffer on a device with the elements in data, in host form. The caller must not change
	// data afterwards.
	Upload(t shape.Type, data []byte, device int) (Buffer, error)
	// UploadCopied is Upload for data that the caller may change afterwards.
	UploadCopied(t shape.Type, data []byte, device int) (Buffer, error)
	// Copy returns a copy of b on another device.
	Copy(b Buffer, device int) (Buffer, error)
	// Abandoned returns how many interrupted programs a device still runs.
	Abandoned(device int) int
	Counters() Counters
	Close() error
}

// A Mode says how Compile must compile a graph.
type Mode struct {
	Device int  // the index of the device that runs the program
	Cheap  bool // the program is known to be tiny: it may run on the calling goroutine
	Quick  bool // compiling fast matters more than running fast

	Aliases []stablehlo.Alias // pairs of a parameter and the result that reuses its memory
}

// An Executable is a compiled graph. It is used by one goroutine at a time.
type Executable interface {
	// Run launches the program and fills out with its results, which may not be computed
	// yet. If ctx ends before the launch, Run returns ctx's error.
	Run(ctx context.Context, args, out []Buffer) error
	// Origin returns how the executable was made.
	Origin() Origin
}

// An Origin says how an Executable was made.
type Origin int

const (
	Compiled Origin = iota // by the executor's compiler
	Loaded                 // from a file with the result of an earlier compilation
	InHost                 // without a compiler: package host runs it, and may read arguments after Run has returned
)

// A Buffer is a tensor on a device. Its elements may not be computed yet.
type Buffer interface {
	// Await waits until the buffer is computed and returns the error of its computation.
	Await(ctx context.Context) error
	// Read waits as Await does and copies the elements, in host form, to dst.
	Read(ctx context.Context, dst []byte) error
	// View waits as Await does and calls use with the elements, in host form and without copying them. It returns
	// false, without calling use, if the elements are not in host memory. use must neither change nor keep data.
	View(ctx context.Context, use func(data []byte)) (bool, error)
	// Release frees the device memory now, instead of leaving it to the garbage collector.
	// The buffer must not be used afterwards; programs launched with it are unaffected.
	Release()
}

// Counters are the counts of an Executor since it was made. Stats explains them.
type Counters struct {
	Compiles, DiskHits, Launches int64
	HostLaunches                 int64 // the launches, included in Launches, that package host ran
	BytesToHost, BytesToDevice   int64
	LiveBytes, LiveBuffers       int64
	PeakBytes                    int64
}
