package ops

import (
	"math"
	"math/cmplx"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// special holds the rows of the elementwise operations that StableHLO lacks.
var special = append(append(unaryDefs(specialUnaries), binaryDefs(specialBinaries)...), nextAfter...)

// specialUnaries are the functions of one operand.
var specialUnaries = []unaryRow{
	{code: ir.Exp2, name: "Exp2", operands: Inexact, names: []string{"exp2"}, accepts: dtype.Inexact, expansion: exp2, bound: Bound{ULP: 2, Complex: 64},
		doc: "Exp2 returns 2 to the power x, elementwise; exact at integers.", f: math.Exp2,
		c: func(x complex128) complex128 { return cmplx.Exp(scaledComplex(x, math.Ln2)) }},
	{code: ir.Log2, name: "Log2", operands: Inexact, names: []string{"log2"}, accepts: dtype.Inexact, expansion: log2, bound: Bound{ULP: 3, Complex: 64},
		doc: "Log2 returns the logarithm of x to base 2, elementwise; exact at powers of 2.", f: log2Float,
		c: func(x complex128) complex128 { return scaledComplex(logComplex(x), 1/math.Ln2) }},
	{code: ir.Log10, name: "Log10", operands: Inexact, names: []string{"log10"}, accepts: dtype.Inexact, expansion: log10, bound: Bound{ULP: 4, Complex: 64},
		doc: "Log10 returns the logarithm of x to base 10, elementwise.", f: log10Float,
		c: func(x complex128) complex128 { return scaledComplex(logComplex(x), 1/math.Ln10) }},
	{code: ir.Asin, name: "Asin", chlo: "asin", operands: Inexact, names: []string{"asin", "arcsin"}, accepts: dtype.Inexact, expansion: asin, bound: Bound{ULP: 5, Complex: 64},
		doc: "Asin returns the inverse sine of x in radians, elementwise; nan below -1 and above 1.",
		f:   math.Asin, c: asinComplex},
	{code: ir.Acos, name: "Acos", chlo: "acos", operands: Inexact, names: []string{"acos", "arccos"}, accepts: dtype.Inexact, expansion: acos, bound: Bound{ULP: 5, Complex: 64},
		doc: "Acos returns the inverse cosine of x in radians, elementwise; nan below -1 and above 1.",
		f:   acosFloat, c: acosComplex},
	{code: ir.Atan, name: "Atan", chlo: "atan", operands: Inexact, names: []string{"atan", "arctan"}, accepts: dtype.Inexact, expansion: atan, bound: Bound{ULP: 4, Complex: 64},
		doc: "Atan returns the inverse tangent of x in radians, elementwise.", f: math.Atan, c: atanComplex},
	{code: ir.Sinh, name: "Sinh", operands: Inexact, names: []string{"sinh"}, accepts: dtype.Inexact, expansion: sinh, bound: Bound{ULP: 7, Complex: 64},
		doc: "Sinh returns the hyperbolic sine of x, elementwise.", f: sinhFloat, c: cmplx.Sinh},
	{code: ir.Cosh, name: "Cosh", operands: Inexact, names: []string{"cosh"}, accepts: dtype.Inexact, expansion: cosh, bound: Bound{ULP: 4, Complex: 64},
		doc: "Cosh returns the hyperbolic cosine of x, elementwise.", f: coshFloat, c: cmplx.Cosh},
	{code: ir.Asinh, name: "Asinh", chlo: "asinh", operands: Inexact, names: []string{"asinh", "arcsinh"}, accepts: dtype.Inexact, expansion: asinh, bound: Bound{ULP: 4, Complex: 64},
		doc: "Asinh returns the inverse hyperbolic sine of x, elementwise.", f: math.Asinh, c: asinhComplex},
	{code: ir.Acosh, name: "Acosh", chlo: "acosh", operands: Inexact, names: []string{"acosh", "arccosh"}, accepts: dtype.Inexact, expansion: acosh, bound: Bound{ULP: 5, Complex: 64},
		doc: "Acosh returns the inverse hyperbolic cosine of x, elementwise; nan below 1.", f: math.Acosh, c: acoshComplex},
	{code: ir.Atanh, name: "Atanh", chlo: "atanh", operands: Inexact, names: []string{"atanh", "arctanh"}, accepts: dtype.Inexact, expansion: atanh, bound: Bound{ULP: 5, Complex: 64},
		doc: "Atanh returns the inverse hyperbolic tangent of x, elementwise; nan below -1 and above 1.",
		f:   math.Atanh, c: atanhComplex},
	{code: ir.SinPi, name: "SinPi", operands: Inexact, accepts: dtype.Floating, expansion: sinPi, bound: Bound{ULP: 3},
		doc: "SinPi returns the sine of pi*x, elementwise; exactly 0 at integers.", f: sinPiFloat},
	{code: ir.CosPi, name: "CosPi", operands: Inexact, accepts: dtype.Floating, expansion: cosPi, bound: Bound{ULP: 3},
		doc: "CosPi returns the cosine of pi*x, elementwise; exactly 0 halfway between integers.", f: cosPiFloat},
	{code: ir.TanPi, name: "TanPi", operands: Inexact, accepts: dtype.Floating, expansion: tanPi, bound: Bound{ULP: 5},
		doc: "TanPi returns the tangent of pi*x, elementwise; 0 at integers, infinite halfway between them.", f: tanPiFloat},
	{code: ir.Erfc, name: "Erfc", operands: Inexact, accepts: dtype.Floating, expansion: erfc, bound: Bound{ULP: 7},
		doc: "Erfc returns 1 - Erf(x), elementwise, accurate also where the result is small.", f: math.Erfc},
	{code: ir.Erfcx, name: "Erfcx", operands: Inexact, accepts: dtype.Floating, expansion: erfcx, bound: Bound{ULP: 7},
		doc: "Erfcx returns exp(x*x) * Erfc(x), elementwise, also where Erfc alone would underflow.", f: erfcxFloat},
	{code: ir.ErfInv, name: "ErfInv", operands: Inexact, accepts: dtype.Floating, expansion: erfInv, bound: Bound{ULP: 6},
		doc: "ErfInv returns the y with Erf(y) = x, elementwise; nan below -1 and above 1.", f: erfInvFloat},
	{code: ir.Lgamma, name: "Lgamma", operands: Inexact, accepts: dtype.Floating, expansion: lgamma, bound: Bound{ULP: 8, Floor: 1},
		doc: "Lgamma returns the logarithm of |Gamma(x)|, elementwise, also where Gamma itself would overflow.", f: lgammaFloat},
	{code: ir.Gamma, name: "Gamma", operands: Inexact, accepts: dtype.Floating, expansion: gamma, bound: Bound{ULP: 7},
		doc: "Gamma returns the gamma function of x, elementwise: (n-1)! for a positive integer n; nan for negative " +
			"integers.",
		f: gammaFloat},
	{code: ir.Digamma, name: "Digamma", operands: Inexact, accepts: dtype.Floating, expansion: digamma, bound: Bound{ULP: 6, Floor: 8},
		doc: "Digamma returns the derivative of Lgamma at x, elementwise.", f: digammaFloat},
	{code: ir.BesselI0e, name: "BesselI0e", operands: Inexact, accepts: dtype.Floating, expansion: besselE(0, bessel0Near, bessel0Far), bound: Bound{ULP: 4, F64: 7},
		doc: "BesselI0e returns exp(-|x|) times the modified Bessel function of order 0 of x, elementwise.", f: besselFloat(0)},
	{code: ir.BesselI1e, name: "BesselI1e", operands: Inexact, accepts: dtype.Floating, expansion: besselE(1, bessel1Near, bessel1Far), bound: Bound{ULP: 4, F64: 7},
		doc: "BesselI1e returns exp(-|x|) times the modified Bessel function of order 1 of x, elementwise.", f: besselFloat(1)},
	{code: ir.NormCDF, name: "NormCDF", operands: Inexact, accepts: dtype.Floating, expansion: normCDF, bound: Bound{ULP: 7},
		doc: "NormCDF returns the standard normal distribution function of x, elementwise: the probability of a " +
			"draw less than x. It is accurate also where the result is small.",
		f: normCDFFloat},
	{code: ir.NormLogCDF, name: "NormLogCDF", operands: Inexact, accepts: dtype.Floating, expansion: normLogCDF, bound: Bound{ULP: 8},
		doc: "NormLogCDF returns the logarithm of NormCDF(x), elementwise, also where NormCDF itself would underflow.", f: normLogCDFFloat},
	{code: ir.NormQuantile, name: "NormQuantile", operands: Inexact, accepts: dtype.Floating, expansion: normQuantile, bound: Bound{ULP: 6, F64: 9},
		doc: "NormQuantile returns the y with NormCDF(y) = x, elementwise; nan below 0 and above 1.", f: normQuantileFloat},
}

// specialBinaries are the functions of two operands, other than NextAfter.
var specialBinaries = []binaryRow{
	{code: ir.Zeta, name: "Zeta", operands: Inexact, args: []string{"x", "q"}, accepts: dtype.Floating, expansion: zeta, bound: Bound{ULP: 64},
		doc: "Zeta returns the Hurwitz zeta function, the sum of (q+k)^-x over k = 0, 1, 2 and so on, elementwise; " +
			"for q = 1 it is Riemann's zeta function. It is nan for x < 1 and for q < 0.",
		f: zetaFloat},
	{code: ir.Polygamma, name: "Polygamma", accepts: dtype.Floating, expansion: polygamma, bound: Bound{ULP: 64, Floor: 1},
		doc: "Polygamma returns the derivative of order lhs of Digamma at rhs, elementwise; nan where rhs < 0 and " +
			"the order is above 1. The factorial of the order must not overflow.",
		f: polygammaFloat},
	{code: ir.Hypot, name: "Hypot", operands: Inexact, names: []string{"hypot"}, accepts: dtype.Floating, expansion: hypot, bound: Bound{ULP: 4},
		doc: "Hypot returns sqrt(x*x + y*y), elementwise, without overflow of the squares.", f: math.Hypot},
}

// nextAfter is the row of NextAfter, whose result depends on the dtype.
var nextAfter = []Def{{Code: ir.NextAfter, Name: "NextAfter", CHLO: "next_after", Params: []string{"lhs", "rhs"}, Function: Function{Operands: Inexact, Names: []string{"nextafter"}},
	Accepts: []dtype.Kind{dtype.Floating, dtype.Floating}, Only: []dtype.DType{dtype.BF16, dtype.F16, dtype.F32, dtype.F64},
	Doc:   "NextAfter returns the number next to x in the direction of y, elementwise, at their common dtype.",
	Infer: sameTypes, Lower: lowerCHLO("next_after"), Eval: evalNextAfter}}

func evalNextAfter(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	t := n.Results[0].Type
	return oneResult(array.Map2(e.Context(), t, args[0], args[1],
		func(x, y float64) float64 { return nextAfterFloat(t.DType, x, y) }))
}
