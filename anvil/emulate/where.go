package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
)

// where returns the rule of Where with a condition of any dtype: elements other than 0 are true. operand
// converts operand 1 or 2 to the dtype of the operation.
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

// fitting returns operand i at the dtype of the operation, and fails for a number that does not fit it.
func fitting(c Call, i int) expr.Value { return c.At(i, c.DType()) }

// wrapping returns operand i at the dtype of the operation. A number that does not fit keeps its low bits.
func wrapping(c Call, i int) expr.Value { return c.Wrapped(i, c.DType()) }

// defaultFirst is wrapping, but converts a number to its default dtype first.
func defaultFirst(c Call, i int) expr.Value {
	if c.Literal(i) == nil {
		return wrapping(c, i)
	}
	return c.Cast(c.At(i, c.Operand(i).DType), c.DType())
}
