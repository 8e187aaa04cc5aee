package anvil

import (
	"fmt"
	"math"
	"reflect"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/typename"
)

// CheckGrad returns an error unless the derivatives of f at x, a Tensor or a struct, slice or map of Tensors,
// agree with difference quotients. CheckGrad compares tangents of f in some directions with central differences,
// and the pullback with the tangents. It computes in f64 and c128, which f must accept. The error gives the
// direction and both numbers. The tolerance is a relative error of 1e-6, which differentiable functions meet
// unless x is within 1e-5 of a kink.
func CheckGrad[P any](f func(P) Tensor, x P) error { return Default().CheckGradAny(f, x) }

// checkedDirections is the number of directions that CheckGrad tests.
const checkedDirections = 3

// CheckGradAny is CheckGrad for tensors of c.
func (c *Context) CheckGradAny(f, x any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	d := c.derivativeOf("CheckGrad", f)
	if t := d.f.Type(); t.NumIn() != 1 || t.NumOut() != 1 || t.Out(0) != tensorType {
		d.fail("the function must have one argument and return a Tensor",
			"give a func(x nv.Tensor) nv.Tensor; x may also be a struct, slice or map of tensors")
	}
	if x == nil {
		d.fail("the argument is nil", "give a "+typename.Text(d.f.Type().In(0).String()))
	}
	point := rebuild(reflect.ValueOf(x), c.widened)
	value := func(at reflect.Value) Tensor { return callFunction(d.f, []reflect.Value{at})[0].Interface().(Tensor) }
	y, pullback := c.VJPAny(f, point.Interface())
	out := y.(Tensor)
	if !isDifferentiable(out) {
		d.fail("the function returns "+out.Type().String()+", which has no derivative", "compute it in floats")
	}
	for k := range checkedDirections {
		// A tangent of the argument and a cotangent of the result.
		t, ct := rebuild(point, c.direction(k)), c.direction(k+checkedDirections)(out)
		_, dy := c.JVPAny(f, point.Interface(), t.Interface())
		tangent := dy.(Tensor)
		const step = 1e-6
		valueAt := func(s float64) Tensor { // f(x + s*t)
			i := 0
			directions := TreeLeaves(t.Interface())
			return value(rebuild(point, func(x Tensor) Tensor {
				d := directions[i]
				i++
				if !d.Valid() {
					return x
				}
				return c.Add(x, c.Mul(d, s))
			}))
		}
		quotient := c.Div(c.Sub(valueAt(step), valueAt(-step)), 2*step) // the central difference
		if a, b := c.inner(ct, quotient), c.inner(ct, tangent); !near(a, b) {
			return &Error{Op: "CheckGrad", Operands: describe(out),
				Reason: fmt.Sprintf("in direction %d the tangent is %.9g, but the difference quotient is %.9g", k, b, a),
				Hint:   "a function with a kink at x has no derivative there; a rule given to nv.Custom may be wrong"}
		}
		back := reflect.ValueOf(pullback).Call([]reflect.Value{reflect.ValueOf(ct)})[0]
		if a, b := c.innerOfTrees(back, t), c.inner(ct, tangent); !near(a, b) {
			return &Error{Op: "CheckGrad", Operands: describe(out),
				Reason: fmt.Sprintf("in direction %d the pullback gives %.9g and the tangent %.9g", k, a, b),
				Hint:   "the two must be adjoint: a rule given to nv.Custom is not linear, or wrong"}
		}
	}
	return nil
}

// near reports whether a and b differ by at most 1e-6 * max(1, |a|, |b|), or are both NaN.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-6*max(1, math.Abs(a), math.Abs(b)) || math.IsNaN(a) && math.IsNaN(b)
}

// widened returns x as f64 or c128; tensors without a derivative are unchanged.
func (c *Context) widened(x Tensor) Tensor {
	switch {
	case !isDifferentiable(x):
		return x
	case x.DType().Is(dtype.Complex):
		return c.AsType(x, dtype.C128)
	}
	return c.AsType(x, dtype.F64)
}

// direction returns a function that makes direction number k in the space of a tree. Called for each tensor x of the
// tree, the function returns a tensor of the same shape and dtype, whose elements have magnitudes from 1 to 1.5 and
// both signs.
func (c *Context) direction(k int) func(x Tensor) Tensor {
	n := float64(k)
	return func(x Tensor) Tensor {
		if !isDifferentiable(x) {
			return Tensor{}
		}
		n++
		at := c.Reshape(c.AsType(c.Arange(x.Size()), dtype.F64), x.Shape())
		v := c.Sin(c.Add(c.Mul(at, 2.3), n*1.7+0.3)) // arbitrary, but the same at each call
		v = c.Add(c.Mul(v, 0.5), c.Sign(v))
		if x.DType().Is(dtype.Complex) {
			return c.Mul(v, complex(0.6, 0.8))
		}
		return c.AsType(v, x.DType())
	}
}

// inner returns the sum of Re(conj(x)*y) over all elements.
func (c *Context) inner(x, y Tensor) float64 { return c.Sum(c.Real(c.Mul(c.Conj(x), y))).Float() }

// innerOfTrees is the sum of inner over the tensors of two trees.
func (c *Context) innerOfTrees(x, y reflect.Value) float64 {
	xs, ys := TreeLeaves(x.Interface()), TreeLeaves(y.Interface())
	sum := 0.0
	for i, v := range xs {
		if v.Valid() && ys[i].Valid() {
			sum += c.inner(v, ys[i])
		}
	}
	return sum
}
