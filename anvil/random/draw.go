package random

import (
	"fmt"
	"math"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// A draw is one call of a sampler.
type draw struct {
	op  string
	lib *nv.Lib
	key pair // scalars
	s   nv.Shape
	d   nv.DType
	amb *bool
}

// begin begins the call op that draws numbers of shape s, of dtype d where the
// options name no other. Params are what s is broadcast to where it is nil.
func begin(op string, k PRNGKey, s nv.Shape, d nv.DType, opts []nv.Option, params ...any) *draw {
	k.check(op)
	var o dtype.Options
	for _, opt := range opts {
		if opt != nil { // which says nothing
			opt.Apply(&o)
		}
	}
	if o.DType != dtype.Invalid {
		d = o.DType
	}
	if o.Device != "" {
		k.Data = library(k.Data).ToDevice(k.Data, o.Device)
	}
	r := &draw{op: op, lib: library(k.Data), key: k.pair(), s: s, d: d, amb: o.Ambiguous}
	r.shape(params)
	return r
}

func (r *draw) shape(params []any) {
	for _, n := range r.s {
		if n < 0 {
			r.fail("shape "+r.s.String()+" has a negative length", "lengths are 0 or more")
		}
	}
	if !(nv.Type{DType: nv.U8, Shape: r.s}).Within(1 << 40) {
		r.fail("no memory holds that many numbers", "smaller shapes, or parts of it one after the other")
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
		// Broadcasts, or says why not.
		r.s = r.lib.Constant(r.s, 0, nv.I32).Add(r.lib.Constant(t.Shape(), 0, nv.I32)).Shape()
	}
}

// library returns the functions that random numbers are computed with: their
// words are of unsigned dtypes that the backend that is set may lack.
func library(x nv.Tensor) *nv.Lib { return x.Context().Unchecked() }

func (r *draw) fail(reason, hint string) {
	panic(&nv.Error{Op: "random." + r.op, Operands: r.d.String() + r.s.String(), Reason: reason, Hint: hint})
}

// result returns x as what the caller sees.
func (r *draw) result(x nv.Tensor) nv.Tensor {
	if r.amb != nil {
		x = r.lib.New(x, x.DType(), nv.Ambiguous(*r.amb))
	}
	return x.Checked()
}

// con returns the number v as a constant of the program, of the dtype and shape
// of x.
func (r *draw) con(x nv.Tensor, v float64) nv.Tensor { return constant(x, v) }

func constant(x nv.Tensor, v float64) nv.Tensor { return library(x).Constant(x.Shape(), v, x.DType()) }

// param returns a parameter, a number or a tensor, as dtype d.
func (r *draw) param(name string, p any) nv.Tensor {
	var x nv.Tensor
	if t, ok := p.(nv.Tensor); ok {
		x = r.lib.AsType(t, r.d)
	} else {
		x = r.lib.Scalar(p, r.d)
	}
	if err := nv.Try(func() { x = x.BroadcastTo(r.s) }); err != nil {
		r.fail(fmt.Sprintf("%s has shape %s, which does not broadcast", name, x.Shape()), "")
	}
	return x
}

// number returns the Go number that a parameter is. What is computed of it may be a
// shorter program than for a tensor, whose elements may ask for several methods.
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

// atLeast reports whether parameter p is a Go number of at least least.
func atLeast(least float64, p any) bool {
	v, ok := number(p)
	return ok && v >= least
}

// A format is what a sampler has to know of a float dtype.
type format struct {
	bits     nv.DType // of the same width
	random   nv.DType // as many random bits as are drawn
	shift    int      // that puts them into the mantissa
	one      uint64   // the bits of 1
	mantissa int      // its stored bits
	tiny     float64  // the smallest normal number
}

var formats = map[nv.DType]format{
	nv.F16:  {nv.U16, nv.U16, 6, 0x3C00, 10, 0x1p-14},
	nv.BF16: {nv.U16, nv.U8, 1, 0x3F80, 7, 0x1p-126},
	nv.F32:  {nv.U32, nv.U32, 9, 0x3F800000, 23, 0x1p-126},
	nv.F64:  {nv.U64, nv.U64, 12, 0x3FF0000000000000, 52, 0x1p-1022},
}

// format returns what is to know of the call's dtype, or panics where it is no
// float that can be drawn.
func (r *draw) format() format {
	f, ok := formats[r.d]
	if !ok {
		r.fail("it draws f16, bf16, f32 and f64", "convert what it draws with AsType")
	}
	return f
}

func (f format) eps() float64 { return math.Ldexp(1, -f.mantissa) }

// below1 returns the largest number below 1.
func (f format) below1() float64 { return 1 - f.eps()/2 }

// isFloat reports whether x is a tensor of floats.
func isFloat(x any) bool {
	t, ok := x.(nv.Tensor)
	return ok && t.Valid() && t.DType().Is(dtype.Floating)
}
