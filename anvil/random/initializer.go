package random

import (
	"math"
	"strconv"

	nv "github.com/goanvil/notebook/anvil"
)

// VarianceScaling returns the initial weights of a layer, so that what goes through it
// keeps its variance: numbers of mean 0 and variance scale/n. The last two axes of s are the inputs and
// the outputs of the layer, those before them its window; n is by mode "fan_in" the number of
// numbers that an output is made of, "fan_out" that an input goes into, "fan_avg" their mean.
// The distribution is "normal", "truncated_normal" (within two deviations) or "uniform".
// The numbers are those of jax.nn.initializers, f32 where no option names another float.
func VarianceScaling(k PRNGKey, s nv.Shape, scale float64, mode, distribution string, opts ...nv.Option) nv.Tensor {
	return scaled("VarianceScaling", k, s, scale, mode, distribution, opts)
}

// GlorotUniform returns VarianceScaling of scale 1 by the mean of inputs and outputs,
// uniform: Xavier's, from Glorot and Bengio, "Understanding the difficulty of training
// deep feedforward neural networks" (AISTATS 2010).
func GlorotUniform(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return scaled("GlorotUniform", k, s, 1, "fan_avg", "uniform", opts)
}

// GlorotNormal is GlorotUniform with a truncated normal distribution.
func GlorotNormal(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return scaled("GlorotNormal", k, s, 1, "fan_avg", "truncated_normal", opts)
}

// HeUniform returns VarianceScaling of scale 2 by the inputs, uniform, for layers before a
// Relu: from He and others, "Delving deep into rectifiers" (ICCV 2015).
func HeUniform(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return scaled("HeUniform", k, s, 2, "fan_in", "uniform", opts)
}

// HeNormal is HeUniform with a truncated normal distribution.
func HeNormal(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return scaled("HeNormal", k, s, 2, "fan_in", "truncated_normal", opts)
}

// LecunUniform returns VarianceScaling of scale 1 by the inputs, uniform: from LeCun and
// others, "Efficient BackProp" (1998).
func LecunUniform(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return scaled("LecunUniform", k, s, 1, "fan_in", "uniform", opts)
}

// LecunNormal is LecunUniform with a truncated normal distribution.
func LecunNormal(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return scaled("LecunNormal", k, s, 1, "fan_in", "truncated_normal", opts)
}

// truncatedDeviation is the standard deviation of what a standard normal distribution
// has within -2 and 2.
const truncatedDeviation = 0.87962566103423978

func scaled(op string, k PRNGKey, s nv.Shape, scale float64, mode, distribution string, opts []nv.Option) nv.Tensor {
	r := begin(op, k, s, nv.F32, opts)
	r.format()
	variance := r.con(r.lib.Zeros(nv.Shape{}, r.d), scale/r.fan(mode))
	if !(scale >= 0 && scale <= math.MaxFloat64) {
		r.fail("the scale is "+strconv.FormatFloat(scale, 'g', -1, 64), "it is 0 or more")
	}
	var x nv.Tensor
	switch distribution {
	case "normal":
		x = Normal(k, s, opts...)
	case "truncated_normal":
		x, variance = TruncatedNormal(k, -2, 2, s, opts...), variance.Sqrt().Div(r.con(variance, truncatedDeviation))
		return r.result(r.lib.Mul(x, variance))
	case "uniform":
		x, variance = UniformRange(k, s, -1, 1, opts...), variance.Mul(r.con(variance, 3))
	default:
		r.fail("there is no distribution "+strconv.Quote(distribution), `there are "normal", "truncated_normal" and "uniform"`)
	}
	return r.result(r.lib.Mul(x, variance.Sqrt()))
}

// fan returns what the variance is divided by.
func (r *draw) fan(mode string) float64 {
	n := len(r.s)
	if n < 2 {
		r.fail("shape "+r.s.String()+" has no axes of inputs and outputs", "they are the last two")
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
	r.fail("there is no mode "+strconv.Quote(mode), `there are "fan_in", "fan_out" and "fan_avg"`)
	return 0
}
