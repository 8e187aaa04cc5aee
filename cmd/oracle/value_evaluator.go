package main

import (
	"math"
	"math/big"
	"reflect"
	"strings"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A valueEvaluator evaluates expressions to values by the rules of a promotion system, as a notebook's cell does.
// Values are tensors, Go numbers, dtypes, strings, objects and lists.
type valueEvaluator struct {
	valueSystem
	weak    bool    // whether tensors made of numbers are weak, unless their dtype is given
	warning *string // receives the first warning; nil if the system has none
}

// answer answers with the value and the dtype of an expression, or its error.
func (w valueEvaluator) answer(text string) (answer row) {
	n, ok := parse(text)
	if !ok {
		return errExpression.row()
	}
	err := anvil.Try(func() {
		v, err := eval(w, n)
		if err != nil {
			answer = errorRow(err)
			return
		}
		answer = w.rowOf(v)
	})
	if err != nil {
		return w.frameworkError(n, valueErrorRow(err))
	}
	if w.warning != nil && *w.warning != "" && answer["value"] != nil {
		answer["warning"] = *w.warning
	}
	return answer
}

// rowOf returns an answer that holds v and its dtype.
func (w valueEvaluator) rowOf(v any) row {
	switch v := v.(type) {
	case anvil.Tensor:
		return row{"value": allValues(v), "dtype": dtype.Typed{DType: v.DType(), Ambiguous: v.Ambiguous()}.String()}
	case dtype.DType:
		answer := row{"value": v.String()}
		if !w.isJAX() { // in rows of JAX, a result that is itself a dtype has no field "dtype"
			answer["dtype"] = "dtype"
		}
		return answer
	case bool:
		return row{"value": v, "dtype": "i1"}
	case int:
		return row{"value": jsonValue(int64(v)), "dtype": "i64"}
	case float64:
		return row{"value": jsonFloat(v), "dtype": "f64"}
	case object:
		return row{"value": v.value, "dtype": v.dtype}
	}
	return errExpression.row()
}

func (w valueEvaluator) number(n node) any { return n.num }

func (w valueEvaluator) name(name string) (any, error) {
	if d, ok := dtypesByName[bareName(name)]; ok {
		return d, nil
	}
	if name == "jax.dtypes.float0" {
		return float0{}, nil
	}
	if f, ok := namedFloats[bareName(name)]; ok && strings.Contains(name, ".") {
		return f, nil
	}
	return nil, errExpression
}

// dtypesByName maps names to dtypes: the frameworks' long names, "bool_", and short names, where the floats of 8 bits
// begin with "float8_".
var dtypesByName = func() map[string]dtype.DType {
	m := map[string]dtype.DType{"bool_": dtype.I1}
	for _, d := range dtype.All() {
		m[d.Long()] = d
		m[strings.Replace(d.String(), "f8", "float8_", 1)] = d
	}
	return m
}()

// namedFloats are the floats that have names in the frameworks.
var namedFloats = map[string]float64{"inf": math.Inf(1), "nan": math.NaN(), "pi": math.Pi, "e": math.E}

// bareName returns a name without its module.
func bareName(name string) string { return name[strings.LastIndex(name, ".")+1:] }

// operators maps Python's operators to the keys of binaryFunctions.
var operators = map[string]string{
	"+": "add", "-": "sub", "*": "mul", "/": "true_divide", "//": "floor_divide", "%": "remainder", "**": "pow",
	"<<": "left_shift", ">>": "right_shift", "==": "eq", "!=": "ne", "<": "lt", ">": "gt", "<=": "le", ">=": "ge",
	"&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor",
}

// operate applies an operator. Operations on two Python integers are computed exactly, others by the library.
func (w valueEvaluator) operate(symbol string, xs []any) (any, error) {
	if len(xs) == 1 {
		return w.operateUnary(symbol, xs[0])
	}
	a, aIsInt := asBig(xs[0])
	b, bIsInt := asBig(xs[1])
	if aIsInt && bIsInt {
		if v, ok := integerOperation(symbol, a, b); ok {
			return v, nil
		}
		return nil, errExpression
	}
	for i, x := range xs {
		n, isBig := x.(*big.Int)
		if t, ok := xs[1-i].(anvil.Tensor); isBig && ok {
			return w.bigIntegerOperation(symbol, t, n, i == 0)
		}
		if !isOperand(x) {
			return nil, errExpression
		}
	}
	r, err := callBinary(w.lib(), operators[symbol], xs[0], xs[1])
	w.warn(operators[symbol], true, xs, r)
	return r, err
}

// operateUnary applies an operator to one operand.
func (w valueEvaluator) operateUnary(symbol string, x any) (any, error) {
	if n, whole := asBig(x); whole && symbol == "-" {
		return pythonInteger(new(big.Int).Neg(n)), nil
	}
	if !isOperand(x) {
		return nil, errExpression
	}
	if symbol == "~" {
		return w.lib().Not(x), nil
	}
	r := w.lib().Neg(x)
	w.warn("neg", true, []any{x}, r)
	return r, nil
}

// isOperand reports whether x is a tensor or a number.
func isOperand(x any) bool {
	switch x.(type) {
	case anvil.Tensor, bool, int, float64, complex128:
		return true
	}
	return false
}

// callBinary applies a function to two operands, tensors or numbers.
func callBinary(l *anvil.Lib, op string, x, y any) (any, error) {
	if f, ok := binaryFunctions[op]; ok {
		return f(l, x, y), nil
	}
	return nil, errExpression
}

// binaryNames maps names of functions in the frameworks to the keys of binaryFunctions, where these differ.
var binaryNames = map[string]string{
	"subtract": "sub", "multiply": "mul", "divide": "true_divide", "power": "pow", "mod": "remainder",
	"equal": "eq", "not_equal": "ne", "less": "lt", "greater": "gt", "less_equal": "le", "greater_equal": "ge",
	"bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift",
}

// elementOf converts the number x to an element of an array of dtype d.
func (w valueEvaluator) elementOf(x any, d dtype.DType) (any, error) {
	if n, ok := x.(*big.Int); ok {
		if w.onNumPy() && d == dtype.U64 && n.IsUint64() {
			return n.Uint64(), nil
		}
		return nil, tooLongError()
	}
	e, err := dtype.Fit(x, d)
	if err != nil {
		e, err = w.system.Convert(x, d)
	}
	if w.warning != nil && *w.warning == "" && literalOverflows([]any{x}, d) {
		*w.warning = "RuntimeWarning: overflow encountered in cast"
	}
	return e, err
}

// array makes a tensor of dtype d from a number or a list of numbers. If d is Invalid, the tensor has the default
// dtype of the highest category among the numbers, and is weak if weak is set. A tensor is returned unchanged.
func (w valueEvaluator) array(v any, d dtype.DType, weak bool) (any, error) {
	vs, list := v.([]any)
	if !list {
		vs = []any{v}
	}
	if t, ok := v.(anvil.Tensor); ok {
		return t, nil
	}
	if n, ok := v.(*big.Int); ok {
		return w.bigIntegerArray(n, d)
	}
	if d == dtype.Invalid {
		like := vs
		if len(vs) == 0 {
			like = []any{1.0} // an empty list has the default float
		}
		var err error
		if d, err = w.highestDType(like); err != nil {
			return nil, err
		}
	} else {
		t, err := w.system.Resolve(tensor(d)) // without x64, JAX replaces 64-bit dtypes by 32-bit ones
		if err != nil {
			return nil, err
		}
		d, weak = t.DType, false
	}
	elements := reflect.MakeSlice(reflect.SliceOf(d.GoType()), 0, len(vs))
	for _, x := range vs {
		e, err := w.elementOf(x, d)
		if err != nil {
			return nil, err
		}
		elements = reflect.Append(elements, reflect.ValueOf(e))
	}
	l := w.context().With(promote.Anvil)
	ambiguous := anvil.Ambiguous(weak && d != dtype.I1)
	if !list {
		return l.Scalar(elements.Index(0).Interface(), d, ambiguous), nil
	}
	return l.From(elements.Interface(), d, ambiguous), nil
}
