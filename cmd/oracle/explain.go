package main

import (
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// explainRow explains the dtype that is the answer to q step by step; ok is false if the answer is not
// a dtype of one system.
func explainRow(q question) (e promote.Explanation, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			switch r.(type) {
			case unsupported, *dtype.Error, *promote.Refusal:
				ok = false
			default:
				panic(r)
			}
		}
	}()
	explain := files[q.File][q.List].explain
	if explain == nil {
		return e, false
	}
	e = explain(q.Row)
	return e, e.System != nil
}

// pairExplainer returns a function that explains the common dtype of a row's operands a and b under s.
func pairExplainer(s *promote.System) func(row) promote.Explanation {
	return pairExplainerBy(func(row) *promote.System { return s })
}

// pairExplainerBy is like pairExplainer, for lists in which the system depends on the row.
func pairExplainerBy(system func(row) *promote.System) func(row) promote.Explanation {
	return func(r row) promote.Explanation {
		s := system(r)
		if r.text("b") == "" { // a row of one operand
			return promote.Explanation{}
		}
		a, b := rowPair(s, r)
		return s.ExplainJoin(a, b)
	}
}

func explainOperation(s *promote.System, op string, r row) promote.Explanation {
	return s.ExplainOperation(op, rowOperands(s, r)...)
}

func explainTorchThree(r row) promote.Explanation {
	return promote.TorchExt.ExplainOperation("clamp", torchArgs(r)...)
}

// jaxSystemOf returns the system of a row's mode, by default the standard one.
func jaxSystemOf(r row) *promote.System {
	s, strict := jaxSystems(r)
	switch mode := r.text("mode"); mode {
	case "", "standard":
		return s
	case "strict":
		return strict
	default:
		panic(unsupported("no mode " + mode))
	}
}

func explainJAXOperation(r row) promote.Explanation {
	return explainOperation(jaxSystemOf(r), r.text("op"), r)
}

func explainJAXTypes(r row) promote.Explanation {
	s := jaxSystemOf(r)
	return promote.JAXExplainTypes(s, dtypeOf(r.text("a")), dtypeOf(r.text("b")))
}

// explainJAXPair explains the result of JAX's result_type for a row's operands.
func explainJAXPair(r row) promote.Explanation {
	s := jaxSystemOf(r)
	if r.text("b") == "" {
		return promote.Explanation{}
	}
	a, b := rowPair(s, r)
	return promote.JAXExplainResult(s, a, b)
}

// explainTensorFlowType explains the result of TensorFlow's result_type, which is never ambiguous.
func explainTensorFlowType(r row) promote.Explanation {
	e := pairExplainerBy(resultTypeSystem)(r)
	if e.Err == nil && e.Result.Ambiguous {
		known := promote.Known(e.Result.DType)
		e.Steps = append(e.Steps, promote.Step{Operands: "result_type of " + e.Result.String(), Result: known,
			Rule: promote.Rule{Name: "keeps the dtype, known", Doc: "result_type reports no flag"}})
		e.Result = known
	}
	return e
}

func explainOther(r row) promote.Explanation {
	if s, ok := otherSystems[[2]string{r.text("system"), r.text("op")}]; ok {
		return pairExplainer(s)(r)
	}
	s, ok := otherOperations[r.text("system")]
	if !ok || r.text("a") == "" {
		return promote.Explanation{}
	}
	return explainOperation(s, r.text("op"), r)
}

// torchUnreflected returns the operation of one of Python's reflected operators: add for radd. It returns
// other operations unchanged, among them remainder, and rtrue_divide, which is an operation of its own. The
// operands of a row are in the order of the expression, so they need not be exchanged.
func torchUnreflected(op string) string {
	if plain, ok := strings.CutPrefix(op, "r"); ok && plain != "emainder" && plain != "true_divide" {
		return plain
	}
	return op
}
