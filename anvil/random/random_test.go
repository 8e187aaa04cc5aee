package random_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
	"pgregory.net/rapid"
)

// TestStreams: draws from a stream differ, the same seed repeats them, and all draws of one
// shape use the same program.
func TestStreams(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	var draws []string
	r := random.In(c).New(42)
	for range 3 {
		draws = append(draws, r.Normal(nv.Shape{3}).String())
	}
	again := random.In(c).Key(42).Stream()
	for i, d := range draws {
		if got := again.Normal(nv.Shape{3}).String(); got != d {
			t.Errorf("draw %d is %s, and again %s", i, d, got)
		}
		if slices.Contains(draws[:i], d) {
			t.Errorf("draw %d repeats one", i)
		}
	}
	before := c.Stats()
	for range 100 {
		nv.Values[float32](r.Normal(nv.Shape{3}))
	}
	if after := c.Stats(); after.Compiles != before.Compiles {
		t.Errorf("100 more draws made %d programs", after.Compiles-before.Compiles)
	}
}

// TestTraced: in a traced function a key can be an argument, a result and carried by a
// loop, and draws the same numbers as outside. A stream cannot be used.
func TestTraced(t *testing.T) {
	backends(t, func(t *testing.T, c *nv.Context) {
		step := func(k random.PRNGKey) (random.PRNGKey, nv.Tensor) {
			next, use := k.Split()
			return next, random.Normal(use, nv.Shape{3})
		}
		k := random.In(c).Key(7)
		jit := c.JitAny(step).(func(random.PRNGKey) (random.PRNGKey, nv.Tensor))
		next, want := step(k)
		for range 2 {
			got, x := jit(k)
			if got.Data.String() != next.Data.String() || x.String() != want.String() {
				t.Errorf("traced, the key gives %v and %v, and not %v and %v", got.Data, x, next.Data, want)
			}
		}
		_, other := jit(random.In(c).Key(8))
		if other.String() == want.String() {
			t.Error("two keys give one draw")
		}
		last := nv.ForI(3, k, func(_ nv.Tensor, k random.PRNGKey) random.PRNGKey { k, _ = step(k); return k })
		for range 3 {
			k, _ = step(k)
		}
		if last.Data.String() != k.Data.String() {
			t.Errorf("a loop ends with %v, want %v", last.Data, k.Data)
		}
		checkStreamTraced(t, c)
	})
}

// checkStreamTraced checks that a stream cannot draw in a traced function.
func checkStreamTraced(t *testing.T, c *nv.Context) {
	r := random.In(c).New(1)
	f := c.JitAny(func(x nv.Tensor) nv.Tensor { return x.Add(r.Normal(nv.Shape{3})) }).(func(nv.Tensor) nv.Tensor)
	err := nv.Try(func() { f(c.New([]float32{1, 2, 3})) })
	if want := "random.Stream(): a traced function would draw the same numbers in every call; pass it a " +
		"random.PRNGKey as an argument: f(x, r.Key())"; err == nil || err.Error() != want {
		t.Errorf("a stream in a traced function: %v", err)
	}
	r.Normal(nv.Shape{3}) // the failed trace has ended
}

// TestCapturedKey: a traced function uses the current value of a captured key.
func TestCapturedKey(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	k := random.In(c).Key(1)
	c.SetReads(func(reflect.Value) (string, []reflect.Value, bool) {
		return "", []reflect.Value{reflect.ValueOf(&k).Elem()}, true
	})
	f := c.JitAny(func(x nv.Tensor) nv.Tensor {
		_, use := k.Split()
		return x.Add(random.Uniform(use, nv.Shape{2}))
	}).(func(nv.Tensor) nv.Tensor)
	zero := c.Zeros(nv.Shape{2}, nv.F32)
	for seed := range 3 {
		k = random.In(c).Key(seed)
		_, use := k.Split()
		if got, want := f(zero).String(), random.Uniform(use, nv.Shape{2}).String(); got != want {
			t.Errorf("with seed %d the traced function draws %s, want %s", seed, got, want)
		}
	}
}

// TestProperties checks the ranges and shapes of draws, and that permutations keep the elements.
func TestProperties(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	rapid.Check(t, func(t *rapid.T) {
		k := random.In(c).Key(rapid.Int().Draw(t, "seed"))
		s := nv.Shape(rapid.SliceOfN(rapid.IntRange(0, 4), 0, 3).Draw(t, "shape"))
		low := rapid.IntRange(-1000, 1000).Draw(t, "low")
		high := low + rapid.IntRange(1, 1000).Draw(t, "span")
		x := random.RandInt(k, s, low, high)
		if !x.Shape().Equal(s) || !x.Ge(low).All().Bool() || !x.Lt(high).All().Bool() {
			t.Fatalf("RandInt(%v, %d, %d) is %v", s, low, high, x)
		}
		u := random.UniformRange(k, s, float64(low), float64(high))
		if !u.Shape().Equal(s) || !u.Ge(low).All().Bool() || !u.Le(high).All().Bool() {
			t.Fatalf("UniformRange(%v, %d, %d) is %v", s, low, high, u)
		}
		n := rapid.IntRange(0, 40).Draw(t, "n")
		p := random.Permutation(k, n)
		if !p.Sort().Eq(c.Iota(nv.Shape{n}, 0)).All().Bool() {
			t.Fatalf("Permutation(%d) is %v", n, p)
		}
		m := c.Iota(nv.Shape{3, n}, 1)
		if q := random.Permuted(k, m, 1); !q.Sort().Eq(m).All().Bool() {
			t.Fatalf("Permuted(%v) is %v", m, q)
		}
		rows := c.Iota(nv.Shape{n, 3}, 0)
		if q := random.Shuffle(k, rows); !q.Sort(0).Eq(rows).All().Bool() || !q.Sort(1).Eq(q).All().Bool() {
			t.Fatalf("Shuffle(%v) is %v", rows, q)
		}
		if q := random.Permutation(k, m, 1); !q.At(0).Eq(q.At(2)).All().Bool() || !q.Sort().Eq(m).All().Bool() {
			t.Fatalf("Permutation(%v) is %v", m, q)
		}
	})
}

// TestMoments: samples have the mean and variance of their distributions.
func TestMoments(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "xla"})
	s := nv.Shape{200_000}
	for name, m := range map[string][2]float64{"uniform": {0.5, 1. / 12}, "normal": {0, 1}, "exponential": {1, 1},
		"gumbel": {0.5772, 1.6449}, "laplace": {0, 2}, "logistic": {0, 3.2899}, "rayleigh": {1.88, 0.9657}} {
		x := samplers[name](random.In(c).Key(3), s, nv.F32)
		mean, variance := x.Mean().Float(), x.Var().Float()
		if d := mean - m[0]; d*d > 25*m[1]/200_000 {
			t.Errorf("%s has mean %v, want %v", name, mean, m[0])
		}
		if variance < 0.95*m[1] || variance > 1.05*m[1] {
			t.Errorf("%s has variance %v, want %v", name, variance, m[1])
		}
	}
}

// TestErrors: errors name the sampler that was called.
func TestErrors(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	k := random.In(c).Key(0)
	for want, f := range map[string]func(){
		"random.Normal(PRNGKey{}): the zero key has no words; make a key with random.Key(seed)":                      func() { random.Normal(random.PRNGKey{}, nil) },
		"random.Words(f32{3}): a key is ui32{2}; make a key with random.Key(seed)":                                   func() { random.Words(c.Zeros(nv.Shape{3})) },
		"random.Uniform(i32{2}): the dtype must be f16, bf16, f32 or f64; convert the result with AsType":            func() { random.Uniform(k, nv.Shape{2}, nv.I32) },
		"random.Uniform(f32{-2}): shape {-2} has a negative length; use lengths of 0 or more":                        func() { random.Uniform(k, nv.Shape{-2}) },
		"random.RandInt(f32{}): dtype f32 is not an integer of 8, 16, 32 or 64 bits; convert the result with AsType": func() { random.RandInt(k, nil, 0, 2, nv.F32) },
		"random.RandInt(i32{}): high is not an integer; give an integer or a tensor of integers":                     func() { random.RandInt(k, nil, 0, 2.5) },
		"random.Permutation(i32{}): string is neither a tensor nor an integer; give a tensor or the number of " +
			"elements": func() { random.Permutation(k, "x") },
		"random.Choice(i32{3}): 3 elements cannot be drawn from 2 without replacement; choose fewer, or omit " +
			"random.Once": func() { random.Choice(k, 2, nv.Shape{3}, random.Once) },
		"random.Bernoulli(f32{3}): p has shape {2}, which does not broadcast to {3}; give a number, or a tensor " +
			"that broadcasts to the shape of the result": func() { random.Bernoulli(k, c.Zeros(nv.Shape{2}), nv.Shape{3}) },
		"random.Gamma(i32{2}): the dtype must be f16, bf16, f32 or f64; convert the result with AsType": func() { random.Gamma(k, 1, nv.Shape{2}, nv.I32) },
		"random.Poisson(f32{2}): dtype f32 is not an integer of 8, 16, 32 or 64 bits; convert the result with " +
			"AsType": func() { random.Poisson(k, 1, nv.Shape{2}, nv.F32) },
		"random.Dirichlet(f32{}): f32{} has no axis -1; give a tensor of rank 1 or more, and one of its axes": func() { random.Dirichlet(k, c.Zeros(nil), nil) },
		"random.Categorical(f32{3}): shape {3} does not end with {2}, the shape of logits f32{2,4} without axis 1; " +
			"give a shape that ends with {2}, or nil": func() { random.Categorical(k, c.Zeros(nv.Shape{2, 4}), nv.Shape{3}) },
	} {
		var e *nv.Error
		if err := nv.Try(f); !errors.As(err, &e) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestEmptyShapes checks that samplers with loops also draw empty shapes.
func TestEmptyShapes(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	k, none := random.In(c).Key(0), nv.Shape{2, 0}
	for name, x := range map[string]nv.Tensor{"Gamma": random.Gamma(k, 2, none), "Beta": random.Beta(k, c.Zeros(none), 1, nil),
		"Dirichlet": random.Dirichlet(k, c.Ones(nv.Shape{2, 3}), nv.Shape{0, 2}), "Poisson": random.Poisson(k, 3, none),
		"Binomial": random.Binomial(k, 3, 0.5, none)} {
		if x.Size() != 0 || nv.Try(func() { x.Values() }) != nil {
			t.Errorf("%s draws %v", name, x)
		}
	}
}

func Example() {
	k1, k2 := random.Key(42).Split()
	fmt.Println(random.RandInt(k1, nv.Shape{5}, 0, 100))
	fmt.Println(random.Permutation(k2, 5))
	r := random.New(42)
	fmt.Println(r.Bits(nv.Shape{2}), r.Bits(nv.Shape{2}))
	// Output:
	// i32{5} [24 11 19 81 50]
	// i32{5} [2 0 4 3 1]
	// ui32{2} [3125294276 3383865362] ui32{2} [1788795708 371401475]
}
