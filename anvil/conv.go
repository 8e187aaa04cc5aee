package anvil

import (
	"slices"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// conv returns the convolution of x with weights w over the given number of spatial axes.
func (l *Lib) conv(op string, spatial int, x, w any, opts []ConvOption) Tensor {
	v := l.convolution(op, spatial, x, w, opts)
	c, axes := v.c, v.kernelAxes(v.channelsFirst)
	lengths, window := lengthsOf(v.x, v.dataAxes()[2:]), lengthsOf(v.w, axes[2:]) // along the spatial axes of x and w
	v.checkChannels(v.w.Shape()[axes[1]]*v.groups, axes[1])
	groups := v.groups * v.batchGroups
	if channels := v.w.Shape()[axes[0]]; channels%groups != 0 {
		c.fail("axis "+itoa(axes[0])+" of w has "+itoa(channels)+" output channels, which cannot be split into "+
			itoa(groups)+" groups", "give a multiple of "+itoa(groups))
	}
	return v.run(v.w, axes, c.windowAttrs(v.windowOptions, lengths, window, constantShape(spatial, 1)), nil)
}

// convTranspose returns the transposed convolution of x with weights w: the transpose of the linear function that
// convolves with w.
func (l *Lib) convTranspose(op string, spatial int, x, w any, opts []ConvOption) Tensor {
	v := l.convolution(op, spatial, x, w, opts)
	c := v.c
	axes := v.kernelAxes(v.channelsFirst)
	axes[0], axes[1] = axes[1], axes[0] // x has the output channels of the convolution that is transposed
	v.checkChannels(v.w.Shape()[axes[1]], axes[1])
	if channels := v.w.Shape()[axes[1]]; channels%v.groups != 0 {
		c.fail("x has "+itoa(channels)+" channels, which cannot be split into "+itoa(v.groups)+" groups",
			"give a multiple of "+itoa(v.groups))
	}
	kernel, axes := v.regroupKernel(axes)
	lengths, window := lengthsOf(v.x, v.dataAxes()[2:]), lengthsOf(kernel, axes[2:])
	return v.run(kernel, axes, v.transposedWindow(lengths, window), upTo(spatial))
}

// A convolution is a call of a convolution function with its options and with its operands at their common dtype.
type convolution struct {
	c *call
	windowOptions
	x, w      expr.Value // the operands, with the batch axes of x joined into one
	batch     Shape      // the lengths of the batch axes of the operand x
	ambiguous bool       // whether the result is ambiguous
}

// convolution begins the call op of a convolution over the given number of spatial axes.
func (l *Lib) convolution(op string, spatial int, x, w any, opts []ConvOption) *convolution {
	v := &convolution{c: l.call(op, x, w), windowOptions: windowOptions{groups: 1, batchGroups: 1}}
	for _, o := range accepted(op, opts, x, w) {
		o.conv(&v.windowOptions)
	}
	c := v.c
	c.oneDType(x, w)
	t := c.arithmetic(x, w)
	v.x, v.w = c.at(x, t.DType), c.at(w, t.DType)
	v.ambiguous = t.Ambiguous && (v.dot.DType == 0 || v.dot.DType == t.DType)
	if v.groups < 1 || v.batchGroups < 1 || v.groups > 1 && v.batchGroups > 1 {
		c.fail("nv.Groups is "+itoa(v.groups)+" and nv.BatchGroups is "+itoa(v.batchGroups),
			"neither may be less than 1, and only one may be greater than 1")
	}
	if s := v.w.Shape(); len(s) != spatial+2 {
		c.fail("w has rank "+itoa(len(s))+" and must have rank "+itoa(spatial+2), "give w the axes "+v.kernelWords())
	}
	s := v.x.Shape()
	if len(s) < spatial+1 {
		c.fail("x has rank "+itoa(len(s))+" and must have at least rank "+itoa(spatial+1),
			"give x the axes "+v.dataWords())
	}
	for i, n := range lengthsOf(v.w, v.kernelAxes(v.channelsFirst)[2:]) {
		if n == 0 {
			c.fail("w has length 0 along spatial axis "+itoa(i), "give w at least length 1 there")
		}
	}
	v.batch = s[:len(s)-spatial-1].Clone()
	v.x = c.reshape(v.x, append(Shape{v.batch.Size()}, s[len(v.batch):]...))
	return v
}

// dataWords lists the axes of x for an error, with and without the option ChannelsFirst.
func (v *convolution) dataWords() string {
	first, last := "(batch, channels, spatial...)", "(batch, spatial..., channels)"
	if v.channelsFirst {
		return first + "; without the option ChannelsFirst they are " + last
	}
	return last + "; with the option ChannelsFirst they are " + first
}

// kernelWords lists the axes of w for an error, in the order that the option ChannelsFirst sets.
func (v *convolution) kernelWords() string {
	if v.channelsFirst {
		return "(output channels, input channels, window...)"
	}
	return "(window..., input channels, output channels)"
}

// dataAxes returns the positions of the axes (batch, channels, spatial...) in x.
func (v *convolution) dataAxes() []int {
	rank := len(v.x.Shape())
	if v.channelsFirst {
		return upTo(rank)
	}
	return slices.Insert(upTo(rank-1), 1, rank-1)
}

// kernelAxes returns the positions of the axes (output channels, input channels, window...) in weights of the rank of
// w, if they are in the order that channelsFirst sets.
func (v *convolution) kernelAxes(channelsFirst bool) []int {
	rank := len(v.w.Shape())
	if channelsFirst {
		return upTo(rank)
	}
	return append([]int{rank - 1, rank - 2}, upTo(rank-2)...)
}

// lengthsOf returns the lengths of the given axes of a.
func lengthsOf(a expr.Value, axes []int) Shape {
	s := Shape{}
	for _, axis := range axes {
		s = append(s, a.Shape()[axis])
	}
	return s
}

// checkChannels fails unless the number of channels of x is want, which follows from the given axis of w, and the batch
// of x can be split into batchGroups.
func (v *convolution) checkChannels(want, axis int) {
	at := v.dataAxes()[1]
	n, batch := v.x.Shape()[at], v.x.Shape()[0]
	if n != want {
		needed := itoa(want)
		if v.groups > 1 && want == v.w.Shape()[axis]*v.groups {
			needed = itoa(v.groups) + " groups of " + itoa(v.w.Shape()[axis])
		}
		at += len(v.batch) - 1 // the axis of the operand
		hint := "the channels of x are its last axis, or with the option ChannelsFirst the axis after the batch"
		v.c.fail("x has "+plural(n, "channel", "channels")+" on axis "+itoa(at)+", but w needs "+needed+
			" (its axis "+itoa(axis)+")", hint)
	}
	if batch%v.batchGroups != 0 {
		v.c.fail("a batch of "+itoa(batch)+" cannot be split into "+itoa(v.batchGroups)+" groups",
			"give a multiple of "+itoa(v.batchGroups))
	}
}

// regroupKernel converts the weights of a transposed convolution to the layout of a convolution, and returns them with
// the positions of their axes. The weights of a transposed convolution have output channels / groups along axes[0] and
// the channels of x along axes[1]; those of a convolution have output channels, and channels of x / groups.
func (v *convolution) regroupKernel(axes []int) (expr.Value, []int) {
	if v.groups == 1 {
		return v.w, axes
	}
	w := v.c.Permute(v.w, append(slices.Clone(axes[2:]), axes[0], axes[1])...)
	s := w.Shape()
	n := len(s) - 2
	size, out, in := s[:n], s[n], s[n+1]
	parts := slices.Concat(size, Shape{out, v.groups, in / v.groups})
	order := append(upTo(n), n+2, n+1, n)
	w = v.c.Permute(v.c.reshape(w, parts), order...)
	w = v.c.reshape(w, slices.Concat(size, Shape{in / v.groups, v.groups * out}))
	return w, v.kernelAxes(false)
}

// transposedWindow returns the window attributes of the transposed convolution for the spatial lengths of x and the
// window. The window moves in steps of 1 over the elements of x, which BaseDilation sets a stride apart. If low and
// high are the padding of the convolution that is transposed, and span is the extent of its dilated window, the padding
// is span-1-low and span-1-high plus the output padding.
func (v *convolution) transposedWindow(lengths, window Shape) ir.WindowAttrs {
	c, n := v.c, len(lengths)
	// Same and Valid are left out here: they depend on the transposed window and are applied below.
	a := c.windowAttrs(windowOptions{stride: v.stride, dilation: v.dilation, low: v.low, high: v.high},
		lengths, window, constantShape(n, 1))
	stride, dilation, low, high := a.Strides.Shape(), a.Dilation.Shape(), a.Low.Shape(), a.High.Shape()
	outputPadding := c.perAxis("the output padding", v.outputPadding, make(Shape, n), 0)
	for i := range n {
		span := (window[i]-1)*dilation[i] + 1
		overlap := span - stride[i] // of neighbouring windows
		switch v.padding {
		case Same:
			low[i] = max(0, overlap) / 2
			high[i] = overlap - low[i]
		case Valid:
			high[i] = min(0, overlap)
		}
		low[i], high[i] = span-1-low[i], span-1-high[i]+outputPadding[i]
	}
	a.BaseDilation, a.Strides = stride.Dims(), constantShape(n, 1).Dims()
	a.Low, a.High = low.Dims(), high.Dims()
	return a
}

// run computes the convolution with weights w. The result has the batch axes of the operand x or, with batch groups, a
// single batch axis. axes are the positions of (output channels, input channels, window...) in w. The window is
// reversed along the spatial axes in reversed.
func (v *convolution) run(w expr.Value, axes []int, window ir.WindowAttrs, reversed []int) Tensor {
	data := shape.DimsOf(v.dataAxes()...)
	r := v.c.Do(ir.Convolution, ir.ConvAttrs{Lhs: data, Rhs: shape.DimsOf(axes...), Out: data,
		Strides: window.Strides, Low: window.Low, High: window.High,
		LhsDilation: window.BaseDilation, RhsDilation: window.Dilation, Reversal: shape.DimsOf(reversed...),
		FeatureGroups: v.groups, BatchGroups: v.batchGroups, DType: v.dot.DType, Precision: v.dot.Precision}, v.x, w)
	s := r.Shape()
	batch := v.batch
	if v.batchGroups > 1 {
		batch = Shape{s[0]}
	}
	return v.c.result(v.c.reshape(r, slices.Concat(batch, s[1:])), v.ambiguous)
}

// oneDType fails if x and w have different dtypes and the layers of the framework do not promote.
func (c *call) oneDType(x, w any) {
	if reason := c.framework.Layer(c.sys.Name(), c.operand(x).DType, c.operand(w).DType); reason != "" {
		c.fail(reason, "convert one with AsType")
	}
}
