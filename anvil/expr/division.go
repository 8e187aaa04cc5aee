package expr

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
)

// FloorDiv returns x / y rounded toward negative infinity. For floats it uses the exact remainder: 1 by 0.1
// is 9, since the float 0.1 is slightly more than a tenth. Where y is 0, the result is that of Div.
func (b Builder) FloorDiv(x, y Value) Value {
	d := x.DType()
	if !d.Is(dtype.Signed | dtype.Floating) {
		return b.Div(x, y)
	}
	rem := b.Rem(x, y)
	below := b.And(b.Ne(rem, 0), b.signsDiffer(rem, y)) // whether the result is below the truncated quotient
	if d.Is(dtype.Signed) {
		return b.Sub(b.Div(x, y), b.Convert(below, d))
	}
	// As in CPython's float_floor_div, q is an integer up to rounding errors, and a result of 0 has the sign
	// of x / y.
	q := b.Div(b.Sub(x, rem), y)
	q = b.Where(below, b.Sub(q, 1), q)
	quotient := b.Div(x, y)
	floor := b.Floor(q)
	nearest := b.Where(b.Gt(b.Sub(q, floor), 0.5), b.Add(floor, 1), floor)
	q = b.Where(b.Eq(q, 0), b.Mul(quotient, 0), nearest)
	return b.Where(b.Eq(y, 0), quotient, q)
}

// Mod returns the remainder of x / y with the sign of y. A remainder of 0 has the sign of x.
func (b Builder) Mod(x, y Value) Value {
	rem := b.Rem(x, y)
	if !x.DType().Is(dtype.Signed | dtype.Floating) {
		return rem
	}
	return b.Where(b.And(b.Ne(rem, 0), b.signsDiffer(rem, y)), b.Add(rem, y), rem)
}

// FloorMod is Mod except that a remainder of 0 also has the sign of y, as in Python's % for floats.
func (b Builder) FloorMod(x, y Value) Value {
	r := b.Mod(x, y)
	if !x.DType().Is(dtype.Floating) {
		return r
	}
	zero := b.Where(b.Lt(y, 0), math.Copysign(0, -1), b.Like(r, 0))
	return b.Where(b.Eq(r, 0), zero, r)
}

// signsDiffer returns whether exactly one of x and y is negative.
func (b Builder) signsDiffer(x, y Value) Value { return b.Ne(b.Lt(x, 0), b.Lt(y, 0)) }
