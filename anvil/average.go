package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// Average returns the mean of x over axes with weights: sum(x * weights) / sum(weights). Weights broadcast to
// the shape of x; but if one axis is given, a vector of weights lies along it.
func (l *Lib) Average(x, weights any, opts ...ReduceOption) Tensor {
	c := l.call("Average", x, weights)
	t := c.inexact(c.arithmetic(x, weights))
	a, w := c.at(x, t.DType), c.at(weights, t.DType)
	opts = accepted("Average", opts, x, weights)
	_, axes, _ := c.reducedAxes(a, opts)
	s, ws := a.Shape(), w.Shape()
	if len(ws) == 1 && len(s) > 1 && len(axes) == 1 {
		if ws[0] != s[axes[0]] {
			c.fail(plural(ws[0], "weight is", "weights are")+" given for axis "+itoa(axes[0])+" of length "+itoa(s[axes[0]]),
				"give one weight for each element along the axis")
		}
		w = c.alignTo(w, axes[0], s)
	}
	if got, ok := broadcastShapes(w.Shape(), s); !ok || !got.Equal(s) {
		c.fail("weights of shape "+ws.String()+" do not broadcast to "+s.String(),
			"give weights of the shape of x, or one axis and a vector along it")
	}
	w = c.to(w, s)
	d := c.framework.MeanDType(t.DType)
	a, w = c.convert(a, d), c.convert(w, d)
	sum := c.fold(ir.ReduceSum, c.Mul(a, w), opts)
	mean := c.Div(sum, c.fold(ir.ReduceSum, w, opts))
	return c.result(c.convert(mean, t.DType), t.Ambiguous)
}

// Cov returns the covariances of the rows of x, each a variable with one observation per column: result[i, j]
// = sum over k of (x[i, k] - mean of row i) * (x[j, k] - mean of row j), divided by the number of columns
// minus 1, or minus n with the option Correction(n). The second factor is conjugated if x is complex. For a
// vector Cov returns the variance.
func (l *Lib) Cov(x any, opts ...ReduceOption) Tensor {
	c := l.call("Cov", x)
	t := c.covarianceType(x)
	a := c.at(x, t.DType)
	correction := 1
	if r := reduceOptionsOf(accepted("Cov", opts, x)); r.correction != nil {
		correction = int(*r.correction)
	}
	c.checkVariables(a)
	cov := c.covariance(c.convert(a, wide(t.DType)), correction)
	return c.result(c.convert(cov, t.DType), t.Ambiguous)
}

// covarianceType returns the dtype of a covariance of x: the dtype of the mean of x, but at least f64 under NumPy.
func (c *call) covarianceType(x any) dtype.Typed {
	t, err := c.framework.Covariance(c.sys, c.reductionType(promote.Mean, x))
	c.check(err)
	return t
}

// checkVariables fails if a has more than two axes.
func (c *call) checkVariables(a expr.Value) {
	if len(a.Shape()) > 2 {
		c.fail("the operand must be a matrix, whose rows are variables, or a vector",
			"reshape x to a matrix with a row for each variable")
	}
}

// covariance returns the covariances of the rows of a, or the variance of a vector a: sums of products divided
// by the number of columns minus correction, or by leastDivisor if that is greater.
func (c *call) covariance(a expr.Value, correction int) expr.Value {
	vector := len(a.Shape()) < 2
	if vector {
		a = c.reshape(a, Shape{1, a.Shape().Size()})
	}
	s := a.Shape()
	mean := c.mean(a, []ReduceOption{Axis(1), KeepDims})
	a = c.Sub(a, c.to(mean, s))
	sum := c.contract(a, c.Conj(a), []int{1}, []int{1})
	sum = c.Div(sum, max(leastDivisor(sum.DType()), s[1]-correction))
	if vector {
		return c.reshape(sum, Shape{})
	}
	return sum
}

// CorrCoef returns the correlations of the rows of x: their covariances (see Cov) divided by the standard
// deviations of both rows, 1 on the diagonal up to rounding. A row of equal elements gives NaN. For a vector CorrCoef
// returns the scalar 1, or NaN if the elements are equal. Complex operands are an error.
func (l *Lib) CorrCoef(x any) Tensor {
	c := l.call("CorrCoef", x)
	t := c.covarianceType(x)
	c.requireReal(t.DType)
	if !t.DType.Is(dtype.Inexact) {
		c.fail("the covariances of integers are integers under this system", "convert x to a float with AsType")
	}
	a := c.at(x, t.DType)
	c.checkVariables(a)
	v := c.covariance(c.convert(a, wide(t.DType)), 1)
	s := v.Shape()
	if len(s) == 0 {
		return c.result(c.convert(c.Div(v, v), t.DType), t.Ambiguous) // 1, or NaN if v is 0
	}
	std := c.Sqrt(asTensor(v).Diagonal().t)
	v = c.Div(c.Div(v, c.alignTo(std, 0, s)), c.to(std, s))
	return c.result(c.convert(c.Do(ir.Clamp, nil, c.Like(v, -1), v, c.Like(v, 1)), t.DType), t.Ambiguous)
}
