package xla

import (
	"context"
	"sync"
	"time"

	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// A Device is one device of a client.
type Device struct {
	client  *Client
	ptr     *capi.Device
	ordinal int
	id      int
	kind    string
	name    string
	memory  *memory

	mu        sync.Mutex
	abandoned int
	idle      chan struct{} // closed when abandoned is 0 again
	running   *capi.Event   // of the last program that is not cheap, or nil

	word    *word     // that programs under way read, or nil
	flights []*flight // in the order in which they were launched
}

// A memory is one kind of memory, which devices share.
type memory struct {
	kind string
	host bool // this process may read it through an address
}

// Client returns the client that the device belongs to.
func (d *Device) Client() *Client { return d.client }

// Kind returns the vendor's name: "cpu", "NVIDIA H100 80GB HBM3".
func (d *Device) Kind() string { return d.kind }

// Platform returns "cpu", "cuda", ...
func (d *Device) Platform() string { return d.client.platform }

// Ordinal returns the index of the device in Client.Devices.
func (d *Device) Ordinal() int { return d.ordinal }

// String returns "cpu:0".
func (d *Device) String() string { return d.name }

// MemoryKind returns the kind of the memory that buffers lie in: "device",
// "unpinned_host"; "" where the plugin does not say.
func (d *Device) MemoryKind() string { return d.memory.kind }

// HostMemory reports whether buffers lie in memory that this process may read
// through an address.
func (d *Device) HostMemory() bool { return d.memory.host }

// MemoryStats returns the bytes in use on the device and the bytes it has;
// CPU plugins do not say.
func (d *Device) MemoryStats() (inUse, limit int64, err error) {
	if inUse, limit, err = d.client.table.MemoryStats(d.ptr); err != nil {
		err = failed("MemoryStats", d.name, err, "")
	}
	return inUse, limit, err
}

// Abandoned returns how many calls, given up when their context ended, still
// wait for the device. XLA cannot cancel a program that has no stoppable loop, and
// a device runs one after the other, so what is launched next waits for them too.
func (d *Device) Abandoned() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.abandoned
}

// Idle waits until no abandoned call is left.
func (d *Device) Idle(ctx context.Context) error {
	for {
		d.mu.Lock()
		left, idle := d.abandoned, d.idle
		d.mu.Unlock()
		if left == 0 {
			return ctx.Err()
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (d *Device) abandon() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.abandoned == 0 {
		d.idle = make(chan struct{})
	}
	d.abandoned++
}

func (d *Device) regain() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.abandoned--; d.abandoned == 0 {
		close(d.idle)
	}
}

// runs says that the device runs a program, which takes long perhaps, until
// result is there.
func (d *Device) runs(result *capi.Buffer) {
	event, err := d.client.table.ReadyEvent(result)
	if err != nil {
		return // whoever reads the result learns why
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.forget()
	d.running = event
}

// busy reports whether a program runs that may take long. A launch then is
// queued, and once 32 are it waits, on the C side, for the first of them.
func (d *Device) busy() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.abandoned > 0 {
		return true
	}
	if d.running == nil {
		return false
	}
	if ready, err := d.client.table.IsReady(d.running); err == nil && !ready {
		return true
	}
	d.forget()
	return false
}

func (d *Device) forget() {
	if d.running != nil {
		d.client.table.DestroyEvent(d.running)
		d.running = nil
	}
}

// work runs f, which blocks on the C side, on a launcher and returns its
// error. When ctx ends first it ends the loops that the device runs and returns
// ctx's error, soon if not at once; late runs when f has returned after all. That
// goroutine is the one kind that nobody waits for.
func (d *Device) work(ctx context.Context, f func() error, late func()) error {
	done := make(chan error, 1)
	aside(func() { done <- f() })
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	if d.stop() {
		select {
		case <-done:
			late()
			return ctx.Err()
		case <-time.After(stopPatience):
		}
	}
	d.abandon()
	go func() {
		<-done
		late()
		d.regain()
	}()
	return ctx.Err()
}
