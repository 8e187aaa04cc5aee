package anvil

import (
	"reflect"

	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// Jacobian returns the function that computes the derivatives of all elements of f(x) with respect to all
// elements of x, a Tensor or a struct, slice or map of Tensors. The result is like x, but in place of each tensor of x
// it has the tensor
//
//	result[i..., j...] = the derivative of f(x)[i...] with respect to x[j...]
//
// Jacobian uses reverse mode: it pulls back one cotangent for each element of f(x), all at once. This is less work
// than JacFwd if f(x) has fewer elements than x. All tensors must be real.
func Jacobian[P any](f func(P) Tensor) func(P) P {
	g, _ := JacobianAny(f).(func(P) P)
	return g
}

// JacobianAny is Jacobian for tensors of c.
func (c *Context) JacobianAny(f any) any { return c.jacobian("Jacobian", f, false) }

// JacFwd is Jacobian by forward mode: it pushes forward one tangent for each element of x, all at once. This is
// less work than Jacobian if x has fewer elements than f(x).
func JacFwd[P any](f func(P) Tensor) func(P) P {
	g, _ := JacFwdAny(f).(func(P) P)
	return g
}

// JacFwdAny is JacFwd for tensors of c.
func (c *Context) JacFwdAny(f any) any { return c.jacobian("JacFwd", f, true) }

// Hessian returns the function that computes the second derivatives of f, which returns a real scalar:
//
//	result[i..., j...] = the derivative of f(x) with respect to x[i...] and x[j...]
//
// It is computed as JacFwd of Grad.
func Hessian(f func(Tensor) Tensor) func(Tensor) Tensor {
	c := Default()
	return c.jacobian("Hessian", c.gradient("Hessian", f, false, nil), true).(func(Tensor) Tensor)
}

// jacobian returns the function that computes the Jacobian of f, by forward or by reverse mode.
func (c *Context) jacobian(op string, f any, forward bool) any {
	d := c.derivativeOf(op, f)
	t := d.f.Type()
	if t.NumIn() != 1 || t.NumOut() != 1 || t.Out(0) != tensorType {
		d.fail("the function must have one argument and return a Tensor",
			"give a func(x nv.Tensor) nv.Tensor; x may also be a struct, slice or map of tensors")
	}
	signature := reflect.FuncOf([]reflect.Type{t.In(0)}, []reflect.Type{t.In(0)}, false)
	compute := func(args []reflect.Value) []reflect.Value {
		call := d.trace(args)
		call.checkReal()
		active := call.active([]int{0})
		call.checkActive([]int{0}, active)
		kind := "jacobian:"
		if forward {
			kind = "jacfwd:"
		}
		g := call.derive(kind, active, func(p *ir.Graph) (*ir.Graph, error) {
			return autodiff.Jacobian(p, active, forward, call.activeConventions())
		})
		return []reflect.Value{call.argumentLike(0, call.call(g))}
	}
	return makeFunc(signature, compute, op, d.f, forward)
}

// checkReal panics if a tensor of the argument is complex or the result is not a real float.
func (c *tracedCall) checkReal() {
	for _, x := range c.leaves[0] {
		if x.t != nil && x.DType().Is(dtype.Complex) {
			c.fail("the argument is "+x.Type().String()+", but a Jacobian needs real floats",
				"use nv.JVP or nv.VJP, or pass the real and the imaginary part as two tensors")
		}
	}
	if d := c.program.Graph.Outputs[0].Type.DType; !d.Is(dtype.Floating) {
		hint := "compute it in floats: convert with AsType(nv.F32)"
		if d.Is(dtype.Complex) {
			hint = "take nv.Real, nv.Imag or nv.Abs of it"
		}
		c.fail("the function returns "+d.String()+", which is not a float", hint)
	}
}
