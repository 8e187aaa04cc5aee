package anvil

import (
	"fmt"
	"reflect"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A ScanOption tells Scan to begin with the last element (Reverse) or how many
// stepCount to make where nothing is scanned (Steps), and AssociativeScan the Axis.
type ScanOption interface{ scan(*scanning) }

type scanning struct {
	axis    Axis
	reverse bool
	steps   int // -1: as many as there are elements
}

func (f CumsumFlag) scan(s *scanning) {
	if f&Exclusive != 0 {
		panic(&Error{Op: "Scan", Operands: "nv.Exclusive", Reason: "a scan gives what each step makes", Hint: "return the carry as it was before the step"})
	}
	s.reverse = f&Reverse != 0
}
func (a Axis) scan(s *scanning) { s.axis = a }

// Steps returns the ScanOption that says how many steps a Scan makes.
func Steps(n int) ScanOption { return steps(n) }

type steps int

func (n steps) scan(s *scanning) { s.steps = int(n) }

func scanOptions(opts []ScanOption) scanning {
	s := scanning{steps: -1}
	for _, o := range nonNil(opts) {
		o.scan(&s)
	}
	return s
}

// Scan goes through xs, the elements of its tensors along the first axis, and
// returns the last carry and what the steps gave, stacked: at each step body
// makes of the carry and of an element the next carry and a result. C, X and Y
// are Tensors, or structs, slices or maps of them, and the carry keeps its
// dtypes and shapes, as in While. With Reverse the last element comes first;
// the results stay at their elements' places. Where xs is nil or has no
// tensors, Steps says how often. It is one program, whatever the length.
func Scan[C, X, Y any](init C, xs X, body func(carry C, x X) (C, Y), opts ...ScanOption) (C, Y) {
	carry, ys := Default().ScanAny(init, xs, body, opts...)
	y, _ := ys.(Y) // nil where Y is an interface
	return carry.(C), y
}

// ScanAny is Scan for callers that cannot instantiate it.
func ScanAny(init, xs, body any, opts ...ScanOption) (carry, ys any) {
	return Default().ScanAny(init, xs, body, opts...)
}

// ScanAny is the function ScanAny for tensors of c.
func (c *Context) ScanAny(init, xs, body any, opts ...ScanOption) (carry, ys any) {
	s := c.scan("Scan", init, xs, opts)
	f := reflect.ValueOf(body)
	if f.Kind() != reflect.Func || f.Type().NumIn() != 2 || f.Type().NumOut() != 2 {
		s.fail(fmt.Sprintf("body is no func(%T, %s) (%T, results) but a %T", init, s.xType(), init, body), "")
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

// MapAny is Map for callers that cannot instantiate it.
func MapAny(f, xs any) any { return Default().MapAny(f, xs) }

// MapAny is the function MapAny for tensors of c.
func (c *Context) MapAny(f, xs any) any {
	s := c.scan("Map", []Tensor{}, xs, nil)
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.Type().NumOut() != 1 {
		s.fail(fmt.Sprintf("f is no func(%s) results but a %T", s.xType(), f), "")
	}
	of := s.function("f", f, []reflect.Type{s.xType()}, []reflect.Type{v.Type().Out(0)})
	_, ys := s.run(func(carry, x reflect.Value) (reflect.Value, reflect.Value) { return carry, of(x)[0] })
	return ys
}

// A scan is a Scan or Map being recorded.
type scan struct {
	*state
	scanning
	xs       reflect.Value // what is scanned; not valid: nothing
	elements []*tensor     // its tensors

	y     reflect.Value // what a step returned last: the structure of the results
	types []shape.Type  // of the tensors in it
	flags []bool        // whether they are ambiguous
}

// scan returns the scan of xs from init on.
func (c *Context) scan(op string, init, xs any, opts []ScanOption) *scan {
	inner := c.state(op, xs0(xs))
	others := make([]any, len(inner.leaves))
	for i, x := range inner.leaves {
		others[i] = x
	}
	s := &scan{state: c.state(op, init, others...), scanning: scanOptions(opts), xs: reflect.ValueOf(xs)}
	for i, x := range inner.leaves {
		shape := x.t.Shape()
		if len(shape) == 0 {
			s.fail("what is scanned"+placed(inner.places[i])+" is a scalar", "it has no axis to go along; give nil and nv.Steps(n)")
		}
		if n := shape[0]; s.steps < 0 {
			s.steps = n
		} else if n != s.steps {
			s.fail(fmt.Sprintf("what is scanned%s has %d elements where %d are expected", placed(inner.places[i]), n, s.steps), "the first axes must have one length")
		}
		s.elements = append(s.elements, x.t)
	}
	if s.steps < 0 {
		s.fail("nobody says how many steps there are", "give what to scan, or nv.Steps(n)")
	}
	return s
}

// xs0 returns xs as a tree; nil is one without tensors.
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

// run records the loop: first to learn what a step gives, then with the tensors
// that the results are written to.
func (s *scan) run(body func(carry, x reflect.Value) (next, y reflect.Value)) (carry, ys any) {
	n := len(s.leaves)
	w := s.countedLoop(s.literal(s.steps, dtype.I32), func(i Tensor, carry []Tensor) []Tensor {
		at := s.position(i)
		next, y := body(s.with(carry[:n]), s.element(at))
		out := s.newLeaves(next, "body")
		return append(out, s.write(carry[n:], at, y)...)
	})
	w.settle()
	for i, t := range s.types {
		all := append(Shape{s.steps}, t.Shape...)
		w.carry = append(w.carry, w.to(w.blank(t.DType), all).(*tensor))
		w.carry[len(w.carry)-1].amb = s.flags[i]
	}
	out := w.run()[1:]
	if !s.y.IsValid() || s.y.Kind() == reflect.Interface && s.y.IsNil() { // no results, whatever they would be
		return s.with(out[:n]).Interface(), []Tensor{}
	}
	at := n
	stacked := rebuild(s.y, func(Tensor) Tensor {
		at++
		return out[at-1]
	})
	return s.with(out[:n]).Interface(), stacked.Interface()
}

// position returns the element of step i.
func (s *scan) position(i Tensor) expr.Value {
	if !s.reverse {
		return i.t
	}
	return s.Sub(s.literal(s.steps-1, dtype.I32), i.t)
}

// element returns xs with each tensor's element at a position.
func (s *scan) element(at expr.Value) reflect.Value {
	if !s.xs.IsValid() {
		return s.xs
	}
	k := 0
	return rebuild(s.xs, func(x Tensor) Tensor {
		t := s.elements[k]
		k++
		return Tensor{t: &tensor{ctx: s.ctx, arr: s.elementAt(t, at).(*tensor).arr, amb: t.amb, unchecked: t.unchecked}}
	})
}

// elementAt returns a[at], at an i32 scalar that is no index outside.
func (c *call) elementAt(a, at expr.Value) expr.Value {
	s := a.Shape()
	if s[0] == 0 { // traced, and never run
		return c.to(c.blank(a.DType()), s[1:])
	}
	sizes := s.Clone()
	sizes[0] = 1
	one := c.Do(ir.DynamicSlice, ir.DynamicSliceAttrs{Sizes: sizes.Dims()}, append([]expr.Value{a}, c.corner(at, len(s))...)...)
	return c.reshape(one, s[1:])
}

// blank returns some scalar of dtype d.
func (c *call) blank(d dtype.DType) expr.Value { return c.convert(c.literal(false, dtype.I1), d) }

// corner returns the start of a slice of n axes that begins at at along the first.
func (c *call) corner(at expr.Value, n int) []expr.Value {
	starts := []expr.Value{at}
	for range n - 1 {
		starts = append(starts, c.literal(0, dtype.I32))
	}
	return starts
}

// write returns the stacked results with y, the result of a step, in its place.
// Where there are none yet it takes note of what y is.
func (s *scan) write(stacked []Tensor, at expr.Value, y reflect.Value) []Tensor {
	s.y, s.types, s.flags = y, nil, nil
	var out []Tensor
	if y.IsValid() {
		refuseHidden(s.op, "body returns", y.Type())
	}
	leaves(y, "", func(path string, x Tensor) {
		if x.t == nil || x.t.ctx != s.ctx {
			s.fail("the result of body"+placed(path)+" is no tensor of this context", "give every tensor a value, all made in one Context")
		}
		k := len(s.types)
		s.types, s.flags = append(s.types, typeOf(x.t)), append(s.flags, x.t.amb)
		if len(stacked) == 0 {
			return
		}
		into := stacked[k].t
		if s.steps == 0 {
			out = append(out, stacked[k])
			return
		}
		slot := s.expand(x.t, 0)
		all := s.Do(ir.DynamicUpdateSlice, nil, append([]expr.Value{into, slot}, s.corner(at, len(into.Shape()))...)...)
		out = append(out, Tensor{t: &tensor{ctx: s.ctx, arr: all.(*tensor).arr, amb: x.t.amb}})
	})
	return out
}
