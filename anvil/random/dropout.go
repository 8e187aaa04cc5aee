package random

import (
	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// Dropout returns x with each element set to 0 with probability rate. It keeps the elements where
// Bernoulli(k, 1-rate, x.Shape()) is true, and divides them by 1-rate, so that the expected value stays the
// same.
func Dropout(k PRNGKey, x nv.Tensor, rate float64) nv.Tensor {
	refuse := func(reason, hint string) {
		operands := x.Typed().String() + x.Shape().String()
		panic(&nv.Error{Op: "random.Dropout", Operands: operands, Reason: reason, Hint: hint})
	}
	switch {
	case !x.DType().Is(dtype.Inexact):
		refuse("the elements of x are not floats", "convert x with AsType(nv.F32)")
	case !(rate >= 0 && rate <= 1):
		refuse("the rate is not a probability", "use a rate from 0 to 1")
	case rate == 1:
		return nv.ZerosLike(x)
	}
	return Bernoulli(k, 1-rate, x.Shape()).Where(x.Div(1-rate), 0)
}
