package emulate

import (
	"github.com/goanvil/notebook/anvil/ir"
)

// python has what the libraries for Python have in common.
var python = merged(comparisons(lexicographic), map[string]Rule{
	"Rem": mod, "Real": realOf, "Imag": imagOf, "IsFinite": finite, "Sign": sign, "Any": truthOf, "All": truthOf,
	"Floor": roundedParts, "Ceil": roundedParts, "Round": roundedParts, "RoundAway": roundedParts,
	"ArgMax": position(ir.ReduceMax), "ArgMin": position(ir.ReduceMin),
})
