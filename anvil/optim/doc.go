// Package optim provides optimizers: rules that change the parameters of a model by their
// gradients. An optimizer is a plain struct of settings. The model is any tree of tensors:
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
// Update changes the tensors that have a gradient. It does not change tensors whose gradient is the
// zero Tensor, such as an nv.State and tensors under nn.Freeze. The state has nothing for an nv.State,
// nor for frozen tensors if Init gets the same option:
//
//	state := optim.Init(opt, model, nn.Freeze("In"))
//
// Parameters keep their dtypes. An optimizer computes at f32, or at the dtype of the parameter if
// that is wider, and keeps its state for the parameter at the dtype of the computation.
//
// The field Rate of an optimizer is a number, a scalar Tensor or a Schedule. In a cell, a
// compiled step runs with another number without being compiled again. In a Go program, a
// number is a constant of the step: to change the rate there, pass it to the step as a tensor.
package optim
