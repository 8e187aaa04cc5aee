package backend

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// Settings are the settings of one session. In the zero Settings nothing is set.
// They are safe for concurrent use.
type Settings struct {
	mu       sync.Mutex
	backends stack[Profile]
	defaults [families]stack[dtype.DType]
	devices  stack[string]
	modes    stack[bool] // true: the precise mode
	casting  stack[Casting]
	declared declarations
	now      atomic.Pointer[snapshot] // the tops of the stacks; nil: nothing is set
}

// A snapshot is the top of every stack, with the profile and the system that
// follow from them. Each change makes a new one.
type snapshot struct {
	State
	profile Profile
	ivy     *promote.System
}

// initial is the snapshot if nothing is set.
var initial = &snapshot{ivy: promote.IvyPrecise}

// snapshot returns the current snapshot.
func (s *Settings) snapshot() *snapshot {
	if m := s.now.Load(); m != nil {
		return m
	}
	return initial
}

// A State is the top of every stack. It is comparable and can be used as a key.
type State struct {
	Backend  string
	Version  string
	Defaults [families]dtype.DType // Invalid where none is set
	Device   string
	Fast     bool // the precise mode is off
	Casting  Casting
	Declared uint64 // how often declarations have changed
}

// A stack holds the values that are set, the last on top. Entries are pointers,
// so that a Restore finds its own among equal values.
type stack[T any] []*T

// push adds v on top and returns its entry.
func (s *stack[T]) push(v T) *T {
	p := &v
	*s = append(*s, p)
	return p
}

// top returns the last value that is set; ok is false if there is none.
func (s stack[T]) top() (v T, ok bool) {
	if len(s) == 0 {
		return v, false
	}
	return *s[len(s)-1], true
}

// pop removes the last value that is set, if there is one.
func (s *stack[T]) pop() {
	if n := len(*s); n > 0 {
		*s = slices.Delete(*s, n-1, n)
	}
}

// cut removes an entry and all above it.
func (s *stack[T]) cut(p *T) {
	if i := slices.Index(*s, p); i >= 0 {
		*s = slices.Delete(*s, i, len(*s))
	}
}

// A Restore restores the settings from before the call that returned it:
//
//	defer backend.Set("torch")()
type Restore func()

// String returns how to use the Restore, for one that a cell shows.
func (r Restore) String() string {
	return "set; to undo it, keep this function (restore := ...) and call restore()"
}

// set pushes v on the stack st of s. The function that it returns removes v and all values above it.
func set[T any](s *Settings, st *stack[T], v T) Restore {
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

// unset pops the stack st of s.
func unset[T any](s *Settings, st *stack[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st.pop()
	s.changed()
}

// changed publishes a new snapshot; s.mu is held.
func (s *Settings) changed() {
	var m snapshot
	m.profile, _ = s.backends.top()
	m.Backend, m.Version = m.profile.Name, m.profile.Version
	for f := range s.defaults {
		m.Defaults[f], _ = s.defaults[f].top()
	}
	m.Device, _ = s.devices.top()
	if precise, ok := s.modes.top(); ok {
		m.Fast = !precise
	}
	m.Casting, _ = s.casting.top()
	m.Declared = s.declared.changeCount()
	m.ivy = m.Mode().In()
	s.now.Store(&m)
}

// Reset unsets everything.
func (s *Settings) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.casting = nil
	s.declared.reset()
	s.backends, s.devices, s.modes, s.defaults = nil, nil, nil, [families]stack[dtype.DType]{}
	s.changed()
}

// String returns the current settings: "torch 2.2; precise; default dtypes global
// f32, int i32, ...".
func (s *Settings) String() string {
	m := s.snapshot()
	words := []string{m.profile.String(), "precise"}
	if m.Fast {
		words[1] = "not precise"
	}
	var defaults []string
	for f := range families {
		defaults = append(defaults, fmt.Sprintf("%s %s", f, m.Default(f)))
	}
	words = append(words, "default dtypes "+strings.Join(defaults, ", "))
	if m.Device != "" {
		words = append(words, "default device "+m.Device)
	}
	return strings.Join(words, "; ")
}

// State returns the current settings.
func (s *Settings) State() State { return s.snapshot().State }

// Set is the method form of the function Set.
func (s *Settings) Set(name string, version ...string) Restore {
	p, err := ProfileOf(name)
	if err != nil {
		panic(err)
	}
	if len(version) > 0 {
		p.Version = version[0]
	}
	return set(s, &s.backends, p)
}

// Unset is the method form of the function Unset.
func (s *Settings) Unset() { unset(s, &s.backends) }

// With is the method form of the function With.
func (s *Settings) With(name string, f func()) {
	defer s.Set(name)()
	f()
}

// Active is the method form of the function Active.
func (s *Settings) Active() Profile { return s.snapshot().profile }

// Valid is the method form of the function Valid.
func (s *Settings) Valid(k dtype.Kind) []dtype.DType { return s.Active().Valid(k) }

// Invalid is the method form of the function Invalid.
func (s *Settings) Invalid(k dtype.Kind) []dtype.DType { return s.Active().Invalid(k) }

// Native is the method form of the function Native.
func (s *Settings) Native(d dtype.DType) NativeDType { return s.Active().Native(d) }

// Use is the method form of the function Use.
func (s *Settings) Use(d dtype.DType) error { return s.Check("Use", d) }

// Check returns an error of op if the active backend does not have d.
func (s *Settings) Check(op string, d dtype.DType) error { return s.snapshot().profile.Check(op, d) }

// Restricts reports whether a backend is active.
func (s *Settings) Restricts() bool { return s.snapshot().Backend != "" }

// SetPrecise is the method form of the function SetPrecise.
func (s *Settings) SetPrecise(precise bool) Restore { return set(s, &s.modes, precise) }

// UnsetPrecise is the method form of the function UnsetPrecise.
func (s *Settings) UnsetPrecise() { unset(s, &s.modes) }

// PreciseMode is the method form of the function PreciseMode.
func (s *Settings) PreciseMode(precise bool, f func()) {
	defer s.SetPrecise(precise)()
	f()
}

// Precise is the method form of the function Precise.
func (s *Settings) Precise() bool { return !s.snapshot().Fast }

// System returns the system whose rules apply for sys: sys itself, or Ivy's in the current mode if sys
// depends on the mode.
func (s *Settings) System(sys *promote.System) *promote.System {
	if sys.Follows() {
		return s.Ivy()
	}
	return sys
}

// Ivy is the method form of the function Ivy.
func (s *Settings) Ivy() *promote.System { return s.snapshot().ivy }

// SetDefaultDevice is the method form of the function SetDefaultDevice.
func (s *Settings) SetDefaultDevice(name string) Restore { return set(s, &s.devices, name) }

// UnsetDefaultDevice is the method form of the function UnsetDefaultDevice.
func (s *Settings) UnsetDefaultDevice() { unset(s, &s.devices) }

// DefaultDevice is the method form of the function DefaultDevice.
func (s *Settings) DefaultDevice() string { return s.State().Device }

// Frontend returns the promotion system of Ivy's frontend of a framework:
// "torch", "jax", "numpy", "tensorflow". Its Result is that of the frontend's
// promote_types.
func Frontend(name string) *promote.System {
	systems := map[string]*promote.System{
		"torch": promote.Torch, "jax": promote.JAX, "numpy": promote.NumPy, "tensorflow": promote.TensorFlow,
	}
	if s, ok := systems[name]; ok {
		return s
	}
	panic(&dtype.Error{Op: "backend.Frontend", Operands: fmt.Sprintf("%q", name),
		Reason: "unknown frontend", Hint: "give jax, numpy, tensorflow or torch"})
}
