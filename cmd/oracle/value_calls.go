package main

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// numpyValue answers an expression of NumPy with its value, dtype and first warning.
func numpyValue(r row) row {
	return valueEvaluator{valueSystem: valueSystems["numpy"], warning: new(string)}.answer(r.text("expr"))
}

// jaxValue answers an expression of JAX.
func jaxValue(r row) row {
	if match := gradientDType.FindStringSubmatch(r.text("expr")); match != nil {
		return jaxGradientDType(r, match[1])
	}
	return valueEvaluator{valueSystem: valueSystem{jaxSystemOf(r), true}}.answer(r.text("expr"))
}

// gradientDType matches "jax.grad(lambda x:x*1.0,allow_int=True)(1).dtype".
var gradientDType = regexp.MustCompile(`^jax\.grad\(lambda \w+:[^()]*, ?allow_int=True\)\((.*)\)\.dtype$`)

// jaxGradientDType answers with the dtype of a gradient, which is that of the argument. The gradient of an
// integer or a bool has the dtype float0, which is shown as void, its dtype in NumPy.
func jaxGradientDType(r row, argument string) row {
	answer := valueEvaluator{valueSystem: valueSystem{jaxSystemOf(r), true}}.answer("jnp.asarray(" + argument + ")")
	name, ok := answer["dtype"].(string)
	if !ok {
		return answer
	}
	if d := dtypeOf(strings.TrimSuffix(name, "?")); d.Is(dtype.Inexact) {
		return row{"value": d.String()}
	}
	return row{"value": "void"}
}

// tensorflowValue answers an expression of TensorFlow.
func tensorflowValue(r row) row {
	s := tensorflowSystem(r)
	weak := s == promote.TensorFlowAll || s == promote.TensorFlowSafe
	return valueEvaluator{valueSystem: valueSystem{s, true}, weak: weak}.answer(r.text("expr"))
}

// call applies a function of the framework.
func (w valueEvaluator) call(n node) (any, error) {
	if n.args[0].kind == attributeNode {
		return w.method(n)
	}
	name, xs, err := evalCall(w, n)
	if err != nil {
		return nil, err
	}
	if name == "float" && len(xs) == 1 && xs[0] == "nan" {
		return math.NaN(), nil
	}
	if strings.HasPrefix(name, "np.") && w.system == promote.TensorFlow && len(xs) == 1 {
		return xs[0], nil // TensorFlow takes a NumPy scalar as a number
	}
	if d, ok := dtypesByName[bareName(name)]; ok && len(xs) == 1 {
		return w.array(xs[0], d, false)
	}
	if made, err, ok := w.makeTensor(name, xs); ok {
		return made, err
	}
	if name == "lax.add" && len(xs) == 2 {
		return w.laxAdd(xs[0], xs[1])
	}
	if strings.HasPrefix(name, "tnp.") {
		return w.tnp(bareName(name), xs)
	}
	isBuiltin := !strings.Contains(name, ".")
	return w.apply(bareName(name), isBuiltin, xs)
}

// makeTensor applies a function that makes a tensor; ok is false for other functions.
func (w valueEvaluator) makeTensor(name string, xs []any) (made any, err error, ok bool) {
	d := dtype.Invalid
	if strings.HasPrefix(name, "tnp.") && !w.weak { // tensorflow.experimental.numpy promotes as NumPy
		return valueEvaluator{valueSystem: valueSystem{promote.NumPy, w.flushes}}.makeTensor(bareName(name), xs)
	}
	name = bareName(name)
	if i := slices.IndexFunc(xs, isDType); i >= 0 && len(xs) > 1 {
		d = asDType(xs[i])
		xs = slices.Delete(slices.Clone(xs), i, i+1)
	}
	makeArray := func(v any, weak bool) (made any, err error, ok bool) {
		made, err = w.array(v, d, weak)
		return made, err, true
	}
	switch {
	case len(xs) == 1 && (name == "array" || name == "asarray" || name == "constant"):
		if v, ok := xs[0].(int); ok && name == "constant" && d == dtype.Invalid && int(int32(v)) != v {
			made, err = w.wideConstant(v)
			return made, err, true
		}
		return makeArray(xs[0], w.weak || w.isJAX() && !isList(xs[0]))
	case len(xs) == 2 && name == "full":
		return makeArray([]any{xs[1]}, w.weak || w.isJAX())
	case len(xs) == 1 && (name == "zeros" || name == "ones"):
		n, ok := xs[0].(int)
		if !ok || n < 0 || n > maxElements {
			return nil, errExpression, true
		}
		element := map[string]float64{"zeros": 0, "ones": 1}[name]
		return makeArray(slices.Repeat([]any{element}, n), false)
	case len(xs) == 1 && name == "ones_like" && isOperand(xs[0]):
		return makeArray(1, true)
	case len(xs) == 1 && name == "arange":
		numbers := countUpTo(xs[0])
		if len(numbers) > maxElements {
			return nil, errExpression, true
		}
		return makeArray(numbers, w.weak)
	}
	return nil, nil, false
}

// wideConstant applies tf.constant to an integer that i32 cannot represent.
func (w valueEvaluator) wideConstant(v int) (any, error) {
	if w.weak {
		return nil, &promote.Refusal{Op: "constant", Kind: "OverflowError",
			Reason: fmt.Sprintf("Python int %d too large to convert to np.int32", v)}
	}
	return w.array(v, dtype.I64, false)
}

// isJAX reports whether the expressions are JAX's.
func (w valueEvaluator) isJAX() bool { return strings.HasPrefix(w.system.Name(), "jax") }

// isDType reports whether x is a dtype or the name of one.
func isDType(x any) bool {
	_, ok := x.(dtype.DType)
	if name, is := x.(string); is {
		_, ok = dtypesByName[name]
	}
	return ok
}

// asDType returns x as a dtype. isDType(x) must be true.
func asDType(x any) dtype.DType {
	if d, ok := x.(dtype.DType); ok {
		return d
	}
	return dtypesByName[x.(string)]
}

func isList(x any) bool { _, ok := x.([]any); return ok }

// countUpTo returns the numbers 0, 1, ... below n, of n's type. If there are more than maxElements, it
// returns maxElements+1 of them.
func countUpTo(n any) []any {
	var xs []any
	switch n := n.(type) {
	case int:
		for i := range min(n, maxElements+1) {
			xs = append(xs, i)
		}
	case float64:
		for i := 0.0; i < n && i <= maxElements; i++ {
			xs = append(xs, i)
		}
	}
	return xs
}

// laxAdd applies jax.lax.add, which does not promote.
func (w valueEvaluator) laxAdd(x, y any) (any, error) {
	a, err := w.system.Operand(x)
	if err != nil {
		return nil, err
	}
	b, err := w.system.Operand(y)
	if err != nil {
		return nil, err
	}
	if _, err := w.system.Operate("lax.add", []promote.Operand{a, b}); err != nil {
		return nil, err
	}
	return w.lib().Add(x, y), nil
}

// apply applies the function called name to tensors or dtypes. builtin says whether it is one of Python's own
// functions, such as abs.
func (w valueEvaluator) apply(name string, builtin bool, xs []any) (any, error) {
	l := w.lib()
	if reduced, ok := strings.CutPrefix(name, "reduce_"); ok {
		name = strings.Replace(reduced, "variance", "var", 1)
	}
	if result, err, ok := w.special(name, xs); ok {
		return result, err
	}
	if len(xs) == 1 && isOperand(xs[0]) && oneTensor(xs) == nil { // a number is converted to a tensor
		x, err := w.array(xs[0], dtype.Invalid, true)
		if err != nil {
			return nil, err
		}
		xs = []any{x}
	}
	switch {
	case name == "can_cast" && len(xs) == 2 && isOperand(xs[0]):
		return nil, &promote.Refusal{Op: name, Kind: "TypeError",
			Reason: "can_cast() does not support Python ints, floats, and complex " +
				"because the result used to depend on the value.\n" +
				"This change was part of adopting NEP 50, we may explicitly allow them again in the future."}
	case name == "can_cast" && w.isJAX(): // jax.numpy exports NumPy's function
		return valueEvaluator{valueSystem: valueSystems["numpy"]}.apply(name, false, xs)
	case name == "result_type" || name == "promote_types":
		return w.resultType(xs)
	case name == "can_cast" && len(xs) == 2 && isDType(xs[0]) && isDType(xs[1]):
		return w.system.CanCast(asDType(xs[0]), asDType(xs[1]), "")
	case name == "cast" && len(xs) == 2 && isDType(xs[1]):
		x, err := w.array(xs[0], dtype.Invalid, false)
		if err != nil {
			return nil, err
		}
		return l.AsType(x, asDType(xs[1])), nil
	case name == "where" && len(xs) == 3:
		cond, err := w.array(xs[0], dtype.Invalid, false)
		if err != nil {
			return nil, err
		}
		return l.Where(cond, xs[1], xs[2]), nil
	case len(xs) == 2 && isOperand(xs[0]) && isOperand(xs[1]):
		if plain, ok := binaryNames[name]; ok {
			name = plain
		}
		// A TensorFlow function may refuse operands that the operator promotes.
		var refusal *promote.Refusal
		if _, err := w.system.Operation("tf."+name, xs...); errors.As(err, &refusal) {
			return nil, err
		}
		r, err := callBinary(l, name, xs[0], xs[1])
		w.warn(name, false, xs, r)
		return r, err
	}
	if one := oneTensor(xs); one != nil {
		return w.applyToTensor(name, builtin, *one)
	}
	return nil, errExpression
}

// applyToTensor applies a function of one tensor.
func (w valueEvaluator) applyToTensor(name string, builtin bool, x anvil.Tensor) (any, error) {
	l := w.lib()
	if f, ok := arithReductions[name]; ok {
		r := f(l, x)
		w.warnReduced(name, x, r)
		return r, nil
	}
	if f, ok := arithUnaries[unaryNames[name]]; ok {
		name = unaryNames[name]
		r := f(l, x)
		w.warn(name, name == "abs" && builtin, []any{x}, r)
		return r, nil
	}
	if name == "sin" {
		return l.Sin(x), nil
	}
	return nil, errExpression
}

// oneTensor returns the only element of xs if it is a tensor, and otherwise nil.
func oneTensor(xs []any) *anvil.Tensor {
	if len(xs) == 1 {
		if t, ok := xs[0].(anvil.Tensor); ok {
			return &t
		}
	}
	return nil
}

// resultType returns the common dtype of dtypes, tensors and numbers.
func (w valueEvaluator) resultType(xs []any) (any, error) {
	if w.isJAX() {
		t, err := promote.JAXResultType(w.system, xs...)
		return t.DType, err
	}
	ops, err := w.system.Operands(xs...)
	if err != nil {
		return nil, err
	}
	isArray := func(x promote.Operand) bool { return x.Literal == nil }
	if w.system == promote.ArrayAPI && !slices.ContainsFunc(ops, isArray) {
		return nil, &promote.Refusal{Op: "result_type", Kind: "ValueError",
			Reason: "at least one array or dtype is required"}
	}
	for i := range ops {
		if _, ok := ops[i].Literal.(int); ok {
			ops[i].Literal = 1 // result_type ignores the value
		}
	}
	t, err := w.system.Resolve(ops...)
	return t.DType, err
}
