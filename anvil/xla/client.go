package xla

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// ClientOptions configure a client. The zero value is usable.
type ClientOptions struct {
	Devices int            // number of virtual devices of a CPU plugin; 0 means 1
	Options map[string]any // options for the plugin by name; clientOptions lists the names and the types of the values
}

// A Client owns the devices, buffers and executables of one plugin. It is
// safe for concurrent use.
type Client struct {
	plugin   *Plugin
	table    *capi.Table
	ptr      *capi.Client
	platform string
	devices  []*Device
	counters counters
	gc       gcState
	pool     pool
	refs     refCount // each buffer, executable and call in progress uses the client
}

// NewClient returns a new client. If the plugin works but finds no device, errors.Is(err,
// ErrNoDevice) is true.
func (p *Plugin) NewClient(o ClientOptions) (*Client, error) {
	if o.Devices < 0 || o.Devices > maxDevices {
		return nil, refused("NewClient", p.path, nil, "", "%d devices, want 0 to %d", o.Devices, maxDevices)
	}
	if err := checkOptions(o.Options); err != nil {
		return nil, refused("NewClient", p.path, nil, "", "%v", err)
	}
	ptr, err := p.create(o)
	if err != nil {
		return nil, failed("NewClient", p.path, err, "")
	}
	c := &Client{plugin: p, table: p.table, ptr: ptr}
	c.refs.init()
	if err := c.queryDevices(); err != nil {
		c.Close()
		return nil, failed("NewClient", p.path, err, "")
	}
	return c, nil
}

// maxDevices is the greatest number of virtual devices. This many have been tested.
const maxDevices = 1000

// clientOptions has, for each option that plugins are known to accept, a value of the right type.
// Some plugins abort the process if the value of an option has another type.
var clientOptions = map[string]any{
	"cpu_device_count": int64(0), "asynchronous": false, // CPU
	"allocator": "", "memory_fraction": float32(0), "preallocate": false, "visible_devices": []int64(nil), // GPU
	"collective_memory_size": int64(0), "use_tfrt_gpu_client": false, "should_stage_host_to_device_transfers": false,
}

// checkOptions returns an error if an option or the type of its value is not in
// clientOptions.
func checkOptions(options map[string]any) error {
	for name, v := range options {
		want, known := clientOptions[name]
		if !known {
			return fmt.Errorf("unknown option %s", name)
		}
		if fmt.Sprintf("%T", want) != fmt.Sprintf("%T", v) {
			return fmt.Errorf("option %s takes %T, not %T", name, want, v)
		}
	}
	if n, set := options["cpu_device_count"].(int64); set && (n < 1 || n > maxDevices) {
		return fmt.Errorf("option cpu_device_count is %d, want 1 to %d", n, maxDevices)
	}
	return nil
}

// create makes a client with o.Options and the default options for the plugin's platform. If the
// plugin does not know an option, create tries again with o.Options alone.
func (p *Plugin) create(o ClientOptions) (*capi.Client, error) {
	defaults := p.platformOptions(o)
	ptr, err := p.table.CreateClient(mergeOptions(defaults, o.Options))
	var e *capi.Error
	if len(defaults) > 0 && errors.As(err, &e) && Code(e.Code) == InvalidArgument &&
		strings.Contains(e.Message, "Unexpected option name") {
		return p.table.CreateClient(mergeOptions(nil, o.Options))
	}
	return ptr, err
}

// mergeOptions returns the union of defaults and options, sorted by name; options
// take precedence.
func mergeOptions(defaults, options map[string]any) []capi.Option {
	all := map[string]any{}
	maps.Copy(all, defaults)
	maps.Copy(all, options)
	var list []capi.Option
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, capi.Option{Name: name, Value: all[name]})
	}
	return list
}

// platformOptions returns the default options for the plugin's platform, which it guesses from
// the name of the plugin's file. By default the memory of a GPU can be shared with other
// processes: without preallocate=false, XLA would allocate 3/4 of it at once. The environment
// variables of JAX change these defaults.
func (p *Plugin) platformOptions(o ClientOptions) map[string]any {
	if platformOf(p.path) == "cpu" {
		return map[string]any{"cpu_device_count": int64(max(o.Devices, 1))}
	}
	options := map[string]any{"preallocate": false}
	if v, err := strconv.ParseBool(os.Getenv("XLA_PYTHON_CLIENT_PREALLOCATE")); err == nil {
		options["preallocate"] = v
	}
	if v, err := strconv.ParseFloat(os.Getenv("XLA_PYTHON_CLIENT_MEM_FRACTION"), 32); err == nil {
		options["memory_fraction"] = float32(v)
	}
	if v := os.Getenv("XLA_PYTHON_CLIENT_ALLOCATOR"); v != "" {
		options["allocator"] = v
	}
	return options
}

// queryDevices asks the plugin for the platform and the devices.
func (c *Client) queryDevices() (err error) {
	if c.platform, err = c.table.PlatformName(c.ptr); err != nil {
		return err
	}
	devices, err := c.table.Devices(c.ptr)
	if err != nil {
		return err
	}
	memories := map[string]*memorySpace{}
	for i, ptr := range devices {
		d, err := c.newDevice(i, ptr, memories)
		if err != nil {
			return err
		}
		c.devices = append(c.devices, d)
	}
	if len(c.devices) == 0 {
		return fmt.Errorf("%s: %w", c.platform, ErrNoDevice)
	}
	return nil
}

// newDevice returns the device for ptr. memories holds the memorySpaces of earlier devices by kind;
// newDevice adds a new one if the device has another kind of memory.
func (c *Client) newDevice(ordinal int, ptr *capi.Device, memories map[string]*memorySpace) (*Device, error) {
	info, err := c.table.DeviceInfo(ptr)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s:%d", c.platform, ordinal)
	d := &Device{client: c, ptr: ptr, ordinal: ordinal, id: info.ID, kind: info.Kind, name: name}
	if d.memory = memories[info.MemoryKind]; d.memory == nil {
		onHost, err := c.probeMemory(d)
		if err != nil {
			return nil, err
		}
		d.memory = &memorySpace{kind: info.MemoryKind, host: onHost}
		memories[info.MemoryKind] = d.memory
	}
	return d, nil
}

// probeMemory uploads a byte and reports whether the buffer lies in memory that this
// process can read through an address.
func (c *Client) probeMemory(d *Device) (onHost bool, err error) {
	b, done, err := c.table.BufferFromHost(c.ptr, d.ptr, []byte{0}, elements[dtype.U8], []int64{1}, duringCall)
	if err != nil {
		return false, err
	}
	c.table.DestroyEvent(done)
	onHost, err = c.table.OnHost(b)
	return onHost, errors.Join(err, c.table.DestroyBuffer(b))
}

// Plugin returns the plugin of the client.
func (c *Client) Plugin() *Plugin { return c.plugin }

// Platform returns "cpu", "cuda", ...
func (c *Client) Platform() string { return c.platform }

// Devices returns the devices that programs can run on; there is at least one.
func (c *Client) Devices() []*Device { return slices.Clone(c.devices) }

// Close closes the client: afterwards, uploading, compiling and launching return an error. The
// plugin's client is destroyed when its last buffer, executable and running program are gone.
func (c *Client) Close() error {
	if c.refs.close() {
		c.release()
	}
	return nil
}

// release ends a use of c. The end of the last use destroys the plugin's client.
func (c *Client) release() {
	if c.refs.release() {
		for _, d := range c.devices {
			d.clearRunning()
			d.freeLaunches()
		}
		c.pool.drain()
		_ = c.table.DestroyClient(c.ptr) // the caller could not handle an error
	}
}

// enter begins a use of the client, which the caller must release, and returns d, or the first device if
// d is nil. If that is not possible, it returns an error of the operation op.
func (c *Client) enter(op string, operands fmt.Stringer, d *Device) (*Device, error) {
	switch {
	case c == nil:
		return nil, refused(op, operands.String(), nil, "", "the client is nil")
	case d == nil:
		d = c.devices[0]
	case d.client != c:
		return nil, refused(op, operands.String(), nil, "", "%s belongs to another client", d)
	}
	if !c.refs.acquire() {
		return nil, refused(op, operands.String(), ErrClosed, "", "the client is closed")
	}
	return d, nil
}

// A refCount counts the uses of an object of the plugin, which must not be freed while it is in
// use. The owner counts as one use until it closes the object.
type refCount struct {
	users  atomic.Int64
	closed atomic.Bool
}

// init begins the owner's use.
func (r *refCount) init() { r.users.Store(1) }

// acquire begins a use. It returns false if the object is closed.
func (r *refCount) acquire() bool {
	for !r.closed.Load() {
		n := r.users.Load()
		if n == 0 {
			return false
		}
		if r.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
	return false
}

// release ends a use and reports whether it was the last one. If it was, the caller must free
// the object.
func (r *refCount) release() bool { return r.users.Add(-1) == 0 }

// close marks the object as closed and reports whether it was open before. If it was, the caller
// must release it, which ends the owner's use.
func (r *refCount) close() bool { return !r.closed.Swap(true) }

// Stats are the counts of a client since it was made.
type Stats struct {
	Compiles, Launches         int64
	BytesToHost, BytesToDevice int64
	LiveBytes, LiveBuffers     int64 // on the client's devices now
	PeakBytes                  int64 // the maximum of LiveBytes so far
}

// counters are the counts that Stats returns.
type counters struct {
	compiles, launches, toHost, toDevice, liveBytes, liveBuffers, peakBytes atomic.Int64
}

// Stats returns the counts so far.
func (c *Client) Stats() Stats {
	n := &c.counters
	return Stats{
		Compiles: n.compiles.Load(), Launches: n.launches.Load(),
		BytesToHost: n.toHost.Load(), BytesToDevice: n.toDevice.Load(),
		LiveBytes: n.liveBytes.Load(), LiveBuffers: n.liveBuffers.Load(), PeakBytes: n.peakBytes.Load(),
	}
}

// live adds the bytes of a new buffer to the live bytes, and updates their peak.
func (n *counters) live(bytes int64) {
	now := n.liveBytes.Add(bytes)
	for {
		most := n.peakBytes.Load()
		if now <= most || n.peakBytes.CompareAndSwap(most, now) {
			return
		}
	}
}
