package anvil

import (
	"fmt"
	"reflect"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/typename"
)

// A ScanOption is an option of Scan: Reverse, to begin with the last element, or Steps, the number of steps if
// xs is nil. AssociativeScan accepts Reverse and an Axis.
type ScanOption interface{ scan(*scanOptions) }

type scanOptions struct {
	axis    Axis
	reverse bool
	steps   int // -1: the length of the first axis of the scanned tensors
}

func (f CumsumFlag) scan(s *scanOptions) { s.reverse = f&Reverse != 0 }
func (a Axis) scan(s *scanOptions)       { s.axis = a }

// Steps returns the ScanOption that sets the number of steps of a Scan.
func Steps(n int) ScanOption { return steps(n) }

type steps int

func (n steps) scan(s *scanOptions) { s.steps = int(n) }

// newScanOptions returns opts, the options of a call of op, as one value.
func newScanOptions(op string, opts []ScanOption) scanOptions {
	s := scanOptions{steps: -1}
	for _, o := range accepted(op, opts) {
		o.scan(&s)
	}
	return s
}

// Scan is a loop over the elements of xs along the first axis. It calls body with a carry, which begins as init,
// and an element. body returns the next carry and a result. Scan returns the last carry and the results, stacked
// along a first axis. C, X and Y are Tensors, or structs, slices or maps of them; an element of xs is xs with
// an element in place of each tensor. The carry keeps its dtypes and shapes, as in While.
//
// With Reverse the loop begins with the last element; the results have the positions of their elements. If xs is
// nil or contains no tensors, Steps gives the number of steps. The loop is one program, whatever its length.
func Scan[C, X, Y any](init C, xs X, body func(carry C, x X) (C, Y), opts ...ScanOption) (C, Y) {
	carry, ys := Default().ScanAny(init, xs, body, opts...)
	y, _ := ys.(Y) // nil if Y is an interface
	return carry.(C), y
}

// ScanAny is Scan for tensors of c.
func (c *Context) ScanAny(init, xs, body any, opts ...ScanOption) (carry, ys any) {
	s := c.scan("Scan", init, xs, opts)
	f := reflect.ValueOf(body)
	if f.Kind() != reflect.Func || f.Type().NumIn() != 2 || f.Type().NumOut() != 2 {
		carry, element := typeName(s.tree), typename.Text(s.elementType().String())
		s.fail("body has type "+typeName(f), fmt.Sprintf("give a func(%s, %s) (%s, results)", carry, element, carry))
	}
	in := []reflect.Type{s.tree.Type(), s.elementType()}
	out := []reflect.Type{s.tree.Type(), f.Type().Out(1)}
	next := s.function("body", body, in, out)
	return s.run(func(carry, x reflect.Value) (reflect.Value, reflect.Value) {
		if !x.IsValid() {
			x = reflect.Zero(f.Type().In(1))
		}
		out := next(carry, x)
		return out[0], out[1]
	})
}

// Map returns the results of f for the elements of xs along the first axis, stacked.
// X and Y are Tensors, or structs, slices or maps of them. The results are
// computed one after the other, in one program; nv.Vmap computes them at once.
func Map[X, Y any](f func(x X) Y, xs X) Y {
	y, _ := Default().MapAny(f, xs).(Y)
	return y
}

// MapAny is Map for tensors of c.
func (c *Context) MapAny(f, xs any) any {
	s := c.scan("Map", []Tensor{}, xs, nil)
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.Type().NumOut() != 1 {
		s.fail("f has type "+typeName(v), "give a func("+typename.Text(s.elementType().String())+") with one result")
	}
	call := s.function("f", f, []reflect.Type{s.elementType()}, []reflect.Type{v.Type().Out(0)})
	_, ys := s.run(func(carry, x reflect.Value) (reflect.Value, reflect.Value) { return carry, call(x)[0] })
	return ys
}

// A scan is a call of Scan or Map that is being recorded.
type scan struct {
	*carriedTree
	scanOptions
	xs      reflect.Value // the scanned tree; invalid: nothing is scanned
	scanned []*tensor     // the tensors of xs

	y reflect.Value // the result of the step that was recorded last; the results of all steps have its structure
}

// scan returns a scan of xs whose carry begins as init.
func (c *Context) scan(op string, init, xs any, opts []ScanOption) *scan {
	var scanned any = []Tensor{}
	if xs != nil {
		scanned = xs
	}
	tree := c.carriedTree(op, scanned) // not carried: it checks the tensors and lists them
	others := make([]any, len(tree.leaves))
	for i, x := range tree.leaves {
		others[i] = x
	}
	s := &scan{
		carriedTree: c.carriedTree(op, init, others...),
		scanOptions: newScanOptions(op, opts),
		xs:          reflect.ValueOf(xs),
	}
	for i, x := range tree.leaves {
		shape := x.t.Shape()
		if len(shape) == 0 {
			s.fail("the tensor"+atPath(tree.places[i])+" of xs is a scalar",
				"give tensors with a first axis; nv.Scan also takes nil and nv.Steps(n)")
		}
		if n := shape[0]; s.steps < 0 {
			s.steps = n
		} else if n != s.steps {
			s.fail(fmt.Sprintf("the tensor%s of xs has length %d along its first axis, and the number of steps is %d",
				atPath(tree.places[i]), n, s.steps),
				"give tensors whose first axes have equal lengths")
		}
		s.scanned = append(s.scanned, x.t)
	}
	if s.steps < 0 {
		s.fail("the number of steps is unknown",
			"give an xs that contains a tensor; nv.Scan also takes the option nv.Steps(n)")
	}
	return s
}

// elementType returns the type of the elements that body is called with.
func (s *scan) elementType() reflect.Type {
	if !s.xs.IsValid() {
		return anyType
	}
	return s.xs.Type()
}

// run records the loop and returns its results. body records one step.
func (s *scan) run(body func(carry, x reflect.Value) (next, y reflect.Value)) (carry, ys any) {
	w := s.loop()
	w.scan, w.inputs = ir.ScanAttrs{Length: s.steps, Reverse: s.reverse}, s.scanned
	w.body = func(carry, elements []Tensor) (next, results []Tensor) {
		nextTree, y := body(s.treeOf(carry), s.elementTree(elements))
		return s.newLeaves(nextTree, "body"), s.resultTensors(y)
	}
	end, stacked := w.run()
	if !s.y.IsValid() || s.y.Kind() == reflect.Interface && s.y.IsNil() { // no results
		return s.treeOf(end).Interface(), []Tensor{}
	}
	return s.treeOf(end).Interface(), withLeaves(s.y, stacked).Interface()
}

// elementTree returns xs with elements in place of its tensors.
func (s *scan) elementTree(elements []Tensor) reflect.Value {
	if !s.xs.IsValid() {
		return s.xs
	}
	return withLeaves(s.xs, elements)
}

// resultTensors returns the tensors of y, the result of a step, and keeps y for its structure.
func (s *scan) resultTensors(y reflect.Value) (out []Tensor) {
	s.y = y
	if y.IsValid() {
		refuseHidden(s.op, "the result of body", y.Type())
	}
	leaves(y, "", func(path string, x Tensor) {
		if x.t == nil || x.t.ctx != s.ctx {
			s.fail("the result of body"+atPath(path)+" has not been set or belongs to another context",
				"give every tensor a value, and make all in one Context")
		}
		out = append(out, x)
	})
	return out
}
