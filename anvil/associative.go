package anvil

import (
	"fmt"
	"reflect"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// AssociativeScan returns the running results of f along an axis, the first
// where none is given: result[0] = xs[0], result[i] = f(result[i-1], xs[i]); with
// Reverse from the end on. F must be associative, f(f(a, b), c) = f(a, f(b, c)),
// and is given many elements at once: it must treat each along the axis alone.
// So it takes about 2*log2(n) calls of f for n elements. P is a Tensor, or a
// struct, slice or map of tensors of one length along the axis.
func AssociativeScan[P any](f func(a, b P) P, xs P, opts ...ScanOption) P {
	return Default().AssociativeScanAny(f, xs, opts...).(P)
}

// AssociativeScanAny is AssociativeScan for callers that cannot instantiate it.
func AssociativeScanAny(f, xs any, opts ...ScanOption) any {
	return Default().AssociativeScanAny(f, xs, opts...)
}

// AssociativeScanAny is the function AssociativeScanAny for tensors of c.
func (c *Context) AssociativeScanAny(f, xs any, opts ...ScanOption) any {
	o := scanOptions(opts)
	s := &associativeScan{state: c.state("AssociativeScan", xs)}
	if len(s.leaves) == 0 {
		s.fail("there is no tensor to scan", "xs is a Tensor, or a struct, slice or map of them")
	}
	if o.steps >= 0 {
		s.fail("the number of steps is that of the elements", "leave nv.Steps away")
	}
	p := s.tree.Type()
	call := s.function("f", f, []reflect.Type{p, p}, []reflect.Type{p})
	var ts []expr.Value
	for i, x := range s.leaves {
		shape := x.t.Shape()
		if len(shape) == 0 {
			s.fail("what is scanned"+placed(s.places[i])+" is a scalar", "it has no axis to go along")
		}
		at := s.axis(o.axis, len(shape))
		if i > 0 && shape[at] != s.scanLength(ts) {
			s.fail(fmt.Sprintf("what is scanned%s has %d elements where %d are expected", placed(s.places[i]), shape[at], s.scanLength(ts)), "all must have one length along the axis")
		}
		s.axes, ts = append(s.axes, at), append(ts, x.t)
	}
	s.f = func(a, b []expr.Value) []expr.Value {
		out := s.newLeaves(call(s.with(s.withFlags(a)), s.with(s.withFlags(b)))[0], "f")
		return s.checkTypes(a, out)
	}
	if o.reverse {
		g := s.f
		s.f = func(a, b []expr.Value) []expr.Value { return g(b, a) }
		ts = s.mapAxes(ts, func(a expr.Value, axis int) expr.Value { return s.reverse(a, axis) })
	}
	ts = s.scan(ts)
	if o.reverse {
		ts = s.mapAxes(ts, func(a expr.Value, axis int) expr.Value { return s.reverse(a, axis) })
	}
	out := make([]Tensor, len(ts))
	for i, t := range ts {
		out[i] = s.result(t, s.leaves[i].t.amb)
	}
	return s.with(out).Interface()
}

// An association is an AssociativeScan on its way.
type associativeScan struct {
	*state
	axes []int // along which each tensor is scanned
	f    func(a, b []expr.Value) []expr.Value
}

func (s *associativeScan) scanLength(ts []expr.Value) int { return ts[0].Shape()[s.axes[0]] }

func (s *associativeScan) mapAxes(ts []expr.Value, f func(a expr.Value, axis int) expr.Value) []expr.Value {
	out := make([]expr.Value, len(ts))
	for i, t := range ts {
		out[i] = f(t, s.axes[i])
	}
	return out
}

// recordedOperand returns ts as f sees them: with the flags of what is scanned.
func (s *associativeScan) withFlags(ts []expr.Value) []Tensor {
	out := make([]Tensor, len(ts))
	for i, t := range ts {
		of := s.leaves[i].t
		out[i] = Tensor{t: &tensor{ctx: s.ctx, arr: t.(*tensor).arr, amb: of.amb, unchecked: of.unchecked}}
	}
	return out
}

// resultTypes returns out once it has the types that f was given.
func (s *associativeScan) checkTypes(a []expr.Value, out []Tensor) []expr.Value {
	ts := make([]expr.Value, len(out))
	for i, x := range out {
		ts[i] = x.must(s.op)
		if from, to := typeOf(a[i]), typeOf(ts[i]); !from.Equal(to) {
			s.fail("f makes "+to.String()+" of "+from.String()+placed(s.places[i]), "it must return the dtypes and shapes that it is given")
		}
	}
	return ts
}

// scan returns the running results by those of pairs: of the first two, the next
// two, and so on; what lies between needs one more call.
func (s *associativeScan) scan(ts []expr.Value) []expr.Value {
	n := s.scanLength(ts)
	if n < 2 {
		return ts
	}
	take := func(ts []expr.Value, low, high, step int) []expr.Value {
		return s.mapAxes(ts, func(a expr.Value, axis int) expr.Value { return s.every(a, axis, low, high, step) })
	}
	odd := s.scan(s.f(take(ts, 0, n-1, 2), take(ts, 1, n, 2)))
	even := take(ts, 0, 1, 1)
	if n > 2 {
		rest := s.f(take(odd, 0, (n-1)/2, 1), take(ts, 2, n, 2))
		for i := range even {
			even[i] = s.Do(ir.Concatenate, ir.AxisAttrs{Axis: s.axes[i]}, even[i], rest[i])
		}
	}
	for i := range even {
		even[i] = s.weave(even[i], odd[i], s.axes[i])
	}
	return even
}

// weave returns the elements of two in turn along an axis, bit by bit as they
// are; even may have one more.
func (c *call) weave(even, odd expr.Value, axis int) expr.Value {
	s := odd.Shape()
	pairs := c.Do(ir.Concatenate, ir.AxisAttrs{Axis: axis + 1}, c.expand(c.every(even, axis, 0, s[axis], 1), Axis(axis+1)), c.expand(odd, Axis(axis+1)))
	woven := s.Clone()
	woven[axis] *= 2
	r := c.reshape(pairs, woven)
	if n := even.Shape()[axis]; n > s[axis] {
		r = c.Do(ir.Concatenate, ir.AxisAttrs{Axis: axis}, r, c.every(even, axis, n-1, n, 1))
	}
	return r
}
