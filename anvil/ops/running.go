package ops

import (
	"slices"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// A Running combines each element along an axis with all elements before it. It can take several tensors of one
// shape, such as values and their positions: Combine then gets one element of each, all at the same index.
type Running struct {
	// Combine combines the elements before with the next one. It must be associative.
	Combine func(b expr.Builder, before, next []expr.Value) []expr.Value
	// Unit has one scalar for each tensor, with which the first element is combined: a left identity of Combine, except
	// that it may turn -0 into 0. Along does not use Unit if the axis has one element.
	Unit []expr.Value
	// Rows makes Along compute long axes of large tensors row by row (see inRows), which is fast on CPUs.
	Rows bool
}

// RunningOf returns the Running of one tensor that combines two elements by the operation code.
func RunningOf(code ir.Code, unit expr.Value) Running {
	return Running{Combine: func(b expr.Builder, before, next []expr.Value) []expr.Value {
		return []expr.Value{b.Do(code, nil, before[0], next[0])}
	}, Unit: []expr.Value{unit}}
}

const (
	runBlock = 32      // the length of blocks whose elements are combined in steps of 1, 2, 4 and so on
	rowBlock = 64      // the length of blocks that are computed row by row, if rows are short
	rowsFrom = 1 << 16 // the least number of elements for which Rows has an effect
)

// Along returns the results along an axis. The order in which elements are combined depends on r.Rows. Callers do not
// set Rows for GPUs, where each row would be a program to launch.
func (r Running) Along(b expr.Builder, xs []expr.Value, axis int) []expr.Value {
	if s := xs[0].Shape(); r.Rows && s[axis] > runBlock && s.Size() >= rowsFrom {
		return r.inRows(b, xs, axis)
	}
	return r.inBlocks(b, xs, axis)
}

// InOrder returns the results along an axis. It computes them one after the other, each from the previous one.
func (r Running) InOrder(b expr.Builder, xs []expr.Value, axis int) []expr.Value {
	s := xs[0].Shape()
	if s[axis] < 2 {
		return r.Combine(b, each(r.Unit, func(u expr.Value) expr.Value { return b.BroadcastTo(u, s) }), xs)
	}
	if axis > 0 {
		return toFront(b, xs, axis, func(xs []expr.Value) []expr.Value { return r.InOrder(b, xs, 0) })
	}
	start := each(r.Unit, func(u expr.Value) expr.Value { return b.BroadcastTo(u, s[1:]) })
	step := func(b expr.Builder, before, _, next []expr.Value) (carried, results []expr.Value) {
		combined := r.Combine(b, before, next)
		return combined, combined
	}
	_, all := b.Scan(s[0], start, nil, xs, false, step)
	return all
}

// inBlocks computes the results within blocks, and combines each block with the result of all blocks before it.
// Without blocks, steps of 1, 2, 4 and so on over an axis of a million elements would read all elements twenty times.
func (r Running) inBlocks(b expr.Builder, xs []expr.Value, axis int) []expr.Value {
	n := xs[0].Shape()[axis]
	if n > runBlock {
		return r.split(b, xs, axis, runBlock, r.inBlocks)
	}
	for k := 1; k < n; k *= 2 { // element i is the combination of the last k elements of the operand up to i
		xs = r.Combine(b, r.shifted(b, xs, axis, k), xs)
	}
	return xs
}

// inRows returns the results, computed one row after the other. A row has the elements at one
// index of the axis. If rows are short, the axis is split into blocks, and a row has the
// elements at one index of each block.
func (r Running) inRows(b expr.Builder, xs []expr.Value, axis int) []expr.Value {
	s := xs[0].Shape()
	n := s[axis]
	switch {
	case axis > 0:
		return toFront(b, xs, axis, func(xs []expr.Value) []expr.Value { return r.inRows(b, xs, 0) })
	case n <= rowBlock || n <= s.Size()/n:
		return r.InOrder(b, xs, 0)
	}
	return r.split(b, xs, axis, rowBlock, r.inRows)
}

// split splits the axis into blocks of length block, computes the results within each block by run, and combines
// the results of each block with the result of all blocks before it.
func (r Running) split(
	b expr.Builder, xs []expr.Value, axis, block int,
	run func(b expr.Builder, xs []expr.Value, axis int) []expr.Value,
) []expr.Value {
	s := xs[0].Shape()
	n, blocks := s[axis], (s[axis]+block-1)/block
	split := slices.Insert(s.Clone(), axis+1, block) // s with the axis cut into blocks
	split[axis] = blocks
	perBlock := split.Clone() // with one element for each block
	perBlock[axis+1] = 1
	joined := s.Clone() // with the axis padded to whole blocks
	joined[axis] = blocks * block
	cut := make([]expr.Value, len(xs))
	for i, a := range xs {
		if n < blocks*block {
			a = b.PadAxis(a, axis, 0, blocks*block-n, r.Unit[i])
		}
		cut[i] = b.Reshape(a, split...)
	}
	within := run(b, cut, axis+1)
	ofBlocks := each(within, func(a expr.Value) expr.Value { // the last result of each block combines all of its elements
		return b.Reshape(b.Slice(a, axis+1, block-1, block), slices.Delete(split.Clone(), axis+1, axis+2)...)
	})
	before := each(r.shifted(b, run(b, ofBlocks, axis), axis, 1), func(a expr.Value) expr.Value {
		return b.BroadcastTo(b.Reshape(a, perBlock...), split)
	})
	return each(r.Combine(b, before, within), func(a expr.Value) expr.Value {
		return b.Slice(b.Reshape(a, joined...), axis, 0, n)
	})
}

// shifted returns xs shifted by n along an axis, with units in the first n places.
func (r Running) shifted(b expr.Builder, xs []expr.Value, axis, n int) []expr.Value {
	out := make([]expr.Value, len(xs))
	for i, a := range xs {
		out[i] = b.PadAxis(a, axis, n, -n, r.Unit[i])
	}
	return out
}

// toFront moves an axis of xs to the front, calls f, and returns the results of f with the axis moved back.
func toFront(b expr.Builder, xs []expr.Value, axis int, f func(xs []expr.Value) []expr.Value) []expr.Value {
	order := axesFrom(0, len(xs[0].Shape())).Ints()
	front := slices.Insert(slices.Delete(slices.Clone(order), axis, axis+1), 0, axis)
	back := slices.Insert(slices.Clone(order)[1:], axis, 0)
	xs = f(each(xs, func(a expr.Value) expr.Value { return b.Permute(a, front...) }))
	// The barrier keeps the compiler from fusing this transposition with operations on the results, which would then
	// access memory with a stride.
	return each(xs, func(a expr.Value) expr.Value { return b.Barrier(b.Permute(a, back...))[0] })
}

// each returns the results of f for each of xs.
func each(xs []expr.Value, f func(a expr.Value) expr.Value) []expr.Value {
	out := make([]expr.Value, len(xs))
	for i, a := range xs {
		out[i] = f(a)
	}
	return out
}
