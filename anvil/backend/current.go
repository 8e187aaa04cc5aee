package backend

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// settings are the settings of programs outside of a kernel.
var settings Settings

// Current returns the settings that the functions of this package use. For calls in a cell, the kernel replaces this
// function by one that returns the settings of the cell's session.
func Current() *Settings { return &settings }

// Set makes the backend with the given name active, at the given version or, without one, at the version of its
// profile. The backend determines which dtypes are valid, and what they are called in its framework. The returned
// function restores the previous setting. Set panics with a *dtype.Error if there is no such backend.
func Set(name string, version ...string) Restore { return Current().Set(name, version...) }

// Unset restores the backend that was set before the active one.
func Unset() { Current().Unset() }

// With calls f while the named backend is active. It restores the previous setting when f returns or panics.
func With(name string, f func()) { Current().With(name, f) }

// Active returns the profile of the active backend.
func Active() Profile { return Current().Active() }

// Valid returns the dtypes in the set k that the active backend has, or all of them if no backend is active.
func Valid(k dtype.Kind) []dtype.DType { return Current().Valid(k) }

// Invalid returns Ivy's dtypes in the set k that the active backend lacks.
func Invalid(k dtype.Kind) []dtype.DType { return Current().Invalid(k) }

// Native returns the active backend's own dtype for d.
func Native(d dtype.DType) NativeDType { return Current().Native(d) }

// Use returns an error if d is not valid under the active backend.
func Use(d dtype.DType) error { return Current().Use(d) }

// SetPrecise switches Ivy's precise mode on or off. In precise mode, an integer and a float are promoted to a float
// that is wide enough for the integer. The returned function restores the previous setting. Initially the mode is on.
func SetPrecise(precise bool) Restore { return Current().SetPrecise(precise) }

// UnsetPrecise restores the mode that was set before.
func UnsetPrecise() { Current().UnsetPrecise() }

// PreciseMode calls f with the precise mode on or off. It restores the previous setting when f returns or panics.
func PreciseMode(precise bool, f func()) { Current().PreciseMode(precise, f) }

// Precise reports whether the precise mode is on.
func Precise() bool { return Current().Precise() }

// Ivy returns Ivy's promotion system under the current settings: the precise mode
// and the default dtypes.
func Ivy() *promote.System { return Current().Ivy() }

// SetDefault makes d the default dtype of the family. The returned function restores the previous setting. SetDefault
// panics with a *dtype.Error if d is not of the family's kind, or not valid under the active backend.
func SetDefault(f Family, d dtype.DType) Restore { return Current().SetDefault(f, d) }

// UnsetDefault restores the default dtype of the family that was set before.
func UnsetDefault(f Family) { Current().UnsetDefault(f) }

// WithDefault calls do while d is the default dtype of the family. It restores the previous setting when do returns
// or panics.
func WithDefault(f Family, d dtype.DType, do func()) { Current().WithDefault(f, d, do) }

// Default returns the default dtype of the family. For Global, it is the global default or, if none is set, that for
// Float. For another family, it is the default that is set for the family or, if there is none, the global default if
// that is set and of the family's kind. Without these it is f32 for Float, i32 for Int, ui32 for Uint, and c64 for
// Complex.
func Default(f Family) dtype.DType { return Current().Default(f) }

// DefaultLike returns the default dtype of the family that d belongs to, and i1 for i1.
func DefaultLike(d dtype.DType) dtype.DType { return Current().DefaultLike(d) }

// Infer returns the dtype of a new array: d if d is not dtype.Invalid. Otherwise it depends on item. If item is an
// array, Infer returns its dtype; if item is a dtype, Infer returns item; if item is a number, Infer returns
// the default dtype for the number; if item is nil, Infer returns the global default.
func Infer(d dtype.DType, item any) Inference { return Current().Infer(d, item) }

// SetDefaultDevice sets the device on which tensors are made if no option names a device. The returned function
// restores the previous setting.
func SetDefaultDevice(name string) Restore { return Current().SetDefaultDevice(name) }

// UnsetDefaultDevice restores the default device that was set before.
func UnsetDefaultDevice() { Current().UnsetDefaultDevice() }

// DefaultDevice returns the name of the default device. It returns "", which stands for the first device, if none is
// set.
func DefaultDevice() string { return Current().DefaultDevice() }

// Wrappers returns the wrappers that are applied before every function that makes
// an array, in order. If a backend is active, one of them checks the dtype.
func Wrappers() []Wrapper { return Current().Wrappers() }

// Declare declares which dtypes frameworks support in the operation op. The rules replace all rules that earlier
// calls of Declare in the session have declared for op, and Ivy's rules for op about the same frameworks. Declare
// panics with a *dtype.Error if a rule is not valid or two rules are about the same framework.
func Declare(op string, rules ...Rule) { Current().Declare(op, rules...) }

// WithRule calls f with a Block, whose methods add the rule r to operations and modules. The rule applies in addition
// to other rules, also after f has returned.
func WithRule(r Rule, f func(*Block)) { Current().WithRule(r, f) }

// Rules returns the rules of an operation: first those that the session has declared, then those of
// Ivy's tables.
func Rules(op string) []Rule { return Current().Rules(op) }
