package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/promote"
)

var torchLists = lists{
	"pairs":             join(promote.TorchExt),
	"result_type":       join(promote.TorchExt),
	"binary_ops":        operation(promote.TorchExt),
	"unary_ops":         operation(promote.TorchExt),
	"scalar_ops":        torchScalar,
	"inplace":           torchInPlace,
	"can_cast":          canCast(promote.TorchExt),
	"default_dtype":     torchDefault,
	"misc":              torchCase,
	"seed001_worked":    torchWorked,
	"result_type_three": torchThree,
	"seed001_algorithm_disagreements": func(r row) row { // the documented rule, and the release
		return row{"seed_algorithm": join(promote.Torch)(r)["result"], "torch": join(promote.TorchExt)(r)["result"]}
	},
	"seed001_algorithm_disagreements_three": torchDocumented,
	"promote_order_dependent_triples": func(r row) row {
		return triple(r, "error", joins(promote.TorchExt))
	},
}

func torchScalar(r row) row {
	return operated(promote.TorchExt, torchPlain(r.text("op")), r)
}

// torchArgs returns three operands "dtype:state".
func torchArgs(r row) (xs []any) {
	args := of[[]any](r, "args", "a list")
	if len(args) != 3 {
		panic(unsupported(fmt.Sprintf("args are three operands, not %d", len(args))))
	}
	for _, a := range args {
		text, _ := a.(string)
		name, state, _ := strings.Cut(text, ":")
		xs = append(xs, operand(promote.TorchExt, name, state))
	}
	return xs
}

// torchThree answers rows of clamp, an operation of three operands.
func torchThree(r row) row { return result(promote.TorchExt.Operation("clamp", torchArgs(r)...)) }

// torchDocumented answers with what the documented rule gives three operands,
// and the operation of the release.
func torchDocumented(r row) row {
	release := torchThree(r)
	if release["result"] == nil {
		release["result"] = release["error"]
	}
	ops, err := promote.Torch.Operands(torchArgs(r)...)
	if err != nil {
		return failure(err)
	}
	documented := result(promote.Torch.Resolve(ops...))
	return row{"seed_algorithm": documented["result"], "torch": release["result"]}
}

func torchInPlace(r row) row {
	s := promote.TorchExt
	a, b := pair(s, r)
	return result(s.Assignment(r.text("op"), a, b))
}

// canCast answers rows "from, to".
func canCast(s *promote.System) func(row) row {
	return func(r row) row {
		return truth(s.CanCast(dtypeOf(r.text("from")), dtypeOf(r.text("to")), ""))
	}
}

// triple answers rows a, b, c with the different results, in the order of their
// names, of joining them in pairs; none stands for an error.
func triple(r row, none string, join func(a, b string) (string, error)) row {
	xs := []string{r.text("a"), r.text("b"), r.text("c")}
	var all []string
	for i := range xs {
		t, err := join(xs[i], xs[(i+1)%3])
		if err == nil {
			t, err = join(t, xs[(i+2)%3])
		}
		if err != nil {
			t = none
		}
		all = append(all, t)
	}
	slices.Sort(all)
	return row{"results": slices.Compact(all)}
}

// joins returns the join of two dtypes by their names.
func joins(s *promote.System) func(a, b string) (string, error) {
	return func(a, b string) (string, error) {
		t, err := s.Join(operand(s, a, ""), operand(s, b, ""))
		return t.String(), err
	}
}
