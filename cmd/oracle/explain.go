package main

import (
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// explained are the functions that explain the dtypes of the rows of a list, by "file/list".
var explained = map[string]func(row) promote.Explanation{
	"anvil/pairs":           pairExplained(promote.Anvil),
	"anvil/worked_examples": anvilStepsExplained,
	"torch/pairs":           pairExplained(promote.TorchExt),
	"torch/result_type":     pairExplained(promote.TorchExt),
	"torch/binary_ops":      operationExplained(promote.TorchExt),
	"torch/unary_ops":       operationExplained(promote.TorchExt),
	"torch/scalar_ops": func(r row) promote.Explanation {
		return explainOperation(promote.TorchExt, torchPlain(r.text("op")), r)
	},
	"torch/inplace":                 assignmentExplained(promote.TorchExt),
	"torch/result_type_three":       torchThreeExplained,
	"jax/pairs":                     jaxTypesExplained,
	"jax/weak_pairs":                jaxPairExplained,
	"jax/scalar_pairs":              jaxPairExplained,
	"jax/binary_ops":                explainedBy(jaxSystemOf, operationExplained),
	"jax/scalar_ops":                explainedBy(jaxSystemOf, operationExplained),
	"jax/unary_ops":                 explainedBy(jaxSystemOf, operationExplained),
	"numpy/pairs":                   pairExplained(promote.NumPy),
	"numpy/result_type_scalar":      pairExplained(promote.NumPy),
	"numpy/array_plus_numpy_scalar": pairExplained(promote.NumPy),
	"numpy/binary_ops":              operationExplained(promote.NumPy),
	"numpy/unary_ops":               operationExplained(promote.NumPy),
	"numpy/inplace":                 assignmentExplained(promote.NumPy),
	"array_api/pairs":               pairExplained(promote.ArrayAPI),
	"array_api/scalar":              pairExplained(promote.ArrayAPI),
	"array_api/binary_ops":          operationExplained(promote.ArrayAPI),
	"array_api/unary_ops":           operationExplained(promote.ArrayAPI),
	"array_api/inplace":             assignmentExplained(promote.ArrayAPI),
	"ivy/pairs":                     explainedBy(ivySystem, pairExplained),
	"ivy/binary_ops":                explainedBy(ivySystem, operationExplained),
	"ivy/scalar_ops":                explainedBy(ivySystem, operationExplained),
	"ivy/unary_ops":                 operationExplained(promote.Ivy),
	"ivy/result_type":               pairExplained(promote.NumPy),
	"tensorflow/pairs":              explainedBy(tensorflowSystem, pairExplained),
	"tensorflow/result_type":        tensorflowTypeExplained,
	"tensorflow/binary_ops":         explainedBy(tensorflowSystem, operationExplained),
	"tensorflow/scalar_ops":         explainedBy(tensorflowSystem, operationExplained),
	"tensorflow/unary_ops":          explainedBy(tensorflowSystem, operationExplained),
	"other/rows":                    otherExplained,
}

// explainRow explains, step by step, the dtype that is the answer to q. Ok is false if the answer is not a
// dtype of one system.
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
	f, ok := explained[q.File+"/"+q.List]
	if !ok {
		return e, false
	}
	e = f(q.Row)
	return e, e.System != nil
}

// explainedBy returns a function that explains each row under the row's own system.
func explainedBy(system func(row) *promote.System,
	explain func(*promote.System) func(row) promote.Explanation) func(row) promote.Explanation {
	return func(r row) promote.Explanation { return explain(system(r))(r) }
}

// pairExplained explains the common dtype of a row's operands a and b.
func pairExplained(s *promote.System) func(row) promote.Explanation {
	return func(r row) promote.Explanation {
		if r.text("b") == "" {
			return promote.Explanation{}
		}
		a, b := rowPair(s, r)
		return s.ExplainJoin(a, b)
	}
}

func operationExplained(s *promote.System) func(row) promote.Explanation {
	return func(r row) promote.Explanation { return explainOperation(s, r.text("op"), r) }
}

func explainOperation(s *promote.System, op string, r row) promote.Explanation {
	return s.ExplainOperation(op, rowOperands(s, r)...)
}

func assignmentExplained(s *promote.System) func(row) promote.Explanation {
	return func(r row) promote.Explanation {
		a, b := rowPair(s, r)
		return s.ExplainAssignment(r.text("op"), a, b)
	}
}

func torchThreeExplained(r row) promote.Explanation {
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

func jaxTypesExplained(r row) promote.Explanation {
	s := jaxSystemOf(r)
	return promote.JAXExplainTypes(s, dtypeOf(r.text("a")), dtypeOf(r.text("b")))
}

// jaxPairExplained explains the result of JAX's result_type for a row's operands.
func jaxPairExplained(r row) promote.Explanation {
	s := jaxSystemOf(r)
	if r.text("b") == "" {
		return promote.Explanation{}
	}
	a, b := rowPair(s, r)
	return promote.JAXExplainResult(s, a, b)
}

// tensorflowTypeExplained explains the result of TensorFlow's result_type, which has no flag.
func tensorflowTypeExplained(r row) promote.Explanation {
	e := pairExplained(resultTypeSystem(r))(r)
	if e.Err == nil && e.Result.Ambiguous {
		flagless := promote.Known(e.Result.DType)
		e.Steps = append(e.Steps, promote.Step{Operands: "result_type of " + e.Result.String(), Result: flagless,
			Rule: promote.Rule{Name: "keeps the dtype, known", Doc: "result_type reports no flag"}})
		e.Result = flagless
	}
	return e
}

func otherExplained(r row) promote.Explanation {
	if s, ok := otherSystems[[2]string{r.text("system"), r.text("op")}]; ok {
		return pairExplained(s)(r)
	}
	s, ok := otherOperations[r.text("system")]
	if !ok || r.text("a") == "" {
		return promote.Explanation{}
	}
	return operationExplained(s)(r)
}

// torchPlain returns the operation of a reflected operator, such as add for radd. The operands of a row
// are already in the order of the expression.
func torchPlain(op string) string {
	if plain, ok := strings.CutPrefix(op, "r"); ok && plain != "emainder" && plain != "true_divide" {
		return plain
	}
	return op
}
