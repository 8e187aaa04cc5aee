package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// LogicalNot returns whether each element of x is 0, or its complement if x is a bool.
func (l *Lib) LogicalNot(x any) Tensor {
	c := l.call("LogicalNot", x)
	t := c.own(x)
	not := c.Not(c.truth(c.at(x, t.DType)))
	if r, ok := c.operationType(x); ok {
		return c.resultAs(not, r)
	}
	return c.result(not, t.Ambiguous && t.DType != dtype.I1)
}

// numbered returns the result of an operation on x and y in which a number wins over nan: before the operation,
// each nan is replaced by the element of the other operand.
func (l *Lib) numbered(op string, code ir.Code, x, y any) Tensor {
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
