package random

import (
	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// Dropout returns x with each element 0 with probability rate, the others
// divided by 1 - rate, so that what is expected stays. Which stay is what
// Bernoulli(k, 1-rate, x.Shape()) says.
func Dropout(k PRNGKey, x nv.Tensor, rate float64) nv.Tensor {
	refuse := func(reason, hint string) {
		panic(&nv.Error{Op: "random.Dropout", Operands: x.Typed().String() + x.Shape().String(), Reason: reason, Hint: hint})
	}
	switch {
	case !x.DType().Is(dtype.Inexact):
		refuse("elements that stay are divided, and "+x.DType().String()+" is no float", "convert x with AsType(nv.F32)")
	case !(rate >= 0 && rate <= 1):
		refuse("the rate is no probability", "it is from 0 to 1")
	case rate == 1:
		return nv.ZerosLike(x)
	}
	return Bernoulli(k, 1-rate, x.Shape()).Where(x.Div(1-rate), 0)
}
