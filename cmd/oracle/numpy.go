package main

import (
	"github.com/goanvil/notebook/anvil/promote"
)

// numpyLists answer the rows about NumPy.
var numpyLists = lists{
	"values":                          {answer: numpyValue},
	"pairs":                           pairList(promote.NumPy),
	"binary_ops":                      operationList(promote.NumPy),
	"unary_ops":                       operationList(promote.NumPy),
	"array_plus_numpy_scalar":         pairList(promote.NumPy),
	"result_type_scalar":              {numpyScalars, pairExplainer(promote.NumPy)},
	"inplace":                         assignmentList(promote.NumPy),
	"can_cast":                        {answer: numpyCanCast},
	"promote_order_dependent_triples": {answer: numpyTriples},
}

// numpyScalars answers rows of an array with a number, or of two numbers. The fields add and
// zero_dim_add have the sums with an array and with an array of rank 0.
func numpyScalars(r row) row {
	s := promote.NumPy
	a, b := rowPair(s, r)
	answer := dtypeRow(s.Join(a, b))
	if !a.Ambiguous {
		sum := dtypeRow(promote.NumPyAdd(a.DType, b.DType))
		answer["add"], answer["zero_dim_add"] = sum, sum
	}
	return answer
}

// numpyCanCast answers whether a dtype can be cast to another, by each of NumPy's rules.
func numpyCanCast(r row) row {
	answer := row{}
	for _, rule := range []string{"no", "equiv", "safe", "same_kind", "unsafe"} {
		ok, err := promote.NumPy.CanCast(dtypeOf(r.text("from")), dtypeOf(r.text("to")), rule)
		if err != nil {
			return errorRow(err)
		}
		answer[rule] = ok
	}
	return answer
}

// numpyTriples answers rows of three dtypes with the results of joining two of them and then the third, and
// with the common dtype of all three at once.
func numpyTriples(r row) row {
	s := promote.NumPy
	pairs := joinInThreeOrders(r, joinByName(s))
	t, err := s.Resolve(operand(s, r.text("a"), ""), operand(s, r.text("b"), ""), operand(s, r.text("c"), ""))
	if err != nil {
		return errorRow(err)
	}
	return row{"pairwise_results": pairs["results"], "result_type_nary": []string{t.String()}}
}
