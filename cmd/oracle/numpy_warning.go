package main

import (
	"math"
	"math/big"
	"slices"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// NumPy warns of floats as IEEE 754 says (overflow, division by zero, invalid operation), and of
// integers if an operator has two scalars or divides.

// numpyUfuncs are NumPy's names of operations.
var numpyUfuncs = map[string]string{"sub": "subtract", "mul": "multiply", "true_divide": "divide", "pow": "power", "neg": "negative", "abs": "absolute"}

// warn stores the warning of an operation with result r, if it is the first of the expression.
// operator tells whether the operation is one of Python's operators.
func (w valueEvaluator) warn(op string, operator bool, operands []any, r any) {
	t, ok := r.(anvil.Tensor)
	if w.warning == nil || *w.warning != "" || !ok || t.DType() == dtype.I1 {
		return
	}
	name, scalars := op, operator && t.Rank() == 0
	if n, ok := numpyUfuncs[op]; ok {
		name = n
	}
	what := ""
	if v, squared := operands[len(operands)-1].(int); squared && v == 2 && op == "pow" && t.Rank() > 0 {
		name = "square"
	}
	if literalOverflows(operands, t.DType()) {
		what, name, scalars = "overflow", "cast", false
	} else if t.DType().Is(dtype.Inexact) {
		what = floatFault(op, operands, t)
	} else {
		what = integerFault(op, operands, t, scalars)
	}
	if scalars {
		name = "scalar " + name
	}
	if what != "" {
		*w.warning = "RuntimeWarning: " + what + " encountered in " + name
	}
}

// warnReduced is warn for a reduction whose sum or product overflows.
func (w valueEvaluator) warnReduced(name string, x, r anvil.Tensor) {
	how, ok := map[string]string{"sum": "reduce", "prod": "reduce", "cumsum": "accumulate"}[name]
	if w.warning == nil || *w.warning != "" || !ok || !r.DType().Is(dtype.Inexact) {
		return
	}
	infinite := func(t anvil.Tensor) bool {
		return slices.ContainsFunc(elementsOf(t, elementCount(t)), func(f float64) bool { return math.IsInf(f, 0) })
	}
	if infinite(r) && !infinite(x) {
		*w.warning = "RuntimeWarning: overflow encountered in " + how
	}
}

// literalOverflows reports whether a finite number among the operands is infinite
// at the dtype of the result.
func literalOverflows(operands []any, d dtype.DType) bool {
	for _, x := range operands {
		if v, ok := x.(float64); ok && d.Is(dtype.Floating) && !math.IsInf(v, 0) {
			at, err := dtype.Cast(v, d)
			if err == nil && math.IsInf(toFloat(at), 0) {
				return true
			}
		}
	}
	return false
}

// floatFault returns the IEEE 754 exception at the first element of r that is
// infinite or nan, or "" if there is none.
func floatFault(op string, operands []any, r anvil.Tensor) string {
	for i, v := range elementsOf(r, elementCount(r)) {
		finite, nan, zero := true, false, false
		for k, x := range operands {
			x := elementsOf(x, elementCount(r))[i]
			finite = finite && !math.IsInf(x, 0) && !math.IsNaN(x)
			nan = nan || math.IsNaN(x)
			zero = zero || x == 0 && k == len(operands)-1
		}
		switch pole := op == "log" || op == "reciprocal" || op == "true_divide" || op == "floor_divide"; {
		case math.IsInf(v, 0) && finite && zero && pole:
			return "divide by zero"
		case math.IsInf(v, 0) && finite:
			return "overflow"
		case math.IsNaN(v) && !nan:
			return "invalid value"
		}
	}
	return ""
}

// exactIntegers are the operations on integers that may overflow, computed exactly.
var exactIntegers = map[string]func(z, x, y *big.Int) *big.Int{"add": (*big.Int).Add, "sub": (*big.Int).Sub, "mul": (*big.Int).Mul, "floor_divide": (*big.Int).Quo,
	"neg": func(z, x, _ *big.Int) *big.Int { return z.Neg(x) }, "abs": func(z, x, _ *big.Int) *big.Int { return z.Abs(x) }}

// integerFault returns why an element of r is not the exact result, or "" if all are.
func integerFault(op string, operands []any, r anvil.Tensor, scalars bool) string {
	f, divides := exactIntegers[op], op == "floor_divide" || op == "remainder" || op == "reciprocal"
	for i := range elementCount(r) {
		x, y := wholeElement(operands[0], i), wholeElement(operands[len(operands)-1], i)
		switch {
		case divides && y.Sign() == 0:
			return "divide by zero"
		case f == nil || !scalars && !divides:
		case divides && !(y.IsInt64() && y.Int64() == -1):
		case f(new(big.Int), x, y).Cmp(wholeElement(r, i)) != 0:
			return "overflow"
		}
	}
	return ""
}

func elementCount(t anvil.Tensor) int {
	if t.Rank() == 0 {
		return 1
	}
	return t.Len()
}

// elementAt returns element i of a tensor, broadcast to more elements, or the number x itself.
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

// elementsOf returns n elements as floats, of complex numbers the real parts.
func elementsOf(x any, n int) []float64 {
	fs := make([]float64, n)
	for i := range fs {
		fs[i] = toFloat(elementAt(x, i))
	}
	return fs
}

func toFloat(v any) float64 {
	if n, ok := v.(*big.Int); ok {
		f, _ := new(big.Float).SetInt(n).Float64()
		return f
	}
	return realPart(v)
}

// wholeElement returns an element as an integer.
func wholeElement(x any, i int) *big.Int {
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
