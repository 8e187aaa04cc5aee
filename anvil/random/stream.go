package random

import (
	"fmt"
	"sync"

	nv "github.com/goanvil/notebook/anvil"
)

// A Stream is a source of random numbers that goes on: each draw splits its key,
// keeps the first half and uses the second. Several goroutines may draw from
// one; which gets which numbers is then open. Its methods are the functions of
// the same name.
type Stream struct {
	mu  sync.Mutex
	key PRNGKey
}

// New returns the stream that begins with the key of a seed.
func New(seed int) *Stream { return In(nv.Default()).New(seed) }

// New is the function New.
func (s Source) New(seed int) *Stream { return s.Key(seed).Stream() }

// Stream returns the stream that begins with k.
func (k PRNGKey) Stream() *Stream {
	k.check("Stream")
	return &Stream{key: k}
}

// String returns the stream with the key that the next draw splits.
func (r *Stream) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprintf("random.Stream with the key %v", nv.Values[uint32](r.key.Data))
}

// Key returns a new key, and goes on. It is an error while a function is
// traced: the function would hold the same key for ever.
func (r *Stream) Key() PRNGKey {
	if r.key.Data.Context().Tracing() {
		panic(&nv.Error{Op: "random.Stream", Reason: "a function that is being traced would draw the same numbers at every call",
			Hint: "give it a random.PRNGKey as an argument: f(x, r.Key())"})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	next, k := r.key.Split()
	r.key = next
	return k
}

// Bits is the function Bits.
func (r *Stream) Bits(s nv.Shape, opts ...nv.Option) nv.Tensor { return Bits(r.Key(), s, opts...) }

// Uniform is the function Uniform.
func (r *Stream) Uniform(s nv.Shape, opts ...nv.Option) nv.Tensor {
	return Uniform(r.Key(), s, opts...)
}

// UniformRange is the function UniformRange.
func (r *Stream) UniformRange(s nv.Shape, low, high any, opts ...nv.Option) nv.Tensor {
	return UniformRange(r.Key(), s, low, high, opts...)
}

// Normal is the function Normal.
func (r *Stream) Normal(s nv.Shape, opts ...nv.Option) nv.Tensor { return Normal(r.Key(), s, opts...) }

// RandInt is the function RandInt.
func (r *Stream) RandInt(s nv.Shape, low, high any, opts ...nv.Option) nv.Tensor {
	return RandInt(r.Key(), s, low, high, opts...)
}

// Bernoulli is the function Bernoulli.
func (r *Stream) Bernoulli(p any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return Bernoulli(r.Key(), p, s, opts...)
}

// Exponential is the function Exponential.
func (r *Stream) Exponential(s nv.Shape, opts ...nv.Option) nv.Tensor {
	return Exponential(r.Key(), s, opts...)
}

// Gumbel is the function Gumbel.
func (r *Stream) Gumbel(s nv.Shape, opts ...nv.Option) nv.Tensor { return Gumbel(r.Key(), s, opts...) }

// Permutation is the function Permutation.
func (r *Stream) Permutation(x any, axis ...nv.Axis) nv.Tensor {
	return Permutation(r.Key(), x, axis...)
}

// Choice is the function Choice.
func (r *Stream) Choice(a any, s nv.Shape, opts ...ChoiceOption) nv.Tensor {
	return Choice(r.Key(), a, s, opts...)
}

// Categorical is the function Categorical.
func (r *Stream) Categorical(logits nv.Tensor, s nv.Shape, axis ...nv.Axis) nv.Tensor {
	return Categorical(r.Key(), logits, s, axis...)
}
