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

// Settings are the stacks of one session. The zero Settings have nothing set.
// They may be used by several goroutines, which then share them.
type Settings struct {
	mu       sync.Mutex
	backends stack[Profile]
	defaults [families]stack[dtype.DType]
	devices  stack[string]
	modes    stack[bool]
	casting  stack[Casting]
	declared declarations
	now      atomic.Pointer[moment] // nil: nothing is set
}

// A moment is what the stacks amount to, worked out when one changes.
type moment struct {
	State
	profile Profile
	ivy     *promote.System
}

var nothing = &moment{ivy: promote.IvyPrecise}

func (s *Settings) moment() *moment {
	if m := s.now.Load(); m != nil {
		return m
	}
	return nothing
}

// A State is what is set at one moment. It may be compared, and used as a key.
type State struct {
	Backend  string
	Version  string
	Defaults [families]dtype.DType // Invalid where none is set
	Device   string
	Fast     bool // out of precise mode
	Casting  Casting
	Declared uint64 // counts declarations
}

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

func unset[T any](s *Settings, st *stack[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st.pop()
	s.changed()
}

// changed publishes what is set now; s is locked.
func (s *Settings) changed() {
	var m moment
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
	m.Declared = s.declared.version()
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

// String says what is set now: "torch 2.2; precise; global f32, int i32, ...".
func (s *Settings) String() string {
	m := s.moment()
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

// State returns what is set now.
func (s *Settings) State() State { return s.moment().State }

// Set is the function Set.
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

// Unset is the function Unset.
func (s *Settings) Unset() { unset(s, &s.backends) }

// With is the function With.
func (s *Settings) With(name string, f func()) {
	defer s.Set(name)()
	f()
}

// Active is the function Active.
func (s *Settings) Active() Profile { return s.moment().profile }

// Valid is the function Valid.
func (s *Settings) Valid(k dtype.Kind) []dtype.DType { return s.Active().Valid(k) }

// Invalid is the function Invalid.
func (s *Settings) Invalid(k dtype.Kind) []dtype.DType { return s.Active().Invalid(k) }

// Native is the function Native.
func (s *Settings) Native(d dtype.DType) NativeDType { return s.Active().Native(d) }

// Use is the function Use.
func (s *Settings) Use(d dtype.DType) error { return s.Check("Use", d) }

// Check returns an error where op may not use d under the active backend.
func (s *Settings) Check(op string, d dtype.DType) error { return s.moment().profile.Check(op, d) }

// Restricts reports whether a backend is active that lacks dtypes.
func (s *Settings) Restricts() bool { return s.moment().Backend != "" }

// SetPrecise is the function SetPrecise.
func (s *Settings) SetPrecise(precise bool) Restore { return set(s, &s.modes, precise) }

// UnsetPrecise is the function UnsetPrecise.
func (s *Settings) UnsetPrecise() { unset(s, &s.modes) }

// PreciseMode is the function PreciseMode.
func (s *Settings) PreciseMode(precise bool, f func()) {
	defer s.SetPrecise(precise)()
	f()
}

// Precise is the function Precise.
func (s *Settings) Precise() bool { return !s.moment().Fast }

// Ivy is the function Ivy.
func (s *Settings) Ivy() *promote.System { return s.moment().ivy }

// SetDefaultDevice is the function SetDefaultDevice.
func (s *Settings) SetDefaultDevice(name string) Restore { return set(s, &s.devices, name) }

// UnsetDefaultDevice is the function UnsetDefaultDevice.
func (s *Settings) UnsetDefaultDevice() { unset(s, &s.devices) }

// DefaultDevice is the function DefaultDevice.
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
