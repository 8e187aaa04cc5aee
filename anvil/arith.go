package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// TruncDiv returns x / y, elementwise, rounded toward zero.
func (l *Lib) TruncDiv(x, y any) Tensor {
	c := l.call("TruncDiv", x, y)
	t := c.arithmetic(x, y)
	return c.result(c.truncDiv(t.DType, x, y), t.Ambiguous)
}

// truncDiv returns x / y at dtype d, rounded toward zero.
func (c *call) truncDiv(d dtype.DType, x, y any) expr.Value {
	c.refuse(emulate.TruncateByZero, ir.EQ, y, d)
	a, b := c.match(d, x, y)
	own := func(args ...expr.Value) expr.Value { return c.toward0(c.Div(args[0], args[1])) }
	return c.emulated("TruncDiv", d, []any{x, y}, own, a, b)
}

// Fmod returns the remainder of x / y, elementwise. The remainder has the sign of x, as in C's fmod and Go's %.
func (l *Lib) Fmod(x, y any) Tensor {
	c := l.call("Fmod", x, y)
	t := c.arithmetic(x, y)
	c.refuse(emulate.TruncateByZero, ir.EQ, y, t.DType)
	a, b := c.match(t.DType, x, y)
	own := func(args ...expr.Value) expr.Value { return c.Rem(args[0], args[1]) }
	return c.result(c.emulated("Fmod", t.DType, c.xs, own, a, b), t.Ambiguous)
}

// Reciprocal returns 1 / x, elementwise. Under NumPy an integer x gives integers.
func (l *Lib) Reciprocal(x any) Tensor {
	c := l.call("Reciprocal", x)
	t, ok := c.operationType(x)
	if !ok {
		t = c.inexact(c.typed(x))
	}
	d := t.DType
	if d.Is(dtype.Integral) {
		d = dtype.F64 // resultAs converts the quotient to integers
	}
	return c.resultAs(c.Div(1, c.at(x, d)), t)
}

// Trunc returns x rounded toward zero, elementwise. It returns integers unchanged.
func (l *Lib) Trunc(x any) Tensor {
	c := l.call("Trunc", x)
	_, t := c.unaryTypes(x)
	return c.result(c.toward0(c.at(x, t.DType)), t.Ambiguous)
}

// literalOf returns the exact value of x if x is a Go number or a literal, and nil if x is any other tensor.
func literalOf(x any) any {
	if t, ok := x.(Tensor); ok {
		return t.t.lit
	}
	return x
}

// extreme returns the elementwise maximum or minimum of x and y.
func (l *Lib) extreme(op string, code ir.Code, x, y any, opts []BinaryOption) Tensor {
	c := l.call(op, x, y).with(opts)
	t := c.arithmetic(x, y)
	return c.binaryResult(code, nil, t, x, y)
}

// Gcd returns the greatest common divisor of the integers x and y, elementwise, at their common dtype. The result
// is negative only if it overflows that dtype; Gcd(0, y) is |y|.
func (l *Lib) Gcd(x, y any) Tensor {
	c := l.call("Gcd", x, y)
	t, a, b := c.integers(x, y)
	own := func(args ...expr.Value) expr.Value { return c.convert(c.gcd(args[0], args[1]), t.DType) }
	return c.result(c.emulated("Gcd", t.DType, c.xs, own, a, b), t.Ambiguous)
}

// Lcm returns the least common multiple of the integers x and y, elementwise, at their common dtype. The result
// is negative only if it overflows that dtype; Lcm(0, y) is 0.
func (l *Lib) Lcm(x, y any) Tensor {
	c := l.call("Lcm", x, y)
	t, a, b := c.integers(x, y)
	divisor := c.gcd(a, b)
	divisor = c.Where(c.Eq(divisor, 0), c.ones(divisor), divisor) // the divisor is 0 where both operands are 0
	quotient := c.Div(a, divisor)
	r := c.convert(c.Mul(quotient, b), t.DType)
	own := func(...expr.Value) expr.Value { return r }
	return c.result(c.emulated("Lcm", t.DType, c.xs, own, a, b), t.Ambiguous)
}

// integers returns the common dtype t of x and y, and their absolute values, broadcast to one shape. The absolute
// values have an unsigned dtype, because the absolute value of the least signed integer overflows a signed one.
// integers fails if t is not an integer dtype.
func (c *call) integers(x, y any) (t dtype.Typed, a, b expr.Value) {
	t = c.arithmetic(x, y)
	if !t.DType.Is(dtype.Integral) {
		c.fail("operands must be integers, not "+t.DType.String(), "convert with AsType(nv.I32)")
	}
	a, b = c.match(t.DType, x, y)
	unsigned, signed := unsignedOf[t.DType]
	if !signed {
		unsigned = t.DType
	}
	return t, c.convert(c.applyUnary(ir.Abs, a), unsigned), c.convert(c.applyUnary(ir.Abs, b), unsigned)
}

// unsignedOf maps signed integer dtypes to the unsigned dtype of the same width.
var unsignedOf = map[dtype.DType]dtype.DType{dtype.I2: dtype.U2, dtype.I4: dtype.U4, dtype.I8: dtype.U8,
	dtype.I16: dtype.U16, dtype.I32: dtype.U32, dtype.I64: dtype.U64}

// ones returns ones with the shape and dtype of a.
func (c *call) ones(a expr.Value) expr.Value {
	ty := typeOf(a)
	return c.to(c.literal(1, ty.DType), ty.Shape)
}

// gcd returns the greatest common divisors of the unsigned integers a and b. It repeats the step of Euclid's
// algorithm until the second number is 0 in every element.
func (c *call) gcd(a, b expr.Value) expr.Value {
	zero := func(like expr.Value) expr.Value {
		ty := typeOf(like)
		return c.to(c.literal(0, ty.DType), ty.Shape)
	}
	anyUnfinished := func(s []Tensor) Tensor { // the condition of the loop
		unfinished := c.Ne(s[1].t, zero(s[1].t))
		if rank := len(unfinished.Shape()); rank > 0 {
			unfinished = c.Do(ir.ReduceOr, ir.AxesAttrs{Axes: shape.DimsOf(upTo(rank)...)}, unfinished)
		}
		return asTensor(unfinished)
	}
	step := func(s []Tensor) []Tensor {
		a, b := s[0].t, s[1].t
		unfinished := c.Ne(b, zero(b))
		rem := c.Rem(a, c.Where(unfinished, b, c.ones(b)))
		return []Tensor{uncheckedTensor(c.Where(unfinished, b, a)), uncheckedTensor(c.Where(unfinished, rem, b))}
	}
	return c.ctx.WhileAny([]Tensor{uncheckedTensor(a), uncheckedTensor(b)}, anyUnfinished, step).([]Tensor)[0].t
}

// uncheckedTensor returns t as a Tensor for use inside a loop, exempt from the restrictions of the active backend.
func uncheckedTensor(t expr.Value) Tensor {
	x := *t.(*tensor)
	x.unchecked = true
	return Tensor{t: &x}
}

// upTo returns the integers from 0 to n-1.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
