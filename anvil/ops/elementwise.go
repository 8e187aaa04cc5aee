package ops

import (
	"cmp"
	"math"
	"math/bits"
	"math/cmplx"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// elementwise holds the rows of Erf and of the elementwise operations of StableHLO, except those of compare.go.
var elementwise = append(append(unaryDefs(unaries), binaryDefs(binaries)...), mixed...)

// unaries are operations with one operand and a result of the same type. accepts has the dtypes that (I1) of the
// operation in the specification allows.
var unaries = []unaryRow{
	{code: ir.Neg, name: "Neg", hlo: "negate", accepts: dtype.Numeric,
		doc: "Neg returns -operand, elementwise. Unsigned integers wrap.",
		i:   func(x int64) int64 { return -x }, u: func(x uint64) uint64 { return -x },
		f: func(x float64) float64 { return -x }, c: func(x complex128) complex128 { return -x }},
	{code: ir.Sign, name: "Sign", hlo: "sign", accepts: dtype.Signed | dtype.Inexact, bound: Bound{ULP: 2},
		doc: "Sign returns -1, 0 or 1, elementwise; operand / |operand| for a complex operand. Zeros keep their sign.",
		i:   func(x int64) int64 { return int64(cmp.Compare(x, 0)) }, f: signFloat, c: signComplex},
	{code: ir.Exp, name: "Exp", operands: Inexact, names: []string{"exp", "tf.exp"}, hlo: "exponential", accepts: dtype.Inexact, expansion: exp, bound: Bound{ULP: 3, Complex: 8},
		doc: "Exp returns e to the power x, elementwise.", f: expFloat, c: expComplex},
	{code: ir.Expm1, name: "Expm1", operands: Inexact, names: []string{"expm1", "tf.math.expm1"}, hlo: "exponential_minus_one", accepts: dtype.Inexact, expansion: expm1, bound: Bound{ULP: 7, Complex: 16},
		doc: "Expm1 returns e to the power x, minus 1, elementwise, accurate near 0.", f: math.Expm1, c: expm1Complex},
	{code: ir.Log, name: "Log", operands: Inexact, names: []string{"log", "tf.math.log"}, hlo: "log", accepts: dtype.Inexact, expansion: log, bound: Bound{ULP: 3, Complex: 64},
		doc: "Log returns the natural logarithm of x, elementwise.", f: math.Log, c: logComplex},
	{code: ir.Log1p, name: "Log1p", operands: Inexact, names: []string{"log1p", "tf.math.log1p"}, hlo: "log_plus_one", accepts: dtype.Inexact, expansion: log1p, lower: lowerLog1p, bound: Bound{ULP: 4, Complex: 64},
		doc: "Log1p returns the natural logarithm of 1 + x, elementwise, accurate near 0.", f: math.Log1p, c: log1pComplex},
	{code: ir.Sqrt, name: "Sqrt", operands: Inexact, names: []string{"sqrt", "tf.sqrt"}, hlo: "sqrt", accepts: dtype.Inexact, expansion: sqrt, bound: Bound{ULP: 1, Complex: 4},
		doc: "Sqrt returns the square root of x, elementwise.", f: math.Sqrt, c: sqrtComplex},
	{code: ir.Rsqrt, name: "Rsqrt", operands: Inexact, names: []string{"rsqrt", "tf.math.rsqrt"}, hlo: "rsqrt", accepts: dtype.Inexact, expansion: compilerOp(ir.Rsqrt), bound: Bound{ULP: 3, Complex: 4},
		doc: "Rsqrt returns 1 over the square root of x, elementwise.",
		f:   func(x float64) float64 { return 1 / math.Sqrt(x) }, c: func(x complex128) complex128 { return 1 / cmplx.Sqrt(x) }},
	{code: ir.Cbrt, name: "Cbrt", operands: Inexact, names: []string{"cbrt"}, hlo: "cbrt", accepts: dtype.Inexact, expansion: cbrt, bound: Bound{ULP: 2, Complex: 4},
		doc: "Cbrt returns the cube root of x, elementwise.", f: math.Cbrt,
		c: func(x complex128) complex128 { return cmplx.Pow(x, 1.0/3) }},
	{code: ir.Sin, name: "Sin", operands: Inexact, names: []string{"sin", "tf.sin"}, hlo: "sine", accepts: dtype.Inexact, expansion: sin, bound: Bound{ULP: 2, Complex: 32},
		doc: "Sin returns the sine of x in radians, elementwise.", f: sinFloat, c: cmplx.Sin},
	{code: ir.Cos, name: "Cos", operands: Inexact, names: []string{"cos", "tf.cos"}, hlo: "cosine", accepts: dtype.Inexact, expansion: cos, bound: Bound{ULP: 2, Complex: 32},
		doc: "Cos returns the cosine of x in radians, elementwise.", f: cosFloat, c: cmplx.Cos},
	{code: ir.Tan, name: "Tan", operands: Inexact, names: []string{"tan", "tf.tan"}, hlo: "tan", accepts: dtype.Inexact, expansion: tan, bound: Bound{ULP: 3, Complex: 32},
		doc: "Tan returns the tangent of x in radians, elementwise.", f: tanFloat, c: tanComplex},
	{code: ir.Tanh, name: "Tanh", operands: Inexact, names: []string{"tanh", "tf.tanh"}, hlo: "tanh", accepts: dtype.Inexact, expansion: tanh, bound: Bound{ULP: 7, Complex: 8},
		doc: "Tanh returns the hyperbolic tangent of x, elementwise.", f: math.Tanh, c: tanhComplex},
	{code: ir.Logistic, name: "Logistic", operands: Inexact, names: []string{"sigmoid", "tf.sigmoid"}, hlo: "logistic", accepts: dtype.Inexact, expansion: compilerOp(ir.Logistic), bound: Bound{ULP: 5, Complex: 8},
		doc: "Logistic returns 1 / (1 + exp(-x)), elementwise.",
		f:   func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
		c:   func(x complex128) complex128 { return 1 / (1 + cmplx.Exp(-x)) }},
	{code: ir.Floor, name: "Floor", hlo: "floor", accepts: dtype.Floating,
		doc: "Floor returns the greatest integer not above operand, elementwise.", f: math.Floor},
	{code: ir.Ceil, name: "Ceil", hlo: "ceil", accepts: dtype.Floating,
		doc: "Ceil returns the least integer not below operand, elementwise.", f: math.Ceil},
	{code: ir.RoundEven, name: "RoundEven", hlo: "round_nearest_even", accepts: dtype.Floating,
		doc: "RoundEven returns the nearest integer, elementwise; with ties to even.", f: math.RoundToEven},
	{code: ir.RoundAway, name: "RoundAway", hlo: "round_nearest_afz", accepts: dtype.Floating,
		doc: "RoundAway returns the nearest integer, elementwise; with ties away from zero.", f: math.Round},
	{code: ir.Not, name: "Not", hlo: "not", accepts: dtype.Bits,
		doc: "Not returns the complement of operand, elementwise: logical for booleans, bitwise for integers.",
		b:   func(x bool) bool { return !x }, i: func(x int64) int64 { return ^x }, u: func(x uint64) uint64 { return ^x }},
}

// binaries are operations whose two operands and result have the same type.
var binaries = []binaryRow{
	{code: ir.Add, name: "Add", hlo: "add", accepts: dtype.Any,
		doc: "Add returns lhs + rhs, elementwise; for booleans, lhs or rhs. Integers wrap.", b: orBool,
		i: func(x, y int64) int64 { return x + y }, u: func(x, y uint64) uint64 { return x + y },
		f: func(x, y float64) float64 { return x + y }, c: func(x, y complex128) complex128 { return x + y }},
	{code: ir.Sub, name: "Sub", hlo: "subtract", accepts: dtype.Numeric,
		doc: "Sub returns lhs - rhs, elementwise. Integers wrap.",
		i:   func(x, y int64) int64 { return x - y }, u: func(x, y uint64) uint64 { return x - y },
		f: func(x, y float64) float64 { return x - y }, c: func(x, y complex128) complex128 { return x - y }},
	{code: ir.Mul, name: "Mul", hlo: "multiply", accepts: dtype.Any, bound: Bound{ULP: 2},
		doc: "Mul returns lhs * rhs, elementwise; for booleans, lhs and rhs. Integers wrap.", b: andBool,
		i: func(x, y int64) int64 { return x * y }, u: func(x, y uint64) uint64 { return x * y },
		f: func(x, y float64) float64 { return x * y }, c: func(x, y complex128) complex128 { return x * y }},
	{code: ir.MulNoNaN, name: "MulNoNaN", accepts: dtype.Inexact, bound: Bound{ULP: 2}, expansion: mulNoNaN, exact: true,
		doc: "MulNoNaN returns lhs * rhs, elementwise; 0 where lhs is 0, even if rhs is infinite or NaN.",
		f:   mulNoNaNOf[float64], c: mulNoNaNOf[complex128]},
	{code: ir.Div, name: "Div", hlo: "divide", accepts: dtype.Numeric, bound: Bound{ULP: 2}, lower: lowerDivide("divide"),
		doc: "Div returns lhs / rhs, elementwise. Integer quotients are truncated; division by an integer zero " +
			"gives all bits set, which is -1 if signed.",
		i: divInt, u: divUint, f: func(x, y float64) float64 { return x / y }, c: func(x, y complex128) complex128 { return x / y }},
	{code: ir.Rem, name: "Rem", hlo: "remainder", accepts: dtype.Real, lower: lowerDivide("remainder"),
		doc: "Rem returns the remainder of the truncated lhs / rhs, elementwise, with the sign of lhs; division by an integer zero gives lhs.",
		i:   remInt, u: remUint, f: math.Mod},
	{code: ir.Pow, name: "Pow", hlo: "power", accepts: dtype.Numeric, expansion: power, bound: Bound{ULP: 8, Complex: 64},
		doc: "Pow returns lhs to the power of rhs, elementwise. Integer powers wrap; negative ones truncate.",
		i:   powInt, u: powUint, f: powFloat, c: powComplex},
	{code: ir.Max, name: "Max", hlo: "maximum", accepts: dtype.Any, bound: Bound{AnyZero: true}, expansion: extremeOrNaN(ir.Max), exact: true,
		doc: "Max returns the greater of lhs and rhs, elementwise; NaN if either is NaN. Complex numbers are ordered by real, then imaginary part.",
		b:   orBool, i: maxOf[int64], u: maxOf[uint64], f: maxOf[float64], c: maxComplex},
	{code: ir.Min, name: "Min", hlo: "minimum", accepts: dtype.Any, bound: Bound{AnyZero: true}, expansion: extremeOrNaN(ir.Min), exact: true,
		doc: "Min returns the lesser of lhs and rhs, elementwise; NaN if either is NaN. Complex numbers are ordered by real, then imaginary part.",
		b:   andBool, i: minOf[int64], u: minOf[uint64], f: minOf[float64], c: minComplex},
	{code: ir.Atan2, name: "Atan2", hlo: "atan2", accepts: dtype.Inexact, expansion: atan2, bound: Bound{ULP: 4, Complex: 16},
		doc: "Atan2 returns the angle of the point (rhs, lhs) from the positive x axis in radians, elementwise.",
		f:   math.Atan2, c: atan2Complex},
	{code: ir.And, name: "And", hlo: "and", accepts: dtype.Bits,
		doc: "And returns lhs and rhs, elementwise: logical for booleans, bitwise for integers.",
		b:   andBool, i: func(x, y int64) int64 { return x & y }, u: func(x, y uint64) uint64 { return x & y }},
	{code: ir.Or, name: "Or", hlo: "or", accepts: dtype.Bits,
		doc: "Or returns lhs or rhs, elementwise: logical for booleans, bitwise for integers.",
		b:   orBool, i: func(x, y int64) int64 { return x | y }, u: func(x, y uint64) uint64 { return x | y }},
	{code: ir.Xor, name: "Xor", hlo: "xor", accepts: dtype.Bits,
		doc: "Xor returns the exclusive or of lhs and rhs, elementwise: logical for booleans, bitwise for integers.",
		b:   func(x, y bool) bool { return x != y },
		i:   func(x, y int64) int64 { return x ^ y }, u: func(x, y uint64) uint64 { return x ^ y }},
}

// mixed are operations that do not fit a unaryRow or a binaryRow: their result has another dtype, their evaluation
// needs the width of the dtype, or they are lowered to CHLO.
var mixed = []Def{
	{Code: ir.Abs, Name: "Abs", HLO: "abs", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Signed | dtype.Inexact},
		Doc:   "Abs returns the magnitude of operand, elementwise: a real number, even for complex ones.",
		Infer: toReal, Lower: lowerWithTypes("abs"), Eval: evalAbs, Bound: Bound{ULP: 4}},
	{Code: ir.Erf, Name: "Erf", CHLO: "erf", Function: Function{Operands: Inexact, Names: []string{"erf", "tf.math.erf"}}, Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Floating},
		Doc:   "Erf returns the error function of x, elementwise.",
		Infer: sameTypes, Lower: lowerCHLO("erf"), Eval: evalUnary(unaryRow{f: math.Erf}), Bound: Bound{ULP: 6}},
	{Code: ir.Popcount, Name: "Popcount", HLO: "popcnt", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Integral},
		Doc:   "Popcount returns the number of set bits of operand, elementwise.",
		Infer: sameTypes, Lower: lowerPopcount, Eval: bitCount(func(x uint64, _ int) int { return bits.OnesCount64(x) })},
	{Code: ir.Clz, Name: "Clz", HLO: "count_leading_zeros", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Integral},
		Doc:   "Clz returns the number of zero bits above the highest set bit of operand, elementwise.",
		Infer: sameTypes, Lower: lowerSameType("count_leading_zeros"),
		Eval: bitCount(func(x uint64, width int) int { return width - bits.Len64(x) })},
	{Code: ir.IsFinite, Name: "IsFinite", HLO: "is_finite", Params: []string{"x"}, Accepts: []dtype.Kind{dtype.Floating},
		Doc:   "IsFinite returns whether x is neither infinite nor NaN, elementwise.",
		Infer: toBool, Lower: lowerWithTypes("is_finite"), Eval: evalIsFinite},
	{Code: ir.Real, Name: "Real", HLO: "real", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Inexact},
		Doc:   "Real returns the real part of operand, elementwise.",
		Infer: toReal, Lower: lowerWithTypes("real"), Eval: evalPart(func(x complex128) float64 { return real(x) }, func(x float64) float64 { return x })},
	{Code: ir.Imag, Name: "Imag", HLO: "imag", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Inexact},
		Doc:   "Imag returns the imaginary part of operand, elementwise: zeros for real numbers.",
		Infer: toReal, Lower: lowerWithTypes("imag"), Eval: evalPart(func(x complex128) float64 { return imag(x) }, func(float64) float64 { return 0 })},
	{Code: ir.Complex, Name: "Complex", HLO: "complex", Params: []string{"lhs", "rhs"},
		Accepts: []dtype.Kind{dtype.Floating, dtype.Floating}, Only: []dtype.DType{dtype.F32, dtype.F64},
		Doc:   "Complex returns lhs + rhs*i, elementwise.",
		Infer: inferComplex, Lower: lowerWithTypes("complex"), Eval: evalComplex},
	shift(ir.ShiftLeft, "ShiftLeft", "shift_left",
		"ShiftLeft returns lhs shifted rhs bits to the left, elementwise: 0 where rhs is negative or at least the width.",
		func(x int64, s uint64, width int) int64 { return x << min(s, uint64(width)) },
		func(x, s uint64, width int) uint64 { return x << min(s, uint64(width)) }),
	shift(ir.ShiftRightArithmetic, "ShiftRightArithmetic", "shift_right_arithmetic",
		"ShiftRightArithmetic returns lhs shifted rhs bits to the right, elementwise, filling with the highest bit: "+
			"only that bit remains where rhs is negative or at least the width.",
		func(x int64, s uint64, _ int) int64 { return x >> min(s, 63) },
		func(x, s uint64, width int) uint64 { return uint64(signed(x, width) >> min(s, 63)) }),
	shift(ir.ShiftRightLogical, "ShiftRightLogical", "shift_right_logical",
		"ShiftRightLogical returns lhs shifted rhs bits to the right, elementwise, filling with zeros: 0 where rhs is negative or at least the width.",
		func(x int64, s uint64, width int) int64 { return int64(lowBits(uint64(x), width) >> min(s, 64)) },
		func(x, s uint64, _ int) uint64 { return x >> min(s, 64) }),
}

// shift returns the row of a shift. i and u shift an element x, which has the given width in bits, by s bits: i for
// signed and u for unsigned integers. A negative number of bits is read as a large unsigned one.
func shift(
	c ir.Code, name, hlo, doc string, i func(x int64, s uint64, width int) int64, u func(x, s uint64, width int) uint64,
) Def {
	eval := func(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
		t := n.Results[0].Type
		width := t.DType.Bits()
		if t.DType.Is(dtype.Signed) {
			return oneResult(array.Map2(e.Context(), t, args[0], args[1],
				func(x, s int64) int64 { return i(x, lowBits(uint64(s), width), width) }))
		}
		return oneResult(array.Map2(e.Context(), t, args[0], args[1],
			func(x, s uint64) uint64 { return u(x, s, width) }))
	}
	return Def{Code: c, Name: name, HLO: hlo, Params: []string{"lhs", "rhs"}, Accepts: []dtype.Kind{dtype.Integral, dtype.Integral},
		Doc: doc, Infer: sameTypes, Lower: lowerSameType(hlo), Eval: eval}
}

// lowBits returns the low width bits of x.
func lowBits(x uint64, width int) uint64 { return x & (1<<width - 1) }

// signed returns the low width bits of x as a signed number.
func signed(x uint64, width int) int64 { return int64(x<<(64-width)) >> (64 - width) }

// bitCount returns the EvalFunc of an operation that counts bits. count gets an element as its low width bits.
func bitCount(count func(x uint64, width int) int) EvalFunc {
	return func(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
		t := n.Results[0].Type
		width := t.DType.Bits()
		if t.DType.Is(dtype.Signed) {
			return oneResult(array.Map1(e.Context(), t, args[0],
				func(x int64) int64 { return int64(count(lowBits(uint64(x), width), width)) }))
		}
		return oneResult(array.Map1(e.Context(), t, args[0], func(x uint64) uint64 { return uint64(count(x, width)) }))
	}
}

// toReal is the InferFunc of operations that return a real number for a complex one: (C1), (C2) of abs, real
// and imag.
func toReal(args []shape.Type, _ any, _ []*ir.Graph) ([]shape.Type, error) {
	t := args[0]
	if t.DType.Is(dtype.Complex) {
		t.DType = t.DType.Elem()
	}
	return []shape.Type{t}, nil
}

// toBool is the InferFunc of operations that return booleans: (C1) of is_finite, shape(x) = shape(y).
func toBool(args []shape.Type, _ any, _ []*ir.Graph) ([]shape.Type, error) {
	return []shape.Type{{DType: dtype.I1, Shape: args[0].Shape}}, nil
}

// inferComplex: (C1) type(lhs) = type(rhs); (C2), (C3) the result has their shape, and its parts have their
// dtype.
func inferComplex(args []shape.Type, _ any, _ []*ir.Graph) ([]shape.Type, error) {
	if err := allSame(args); err != nil {
		return nil, err
	}
	t := shape.Type{DType: dtype.C64, Shape: args[0].Shape}
	if args[0].DType == dtype.F64 {
		t.DType = dtype.C128
	}
	return []shape.Type{t}, nil
}

func evalAbs(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	t, x := n.Results[0].Type, args[0]
	switch x.DType().Kind() {
	case dtype.Signed:
		return oneResult(array.Map1(e.Context(), t, x, func(x int64) int64 { return max(x, -x) }))
	case dtype.Complex:
		return oneResult(array.Map1(e.Context(), t, x, cmplx.Abs))
	}
	return oneResult(array.Map1(e.Context(), t, x, math.Abs))
}

func evalIsFinite(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	return oneResult(array.Map1(e.Context(), n.Results[0].Type, args[0],
		func(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }))
}

// evalPart returns the EvalFunc of Real or Imag: c returns the part of a complex number, f that of a float.
func evalPart(c func(complex128) float64, f func(float64) float64) EvalFunc {
	return func(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
		if args[0].DType().Is(dtype.Complex) {
			return oneResult(array.Map1(e.Context(), n.Results[0].Type, args[0], c))
		}
		return oneResult(array.Map1(e.Context(), n.Results[0].Type, args[0], f))
	}
}

func evalComplex(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	return oneResult(array.Map2(e.Context(), n.Results[0].Type, args[0], args[1],
		func(re, im float64) complex128 { return complex(re, im) }))
}

// mulNoNaN returns x[0] * x[1], but 0 where x[0] is 0. In derivatives, x[0] is a tangent, which is 0 on a branch
// that is not taken; there x[1] may be infinite or NaN.
func mulNoNaN(b expr.Builder, x ...expr.Value) expr.Value {
	return b.Where(b.Eq(x[0], 0), 0, b.Mul(x[0], x[1]))
}

// mulNoNaNOf is mulNoNaN for single elements.
func mulNoNaNOf[T float64 | complex128](x, y T) T {
	if x == 0 {
		return 0
	}
	return x * y
}
