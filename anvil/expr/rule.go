package expr

import (
	"math"

	"github.com/goanvil/notebook/anvil/ir"
)

// A Tracer is an Emitter that knows whether values belong to a function that is being
// traced. The derivative of such a function may be needed.
type Tracer interface {
	// Traced reports whether any of args belongs to a function that is being traced.
	Traced(args []Value) bool
}

// Rule returns the results of body for args. Their derivative is given by tangent, which takes args, the
// results and the tangents of args, and returns the tangents of the results. All of these are floats or
// complex numbers. If none of args belongs to a function that is being
// traced, Rule only calls body.
func (b Builder) Rule(body, tangent Function, args ...Value) []Value {
	if t, ok := b.to.(Tracer); !ok || !t.Traced(args) {
		return body(b, args)
	}
	types := typesOf(args)
	f := b.Region(types, body)
	inputs := types[:len(types):len(types)]
	for _, y := range f.Outputs {
		inputs = append(inputs, y.Type)
	}
	regions := []*ir.Graph{f, graphOf(b.infer, append(inputs, types...), tangent, true)}
	return b.All(ir.Call, ir.CallAttrs{Rule: true}, regions, args...)
}

// StopGradient returns x, with a derivative of 0.
func (b Builder) StopGradient(x Value) Value {
	return b.Rule(func(_ Builder, args []Value) []Value { return args },
		func(b Builder, args []Value) []Value {
			return []Value{b.Number(0, args[0].DType(), args[0].Shape()...)}
		}, x)[0]
}

// Elementwise returns the result of body for args. body must be an elementwise function of floats of one
// dtype and shape. Since the derivative is computed from the partial derivatives of body, body may have loops
// without a bound. If none of args belongs to a function that is being traced, Elementwise
// only calls body.
func (b Builder) Elementwise(body Function, args ...Value) Value {
	if t, ok := b.to.(Tracer); !ok || !t.Traced(args) {
		return body(b, args)[0]
	}
	return b.All(ir.Call, ir.CallAttrs{Elementwise: true}, []*ir.Graph{b.Region(typesOf(args), body)}, args...)[0]
}

// Integral is Elementwise of a body whose partial derivative with respect to the last of args is density, an
// elementwise function of args too. It is used for a derivative of any order that involves the last of args, where the
// derivative of body would be less accurate.
func (b Builder) Integral(body, density Function, args ...Value) Value {
	if t, ok := b.to.(Tracer); !ok || !t.Traced(args) {
		return body(b, args)[0]
	}
	types := typesOf(args)
	regions := []*ir.Graph{b.Region(types, body), b.Region(types, density)}
	return b.All(ir.Call, ir.CallAttrs{Elementwise: true}, regions, args...)[0]
}

// Derived returns y, which was computed from args. Its derivative is given by tangent instead of the
// operations that computed y: tangent takes args, y and the tangents of args, and returns the tangent of y.
func (b Builder) Derived(
	y Value, tangent func(b Builder, args []Value, y Value, t []Value) Value, args ...Value) Value {
	// The body of the rule takes args and y, and returns y. The tangent of the rule gets args and y, then
	// the result, which is y again, then the tangents of args and y.
	n := len(args)
	return b.Rule(func(_ Builder, args []Value) []Value { return args[n:] },
		func(b Builder, v []Value) []Value { return []Value{tangent(b, v[:n:n], v[n+1], v[n+2:2*n+2])} },
		append(args[:n:n], y)...)[0]
}

// Norm returns the square root of v, a sum of squares. The derivative at 0 is 0, so that the numbers
// that were squared get the subgradient of least norm.
func (b Builder) Norm(v Value) Value {
	return b.Rule(func(b Builder, args []Value) []Value { return []Value{b.Sqrt(args[0])} },
		func(b Builder, args []Value) []Value { // args: v, the root and the tangent of v
			zero := b.Eq(args[0], 0)
			return []Value{b.MulNoNaN(args[2], b.Where(zero, 0, b.Div(0.5, b.Where(zero, 1, args[1]))))}
		}, v)[0]
}

// LogAddExp returns log(exp(x) + exp(y)), computed as the greater operand plus log(1 + exp(-|x-y|)). Where x
// and y are equal, the result is x + log(2), since the difference of equal infinities is NaN. The derivatives
// with respect to x and y are exp(x) and exp(y) divided by their sum, or 0 where the sum is 0.
func (b Builder) LogAddExp(x, y Value) Value {
	return b.Rule(func(b Builder, args []Value) []Value {
		x, y := args[0], args[1]
		sum := b.Add(b.Max(x, y), b.Log1p(b.Exp(b.Neg(b.Abs(b.Sub(x, y))))))
		return []Value{b.Where(b.Eq(x, y), b.Add(x, math.Ln2), sum)}
	}, func(b Builder, args []Value) []Value { // args: x, y, the result and the tangents of x and y
		x, y := args[0], args[1]
		infinite := b.And(b.Eq(x, y), b.Eq(b.Abs(x), math.Inf(1)))
		difference := b.Sub(b.Where(infinite, 0, x), b.Where(infinite, 0, y))
		// positiveSum is 1 where exp(x) + exp(y) is positive before it is rounded, and 0 where x and y are -Inf.
		positiveSum := b.Convert(b.Gt(b.Max(x, y), math.Inf(-1)), x.DType())
		return []Value{b.Add(b.MulNoNaN(args[3], b.Mul(positiveSum, b.Unary(ir.Logistic, difference))),
			b.MulNoNaN(args[4], b.Mul(positiveSum, b.Unary(ir.Logistic, b.Neg(difference)))))}
	}, x, y)[0]
}
