package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// LogicalNot returns whether x is 0, elementwise: of bools their complement, of
// numbers that of their truth.
func (l *Lib) LogicalNot(x any) Tensor {
	c := l.call("LogicalNot", x)
	t := c.own(x)
	not := c.Not(c.truth(c.at(x, t.DType)))
	if _, r := c.alone(x); c.sys.Operates() {
		return c.done(not, r)
	}
	return c.result(not, t.Ambiguous && t.DType != dtype.I1)
}

// Fmin returns the lesser of x and y, elementwise; where one is nan, the other.
func (l *Lib) Fmin(x, y any) Tensor { return l.numbered("Fmin", ir.Min, x, y) }

// Fmax returns the greater of x and y, elementwise; where one is nan, the other.
func (l *Lib) Fmax(x, y any) Tensor { return l.numbered("Fmax", ir.Max, x, y) }

// numbered returns the result of an operation on x and y with each nan replaced
// by the other operand.
func (l *Lib) numbered(op string, code ir.Code, x, y any) Tensor {
	c := l.call(op, x, y)
	t := c.arithmetic(x, y)
	a, b := c.match(t.DType, x, y)
	first, second := a, b
	if t.DType.Is(dtype.Inexact) {
		a = c.Where(c.Ne(a, a), b, a)
		b = c.Where(c.Ne(b, b), a, b)
	}
	return c.result(c.tie(c.values().Skip, c.Do(code, nil, a, b), first, second), t.Ambiguous)
}
