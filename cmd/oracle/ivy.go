package main

import (
	"strings"

	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// ivyLists answer the rows about Ivy.
var ivyLists = lists{
	"pairs":            {ivyPairs, pairExplainerBy(ivySystem)},
	"binary_ops":       operationListBy(ivySystem),
	"scalar_ops":       operationListBy(ivySystem),
	"can_cast":         {answer: ivyCanCast},
	"unary_ops":        operationList(promote.Ivy),
	"function_support": {answer: ivySupport},
	"casting_modes":    {answer: ivyCasting},
	"valid_dtypes":     {answer: ivyValid},
	"defaults":         {answer: ivyDefault},
	"seed003_claims":   {answer: ivyClaimRow},
	"order_dependent_triples": {answer: func(r row) row {
		return joinInThreeOrders(r, joinByName(ivySystem(r)))
	}},
	// Ivy's result_type of arrays is that of its backend NumPy, in both modes.
	"result_type": {
		answer: func(r row) row {
			r.flag("precise") // panics unless it is a bool
			return joinRow(promote.NumPy, r)
		},
		explain: pairExplainer(promote.NumPy),
	},
}

// ivySystem returns the system of a row's mode.
func ivySystem(r row) *promote.System {
	if r.flag("precise") {
		return promote.IvyPrecise
	}
	return promote.IvyFast
}

// ivyPairs answers rows about pairs of dtypes. The field promote_types_called has a list for each mode: it
// holds the result, or is empty if neither the backend numpy nor torch has both dtypes.
func ivyPairs(r row) row {
	answer, called := row{}, map[string][]string{}
	for field, s := range map[string]*promote.System{"precise": promote.IvyPrecise, "nonprecise": promote.IvyFast} {
		a, b := rowPair(s, r)
		t, err := s.Join(a, b)
		if err != nil {
			return errorRow(err)
		}
		answer[field], called[field] = t.String(), []string{}
		if ivyHas("numpy", a.DType, b.DType) || ivyHas("torch", a.DType, b.DType) {
			called[field] = []string{t.String()}
		}
	}
	answer["promote_types_called"] = called
	answer["in_array_api_table"] = promote.IvyStandard(dtypeOf(r.text("a")), dtypeOf(r.text("b")))
	return answer
}

// ivyHas reports whether the backend of that name has all of ds.
func ivyHas(name string, ds ...dtype.DType) bool {
	p, err := backend.ProfileOf(name)
	for _, d := range ds {
		if err != nil || !p.Has(d) {
			return false
		}
	}
	return true
}

// ivyCanCast answers rows of can_cast under the backend NumPy, which has no bf16.
func ivyCanCast(r row) row {
	from, to := dtypeOf(r.text("from")), dtypeOf(r.text("to"))
	if from == dtype.BF16 || to == dtype.BF16 {
		return row{"error": "IvyException: numpy: as_ivy_dtype: Cannot convert to ivy dtype. " +
			"bfloat16 is not supported by NumPy backend."}
	}
	return boolResult(ivySystem(r).CanCast(from, to, ""))
}

// ivyValid answers with the dtypes that a backend has, and those that it lacks.
func ivyValid(r row) row {
	p, err := backend.ProfileOf(r.text("backend"))
	if err != nil {
		return errorRow(err)
	}
	return row{"valid": dtypeNames(p.Valid(dtype.Any)), "invalid": dtypeNames(p.Invalid(dtype.Any))}
}

// ivyClaimRow answers claims of the documentation of the form "PreciseMode(True):
// promote_types('float32','int32') -> float64". The field actual has the result, and agree says
// whether the result is the claimed one.
func ivyClaimRow(r row) row {
	mode, claim, ok := strings.Cut(r.text("claim"), ": ")
	s, known := map[string]*promote.System{"PreciseMode(True)": promote.IvyPrecise, "precise": promote.IvyPrecise,
		"PreciseMode(False)": promote.IvyFast, "non-precise": promote.IvyFast}[mode]
	words := strings.FieldsFunc(claim, func(c rune) bool { return strings.ContainsRune(" ',()", c) })
	var ds []dtype.DType
	for _, word := range words {
		if d, is := dtypesByName[word]; is {
			ds = append(ds, d)
		}
	}
	if !ok || !known || len(ds) != 3 || strings.Contains(claim, "/") {
		return unsupported("a claim in words").row()
	}
	t, err := s.Join(tensor(ds[0]), tensor(ds[1]))
	if err != nil {
		return errorRow(err)
	}
	return row{"actual": t.String(), "agree": t.DType == ds[2]}
}
