package promote

import "github.com/goanvil/notebook/anvil/dtype"

// Julia implements Julia's promote_type, as a table for comparison (see OnlyTable). Two
// integers give the wider one, or the unsigned one if their widths are equal. A float and
// an integer give the float. The rules follow Julia's documentation and sources; they were
// not recorded from a running Julia. Divisions and reductions do not follow Julia's rules.
// Source: base/int.jl, base/float.jl, base/complex.jl.
var Julia = New("julia", "Julia: the wider integer, unsigned before signed; floats keep their width", []dtype.DType{
	dtype.I1, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.U8, dtype.U16, dtype.U32, dtype.U64,
	dtype.F16, dtype.F32, dtype.F64, dtype.C32, dtype.C64, dtype.C128}, Rules{
	Literal: func(v any) (dtype.Typed, error) { d, err := dtype.OfLiteral(v); return Known(d.DType), err },
	Convert: dtype.Cast,
	Lattice: juliaLattice,
	Join:    juliaJoin,
	Divide:  divideInCommon,
	Reduce:  rdataReduce,
})

// juliaLattice has the unsigned integer of each width above the signed one.
var juliaLattice = NewLattice(`
i1 -> i8
i8 -> ui8
ui8 -> i16
i16 -> ui16
ui16 -> i32
i32 -> ui32
ui32 -> i64
i64 -> ui64
ui64 -> f16
f16 -> f32 c32
f32 -> f64 c64
c32 -> c64
f64 c64 -> c128
`)

// juliaJoin returns the common dtype of two operands and the rule that gives it.
func juliaJoin(a, b Operand) (dtype.Typed, Rule, error) {
	d := juliaLattice.joinDTypes(a.DType, b.DType)
	if d == dtype.Invalid {
		return dtype.Typed{}, Rule{}, noCommonDType.refuse("promote_type", "ErrorException", "no promotion of %s and %s",
			a.DType.Long(), b.DType.Long())
	}
	return Known(d), Rule{"least upper bound", "the narrowest dtype to which Julia promotes both"}, nil
}
