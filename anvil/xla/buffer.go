package xla

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// A Buffer is an array on a device. Its values may not be computed yet; Await
// waits for them. A Buffer is destroyed by Destroy or, once unreachable, by the
// garbage collector. It is safe for concurrent use.
//
// A Buffer has a finalizer, not a cleanup: a cleanup takes three more allocations, and
// there are millions of small results.
type Buffer struct {
	array array
	typ   *Type
}

// close is the finalizer of b.
func (b *Buffer) close() { b.array.close() }

// An array holds the plugin's buffer that belongs to a Buffer, and its state.
type array struct {
	refs   refCount
	device *Device
	ptr    *capi.Buffer
	bytes  int64
	loan   *loan                      // the Go memory that the buffer uses, or nil
	launch *launch                    // the launch that computes the buffer, if an interrupt can end the launch; or nil
	done   atomic.Pointer[capi.Event] // happens when the buffer is computed; nil once the method event has returned it
	ready  atomic.Bool                // the buffer is computed, or its computation failed with err
	err    error                      // valid once ready is set
	once   sync.Once                  // sets err and ready

	// The results of a launch are computed together. If there are several, and no interrupt can end
	// the launch, they share allComputed, which is set once one of them has been awaited.
	allComputed *atomic.Bool

	donated atomic.Bool // a result of a program has taken the buffer's memory
}

// A loan is Go memory lent to XLA as the memory of a buffer.
type loan struct {
	data     []byte
	returned *capi.Event // happens when XLA no longer uses data
	pooled   bool        // data belongs to the client's pool
}

// adopt returns a new Buffer on d that owns ptr, and counts it.
func (d *Device) adopt(ptr *capi.Buffer, typ *Type, bytes int64) *Buffer {
	b := &Buffer{typ: typ, array: array{device: d, ptr: ptr, bytes: bytes}}
	b.array.refs.init()
	c := d.client
	c.refs.users.Add(1)
	c.counters.live(bytes)
	c.counters.liveBuffers.Add(1)
	c.allocated(bytes)
	runtime.SetFinalizer(b, (*Buffer).close)
	return b
}

// Type returns the dtype and the dimensions. The caller must not modify Dims.
func (b *Buffer) Type() Type { return *b.typ }

// DType returns the dtype.
func (b *Buffer) DType() dtype.DType { return b.typ.DType }

// Dims returns the dimensions. The caller must not modify them.
func (b *Buffer) Dims() []int { return b.typ.Dims }

// Device returns the device that holds the buffer.
func (b *Buffer) Device() *Device { return b.array.device }

// Size returns the size in bytes of the values in host form, in which each element takes at least
// one byte.
func (b *Buffer) Size() int { return int(b.array.bytes) }

// String returns "f32{2,3} on cpu:0".
func (b *Buffer) String() string {
	if b == nil {
		return "nil"
	}
	return b.typ.String() + " on " + b.array.device.name
}

// Destroy frees the device memory once no program uses it. A second call does
// nothing.
func (b *Buffer) Destroy() {
	b.array.close()
}

// Destroyed reports whether Destroy was called.
func (b *Buffer) Destroyed() bool { return b.array.refs.closed.Load() }

// close prevents new uses of a, and ends the owner's use (see refCount).
func (a *array) close() {
	if a.refs.close() {
		a.release()
	}
}

// release ends a use of a. The end of the last use frees the buffer.
func (a *array) release() {
	if !a.refs.release() {
		return
	}
	c := a.device.client
	if e := a.done.Load(); e != nil {
		c.table.DestroyEvent(e)
	}
	_ = c.table.DestroyBuffer(a.ptr) // fails for NULL only
	if a.loan != nil {
		a.loan.reclaim(c)
	}
	if !a.donated.Load() {
		c.counters.liveBytes.Add(-a.bytes)
	}
	c.counters.liveBuffers.Add(-1)
	if a.loan == nil && !a.donated.Load() {
		c.freed(a.bytes)
	}
	c.release()
}

// donate closes a after a program has taken its memory for a result. It must be called while a is
// in use (see refCount), and before adopt is called for the result.
func (a *array) donate() {
	if a.donated.Swap(true) {
		return
	}
	c := a.device.client
	c.counters.liveBytes.Add(-a.bytes)
	if a.loan == nil && a.bytes >= largeBuffer {
		c.gc.kept.Add(a.bytes) // Client.allocated subtracts these bytes again when adopt is called for the result
	}
	a.close()
}

// reclaim releases the memory when XLA no longer uses it: at once, or in another goroutine when the
// programs that read it have ended.
func (l *loan) reclaim(c *Client) {
	if done, err := c.table.IsReady(l.returned); err == nil && done {
		l.release(c)
		return
	}
	c.refs.users.Add(1)
	go func() {
		_ = c.table.Await(l.returned)
		l.release(c)
		c.release()
	}()
}

// release returns the memory, which XLA no longer uses, to the pool or to Go.
func (l *loan) release(c *Client) {
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
	if !a.refs.acquire() {
		return true // Await would return ErrDestroyed
	}
	defer a.release()
	t := a.device.client.table
	event, err := t.ReadyEvent(a.ptr)
	if err != nil {
		return true
	}
	defer t.DestroyEvent(event)
	ready, err := t.IsReady(event)
	return ready || err != nil
}

// Await waits until the values are computed. It returns the error of the program
// that computes them, or ctx's error if ctx ends first.
func (b *Buffer) Await(ctx context.Context) error {
	a := &b.array
	if a.ready.Load() {
		return a.err
	}
	if a.allComputed != nil && a.allComputed.Load() {
		return nil
	}
	if err := a.interrupted("Await", a.device.name); err != nil {
		return err
	}
	if !a.refs.acquire() {
		return refused("Await", b.String(), ErrDestroyed, "", "the buffer is destroyed")
	}
	event, err := a.event()
	if err != nil {
		defer a.release()
		return failed("Await", b.String(), err, "")
	}
	err = a.device.await(ctx, event, func() { // called when event has happened, possibly after await has returned
		a.device.client.table.DestroyEvent(event)
		a.release()
	})
	if err != nil && err == ctx.Err() {
		return err
	}
	a.once.Do(func() {
		if err != nil {
			a.err = failed("Await", a.device.name, err, "")
		} else {
			a.err = a.interrupted("Await", a.device.name)
		}
		a.ready.Store(true)
		if a.err == nil && a.allComputed != nil {
			a.allComputed.Store(true)
		}
	})
	return a.err
}

// event returns an event that happens when a is computed. The caller must destroy it.
func (a *array) event() (*capi.Event, error) {
	if e := a.done.Swap(nil); e != nil {
		return e, nil
	}
	return a.device.client.table.ReadyEvent(a.ptr)
}

// CopyTo returns a copy on dev, a device of the same client. It does not wait for the
// values.
func (b *Buffer) CopyTo(dev *Device) (*Buffer, error) {
	a := &b.array
	dev, err := a.device.client.enter("CopyTo", b, dev)
	if err != nil {
		return nil, err
	}
	defer dev.client.release()
	if err := a.interrupted("CopyTo", b.String()); err != nil {
		return nil, err
	}
	if !a.refs.acquire() {
		return nil, refused("CopyTo", b.String(), ErrDestroyed, "", "the buffer is destroyed")
	}
	defer a.release()
	if a.launch != nil { // the copy would not report an interrupt that ends the launch
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
