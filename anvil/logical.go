package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// LogicalNot returns whether x is 0, elementwise; for bools, their complement.
func (l *Lib) LogicalNot(x any) Tensor {
	c := l.call("LogicalNot", x)
	t := c.own(x)
	not := c.Not(c.truth(c.at(x, t.DType)))
	if r, ok := c.operation(x); ok {
		return c.done(not, r)
	}
	return c.result(not, t.Ambiguous && t.DType != dtype.I1)
}

// numbered returns the result of an operation on x and y with each nan replaced
// by the other operand.
func (l *Lib) numbered(op string, code ir.Code, x, y any) Tensor {
	c := l.call(op, x, y)
	t := c.arithmetic(x, y)
	a, b := c.match(t.DType, x, y)
	return c.result(c.emulated(op, t.DType, c.xs, func(args ...expr.Value) expr.Value {
		a, b := args[0], args[1]
		if t.DType.Is(dtype.Inexact) {
			a = c.Where(c.Ne(a, a), b, a)
			b = c.Where(c.Ne(b, b), a, b)
		}
		return c.Do(code, nil, a, b)
	}, a, b), t.Ambiguous)
}
