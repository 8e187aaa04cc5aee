package optim_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/optim"
)

// TestErrorsNameTheirOptimizer checks what the errors of each optimizer and schedule say.
func TestErrorsNameTheirOptimizer(t *testing.T) {
	m := newLine()
	update := func(opt optim.Optimizer) func() {
		return func() { optim.Update(opt, m, m, optim.Init(opt, m)) }
	}
	steps := nv.Arange(3)
	bad := "fast"
	for i, row := range []struct {
		f    func()
		want string
	}{
		{update(optim.SGD{Rate: bad}), "optim.SGD(rate string): the rate is not a number; give a number, a scalar tensor or a Schedule"},
		{update(optim.Adagrad{Rate: bad}), "optim.Adagrad(rate string): the rate is not a number; give a number, a scalar tensor or a Schedule"},
		{update(optim.Adadelta{Rate: bad}), "optim.Adadelta(rate string): the rate is not a number; give a number, a scalar tensor or a Schedule"},
		{update(optim.Adam{Rate: bad}), "optim.Adam(rate string): the rate is not a number; give a number, a scalar tensor or a Schedule"},
		{update(optim.NAdam{Rate: bad}), "optim.NAdam(rate string): the rate is not a number; give a number, a scalar tensor or a Schedule"},
		{update(optim.AdamW{Rate: bad}), "optim.AdamW(rate string): the rate is not a number; give a number, a scalar tensor or a Schedule"},
		{update(optim.LAMB{Rate: bad}), "optim.LAMB(rate string): the rate is not a number; give a number, a scalar tensor or a Schedule"},
		{update(optim.Lion{Rate: bad}), "optim.Lion(rate string): the rate is not a number; give a number, a scalar tensor or a Schedule"},
		{update(optim.RMSProp{Rate: bad}), "optim.RMSProp(rate string): the rate is not a number; give a number, a scalar tensor or a Schedule"},
		{update(optim.LBFGS{Rate: bad, Memory: 2}), "optim.LBFGS(rate string): the rate is not a number; give a number, a scalar tensor or a Schedule"},
		{update(optim.LBFGS{Memory: -1}), "optim.LBFGS(Memory: -1): Memory is not positive; give the number of steps"},
		{update(optim.SGD{Rate: nv.Ones(nv.Shape{2})}), "optim.SGD(rate {2}): the rate is not a scalar; give one number"},
		{update(optim.Accumulate{Optimizer: optim.SGD{}}), "optim.Accumulate(Steps: 0): Steps is not positive; give the number of steps"},
		{update(optim.Accumulate{Steps: -1, Optimizer: optim.SGD{}}), "optim.Accumulate(Steps: -1): Steps is not positive; give the number of steps"},
		{update(optim.Accumulate{Steps: 2}), "optim.Accumulate(nil): the optimizer is nil; give one: optim.Accumulate{Optimizer: optim.Adam{Rate: 1e-3}}"},
		{update(optim.Average{}), "optim.Average(nil): the optimizer is nil; give one: optim.Average{Optimizer: optim.Adam{Rate: 1e-3}}"},
		{update(optim.MasterWeights{}), "optim.MasterWeights(nil): the optimizer is nil; give one: optim.MasterWeights{Optimizer: optim.Adam{Rate: 1e-3}}"},
		{update(optim.LossScaling{}), "optim.LossScaling(nil): the optimizer is nil; give one: optim.LossScaling{Optimizer: optim.Adam{Rate: 1e-3}}"},
		{update(optim.Chain{}), "optim.Chain(): the chain is empty; give optim.Chain{optim.ClipNorm{Max: 1}, optim.Adam{Rate: 1e-3}}"},
		{update(optim.ClipNorm{}), "optim.ClipNorm(Max: 0): Max is not positive; give a limit, such as 1"},
		{update(optim.Chain{optim.ClipValue{Max: -1}, optim.SGD{}}), "optim.ClipValue(Max: -1): Max is not positive; give a limit, such as 1"},
		{func() { optim.Averaged(m, optim.Init(optim.SGD{}, m)) }, "optim.Averaged(): the state has no averages; use optim.Average{Decay: 0.999, Optimizer: opt}"},
		{func() { optim.Step{}.At(steps) }, "optim.Step(Every: 0): Every is not positive; give the number of steps"},
		{func() { optim.Cosine{Steps: -2}.At(steps) }, "optim.Cosine(Steps: -2): Steps is not positive; give the number of steps"},
		{func() { optim.Warmup{Steps: 2}.At(steps) }, "optim.Warmup(): the field Then is missing; give the schedule to follow, such as optim.Constant(0.1)"},
		{func() { optim.Warmup{Then: optim.Constant(1)}.At(steps) }, "optim.Warmup(Steps: 0): Steps is not positive; give the number of steps"},
		{func() { optim.OneCycle{}.At(steps) }, "optim.OneCycle(Steps: 0): Steps is not positive; give the number of steps"},
		{func() { optim.OneCycle{Steps: 10, Rise: 1.5}.At(steps) }, "optim.OneCycle(Rise: 1.5): Rise is not between 0 and 1; give the fraction of the steps until the peak"},
		{func() { optim.OneCycle{Steps: 10, Rise: -0.5}.At(steps) }, "optim.OneCycle(Rise: -0.5): Rise is not between 0 and 1; give the fraction of the steps until the peak"},
		{func() { optim.Init(nil, m) }, "optim.Init(nil): the optimizer is nil; give one, such as optim.Adam{Rate: 1e-3}"},
		{func() { optim.Init(optim.SGD{}, line{}) }, "optim.Init(optim_test.line): no tensor can be trained; give a model initialized by nn.Init, with a float tensor that is not frozen"},
		{func() { optim.Update(nil, m, m, optim.State{}) }, "optim.Update(nil): the optimizer is nil; give one, such as optim.Adam{Rate: 1e-3}"},
		{func() { optim.Update(optim.SGD{}, m, m, optim.State{}) }, "optim.Update(optim.SGD): the state is empty; make it with state := optim.Init(opt, model)"},
		{func() { optim.Update(optim.SGD{}, m, line{}, optim.Init(optim.SGD{}, m)) }, "optim.Update(optim_test.line): no tensor can be trained; give a model initialized by nn.Init, with a float tensor that is not frozen"},
		{func() { optim.Update(optim.Adam{}, m, m, optim.Init(optim.SGD{}, m)) }, "optim.Update(optim.Adam): the state belongs to another optimizer; make a new one with state := optim.Init(opt, model)"},
		{func() { optim.Update(optim.SGD{}, m, line{nv.Ones(nv.Shape{2}), m.B}, optim.Init(optim.SGD{}, m)) }, "optim.Update(W): the shape is {}, but the gradient has the shape {2}; give nv.Grad(loss)(model)"},
		{func() {
			optim.UpdateAny(optim.SGD{}, m, []nv.Tensor{m.B}, optim.Init(optim.SGD{}, m))
		}, "optim.Update(optim_test.line, []nv.Tensor): the model has 2 tensors and the gradient 1; give nv.Grad(loss)(model)"},
		{func() {
			opt := optim.Adam{}
			optim.Update(opt, []nv.Tensor{m.B}, []nv.Tensor{m.B}, optim.Init(opt, m))
		}, "optim.Update([]nv.Tensor): the state is for a model of 2 tensors, but this model has 1; make a new one with state := optim.Init(opt, model)"},
	} {
		if err := nv.Try(row.f); err == nil || err.Error() != row.want {
			t.Errorf("call %d: %v; want %s", i, err, row.want)
		}
	}
}
