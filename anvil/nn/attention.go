package nn

import (
	"fmt"
	"slices"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/random"
)

// MultiHeadAttention projects queries, keys and values, lets each query attend to the keys in
// several heads, and projects the results of the heads. Softmax is computed at f32 or wider. For a
// query that may attend to no key, the result is the Bias of Out. Complex numbers are an error,
// because softmax is not defined for them.
type MultiHeadAttention struct {
	Heads       int
	Features    int     // of queries, keys and values, for all heads together; 0: as many as x has
	OutFeatures int     // of the result; 0: as many as x has
	Causal      bool    // query i attends only to keys up to i
	Rate        float64 // fraction of the weights that dropout sets to 0 in training
	NoBias      bool
	KernelInit  Initializer // nil: random.LecunNormal
	BiasInit    Initializer // nil: Zeros
	DType       nv.DType    // of computation and result; zero: the promotion of the inputs and the parameters
	ParamDType  nv.DType    // of the parameters that Init makes; zero: f32
	// The projections take their settings from this layer. The kernels of Query, Key and Value have
	// the shape {inputs, Features}, the kernel of Out {Features, OutFeatures}. The features of head h
	// begin at h*Features/Heads.
	Query, Key, Value, Out Dense
	base
}

// Init returns the layer with parameters for inputs like x.
func (a MultiHeadAttention) Init(key random.PRNGKey, x nv.Tensor) MultiHeadAttention {
	return Init(a, key, x)
}

// Apply returns the attention of x, with axes (batch..., length, features), to itself.
func (a MultiHeadAttention) Apply(x nv.Tensor, mode ...Mode) nv.Tensor {
	return a.Attend(x, x, nv.Tensor{}, mode...)
}

// Attend returns the attention of x to y, which have axes (batch..., length, features). If
// mask is not the zero Tensor, element i of x attends to element j of y only where
// mask[...,i,j] is true; mask broadcasts to (batch..., heads, length of x, length of y).
func (a MultiHeadAttention) Attend(x, y, mask nv.Tensor, mode ...Mode) (result nv.Tensor) {
	defer a.enter("MultiHeadAttention", &result, x, y)()
	q, k, v := a.project(x, y)
	var opts []nv.AttentionOption
	if mask.Valid() {
		opts = append(opts, nv.AttentionMask(mask))
	}
	if a.Causal {
		opts = append(opts, nv.Causal)
	}
	if m, ok := training(mode); ok && a.Rate > 0 {
		// With the identity as values, attention returns the weights themselves.
		n := k.Shape()[k.Rank()-2]
		identity := q.Context().Eye(n, q.DType())
		weights := random.Dropout(m.Key(), q.Context().Attention(q, k, identity, opts...), a.Rate)
		return a.out(x, weights.MatMul(v))
	}
	return a.out(x, q.Context().Attention(q, k, v, opts...))
}

// project returns the queries of x and the keys and values of y, with axes (batch...,
// heads, length, features).
func (a MultiHeadAttention) project(x, y nv.Tensor) (q, k, v nv.Tensor) {
	if x.Rank() < 2 || y.Rank() < 2 {
		fail("MultiHeadAttention", describe(x, y), "the input has fewer than 2 axes",
			"give axes (batch..., length, features)")
	}
	n := a.features(x)
	if a.Heads < 1 || n%a.Heads != 0 {
		fail("MultiHeadAttention", describe(x), fmt.Sprintf("%d features cannot be split into %d heads", n, a.Heads),
			"set Heads, and set Features to a multiple of Heads")
	}
	heads := func(d Dense, input nv.Tensor) nv.Tensor {
		z := a.projection(d, n).Apply(input)
		refuseComplex("MultiHeadAttention", z)
		return splitHeads(z, a.Heads)
	}
	q, k, v = heads(a.Query, x), heads(a.Key, y), heads(a.Value, y)
	d := a.resultDType("MultiHeadAttention", a.DType, q, k, v)
	return q.AsType(d), k.AsType(d), v.AsType(d)
}

// features returns the number of features of queries, keys and values.
func (a MultiHeadAttention) features(x nv.Tensor) int {
	if a.Features > 0 {
		return a.Features
	}
	return x.Shape()[x.Rank()-1]
}

// projection returns d with the given number of features and the settings of a.
func (a MultiHeadAttention) projection(d Dense, features int) Dense {
	d.Features, d.NoBias, d.DType, d.ParamDType, d.system = features, a.NoBias, a.DType, a.ParamDType, a.system
	d.KernelInit, d.BiasInit = a.KernelInit, a.BiasInit
	return d
}

// out joins the results of the heads and returns their projection by Out. x is the input of the layer.
func (a MultiHeadAttention) out(x, heads nv.Tensor) nv.Tensor {
	features := a.OutFeatures
	if features == 0 {
		features = x.Shape()[x.Rank()-1]
	}
	heads = heads.SwapAxes(-2, -3)
	s := heads.Shape()
	last := len(s) - 2
	return a.projection(a.Out, features).Apply(heads.Reshape(append(s[:last:last], s[last]*s[last+1])))
}

// splitHeads reshapes x from axes (batch..., length, features) to axes (batch..., heads,
// length, features of a head).
func splitHeads(x nv.Tensor, heads int) nv.Tensor {
	s := x.Shape()
	last := len(s) - 1
	return x.Reshape(append(s[:last:last], heads, s[last]/heads)).SwapAxes(-2, -3)
}

// refuseComplex fails if x is complex.
func refuseComplex(op string, x nv.Tensor) {
	if x.DType().Is(dtype.Complex) {
		fail(op, describe(x), "softmax is not defined for complex numbers, which have no order",
			"take nv.Real or nv.Abs")
	}
}

// DotProductAttention returns softmax(q*k'/sqrt(n)) * v, where a query has n features. It is
// nv.Attention of q, k and v at the dtype that they promote to in promote.JAX64. q has axes
// (batch..., queries, features), k (batch..., keys, features), v (batch..., keys, features of a
// value).
func DotProductAttention(q, k, v nv.Tensor, opts ...nv.AttentionOption) nv.Tensor {
	xs := base{}.promote("DotProductAttention", 0, q, k, v)
	refuseComplex("DotProductAttention", xs[0])
	return xs[0].Context().Attention(xs[0], xs[1], xs[2], opts...)
}

// A Cache holds the keys and values of the elements that MultiHeadAttention.Decode has seen, at the
// dtypes at which they were computed.
type Cache struct {
	Key, Value nv.Tensor // {batch..., heads, length, features of a head}
	Used       nv.Tensor // i32, the number of elements seen
}

// NewCache returns an empty cache for up to length keys like k and values like v, with their dtypes.
// k and v have axes (batch..., heads, elements, features).
func NewCache(k, v nv.Tensor, length int) Cache {
	empty := func(x nv.Tensor) nv.Tensor {
		s := x.Shape()
		s[len(s)-2] = length
		return x.Context().Zeros(s, x.DType())
	}
	return Cache{empty(k), empty(v), k.Context().Zeros(nil, nv.I32)}
}

// Append returns the cache with more keys and values. Elements beyond the length of the cache are
// an error; in a compiled function, they replace the last element of the cache instead.
func (c Cache) Append(k, v nv.Tensor) Cache {
	n := k.Shape()[k.Rank()-2]
	indices := c.Used.Context().Arange(n, nv.I32).Add(c.Used)
	put := func(old, x nv.Tensor) nv.Tensor {
		index := slices.Repeat([]any{nv.All}, old.Rank())
		index[old.Rank()-2] = indices
		return old.Set(x.AsType(old.DType()), index...)
	}
	return Cache{put(c.Key, k), put(c.Value, v), c.Used.Add(c.Used.Context().Constant(nil, float64(n), nv.I32))}
}

// NewCache returns an empty cache for up to length elements like those of x, which has axes
// (batch..., elements, features).
func (a MultiHeadAttention) NewCache(x nv.Tensor, length int) Cache {
	_, k, v := a.project(x, x)
	return NewCache(k, v, length)
}

// Decode returns the attention of x, with axes (batch..., elements, features), to itself and to the
// earlier elements, whose keys and values are in c, and the cache extended by x. Each element attends
// to the earlier elements and to itself.
func (a MultiHeadAttention) Decode(x nv.Tensor, c Cache) (y nv.Tensor, after Cache) {
	defer a.enter("MultiHeadAttention", &y, x)()
	q, k, v := a.project(x, x)
	n, length := q.Shape()[q.Rank()-2], c.Key.Shape()[c.Key.Rank()-2]
	lib := c.Used.Context()
	// Element i of x has the position i + Used in the cache, and attends to the positions up to its own.
	position := lib.Iota(nv.Shape{n, length}, 0, nv.I32).Add(c.Used)
	seen := lib.Iota(nv.Shape{n, length}, 1, nv.I32).Le(position)
	c = c.Append(k, v)
	y = q.Context().Attention(q, c.Key.AsType(q.DType()), c.Value.AsType(q.DType()), nv.AttentionMask(seen))
	return a.out(x, y), c
}
