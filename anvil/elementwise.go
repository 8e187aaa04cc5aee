package anvil

import (
	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/promote"
)

// Div returns x / y, elementwise, by the promotion system's division rule. Anvil's rule truncates quotients of
// integers toward zero, as Go does; other systems return the true quotient. TrueDiv returns the true quotient
// under every system. Division of an integer by zero gives -1, all bits set, as XLA defines it.
func (l *Lib) Div(x, y any, opts ...BinaryOption) Tensor {
	c := l.call("Div", x, y).with(opts)
	if c.opts != nil && c.opts.rounding != "" {
		return c.rounded(x, y)
	}
	t, ok := c.operationType(x, y)
	if !ok {
		t = c.sys.Division(c.common(x, y))
	}
	return c.binaryResult(ir.Div, nil, t, x, y)
}

// TrueDiv returns x / y, elementwise, as a float even if both are integers.
func (l *Lib) TrueDiv(x, y any, opts ...BinaryOption) Tensor {
	c := l.call("TrueDiv", x, y).with(opts)
	return c.binaryResult(ir.Div, nil, c.inexact(c.arithmetic(x, y)), x, y)
}

// FloorDiv returns x / y, elementwise, rounded toward negative infinity. It rounds the exact quotient, as Python
// does: FloorDiv(1, 0.1) is 9, because the float 0.1 is slightly greater than a tenth. Under TensorFlow it rounds
// the quotient that is already rounded to a float, which gives 10.
func (l *Lib) FloorDiv(x, y any, opts ...BinaryOption) Tensor {
	c := l.call("FloorDiv", x, y).with(opts)
	t := c.arithmetic(x, y)
	return c.result(c.floorDiv(t.DType, x, y), t.Ambiguous)
}

// floorDiv returns x / y at dtype d, rounded toward negative infinity.
func (c *call) floorDiv(d dtype.DType, x, y any) expr.Value {
	c.refuse(emulate.DivideByZero, ir.EQ, y, d)
	a, b := c.match(d, x, y)
	return c.emulated("FloorDiv", d, []any{x, y}, func(args ...expr.Value) expr.Value {
		a, b := c.convert(args[0], wide(d)), c.convert(args[1], wide(d))
		return c.convert(c.FloorDiv(a, b), d)
	}, a, b)
}

// Rem returns the remainder of x / y, elementwise. The remainder has the sign of x, like Go's %. Under the systems of
// Python libraries it has the sign of y.
func (l *Lib) Rem(x, y any, opts ...BinaryOption) Tensor {
	c := l.call("Rem", x, y).with(opts)
	t := c.arithmetic(x, y)
	c.refuse(emulate.DivideByZero, ir.EQ, y, t.DType)
	return c.binaryResult(ir.Rem, nil, t, x, y)
}

// Pow returns x to the power y, elementwise. For a small constant integer y, the power is computed by multiplication.
func (l *Lib) Pow(x, y any, opts ...BinaryOption) Tensor {
	c := l.call("Pow", x, y).with(opts)
	promoted, y := c.exponent(y)
	t := c.arithmetic(x, promoted)
	if v, ok := literalOf(y).(bool); ok && t.DType == dtype.I1 {
		// As in PyTorch: x to the power true is x, and x to the power false is true.
		a := c.at(x, t.DType)
		if !v {
			a = c.Like(a, true)
		}
		return c.result(a, t.Ambiguous)
	}
	if t.DType.Is(dtype.Signed) {
		c.refuse(emulate.NegativePower, ir.LT, y, t.DType)
	}
	return c.result(c.emulated("Pow", t.DType, []any{x, y}, func(args ...expr.Value) expr.Value {
		if n, ok := literalOf(y).(int); ok && n >= 1 && n <= mostProducts {
			return c.Power(c.at(x, t.DType), n)
		}
		return c.elementwise(ir.Pow, nil, c.at(x, t.DType), c.at(y, t.DType))
	}), t.Ambiguous)
}

// mostProducts is the greatest constant exponent for which Pow multiplies instead of calling ir.Pow.
const mostProducts = 8

// Atan2 returns the angle, in radians, of the point with the ordinate x and the abscissa y, elementwise.
func (l *Lib) Atan2(x, y any, opts ...BinaryOption) Tensor {
	c := l.call("Atan2", x, y).with(opts)
	return c.binaryResult(ir.Atan2, nil, c.inexact(c.arithmetic(x, y)), x, y)
}

// Xor returns x ^ y, elementwise: bitwise of integers, logical of bools.
func (l *Lib) Xor(x, y any, opts ...BinaryOption) Tensor {
	c := l.call("Xor", x, y).with(opts)
	t := c.arithmetic(x, y)
	if t.DType.Is(dtype.Inexact) {
		c.fail("^ is the exclusive or of integers and bools, not of "+t.DType.String(), "nv.Pow(x, y) is the power")
	}
	return c.binaryResult(ir.Xor, nil, t, x, y)
}

// AndNot returns x &^ y, elementwise: the bits of x that are not set in y.
func (l *Lib) AndNot(x, y any, opts ...BinaryOption) Tensor {
	c := l.call("AndNot", x, y).with(opts)
	t := c.arithmetic(x, y)
	a, b := c.match(t.DType, x, y)
	return c.result(c.And(a, c.Not(b)), t.Ambiguous)
}

// Shl returns x << y, elementwise; 0 if y is at least the width of x.
func (l *Lib) Shl(x, y any, opts ...BinaryOption) Tensor {
	c := l.call("Shl", x, y).with(opts)
	return c.binaryResult(ir.ShiftLeft, nil, c.arithmetic(x, y), x, y)
}

// Shr returns x >> y, elementwise: arithmetic for signed x, logical for unsigned x.
func (l *Lib) Shr(x, y any, opts ...BinaryOption) Tensor {
	c := l.call("Shr", x, y).with(opts)
	t, code := c.arithmetic(x, y), ir.ShiftRightArithmetic
	if t.DType.Is(dtype.Unsigned) {
		code = ir.ShiftRightLogical
	}
	return c.binaryResult(code, nil, t, x, y)
}

// Complex returns x + y*i, elementwise.
func (l *Lib) Complex(x, y any) Tensor {
	c := l.call("Complex", x, y)
	t := c.inexact(c.common(x, y))
	a, b := c.match(t.DType, x, y)
	return c.result(c.Complex(a, b), t.Ambiguous)
}

// Where returns a where cond holds and b elsewhere, elementwise.
func (l *Lib) Where(cond, a, b any) Tensor {
	c := l.call("Where", cond, a, b)
	t := c.arithmetic(a, b)
	return c.result(c.emulated("Where", t.DType, c.xs, func(args ...expr.Value) expr.Value {
		if args == nil {
			if d := c.operand(cond).DType; d != dtype.I1 {
				c.fail("the condition is "+d.String()+", not i1", "compare it: cond.Ne(0)")
			}
			args = []expr.Value{c.at(cond, dtype.I1), c.at(a, t.DType), c.at(b, t.DType)}
		}
		s := c.broadcast(args...)
		return c.Where(c.to(args[0], s), c.to(args[1], s), c.to(args[2], s))
	}), t.Ambiguous)
}

// Clamp returns x limited to the range from low to high, elementwise. Under anvil the bounds take the dtype
// of x.
func (l *Lib) Clamp(x, low, high any) Tensor {
	c := l.call("Clamp", x, low, high)
	t, ok := c.operationType(x, low, high)
	low, high = c.bounds(low, high)
	if !ok {
		t = c.common(x, low, high)
	}
	return c.result(c.emulated("Clamp", t.DType, []any{x, low, high}, func(args ...expr.Value) expr.Value {
		if args == nil {
			if d := c.operand(x).DType; t.DType != d {
				c.fail("the bounds would convert x from "+d.String()+" to "+t.DType.String(),
					"convert x or the bounds with AsType")
			}
			args = []expr.Value{c.at(x, t.DType), c.at(low, t.DType), c.at(high, t.DType)}
		}
		s := c.broadcast(args...)
		return c.Do(ir.Clamp, nil, c.to(args[1], s), c.to(args[0], s), c.to(args[2], s))
	}), t.Ambiguous)
}

// binary returns the result of an operation on x and y at their common dtype.
func (l *Lib) binary(op string, code ir.Code, x, y any, opts []BinaryOption) Tensor {
	c := l.call(op, x, y)
	if len(opts) > 0 {
		c.with(opts)
	}
	t := c.arithmetic(x, y)
	if c.opts != nil && c.opts.alpha != nil {
		y = c.scaled(y, t)
	}
	return c.binaryResult(code, nil, t, x, y)
}

// elementwise returns the result of an operation of the op table on a and b, broadcast to each other.
func (c *call) elementwise(code ir.Code, attrs any, a, b expr.Value) expr.Value {
	s := c.broadcast(a, b)
	a, b = c.to(a, s), c.to(b, s)
	t := typeOf(a)
	if def := ops.Lookup(code); def == nil || !t.DType.Is(def.AcceptsAt(0)) {
		return c.Do(code, attrs, a, b) // fails with the reason
	}
	return c.emit(code, attrs, t, a, b) // like Do, but does not have to infer the type
}

// match returns x and y at dtype d, broadcast to one shape.
func (c *call) match(d dtype.DType, x, y any) (a, b expr.Value) {
	a, b = c.at(x, d), c.at(y, d)
	s := c.broadcast(a, b)
	return c.to(a, s), c.to(b, s)
}

// relate returns the comparison of x and y in the given direction.
func (l *Lib) relate(op string, direction ir.Direction, x, y any, opts []BinaryOption) Tensor {
	c := l.call(op, x, y).with(opts)
	d, ambiguous := c.comparisonDType(x, y)
	return c.result(c.emulated(op, d, c.xs, func(args ...expr.Value) expr.Value {
		if args == nil {
			a, b := c.match(d, x, y)
			return c.Compare(direction, a, b)
		}
		return c.Compare(direction, args[0], args[1])
	}), ambiguous)
}

// inexact returns t if its dtype is a float or complex dtype. For integers and bools it returns the float dtype in
// which the system computes functions such as Sin.
func (c *call) inexact(t dtype.Typed) dtype.Typed {
	if t.DType.Is(dtype.Inexact) {
		return t
	}
	if c.restricted { // Ivy has one default float for all backends
		return promote.Known(c.ctx.settings.Default(backend.Float))
	}
	r, err := c.sys.Resolve(promote.Operand{Typed: t, Rank: 1}, c.operand(1.0))
	c.check(err)
	return r
}

// Square returns x * x, elementwise.
func (l *Lib) Square(x any) Tensor {
	c := l.call("Square", x)
	at, t := c.unaryTypes(x)
	a := c.at(x, at)
	return c.result(c.Mul(a, a), t.Ambiguous)
}

// IsNaN returns whether x is nan, elementwise.
func (l *Lib) IsNaN(x any) Tensor {
	c := l.call("IsNaN", x)
	at, t := c.unaryTypes(x)
	a := c.at(x, at)
	return c.result(c.Ne(a, a), t.Ambiguous)
}

// unary returns the result of an operation on x at its own dtype.
func (l *Lib) unary(op string, code ir.Code, x any) Tensor {
	c := l.call(op, x)
	at, t := c.unaryTypes(x)
	r := c.emulated(op, at, c.xs, func(args ...expr.Value) expr.Value {
		d := args[0].DType()
		switch {
		case code == ir.Abs:
			return c.Abs(args[0])
		case d.Is(dtype.Unsigned): // StableHLO has no sign operation for unsigned integers
			return c.applyUnary(code, args[0])
		}
		return c.Do(code, nil, args[0])
	}, c.at(x, at))
	return c.resultByName(r, t)
}

// rounding returns the result of a rounding operation, or x itself if it is an integer.
func (l *Lib) rounding(op string, code ir.Code, x any) Tensor {
	c := l.call(op, x)
	_, t := c.unaryTypes(x)
	a := c.at(x, t.DType)
	return c.result(c.emulated(op, t.DType, c.xs, func(args ...expr.Value) expr.Value {
		if args[0].DType().Is(dtype.Integral) {
			return args[0]
		}
		return c.Do(code, nil, args[0])
	}, a), t.Ambiguous)
}

// AsType returns x converted to dtype d. The dtype of the result is not ambiguous.
func (l *Lib) AsType(x any, d DType) Tensor {
	c := l.call("AsType", x, d)
	if !d.Valid() {
		c.fail("the argument is not a dtype", "dtypes are nv.I1 ... nv.C128")
	}
	c.xs = c.xs[:1] // errors and Why show only x
	t, ok := x.(Tensor)
	if !ok {
		return c.result(c.literal(x, d), false)
	}
	return c.result(c.cast(t.must("AsType"), d), false)
}

// cast returns t converted to d by the system's rules. A literal that fits d is converted from its exact value.
func (c *call) cast(t expr.Value, d dtype.DType) expr.Value {
	if lit := t.(*tensor).lit; lit != nil {
		if _, err := c.sys.Convert(lit, d); err == nil {
			return c.literal(lit, d)
		}
	}
	from := t.DType()
	if from == d {
		return t
	}
	if !d.Valid() {
		c.failDType(d)
	}
	return c.frameworkConvert(t, d)
}

// PromoteToCommon converts xs, which are tensors and numbers, to their common dtype. Operations first convert their
// operands in this way.
func (l *Lib) PromoteToCommon(xs ...any) []Tensor {
	xs = spreadSlices(xs)
	c := l.call("PromoteToCommon", xs...)
	t := c.common(xs...)
	out := make([]Tensor, len(xs))
	for i, x := range xs {
		out[i] = c.result(c.at(x, t.DType), t.Ambiguous)
	}
	return out
}

// LogicalNot returns whether x is 0 (for bools, false), elementwise.
func (l *Lib) LogicalNot(x any) Tensor {
	c := l.call("LogicalNot", x)
	t := c.typed(x)
	not := c.Not(c.truth(c.at(x, t.DType)))
	if r, ok := c.operationType(x); ok {
		return c.resultAs(not, r)
	}
	return c.result(not, t.Ambiguous && t.DType != dtype.I1)
}

// ignoringNaN returns the result of a binary operation that ignores nans: before the operation, each nan is replaced by
// the element of the other operand at the same place.
func (l *Lib) ignoringNaN(op string, code ir.Code, x, y any) Tensor {
	c := l.call(op, x, y)
	t := c.arithmetic(x, y)
	a, b := c.match(t.DType, x, y)
	compute := func(args ...expr.Value) expr.Value {
		a, b := args[0], args[1]
		if t.DType.Is(dtype.Inexact) {
			a = c.Where(c.Ne(a, a), b, a)
			b = c.Where(c.Ne(b, b), a, b)
		}
		return c.Do(code, nil, a, b)
	}
	return c.result(c.emulated(op, t.DType, c.xs, compute, a, b), t.Ambiguous)
}
