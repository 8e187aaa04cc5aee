package anvil

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// A NormOption tells a normalization what is added to a variance (Epsilon), and
// BatchNorm and GroupNorm how axes lie (ChannelsFirst); of Standardize an Axis is one to take
// mean and variance along.
type NormOption interface{ norm(*normalizeOptions) }

type normalizeOptions struct {
	epsilon float64
	first   bool
	axes    []Axis
}

// Epsilon returns the option that adds v to a variance before it divides: 1e-5
// without it, RMSNorm 1e-6.
func Epsilon(v float64) NormOption { return epsilon(v) }

type epsilon float64

func (e epsilon) norm(n *normalizeOptions)       { n.epsilon = float64(e) }
func (f channelsFirst) norm(n *normalizeOptions) { n.first = bool(f) }
func (a Axis) norm(n *normalizeOptions)          { n.axes = append(n.axes, a) }

// Standardize returns x less its mean, divided by the square root of its
// variance, along axes, the last one where none are given.
func (l *Lib) Standardize(x any, opts ...NormOption) Tensor {
	v := l.normalization("Standardize", opts, x)
	axes := v.axes
	if len(axes) == 0 {
		axes = []Axis{-1}
	}
	return v.c.done(v.standardize(v.xs[0], axes), v.t)
}

// LayerNorm returns x less its mean, divided by the square root of its
// variance, times gain plus bias, along as many of the last axes as gain has,
// whose lengths these are. Gain or bias may be nil.
func (l *Lib) LayerNorm(x, gain, bias any, opts ...NormOption) Tensor {
	v := l.normalization("LayerNorm", opts, x, gain, bias)
	return v.c.done(v.affine(v.standardize(v.xs[0], v.lastAxes()), nil), v.t)
}

// RMSNorm returns x divided by the root of its mean square, times gain, along as
// many of the last axes as gain has, whose lengths these are. Gain may be nil.
func (l *Lib) RMSNorm(x, gain any, opts ...NormOption) Tensor {
	v := l.normalization("RMSNorm", append([]NormOption{Epsilon(1e-6)}, opts...), x, gain, nil)
	c, a := v.c, v.xs[0]
	square := c.mean(c.Mul(a, a), keepAxes(v.lastAxes()))
	return c.done(v.affine(v.divideByStd(a, square), nil), v.t)
}

// BatchNorm returns x less mean, divided by the square root of variance, times
// gain plus bias: vectors of a number per channel. x has axes (batch...,
// channels), with ChannelsFirst (batch, channels, ...). Gain or bias may be nil.
func (l *Lib) BatchNorm(x, gain, bias, mean, variance any, opts ...NormOption) Tensor {
	v := l.normalization("BatchNorm", opts, x, gain, bias, mean, variance)
	c, a := v.c, v.xs[0]
	if mean == nil || variance == nil {
		c.fail("mean or variance is nil", "BatchNormTraining takes them from x")
	}
	at := v.channelAxis()
	a = c.Sub(a, v.perChannel(v.xs[3], at))
	return c.done(v.affine(v.divideByStd(a, v.perChannel(v.xs[4], at)), []int{at}), v.t)
}

// BatchNormTraining returns x less its mean per channel, divided by the square
// root of its variance, times gain plus bias; and behind it that mean and that
// variance. See BatchNorm.
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
		c.fail("x has no axis but that of channels", "there is a batch before it")
	}
	m, s := v.moments(a, axes)
	r := v.divideByStd(c.Sub(a, c.to(m, a.Shape())), s)
	return c.done(v.affine(r, []int{at}), v.t), c.done(c.flat(m), v.t), c.done(c.flat(s), v.t)
}

// GroupNorm returns x less its mean, divided by the square root of its variance,
// per element of the batch and group of so many of channels, times gain plus bias: vectors of a
// number per channel. x has axes (batch, ..., channels), with ChannelsFirst
// (batch, channels, ...). Gain or bias may be nil.
func (l *Lib) GroupNorm(x, gain, bias any, groups int, opts ...NormOption) Tensor {
	v := l.normalization("GroupNorm", opts, x, gain, bias)
	c, a, at := v.c, v.xs[0], v.channelAxis()
	s := a.Shape()
	if at == 0 || groups < 1 || s[at]%groups != 0 {
		c.fail("axis "+itoa(at)+" of shape "+s.String()+" does not fall into "+itoa(groups)+" groups of channels behind a batch", "the number of channels is a multiple of the groups")
	}
	parted := slices.Concat(s[:at], Shape{groups, s[at] / groups}, s[at+1:])
	var axes []Axis
	for i := 1; i < len(parted); i++ {
		if i != at {
			axes = append(axes, Axis(i))
		}
	}
	r := c.reshape(v.standardize(c.reshape(a, parted), axes), s)
	return c.done(v.affine(r, []int{at}), v.t)
}

// A normalization is a call of one: operands in the dtype that it is computed
// in (nil where they were nil), and the type of its result.
type normalization struct {
	c *call
	normalizeOptions
	xs []expr.Value
	t  dtype.Typed
}

// normalization begins the normalization of xs[0].
func (l *Lib) normalization(op string, opts []NormOption, xs ...any) *normalization {
	given := slices.DeleteFunc(slices.Clone(xs), func(x any) bool { return x == nil })
	v := &normalization{c: l.call(op, given...), normalizeOptions: normalizeOptions{epsilon: 1e-5}}
	for _, o := range nonNil(opts) {
		o.norm(&v.normalizeOptions)
	}
	if xs[0] == nil {
		v.c.fail("x is nil", "only gain and bias may be")
	}
	if v.axes != nil && op != "Standardize" {
		v.c.fail("an axis is given", "axes follow from gain; Standardize takes axes")
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

// lastAxes returns as many of the last axes as gain or bias have, one where
// there is neither.
func (v *normalization) lastAxes() []Axis {
	n := 1
	for _, p := range v.xs[1:] {
		if p == nil {
			continue
		}
		s, own := v.xs[0].Shape(), p.Shape()
		if n = len(own); n == 0 || n > len(s) || !own.Equal(s[len(s)-n:]) {
			v.c.fail("gain or bias of shape "+own.String()+" is not of the last axes of "+s.String(), "they have the lengths of the axes that are normalized")
		}
	}
	var axes []Axis
	for i := -n; i < 0; i++ {
		axes = append(axes, Axis(i))
	}
	return axes
}

// channelAxis returns the axis of channels.
func (v *normalization) channelAxis() int {
	rank := len(v.xs[0].Shape())
	if v.first {
		return v.c.axis(1, rank)
	}
	return v.c.axis(-1, rank)
}

// perChannel returns a vector p as numbers along an axis of x.
func (v *normalization) perChannel(p expr.Value, at int) expr.Value {
	s, own := v.xs[0].Shape(), p.Shape()
	if len(own) != 1 || own[0] != s[at] {
		v.c.fail("a parameter of shape "+own.String()+" is not of the "+itoa(s[at])+" channels on axis "+itoa(at), "it is a vector with a number per channel; ChannelsFirst says that channels are axis 1")
	}
	t := constantShape(len(s), 1)
	t[at] = s[at]
	return v.c.to(v.c.reshape(p, t), s)
}

// keepAxes returns axes as the options of a reduction that keeps them.
func keepAxes(axes []Axis) []ReduceOption {
	opts := []ReduceOption{KeepDims}
	for _, a := range axes {
		opts = append(opts, a)
	}
	return opts
}

// moments returns mean and variance of a along axes, which stay with length 1.
func (v *normalization) moments(a expr.Value, axes []Axis) (mean, variance expr.Value) {
	c := v.c
	mean = c.mean(a, keepAxes(axes))
	away := c.Sub(a, c.to(mean, a.Shape()))
	return mean, c.mean(c.Mul(away, away), keepAxes(axes))
}

// standardize returns a with mean 0 and variance 1 along axes.
func (v *normalization) standardize(a expr.Value, axes []Axis) expr.Value {
	mean, variance := v.moments(a, axes)
	return v.divideByStd(v.c.Sub(a, v.c.to(mean, a.Shape())), variance)
}

// divideByStd returns a divided by the square root of variance and epsilon.
func (v *normalization) divideByStd(a, variance expr.Value) expr.Value {
	c := v.c
	r := c.Rsqrt(c.Add(variance, v.epsilon))
	return c.Mul(a, c.to(r, a.Shape()))
}

// affine returns a times gain plus bias, where these are not nil: along the last
// axes, or along the one given.
func (v *normalization) affine(a expr.Value, at []int) expr.Value {
	for i, code := range []ir.Code{ir.Mul, ir.Add} {
		if len(v.xs) <= i+1 || v.xs[i+1] == nil {
			continue
		}
		p := v.xs[i+1]
		if at != nil {
			p = v.perChannel(p, at[0])
		}
		a = v.c.Do(code, nil, a, v.c.to(p, a.Shape()))
	}
	return a
}
