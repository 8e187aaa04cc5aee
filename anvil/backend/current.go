package backend

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// Set is Settings.Set of the current settings.
func Set(name string, version ...string) (restore func()) { return Current().Set(name, version...) }

// Unset is Settings.Unset of the current settings.
func Unset() { Current().Unset() }

// With is Settings.With of the current settings.
func With(name string, f func()) { Current().With(name, f) }

// Active is Settings.Active of the current settings.
func Active() Profile { return Current().Active() }

// Valid is Settings.Valid of the current settings.
func Valid(k dtype.Kind) []dtype.DType { return Current().Valid(k) }

// Invalid is Settings.Invalid of the current settings.
func Invalid(k dtype.Kind) []dtype.DType { return Current().Invalid(k) }

// Native is Settings.Native of the current settings.
func Native(d dtype.DType) NativeDType { return Current().Native(d) }

// Use is Settings.Use of the current settings.
func Use(d dtype.DType) error { return Current().Use(d) }

// SetPrecise is Settings.SetPrecise of the current settings.
func SetPrecise(precise bool) (restore func()) { return Current().SetPrecise(precise) }

// UnsetPrecise is Settings.UnsetPrecise of the current settings.
func UnsetPrecise() { Current().UnsetPrecise() }

// PreciseMode is Settings.PreciseMode of the current settings.
func PreciseMode(precise bool, f func()) { Current().PreciseMode(precise, f) }

// Precise is Settings.Precise of the current settings.
func Precise() bool { return Current().Precise() }

// Ivy is Settings.Ivy of the current settings.
func Ivy() *promote.System { return Current().Ivy() }

// SetDefault is Settings.SetDefault of the current settings.
func SetDefault(f Family, d dtype.DType) (restore func()) { return Current().SetDefault(f, d) }

// UnsetDefault is Settings.UnsetDefault of the current settings.
func UnsetDefault(f Family) { Current().UnsetDefault(f) }

// WithDefault is Settings.WithDefault of the current settings.
func WithDefault(f Family, d dtype.DType, do func()) { Current().WithDefault(f, d, do) }

// Default is Settings.Default of the current settings.
func Default(f Family) dtype.DType { return Current().Default(f) }

// DefaultLike is Settings.DefaultLike of the current settings.
func DefaultLike(d dtype.DType) dtype.DType { return Current().DefaultLike(d) }

// Infer is Settings.Infer of the current settings.
func Infer(d dtype.DType, item any) Inference { return Current().Infer(d, item) }

// SetDefaultDevice is Settings.SetDefaultDevice of the current settings.
func SetDefaultDevice(name string) (restore func()) { return Current().SetDefaultDevice(name) }

// UnsetDefaultDevice is Settings.UnsetDefaultDevice of the current settings.
func UnsetDefaultDevice() { Current().UnsetDefaultDevice() }

// DefaultDevice is Settings.DefaultDevice of the current settings.
func DefaultDevice() string { return Current().DefaultDevice() }
