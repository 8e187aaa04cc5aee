package engine

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/host"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/xla"
)

// An xlaBuffer is a tensor of an xlaExecutor: a buffer of the plugin, or elements in host memory, which are
// uploaded when a compiled program needs them. It may have both.
type xlaBuffer struct {
	e      *xlaExecutor
	typ    shape.Type
	device int
	late   *late // the host program in a goroutine of its own that computes it, or nil

	mu    sync.Mutex // held while it gets the second form
	value host.Value // valid once here is set
	here  atomic.Bool
	there atomic.Pointer[xla.Buffer]
}

// A late is a host program that runs in a goroutine of its own.
type late struct {
	done chan struct{}
	err  error
}

func newHere(e *xlaExecutor, t shape.Type, device int, v host.Value) *xlaBuffer {
	b := &xlaBuffer{e: e, typ: t, device: device, value: v}
	b.here.Store(true)
	return b
}

func newThere(e *xlaExecutor, x *xla.Buffer, device int) *xlaBuffer {
	b := &xlaBuffer{e: e, typ: shape.Type{DType: x.DType(), Shape: x.Dims()}, device: device}
	b.there.Store(x)
	return b
}

// Await implements Buffer.
func (b *xlaBuffer) Await(ctx context.Context) error {
	if b.here.Load() {
		return nil
	}
	if b.late != nil {
		select {
		case <-b.late.done:
			return b.late.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return b.there.Load().Await(ctx)
}

// Read implements Buffer.
func (b *xlaBuffer) Read(ctx context.Context, dst []byte) error {
	if err := b.Await(ctx); err != nil {
		return err
	}
	b.e.toHost.Add(int64(len(dst)))
	if b.here.Load() {
		copy(dst, b.value.Data)
		return nil
	}
	return b.there.Load().Read(ctx, dst)
}

// View implements Buffer.
func (b *xlaBuffer) View(ctx context.Context, use func(data []byte)) (bool, error) {
	if err := b.Await(ctx); err != nil {
		return false, err
	}
	if b.here.Load() {
		use(b.value.Data)
		return true, nil
	}
	return b.there.Load().View(ctx, use)
}

// now returns b's elements if they are computed.
func (b *xlaBuffer) now() (host.Value, bool) {
	if b.here.Load() {
		return b.value, true
	}
	x := b.there.Load()
	if x == nil || !x.Ready() {
		return host.Value{}, false
	}
	v, err := b.onHost(context.Background())
	return v, err == nil
}

// onHost returns b's elements, and keeps them in host memory.
func (b *xlaBuffer) onHost(ctx context.Context) (host.Value, error) {
	if err := b.Await(ctx); err != nil || b.here.Load() {
		return b.value, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.here.Load() {
		return b.value, nil
	}
	data := make([]byte, b.typ.Bytes())
	if err := b.there.Load().Read(ctx, data); err != nil {
		return host.Value{}, err
	}
	b.settle(host.Of(b.typ, data))
	return b.value, nil
}

func (b *xlaBuffer) settle(v host.Value) {
	b.value = v
	b.here.Store(true)
}

// onDevice returns b as a buffer of the plugin. It waits if a host program computes b.
func (b *xlaBuffer) onDevice(ctx context.Context) (*xla.Buffer, error) {
	if x := b.there.Load(); x != nil {
		return x, nil
	}
	if err := b.Await(ctx); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if x := b.there.Load(); x != nil {
		return x, nil
	}
	x, err := b.e.upload(b.typ, b.value.Data, b.device)
	if err == nil {
		b.there.Store(x)
	}
	return x, err
}

// copyTo returns a copy of b on another device.
func (b *xlaBuffer) copyTo(device int) (Buffer, error) {
	if b.late != nil {
		if err := b.Await(context.Background()); err != nil {
			return nil, err
		}
	}
	if b.here.Load() {
		return newHere(b.e, b.typ, device, b.value), nil
	}
	x, err := b.there.Load().CopyTo(b.e.devices[device])
	if err != nil {
		return nil, err
	}
	return newThere(b.e, x, device), nil
}

// Release implements Buffer. Elements in host memory are left to Go's collector.
func (b *xlaBuffer) Release() {
	if x := b.there.Load(); x != nil {
		x.Destroy()
	}
}
