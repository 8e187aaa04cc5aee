package engine

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/host"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/xla"
)

// An xlaBuffer is a tensor of an xlaExecutor. It has one or both of two forms: elements in host memory, for
// host programs, and a buffer of the plugin, for compiled programs. The other form is made when a program
// needs it.
type xlaBuffer struct {
	e      *xlaExecutor
	typ    shape.Type
	device int
	async  *asyncRun // the run of the host program that computes the tensor, or nil

	mu       sync.Mutex // held while the other form is made
	value    host.Value // elements in host memory, valid once hasValue is set
	hasValue atomic.Bool
	plugin   atomic.Pointer[xla.Buffer]
}

// An asyncRun is the run of a host program in a goroutine of its own.
type asyncRun struct {
	done chan struct{} // closed when the run has ended
	err  error         // valid once done is closed
}

// newHostBuffer returns a buffer with elements in host memory.
func newHostBuffer(e *xlaExecutor, t shape.Type, device int, v host.Value) *xlaBuffer {
	b := &xlaBuffer{e: e, typ: t, device: device, value: v}
	b.hasValue.Store(true)
	return b
}

// newPluginBuffer returns an xlaBuffer for x, a buffer of the plugin.
func newPluginBuffer(e *xlaExecutor, x *xla.Buffer, device int) *xlaBuffer {
	b := &xlaBuffer{e: e, typ: shape.Type{DType: x.DType(), Shape: x.Dims()}, device: device}
	b.plugin.Store(x)
	return b
}

// Await implements Buffer.
func (b *xlaBuffer) Await(ctx context.Context) error {
	if b.hasValue.Load() {
		return nil
	}
	if b.async != nil {
		select {
		case <-b.async.done:
			return b.async.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return b.plugin.Load().Await(ctx)
}

// Read implements Buffer.
func (b *xlaBuffer) Read(ctx context.Context, dst []byte) error {
	if err := b.Await(ctx); err != nil {
		return err
	}
	b.e.toHost.Add(int64(len(dst)))
	if b.hasValue.Load() {
		copy(dst, b.value.Data)
		return nil
	}
	return b.plugin.Load().Read(ctx, dst)
}

// View implements Buffer.
func (b *xlaBuffer) View(ctx context.Context, use func(data []byte)) (bool, error) {
	if err := b.Await(ctx); err != nil {
		return false, err
	}
	if b.hasValue.Load() {
		use(b.value.Data)
		return true, nil
	}
	return b.plugin.Load().View(ctx, use)
}

// now returns b's elements if they are computed already. ok is false otherwise, and if reading them fails.
func (b *xlaBuffer) now() (v host.Value, ok bool) {
	if b.hasValue.Load() {
		return b.value, true
	}
	x := b.plugin.Load()
	if x == nil || !x.Ready() {
		return host.Value{}, false
	}
	v, err := b.onHost(context.Background())
	return v, err == nil
}

// onHost waits for b and returns its elements. If they are not in host memory, it copies them there.
func (b *xlaBuffer) onHost(ctx context.Context) (host.Value, error) {
	if err := b.Await(ctx); err != nil || b.hasValue.Load() {
		return b.value, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hasValue.Load() {
		return b.value, nil
	}
	data := make([]byte, b.typ.Bytes())
	if err := b.plugin.Load().Read(ctx, data); err != nil {
		return host.Value{}, err
	}
	b.settle(host.Of(b.typ, data))
	return b.value, nil
}

// settle sets b's elements in host memory.
func (b *xlaBuffer) settle(v host.Value) {
	b.value = v
	b.hasValue.Store(true)
}

// onDevice returns the plugin's buffer of b. If b has none, onDevice waits for the host program that computes b, if
// there is one, and uploads the elements.
func (b *xlaBuffer) onDevice(ctx context.Context) (*xla.Buffer, error) {
	if x := b.plugin.Load(); x != nil {
		return x, nil
	}
	if err := b.Await(ctx); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if x := b.plugin.Load(); x != nil {
		return x, nil
	}
	x, err := b.e.upload(b.typ, b.value.Data, b.device)
	if err == nil {
		b.plugin.Store(x)
	}
	return x, err
}

// copyTo returns a copy of b on another device.
func (b *xlaBuffer) copyTo(device int) (Buffer, error) {
	if b.async != nil {
		if err := b.Await(context.Background()); err != nil {
			return nil, err
		}
	}
	if b.hasValue.Load() {
		return newHostBuffer(b.e, b.typ, device, b.value), nil
	}
	x, err := b.plugin.Load().CopyTo(b.e.devices[device])
	if err != nil {
		return nil, err
	}
	return newPluginBuffer(b.e, x, device), nil
}

// Release implements Buffer. Elements in host memory are left to Go's collector.
func (b *xlaBuffer) Release() {
	if x := b.plugin.Load(); x != nil {
		x.Destroy()
	}
}
