package nn

import (
	"fmt"
	"slices"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
)

// Conv is a convolution over 1, 2 or 3 spatial axes, as many as Window has lengths. Stride,
// Dilation and Padding have a number for each spatial axis, or one number for all.
type Conv struct {
	Features   int      // channels of the result
	Window     nv.Shape // lengths of the window: {3, 3}
	Stride     []int    // nil: 1
	Dilation   []int    // nil: 1
	Padding    []int    // on both sides; nil means nv.Same: the result has length/stride elements, rounded up
	Groups     int      // number of groups of channels that are convolved separately; 0: 1
	NoBias     bool
	KernelInit Initializer // nil: random.LecunNormal
	BiasInit   Initializer // nil: Zeros
	DType      nv.DType    // of computation and result; zero: the promotion of x and the parameters
	ParamDType nv.DType    // of the parameters that Init makes; zero: f32
	Kernel     nv.Tensor   // {Window..., channels / Groups, Features}
	Bias       nv.Tensor   // {Features}
	base
}

// Init returns the layer with parameters for inputs like x.
func (c Conv) Init(key random.PRNGKey, x nv.Tensor) Conv { return Init(c, key, x) }

// Apply returns the convolution of x, with axes (batch..., spatial..., channels), as
// nv.Conv2D computes it. For two spatial axes, without padding, dilation and groups,
// result[b,i,j,o] = Bias[o] + sum over k, l, f of x[b,i*Stride+k,j*Stride+l,f]*Kernel[k,l,f,o].
func (c Conv) Apply(x nv.Tensor, mode ...Mode) (y nv.Tensor) {
	defer c.enter("Conv", &y, x)()
	groups := max(1, c.Groups)
	channels := spatialChannels("Conv", x, c.Window)
	if channels%groups != 0 {
		fail("Conv", describe(x), fmt.Sprintf("%d channels are not a multiple of %d groups", channels, groups), "")
	}
	xs := c.parameters("Conv", x, convParameters{c.Window, channels / groups, c.Features,
		c.NoBias, c.KernelInit, c.BiasInit, c.DType, c.ParamDType, c.Kernel, c.Bias})
	opts := []nv.ConvOption{
		nv.Stride(orOne(c.Stride)...), nv.Dilation(orOne(c.Dilation)...), nv.Groups(groups), nv.Same,
	}
	if c.Padding != nil {
		opts = append(opts, nv.Padding(c.Padding...))
	}
	return withBias(convolve(len(c.Window), xs[0], xs[1], opts), xs[2])
}

// ConvTranspose is a convolution of the input with its elements spread Stride apart, which
// makes the spatial axes Stride times as long. It is the same as JAX's lax.conv_transpose with
// transpose_kernel=False. Stride and Dilation have a number for each spatial axis, or one
// number for all.
type ConvTranspose struct {
	Features   int      // channels of the result
	Window     nv.Shape // lengths of the window: {3, 3}
	Stride     []int    // nil: 1
	Dilation   []int    // nil: 1
	Valid      bool     // the result has every element to which x contributes; otherwise length*stride elements
	NoBias     bool
	KernelInit Initializer // nil: random.LecunNormal
	BiasInit   Initializer // nil: Zeros
	DType      nv.DType    // of computation and result; zero: the promotion of x and the parameters
	ParamDType nv.DType    // of the parameters that Init makes; zero: f32
	Kernel     nv.Tensor   // {Window..., channels, Features}
	Bias       nv.Tensor   // {Features}
	base
}

// Init returns the layer with parameters for inputs like x.
func (c ConvTranspose) Init(key random.PRNGKey, x nv.Tensor) ConvTranspose {
	return Init(c, key, x)
}

// Apply returns the transposed convolution of x, with axes (batch..., spatial...,
// channels).
func (c ConvTranspose) Apply(x nv.Tensor, mode ...Mode) (y nv.Tensor) {
	defer c.enter("ConvTranspose", &y, x)()
	channels := spatialChannels("ConvTranspose", x, c.Window)
	xs := c.parameters("ConvTranspose", x, convParameters{c.Window, channels, c.Features,
		c.NoBias, c.KernelInit, c.BiasInit, c.DType, c.ParamDType, c.Kernel, c.Bias})
	// Source of the padding: jax/_src/lax/convolution.py, _conv_transpose_padding.
	stride, dilation := c.perAxis(x, "Stride", c.Stride), c.perAxis(x, "Dilation", c.Dilation)
	low, high := make(nv.Shape, len(c.Window)), make(nv.Shape, len(c.Window))
	for i, length := range c.Window {
		extent := (length-1)*dilation[i] + 1 // of the dilated window
		s := stride[i]
		total := extent + s - 2
		switch {
		case c.Valid:
			total += max(extent-s, 0)
			low[i] = extent - 1
		case s > extent-1:
			low[i] = extent - 1
		default:
			low[i] = (total + 1) / 2
		}
		high[i] = total - low[i]
	}
	return withBias(convolve(len(c.Window), xs[0], xs[1], []nv.ConvOption{
		nv.InputDilation(stride...), nv.Dilation(dilation...), nv.PaddingLowHigh(low, high)}), xs[2])
}

// convParameters has the fields of a convolution that determine its parameters.
type convParameters struct {
	window               nv.Shape
	channels, features   int // of the kernel
	noBias               bool
	kernelInit, biasInit Initializer
	dtype, paramDType    nv.DType
	kernel, bias         nv.Tensor
}

// parameters returns x, the kernel and the bias at the dtype of the result. With noBias the bias is the zero Tensor.
func (b base) parameters(op string, x nv.Tensor, p convParameters) []nv.Tensor {
	s := append(p.window.Clone(), p.channels, p.features)
	kernel := b.param(op, "Kernel", p.kernel, s, p.paramDType, p.kernelInit.or(lecunNormal))
	var bias nv.Tensor
	if !p.noBias {
		bias = b.param(op, "Bias", p.bias, nv.Shape{p.features}, p.paramDType, p.biasInit.or(Zeros))
	}
	return b.promote(op, p.dtype, x, kernel, bias)
}

// spatialChannels returns the number of channels of x, after checking that x has a spatial axis for
// each length of the window.
func spatialChannels(op string, x nv.Tensor, window nv.Shape) int {
	if n := len(window); n < 1 || n > 3 || x.Rank() < n+1 {
		fail(op, describe(x), fmt.Sprintf("a Window with len %d does not fit the input", n),
			"give an input with axes (batch..., spatial..., channels) and a Window with a length for each of its "+
				"1 to 3 spatial axes: nv.Shape{3, 3}")
	}
	return x.Shape()[x.Rank()-1]
}

// convolve returns the convolution of x over the given number of spatial axes.
func convolve(spatial int, x, kernel nv.Tensor, opts []nv.ConvOption) nv.Tensor {
	switch spatial {
	case 1:
		return x.Conv1D(kernel, opts...)
	case 2:
		return x.Conv2D(kernel, opts...)
	}
	return x.Conv3D(kernel, opts...)
}

// withBias returns y + bias, or y if the bias is absent.
func withBias(y, bias nv.Tensor) nv.Tensor {
	if !bias.Valid() {
		return y
	}
	return y.Add(bias)
}

// orOne returns n, or 1 for all axes if n is nil.
func orOne(n []int) []int {
	if n == nil {
		return []int{1}
	}
	return n
}

// perAxis returns the numbers of a field for each spatial axis. A field with a single number has it for all axes, and
// a nil field has 1.
func (c ConvTranspose) perAxis(x nv.Tensor, field string, numbers []int) []int {
	numbers = orOne(numbers)
	switch len(numbers) {
	case len(c.Window):
		return numbers
	case 1:
		return slices.Repeat(numbers, len(c.Window))
	}
	fail("ConvTranspose", describe(x), fmt.Sprintf("%s has %d numbers for a window of rank %d", field, len(numbers),
		len(c.Window)), "give one number per axis, or one for all")
	return nil
}
