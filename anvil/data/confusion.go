package data

import (
	"fmt"

	nv "github.com/goanvil/notebook/anvil"
)

// A Confusion is a confusion matrix that is counted batch by batch, on the device:
// Counts[i, j], i64, is how many examples of class i were predicted as class j.
type Confusion struct{ Counts nv.Tensor }

// NewConfusion returns a confusion matrix of zeros.
func NewConfusion(classes int) Confusion { return In(nv.Default()).NewConfusion(classes) }

// NewConfusion returns a confusion matrix of zeros, as the function NewConfusion does.
func (s Source) NewConfusion(classes int) Confusion {
	return Confusion{s.ctx.Zeros(nv.Shape{classes, classes}, nv.I64)}
}

// Add returns c with the examples of a batch added: logits are {n,classes}, labels {n},
// and a mask is {n}. The class with the greatest logit is the predicted one. Labels below
// 0 or beyond the last class do not count.
func (c Confusion) Add(logits, labels nv.Tensor, mask ...nv.Tensor) Confusion {
	classes := c.Counts.Shape()[0]
	if s := logits.Shape(); len(s) != 2 || s[1] != classes {
		panic(&nv.Error{Op: "data.Confusion.Add", Operands: logits.Type().String(),
			Reason: fmt.Sprintf("the logits do not have the shape {n,%d}", classes)})
	}
	predicted := nv.OneHot(logits.ArgMax(nv.Axis(1)), classes, nv.F32)
	if len(mask) > 0 {
		predicted = nv.Where(expandMask("Confusion.Add", mask[0], predicted), predicted, 0)
	}
	counts := nv.OneHot(labels, classes, nv.F32).Transpose().MatMul(predicted) // exact up to 2^24 examples
	return Confusion{c.Counts.Add(counts.AsType(nv.I64))}
}

// Accuracy returns the share of examples that were predicted correctly, f64{}.
func (c Confusion) Accuracy() nv.Tensor { return c.correct().Sum().Div(c.Counts.AsType(nv.F64).Sum()) }

// Precision returns, for each class, the share of correct ones among the examples
// predicted as that class, f64{classes}; 0 if there are none.
func (c Confusion) Precision() nv.Tensor { return c.share(nv.Axis(0)) }

// Recall returns, for each class, the share of its examples that were predicted
// correctly, f64{classes}; 0 if there are none.
func (c Confusion) Recall() nv.Tensor { return c.share(nv.Axis(1)) }

// F1 returns the harmonic mean of Precision and Recall for each class, f64{classes}; 0
// where both are 0.
func (c Confusion) F1() nv.Tensor {
	p, r := c.Precision(), c.Recall()
	sum := p.Add(r)
	return p.Mul(r).Mul(2).Div(nv.Where(sum.Eq(0), 1, sum))
}

// correct returns how many examples of each class were predicted correctly, f64{classes}.
func (c Confusion) correct() nv.Tensor { return c.Counts.Diagonal().AsType(nv.F64) }

// share returns correct divided by the sums of Counts along an axis, or 0 where a sum is 0.
func (c Confusion) share(axis nv.Axis) nv.Tensor {
	totals := c.Counts.AsType(nv.F64).Sum(axis)
	return c.correct().Div(nv.Where(totals.Eq(0), 1, totals))
}
