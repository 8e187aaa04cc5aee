package emulate

import (
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// ivy describes Ivy with NumPy as its backend. Unlike NumPy, Ivy computes negative powers of integers as floats,
// and has its own classes of errors.
var ivy = func() Framework {
	f := numpy
	f.Ops = merged(numpyOps, map[string]Rule{
		"FloorDiv": ivyFloorDiv, "Pow": ivyPower, "Maximum": ivyExtreme(ir.GE), "Minimum": ivyExtreme(ir.LE),
		"Where": where(operandViaDefault),
	})
	f.Lacks = nil
	f.Faults = ivyFaults()
	return f
}()

// ivyFaults returns NumPy's errors under Ivy's names, without NegativePower and with an InfinitePower, which NumPy
// lacks.
func ivyFaults() map[Fault]*promote.Refusal {
	all := map[Fault]*promote.Refusal{InfinitePower: refusal("pow", "IvyValueError",
		"numpy: pow: The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")}
	for f, err := range numpy.Faults {
		switch f {
		case NegativePower: // Ivy computes these powers as floats
		case NoMinimum:
			all[f] = err // Ivy does not rename it
		case Singular, SingularSystem, NotPositive, NotFinite, NotFiniteEquation: // a LinAlgError is a ValueError
			all[f] = refusal(err.Op, "IvyValueError", "numpy: "+err.Op+": "+err.Reason)
		default:
			all[f] = refusal(err.Op, "Ivy"+err.Kind, "numpy: "+err.Op+": "+err.Reason)
		}
	}
	return all
}
