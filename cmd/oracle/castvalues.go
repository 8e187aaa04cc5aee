package main

import (
	"reflect"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

var castLists = lists{"rows": castRow}

// castRow answers what a value is after a cast, in each system; where vector
// instructions, or XLA's folding of constants, make another value of it, that too.
func castRow(r row) row {
	from, to := dtypeOf(r.text("src")), dtypeOf(r.text("dst"))
	cast := func(l laboratory) any {
		cell := answerOf(first, func() anvil.Tensor { return l.lib().AsType(l.measured(from, r["v"]), to) })
		if v, ok := cell["v"]; ok {
			return v
		}
		return cell
	}
	answer := row{}
	for field, l := range laboratories {
		answer[field] = cast(l)
	}
	answer["agree"] = agree(answer, func(any) bool { return true })
	for field := range castVectors {
		if v, ok := vectorCast(field, r["v"], from, to); ok && !reflect.DeepEqual(v, answer[field]) {
			answer[field+"_simd"] = v
		}
	}
	if folded := cast(folding); !to.Is(dtype.Complex) && !reflect.DeepEqual(folded, answer["jax"]) {
		answer["jax_constfold"] = folded
	}
	return answer
}

// folding is XLA while it compiles: what it computes of constants keeps subnormal
// numbers, which its programs take for 0. It leaves complex numbers to the program.
var folding = laboratory{laboratories["jax"].system, false}
