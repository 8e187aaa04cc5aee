// Package dtype defines the element types of tensors: the width, kind and spellings of
// each, casts of single values, and R anvil's join, which returns the common dtype of two.
package dtype

import (
	"fmt"
	"strings"
)

// A DType is the type of one element of a tensor. The zero value is Invalid.
type DType uint8

// The dtypes, narrow to wide within each kind.
const (
	Invalid DType = iota
	I1            // boolean
	I2
	I4
	I8
	I16
	I32
	I64
	U2
	U4
	U8
	U16
	U32
	U64
	F4E2M1FN
	F8E3M4
	F8E4M3
	F8E4M3B11FNUZ
	F8E4M3FN
	F8E4M3FNUZ
	F8E5M2
	F8E5M2FNUZ
	F8E8M0FNU
	BF16
	F16
	F32
	F64
	C64  // two F32
	C128 // two F64
	numDTypes
)

// Long names, as NumPy and the Array API spell them.
const (
	Bool       = I1
	Int2       = I2
	Int4       = I4
	Int8       = I8
	Int16      = I16
	Int32      = I32
	Int64      = I64
	Uint2      = U2
	Uint4      = U4
	Uint8      = U8
	Uint16     = U16
	Uint32     = U32
	Uint64     = U64
	BFloat16   = BF16
	Float16    = F16
	Float32    = F32
	Float64    = F64
	Complex64  = C64
	Complex128 = C128
)

// A Kind is a set of dtypes: a bit mask of the five classes.
type Kind uint8

// The classes, and unions of them.
const (
	Boolean Kind = 1 << iota
	Signed
	Unsigned
	Floating
	Complex

	Integral = Signed | Unsigned
	Real     = Integral | Floating
	Inexact  = Floating | Complex
	Numeric  = Integral | Inexact
	Bits     = Boolean | Integral
	Any      = Boolean | Numeric
	Ordered  = Boolean | Real
)

// An info has the properties of a dtype.
type info struct {
	name string // anvil's spelling, shown everywhere
	long string // NumPy's and ml_dtypes' spelling
	mlir string // StableHLO's spelling
	bits int
	kind Kind
}

var infos = [numDTypes]info{
	Invalid:       {"invalid", "invalid", "", 0, 0},
	I1:            {"i1", "bool", "i1", 1, Boolean},
	I2:            {"i2", "int2", "i2", 2, Signed},
	I4:            {"i4", "int4", "i4", 4, Signed},
	I8:            {"i8", "int8", "i8", 8, Signed},
	I16:           {"i16", "int16", "i16", 16, Signed},
	I32:           {"i32", "int32", "i32", 32, Signed},
	I64:           {"i64", "int64", "i64", 64, Signed},
	U2:            {"ui2", "uint2", "ui2", 2, Unsigned},
	U4:            {"ui4", "uint4", "ui4", 4, Unsigned},
	U8:            {"ui8", "uint8", "ui8", 8, Unsigned},
	U16:           {"ui16", "uint16", "ui16", 16, Unsigned},
	U32:           {"ui32", "uint32", "ui32", 32, Unsigned},
	U64:           {"ui64", "uint64", "ui64", 64, Unsigned},
	F4E2M1FN:      {"f4e2m1fn", "float4_e2m1fn", "f4E2M1FN", 4, Floating},
	F8E3M4:        {"f8e3m4", "float8_e3m4", "f8E3M4", 8, Floating},
	F8E4M3:        {"f8e4m3", "float8_e4m3", "f8E4M3", 8, Floating},
	F8E4M3B11FNUZ: {"f8e4m3b11fnuz", "float8_e4m3b11fnuz", "f8E4M3B11FNUZ", 8, Floating},
	F8E4M3FN:      {"f8e4m3fn", "float8_e4m3fn", "f8E4M3FN", 8, Floating},
	F8E4M3FNUZ:    {"f8e4m3fnuz", "float8_e4m3fnuz", "f8E4M3FNUZ", 8, Floating},
	F8E5M2:        {"f8e5m2", "float8_e5m2", "f8E5M2", 8, Floating},
	F8E5M2FNUZ:    {"f8e5m2fnuz", "float8_e5m2fnuz", "f8E5M2FNUZ", 8, Floating},
	F8E8M0FNU:     {"f8e8m0fnu", "float8_e8m0fnu", "f8E8M0FNU", 8, Floating},
	BF16:          {"bf16", "bfloat16", "bf16", 16, Floating},
	F16:           {"f16", "float16", "f16", 16, Floating},
	F32:           {"f32", "float32", "f32", 32, Floating},
	F64:           {"f64", "float64", "f64", 64, Floating},
	C64:           {"c64", "complex64", "complex<f32>", 64, Complex},
	C128:          {"c128", "complex128", "complex<f64>", 128, Complex},
}

// String returns anvil's spelling: i1, ui8, f32.
func (d DType) String() string { return d.info().name }

// Long returns NumPy's spelling: bool, uint8, float32.
func (d DType) Long() string { return d.info().long }

// MLIR returns StableHLO's spelling: i1, ui8, complex<f32>.
func (d DType) MLIR() string { return d.info().mlir }

// Bits returns the width of one element in bits.
func (d DType) Bits() int { return d.info().bits }

// Size returns the number of bytes of one element in host memory, at least 1.
func (d DType) Size() int { return (d.info().bits + 7) / 8 }

// Kind returns the one class to which d belongs, or 0 if d has none.
func (d DType) Kind() Kind { return d.info().kind }

// Is reports whether d is in the set k.
func (d DType) Is(k Kind) bool { return d.info().kind&k != 0 }

// Valid reports whether d is a dtype of tensors: neither Invalid nor foreign.
func (d DType) Valid() bool { return d > Invalid && d < numDTypes }

// info returns the properties of d, which may be foreign. Unknown dtypes have those of Invalid.
func (d DType) info() *info {
	switch {
	case d.IsForeign():
		return &foreignInfos[d-firstForeign]
	case d >= numDTypes:
		d = Invalid
	}
	return &infos[d]
}

// All returns every dtype, narrow to wide within each kind.
func All() []DType {
	all := make([]DType, 0, numDTypes-1)
	for d := Invalid + 1; d < numDTypes; d++ {
		all = append(all, d)
	}
	return all
}

// DTypes returns the dtypes of the set k.
func (k Kind) DTypes() []DType {
	var ds []DType
	for _, d := range All() {
		if d.Is(k) {
			ds = append(ds, d)
		}
	}
	return ds
}

// spellings maps every name that Parse accepts, in lower case, to its dtype.
var spellings = func() map[string]DType {
	m := map[string]DType{}
	for _, d := range All() {
		m[d.String()], m[d.Long()], m[strings.ToLower(d.MLIR())] = d, d, d
		if d.Is(Unsigned) {
			m["u"+strings.TrimPrefix(d.String(), "ui")] = d
		}
	}
	for alias, d := range map[string]DType{"b1": I1, "pred": I1, "half": F16, "float": F32, "double": F64} {
		m[alias] = d
	}
	return m
}()

// Parse returns the dtype with the given name, in any spelling and case: "i1" or
// "bool"; "ui8", "u8" or "uint8"; "f32" or "float32".
func Parse(name string) (DType, error) {
	if d, ok := spellings[strings.ToLower(strings.TrimSpace(name))]; ok {
		return d, nil
	}
	return Invalid, &Error{Op: "dtype.Parse", Operands: fmt.Sprintf("%q", name),
		Reason: "no dtype has this name",
		Hint:   "the common names are i1, i8 … i64, ui8 … ui64, bf16, f16, f32, f64, c64, c128"}
}

// MustParse is Parse for names that are known to be valid. It panics with an *Error for others.
func MustParse(name string) DType {
	d, err := Parse(name)
	if err != nil {
		panic(err)
	}
	return d
}

// classNames are R anvil's names of the classes.
var classNames = map[Kind]string{Boolean: "BooleanType", Signed: "IntegerType",
	Unsigned: "UIntegerType", Floating: "FloatType", Complex: "ComplexType"}

// Describe returns the dtype as R anvil prints it: "<FloatType: 64>". For floats of less than
// 32 bits, which R anvil lacks, it adds the name: "<FloatType: 16, bf16>".
func (d DType) Describe() string {
	class, ok := classNames[d.Kind()]
	switch {
	case !ok:
		return "<InvalidType>"
	case d == I1:
		return "<" + class + ">"
	case d.Is(Floating) && d.Bits() < 32:
		return fmt.Sprintf("<%s: %d, %s>", class, d.Bits(), d)
	}
	return fmt.Sprintf("<%s: %d>", class, d.Bits())
}

// Elem returns the dtype of the real and imaginary parts of a complex dtype, and d for any
// other.
func (d DType) Elem() DType {
	switch d {
	case C64:
		return F32
	case C128:
		return F64
	}
	return d
}

// An Error is an error of an operation on dtypes. Its text is
// "op(operands): reason; hint"; the hint says what to write instead.
type Error struct {
	Op, Operands, Reason, Hint string
}

func (e *Error) Error() string {
	s := e.Op + "(" + e.Operands + "): " + e.Reason
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// A Typed is a dtype that is known or ambiguous. An ambiguous dtype is the default dtype of a
// Go literal, or the result of operands that are all ambiguous. With a known dtype of the same
// or a higher kind as the other operand, the known dtype is the result.
type Typed struct {
	DType     DType
	Ambiguous bool
}

// String returns the dtype, followed by "?" if it is ambiguous: "i32?".
func (t Typed) String() string {
	if t.Ambiguous {
		return t.DType.String() + "?"
	}
	return t.DType.String()
}

// Options are the settings of a constructor. A zero field leaves the choice to the
// constructor.
type Options struct {
	DType     DType
	Ambiguous *bool
	Device    string
}

// An Option sets a field of Options. A DType is itself an Option.
type Option interface{ Apply(*Options) }

// Apply makes d the dtype.
func (d DType) Apply(o *Options) { o.DType = d }
