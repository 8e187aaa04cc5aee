package main

import (
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// jaxLists answer the rows about JAX.
var jaxLists = lists{
	"values":       {answer: jaxValue},
	"pairs":        {jaxPairs, explainJAXTypes},
	"weak_pairs":   {jaxWeakPairs, explainJAXPair},
	"scalar_pairs": {jaxScalarPairs, explainJAXPair},
	"binary_ops":   {jaxOperation, explainJAXOperation},
	"scalar_ops":   {jaxOperation, explainJAXOperation},
	"unary_ops": {
		answer:  func(r row) row { s, _ := jaxSystems(r); return answerOperation(s, r.text("op"), r) },
		explain: explainJAXOperation,
	},
	"canonical": {answer: func(r row) row {
		s, _ := jaxSystems(r)
		t, err := s.Resolve(operand(s, r.text("dtype"), ""))
		if err != nil {
			return errorRow(err)
		}
		return row{"canonical": t.String()}
	}},
	"lattice": {answer: jaxLattice},
	"triples": {answer: jaxTriples},
	"order_dependent_triples": {answer: func(r row) row {
		s, _ := jaxSystems(r)
		return joinInThreeOrders(r, func(a, b string) (string, error) {
			d, err := promote.JAXPromoteTypes(s, dtypeOf(a), dtypeOf(b))
			return d.String(), err
		})
	}},
}

// jaxSystems returns the systems of a row in the standard and in the strict promotion mode.
func jaxSystems(r row) (standard, strict *promote.System) {
	if r.flag("x64") {
		return promote.JAX64, promote.JAXStrict64
	}
	return promote.JAX, promote.JAXStrict
}

// jaxAsk answers for both promotion modes of a row. The field result or error belongs to the standard
// mode. The field strict has the result of the strict mode; if the strict mode gives an error, strict is
// null and strict_error has the error.
func jaxAsk(r row, ask func(*promote.System) (dtype.Typed, error)) row {
	standard, strict := jaxSystems(r)
	answer := dtypeRow(ask(standard))
	t, err := ask(strict)
	if err != nil {
		answer["strict"], answer["strict_error"] = nil, errorRow(err)["error"]
		return answer
	}
	answer["strict"] = t.String()
	return answer
}

// jaxPairs answers rows about pairs of dtypes. The field result is that of JAX's promote_types, which keeps
// 64-bit dtypes even without x64; the field result_type is that of JAX's result_type.
func jaxPairs(r row) row {
	answer := jaxAsk(r, func(s *promote.System) (dtype.Typed, error) {
		d, err := promote.JAXPromoteTypes(s, dtypeOf(r.text("a")), dtypeOf(r.text("b")))
		return promote.Known(d), err
	})
	s, _ := jaxSystems(r)
	a, b := rowPair(s, r)
	answer["result_type"] = "error"
	if t, err := promote.JAXResultType(s, a, b); err == nil {
		answer["result_type"] = t.String()
	}
	return answer
}

// jaxWeakPairs answers rows about pairs of weak dtypes. The field result is that of JAX's result_type, and
// the field op has the dtype of the maximum of a and b.
func jaxWeakPairs(r row) row {
	answer := jaxAsk(r, func(s *promote.System) (dtype.Typed, error) {
		a, b := rowPair(s, r)
		return promote.JAXResultType(s, a, b)
	})
	s, _ := jaxSystems(r)
	a, b := rowPair(s, r)
	if isUnmeasured(a) || isUnmeasured(b) {
		return answer
	}
	if t, err := s.Operation("maximum", a, b); err == nil {
		answer["op"] = t.String()
	}
	return answer
}

// isUnmeasured reports whether the rows have no results of operations at the dtype of x: an integer of fewer
// than 8 bits, or a float of at most 8 bits.
func isUnmeasured(x promote.Operand) bool {
	return x.DType.Bits() < 8 && x.DType != dtype.I1 || x.DType.Is(dtype.Floating) && x.DType.Bits() == 8
}

// jaxScalarPairs answers rows with a Python number. If the first operand is a Python number, the field
// strict is an object that has the result or the error.
func jaxScalarPairs(r row) row {
	if r.text("b") == "" {
		return jaxNumber(r)
	}
	answer := jaxAsk(r, func(s *promote.System) (dtype.Typed, error) {
		a, b := rowPair(s, r)
		return promote.JAXResultType(s, a, b)
	})
	if !strings.HasPrefix(r.text("a"), "py") {
		return answer
	}
	if text, ok := answer["strict_error"]; ok {
		answer["strict"] = row{"error": text}
		delete(answer, "strict_error")
	} else {
		answer["strict"] = row{"result": answer["strict"]}
	}
	return answer
}

// jaxNumber answers rows of one number. Its dtype is weak by itself, and known in a list or a NumPy
// array.
func jaxNumber(r row) row {
	s, _ := jaxSystems(r)
	t := operand(s, r.text("a"), "").Typed
	known := t.DType.String()
	return row{
		"result": t.String(), "jnp.asarray": t.String(), "jnp.array([v])": known, "np.asarray->jnp.asarray": known,
	}
}

// jaxOperation answers rows of an operation. These rows have no field strict_error.
func jaxOperation(r row) row {
	answer := jaxAsk(r, func(s *promote.System) (dtype.Typed, error) {
		return s.Operation(r.text("op"), rowOperands(s, r)...)
	})
	delete(answer, "strict_error")
	return answer
}

// jaxLattice answers with the nodes directly above a node.
func jaxLattice(r row) row {
	l := jaxSystemOf(r).Lattice()
	if !slices.Contains(l.Nodes(), r.text("node")) {
		return unsupported("no node " + r.text("node")).row()
	}
	return row{"up": append([]string{}, l.Above(r.text("node"))...)}
}

// jaxTriples answers with the number of unordered triples of different jaxDTypes.
func jaxTriples(r row) row {
	r.flag("x64") // panics if it is given and not a bool
	n := len(jaxDTypes())
	return row{"checked": n * (n - 1) * (n - 2) / 6}
}
