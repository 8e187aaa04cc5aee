package anvil

import (
	"slices"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

func (l *Lib) conv(op string, spatial int, x, w any, opts []ConvOption) Tensor {
	v := l.convolution(op, spatial, x, w, opts)
	c, k := v.c, v.kernelAxes(v.channelsFirst)
	field, size := lengthsOf(v.x, v.dataAxes()[2:]), lengthsOf(v.w, k[2:])
	v.checkChannels(v.w.Shape()[k[1]]*v.groups, k[1])
	if channels := v.w.Shape()[k[0]]; channels%(v.groups*v.batchGroups) != 0 {
		c.fail("axis "+itoa(k[0])+" of w has "+itoa(channels)+" output channels, which cannot be split into "+itoa(v.groups*v.batchGroups)+" groups", "give a multiple")
	}
	return v.run(v.w, k, c.attrs(v.windowOptions, field, size, constantShape(spatial, 1)), nil)
}

func (l *Lib) convTranspose(op string, spatial int, x, w any, opts []ConvOption) Tensor {
	v := l.convolution(op, spatial, x, w, opts)
	c := v.c
	k := v.kernelAxes(v.channelsFirst)
	k[0], k[1] = k[1], k[0] // the output channels of the convolution that this transposes are the channels of x
	v.checkChannels(v.w.Shape()[k[1]], k[1])
	if channels := v.w.Shape()[k[1]]; channels%v.groups != 0 {
		c.fail(itoa(channels)+" channels cannot be split into "+itoa(v.groups)+" groups", "give a multiple")
	}
	kernel, k := v.regrouped(k)
	field, size := lengthsOf(v.x, v.dataAxes()[2:]), lengthsOf(kernel, k[2:])
	return v.run(kernel, k, v.transposed(field, size), upTo(spatial))
}

// A convolution is a call of a convolution with its options and its operands at their common dtype.
type convolution struct {
	c *call
	windowOptions
	x, w      expr.Value // x has one batch axis
	batch     Shape      // the lengths of the batch axes of the operand
	ambiguous bool
}

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
		c.fail(itoa(v.groups)+" groups of channels and "+itoa(v.batchGroups)+" of the batch", "give 1 for one of the two, and at least 1 for the other")
	}
	if s := v.w.Shape(); len(s) != spatial+2 {
		c.fail("w has rank "+itoa(len(s))+" and must have rank "+itoa(spatial+2), "give w the axes "+v.axisWords("window", "input channels", "output channels"))
	}
	s := v.x.Shape()
	if len(s) < spatial+1 {
		c.fail("x of rank "+itoa(len(s))+" has no "+itoa(spatial)+" spatial axes", "it has axes "+v.axisWords("spatial", "channels", "batch"))
	}
	for i, n := range lengthsOf(v.w, v.kernelAxes(v.channelsFirst)[2:]) {
		if n == 0 {
			c.fail("the window is empty along spatial axis "+itoa(i), "")
		}
	}
	v.batch = s[:len(s)-spatial-1].Clone()
	v.x = c.reshape(v.x, append(Shape{v.batch.Size()}, s[len(v.batch):]...))
	return v
}

// axisWords returns the axes of an operand in words, in the order that ChannelsFirst sets.
func (v *convolution) axisWords(spatial, first, second string) string {
	switch {
	case second == "batch" && v.channelsFirst:
		return "(batch, " + first + ", " + spatial + "...), without the option ChannelsFirst (batch, " + spatial + "..., " + first + ")"
	case second == "batch":
		return "(batch, " + spatial + "..., " + first + "), with the option ChannelsFirst (batch, " + first + ", " + spatial + "...)"
	case v.channelsFirst:
		return "(" + second + ", " + first + ", " + spatial + "...)"
	}
	return "(" + spatial + "..., " + first + ", " + second + ")"
}

// dataAxes returns the axes (batch, channels, spatial...) of x.
func (v *convolution) dataAxes() []int {
	rank := len(v.x.Shape())
	if v.channelsFirst {
		return upTo(rank)
	}
	return slices.Insert(upTo(rank-1), 1, rank-1)
}

// kernelAxes returns the axes (output channels, input channels, window...) of
// weights.
func (v *convolution) kernelAxes(first bool) []int {
	rank := len(v.w.Shape())
	if first {
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

// checkChannels fails if x does not have as many channels as w has weights for along the given axis of w.
func (v *convolution) checkChannels(want, axis int) {
	at := v.dataAxes()[1]
	n := v.x.Shape()[at]
	switch {
	case n == want && v.x.Shape()[0]%v.batchGroups == 0:
		return
	case n == want:
		v.c.fail("a batch of "+itoa(v.x.Shape()[0])+" cannot be split into "+itoa(v.batchGroups)+" groups", "give a multiple")
	}
	has := itoa(want)
	if v.groups > 1 && want == v.w.Shape()[axis]*v.groups {
		has = itoa(v.groups) + " groups of " + itoa(v.w.Shape()[axis])
	}
	at += len(v.batch) - 1
	hint := "channels are the last axis of x, with the option ChannelsFirst the one behind the batch"
	v.c.fail("x has "+plural(n, "channel", "channels")+" on axis "+itoa(at)+", and w is of "+has+" by its axis "+itoa(axis), hint)
}

// regrouped returns the weights of a transposed convolution, with axes (output channels / groups, channels of x), in
// the layout of a convolution: (output channels, channels of x / groups).
func (v *convolution) regrouped(k []int) (expr.Value, []int) {
	if v.groups == 1 {
		return v.w, k
	}
	w := v.c.permute(v.w, append(slices.Clone(k[2:]), k[0], k[1]))
	s := w.Shape()
	n := len(s) - 2
	size, out, in := s[:n], s[n], s[n+1]
	parts := slices.Concat(size, Shape{out, v.groups, in / v.groups})
	order := append(upTo(n), n+2, n+1, n)
	w = v.c.permute(v.c.reshape(w, parts), order)
	w = v.c.reshape(w, slices.Concat(size, Shape{in / v.groups, v.groups * out}))
	return w, v.kernelAxes(false)
}

// transposed returns the window attributes of the transposed convolution: single steps over elements that are a stride
// apart, with padding span-1-low and span-1-high, where span is the extent of the dilated window.
func (v *convolution) transposed(field, size Shape) ir.WindowAttrs {
	c, n := v.c, len(field)
	a := c.attrs(windowOptions{stride: v.stride, dilation: v.dilation, low: v.low, high: v.high, padding: v.padding % Same},
		field, size, constantShape(n, 1))
	stride, spread, low, high := a.Strides.Shape(), a.Dilation.Shape(), a.Low.Shape(), a.High.Shape()
	outputPadding := c.each("the output padding", v.outputPadding, make(Shape, n), 0)
	for i := range n {
		span := (size[i]-1)*spread[i] + 1
		switch whole := span - stride[i]; v.padding {
		case Same:
			low[i] = max(0, whole) / 2
			high[i] = whole - low[i]
		case Valid:
			high[i] = min(0, whole)
		}
		low[i], high[i] = span-1-low[i], span-1-high[i]+outputPadding[i]
	}
	a.BaseDilation, a.Strides = stride.Dims(), constantShape(n, 1).Dims()
	a.Low, a.High = low.Dims(), high.Dims()
	return a
}

// run computes the convolution with weights w, whose axes are k, and restores the batch axes of x. The window is
// reversed along the spatial axes in reversed.
func (v *convolution) run(w expr.Value, k []int, m ir.WindowAttrs, reversed []int) Tensor {
	data := shape.DimsOf(v.dataAxes()...)
	r := v.c.Do(ir.Convolution, ir.ConvAttrs{Lhs: data, Rhs: shape.DimsOf(k...), Out: data, Strides: m.Strides, Low: m.Low, High: m.High,
		LhsDilation: m.BaseDilation, RhsDilation: m.Dilation, Reversal: shape.DimsOf(reversed...),
		FeatureGroups: v.groups, BatchGroups: v.batchGroups, DType: v.dot.DType, Precision: v.dot.Precision}, v.x, w)
	s := r.Shape()
	batch := v.batch
	if v.batchGroups > 1 {
		batch = Shape{s[0]}
	}
	return v.c.result(v.c.reshape(r, slices.Concat(batch, s[1:])), v.ambiguous)
}

// oneDType fails where tensors have two dtypes and the framework's layers do not
// promote.
func (c *call) oneDType(x, w any) {
	if reason := c.framework.Layer(c.sys.Name(), c.operand(x).DType, c.operand(w).DType); reason != "" {
		c.fail(reason, "convert one with AsType")
	}
}
