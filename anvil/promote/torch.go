package promote

import (
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// torchLattice is the lattice of PyTorch's promote_types. It has the thirteen dtypes of PyTorch's
// promotion table and those that later releases add. Unsigned integers other than ui8 join only
// with floats; float8, bits, quantized and signed sub-byte dtypes join only with themselves.
// Source: c10/core/ScalarType.cpp of 2.15, and the results of torch.promote_types.
var torchLattice = NewLattice(`
i1 -> ui8 i8
ui8 i8 -> i16
i16 -> i32
i32 -> i64
i64 -> f16 bf16
ui16 ui32 ui64 -> f16 bf16 f4e2m1fn_x2
ui1 ui2 ui3 ui4 ui5 ui6 ui7 -> f16 bf16 f4e2m1fn_x2
f16 -> f32 c32
bf16 -> f32 bc32
f32 -> f64 c64
c32 bc32 -> c64
f64 c64 -> c128
f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0fnu f4e2m1fn_x2
bits16 bits1x8 bits2x4 bits4x2 bits8
i1_int i2 i3 i4 i5 i6 i7
qint32 qint8 quint2x4 quint4x2 quint8
`)

// torchDTypes are the thirteen dtypes of PyTorch's promotion table.
var torchDTypes = []dtype.DType{dtype.U8, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.F16, dtype.F32,
	dtype.F64, dtype.C32, dtype.C64, dtype.C128, dtype.I1, dtype.BF16}

var torchExtDTypes = append(slices.Clone(torchDTypes), dtype.U16, dtype.U32, dtype.U64,
	dtype.F8E4M3FN, dtype.F8E4M3FNUZ, dtype.F8E5M2, dtype.F8E5M2FNUZ, dtype.F8E8M0FNU, dtype.BC32)

// Torch is PyTorch's documented system of thirteen dtypes. Tensors with dimensions take
// precedence over zero-dimensional tensors, and these over numbers.
var Torch = newTorch("torch", TorchRules{Default: dtype.F32})

// TorchExt is Torch with the other dtypes of release 2.15: the wider unsigned
// integers, float8, and complex numbers of two bf16.
var TorchExt = newTorch("torchext", TorchRules{Default: dtype.F32, Wide: true})

// TorchDefault returns TorchExt with the float d as the default dtype (see WithDefault).
func TorchDefault(d dtype.DType) (*System, error) { return TorchExt.withDefault(d) }

// WithDefault returns the system with the float d as the default dtype, which is the
// dtype of float numbers and of quotients of integers. It panics if d is not a float of
// at least 16 bits, or if the system is not one of PyTorch's.
func (s *System) WithDefault(d dtype.DType) *System {
	r, err := s.withDefault(d)
	if err != nil {
		panic(&dtype.Error{Op: "WithDefault", Operands: s.name + ", " + d.String(), Reason: err.Error(),
			Hint: "write promote.Torch.WithDefault(dtype.F64), for example"})
	}
	return r
}

// withDefault is WithDefault, but returns PyTorch's error instead of panicking.
func (s *System) withDefault(d dtype.DType) (*System, error) {
	t, ok := s.Torch()
	switch {
	case !ok:
		return nil, refuse("set_default_dtype", "TypeError", "%s has no default dtype that can be set", s.name)
	case !d.Is(dtype.Floating) || d.Bits() < 16:
		return nil, refuse("set_default_dtype", "TypeError",
			"only floating-point types are supported as the default type")
	}
	name, _, _ := strings.Cut(s.name, " ")
	if d != dtype.F32 {
		name += " default " + d.String()
	}
	t.Default = d
	return newTorch(name, t), nil
}

// Torch returns the parameters of one of PyTorch's systems; ok is false for others.
func (s *System) Torch() (t TorchRules, ok bool) {
	if s.rules.Torch == nil {
		return t, false
	}
	return *s.rules.Torch, true
}

// TorchRules holds the parameters of PyTorch's systems; its methods are their rules.
type TorchRules struct {
	Default dtype.DType // the default dtype
	Wide    bool        // the system also has the dtypes beyond the thirteen
}

// newTorch returns the system with the parameters t.
func newTorch(name string, t TorchRules) *System {
	doc := "PyTorch: tensors with dimensions decide the dtype within a category, " +
		"then zero-dimensional ones, then numbers"
	ds := torchDTypes
	if t.Wide {
		doc, ds = "PyTorch 2.15 with unsigned integers, float8 and half complex numbers", torchExtDTypes
	}
	return New(name, doc, ds, Rules{
		Literal:       t.literal,
		Convert:       torchConvert,
		Lattice:       torchLattice,
		Join:          t.joinPair,
		Resolve:       t.resolve,
		Divide:        t.divide,
		Reduce:        t.reduce,
		Operate:       t.operate,
		Numbers:       torchNumbers,
		Assign:        t.assign,
		CanCast:       torchCanCast,
		NegativePower: negativePower(torchNegative),
		Framework:     "torch",
		Store:         torchStore,
		Torch:         &t,
	})
}

// torchConvert converts a number to d, wrapping if it does not fit. For a foreign dtype
// it returns the number unchanged.
func torchConvert(v any, d dtype.DType) (any, error) {
	if d.IsForeign() {
		return v, nil
	}
	return dtype.Cast(v, d)
}

// torchNames are the names of the scalar types in PyTorch's messages.
var torchNames = map[dtype.DType]string{dtype.I1: "Bool", dtype.U8: "Byte", dtype.I8: "Char", dtype.I16: "Short",
	dtype.I32: "Int", dtype.I64: "Long", dtype.U16: "UInt16", dtype.U32: "UInt32", dtype.U64: "UInt64",
	dtype.F16: "Half", dtype.BF16: "BFloat16", dtype.F32: "Float", dtype.F64: "Double",
	dtype.C32: "ComplexHalf", dtype.BC32: "BComplex32", dtype.C64: "ComplexFloat", dtype.C128: "ComplexDouble",
	dtype.F8E4M3FN: "Float8_e4m3fn", dtype.F8E4M3FNUZ: "Float8_e4m3fnuz", dtype.F8E5M2: "Float8_e5m2",
	dtype.F8E5M2FNUZ: "Float8_e5m2fnuz", dtype.F8E8M0FNU: "Float8_e8m0fnu"}

// TorchName returns the name of d in PyTorch's messages: Long for i64.
func TorchName(d dtype.DType) string {
	if name, ok := torchNames[d]; ok {
		return name
	}
	if d == dtype.Invalid {
		return "Undefined"
	}
	name := strings.TrimSuffix(d.String(), "_int")
	for _, p := range torchPrefixes {
		if rest, ok := strings.CutPrefix(name, p[0]); ok {
			return p[1] + rest
		}
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// torchPrefixes are prefixes of the names of the other dtypes, each with the prefix that
// replaces it in PyTorch's messages.
var torchPrefixes = [][2]string{{"ui", "UInt"}, {"i", "Int"}, {"quint", "QUInt"}, {"qint", "QInt"},
	{"f4", "Float4_"}, {"f8", "Float8_"}}

// divide returns the dtype of a quotient of operands of the common dtype x: integers and bools
// are divided in the default dtype.
func (t TorchRules) divide(x dtype.Typed) (dtype.Typed, Rule) {
	if x.DType.Is(dtype.Bits) {
		return Known(t.Default), Rule{"division of integers", "integers are divided in the default dtype"}
	}
	return x, ruleDivision
}

// reduce returns the dtype of a reduction of x.
func (t TorchRules) reduce(r Reduction, x dtype.Typed) (dtype.Typed, Rule) {
	switch {
	case r == Sum && x.DType.Is(dtype.Bits):
		return Known(dtype.I64), Rule{"sum of integers", "integers and bools are summed in i64"}
	case r == Index:
		return Known(dtype.I64), Rule{"position", "i64"}
	case r == Logical && x.DType == dtype.U8:
		return Known(dtype.U8), Rule{"any, all of bytes", "ui8, as before PyTorch had a bool dtype"}
	case r == Logical || r == Compare:
		return Known(dtype.I1), ruleBoolResult
	}
	return x, ruleReduction
}

var torchNegative = &Refusal{Op: "pow", Kind: "RuntimeError",
	Reason: "Integers to negative integer powers are not allowed.", cause: negativeExponent}
