package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/promote"
)

// anvil has no rules of its own: operations are computed as in the table.
var anvil = Framework{
	MeanDType:     sameDType,
	VarianceDType: sameDType,
	MomentDType:   sameDType,
	SumDType:      halvesInF32,
	MeanSum:       func(_ expr.Builder, sum expr.Value) expr.Value { return sum },
	LeastCount:    func(dtype.DType) int { return 0 },
	Median:        meanOfTwo,
	NaNMedian:     "linear",
	Covariance:    func(_ *promote.System, mean dtype.Typed) (dtype.Typed, error) { return mean, nil },
	LinearFlag:    func(_, promoted dtype.Typed) bool { return promoted.Ambiguous },
	Layer:         func(string, dtype.DType, dtype.DType) string { return "" },
}

func sameDType(d dtype.DType) dtype.DType { return d }

// halvesInF32 returns f32 for f16 and bf16, and otherwise d. A sum computed in f32 is rounded once, at the
// end; in f16 or bf16 XLA would round each partial sum.
func halvesInF32(d dtype.DType) dtype.DType {
	if d == dtype.F16 || d == dtype.BF16 {
		return dtype.F32
	}
	return d
}

// meanOfTwo returns the mean of low and high. It computes in f32 if they are f16, whose sum may overflow.
func meanOfTwo(b expr.Builder, low, high expr.Value) expr.Value {
	if d := low.DType(); d == dtype.F16 {
		return b.Convert(meanOfTwo(b, b.Convert(low, dtype.F32), b.Convert(high, dtype.F32)), d)
	}
	return b.Mul(b.Add(low, high), 0.5)
}
