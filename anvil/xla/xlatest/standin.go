//go:build linux && amd64 && !nopjrt

package xlatest

import (
	"sync"

	"github.com/goanvil/notebook/anvil/xla"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// Options describe a stand-in.
type Options struct {
	Platform string // default: cuda
	Kind     string // default: Stand-in GPU
	Devices  int    // default: 2
	Limit    int64  // bytes of memory of each device; default: 1 GiB
	Late     bool   // if memory is exhausted, the launch returns no error, but its results fail
	NoDevice bool   // making a client fails, because there is no device

	// Launching is called at each launch. It may block, to keep the device busy.
	Launching func()
}

// Poison is the address of every buffer in device memory. Accessing it is a memory fault, since
// no page below 64 KiB is ever mapped.
const Poison = 0xdea0

// A Plugin is a stand-in for a GPU plugin. It counts some of its calls.
type Plugin struct {
	*xla.Plugin

	options Options
	standin *capi.Standin

	mu       sync.Mutex
	used     map[*capi.Device]int64      // bytes in use
	buffers  map[*capi.Buffer]allocation // the buffers that have not failed
	failed   map[*capi.Buffer]error      // the errors of failed buffers
	events   map[*capi.Event]error       // the errors of the events of failed buffers and launches
	created  map[string]any              // see Created
	toHost   int64                       // see Transfers
	pointers int64                       // see Pointers
}

// New returns a stand-in that forwards calls to the CPU plugin cpu.
func New(cpu *xla.Plugin, o Options) (*Plugin, error) {
	o.fill()
	return newAt("stand-in "+o.Platform, cpu, o)
}

// newAt returns a stand-in whose Path is path.
func newAt(path string, cpu *xla.Plugin, o Options) (*Plugin, error) {
	o.fill()
	p := &Plugin{
		options: o, standin: capi.NewStandin(cpu.Table()),
		used: map[*capi.Device]int64{}, buffers: map[*capi.Buffer]allocation{},
		failed: map[*capi.Buffer]error{}, events: map[*capi.Event]error{},
	}
	p.overrideNames()
	p.overridePointers()
	p.overrideMemory()
	p.overrideEvents()
	table, err := p.standin.Open()
	if err != nil {
		return nil, err
	}
	p.Plugin, err = xla.FromTable(path, table)
	return p, err
}

// fill sets zero fields to their defaults.
func (o *Options) fill() {
	if o.Platform == "" {
		o.Platform = "cuda"
	}
	if o.Kind == "" {
		o.Kind = "Stand-in GPU"
	}
	if o.Devices == 0 {
		o.Devices = 2
	}
	if o.Limit == 0 {
		o.Limit = 1 << 30
	}
	if o.Launching == nil {
		o.Launching = func() {}
	}
}

// Transfers returns the number of copies to the host so far.
func (p *Plugin) Transfers() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.toHost
}

// Pointers returns the number of calls that asked for a buffer's address so far.
func (p *Plugin) Pointers() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pointers
}

// InUse returns the bytes in use on all devices.
func (p *Plugin) InUse() (n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, used := range p.used {
		n += used
	}
	return n
}

// Created returns the options of the last client made.
func (p *Plugin) Created() map[string]any {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.created
}

// overrideNames makes the platform and its devices look like those of a GPU. When a client is made, it records the
// client's options for Created. It then gives the client Options.Devices devices, or fails if Options.NoDevice is
// set.
func (p *Plugin) overrideNames() {
	capi.Override(p.standin, "PJRT_Client_Create", func(a *capi.ClientCreateArgs, forward func() error) error {
		p.mu.Lock()
		p.created = a.Options()
		p.mu.Unlock()
		if p.options.NoDevice {
			return &capi.Error{Code: capi.ErrorCodeFAILEDPRECONDITION, Message: "No visible GPU devices."}
		}
		a.SetOptions([]capi.NamedValue{capi.Int64Option("cpu_device_count", int64(p.options.Devices))})
		return forward()
	})
	capi.Override(p.standin, "PJRT_Client_PlatformName", func(a *capi.ClientPlatformNameArgs, _ func() error) error {
		capi.SetString(&a.PlatformName, &a.PlatformNameSize, p.options.Platform)
		return nil
	})
	capi.Override(p.standin, "PJRT_DeviceDescription_Kind", func(a *capi.DeviceDescriptionKindArgs, _ func() error) error {
		capi.SetString(&a.DeviceKind, &a.DeviceKindSize, p.options.Kind)
		return nil
	})
	capi.Override(p.standin, "PJRT_Memory_Kind", func(a *capi.MemoryKindArgs, _ func() error) error {
		capi.SetString(&a.Kind, &a.KindSize, "device")
		return nil
	})
}

// overridePointers makes device memory accessible only through calls of the plugin.
func (p *Plugin) overridePointers() {
	capi.Override(p.standin, "PJRT_Buffer_IsOnCpu", func(a *capi.BufferIsOnCpuArgs, _ func() error) error {
		a.IsOnCpu = false
		return nil
	})
	capi.Override(p.standin, "PJRT_Buffer_UnsafePointer", func(a *capi.BufferUnsafePointerArgs, _ func() error) error {
		p.count(&p.pointers)
		a.BufferPointer = Poison
		return nil
	})
	capi.Override(p.standin, "PJRT_Buffer_ToHostBuffer", func(a *capi.BufferToHostBufferArgs, forward func() error) error {
		p.count(&p.toHost)
		return forward()
	})
}

// count increments n, a field of p.
func (p *Plugin) count(n *int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*n++
}
