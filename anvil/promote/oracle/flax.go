package oracle

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

var flaxLists = lists{"promote_dtype": flaxPromote}

// flaxPromote answers what Flax's layers compute in: the dtype that they are
// given, or the common one of input and parameter, which is made a float where
// it must be inexact.
func flaxPromote(r Row) Row {
	s, _ := jaxSystems(r)
	if name := r.text("dtype"); name != "" {
		return result(s.Resolve(tensor(dtypeOf(name))))
	}
	t, err := s.Resolve(tensor(dtypeOf(r.text("input"))), tensor(dtypeOf(r.text("param"))))
	if err == nil && r.flag("inexact") && !t.DType.Is(dtype.Inexact) {
		t, err = s.Resolve(promote.Operand{Typed: t, Rank: 1}, tensor(dtype.F32))
	}
	return result(t, err)
}
