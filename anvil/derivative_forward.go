package anvil

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/typename"
)

// JVP returns f(x) and its tangent in the direction t, the derivative of f(x + s*t) with respect to the real
// number s at s = 0. P and R are Tensors, or structs, slices or maps of Tensors. t has the structure, shapes and
// dtypes of x, but zero Tensors may take the places of integer tensors and of tangents that are zero. In the
// tangent of the result, zero Tensors take the places of integer and boolean tensors.
func JVP[P, R any](f func(P) R, x, t P) (y, dy R) {
	a, b := Default().JVPAny(f, x, t)
	y, _ = a.(R)
	dy, _ = b.(R)
	return y, dy
}

// JVPAny is JVP for tensors of c.
func (c *Context) JVPAny(f, x, t any) (y, dy any) {
	return c.jvp("JVP", f, x, t)
}

// jvp is JVPAny for the operation op.
func (c *Context) jvp(op string, f, x, t any) (y, dy any) {
	d := c.derivativeOf(op, f)
	call := d.traceOne(x)
	active := call.active([]int{0})
	g := call.derive("jvp:", active, func(p *ir.Graph) (*ir.Graph, error) {
		return autodiff.JVP(p, active, call.activeConventions())
	})
	out := call.call(g, d.directions(call, 0, reflect.ValueOf(t))...)
	y, dy, faults := call.withTangents(out)
	call.checkFaults(faults)
	return y, dy
}

// traceOne traces the function, which takes one argument, at x.
func (d *derivative) traceOne(x any) *tracedCall {
	t := d.f.Type()
	if t.NumIn() != 1 || t.NumOut() != 1 || t.IsVariadic() {
		d.fail("the function must have one argument and one result",
			"put several in a struct or a slice, or write func(x nv.Tensor) nv.Tensor { return f(x, y) }")
	}
	v := reflect.ValueOf(x)
	if !v.IsValid() || !v.Type().AssignableTo(t.In(0)) {
		d.fail("the argument has type "+typeName(v), "give a "+typename.Text(t.In(0).String()))
	}
	in := reflect.New(t.In(0)).Elem()
	in.Set(v)
	return d.trace([]reflect.Value{in})
}

// typeName returns the type of v for errors, or "nil".
func typeName(v reflect.Value) string {
	if !v.IsValid() {
		return "nil"
	}
	return typename.Text(v.Type().String())
}

// directions returns the arrays of t, a tangent of argument i: one for each differentiable tensor of the
// argument.
func (d *derivative) directions(c *tracedCall, i int, t reflect.Value) []engine.Array {
	return d.arraysLike(c.args[i], "tangent", t)
}

// arraysLike is tensorsLike with arrays as the result.
func (d *derivative) arraysLike(primal reflect.Value, what string, v reflect.Value) []engine.Array {
	var arrays []engine.Array
	for _, x := range d.tensorsLike(primal, what, v) {
		arrays = append(arrays, x.t.arr)
	}
	return arrays
}

// tensorsLike returns the tensors of v, a tangent or cotangent of primal: one for each differentiable tensor of primal,
// with zeros in place of a zero Tensor. It fails unless v has the structure, shapes and dtypes of primal. The error
// calls v by the name what, such as "tangent".
func (d *derivative) tensorsLike(primal reflect.Value, what string, v reflect.Value) []Tensor {
	var xs []Tensor
	var paths []string
	leaves(primal, "", func(path string, x Tensor) { xs, paths = append(xs, x), append(paths, path) })
	var all []Tensor
	at := 0
	leaves(v, "", func(path string, t Tensor) {
		if at == len(xs) {
			d.fail("the "+what+" has more tensors than its primal", "give it the structure of the primal")
		}
		if path != paths[at] {
			d.fail("the "+what+" has a tensor at "+path+" where its primal has one at "+paths[at],
				"give it the structure of the primal")
		}
		x := xs[at]
		at++
		switch {
		case !isDifferentiable(x):
		case t.t == nil:
			all = append(all, x.t.ctx.Zeros(x.Shape(), x.DType()))
		case t.DType() != x.DType() || !t.Shape().Equal(x.Shape()):
			d.fail("the "+what+path+" is "+t.Type().String()+" where its primal is "+x.Type().String(),
				"give it the primal's dtype and shape")
		default:
			all = append(all, t)
		}
	})
	if at < len(xs) {
		d.fail("the "+what+" has "+strconv.Itoa(at)+" tensors where its primal has "+strconv.Itoa(len(xs)),
			"give it the structure of the primal")
	}
	return all
}

// withTangents returns the function's result y, the bools of the faults, and the tangent dy of y, which are made from
// the leading, middle and last arrays of out.
func (c *tracedCall) withTangents(out []engine.Array) (y, dy any, faults []engine.Array) {
	result, rest, _ := fillResult(c.traced.ctx, c.results[0], out, c.flags)
	faults, rest = rest[:len(c.faults)], rest[len(c.faults):]
	tangent := c.tangentLike(result, rest)
	return result.Interface(), tangent.Interface(), faults
}

// tangentLike returns v with its differentiable tensors replaced by out, and its other tensors by the zero Tensor.
func (c *tracedCall) tangentLike(v reflect.Value, out []engine.Array) reflect.Value {
	at := 0
	return rebuild(v, func(x Tensor) Tensor {
		if !isDifferentiable(x) {
			return Tensor{}
		}
		at++
		return c.tensorLike(x, out[at-1])
	})
}

// Linearize returns f(x) and the linear function that maps a direction t to the tangent of the result (see
// JVP). The intermediate values of f(x) that tangents need are computed only once.
func Linearize[P, R any](f func(P) R, x P) (y R, tangent func(P) R) {
	a, b := Default().LinearizeAny(f, x)
	y, _ = a.(R)
	tangent, _ = b.(func(P) R)
	return y, tangent
}

// LinearizeAny is Linearize for tensors of c.
func (c *Context) LinearizeAny(f, x any) (y, tangent any) {
	d := c.derivativeOf("Linearize", f)
	l := d.linearize(x)
	t := d.f.Type()
	return l.y.Interface(), reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		inputs := slices.Concat(l.residuals, d.directions(l.tracedCall, 0, args[0]))
		out := l.ctx().callGraph(d.op, l.linear, inputs...)
		return []reflect.Value{l.tangentLike(l.y, out)}
	}).Interface()
}

// A linearized is a function's result at a point and the program of its tangents.
type linearized struct {
	*tracedCall
	y         reflect.Value
	linear    *ir.Graph      // its parameters are the residuals and the tangents of the argument
	residuals []engine.Array // the intermediate values that linear needs
}

func (l *linearized) ctx() *Context { return l.traced.ctx }

// linearize computes the function at x and the residuals of its derivative.
func (d *derivative) linearize(x any) *linearized {
	c := d.traceOne(x)
	active := c.active([]int{0})
	outputs := len(c.program.Graph.Outputs)
	parts := c.deriveAll("linearize:", active, func(p *ir.Graph) ([]*ir.Graph, error) {
		known, linear, err := autodiff.Linearize(p, active, c.activeConventions())
		return []*ir.Graph{known, linear}, err
	})
	out := c.call(parts[0])
	l := &linearized{tracedCall: c, linear: parts[1], residuals: out[outputs:]}
	var faults []engine.Array
	l.y, faults, _ = fillResult(c.traced.ctx, c.results[0], out[:outputs], c.flags)
	c.checkFaults(faults)
	return l
}

// VJP returns f(x) and its pullback, which maps a cotangent ct of the result to the cotangent of x: if ct is
// the gradient of a real loss with respect to the result, the pullback returns the gradient with respect to
// x. See Grad for complex numbers. Cotangents have the structure, shapes and dtypes of their primals; the
// zero Tensor stands for zero and for cotangents of integers.
func VJP[P, R any](f func(P) R, x P) (y R, pullback func(R) P) {
	a, b := Default().VJPAny(f, x)
	y, _ = a.(R)
	pullback, _ = b.(func(R) P)
	return y, pullback
}

// VJPAny is VJP for tensors of c.
func (c *Context) VJPAny(f, x any) (y, pullback any) {
	d := c.derivativeOf("VJP", f)
	l := d.linearize(x)
	t := d.f.Type()
	tangents := make([]bool, len(l.linear.Params)) // true for the parameters that are tangents, which come last
	for i := len(l.residuals); i < len(tangents); i++ {
		tangents[i] = true
	}
	signature := reflect.FuncOf([]reflect.Type{t.Out(0)}, []reflect.Type{t.In(0)}, false)
	return l.y.Interface(), reflect.MakeFunc(signature, func(args []reflect.Value) []reflect.Value {
		g := l.derive("pullback:", l.active([]int{0}), func(*ir.Graph) (*ir.Graph, error) {
			return autodiff.Transpose(l.linear, tangents)
		})
		inputs := slices.Concat(l.residuals, d.arraysLike(l.y, "cotangent", args[0]))
		out := l.ctx().callGraph(d.op, g, inputs...)
		return []reflect.Value{l.argumentLike(0, out)}
	}).Interface()
}

// HVP returns the product of the Hessian of f at x with the direction v: the tangent of the gradient. f
// returns a real scalar. The product costs as much as a few evaluations of f; the Hessian is not computed.
func HVP[P any](f func(P) Tensor, x, v P) P {
	h, _ := Default().HVPAny(f, x, v).(P)
	return h
}

// HVPAny is HVP for tensors of c.
func (c *Context) HVPAny(f, x, v any) any {
	_, h := c.jvp("HVP", c.gradient("HVP", f, false, nil), x, v)
	return h
}
