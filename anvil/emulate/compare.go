package emulate

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// directions maps the names of comparison functions to directions.
var directions = map[string]ir.Direction{"Eq": ir.EQ, "Ne": ir.NE, "Lt": ir.LT, "Le": ir.LE, "Gt": ir.GT, "Ge": ir.GE}

// comparisons returns a rule for each comparison.
func comparisons(rule func(ir.Direction) Rule) map[string]Rule {
	rules := map[string]Rule{}
	for name, direction := range directions {
		rules[name] = rule(direction)
	}
	return rules
}

// lexicographic returns the rule that compares complex numbers by their real parts, and numbers with equal
// real parts by their imaginary parts.
func lexicographic(direction ir.Direction) Rule {
	return func(c Call) expr.Value {
		if direction == ir.EQ || direction == ir.NE || !c.DType().Is(dtype.Complex) {
			return c.Own()
		}
		strict := ir.LT
		if direction == ir.GT || direction == ir.GE {
			strict = ir.GT
		}
		b, xs := c.Build(), c.Args()
		re, re2 := b.Real(xs[0]), b.Real(xs[1])
		byImag := b.Compare(direction, b.Imag(xs[0]), b.Imag(xs[1]))
		return b.Or(b.Compare(strict, re, re2), b.And(b.Eq(re, re2), byImag))
	}
}

// exactComparison returns the rule that compares integers as exact numbers, even if no dtype holds both.
func exactComparison(direction ir.Direction) Rule {
	return func(c Call) expr.Value {
		if r := compareExactly(c, direction, 0, 1); r != nil {
			return r
		}
		return lexicographic(direction)(c)
	}
}

// compareExactly returns the comparison of operands i and j if one is ui64 and the other signed, or if one is a number
// that the dtype of the other cannot hold. Otherwise it returns nil.
func compareExactly(c Call, direction ir.Direction, i, j int) expr.Value {
	x, y := c.Operand(i).DType, c.Operand(j).DType
	v, w := c.Literal(i), c.Literal(j)
	switch {
	case x.Is(dtype.Signed) && y == dtype.U64 && v == nil && w == nil:
		return compareSignedUnsigned(c, direction, c.At(i, x), c.At(j, y))
	case y.Is(dtype.Signed) && x == dtype.U64 && v == nil && w == nil:
		return compareSignedUnsigned(c, reversed[direction], c.At(j, y), c.At(i, x))
	case v == nil && outOfRange(w, x):
		return compareOutOfRange(c, direction, i, w.(int))
	case w == nil && outOfRange(v, y):
		return compareOutOfRange(c, reversed[direction], j, v.(int))
	}
	return nil
}

// reversed maps a comparison of x with y to the equivalent comparison of y with x.
var reversed = map[ir.Direction]ir.Direction{
	ir.EQ: ir.EQ, ir.NE: ir.NE, ir.LT: ir.GT, ir.GT: ir.LT, ir.LE: ir.GE, ir.GE: ir.LE,
}

// compareSignedUnsigned compares x, a tensor of signed integers, with y, a tensor of ui64.
func compareSignedUnsigned(c Call, direction ir.Direction, x, y expr.Value) expr.Value {
	xs := c.Broadcast(c.Convert(x, dtype.I64), y)
	b := c.Build()
	negative, unsigned := b.Lt(xs[0], 0), b.Compare(direction, c.Convert(xs[0], dtype.U64), xs[1])
	switch direction {
	case ir.LT, ir.LE, ir.NE: // true for a negative x
		return b.Or(negative, unsigned)
	}
	return b.And(b.Not(negative), unsigned)
}

// outOfRange reports whether v is an integer that d, an integer dtype, cannot hold.
func outOfRange(v any, d dtype.DType) bool {
	if _, ok := v.(int); !ok || !d.Is(dtype.Integral) {
		return false
	}
	_, err := dtype.Fit(v, d)
	return err != nil
}

// compareOutOfRange compares operand i with n, which is beyond the range of the operand's dtype.
func compareOutOfRange(c Call, direction ir.Direction, i, n int) expr.Value {
	holds := direction == ir.NE
	switch direction {
	case ir.LT, ir.LE:
		holds = n > 0
	case ir.GT, ir.GE:
		holds = n < 0
	}
	return c.Build().Number(holds, dtype.I1, c.At(i, c.Operand(i).DType).Shape()...)
}
