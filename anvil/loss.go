package anvil

import (
	"math"
	"reflect"
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A LossOption tells a loss what becomes of the losses of its elements
// (Reduction), and some their parameter (Delta, LabelSmoothing).
type LossOption interface{ loss(*lossOptions) }

type lossOptions struct {
	reduction string
	delta     float64
	smoothing float64
	weights   any // of classes; nil: all 1
	blank     int
	steps     any // of CTCLoss, how many of each sequence; nil: all
	labels    any
}

type lossOption func(*lossOptions)

func (f lossOption) loss(o *lossOptions) { f(o) }

// Reduction returns the option that makes a loss the "mean" of those of its
// elements (the default), their "sum", or "none": each by itself. It panics with
// an *Error on another name.
func Reduction(name string) LossOption {
	if name != "mean" && name != "sum" && name != "none" {
		panic(&Error{Op: "Reduction", Operands: strconv.Quote(name), Reason: "no reduction has this name", Hint: `there are "mean", "sum" and "none"`})
	}
	return lossOption(func(o *lossOptions) { o.reduction = name })
}

// Delta returns the option that lets HuberLoss be linear from d on; 1 without.
func Delta(d float64) LossOption { return lossOption(func(o *lossOptions) { o.delta = d }) }

// LabelSmoothing returns the option that makes targets of CrossEntropyLoss
// softer: by s, from 0 to 1, nearer to all classes alike.
func LabelSmoothing(s float64) LossOption {
	return lossOption(func(o *lossOptions) { o.smoothing = s })
}

// ClassWeights returns the option that counts each class of CrossEntropyLoss by
// its weight: a vector or slice of as many numbers as there are classes. The mean
// over labels is then divided by the sum of their weights.
func ClassWeights(weights any) LossOption {
	return lossOption(func(o *lossOptions) { o.weights = weights })
}

// MSELoss returns the mean of (x - target)^2. The two have one shape, or one is
// a number.
func (l *Lib) MSELoss(x, target any, opts ...LossOption) Tensor {
	v := l.loss("MSELoss", x, target, opts)
	d := v.c.Sub(v.x, v.target)
	return v.reduceLoss(v.c.Mul(d, d))
}

// MAELoss returns the mean of abs(x - target). See MSELoss.
func (l *Lib) MAELoss(x, target any, opts ...LossOption) Tensor {
	v := l.loss("MAELoss", x, target, opts)
	return v.reduceLoss(v.c.Abs(v.c.Sub(v.x, v.target)))
}

// HuberLoss returns the mean of d^2/2 where d = abs(x - target) is at most
// delta, and delta*(d - delta/2) elsewhere. See MSELoss.
func (l *Lib) HuberLoss(x, target any, opts ...LossOption) Tensor {
	v := l.loss("HuberLoss", x, target, opts)
	c, delta := v.c, v.delta
	if !(delta > 0) {
		c.fail("delta is "+describe(delta), "it is greater than 0")
	}
	d := c.Abs(c.Sub(v.x, v.target))
	near := c.Mul(c.Mul(d, d), 0.5)
	far := c.Mul(c.Sub(d, delta/2), delta)
	return v.reduceLoss(c.Where(c.Le(d, delta), near, far))
}

// BinaryCrossEntropyLoss returns the mean of -target*log(p) -
// (1-target)*log(1-p) for p = 1/(1+exp(-x)), without overflow: x are logits,
// targets probabilities or bools. See MSELoss.
func (l *Lib) BinaryCrossEntropyLoss(x, target any, opts ...LossOption) Tensor {
	v := l.loss("BinaryCrossEntropyLoss", x, target, opts)
	c := v.c
	part := func(a, weight expr.Value) expr.Value { // nothing cancels: one of the two is 0
		return c.Mul(c.Max(a, 0), weight)
	}
	other := c.Sub(1, v.target)
	linear := c.Add(part(v.x, other), part(c.Neg(v.x), v.target))
	rest := c.Log1p(c.Exp(c.Neg(c.Abs(v.x))))
	return v.reduceLoss(c.Add(linear, rest))
}

// KLDivergenceLoss returns the mean over all but the last axis of
// sum(target*(log(target) - x)) along it: the divergence of the probabilities
// target from those whose logarithms x are.
func (l *Lib) KLDivergenceLoss(x, target any, opts ...LossOption) Tensor {
	v := l.loss("KLDivergenceLoss", x, target, opts)
	c := v.c
	each := c.Mul(v.target, c.Sub(c.Log(v.target), v.x))
	each = c.Where(c.Eq(v.target, 0), 0, each)
	return v.reduceLoss(v.sumClasses(each))
}

// CrossEntropyLoss returns the mean of -log(softmax(x)) at the classes in target: integers of the shape of x without its
// lastAxis axis, or probabilities of the shape of x. x holds logits along the last axis. The loss of a class out of range is
// nan.
func (l *Lib) CrossEntropyLoss(x, target any, opts ...LossOption) Tensor {
	c := l.call("CrossEntropyLoss", x, target)
	if !c.operand(target).DType.Is(dtype.Integral) {
		if s := c.shapeOf(x); len(s) > 1 && c.shapeOf(target).Equal(s[:len(s)-1]) {
			c.fail("classes are integers, not "+c.operand(target).DType.String(), "convert them with AsType(nv.I32); probabilities have the shape of the logits")
		}
		v := l.loss("CrossEntropyLoss", x, target, opts)
		return v.reduceLoss(v.crossEntropy(v.target))
	}
	a, t := c.reals(x)
	s := a.Shape()
	labels := c.at(target, c.operand(target).DType)
	if own := labels.Shape(); len(s) == 0 || !own.Equal(s[:len(s)-1]) {
		c.fail("labels of shape "+own.String()+" are not of logits of shape "+s.String(), "they have the shape of the logits without the last axis, that of classes")
	}
	v := &lossCall{c: c, lossOptions: newLossOptions(opts), x: a, t: t}
	labels = c.expand(c.convert(labels, dtype.I64), -1)
	classes := c.Do(ir.Iota, ir.IotaAttrs{DType: dtype.I64, Shape: s.Dims(), Axis: len(s) - 1})
	hit := c.Eq(c.to(labels, s), classes)
	one := c.Where(hit, c.Like(a, 1), c.Like(a, 0))
	inside := c.Do(ir.ReduceOr, ir.AxesAttrs{Axes: lastOf(s)}, hit)
	each := v.crossEntropy(one)
	each = c.Where(inside, each, math.NaN())
	if v.weights == nil || v.reduction != "mean" {
		return v.reduceLoss(each)
	}
	total := c.fold(ir.ReduceSum, v.weightClasses(one), nil)
	return c.done(c.Div(c.fold(ir.ReduceSum, each, nil), total), v.t)
}

// weightClasses returns p, whose last axis is that of classes, times their weights.
func (v *lossCall) weightClasses(p expr.Value) expr.Value {
	if v.weights == nil {
		return p
	}
	c, s := v.c, p.Shape()
	w, ok := v.weights.(Tensor)
	if !ok {
		w = c.nested(reflect.ValueOf(v.weights), dtype.Options{DType: p.DType()})
	}
	if own := w.Shape(); len(own) != 1 || own[0] != s[len(s)-1] {
		c.fail("class weights of shape "+own.String()+" are not of "+itoa(s[len(s)-1])+" classes", "give a vector with a weight for each class")
	}
	return c.Mul(p, c.to(c.cast(w.t, p.DType()), s))
}

// A lossCall is a call of a loss: operands in the dtype that it is computed in,
// and the type of its result.
type lossCall struct {
	c *call
	lossOptions
	x, target expr.Value
	t         dtype.Typed
}

func newLossOptions(opts []LossOption) lossOptions {
	o := lossOptions{reduction: "mean", delta: 1}
	for _, opt := range nonNil(opts) {
		opt.loss(&o)
	}
	return o
}

// loss begins a loss of operands of one shape.
func (l *Lib) loss(op string, x, target any, opts []LossOption) *lossCall {
	v := &lossCall{c: l.call(op, x, target), lossOptions: newLossOptions(opts)}
	if a, b := v.c.shapeOf(x), v.c.shapeOf(target); !a.Equal(b) && len(a) > 0 && len(b) > 0 {
		v.c.fail("shapes "+a.String()+" and "+b.String()+" differ, and losses do not broadcast", "nv.Reshape or nv.BroadcastTo makes them one")
	}
	v.x, v.target, v.t = v.c.realPair(x, target)
	return v
}

func (c *call) shapeOf(x any) Shape {
	if t, ok := x.(Tensor); ok {
		return t.t.Shape()
	}
	return nil
}

// lastOf returns the last axis of s.
func lastOf(s Shape) shape.Dims { return Shape{len(s) - 1}.Dims() }

// sumClasses returns the sum of a along its last axis.
func (v *lossCall) sumClasses(a expr.Value) expr.Value {
	s := a.Shape()
	if len(s) == 0 {
		v.c.fail("a scalar has no classes", "they are the last axis")
	}
	return v.c.Do(ir.ReduceSum, ir.AxesAttrs{Axes: lastOf(s)}, a)
}

// crossEntropy returns the sum along the last axis of -p*log(softmax(x)); where
// p is 0, what the logarithm is does not matter.
func (v *lossCall) crossEntropy(p expr.Value) expr.Value {
	c, s := v.c, v.x.Shape()
	if len(s) == 0 {
		c.fail("a scalar has no classes", "they are the last axis")
	}
	if !(v.smoothing >= 0 && v.smoothing <= 1) {
		c.fail("labels are smoothed by "+describe(v.smoothing), "it is from 0 to 1")
	}
	if v.smoothing > 0 {
		p = c.Mul(p, 1-v.smoothing)
		p = c.Add(p, v.smoothing/float64(max(1, s[len(s)-1])))
	}
	p = v.weightClasses(p)
	a := c.belowTop(v.x, keepAxes([]Axis{-1}))
	sum := c.Log(c.fold(ir.ReduceSum, c.Exp(a), keepAxes([]Axis{-1})))
	each := c.Mul(p, c.Sub(c.to(sum, s), a))
	return v.sumClasses(c.Where(c.Eq(p, 0), 0, each))
}

// reduceLoss returns the losses of elements as the option says.
func (v *lossCall) reduceLoss(each expr.Value) Tensor {
	switch v.reduction {
	case "mean":
		each = v.c.mean(each, nil)
	case "sum":
		each = v.c.fold(ir.ReduceSum, each, nil)
	}
	return v.c.done(each, v.t)
}
