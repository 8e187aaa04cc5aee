// Package backend implements the backends and the settings of Ivy, a Python library that gives
// frameworks such as PyTorch, JAX and NumPy one interface. A backend emulates a framework: its
// profile says which of Ivy's dtypes the framework has, and rules say which dtypes each operation
// supports. The settings are the active backend, the default dtypes, the precise mode, the casting
// modes and the default device. They belong to a session. Each setting is a stack, so that
// unsetting it restores the value that was set before.
package backend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Profile describes which of Ivy's dtypes a framework has. The zero Profile stands for no backend, under
// which every dtype is valid.
type Profile struct {
	Name    string // "torch"; "" stands for no backend
	Version string // the framework's version, such as "2.2"
	invalid []dtype.DType
	closest map[dtype.DType]dtype.DType // substitutes for the invalid dtypes
	class   string                      // the type of the framework's own dtypes: "torch.dtype"
	native  string                      // a format for the framework's spelling of a native dtype: "torch.%s"
	names   func(dtype.DType) string    // returns the name of a native dtype; nil stands for DType.Long
}

// wideUnsigned are the unsigned integers that some frameworks lack.
var wideUnsigned = []dtype.DType{dtype.U16, dtype.U32, dtype.U64}

// unsignedSubstitutes are Ivy's substitutes for wideUnsigned.
var unsignedSubstitutes = map[dtype.DType]dtype.DType{dtype.U16: dtype.U8, dtype.U32: dtype.U8, dtype.U64: dtype.U8}

// profiles are the backends of Ivy 1.0.0.5, with the latest framework versions in its tables, and xla,
// which stands for XLA itself.
var profiles = []Profile{
	{Name: "numpy", Version: "1.26.3", invalid: []dtype.DType{dtype.BF16}, class: "np.dtype", native: `np.dtype("%s")`,
		closest: map[dtype.DType]dtype.DType{dtype.BF16: dtype.F16}},
	{Name: "jax", Version: "0.4.25", class: "jnp.dtype", native: `jnp.dtype("%s")`},
	{Name: "torch", Version: "2.2", invalid: wideUnsigned, closest: unsignedSubstitutes,
		class: "torch.dtype", native: "torch.%s"},
	{Name: "tensorflow", Version: "2.15.0", class: "tf.DType", native: "tf.%s"},
	{Name: "paddle", Version: "2.6.0", invalid: wideUnsigned, closest: unsignedSubstitutes,
		class: "paddle.dtype", native: "paddle.%s"},
	{Name: "xla", class: "PrimitiveType", native: "%s", names: primitiveName},
}

// primitiveName returns the name of d in XLA's PrimitiveType.
func primitiveName(d dtype.DType) string {
	switch {
	case d == dtype.I1:
		return "PRED"
	case d.Is(dtype.Signed):
		return fmt.Sprintf("S%d", d.Bits())
	case d.Is(dtype.Unsigned):
		return fmt.Sprintf("U%d", d.Bits())
	}
	return strings.ToUpper(d.String())
}

// ProfileOf returns the profile of the backend with the given name, or an error if there is none.
func ProfileOf(name string) (Profile, error) {
	for _, p := range profiles {
		if p.Name == name {
			return p, nil
		}
	}
	return Profile{}, &dtype.Error{Op: "backend", Operands: fmt.Sprintf("%q", name),
		Reason: "no backend has this name", Hint: "the backends are " + strings.Join(Names(), ", ")}
}

// Names returns the names of the backends.
func Names() []string {
	names := make([]string, len(profiles))
	for i, p := range profiles {
		names[i] = p.Name
	}
	return names
}

// String returns the name and the version: "torch 2.2".
func (p Profile) String() string {
	switch {
	case p.Name == "":
		return "no backend"
	case p.Version == "":
		return p.Name
	}
	return p.Name + " " + p.Version
}

// Has reports whether d is valid. If there is no backend, every dtype is valid. Otherwise the valid dtypes are those
// of Ivy's fifteen dtypes that the framework has.
func (p Profile) Has(d dtype.DType) bool {
	return p.Name == "" || slices.Contains(ivyAll, d) && !slices.Contains(p.invalid, d)
}

// Valid returns the valid dtypes in the set k (see All).
func (p Profile) Valid(k dtype.Kind) []dtype.DType { return ivyDTypes(k, p.Has) }

// Invalid returns Ivy's dtypes in the set k that the framework lacks.
func (p Profile) Invalid(k dtype.Kind) []dtype.DType {
	return ivyDTypes(k, func(d dtype.DType) bool { return !p.Has(d) })
}

// Closest returns d if it is valid, and otherwise Ivy's substitute for it.
func (p Profile) Closest(d dtype.DType) dtype.DType {
	if c, ok := p.closest[d]; ok {
		return c
	}
	return d
}

// Check returns an error of op if the framework does not have d.
func (p Profile) Check(op string, d dtype.DType) error {
	if p.Has(d) {
		return nil
	}
	return &dtype.Error{Op: op, Operands: d.String(), Hint: p.unavailableHint(d),
		Reason: fmt.Sprintf("dtype %s is not available on backend %q", d, p.Name)}
}

// unavailableHint returns a hint for d, a dtype that the framework lacks: what to use instead.
func (p Profile) unavailableHint(d dtype.DType) string {
	hint := ""
	if same := joinNames(p.Valid(d.Kind())); same != "" {
		hint = "a valid dtype of the same kind is " + same + "; "
	}
	signed := map[int]dtype.DType{16: dtype.I32, 32: dtype.I64}[d.Bits()] // twice as wide as d
	if d.Is(dtype.Unsigned) && signed != dtype.Invalid {
		hint += fmt.Sprintf("%s holds every %s; ", signed, d)
	}
	return hint + "backend.Unset() restores the previous backend"
}

// joinNames returns the names of ds, separated by commas.
func joinNames(ds []dtype.DType) string {
	names := make([]string, len(ds))
	for i, d := range ds {
		names[i] = d.String()
	}
	return strings.Join(names, ", ")
}

// A NativeDType is a framework's own dtype. Without a backend, it is the dtype of this module.
type NativeDType struct {
	Backend, Name string
	spelled       string // see String
}

// String returns the dtype as the framework writes it: "torch.float32".
func (n NativeDType) String() string { return n.spelled }

// Native returns the framework's own dtype for d. It panics with a *dtype.Error if the framework lacks it.
func (p Profile) Native(d dtype.DType) NativeDType {
	if err := p.Check("Native", d); err != nil {
		panic(err)
	}
	if p.Name == "" {
		return NativeDType{Name: d.Long(), spelled: d.Long()}
	}
	name := d.Long()
	if p.names != nil {
		name = p.names(d)
	}
	return NativeDType{p.Name, name, fmt.Sprintf(p.native, name)}
}

// Class returns the name of the type of the framework's own dtypes, or "" without a backend.
func (p Profile) Class() string { return p.class }
