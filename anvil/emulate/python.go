package emulate

import (
	"github.com/goanvil/notebook/anvil/ir"
)

// python has what the libraries for Python have in common.
var python = merged(comparisons(lexicographic), map[string]Rule{
	"Rem": mod, "ArgMax": position(ir.ReduceMax), "ArgMin": position(ir.ReduceMin),
})
