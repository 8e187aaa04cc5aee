package data

import (
	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// A Mean is a mean of values that are added batch by batch. The sum stays on the device, so that
// Add does not wait for its computation. Sum is f64{} and Count is i64{}; the zero Mean has no values.
//
//	m = m.Add(data.Correct(logits, b.Y), b.Mask)
//
// A Mean can be an argument and a result of a compiled step; start with NewMean then, so
// that all calls have the same types.
type Mean struct{ Sum, Count nv.Tensor }

// NewMean returns a mean without values.
func NewMean() Mean { return In(nv.Default()).NewMean() }

// NewMean returns a mean without values, as the function NewMean does.
func (s Source) NewMean() Mean {
	return Mean{s.ctx.Zeros(nil, nv.F64), s.ctx.Zeros(nil, nv.I64)}
}

// Add returns m with values added: real numbers, or bools, which count as 0 and 1. The
// shape of mask is the beginning of that of values, such as {8} for {8,3}; where mask is false, values do not count.
func (m Mean) Add(values nv.Tensor, mask ...nv.Tensor) Mean {
	if values.DType().Is(dtype.Complex) {
		panic(&nv.Error{Op: "data.Mean.Add", Operands: values.Type().String(), Reason: "the values are complex",
			Hint: "add nv.Abs(values), or nv.Real and nv.Imag separately"})
	}
	v := values.AsType(nv.F64)
	count := v.Context().New(int64(v.Size()))
	if len(mask) > 0 {
		keep := expandMask("Mean.Add", mask[0], values)
		v, count = nv.Where(keep, v, 0), keep.AsType(nv.I64).Sum()
	}
	sum := v.Sum()
	if m.Sum.Valid() {
		sum, count = m.Sum.Add(sum), m.Count.Add(count)
	}
	return Mean{sum, count}
}

// expandMask returns mask, which has the first axes of v, broadcast to the shape of v.
func expandMask(op string, mask, v nv.Tensor) nv.Tensor {
	s, t := v.Shape(), mask.Shape()
	if mask.DType() != nv.I1 || len(t) > len(s) || !t.Equal(s[:len(t)]) {
		panic(&nv.Error{Op: "data." + op, Operands: v.Type().String() + ", " + mask.Type().String(),
			Reason: "the mask does not fit the values",
			Hint:   "give a bool tensor with the first axes of the values, such as {8} for values {8,3}"})
	}
	aligned := t.Clone()
	for range len(s) - len(t) {
		aligned = append(aligned, 1)
	}
	return mask.Reshape(aligned).BroadcastTo(s)
}

// Value returns the mean, f64{}, or NaN if there are no values.
func (m Mean) Value() nv.Tensor {
	if !m.Sum.Valid() {
		return nv.Scalar(0.0, nv.F64).Div(nv.Scalar(0.0, nv.F64))
	}
	return m.Sum.Div(m.Count)
}

// Correct returns, for each row of logits, {n,classes}, whether its greatest element is at
// the row's label: i1{n} for labels {n}. The mean of the result is the accuracy.
func Correct(logits, labels nv.Tensor) nv.Tensor {
	return logits.ArgMax(nv.Axis(-1)).Eq(labels)
}
