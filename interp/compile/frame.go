package compile

import (
	"go/token"
	"reflect"
	"runtime/debug"
	"sync"
	"time"
	"unsafe"

	"github.com/goanvil/notebook/anvil/goroutine"
)

// A frame is the header of the memory of one call. The registers follow it: first structs and arrays with pointers,
// then other values with pointers, then everything else.
type frame struct {
	th         *thread
	code       *code
	caller     *frame
	pos        token.Pos // the position of the current call or of a step that may fail
	depth      int
	deferred   []deferredCall // not yet run; the last runs first
	panicking  *panicRecord   // the panic that unwinds the frame, or nil
	deferredBy *frame         // the frame that deferred this call, or nil
	isRelay    bool           // the frame only makes a deferred call; see relayFrame
	reported   bool           // Hooks.Unwound has been called for this frame

	deferring bool      // the deferred calls have begun
	returnPos token.Pos // if deferring is set, the position of the return statement, or NoPos in a panic
}

// An op is one step of a function. fr is the *frame of the call.
type op func(fr unsafe.Pointer)

// A block is a list of steps and the function that returns the next block, or nil at the end of the call.
type block struct {
	ops   []op
	next  func(fr unsafe.Pointer) *block
	polls bool      // ends in a back-edge, or is the first block of a function that calls others
	pos   token.Pos // if polls is set, the position at which an interrupt ends the call
}

// A code is a compiled function.
type code struct {
	name       string         // as the runtime prints it
	pos        token.Pos      // the position of the declaration
	exprStarts exprStarts     // of the cell; for positions in tracebacks
	typ        unsafe.Pointer // the descriptor of the type of its frames
	index      int            // the number of the code in the session
	weight     int            // what a call adds to the depth; see maxDepth
	stop       chan struct{}  // holds an element if Hooks.Poll must be called
	first      *block
	recover    *block // the block that returns after a recovered panic
	defers     bool   // has defer statements
	entry      bool   // holds the statements of a cell
	isWrapper  bool   // only calls a method; if the wrapper is deferred, the method can recover panics

	aggregates  unsafe.Pointer            // the descriptor of the struct of the aggregates, or nil
	pointersAt  uintptr                   // offset of the pointers
	numPointers int                       // number of pointers cleared when a frame is freed
	fills       []func(fr unsafe.Pointer) // in a new frame, set the registers that calls do not change
	params      []register
	results     []register
	captured    []register
	funcType    reflect.Type // the type as a Go function

	dead map[token.Pos][]*register // registers not used after the calls at a position; nil if not known

	references references
	reach      *reach // nil until computed
}

// A thread is the state shared by all compiled calls in progress in one goroutine.
type thread struct {
	s            *Session
	top          *frame
	holdsMapLock bool // the current step has locked the map that it uses

	measureAt int // the depth of calls above which runDeep measures the stack

	// owner is the key of the goroutine that Session.owns last found to be the session's, and ended is s.ended at
	// that time.
	owner uintptr
	ended uint64

	free [][]*frame // free frames, by the index of their code

	allocated uint64 // bytes of small allocations since the available memory was measured

	turnEnds time.Time // when the goroutine's turn in a crowd ends

	// The arguments and results of the current call of a rawCall.
	in     wordsIn
	ptrs   [maxOut]unsafe.Pointer
	ints   [maxOut]uintptr
	floats floatsOut
}

// maxFree is the number of free frames of a function that a thread keeps.
const maxFree = 32

// threads holds threads that no goroutine uses now.
var threads = sync.Pool{New: func() any { return new(thread) }}

// newFrame returns a frame for a call of c.
func (th *thread) newFrame(c *code) *frame {
	if c.index < len(th.free) {
		list := th.free[c.index]
		if n := len(list); n > 0 {
			fr := list[n-1]
			th.free[c.index] = list[:n-1]
			return fr
		}
	}
	return th.makeFrame(c)
}

// makeFrame allocates a frame for calls of c.
func (th *thread) makeFrame(c *code) *frame {
	fr := (*frame)(newObject(c.typ))
	fr.th, fr.code = th, c
	for _, f := range c.fills {
		f(unsafe.Pointer(fr))
	}
	return fr
}

// drop returns a frame to the free list of its code.
func (th *thread) drop(fr *frame) {
	c := fr.code
	if c.numPointers > 0 {
		clear(unsafe.Slice((*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(fr), c.pointersAt)), c.numPointers))
	}
	if c.aggregates != nil {
		typedClear(c.aggregates, unsafe.Add(unsafe.Pointer(fr), headerSize))
	}
	fr.caller, fr.panicking, fr.deferredBy, fr.reported, fr.isRelay, fr.deferring = nil, nil, nil, false, false, false
	for len(th.free) <= c.index {
		th.free = append(th.free, nil)
	}
	if list := th.free[c.index]; len(list) < maxFree {
		th.free[c.index] = append(list, fr)
	}
}

// headerSize is the offset of the registers in frames.
const headerSize = unsafe.Sizeof(frame{})

// run makes the call of fr, whose parameters are set.
func (fr *frame) run() {
	if fr.code.defers {
		fr.runWithDefers()
		return
	}
	fr.runBlocks(fr.code.first)
}

// runBlocks runs b and the blocks that follow b.
func (fr *frame) runBlocks(b *block) {
	p := unsafe.Pointer(fr)
	stop := fr.code.stop
	for b != nil {
		for _, f := range b.ops {
			f(p)
		}
		if b.polls && len(stop) > 0 {
			fr.pos = b.pos
			fr.th.poll()
		}
		b = b.next(p)
	}
}

// call makes a call from fr: it runs next, whose parameters are set.
func (fr *frame) call(next *frame) {
	th := fr.th
	next.caller = fr
	next.depth = fr.depth + next.code.weight
	th.top = next
	if next.depth > th.measureAt {
		next.runDeep()
	} else {
		next.run()
	}
	th.top = fr
}

// Limits on nested calls. The depth of a call is that of its caller plus one, plus one for each frameUnit bytes of its
// frame. Each time the depth has grown by measureEvery, the goroutine's stack is measured. Go ends the process when a
// stack of 512 MiB is full; the space between maxStack and that limit is for functions of packages, which do not check
// the stack.
const (
	maxDepth     = 500_000
	frameUnit    = 1 << 10
	maxStack     = 320 << 20
	measureEvery = 10_000
)

// runDeep runs a frame whose depth is above th.measureAt. It measures the stack first.
func (fr *frame) runDeep() {
	th := fr.th
	if fr.depth > maxDepth || goroutine.StackUsed() > maxStack {
		th.s.Hooks.Overflow()
	}
	defer func(depth int) { th.measureAt = depth }(th.measureAt)
	th.measureAt = min(fr.depth+measureEvery, maxDepth)
	fr.run()
}

// Own makes the calling goroutine one of the session's until release is called. The caller must recover panics, which
// otherwise end the process. A fault at an invalid address panics too.
func (s *Session) Own() (release func()) {
	key := goroutine.Key()
	s.owned.Store(key, true)
	s.maps.add()
	s.crowd.goroutines.Add(1)
	fault := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(fault)
		s.crowd.end()
		s.maps.remove()
		s.owned.Delete(key)
		s.ended.Add(1)
	}
}

// owns reports whether the calling goroutine is one of the session's.
func (s *Session) owns(th *thread) bool {
	key, ended := goroutine.Key(), s.ended.Load()
	if th.owner == key && th.ended == ended {
		return true
	}
	if _, ok := s.owned.Load(key); !ok {
		return false
	}
	th.owner, th.ended = key, ended
	return true
}

// enter runs fr, a frame that begin returned and whose parameters are set. Afterwards the caller reads the results and
// calls exit. If the calling goroutine is not one of the session's, endPackageCall handles a panic.
func (s *Session) enter(fr *frame) {
	if s.owns(fr.th) {
		s.enterOwned(fr)
		return
	}
	defer s.Own()()
	done := false
	defer func() {
		if !done {
			s.endByPackage(fr, recover())
		}
	}()
	most := fr.maxByteCount()
	s.enterOwned(fr)
	done = true
	fr.checkByteCount(most)
}

// enterOwned is enter in a goroutine of the session.
func (s *Session) enterOwned(fr *frame) {
	th := fr.th
	done := false
	fr.depth = 1
	fr.caller = th.top
	if s.numIndirectDefers.Load() > 0 {
		fr.deferredBy = s.takeIndirectDefer()
	}
	above := th.top
	th.top = fr
	if fr.code.entry {
		s.cell.Store(th)
	}
	defer func() {
		if fr.code.entry {
			s.cell.Store(nil)
		}
		if !done {
			th.reportUnwound(above)
		}
		th.top = above
	}()
	if s.mustPoll() {
		th.poll()
	}
	if goroutine.StackUsed() > maxStack {
		s.Hooks.Overflow()
	}
	fr.run()
	done = true
}

// begin returns a frame of c on a thread that is not in use: for a call of c by a package or by another session, or for
// the goroutine of a go statement in c.
func (s *Session) begin(c *code) *frame {
	th := threads.Get().(*thread)
	if th.s != s {
		*th = thread{s: s, measureAt: measureEvery}
	}
	return th.newFrame(c)
}

// exit frees a frame that begin returned, after the call.
func (s *Session) exit(fr *frame) {
	th := fr.th
	th.drop(fr)
	if fr.code.entry {
		th.free = nil // other cells do not call many of these functions
	}
	threads.Put(th)
}

// Where returns the positions of the innermost calls in progress in the running cell, the innermost first. The cell may
// continue to run in the meantime.
func (s *Session) Where() (list []token.Pos) {
	th := s.cell.Load()
	if th == nil {
		return nil
	}
	const most = 100
	for fr := th.top; fr != nil && len(list) < most; fr = fr.caller {
		list = append(list, fr.code.exprStarts.of(fr.pos))
	}
	return list
}

// reportUnwound calls Hooks.Unwound for the frames that a panic unwinds, from the innermost up to but excluding end.
func (th *thread) reportUnwound(end *frame) {
	th.s.maps.end() // the step that has panicked may have used a map
	for fr := th.top; fr != nil && fr != end; fr = fr.caller {
		if !fr.reported {
			th.s.unwound.Store(true)
			th.s.Hooks.Unwound(fr.code.exprStarts.of(fr.pos))
		}
	}
}
