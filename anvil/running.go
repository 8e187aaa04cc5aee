package anvil

import (
	"slices"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// A runner makes of elements along an axis the results of putting each to all
// before it. An element may be of several tensors.
type runner struct {
	*call
	put  func(before, next []expr.Value) []expr.Value // which is associative
	unit []expr.Value                                 // scalars that change nothing where they are before
}

// runner returns that of an operation on two tensors.
func (c *call) runner(code ir.Code, unit expr.Value) runner {
	return runner{c, func(before, next []expr.Value) []expr.Value { return []expr.Value{c.Do(code, nil, before[0], next[0])} }, []expr.Value{unit}}
}

// manyRuns is from how many elements on a CPU goes along them in rows. A GPU
// would launch a program for each of these.
const manyRuns = 1 << 16

// run returns the results in an order that the device likes.
func (r runner) run(xs []expr.Value, axis int) []expr.Value {
	if s := xs[0].Shape(); s[axis] > runBlock && s.Size() >= manyRuns && r.ctx.session.Platform() == "CPU" {
		return r.inRows(xs, axis)
	}
	return r.inBlocks(xs, axis)
}

// inOrder returns the results one after the other, each of the one before it.
func (r runner) inOrder(xs []expr.Value, axis int) []expr.Value {
	s := xs[0].Shape()
	if s[axis] < 2 {
		return r.put(r.each(r.unit, func(u expr.Value) expr.Value { return r.to(u, s) }), xs)
	}
	type state struct{ Before, All []Tensor }
	tensors := func(ts []expr.Value) []Tensor {
		all := make([]Tensor, len(ts))
		for i, t := range ts {
			all[i] = asTensor(t)
		}
		return all
	}
	row := slices.Delete(s.Clone(), axis, axis+1)
	start := state{tensors(r.each(r.unit, func(u expr.Value) expr.Value { return r.to(u, row) })), tensors(xs)}
	index := make([]any, axis+1)
	for k := range index {
		index[k] = All
	}
	end := r.ctx.ForIAny(s[axis], start, func(i Tensor, p state) state {
		at := slices.Clone(index)
		at[axis] = i
		before, next := make([]expr.Value, len(xs)), make([]expr.Value, len(xs))
		for k := range xs {
			before[k], next[k] = p.Before[k].t, p.All[k].At(at...).t
		}
		p = state{tensors(r.put(before, next)), slices.Clone(p.All)}
		for k, x := range p.Before {
			p.All[k] = p.All[k].Set(x, at...)
		}
		return p
	}).(state)
	return r.each(xs, func(expr.Value) expr.Value {
		t := end.All[0].t
		end.All = end.All[1:]
		return t
	})
}

// runBlock is how many elements are put together by doubling steps.
const runBlock = 32

// inBlocks returns the results of blocks, and puts what is before each to them: a
// step for each doubling of an axis would go through all of it twenty times.
func (r runner) inBlocks(xs []expr.Value, axis int) []expr.Value {
	n := xs[0].Shape()[axis]
	if n > runBlock {
		return r.split(xs, axis, runBlock, r.inBlocks)
	}
	for k := 1; k < n; k *= 2 { // each has the k before in it; put that of the k before those to it
		xs = r.put(r.shifted(xs, axis, k), xs)
	}
	return xs
}

// rowBlock is how many rows there are at least of what has too few columns.
const rowBlock = 64

// inRows returns the results a row after the other: of what has one place along
// the axis. Of few columns more are made: blocks, beside each other.
func (r runner) inRows(xs []expr.Value, axis int) []expr.Value {
	s := xs[0].Shape()
	n := s[axis]
	switch {
	case axis > 0:
		front := slices.Insert(slices.Delete(upTo(len(s)), axis, axis+1), 0, axis)
		back := slices.Insert(slices.Delete(upTo(len(s)), 0, 1), axis, 0)
		xs = r.inRows(r.each(xs, func(a expr.Value) expr.Value { return r.permute(a, front) }), 0)
		// A program that transposes and computes at once goes through memory in strides.
		return r.each(xs, func(a expr.Value) expr.Value { return r.Do(ir.OptimizationBarrier, nil, r.permute(a, back)) })
	case n <= rowBlock || n <= s.Size()/n:
		return r.inOrder(xs, 0)
	}
	return r.split(xs, axis, rowBlock, r.inRows)
}

// split returns the results of blocks of so many elements, and puts what is before
// each to them.
func (r runner) split(xs []expr.Value, axis, block int, run func(xs []expr.Value, axis int) []expr.Value) []expr.Value {
	s := xs[0].Shape()
	n, blocks := s[axis], (s[axis]+block-1)/block
	split := slices.Insert(s.Clone(), axis+1, block)
	split[axis] = blocks
	one, joined := split.Clone(), s.Clone()
	one[axis+1], joined[axis] = 1, blocks*block
	in := make([]expr.Value, len(xs))
	for i, a := range xs {
		in[i] = r.reshape(r.lengthened(a, axis, blocks*block, r.unit[i]), split)
	}
	within := run(in, axis+1)
	whole := r.each(within, func(a expr.Value) expr.Value { return r.pick(a, axis+1, block-1) })
	before := r.each(r.shifted(run(whole, axis), axis, 1), func(a expr.Value) expr.Value { return r.to(r.reshape(a, one), split) })
	return r.each(r.put(before, within), func(a expr.Value) expr.Value { return r.shortened(r.reshape(a, joined), axis, n) })
}

// shifted returns xs moved up by n along an axis, with units below.
func (r runner) shifted(xs []expr.Value, axis, n int) []expr.Value {
	out := make([]expr.Value, len(xs))
	for i, a := range xs {
		out[i] = r.shift(a, axis, n, r.unit[i])
	}
	return out
}

func (r runner) each(xs []expr.Value, f func(a expr.Value) expr.Value) []expr.Value {
	out := make([]expr.Value, len(xs))
	for i, a := range xs {
		out[i] = f(a)
	}
	return out
}

// shift returns a moved up by n along an axis, with a scalar below.
func (c *call) shift(a expr.Value, axis, n int, fill expr.Value) expr.Value {
	return c.padded(a, axis, n, -n, fill)
}

// lengthened returns a with n elements along an axis, the last of them a scalar.
func (c *call) lengthened(a expr.Value, axis, n int, fill expr.Value) expr.Value {
	if m := a.Shape()[axis]; m < n {
		return c.padded(a, axis, 0, n-m, fill)
	}
	return a
}

// shortened returns the first n elements of a along an axis.
func (c *call) shortened(a expr.Value, axis, n int) expr.Value {
	if a.Shape()[axis] == n {
		return a
	}
	return c.every(a, axis, 0, n, 1)
}

// padded returns a with so many elements more, or fewer, at the ends of an axis.
func (c *call) padded(a expr.Value, axis, low, high int, fill expr.Value) expr.Value {
	none := make(Shape, len(a.Shape()))
	lows, highs := none.Clone(), none.Clone()
	lows[axis], highs[axis] = low, high
	return c.Do(ir.Pad, ir.PadAttrs{Low: lows.Dims(), High: highs.Dims(), Interior: none.Dims()}, a, fill)
}
