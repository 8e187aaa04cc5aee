package xla

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// A Device is one device of a client.
type Device struct {
	client  *Client
	ptr     *capi.Device
	ordinal int    // the index in Client.devices
	id      int    // the plugin's number, for compile options
	kind    string // see Kind
	name    string // "cpu:0"
	memory  *memorySpace

	mu        sync.Mutex
	abandoned int           // see Abandoned
	idle      chan struct{} // closed when abandoned is 0 again
	running   *capi.Event   // happens when the last program that is not cheap ends; or nil

	brief atomic.Bool // the last wait for the device was brief, so that the next one is likely to be brief too

	flag     *stopFlag // the flag that the loops of running programs read, or nil
	launches []*launch // the unfinished launches, and finished ones that are not dropped yet, oldest first
}

// A memorySpace is a kind of memory. Several devices may have the same kind.
type memorySpace struct {
	kind string
	host bool // this process can read the memory through an address
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

// MemoryKind returns the kind of memory that holds buffers: "device",
// "unpinned_host", or "" if the plugin does not say.
func (d *Device) MemoryKind() string { return d.memory.kind }

// HostMemory reports whether buffers lie in memory that this process can read through
// an address.
func (d *Device) HostMemory() bool { return d.memory.host }

// MemoryStats returns the number of bytes in use on the device and the number of bytes that the
// device has. CPU plugins return an error.
func (d *Device) MemoryStats() (inUse, limit int64, err error) {
	if inUse, limit, err = d.client.table.MemoryStats(d.ptr); err != nil {
		err = failed("MemoryStats", d.name, err, "")
	}
	return inUse, limit, err
}

// Abandoned returns the number of abandoned calls: their context has ended, but their
// goroutines still wait for the device. XLA cannot cancel a program that has no stoppable loop,
// and a device runs one program after another, so later launches must wait for such programs.
func (d *Device) Abandoned() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.abandoned
}

// Idle waits until all abandoned calls have ended. It returns ctx's error if ctx has ended.
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

// abandon counts an abandoned call.
func (d *Device) abandon() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.abandoned == 0 {
		d.idle = make(chan struct{})
	}
	d.abandoned++
}

// unabandon records that an abandoned call has ended.
func (d *Device) unabandon() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.abandoned--; d.abandoned == 0 {
		close(d.idle)
	}
}

// setRunning records that the device is busy until result is computed.
func (d *Device) setRunning(result *capi.Buffer) {
	event, err := d.client.table.ReadyEvent(result)
	if err != nil {
		return // reading the result will return the error
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clearRunning()
	d.running = event
}

// busy reports whether the device may be busy for long. A launch on a busy device is queued, and
// blocks in the plugin if 32 launches are queued already.
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
	d.clearRunning()
	return false
}

// clearRunning destroys d.running.
func (d *Device) clearRunning() {
	if d.running != nil {
		d.client.table.DestroyEvent(d.running)
		d.running = nil
	}
}

// runCancellable runs f, which blocks in the plugin, in another goroutine and returns its
// error. If ctx ends first, it waits for f no longer than grace. Then it gives up: it stops
// the loops that the device runs and returns ctx's error. f may continue in its goroutine, and
// late is called when f has returned.
func (d *Device) runCancellable(ctx context.Context, grace time.Duration, f func() error, late func()) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	if grace > 0 {
		select {
		case err := <-done:
			return err
		case <-time.After(grace):
		}
	}
	d.giveUp(func(timeout time.Duration) bool {
		select {
		case <-done:
			return true
		case <-time.After(timeout):
			return false
		}
	}, late)
	return ctx.Err()
}

// await waits until event has happened and returns its error. If ctx ends first, it stops the
// loops that the device runs, and returns ctx's error within stopTimeout. release is called when
// event has happened, possibly after await has returned.
func (d *Device) await(ctx context.Context, event *capi.Event, release func()) error {
	t := d.client.table
	if ready, err := t.IsReady(event); err == nil && !ready {
		w, err := t.NewWaiter(event)
		if err != nil { // for example because the process cannot open more files
			return d.runCancellable(ctx, 0, func() error { defer release(); return t.Await(event) }, func() {})
		}
		began := time.Now()
		happened := d.brief.Load() && w.Briefly() || w.Until(ctx)
		if !happened {
			d.giveUp(w.Within, func() { w.Release(); release() })
			return ctx.Err()
		}
		d.brief.Store(time.Since(began) < capi.BriefWait)
		w.Release()
	}
	defer release()
	return t.Await(event)
}

// giveUp ends the wait for a program. It stops the loops that the device runs, and waits at most
// stopTimeout for the program to end. If the program does not end, a new goroutine waits for it.
// within waits for the program, for at most the given time, and reports whether it has ended. late
// is called when the program has ended.
func (d *Device) giveUp(within func(timeout time.Duration) bool, late func()) {
	if d.stop() && within(stopTimeout) {
		late()
		return
	}
	d.abandon()
	go func() {
		for !within(math.MaxInt64) {
		}
		late()
		d.unabandon()
	}()
}
