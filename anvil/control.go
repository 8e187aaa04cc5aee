package anvil

import (
	"fmt"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// If returns what then returns where pred, a bool scalar, holds, and what orElse
// returns where not; the other is not computed. Both are called once, to be
// recorded. They are promoted to their common dtype and must have one shape; the
// result is ambiguous only if both are.
func (l *Lib) If(pred any, then, orElse func() Tensor) Tensor {
	c := l.call("If", pred)
	if o := c.operand(pred); o.DType != dtype.I1 || o.Rank != 0 {
		c.fail("the condition is no bool scalar", "compare it, reduce it with Any or All, or choose elementwise with nv.Where")
	}
	return c.oneOf(ir.If, c.at(pred, dtype.I1), pred, then, orElse)
}

// Switch returns what branches[index] returns; the others are not computed.
// Each is called once, to be recorded. They are promoted to their common dtype
// and must have one shape; the result is ambiguous only if all are. An int as
// index must be that of a branch; of an integer scalar what lies outside is the
// nearest branch.
func (l *Lib) Switch(index any, branches ...func() Tensor) Tensor {
	c := l.call("Switch", index)
	n := len(branches)
	if n == 0 {
		c.fail("there are no branches", "give a function that returns a Tensor for each index from 0 on")
	}
	o := c.operand(index)
	if !o.DType.Is(dtype.Integral) || o.Rank != 0 {
		c.fail("the index is "+describe(index)+", no integer scalar", "convert it with AsType(nv.I32), or choose elementwise with nv.Where")
	}
	var at *tensor
	if t, ok := index.(Tensor); ok && t.t.lit == nil {
		at = c.nearest(t.t, n)
	} else if at = c.at(index, o.DType); !c.below(o.Literal, n) {
		c.fail(fmt.Sprintf("index %v is none of %d branches", o.Literal, n), fmt.Sprintf("branches are 0 to %d", n-1))
	}
	return c.oneOf(ir.Case, c.cast(at, dtype.I32), index, branches...)
}

// below reports whether v, an integer, is from 0 to below n.
func (c *call) below(v any, n int) bool {
	i, err := dtype.Cast(v, dtype.I64)
	k, ok := i.(int64)
	return err == nil && ok && 0 <= k && k < int64(n)
}

// nearest returns a, an integer scalar, moved into 0 to below n.
func (c *call) nearest(a *tensor, n int) *tensor {
	d := a.arr.Type().DType
	if top := c.constant(n-1, a); d.Bits() >= 32 || c.holds(n-1, d) {
		a = c.infer(ir.Min, nil, a, top)
	}
	if d.Is(dtype.Signed) {
		a = c.infer(ir.Max, nil, a, c.constant(0, a))
	}
	return a
}

// holds reports whether d has the number n.
func (c *call) holds(n int, d dtype.DType) bool {
	_, err := c.sys.Convert(n, d)
	return err == nil
}

// oneOf returns what the branch that selector chooses returns. chosen is the
// selector as the caller gave it.
func (c *call) oneOf(code ir.Code, selector *tensor, chosen any, functions ...func() Tensor) Tensor {
	branches := make([]*branch, len(functions))
	results := make([]any, len(functions))
	ambiguous := true
	var faults []error
	for i, f := range functions {
		b := c.branch(i, f)
		branches[i], results[i] = b, b.result
		ambiguous = ambiguous && b.result.Ambiguous()
		for _, f := range b.trace.Faults() {
			faults = append(faults, f.Err)
		}
	}
	t := c.common(results...)
	c.amb = ambiguous
	programs, regions, before := make([]*engine.Program, len(branches)), make([]*ir.Graph, len(branches)), 0
	for i, b := range branches {
		programs[i] = c.finish(b, t.DType, before, len(faults))
		regions[i] = programs[i].Graph
		before += len(b.trace.Faults())
	}
	first := regions[0].Outputs[0].Type
	for i, r := range regions {
		if got := r.Outputs[0].Type; !got.Equal(first) {
			c.fail(fmt.Sprintf("branches 0 and %d return %s and %s", i, first, got), "make the shapes agree")
		}
	}
	types := []shape.Type{first}
	for range faults {
		types = append(types, shape.Of(dtype.I1))
	}
	args := append([]engine.Array{selector.arr}, engine.Share(0, programs...)...)
	out, err := c.ctx.session().ApplyMany(types, code, nil, regions, args...)
	c.check(err)
	for i, err := range faults {
		c.failWhere(&tensor{ctx: c.ctx, arr: out[i+1]}, err)
	}
	c.xs = append([]any{chosen}, results...)
	return c.result(&tensor{ctx: c.ctx, arr: out[0]}, ambiguous)
}

// A branch is one of If and Switch, being recorded.
type branch struct {
	trace  *engine.Trace
	result Tensor
}

func (c *call) branch(i int, f func() Tensor) *branch {
	if f == nil {
		c.fail(fmt.Sprintf("branch %d is nil", i), "give a function that returns a Tensor")
	}
	defer c.ctx.recording()()
	b := &branch{trace: c.ctx.session().NewTrace()}
	defer b.trace.Record()()
	if b.result = f(); b.result.must(c.op).ctx != c.ctx {
		c.fail(fmt.Sprintf("branch %d returns a tensor of another context", i), "make all in one Context")
	}
	return b
}

// finish returns the branch as a program that returns its result at dtype d and
// a bool for each of the faults of all branches, of which its own follow those
// of the branches before.
func (c *call) finish(b *branch, d dtype.DType, before, faults int) *engine.Program {
	outs := []engine.Array{c.at(b.result, d).arr}
	own := b.trace.Faults()
	for i := range faults {
		if i >= before && i < before+len(own) {
			outs = append(outs, own[i-before].When)
		} else {
			outs = append(outs, c.compareTo(ops.NE, c.literal(false, dtype.I1), false).arr)
		}
	}
	program, err := b.trace.Finish("branch", outs)
	c.check(err)
	return program
}
