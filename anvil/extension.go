package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/internal/extension"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

// This file has operations that are used only by other packages of this module, such as random and nn.

// init sets the functions of package extension.
func init() {
	pathwise := func(slope func(b expr.Builder, p, y expr.Value) expr.Value) func(x, p any) any {
		return func(x, p any) any { return x.(Tensor).pathwise(p.(Tensor), slope) }
	}
	extension.PathwiseGamma, extension.PathwiseLogGamma, extension.PathwiseWald =
		pathwise(ops.GammaSlope), pathwise(ops.LogGammaSlope), pathwise(ops.WaldSlope)
	extension.WithoutDerivative = func(x any, reason, hint string) any {
		return x.(Tensor).withoutDerivative(reason, hint)
	}
	extension.Enter = func(x any, layer string) func() { return x.(Tensor).must(layer).ctx.session.Enter(layer) }
	extension.Frozen = func(op string, tree, opts any) []bool { return frozenBy(op, tree, opts.([]GradOption)) }
	extension.Truncate = func(op string, x any, d DType) any { return truncate(op, x.(Tensor), d) }
}

// pathwise returns x as a function of p, whose derivative with respect to p is slope(p, x), computed
// in f64. x has no other derivative.
func (x Tensor) pathwise(p Tensor, slope func(b expr.Builder, p, y expr.Value) expr.Value) Tensor {
	t := x.must("Pathwise")
	c := t.ctx.Unchecked().call("Pathwise", x, p)
	if !c.Traced([]expr.Value{p.t}) {
		return x
	}
	elementwise := func(b expr.Builder, v []expr.Value) []expr.Value {
		return []expr.Value{slope(b, v[0], v[1])}
	}
	tangent := func(b expr.Builder, args []expr.Value, y expr.Value, tangents []expr.Value) expr.Value {
		s := b.Elementwise(elementwise, b.Convert(args[0], dtype.F64), b.Convert(y, dtype.F64))
		return b.MulNoNaN(tangents[0], b.Convert(s, y.DType()))
	}
	return c.result(c.Derived(t, tangent, p.t), t.amb)
}

// withoutDerivative returns x as a value whose derivative cannot be taken: an attempt fails with the given reason and
// hint.
func (x Tensor) withoutDerivative(reason, hint string) Tensor {
	t := x.must("WithoutDerivative")
	c := t.ctx.Unchecked().call("WithoutDerivative", x)
	if !c.Traced([]expr.Value{t}) || !t.DType().Is(dtype.Inexact) {
		return x
	}
	attrs := ir.CallAttrs{Reason: reason, Hint: hint}
	return c.result(c.All(ir.Call, attrs, []*ir.Graph{identity(t.arr.Type())}, t)[0], t.amb)
}

// CompilerLog1p is Log1p as the device's compiler computes it, bit for bit. jax.random uses this Log1p.
func (x Tensor) CompilerLog1p() Tensor {
	c := x.must("Log1p").ctx.call("Log1p", x)
	c.row = rowLog1p
	t := c.floatDType()
	return c.result(c.Do(ir.Log1p, ir.CompilerAttrs{}, c.at(x, t.DType)), t.Ambiguous)
}

// Threefry returns the random words that the cipher Threefry-2x32 computes, elementwise, from the keys x
// and the counters. Both are u64 of one shape; an element holds two words of 32 bits, the first in the high
// half. Package random uses it.
func (x Tensor) Threefry(counter Tensor) Tensor {
	c := x.must("Threefry").ctx.call("Threefry", x, counter)
	return c.result(c.Do(ir.Threefry, nil, c.at(x, x.DType()), c.at(counter, counter.DType())), false)
}

// OptimizationBarrier returns x behind a barrier that hides from the compiler how x is computed. Without the barrier,
// the time that the compiler takes to analyze an operand shared by many operations, for example to find the operand's
// sign, doubles with each operation.
func (x Tensor) OptimizationBarrier() Tensor {
	c := x.must("OptimizationBarrier").ctx.call("OptimizationBarrier", x)
	t := c.at(x, x.DType())
	return c.result(c.Do(ir.OptimizationBarrier, nil, t), x.Ambiguous())
}
