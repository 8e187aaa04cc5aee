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
	precise  stack[bool] // whether the precise mode is on
	casting  stack[Casting]
	declared declarations
	current  atomic.Pointer[snapshot] // the current values; nil if nothing was ever set
}

// A snapshot has the current value of each setting, and the profile and the promotion
// system that follow from them. It is never changed: each change of a setting makes a new one.
type snapshot struct {
	State
	profile Profile
	ivy     *promote.System
}

// initial is the snapshot if nothing was ever set.
var initial = &snapshot{ivy: promote.IvyPrecise}

// snapshot returns the current snapshot.
func (s *Settings) snapshot() *snapshot {
	if m := s.current.Load(); m != nil {
		return m
	}
	return initial
}

// A State has the current value of each setting. It is comparable, so that it can be the key of a map.
type State struct {
	Backend  string
	Version  string
	Defaults [families]dtype.DType // Invalid for families without a default that is set
	Device   string
	Fast     bool // the precise mode is off
	Casting  Casting
	Declared uint64 // the number of changes of the declared rules; it stands for the rules
}

// A stack holds the values of a setting, with the current value on top. Entries are pointers, so
// that a Restore can find its own entry among entries with equal values.
type stack[T any] []*T

// push adds v on top and returns the new entry.
func (s *stack[T]) push(v T) *T {
	p := &v
	*s = append(*s, p)
	return p
}

// top returns the value on top. ok is false if the stack is empty.
func (s stack[T]) top() (v T, ok bool) {
	if len(s) == 0 {
		return v, false
	}
	return *s[len(s)-1], true
}

// pop removes the value on top, if there is one.
func (s *stack[T]) pop() {
	if n := len(*s); n > 0 {
		*s = slices.Delete(*s, n-1, n)
	}
}

// cut removes the entry p and all entries above it, unless p has been removed already.
func (s *stack[T]) cut(p *T) {
	if i := slices.Index(*s, p); i >= 0 {
		*s = slices.Delete(*s, i, len(*s))
	}
}

// A Restore restores a setting to its value before the call that returned the Restore:
//
//	defer backend.Set("torch")()
type Restore func()

// String returns a text that says how to use the Restore. It is shown if a Restore is the result of a cell.
func (r Restore) String() string {
	return "set; to undo it, keep this function (restore := ...) and call restore()"
}

// set pushes v on st, a stack of s. The returned Restore removes v and all values above it.
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

// unset pops st, a stack of s.
func unset[T any](s *Settings, st *stack[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st.pop()
	s.changed()
}

// changed makes a new snapshot after a change. The caller holds s.mu.
func (s *Settings) changed() {
	var m snapshot
	m.profile, _ = s.backends.top()
	m.Backend, m.Version = m.profile.Name, m.profile.Version
	for f := range s.defaults {
		m.Defaults[f], _ = s.defaults[f].top()
	}
	m.Device, _ = s.devices.top()
	if precise, ok := s.precise.top(); ok {
		m.Fast = !precise
	}
	m.Casting, _ = s.casting.top()
	m.Declared = s.declared.changeCount()
	m.ivy = m.Mode().In()
	s.current.Store(&m)
}

// Reset unsets all settings and removes all declared rules.
func (s *Settings) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.casting = nil
	s.declared.reset()
	s.backends, s.devices, s.precise, s.defaults = nil, nil, nil, [families]stack[dtype.DType]{}
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
func (s *Settings) SetPrecise(precise bool) Restore { return set(s, &s.precise, precise) }

// UnsetPrecise is the method form of the function UnsetPrecise.
func (s *Settings) UnsetPrecise() { unset(s, &s.precise) }

// PreciseMode is the method form of the function PreciseMode.
func (s *Settings) PreciseMode(precise bool, f func()) {
	defer s.SetPrecise(precise)()
	f()
}

// Precise is the method form of the function Precise.
func (s *Settings) Precise() bool { return !s.snapshot().Fast }

// System returns the promotion system whose rules apply to sys: Ivy's system under the current settings if sys
// follows them (see promote.System.Follows), and sys itself otherwise.
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

// Frontend returns the promotion system of Ivy's frontend for a framework: "torch", "jax",
// "numpy" or "tensorflow". The system's Result is the result of promote_types of the frontend.
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
