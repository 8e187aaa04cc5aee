package main

import (
	"math"
	"math/big"
	"slices"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// NumPy warns of the exceptions of IEEE 754 in operations on floats: overflow, division by zero and
// invalid operations. In operations on integers it warns only if the operation divides, or is an
// operator on scalars.

// numpyUfuncs maps operations to NumPy's names for them, where these differ.
var numpyUfuncs = map[string]string{
	"sub": "subtract", "mul": "multiply", "true_divide": "divide", "pow": "power", "neg": "negative", "abs": "absolute",
}

// warn stores the warning that NumPy gives for the operation op with result r, unless an earlier operation of the
// expression has stored one. operator says whether the operation is written as one of Python's operators.
func (w valueEvaluator) warn(op string, operator bool, operands []any, r any) {
	t, ok := r.(anvil.Tensor)
	if w.warning == nil || *w.warning != "" || !ok || t.DType() == dtype.I1 {
		return
	}
	name, scalars := op, operator && t.Rank() == 0
	if n, ok := numpyUfuncs[op]; ok {
		name = n
	}
	if n, isInt := operands[len(operands)-1].(int); isInt && n == 2 && op == "pow" && t.Rank() > 0 {
		name = "square"
	}
	fault := ""
	if literalOverflows(operands, t.DType()) {
		fault, name, scalars = "overflow", "cast", false
	} else if t.DType().Is(dtype.Inexact) {
		fault = floatFault(op, operands, t)
	} else {
		fault = integerFault(op, operands, t, scalars)
	}
	if scalars {
		name = "scalar " + name
	}
	if fault != "" {
		*w.warning = "RuntimeWarning: " + fault + " encountered in " + name
	}
}

// warnReduced is warn for the sum, the product or the cumulative sums r of x.
func (w valueEvaluator) warnReduced(name string, x, r anvil.Tensor) {
	method, ok := map[string]string{"sum": "reduce", "prod": "reduce", "cumsum": "accumulate"}[name]
	if w.warning == nil || *w.warning != "" || !ok || !r.DType().Is(dtype.Inexact) {
		return
	}
	infinite := func(t anvil.Tensor) bool {
		return slices.ContainsFunc(elementsOf(t, elementCount(t)), func(f float64) bool { return math.IsInf(f, 0) })
	}
	if infinite(r) && !infinite(x) {
		*w.warning = "RuntimeWarning: overflow encountered in " + method
	}
}

// literalOverflows reports whether a finite float64 among the operands becomes infinite when it is converted to d,
// the dtype of the result. Integers are not examined.
func literalOverflows(operands []any, d dtype.DType) bool {
	for _, x := range operands {
		if v, ok := x.(float64); ok && d.Is(dtype.Floating) && !math.IsInf(v, 0) {
			rounded, err := dtype.Cast(v, d)
			if err == nil && math.IsInf(toFloat(rounded), 0) {
				return true
			}
		}
	}
	return false
}

// floatFault returns the first IEEE 754 exception in the elements of r, the result of op: an element that is
// infinite although its operands are finite, or nan although none of them is. It returns "" if there is none.
func floatFault(op string, operands []any, r anvil.Tensor) string {
	hasPole := op == "log" || op == "reciprocal" || op == "true_divide" || op == "floor_divide"
	for i, v := range elementsOf(r, elementCount(r)) {
		allFinite, anyNaN, lastZero := true, false, false
		for _, operand := range operands {
			x := toFloat(elementAt(operand, i))
			allFinite = allFinite && !math.IsInf(x, 0) && !math.IsNaN(x)
			anyNaN = anyNaN || math.IsNaN(x)
			lastZero = x == 0 // after the loop: whether the last operand is 0
		}
		switch {
		case math.IsInf(v, 0) && allFinite && lastZero && hasPole:
			return "divide by zero"
		case math.IsInf(v, 0) && allFinite:
			return "overflow"
		case math.IsNaN(v) && !anyNaN:
			return "invalid value"
		}
	}
	return ""
}

// exactIntegers maps operations on integers that may overflow to functions that compute them exactly.
var exactIntegers = map[string]func(z, x, y *big.Int) *big.Int{
	"add":          (*big.Int).Add,
	"sub":          (*big.Int).Sub,
	"mul":          (*big.Int).Mul,
	"floor_divide": (*big.Int).Quo, // overflows only for the divisor -1, where Quo does not round
	"neg":          func(z, x, _ *big.Int) *big.Int { return z.Neg(x) },
	"abs":          func(z, x, _ *big.Int) *big.Int { return z.Abs(x) },
}

// integerFault returns the fault, a division by 0 or an overflow, at the first element of r that has one, or "" if
// there is none. Overflows count in divisions only, or if anyOverflow is set, in all operations of exactIntegers.
func integerFault(op string, operands []any, r anvil.Tensor, anyOverflow bool) string {
	f, divides := exactIntegers[op], op == "floor_divide" || op == "remainder" || op == "reciprocal"
	for i := range elementCount(r) {
		x, y := integerElement(operands[0], i), integerElement(operands[len(operands)-1], i)
		switch {
		case divides && y.Sign() == 0:
			return "divide by zero"
		case f == nil || !anyOverflow && !divides: // an overflow gives no warning
		case divides && !(y.IsInt64() && y.Int64() == -1): // no other divisor overflows
		case f(new(big.Int), x, y).Cmp(integerElement(r, i)) != 0:
			return "overflow"
		}
	}
	return ""
}

// elementCount returns the number of elements of a scalar or a vector.
func elementCount(t anvil.Tensor) int {
	if t.Rank() == 0 {
		return 1
	}
	return t.Len()
}

// elementAt returns element i of x broadcast to a vector. x is a tensor of rank 0 or 1, or a number.
func elementAt(x any, i int) any {
	t, ok := x.(anvil.Tensor)
	switch {
	case !ok:
		return x
	case t.Rank() == 0:
		return t.Item()
	}
	return t.At(i % t.Len()).Item()
}

// elementsOf returns elements 0 to n-1 of x, as elementAt defines them, as floats. For a complex number
// it returns the real part.
func elementsOf(x any, n int) []float64 {
	fs := make([]float64, n)
	for i := range fs {
		fs[i] = toFloat(elementAt(x, i))
	}
	return fs
}

// toFloat returns a number as a float, or the real part of a complex number.
func toFloat(v any) float64 {
	if n, ok := v.(*big.Int); ok {
		f, _ := new(big.Float).SetInt(n).Float64()
		return f
	}
	return realPart(v)
}

// integerElement returns element i of x, as elementAt defines it, as an integer.
func integerElement(x any, i int) *big.Int {
	switch v := elementAt(x, i).(type) {
	case *big.Int:
		return v
	case uint64:
		return new(big.Int).SetUint64(v)
	default:
		n, err := dtype.Cast(v, dtype.I64)
		if err != nil {
			return new(big.Int)
		}
		return big.NewInt(n.(int64))
	}
}
