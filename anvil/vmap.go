package anvil

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A VmapOption selects the axes that Vmap maps over: see InAxes and OutAxes.
type VmapOption interface{ vmap(*vmapOptions) }

type (
	vmapOptions struct{ in, out []int }
	inAxes      []int
	outAxes     []int
)

func (a inAxes) vmap(o *vmapOptions)  { o.in = a }
func (a outAxes) vmap(o *vmapOptions) { o.out = a }

// NotMapped in InAxes marks an argument that is the same for all elements.
const NotMapped = math.MinInt

// InAxes returns the option that gives, for each argument, the axis along which Vmap takes
// its elements: 0 is the first, -1 the last; NotMapped means that the argument is the same
// for all elements. A single axis holds for all arguments. The axis of a struct, slice or map
// holds for each tensor that it contains.
func InAxes(axes ...int) VmapOption {
	if len(axes) == 0 {
		panic(&Error{Op: "InAxes", Reason: "no axis is given",
			Hint: "write nv.InAxes(0) for the first axis of each argument"})
	}
	return inAxes(axes)
}

// OutAxes returns the option that gives, for each result, the axis along which Vmap stacks
// the elements: 0 is the first, -1 the last. A single axis holds for all results.
func OutAxes(axes ...int) VmapOption {
	if len(axes) == 0 {
		panic(&Error{Op: "OutAxes", Reason: "no axis is given",
			Hint: "write nv.OutAxes(0) for the first axis of each result"})
	}
	return outAxes(axes)
}

// Vmap returns the function that computes f for each element along the first axis of its
// arguments, and stacks the results along their first axis:
//
//	Vmap(f)(x, y)[i] = f(x[i], y[i])    for 0 <= i < n
//	x: T{n, s...}, y: U{n, t...}        where f takes T{s...} and U{t...}
//	Vmap(f)(x, y): V{n, r...}           where f returns V{r...}
//
// All elements are computed at once, by one program. f takes and returns Tensors and
// structs, slices and maps of them; other arguments are the same for all elements. With
// InAxes and OutAxes the elements lie along other axes:
//
//	Vmap(f, InAxes(-1, NotMapped), OutAxes(1))(x, y)[:, i] = f(x[..., i], y)
//
// Each call of the result calls f with tensors that have no values; the program for n
// elements is kept. Vmap, Jit and the functions that differentiate may be nested in any order:
// Vmap(Grad(f)) returns the gradient of each example. A random key that is mapped gives
// each element numbers of its own.
//
// If the condition of an If differs between elements, both branches are computed. A While
// runs until it has ended for every element.
func Vmap[F any](f F, opts ...VmapOption) F {
	g, _ := VmapAny(f, opts...).(F)
	return g
}

// VmapAny is Vmap for tensors of c.
func (c *Context) VmapAny(f any, opts ...VmapOption) any {
	o := vmapOptions{in: []int{0}, out: []int{0}}
	for _, opt := range accepted("Vmap", opts) {
		opt.vmap(&o)
	}
	d := c.derivativeOf("Vmap", f)
	t := d.f.Type()
	if slices.Contains(o.out, NotMapped) {
		d.fail("OutAxes has NotMapped, which is only for InAxes",
			"give each result an axis to stack elements along: nv.OutAxes(0)")
	}
	v := &vmapped{d, d.axisOfEach("InAxes", o.in, t.NumIn(), "argument"),
		d.axisOfEach("OutAxes", o.out, t.NumOut(), "result")}
	return makeFunc(t, v.call, "Vmap", d.f, v.in, v.out)
}

// axisOfEach returns one axis for each of n values. axes, which the option gives, has n axes,
// or a single axis for all. what names one of the values in the error.
func (d *derivative) axisOfEach(option string, axes []int, n int, what string) []int {
	switch len(axes) {
	case n:
		return axes
	case 1:
		return slices.Repeat(axes, n)
	}
	d.fail(fmt.Sprintf("%s has %d axes for %s", option, len(axes), plural(n, what, what+"s")),
		"give one axis for each "+what+", or one for all")
	return nil
}

// A vmapped is a function that is computed for many elements at once. It is traced and called
// like a derivative.
type vmapped struct {
	*derivative
	in, out []int // the axis of each argument, or NotMapped, and of each result
}

// elements are the arguments of a call of a vmapped.
type elements struct {
	n       int             // the number of elements; -1: no mapped tensor has been found yet
	from    string          // the tensor that determined n, for errors
	args    []reflect.Value // the arguments for a single element; their tensors have types but no values
	arrays  []engine.Array  // the arrays of all tensors; mapped ones have the elements along the first axis
	batched []bool          // which of arrays are mapped
}

// call is the function that Vmap returns.
func (v *vmapped) call(args []reflect.Value) []reflect.Value {
	e := v.elements(args)
	c := v.trace(e.args)
	c.arrays = e.arrays
	batched := append(e.batched, make([]bool, len(c.program.Captured))...)
	g := c.derive("vmap "+strconv.Itoa(e.n)+":", batched, func(p *ir.Graph) (*ir.Graph, error) {
		b, err := autodiff.Batch(p, e.n, batched)
		if err == nil {
			reduceFaults(b, len(c.faults))
		}
		return b, err
	})
	out := c.call(g)
	n := 0 // the index in out of the next tensor
	for i, r := range c.results {
		leaves(r, "", func(path string, x Tensor) {
			if x.t == nil {
				return
			}
			rank := len(out[n].Type().Shape)
			axis := shape.Axis(v.out[i], rank)
			if axis < 0 {
				v.fail(fmt.Sprintf("result %d%s is %v, which has no axis %d", i, path, out[n].Type(), v.out[i]),
					"name one of its axes in OutAxes")
			}
			out[n] = v.moveAxis(c.traced.ctx, out[n], 0, axis)
			n++
		})
	}
	return c.allResults(out)
}

// reduceFaults reduces the last outputs of g to scalars. Each of these outputs tells for which
// elements a fault occurred, and the scalar tells whether the fault occurred for any element.
func reduceFaults(g *ir.Graph, faults int) {
	for i := len(g.Outputs) - faults; i < len(g.Outputs); i++ {
		bools := g.Outputs[i]
		axis0 := ir.AxesAttrs{Axes: shape.DimsOf(0)}
		g.Outputs[i] = g.Add(ir.ReduceOr, axis0, nil, []*ir.Value{bools}, shape.Of(bools.Type.DType)).Results[0]
	}
}

// elements returns the elements of args. It fails if the axes of args do not match.
func (v *vmapped) elements(args []reflect.Value) *elements {
	e := &elements{n: -1, args: make([]reflect.Value, len(args))}
	for i, a := range args {
		var types []shape.Type
		leaves(a, "", func(path string, x Tensor) {
			if x.t != nil || path == "" {
				types = append(types, v.addTensor(e, i, path, x.must(v.op)))
			}
		})
		e.args[i] = rebuild(a, func(x Tensor) Tensor {
			if x.t == nil {
				return x
			}
			one := *x.t
			one.arr, types = x.t.ctx.session.NewTrace().Param(types[0]), types[1:]
			return Tensor{t: &one}
		})
	}
	if e.n < 0 {
		v.fail("the number of elements is unknown: no tensor is mapped",
			"give an axis for one argument in InAxes")
	}
	return e
}

// addTensor adds x, the tensor at path in argument i, to e. It returns the type of an element of x.
func (v *vmapped) addTensor(e *elements, i int, path string, x *tensor) shape.Type {
	t := x.arr.Type()
	if v.in[i] == NotMapped {
		e.arrays, e.batched = append(e.arrays, x.arr), append(e.batched, false)
		return t
	}
	name := fmt.Sprintf("argument %d%s, %v,", i, path, t)
	axis := shape.Axis(v.in[i], len(t.Shape))
	switch {
	case len(t.Shape) == 0:
		v.fail(name+" is a scalar, which has no elements to map over",
			"give nv.NotMapped for it in InAxes, or stack scalars in a tensor")
	case axis < 0:
		v.fail(fmt.Sprintf("%s has no axis %d", name, v.in[i]),
			fmt.Sprintf("its axes are 0 to %d; name one in InAxes", len(t.Shape)-1))
	case e.n >= 0 && t.Shape[axis] != e.n:
		v.fail(fmt.Sprintf("%s has length %d along axis %d, but %s, has length %d",
			name, t.Shape[axis], axis, e.from, e.n),
			"map axes of equal length")
	case e.n < 0:
		e.n, e.from = t.Shape[axis], name[:len(name)-1]
	}
	e.arrays, e.batched = append(e.arrays, v.moveAxis(x.ctx, x.arr, axis, 0)), append(e.batched, true)
	return shape.Type{DType: t.DType, Shape: slices.Delete(t.Shape.Clone(), axis, axis+1)}
}

// moveAxis returns a with axis from moved to position to.
func (v *vmapped) moveAxis(c *Context, a engine.Array, from, to int) engine.Array {
	if from == to {
		return a
	}
	t := a.Type()
	order := slices.Insert(slices.Delete(upTo(len(t.Shape)), from, from+1), to, from)
	s := make(shape.Shape, len(order))
	for i, axis := range order {
		s[i] = t.Shape[axis]
	}
	attrs := ir.AxesAttrs{Axes: shape.DimsOf(order...)}
	out, err := c.session.ApplyMany([]shape.Type{{DType: t.DType, Shape: s}}, ir.Transpose, attrs, nil, a)
	if err != nil {
		panic(asError(v.op, "", err))
	}
	return out[0]
}
