package backend

import (
	"fmt"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A Family is a family of dtypes with a default dtype.
type Family uint8

// The families. The default of Global is for arrays made without a number, that of Int for integers in general, and
// that of Uint for unsigned integers.
const (
	Global Family = iota
	Int
	Uint
	Float
	Complex
	families
)

var familyInfos = [families]struct {
	name    string
	kind    dtype.Kind  // the kind of the family's dtypes
	initial dtype.DType // the default dtype if none is set
}{
	Global:  {"global", dtype.Any, dtype.F32},
	Int:     {"int", dtype.Integral, dtype.I32},
	Uint:    {"uint", dtype.Unsigned, dtype.U32},
	Float:   {"float", dtype.Floating, dtype.F32},
	Complex: {"complex", dtype.Complex, dtype.C64},
}

// String returns the family's name: "float".
func (f Family) String() string { return familyInfos[min(f, families-1)].name }

// check panics with an error of op unless f is one of the families.
func (f Family) check(op string) {
	if f >= families {
		panic(&dtype.Error{Op: op, Operands: fmt.Sprint(uint8(f)), Reason: "no such family",
			Hint: "give backend.Global, Int, Uint, Float or Complex"})
	}
}

// SetDefault is the method form of the function SetDefault.
func (s *Settings) SetDefault(f Family, d dtype.DType) Restore {
	op := "SetDefault"
	f.check(op)
	if info := familyInfos[f]; !d.Is(info.kind) {
		panic(&dtype.Error{Op: op, Operands: info.name + ", " + d.String(),
			Reason: fmt.Sprintf("%s cannot be the default %s", d, info.name),
			Hint:   "give one of " + joinNames(ivyDTypes(info.kind, s.Active().Has))})
	}
	if err := s.Check(op, d); err != nil {
		panic(err)
	}
	return set(s, &s.defaults[f], d)
}

// UnsetDefault is the method form of the function UnsetDefault.
func (s *Settings) UnsetDefault(f Family) {
	f.check("UnsetDefault")
	unset(s, &s.defaults[f])
}

// WithDefault is the method form of the function WithDefault.
func (s *Settings) WithDefault(f Family, d dtype.DType, do func()) {
	defer s.SetDefault(f, d)()
	do()
}

// Default is the method form of the function Default.
func (s *Settings) Default(f Family) dtype.DType { return s.State().Default(f) }

// Default returns the default dtype of the family (see the function Default).
func (s State) Default(f Family) dtype.DType {
	f.check("Default")
	info := familyInfos[f]
	switch global := s.Defaults[Global]; {
	case s.Defaults[f] != dtype.Invalid:
		return s.Defaults[f]
	case f == Global && s.Defaults[Float] != dtype.Invalid:
		return s.Defaults[Float]
	case global.Is(info.kind):
		return global
	}
	return info.initial
}

// DefaultLike is the method form of the function DefaultLike.
func (s *Settings) DefaultLike(d dtype.DType) dtype.DType {
	switch {
	case d.Is(dtype.Complex):
		return s.Default(Complex)
	case d.Is(dtype.Floating):
		return s.Default(Float)
	case d.Is(dtype.Unsigned):
		return s.Default(Uint)
	case d.Is(dtype.Signed):
		return s.Default(Int)
	}
	return d
}

// An Inference is the dtype of a new array and the step of Infer that determined it.
type Inference struct {
	DType dtype.DType
	Step  int // the number of the step, 1 to 4
	Rule  promote.Rule
}

// String returns the dtype with the step: "i16 (step 3, relevant number: ...)".
func (i Inference) String() string {
	return fmt.Sprintf("%s (step %d, %s: %s)", i.DType, i.Step, i.Rule.Name, i.Rule.Doc)
}

var (
	inferGiven  = promote.Rule{Name: "dtype argument", Doc: "a dtype that is given is used as it is"}
	inferArray  = promote.Rule{Name: "array argument", Doc: "the dtype of the first array among the arguments"}
	inferNumber = promote.Rule{Name: "relevant number",
		Doc: "the default dtype of the number's kind, or i64, f64 or c128 if the number does not fit i32, f32 or c64"}
	inferGlobal = promote.Rule{Name: "global default", Doc: "the global default dtype, as no argument determines another"}
)

// Infer is the method form of the function Infer.
func (s *Settings) Infer(d dtype.DType, item any) Inference { return s.State().Infer(d, item) }

// Infer returns the dtype of a new array (see the function Infer).
func (s State) Infer(d dtype.DType, item any) Inference {
	if d != dtype.Invalid {
		return Inference{d, 1, inferGiven}
	}
	switch x := item.(type) {
	case nil:
		return Inference{s.Default(Global), 4, inferGlobal}
	case dtype.DType:
		return Inference{x, 2, inferArray}
	case interface{ DType() dtype.DType }:
		return Inference{x.DType(), 2, inferArray}
	}
	number, err := s.Mode().In().Literal(item)
	if err != nil {
		panic(err)
	}
	return Inference{number.DType, 3, inferNumber}
}

// Mode returns the mode of Ivy's promotion system under the settings.
func (s State) Mode() promote.IvyMode {
	return promote.IvyMode{Precise: !s.Fast, Int: s.Default(Int), Float: s.Default(Float), Complex: s.Default(Complex)}
}
