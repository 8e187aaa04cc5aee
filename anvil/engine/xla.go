package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/host"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
	"github.com/goanvil/notebook/anvil/xla"
)

// An xlaExecutor runs programs through a PJRT plugin. If the plugin's devices are
// CPUs, package host may run small programs.
type xlaExecutor struct {
	client       *xla.Client
	devices      []*xla.Device
	names        []string
	disk         *diskCache
	quick        map[string]any // XLA's options for Mode.Quick
	hostPrograms bool           // package host runs small programs
	asyncRuns    chan struct{}  // a semaphore: limits the host programs that run in goroutines of their own
	garbage      collector

	compiles, diskHits, hostLaunches atomic.Int64
	toHost, toDevice                 atomic.Int64
}

// NewXLA returns an executor that runs programs through client. If cache is true, it keeps
// compiled programs on disk. On a CPU, package host runs small programs.
func NewXLA(client *xla.Client, cache bool) Executor {
	return newXLA(client, cache, true)
}

// NewCompiledXLA is NewXLA without package host: small programs are compiled, too.
func NewCompiledXLA(client *xla.Client, cache bool) Executor { return newXLA(client, cache, false) }

func newXLA(client *xla.Client, cache, hostPrograms bool) *xlaExecutor {
	e := &xlaExecutor{client: client, devices: client.Devices(), asyncRuns: make(chan struct{}, maxAsyncRuns)}
	e.hostPrograms = hostPrograms && client.Platform() == "cpu"
	for _, d := range e.devices {
		e.names = append(e.names, fmt.Sprintf("%s:%d", d.Platform(), d.Ordinal()))
	}
	e.quick = quickOptions(client)
	if cache {
		if hash, err := client.Plugin().Hash(); err == nil {
			e.disk = newDiskCache(xla.CacheDir(), hash)
		}
	}
	return e
}

// quickOptions returns options with which the CPU compiler needs a fifth of its usual time.
// According to measurements, code for a few elements does not run slower with them, and code for
// a thousand elements runs three times slower.
func quickOptions(client *xla.Client) map[string]any {
	options := map[string]any{}
	for name, v := range map[string]any{"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": false} {
		if client.Platform() == "cpu" && client.HasOption(name) {
			options[name] = v
		}
	}
	return options
}

// hasNarrow reports whether g has floats of at most 8 bits or integers of fewer than 8 bits.
// With the quick options, XLA converts small negative numbers to NaN in dtypes without -0,
// and computes wrong powers of narrow integers.
func hasNarrow(g *ir.Graph) bool {
	narrow := func(v *ir.Value) bool {
		d := v.Type.DType
		return d.Is(dtype.Floating) && d.Bits() <= 8 || d.Is(dtype.Integral) && d.Bits() < 8
	}
	narrowResult := func(n *ir.Node) bool { return slices.ContainsFunc(n.Results, narrow) }
	return slices.ContainsFunc(g.Params, narrow) || slices.ContainsFunc(g.Nodes, narrowResult)
}

func (e *xlaExecutor) Name() string             { return "xla:" + e.devices[0].Platform() }
func (e *xlaExecutor) Platform() string         { return strings.ToUpper(e.devices[0].Platform()) }
func (e *xlaExecutor) Devices() []string        { return e.names }
func (e *xlaExecutor) HostPrograms() bool       { return e.hostPrograms }
func (e *xlaExecutor) Abandoned(device int) int { return e.devices[device].Abandoned() }
func (e *xlaExecutor) Close() error             { return e.client.Close() }

func (e *xlaExecutor) HostMemory(device int) bool { return e.devices[device].HostMemory() }

func (e *xlaExecutor) Counters() Counters {
	s, hostLaunches := e.client.Stats(), e.hostLaunches.Load()
	return Counters{
		Compiles: e.compiles.Load(), DiskHits: e.diskHits.Load(),
		Launches: s.Launches + hostLaunches, HostLaunches: hostLaunches,
		BytesToHost: e.toHost.Load(), BytesToDevice: e.toDevice.Load(),
		LiveBytes: s.LiveBytes, LiveBuffers: s.LiveBuffers, PeakBytes: s.PeakBytes,
	}
}

// lowerNode writes n as StableHLO. The text of a host call is for people only: no plugin receives it.
func lowerNode(w *stablehlo.Writer, n *ir.Node) {
	if h, ok := n.Attrs.(*HostCall); ok {
		w.Op(n).Str("stablehlo.custom_call @host_" + h.Name + "(").Values(n.Args...)
		w.Str(") : (").Types(n.Args).Str(") -> (").Types(n.Results).Str(")\n")
		return
	}
	ops.Lookup(n.Code).Lower(w, n)
}

// StableHLO returns g as the text of a module.
func StableHLO(g *ir.Graph) []byte {
	return stablehlo.Module(nil, g, lowerNode)
}

// text returns g as the StableHLO text of a module, lowered for the executor's platform.
func (e *xlaExecutor) text(g *ir.Graph, aliases []stablehlo.Alias) []byte {
	lower := lowerNode
	if e.client.Platform() == "cpu" {
		maxima := ops.SoftmaxMaxima(g)
		lower = func(w *stablehlo.Writer, n *ir.Node) {
			if !ops.LowerForCPU(w, n, maxima) {
				ops.Lookup(n.Code).Lower(w, n)
			}
		}
	}
	return stablehlo.Module(nil, g, lower, aliases...)
}

// xlaTypes returns the types of vs as package xla describes them.
func xlaTypes(vs []*ir.Value) []xla.Type {
	ts := make([]xla.Type, len(vs))
	for i, v := range vs {
		ts[i] = xla.Type{DType: v.Type.DType, Dims: v.Type.Shape}
	}
	return ts
}

func (e *xlaExecutor) Compile(ctx context.Context, g *ir.Graph, m Mode) (Executable, error) {
	if e.hostPrograms {
		if p := host.Compile(g); p != nil {
			return newHostExecutable(e, p, g, m.Device), nil
		}
	}
	program, looped := g, []bool(nil)
	if e.devices[m.Device].HostMemory() {
		program, looped = ops.Stoppable(g, xla.StopType.Dims[0])
	}
	text := e.text(program, m.Aliases)
	o := xla.CompileOptions{Stoppable: looped, Device: e.devices[m.Device], Args: xlaTypes(g.Params),
		Results: xlaTypes(g.Outputs), Cheap: m.Cheap}
	for _, a := range m.Aliases {
		o.Donated = append(o.Donated, a.Param)
	}
	options := e.names[m.Device] + " " + o.Device.Kind() // code compiled for one kind of GPU does not run on another
	if m.Quick && !hasNarrow(g) {
		o.Overrides = e.quick
		options += " quick"
	}
	key := e.disk.key(text, options)
	if data := e.disk.load(key); data != nil {
		if exe, err := e.client.Deserialize(data, o); err == nil {
			e.diskHits.Add(1)
			return &xlaExecutable{e: e, exe: exe, device: m.Device, origin: Loaded}, nil
		}
	}
	e.compiles.Add(1)
	exe, err := e.client.CompileContext(ctx, text, o)
	if err != nil {
		return nil, err
	}
	if e.disk != nil {
		if data, err := exe.Serialize(); err == nil {
			e.disk.store(key, data)
		}
	}
	return &xlaExecutable{e: e, exe: exe, device: m.Device}, nil
}

// minShared is the size in bytes from which an upload shares its data with a device that can read host memory. Smaller
// data is copied.
const minShared = 1 << 16

func (e *xlaExecutor) Upload(t shape.Type, data []byte, device int) (Buffer, error) {
	e.toDevice.Add(int64(len(data)))
	if e.hostPrograms && host.Holds(t) {
		return newHostBuffer(e, t, device, host.Of(t, data)), nil
	}
	b, err := e.upload(t, data, device)
	if err != nil {
		return nil, err
	}
	return newPluginBuffer(e, b, device), nil
}

// UploadCopied implements Executor. On a CPU, the client copies data to memory of an earlier
// upload if possible, because mapping new memory takes longer than filling it.
func (e *xlaExecutor) UploadCopied(t shape.Type, data []byte, device int) (Buffer, error) {
	e.toDevice.Add(int64(len(data)))
	b, err := e.client.UploadCopied(data, t.DType, t.Shape, e.devices[device])
	if err != nil {
		return nil, err
	}
	return newPluginBuffer(e, b, device), nil
}

// upload returns data in a buffer of the plugin. The caller must not change data afterwards.
func (e *xlaExecutor) upload(t shape.Type, data []byte, device int) (*xla.Buffer, error) {
	if len(data) >= minShared {
		return e.client.UploadShared(data, t.DType, t.Shape, e.devices[device])
	}
	return e.client.Upload(data, t.DType, t.Shape, e.devices[device])
}

func (e *xlaExecutor) Copy(b Buffer, device int) (Buffer, error) {
	return b.(*xlaBuffer).copyTo(device)
}

// An xlaExecutable is a program that the plugin of an xlaExecutor has compiled.
type xlaExecutable struct {
	e         *xlaExecutor
	exe       *xla.Executable
	device    int
	origin    Origin
	args, out []*xla.Buffer // reused by Run
}

func (x *xlaExecutable) Origin() Origin { return x.origin }

func (x *xlaExecutable) Run(ctx context.Context, args, out []Buffer) error {
	x.args, x.out = x.args[:0], x.out[:0]
	defer func() { clear(x.args); clear(x.out) }()
	for _, a := range args {
		b, err := a.(*xlaBuffer).onDevice(ctx)
		if err != nil {
			return err
		}
		x.args = append(x.args, b)
	}
	for range out {
		x.out = append(x.out, nil)
	}
	x.e.garbage.add(len(out))
	if err := x.exe.RunContext(ctx, x.args, x.out); err != nil {
		return err
	}
	for i, b := range x.out {
		out[i] = newPluginBuffer(x.e, b, x.device)
	}
	return nil
}
