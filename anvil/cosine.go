package anvil

import (
	"math"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// DCT returns the discrete cosine transform of type 2 of x, of real numbers, along an
// axis, the last one where none is given:
// result[k] = 2 * sum over j of x[j]*cos(pi*k*(2*j+1)/(2*n)). With FFTNorm("ortho") it
// is orthogonal, with FFTNorm("forward") divided by 2*n.
func (l *Lib) DCT(x any, opts ...FFTOption) Tensor {
	c := l.cosine("DCT", x, opts)
	a, n := c.a, c.n
	order := append(c.places(0), c.places(1)...) // those of even places, then the others backwards
	slices.Reverse(order[(n+1)/2:])
	f := c.infer(ir.FFT, ops.FFTAttrs{Lengths: shape.DimsOf(n)}, c.convert(c.placed(a, order), c.complex))
	f = c.infer(ir.Mul, nil, f, c.turns(-1))
	r := c.infer(ir.Mul, nil, c.infer(ir.Real, nil, f), c.norms(1))
	return c.done(c.permute(r, c.back), c.t)
}

// IDCT returns what DCT makes x of, along an axis: the transform of type 3, divided by
// 2*n unless the norm is "forward" or "ortho".
func (l *Lib) IDCT(x any, opts ...FFTOption) Tensor {
	c := l.cosine("IDCT", x, opts)
	n := c.n
	re := c.infer(ir.Mul, nil, c.a, c.norms(-1))
	im := c.reverse(c.fit(c.every(re, c.rank-1, 1, n, 1), c.rank-1, n), c.rank-1) // 0, then re from its end on
	f := c.infer(ir.Mul, nil, c.infer(ir.Complex, nil, re, c.infer(ir.Neg, nil, im)), c.turns(1))
	r := c.infer(ir.Real, nil, c.infer(ir.IFFT, ops.FFTAttrs{Lengths: shape.DimsOf(n)}, f))
	place := make([]int, n)
	for i := range place {
		if place[i] = i / 2; i%2 == 1 {
			place[i] = n - 1 - i/2
		}
	}
	return c.done(c.permute(c.placed(r, place), c.back), c.t)
}

// A cosineCall is a call of a cosine transform: x with its axis as the last one.
type cosineCall struct {
	*call
	a       *tensor
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
	w := cosineCall{call: c, t: t, rank: len(a.arr.Type().Shape), norm: o.norm, complex: dtype.C64}
	if a.arr.Type().DType == dtype.F64 {
		w.complex = dtype.C128
	}
	at := c.fftAxes(o, 1, w.rank)[0]
	w.n = c.fftLengths(o, ir.FFT, a, []int{at})[0]
	order := append(slices.Delete(upTo(w.rank), at, at+1), at)
	w.back = slices.Insert(upTo(w.rank-1), at, w.rank-1)
	w.a = c.permute(c.fit(a, at, w.n), order)
	return w
}

// places returns the places from first on, every second one.
func (c cosineCall) places(first int) (is []int) {
	for i := first; i < c.n; i += 2 {
		is = append(is, i)
	}
	return is
}

// placed returns the elements of a at places along the last axis.
func (c cosineCall) placed(a *tensor, places []int) *tensor {
	return c.takeAt(a, c.hostPositions(places, Shape{len(places)}, ""), len(a.arr.Type().Shape)-1)
}

// turns returns exp(sign*i*pi*k/(2*n)) for each k along the last axis.
func (c cosineCall) turns(sign float64) *tensor {
	part := func(f func(float64) float64) *tensor {
		return c.listing(func(k int) float64 { return f(sign * math.Pi * float64(k) / float64(2*c.n)) })
	}
	return c.infer(ir.Complex, nil, part(math.Cos), part(math.Sin))
}

// weights returns what the norm multiplies each element of the transform by, or, in
// the other direction, what each is multiplied by to be half of what is without a norm.
func (c cosineCall) norms(direction float64) *tensor {
	n := float64(c.n)
	return c.listing(func(k int) float64 {
		v := 1.0
		switch {
		case c.norm == "forward":
			v = 1 / (2 * n)
		case c.norm == "ortho" && k == 0:
			v = math.Sqrt(1 / (4 * n))
		case c.norm == "ortho":
			v = math.Sqrt(1 / (2 * n))
		}
		if direction < 0 {
			return 1 / (2 * v)
		}
		return 2 * v
	})
}

// along returns f of each place along the last axis, in the shape of what is transformed.
func (c cosineCall) listing(f func(k int) float64) *tensor {
	d := c.a.arr.Type().DType
	ty := shape.Type{DType: d, Shape: Shape{c.n}}
	data := c.listMemory(ty)
	for k := range c.n {
		dtype.PutFloat(data[k*d.Size():], d, f(k))
	}
	return c.to(c.host(ty, data, ""), c.a.arr.Type().Shape)
}
