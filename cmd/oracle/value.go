package main

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// This file converts between Go numbers and the values in rows. A value in a row is a JSON
// number or boolean; floats have a point or an exponent. Integers beyond 2^53 are strings of digits, and "nan",
// "inf", "-inf" and "-0.0" are strings too. Complex numbers are lists of two floats.

// tensorOf returns a vector of dtype d that holds the values vs of a row.
func (s valueSystem) tensorOf(d dtype.DType, vs ...any) anvil.Tensor {
	elements := reflect.MakeSlice(reflect.SliceOf(d.GoType()), 0, len(vs))
	for _, v := range vs {
		elements = reflect.Append(elements, reflect.ValueOf(fitElement(v, d)))
	}
	return s.context().With(promote.Anvil).From(elements.Interface(), d)
}

// highestDType returns the default dtype of the highest category among the numbers vs.
func (s valueSystem) highestDType(vs []any) (d dtype.DType, err error) {
	for _, v := range vs {
		t, err := s.system.Literal(v)
		if err != nil {
			return d, err
		}
		if d == dtype.Invalid || dtype.CategoryOf(t.DType) > dtype.CategoryOf(d) {
			d = t.DType
		}
	}
	return d, nil
}

// fitElement returns a row's value as an element of dtype d; floats are rounded. It panics with
// unsupported if d cannot represent the value.
func fitElement(v any, d dtype.DType) any {
	_, isBool := v.(bool)
	_, isComplex := v.([]any)
	if isBool && d != dtype.I1 || isComplex && !d.Is(dtype.Complex) {
		panic(unsupported(fmt.Sprintf("%v is not a value of %s", v, d)))
	}
	w, err := dtype.Fit(number(v), d)
	if err != nil {
		panic(unsupported(err.Error()))
	}
	return w
}

// number returns a row's value as a Go number.
func number(v any) any {
	switch v := v.(type) {
	case bool:
		return v
	case int:
		return int64(v)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) <= 1<<53 && !(v == 0 && math.Signbit(v)) {
			return int64(v)
		}
		return v
	case json.Number:
		return parseNumberText(v.String())
	case string:
		if f, ok := floatWords[v]; ok {
			return f
		}
		if x := parseNumberText(v); isInteger(x) {
			return x
		}
	case []any:
		if len(v) == 2 {
			return complex(complexPart(v[0]), complexPart(v[1]))
		}
	}
	panic(unsupported(fmt.Sprintf("%v is not a number", v)))
}

// floatWords are the floats that are strings in rows.
var floatWords = map[string]float64{
	"nan": math.NaN(), "inf": math.Inf(1), "-inf": math.Inf(-1), "-0.0": math.Copysign(0, -1),
}

// parseNumberText reads an integer or a float.
func parseNumberText(text string) any {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i
	}
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		return u
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(unsupported(text + " is not a number"))
	}
	return f
}

// isInteger reports whether v, a result of parseNumberText, is an integer.
func isInteger(v any) bool {
	_, float := v.(float64)
	return !float
}

// complexPart returns one part of a complex number in a row.
func complexPart(v any) float64 {
	switch v.(type) {
	case float64, json.Number, string:
		f, _ := dtype.Cast(number(v), dtype.F64)
		return f.(float64)
	}
	panic(unsupported(fmt.Sprintf("not a part of a complex number: %v", v)))
}

// firstValue returns the first element of t as a value of a row.
func firstValue(t anvil.Tensor) any { return jsonValue(elementAt(t, 0)) }

// allValues returns the elements of a vector as a list of values of a row, or the element of a scalar.
func allValues(t anvil.Tensor) any {
	if t.Rank() == 0 {
		return jsonValue(t.Item())
	}
	vs := make([]any, t.Len())
	for i := range vs {
		vs[i] = jsonValue(t.At(i).Item())
	}
	return vs
}

// jsonValue returns the Go number v as a value of a row.
func jsonValue(v any) any {
	switch v := v.(type) {
	case bool:
		return v
	case float32:
		return jsonFloat(float64(v))
	case float64:
		return jsonFloat(v)
	case complex64:
		return []any{jsonFloat(float64(real(v))), jsonFloat(float64(imag(v)))}
	case complex128:
		return []any{jsonFloat(real(v)), jsonFloat(imag(v))}
	case uint64:
		if v > 1<<53 {
			return strconv.FormatUint(v, 10)
		}
		return int64(v)
	}
	i, _ := dtype.Cast(v, dtype.I64)
	if n := i.(int64); n > 1<<53 || n < -1<<53 {
		return strconv.FormatInt(n, 10)
	}
	return i
}

// jsonFloat returns f as a value of a row.
func jsonFloat(f float64) any {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case f == 0 && math.Signbit(f):
		return "-0.0"
	}
	return pythonFloat(f)
}

// pythonBool returns a bool as Python prints it.
func pythonBool(v bool) string {
	if v {
		return "True"
	}
	return "False"
}

// A pythonFloat is a float whose JSON is written as Python writes it: 1.0, 1e-05, 9.2e+18.
type pythonFloat float64

func (f pythonFloat) String() string {
	text := strconv.FormatFloat(float64(f), 'e', -1, 64)
	_, exponent, _ := strings.Cut(text, "e")
	if e, _ := strconv.Atoi(exponent); e < -4 || e >= 16 {
		return text
	}
	text = strconv.FormatFloat(float64(f), 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// MarshalJSON returns the text of a finite number; jsonFloat returns others as strings.
func (f pythonFloat) MarshalJSON() ([]byte, error) { return []byte(f.String()), nil }
