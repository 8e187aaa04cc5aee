package emulate

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// jax describes JAX.
var jax = Framework{
	Ops:           jaxOps,
	Exponent:      jaxExponent,
	MeanDType:     wideMean,
	VarianceDType: wideMean,
	Running:       jaxRunning,
	Median:        midpoint,
	Lacks:         map[string]func(system, op string, d dtype.DType) string{"linear": lacksNarrowLinear},
	LinearFlag:    operandFlag,
	Faults: map[Fault]*promote.Refusal{
		NoMaximum:       refusal("max", "ValueError", "zero-size array to reduction operation max which has no identity"),
		NoMinimum:       refusal("min", "ValueError", "zero-size array to reduction operation min which has no identity"),
		NoPosition:      refusal("argmax", "ValueError", "attempt to get argmax of an empty sequence"),
		NoLeastPosition: refusal("argmin", "ValueError", "attempt to get argmin of an empty sequence"),
		NoOrder: refusal("argmax", "TypeError",
			"gt does not accept a complex dtype at position 0. Accepted dtypes at position 0 are subtypes of "+
				"integer, floating, bool."),
		NoMedian: refusal("median", "TypeError",
			"Slice size at index 0 in gather op is out of range, must be within [0, 0 + 1), got 1."),
	},
}

// jaxStrict describes JAX with strict promotion, in which only Python's numbers promote. Linear algebra accepts the
// dtypes that anvil accepts, and its results are ambiguous where they are in anvil.
var jaxStrict = func() Framework {
	f := jax
	f.Lacks, f.LinearFlag = nil, nil
	return f
}()

var jaxOps = merged(python, map[string]Rule{
	"Fmod": jaxFmod, "FloorDiv": jaxFloorDiv, "Rem": jaxMod, "Pow": power(math.MaxInt, jaxIntegerPower),
	"Maximum": jaxExtreme, "Minimum": jaxExtreme, "Fmax": skipNaN(1), "Fmin": skipNaN(1),
	"Std": jaxStd, "NanStd": jaxStd, "Any": nonzeroRealReduction, "All": nonzeroRealReduction,
	"Where": where(fittingOperand), "Clamp": jaxClamp,
})
