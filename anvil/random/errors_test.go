package random_test

import (
	"math"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
)

// TestRefusals calls samplers with arguments that they refuse, and with the closest ones that they accept, for which the
// wanted error is "".
func TestRefusals(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	t.Cleanup(func() { c.Close() })
	k, s := random.In(c).Key(1), nv.Shape{2}
	x, m, ints := c.Ones(nv.Shape{3}), c.Ones(nv.Shape{2, 3}), c.Arange(3)
	const words = "; make a key with random.Key(seed)"
	for _, r := range []struct {
		f    func()
		want string
	}{
		{func() { random.Normal(random.PRNGKey{}, s) }, "random.Normal(PRNGKey{}): the zero key has no words" + words},
		{func() { random.MultivariateNormal(random.PRNGKey{}, x, c.Eye(3), nil) },
			"random.MultivariateNormal(PRNGKey{}): the zero key has no words" + words},
		{func() { random.Words(x) }, "random.Words(f32{3}): a key is ui32{2}" + words},
		{func() { random.Words(c.Ones(s)) }, "random.Words(f32{2}): a key is ui32{2}" + words},
		{func() { random.Words(c.Ones(s, nv.U32)) }, ""},
		{func() { k.SplitN(-1) }, "random.SplitN(-1): the number of keys is negative; use 0 or more"},
		{func() { k.SplitN(1<<20 + 1) }, "random.SplitN(1048577): more than 1048576 keys; use k.FoldIn(i), " +
			"which is a different key for each i"},
		{func() { k.SplitN(0) }, ""},
		{func() { k.FoldIn(ints) }, "random.FoldIn(i32{3}): data is not a scalar; give an integer or an integer scalar"},
		{func() { k.FoldIn(c.Scalar(3)) }, ""},
		{func() { random.Normal(k, nv.Shape{2, -1}) }, "random.Normal(f32{2,-1}): shape {2,-1} has a negative length; " +
			"use lengths of 0 or more"},
		{func() { random.Normal(k, nv.Shape{0}) }, ""},
		{func() { random.Normal(k, nv.Shape{1 << 30, 1 << 20}) }, "random.Normal(f32{1073741824,1048576}): the shape has " +
			"too many numbers for any memory; draw smaller shapes, one after another"},
		{func() { random.Normal(k, s, nv.I32) }, "random.Normal(i32{2}): the dtype must be f16, bf16, f32 or f64; " +
			"convert the result with AsType"},
		{func() { random.Gamma(k, nv.Tensor{}, nil) }, "random.Gamma(f32{}): a parameter is the zero Tensor; " +
			"give a number or a tensor"},
		{func() { random.Gamma(k, x, s) }, "random.Gamma(f32{2}): a has shape {3}, which does not broadcast to {2}; " +
			"give a number, or a tensor that broadcasts to the shape of the result"},
		{func() { random.Beta(k, 1, x, s) }, "random.Beta(f32{2}): b has shape {3}, which does not broadcast to " +
			"{2}; give a number, or a tensor that broadcasts to the shape of the result"},
		{func() { random.Beta(k, x, m, nil) }, ""},
		{func() { random.UniformRange(k, s, 0, x) }, "random.UniformRange(f32{2}): high has shape {3}, which does " +
			"not broadcast to {2}; give a number, or a tensor that broadcasts to the shape of the result"},
		{func() { random.UniformRange(k, s, x, 0) }, "random.UniformRange(f32{2}): low has shape {3}, which does " +
			"not broadcast to {2}; give a number, or a tensor that broadcasts to the shape of the result"},
		{func() { random.Bits(k, s, nv.I32) }, "random.Bits(i32{2}): the dtype must be ui8, ui16, ui32 or ui64; " +
			"use RandInt for signed integers"},
		{func() { random.RandInt(k, s, 0, 9, nv.F32) }, "random.RandInt(f32{2}): dtype f32 is not an integer of 8, 16, 32 " +
			"or 64 bits; convert the result with AsType"},
		{func() { random.RandInt(k, s, 0, 3, nv.I4) },
			"random.RandInt(i4{2}): dtype i4 is not an integer of 8, 16, 32 or 64 bits; convert the result " +
				"with AsType"},
		{func() { random.RandInt(k, s, c.Scalar(0.5), 9) }, "random.RandInt(i32{2}): low is f32, not an integer; " +
			"convert it with AsType"},
		{func() { random.RandInt(k, s, 0, c.Scalar(0.5)) }, "random.RandInt(i32{2}): high is f32, not an integer; convert it with AsType"},
		{func() { random.Ball(k, 2, 0, s) }, "random.Ball(f32{2,2}): p is 0, and the order of a norm must be " +
			"positive; p = 2 is the Euclidean norm"},
		{func() { random.Ball(k, 2, math.NaN(), s) }, "random.Ball(f32{2,2}): p is NaN, and the order of a norm " +
			"must be positive; p = 2 is the Euclidean norm"},
		{func() { random.Categorical(k, m, nv.Shape{3}) }, "random.Categorical(f32{3}): shape {3} does not end with " +
			"{2}, the shape of logits f32{2,3} without axis 1; give a shape that ends with {2}, or nil"},
		{func() { random.Categorical(k, m, nv.Shape{}) },
			"random.Categorical(f32{}): shape {} does not end with {2}, the shape of logits f32{2,3} " +
				"without axis 1; give a shape that ends with {2}, or nil"},
		{func() { random.Categorical(k, m, nv.Shape{5, 2}) }, ""},
		{func() { random.Permutation(k, 5, nv.Axis(0)) }, "random.Permutation(i32{}): an integer has no axes; leave the axis out"},
		{func() { random.Permutation(k, 2.5) }, "random.Permutation(i32{}): float64 is neither a tensor nor an " +
			"integer; give a tensor or the number of elements"},
		{func() { random.Permutation(k, "a") }, "random.Permutation(i32{}): string is neither a tensor nor an " +
			"integer; give a tensor or the number of elements"},
		{func() { random.Permutation(k, -1) }, "random.Permutation(i32{}): invalid number of elements -1; use a " +
			"number from 0 to 2147483647"},
		{func() { random.Permutation(k, 1<<31) }, "random.Permutation(i32{}): invalid number of elements " +
			"2147483648; use a number from 0 to 2147483647"},
		{func() { random.Permutation(k, 0); random.Permutation(k, m, nv.Axis(1)) }, ""},
		{func() { random.Permutation(k, m, nv.Axis(0), nv.Axis(1)) },
			"random.Permutation(i32{}): 2 axes are given; give at most one axis"},
		{func() { random.Permutation(k, m, nv.Axis(-3)) },
			"random.Permutation(i32{}): f32{2,3} has no axis -3; give a tensor of rank 1 or more, and one of its " +
				"axes"},
		{func() { random.Multinomial(k, 3, x, s) }, "random.Multinomial(f32{2}): p has shape {3}; the last axis of " +
			"p must be that of the result"},
		{func() { random.Choice(k, 0, s) }, "random.Choice(i32{2}): there are no elements to choose from; give at " +
			"least one element"},
		{func() { random.Choice(k, 0, nv.Shape{0}) }, ""},
		{func() { random.Choice(k, 3, nv.Shape{4}, random.Once) },
			"random.Choice(i32{4}): 4 elements cannot be drawn from 3 without replacement; choose fewer, " +
				"or omit random.Once"},
		{func() { random.Choice(k, 3, nv.Shape{3}, random.Once) }, ""},
		{func() { random.Choice(k, 3, s, random.Weights(c.Ones(s))) }, "random.Choice(i32{2}): the weights are f32{2}; give a vector of 3 floats"},
		{func() { random.Choice(k, 3, s, random.Weights(ints)) }, "random.Choice(i32{2}): the weights are i32{3}; give a vector of 3 floats"},
		{func() { random.Choice(k, 3, s, random.Weights(x)) }, ""},
		{func() { random.Dropout(k, x, 1.5) }, "random.Dropout(f32{3}): the rate is not a probability; use a rate " +
			"from 0 to 1"},
		{func() { random.Dropout(k, x, -0.5) }, "random.Dropout(f32{3}): the rate is not a probability; use a rate " +
			"from 0 to 1"},
		{func() { random.Dropout(k, x, 0); random.Dropout(k, x, 1) }, ""},
		{func() {
			stream := random.In(c).New(1)
			c.JitAny(func(x nv.Tensor) nv.Tensor { return x.Add(stream.Normal(nv.Shape{3})) }).(func(nv.Tensor) nv.Tensor)(x)
		}, "random.Stream(): a traced function would draw the same numbers in every call; " +
			"pass it a random.PRNGKey as an argument: f(x, r.Key())"},
	} {
		got := ""
		if err := nv.Try(r.f); err != nil {
			got = err.Error()
		}
		if got != r.want {
			t.Errorf("got %q, want %q", got, r.want)
		}
	}
}
