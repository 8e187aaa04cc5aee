package data

import (
	"fmt"
	"iter"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/random"
)

// A Batch holds some examples of a Set. Mask, i1{rows}, is false for rows that pad the
// last batch. These repeat other examples and must not count; b.Mean(losses) ignores them.
type Batch struct{ X, Y, Mask nv.Tensor }

// Mean returns the mean of values, whose first axis counts the rows, over rows that are
// not padding. It computes the mean at f32 or wider. The result has the dtype of values, or
// f32 for integers and bools.
func (b Batch) Mean(values nv.Tensor) nv.Tensor {
	keep := expandMask("Batch.Mean", b.Mask, values)
	v := atLeastF32(values)
	mean := nv.Where(keep, v, 0).Sum().Div(keep.AsType(v.DType()).Sum())
	if values.DType().Is(dtype.Inexact) {
		return mean.AsType(values.DType())
	}
	return mean
}

// atLeastF32 returns x at f32, or at its own dtype if that is wider.
func atLeastF32(x nv.Tensor) nv.Tensor { return x.AsType(promote.AtLeast(dtype.F32, x.DType()).DType) }

// A BatchOption is an option of Batches.
type BatchOption interface{ apply(*batching) }

// A batching holds the options of Batches.
type batching struct {
	key      random.PRNGKey
	shuffle  bool
	dropLast bool
}

type batchFunc func(*batching)

func (f batchFunc) apply(o *batching) { f(o) }

// batchingOf returns opts as a batching.
func batchingOf(opts []BatchOption) (o batching) {
	for _, option := range opts {
		option.apply(&o)
	}
	return o
}

// Shuffle puts the examples in a random order, which the key determines. Give another key
// in every epoch: data.Shuffle(key.FoldIn(epoch)).
func Shuffle(key random.PRNGKey) BatchOption {
	return batchFunc(func(o *batching) { o.key, o.shuffle = key, true })
}

// DropLast drops the last batch if there are not enough examples to fill it.
var DropLast BatchOption = batchFunc(func(o *batching) { o.dropLast = true })

// Batches returns an iterator over batches of size rows each, in order or shuffled. If the
// examples do not fill the last batch, Batches pads it, or leaves it out with DropLast. The
// rows are gathered on the device. A shuffled order is computed at the start of each iteration.
func (s Set) Batches(size int, opts ...BatchOption) iter.Seq[Batch] {
	s.check("Batches")
	n, o := s.Len(), batchingOf(opts)
	steps := s.steps("Batches", size, o)
	return func(yield func(Batch) bool) {
		order := s.order(n, o)
		ctx, all := s.X.Context(), Batch{X: s.X, Y: s.Y}
		gather := nv.Jit(func(all Batch, rows, count nv.Tensor) Batch {
			takeRows := func(xs ...nv.Tensor) nv.Tensor { return xs[0].Take(rows, nv.Axis(0)) }
			b := nv.TreeMap(takeRows, all)
			b.Mask = ctx.Arange(size).Lt(count)
			return b
		})
		for step := range steps {
			low := step * size
			count := min(size, n-low)
			rows := make([]int32, size)
			for i := range rows {
				rows[i] = order[low+i%count] // padding repeats the batch
			}
			if !yield(gather(all, ctx.New(rows), ctx.New(int32(count)))) {
				return
			}
		}
	}
}

// Steps returns how many batches Batches yields.
func (s Set) Steps(size int, opts ...BatchOption) int {
	return s.steps("Steps", size, batchingOf(opts))
}

// steps is Steps for the method op.
func (s Set) steps(op string, size int, o batching) int {
	if size < 1 {
		panic(&nv.Error{Op: "data." + op, Operands: fmt.Sprint(size), Reason: "a batch must have at least one row"})
	}
	if o.dropLast {
		return s.Len() / size
	}
	return (s.Len() + size - 1) / size
}

// order returns the indices of the n examples in the order of the batches.
func (s Set) order(n int, o batching) []int32 {
	if o.shuffle {
		return nv.Values[int32](random.Permutation(o.key, n))
	}
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}
