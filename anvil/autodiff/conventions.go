package autodiff

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

// Conventions define the derivatives of operations at points where a derivative does not exist or is not unique.
// Operations that are not listed have the rules of package ops. A nil *Conventions means Anvil.
type Conventions struct {
	Name     string // must be unique: derived programs are cached by it
	Partials map[ir.Code]ops.Partial
	JVPs     map[ir.Code]ops.Linearized
	// Plain means that tangents are multiplied with partial derivatives in IEEE arithmetic, where 0 times
	// infinity is NaN. Otherwise a tangent of 0 gives 0.
	Plain bool
	// Conjugate means that the gradient with respect to a complex parameter x + iy is ∂f/∂x - i∂f/∂y, the
	// conjugate of anvil's.
	Conjugate bool
}

// Anvil are the conventions of package ops.
var Anvil = &Conventions{Name: "anvil"}

// JAX are the conventions of JAX 0.10.2.
var JAX = &Conventions{
	Name: "jax", Plain: true, Conjugate: true,
	JVPs: map[ir.Code]ops.Linearized{ir.Abs: absJAX},
	Partials: map[ir.Code]ops.Partial{
		ir.Clamp: clampJAX,
		ir.Atan2: atan2Quotients,
		ir.Hypot: func(b expr.Builder, i int, x []expr.Value, y expr.Value) expr.Value {
			// Where both operands are 0, JAX returns the greater of their absolute values. They are equal, so each has half
			// the gradient.
			return b.Where(b.Eq(y, 0), 0.5, b.Div(x[i], y))
		},
		ir.Pow: func(b expr.Builder, i int, x []expr.Value, y expr.Value) expr.Value {
			if i == 0 {
				return powBase(b, x)
			}
			p := ops.Lookup(ir.Pow).Partial(b, i, x, y)
			if p.DType().Is(dtype.Complex) {
				return p
			}
			// JAX multiplies x^y by log(1) where x is 0; for y < 0 that is infinity times 0.
			return b.Where(b.And(b.Eq(x[0], 0), b.Lt(x[1], 0)), math.NaN(), p)
		},
	},
}

// Torch are the conventions of PyTorch 2.15.0.
var Torch = &Conventions{
	Name: "torch", Plain: true,
	Partials: map[ir.Code]ops.Partial{
		ir.Max: func(b expr.Builder, i int, x []expr.Value, _ expr.Value) expr.Value {
			return extremeTorch(b, x, b.Lt(x[i], x[1-i]))
		},
		ir.Min: func(b expr.Builder, i int, x []expr.Value, _ expr.Value) expr.Value {
			return extremeTorch(b, x, b.Gt(x[i], x[1-i]))
		},
		ir.Clamp: func(b expr.Builder, i int, x []expr.Value, y expr.Value) expr.Value {
			if i != 1 {
				return ops.Lookup(ir.Clamp).Partial(b, i, x, y)
			}
			// Since PyTorch 2.14 the derivative at the bounds is 0.
			return b.Convert(b.And(b.Gt(x[1], x[0]), b.Lt(x[1], x[2])), y.DType())
		},
		ir.Hypot: hypotQuotients,
	},
}

// TensorFlow are the conventions of TensorFlow 2.21.0.
var TensorFlow = &Conventions{
	Name: "tensorflow", Plain: true,
	Partials: map[ir.Code]ops.Partial{
		ir.Max: func(b expr.Builder, i int, x []expr.Value, y expr.Value) expr.Value {
			return firstOrSecond(b, b.Ge(x[0], x[1]), i, y)
		},
		ir.Min: func(b expr.Builder, i int, x []expr.Value, y expr.Value) expr.Value {
			return firstOrSecond(b, b.Le(x[0], x[1]), i, y)
		},
		ir.Clamp: clampTensorFlow,
		ir.Atan2: atan2Quotients,
		ir.Hypot: hypotQuotients,
		ir.Pow: func(b expr.Builder, i int, x []expr.Value, y expr.Value) expr.Value {
			switch {
			case i == 0:
				return powBase(b, x)
			case y.DType().Is(dtype.Complex):
				return ops.Lookup(ir.Pow).Partial(b, i, x, y)
			}
			return b.Mul(y, b.Where(b.Gt(x[0], 0), b.Log(x[0]), 0))
		},
	},
}

// AllConventions returns the conventions of this package.
func AllConventions() []*Conventions { return []*Conventions{JAX, Torch, TensorFlow, Anvil} }

// partial returns the rule for the partial derivatives of an operation: that of c, or else that of package ops in row.
func (c *Conventions) partial(row *ops.Def, code ir.Code) ops.Partial {
	if c != nil && c.Partials[code] != nil {
		return c.Partials[code]
	}
	return row.Partial
}

// jvp returns the rule for forward mode of an operation: that of c, or else that of package ops in row.
func (c *Conventions) jvp(row *ops.Def, code ir.Code) ops.Linearized {
	if c != nil && c.JVPs[code] != nil {
		return c.JVPs[code]
	}
	return row.JVP
}

// absJAX multiplies the tangent by the sign of x, which is 1 at 0. For complex x it uses the rule of package ops.
func absJAX(b expr.Builder, n *ir.Node, x, y, t []expr.Value) []expr.Value {
	if x[0].DType().Is(dtype.Complex) {
		return ops.Lookup(ir.Abs).JVP(b, n, x, y, t)
	}
	return []expr.Value{b.Where(b.Ge(x[0], 0), t[0], b.Neg(t[0]))}
}

// clampJAX returns the partial derivative of Clamp, with the operands low, x and high, as the partial derivative of
// min(max(low, x), high). Equal operands of min and max have a derivative of 1/2 each.
func clampJAX(b expr.Builder, i int, x []expr.Value, y expr.Value) expr.Value {
	low, high := b.BroadcastTo(x[0], y.Shape()), b.BroadcastTo(x[2], y.Shape())
	larger := b.Binary(ir.Max, low, x[1])
	partial := func(code ir.Code, i int, x []expr.Value, result expr.Value) expr.Value {
		return ops.Lookup(code).Partial(b, i, x, result)
	}
	if i == 2 {
		return partial(ir.Min, 1, []expr.Value{larger, high}, y)
	}
	return b.Mul(partial(ir.Max, i, []expr.Value{low, x[1]}, larger), partial(ir.Min, 0, []expr.Value{larger, high}, y))
}

// clampTensorFlow returns the partial derivative of Clamp, with the operands low, x and high. It is 1 with respect to
// low where x < low, with respect to high where x > high and x >= low, and with respect to x where low <= x <= high.
// Elsewhere it is 0.
func clampTensorFlow(b expr.Builder, i int, x []expr.Value, y expr.Value) expr.Value {
	below, above := b.Lt(x[1], x[0]), b.Gt(x[1], x[2])
	switch i {
	case 0:
		return b.Convert(below, y.DType())
	case 2:
		return b.Convert(b.And(above, b.Not(below)), y.DType())
	}
	return b.Convert(b.And(b.Ge(x[1], x[0]), b.Le(x[1], x[2])), y.DType())
}

// atan2Quotients returns the partial derivative of Atan2 as a quotient by the sum of the squares of the operands, even
// where that is 0.
func atan2Quotients(b expr.Builder, i int, x []expr.Value, _ expr.Value) expr.Value {
	p := b.Div(x[1-i], b.Add(b.Square(x[0]), b.Square(x[1])))
	if i == 1 {
		return b.Neg(p)
	}
	return p
}

// hypotQuotients returns the partial derivative of Hypot as a quotient by the result y, even where that is 0.
func hypotQuotients(b expr.Builder, i int, x []expr.Value, y expr.Value) expr.Value {
	return b.Div(x[i], y)
}

// powBase returns the partial derivative of a power with respect to the base: exponent * base^(exponent-1), even
// where the exponent is 0.
func powBase(b expr.Builder, x []expr.Value) expr.Value {
	return b.Mul(x[1], b.Pow(x[0], b.Sub(x[1], 1)))
}

// extremeTorch returns the partial derivative of Max or Min with respect to one operand: 1/2 where the operands
// are equal, 0 where otherWins is true (the other operand is the result), and 1 elsewhere. If an operand is NaN,
// the partial derivatives with respect to both are 1.
func extremeTorch(b expr.Builder, x []expr.Value, otherWins expr.Value) expr.Value {
	return b.Where(b.Eq(x[0], x[1]), b.Like(x[0], 0.5), b.Where(otherWins, b.Like(x[0], 0), 1))
}

// firstOrSecond returns the partial derivative with respect to operand i, in the dtype of y: 1 for operand 0
// where first is true, 1 for operand 1 where it is false, and otherwise 0.
func firstOrSecond(b expr.Builder, first expr.Value, i int, y expr.Value) expr.Value {
	if i == 1 {
		first = b.Not(first)
	}
	return b.Convert(first, y.DType())
}
