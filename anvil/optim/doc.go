// Package optim has optimizers: rules that change the parameters of a model by their
// gradients. An optimizer is a plain struct of settings, the model any tree of tensors:
//
//	opt := optim.Adam{Rate: 1e-3}
//	state := optim.Init(opt, model)
//
//	step := nv.Jit(func(m Model, s optim.State, x, y nv.Tensor) (Model, optim.State, nv.Tensor) {
//		l, g := nv.ValueAndGrad(func(m Model) nv.Tensor { return loss(m, x, y) })(m)
//		m, s = optim.Update(opt, m, g, s)
//		return m, s, l
//	})
//	model, state, l = step(nv.Donate(model), nv.Donate(state), x, y)
//
// Update changes the tensors that have a gradient. It does not change those whose gradient is the
// zero Tensor, such as an nv.State and tensors under nv.Freeze. Init keeps nothing for an nv.State,
// nor for frozen tensors if it gets the same option:
//
//	state := optim.Init(opt, model, nn.Freeze("In"))
//
// Parameters keep their dtypes. An optimizer computes, and keeps its state of a parameter, at f32,
// or at the parameter's dtype if that is wider.
//
// The field Rate of an optimizer is a number, a scalar Tensor or a Schedule. A step that is
// compiled for one number runs for others without being compiled again, but a number is a
// constant of a step in a Go program: to change the rate there, pass it to the step as a
// tensor.
package optim
