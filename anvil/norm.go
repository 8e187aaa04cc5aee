package anvil

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// A NormOption is an option of a normalization: what it adds to the variance (Epsilon), the
// place of the channels in BatchNorm and GroupNorm (ChannelsFirst), and the axes of
// Standardize (Axis).
type NormOption interface{ norm(*normalizeOptions) }

type normalizeOptions struct {
	epsilon       float64
	channelsFirst bool
	axes          []Axis
}

// Epsilon returns the option that adds v to the variance before dividing. The default is
// 1e-5, for RMSNorm 1e-6.
func Epsilon(v float64) NormOption { return epsilon(v) }

type epsilon float64

func (e epsilon) norm(n *normalizeOptions)       { n.epsilon = float64(e) }
func (f channelsFirst) norm(n *normalizeOptions) { n.channelsFirst = bool(f) }
func (a Axis) norm(n *normalizeOptions)          { n.axes = append(n.axes, a) }

// Standardize returns (x - mean) / sqrt(variance + epsilon), with mean and variance along
// the given axes, by default the last.
func (l *Lib) Standardize(x any, opts ...NormOption) Tensor {
	v := l.normalization("Standardize", opts, x)
	axes := v.axes
	if len(axes) == 0 {
		axes = []Axis{-1}
	}
	return v.c.resultAs(v.standardize(v.xs[0], axes), v.t)
}

// LayerNorm standardizes x along its last axes and returns the result times gain plus bias.
// gain and bias have the shape of these axes. Either may be nil; if both are, x is
// standardized along its last axis.
func (l *Lib) LayerNorm(x, gain, bias any, opts ...NormOption) Tensor {
	v := l.normalization("LayerNorm", opts, x, gain, bias)
	return v.c.resultAs(v.affine(v.standardize(v.xs[0], v.lastAxes()), -1), v.t)
}

// RMSNorm returns x / sqrt(mean(x^2) + epsilon) * gain, with means along the last axes of x.
// gain has the shape of these axes. If gain is nil, the means are along the last axis.
func (l *Lib) RMSNorm(x, gain any, opts ...NormOption) Tensor {
	v := l.normalization("RMSNorm", opts, x, gain, nil)
	c, a := v.c, v.xs[0]
	square := c.mean(c.Mul(a, a), keepAxes(v.lastAxes()))
	return c.resultAs(v.affine(v.divideByStd(a, square), -1), v.t)
}

// BatchNorm returns (x - mean) / sqrt(variance + epsilon) * gain + bias. gain, bias, mean and
// variance are vectors with one element per channel; gain and bias may be nil. x has the axes
// (batch..., channels), or with ChannelsFirst (batch, channels, ...).
func (l *Lib) BatchNorm(x, gain, bias, mean, variance any, opts ...NormOption) Tensor {
	v := l.normalization("BatchNorm", opts, x, gain, bias, mean, variance)
	c, a := v.c, v.xs[0]
	if mean == nil || variance == nil {
		c.fail("mean or variance is nil", "BatchNormTraining computes them from x")
	}
	at := v.channelAxis()
	a = c.Sub(a, v.perChannel(v.xs[3], at))
	return c.resultAs(v.affine(v.divideByStd(a, v.perChannel(v.xs[4], at)), at), v.t)
}

// BatchNormTraining is BatchNorm with the mean and variance of x per channel. It returns
// the normalized x, the mean and the variance.
func (l *Lib) BatchNormTraining(x, gain, bias any, opts ...NormOption) (Tensor, Tensor, Tensor) {
	v := l.normalization("BatchNormTraining", opts, x, gain, bias)
	c, a, at := v.c, v.xs[0], v.channelAxis()
	var axes []Axis
	for i := range a.Shape() {
		if i != at {
			axes = append(axes, Axis(i))
		}
	}
	if len(axes) == 0 {
		c.fail("x has no axis besides the channels", "give x a batch axis before the channels")
	}
	mean, variance := v.moments(a, axes)
	r := v.divideByStd(c.Sub(a, c.to(mean, a.Shape())), variance)
	return c.resultAs(v.affine(r, at), v.t), c.resultAs(c.flat(mean), v.t), c.resultAs(c.flat(variance), v.t)
}

// GroupNorm splits the channels into groups, standardizes each group of each element of
// the batch, and returns the result times gain plus bias. gain and bias are vectors with
// one element per channel, or nil. x has the axes (batch, ..., channels), or with
// ChannelsFirst (batch, channels, ...).
func (l *Lib) GroupNorm(x, gain, bias any, groups int, opts ...NormOption) Tensor {
	v := l.normalization("GroupNorm", opts, x, gain, bias)
	c, a, at := v.c, v.xs[0], v.channelAxis()
	s := a.Shape()
	if at == 0 || groups < 1 || s[at]%groups != 0 {
		c.fail("axis "+itoa(at)+" of shape "+s.String()+" cannot be split into "+itoa(groups)+" groups of channels",
			"the number of channels must be a multiple of groups, and the channels must be on an axis after the batch")
	}
	grouped := slices.Concat(s[:at], Shape{groups, s[at] / groups}, s[at+1:])
	var axes []Axis // all but the batch and the groups
	for i := 1; i < len(grouped); i++ {
		if i != at {
			axes = append(axes, Axis(i))
		}
	}
	r := c.reshape(v.standardize(c.reshape(a, grouped), axes), s)
	return c.resultAs(v.affine(r, at), v.t)
}

// A normalization is a call of LayerNorm, BatchNorm or another function of this file.
type normalization struct {
	c *call
	normalizeOptions
	xs []expr.Value // x, gain, bias, ... in the dtype of the computation; nil where the operand is nil
	t  dtype.Typed  // the type of the result
}

// normalization returns the call of op, a normalization of xs[0] with the parameters xs[1:], which may be nil.
func (l *Lib) normalization(op string, opts []NormOption, xs ...any) *normalization {
	given := slices.DeleteFunc(slices.Clone(xs), func(x any) bool { return x == nil })
	v := &normalization{c: l.call(op, given...), normalizeOptions: normalizeOptions{epsilon: 1e-5}}
	if op == "RMSNorm" {
		v.epsilon = 1e-6
	}
	for _, o := range accepted(op, opts, given...) {
		o.norm(&v.normalizeOptions)
	}
	if xs[0] == nil {
		v.c.fail("x is nil", "only gain and bias may be nil")
	}
	for _, x := range given[1:] {
		v.c.oneDType(given[0], x)
	}
	v.t = v.c.realOf(v.c.common(given...))
	for _, x := range xs {
		var a expr.Value
		if x != nil {
			a = v.c.convert(v.c.at(x, v.t.DType), wide(v.t.DType))
		}
		v.xs = append(v.xs, a)
	}
	return v
}

// lastAxes returns the last axes of x: as many as gain or bias has, or one axis if both are nil.
func (v *normalization) lastAxes() []Axis {
	n := 1
	var common Shape // of the parameters
	for i, p := range v.xs[1:] {
		if p == nil {
			continue
		}
		s, own := v.xs[0].Shape(), p.Shape()
		if common != nil && !own.Equal(common) {
			v.c.fail("a gain of shape "+common.String()+" and a bias of shape "+own.String()+" differ",
				"give both the shape of the axes that are normalized")
		}
		common = own
		if n = len(own); n == 0 || n > len(s) || !own.Equal(s[len(s)-n:]) {
			v.c.fail([]string{"a gain", "a bias"}[i]+" of shape "+own.String()+
				" does not match the last axes of "+s.String(),
				"give it the shape of the axes that are normalized")
		}
	}
	var axes []Axis
	for i := -n; i < 0; i++ {
		axes = append(axes, Axis(i))
	}
	return axes
}

// channelAxis returns the axis of x that holds the channels.
func (v *normalization) channelAxis() int {
	rank := len(v.xs[0].Shape())
	if v.channelsFirst {
		return v.c.axis(1, rank)
	}
	return v.c.axis(-1, rank)
}

// perChannel broadcasts the vector p, with one element for each channel along axis at, to the shape of x.
func (v *normalization) perChannel(p expr.Value, at int) expr.Value {
	s, own := v.xs[0].Shape(), p.Shape()
	if len(own) != 1 || own[0] != s[at] {
		v.c.fail("a parameter of shape "+own.String()+" does not match the "+
			plural(s[at], "channel", "channels")+" of axis "+itoa(at),
			"give a vector with an element per channel; with nv.ChannelsFirst the channels are axis 1")
	}
	along := constantShape(len(s), 1)
	along[at] = s[at]
	return v.c.to(v.c.reshape(p, along), s)
}

// keepAxes returns the options that reduce axes and keep them with length 1.
func keepAxes(axes []Axis) []ReduceOption {
	opts := []ReduceOption{KeepDims}
	for _, a := range axes {
		opts = append(opts, a)
	}
	return opts
}

// moments returns the mean and variance of a along axes, which are kept with length 1.
func (v *normalization) moments(a expr.Value, axes []Axis) (mean, variance expr.Value) {
	c := v.c
	mean = c.mean(a, keepAxes(axes))
	deviation := c.Sub(a, c.to(mean, a.Shape()))
	return mean, c.mean(c.Mul(deviation, deviation), keepAxes(axes))
}

// standardize returns a scaled to mean 0 and variance 1 along axes.
func (v *normalization) standardize(a expr.Value, axes []Axis) expr.Value {
	mean, variance := v.moments(a, axes)
	return v.divideByStd(v.c.Sub(a, v.c.to(mean, a.Shape())), variance)
}

// divideByStd returns a / sqrt(variance + epsilon).
func (v *normalization) divideByStd(a, variance expr.Value) expr.Value {
	c := v.c
	r := c.Rsqrt(c.Add(variance, v.epsilon))
	return c.Mul(a, c.to(r, a.Shape()))
}

// affine returns a*gain + bias, where a nil gain counts as 1 and a nil bias as 0. gain and
// bias are vectors along the axis channels, or have the shape of the last axes if channels
// is -1.
func (v *normalization) affine(a expr.Value, channels int) expr.Value {
	for i, code := range []ir.Code{ir.Mul, ir.Add} {
		p := v.xs[i+1]
		if p == nil {
			continue
		}
		if channels >= 0 {
			p = v.perChannel(p, channels)
		}
		a = v.c.Do(code, nil, a, v.c.to(p, a.Shape()))
	}
	return a
}
