package xla

import (
	"errors"
	"slices"
	"sync/atomic"
	"time"
	"weak"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// XLA cannot cancel a program. But the host memory that it was lent for an
// argument it reads when it needs it: a loop that looks there at each step ends
// when somebody has written there.

// StopType is the type of the argument that a program compiled with
// [CompileOptions.Stoppable] takes behind its own: all 0 until whoever waits for
// the device is interrupted. Loops read another element at each step, since a
// compiler may take out of a loop what stays the same.
var StopType = Type{dtype.I32, []int{16}}

// ErrInterrupted is what a result is refused with whose program was interrupted.
var ErrInterrupted = errors.New("interrupted")

// stopPatience is how long an interrupt waits for loops to end at their next step.
const stopPatience = 100 * time.Millisecond

// A word is memory that the programs of one device read while they run.
type word struct {
	ptr   *capi.Buffer
	loan  *loan
	users int  // launches under way that take ptr
	over  bool // it says stop
}

// A flight is a launch that an interrupt ends, or that takes what such a one gives.
type flight struct {
	word    *word       // that its loops look at, or nil
	landed  *capi.Event // ready when its program is over; nil while it is launched
	over    atomic.Bool // its program is over, or was never launched
	stopped atomic.Bool // before it was over
	brings  []weak.Pointer[Buffer]
}

// newWord lends the device a word; nil where its memory is not the host's.
func (d *Device) newWord() *word {
	data := make([]byte, 128)
	for !capi.Aligned(data) {
		data = data[1:]
	}
	data = data[:64]
	if !d.memory.host {
		return nil
	}
	c := d.client
	ptr, returned, err := c.table.BufferFromHost(c.ptr, d.ptr, data, elements[StopType.DType], []int64{16}, zeroCopy)
	if err != nil {
		return nil
	}
	return &word{ptr: ptr, loan: &loan{data: data, returned: returned}}
}

// depart begins a launch of e. The flight is nil where an interrupt has nothing to
// do with it. Waits says that arguments are still to come from one.
func (d *Device) depart(e *Executable, args []*Buffer) (f *flight, waits bool) {
	if !slices.ContainsFunc(args, (*Buffer).mayFly) && e.stoppable == nil {
		return nil, false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.land()
	f = &flight{}
	for _, a := range args {
		if from := a.array.flight; from != nil && !d.isOver(from) {
			waits = true
			f.stopped.Store(f.stopped.Load() || from.stopped.Load()) // since the arguments were checked
		}
	}
	switch {
	case e.stoppable != nil:
		if d.word == nil {
			d.word = d.newWord()
		}
		if f.word = d.word; f.word == nil {
			return nil, waits
		}
		f.word.users++
	case !waits:
		return nil, false
	}
	d.flights = append(d.flights, f)
	return f, waits
}

// mayFly reports whether the program that brings b is perhaps not over.
func (b *Buffer) mayFly() bool { return b.array.flight != nil && !b.array.flight.over.Load() }

// launched ends the launch of f, which gives result; NULL where it failed.
func (d *Device) launched(f *flight, result *capi.Buffer) {
	if f == nil {
		return
	}
	var event *capi.Event
	if result != nil {
		event, _ = d.client.table.ReadyEvent(result)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case event == nil:
		f.over.Store(true)
	case f.stopped.Load():
		d.client.table.DestroyEvent(event)
	default:
		f.landed = event
	}
	if f.word != nil {
		f.word.users--
		d.giveBack(f.word)
	}
}

// carries takes note of what a launch gives, to be freed when it is stopped.
func (d *Device) carries(on journey, out []*Buffer) {
	if on.flight == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, b := range out {
		if on.of(i) != nil {
			on.brings = append(on.brings, weak.Make(b))
		}
	}
	if on.stopped.Load() {
		on.free()
	}
}

// free gives up what a stopped launch gives: nobody gets it.
func (f *flight) free() {
	for _, w := range f.brings {
		if b := w.Value(); b != nil {
			b.Destroy()
		}
	}
	f.brings = nil
}

// land forgets the flights that are over, up to the first that is not.
func (d *Device) land() {
	n := 0
	for n < len(d.flights) && d.isOver(d.flights[n]) {
		n++
	}
	d.flights = slices.Delete(d.flights, 0, n)
}

// isOver reports whether f has landed; its event is gone then.
func (d *Device) isOver(f *flight) bool {
	if f.landed == nil {
		return f.over.Load()
	}
	if ready, err := d.client.table.IsReady(f.landed); err == nil && !ready {
		return false
	}
	d.client.table.DestroyEvent(f.landed)
	f.landed = nil
	f.over.Store(true)
	return true
}

// stop ends the loops that the device runs, if it runs any. What comes of them, or
// is made of that, is refused from now on.
func (d *Device) stop() (stopped bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range d.flights {
		if d.isOver(f) {
			continue
		}
		stopped = true
		f.stopped.Store(true)
		if f.landed != nil {
			d.client.table.DestroyEvent(f.landed)
			f.landed = nil
		}
		f.free()
	}
	d.flights = nil
	if w := d.word; stopped && w != nil {
		for i := range w.loan.data {
			w.loan.data[i] = 1
		}
		w.over, d.word = true, nil
		d.giveBack(w)
	}
	return stopped
}

// giveBack destroys a word that no launch takes any more.
func (d *Device) giveBack(w *word) {
	if w.over && w.users == 0 {
		_ = d.client.table.DestroyBuffer(w.ptr) // fails for a NULL buffer only
		w.loan.settle(d.client)
	}
}

// settleWord frees what the device has for stopping, when nothing is left of its
// client.
func (d *Device) settleWord() {
	for _, f := range d.flights {
		if f.landed != nil {
			d.client.table.DestroyEvent(f.landed)
		}
	}
	d.flights = nil
	if w := d.word; w != nil {
		_ = d.client.table.DestroyBuffer(w.ptr)
		_ = d.client.table.Await(w.loan.returned)
		w.loan.back(d.client)
		d.word = nil
	}
}

// interrupted returns the error that a is refused with, if its program was
// interrupted.
func (a *array) interrupted(op, operands string) error {
	if a.flight == nil || !a.flight.stopped.Load() {
		return nil
	}
	return refused(op, operands, ErrInterrupted, "compute it again", "what computes it was interrupted before it was over")
}
