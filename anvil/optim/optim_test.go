package optim_test

import (
	"math"
	"runtime"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/nn"
	"github.com/goanvil/notebook/anvil/optim"
	"github.com/goanvil/notebook/anvil/random"
)

type line struct{ W, B nv.Tensor }

func (m line) loss(x, y nv.Tensor) nv.Tensor { return m.W.Mul(x).Add(m.B).Sub(y).Square().Mean() }

func newLine() line { return line{nv.Scalar(0, nv.F32), nv.Scalar(0, nv.F32)} }

func TestStepCompilesOnce(t *testing.T) {
	x := nv.New([]float64{-1, 0, 1, 2})
	y := x.Mul(3).Sub(1)
	step := nv.Jit(func(m line, s optim.State, rate, x, y nv.Tensor) (line, optim.State, nv.Tensor) {
		opt := optim.SGD{Rate: rate, Momentum: 0.5}
		l, g := nv.ValueAndGrad(func(m line) nv.Tensor { return m.loss(x, y) })(m)
		m, s = optim.Update(opt, m, g, s)
		return m, s, l
	})
	model := newLine()
	state := optim.Init(optim.SGD{Momentum: 0.5}, model)
	var l nv.Tensor
	var after nv.Counters
	for i := range 100 {
		model, state, l = step(nv.Donate(model), nv.Donate(state), nv.Scalar(0.1/(1+0.01*float64(i))), x, y)
		if i == 0 {
			after = nv.Stats()
		}
	}
	if n := nv.Stats().Programs - after.Programs; n != 0 {
		t.Errorf("99 steps compile %d programs", n)
	}
	if l.Float() > 1e-6 || state.Count.Int() != 100 {
		t.Errorf("after %v steps the loss is %v", state.Count, l)
	}
}

// TestOneProgram checks that each optimizer's step is one program, compiled once for all
// steps, and that a step changes nothing but tensors of the model and the state.
func TestOneProgram(t *testing.T) {
	for name, opt := range optimizers {
		c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
		model := weights{c.Ones(nil), c.Ones(nv.Shape{3}), c.Ones(nv.Shape{2, 3})}
		state := optim.Init(opt, model)
		step := c.JitAny(func(m weights, s optim.State) (weights, optim.State) {
			return optim.Update(opt, m, weights{m.S.Mul(2), m.V.Mul(2), m.M.Mul(2)}, s)
		}).(func(weights, optim.State) (weights, optim.State))
		model, state = step(nv.Donate(model), nv.Donate(state))
		_ = model.S.Float()
		before := c.Stats()
		for range 5 {
			model, state = step(nv.Donate(model), nv.Donate(state))
		}
		_ = model.S.Float()
		after := c.Stats()
		if n := after.Programs - before.Programs; n != 0 {
			t.Errorf("%s: 5 steps compile %d programs", name, n)
		}
		if n := after.Launches - before.Launches; n != 5 {
			t.Errorf("%s: 5 steps launch %d programs", name, n)
		}
		c.Close()
	}
}

// TestAbsentGradients checks that tensors without a gradient, and tensors of integers, do not
// change.
func TestAbsentGradients(t *testing.T) {
	type model struct {
		W, Frozen, Index, None nv.Tensor
		Mean                   nv.State
	}
	m := model{W: nv.Ones(nv.Shape{2}), Frozen: nv.Ones(nv.Shape{3}), Index: nv.Arange(3), Mean: nv.State{Tensor: nv.Ones(nv.Shape{2})}}
	for name, opt := range optimizers {
		state := optim.Init(opt, m)
		for range 4 {
			g := nv.Grad(func(m model) nv.Tensor {
				return m.W.Sum().Add(m.Frozen.Sum()).Add(m.Mean.Sum()).Add(m.Index.Sum())
			}, nv.Freeze("Frozen", "Index"))(m)
			changed, s := optim.Update(opt, m, g, state)
			if !nv.ArrayEqual(changed.Frozen, m.Frozen).Bool() || !nv.ArrayEqual(changed.Mean.Tensor, m.Mean.Tensor).Bool() ||
				!nv.ArrayEqual(changed.Index, m.Index).Bool() || changed.None.Valid() {
				t.Errorf("%s: a tensor without a gradient changes: %v", name, changed)
			}
			m, state = changed, s
		}
		if nv.ArrayEqual(m.W, nv.Ones(nv.Shape{2})).Bool() {
			t.Errorf("%s: the parameter does not change", name)
		}
	}
}

// TestNotTrained checks that a state has nothing for an nv.State and for frozen tensors,
// that a step does not change them, and that it changes the other tensors as if they were
// the whole model.
func TestNotTrained(t *testing.T) {
	type part struct{ W, V nv.Tensor }
	type model struct {
		Mean   nv.State
		Body   part
		Head   nv.Tensor
		Counts nv.State
	}
	ones := func(n int) nv.Tensor { return nv.Ones(nv.Shape{n}) }
	for name, opt := range optimizers {
		m := model{nv.State{Tensor: ones(2)}, part{ones(3), ones(4)}, ones(5), nv.State{Tensor: nv.Arange(2)}}
		only := struct{ Head nv.Tensor }{m.Head}
		state, alone := optim.Init(opt, m, nv.Freeze("Body")), optim.Init(opt, only)
		if len(state.Slots) != len(alone.Slots) {
			t.Errorf("%s: %d slots, want %d", name, len(state.Slots), len(alone.Slots))
		}
		step := nv.Jit(func(m model, s optim.State) (model, optim.State) {
			g := nv.Grad(func(m model) nv.Tensor {
				return m.Head.Square().Sum().Add(m.Body.W.Sum().Mul(m.Mean.Sum()))
			}, nv.Freeze("Body"))(m)
			g.Mean = m.Mean // must be ignored
			return optim.Update(opt, m, g, s)
		})
		after := m
		for range 4 {
			after, state = step(after, nv.Donate(state))
			only, alone = optim.Update(opt, only, struct{ Head nv.Tensor }{only.Head.Mul(2)}, alone)
		}
		for i, x := range nv.TreeLeaves(after) {
			path := nv.TreePaths(m)[i]
			if stays := nv.ArrayEqual(x, nv.TreeLeaves(m)[i]).Bool(); stays != (path != "Head") {
				t.Errorf("%s: %s is %v", name, path, x)
			}
		}
		if d := after.Head.Sub(only.Head).Abs().Max().Float(); !(d <= 1e-6) {
			t.Errorf("%s: the change differs from that of the tensor alone by %v", name, d)
		}
		for slot, xs := range state.Slots {
			for i, x := range xs {
				if path := nv.TreePaths(m)[i]; x.Valid() != (path == "Head") {
					t.Errorf("%s: the slot %s has %v for %s", name, slot, x, path)
				}
			}
		}
	}
}

func TestFreezeErrors(t *testing.T) {
	m := newLine()
	adam := optim.Adam{}
	for _, c := range []struct {
		err  error
		want string
	}{
		{nv.Try(func() { optim.Init(adam, m, nv.Freeze("C")) }), `optim.Init(optim_test.line): no tensor is at the frozen path "C"; the paths are W, B`},
		{nv.Try(func() { optim.Init(adam, m, nv.Freeze("W", "B")) }),
			"optim.Init(optim_test.line): no tensor can be trained; give a model initialized by nn.Init, " +
				"with a float tensor that is not frozen"},
		{nv.Try(func() { optim.Init(adam, m, nv.Wrt(0)) }),
			"optim.Init(optim_test.line): an option of Grad other than Freeze is given; leave out Wrt and " +
				`Conventions, and give only options such as nn.Freeze("In")`},
		{nv.Try(func() { optim.Update(adam, m, m, optim.Init(adam, m, nv.Freeze("W"))) }),
			"optim.Update(W): the tensor was frozen when the state was made, but now it has a gradient; give " +
				"nv.Grad the same nn.Freeze, or make a new state with state := optim.Init(opt, model)"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("%v; want %q", c.err, c.want)
		}
	}
}

// TestReloadedState checks that steps with a state that is rebuilt from its tensors give
// the same bits.
func TestReloadedState(t *testing.T) {
	for name, opt := range optimizers {
		step := stepOf(opt, problems["network"])
		m, s := start(), optim.Init(opt, start())
		for range 3 {
			m, s = step(m, s)
		}
		again := nv.TreeMap(func(xs ...nv.Tensor) nv.Tensor { return nv.From(xs[1].Values()).Reshape(xs[1].Shape()) }, optim.Init(opt, start()), s)
		other := m
		for range 3 {
			m, s = step(m, s)
			other, again = step(other, again)
		}
		for i, x := range nv.TreeLeaves(m) {
			if !nv.ArrayEqual(x, nv.TreeLeaves(other)[i]).Bool() {
				t.Errorf("%s: the tensor %s differs", name, nv.TreePaths(m)[i])
			}
		}
	}
}

func TestMasterWeights(t *testing.T) {
	type model struct{ W nv.Tensor }
	for _, c := range []struct {
		opt  optim.Optimizer
		want float64
	}{
		{optim.SGD{Rate: 1e-4}, 1},
		{optim.MasterWeights{Optimizer: optim.SGD{Rate: 1e-4}}, 0.9},
	} {
		m := model{nv.Scalar(1, nv.F16)}
		step := nv.Jit(func(m model, s optim.State) (model, optim.State) {
			return optim.Update(c.opt, m, model{nv.Scalar(1, nv.F16)}, s)
		})
		s := optim.Init(c.opt, m)
		for range 1000 {
			m, s = step(m, s)
		}
		if m.W.DType() != nv.F16 || math.Abs(m.W.Float()-c.want) > 2.5e-4 {
			t.Errorf("%T: after 1000 steps of 1e-4 the parameter is %v; want %v", c.opt, m.W, c.want)
		}
	}
}

func TestLossScaling(t *testing.T) {
	type model struct{ W nv.Tensor }
	opt := optim.LossScaling{Initial: 4, Every: 2, Optimizer: optim.SGD{Rate: 0.5, Momentum: 0.5}}
	m := model{nv.Scalar(1, nv.F32)}
	s := optim.Init(opt, m)
	for i, c := range []struct {
		grad            float64
		w, scale, steps float64
	}{
		{4, 0.5, 4, 1},
		{math.Inf(1), 0.5, 2, 1},
		{2, -0.25, 2, 2},
		{0, -0.625, 4, 3},
		{math.NaN(), -0.625, 2, 3},
		{math.NaN(), -0.625, 1, 3},
		{math.NaN(), -0.625, 1, 3},
	} {
		m, s = optim.Update(opt, m, model{nv.Scalar(c.grad, nv.F32)}, s)
		if m.W.Float() != c.w || s.LossScale().Float() != c.scale || s.Count.Float() != c.steps {
			t.Errorf("step %d: parameter %v, factor %v, count %v; want %v", i, m.W, s.LossScale(), s.Count, c)
		}
	}
}

// TestLossScaleOfParts checks the defaults of LossScaling, in a Chain too, and the factor of other optimizers, which is 1.
func TestLossScaleOfParts(t *testing.T) {
	m := newLine()
	for _, c := range []struct {
		opt  optim.Optimizer
		want float64
	}{
		{optim.SGD{Rate: 0.1}, 1},
		{optim.LossScaling{Optimizer: optim.SGD{Rate: 0.1}}, 65536},
		{optim.LossScaling{Initial: 8, Optimizer: optim.SGD{Rate: 0.1}}, 8},
		{optim.Chain{optim.LossScaling{Optimizer: optim.SGD{Rate: 0.1}}}, 65536},
	} {
		state := optim.Init(c.opt, m)
		if got := state.LossScale().Float(); got != c.want {
			t.Errorf("%T: the first factor is %v, want %v", c.opt, got, c.want)
		}
		if _, state = optim.Update(c.opt, m, m, state); state.LossScale().Float() != c.want { // for 2000 steps
			t.Errorf("%T: after one step the factor is %v, want %v", c.opt, state.LossScale(), c.want)
		}
	}
}

func TestAverages(t *testing.T) {
	type model struct{ W nv.Tensor }
	m := model{nv.Scalar(1.0, nv.BF16)}
	for decay, want := range map[float64]float64{0: (0.5 + 0 - 0.5) / 3, 0.5: 0.5*(0.5*(0.5*1+0.5*0.5)+0) + 0.5*-0.5} {
		opt := optim.Chain{optim.ClipValue{Max: 1}, optim.Average{Decay: decay, Optimizer: optim.SGD{Rate: 0.5}}}
		now, s := m, optim.Init(opt, m)
		for range 3 {
			now, s = optim.Update(opt, now, m, s)
		}
		if a := optim.Averaged(now, s); a.W.DType() != nv.BF16 || math.Abs(a.W.Float()-want) > 1e-3 {
			t.Errorf("Decay %v: the average is %v; want %v", decay, a.W, want)
		}
	}
}

// TestDTypes checks that tensors keep their dtypes, that the slots of bf16 and f16 tensors
// have f32, and that the loss of a complex parameter decreases.
func TestDTypes(t *testing.T) {
	type model struct{ A, B, C nv.Tensor }
	ctx := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	defer ctx.Close()
	target := ctx.Scalar(1+1i, nv.C64)
	loss := func(m model) nv.Tensor {
		d := m.C.Sub(target)
		return m.A.Square().Sum().Add(m.B.Square().Sum()).AsType(nv.F32).Add(d.Mul(d.Conj()).Real())
	}
	grad := ctx.GradAny(loss).(func(model) model)
	for name, opt := range optimizers {
		if name == "ClipValue" { // complex numbers have no order
			continue
		}
		m := model{ctx.Ones(nv.Shape{2}, nv.BF16), ctx.Ones(nv.Shape{2}, nv.F16), ctx.Scalar(0i, nv.C64)}
		s := optim.Init(opt, m)
		for name, slot := range s.Slots {
			if slot[0].DType() != nv.F32 || slot[1].DType() != nv.F32 || !slot[2].DType().Is(dtype.Inexact) {
				t.Errorf("the slot %s has %v", name, slot)
			}
		}
		first := loss(m).Float()
		for range 8 {
			m, s = optim.Update(opt, m, grad(m), s)
		}
		if m.A.DType() != nv.BF16 || m.B.DType() != nv.F16 || m.C.DType() != nv.C64 {
			t.Errorf("%s: the dtypes become %v, %v, %v", name, m.A.DType(), m.B.DType(), m.C.DType())
		}
		if last := loss(m).Float(); !(last <= first) {
			t.Errorf("%s: the loss goes from %v to %v", name, first, last)
		}
	}
}

func TestErrors(t *testing.T) {
	m := newLine()
	state := optim.Init(optim.SGD{}, m)
	for _, c := range []struct {
		name string
		f    func()
		want string
	}{
		{"no state", func() { optim.Update(optim.SGD{}, m, m, optim.State{}) }, "optim.Update(optim.SGD): the state is empty; make it with state := optim.Init(opt, model)"},
		{"no optimizer", func() { optim.Init(nil, m) }, "optim.Init(nil): the optimizer is nil; give one, such as optim.Adam{Rate: 1e-3}"},
		{"no tensors", func() { optim.Init(optim.SGD{}, line{}) },
			"optim.Init(optim_test.line): no tensor can be trained; give a model initialized by nn.Init, " +
				"with a float tensor that is not frozen"},
		{"a rate of text", func() { optim.Update(optim.SGD{Rate: "fast"}, m, m, state) }, "optim.SGD(rate string): the rate is not a number; give a number, a scalar tensor or a Schedule"},
		{"a vector of rates", func() { optim.Update(optim.SGD{Rate: nv.Ones(nv.Shape{2})}, m, m, state) }, "optim.SGD(rate {2}): the rate is not a scalar; give one number"},
		{"another shape", func() { optim.Update(optim.SGD{}, m, line{nv.Ones(nv.Shape{2}), m.B}, state) },
			"optim.Update(W): the shape is {}, but the gradient has the shape {2}; give nv.Grad(loss)(model)"},
		{"another state", func() { optim.Update(optim.Adam{}, m, m, state) },
			"optim.Update(optim.Adam): the state belongs to another optimizer; make a new one with state " +
				":= optim.Init(opt, model)"},
		{"no averages", func() { optim.Averaged(m, state) }, "optim.Averaged(): the state has no averages; use optim.Average{Decay: 0.999, Optimizer: opt}"},
		{"an empty chain", func() { optim.Init(optim.Chain{}, m) },
			"optim.Chain(): the chain is empty; give optim.Chain{optim.ClipNorm{Max: 1}, optim.Adam{Rate: " +
				"1e-3}}"},
		{"no steps", func() { optim.Init(optim.Accumulate{Optimizer: optim.SGD{}}, m) }, "optim.Accumulate(Steps: 0): Steps is not positive; give the number of steps"},
		{"nothing accumulates", func() { optim.Init(optim.Accumulate{Steps: 2}, m) },
			"optim.Accumulate(nil): the optimizer is nil; give one: optim.Accumulate{Optimizer: " +
				"optim.Adam{Rate: 1e-3}}"},
		{"nothing follows", func() { optim.Warmup{Steps: 2}.At(nv.Arange(3)) },
			"optim.Warmup(): the field Then is missing; give the schedule to follow, such as " +
				"optim.Constant(0.1)"},
	} {
		if err := nv.Try(c.f); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v; want %q", c.name, err, c.want)
		}
	}
}

// TestStepAllocations bounds the allocations of a call of a jitted step, for a model of 20
// tensors: about two objects for each result and one for each of its values in host memory.
// The records that nv.Why shows need none, since they are shared with the trace.
func TestStepAllocations(t *testing.T) {
	for _, c := range []struct {
		opt optim.Optimizer
		max float64
		kib uint64
	}{{optim.SGD{Rate: 0.01}, 120, 22}, {optim.Adam{Rate: 0.01}, 300, 58}} {
		l := nn.Dense{Features: 2}
		model := nn.Init(deep{l, l, l, l, l, l, l, l, l, l}, random.Key(0), nv.Ones(nv.Shape{1, 2}))
		state := optim.Init(c.opt, model)
		step := nv.Jit(func(m deep, s optim.State) (deep, optim.State) { return optim.Update(c.opt, m, m, s) })
		run := func() { model, state = step(nv.Donate(model), nv.Donate(state)) }
		run()
		if got := testing.AllocsPerRun(100, run); got > c.max {
			t.Errorf("a step of %T allocates %v times", c.opt, got)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 100 {
			run()
		}
		runtime.ReadMemStats(&after)
		if got := (after.TotalAlloc - before.TotalAlloc) / 100; got > c.kib<<10 {
			t.Errorf("a step of %T allocates %d bytes", c.opt, got)
		}
	}
}
