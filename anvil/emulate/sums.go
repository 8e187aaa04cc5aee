package emulate

import (
	"fmt"
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// wideMean returns the dtype in which a mean of d is computed: f32 for f16 and bf16, and i64 or ui64 for integers.
func wideMean(d dtype.DType) dtype.DType {
	if d == dtype.F16 {
		return dtype.F32
	}
	return tensorflowMean(d)
}

// tensorflowMean returns the dtype in which a mean of d is computed: f32 for bf16, and i64 or ui64 for integers.
func tensorflowMean(d dtype.DType) dtype.DType {
	switch {
	case d == dtype.BF16:
		return dtype.F32
	case d.Is(dtype.Signed):
		return dtype.I64
	case d.Is(dtype.Unsigned):
		return dtype.U64
	}
	return d
}

// f16InF32 returns the dtype in which a mean, a sum or a product of d is computed: f32 for f16.
func f16InF32(d dtype.DType) dtype.DType {
	if d == dtype.F16 {
		return dtype.F32
	}
	return d
}

// floatsInF64 returns f64 for floats, and otherwise d.
func floatsInF64(d dtype.DType) dtype.DType {
	if d.Is(dtype.Floating) {
		return dtype.F64
	}
	return d
}

// numpyReduce returns x reduced over axes. It rounds sums and products of bf16 after each element, as the package
// ml_dtypes does, which adds bf16 to NumPy.
func numpyReduce(c Call, code ir.Code, x expr.Value, axes []int) expr.Value {
	if x.DType() == dtype.BF16 && code == ir.ReduceSum {
		return c.InOrder(ir.Add, x, axes)
	}
	if x.DType() == dtype.BF16 && code == ir.ReduceProd {
		return c.InOrder(ir.Mul, x, axes)
	}
	return c.Build().Reduce(code, x, axes...)
}

// integerSumInF64 converts the sum of integers in a mean to f64, so that the mean is divided in f64.
func integerSumInF64(b expr.Builder, sum expr.Value) expr.Value {
	if sum.DType().Is(dtype.Integral) {
		return b.Convert(sum, dtype.F64)
	}
	return sum
}

// complexLeastCount returns the lower bound of the count by which a mean divides: 1 for complex dtypes, so that the
// mean of an empty tensor is 0/1 = 0, and otherwise 0.
func complexLeastCount(d dtype.DType) int {
	if d.Is(dtype.Complex) {
		return 1
	}
	return 0
}

// numpyRunning returns cumulative sums or products, computed in order. Sums start with -0, so that a sum of -0 is -0.
func numpyRunning(c Call, reduction ir.Code, x expr.Value, axis int) expr.Value {
	if reduction == ir.ReduceSum {
		minusZero := math.Copysign(0, -1)
		return c.RunInOrder(reduction, x, c.Build().Number(complex(minusZero, minusZero), x.DType()), axis)
	}
	return c.RunInOrder(reduction, x, nil, axis)
}

// torchRunning returns cumulative sums or products, computed in order: of c64 in c128, of f32 in f64, and of narrower
// floats in f32. Source: aten/src/ATen/AccumulateType.h.
func torchRunning(c Call, reduction ir.Code, x expr.Value, axis int) expr.Value {
	d := x.DType()
	wide := d
	switch {
	case d == dtype.C64:
		wide = dtype.C128
	case d == dtype.F32:
		wide = dtype.F64
	case d.Bits() < 32: // x is never an integer
		wide = dtype.F32
	}
	return c.Convert(c.RunInOrder(reduction, c.Convert(x, wide), nil, axis), d)
}

// inOrderRunning returns cumulative sums or products, computed in order.
func inOrderRunning(c Call, reduction ir.Code, x expr.Value, axis int) expr.Value {
	return c.RunInOrder(reduction, x, nil, axis)
}

// jaxRunning returns cumulative sums or products, combined by pairs as in associative_scan.
func jaxRunning(c Call, reduction ir.Code, x expr.Value, axis int) expr.Value {
	return c.RunByPairs(reduction, x, axis)
}

// jaxStd rounds the variance before it takes the square root.
func jaxStd(c Call) expr.Value { return c.Own(c.Convert(c.Args()[0], c.DType())) }

// lowerMedian returns the lesser of the two middle elements.
func lowerMedian(_ expr.Builder, low, _ expr.Value) expr.Value { return low }

// midpoint returns half the sum of the two middle elements. Unlike meanOfTwo it adds f16 in f16, where the sum may
// overflow.
func midpoint(b expr.Builder, low, high expr.Value) expr.Value { return b.Mul(b.Add(low, high), 0.5) }

// atLeastF64 is NumPy's Framework.Covariance. It returns the dtype of the mean promoted with f64.
func atLeastF64(sys *promote.System, mean dtype.Typed) (dtype.Typed, error) {
	return sys.Resolve(promote.Operand{Typed: mean, Rank: 1}, promote.Operand{Typed: promote.Known(dtype.F64), Rank: 1})
}

// torchEmpty reports whether operand 0 is empty and no axes were given. It fails, as PyTorch's function fn does, if a
// given axis has length 0.
func torchEmpty(c Call, fn string) bool {
	s, axes := c.At(0, c.Operand(0).DType).Shape(), c.Attrs().([]int)
	for _, axis := range axes {
		if s[axis] == 0 {
			c.Check(refusal(fn, "IndexError",
				fmt.Sprintf("%s(): Expected reduction dim %d to have non-zero size.", fn, axis)))
		}
	}
	return len(axes) == 0 && s.Size() == 0
}

// torchEmptyExtreme returns the rule for the maximum or minimum of an empty tensor of any dtype. The rule fails with f
// if the tensor is empty and no axes are given, and as torchEmpty does if a given axis has length 0. Otherwise it
// returns nil.
func torchEmptyExtreme(fn string, f Fault) Rule {
	return func(c Call) expr.Value {
		if torchEmpty(c, fn) {
			c.Fail(f)
		}
		return nil
	}
}

// torchEmptyPosition returns the rule for ArgMax or ArgMin of an empty tensor. The rule fails where that of
// torchEmptyExtreme fails, but leaves bools and complex numbers, which PyTorch rejects for their dtype, to another
// check.
func torchEmptyPosition(fn string, f Fault) Rule {
	return func(c Call) expr.Value {
		if !c.Operand(0).DType.Is(dtype.Boolean|dtype.Complex) && torchEmpty(c, fn) {
			c.Fail(f)
		}
		return nil
	}
}

// torchEmptyMedian is the rule for the median of an empty tensor: true, the least integer of its dtype, or nan. It
// returns nil for other tensors and if axes are given. It fails if a given axis has length 0.
func torchEmptyMedian(c Call) expr.Value {
	if !torchEmpty(c, "median") {
		return nil
	}
	d := c.Operand(0).DType
	var v any = math.NaN()
	switch {
	case d == dtype.I1:
		v = true
	case d.Is(dtype.Integral):
		v = math.Inf(-1)
	}
	return c.Build().Number(v, d)
}

// nonzeroReduction is the rule of Any and All. Elements other than 0 count as true.
func nonzeroReduction(c Call) expr.Value { return c.Own(isNonzero(c, c.Args()[0])) }

// nonzeroRealReduction is like nonzeroReduction, but complex elements count as true if their real part is not 0.
func nonzeroRealReduction(c Call) expr.Value { return c.Own(isNonzero(c, c.Build().Real(c.Args()[0]))) }

// neighboursDiffer is the rule by which Unique compares neighbours in the sorted elements: nan differs from nan.
func neighboursDiffer(c Call) expr.Value {
	xs := c.Args()
	return c.Build().Ne(xs[0], xs[1])
}
