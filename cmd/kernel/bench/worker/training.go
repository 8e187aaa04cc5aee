package main

import (
	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/nn"
	"github.com/goanvil/notebook/anvil/optim"
	"github.com/goanvil/notebook/anvil/random"
)

// init adds the training steps to workloads. Each step launches one program.
func init() {
	for name, prepare := range map[string]func() step{
		"Adam step of an MLP, 784-128-10":     multilayer,
		"Adam step of a CNN, 28x28, batch 32": convolutional,
		"Adam step of a transformer, 16x64":   transformerStep,
		"step of 20 tensors, jit":             smallStep,
	} {
		workloads[name] = workload{prepare, 1}
	}
}

// smallStep returns a step that updates a model of 20 small tensors. There is almost nothing to
// compute, so the step measures the cost of the call itself.
func smallStep() step {
	model := make(nn.Sequential, 10)
	for i := range model {
		model[i] = nn.Dense{Features: 2}
	}
	model = nn.Init(model, random.Key(0), waves(1, 2))
	for _, x := range nv.TreeLeaves(model) {
		await(x)
	}
	update := nv.Jit(func(m nn.Sequential) nn.Sequential {
		return nv.TreeMap(func(xs ...nv.Tensor) nv.Tensor { return xs[0].Sub(xs[0].Mul(0.1)) }, m)
	})
	return timed(func() {
		model = update(nv.Donate(model))
		for _, x := range nv.TreeLeaves(model) {
			await(x)
		}
	})
}

// train returns a step that trains model with Adam on one batch. model.Apply returns logits for x,
// and y holds the classes.
func train[M interface {
	Apply(nv.Tensor, ...nn.Mode) nv.Tensor
}](model M, x, y nv.Tensor) step {
	opt := optim.Adam{Rate: 1e-3}
	type trained struct {
		Model M
		State optim.State
	}
	update := nv.Jit(func(t trained, x, y nv.Tensor) (nv.Tensor, trained) {
		loss, grads := nv.ValueAndGrad(func(m M) nv.Tensor { return m.Apply(x).CrossEntropyLoss(y) })(t.Model)
		m, s := optim.Update(opt, t.Model, grads, t.State)
		return loss, trained{m, s}
	})
	model = nn.Init(model, random.Key(0), x)
	t := trained{model, optim.Init(opt, model)}
	for _, x := range nv.TreeLeaves(t) {
		await(x)
	}
	await(x)
	await(y)
	var loss nv.Tensor
	return timed(func() {
		loss, t = update(nv.Donate(t), x, y)
		for _, x := range nv.TreeLeaves(t) {
			await(x)
		}
		await(loss)
	})
}

func multilayer() step {
	model := nn.Sequential{nn.Dense{Features: 128}, nv.Relu, nn.Dense{Features: 10}}
	return train(model, waves(128, 784), nv.Arange(128).Rem(10))
}

func convolutional() step {
	flat := func(x nv.Tensor) nv.Tensor { return x.Reshape(nv.Shape{x.Shape()[0], -1}) }
	pool := nn.MaxPool{Window: nv.Shape{2, 2}}
	model := nn.Sequential{
		nn.Conv{Features: 32, Window: nv.Shape{3, 3}}, nv.Relu, pool,
		nn.Conv{Features: 64, Window: nv.Shape{3, 3}}, nv.Relu, pool,
		flat, nn.Dense{Features: 128}, nv.Relu, nn.Dense{Features: 10},
	}
	return train(model, waves(32, 28, 28, 1), nv.Arange(32).Rem(10))
}

// A block is a transformer block that normalizes before attention and before the dense layers.
type block struct {
	AttentionNorm, Norm nn.LayerNorm
	Attention           nn.MultiHeadAttention
	Wide, Narrow        nn.Dense
}

func (b block) Apply(x nv.Tensor) nv.Tensor {
	x = x.Add(b.Attention.Apply(b.AttentionNorm.Apply(x)))
	return x.Add(b.Narrow.Apply(nv.Relu(b.Wide.Apply(b.Norm.Apply(x)))))
}

func transformerStep() step {
	b := block{Attention: nn.MultiHeadAttention{Heads: 4, Causal: true},
		Wide: nn.Dense{Features: 256}, Narrow: nn.Dense{Features: 64}}
	model := nn.Sequential{nn.Embed{Count: 64, Features: 64}, b, b, nn.LayerNorm{}, nn.Dense{Features: 64}}
	x := nv.Arange(16 * 64).Mul(7).Rem(64).Reshape(nv.Shape{16, 64})
	return train(model, x, x.Add(1).Rem(64))
}
