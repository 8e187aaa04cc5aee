package xla

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// ClientOptions say how a client is made; the zero value is right.
type ClientOptions struct {
	Devices int            // virtual devices of a CPU plugin; 0 means 1
	Options map[string]any // the plugin's own, by the names and types of clientOptions
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
	bound    bound
	pool     pool
	life     life // its users are buffers and executables
}

// NewClient makes a client. errors.Is(err, ErrNoDevice) where the plugin is
// fine but finds no hardware.
func (p *Plugin) NewClient(o ClientOptions) (*Client, error) {
	if o.Devices < 0 || o.Devices > maxDevices {
		return nil, refused("NewClient", p.path, nil, "", "%d devices; at most %d", o.Devices, maxDevices)
	}
	if err := checkOptions(o.Options); err != nil {
		return nil, refused("NewClient", p.path, nil, "", "%v", err)
	}
	ptr, err := p.create(o)
	if err != nil {
		return nil, failed("NewClient", p.path, err, "")
	}
	c := &Client{plugin: p, table: p.table, ptr: ptr}
	c.life.begin()
	if err := c.learn(); err != nil {
		c.Close()
		return nil, failed("NewClient", p.path, err, "")
	}
	return c, nil
}

// maxDevices is how many virtual devices were seen to work.
const maxDevices = 1000

// clientOptions has a value of the right type for each option that plugins are
// known to take. A value of another type makes some of them abort.
var clientOptions = map[string]any{
	"cpu_device_count": int64(0), "asynchronous": false, // CPU
	"allocator": "", "memory_fraction": float32(0), "preallocate": false, "visible_devices": []int64(nil), // GPU
	"collective_memory_size": int64(0), "use_tfrt_gpu_client": false, "should_stage_host_to_device_transfers": false,
}

func checkOptions(options map[string]any) error {
	for name, v := range options {
		want, known := clientOptions[name]
		if !known {
			return fmt.Errorf("no option of clients is called %s", name)
		}
		if fmt.Sprintf("%T", want) != fmt.Sprintf("%T", v) {
			return fmt.Errorf("option %s takes %T, not %T", name, want, v)
		}
	}
	if n, set := options["cpu_device_count"].(int64); set && (n < 1 || n > maxDevices) {
		return fmt.Errorf("%d devices; at least 1 and at most %d", n, maxDevices)
	}
	return nil
}

// create tries the options that are right for the plugin's platform, and, as
// plugins differ in what they know, none of ours if it knows them not.
func (p *Plugin) create(o ClientOptions) (*capi.Client, error) {
	ours := p.ownOptions(o)
	ptr, err := p.table.CreateClient(merge(ours, o.Options))
	var e *capi.Error
	if errors.As(err, &e) && Code(e.Code) == InvalidArgument && strings.Contains(e.Message, "Unexpected option name") && len(ours) > 0 {
		return p.table.CreateClient(merge(nil, o.Options))
	}
	return ptr, err
}

func merge(ours, theirs map[string]any) []capi.Option {
	all := maps.Clone(theirs)
	if all == nil {
		all = map[string]any{}
	}
	for name, v := range ours {
		if _, set := all[name]; !set {
			all[name] = v
		}
	}
	var options []capi.Option
	for _, name := range slices.Sorted(maps.Keys(all)) {
		options = append(options, capi.Option{Name: name, Value: all[name]})
	}
	return options
}

// ownOptions returns the options for a platform, which only the file's name tells
// before there is a client. A GPU is shared with others unless the variables that
// JAX knows say otherwise: without preallocate=false XLA takes 3/4 of it.
func (p *Plugin) ownOptions(o ClientOptions) map[string]any {
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

// learn asks for the platform and the devices.
func (c *Client) learn() (err error) {
	if c.platform, err = c.table.PlatformName(c.ptr); err != nil {
		return err
	}
	devices, err := c.table.Devices(c.ptr)
	if err != nil {
		return err
	}
	memories := map[string]*memory{}
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

// newDevice asks a device what it is. Whether its memory may be read through an
// address is asked of a buffer, once per kind of memory.
func (c *Client) newDevice(ordinal int, ptr *capi.Device, memories map[string]*memory) (*Device, error) {
	info, err := c.table.DeviceInfo(ptr)
	if err != nil {
		return nil, err
	}
	d := &Device{client: c, ptr: ptr, ordinal: ordinal, id: info.ID, kind: info.Kind, name: fmt.Sprintf("%s:%d", c.platform, ordinal)}
	if d.memory = memories[info.MemoryKind]; d.memory == nil {
		onHost, err := c.probeMemory(d)
		if err != nil {
			return nil, err
		}
		d.memory = &memory{kind: info.MemoryKind, host: onHost}
		memories[info.MemoryKind] = d.memory
	}
	return d, nil
}

func (c *Client) probeMemory(d *Device) (onHost bool, err error) {
	b, done, err := c.table.BufferFromHost(c.ptr, d.ptr, []byte{0}, elements[dtype.U8], []int64{1}, duringCall)
	if err != nil {
		return false, err
	}
	c.table.DestroyEvent(done)
	onHost, err = c.table.OnHost(b)
	return onHost, errors.Join(err, c.table.DestroyBuffer(b))
}

// Plugin returns the plugin that the client was made of.
func (c *Client) Plugin() *Plugin { return c.plugin }

// Platform returns "cpu", "cuda", ...
func (c *Client) Platform() string { return c.platform }

// Devices returns the devices that programs can run on; there is at least one.
func (c *Client) Devices() []*Device { return slices.Clone(c.devices) }

// Close gives the client up: nothing can be uploaded, compiled or launched any
// more. It is destroyed when its last buffer, executable and running program has gone.
func (c *Client) Close() error {
	if c.life.end() {
		c.drop()
	}
	return nil
}

func (c *Client) drop() {
	if c.life.drop() {
		for _, d := range c.devices {
			d.forget()
			d.settleWord()
		}
		c.pool.drain()
		_ = c.table.DestroyClient(c.ptr) // nobody is left who could be told
	}
}

// enter returns d, or the first device for nil, and keeps the client from being
// destroyed until the caller drops it.
func (c *Client) enter(op string, operands fmt.Stringer, d *Device) (*Device, error) {
	switch {
	case c == nil:
		return nil, refused(op, operands.String(), nil, "", "the client is nil")
	case d == nil:
		d = c.devices[0]
	case d.client != c:
		return nil, refused(op, operands.String(), nil, "", "%s belongs to another client", d)
	}
	if !c.life.hold() {
		return nil, refused(op, operands.String(), ErrClosed, "", "the client is closed")
	}
	return d, nil
}
