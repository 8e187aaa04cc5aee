// Package backend holds what a framework has of Ivy's data types, and the
// settings by which Ivy chooses dtypes: which backend is set, the default
// dtypes, the precise mode. Settings belong to a session; each is a stack, so
// that what is unset gives way to what was set before.
package backend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// all are Ivy's fifteen dtypes, in its order.
var all = []dtype.DType{
	dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.U8, dtype.U16, dtype.U32, dtype.U64,
	dtype.BF16, dtype.F16, dtype.F32, dtype.F64, dtype.C64, dtype.C128, dtype.I1,
}

// All returns those of Ivy's fifteen dtypes that are in the set k, in Ivy's
// order: dtype.Any, Numeric, Integral (which has the unsigned), Unsigned,
// Floating, Complex. No backend changes it.
func All(k dtype.Kind) []dtype.DType { return among(k, func(dtype.DType) bool { return true }) }

func among(k dtype.Kind, keep func(dtype.DType) bool) []dtype.DType {
	ds := []dtype.DType{}
	for _, d := range all {
		if d.Is(k) && keep(d) {
			ds = append(ds, d)
		}
	}
	return ds
}

// A Profile is what one framework has of Ivy's dtypes. The zero Profile is that
// of no backend, under which every dtype is valid.
type Profile struct {
	Name    string // "torch"; "": no backend
	Version string // of the framework, as the keys of version tables count
	invalid []dtype.DType
	closest map[dtype.DType]dtype.DType // by invalid dtype
	class   string                      // of the framework's own dtypes
	native  string                      // how the framework writes one; %s is its name
	names   func(dtype.DType) string    // the name in it; nil: dtype.Long
}

var wide = []dtype.DType{dtype.U16, dtype.U32, dtype.U64}

// narrow is what Ivy takes for an unsigned integer that a framework lacks.
var narrow = map[dtype.DType]dtype.DType{dtype.U16: dtype.U8, dtype.U32: dtype.U8, dtype.U64: dtype.U8}

// profiles are the backends of Ivy 1.0.0.5, at the versions that its tables
// end with, and the one that computes here.
var profiles = []Profile{
	{Name: "numpy", Version: "1.26.3", invalid: []dtype.DType{dtype.BF16}, class: "np.dtype", native: `np.dtype("%s")`,
		closest: map[dtype.DType]dtype.DType{dtype.BF16: dtype.F16}},
	{Name: "jax", Version: "0.4.25", class: "jnp.dtype", native: `jnp.dtype("%s")`},
	{Name: "torch", Version: "2.2", invalid: wide, closest: narrow, class: "torch.dtype", native: "torch.%s"},
	{Name: "tensorflow", Version: "2.15.0", class: "tf.DType", native: "tf.%s"},
	{Name: "paddle", Version: "2.6.0", invalid: wide, closest: narrow, class: "paddle.dtype", native: "paddle.%s"},
	{Name: "xla", class: "PrimitiveType", native: "%s", names: primitive},
}

// primitive returns the name that XLA's PrimitiveType has for d.
func primitive(d dtype.DType) string {
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

// ProfileOf returns the profile of that name.
func ProfileOf(name string) (Profile, error) {
	for _, p := range profiles {
		if p.Name == name {
			return p, nil
		}
	}
	return Profile{}, &dtype.Error{Op: "backend", Operands: fmt.Sprintf("%q", name),
		Reason: "no backend has this name", Hint: "there are " + strings.Join(Names(), ", ")}
}

// Names returns the names of the backends.
func Names() []string {
	names := make([]string, len(profiles))
	for i, p := range profiles {
		names[i] = p.Name
	}
	return names
}

// String returns name and version: "torch 2.2".
func (p Profile) String() string {
	switch {
	case p.Name == "":
		return "no backend"
	case p.Version == "":
		return p.Name
	}
	return p.Name + " " + p.Version
}

// Has reports whether d is valid: any dtype without a backend, else one of
// Ivy's fifteen that the framework has.
func (p Profile) Has(d dtype.DType) bool {
	return p.Name == "" || slices.Contains(all, d) && !slices.Contains(p.invalid, d)
}

// Valid returns the valid dtypes in the set k (see All).
func (p Profile) Valid(k dtype.Kind) []dtype.DType { return among(k, p.Has) }

// Invalid returns those of Ivy's dtypes in the set k that the framework lacks.
func (p Profile) Invalid(k dtype.Kind) []dtype.DType {
	return among(k, func(d dtype.DType) bool { return !p.Has(d) })
}

// Closest returns d where it is valid, else what Ivy takes for it.
func (p Profile) Closest(d dtype.DType) dtype.DType {
	if c, ok := p.closest[d]; ok {
		return c
	}
	return d
}

// Check returns an error where op may not use d, because the framework does
// not have it.
func (p Profile) Check(op string, d dtype.DType) error {
	if p.Has(d) {
		return nil
	}
	e := &dtype.Error{Op: op, Operands: d.String(),
		Reason: fmt.Sprintf("dtype %s is not available on backend %q", d.Long(), p.Name)}
	e.Hint = p.instead(d)
	return e
}

// instead says what to write for a dtype that is not valid.
func (p Profile) instead(d dtype.DType) string {
	var words []string
	for _, v := range p.Valid(dtype.Any) {
		if v.Kind() == d.Kind() {
			words = append(words, v.String())
		}
	}
	signed := map[int]dtype.DType{16: dtype.I32, 32: dtype.I64}[d.Bits()]
	switch {
	case len(words) == 0:
		return "backend.Unset() goes back to the backend before"
	case d.Is(dtype.Unsigned) && signed != dtype.Invalid:
		return fmt.Sprintf("of its kind there is %s; %s holds every %s; backend.Unset() goes back to the backend before",
			strings.Join(words, ", "), signed, d)
	}
	return fmt.Sprintf("of its kind there is %s; backend.Unset() goes back to the backend before", strings.Join(words, ", "))
}

// A NativeDType is a framework's own dtype. Without a backend it is the
// portable one, under its own name.
type NativeDType struct {
	Backend, Name string
	spelled       string
}

// String returns the dtype as the framework writes it: "torch.float32".
func (n NativeDType) String() string { return n.spelled }

// Native returns the framework's own dtype for d. It panics with a *dtype.Error
// where the framework lacks it.
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

// Class returns the name of the type of the framework's own dtypes, "" without
// a backend.
func (p Profile) Class() string { return p.class }
