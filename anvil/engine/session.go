// Package engine turns operations that are written one by one into programs. It keeps a graph of pending
// operations. When a value is read, the engine collects the operations that the value needs into a program. It
// finds the compiled program in memory or on disk, or compiles it, and runs it.
//
// Which program computes a value depends only on the operations written, never on the garbage collector or the
// clock.
package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
)

// MaxOps is the greatest number of operations in a program that was not made by Jit.
const MaxOps = 512

// Options configure a Session. The zero value is ready to use.
type Options struct {
	Backend     string                 // "xla" or "reference"; "": GOANVIL_BACKEND, or XLA if a plugin is found
	Plugin      string                 // path of a PJRT plugin; "": the first installed one that works
	Device      string                 // default device, such as "cpu:0"; "": the first one
	Devices     int                    // virtual devices of a CPU plugin; 0: GOANVIL_DEVICES, or 1
	Eager       bool                   // compute each operation at once; also GOANVIL_EAGER=1
	NoDiskCache bool                   // keep no compiled programs on disk
	Compiled    bool                   // compile small programs instead of running them in Go; also GOANVIL_COMPILED=1
	Log         func(line string)      // receives messages for the user; may be nil
	Interrupt   func() context.Context // returns the context whose end interrupts the session; may be nil

	// Compiling is called before a program is compiled, with the number of its operations. It
	// returns a function that is called when the compilation has ended. Compiling may be nil, and it
	// may be called by several goroutines at a time.
	Compiling func(operations int) (done func())

	Executor Executor // used instead of Backend if not nil
}

// A Session holds a pending graph, the caches of programs, and an executor.
type Session struct {
	options   Options
	eager     bool
	serial    atomic.Uint64 // the last serial given to a node or a trace
	sem       chan struct{} // the session's lock: it is full while the lock is held
	finishing atomic.Bool   // see Finishing
	donations [][]*node     // the arrays of the latest calls of Donate; guarded by sem

	watching  atomic.Bool  // each operation is computed at once and examined: see Watch and Observe
	examining atomic.Int32 // the number of running calls of FindNaN that examine the operations of regions
	watchMu   sync.Mutex   // guards the next two fields and the Observation
	observed  *Observation // of the current Observe; if nil, a NaN in a watched operation is an error
	infinity  string       // see Infinity

	start    sync.Once // sets the next three fields
	exec     Executor
	startErr error
	ready    atomic.Bool // exec and startErr are set

	recordings recordings // the traces whose functions are being called
	scopes     scopes
	twinsMu    sync.Mutex // guards node.twin

	recent   recent               // the latest operations; the method look selects some of them to compute
	recipes  recipes              // how the results of the latest launches were made, for FindNaN
	plan     plan                 // the plan of the program that is being made; reused
	programs programs             // the compiled programs
	scalars  map[scalarKey]Buffer // the scalars that the current cell has put on devices
	args     []Buffer             // reused by execute
	out      []Buffer             // reused by execute

	hits, largest atomic.Int64 // see Stats
	compileTime   atomic.Int64
	traceTime     atomic.Int64
	compilations  compilations
	programCount  atomic.Int64
	warned        atomic.Bool // logAbandoned has logged in this cell
}

// A scalarKey identifies a scalar on a device.
type scalarKey struct {
	dtype  uint8
	device int
	bits   [16]byte
}

// New returns a session. Its executor is found when it is first needed.
func New(o Options) *Session {
	if o.Interrupt == nil {
		o.Interrupt = context.Background
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	o.Compiled = o.Compiled || os.Getenv("GOANVIL_COMPILED") == "1"
	s := &Session{options: o, eager: o.Eager || os.Getenv("GOANVIL_EAGER") == "1", sem: make(chan struct{}, 1)}
	s.plan.ids = map[any]uint64{}
	s.scalars = map[scalarKey]Buffer{}
	return s
}

var errEscaped = errors.New("a tensor from inside a traced function is used outside of it; " +
	"return it from the function instead")

// lock acquires the session's lock. If the session is interrupted first, it returns an error.
func (s *Session) lock() error {
	select {
	case s.sem <- struct{}{}:
		return nil
	default:
	}
	ctx := s.options.Interrupt()
	select {
	case s.sem <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// unlock releases the session's lock.
func (s *Session) unlock() { <-s.sem }

// executor returns the executor. The first call finds it.
func (s *Session) executor() (Executor, error) {
	if s.ready.Load() {
		return s.exec, s.startErr
	}
	s.start.Do(func() {
		s.exec, s.startErr = s.options.Executor, nil
		if s.exec == nil {
			s.exec, s.startErr = findExecutor(s.options)
		}
		s.ready.Store(true)
	})
	return s.exec, s.startErr
}

// Start finds the executor. It returns an error if there is none.
func (s *Session) Start() error { _, err := s.executor(); return err }

// Name returns the executor's name, or "none" if there is none.
func (s *Session) Name() string {
	if e, err := s.executor(); err == nil {
		return e.Name()
	}
	return "none"
}

// Platform returns the executor's platform, such as "CPU", or "NONE".
func (s *Session) Platform() string {
	if e, err := s.executor(); err == nil {
		return e.Platform()
	}
	return "NONE"
}

// DeviceNames returns the names of the devices.
func (s *Session) DeviceNames() []string {
	if e, err := s.executor(); err == nil {
		return e.Devices()
	}
	return nil
}

// DeviceName returns the name of device i, or "none".
func (s *Session) DeviceName(i int) string {
	if names := s.DeviceNames(); i >= 0 && i < len(names) {
		return names[i]
	}
	return "none"
}

// deviceIndex returns the index of the device with the given name; "cpu" is "cpu:0".
func (s *Session) deviceIndex(name string) (int, error) {
	e, err := s.executor()
	if err != nil {
		return 0, err
	}
	for i, n := range e.Devices() {
		if n == name || n == name+":0" {
			return i, nil
		}
	}
	hint := ""
	if e.Platform() == "CPU" && len(e.Devices()) == 1 {
		hint = "; set " + devicesVariable + "=4 in the environment to use the CPU as four devices"
	}
	return 0, fmt.Errorf("there is no device %q; devices are %s%s", name, strings.Join(e.Devices(), ", "), hint)
}

// Close closes the executor.
func (s *Session) Close() error {
	if s.ready.Load() && s.exec != nil {
		return s.exec.Close()
	}
	return nil
}
