// Package extension provides functions of package anvil to other packages of this module, such as random and
// nn, but not to cells. Package anvil sets the variables. Arguments and results of type any are Tensors
// unless documented otherwise, since this package cannot import anvil.
package extension

import (
	"github.com/goanvil/notebook/anvil/dtype"
)

var (
	// PathwiseGamma, PathwiseLogGamma and PathwiseWald return x, draws of a distribution with parameter p,
	// with the derivative of the draws with respect to p at a constant cumulative probability. For
	// PathwiseGamma, x has draws of the gamma distribution with shape p, for PathwiseLogGamma the logarithms
	// of such draws, and for PathwiseWald draws of the Wald distribution with mean p.
	PathwiseGamma, PathwiseLogGamma, PathwiseWald func(x, p any) any

	// WithoutDerivative returns x. A derivative with respect to the result is an error with the given reason
	// and hint.
	WithoutDerivative func(x any, reason, hint string) any

	// Enter marks the operations that the calling goroutine adds in the Context of x as operations of the
	// given layer, until leave is called.
	Enter func(x any, layer string) (leave func())

	// Frozen reports for each tensor of tree whether it is excluded from training, since it is in a State or
	// at a path of an option Freeze. opts is a []GradOption; if it has other options, Frozen panics with an
	// error of the operation op.
	Frozen func(op string, tree, opts any) []bool

	// Truncate returns the real parts of x, which is complex, converted to dtype d. If the Context of x does
	// not allow that, it panics with an error of the operation op.
	Truncate func(op string, x any, d dtype.DType) any
)
