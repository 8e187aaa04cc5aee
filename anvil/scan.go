package anvil

import (
	"fmt"
	"reflect"

	"github.com/goanvil/notebook/anvil/ir"
)

// A ScanOption is an option of Scan: Reverse, to begin with the last element, or the number of Steps if
// nothing is scanned. AssociativeScan accepts the Axis.
type ScanOption interface{ scan(*scanning) }

type scanning struct {
	axis    Axis
	reverse bool
	steps   int // -1: the number of elements
}

func (f CumsumFlag) scan(s *scanning) {
	s.reverse = f&Reverse != 0
}
func (a Axis) scan(s *scanning) { s.axis = a }

// Steps returns the ScanOption for the number of steps of a Scan.
func Steps(n int) ScanOption { return steps(n) }

type steps int

func (n steps) scan(s *scanning) { s.steps = int(n) }

func scanOptions(op string, opts []ScanOption) scanning {
	s := scanning{steps: -1}
	for _, o := range accepted(op, opts) {
		o.scan(&s)
	}
	return s
}

// Scan calls body for each element of xs (the elements of its tensors along the first axis) with the carry,
// which begins with init. body returns the next carry and a result. Scan returns the last carry and the
// results, stacked. C, X and Y are Tensors, or structs, slices or maps of them; the carry keeps its dtypes
// and shapes, as in While. With Reverse it begins with the last element; the results stay at the positions of
// their elements. If xs is nil or contains no tensors, Steps gives the number of steps. The loop is one
// program, whatever its length.
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
		s.fail(fmt.Sprintf("body is a %T", body), fmt.Sprintf("give a func(%T, %s) (%T, results)", init, s.xType(), init))
	}
	next := s.function("body", body, []reflect.Type{s.tree.Type(), s.xType()}, []reflect.Type{s.tree.Type(), f.Type().Out(1)})
	return s.run(func(carry, x reflect.Value) (reflect.Value, reflect.Value) {
		if !x.IsValid() {
			x = reflect.Zero(f.Type().In(1))
		}
		out := next(carry, x)
		return out[0], out[1]
	})
}

// Map returns the results of f for each element of xs along the first axis, stacked.
// X and Y are Tensors, or structs, slices or maps of them. The elements are
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
		s.fail(fmt.Sprintf("f is a %T", f), fmt.Sprintf("give a func(%s) results", s.xType()))
	}
	of := s.function("f", f, []reflect.Type{s.xType()}, []reflect.Type{v.Type().Out(0)})
	_, ys := s.run(func(carry, x reflect.Value) (reflect.Value, reflect.Value) { return carry, of(x)[0] })
	return ys
}

// A scan is a call of Scan or Map that is being recorded.
type scan struct {
	*state
	scanning
	xs       reflect.Value // the scanned tree; invalid: nothing is scanned
	elements []*tensor     // its tensors

	y reflect.Value // the last result of a step, whose structure all results have
}

// scan returns a scan of xs that begins with init.
func (c *Context) scan(op string, init, xs any, opts []ScanOption) *scan {
	inner := c.state(op, xs0(xs))
	others := make([]any, len(inner.leaves))
	for i, x := range inner.leaves {
		others[i] = x
	}
	s := &scan{state: c.state(op, init, others...), scanning: scanOptions(op, opts), xs: reflect.ValueOf(xs)}
	for i, x := range inner.leaves {
		shape := x.t.Shape()
		if len(shape) == 0 {
			s.fail("the tensor"+placed(inner.places[i])+" of xs is a scalar", "give tensors with a first axis, or nil and nv.Steps(n)")
		}
		if n := shape[0]; s.steps < 0 {
			s.steps = n
		} else if n != s.steps {
			s.fail(fmt.Sprintf("the tensor%s of xs has %d elements where %d are expected", placed(inner.places[i]), n, s.steps),
				"give tensors whose first axes have one length")
		}
		s.elements = append(s.elements, x.t)
	}
	if s.steps < 0 {
		s.fail("the number of steps is unknown", "give xs or nv.Steps(n)")
	}
	return s
}

// xs0 returns xs as a tree. It returns a tree without tensors for nil.
func xs0(xs any) any {
	if xs == nil {
		return []Tensor{}
	}
	return xs
}

// xType returns the type of the elements that body is called with.
func (s *scan) xType() reflect.Type {
	if !s.xs.IsValid() {
		return anyType
	}
	return s.xs.Type()
}

// run records the loop.
func (s *scan) run(body func(carry, x reflect.Value) (next, y reflect.Value)) (carry, ys any) {
	w := s.loop()
	w.scan, w.inputs = ir.ScanAttrs{Length: s.steps, Reverse: s.reverse}, s.elements
	w.body = func(carry, elements []Tensor) (next, results []Tensor) {
		tree, y := body(s.with(carry), s.element(elements))
		return s.newLeaves(tree, "body"), s.results(y)
	}
	end, stacked := w.run()
	if !s.y.IsValid() || s.y.Kind() == reflect.Interface && s.y.IsNil() { // no results
		return s.with(end).Interface(), []Tensor{}
	}
	at := 0
	all := rebuild(s.y, func(Tensor) Tensor {
		at++
		return stacked[at-1]
	})
	return s.with(end).Interface(), all.Interface()
}

// element returns xs with the elements of its tensors at one step.
func (s *scan) element(elements []Tensor) reflect.Value {
	if !s.xs.IsValid() {
		return s.xs
	}
	k := 0
	return rebuild(s.xs, func(Tensor) Tensor {
		k++
		return elements[k-1]
	})
}

// results returns the tensors of y, the result of a step, and keeps y for its structure.
func (s *scan) results(y reflect.Value) (out []Tensor) {
	s.y = y
	if y.IsValid() {
		refuseHidden(s.op, "the result of body", y.Type())
	}
	leaves(y, "", func(path string, x Tensor) {
		if x.t == nil || x.t.ctx != s.ctx {
			s.fail("the result of body"+placed(path)+" is a zero Tensor or belongs to another context", "give every tensor a value, and make all in one Context")
		}
		out = append(out, x)
	})
	return out
}
