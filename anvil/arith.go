package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// TruncDiv returns x / y, elementwise, rounded toward zero.
func (l *Lib) TruncDiv(x, y any) Tensor {
	c := l.call("TruncDiv", x, y)
	t := c.arithmetic(x, y)
	c.refuse(promote.TruncateByZero, ir.EQ, y, t.DType)
	a, b := c.match(t.DType, x, y)
	return c.result(c.toward0(c.divide(a, b)), t.Ambiguous)
}

// Fmod returns the remainder of x / y, elementwise, with the sign of x, as C's
// fmod and Go's % have it.
func (l *Lib) Fmod(x, y any) Tensor {
	c := l.call("Fmod", x, y)
	t := c.arithmetic(x, y)
	c.refuse(promote.TruncateByZero, ir.EQ, y, t.DType)
	a, b := c.match(t.DType, x, y)
	if c.values().Zero == promote.ZeroJAX && t.DType.Is(dtype.Integral) { // JAX looks for 0 before it converts, and not among bools
		r := c.Rem(a, b)
		if c.operand(x).DType == dtype.I1 && c.operand(y).DType == dtype.I1 {
			return c.result(r, t.Ambiguous)
		}
		own := c.at(y, c.operand(y).DType)
		none := c.to(c.Eq(own, 0), r.Shape())
		return c.result(c.Where(none, 0, r), t.Ambiguous)
	}
	return c.result(c.remainder(a, b), t.Ambiguous)
}

// Reciprocal returns 1 / x, elementwise. NumPy's has an integer for an integer.
func (l *Lib) Reciprocal(x any) Tensor {
	c := l.call("Reciprocal", x)
	_, t := c.alone(x)
	if !c.sys.Operates() {
		t = c.inexact(t)
	}
	at := t.DType
	if at.Is(dtype.Integral) {
		at = dtype.F64
	}
	a := c.at(x, at)
	return c.done(c.Div(1, a), t)
}

// Trunc returns x without its fraction, elementwise; integers as they are.
func (l *Lib) Trunc(x any) Tensor {
	c := l.call("Trunc", x)
	_, t := c.alone(x)
	return c.result(c.toward0(c.at(x, t.DType)), t.Ambiguous)
}

// integerPower returns a power of integers by the system's rule.
func (c *call) integerPower(t dtype.Typed, x, y any) Tensor {
	if c.values().Tensors {
		y = c.tensorBeside(y, x)
	}
	n, number := literalOf(y).(int)
	if number && n < 0 {
		c.fault(promote.NegativeNumber)
	}
	if t.DType.Is(dtype.Signed) {
		c.refuse(promote.NegativePower, ir.LT, y, t.DType)
	}
	switch c.values().Power {
	case promote.PowerXLA:
		return c.pair(ir.Pow, nil, t, x, y)
	case promote.PowerFloat:
		return c.powerOrFloat(t, x, y)
	}
	if number && n > 0 {
		return c.result(c.product(c.at(x, t.DType), n), t.Ambiguous)
	}
	a, b := c.match(t.DType, x, y)
	return c.result(c.sixBits(a, b), t.Ambiguous)
}

// powerOrFloat returns a power of integers, computed in f64 where one of the
// exponents is negative: all of them, so that what does not fit is the system's cast.
func (c *call) powerOrFloat(t dtype.Typed, x, y any) Tensor {
	a, b := c.match(t.DType, x, y)
	r := c.Pow(a, b)
	if !t.DType.Is(dtype.Signed) {
		return c.result(r, t.Ambiguous)
	}
	some := c.Lt(b, 0)
	if len(some.Shape()) > 0 {
		some = c.to(c.fold(ir.ReduceOr, some, nil), b.Shape())
	}
	f := c.RoundEven(c.Pow(c.convert(a, dtype.F64), c.convert(b, dtype.F64))) // a fraction is less than 1
	return c.result(c.Where(some, c.castBy(c.values().Cast, f, t.DType), r), t.Ambiguous)
}

// withoutEnd returns a power of complex numbers, which Ivy gives 0 where its exponent
// is infinite, and nan where that is negative: of one exponent.
func (c *call) withoutEnd(t dtype.Typed, x, y any) Tensor {
	r := c.pair(ir.Pow, nil, t, x, y)
	own := c.operand(y).DType
	if !own.Is(dtype.Floating) || !c.operand(x).DType.Is(dtype.Complex) {
		return r
	}
	b := c.at(y, own)
	up, down := c.Eq(b, math.Inf(1)), c.Eq(b, math.Inf(-1))
	if b.Shape().Size() > 1 {
		c.refuseAny(promote.InfinitePower, c.values().Fault(promote.InfinitePower), c.Or(up, down))
		return r
	}
	s := r.Shape()
	a := c.Where(c.to(up, s), 0, r.t)
	return c.result(c.Where(c.to(down, s), complex(math.NaN(), math.NaN()), a), t.Ambiguous)
}

// literalOf returns the number that x is, or nil where it is a tensor of a dtype.
func literalOf(x any) any {
	if t, ok := x.(Tensor); ok {
		return t.t.lit
	}
	return x
}

// extreme returns the greater or the lesser of x and y.
func (l *Lib) extreme(op string, code ir.Code, x, y any, opts []BinaryOption) Tensor {
	c := l.call(op, x, y).with(opts)
	t := c.arithmetic(x, y)
	if c.values().Tie == promote.TieXLA {
		if c.values().Zero == promote.ZeroJAX && t.DType.Is(dtype.Complex) { // JAX has the second operand beside nan
			x, y = y, x
		}
		return c.pair(code, nil, t, x, y)
	}
	a, b := c.match(t.DType, x, y)
	if c.values().Tie == promote.TieOrder {
		return c.result(c.firstOf(code, a, b), t.Ambiguous)
	}
	if t.DType.Is(dtype.Complex) { // of which a nan is greatest and least
		r := c.Where(c.Ne(b, b), b, c.Do(code, nil, a, b))
		return c.result(c.Where(c.Ne(a, a), a, r), t.Ambiguous)
	}
	return c.result(c.tie(c.values().Tie, c.Do(code, nil, a, b), a, b), t.Ambiguous)
}

// firstOf returns a where it is not less than b, or for the lesser of them not
// greater, and b elsewhere: beside nan too.
func (c *call) firstOf(code ir.Code, a, b expr.Value) expr.Value {
	d, direction := a.DType(), ir.GE
	if code == ir.Min {
		direction = ir.LE
	}
	if d.Is(dtype.Complex) {
		r := c.Where(c.Ne(b, b), b, c.Do(code, nil, a, b))
		return c.Where(c.Ne(a, a), b, r)
	}
	return c.Where(c.Compare(direction, a, b), a, b)
}

// shifted returns x shifted by y bits.
func (c *call) shifted(code ir.Code, t dtype.Typed, x, y any) Tensor {
	if c.values().Shift == promote.ShiftXLA || !t.DType.Is(dtype.Integral) {
		return c.pair(code, nil, t, x, y)
	}
	a, b := c.match(t.DType, x, y)
	return c.result(c.Do(code, nil, a, c.shiftBy(b, t.DType)), t.Ambiguous)
}
