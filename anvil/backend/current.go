package backend

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// settings are the settings outside of a cell.
var settings Settings

// Current returns the settings that the functions of this package use. In a cell the kernel replaces this function
// by one that returns the settings of the cell's session.
func Current() *Settings { return &settings }

// Set makes the backend with the given name active, at the given version or the profile's own. The returned
// function restores the previous setting. A backend determines which dtypes are valid, and their native forms. Set
// panics with a *dtype.Error if there is no such backend.
func Set(name string, version ...string) Restore { return Current().Set(name, version...) }

// Unset restores the backend that was set before the active one.
func Unset() { Current().Unset() }

// With calls f with the backend of that name active, and then restores the previous setting, even if f panics.
func With(name string, f func()) { Current().With(name, f) }

// Active returns the profile of the active backend.
func Active() Profile { return Current().Active() }

// Valid returns the dtypes in the set k that the active backend has, or all of them if no backend is active.
func Valid(k dtype.Kind) []dtype.DType { return Current().Valid(k) }

// Invalid returns those of Ivy's dtypes in the set k that the active backend
// lacks.
func Invalid(k dtype.Kind) []dtype.DType { return Current().Invalid(k) }

// Native returns the active backend's own dtype for d.
func Native(d dtype.DType) NativeDType { return Current().Native(d) }

// Use returns an error if d is not valid under the active backend.
func Use(d dtype.DType) error { return Current().Use(d) }

// SetPrecise switches Ivy's precise mode, in which an integer and a float give a float wide enough for the
// integer. The returned function restores the previous setting. Initially the mode is on.
func SetPrecise(precise bool) Restore { return Current().SetPrecise(precise) }

// UnsetPrecise restores the mode that was set before.
func UnsetPrecise() { Current().UnsetPrecise() }

// PreciseMode calls f with the precise mode on or off, and then restores the previous setting, even if f panics.
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

// WithDefault calls do with d as the default dtype of the family, and then restores the previous setting, even if do
// panics.
func WithDefault(f Family, d dtype.DType, do func()) { Current().WithDefault(f, d, do) }

// Default returns the default dtype of the family: the one set for it, or the global one if that is set and
// of the family's kind. Otherwise it is f32 for Global and Float, i32 for Int, ui32 for Uint, and c64 for Complex.
// If only the float default is set, it is also the global default.
func Default(f Family) dtype.DType { return Current().Default(f) }

// DefaultLike returns the default dtype of the family that d belongs to, and i1 for i1.
func DefaultLike(d dtype.DType) dtype.DType { return Current().DefaultLike(d) }

// Infer returns the dtype of a new array: d, unless d is dtype.Invalid. If it is, Infer returns the dtype of item
// if that is an array or a dtype, the default dtype for item if that is a number, and the global default if item
// is nil.
func Infer(d dtype.DType, item any) Inference { return Current().Infer(d, item) }

// SetDefaultDevice sets the device on which tensors are made if no option names one. The returned function
// restores the previous setting.
func SetDefaultDevice(name string) Restore { return Current().SetDefaultDevice(name) }

// UnsetDefaultDevice restores the default device that was set before.
func UnsetDefaultDevice() { Current().UnsetDefaultDevice() }

// DefaultDevice returns the default device; "" is the first device.
func DefaultDevice() string { return Current().DefaultDevice() }

// Wrappers returns the wrappers that are applied before every function that makes
// an array, in order. Under a backend they check the dtype too.
func Wrappers() []Wrapper { return Current().Wrappers() }

// Declare declares which dtypes frameworks support in the operation op. The rules replace all rules that the
// session has declared for op before, and Ivy's own rules for op about the same frameworks. Declare panics
// with a *dtype.Error if the rules contradict each other.
func Declare(op string, rules ...Rule) { Current().Declare(op, rules...) }

// WithRule calls f with a Block, whose methods add the rule to operations and modules, in addition to the rules
// that are declared for them. The added rules stay when f returns.
func WithRule(r Rule, f func(*Block)) { Current().WithRule(r, f) }

// Rules returns the rules of an operation: those of the session, then those of
// the tables.
func Rules(op string) []Rule { return Current().Rules(op) }
