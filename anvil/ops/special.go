package ops

import (
	"math"
	"math/cmplx"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

var special = sampledAsFormulas(append(append(defs(specialUnaries), defs(specialBinaries)...), nextAfter...))

// sampledAsFormulas returns rows with the samples of a formula, which compiles
// long and is indifferent to shape: shapes at f32, and at the other dtypes the
// awkward points.
func sampledAsFormulas(rows []Def) []Def {
	for i := range rows {
		all := rows[i].Samples
		rows[i].Draw = nil
		rows[i].Samples = func(d dtype.DType) []Sample {
			samples := all(d)
			if d != dtype.F32 {
				samples = samples[:1]
			}
			if rows[i].Code == ir.Polygamma { // of an order whose factorial is no number yet
				samples[0].Args = orders(d)
			}
			return samples
		}
	}
	return rows
}

// orders returns the orders 0 to 4 at the awkward points.
func orders(d dtype.DType) []array.Array {
	var n, x []float64
	for _, v := range array.Load[float64](awkward(d)) {
		for k := range 5 {
			n, x = append(n, float64(k)), append(x, v)
		}
	}
	return []array.Array{vector(d, n), vector(d, x)}
}

// The functions that StableHLO itself does not have, of one operand.
var specialUnaries = []unaryRow{
	{code: ir.Exp2, name: "Exp2", accepts: dtype.Inexact, lower: lowerFormula(exp2), bound: Bound{ULP: 2, Complex: 64},
		doc: "Exp2 returns 2 to the power of operand, elementwise.", f: math.Exp2,
		c: func(x complex128) complex128 { return cmplx.Exp(scaledComplex(x, math.Ln2)) }},
	{code: ir.Log2, name: "Log2", accepts: dtype.Inexact, lower: lowerFormula(log2), bound: Bound{ULP: 3, Complex: 64},
		doc: "Log2 returns the logarithm of operand to base 2, elementwise, exact at powers of 2.", f: log2Float,
		c: func(x complex128) complex128 { return scaledComplex(logComplex(x), 1/math.Ln2) }},
	{code: ir.Log10, name: "Log10", accepts: dtype.Inexact, lower: lowerFormula(log10), bound: Bound{ULP: 4, Complex: 64},
		doc: "Log10 returns the logarithm of operand to base 10, elementwise.", f: log10Float,
		c: func(x complex128) complex128 { return scaledComplex(logComplex(x), 1/math.Ln10) }},
	{code: ir.Asin, name: "Asin", accepts: dtype.Inexact, lower: lowerFormula(asin), bound: Bound{ULP: 5, Complex: 64},
		doc: "Asin returns the inverse sine of operand in radians, elementwise.", f: math.Asin, c: asinComplex},
	{code: ir.Acos, name: "Acos", accepts: dtype.Inexact, lower: lowerFormula(acos), bound: Bound{ULP: 5, Complex: 64},
		doc: "Acos returns the inverse cosine of operand in radians, elementwise.", f: acosFloat, c: acosComplex},
	{code: ir.Atan, name: "Atan", method: true, accepts: dtype.Inexact, lower: lowerFormula(atan), bound: Bound{ULP: 4, Complex: 64},
		doc: "Atan returns the inverse tangent of operand in radians, elementwise.", f: math.Atan, c: atanComplex},
	{code: ir.Sinh, name: "Sinh", method: true, accepts: dtype.Inexact, lower: lowerFormula(sinh), bound: Bound{ULP: 7, Complex: 64},
		doc: "Sinh returns the hyperbolic sine of operand, elementwise.", f: sinhFloat, c: cmplx.Sinh},
	{code: ir.Cosh, name: "Cosh", method: true, accepts: dtype.Inexact, lower: lowerFormula(cosh), bound: Bound{ULP: 4, Complex: 64},
		doc: "Cosh returns the hyperbolic cosine of operand, elementwise.", f: coshFloat, c: cmplx.Cosh},
	{code: ir.Asinh, name: "Asinh", method: true, accepts: dtype.Inexact, lower: lowerFormula(asinh), bound: Bound{ULP: 4, Complex: 64},
		doc: "Asinh returns the inverse hyperbolic sine of operand, elementwise.", f: math.Asinh, c: asinhComplex},
	{code: ir.Acosh, name: "Acosh", accepts: dtype.Inexact, lower: lowerFormula(acosh), bound: Bound{ULP: 5, Complex: 64},
		doc: "Acosh returns the inverse hyperbolic cosine of operand, elementwise.", f: math.Acosh, c: acoshComplex},
	{code: ir.Atanh, name: "Atanh", accepts: dtype.Inexact, lower: lowerFormula(atanh), bound: Bound{ULP: 5, Complex: 64},
		doc: "Atanh returns the inverse hyperbolic tangent of operand, elementwise.", f: math.Atanh, c: atanhComplex},
	{code: ir.SinPi, name: "SinPi", accepts: dtype.Floating, lower: lowerFormula(sinPi), bound: Bound{ULP: 3},
		doc: "SinPi returns the sine of pi times operand, elementwise: 0 at integers.", f: sinPiFloat},
	{code: ir.CosPi, name: "CosPi", accepts: dtype.Floating, lower: lowerFormula(cosPi), bound: Bound{ULP: 3},
		doc: "CosPi returns the cosine of pi times operand, elementwise: 0 halfway between integers.", f: cosPiFloat},
	{code: ir.TanPi, name: "TanPi", accepts: dtype.Floating, lower: lowerFormula(tanPi), bound: Bound{ULP: 5},
		doc: "TanPi returns the tangent of pi times operand, elementwise: 0 at integers, infinite halfway between.", f: tanPiFloat},
	{code: ir.Erfc, name: "Erfc", accepts: dtype.Floating, lower: lowerFormula(erfc), bound: Bound{ULP: 7},
		doc: "Erfc returns 1 - erf(operand), elementwise, exact also where that is small.", f: math.Erfc},
	{code: ir.Erfcx, name: "Erfcx", accepts: dtype.Floating, lower: lowerFormula(erfcx), bound: Bound{ULP: 7},
		doc: "Erfcx returns exp(operand²) * erfc(operand), elementwise, where erfc alone would underflow.", f: erfcxFloat},
	{code: ir.ErfInv, name: "ErfInv", accepts: dtype.Floating, lower: lowerFormula(erfInv), bound: Bound{ULP: 6},
		doc: "ErfInv returns the inverse of the error function of operand, elementwise; nan beyond -1 and 1.", f: erfInvFloat},
	{code: ir.Lgamma, name: "Lgamma", accepts: dtype.Floating, lower: lowerFormula(lgamma), bound: Bound{ULP: 8, Floor: 1},
		doc: "Lgamma returns the logarithm of the magnitude of the gamma function of operand, elementwise.", f: lgammaFloat},
	{code: ir.Gamma, name: "Gamma", accepts: dtype.Floating, lower: lowerFormula(gamma), bound: Bound{ULP: 7},
		doc: "Gamma returns the gamma function of operand, elementwise: (n-1)! of a whole number n; nan of negative ones.", f: gammaFloat},
	{code: ir.Digamma, name: "Digamma", accepts: dtype.Floating, lower: lowerFormula(digamma), bound: Bound{ULP: 6, Floor: 8},
		doc: "Digamma returns the derivative of Lgamma at operand, elementwise; nan at negative whole numbers.", f: digammaFloat},
	{code: ir.BesselI0e, name: "BesselI0e", accepts: dtype.Floating, lower: lowerFormula(besselE(0, bessel0Near, bessel0Far)), bound: Bound{ULP: 4, F64: 7},
		doc: "BesselI0e returns exp(-|operand|) times the modified Bessel function of order 0 of operand, elementwise.", f: besselFloat(0)},
	{code: ir.BesselI1e, name: "BesselI1e", accepts: dtype.Floating, lower: lowerFormula(besselE(1, bessel1Near, bessel1Far)), bound: Bound{ULP: 4, F64: 7},
		doc: "BesselI1e returns exp(-|operand|) times the modified Bessel function of order 1 of operand, elementwise.", f: besselFloat(1)},
	{code: ir.NormCDF, name: "NormCDF", accepts: dtype.Floating, lower: lowerFormula(normCDF), bound: Bound{ULP: 7},
		doc: "NormCDF returns the standard normal distribution function of operand, elementwise, exact in the lower tail.", f: normCDFFloat},
	{code: ir.NormLogCDF, name: "NormLogCDF", accepts: dtype.Floating, lower: lowerFormula(normLogCDF), bound: Bound{ULP: 8},
		doc: "NormLogCDF returns the logarithm of NormCDF(operand), elementwise, where NormCDF itself would underflow.", f: normLogCDFFloat},
	{code: ir.NormQuantile, name: "NormQuantile", accepts: dtype.Floating, lower: lowerFormula(normQuantile), bound: Bound{ULP: 6, F64: 9},
		doc: "NormQuantile returns the inverse of NormCDF of operand, elementwise; nan below 0 and above 1.", f: normQuantileFloat},
}

// Of two operands.
var specialBinaries = []binaryRow{
	{code: ir.Zeta, name: "Zeta", accepts: dtype.Floating, lower: lowerFormula(zeta), bound: Bound{ULP: 64},
		doc: "Zeta returns the Hurwitz zeta function, the sum of 1/(rhs+k)^lhs over k >= 0, elementwise; nan for lhs < 1 and rhs < 0.", f: zetaFloat},
	{code: ir.Polygamma, name: "Polygamma", accepts: dtype.Floating, lower: lowerFormula(polygamma), bound: Bound{ULP: 64, Floor: 1},
		doc: "Polygamma returns the derivative of order lhs of Digamma at rhs, elementwise; nan for rhs < 0 where the order is above 1. Its factorial must not overflow.", f: polygammaFloat},
	{code: ir.Hypot, name: "Hypot", accepts: dtype.Floating, lower: lowerFormula(hypot), bound: Bound{ULP: 4},
		doc: "Hypot returns sqrt(lhs² + rhs²), elementwise, without overflow between.", f: math.Hypot},
}

// nextAfter is the row of NextAfter, whose answer depends on the dtype.
var nextAfter = []Def{{Code: ir.NextAfter, Name: "NextAfter", Params: []string{"lhs", "rhs"},
	Accepts: []dtype.Kind{dtype.Floating, dtype.Floating}, Only: []dtype.DType{dtype.BF16, dtype.F16, dtype.F32, dtype.F64},
	Doc:   "NextAfter returns the number of its dtype next to lhs in the direction of rhs, elementwise.",
	Infer: sameTypes, Lower: lowerNextAfter, Eval: evalNextAfter, Samples: elementwiseSamples(2), Draw: drawElementwise(2)}}

func lowerNextAfter(w *stablehlo.Writer, n *ir.Node) {
	w.Rename(n.Results[0], w.ApplyCHLO("next_after", n.Results[0].Type, w.NameOf(n.Args[0]), w.NameOf(n.Args[1])))
}

func evalNextAfter(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	t := n.Results[0].Type
	return one(array.Map2(e.Context(), t, args[0], args[1], func(x, y float64) float64 { return nextAfterFloat(t.DType, x, y) }))
}
