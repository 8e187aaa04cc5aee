package anvil

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/promote"
)

// A Context holds the state of computing: the executor with its devices and caches,
// counters, and the interrupt. Each tensor belongs to one Context; tensors of two
// Contexts cannot be combined. Every function of this package that makes tensors or reads
// state is also a method of Context; the functions use Default.
type Context struct {
	*Lib
	options     ContextOptions
	settings    *backend.Settings
	session     *engine.Session
	intr        atomic.Pointer[context.Context] // see SetInterrupt
	line        atomic.Pointer[string]          // see SetLine
	tracing     atomic.Int32                    // the number of functions being recorded
	derived     derivedPrograms
	truncation  atomic.Uint32         // see SetTruncation
	reads       atomic.Pointer[Reads] // see SetReads
	traces      traces                // the traces that Jit keeps for functions that reads knows
	names       atomic.Pointer[Names] // see SetNames
	summaries   summaries
	layerDType  atomic.Uint32                        // see SetLayerDType
	conventions atomic.Pointer[autodiff.Conventions] // the default of the option Conventions; nil: anvil's
}

// ContextOptions configure a Context. The zero value is the default.
type ContextOptions struct {
	Backend string    // "xla" or "reference"; "": GOANVIL_BACKEND, or xla if a plugin is found
	Plugin  string    // the path of a PJRT plugin; "": GOANVIL_PJRT_PLUGIN, or the plugin that is found
	Device  string    // the device on which tensors are made: "cpu:0"; "": the first device
	Devices int       // the number of virtual devices of a CPU plugin; 0: GOANVIL_DEVICES, or one
	Log     io.Writer // receives a line about each thing that is skipped or cannot be done as asked; nil: none
	Output  io.Writer // receives what Print prints; nil: os.Stdout

	// Compiling, unless nil, is called before a program is compiled, with the number of its
	// operations; done is called afterwards. Both must be safe for concurrent use.
	Compiling func(operations int) (done func())

	Eager   bool // compute after every operation, for comparison; also GOANVIL_EAGER=1
	NoCache bool // keep no compiled programs on disk (xla.CacheDir)
	// Compiled lets XLA compile small programs too. Otherwise they are evaluated in host
	// memory if the device is a CPU. Also GOANVIL_COMPILED=1.
	Compiled bool
	System   *promote.System // the promotion system; nil: promote.Anvil

	Settings *backend.Settings // backend, default dtypes, precise mode; nil: none set

	Executor engine.Executor // computes in place of the executor that Backend names; nil: none
}

// NewContext returns a new Context. Its executor starts with the first tensor that is
// computed.
func NewContext(o ContextOptions) *Context {
	if o.System == nil {
		o.System = promote.Anvil
	}
	if o.Settings == nil {
		o.Settings = new(backend.Settings)
	}
	c := &Context{options: o, settings: o.Settings, traces: traces{most: 10 * maxTraces}}
	c.session = engine.New(engine.Options{
		Backend: o.Backend, Plugin: o.Plugin, Device: o.Device, Devices: o.Devices,
		Eager: o.Eager, NoDiskCache: o.NoCache, Log: c.log, Interrupt: c.interrupt, Compiling: o.Compiling,
		Executor: o.Executor, Compiled: o.Compiled,
	})
	c.Lib = newLib("NewContext", c, o.System)
	return c
}

var defaultContext = sync.OnceValue(func() *Context { return NewContext(ContextOptions{Settings: backend.Current()}) })

// Default returns the Context that the functions of this package use.
func Default() *Context { return defaultContext() }

// SetReads sets r, which returns the variables that a function reads. Jit then keeps the trace of a function until
// one of these variables changes; tensors among them are arguments of the program. A function that r does not know
// is traced at each call.
func (c *Context) SetReads(r Reads) { c.reads.Store(&r) }

// SetNames sets the function that returns the parameter names of functions, for programs returned by Lower.
func (c *Context) SetNames(n Names) { c.names.Store(&n) }

// Settings returns the settings of package backend for tensors of c: the backend whose
// dtypes are valid, the default dtypes, Ivy's precise mode, and others.
func (c *Context) Settings() *backend.Settings { return c.settings }

// log writes a line to the option Log.
func (c *Context) log(line string) {
	if c.options.Log != nil {
		fmt.Fprintln(c.options.Log, line)
	}
}

// SetInterrupt sets the context that ends waits for the device: they stop when ctx is done. The kernel sets
// a new context for each cell. An interrupted computation is abandoned, and the operation that waited for it panics
// with an *Error that wraps ctx's error. On CPUs, loops of compiled programs end at their next step; reading their
// results panics with an *Error that wraps xla.ErrInterrupted.
func (c *Context) SetInterrupt(ctx context.Context) {
	c.intr.Store(&ctx)
	c.session.WarnAgain() // of interrupted programs that a device still runs
}

// interrupt returns the context that SetInterrupt has set, or one that is never done.
func (c *Context) interrupt() context.Context {
	if p := c.intr.Load(); p != nil {
		return *p
	}
	return context.Background()
}

// SetLine sets the cell of the operations that follow, which Why shows: "In[3]".
func (c *Context) SetLine(at string) { c.line.Store(&at) }

// EndCell starts computing roots, the tensors in the variables that a cell mentions, in the background. The error is
// a *RootError if a root failed. A tensor that failed is not computed again at the end of the next cell.
func (c *Context) EndCell(roots []Tensor) error {
	arrs := make([]engine.Array, 0, len(roots))
	indices := make([]int, 0, len(roots)) // arrs[i] belongs to roots[indices[i]]
	for i, r := range roots {
		if r.t != nil && r.t.ctx == c && !r.t.arr.Traced() {
			arrs, indices = append(arrs, r.t.arr), append(indices, i)
		}
	}
	failed, err := c.session.EndCell(arrs)
	if err == nil {
		return nil
	}
	if len(arrs) == 0 { // interrupted while another goroutine holds the session's lock
		return asError("EndCell", "", err)
	}
	root := indices[failed]
	return &RootError{Err: roots[root].t.failed("EndCell", err), Root: root}
}

// A RootError is the error of one of the roots of EndCell.
type RootError struct {
	Err  error
	Root int // the index of the root in the argument of EndCell
}

func (e *RootError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the root.
func (e *RootError) Unwrap() error { return e.Err }

// Failed returns the index of the root.
func (e *RootError) Failed() int { return e.Root }

// SetLayerDType sets the default of the fields DType and ParamDType of the layers of
// package nn: the dtype in which layers compute, and that of the parameters that nn.Init
// makes. With the zero value, which is the default, layers compute in the dtype of their
// operands, and parameters are f32.
func (c *Context) SetLayerDType(d DType) { c.layerDType.Store(uint32(d)) }

// LayerDType returns the dtype that SetLayerDType has set.
func (c *Context) LayerDType() DType { return DType(c.layerDType.Load()) }

// Finishing reports whether a function made by Jit is running that reuses the memory of
// tensors marked by Donate. An interrupt waits up to 10 s until such a function has returned
// its results.
func (c *Context) Finishing() bool { return c.session.Finishing() }

// Revive makes tensors usable again that the latest calls of Donate gave away and whose
// memory no function has reused. The kernel calls it after a cell that fails or is
// interrupted, so that a model is what it was after the last finished step.
func (c *Context) Revive() { c.session.Revive() }

// Cut starts computing ts in the background. It is called at the start of each loop
// iteration with the tensors that the loop assigns, so that the pending graph does not
// grow with every iteration. Calls are inserted into the code of cells; Go programs may
// write them as the first statement of a loop body.
func (c *Context) Cut(ts ...*Tensor) {
	arrs := make([]engine.Array, 0, len(ts))
	for _, p := range ts {
		if p != nil && p.t != nil && p.t.ctx == c && !p.t.arr.Traced() {
			arrs = append(arrs, p.t.arr)
		}
	}
	if len(arrs) == 0 {
		return
	}
	if err := c.session.Force(arrs...); err != nil {
		panic(asError("Cut", "", err))
	}
}

// Keep marks ts as needed by the next iteration of a loop: a program that computes them as intermediate values also
// returns them. Call it after an assignment in a loop that calls Cut; otherwise some values are computed twice.
func (c *Context) Keep(ts ...*Tensor) {
	for _, p := range ts {
		if p != nil && p.t != nil && p.t.ctx == c && !p.t.arr.Traced() {
			p.t.arr.Keep()
		}
	}
}

// Keep calls Context.Keep in the Context of each of ts.
func Keep(ts ...*Tensor) {
	for _, p := range ts {
		if p != nil && p.t != nil {
			p.t.ctx.Keep(p)
		}
	}
}

// Cut calls Context.Cut in the Context of the first of ts that is not the zero Tensor.
func Cut(ts ...*Tensor) {
	for _, p := range ts {
		if p != nil && p.t != nil {
			p.t.ctx.Cut(ts...)
			return
		}
	}
}

// Counters count the work of a Context since it was made.
type Counters = engine.Stats

// Stats returns the counters: programs compiled, found in memory, found on disk, and
// launched; bytes moved; bytes live on devices.
func (c *Context) Stats() Counters { return c.session.Stats() }

// Stats returns the counters of the default Context.
func Stats() Counters { return Default().Stats() }

// Close closes the executor. The tensors of c cannot be used afterwards.
func (c *Context) Close() error { return c.session.Close() }

// Backend returns the name of the executor: "xla:cpu", "reference".
func (c *Context) Backend() string { return c.session.Name() }

// Devices returns the names of the devices.
func (c *Context) Devices() []string { return c.session.DeviceNames() }

// Tracing reports whether a function of tensors of c is being recorded, as by Jit, If or While.
func (c *Context) Tracing() bool { return c.tracing.Load() > 0 }

// recording makes Tracing return true until the returned function is called. Recordings nest.
func (c *Context) recording() func() {
	c.tracing.Add(1)
	return func() { c.tracing.Add(-1) }
}
