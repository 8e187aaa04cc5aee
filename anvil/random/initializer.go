package random

import (
	"math"
	"strconv"

	nv "github.com/goanvil/notebook/anvil"
)

// VarianceScaling returns initial weights with which a layer preserves the variance of its inputs: numbers of
// mean 0 and variance scale/n. The last two axes of s are the inputs and the outputs of the layer; the axes
// before them are the window of a convolution. n depends on mode: for "fan_in" it is the number of inputs of
// each output, for "fan_out" the number of outputs of each input, and for "fan_avg" the mean of both. The
// distribution is "normal", "truncated_normal" (within two standard deviations) or "uniform". The numbers are
// those of jax.nn.initializers. The default dtype is f32.
func VarianceScaling(k PRNGKey, s nv.Shape, scale float64, mode, distribution string, opts ...nv.Option) nv.Tensor {
	return varianceScaling("VarianceScaling", k, s, scale, mode, distribution, opts)
}

// GlorotUniform is VarianceScaling with scale 1, "fan_avg" and "uniform", also known as
// Xavier's initialization. Source: Glorot and Bengio, Understanding the difficulty of
// training deep feedforward neural networks, AISTATS 2010.
func GlorotUniform(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return varianceScaling("GlorotUniform", k, s, 1, "fan_avg", "uniform", opts)
}

// GlorotNormal is GlorotUniform with a truncated normal distribution.
func GlorotNormal(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return varianceScaling("GlorotNormal", k, s, 1, "fan_avg", "truncated_normal", opts)
}

// HeUniform is VarianceScaling with scale 2, "fan_in" and "uniform", for layers before a
// Relu. Source: He and others, Delving deep into rectifiers, ICCV 2015.
func HeUniform(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return varianceScaling("HeUniform", k, s, 2, "fan_in", "uniform", opts)
}

// HeNormal is HeUniform with a truncated normal distribution.
func HeNormal(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return varianceScaling("HeNormal", k, s, 2, "fan_in", "truncated_normal", opts)
}

// LecunUniform is VarianceScaling with scale 1, "fan_in" and "uniform". Source: LeCun and
// others, Efficient BackProp, 1998.
func LecunUniform(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return varianceScaling("LecunUniform", k, s, 1, "fan_in", "uniform", opts)
}

// LecunNormal is LecunUniform with a truncated normal distribution.
func LecunNormal(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return varianceScaling("LecunNormal", k, s, 1, "fan_in", "truncated_normal", opts)
}

// truncatedDeviation is the standard deviation of the standard normal distribution
// restricted to [-2, 2].
const truncatedDeviation = 0.87962566103423978

// varianceScaling is VarianceScaling for the function op.
func varianceScaling(
	op string, k PRNGKey, s nv.Shape, scale float64, mode, distribution string, opts []nv.Option,
) nv.Tensor {
	r := newDraw(op, k, s, nv.F32, opts)
	r.format() // checks the dtype
	variance := constLike(r.lib.Zeros(nv.Shape{}, r.d), scale/r.fan(mode))
	if !(scale >= 0 && scale <= math.MaxFloat64) {
		r.fail("the scale is "+strconv.FormatFloat(scale, 'g', -1, 64), "use a finite number of 0 or more")
	}
	var x nv.Tensor
	switch distribution {
	case "normal":
		x = Normal(k, s, opts...)
	case "truncated_normal":
		x = TruncatedNormal(k, -2, 2, s, opts...)
		return r.result(r.lib.Mul(x, variance.Sqrt().Div(constLike(variance, truncatedDeviation))))
	case "uniform":
		x, variance = UniformRange(k, s, -1, 1, opts...), variance.Mul(constLike(variance, 3))
	default:
		r.fail("unknown distribution "+strconv.Quote(distribution), `use "normal", "truncated_normal" or "uniform"`)
	}
	return r.result(r.lib.Mul(x, variance.Sqrt()))
}

// fan returns n of VarianceScaling for mode.
func (r *draw) fan(mode string) float64 {
	n := len(r.s)
	if n < 2 {
		r.fail("shape "+r.s.String()+" has fewer than two axes",
			"give at least two: the last two are the inputs and the outputs")
	}
	window := float64(r.s[:n-2].Size())
	in, out := float64(r.s[n-2])*window, float64(r.s[n-1])*window
	switch mode {
	case "fan_in":
		return in
	case "fan_out":
		return out
	case "fan_avg":
		return (in + out) / 2
	}
	r.fail("unknown mode "+strconv.Quote(mode), `use "fan_in", "fan_out" or "fan_avg"`)
	return 0
}
