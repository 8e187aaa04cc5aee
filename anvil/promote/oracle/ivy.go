package oracle

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

var ivyLists = lists{
	"pairs":      ivyPairs,
	"binary_ops": ivyOperation,
	"scalar_ops": ivyOperation,
	"can_cast":   ivyCanCast,
	"unary_ops":  operation(promote.Ivy),
	// result_type of arrays is the backend's, here NumPy's, in either mode.
	"result_type": join(promote.NumPy),
}

func ivySystem(r Row) *promote.System {
	if r.flag("precise") {
		return promote.IvyPrecise
	}
	return promote.IvyFast
}

func ivyOperation(r Row) Row { return operation(ivySystem(r))(r) }

func ivyPairs(r Row) Row {
	answer := Row{}
	for field, s := range map[string]*promote.System{"precise": promote.IvyPrecise, "nonprecise": promote.IvyFast} {
		t, err := s.Join(pair(s, r))
		if err != nil {
			return failure(err)
		}
		answer[field] = t.String()
	}
	return answer
}

// ivyCanCast: its backend here, NumPy, has no bf16.
func ivyCanCast(r Row) Row {
	from, to := dtypeOf(r.text("from")), dtypeOf(r.text("to"))
	if from == dtype.BF16 || to == dtype.BF16 {
		return Row{"error": "IvyException: numpy: as_ivy_dtype: Cannot convert to ivy dtype. bfloat16 is not supported by the NumPy backend"}
	}
	return truth(ivySystem(r).CanCast(from, to, ""))
}
