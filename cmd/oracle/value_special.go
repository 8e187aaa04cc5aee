package main

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A float0 stands for jax.dtypes.float0, JAX's dtype for the tangents of integers and bools.
type float0 struct{}

// unaryNames maps names of functions in the frameworks to the keys of arithUnaries.
var unaryNames = func() map[string]string {
	names := map[string]string{
		"negative": "neg", "absolute": "abs", "is_nan": "isnan",
		"invert": "bitwise_not", "bitwise_invert": "bitwise_not",
	}
	for name := range arithUnaries {
		names[name] = name
	}
	return names
}()

// special applies iinfo, finfo, clip and astype, and returns the error of result_type and promote_types for a
// float0. ok is false for other functions.
func (w valueEvaluator) special(name string, xs []any) (result any, err error, ok bool) {
	if slices.ContainsFunc(xs, func(x any) bool { _, isFloat0 := x.(float0); return isFloat0 }) {
		err = &promote.Refusal{Op: name, Kind: "ValueError",
			Reason: "dtype=dtype([('float0', 'V')]) is not a valid dtype for JAX type promotion."}
		return nil, err, name == "result_type" || name == "promote_types"
	}
	switch {
	case (name == "iinfo" || name == "finfo") && len(xs) == 1 && isDType(xs[0]):
		return limits{asDType(xs[0])}, nil, true
	case (name == "clip" || name == "clip_by_value") && len(xs) == 3:
		return w.lib().Clamp(xs[0], xs[1], xs[2]), nil, true
	case name == "astype" && len(xs) == 2 && isDType(xs[1]):
		x, isTensor := xs[0].(anvil.Tensor)
		if !isTensor {
			return nil, errExpression, true
		}
		result, err = w.astype(x, asDType(xs[1]))
		return result, err, true
	}
	return nil, nil, false
}

// astype casts a tensor. The array API standard does not allow a cast from complex to real.
func (w valueEvaluator) astype(x anvil.Tensor, d dtype.DType) (any, error) {
	if w.system == promote.ArrayAPI && x.DType().Is(dtype.Complex) && !d.Is(dtype.Complex) {
		return nil, &promote.Refusal{Op: "astype", Kind: "TypeError",
			Reason: "The Array API standard stipulates that casting array_api_strict." + x.DType().Long() +
				" to array_api_strict." + d.Long() +
				" should not be permitted. array-api-strict thus prohibits this conversion."}
	}
	r := w.lib().AsType(x, d)
	if w.warning != nil && *w.warning == "" {
		notFinite := func(f float64) bool { return math.IsInf(f, 0) || math.IsNaN(f) }
		switch {
		case d.Is(dtype.Inexact) && floatFault("cast", []any{x}, r) != "":
			*w.warning = "RuntimeWarning: overflow encountered in cast"
		case d.Is(dtype.Integral) && x.DType().Is(dtype.Floating) &&
			slices.ContainsFunc(elementsOf(x, elementCount(x)), notFinite):
			*w.warning = "RuntimeWarning: invalid value encountered in cast"
		}
	}
	return r, nil
}

// part evaluates x.dtype, iinfo(d).max and the like.
func (w valueEvaluator) part(n node) (any, error) {
	if n.kind == indexNode {
		return noPart(w, n)
	}
	v, err := eval(w, n.args[0])
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case anvil.Tensor:
		if n.text == "dtype" {
			return v.DType(), nil
		}
	case limits:
		switch n.text {
		case "dtype":
			return v.DType, nil
		case "bits":
			return w.limit(v, strconv.Itoa(v.Bits())), nil
		case "max":
			return w.limit(v, v.max()), nil
		}
	}
	return nil, errExpression
}

// limit returns v, a field of iinfo or finfo for the dtype l, as the value of an expression: a float has the dtype
// l, an integer is a Python int. For array-api-strict the dtype is "number", which arrayAPIValue replaces.
func (w valueEvaluator) limit(l limits, v any) any {
	if w.system == promote.ArrayAPI {
		return object{v, "number"}
	}
	if f, ok := v.(float64); ok {
		return object{jsonFloat(f), l.String()}
	}
	return object{jsonValue(number(v)), "i64"}
}

// method calls x.astype(d), x.sum() and the like, and JAX's x.at[i].set(v).
func (w valueEvaluator) method(n node) (any, error) {
	name, receiver := n.args[0].text, n.args[0].args[0]
	args, err := evalAll(w, n.args[1:])
	if err != nil {
		return nil, err
	}
	isElement := receiver.kind == indexNode && receiver.args[0].kind == attributeNode && receiver.args[0].text == "at"
	if isElement && w.isJAX() && len(args) == 1 {
		return w.update(name, receiver, args[0])
	}
	x, err := eval(w, receiver)
	if err != nil {
		return nil, err
	}
	if _, isTensor := x.(anvil.Tensor); !isTensor {
		return nil, errExpression
	}
	return w.apply(name, false, append([]any{x}, args...))
}

// update evaluates JAX's x.at[0].set(v), x.at[0].add(v) and the like, for an x of one element. name is the
// method, element the node of x.at[0]. v must promote with x, and is cast to the dtype of x.
func (w valueEvaluator) update(name string, element node, v any) (any, error) {
	x, err := eval(w, element.args[0].args[0])
	if err != nil {
		return nil, err
	}
	t, ok := x.(anvil.Tensor)
	isFirst := len(element.args) == 2 && element.args[1].num == 0
	if !ok || t.Rank() != 1 || t.Len() != 1 || !isOperand(v) || !isFirst {
		return nil, errExpression
	}
	if _, err := promote.JAXResultType(w.system, t, v); err != nil {
		return nil, err
	}
	l := w.context().With(promote.Anvil)
	value, err := w.array(v, dtype.Invalid, false)
	if err != nil {
		return nil, err
	}
	cast := l.BroadcastTo(l.AsType(value, t.DType()), t.Shape())
	switch name {
	case "set":
		return cast, nil
	case "add":
		return l.Add(t, cast), nil
	case "multiply", "mul":
		return l.Mul(t, cast), nil
	case "max":
		return l.Maximum(t, cast), nil
	case "min":
		return l.Minimum(t, cast), nil
	}
	return nil, errExpression
}

// tnp applies a function of tensorflow.experimental.numpy. In a mode without weak dtypes the function
// promotes as NumPy does. In the other modes the system gives the dtype, to which the operands are
// converted. In all modes NumPy's rules give the values.
func (w valueEvaluator) tnp(name string, xs []any) (any, error) {
	numpy := valueEvaluator{valueSystem: valueSystem{promote.NumPy, w.flushes}}
	if !w.weak {
		return numpy.apply(name, false, xs)
	}
	t, err := w.system.Operation("tnp."+name, xs...)
	if err != nil {
		return nil, err
	}
	l := w.context().With(promote.Anvil)
	for i, x := range xs {
		operand, err := w.array(x, dtype.Invalid, false)
		if err != nil {
			return nil, err
		}
		xs[i] = l.AsType(operand, t.DType)
	}
	r, err := numpy.apply(name, false, xs)
	if y, ok := r.(anvil.Tensor); ok && err == nil {
		return withFlag(l, l.AsType(y, t.DType), t.Ambiguous), nil
	}
	return r, err
}

// withFlag returns t, or if ambiguous is set, an ambiguous tensor with the dtype and the elements of t. t has
// rank 0 or 1.
func withFlag(l *anvil.Lib, t anvil.Tensor, ambiguous bool) anvil.Tensor {
	if !ambiguous {
		return t
	}
	if t.Rank() == 0 {
		return l.Scalar(t.Item(), t.DType(), anvil.Ambiguous(true))
	}
	elements := reflect.MakeSlice(reflect.SliceOf(t.DType().GoType()), 0, t.Len())
	for i := range t.Len() {
		elements = reflect.Append(elements, reflect.ValueOf(t.At(i).Item()))
	}
	return l.From(elements.Interface(), t.DType(), anvil.Ambiguous(true))
}

// dunders maps Python's operators to the methods that implement them.
var dunders = map[string]string{
	"+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "//": "__floordiv__", "%": "__mod__",
	"**": "__pow__", "<<": "__lshift__", ">>": "__rshift__", "&": "__and__", "|": "__or__", "^": "__xor__",
	"<": "__lt__", ">": "__gt__", "<=": "__le__", ">=": "__ge__", "==": "__eq__", "!=": "__ne__",
}

// frameworkError rewrites the error of an operator as the framework words it: array-api-strict names the
// method, and JAX the argument. It returns other answers unchanged.
func (w valueEvaluator) frameworkError(n node, answer row) row {
	text, failed := answer["error"].(string)
	if !failed || n.kind != operationNode || len(n.args) != 2 {
		return answer
	}
	switch before, _, found := strings.Cut(text, " are allowed in "); {
	case found && w.system == promote.ArrayAPI:
		answer["error"] = before + " are allowed in " + dunders[n.text]
	case w.isJAX() && strings.HasSuffix(text, "got integer_pow"):
		if x, err := eval(w, n.args[0]); err == nil {
			answer["error"] = text + "(" + jaxAval(x) + ", " + strings.TrimSpace(argumentText(n.args[1])) + ")"
		}
	case w.isJAX() && strings.HasPrefix(text, "OverflowError: Python int"):
		return w.jaxArgumentError(n, answer)
	}
	return answer
}

// jaxArgumentError returns JAX's error for a number that is too large to be an argument of a
// compiled function.
func (w valueEvaluator) jaxArgumentError(n node, answer row) row {
	for i, path := range []string{"x", "y"} {
		if v, err := eval(w, n.args[i]); err == nil {
			if b, whole := asBig(v); whole {
				return row{"error": "OverflowError: An overflow was encountered while parsing an argument " +
					"to a jitted computation, whose argument path is " + path +
					". Got <class 'int'> with value " + b.String()}
			}
		}
	}
	return answer
}

// jaxAval returns the dtype and shape of an array as JAX's errors write them (JAX calls this the array's
// aval, its abstract value): int32[1].
func jaxAval(x any) string {
	t, ok := x.(anvil.Tensor)
	if !ok {
		return ""
	}
	_, shape, _ := strings.Cut(t.Type().String(), "{")
	return t.DType().Long() + "[" + strings.ReplaceAll(shape, "}", "]")
}

// argumentText returns the text of n, a number.
func argumentText(n node) string {
	if b, ok := asBig(n.num); ok {
		return b.String()
	}
	return n.text
}
