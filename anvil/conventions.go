package anvil

import "github.com/goanvil/notebook/anvil/autodiff"

// The conventions for derivatives at points where a function has no derivative, or no unique
// one: those of anvil, and those of single operations in JAX, PyTorch and TensorFlow.
// docs/gradients.md compares them.
var (
	AnvilGradients      = autodiff.Anvil
	JAXGradients        = autodiff.JAX
	TorchGradients      = autodiff.Torch
	TensorFlowGradients = autodiff.TensorFlow
)

// Conventions returns the option by which Grad and ValueAndGrad follow the conventions of
// a framework. Under JAXGradients, TorchGradients and TensorFlowGradients, an operand of
// Where can make the gradient NaN even where Where takes the other operand. Under
// JAXGradients, gradients with respect to complex numbers are conjugated. Promotion systems
// do not change gradients.
func Conventions(c *autodiff.Conventions) GradOption {
	return func(o *gradOptions) { o.conventions = c }
}

// WithConventions sets the conventions that derivatives follow if the option Conventions is not
// given. restore sets the previous conventions again.
func (c *Context) WithConventions(conv *autodiff.Conventions) (restore func()) {
	before := c.conventions.Swap(conv)
	return func() { c.conventions.Store(before) }
}

// activeConventions returns the conventions that the call follows. Nil means anvil's.
func (c *tracedCall) activeConventions() *autodiff.Conventions {
	if c.conventions != nil {
		return c.conventions
	}
	return c.traced.ctx.conventions.Load()
}
