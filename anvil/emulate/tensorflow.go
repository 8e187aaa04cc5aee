package emulate

import (
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// tensorflow describes TensorFlow.
var tensorflow = Framework{
	Ops:         tensorflowOps,
	Convert:     tensorflowConvert,
	MeanDType:   tensorflowMean,
	MomentDType: tensorflowMean,
	Running:     inOrderRunning,
	LeastCount:  complexLeastCount,
	Faults: map[Fault]*promote.Refusal{
		DivideByZero: refusal("floor_divide", "InvalidArgumentError", "Integer division by zero"),
		TruncateByZero: {Op: "truncatediv", Kind: "InternalError", Reason: "Integer division by zero",
			// TensorFlow's own message does not name the reason.
			Whole: "Unexpected error in binary operator (only integer div and mod should have errors)"},
		NegativePower:   refusal("pow", "InvalidArgumentError", "Integers to negative integer powers are not allowed"),
		NoPosition:      refusal("argmax", "InvalidArgumentError", "Reduction axis 0 is empty in shape [0]"),
		NoLeastPosition: refusal("argmin", "InvalidArgumentError", "Reduction axis 0 is empty in shape [0]"),

		Singular:        refusal("inv", "InvalidArgumentError", "Input is not invertible."),
		SingularSystem:  refusal("solve", "InvalidArgumentError", "Input matrix is not invertible."),
		SingularFactors: refusal("lu", "InvalidArgumentError", "Input is not invertible."),
		NotFiniteSquare: refusal("eigh", "InvalidArgumentError",
			"Self-adjoint eigen decomposition was not successful. The input might not be valid."),
	},
}

var tensorflowOps = merged(python, map[string]Rule{
	"Mul": tensorflowMul, "Div": tensorflowDiv, "TrueDiv": tensorflowDiv, "FloorDiv": tensorflowFloorDiv,
	// power(1, f) returns the base itself for the literal exponent 1, and makes no other power a product.
	"Pow": power(1, powViaCommonInteger), "Shl": clampedShift, "Shr": clampedShift,
	"Maximum": extreme(0), "Minimum": extreme(0), "Sign": zeroSign, "Clamp": clampEqual,
	"ArgMax": positionSkippingNaN(ir.ReduceMax), "ArgMin": positionSkippingNaN(ir.ReduceMin),
})
