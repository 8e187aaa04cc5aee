package nn

import (
	"fmt"
	"slices"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/random"
)

// LayerNorm shifts and scales x so that along its last axis the mean is 0 and the variance
// 1, and then multiplies by Scale and adds Bias. Statistics are computed at f32 or wider. The
// variance of complex numbers is the mean of |x - mean|².
type LayerNorm struct {
	Epsilon    float64 // added to the variance; 0: 1e-6
	NoScale    bool
	NoBias     bool
	ScaleInit  Initializer // nil: Ones
	BiasInit   Initializer // nil: Zeros
	DType      nv.DType    // of the result; zero: the promotion of x and the parameters
	ParamDType nv.DType    // of the parameters that Init makes; zero: f32
	Scale      nv.Tensor   // {features}
	Bias       nv.Tensor   // {features}
	base
}

// Init returns the layer with parameters for inputs like x.
func (l LayerNorm) Init(key random.PRNGKey, x nv.Tensor) LayerNorm { return Init(l, key, x) }

// Apply returns (x - mean) / sqrt(variance + Epsilon) * Scale + Bias, with mean and
// variance along the last axis.
func (l LayerNorm) Apply(x nv.Tensor, mode ...Mode) (y nv.Tensor) {
	defer l.enter("LayerNorm", &y, x)()
	n := l.normalization("LayerNorm", x, affine{l.NoScale, l.NoBias, l.ScaleInit, l.BiasInit,
		l.DType, l.ParamDType, l.Scale, l.Bias})
	centered, _, variance := n.moments(n.x, nv.Axis(-1))
	return n.finish(n.scaled(centered, variance, or(l.Epsilon, 1e-6)))
}

// RMSNorm scales x so that along its last axis the mean of |x|² is 1, and then multiplies by
// Scale. Means are computed at f32 or wider.
type RMSNorm struct {
	Epsilon    float64 // added to the mean of squares; 0: 1e-6
	NoScale    bool
	ScaleInit  Initializer // nil: Ones
	DType      nv.DType    // of the result; zero: the promotion of x and the parameter
	ParamDType nv.DType    // of the parameter that Init makes; zero: f32
	Scale      nv.Tensor   // {features}
	base
}

// Init returns the layer with parameters for inputs like x.
func (r RMSNorm) Init(key random.PRNGKey, x nv.Tensor) RMSNorm { return Init(r, key, x) }

// Apply returns x / sqrt(mean of |x|² + Epsilon) * Scale, with the mean along the last axis.
func (r RMSNorm) Apply(x nv.Tensor, mode ...Mode) (y nv.Tensor) {
	defer r.enter("RMSNorm", &y, x)()
	n := r.normalization("RMSNorm", x, affine{noScale: r.NoScale, noBias: true, scaleInit: r.ScaleInit,
		dtype: r.DType, paramDType: r.ParamDType, scale: r.Scale})
	return n.finish(n.scaled(n.x, squares(n.x).Mean(nv.Axis(-1), nv.KeepDims), or(r.Epsilon, 1e-6)))
}

// GroupNorm splits the channels, the last axis, into groups, and shifts and scales each group of
// each element of the batch so that its mean is 0 and its variance 1; then it multiplies the
// channels by Scale and adds Bias. Statistics are computed as in LayerNorm.
type GroupNorm struct {
	Groups     int     // number of groups; 0: 32
	Epsilon    float64 // added to the variance; 0: 1e-6
	NoScale    bool
	NoBias     bool
	ScaleInit  Initializer // nil: Ones
	BiasInit   Initializer // nil: Zeros
	DType      nv.DType    // of the result; zero: the promotion of x and the parameters
	ParamDType nv.DType    // of the parameters that Init makes; zero: f32
	Scale      nv.Tensor   // {channels}
	Bias       nv.Tensor   // {channels}
	base
}

// Init returns the layer with parameters for inputs like x.
func (g GroupNorm) Init(key random.PRNGKey, x nv.Tensor) GroupNorm { return Init(g, key, x) }

// Apply returns (x - mean) / sqrt(variance + Epsilon) * Scale + Bias. x has axes (batch,
// ..., channels). Each mean and variance is taken over the elements of one group of one element of
// the batch.
func (g GroupNorm) Apply(x nv.Tensor, mode ...Mode) (y nv.Tensor) {
	defer g.enter("GroupNorm", &y, x)()
	n := g.normalization("GroupNorm", x, affine{g.NoScale, g.NoBias, g.ScaleInit, g.BiasInit,
		g.DType, g.ParamDType, g.Scale, g.Bias})
	groups := g.Groups
	if groups == 0 {
		groups = 32
	}
	s := x.Shape()
	last := len(s) - 1
	if last == 0 || groups < 0 || s[last]%groups != 0 {
		fail("GroupNorm", describe(x), fmt.Sprintf("the last axis cannot be split into %d groups", groups),
			"x has axes (batch, ..., channels), with a multiple of Groups channels")
	}
	var axes []nv.ReduceOption
	for i := 1; i <= last+1; i++ {
		if i != last {
			axes = append(axes, nv.Axis(i))
		}
	}
	split := slices.Concat(s[:last], nv.Shape{groups, s[last] / groups})
	centered, _, variance := n.moments(n.x.Reshape(split), axes...)
	inverse := variance.Add(or(g.Epsilon, 1e-6)).Rsqrt()
	return n.finish(n.affine(n.times(centered, inverse).Reshape(s)))
}

// BatchNorm shifts and scales each channel, an element of the last axis, so that its mean
// is 0 and its variance 1, and then multiplies by Scale and adds Bias. In training, it uses the
// mean and variance of the batch, and Train returns the layer with their running averages, Mean
// and Var, which it uses outside of training. All of them are computed and stored at f32 or wider.
type BatchNorm struct {
	Momentum   float64 // weight of the old average; 0: 0.99
	Epsilon    float64 // added to the variance; 0: 1e-5
	NoScale    bool
	NoBias     bool
	ScaleInit  Initializer // nil: Ones
	BiasInit   Initializer // nil: Zeros
	DType      nv.DType    // of the result; zero: the promotion of x and the parameters
	ParamDType nv.DType    // of the parameters that Init makes; zero: f32
	Scale      nv.Tensor   // {channels}
	Bias       nv.Tensor   // {channels}
	Mean       State       // {channels}
	Var        State       // {channels}
	base
}

// Init returns the layer with parameters for inputs like x.
func (b BatchNorm) Init(key random.PRNGKey, x nv.Tensor) BatchNorm { return Init(b, key, x) }

// Apply returns (x - mean) / sqrt(variance + Epsilon) * Scale + Bias, with the running mean
// and variance, or in training the mean and variance of x along all axes but the last.
func (b BatchNorm) Apply(x nv.Tensor, mode ...Mode) (y nv.Tensor) {
	if _, ok := training(mode); ok {
		y, _ := b.Train(x)
		return y
	}
	defer b.enter("BatchNorm", &y, x)()
	n, mean, variance := b.begin(x)
	return n.finish(n.scaled(n.minus(n.x, mean), variance, or(b.Epsilon, 1e-5)))
}

// Train returns what Apply returns in training, and the layer with
//
//	Mean = Momentum*Mean + (1-Momentum)*mean of the batch
//	Var  = Momentum*Var + (1-Momentum)*variance of the batch
//
// If x is empty or has only the axis of channels, Train normalizes x with Mean and Var, and does not
// change them.
func (b BatchNorm) Train(x nv.Tensor) (y nv.Tensor, after BatchNorm) {
	defer b.enter("BatchNorm", &y, x)()
	n, mean, variance := b.begin(x)
	var axes []nv.ReduceOption
	s := x.Shape()
	for i := range len(s) - 1 {
		axes = append(axes, nv.Axis(i))
	}
	if s.Size() == 0 || len(axes) == 0 {
		return b.Apply(x), b
	}
	centered, m, v := n.moments(n.x, axes...)
	weight := or(b.Momentum, 0.99)
	next := func(old, batch nv.Tensor) State {
		batch = nv.StopGradient(batch.Reshape(nv.Shape{-1}))
		d := b.promotionSystem().Promote(old.DType(), batch.DType())
		sum := old.AsType(d).Mul(weight).Add(batch.AsType(d).Mul(1 - weight))
		return State{Tensor: cast("BatchNorm", sum, old.DType())}
	}
	b.Mean, b.Var = next(mean, m), next(variance, v)
	return n.finish(n.scaled(centered, v, or(b.Epsilon, 1e-5))), b
}

// begin returns a call of the layer for x, and the running mean and variance.
func (b BatchNorm) begin(x nv.Tensor) (n *normalization, mean, variance nv.Tensor) {
	n = b.normalization("BatchNorm", x, affine{b.NoScale, b.NoBias, b.ScaleInit, b.BiasInit,
		b.DType, b.ParamDType, b.Scale, b.Bias})
	s := nv.Shape{x.Shape()[x.Rank()-1]}
	mean = b.param("BatchNorm", "Mean", b.Mean.Tensor, s, n.x.DType(), Zeros)
	variance = b.param("BatchNorm", "Var", b.Var.Tensor, s, n.x.DType().Elem(), Ones)
	return n, mean, variance
}

// affine has the fields of a normalizing layer that determine its parameters and the dtype of its result.
type affine struct {
	noScale, noBias     bool
	scaleInit, biasInit Initializer
	dtype, paramDType   nv.DType
	scale, bias         nv.Tensor
}

// A normalization is a call of a normalizing layer.
type normalization struct {
	base
	op          string
	x           nv.Tensor // at the dtype of statistics
	scale, bias nv.Tensor // the zero Tensor if absent
	result      nv.DType  // of the layer's result
}

// normalization returns a call of the layer op, with the fields p, for x.
func (b base) normalization(op string, x nv.Tensor, p affine) *normalization {
	s := nv.Shape{lastAxis(op, x)}
	n := &normalization{base: b, op: op}
	if !p.noScale {
		n.scale = b.param(op, "Scale", p.scale, s, p.paramDType, p.scaleInit.or(Ones))
	}
	if !p.noBias {
		n.bias = b.param(op, "Bias", p.bias, s, p.paramDType, p.biasInit.or(Zeros))
	}
	n.result = b.resultDType(op, p.dtype, x, n.scale, n.bias)
	statistics := b.promotionSystem().Promote(dtype.F32, n.result)
	if !p.dtype.Valid() {
		statistics = b.promotionSystem().AtLeast(dtype.F32, x).DType
	}
	if r := b.report(); r != nil && statistics != n.result {
		r.computed(b.collector.path, statistics, "statistics are "+statistics.String()+" at least")
	}
	n.x = cast(op, x, statistics)
	return n
}

// squares returns |x|², which is real.
func squares(x nv.Tensor) nv.Tensor {
	if x.DType().Is(dtype.Complex) {
		return x.Mul(x.Conj()).Real()
	}
	return x.Square()
}

// moments returns x - mean, and the mean and variance along axes, which are kept with
// length 1.
func (n *normalization) moments(x nv.Tensor, axes ...nv.ReduceOption) (centered, mean, variance nv.Tensor) {
	opts := append(slices.Clone(axes), nv.KeepDims)
	mean = x.Mean(opts...)
	centered = x.Sub(mean)
	return centered, mean, squares(centered).Mean(opts...)
}

// atCommonDType returns x and y at their common dtype.
func (n *normalization) atCommonDType(x, y nv.Tensor) (nv.Tensor, nv.Tensor) {
	d := n.promotionSystem().Promote(x.DType(), y.DType())
	return x.AsType(d), y.AsType(d)
}

// times returns x * y at their common dtype.
func (n *normalization) times(x, y nv.Tensor) nv.Tensor {
	x, y = n.atCommonDType(x, y)
	return x.Mul(y)
}

// minus returns x - y at their common dtype.
func (n *normalization) minus(x, y nv.Tensor) nv.Tensor {
	x, y = n.atCommonDType(x, y)
	return x.Sub(y)
}

// scaled returns x / sqrt(variance + epsilon) * scale + bias.
func (n *normalization) scaled(x, variance nv.Tensor, epsilon float64) nv.Tensor {
	return n.affine(n.times(x, variance.Add(epsilon).Rsqrt()))
}

// affine returns x * scale + bias; an absent scale or bias is left out.
func (n *normalization) affine(x nv.Tensor) nv.Tensor {
	if n.scale.Valid() {
		x = n.times(x, n.scale)
	}
	if n.bias.Valid() {
		x, bias := n.atCommonDType(x, n.bias)
		return x.Add(bias)
	}
	return x
}

// finish returns x at the dtype of the result.
func (n *normalization) finish(x nv.Tensor) nv.Tensor { return cast(n.op, x, n.result) }

// or returns v, or fallback if v is 0.
func or(v, fallback float64) float64 {
	if v == 0 {
		return fallback
	}
	return v
}
