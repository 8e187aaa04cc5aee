// Package extension has functions of package anvil for the packages built on it, which cells do
// not see. Their arguments and results of type any are Tensors. Package anvil sets them.
package extension

import "github.com/goanvil/notebook/anvil/dtype"

var (
	// PathwiseGamma, PathwiseLogGamma and PathwiseWald return x, draws of a distribution with
	// the parameter p, with their derivative by p at a constant probability: draws of the
	// gamma distribution by its shape, their logarithms, and draws of the Wald distribution
	// by its mean.
	PathwiseGamma, PathwiseLogGamma, PathwiseWald func(x, p any) any

	// WithoutDerivative returns x, a parameter of what has no derivative by it: derivatives
	// by x are an error with this reason and hint.
	WithoutDerivative func(x any, reason, hint string) any

	// Enter has the operations that the calling goroutine adds in the Context of x belong to
	// the layer of the given name until leave is called.
	Enter func(x any, layer string) (leave func())

	// Frozen reports for each tensor of tree whether it does not train: it is in a State, or
	// at a path of the options Freeze among opts, which is a []GradOption. Other options are
	// an error of the operation op.
	Frozen func(op string, tree, opts any) []bool

	// Truncate returns the real parts of x, which is complex, at dtype d, for the operation op,
	// as far as the Context of x allows it.
	Truncate func(op string, x any, d dtype.DType) any
)
