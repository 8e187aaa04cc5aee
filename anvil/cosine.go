package anvil

import (
	"math"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// DCT returns the discrete cosine transform of type 2 of x, of real numbers, along an
// axis, the last one where none is given:
// result[k] = 2 * sum over j of x[j]*cos(pi*k*(2*j+1)/(2*n)). With FFTNorm("ortho") it
// is orthogonal, with FFTNorm("forward") divided by 2*n.
func (l *Lib) DCT(x any, opts ...FFTOption) Tensor {
	c := l.cosine("DCT", x, opts)
	n, last := c.n, c.rank-1
	// Those of even places, then the others backwards.
	a := c.Do(ir.Concatenate, ir.AxisAttrs{Axis: last}, c.every(c.a, last, 0, n, 2), c.reverse(c.every(c.a, last, min(1, n), n, 2), last))
	f := c.Do(ir.FFT, ir.FFTAttrs{Lengths: shape.DimsOf(n)}, c.convert(a, c.complex))
	f = c.Mul(f, c.turns(-1))
	r := c.Mul(c.Real(f), c.norms(1))
	return c.done(c.permute(r, c.back), c.t)
}

// IDCT returns what DCT makes x of, along an axis: the transform of type 3, divided by
// 2*n unless the norm is "forward" or "ortho".
func (l *Lib) IDCT(x any, opts ...FFTOption) Tensor {
	c := l.cosine("IDCT", x, opts)
	n := c.n
	re := c.Mul(c.a, c.norms(-1))
	im := c.reverse(c.fit(c.every(re, c.rank-1, 1, n, 1), c.rank-1, n), c.rank-1) // 0, then re from its end on
	f := c.Mul(c.Complex(re, c.Neg(im)), c.turns(1))
	r := c.Real(c.Do(ir.IFFT, ir.FFTAttrs{Lengths: shape.DimsOf(n)}, f))
	half := (n + 1) / 2
	r = c.interleave(c.every(r, c.rank-1, 0, half, 1), c.reverse(c.every(r, c.rank-1, half, n, 1), c.rank-1), c.rank-1)
	return c.done(c.permute(r, c.back), c.t)
}

// A cosineCall is a call of a cosine transform: x with its axis as the last one.
type cosineCall struct {
	*call
	a       expr.Value
	n, rank int
	back    []int // the order of axes of the result
	norm    string
	complex dtype.DType
	t       dtype.Typed
}

func (l *Lib) cosine(op string, x any, opts []FFTOption) cosineCall {
	c := l.call(op, x)
	var o transform
	for _, opt := range nonNil(opts) {
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
	w.a = c.permute(c.fit(a, at, w.n), order)
	return w
}

// turns returns exp(sign*i*pi*k/(2*n)) for each k along the last axis.
func (c cosineCall) turns(sign float64) expr.Value {
	angle := c.Mul(c.counted(), sign/float64(2*c.n))
	part := func(code ir.Code) expr.Value { return c.convert(c.Do(code, nil, angle), c.a.DType()) }
	return c.Complex(part(ir.CosPi), part(ir.SinPi))
}

// counted returns 0, 1, ... along the last axis of what is transformed, in f64.
func (c cosineCall) counted() expr.Value {
	return c.Do(ir.Iota, ir.IotaAttrs{DType: dtype.F64, Shape: c.a.Shape().Dims(), Axis: c.rank - 1})
}

// norms returns what the norm multiplies each element of twice the sum of products by; in the
// other direction, what makes them that sum again.
func (c cosineCall) norms(direction float64) expr.Value {
	n := float64(c.n)
	first, others := 1.0, 1.0
	switch c.norm {
	case "forward":
		first, others = 1/(2*n), 1/(2*n)
	case "ortho":
		first, others = math.Sqrt(1/(4*n)), math.Sqrt(1/(2*n))
	}
	k := c.counted()
	r := c.Where(c.Eq(k, 0), c.Like(k, math.Pow(2*first, direction)), c.Like(k, math.Pow(2*others, direction)))
	return c.convert(r, c.a.DType())
}
