package opstest

import (
	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Samples of convolutions, of Fourier transforms, and of reductions over windows.

// plainWindow returns the attributes of a window with strides and dilations of 1 and no padding.
func plainWindow(size ...int) ir.WindowAttrs {
	ones, zeros := make([]int, len(size)), make([]int, len(size))
	for i := range ones {
		ones[i] = 1
	}
	return ir.WindowAttrs{Size: dims(size...), Strides: dims(ones...), Low: dims(zeros...), High: dims(zeros...),
		BaseDilation: dims(ones...), Dilation: dims(ones...)}
}

// windowSamples returns samples of all kinds of windows. One of the reductions is tested on all
// of them; for the others fewWindowSamples suffices.
func windowSamples(d dtype.DType) []Sample {
	strided, spread, cut := plainWindow(2, 3), plainWindow(2, 2), plainWindow(2, 1)
	strided.Strides, strided.Low, strided.High = dims(1, 2), dims(1, 0), dims(0, 2)
	spread.Dilation, spread.BaseDilation, spread.High = dims(2, 1), dims(1, 3), dims(1, 0)
	cut.Low, cut.High = dims(-1, 0), dims(0, -1)
	points := awkward(d)
	return []Sample{
		sampleOf("strided", d, strided, 3, 5),
		sampleOf("spread", d, spread, 4, 3),
		sampleOf("cut", d, cut, 4, 3),
		sampleOf("too wide", d, plainWindow(4), 3),
		sampleOf("empty", d, plainWindow(1, 1), 0, 3),
		sampleOf("scalar", d, plainWindow()),
		{Name: "awkward", Attrs: plainWindow(2), Args: []array.Array{points}},
	}
}

// fewWindowSamples returns samples with padding, with dilation, and of awkward values.
func fewWindowSamples(d dtype.DType) []Sample {
	all := windowSamples(d)
	return []Sample{all[0], all[1], all[len(all)-1]}
}

func drawWindow(r source, d dtype.DType) Sample {
	t := shape.Type{DType: d, Shape: drawShape(r)}
	var a ir.WindowAttrs
	for range t.Shape {
		for _, list := range []struct {
			to        *shape.Dims
			low, high int
		}{{&a.Size, 1, 3}, {&a.Strides, 1, 3}, {&a.Low, 0, 2}, {&a.High, 0, 2}, {&a.BaseDilation, 1, 3}, {&a.Dilation, 1, 2}} {
			*list.to += dims(r.Int(list.low, list.high))
		}
	}
	return Sample{Name: "drawn", Attrs: a, Args: []array.Array{drawArray(r, t)}}
}

// plainConv returns the attributes of a convolution over rank spatial axes, with the features
// last, strides and dilations of 1 and no padding.
func plainConv(rank int) ir.ConvAttrs {
	w := plainWindow(make([]int, rank)...) // the size is not used: it is that of the kernel
	// The axes of batch and features in the operand and the result, and of output and input features in the kernel.
	x, k := dims(0, rank+1), dims(rank+1, rank)
	for i := range rank {
		x, k = x+dims(i+1), k+dims(i)
	}
	return ir.ConvAttrs{Lhs: x, Rhs: k, Out: x, Strides: w.Strides, Low: w.Low, High: w.High, LhsDilation: w.BaseDilation, RhsDilation: w.Dilation,
		FeatureGroups: 1, BatchGroups: 1}
}

func convSamples(d dtype.DType) []Sample {
	conv := func(name string, a ir.ConvAttrs, x, k shape.Shape) Sample {
		return Sample{Name: name, Attrs: a, Args: []array.Array{counting(shape.Type{DType: d, Shape: x}, 1),
			counting(shape.Type{DType: d, Shape: k}, 2)}}
	}
	strided, dilated, reversed, first := plainConv(2), plainConv(2), plainConv(2), plainConv(2)
	grouped, batches := plainConv(1), plainConv(1)
	strided.Strides, strided.Low, strided.High = dims(2, 1), dims(1, 0), dims(0, 2)
	dilated.LhsDilation, dilated.RhsDilation, dilated.Low = dims(2, 1), dims(1, 2), dims(-1, 1)
	grouped.FeatureGroups, batches.BatchGroups = 2, 2
	reversed.Reversal = dims(0, 1)
	first.Lhs, first.Rhs, first.Out = dims(0, 1, 2, 3), dims(0, 1, 2, 3), dims(3, 0, 1, 2)
	return []Sample{
		conv("plain", plainConv(1), shape.Shape{2, 5, 3}, shape.Shape{2, 3, 4}),
		conv("volume", plainConv(3), shape.Shape{1, 3, 2, 3, 2}, shape.Shape{2, 2, 1, 2, 2}),
		conv("strided", strided, shape.Shape{2, 4, 5, 2}, shape.Shape{2, 3, 2, 3}),
		conv("dilated", dilated, shape.Shape{1, 3, 5, 2}, shape.Shape{2, 2, 2, 3}),
		conv("grouped", grouped, shape.Shape{2, 4, 4}, shape.Shape{2, 2, 6}),
		conv("batch groups", batches, shape.Shape{4, 4, 3}, shape.Shape{2, 3, 6}),
		conv("reversed", reversed, shape.Shape{1, 3, 4, 2}, shape.Shape{2, 2, 2, 1}),
		conv("features first", first, shape.Shape{2, 3, 4, 4}, shape.Shape{2, 3, 2, 3}),
		conv("no batch", plainConv(1), shape.Shape{0, 5, 3}, shape.Shape{2, 3, 4}),
		conv("no features", plainConv(1), shape.Shape{2, 5, 0}, shape.Shape{2, 0, 4}),
		conv("too wide", plainConv(1), shape.Shape{2, 2, 3}, shape.Shape{3, 3, 4}),
		conv("no space", plainConv(0), shape.Shape{2, 3}, shape.Shape{3, 4}),
	}
}

func drawConv(r source, d dtype.DType) Sample {
	rank := r.Int(1, 2)
	a := plainConv(rank)
	a.Strides, a.Low, a.High, a.LhsDilation, a.RhsDilation = "", "", "", "", ""
	batch, in, out, groups := r.Int(1, 2), r.Int(1, 2), r.Int(1, 3), r.Int(1, 2)
	x, k := shape.Shape{batch}, shape.Shape{}
	for i := range rank {
		a.Strides += dims(r.Int(1, 2))
		a.LhsDilation += dims(r.Int(1, 2))
		a.RhsDilation += dims(r.Int(1, 2))
		a.Low, a.High = a.Low+dims(r.Int(0, 2)), a.High+dims(r.Int(0, 2))
		x, k = append(x, r.Int(1, 5)), append(k, r.Int(1, 3))
		if r.Int(0, 1) == 1 {
			a.Reversal += dims(i)
		}
	}
	a.FeatureGroups = groups
	return Sample{Name: "drawn", Attrs: a, Args: []array.Array{
		drawArray(r, shape.Type{DType: d, Shape: append(x, in*groups)}),
		drawArray(r, shape.Type{DType: d, Shape: append(k, in, out*groups)})}}
}

// fftSamples returns the samples of a Fourier transform along one to three axes, whose lengths
// are powers of 2, primes and products of primes.
func fftSamples(c ir.Code) sampleFunc {
	return func(d dtype.DType) []Sample {
		var samples []Sample
		for _, s := range []struct {
			name   string
			before shape.Shape
			n      []int
		}{{"power", shape.Shape{2}, []int{8}}, {"prime", nil, []int{7}}, {"product", nil, []int{12}}, {"one", nil, []int{1}}, {"two", nil, []int{2}},
			{"plane", shape.Shape{2}, []int{3, 4}}, {"space", nil, []int{2, 3, 5}}, {"no lanes", shape.Shape{0}, []int{4}}} {
			x := append(s.before.Clone(), s.n...)
			if c == ir.IRFFT {
				x[len(x)-1] = x[len(x)-1]/2 + 1
			}
			samples = append(samples, sampleOf(s.name, d, ir.FFTAttrs{Lengths: dims(s.n...)}, x...))
		}
		return samples
	}
}
