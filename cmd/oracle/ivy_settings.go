package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// ivyDefault answers expressions about Ivy's settings under its backend NumPy. The field "after" may
// hold a call of a function such as set_default_dtype, which is evaluated first.
func ivyDefault(r row) row {
	s := new(backend.Settings)
	s.Set("numpy")
	if name, d, ok := strings.Cut(strings.TrimSuffix(r.text("after"), ")"), "("); ok {
		f, known := ivyFamilies[strings.TrimPrefix(name, "set_")]
		if !known {
			return unsupported(r.text("after")).row()
		}
		s.SetDefault(f, ivyDType(d))
	} else if name != "" {
		return unsupported(name).row()
	}
	v, err := ivySession{s}.ask(r.text("expr"))
	if err != nil {
		return errorRow(err)
	}
	return row{"result": ivyText(v)}
}

// ivyFamilies maps functions that return a default dtype to the family of the dtype.
var ivyFamilies = map[string]backend.Family{
	"default_dtype": backend.Global, "default_int_dtype": backend.Int, "default_uint_dtype": backend.Uint,
	"default_float_dtype": backend.Float, "default_complex_dtype": backend.Complex,
}

// ivyDType returns the dtype with the given long name. It panics with unsupported if there is none.
func ivyDType(name string) dtype.DType {
	for _, d := range backend.All(dtype.Any) {
		if d.Long() == name {
			return d
		}
	}
	panic(unsupported(fmt.Sprintf("no dtype %q", name)))
}

// ivyText returns the text of a value in a row: the short name of a dtype, or another
// value as Python prints it.
func ivyText(v any) string {
	switch v := v.(type) {
	case dtype.Typed:
		return v.DType.String()
	case promote.Operand:
		return v.DType.String()
	case bool:
		return pythonBool(v)
	case float64:
		return fmt.Sprintf("%.1f", v)
	case []dtype.DType:
		words := ""
		for i, d := range v {
			if i > 0 {
				words += ", "
			}
			words += "'" + d.Long() + "'"
		}
		if len(v) == 1 {
			words += ","
		}
		return "(" + words + ")"
	}
	return fmt.Sprint(v)
}

// An ivySession evaluates expressions under settings. Arrays are Operands of rank 1, and
// dtypes are strings.
type ivySession struct{ *backend.Settings }

func (s ivySession) ask(text string) (any, error) {
	n, ok := parse(text)
	if !ok {
		return nil, errExpression
	}
	return eval(s, n)
}

func (s ivySession) number(n node) any { return n.num }

// operate evaluates a power of 2 or a difference of integers: the only operations on numbers in the rows.
func (s ivySession) operate(symbol string, xs []any) (any, error) {
	if len(xs) == 2 {
		a, isInt := xs[0].(int)
		b, ok := xs[1].(int)
		switch {
		case !isInt || !ok:
		case symbol == "-":
			return a - b, nil
		case symbol == "**" && b >= 0 && b < 63 && a == 2:
			return 1 << b, nil
		}
	}
	return nil, errExpression
}

// part evaluates array.dtype, pair[0], finfo(...).max and the like.
func (s ivySession) part(n node) (any, error) {
	x, err := eval(s, n.args[0])
	if err != nil {
		return nil, err
	}
	switch v := x.(type) {
	case promote.Operand:
		return v, nil // an array stands for its dtype, and for a pair of arrays of that dtype
	case limits:
		if n.text == "max" {
			return v.max(), nil
		}
	}
	return nil, errExpression
}

// name evaluates a name.
func (s ivySession) name(name string) (any, error) {
	p, err := backend.ProfileOf("numpy")
	switch strings.TrimPrefix(name, "ivy.") {
	case "valid_dtypes":
		return p.Valid(dtype.Any), err
	case "invalid_dtypes":
		return p.Invalid(dtype.Any), err
	case "precise_mode":
		return !s.State().Fast, nil
	}
	return nil, errExpression
}

// call applies one of Ivy's functions.
func (s ivySession) call(n node) (any, error) {
	name, xs, err := evalCall(s, n)
	if err != nil {
		return nil, errors.Join(err, errExpression)
	}
	name = strings.TrimPrefix(name, "ivy.")
	// arg returns the argument with the keyword key, or the one without a keyword at position at.
	arg := func(key string, at int) (any, bool) {
		for i, x := range xs {
			if has := n.keys[i+1]; has == key || has == "" && i == at {
				return x, true
			}
		}
		return nil, false
	}
	if f, ok := ivyFamilies[name]; ok {
		return s.defaultOf(f, arg)
	}
	if maker, ok := ivyMakers[name]; ok {
		return s.array(maker, arg)
	}
	if ask, ok := ivyDTypeFunctions[name]; ok && len(xs) > 0 {
		text, _ := xs[0].(string)
		return ask(s, ivyDType(text)), nil
	}
	switch {
	case name == "promote_types_of_inputs" && len(xs) == 2 && isBoolArray(xs[0]):
		return xs[0], nil // unlike operations, this function converts the other operand to a bool
	case name == "promote_types" && len(xs) == 2:
		a, _ := xs[0].(string)
		b, _ := xs[1].(string)
		return s.join(tensor(ivyDType(a)), tensor(ivyDType(b)))
	case (name == "type_promote_arrays" || name == "promote_types_of_inputs" || name == "add") && len(xs) == 2:
		return s.join(xs[0], xs[1])
	case name == "exp" && len(xs) == 1:
		t, err := s.Ivy().Operation("exp", xs[0])
		return promote.Operand{Typed: t, Rank: 1}, err
	}
	return nil, errExpression
}

// isBoolArray reports whether x is an array of bools.
func isBoolArray(x any) bool {
	array, ok := x.(promote.Operand)
	return ok && array.DType == dtype.I1
}

// defaultOf evaluates default_int_dtype and the like: it returns the dtype argument, the
// dtype for the argument input or item, or else the family's default.
func (s ivySession) defaultOf(f backend.Family, arg func(string, int) (any, bool)) (any, error) {
	if name, ok := arg("dtype", -1); ok {
		text, _ := name.(string)
		return promote.Known(ivyDType(text)), nil
	}
	item, ok := arg("input", 0)
	if !ok {
		item, ok = arg("item", -1)
	}
	if !ok {
		return promote.Known(s.Default(f)), nil
	}
	if x, isArray := item.(promote.Operand); isArray {
		return x.Typed, nil
	}
	return promote.Known(s.Infer(dtype.Invalid, item).DType), nil
}

// An ivyMaker describes a function that makes an array. If the call has no dtype argument, the array has
// the dtype of the argument at position item, or the default dtype if item is -1.
type ivyMaker struct{ item int }

var ivyMakers = map[string]ivyMaker{"array": {0}, "arange": {0}, "full": {1}, "zeros": {-1}, "ones": {-1}}

// array evaluates a call of a function that makes an array.
func (s ivySession) array(m ivyMaker, arg func(string, int) (any, bool)) (any, error) {
	if name, ok := arg("dtype", -1); ok {
		text, _ := name.(string)
		return tensor(ivyDType(text)), nil
	}
	var item any
	if m.item >= 0 {
		item, _ = arg("fill_value", m.item)
		if list, ok := item.([]any); ok && len(list) > 0 { // the last element has the highest kind in all rows
			item = list[len(list)-1]
		}
	}
	return tensor(s.Infer(dtype.Invalid, item).DType), nil
}

// join returns a tensor of the common dtype of a and b.
func (s ivySession) join(a, b any) (any, error) {
	return dtypeEvaluator{system: s.Ivy()}.join([]any{a, b})
}

// ivyDTypeFunctions are Ivy's functions of one dtype.
var ivyDTypeFunctions = map[string]func(ivySession, dtype.DType) any{
	"infer_default_dtype": func(s ivySession, d dtype.DType) any { return promote.Known(s.DefaultLike(d)) },
	"closest_valid_dtype": func(s ivySession, d dtype.DType) any { return promote.Known(s.Active().Closest(d)) },
	"dtype_bits":          func(_ ivySession, d dtype.DType) any { return d.Bits() },
	"is_int_dtype":        func(_ ivySession, d dtype.DType) any { return d.Is(dtype.Integral) },
	"is_uint_dtype":       func(_ ivySession, d dtype.DType) any { return d.Is(dtype.Unsigned) },
	"is_float_dtype":      func(_ ivySession, d dtype.DType) any { return d.Is(dtype.Floating) },
	"is_complex_dtype":    func(_ ivySession, d dtype.DType) any { return d.Is(dtype.Complex) },
	"is_bool_dtype":       func(_ ivySession, d dtype.DType) any { return d == dtype.I1 },
	"iinfo":               func(_ ivySession, d dtype.DType) any { return limits{d} },
	"finfo":               func(_ ivySession, d dtype.DType) any { return limits{d} },
}

// limits are the result of iinfo and finfo.
type limits struct{ dtype.DType }

// max returns the greatest number of the dtype: a float64, or the digits of an integer.
func (l limits) max() any {
	words := strings.Fields(l.Range())
	greatest := words[len(words)-1]
	if f, err := strconv.ParseFloat(greatest, 64); err == nil && l.Is(dtype.Floating) {
		return f
	}
	return greatest
}
