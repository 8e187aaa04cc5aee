package nn

import (
	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/random"
)

// Embed is a table of vectors that are looked up by integers.
type Embed struct {
	Count         int         // of vectors
	Features      int         // of each vector
	EmbeddingInit Initializer // nil: normal with variance 1/Features
	DType         nv.DType    // of the result; zero: of Embedding, and in Attend the promotion of x and Embedding
	ParamDType    nv.DType    // of the parameter that Init makes; zero: f32
	Embedding     nv.Tensor   // {Count, Features}
	base
}

// Init returns the layer with parameters for inputs like x.
func (e Embed) Init(key random.PRNGKey, x nv.Tensor) Embed { return Init(e, key, x) }

// Apply returns result[...,f] = Embedding[x[...],f]. The elements of x are integers from 0 to Count-1.
func (e Embed) Apply(x nv.Tensor, mode ...Mode) (y nv.Tensor) {
	defer e.enter("Embed", &y, x)()
	if !x.DType().Is(dtype.Integral) {
		fail("Embed", describe(x), "the indices are not integers", "convert them with AsType(nv.I32)")
	}
	table := e.table()
	return cast("Embed", table, e.resultDType("Embed", e.DType, table)).Take(x, nv.Axis(0))
}

// Attend returns result[...,i] = sum over f of x[...,f]*Embedding[i,f], the scores of the
// vectors for x. With Attend, the same Embed can be the first and the last layer of a model.
func (e Embed) Attend(x nv.Tensor) (y nv.Tensor) {
	defer e.enter("Embed", &y, x)()
	xs := e.promote("Embed", e.DType, x, e.table())
	return xs[0].MatMul(xs[1].SwapAxes(0, 1))
}

// table returns the parameter Embedding.
func (e Embed) table() nv.Tensor {
	return e.param("Embed", "Embedding", e.Embedding, nv.Shape{e.Count, e.Features}, e.ParamDType,
		e.EmbeddingInit.or(embeddingNormal))
}

// embeddingNormal is the Initializer of embeddings: normal numbers with variance 1/features.
func embeddingNormal(k random.PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	// Source: flax/linen/linear.py, default_embed_init: fan_in of the transposed table.
	return initialize(func(k random.PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
		return random.VarianceScaling(k, s, 1, "fan_in", "normal", opts...)
	}, k, nv.Shape{s[1], s[0]}, opts).SwapAxes(0, 1)
}
