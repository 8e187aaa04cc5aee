package promote

import (
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// jaxHasse is JAX's promotion lattice if 64-bit dtypes are enabled. A narrow dtype that has
// no node above it, such as i4 or f8e5m2, has a join only with the nodes below it: other
// dtypes, and the plain numbers i* and f*. Source: jax/_src/dtypes.py of 0.10.2.
const jaxHasse = `
i1 -> i*
i* -> ui8 ui2 ui4 i8 i2 i4 i1_int ui1
ui8 -> i16 ui16
ui16 -> i32 ui32
ui32 -> i64 ui64
ui64 -> f*
i8 -> i16
i16 -> i32
i32 -> i64
i64 -> f*
f* -> f4e2m1fn float6_e2m3fn float6_e3m2fn f8e3m4 f8e4m3 f8e8m0fnu f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz bf16 f16 c*
bf16 f16 -> f32
f32 -> f64 c64
f64 -> c128
c* -> c64
c64 -> c128
`

// jaxStrictHasse is the lattice of the strict mode: only numbers promote.
const jaxStrictHasse = `
i* -> f* ui1 ui2 ui4 ui8 ui16 ui32 ui64 i1_int i2 i4 i8 i16 i32 i64
f* -> c* f4e2m1fn float6_e2m3fn float6_e3m2fn f8e3m4 f8e4m3 f8e8m0fnu f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz bf16 f16 f32 f64
c* -> c64 c128
i1
`

var (
	jaxLattice64 = NewLattice(jaxHasse)
	// Without 64-bit dtypes, the join of ui32 and a signed integer is i32.
	jaxLattice       = NewLattice(strings.Replace(jaxHasse, "ui32 -> i64", "ui32 -> i32", 1))
	jaxStrictLattice = NewLattice(jaxStrictHasse)
)

var jaxDTypes = []dtype.DType{dtype.I1, dtype.U8, dtype.U16, dtype.U32, dtype.I8, dtype.I16, dtype.I32,
	dtype.BF16, dtype.F16, dtype.F32, dtype.C64}

var jaxDTypes64 = []dtype.DType{dtype.I1, dtype.U8, dtype.U16, dtype.U32, dtype.U64,
	dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.BF16, dtype.F16, dtype.F32, dtype.F64, dtype.C64, dtype.C128}

// JAX's systems. Ambiguous dtypes are called weak in JAX.
var (
	// JAX implements JAX's default rules: 64-bit dtypes are replaced by 32-bit ones.
	JAX = newJAX("jax", "JAX: least upper bound in a lattice; numbers and results of numbers alone are weak", jaxDTypes,
		jax{lattice: jaxLattice})
	// JAX64 is JAX with 64-bit dtypes (jax_enable_x64).
	JAX64 = newJAX("jax64", "JAX with 64-bit dtypes", jaxDTypes64, jax{lattice: jaxLattice64, wide: true})
	// JAXStrict is JAX's strict mode: only Python's numbers promote.
	JAXStrict = newJAX("jaxstrict", "JAX where only numbers promote", jaxDTypes,
		jax{lattice: jaxStrictLattice, strict: true})
	// JAXStrict64 is JAXStrict with 64-bit dtypes.
	JAXStrict64 = newJAX("jaxstrict64", "JAX with 64-bit dtypes where only numbers promote", jaxDTypes64,
		jax{lattice: jaxStrictLattice, strict: true, wide: true})
)

// jax holds the parameters of JAX's systems; its methods are their rules.
type jax struct {
	lattice *Lattice
	strict  bool // only numbers promote
	wide    bool // 64-bit dtypes are enabled
}

// newJAX returns the system with the parameters j, whose tables show ds.
func newJAX(name, doc string, ds []dtype.DType, j jax) *System {
	framework := "jax"
	if j.strict {
		framework = "jaxstrict"
	}
	return New(name, doc, ds, Rules{
		Literal: j.literal,
		Convert: j.convert,
		Lattice: j.lattice,
		Join:    j.join,
		Resolve: j.resolve,
		Divide:  j.divide,
		Reduce:  j.reduce,
		Operate: j.operate,
		NegativePower: negativePower(&Refusal{Op: "power", Kind: "TypeError",
			Reason: "Integers cannot be raised to negative powers, got integer_pow", cause: negativeExponent}),
		Framework: framework,
	})
}

// jaxNarrow maps dtypes to the narrower ones that replace them if 64-bit dtypes are not
// enabled.
var jaxNarrow = map[dtype.DType]dtype.DType{dtype.I64: dtype.I32, dtype.U64: dtype.U32,
	dtype.F64: dtype.F32, dtype.C128: dtype.C64}

// canonical returns d, or the narrower dtype that replaces it if 64-bit dtypes are not
// enabled.
func (j jax) canonical(d dtype.DType) dtype.DType {
	if !j.wide && d.Bits() >= 64 {
		if n, ok := jaxNarrow[d]; ok {
			return n
		}
	}
	return d
}

// canonicalTyped returns the canonical dtype of x, ambiguous if x is.
func (j jax) canonicalTyped(x Operand) dtype.Typed {
	return dtype.Typed{DType: j.canonical(x.DType), Ambiguous: x.Ambiguous}
}

// defaultOfKind returns the default dtype of d's kind.
func (j jax) defaultOfKind(d dtype.DType) dtype.DType {
	switch {
	case d.Is(dtype.Signed):
		d = dtype.I64
	case d.Is(dtype.Unsigned):
		d = dtype.U64
	case d.Is(dtype.Floating):
		d = dtype.F64
	case d.Is(dtype.Complex):
		d = dtype.C128
	}
	return j.canonical(d)
}

// literal returns the default dtype of a number. An int that does not fit it is an error.
func (j jax) literal(v any) (dtype.Typed, error) {
	switch v := v.(type) {
	case bool:
		return Known(dtype.I1), nil
	case int:
		d := j.canonical(dtype.I64)
		if _, err := dtype.Fit(v, d); err != nil {
			return dtype.Typed{}, outOfRange.refuse("jax", "OverflowError", "Python int %d too large to convert to %s",
				v, d.Long())
		}
		return Amb(d), nil
	}
	return numberDType(v, dtype.I64, j.canonical(dtype.F64), j.canonical(dtype.C128))
}

// convert converts a number to d; an integer wraps. It returns an error if d is an integer
// dtype and v an int that does not fit JAX's default integer dtype, since JAX passes v to a
// compiled program in that dtype.
func (j jax) convert(v any, d dtype.DType) (any, error) {
	if n, ok := v.(int); ok {
		if _, err := dtype.Fit(n, j.canonical(dtype.I64)); err != nil && d.Is(dtype.Integral) {
			return nil, outOfRange.refuse("jit", "OverflowError",
				"An overflow was encountered while parsing an argument to a jitted computation. Got <class 'int'> with value %d", n)
		}
	}
	return dtype.Cast(v, d)
}
