package anvil

import (
	"math"
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A ResizeOption tells Resize whether to smooth what becomes smaller
// (Antialias).
type ResizeOption interface{ resize(*resizing) }

type resizing struct{ sharp bool }

// Antialias returns the option that makes Resize take an average over all
// elements that fall on one of the result, where an axis becomes shorter (the default), or not.
func Antialias(on bool) ResizeOption { return antialias(on) }

type antialias bool

func (a antialias) resize(r *resizing) { r.sharp = !bool(a) }

// Resize returns x at shape s, its elements taken as squares side by side.
// The method is "nearest", which takes elements as they are, "linear", "cubic"
// (with the kernel of Keys, a = -1/2), "lanczos3" or "lanczos5", which weigh
// those around, at the dtype of x or, of integers, the system's float.
func (l *Lib) Resize(x any, s Shape, method string, opts ...ResizeOption) Tensor {
	var o resizing
	for _, opt := range nonNil(opts) {
		opt.resize(&o)
	}
	c := l.call("Resize", x)
	kernel, ok := resizeKernels[method]
	if !ok && method != "nearest" {
		c.fail("there is no method "+strconv.Quote(method), "there are nearest, linear, cubic, lanczos3, lanczos5")
	}
	t := c.own(x)
	a := c.at(x, t.DType)
	if ok {
		a, t = c.reals(x)
	}
	from := a.arr.Type().Shape
	if len(s) != len(from) {
		c.fail("shape "+s.String()+" has "+itoa(len(s))+" axes, and x has "+itoa(len(from)), "give a length for each axis of x, its own where it stays")
	}
	c.lengths(s)
	for axis, n := range s {
		switch m := from[axis]; {
		case m == n:
		case m == 0:
			c.fail("axis "+itoa(axis)+" has no element to make "+itoa(n)+" of", "")
		case kernel == nil:
			a = c.takeAt(a, c.nearestOf(m, n), axis)
		default:
			a = c.contractAxis(a, c.weights(kernel, m, n, a.arr.Type().DType, o), axis)
		}
	}
	return c.done(a, t)
}

// A resizeKernel is the weight of an element at a distance of x >= 0 lengths of
// an element.
type resizeKernel func(c *call, x *tensor) *tensor

var resizeKernels = map[string]resizeKernel{
	"linear": (*call).triangle, "bilinear": (*call).triangle,
	"cubic": (*call).keys, "bicubic": (*call).keys,
	"lanczos3": lanczos(3), "lanczos5": lanczos(5),
}

// triangle returns max(0, 1-x).
func (c *call) triangle(x *tensor) *tensor {
	return c.infer(ir.Max, nil, c.constant(0, x), c.infer(ir.Sub, nil, c.constant(1, x), x))
}

// keys returns the kernel of Keys, Cubic convolution interpolation for digital
// image processing, 1981, with a = -1/2.
func (c *call) keys(x *tensor) *tensor {
	near := c.horner(x, 1.5, -2.5, 0, 1)
	far := c.horner(x, -0.5, 2.5, -4, 2)
	far = c.choose(c.compareTo(ir.LT, x, 2), far, c.constant(0, x))
	return c.choose(c.compareTo(ir.LT, x, 1), near, far)
}

// horner returns the polynomial with these coefficients, the highest first, at
// x.
func (c *call) horner(x *tensor, coefficients ...float64) *tensor {
	r := c.constant(coefficients[0], x)
	for _, k := range coefficients[1:] {
		r = c.infer(ir.Add, nil, c.infer(ir.Mul, nil, r, x), c.constant(k, x))
	}
	return r
}

// lanczos returns the kernel sinc(x)*sinc(x/radius) below radius.
func lanczos(radius float64) resizeKernel {
	return func(c *call, x *tensor) *tensor {
		p := c.times(x, math.Pi)
		waves := c.infer(ir.Mul, nil, c.infer(ir.Sin, nil, p), c.infer(ir.Sin, nil, c.times(p, 1/radius)))
		y := c.infer(ir.Div, nil, c.times(waves, radius), c.infer(ir.Mul, nil, p, p))
		y = c.choose(c.compareTo(ir.GT, x, 0), y, c.constant(1, x))
		return c.choose(c.compareTo(ir.LT, x, radius), y, c.constant(0, x))
	}
}

// weights returns how much of each of m elements is in each of n that cover the
// same length: their sums are 1. The centre of element i of m is at (i+1/2)/m,
// so distances are exact in integers but for one division.
func (c *call) weights(kernel resizeKernel, m, n int, d dtype.DType, o resizing) *tensor {
	s := Shape{m, n}
	from := c.infer(ir.Iota, ir.IotaAttrs{DType: dtype.I64, Shape: s.Dims(), Axis: 0})
	to := c.infer(ir.Iota, ir.IotaAttrs{DType: dtype.I64, Shape: s.Dims(), Axis: 1})
	centre := func(i *tensor, times int) *tensor { // (2*i+1) * times
		return c.infer(ir.Mul, nil, c.infer(ir.Add, nil, c.infer(ir.Add, nil, i, i), c.constant(1, i)), c.constant(times, i))
	}
	apart := c.infer(ir.Abs, nil, c.infer(ir.Sub, nil, centre(to, m), centre(from, n)))
	wide := n
	if !o.sharp {
		wide = max(m, n)
	}
	x := c.convert(apart, d)
	w := kernel(c, c.infer(ir.Div, nil, x, c.constant(2*wide, x)))
	sum := c.infer(ir.ReduceSum, ir.AxesAttrs{Axes: shape.DimsOf(0)}, w)
	return c.infer(ir.Div, nil, w, c.to(sum, s))
}

// nearestOf returns which of m elements is nearest to the centre of each of n.
func (c *call) nearestOf(m, n int) *tensor {
	to := c.infer(ir.Iota, ir.IotaAttrs{DType: dtype.I64, Shape: Shape{n}.Dims()})
	centre := c.infer(ir.Add, nil, c.infer(ir.Mul, nil, to, c.constant(2*m, to)), c.constant(m, to))
	return c.convert(c.infer(ir.Div, nil, centre, c.constant(2*n, centre)), dtype.I32)
}

// takeAt returns t with the given axis replaced by that of a vector of positions:
// result[a, i, b] = t[a, by[i], b].
func (c *call) takeAt(t, by *tensor, axis int) *tensor {
	sizes := t.arr.Type().Shape.Clone()
	sizes[axis] = 1
	rest := upTo(len(sizes))
	return c.infer(ir.Gather, ir.GatherAttrs{
		OffsetDims: shape.DimsOf(append(rest[:axis:axis], rest[axis+1:]...)...), CollapsedSliceDims: shape.DimsOf(axis),
		StartIndexMap: shape.DimsOf(axis), IndexVectorDim: 1, SliceSizes: sizes.Dims(),
	}, t, by)
}

// contractAxis returns the sums of the products of a along an axis with the rows
// of w, whose columns take the axis's place.
func (c *call) contractAxis(a, w *tensor, axis int) *tensor {
	r := c.contract(a, w, []int{axis}, []int{0})
	rank := len(r.arr.Type().Shape)
	order := upTo(rank - 1)
	return c.permute(r, append(append(order[:axis:axis], rank-1), order[axis:]...))
}

// Interp returns the piecewise linear function through the points (xp[i], fp[i])
// at each element of x; outside it is that of the nearest end. xp must increase.
func (l *Lib) Interp(x, xp, fp any) Tensor {
	c := l.call("Interp", x, xp, fp)
	t := c.realOf(c.common(x, xp, fp))
	d := wide(t.DType)
	at := func(v any) *tensor { return c.convert(c.at(v, t.DType), d) }
	a, xs, fs := at(x), at(xp), at(fp)
	s := xs.arr.Type().Shape
	if len(s) != 1 || s[0] == 0 || !fs.arr.Type().Shape.Equal(s) {
		c.fail("the points have shapes "+s.String()+" and "+fs.arr.Type().Shape.String(), "xp and fp are vectors of one length, at least 1")
	}
	n := s[0]
	flat := c.flat(a)
	i := c.sub(c.countBelow(xs, flat), 1)
	i = c.infer(ir.Clamp, nil, c.literal(0, dtype.I32), i, c.literal(max(0, n-2), dtype.I32))
	next := c.infer(ir.Min, nil, c.sub(i, -1), c.constant(n-1, i))
	x0, f0 := c.takeAt(xs, i, 0), c.takeAt(fs, i, 0)
	x1, f1 := c.takeAt(xs, next, 0), c.takeAt(fs, next, 0)
	slope := c.infer(ir.Div, nil, c.infer(ir.Sub, nil, f1, f0), c.infer(ir.Sub, nil, x1, x0))
	r := c.infer(ir.Add, nil, f0, c.infer(ir.Mul, nil, slope, c.infer(ir.Sub, nil, flat, x0)))
	first, last := c.point(xs, fs, flat, 0), c.point(xs, fs, flat, n-1)
	r = c.choose(c.compare(ir.LE, flat, first[0]), first[1], r)
	r = c.choose(c.compare(ir.GE, flat, last[0]), last[1], r)
	r = c.choose(c.compare(ir.NE, flat, flat), flat, r)
	return c.done(c.reshape(r, a.arr.Type().Shape), t)
}

func (c *call) sub(a *tensor, n int) *tensor { return c.infer(ir.Sub, nil, a, c.constant(n, a)) }

// point returns point i of (xs, fs), repeated to the shape of like.
func (c *call) point(xs, fs, like *tensor, i int) [2]*tensor {
	s := like.arr.Type().Shape
	one := func(a *tensor) *tensor { return c.to(c.every(a, 0, i, i+1, 1), s) }
	return [2]*tensor{one(xs), one(fs)}
}

// countBelow returns for each of xs how many elements of sorted are at most that:
// a binary search in steps that are powers of 2.
func (c *call) countBelow(sorted, xs *tensor) *tensor {
	n := sorted.arr.Type().Shape[0]
	count := c.to(c.literal(0, dtype.I32), xs.arr.Type().Shape)
	step := 1
	for 2*step <= n {
		step *= 2
	}
	for ; step > 0; step /= 2 {
		more := c.sub(count, -step)
		inside := c.compareTo(ir.LE, more, n)
		at := c.infer(ir.Min, nil, c.sub(more, 1), c.constant(n-1, more))
		fits := c.infer(ir.And, nil, inside, c.compare(ir.LE, c.takeAt(sorted, at, 0), xs))
		count = c.choose(fits, more, count)
	}
	return count
}
