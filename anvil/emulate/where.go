package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
)

// where returns the rule of Where with a condition of any dtype: elements other than 0 are true. operand
// returns operand 1 or 2, between which it selects.
func where(operand func(c Call, i int) expr.Value) Rule {
	return func(c Call) expr.Value {
		return c.Own(truth(c, c.At(0, c.Operand(0).DType)), operand(c, 1), operand(c, 2))
	}
}

// truth returns whether elements of x are not 0.
func truth(c Call, x expr.Value) expr.Value {
	if x.DType() == dtype.I1 {
		return x
	}
	return c.Build().Ne(x, 0)
}

// fitting fails for a number that does not fit.
func fitting(c Call, i int) expr.Value { return c.At(i, c.DType()) }

// wrapping keeps the low bits of a number that does not fit.
func wrapping(c Call, i int) expr.Value { return c.Wrapped(i, c.DType()) }

// defaultFirst converts a number to its default dtype first.
func defaultFirst(c Call, i int) expr.Value {
	if c.Literal(i) == nil {
		return wrapping(c, i)
	}
	return c.Cast(c.At(i, c.Operand(i).DType), c.DType())
}
