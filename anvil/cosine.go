package anvil

import (
	"math"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// DCT returns the discrete cosine transform of type 2 of real x along an axis, the last one if none is given:
// result[k] = 2 * sum over j of x[j]*cos(pi*k*(2*j+1)/(2*n)). With FFTNorm("ortho") the transform is orthogonal, with
// FFTNorm("forward") the result is divided by 2*n.
func (l *Lib) DCT(x any, opts ...FFTOption) Tensor {
	c := l.cosine("DCT", x, opts)
	n, last := c.n, c.rank-1
	// The input of the FFT is the elements at even positions, followed by the elements at odd positions in reverse
	// order. Source: J. Makhoul, A fast cosine transform in one and two dimensions, 1980.
	a := c.Concatenate(last, c.sliceAxis(c.a, last, 0, n, 2), c.Reverse(c.sliceAxis(c.a, last, min(1, n), n, 2), last))
	f := c.Do(ir.FFT, ir.FFTAttrs{Lengths: shape.DimsOf(n)}, c.convert(a, c.complex))
	f = c.Mul(f, c.phases(-1))
	r := c.Mul(c.Real(f), c.scales(1))
	return c.resultAs(c.Permute(r, c.back...), c.t)
}

// IDCT returns the inverse of DCT along an axis: the discrete cosine transform of type 3, divided by 2*n unless the
// norm is "forward" or "ortho".
func (l *Lib) IDCT(x any, opts ...FFTOption) Tensor {
	c := l.cosine("IDCT", x, opts)
	n, last := c.n, c.rank-1
	re := c.Mul(c.a, c.scales(-1))
	im := c.Reverse(c.fit(c.sliceAxis(re, last, 1, n, 1), last, n), last) // 0, then re[n-1], ... re[1]
	f := c.Mul(c.Complex(re, c.Neg(im)), c.phases(1))
	r := c.Real(c.Do(ir.IFFT, ir.FFTAttrs{Lengths: shape.DimsOf(n)}, f))
	half := (n + 1) / 2 // r has the order of the input that DCT gives the FFT
	r = c.interleave(c.sliceAxis(r, last, 0, half, 1), c.Reverse(c.sliceAxis(r, last, half, n, 1), last), last)
	return c.resultAs(c.Permute(r, c.back...), c.t)
}

// A cosineCall is a call of a cosine transform.
type cosineCall struct {
	*call
	a       expr.Value  // the operand, with the transformed axis last
	n, rank int         // the length of the transformed axis, and the rank of a
	back    []int       // the permutation that moves the last axis back
	norm    string      // see FFTNorm
	complex dtype.DType // the dtype of the FFT
	t       dtype.Typed // the type of the result
}

// cosine begins a call of the cosine transform op.
func (l *Lib) cosine(op string, x any, opts []FFTOption) cosineCall {
	c := l.call(op, x)
	var o fftOptions
	for _, opt := range accepted(op, opts, x) {
		opt.fft(&o)
	}
	a, t := c.reals(x)
	w := cosineCall{call: c, t: t, rank: len(a.Shape()), norm: o.norm, complex: dtype.C64}
	if a.DType() == dtype.F64 {
		w.complex = dtype.C128
	}
	at := c.fftAxes(o, 1, w.rank)[0]
	w.n = c.fftLengths(o, ir.FFT, a, []int{at})[0]
	order := append(slices.Delete(upTo(w.rank), at, at+1), at)
	w.back = slices.Insert(upTo(w.rank-1), at, w.rank-1)
	w.a = c.Permute(c.fit(a, at, w.n), order...)
	return w
}

// phases returns exp(sign*i*pi*k/(2*n)) for each k along the last axis.
func (c cosineCall) phases(sign float64) expr.Value {
	angle := c.Mul(c.lastIndex(), sign/float64(2*c.n))
	part := func(code ir.Code) expr.Value { return c.convert(c.Do(code, nil, angle), c.a.DType()) }
	return c.Complex(part(ir.CosPi), part(ir.SinPi))
}

// lastIndex returns an f64 tensor of the shape of c.a with 0, 1, ... along the last axis.
func (c cosineCall) lastIndex() expr.Value {
	return c.Iota(dtype.F64, c.rank-1, c.a.Shape()...)
}

// scales returns, for each k along the last axis, a factor raised to the given exponent, 1 or -1. The factor turns the
// real part of the FFT into the transform of the chosen norm.
func (c cosineCall) scales(exponent float64) expr.Value {
	n := float64(c.n)
	first, others := 1.0, 1.0 // half the factor for k = 0, and for the other k
	switch c.norm {
	case "forward":
		first, others = 1/(2*n), 1/(2*n)
	case "ortho":
		first, others = math.Sqrt(1/(4*n)), math.Sqrt(1/(2*n))
	}
	k := c.lastIndex()
	r := c.Where(c.Eq(k, 0), c.Like(k, math.Pow(2*first, exponent)), c.Like(k, math.Pow(2*others, exponent)))
	return c.convert(r, c.a.DType())
}
