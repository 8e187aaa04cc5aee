package random

import (
	"fmt"
	"math"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/internal/extension"
)

// A draw is a call of a sampler, which is a function of this package that returns random numbers.
type draw struct {
	op        string // the name of the sampler
	lib       *nv.Lib
	key       pair     // a scalar
	s         nv.Shape // the shape of the numbers to draw
	d         nv.DType // the dtype in which the numbers are computed
	ambiguous *bool    // the option nv.Ambiguous, or nil
}

// newDraw returns the draw for a call of the sampler op, with default dtype d. A nil s stands for the shape
// that params broadcast to.
func newDraw(op string, k PRNGKey, s nv.Shape, d nv.DType, opts []nv.Option, params ...any) *draw {
	k.check(op)
	var o dtype.Options
	for _, opt := range opts {
		if opt != nil {
			opt.Apply(&o)
		}
	}
	if o.DType != dtype.Invalid {
		d = o.DType
	}
	if o.Device != "" {
		k.Data = library(k.Data).ToDevice(k.Data, o.Device)
	}
	r := &draw{op: op, lib: library(k.Data), key: k.pair(), s: s, d: d, ambiguous: o.Ambiguous}
	r.setShape(params)
	return r
}

// setShape checks r.s. If r.s is nil, setShape sets it to the shape that params broadcast to.
func (r *draw) setShape(params []any) {
	for _, n := range r.s {
		if n < 0 {
			r.fail("shape "+r.s.String()+" has a negative length", "use lengths of 0 or more")
		}
	}
	if !(nv.Type{DType: nv.U8, Shape: r.s}).Within(1 << 40) {
		r.fail("the shape has too many numbers for any memory", "draw smaller shapes, one after another")
	}
	if r.s != nil {
		return
	}
	for _, p := range params {
		t, ok := p.(nv.Tensor)
		if !ok {
			continue
		}
		if !t.Valid() {
			r.fail("a parameter is the zero Tensor", "give a number or a tensor")
		}
		if r.s == nil {
			r.s = t.Shape()
			continue
		}
		// The sum of two constants has the shape that they broadcast to. Add panics if there is none.
		r.s = r.lib.Constant(r.s, 0, nv.I32).Add(r.lib.Constant(t.Shape(), 0, nv.I32)).Shape()
	}
}

// library returns the library of x's context for computing random numbers. The library does not check dtypes
// against the backend, which may lack the unsigned dtypes of random words.
func library(x nv.Tensor) *nv.Lib { return x.Context().Unchecked() }

// fail panics with an error of the sampler.
func (r *draw) fail(reason, hint string) {
	panic(&nv.Error{Op: "random." + r.op, Operands: r.d.String() + r.s.String(), Reason: reason, Hint: hint})
}

// result returns x as the sampler's result: with the option nv.Ambiguous applied, and checked
// against the backend.
func (r *draw) result(x nv.Tensor) nv.Tensor {
	if r.ambiguous != nil {
		x = r.lib.New(x, x.DType(), nv.Ambiguous(*r.ambiguous))
	}
	return x.Checked()
}

// constLike returns a constant with the dtype and shape of x and the value v.
func constLike(x nv.Tensor, v float64) nv.Tensor { return library(x).Constant(x.Shape(), v, x.DType()) }

// param returns a parameter, a number or a tensor, converted to r.d and broadcast to r.s.
func (r *draw) param(name string, p any) nv.Tensor {
	var x nv.Tensor
	if t, ok := p.(nv.Tensor); ok {
		x = r.lib.AsType(t, r.d)
	} else {
		x = r.lib.Scalar(p, r.d)
	}
	if err := nv.Try(func() { x = x.BroadcastTo(r.s) }); err != nil {
		r.fail(fmt.Sprintf("%s has shape %s, which does not broadcast to %s", name, x.Shape(), r.s),
			"give a number, or a tensor that broadcasts to the shape of the result")
	}
	return x
}

// discrete is param for a parameter of which the draws are not a continuous function. A derivative with
// respect to the parameter is an error.
func (r *draw) discrete(name string, p any) nv.Tensor {
	return r.undifferentiable(name, r.param(name, p))
}

// undifferentiable returns x, a parameter with the given name, marked so that a derivative with respect to x
// is an error.
func (r *draw) undifferentiable(name string, x nv.Tensor) nv.Tensor {
	hint := "keep it constant with nv.StopGradient, as for a score-function estimate"
	if relaxed[r.op] {
		hint += "; or use nv.Softmax of (logits + random.Gumbel) / temperature instead of the draws"
	}
	reason := "the draws of random." + r.op + " jump as " + name +
		" changes, so they have no derivative with respect to it"
	return extension.WithoutDerivative(x, reason, hint).(nv.Tensor)
}

// relaxed has the samplers with a continuous relaxation, Gumbel-softmax. Source: Jang, Gu and Poole (2017).
var relaxed = map[string]bool{"Bernoulli": true, "Categorical": true, "Choice": true, "Multinomial": true}

// number returns the value of a parameter that is a Go number; ok is false for a tensor. If the number is
// known, a sampler needs only the method for that number; the elements of a tensor may need several methods.
func number(p any) (v float64, ok bool) {
	if _, isTensor := p.(nv.Tensor); isTensor {
		return 0, false
	}
	x, err := dtype.Cast(p, dtype.F64)
	if err != nil {
		return 0, false
	}
	v, ok = x.(float64)
	return v, ok
}

// atLeast reports whether the parameter p is a Go number of at least least.
func atLeast(least float64, p any) bool {
	v, ok := number(p)
	return ok && v >= least
}

// checkInteger panics if r.d is not an integer dtype of 8, 16, 32 or 64 bits.
func (r *draw) checkInteger() {
	if !r.d.Is(dtype.Integral) || r.d.Size()*8 != r.d.Bits() {
		r.fail("dtype "+r.d.String()+" is not an integer of 8, 16, 32 or 64 bits", "convert the result with AsType")
	}
}

// A format describes how random bits become numbers of a float dtype in [0, 1).
type format struct {
	bits     nv.DType // the unsigned dtype of the same width
	random   nv.DType // the dtype of the random bits to draw
	shift    int      // the right shift that aligns random bits with the mantissa
	one      uint64   // the bits of the number 1
	mantissa int      // the number of stored bits of the mantissa
	tiny     float64  // the smallest positive normal number
}

// formats has the format of each float dtype that can be drawn.
var formats = map[nv.DType]format{
	nv.F16:  {nv.U16, nv.U16, 6, 0x3C00, 10, 0x1p-14},
	nv.BF16: {nv.U16, nv.U8, 1, 0x3F80, 7, 0x1p-126},
	nv.F32:  {nv.U32, nv.U32, 9, 0x3F800000, 23, 0x1p-126},
	nv.F64:  {nv.U64, nv.U64, 12, 0x3FF0000000000000, 52, 0x1p-1022},
}

// format returns the format of r.d. It panics if r.d is not a float that can be drawn.
func (r *draw) format() format {
	f, ok := formats[r.d]
	if !ok {
		r.fail("the dtype must be f16, bf16, f32 or f64", "convert the result with AsType")
	}
	return f
}

// eps returns the distance from 1 to the next larger number.
func (f format) eps() float64 { return math.Ldexp(1, -f.mantissa) }

// below1 returns the largest number below 1.
func (f format) below1() float64 { return 1 - f.eps()/2 }

// floatDType returns the dtype of p if p is a tensor of floats, and otherwise f32.
func floatDType(p any) nv.DType {
	if isFloat(p) {
		return p.(nv.Tensor).DType()
	}
	return nv.F32
}

// isFloat reports whether x is a tensor of floats.
func isFloat(x any) bool {
	t, ok := x.(nv.Tensor)
	return ok && t.Valid() && t.DType().Is(dtype.Floating)
}
