package anvil

import "github.com/goanvil/notebook/anvil/autodiff"

// The conventions of derivatives at points where a function has none, or no unique
// one: anvil's, and those of JAX, PyTorch and TensorFlow as far as they are those of
// single operations. docs/gradients.md compares them.
var (
	AnvilGradients      = autodiff.Anvil
	JAXGradients        = autodiff.JAX
	TorchGradients      = autodiff.Torch
	TensorFlowGradients = autodiff.TensorFlow
)

// Conventions returns the option by which Grad and ValueAndGrad follow the conventions of
// a framework. By JAXGradients, TorchGradients and TensorFlowGradients, a branch that
// Where did not take may give NaN; by JAXGradients, gradients of complex numbers are
// conjugated. Promotion systems do not change gradients.
func Conventions(c *autodiff.Conventions) GradOption {
	return func(o *gradOptions) { o.conventions = c }
}

// WithConventions sets the conventions of derivatives that are given none. restore sets
// those from before.
func (c *Context) WithConventions(conv *autodiff.Conventions) (restore func()) {
	before := c.conventions.Swap(conv)
	return func() { c.conventions.Store(before) }
}

// conventionsOf returns the conventions that the call follows, nil for anvil's.
func (c *tracedCall) conventionsOf() *autodiff.Conventions {
	if c.conventions != nil {
		return c.conventions
	}
	return c.traced.ctx.conventions.Load()
}
