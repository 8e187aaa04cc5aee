package anvil

import (
	"math"
	"reflect"
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// A LossOption is an option of a loss function: how it reduces the losses of elements
// (Reduction), or a parameter that only some losses have (Delta, LabelSmoothing,
// ClassWeights, Blank, InputLengths, LabelLengths).
type LossOption interface{ loss(*lossOptions) }

type lossOptions struct {
	reduction string
	delta     float64
	smoothing float64
	weights   any // ClassWeights; nil: all 1
	blank     int
	steps     any // InputLengths; nil: all inputs have full length
	labels    any // LabelLengths; nil: all label sequences have full length
}

// A lossOption is a LossOption that shows its name in errors.
type lossOption struct {
	name string
	set  func(*lossOptions)
}

func (f lossOption) loss(o *lossOptions) { f.set(o) }
func (f lossOption) optionName() string  { return f.name }

// Reduction returns the option that reduces the losses of elements to their "mean" (the
// default) or "sum", or keeps them all ("none"). It panics with an *Error for another name.
func Reduction(name string) LossOption {
	if name != "mean" && name != "sum" && name != "none" {
		panic(&Error{Op: "Reduction", Operands: strconv.Quote(name), Reason: "unknown reduction",
			Hint: `give "mean", "sum" or "none"`})
	}
	return lossOption{"Reduction", func(o *lossOptions) { o.reduction = name }}
}

// Delta returns the option that makes HuberLoss linear in differences beyond d. The default is 1.
func Delta(d float64) LossOption { return lossOption{"Delta", func(o *lossOptions) { o.delta = d }} }

// LabelSmoothing returns the option of CrossEntropyLoss that mixes targets with the
// uniform distribution: (1-s)*target + s/classes, for s from 0 to 1.
func LabelSmoothing(s float64) LossOption {
	return lossOption{"LabelSmoothing", func(o *lossOptions) { o.smoothing = s }}
}

// ClassWeights returns the option of CrossEntropyLoss that multiplies the loss of each
// class by its weight, from a vector or slice with one number per class. The mean over
// labels is then the sum of their losses divided by the sum of their weights.
func ClassWeights(weights any) LossOption {
	return lossOption{"ClassWeights", func(o *lossOptions) { o.weights = weights }}
}

// MSELoss returns the mean of (x - target)^2. x and target have the same shape, or one of
// them is a scalar.
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

// HuberLoss returns the mean of d^2/2 where d = abs(x - target) is at most delta, and of
// delta*(d - delta/2) elsewhere. See MSELoss.
func (l *Lib) HuberLoss(x, target any, opts ...LossOption) Tensor {
	v := l.loss("HuberLoss", x, target, opts)
	c, delta := v.c, v.delta
	if !(delta > 0) {
		c.fail("delta is "+describe(delta), "give a number greater than 0")
	}
	d := c.Abs(c.Sub(v.x, v.target))
	near := c.Mul(c.Mul(d, d), 0.5)
	far := c.Mul(c.Sub(d, delta/2), delta)
	return v.reduceLoss(c.Where(c.Le(d, delta), near, far))
}

// BinaryCrossEntropyLoss returns the mean of -target*log(p) - (1-target)*log(1-p) for p =
// 1/(1+exp(-x)), without overflow. x are logits; targets are probabilities or bools. See
// MSELoss.
func (l *Lib) BinaryCrossEntropyLoss(x, target any, opts ...LossOption) Tensor {
	v := l.loss("BinaryCrossEntropyLoss", x, target, opts)
	c := v.c
	// The loss is max(x,0)*(1-target) + max(-x,0)*target + log(1+exp(-abs(x))). One of the
	// first two terms is 0, so that there is no cancellation.
	complement := c.Sub(1, v.target)
	positive := c.Mul(c.Max(v.x, 0), complement)
	negative := c.Mul(c.Max(c.Neg(v.x), 0), v.target)
	linear := c.Add(positive, negative)
	loss := c.Add(linear, c.Log1p(c.Exp(c.Neg(c.Abs(v.x)))))
	// The derivative is given because the loss is smooth at x = 0, but Max and Abs are not.
	derivative := func(b expr.Builder, args []expr.Value, _ expr.Value, t []expr.Value) expr.Value {
		x, target := args[0], args[1]
		p, q := b.Unary(ir.Logistic, x), b.Unary(ir.Logistic, b.Neg(x)) // q is 1-p
		slope := b.Sub(b.Mul(p, b.Sub(1, target)), b.Mul(q, target))
		return b.Add(b.MulNoNaN(t[0], slope), b.MulNoNaN(t[1], b.Neg(x)))
	}
	return v.reduceLoss(c.Derived(loss, derivative, v.x, v.target))
}

// KLDivergenceLoss returns the mean over all axes but the last of sum(target*(log(target)
// - x)) along the last axis. target are probabilities, x logarithms of probabilities.
func (l *Lib) KLDivergenceLoss(x, target any, opts ...LossOption) Tensor {
	v := l.loss("KLDivergenceLoss", x, target, opts)
	c := v.c
	logTarget := c.Log(v.target)
	sameInfinity := c.And(c.Eq(logTarget, v.x), c.Eq(c.Abs(v.x), math.Inf(1))) // their difference would be nan
	each := c.MulNoNaN(v.target, c.Where(sameInfinity, 0, c.Sub(logTarget, v.x)))
	return v.reduceLoss(v.sumClasses(each))
}

// CrossEntropyLoss returns the mean of -log(softmax(x)) at the classes in target. x are
// logits with classes along the last axis. target is either integers with the shape of x
// without its last axis, or probabilities with the shape of x. The loss of a class out of
// range is nan.
func (l *Lib) CrossEntropyLoss(x, target any, opts ...LossOption) Tensor {
	c := l.call("CrossEntropyLoss", x, target)
	if !c.operand(target).DType.Is(dtype.Integral) {
		if s := c.shapeOf(x); len(s) > 1 && c.shapeOf(target).Equal(s[:len(s)-1]) {
			c.fail("classes are "+c.operand(target).DType.String()+" and must be integers",
				"convert them with AsType(nv.I32), or give probabilities with the shape of the logits")
		}
		v := l.loss("CrossEntropyLoss", x, target, opts)
		return v.reduceLoss(v.crossEntropy(v.target))
	}
	a, t := c.reals(x)
	s := a.Shape()
	labels := c.at(target, c.operand(target).DType)
	if ls := labels.Shape(); len(s) == 0 || !ls.Equal(s[:len(s)-1]) {
		c.fail("labels of shape "+ls.String()+" do not match logits of shape "+s.String(),
			"the shape of the labels is that of the logits without the last axis, the classes")
	}
	v := &lossCall{c: c, lossOptions: newLossOptions(c, opts), x: a, t: t}
	labels = c.expand(c.convert(labels, dtype.I64), -1)
	classes := c.Iota(dtype.I64, len(s)-1, s...)
	isLabel := c.Eq(c.to(labels, s), classes)
	oneHot := c.Where(isLabel, c.Like(a, 1), c.Like(a, 0))
	inRange := c.Reduce(ir.ReduceOr, isLabel, len(s)-1)
	each := v.crossEntropy(oneHot)
	each = c.Where(inRange, each, math.NaN())
	if v.weights == nil || v.reduction != "mean" {
		return v.reduceLoss(each)
	}
	total := c.fold(ir.ReduceSum, v.weightClasses(oneHot), nil)
	return c.resultAs(c.Div(c.fold(ir.ReduceSum, each, nil), total), v.t)
}

// weightClasses returns p, with classes along the last axis, times the class weights.
func (v *lossCall) weightClasses(p expr.Value) expr.Value {
	if v.weights == nil {
		return p
	}
	c, s := v.c, p.Shape()
	w, ok := v.weights.(Tensor)
	if !ok {
		w = c.nested(reflect.ValueOf(v.weights), dtype.Options{DType: p.DType()})
	}
	if ws := w.Shape(); len(ws) != 1 || ws[0] != s[len(s)-1] {
		c.fail("class weights of shape "+ws.String()+" do not match "+plural(s[len(s)-1], "class", "classes"),
			"give a vector with a weight for each class")
	}
	return c.Mul(p, c.to(c.cast(w.t, p.DType()), s))
}

// A lossCall is a call of a loss function.
type lossCall struct {
	c *call
	lossOptions
	x, target expr.Value  // the operands in the dtype of the computation
	t         dtype.Typed // the type of the result
}

// newLossOptions returns the options of the call c.
func newLossOptions(c *call, opts []LossOption) lossOptions {
	o := lossOptions{reduction: "mean", delta: 1}
	for _, opt := range accepted(c.op, opts, c.xs...) {
		opt.loss(&o)
	}
	return o
}

// loss returns a call of the loss function op. It fails unless x and target have the same shape or one is a scalar.
func (l *Lib) loss(op string, x, target any, opts []LossOption) *lossCall {
	c := l.call(op, x, target)
	v := &lossCall{c: c, lossOptions: newLossOptions(c, opts)}
	if a, b := v.c.shapeOf(x), v.c.shapeOf(target); !a.Equal(b) && len(a) > 0 && len(b) > 0 {
		v.c.fail("shapes "+a.String()+" and "+b.String()+" differ, and losses do not broadcast",
			"make the shapes equal with nv.Reshape or nv.BroadcastTo")
	}
	v.x, v.target, v.t = v.c.realPair(x, target)
	return v
}

// shapeOf returns the shape of x, or nil if x is a number.
func (c *call) shapeOf(x any) Shape {
	if t, ok := x.(Tensor); ok {
		return t.t.Shape()
	}
	return nil
}

// sumClasses returns the sum of a along its last axis.
func (v *lossCall) sumClasses(a expr.Value) expr.Value {
	v.requireClasses(a)
	return v.c.Reduce(ir.ReduceSum, a, len(a.Shape())-1)
}

// requireClasses fails if a is a scalar, which has no axis of classes.
func (v *lossCall) requireClasses(a expr.Value) {
	if len(a.Shape()) == 0 {
		v.c.fail("a scalar has no axis of classes", "give classes along the last axis")
	}
}

// crossEntropy returns the sums along the last axis of -p*log(softmax(x)) for smoothed and
// weighted probabilities p. Terms with p = 0 are 0.
func (v *lossCall) crossEntropy(p expr.Value) expr.Value {
	c, s := v.c, v.x.Shape()
	v.requireClasses(v.x)
	if !(v.smoothing >= 0 && v.smoothing <= 1) {
		c.fail("the label smoothing is "+describe(v.smoothing), "give a number from 0 to 1")
	}
	if v.smoothing > 0 {
		p = c.Mul(p, 1-v.smoothing)
		p = c.Add(p, v.smoothing/float64(max(1, s[len(s)-1]))) // max: there may be no classes
	}
	p = v.weightClasses(p)
	a := c.subtractMax(v.x, keepAxes([]Axis{-1}))
	sum := c.Log(c.fold(ir.ReduceSum, c.Exp(a), keepAxes([]Axis{-1})))
	return v.sumClasses(c.MulNoNaN(p, c.Sub(c.to(sum, s), a)))
}

// reduceLoss applies the option Reduction to the losses of elements.
func (v *lossCall) reduceLoss(each expr.Value) Tensor {
	switch v.reduction {
	case "mean":
		each = v.c.mean(each, nil)
	case "sum":
		each = v.c.fold(ir.ReduceSum, each, nil)
	}
	return v.c.resultAs(each, v.t)
}
