package backend

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// Settings are the stacks of one session. The zero Settings have nothing set.
// They may be used by several goroutines, which then share them.
type Settings struct {
	mu       sync.Mutex
	backends stack[Profile]
	defaults [families]stack[dtype.DType]
	devices  stack[string]
	modes    stack[bool]
	now      atomic.Pointer[State] // nil: nothing is set
}

// A State is what is set at one moment. It may be compared, and used as a key.
type State struct {
	Backend  string
	Version  string
	Defaults [families]dtype.DType // Invalid where none is set
	Device   string
	Fast     bool // out of precise mode
}

var settings Settings

// Current returns the settings that the functions of this package use. In a
// cell they are those of its session.
func Current() *Settings { return &settings }

// A stack holds what is set, the last on top. Entries are told apart by where
// they are, so that a restore finds its own.
type stack[T any] []*T

func (s *stack[T]) push(v T) *T {
	p := &v
	*s = append(*s, p)
	return p
}

// top returns what is set last, or else the zero value.
func (s stack[T]) top() (v T, ok bool) {
	if len(s) == 0 {
		return v, false
	}
	return *s[len(s)-1], true
}

func (s *stack[T]) pop() {
	if n := len(*s); n > 0 {
		*s = slices.Delete(*s, n-1, n)
	}
}

// cut takes an entry away, and all above it.
func (s *stack[T]) cut(p *T) {
	if i := slices.Index(*s, p); i >= 0 {
		*s = slices.Delete(*s, i, len(*s))
	}
}

// set pushes v and returns what makes the stack as it was before.
func set[T any](s *Settings, st *stack[T], v T) (restore func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := st.push(v)
	s.changed()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		st.cut(p)
		s.changed()
	}
}

func unset[T any](s *Settings, st *stack[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st.pop()
	s.changed()
}

// changed publishes what is set now; s is locked.
func (s *Settings) changed() {
	var now State
	p, _ := s.backends.top()
	now.Backend, now.Version = p.Name, p.Version
	for f := range s.defaults {
		now.Defaults[f], _ = s.defaults[f].top()
	}
	now.Device, _ = s.devices.top()
	if precise, ok := s.modes.top(); ok {
		now.Fast = !precise
	}
	s.now.Store(&now)
}

// State returns what is set now.
func (s *Settings) State() State {
	if p := s.now.Load(); p != nil {
		return *p
	}
	return State{}
}

// Set makes the backend of that name, at its own version or the one given, the
// active one, and returns what restores the stack as it was before. The
// dtypes stay what they are; which of them are valid, and their native forms,
// are then the framework's. It panics with a *dtype.Error where there is no
// such backend.
func (s *Settings) Set(name string, version ...string) (restore func()) {
	p, err := ProfileOf(name)
	if err != nil {
		panic(err)
	}
	if len(version) > 0 {
		p.Version = version[0]
	}
	return set(s, &s.backends, p)
}

// Unset goes back to the backend that was set before the active one.
func (s *Settings) Unset() { unset(s, &s.backends) }

// With calls f with the backend of that name active; afterwards, also where f
// panics, the stack is as it was before.
func (s *Settings) With(name string, f func()) {
	defer s.Set(name)()
	f()
}

// Active returns the profile of the active backend.
func (s *Settings) Active() Profile {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, _ := s.backends.top()
	return p
}

// Valid returns the dtypes in the set k that the active backend has: all of
// them without one.
func (s *Settings) Valid(k dtype.Kind) []dtype.DType { return s.Active().Valid(k) }

// Invalid returns those of Ivy's dtypes in the set k that the active backend
// lacks.
func (s *Settings) Invalid(k dtype.Kind) []dtype.DType { return s.Active().Invalid(k) }

// Native returns the active backend's own dtype for d.
func (s *Settings) Native(d dtype.DType) NativeDType { return s.Active().Native(d) }

// Use returns an error where d is not valid under the active backend.
func (s *Settings) Use(d dtype.DType) error { return s.Check("Use", d) }

// Check returns an error where op may not use d under the active backend. It
// costs little where none is set.
func (s *Settings) Check(op string, d dtype.DType) error {
	if now := s.now.Load(); now == nil || now.Backend == "" {
		return nil
	}
	return s.Active().Check(op, d)
}

// SetPrecise sets Ivy's precise mode, in which a float that an integer meets
// is made wide enough for it, and returns what restores the stack as it was
// before. It starts precise.
func (s *Settings) SetPrecise(precise bool) (restore func()) { return set(s, &s.modes, precise) }

// UnsetPrecise goes back to the mode that was set before.
func (s *Settings) UnsetPrecise() { unset(s, &s.modes) }

// PreciseMode calls f in the precise mode, or out of it; afterwards, also where
// f panics, the stack is as it was before.
func (s *Settings) PreciseMode(precise bool, f func()) {
	defer s.SetPrecise(precise)()
	f()
}

// Precise reports whether the precise mode is on.
func (s *Settings) Precise() bool { return !s.State().Fast }

// Ivy returns Ivy's promotion system as the settings have it now: its mode and
// its default dtypes.
func (s *Settings) Ivy() *promote.System {
	if !s.Precise() {
		return promote.IvyFast
	}
	return promote.IvyPrecise
}

// SetDefaultDevice makes tensors on the device of that name unless an option
// says otherwise, and returns what restores the stack as it was before.
func (s *Settings) SetDefaultDevice(name string) (restore func()) { return set(s, &s.devices, name) }

// UnsetDefaultDevice goes back to the default device that was set before.
func (s *Settings) UnsetDefaultDevice() { unset(s, &s.devices) }

// DefaultDevice returns the device that is set; "" is the first one.
func (s *Settings) DefaultDevice() string { return s.State().Device }

// Frontend returns the promotion system that Ivy's frontend of a framework
// follows: "torch", "jax", "numpy", "tensorflow". Its Result is what
// promote_types of that frontend gives.
func Frontend(name string) *promote.System {
	systems := map[string]*promote.System{"torch": promote.Torch, "jax": promote.JAX, "numpy": promote.NumPy, "tensorflow": promote.TensorFlow}
	if s, ok := systems[name]; ok {
		return s
	}
	panic(&dtype.Error{Op: "backend.Frontend", Operands: fmt.Sprintf("%q", name),
		Reason: "there is no frontend of this name", Hint: "there are jax, numpy, tensorflow, torch"})
}
