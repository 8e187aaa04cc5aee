package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
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
	return c.emulated("TruncDiv", d, []any{x, y}, func(args ...expr.Value) expr.Value { return c.toward0(c.Div(args[0], args[1])) }, a, b)
}

// Fmod returns the remainder of x / y, elementwise, with the sign of x, as C's
// fmod and Go's % have it.
func (l *Lib) Fmod(x, y any) Tensor {
	c := l.call("Fmod", x, y)
	t := c.arithmetic(x, y)
	c.refuse(emulate.TruncateByZero, ir.EQ, y, t.DType)
	a, b := c.match(t.DType, x, y)
	own := func(args ...expr.Value) expr.Value { return c.Rem(args[0], args[1]) }
	return c.result(c.emulated("Fmod", t.DType, c.xs, own, a, b), t.Ambiguous)
}

// Reciprocal returns 1 / x, elementwise. NumPy's has an integer for an integer.
func (l *Lib) Reciprocal(x any) Tensor {
	c := l.call("Reciprocal", x)
	t, ok := c.operation(x)
	if !ok {
		t = c.inexact(c.own(x))
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
	return c.pair(code, nil, t, x, y)
}
