package anvil

import (
	"math"
	"reflect"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// This file implements reductions over a part of the elements: the option Only, and reductions that ignore nan.

// Only returns the ReduceOption that restricts a reduction to the elements where mask is true. mask
// broadcasts to the shape of the operand. If mask excludes all elements of a reduction, a sum is 0, a product 1,
// a mean nan, and a maximum the least value of the dtype, -inf for most floats.
func Only(mask any) ReduceOption { return only{mask} }

type only struct{ mask any }

func (o only) reduce(r *reduceOptions) { r.only = append(r.only, o.mask) }

// fillExcluded returns a with every element that one of masks excludes replaced by the identity element of the
// reduction code.
func (c *call) fillExcluded(code ir.Code, a expr.Value, masks []any) expr.Value {
	for _, m := range masks {
		s := a.Shape()
		a = c.Where(c.to(c.maskOperand(m, s), s), a, c.to(c.identity(code, a.DType()), s))
	}
	return a
}

// maskOperand returns mask, the argument of Only, as a tensor that broadcasts to s.
func (c *call) maskOperand(mask any, s Shape) expr.Value {
	x, isTensor := mask.(Tensor)
	if v := reflect.ValueOf(mask); !isTensor && v.IsValid() && elemType(v).Kind() == reflect.Bool {
		x = c.nested(v, dtype.Options{DType: dtype.I1})
	}
	if x.t == nil || x.DType() != dtype.I1 {
		c.fail("nv.Only is given "+describe(mask)+", which is not a mask", "give bools: nv.Only(x.Gt(0))")
	}
	if x.t.ctx != c.ctx {
		c.fail("the tensors belong to two contexts", "make all tensors in one Context")
	}
	from := x.t.Shape()
	if r, ok := broadcastShapes(from, s); !ok || !r.Equal(s) {
		c.fail("a mask of shape "+from.String()+" does not broadcast to "+s.String(), "")
	}
	return x.t
}

// includedCount returns the number of elements of a that take part in a reduction, minus correction. It is at least 0,
// and at least 1 if a has integers, because integers cannot be divided by 0.
func (c *call) includedCount(a expr.Value, opts []ReduceOption, correction int) expr.Value {
	ones := c.to(c.number(1, dtype.I32), a.Shape())
	n := c.fold(ir.ReduceSum, ones, opts)
	return c.Max(c.Sub(n, correction), leastDivisor(a.DType()))
}

// excludeNaN returns opts with an Only that excludes the elements of x that are nan. If x has integers or bools, it
// returns opts unchanged.
func (l *Lib) excludeNaN(op string, x any, opts []ReduceOption) []ReduceOption {
	c := l.call(op, x)
	d := c.operand(x).DType
	if !d.Is(dtype.Inexact) {
		return opts
	}
	a := c.at(x, d)
	return append(opts[:len(opts):len(opts)], Only(asTensor(c.Eq(a, a))))
}

// nanExtreme returns the maximum or minimum of the elements of x that are not nan, or nan if all are nan.
func (l *Lib) nanExtreme(op string, code ir.Code, x any, opts []ReduceOption) Tensor {
	opts = l.excludeNaN(op, x, opts)
	r := l.reduce(op, code, promote.Extreme, x, opts)
	if reduceOptionsOf(opts).only == nil || !r.DType().Is(dtype.Inexact) {
		return r
	}
	c := l.call(op, x)
	a := c.at(x, c.operand(x).DType)
	hasNumber := c.Gt(c.includedCount(a, opts, 0), 0)
	return c.result(c.Where(hasNumber, r.t, math.NaN()), r.t.amb)
}

// nanArg returns the positions of the greatest or least elements of x that are not nan, or -1 where all are nan.
// code is ArgMax with extreme ReduceMax, or ArgMin with extreme ReduceMin.
func (l *Lib) nanArg(op string, code, extreme ir.Code, x any, opts []ReduceOption) Tensor {
	c := l.call(op, x)
	d := c.operand(x).DType
	if !d.Is(dtype.Floating) {
		return l.arg(op, code, x, opts)
	}
	a := c.at(x, d)
	nan := c.Ne(a, a)
	filled := c.Where(nan, c.to(c.identity(extreme, a.DType()), a.Shape()), a)
	r := l.arg(op, code, asTensor(filled), opts)
	// nan is replaced by the identity element. If all numbers are equal to that element too, r may be the position of a
	// nan, and the result is the position of the first number.
	first := l.arg(op, ir.ArgMax, asTensor(c.convert(c.Not(nan), d)), opts)
	best := c.fold(extreme, filled, opts)
	at := c.Where(c.Eq(best, c.to(c.identity(extreme, d), best.Shape())), first.t, r.t)
	allNaN := c.fold(ir.ReduceAnd, nan, opts)
	return c.result(c.Where(allNaN, -1, at), r.t.amb)
}
