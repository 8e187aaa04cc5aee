package main

import (
	"runtime"
	"time"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/tangent"
)

// gradients are the workloads that compute derivatives. init adds them to workloads.
var gradients = map[string]workload{
	"eager gradient of five operations": {func() step { return eagerGradient(nv.Grad(five)) }, 1},
	"eager gradient of a gradient": {func() step {
		return eagerGradient(nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Grad(five)(x).Sum() }))
	}, 1},
	"MLP step, 784-128-10, batch 128, jit": {func() step { return mlpStep(mnist, crossEntropy, 784, 128, 10) }, 1},
	"MLP step, 10-4x160-1, batch 128, jit": {func() step {
		return mlpStep(regression, meanSquaredError, 10, 160, 160, 160, 160, 1)
	}, 1},
	"per-example gradients of 128, jit":    {perExample, 1},
	"Hessian of 100, never seen":           {hessianNeverSeen, 0},
	"Hessian of 100, jit":                  {hessian, 1},
	"gradient of a Gaussian process, jit":  {gaussianProcess, 1},
	"gradient of Scan of 1,000 steps, jit": {func() step { return scanGradient(recurrence) }, 1},
	"gradient of checkpointed Scan, jit":   {func() step { return scanGradient(nv.Checkpoint(recurrence)) }, 1},
	"gradient of 100, each operation":      {func() step { return derivationTime(100) }, 0},
	"gradient of 10,000, each operation":   {func() step { return derivationTime(10_000) }, 0},
	"10,000 index gradients":               {func() step { return timed(func() { indexGradients(10_000) }) }, 0},
	"100,000 index gradients":              {func() step { return timed(func() { indexGradients(100_000) }) }, 0},
	"100,000 index gradients, bytes":       {func() step { return indexGradientsBytes }, 0},
}

func init() {
	for name, w := range gradients {
		workloads[name] = w
	}
}

// waves returns a tensor of shape s on the device. Its numbers are a sine wave of amplitude 0.05.
func waves(s ...int) nv.Tensor {
	x := nv.Arange(nv.Shape(s).Size(), nv.F32).Sin().Mul(0.05).Reshape(s)
	await(x)
	return x
}

// five is a function of five operations.
func five(x nv.Tensor) nv.Tensor { return x.Mul(x).Add(x).Tanh().Mul(x).Sum() }

// eagerGradient returns a step that calls the gradient g without Jit.
func eagerGradient(g func(nv.Tensor) nv.Tensor) step {
	x := nv.Arange(4, nv.F32).Add(1)
	await(x)
	return timed(func() { await(g(x)) })
}

// A layer holds the weights and biases of a layer of a network.
type layer struct{ W, B nv.Tensor }

// forward returns the outputs of a network for x. All layers but the last end with a Relu.
func forward(layers []layer, x nv.Tensor) nv.Tensor {
	for i, l := range layers {
		if x = x.MatMul(l.W).Add(l.B); i+1 < len(layers) {
			x = nv.Relu(x)
		}
	}
	return x
}

// A loss measures how much the outputs of a network for x differ from y.
type loss func(layers []layer, x, y nv.Tensor) nv.Tensor

// crossEntropy is a loss: the cross-entropy of the outputs and the one-hot classes y.
func crossEntropy(layers []layer, x, y nv.Tensor) nv.Tensor {
	return nv.LogSoftmax(forward(layers, x)).Mul(y).Sum(nv.Axis(1)).Mean().Neg()
}

// meanSquaredError is a loss: the mean squared difference between the outputs and y.
func meanSquaredError(layers []layer, x, y nv.Tensor) nv.Tensor {
	residual := forward(layers, x).Sub(y)
	return residual.Mul(residual).Mean()
}

// mnist returns a batch of 128 vectors of the size of MNIST's images, and their one-hot classes.
func mnist() (x, y nv.Tensor) {
	y = nv.Eq(nv.Arange(128).Rem(10).Reshape(nv.Shape{128, 1}), nv.Arange(10)).AsType(nv.F32)
	await(y)
	return waves(128, 784), y
}

// regression returns a batch of 128 vectors and a number for each.
func regression() (x, y nv.Tensor) { return waves(128, 10), waves(128, 1) }

// network returns the layers of a network. sizes are the number of its inputs, then the number
// of outputs of each layer.
func network(sizes ...int) []layer {
	var layers []layer
	for i, n := range sizes[1:] {
		layers = append(layers, layer{waves(sizes[i], n), waves(n)})
	}
	return layers
}

// mlpStep returns a step of gradient descent on the loss f of a network, in one program.
func mlpStep(data func() (x, y nv.Tensor), f loss, sizes ...int) step {
	layers := network(sizes...)
	x, y := data()
	grad := nv.GradAny(f).(func([]layer, nv.Tensor, nv.Tensor) []layer)
	update := nv.Jit(func(layers []layer, x, y nv.Tensor) []layer {
		descend := func(xs ...nv.Tensor) nv.Tensor { return xs[0].Sub(xs[1].Mul(0.1)) }
		return nv.TreeMap(descend, layers, grad(layers, x, y))
	})
	return timed(func() { awaitAll(update(layers, x, y)) })
}

func awaitAll(layers []layer) {
	for _, l := range layers {
		await(l.W)
		await(l.B)
	}
}

// perExample returns a step that computes the gradient of a network's loss for each example of
// a batch.
func perExample() step {
	layers := network(784, 128, 10)
	x, y := mnist()
	grad := nv.GradAny(crossEntropy).(func([]layer, nv.Tensor, nv.Tensor) []layer)
	one := func(layers []layer, x, y nv.Tensor) []layer {
		return grad(layers, x.Reshape(nv.Shape{1, 784}), y.Reshape(nv.Shape{1, 10}))
	}
	each := nv.Jit(nv.Vmap(one, nv.InAxes(nv.NotMapped, 0, 0)))
	return timed(func() { awaitAll(each(layers, x, y)) })
}

// hessianFunc returns the function whose Hessian is measured.
func hessianFunc(w nv.Tensor) func(nv.Tensor) nv.Tensor {
	return func(x nv.Tensor) nv.Tensor { return w.MatMul(x).Mul(x.Sin()).Tanh().Sum() }
}

// hessianNeverSeen returns a step that computes the Hessian of a different function each time. The
// function has 100 to 103 inputs in turn, and one more operation after every four steps.
func hessianNeverSeen() step {
	steps := 0
	return func() time.Duration {
		n, extra := 100+steps%4, steps/4
		steps++
		f, x := hessianFunc(waves(n, n)), waves(n)
		h := nv.Hessian(func(x nv.Tensor) nv.Tensor {
			y := f(x)
			for range extra {
				y = y.Mul(0.9)
			}
			return y
		})
		return timed(func() { await(h(x)) })()
	}
}

func hessian() step {
	w, x := waves(100, 100), waves(100)
	h := nv.Jit(func(w, x nv.Tensor) nv.Tensor { return nv.Hessian(hessianFunc(w))(x) })
	return timed(func() { await(h(w, x)) })
}

// gaussianProcess returns a step that computes the gradient of the negative log likelihood of 1,000 observations with
// respect to the logarithms of the length scale and of the noise.
func gaussianProcess() step {
	const n = 1000
	at, y := nv.Arange(n, nv.F32).Mul(0.01), waves(n)
	await(at)
	g := nv.Jit(nv.GradAny(func(p, at, y nv.Tensor) nv.Tensor {
		d := at.Reshape(nv.Shape{n, 1}).Sub(at).Div(p.At(0).Exp())
		k := d.Mul(d).Mul(-0.5).Exp().Add(nv.Eye(n, nv.F32).Mul(p.At(1).Exp()))
		l := nv.Cholesky(k)
		a := nv.TriangularSolve(l, y)
		return a.Mul(a).Sum().Mul(0.5).Add(l.Diagonal().Log().Sum())
	}).(func(p, at, y nv.Tensor) nv.Tensor))
	p := nv.New([]float32{0, -1})
	return timed(func() { await(g(p, at, y)) })
}

// recurrence returns the next state of a recurrent network.
func recurrence(w, h, x nv.Tensor) nv.Tensor { return h.MatMul(w).Add(x).Tanh() }

// scanGradient returns a step that computes the gradient of the last state of a Scan with 1,000 calls of f. f
// returns the next state.
func scanGradient(f func(w, h, x nv.Tensor) nv.Tensor) step {
	w, h, xs := waves(64, 64), waves(128, 64), nv.Zeros(nv.Shape{1000}, nv.F32)
	await(xs)
	g := nv.Jit(nv.GradAny(func(w, h, xs nv.Tensor) nv.Tensor {
		last, _ := nv.Scan(h, xs, func(h, x nv.Tensor) (nv.Tensor, nv.Tensor) { return f(w, h, x), x })
		return last.Sum()
	}).(func(w, h, xs nv.Tensor) nv.Tensor))
	return timed(func() { await(g(w, h, xs)) })
}

// derivationTime returns a step that traces and differentiates a function of n operations and a sum, and writes the
// program of the gradient. The step returns the time divided by the number of operations in the program. The argument
// of the function has a different length at each step, so that the program is not found in a cache.
func derivationTime(n int) step {
	length := 1000
	return func() time.Duration {
		length++
		x := waves(length)
		start := time.Now()
		program := nv.Lower(nv.Grad(func(x nv.Tensor) nv.Tensor {
			for range n / 2 {
				x = x.Mul(0.9).Sin()
			}
			return x.Sum()
		}), x)
		program.StableHLO()
		return time.Since(start) / time.Duration(len(program.Graph().Nodes))
	}
}

// indexGradients returns the sum of the gradients of the n elements of a vector. The gradient of an
// element has one nonzero element.
func indexGradients(n int) any {
	var sum any = tangent.Zero
	for i := range n {
		sum = tangent.Add(sum, tangent.OneElement{Shape: nv.Shape{n}, Index: []int{i}, Value: 1.0})
	}
	return tangent.Canonical(nv.Zeros(nv.Shape{n}, nv.F64), sum)
}

// indexGradientsBytes returns the number of bytes that indexGradients allocates, as the same number of
// nanoseconds, since a step must return a duration.
func indexGradientsBytes() time.Duration {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	indexGradients(100_000)
	runtime.ReadMemStats(&after)
	return time.Duration(after.TotalAlloc - before.TotalAlloc)
}
