package main

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

var arrayAPILists = lists{
	"values":     arrayAPIValue,
	"pairs":      arrayAPIPairs,
	"scalar":     arrayAPIScalar,
	"binary_ops": operation(promote.ArrayAPI),
	"unary_ops":  operation(promote.ArrayAPI),
	"can_cast":   canCast(promote.ArrayAPI),
	"inplace": func(r row) row {
		a, b := pair(promote.ArrayAPI, r)
		return result(promote.ArrayAPI.Assignment(r.text("op"), a, b))
	},
	"isdtype": func(r row) row {
		d, kind := dtypeOf(r.text("dtype")), r.text("kind")
		if !slices.ContainsFunc(promote.ArrayAPI.DTypes(), func(d dtype.DType) bool { return promote.IsDType(d, kind) }) {
			return row{"unsupported": "no kind " + kind}
		}
		return row{"result": promote.IsDType(d, kind)}
	},
}

// spec is the answer of the standard's text: a dtype, or undefined.
func spec(answer row) any {
	if d, ok := answer["result"]; ok {
		return d
	}
	return "undefined"
}

func arrayAPIPairs(r row) row {
	answer := join(promote.ArrayAPI)(r)
	answer["spec"] = spec(answer)
	return answer
}

// arrayAPIScalar: operator is +, and & for a bool, with which nothing can be added.
func arrayAPIScalar(r row) row {
	s, op := promote.ArrayAPI, "add"
	if r.text("b") == "pybool" {
		op = "bitwise_and"
	}
	joined := result(s.Join(pair(s, r)))
	return row{"spec": spec(joined), "result_type": joined, "operator": result(s.Operation(op, xs(s, r)...))}
}
