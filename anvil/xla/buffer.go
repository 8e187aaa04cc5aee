package xla

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// A Buffer is an array on a device, whose values may still be on their way.
// It is destroyed by Destroy or, once unreachable, by the garbage collector.
// It is safe for concurrent use.
//
// It has a finalizer and no cleanup, which takes three more allocations: there
// are millions of small results.
type Buffer struct {
	array array
	typ   *Type
}

func (b *Buffer) end() { b.array.end() }

// An array is what a Buffer holds on the C side.
type array struct {
	life   life
	device *Device
	ptr    *capi.Buffer
	bytes  int64
	loan   *loan
	flight *flight                    // that brings it, where an interrupt may end that
	done   atomic.Pointer[capi.Event] // that it is computed, until somebody waits
	ready  atomic.Bool
	given  atomic.Bool // its memory is that of a result
	once   sync.Once
	err    error // valid once ready
}

// A loan is Go memory that an array lies in.
type loan struct {
	data     []byte
	returned *capi.Event
	pooled   bool // data is of the client's pool
}

// adopt makes a Buffer of what the C side handed out.
func (d *Device) adopt(ptr *capi.Buffer, typ *Type, bytes int64) *Buffer {
	b := &Buffer{typ: typ, array: array{device: d, ptr: ptr, bytes: bytes}}
	b.array.life.begin()
	c := d.client
	c.life.users.Add(1)
	c.counters.live(bytes)
	c.counters.liveBuffers.Add(1)
	c.took(bytes)
	runtime.SetFinalizer(b, (*Buffer).end)
	return b
}

// Type returns the dtype and the dimensions, which are not to be changed.
func (b *Buffer) Type() Type { return *b.typ }

// DType returns the dtype.
func (b *Buffer) DType() dtype.DType { return b.typ.DType }

// Dims returns the dimensions, which are not to be changed.
func (b *Buffer) Dims() []int { return b.typ.Dims }

// Device returns the device that the buffer lies on.
func (b *Buffer) Device() *Device { return b.array.device }

// Size returns the bytes of the values in host form, where narrow dtypes take
// one byte each.
func (b *Buffer) Size() int { return int(b.array.bytes) }

// String returns "f32{2,3} on cpu:0".
func (b *Buffer) String() string {
	if b == nil {
		return "nil"
	}
	return b.typ.String() + " on " + b.array.device.name
}

// Destroy frees the device memory, or leaves that to the programs that still
// use it. Destroying twice does nothing.
func (b *Buffer) Destroy() {
	b.array.end()
}

// Destroyed reports whether Destroy was called.
func (b *Buffer) Destroyed() bool { return b.array.life.ended.Load() }

func (a *array) end() {
	if a.life.end() {
		a.drop()
	}
}

// drop takes one user away; the last one frees.
func (a *array) drop() {
	if !a.life.drop() {
		return
	}
	c := a.device.client
	if e := a.done.Load(); e != nil {
		c.table.DestroyEvent(e)
	}
	_ = c.table.DestroyBuffer(a.ptr) // fails for a NULL buffer only
	if a.loan != nil {
		a.loan.settle(c)
	}
	if !a.given.Load() {
		c.counters.liveBytes.Add(-a.bytes)
	}
	c.counters.liveBuffers.Add(-1)
	if a.loan == nil && !a.given.Load() {
		c.freed(a.bytes)
	}
	c.drop()
}

// give ends a, whose memory a program has taken for a result. It is called by a
// user of a, before the result is counted.
func (a *array) give() {
	if a.given.Swap(true) {
		return
	}
	c := a.device.client
	c.counters.liveBytes.Add(-a.bytes)
	if a.loan == nil && a.bytes >= large {
		c.bound.kept.Add(a.bytes) // the result counts as one that takes what libc kept
	}
	a.end()
}

// settle keeps the memory reachable until XLA has given it back, which it has
// unless a program still runs on it.
func (l *loan) settle(c *Client) {
	if done, err := c.table.IsReady(l.returned); err == nil && done {
		l.back(c)
		return
	}
	c.life.users.Add(1)
	go func() {
		_ = c.table.Await(l.returned)
		l.back(c)
		c.drop()
	}()
}

// back takes the memory back, which XLA has returned.
func (l *loan) back(c *Client) {
	c.table.DestroyEvent(l.returned)
	if l.pooled {
		c.pool.put(l.data)
	}
	runtime.KeepAlive(l.data)
}

// Ready reports whether Await would return at once.
func (b *Buffer) Ready() bool {
	a := &b.array
	if a.ready.Load() {
		return true
	}
	if !a.life.hold() {
		return true // with ErrDestroyed
	}
	defer a.drop()
	t := a.device.client.table
	event, err := t.ReadyEvent(a.ptr)
	if err != nil {
		return true
	}
	defer t.DestroyEvent(event)
	ready, err := t.IsReady(event)
	return ready || err != nil
}

// Await waits until the buffer holds its values, and returns the error that
// its program ended with, or ctx's when that ends first. A context that cannot
// end costs no goroutine.
func (b *Buffer) Await(ctx context.Context) error {
	a := &b.array
	if a.ready.Load() {
		return a.err
	}
	if err := a.interrupted("Await", a.device.name); err != nil {
		return err
	}
	if !a.life.hold() {
		return refused("Await", b.String(), ErrDestroyed, "", "the buffer is destroyed")
	}
	event, err := a.event()
	if err != nil {
		defer a.drop()
		return failed("Await", b.String(), err, "")
	}
	if ctx.Done() != nil {
		if ready, err := a.device.client.table.IsReady(event); err == nil && !ready {
			return a.device.work(ctx, func() error { defer a.drop(); return a.await(event) }, func() {})
		}
	}
	defer a.drop()
	return a.await(event)
}

// event returns an event that is ready when a is; the caller destroys it.
func (a *array) event() (*capi.Event, error) {
	if e := a.done.Swap(nil); e != nil {
		return e, nil
	}
	return a.device.client.table.ReadyEvent(a.ptr)
}

// await blocks the thread until the event, and destroys that.
func (a *array) await(event *capi.Event) error {
	t := a.device.client.table
	err := t.Await(event)
	t.DestroyEvent(event)
	a.once.Do(func() {
		if err != nil {
			a.err = failed("Await", a.device.name, err, "")
		} else {
			a.err = a.interrupted("Await", a.device.name)
		}
		a.ready.Store(true)
	})
	return a.err
}

// CopyTo returns a copy on another device of the same client (or the same device),
// whose values may still be on their way.
func (b *Buffer) CopyTo(dev *Device) (*Buffer, error) {
	a := &b.array
	dev, err := a.device.client.enter("CopyTo", b, dev)
	if err != nil {
		return nil, err
	}
	defer dev.client.drop()
	if err := a.interrupted("CopyTo", b.String()); err != nil {
		return nil, err
	}
	if !a.life.hold() {
		return nil, refused("CopyTo", b.String(), ErrDestroyed, "", "the buffer is destroyed")
	}
	defer a.drop()
	if a.flight != nil { // the copy would not know of it
		if err := b.Await(context.Background()); err != nil {
			return nil, err
		}
	}
	if err := dev.client.reserve("CopyTo", b, dev, a.bytes); err != nil {
		return nil, err
	}
	ptr, err := dev.client.table.CopyToDevice(a.ptr, dev.ptr)
	if err != nil {
		return nil, failed("CopyTo", b.String()+", "+dev.name, err, "")
	}
	return dev.adopt(ptr, b.typ, a.bytes), nil
}
