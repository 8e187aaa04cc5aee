package anvil

import (
	"fmt"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ops"
)

// This file has the entry point of functions that are rows of the op table (ops.Function). It promotes and
// broadcasts their operands, and computes the result with the row's Body or, without a Body, its operation.

// apply returns the result of the function of a row on xs.
func (l *Lib) apply(row *ops.Def, xs ...any) Tensor { return l.applyWith(row, nil, xs...) }

// applyWith is apply with the value of the row's option: the only element of option, or the default if option is empty.
func (l *Lib) applyWith(row *ops.Def, option []float64, xs ...any) Tensor {
	c := l.call(row.Name, xs...)
	c.row = row
	t := c.floatDType()
	if row.Operands == ops.Real {
		c.requireReal(t.DType)
	}
	if row.Body == nil {
		return c.primitive(t)
	}
	operands := make([]expr.Value, len(xs))
	for i, x := range xs {
		operands[i] = c.at(x, t.DType)
	}
	if len(xs) > 1 {
		s := c.broadcast(operands...)
		for i, a := range operands {
			operands[i] = c.to(a, s)
		}
	}
	for i, a := range operands {
		operands[i] = c.convert(a, wide(t.DType))
	}
	return c.resultAs(row.Body(c.Builder, operands, c.parameter(row.Option.Name, option, row.Option.Default)), t)
}

// primitive returns the result, of dtype t, of a row that is a single operation.
func (c *call) primitive(t dtype.Typed) Tensor {
	if len(c.xs) == 2 {
		return c.binaryResult(c.row.Code, nil, t, c.xs[0], c.xs[1])
	}
	return c.result(c.Do(c.row.Code, nil, c.at(c.xs[0], t.DType)), t.Ambiguous)
}

// floatDType returns the common dtype of the operands, or for integers and booleans the system's float dtype.
func (c *call) floatDType() (t dtype.Typed) {
	switch len(c.xs) {
	case 1:
		_, t = c.unaryTypes(c.xs[0])
	case 2:
		t = c.arithmetic(c.xs[0], c.xs[1])
	default:
		t = c.joined(c.xs)
	}
	return c.inexact(t)
}

// parameter returns the given value of the named option, or fallback if no value is given.
func (c *call) parameter(name string, given []float64, fallback float64) float64 {
	if len(given) > 1 {
		c.fail("more than one "+name+" is given", fmt.Sprintf("give one number, or none for the default, %v", fallback))
	}
	return givenOr(given, fallback)
}

// givenOr returns the first of given, the values of an optional parameter, or fallback if given is empty.
func givenOr[T any](given []T, fallback T) T {
	if len(given) > 0 {
		return given[0]
	}
	return fallback
}
