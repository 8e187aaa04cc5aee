package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
)

// where returns the rule of Where that accepts a condition of any dtype: elements other than 0 are true.
// operand returns operand i, which is 1 or 2, at the dtype of the operation.
func where(operand func(c Call, i int) expr.Value) Rule {
	return func(c Call) expr.Value {
		return c.Own(isNonzero(c, c.At(0, c.Operand(0).DType)), operand(c, 1), operand(c, 2))
	}
}

// isNonzero returns bools that are true where x is not 0.
func isNonzero(c Call, x expr.Value) expr.Value {
	if x.DType() == dtype.I1 {
		return x
	}
	return c.Build().Ne(x, 0)
}

// fittingOperand returns operand i at the dtype of the operation. It fails for a number that does not fit.
func fittingOperand(c Call, i int) expr.Value { return c.At(i, c.DType()) }

// wrappedOperand returns operand i at the dtype of the operation. A number that does not fit keeps its low bits.
func wrappedOperand(c Call, i int) expr.Value { return c.Wrapped(i, c.DType()) }

// operandViaDefault is like wrappedOperand, but converts a number by way of its default dtype.
func operandViaDefault(c Call, i int) expr.Value {
	if c.Literal(i) == nil {
		return wrappedOperand(c, i)
	}
	return c.Cast(c.At(i, c.Operand(i).DType), c.DType())
}
