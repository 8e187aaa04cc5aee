package anvil

import (
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A MatMulOption is an option of MatMul: Accumulate or Precision.
type MatMulOption interface{ matmul(*ir.DotAttrs) }

// An AccumulateOption is an option of matrix products, convolutions, sums, products, means,
// variances, and running sums and products.
type AccumulateOption interface {
	MatMulOption
	ReduceOption
	CumsumOption
	ConvOption
}

// A PrecisionOption is an option of matrix products and of convolutions.
type PrecisionOption interface {
	MatMulOption
	ConvOption
}

// Accumulate returns the option that accumulates at dtype d, which is also the dtype of the result.
func Accumulate(d DType) AccumulateOption { return accumulate(d) }

type accumulate dtype.DType

func (a accumulate) matmul(o *ir.DotAttrs)   { o.DType = dtype.DType(a) }
func (a accumulate) reduce(r *reduceOptions) { r.dtype = dtype.DType(a) }

// Precision returns the option that sets the precision of products: "highest" (the default: all bits of the dtype),
// "high", or "default" (the fastest that the device offers). It panics with an *Error on another name.
func Precision(name string) PrecisionOption {
	for p := ir.HighestPrecision; p <= ir.DefaultPrecision; p++ {
		if strings.EqualFold(p.String(), name) {
			return precision(p)
		}
	}
	panic(&Error{Op: "Precision", Operands: name, Reason: "unknown precision",
		Hint: `give "highest", "high" or "default"`})
}

type precision ir.Precision

func (p precision) matmul(o *ir.DotAttrs) { o.Precision = ir.Precision(p) }

// MatMul returns the matrix product at the common dtype: result[i,j] = sum over k of x[i,k]*y[k,j]. A vector
// x is a row, a vector y a column. Axes before the last two are batch axes, which broadcast.
func (l *Lib) MatMul(x, y any, opts ...MatMulOption) Tensor {
	c := l.call("MatMul", x, y)
	t := c.arithmetic(x, y)
	a, b := c.at(x, t.DType), c.at(y, t.DType)
	var attrs ir.DotAttrs
	for _, o := range accepted("MatMul", opts, x, y) {
		o.matmul(&attrs)
	}
	if d := attrs.DType; d.Valid() && !canAccumulate(t.DType, d) {
		c.fail("products of "+t.DType.String()+" cannot be accumulated in "+d.String(),
			"convert the operands with AsType first")
	}
	amb := t.Ambiguous && (attrs.DType == dtype.Invalid || attrs.DType == t.DType)
	return c.result(c.matmul(a, b, attrs), amb)
}

// canAccumulate reports whether numbers of dtype d may be summed at dtype in: complex numbers at a complex dtype,
// floats at a float, integers at an integer or a float, bools also at bool.
func canAccumulate(d, in dtype.DType) bool {
	switch {
	case d.Is(dtype.Complex):
		return in.Is(dtype.Complex)
	case d.Is(dtype.Floating):
		return in.Is(dtype.Floating)
	}
	return in.Is(dtype.Integral|dtype.Floating) || d == in
}

// matmul returns the matrix product of a and b, which have one dtype. See MatMul.
func (c *call) matmul(a, b expr.Value, attrs ir.DotAttrs) expr.Value {
	sa, sb := a.Shape(), b.Shape()
	if len(sa) == 0 || len(sb) == 0 {
		c.fail("a scalar is not a matrix", "multiply by a scalar with Mul")
	}
	isRow, isColumn := len(sa) == 1, len(sb) == 1
	if isRow {
		a = c.reshape(a, Shape{1, sa[0]})
	}
	if isColumn {
		b = c.reshape(b, Shape{sb[0], 1})
	}
	if sa, sb := a.Shape(), b.Shape(); sa[len(sa)-1] != sb[len(sb)-2] {
		c.failInnerLengths(sa, sb)
	}
	a, b = c.broadcastBatch(a, b)
	r := c.dot(a, b, attrs)
	s := r.Shape() // (batch..., rows, columns); the axis of length 1 of a vector operand is removed below
	batch, matrix := s[:len(s)-2], s[len(s)-2:]
	if isColumn {
		matrix = matrix[:1]
	}
	if isRow {
		matrix = matrix[1:]
	}
	return c.reshape(r, slices.Concat(batch, matrix))
}

// failInnerLengths fails because matrices of shapes sa and sb cannot be multiplied: their inner lengths differ.
func (c *call) failInnerLengths(sa, sb Shape) {
	left := sa.String() + " has " + itoa(sa[len(sa)-1]) + " columns"
	right := sb.String() + " has " + itoa(sb[len(sb)-2]) + " rows"
	hint := "transpose one of them: x.T()"
	isRow, isColumn := rankOf(c.xs[0]) == 1, rankOf(c.xs[1]) == 1
	if isRow {
		left = "a vector of " + itoa(sa[len(sa)-1])
		hint = "a vector on the left has as many elements as the matrix has rows"
	}
	if isColumn {
		right = "a vector of " + itoa(sb[len(sb)-2])
		hint = "a vector on the right has as many elements as the matrix has columns"
	}
	if isRow && isColumn {
		hint = "nv.Outer(x, y) multiplies each element of x by each element of y"
	}
	c.fail("inner lengths differ: "+left+", "+right, hint)
}

// rankOf returns the rank of x, which is 0 for a number.
func rankOf(x any) int {
	if t, ok := x.(Tensor); ok {
		return t.Rank()
	}
	return 0
}

// dot returns the products of matrices a and b, whose batch axes are equal.
func (c *call) dot(a, b expr.Value, attrs ir.DotAttrs) expr.Value {
	n := len(a.Shape()) - 2
	batch := shape.DimsOf(upTo(n)...)
	attrs.LhsBatch, attrs.RhsBatch = batch, batch
	attrs.LhsContract, attrs.RhsContract = shape.DimsOf(n+1), shape.DimsOf(n)
	return c.Do(ir.DotGeneral, attrs, a, b)
}
