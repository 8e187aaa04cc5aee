package anvil

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// BitcastConvert returns the bits of x reinterpreted as dtype d. If d is narrower, the
// result has one more axis, the last one, with the parts of each element, lowest bits
// first. If d is wider, the elements along the last axis of x are the parts of one element.
func (l *Lib) BitcastConvert(x any, d DType) Tensor {
	c, a, _ := l.layout("BitcastConvert", x)
	return c.result(c.Do(ir.BitcastConvert, ir.DTypeAttrs{DType: d}, a), false)
}

// A BitsOption is an option of PackBits and UnpackBits: an Axis, or LeastFirst.
type BitsOption interface{ bits(*packing) }

// packing holds the options of PackBits and UnpackBits.
type packing struct {
	axis       Axis
	hasAxis    bool
	leastFirst bool
}

func (a Axis) bits(p *packing) { p.axis, p.hasAxis = a, true }

// LeastFirst is the BitsOption that makes the first of eight elements the lowest bit of the
// byte. Without LeastFirst, the first element is the highest bit.
const LeastFirst leastFirst = true

type leastFirst bool

func (f leastFirst) bits(p *packing) { p.leastFirst = bool(f) }

// PackBits packs the elements of x into bytes along an axis, or packs the flattened x if no
// axis is given. The bit of an element is 1 unless the element is 0. The last byte is padded
// with zeros.
func (l *Lib) PackBits(x any, opts ...BitsOption) Tensor {
	c, a, _ := l.layout("PackBits", x)
	if !a.DType().Is(dtype.Boolean | dtype.Integral) {
		c.fail("the operand must be bools or integers, not "+a.DType().String(), "compare first: nv.PackBits(x.Ne(0))")
	}
	a, axis, p := c.packing(a, opts)
	bits := c.convert(c.truth(a), dtype.U8)
	s := bits.Shape()
	if rest := s[axis] % 8; rest > 0 {
		padding := s.Clone()
		padding[axis] = 8 - rest
		bits = c.Concatenate(axis, bits, c.to(c.number(0, dtype.U8), padding))
	}
	grouped := slices.Concat(s[:axis], Shape{(s[axis] + 7) / 8, 8}, s[axis+1:]) // an axis of bytes, an axis of bits
	bits = c.ShiftLeft(c.reshape(bits, grouped), c.shifts(grouped, axis+1, p))
	return c.result(c.Do(ir.ReduceOr, ir.AxesAttrs{Axes: Shape{axis + 1}.Dims()}, bits), false)
}

// UnpackBits returns the bits of x, which must be ui8, as elements 0 and 1: eight for each
// byte, along an axis, or along the flattened x if no axis is given. See PackBits.
func (l *Lib) UnpackBits(x any, opts ...BitsOption) Tensor {
	c, a, _ := l.layout("UnpackBits", x)
	if d := a.DType(); d != dtype.U8 {
		c.fail("packed bits must be ui8, not "+d.String(), "convert x with AsType(nv.U8)")
	}
	a, axis, p := c.packing(a, opts)
	s := a.Shape()
	grouped := slices.Insert(s.Clone(), axis+1, 8) // an axis of bytes, an axis of bits
	bits := c.ShiftRightLogical(c.to(c.expand(a, Axis(axis+1)), grouped), c.shifts(grouped, axis+1, p))
	unpacked := s.Clone()
	unpacked[axis] *= 8
	return c.result(c.reshape(c.And(bits, 1), unpacked), false)
}

// packing returns three values: a, flattened if opts name no axis; the axis along which its bits or bytes lie;
// and the options.
func (c *call) packing(a expr.Value, opts []BitsOption) (expr.Value, int, packing) {
	var p packing
	for _, o := range accepted(c.op, opts, c.xs...) {
		o.bits(&p)
	}
	if !p.hasAxis {
		return c.flat(a), 0, p
	}
	return a, c.axis(p.axis, len(a.Shape())), p
}

// shifts returns a tensor of shape s with the position of each bit in its byte, from 0 for the lowest bit to 7. The
// bits of a byte lie along axis.
func (c *call) shifts(s Shape, axis int, p packing) expr.Value {
	at := c.Iota(dtype.U8, axis, s...)
	if p.leastFirst {
		return at
	}
	return c.Sub(7, at)
}
