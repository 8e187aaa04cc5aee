package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// arrayAPILists has the functions that answer the questions about the array API standard as array-api-strict does.
var arrayAPILists = lists{
	"values":     {answer: arrayAPIValue},
	"pairs":      {arrayAPIPairs, pairExplainer(promote.ArrayAPI)},
	"scalar":     {arrayAPIScalar, pairExplainer(promote.ArrayAPI)},
	"binary_ops": operationList(promote.ArrayAPI),
	"unary_ops":  operationList(promote.ArrayAPI),
	"can_cast":   canCastList(promote.ArrayAPI),
	"inplace":    assignmentList(promote.ArrayAPI),
	"isdtype": {answer: func(r row) row {
		d, kind := dtypeOf(r.text("dtype")), r.text("kind")
		ofKind := func(d dtype.DType) bool { return promote.IsDType(d, kind) }
		if !slices.ContainsFunc(promote.ArrayAPI.DTypes(), ofKind) {
			return unsupported("no kind " + kind).row()
		}
		return row{"result": promote.IsDType(d, kind)}
	}},
}

// specResult returns the result under the standard itself, given the answer of array-api-strict: the same
// dtype, or "undefined" if the answer is an error.
func specResult(answer row) any {
	if d, ok := answer["result"]; ok {
		return d
	}
	return "undefined"
}

func arrayAPIPairs(r row) row {
	answer := joinRow(promote.ArrayAPI, r)
	answer["spec"] = specResult(answer)
	return answer
}

// arrayAPIScalar answers rows of an array and a number. The answer's "operator" is the result of +, or
// of & for a bool, because bools cannot be added.
func arrayAPIScalar(r row) row {
	s, op := promote.ArrayAPI, "add"
	if r.text("b") == "pybool" {
		op = "bitwise_and"
	}
	joined := dtypeRow(s.Join(rowPair(s, r)))
	return row{
		"spec":        specResult(joined),
		"result_type": joined,
		"operator":    dtypeRow(s.Operation(op, rowOperands(s, r)...)),
	}
}

// arrayAPIValue answers an expression under array-api-strict. The field value holds the array as Python
// prints it.
func arrayAPIValue(r row) row {
	answer := valueEvaluator{valueSystem: valueSystem{promote.ArrayAPI, false}}.answer(r.text("expr"))
	value, ok := answer["value"]
	switch {
	case !ok:
		return answer
	case answer["dtype"] == "number":
		// A field of iinfo or finfo. The value of the rows is the text of the number. Their dtype is what follows the
		// last point in that text, since the script that recorded them cut off the name of a module there.
		text := fmt.Sprint(value)
		return row{"value": text, "dtype": text[strings.LastIndex(text, ".")+1:]}
	}
	if answer["dtype"] == "dtype" { // the value is a dtype
		d := dtypeOf(value.(string))
		return row{"dtype": d.String(), "value": "array_api_strict." + d.Long()}
	}
	d := dtypeOf(answer["dtype"].(string))
	answer["value"] = "Array(" + arrayText(value, d) + ", dtype=array_api_strict." + d.Long() + ")"
	return answer
}

// arrayText returns a value, or a list of values, as NumPy prints it: the floats of a list are
// padded to one width. A complex number is a list of its two parts.
func arrayText(v any, d dtype.DType) string {
	vs, list := v.([]any)
	isComplexNumber := list && d.Is(dtype.Complex) && len(vs) == 2 && !isList(vs[0])
	if !list || isComplexNumber {
		return elementText(v, d)
	}
	words, width := make([]string, len(vs)), 0
	for i, x := range vs {
		words[i] = elementText(x, d)
		width = max(width, len(words[i]))
	}
	for i := range words {
		if d.Is(dtype.Floating) {
			words[i] += strings.Repeat(" ", width-len(words[i]))
		}
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// elementText returns one element as NumPy prints it: 2., 1.+1.j, 255.
func elementText(v any, d dtype.DType) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case pythonFloat:
		text := strconv.FormatFloat(float64(v), 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += "."
		}
		return text
	case bool:
		return pythonBool(v)
	case []any:
		im := elementText(v[1], d)
		if !strings.HasPrefix(im, "-") {
			im = "+" + im
		}
		return elementText(v[0], d) + im + "j"
	case string:
		return v
	}
	return ""
}
