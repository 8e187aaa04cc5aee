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

// XLA cannot cancel a program. But a loop can read an argument in host memory at each step, and
// end when the host has written to that memory.

// StopType is the type of the argument that a program compiled with
// [CompileOptions.Stoppable] takes after its other arguments. The elements are 0 until
// a wait for the device is interrupted. Loops read a different element at each step, so
// that the compiler cannot move the load out of the loop.
var StopType = Type{dtype.I32, []int{stopLength}}

// stopLength is the number of elements of a tensor of StopType; they take 64 bytes.
const stopLength = 16

// ErrInterrupted is the error of reading or using a result whose program was
// interrupted.
var ErrInterrupted = errors.New("interrupted")

// stopTimeout is the longest time that an interrupt waits for loops to end at their next step.
const stopTimeout = 100 * time.Millisecond

// A stopFlag is host memory that the programs of one device read while they run.
type stopFlag struct {
	ptr   *capi.Buffer
	loan  *loan
	users int  // the number of calls in progress that launch a program with ptr as an argument
	set   bool // the memory has been written, so that loops stop
}

// A launch is an execution of a program that an interrupt can end, or of a program with an argument that such an
// execution computes. The device's mutex guards the fields that are not atomic.
type launch struct {
	flag     *stopFlag              // the flag that the program's loops read, or nil
	finished *capi.Event            // happens when the program has ended; nil before endLaunch
	over     atomic.Bool            // the program has ended, or was never launched
	stopped  atomic.Bool            // an interrupt came before the program had ended
	results  []weak.Pointer[Buffer] // to be destroyed when the launch is stopped
}

// newStopFlag returns a new flag for the device, or nil if the device's memory is not host memory.
func (d *Device) newStopFlag() *stopFlag {
	if !d.memory.host {
		return nil
	}
	const size = 4 * stopLength  // bytes
	data := make([]byte, 2*size) // large enough to contain size aligned bytes
	for !capi.Aligned(data) {
		data = data[1:]
	}
	data = data[:size]
	c := d.client
	ptr, returned, err := c.table.BufferFromHost(c.ptr, d.ptr, data, elements[StopType.DType],
		[]int64{stopLength}, zeroCopy)
	if err != nil {
		return nil
	}
	return &stopFlag{ptr: ptr, loan: &loan{data: data, returned: returned}}
}

// beginLaunch records that a launch of e with args begins, and returns it. l is nil if an interrupt
// cannot end the launch. pending reports whether an unfinished launch computes an argument.
func (d *Device) beginLaunch(e *Executable, args []*Buffer) (l *launch, pending bool) {
	if !slices.ContainsFunc(args, (*Buffer).mayBePending) && e.stoppable == nil {
		return nil, false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dropFinished()
	l = &launch{}
	for _, a := range args {
		if from := a.array.launch; from != nil && !d.isFinished(from) {
			pending = true
			l.stopped.Store(l.stopped.Load() || from.stopped.Load()) // from may have been stopped since Executable.check
		}
	}
	switch {
	case e.stoppable != nil:
		if d.flag == nil {
			d.flag = d.newStopFlag()
		}
		if l.flag = d.flag; l.flag == nil {
			return nil, pending
		}
		l.flag.users++
	case !pending:
		return nil, false
	}
	d.launches = append(d.launches, l)
	return l, pending
}

// mayBePending reports whether the launch that computes b may be unfinished.
func (b *Buffer) mayBePending() bool { return b.array.launch != nil && !b.array.launch.over.Load() }

// endLaunch records that the call of the plugin that launches l has returned. result is the first
// result, or nil if the call failed.
func (d *Device) endLaunch(l *launch, result *capi.Buffer) {
	if l == nil {
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
		l.over.Store(true)
	case l.stopped.Load():
		d.client.table.DestroyEvent(event)
		d.launches = slices.DeleteFunc(d.launches, func(other *launch) bool { return other == l })
	default:
		l.finished = event
	}
	if l.flag != nil {
		l.flag.users--
		d.releaseFlag(l.flag)
	}
}

// recordResults records the results of a launch that an interrupt can end, so that they are destroyed
// when the launch is stopped.
func (d *Device) recordResults(interruptible interruptibleLaunch, out []*Buffer) {
	l := interruptible.launch
	if l == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, b := range out {
		if interruptible.ofResult(i) != nil {
			l.results = append(l.results, weak.Make(b))
		}
	}
	if l.stopped.Load() {
		l.freeResults()
	}
}

// freeResults destroys the results of the stopped launch l, since they cannot be used.
func (l *launch) freeResults() {
	for _, w := range l.results {
		if b := w.Value(); b != nil {
			b.Destroy()
		}
	}
	l.results = nil
}

// dropFinished removes the finished launches that precede the first unfinished one.
func (d *Device) dropFinished() {
	n := 0
	for n < len(d.launches) && d.isFinished(d.launches[n]) {
		n++
	}
	d.launches = slices.Delete(d.launches, 0, n)
}

// isFinished reports whether the program of l has ended. If it has, isFinished destroys l.finished.
func (d *Device) isFinished(l *launch) bool {
	if l.finished == nil {
		return l.over.Load()
	}
	if ready, err := d.client.table.IsReady(l.finished); err == nil && !ready {
		return false
	}
	d.client.table.DestroyEvent(l.finished)
	l.finished = nil
	l.over.Store(true)
	return true
}

// stop makes the stoppable loops that the device runs end, and reports whether there are
// unfinished launches. Afterwards, using the results of these launches, or results that depend on
// them, returns ErrInterrupted.
func (d *Device) stop() (stopped bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, l := range d.launches {
		if d.isFinished(l) {
			continue
		}
		stopped = true
		l.stopped.Store(true)
		if l.finished != nil {
			d.client.table.DestroyEvent(l.finished)
			l.finished = nil
		}
		l.freeResults()
	}
	d.launches = nil
	if f := d.flag; stopped && f != nil {
		for i := range f.loan.data {
			f.loan.data[i] = 1
		}
		f.set, d.flag = true, nil
		d.releaseFlag(f)
	}
	return stopped
}

// releaseFlag destroys f if it is set and no call in progress launches a program with it.
func (d *Device) releaseFlag(f *stopFlag) {
	if f.set && f.users == 0 {
		_ = d.client.table.DestroyBuffer(f.ptr) // fails for NULL only
		f.loan.reclaim(d.client)
	}
}

// freeLaunches frees the device's launches and stop flag. It is called when the client is
// destroyed.
func (d *Device) freeLaunches() {
	for _, l := range d.launches {
		if l.finished != nil {
			d.client.table.DestroyEvent(l.finished)
		}
	}
	d.launches = nil
	if f := d.flag; f != nil {
		_ = d.client.table.DestroyBuffer(f.ptr)
		_ = d.client.table.Await(f.loan.returned)
		f.loan.release(d.client)
		d.flag = nil
	}
}

// wasInterrupted reports whether the program that computes a was interrupted.
func (a *array) wasInterrupted() bool { return a.launch != nil && a.launch.stopped.Load() }

// interrupted returns an Error of op with the cause ErrInterrupted if the program that computes a
// was interrupted, and nil otherwise.
func (a *array) interrupted(op, operands string) error {
	if !a.wasInterrupted() {
		return nil
	}
	return refused(op, operands, ErrInterrupted, "compute it again", "the program that computes it was interrupted")
}
