package main

import (
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// explainers maps "file/list" to the function that explains the dtypes of the list's rows. A function
// returns the zero Explanation for a row that it cannot explain.
var explainers = map[string]func(row) promote.Explanation{
	"anvil/pairs":           pairExplainer(promote.Anvil),
	"anvil/worked_examples": explainAnvilSteps,
	"torch/pairs":           pairExplainer(promote.TorchExt),
	"torch/result_type":     pairExplainer(promote.TorchExt),
	"torch/binary_ops":      operationExplainer(promote.TorchExt),
	"torch/unary_ops":       operationExplainer(promote.TorchExt),
	"torch/scalar_ops": func(r row) promote.Explanation {
		return explainOperation(promote.TorchExt, torchUnreflected(r.text("op")), r)
	},
	"torch/inplace":                 assignmentExplainer(promote.TorchExt),
	"torch/result_type_three":       explainTorchThree,
	"jax/pairs":                     explainJAXTypes,
	"jax/weak_pairs":                explainJAXPair,
	"jax/scalar_pairs":              explainJAXPair,
	"jax/binary_ops":                explainerOf(jaxSystemOf, operationExplainer),
	"jax/scalar_ops":                explainerOf(jaxSystemOf, operationExplainer),
	"jax/unary_ops":                 explainerOf(jaxSystemOf, operationExplainer),
	"numpy/pairs":                   pairExplainer(promote.NumPy),
	"numpy/result_type_scalar":      pairExplainer(promote.NumPy),
	"numpy/array_plus_numpy_scalar": pairExplainer(promote.NumPy),
	"numpy/binary_ops":              operationExplainer(promote.NumPy),
	"numpy/unary_ops":               operationExplainer(promote.NumPy),
	"numpy/inplace":                 assignmentExplainer(promote.NumPy),
	"array_api/pairs":               pairExplainer(promote.ArrayAPI),
	"array_api/scalar":              pairExplainer(promote.ArrayAPI),
	"array_api/binary_ops":          operationExplainer(promote.ArrayAPI),
	"array_api/unary_ops":           operationExplainer(promote.ArrayAPI),
	"array_api/inplace":             assignmentExplainer(promote.ArrayAPI),
	"ivy/pairs":                     explainerOf(ivySystem, pairExplainer),
	"ivy/binary_ops":                explainerOf(ivySystem, operationExplainer),
	"ivy/scalar_ops":                explainerOf(ivySystem, operationExplainer),
	"ivy/unary_ops":                 operationExplainer(promote.Ivy),
	"ivy/result_type":               pairExplainer(promote.NumPy),
	"tensorflow/pairs":              explainerOf(tensorflowSystem, pairExplainer),
	"tensorflow/result_type":        explainTensorFlowType,
	"tensorflow/binary_ops":         explainerOf(tensorflowSystem, operationExplainer),
	"tensorflow/scalar_ops":         explainerOf(tensorflowSystem, operationExplainer),
	"tensorflow/unary_ops":          explainerOf(tensorflowSystem, operationExplainer),
	"other/rows":                    explainOther,
}

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
	f, ok := explainers[q.File+"/"+q.List]
	if !ok {
		return e, false
	}
	e = f(q.Row)
	return e, e.System != nil
}

// explainerOf returns the function that explains a row r by explain(system(r)), for lists in which the
// system depends on the row.
func explainerOf(system func(row) *promote.System,
	explain func(*promote.System) func(row) promote.Explanation) func(row) promote.Explanation {
	return func(r row) promote.Explanation { return explain(system(r))(r) }
}

// pairExplainer returns a function that explains the common dtype of a row's operands a and b under s.
func pairExplainer(s *promote.System) func(row) promote.Explanation {
	return func(r row) promote.Explanation {
		if r.text("b") == "" { // a row of one operand
			return promote.Explanation{}
		}
		a, b := rowPair(s, r)
		return s.ExplainJoin(a, b)
	}
}

func operationExplainer(s *promote.System) func(row) promote.Explanation {
	return func(r row) promote.Explanation { return explainOperation(s, r.text("op"), r) }
}

func explainOperation(s *promote.System, op string, r row) promote.Explanation {
	return s.ExplainOperation(op, rowOperands(s, r)...)
}

func assignmentExplainer(s *promote.System) func(row) promote.Explanation {
	return func(r row) promote.Explanation {
		a, b := rowPair(s, r)
		return s.ExplainAssignment(r.text("op"), a, b)
	}
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
	e := pairExplainer(resultTypeSystem(r))(r)
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
	return operationExplainer(s)(r)
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
