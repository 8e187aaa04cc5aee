package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// relatedExactly returns the comparison of x and y where the system compares
// integers as numbers, although no dtype holds both; nil elsewhere.
func (c *call) relatedExactly(direction ir.Direction, x, y any) expr.Value {
	if !c.values().Exact {
		return nil
	}
	a, b := c.operand(x), c.operand(y)
	switch {
	case a.DType.Is(dtype.Signed) && b.DType == dtype.U64 && a.Literal == nil && b.Literal == nil:
		return c.signedWithWide(direction, x, y)
	case b.DType.Is(dtype.Signed) && a.DType == dtype.U64 && a.Literal == nil && b.Literal == nil:
		return c.signedWithWide(turned[direction], y, x)
	case a.Literal == nil && c.beyond(b.Literal, a.DType):
		return c.withBeyond(direction, x, b.Literal.(int))
	case b.Literal == nil && c.beyond(a.Literal, b.DType):
		return c.withBeyond(turned[direction], y, a.Literal.(int))
	}
	return nil
}

// turned is how y compares with x where x compares so with y.
var turned = map[ir.Direction]ir.Direction{ir.EQ: ir.EQ, ir.NE: ir.NE, ir.LT: ir.GT, ir.GT: ir.LT, ir.LE: ir.GE, ir.GE: ir.LE}

// signedWithWide compares signed integers with ui64.
func (c *call) signedWithWide(direction ir.Direction, x, y any) expr.Value {
	a, b := c.match(dtype.I64, x, y)
	b = c.to(c.at(y, dtype.U64), b.Shape())
	negative, same := c.Lt(a, 0), c.Compare(direction, c.convert(a, dtype.U64), b)
	switch direction {
	case ir.LT, ir.LE, ir.NE:
		return c.Or(negative, same)
	}
	return c.And(c.Not(negative), same)
}

// beyond reports whether v is an integer that d, an integer dtype, cannot hold.
func (c *call) beyond(v any, d dtype.DType) bool {
	if _, ok := v.(int); !ok || !d.Is(dtype.Integral) {
		return false
	}
	_, err := dtype.Fit(v, d)
	return err != nil
}

// withBeyond compares integers with one that is greater or less than all of
// their dtype.
func (c *call) withBeyond(direction ir.Direction, x any, n int) expr.Value {
	holds := direction == ir.NE
	switch direction {
	case ir.LT, ir.LE:
		holds = n > 0
	case ir.GT, ir.GE:
		holds = n < 0
	}
	ty := arrayOf(c.at(x, c.operand(x).DType)).Type()
	return c.to(c.literal(holds, dtype.I1), ty.Shape)
}
