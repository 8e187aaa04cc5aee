package anvil

import (
	"math"
	"reflect"

	"github.com/goanvil/notebook/anvil/dtype"
)

// Blank returns the option that sets the blank class of CTCLoss. The default is 0.
func Blank(class int) LossOption {
	return lossOption{"Blank", func(o *lossOptions) { o.blank = class }}
}

// InputLengths returns the option that sets the number of steps of each sequence of
// CTCLoss, a vector or slice of integers. The default is all steps.
func InputLengths(n any) LossOption {
	return lossOption{"InputLengths", func(o *lossOptions) { o.steps = n }}
}

// LabelLengths returns the option that sets the number of labels of each sequence of
// CTCLoss, a vector or slice of integers. The default is all labels.
func LabelLengths(n any) LossOption {
	return lossOption{"LabelLengths", func(o *lossOptions) { o.labels = n }}
}

// CTCLoss returns the connectionist temporal classification loss. The loss of a sequence is
// minus the logarithm of the probability that its steps, after merging repeated classes and
// removing blanks, give its labels; it is infinity if the steps cannot give the labels. x are
// logits or logarithms of probabilities with axes (batch, steps, classes), labels are
// integers with axes (batch, labels). InputLengths and LabelLengths set the lengths of
// sequences, Blank the blank class. As in PyTorch, the mean first divides the loss of each
// sequence by the number of its labels. The loss of a sequence with a label out of range is nan;
// labels past its length do not count. Source: Graves et al., "Connectionist Temporal
// Classification" (ICML 2006).
func (l *Lib) CTCLoss(x, labels any, opts ...LossOption) Tensor {
	c := l.call("CTCLoss", x, labels)
	v := &lossCall{c: c, lossOptions: newLossOptions(c, opts)}
	v.x, v.t = c.reals(x)
	s, y := v.x.Shape(), c.operand(labels)
	if !y.DType.Is(dtype.Integral) {
		c.fail("labels are "+y.DType.String()+" and must be integers", "convert them with AsType(nv.I32)")
	}
	ls := c.at(labels, y.DType).Shape()
	if len(s) != 3 || len(ls) != 2 || ls[0] != s[0] {
		c.fail("logits of shape "+s.String()+" do not match labels of shape "+ls.String(),
			"logits have axes (batch, steps, classes), labels (batch, labels); ExpandDims(0) makes a batch of one")
	}
	if v.blank < 0 || v.blank >= s[2] {
		c.fail("the blank class "+itoa(v.blank)+" is out of range: there are "+itoa(s[2])+" classes",
			"count from 0 in nv.Blank")
	}
	p := ctc{lib: c.ctx.Unchecked(), batch: s[0], steps: s[1], states: 2*ls[1] + 1}
	p.inputLengths = v.lengths("InputLengths", v.steps, s[0], s[1])
	p.labelLengths = v.lengths("LabelLengths", v.labels, s[0], ls[1])
	lib, classes := p.lib, asTensor(c.convert(c.at(labels, y.DType), dtype.I32))
	used := lib.Lt(lib.Iota(ls, 1, I32), lib.ExpandDims(p.labelLengths, 1))
	inRange := lib.And(lib.Ge(classes, 0), lib.Lt(classes, s[2]))
	each := p.loss(asTensor(v.x), lib.Where(lib.And(used, inRange), classes, v.blank), v.blank)
	each = lib.Where(lib.Any(lib.AndNot(used, inRange), Axis(1)), math.NaN(), each)
	if v.reduction == "mean" {
		each = p.lib.Div(each, p.lib.AsType(p.lib.Maximum(p.labelLengths, 1), each.DType()))
	}
	return v.reduceLoss(each.t)
}

// lengths returns given, the value of the option with the given name, as a vector of n
// lengths, one for each sequence, clamped to the range from 0 to most. If the option is not
// given, all lengths are most.
func (v *lossCall) lengths(name string, given any, n, most int) Tensor {
	c := v.c
	if given == nil {
		return c.ctx.Unchecked().Full(Shape{n}, most, I32)
	}
	counts, ok := given.(Tensor)
	if !ok {
		counts = c.nested(reflect.ValueOf(given), dtype.Options{DType: I32})
	}
	ty := counts.must(c.op).arr.Type()
	if !ty.DType.Is(dtype.Integral) || !ty.Shape.Equal(Shape{n}) {
		c.fail(name+" are "+ty.String(), "give one integer for each sequence: "+itoa(n)+" in all")
	}
	lib := c.ctx.Unchecked()
	return lib.AsType(lib.Clamp(counts, 0, most), I32)
}

// A ctc is the forward algorithm of CTCLoss: the states of a sequence are its labels with a blank before,
// between and after them. Each step computes the logarithms of the states' probabilities from those of the
// previous step.
type ctc struct {
	lib                        *Lib
	batch, steps, states       int
	inputLengths, labelLengths Tensor // vectors with a length for each sequence
}

// loss returns the loss of each sequence.
func (p ctc) loss(x, labels Tensor, blank int) Tensor {
	lib := p.lib
	impossible := lib.Full(Shape{p.batch, p.states}, math.Inf(-1), x.DType())
	states := lib.Iota(Shape{p.batch, p.states}, 1, I32)
	blanks := lib.Full(Shape{p.batch, p.states}, blank, I32)
	classes := blanks // the class of each state
	if p.states > 1 {
		// Element s of twice is label s/2, so the odd states are the labels.
		twice := lib.Repeat(lib.Pad(labels, Shape{0, 0}, Shape{0, 1}, blank), 2, Axis(1))
		classes = lib.Where(lib.Eq(lib.Rem(states, 2), 1), twice.At(All, Range(0, p.states)), blanks)
	}
	// If a label differs from the previous label, two states before it, the path may leave out the blank between them.
	skips := lib.And(lib.Ne(classes, blanks), lib.Ne(classes, p.shiftStates(classes, 2, blanks)))
	indices := lib.BroadcastTo(lib.ExpandDims(classes, 1), Shape{p.batch, p.steps, p.states})
	logs := lib.TakeAlongAxis(lib.LogSoftmax(x), indices, 2)
	start := lib.Where(lib.Eq(states, 0), 0, impossible) // before the first step, each sequence is in state 0
	type step struct{ Logs, I Tensor }
	xs := step{lib.MoveAxis(logs, 1, 0), lib.Arange(p.steps, I32)}
	end, _ := lib.ctx.ScanAny(start, xs, func(a Tensor, at step) (Tensor, []Tensor) {
		sum := lib.LogAddExp(a, p.shiftStates(a, 1, impossible))
		sum = lib.LogAddExp(sum, lib.Where(skips, p.shiftStates(a, 2, impossible), impossible))
		next := lib.Add(sum, at.Logs)
		return lib.Where(lib.ExpandDims(lib.Lt(at.I, p.inputLengths), 1), next, a), nil
	})
	last := lib.ExpandDims(lib.Mul(p.labelLengths, 2), 1)
	final := lib.Or(lib.Eq(states, last), lib.Eq(states, lib.Sub(last, 1))) // the last blank or the last label
	return lib.Neg(lib.LogSumExp(lib.Where(final, end, impossible), Axis(1)))
}

// shiftStates returns a with its states moved n places towards the end. The first n states
// are those of start.
func (p ctc) shiftStates(a Tensor, n int, start Tensor) Tensor {
	n = min(n, p.states)
	return p.lib.Concatenate(1, start.At(All, Range(0, n)), a.At(All, Range(0, p.states-n)))
}
