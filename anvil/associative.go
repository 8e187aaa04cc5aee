package anvil

import (
	"fmt"
	"reflect"

	"github.com/goanvil/notebook/anvil/expr"
)

// AssociativeScan returns the running results of f along an axis, by default the first: result[0] = xs[0], result[i] =
// f(result[i-1], xs[i]). With Reverse it starts at the end, and result[i] = f(xs[i], result[i+1]). f must be
// associative, f(f(a, b), c) = f(a, f(b, c)), and must treat elements along the axis independently, because each call
// gets many of them. f is called about 2*log2(n) times for n elements. P is a Tensor, or a struct, slice or map of
// tensors of equal length along the axis.
func AssociativeScan[P any](f func(a, b P) P, xs P, opts ...ScanOption) P {
	return Default().AssociativeScanAny(f, xs, opts...).(P)
}

// AssociativeScanAny is AssociativeScan for tensors of c.
func (c *Context) AssociativeScanAny(f, xs any, opts ...ScanOption) any {
	o := newScanOptions("AssociativeScan", opts)
	s := &associativeScan{carriedTree: c.carriedTree("AssociativeScan", xs)}
	if len(s.leaves) == 0 {
		s.fail("xs contains no tensor", "give a Tensor, or a struct, slice or map of them")
	}
	p := s.tree.Type()
	call := s.function("f", f, []reflect.Type{p, p}, []reflect.Type{p})
	var ts []expr.Value
	for i, x := range s.leaves {
		shape := x.t.Shape()
		if len(shape) == 0 {
			s.fail("the tensor"+atPath(s.places[i])+" is a scalar", "give tensors with an axis to scan")
		}
		at := s.axis(o.axis, len(shape))
		if i > 0 && shape[at] != s.scanLength(ts) {
			s.fail(fmt.Sprintf("the tensor%s has length %d along axis %d, and the first tensor has length %d",
				atPath(s.places[i]), shape[at], at, s.scanLength(ts)),
				"give tensors of equal length along the axis")
		}
		s.axes, ts = append(s.axes, at), append(ts, x.t)
	}
	s.f = func(a, b []expr.Value) []expr.Value {
		out := s.newLeaves(call(s.treeOf(s.withFlags(a)), s.treeOf(s.withFlags(b)))[0], "f")
		return s.checkTypes(a, out)
	}
	if o.reverse {
		g := s.f
		s.f = func(a, b []expr.Value) []expr.Value { return g(b, a) }
		ts = s.reversed(ts)
	}
	ts = s.scanByPairs(ts, s.axes, s.f, s.weave)
	if o.reverse {
		ts = s.reversed(ts)
	}
	out := make([]Tensor, len(ts))
	for i, t := range ts {
		out[i] = s.result(t, s.leaves[i].t.amb)
	}
	return s.treeOf(out).Interface()
}

// An associativeScan is one call of AssociativeScan.
type associativeScan struct {
	*carriedTree
	axes []int                                // the axis along which each tensor is scanned
	f    func(a, b []expr.Value) []expr.Value // combines two trees, given and returned as their tensors
}

// scanLength returns the number of elements of ts along the scanned axis.
func (s *associativeScan) scanLength(ts []expr.Value) int { return ts[0].Shape()[s.axes[0]] }

// reversed returns ts, each reversed along the axis that is scanned.
func (s *associativeScan) reversed(ts []expr.Value) []expr.Value {
	out := make([]expr.Value, len(ts))
	for i, t := range ts {
		out[i] = s.Reverse(t, s.axes[i])
	}
	return out
}

// withFlags returns ts as tensors with the ambiguity flags of the operands.
func (s *associativeScan) withFlags(ts []expr.Value) []Tensor {
	out := make([]Tensor, len(ts))
	for i, t := range ts {
		leaf := s.leaves[i].t
		out[i] = Tensor{t: &tensor{ctx: s.ctx, arr: t.(*tensor).arr, amb: leaf.amb, unchecked: leaf.unchecked}}
	}
	return out
}

// checkTypes returns the values of out, the tensors that f returned. It fails if their types
// differ from the types of a, the tensors that f was given.
func (s *associativeScan) checkTypes(a []expr.Value, out []Tensor) []expr.Value {
	ts := make([]expr.Value, len(out))
	for i, x := range out {
		ts[i] = x.must(s.op)
		if from, to := typeOf(a[i]), typeOf(ts[i]); !from.Equal(to) {
			s.fail("f is given "+from.String()+" and returns "+to.String()+atPath(s.places[i]),
				"return the dtypes and shapes that f is given")
		}
	}
	return ts
}

// scanByPairs returns the running results of f along an axis of each tensor, in the order of JAX's associative_scan. It
// combines pairs of neighbours by f and scans the pairs recursively, which gives the results at odd positions. One more
// call of f gives the results at even positions. join interleaves the two.
func (c *call) scanByPairs(ts []expr.Value, axes []int, f func(a, b []expr.Value) []expr.Value,
	join func(even, odd expr.Value, axis int) expr.Value) []expr.Value {
	n := ts[0].Shape()[axes[0]]
	if n < 2 {
		return ts
	}
	take := func(ts []expr.Value, low, high, step int) []expr.Value {
		out := make([]expr.Value, len(ts))
		for i, t := range ts {
			out[i] = c.sliceAxis(t, axes[i], low, high, step)
		}
		return out
	}
	odd := c.scanByPairs(f(take(ts, 0, n-1, 2), take(ts, 1, n, 2)), axes, f, join)
	even := take(ts, 0, 1, 1)
	if n > 2 {
		rest := f(take(odd, 0, (n-1)/2, 1), take(ts, 2, n, 2))
		for i := range even {
			even[i] = c.Concatenate(axes[i], even[i], rest[i])
		}
	}
	for i := range even {
		even[i] = join(even[i], odd[i], axes[i])
	}
	return even
}

// weave interleaves two tensors along an axis; even may have one more element. Unlike interleave, which adds, weave
// works for bools and keeps -0.
func (c *call) weave(even, odd expr.Value, axis int) expr.Value {
	s := odd.Shape()
	first, second := c.expand(c.sliceAxis(even, axis, 0, s[axis], 1), Axis(axis+1)), c.expand(odd, Axis(axis+1))
	pairs := c.Concatenate(axis+1, first, second)
	woven := s.Clone()
	woven[axis] *= 2
	r := c.reshape(pairs, woven)
	if n := even.Shape()[axis]; n > s[axis] {
		r = c.Concatenate(axis, r, c.sliceAxis(even, axis, n-1, n, 1))
	}
	return r
}
