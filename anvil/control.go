package anvil

import (
	"fmt"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// If returns the result of then if pred, a bool scalar, is true, and the result of orElse otherwise; the other result
// is not computed. Both functions are called once, to be recorded. T is a Tensor, or a struct, slice or map of Tensors.
//
// Results of type Tensor are promoted to their common dtype and must have one shape; the result of If is ambiguous
// only if both are. In structs, slices and maps, the two tensors at each place must have one dtype and shape; an
// ambiguous tensor takes the dtype of a known one.
func If[T any](pred any, then, orElse func() T) T {
	x, _ := Default().IfAny(pred, then, orElse).(T) // not a T only if T is an interface and the result is nil
	return x
}

// IfAny is If for tensors of c.
func (c *Context) IfAny(pred, then, orElse any) any { return c.Lib.ifBranch(pred, then, orElse) }

// If returns the result of then if pred, a bool scalar, is true, and the result of orElse otherwise. The system of l
// promotes the results; see the function If for the rest.
func (l *Lib) If(pred any, then, orElse func() Tensor) Tensor {
	return l.ifBranch(pred, then, orElse).(Tensor)
}

// ifBranch is If for functions then and orElse of any result type.
func (l *Lib) ifBranch(pred any, functions ...any) any {
	c := l.call("If", pred)
	if o := c.operand(pred); o.DType != dtype.I1 || o.Rank != 0 {
		c.fail("the condition is "+describe(pred)+" and must be a bool scalar",
			"compare it, reduce it with Any() or All(), or choose elementwise with nv.Where")
	}
	return c.selectBranch(ir.If, c.at(pred, dtype.I1), functions)
}

// Switch returns the result of branches[index]; the other branches are not computed. Each
// branch is called once, to be recorded. The results of the branches must agree as for If.
// index is an integer scalar. A Go integer or a literal (nv.Lit) must be from 0 to
// len(branches)-1; any other Tensor is clamped to that range.
func Switch[T any](index any, branches ...func() T) T {
	x, _ := Default().SwitchAny(index, anySlice(branches)...).(T)
	return x
}

// SwitchAny is Switch for tensors of c.
func (c *Context) SwitchAny(index any, branches ...any) any {
	return c.Lib.switchBranch(index, branches)
}

// Switch returns the result of branches[index]; the other branches are not computed. The system of l promotes the
// results; see the function Switch for the rest.
func (l *Lib) Switch(index any, branches ...func() Tensor) Tensor {
	return l.switchBranch(index, anySlice(branches)).(Tensor)
}

// anySlice returns xs as a slice of type []any.
func anySlice[T any](xs []T) []any {
	out := make([]any, len(xs))
	for i, x := range xs {
		out[i] = x
	}
	return out
}

// switchBranch is Switch for functions of any result type.
func (l *Lib) switchBranch(index any, branches []any) any {
	c := l.call("Switch", index)
	n := len(branches)
	if n == 0 {
		c.fail("no branch is given", "for each index, from 0, give a func() that returns a Tensor")
	}
	o := c.operand(index)
	if !o.DType.Is(dtype.Integral) || o.Rank != 0 {
		c.fail("the index is "+describe(index)+" and must be an integer scalar",
			"convert it with AsType(nv.I32), or choose elementwise with nv.Where")
	}
	var at expr.Value
	if t, ok := index.(Tensor); ok && t.t.lit == nil {
		at = c.clampIndex(t.t, n)
	} else if at = c.at(index, o.DType); !c.inBounds(o.Literal, n) {
		c.fail(fmt.Sprintf("index %v is out of range for %s", o.Literal, plural(n, "branch", "branches")),
			fmt.Sprintf("give 0 to %d", n-1))
	}
	return c.selectBranch(ir.Case, c.cast(at, dtype.I32), branches)
}

// inBounds reports whether the integer v is from 0 to n-1.
func (c *call) inBounds(v any, n int) bool {
	i, err := dtype.Cast(v, dtype.I64)
	k, ok := i.(int64)
	return err == nil && ok && 0 <= k && k < int64(n)
}

// clampIndex returns a, an integer scalar, clamped to the range from 0 to n-1.
func (c *call) clampIndex(a expr.Value, n int) expr.Value {
	d := a.DType()
	if _, err := dtype.Fit(n-1, d); err == nil { // if n-1 does not fit d, no index exceeds it
		a = c.Min(a, c.Like(a, n-1))
	}
	if d.Is(dtype.Signed) {
		a = c.Max(a, 0)
	}
	return a
}

// maxDepth is the greatest depth to which branches and loops may be nested: compile time grows with the cube of the
// depth, from ten seconds at this limit to hours at a thousand.
const maxDepth = 64

// checkNesting fails if the functions being recorded are already nested maxDepth deep.
func (c *call) checkNesting() {
	if n := c.ctx.session.Depth(); n >= maxDepth {
		c.fail(fmt.Sprintf("branches and loops are nested %d deep", n),
			"choose among values with nv.Where, among many branches with nv.Switch, and repeat with nv.While")
	}
}
