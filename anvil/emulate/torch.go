package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// torchNotPositive is PyTorch's message for a Cholesky factorization of a matrix that is not positive definite.
const torchNotPositive = "linalg.cholesky: {batch}The factorization could not be completed because the input is not " +
	"positive-definite (the leading minor of order {k} is not positive-definite)."

// torch describes PyTorch.
var torch = Framework{
	Ops: torchOps,
	Unpromoted: map[string]Rule{
		"Max": torchEmptyExtreme("max", NoMaximum), "Ptp": torchEmptyExtreme("max", NoMaximum),
		"Min":    torchEmptyExtreme("min", NoMinimum),
		"ArgMax": torchEmptyPosition("argmax", NoPosition), "ArgMin": torchEmptyPosition("argmin", NoLeastPosition),
		"Median": torchEmptyMedian,
	},
	Convert:       torchConvert,
	Bounds:        integerBounds,
	MeanDType:     wideMean,
	VarianceDType: floatsInF64,
	Running:       torchRunning,
	Median:        lowerMedian,
	NaNMedian:     "lower",
	Correction:    1,
	Lacks: map[string]func(system, op string, d dtype.DType) string{
		"linear": torchLacksLinear, "norm": torchLacksNorm, "transform": torchLacksTransform,
	},
	Layer: torchLayer,
	Faults: map[Fault]*promote.Refusal{
		DivideByZero:   refusal("floor_divide", "RuntimeError", "ZeroDivisionError"),
		TruncateByZero: refusal("div", "RuntimeError", "ZeroDivisionError"),
		NoMaximum: refusal("max", "RuntimeError",
			"max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "+
				"with the 'dim' argument."),
		NoMinimum: refusal("min", "RuntimeError",
			"min(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "+
				"with the 'dim' argument."),
		NoPosition: refusal("argmax", "IndexError",
			"argmax(): Expected reduction dim to be specified for input.numel() == 0."),
		NoLeastPosition: refusal("argmin", "IndexError",
			"argmin(): Expected reduction dim to be specified for input.numel() == 0."),

		Singular: refusal("inv", "LinAlgError",
			"linalg.inv: {batch}The diagonal element {k} is zero, the inversion could not be completed because "+
				"the input matrix is singular."),
		SingularSystem: refusal("solve", "LinAlgError",
			"torch.linalg.solve: {batch}The solver failed because the input matrix is singular."),
		SingularFactors: refusal("lu_factor", "RuntimeError",
			"torch.linalg.lu_factor: {batch}U[{k},{k}] is zero and using it on lu_solve would result in a "+
				"division by zero. If you still want to perform the factorization, consider calling linalg.lu(A, "+
				"pivot) or linalg.lu_factor_ex(A, pivot)"),
		NotPositive:     refusal("cholesky", "LinAlgError", torchNotPositive),
		NotANumberMinor: refusal("cholesky", "LinAlgError", torchNotPositive),
		NotFinite: refusal("svd", "LinAlgError",
			"linalg.svd: {batch}The algorithm failed to converge because the input matrix contained non-finite "+
				"values."),
	},
}

var torchOps = merged(python, map[string]Rule{
	"Mul": halfMath, "Div": torchDiv, "TrueDiv": torchTrueDiv, "FloorDiv": torchFloorDiv, "Pow": power(3, pow),
	"Maximum": extreme(0), "Minimum": extreme(0), "Fmax": skipNaN(0), "Fmin": skipNaN(0), "Sign": torchSign,
	"Unique": neighboursDiffer, "Gcd": torchGCD, "Lcm": torchLCM, "Clamp": clampEqual,
})
