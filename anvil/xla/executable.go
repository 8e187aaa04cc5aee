package xla

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// An Executable is a compiled program for one device. It is destroyed by
// Destroy or, once unreachable, by the garbage collector. It is safe for
// concurrent use.
type Executable struct {
	client        *Client
	device        *Device
	args, results []Type
	sizes         []int64 // bytes of each result
	need          int64   // bytes that a launch allocates
	cheap         bool    // see CompileOptions.Cheap
	stoppable     []bool  // see CompileOptions.Stoppable
	donated       []int   // see CompileOptions.Donated
	code          *code
	cleanup       runtime.Cleanup
}

// A code holds the plugin's executable that belongs to an Executable.
type code struct {
	refs   refCount
	client *Client
	ptr    *capi.LoadedExecutable
	frames sync.Pool // of *capi.Frame
}

// setTypes checks the types of arguments and results in o and sets the fields that depend on
// them.
func (e *Executable) setTypes(o CompileOptions) error {
	for _, t := range o.Args {
		if _, err := t.bytes(); err != nil {
			return fmt.Errorf("argument %s: %w", t, err)
		}
		e.args = append(e.args, t.clone())
	}
	for _, t := range o.Results {
		size, err := t.bytes()
		if err != nil {
			return fmt.Errorf("result %s: %w", t, err)
		}
		e.results, e.sizes = append(e.results, t.clone()), append(e.sizes, int64(size))
		e.need += int64(size)
	}
	for _, i := range o.Donated {
		if i < 0 || i >= len(e.args) {
			return fmt.Errorf("donated argument %d does not exist", i)
		}
		size, _ := e.args[i].bytes()
		e.need -= int64(size)
	}
	return nil
}

// adopt makes e the owner of ptr.
func (e *Executable) adopt(ptr *capi.LoadedExecutable) {
	c := &code{client: e.client, ptr: ptr}
	c.refs.init()
	e.client.refs.users.Add(1)                                  // needs no acquire, since the caller uses the client
	if temp, err := e.client.table.TempBytes(ptr); err == nil { // some plugins do not support it
		e.need += temp
	}
	args, results := len(e.args), len(e.results)
	if e.stoppable != nil {
		args++
	}
	c.frames.New = func() any { return capi.NewFrame(ptr, args, results) }
	e.code = c
	e.cleanup = runtime.AddCleanup(e, (*code).close, c)
}

// close prevents new uses of c, and ends the owner's use (see refCount).
func (c *code) close() {
	if c.refs.close() {
		c.release()
	}
}

// release ends a use of c. The end of the last use frees the executable.
func (c *code) release() {
	if c.refs.release() {
		_ = c.client.table.DestroyExecutable(c.ptr) // fails for NULL only
		c.client.release()
	}
}

// Args returns the types of the arguments.
func (e *Executable) Args() []Type { return slices.Clone(e.args) }

// Results returns the types of the results.
func (e *Executable) Results() []Type { return slices.Clone(e.results) }

// Device returns the device that the program runs on.
func (e *Executable) Device() *Device { return e.device }

// Destroy frees the executable once no call uses it. A second call does nothing.
func (e *Executable) Destroy() {
	e.cleanup.Stop()
	e.code.close()
}

// String returns "(f32{4}) -> (f32{4})".
func (e *Executable) String() string {
	return "(" + typeList(e.args) + ") -> (" + typeList(e.results) + ")"
}

// Serialize returns the executable in the plugin's own form, for Deserialize.
func (e *Executable) Serialize() ([]byte, error) {
	if !e.code.refs.acquire() {
		return nil, refused("Serialize", e.String(), ErrDestroyed, "", "the executable is destroyed")
	}
	defer e.code.release()
	data, err := e.client.table.Serialize(e.code.ptr)
	if err != nil {
		return nil, failed("Serialize", e.String(), err, "")
	}
	return data, nil
}

// Run launches the program and puts its results, which may not be computed yet, into
// out. If XLA considers a CPU program cheap, Run returns only when the program has ended, however
// long that takes: cheap means less than 1000 flops, where transcendental functions count
// 0. So use Run for programs known to be tiny, and RunContext for all others.
func (e *Executable) Run(args, out []*Buffer) error {
	if err := e.check(args, out); err != nil {
		return err
	}
	if err := e.acquire(args); err != nil {
		return err
	}
	defer e.release(args)
	return e.launch(args, out)
}

// launch is Run after check and acquire.
func (e *Executable) launch(args, out []*Buffer) error {
	f, err := e.frame(args)
	if err != nil {
		return err
	}
	defer e.code.frames.Put(f)
	done, interruptible, err := e.executeOrCollect(f, args)
	if err != nil {
		return failed("Run", e.String(), err, "")
	}
	e.takeDonated(args)
	e.adoptResults(f, out, interruptible)
	if done != nil {
		out[0].array.done.Store(done)
	}
	return nil
}

// execute makes the plugin launch f. For a cheap program with one result, it also returns an event
// that happens when the result is computed. Requesting the event later would take longer.
func (e *Executable) execute(f *capi.Frame) (done *capi.Event, err error) {
	if e.cheap && len(e.results) == 1 {
		return e.client.table.ExecuteWithEvent(f)
	}
	return nil, e.client.table.Execute(f)
}

// An interruptibleLaunch says for which results of a launch an interrupt can end the computation. The launch is nil
// if there are no such results.
type interruptibleLaunch struct {
	*launch
	all  bool   // all results, because an argument is computed by an unfinished launch that an interrupt can end
	some []bool // the results that stoppable loops compute; may be nil; not used if all is set
}

// ofResult returns the launch if an interrupt can end the computation of result i, and
// nil otherwise.
func (r interruptibleLaunch) ofResult(i int) *launch {
	if r.all || r.some != nil && r.some[i] {
		return r.launch
	}
	return nil
}

// executeOrCollect calls execute. If the device's memory is exhausted, it collects garbage and calls execute again.
func (e *Executable) executeOrCollect(f *capi.Frame, args []*Buffer) (*capi.Event, interruptibleLaunch, error) {
	launch, pending := e.device.beginLaunch(e, args)
	if e.stoppable != nil {
		if launch == nil { // there is no stop flag
			return nil, interruptibleLaunch{}, errors.New("the device cannot read host memory")
		}
		f.In[len(e.args)] = launch.flag.ptr
	}
	done, err := e.execute(f)
	if isOutOfMemory(err) {
		e.client.collect()
		done, err = e.execute(f)
	}
	var result *capi.Buffer
	if err == nil && len(f.Out) > 0 {
		result = f.Out[0]
	}
	e.device.endLaunch(launch, result)
	return done, interruptibleLaunch{launch: launch, all: pending, some: e.stoppable}, err
}

// frame makes room for the results in memory, and returns a frame with the arguments.
func (e *Executable) frame(args []*Buffer) (*capi.Frame, error) {
	if err := e.client.reserve("Run", e, e.device, e.need); err != nil {
		return nil, err
	}
	f := e.code.frames.Get().(*capi.Frame)
	for i, a := range args {
		f.In[i] = a.array.ptr
	}
	return f, nil
}

// takeDonated closes the buffers whose memory now belongs to results.
func (e *Executable) takeDonated(args []*Buffer) {
	for _, i := range e.donated {
		args[i].array.donate()
	}
}

// adoptResults puts the results in f into out as Buffers.
func (e *Executable) adoptResults(f *capi.Frame, out []*Buffer, interruptible interruptibleLaunch) {
	e.client.counters.launches.Add(1)
	if !e.cheap && len(f.Out) > 0 {
		e.device.setRunning(f.Out[0])
	}
	var allComputed *atomic.Bool // shared by the results: once one has been awaited, all are computed
	if interruptible.launch == nil && len(f.Out) > 1 {
		allComputed = new(atomic.Bool)
	}
	for i, ptr := range f.Out {
		out[i] = e.device.adopt(ptr, &e.results[i], e.sizes[i])
		out[i].array.launch, out[i].array.allComputed = interruptible.ofResult(i), allComputed
	}
	e.device.recordResults(interruptible, out)
}

// isOutOfMemory reports whether err is the plugin's error that memory is exhausted.
func isOutOfMemory(err error) bool {
	if err == nil {
		return false
	}
	var e *capi.Error
	return errors.As(err, &e) && Code(e.Code) == ResourceExhausted
}

// RunContext is Run, but returns ctx's error soon after ctx ends, if the launch has not returned by
// then. First, if arguments are donated, it waits up to DonatedGrace for the launch to return,
// and returns the launch's error if it does. Then it stops the device's stoppable loops (see
// [CompileOptions.Stoppable]) and waits up to 100 ms for them to end. If RunContext returns ctx's
// error, the results are discarded, and the memory of the arguments is freed only after the
// program has ended.
//
// If ctx can end, the program is launched in another goroutine. But if the program is compiled as
// Cheap and the device is not busy, it is launched on the calling goroutine, since that takes only
// microseconds.
func (e *Executable) RunContext(ctx context.Context, args, out []*Buffer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.check(args, out); err != nil {
		return err
	}
	if err := e.acquire(args); err != nil {
		return err
	}
	if ctx.Done() == nil || e.cheap && !e.device.busy() {
		defer e.release(args)
		return e.launch(args, out)
	}
	return e.launchCancellable(ctx, slices.Clone(args), out)
}

// DonatedGrace is how long RunContext waits for an interrupted launch that reuses the memory
// of its arguments. If RunContext returned earlier, the caller would have neither the arguments
// nor the results.
const DonatedGrace = 10 * time.Second

// launchCancellable runs launch in another goroutine, and returns ctx's error if ctx ends first. The goroutine writes
// the results to a slice of its own, since the caller may reuse out after ctx has ended.
func (e *Executable) launchCancellable(ctx context.Context, args, out []*Buffer) error {
	results := make([]*Buffer, len(out))
	run := func() error {
		defer e.release(args)
		return e.launch(args, results)
	}
	var grace time.Duration
	if len(e.donated) > 0 {
		grace = DonatedGrace
	}
	err := e.device.runCancellable(ctx, grace, run, func() { discard(results) })
	if err == nil { // after an error, the goroutine may still write to results
		copy(out, results)
	}
	return err
}

// discard waits until bs are computed, since the device is busy until then, and destroys them.
func discard(bs []*Buffer) {
	for _, b := range bs {
		if b != nil {
			_ = b.Await(context.Background())
			b.Destroy()
		}
	}
}

// check returns an error if the arguments of Run are wrong. The plugin does not check them.
func (e *Executable) check(args, out []*Buffer) error {
	if e == nil || e.code == nil {
		return refused("Run", "", nil, "", "the executable is nil")
	}
	if len(args) != len(e.args) || len(out) != len(e.results) {
		return refused("Run", e.String(), nil, "",
			"called with %d arguments and room for %d results", len(args), len(out))
	}
	for i, a := range args {
		switch {
		case a == nil || a.array.device == nil:
			return refused("Run", e.String(), nil, "", "argument %d is nil", i)
		case a.array.device.client != e.device.client:
			return refused("Run", e.String(), nil, "", "argument %d belongs to another client", i)
		case a.array.device != e.device:
			return refused("Run", e.String(), nil, "move it with CopyTo",
				"argument %d is on %s, the program on %s", i, a.array.device, e.device)
		case a.typ != &e.args[i] && !a.typ.equal(&e.args[i]):
			return refused("Run", e.String(), nil, "", "argument %d is %s", i, a.typ)
		case a.array.wasInterrupted():
			return a.array.interrupted("Run", e.String())
		}
	}
	for _, i := range e.donated {
		for k, a := range args {
			if k != i && a == args[i] {
				return refused("Run", e.String(), nil, "",
					"argument %d is donated, so it cannot also be argument %d", i, k)
			}
		}
	}
	if e.client.refs.closed.Load() {
		return refused("Run", e.String(), ErrClosed, "", "the client is closed")
	}
	return nil
}

// acquire keeps the program and its arguments from being freed until release is called.
func (e *Executable) acquire(args []*Buffer) error {
	if !e.code.refs.acquire() {
		return refused("Run", e.String(), ErrDestroyed, "", "the executable is destroyed")
	}
	for i, a := range args {
		if !a.array.refs.acquire() {
			e.release(args[:i])
			return refused("Run", e.String(), ErrDestroyed, "", "argument %d is destroyed", i)
		}
	}
	return nil
}

// release undoes acquire.
func (e *Executable) release(args []*Buffer) {
	for _, a := range args {
		a.array.release()
	}
	e.code.release()
}
