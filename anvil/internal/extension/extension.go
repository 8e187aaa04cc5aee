// Package extension provides functions of package anvil to other packages of this module, such as
// random and nn, but not to cells. Package anvil sets them. Arguments and results of type any are
// Tensors, since this package cannot import anvil.
package extension

import (
	"fmt"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// TypeName returns the name of v's type as cells write it: "MLP", "nn.Dense", "[]nv.Tensor".
func TypeName(v any) string { return TypeText(fmt.Sprintf("%T", v)) }

// TypeText returns the text of a type as cells write it. text is the type's text from package reflect.
func TypeText(text string) string { return typeTexts.Replace(text) }

var typeTexts = strings.NewReplacer("main.", "", "anvil.", "nv.", "interface {}", "any")

var (
	// PathwiseGamma, PathwiseLogGamma and PathwiseWald return x, draws of a distribution with
	// parameter p, with their derivative with respect to p at a constant probability. x are
	// draws of the gamma distribution with shape p, their logarithms, or draws of the Wald
	// distribution with mean p.
	PathwiseGamma, PathwiseLogGamma, PathwiseWald func(x, p any) any

	// WithoutDerivative returns x such that a derivative with respect to x is an error with
	// this reason and hint.
	WithoutDerivative func(x any, reason, hint string) any

	// Enter marks the operations that the calling goroutine adds in the Context of x as those
	// of the given layer, until leave is called.
	Enter func(x any, layer string) (leave func())

	// Frozen reports for each tensor of tree whether it is excluded from training: it is in a
	// State, or at a path of an option Freeze in opts, a []GradOption. Other options are an
	// error of the operation op.
	Frozen func(op string, tree, opts any) []bool

	// Truncate returns the real parts of x, which is complex, at dtype d. It fails in the name of
	// the operation op if the Context of x does not allow that.
	Truncate func(op string, x any, d dtype.DType) any
)
