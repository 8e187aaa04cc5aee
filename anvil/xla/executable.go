package xla

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

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
	need          int64   // bytes that a launch takes
	cheap         bool
	stoppable     []bool // of each result, whether it comes of a loop that an interrupt ends; nil: there is none
	donated       []int  // arguments that are gone once it is launched
	code          *code
	cleanup       runtime.Cleanup
}

// A code is what an Executable holds on the C side.
type code struct {
	life   life
	client *Client
	ptr    *capi.LoadedExecutable
	frames sync.Pool
}

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
			return fmt.Errorf("there is no argument %d to be donated", i)
		}
		size, _ := e.args[i].bytes()
		e.need -= int64(size)
	}
	return nil
}

func (e *Executable) adopt(ptr *capi.LoadedExecutable) {
	c := &code{client: e.client, ptr: ptr}
	c.life.begin()
	e.client.life.users.Add(1)
	if temp, err := e.client.table.TempBytes(ptr); err == nil {
		e.need += temp // some plugins do not say
	}
	args, results := len(e.args), len(e.results)
	if e.stoppable != nil {
		args++
	}
	c.frames.New = func() any { return capi.NewFrame(ptr, args, results) }
	e.code = c
	e.cleanup = runtime.AddCleanup(e, (*code).end, c)
}

func (c *code) end() {
	if c.life.end() {
		c.drop()
	}
}

func (c *code) drop() {
	if c.life.drop() {
		_ = c.client.table.DestroyExecutable(c.ptr) // fails for NULL only
		c.client.drop()
	}
}

// Args returns the types of the arguments.
func (e *Executable) Args() []Type { return slices.Clone(e.args) }

// Results returns the types of the results.
func (e *Executable) Results() []Type { return slices.Clone(e.results) }

// Device returns the device that the program runs on.
func (e *Executable) Device() *Device { return e.device }

// Cheap reports whether the program was compiled as known to be tiny.
func (e *Executable) Cheap() bool { return e.cheap }

// Destroy frees the executable; a program that runs goes on. Destroying twice
// does nothing.
func (e *Executable) Destroy() {
	e.cleanup.Stop()
	e.code.end()
}

// String returns "(f32{4}) -> (f32{4})".
func (e *Executable) String() string {
	return "(" + types(e.args) + ") -> (" + types(e.results) + ")"
}

// Serialize returns the executable in the plugin's own form, for Deserialize.
func (e *Executable) Serialize() ([]byte, error) {
	if !e.code.life.hold() {
		return nil, refused("Serialize", e.String(), ErrDestroyed, "", "the executable is destroyed")
	}
	defer e.code.drop()
	data, err := e.client.table.Serialize(e.code.ptr)
	if err != nil {
		return nil, failed("Serialize", e.String(), err, "")
	}
	return data, nil
}

// Run launches the program and puts its results, which may still be on their
// way, into out. A CPU program that XLA deems cheap (under 1000 flops, where a
// transcendental counts 0) runs inside the call, however long that takes: Run
// is for programs known to be tiny, RunContext for all others.
func (e *Executable) Run(args, out []*Buffer) error {
	if err := e.check(args, out); err != nil {
		return err
	}
	if err := e.hold(args); err != nil {
		return err
	}
	defer e.release(args)
	return e.launch(args, out)
}

// launch is Run, once everything is checked and held.
func (e *Executable) launch(args, out []*Buffer) error {
	f, err := e.frame(args)
	if err != nil {
		return err
	}
	defer e.code.frames.Put(f)
	done, on, err := e.fly(f, args, e.execute)
	if err != nil {
		return failed("Run", e.String(), err, "")
	}
	e.takeDonated(args)
	e.adoptResults(f, out, on)
	if done != nil {
		out[0].array.done.Store(done)
	}
	return nil
}

// execute also returns the event of the one result of a program that is over in
// no time: asking for one later takes longer.
func (e *Executable) execute(f *capi.Frame) (done *capi.Event, err error) {
	if e.cheap && len(e.results) == 1 {
		return e.client.table.ExecuteTold(f)
	}
	return nil, e.client.table.Execute(f)
}

// launchAwait is launch and Await of every result, with one event for all.
func (e *Executable) launchAwait(ctx context.Context, args, out []*Buffer) error {
	f, err := e.frame(args)
	if err != nil {
		return err
	}
	defer e.code.frames.Put(f)
	t := e.client.table
	done, on, err := e.fly(f, args, t.ExecuteTold)
	if err != nil {
		return failed("Run", e.String(), err, "")
	}
	defer t.DestroyEvent(done)
	e.takeDonated(args)
	e.adoptResults(f, out, on)
	if on.flight != nil {
		return awaitAll(ctx, out)
	}
	if ctx.Done() != nil {
		if ready, err := t.IsReady(done); err != nil || !ready {
			return awaitAll(ctx, out)
		}
	}
	if t.Await(done) != nil {
		return awaitAll(ctx, out) // each result has the error that it shall keep
	}
	for _, b := range out {
		b.array.ready.Store(true)
	}
	return nil
}

// A journey is the flight of each result of a launch.
type journey struct {
	*flight
	all  bool // of the results, or those of
	some []bool
}

// of returns the flight of result i.
func (j journey) of(i int) *flight {
	if j.all || j.some != nil && j.some[i] {
		return j.flight
	}
	return nil
}

// fly executes a launch, a second time where there was no memory at first.
func (e *Executable) fly(f *capi.Frame, args []*Buffer, execute func(*capi.Frame) (*capi.Event, error)) (*capi.Event, journey, error) {
	flight, waits := e.device.depart(e, args)
	if e.stoppable != nil {
		if flight == nil {
			return nil, journey{}, errors.New("the device cannot read host memory")
		}
		f.In[len(e.args)] = flight.word.ptr
	}
	done, err := execute(f)
	if exhausted(err) {
		e.client.collect()
		done, err = execute(f)
	}
	var result *capi.Buffer
	if err == nil && len(f.Out) > 0 {
		result = f.Out[0]
	}
	e.device.launched(flight, result)
	return done, journey{flight, waits, e.stoppable}, err
}

// frame returns the arguments for the C side, once there is room for the results.
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

// takeDonated ends the buffers whose memory is now that of results.
func (e *Executable) takeDonated(args []*Buffer) {
	for _, i := range e.donated {
		args[i].array.give()
	}
}

func (e *Executable) adoptResults(f *capi.Frame, out []*Buffer, on journey) {
	e.client.counters.launches.Add(1)
	if !e.cheap && len(f.Out) > 0 {
		e.device.runs(f.Out[0])
	}
	for i, ptr := range f.Out {
		out[i] = e.device.adopt(ptr, &e.results[i], e.sizes[i])
		out[i].array.flight = on.of(i)
	}
	e.device.carries(on, out)
}

func exhausted(err error) bool {
	if err == nil {
		return false
	}
	var e *capi.Error
	return errors.As(err, &e) && Code(e.Code) == ResourceExhausted
}

// RunContext launches the program on a goroutine of its own and, with await,
// waits for its results. When ctx ends first it returns ctx's error at once, or
// soon where loops end by it, see [CompileOptions.Stoppable]; what comes of the program is thrown away, and its arguments live until then,
// also if destroyed. A program compiled as Cheap is launched on the calling
// goroutine, which takes microseconds, unless the device may be busy for long.
func (e *Executable) RunContext(ctx context.Context, args, out []*Buffer, await bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.check(args, out); err != nil {
		return err
	}
	if err := e.hold(args); err != nil {
		return err
	}
	if e.cheap && !e.device.busy() {
		defer e.release(args)
		if await {
			return e.launchAwait(ctx, args, out)
		}
		return e.launch(args, out)
	}
	return e.runAside(ctx, slices.Clone(args), out, await)
}

// runAside has results of its own, since nobody reads out when ctx has ended.
func (e *Executable) runAside(ctx context.Context, args, out []*Buffer, await bool) error {
	results := make([]*Buffer, len(out))
	run := func() error {
		defer e.release(args)
		if await {
			return e.launchAwait(context.Background(), args, results)
		}
		return e.launch(args, results)
	}
	err := e.device.work(ctx, run, func() { discard(results) })
	if err == nil { // after any other error results may still be written to
		copy(out, results)
	}
	return err
}

func awaitAll(ctx context.Context, bs []*Buffer) error {
	for _, b := range bs {
		if err := b.Await(ctx); err != nil {
			return err
		}
	}
	return nil
}

func discard(bs []*Buffer) {
	for _, b := range bs {
		if b != nil {
			_ = b.Await(context.Background()) // the device is busy until then
			b.Destroy()
		}
	}
}

// check compares everything that the C side takes on trust.
func (e *Executable) check(args, out []*Buffer) error {
	if e == nil || e.code == nil {
		return refused("Run", "", nil, "", "the executable is nil")
	}
	if len(args) != len(e.args) || len(out) != len(e.results) {
		return refused("Run", e.String(), nil, "", "%d arguments and room for %d results", len(args), len(out))
	}
	for i, a := range args {
		switch {
		case a == nil || a.array.device == nil:
			return refused("Run", e.String(), nil, "", "argument %d is nil", i)
		case a.array.device != e.device:
			return refused("Run", e.String(), nil, "CopyTo moves it", "argument %d is on %s, the program on %s", i, a.array.device, e.device)
		case a.typ != &e.args[i] && !a.typ.equal(&e.args[i]):
			return refused("Run", e.String(), nil, "", "argument %d is %s", i, a.typ)
		}
		if err := a.array.interrupted("Run", e.String()); err != nil {
			return err
		}
	}
	for _, i := range e.donated {
		for k, a := range args {
			if k != i && a == args[i] {
				return refused("Run", e.String(), nil, "", "argument %d is donated and is argument %d too", i, k)
			}
		}
	}
	if e.client.life.ended.Load() {
		return refused("Run", e.String(), ErrClosed, "", "the client is closed")
	}
	return nil
}

// hold keeps the program and its arguments from being freed under the call.
func (e *Executable) hold(args []*Buffer) error {
	if !e.code.life.hold() {
		return refused("Run", e.String(), ErrDestroyed, "", "the executable is destroyed")
	}
	for i, a := range args {
		if !a.array.life.hold() {
			e.release(args[:i])
			return refused("Run", e.String(), ErrDestroyed, "", "argument %d is destroyed", i)
		}
	}
	return nil
}

func (e *Executable) release(args []*Buffer) {
	for _, a := range args {
		a.array.drop()
	}
	e.code.drop()
}
