package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

// This file is for package random: derivatives of draws whose algorithm has none.

// PathwiseGamma returns x, draws of the gamma distribution of shape a, with their
// derivative by a at a constant probability.
func (x Tensor) PathwiseGamma(a Tensor) Tensor { return x.pathwise(a, ops.GammaSlope) }

// PathwiseLogGamma returns x, logarithms of draws of the gamma distribution of shape a,
// with their derivative by a at a constant probability.
func (x Tensor) PathwiseLogGamma(a Tensor) Tensor { return x.pathwise(a, ops.LogGammaSlope) }

// PathwiseWald returns x, draws of the Wald distribution, with their derivative by the mean
// at a constant probability.
func (x Tensor) PathwiseWald(mean Tensor) Tensor { return x.pathwise(mean, ops.WaldSlope) }

// pathwise returns x with a derivative by p alone, which slope returns for p and x in f64.
func (x Tensor) pathwise(p Tensor, slope func(b expr.Builder, p, y expr.Value) expr.Value) Tensor {
	t := x.must("Pathwise")
	c := t.ctx.Unchecked().call("Pathwise", x, p)
	if !c.Traced([]expr.Value{p.t}) {
		return x
	}
	elementwise := func(b expr.Builder, v []expr.Value) []expr.Value { return []expr.Value{slope(b, v[0], v[1])} }
	return c.result(c.Derived(t, func(b expr.Builder, args []expr.Value, y expr.Value, tangents []expr.Value) expr.Value {
		s := b.Elementwise(elementwise, b.Convert(args[0], dtype.F64), b.Convert(y, dtype.F64))
		return b.MulNoNaN(tangents[0], b.Convert(s, y.DType()))
	}, p.t), t.amb)
}

// WithoutDerivative returns x, a parameter of what has no derivative by it: derivatives by
// x are an error with this reason and hint.
func (x Tensor) WithoutDerivative(reason, hint string) Tensor {
	t := x.must("WithoutDerivative")
	c := t.ctx.Unchecked().call("WithoutDerivative", x)
	if !c.Traced([]expr.Value{t}) || !t.DType().Is(dtype.Inexact) {
		return x
	}
	attrs := ir.CallAttrs{Reason: reason, Hint: hint}
	return c.result(c.All(ir.Call, attrs, []*ir.Graph{identity(t.arr.Type())}, t)[0], t.amb)
}
