package main

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
	"github.com/goanvil/notebook/anvil/xla"
	"github.com/goanvil/notebook/display"
)

// A workload is a computation to measure. The workload of the same name in jax_worker.py must do
// the same arithmetic at the same precision.
type workload struct {
	prepare  func() step
	launches int64 // programs that a step must launch; 0 means any number
}

// workloads are the workloads by their names in bench.py.
var workloads = map[string]workload{
	"add f32[4], awaited":                   {func() step { return adding(4) }, 1},
	"add f32[1000], awaited":                {func() step { return adding(1000) }, 1},
	"PJRT's floor, add f32[4]":              {floor, 0},
	"100 operations on f32[1000]":           {func() step { return hundred(1000) }, 0},
	"ten-operation expression, never seen":  {func() step { return neverSeen(expression, 1, 1000) }, 0},
	"large expression, never seen":          {func() step { return neverSeen(expression, 1, 100_000) }, 0},
	"ten-operation expression, 200 lengths": {newLengths, 0},
	"ten first operations":                  {func() step { return timed(tenFirst) }, 0},
	"first add of a shape":                  {func() step { return neverSeen(double, 1, 1000) }, 0},
	"jit of 1 argument":                     {func() step { return arguments(1) }, 1},
	"jit of 10 arguments":                   {func() step { return arguments(10) }, 1},
	"jit of 100 arguments":                  {func() step { return arguments(100) }, 1},
	"x[0]":                                  {func() step { return indexing(0) }, 1},
	"x[1:3]":                                {func() step { return indexing(nv.Range(1, 3)) }, 1},
	"x[0] = v":                              {setting, 0},
	"matmul 1024 f32":                       {func() step { return matmul(1024, nv.F32) }, 1},
	"matmul 1024 f64":                       {func() step { return matmul(1024, nv.F64) }, 1},
	"matmul 2048 f32":                       {func() step { return matmul(2048, nv.F32) }, 1},
	"matmul 2048 f64":                       {func() step { return matmul(2048, nv.F64) }, 1},
	"sum of 4096 x 4096 over axis 0, jit": {func() step {
		return jitted(func(x nv.Tensor) nv.Tensor { return x.Sum(nv.Axis(0)) }, nv.Shape{4096, 4096})
	}, 1},
	"sum of 4096 x 4096 over axis 1, jit": {func() step {
		return jitted(func(x nv.Tensor) nv.Tensor { return x.Sum(nv.Axis(1)) }, nv.Shape{4096, 4096})
	}, 1},
	"sum of 4096 x 4096, jit": {func() step {
		return jitted(func(x nv.Tensor) nv.Tensor { return x.Sum() }, nv.Shape{4096, 4096})
	}, 1},
	"softmax of 4096 x 1024, jit": {func() step {
		return jitted(func(x nv.Tensor) nv.Tensor { return nv.Softmax(x, nv.Axis(1)) }, nv.Shape{4096, 1024})
	}, 1},
	"layer norm of 4096 x 1024, jit": {func() step {
		return jitted(func(x nv.Tensor) nv.Tensor { return x.LayerNorm(nil, nil) }, nv.Shape{4096, 1024})
	}, 1},
	"exp of 10M":                          {exponential, 1},
	"sort of 1M":                          {sorting, 0},
	"10M normals":                         {normals, 0},
	"elementwise chain on 10M, eager":     {func() step { return chain(10_000_000, false) }, 0},
	"elementwise chain on 10M, jit":       {func() step { return chain(10_000_000, true) }, 1},
	"100 MB to the device":                {func() step { return toDevice(25_000_000) }, 0},
	"100 MB to the host":                  {func() step { return toHost(25_000_000) }, 0},
	"repr of 1e3":                         {func() step { return shown(1_000) }, 0},
	"repr of 1e6":                         {func() step { return shown(1_000_000) }, 0},
	"repr of 1e8":                         {func() step { return shown(100_000_000) }, 0},
	"conv 3x3, 8 images of 56x56x64, jit": {convolution, 1},
	"FFT of 64 x 4096, jit": {func() step {
		return jitted(func(x nv.Tensor) nv.Tensor { return x.FFT() }, nv.Shape{64, 4096})
	}, 1},
}

func adding(n int) step {
	x, y := nv.Arange(n, nv.F32), nv.Ones(nv.Shape{n})
	await(x)
	await(y)
	return timed(func() { await(x.Add(y)) })
}

// floor returns a step that measures the plugin alone: the step launches a compiled addition, waits
// for the result and releases it.
func floor() step {
	client, _, err := xla.Open("", xla.ClientOptions{})
	nv.Must(0, err)
	t := xla.Type{DType: nv.F32, Dims: []int{4}}
	const text = "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> { " +
		"%0 = stablehlo.add %a, %b : tensor<4xf32>\n return %0 : tensor<4xf32> }"
	options := xla.CompileOptions{Args: []xla.Type{t, t}, Results: []xla.Type{t}, Cheap: true}
	add := nv.Must(client.Compile([]byte(text), options))
	x := nv.Must(client.Upload(make([]byte, 16), t.DType, t.Dims, nil))
	args, out := []*xla.Buffer{x, x}, make([]*xla.Buffer, 1)
	return timed(func() {
		nv.Must(0, add.Run(args, out))
		nv.Must(0, out[0].Await(context.Background()))
		out[0].Destroy()
	})
}

// hundred returns a step of 100 operations on n numbers.
func hundred(n int) step {
	x := nv.Ones(nv.Shape{n})
	return timed(func() {
		y := x
		for range 50 {
			y = y.Mul(0.5).Add(1.0)
		}
		await(y)
	})
}

// expression has 13 operations, although its workloads are called ten-operation.
func expression(x nv.Tensor) nv.Tensor {
	inner := nv.Mul(2, x).Add(1).Tanh().Mul(x.Neg().Mul(x).Exp()).Sub(x.Div(3))
	return inner.Abs().Sqrt().Add(x.Sin())
}

// double adds x to itself.
func double(x nv.Tensor) nv.Tensor { return x.Add(x) }

// neverSeen returns a step that calls f with a different shape each time, starting with {rows, length+1}.
// The length grows by one. When the number of elements would grow beyond hostElements, the next shape
// has one row more and the length 1.
func neverSeen(f func(nv.Tensor) nv.Tensor, rows, length int) step {
	const hostElements = 1 << 14 // package host computes expressions of at most this many elements
	return func() time.Duration {
		if length++; rows*length > hostElements && rows*(length-1) <= hostElements {
			rows, length = rows+1, 1
		}
		x := nv.Arange(rows*length, nv.F32).Reshape(nv.Shape{rows, length})
		await(x)
		return timed(func() { await(f(x)) })()
	}
}

// arguments returns a step that calls a compiled function with n arguments.
func arguments(n int) step {
	f := nv.Jit(func(xs ...nv.Tensor) nv.Tensor {
		sum := xs[0].Add(xs[0])
		for _, x := range xs[1:] {
			sum = sum.Add(x)
		}
		return sum
	})
	xs := make([]nv.Tensor, n)
	for i := range xs {
		xs[i] = nv.Full(nv.Shape{4}, float64(i), nv.F32)
		await(xs[i])
	}
	return timed(func() { await(f(xs...)) })
}

func indexing(index any) step {
	x := nv.Arange(1000, nv.F32)
	await(x)
	return timed(func() { await(x.At(index)) })
}

// tenFirst computes ten tensors and reads each of them, as a user may at the beginning of a session.
func tenFirst() {
	x := nv.Arange(12, nv.F32).Reshape(nv.Shape{3, 4})
	for _, y := range []nv.Tensor{x, x.Mul(2).Add(1), x.Sum(), x.Mean(nv.Axis(0)), x.Transpose().MatMul(x), x.Exp(),
		x.At(1), nv.Where(x.Gt(5), x, 0), x.Max(nv.Axis(1)), x.Reshape(nv.Shape{12}).Sort()} {
		y.Values()
	}
}

// newLengths returns a step that computes expression with 200 new shapes and returns the median time.
func newLengths() step {
	next := neverSeen(expression, 2, 100)
	return func() time.Duration {
		times := make([]time.Duration, 200)
		for i := range times {
			times[i] = next()
		}
		slices.Sort(times)
		return times[len(times)/2]
	}
}

func setting() step {
	x, v := nv.Arange(1000, nv.F32), nv.Scalar(7, nv.F32)
	await(x)
	return timed(func() { await(x.Set(v, 0)) })
}

func exponential() step {
	x := randomTensor(nv.Shape{10_000_000})
	return timed(func() { await(x.Exp()) })
}

func sorting() step {
	x := randomTensor(nv.Shape{1_000_000})
	return timed(func() { await(x.Sort()) })
}

func normals() step {
	k := random.Key(1)
	return timed(func() { await(random.Normal(k, nv.Shape{10_000_000})) })
}

func matmul(n int, d nv.DType) step {
	x := randomTensor(nv.Shape{n, n}).AsType(d)
	await(x)
	return timed(func() { await(x.MatMul(x)) })
}

func chain(n int, jit bool) step {
	x := randomTensor(nv.Shape{n})
	f := func(v nv.Tensor) nv.Tensor {
		return nv.Mul(2, v).Add(1).Tanh().Mul(v.Neg().Mul(v).Exp()).Add(v.Abs().Sqrt())
	}
	if jit {
		f = nv.Jit(f)
	}
	return timed(func() { await(f(x)) })
}

func jitted(f func(nv.Tensor) nv.Tensor, s nv.Shape) step {
	x, g := randomTensor(s), nv.Jit(f)
	return timed(func() { await(g(x)) })
}

func convolution() step {
	x, w := randomTensor(nv.Shape{8, 56, 56, 64}), randomTensor(nv.Shape{3, 3, 64, 64})
	f := nv.Jit(func(x, w nv.Tensor) nv.Tensor { return x.Conv2D(w, nv.Same) })
	return timed(func() { await(f(x, w)) })
}

// toDevice returns a step that copies n numbers to the device. It reads an element of the new tensor,
// since host values are copied only when an operation uses them.
func toDevice(n int) step {
	values := uniform(n)
	return timed(func() { await(nv.New(values).At(0)) })
}

// toHost returns a step that copies n numbers from the device.
func toHost(n int) step {
	x := randomTensor(nv.Shape{n})
	return timed(func() { x.Values() })
}

// shown returns a step that renders a tensor of n numbers, as text and as HTML.
func shown(n int) step {
	x := randomTensor(nv.Shape{n})
	return timed(func() { display.Render(x) })
}

// uniform returns n random numbers in [0, 1). They are the same at each call.
func uniform(n int) []float32 {
	r := rand.New(rand.NewPCG(0, 0))
	values := make([]float32, n)
	for i := range values {
		values[i] = r.Float32()
	}
	return values
}

// randomTensor returns random numbers in [0, 1.5). They are on the device, since a program computes
// the product.
func randomTensor(s nv.Shape) nv.Tensor {
	x := nv.New(uniform(s.Size())).Mul(1.5).Reshape(s)
	await(x)
	return x
}

func await(x nv.Tensor) {
	if err := x.Wait(); err != nil {
		panic(err)
	}
}
