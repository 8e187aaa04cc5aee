package backend

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

var settings Settings

// Current returns the settings that the functions of this package use. In a
// cell they are those of its session.
func Current() *Settings { return &settings }

// Set makes the backend of that name, at its own version or the one given, the
// active one, and returns what restores the stack as it was before. The
// dtypes stay what they are; which of them are valid, and their native forms,
// are then the framework's. It panics with a *dtype.Error where there is no
// such backend.
func Set(name string, version ...string) Restore { return Current().Set(name, version...) }

// Unset goes back to the backend that was set before the active one.
func Unset() { Current().Unset() }

// With calls f with the backend of that name active; afterwards, also where f
// panics, the stack is as it was before.
func With(name string, f func()) { Current().With(name, f) }

// Active returns the profile of the active backend.
func Active() Profile { return Current().Active() }

// Valid returns the dtypes in the set k that the active backend has: all of
// them without one.
func Valid(k dtype.Kind) []dtype.DType { return Current().Valid(k) }

// Invalid returns those of Ivy's dtypes in the set k that the active backend
// lacks.
func Invalid(k dtype.Kind) []dtype.DType { return Current().Invalid(k) }

// Native returns the active backend's own dtype for d.
func Native(d dtype.DType) NativeDType { return Current().Native(d) }

// Use returns an error where d is not valid under the active backend.
func Use(d dtype.DType) error { return Current().Use(d) }

// SetPrecise sets Ivy's precise mode, in which a float that an integer meets
// is made wide enough for it, and returns what restores the stack as it was
// before. It starts precise.
func SetPrecise(precise bool) Restore { return Current().SetPrecise(precise) }

// UnsetPrecise goes back to the mode that was set before.
func UnsetPrecise() { Current().UnsetPrecise() }

// PreciseMode calls f in the precise mode, or out of it; afterwards, also where
// f panics, the stack is as it was before.
func PreciseMode(precise bool, f func()) { Current().PreciseMode(precise, f) }

// Precise reports whether the precise mode is on.
func Precise() bool { return Current().Precise() }

// Ivy returns Ivy's promotion system as the settings have it now: its mode and
// its default dtypes.
func Ivy() *promote.System { return Current().Ivy() }

// SetDefault makes d the default dtype of the family, and returns what restores
// the stack as it was before. It panics with a *dtype.Error where d is of
// another kind, or not valid under the active backend.
func SetDefault(f Family, d dtype.DType) Restore { return Current().SetDefault(f, d) }

// UnsetDefault goes back to the family's default dtype that was set before.
func UnsetDefault(f Family) { Current().UnsetDefault(f) }

// WithDefault calls do with d as the default dtype of the family; afterwards,
// also where do panics, the stack is as it was before.
func WithDefault(f Family, d dtype.DType, do func()) { Current().WithDefault(f, d, do) }

// Default returns the default dtype of the family: what is set for it; else the
// global one that is set, where it is of its kind; else f32, i32, ui32, f32 or
// c64. The global default falls back on the float one.
func Default(f Family) dtype.DType { return Current().Default(f) }

// DefaultLike returns the default dtype of the family that d belongs to; bools
// have only one.
func DefaultLike(d dtype.DType) dtype.DType { return Current().DefaultLike(d) }

// Infer returns the dtype of an array that is made: d where it is not Invalid;
// else that of item, an array or its dtype; else the default for item, a
// number; else, with item nil, the global default.
func Infer(d dtype.DType, item any) Inference { return Current().Infer(d, item) }

// SetDefaultDevice makes tensors on the device of that name unless an option
// says otherwise, and returns what restores the stack as it was before.
func SetDefaultDevice(name string) Restore { return Current().SetDefaultDevice(name) }

// UnsetDefaultDevice goes back to the default device that was set before.
func UnsetDefaultDevice() { Current().UnsetDefaultDevice() }

// DefaultDevice returns the device that is set; "" is the first one.
func DefaultDevice() string { return Current().DefaultDevice() }

// Wrappers returns what happens around every function that makes an array, in
// its order. Setting a backend attaches the check of the dtype.
func Wrappers() []Wrapper { return Current().Wrappers() }
