package capi

import (
	"sync"
	"unsafe"
)

// A pool keeps argument structs for reuse. It is used for calls that every launch makes: a pointer
// passed to C escapes to the heap, so that each call would allocate a struct without the pool.
type pool[A any] struct{ p sync.Pool }

// Get returns a struct, which may have the contents of an earlier call.
func (p *pool[A]) Get() *A {
	if a, ok := p.p.Get().(*A); ok {
		return a
	}
	return new(A)
}

// Put returns a struct to the pool.
func (p *pool[A]) Put(a *A) { p.p.Put(a) }

var (
	bufferPointerFrames pool[BufferUnsafePointerArgs]
	bufferDestroyFrames pool[BufferDestroyArgs]
	bufferReadyFrames   pool[BufferReadyEventArgs]
	eventAwaitFrames    pool[EventAwaitArgs]
	eventOnReadyFrames  pool[EventOnReadyArgs]
	eventDestroyFrames  pool[EventDestroyArgs]
)

// A Frame holds the arguments and results of one launch on one device. It can be reused.
type Frame struct {
	In  []*Buffer // filled by the caller
	Out []*Buffer // filled by Execute

	args            LoadedExecutableExecuteArgs
	options         ExecuteOptions
	inList, outList [1]unsafe.Pointer // the addresses of In and of Out, for each device
	done            [1]*Event         // the event of ExecuteWithEvent, for each device
}

// NewFrame returns a frame for an executable with the given numbers of arguments and results.
func NewFrame(e *LoadedExecutable, arguments, results int) *Frame {
	f := &Frame{In: make([]*Buffer, arguments), Out: make([]*Buffer, results)}
	f.options.StructSize = uint64(unsafe.Sizeof(f.options))
	f.inList[0] = unsafe.Pointer(unsafe.SliceData(f.In))
	f.outList[0] = unsafe.Pointer(unsafe.SliceData(f.Out))
	f.args = LoadedExecutableExecuteArgs{
		Executable: e, Options: &f.options, NumDevices: 1, NumArgs: uint64(arguments),
		ArgumentLists: unsafe.Pointer(&f.inList), OutputLists: unsafe.Pointer(&f.outList),
	}
	return f
}

// Execute launches the program. f.Out then holds the results, which may not be computed yet.
func (t *Table) Execute(f *Frame) error {
	clear(f.Out)
	f.args.DeviceCompleteEvents = nil
	return t.CallLoadedExecutableExecute(&f.args)
}

// ExecuteWithEvent launches the program, as Execute does, and returns an event that happens
// when all results are computed. The caller must destroy it.
func (t *Table) ExecuteWithEvent(f *Frame) (*Event, error) {
	clear(f.Out)
	f.done[0] = nil
	f.args.DeviceCompleteEvents = unsafe.Pointer(&f.done)
	err := t.CallLoadedExecutableExecute(&f.args)
	return f.done[0], err
}
