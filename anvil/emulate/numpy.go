package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// numpy describes NumPy.
var numpy = Framework{
	Ops:        numpyOps,
	Convert:    numpyConvert,
	MeanDType:  f16InF32,
	SumDType:   f16InF32,
	Reduce:     numpyReduce,
	Running:    numpyRunning,
	MeanSum:    integerSumInF64,
	Covariance: atLeastF64,
	Bounds:     integerBounds,
	Lacks:      map[string]func(system, op string, d dtype.DType) string{"linear": lacksNarrowLinear},
	Faults: map[Fault]*promote.Refusal{
		NegativePower:   refusal("power", "ValueError", "Integers to negative integer powers are not allowed."),
		NoMaximum:       refusal("max", "ValueError", "zero-size array to reduction operation maximum which has no identity"),
		NoMinimum:       refusal("min", "ValueError", "zero-size array to reduction operation minimum which has no identity"),
		NoPosition:      refusal("argmax", "ValueError", "attempt to get argmax of an empty sequence"),
		NoLeastPosition: refusal("argmin", "ValueError", "attempt to get argmin of an empty sequence"),

		Singular:          refusal("inv", "LinAlgError", "Singular matrix"),
		SingularSystem:    refusal("solve", "LinAlgError", "Singular matrix"),
		NotPositive:       refusal("cholesky", "LinAlgError", "Matrix is not positive definite"),
		NotFinite:         refusal("svd", "LinAlgError", "SVD did not converge"),
		NotFiniteEquation: refusal("lstsq", "LinAlgError", "SVD did not converge in Linear Least Squares"),
	},
}

var numpyOps = merged(python, comparisons(exactComparison), map[string]Rule{
	"TruncDiv": zeroForZeroDivisor, "Fmod": numpyFmod, "FloorDiv": numpyFloorDiv, "Rem": numpyMod, "Pow": power(2, pow),
	"Maximum": extreme(1), "Minimum": extreme(1), "Fmax": skipNaN(0), "Fmin": skipNaN(0), "Sign": zeroSign,
	"Where": where(wrappedOperand), "Clamp": clamp,
})
