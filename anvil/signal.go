package anvil

import (
	"math"
	"slices"
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Convolve returns the convolution of two vectors at their common dtype: result[k] = sum over i of x[i]*y[k-i]. The
// mode is "full" (the default) for every k where the vectors overlap, "same" for the middle part of the full result
// that is as long as the longer vector, or "valid" for every k where the shorter vector lies inside the longer one.
func (l *Lib) Convolve(x, y any, mode ...string) Tensor {
	c, a, b, t := l.productPair("Convolve", x, y)
	longer, shorter := c.longerFirst(a, b)
	return c.result(c.slide(longer, c.Reverse(shorter, 0), c.convolutionMode(mode, "full")), t.Ambiguous)
}

// Correlate returns the cross-correlation of two vectors at their common dtype: result[k] = sum over i of
// x[k+i]*conj(y[i]). The mode is "valid" (the default), "same" or "full", as for Convolve.
func (l *Lib) Correlate(x, y any, mode ...string) Tensor {
	c, a, b, t := l.productPair("Correlate", x, y)
	b = c.Conj(b)
	longer, shorter := c.longerFirst(a, b)
	r := c.slide(longer, shorter, c.convolutionMode(mode, "valid"))
	if longer != a {
		r = c.Reverse(r, 0)
	}
	return c.result(r, t.Ambiguous)
}

// longerFirst returns a and b, the longer one first. It fails if one is not a vector or is empty.
func (c *call) longerFirst(a, b expr.Value) (longer, shorter expr.Value) {
	for _, t := range []expr.Value{a, b} {
		if s := t.Shape(); len(s) != 1 || s[0] == 0 {
			c.fail("an operand has shape "+s.String()+" and must be a vector that is not empty",
				"nv.Flatten makes a vector; nv.Conv1D convolves a batch")
		}
	}
	if b.Shape()[0] > a.Shape()[0] {
		return b, a
	}
	return a, b
}

// convolutionMode returns the given mode, or byDefault if none is given.
func (c *call) convolutionMode(given []string, byDefault string) string {
	mode := givenOr(given, byDefault)
	if len(given) > 1 {
		c.fail("more than one mode is given", `give "full", "same" or "valid"`)
	}
	if mode != "full" && mode != "same" && mode != "valid" {
		c.fail("unknown mode "+strconv.Quote(mode), `give "full", "same" or "valid"`)
	}
	return mode
}

// slide returns the dot products of k with every part of a that is as long as k: result[j] = sum over i of
// a[j+i]*k[i]. The mode determines how far the parts extend past the ends of a, where a counts as 0.
func (c *call) slide(a, k expr.Value, mode string) expr.Value {
	n, m := a.Shape()[0], k.Shape()[0]
	low, high := 0, 0
	switch mode {
	case "full":
		low, high = m-1, m-1
	case "same":
		low, high = m/2, m-1-m/2
	}
	one, axes := shape.DimsOf(1), shape.DimsOf(0, 1, 2)
	attrs := ir.ConvAttrs{Lhs: axes, Rhs: axes, Out: axes, Low: shape.DimsOf(low), High: shape.DimsOf(high),
		Strides: one, LhsDilation: one, RhsDilation: one, FeatureGroups: 1, BatchGroups: 1}
	r := c.Do(ir.Convolution, attrs, c.reshape(a, Shape{1, 1, n}), c.reshape(k, Shape{1, 1, m}))
	return c.flat(r)
}

// Bartlett returns the triangular window of n elements, 0 at both ends and 1 in the middle. See Hanning.
func (l *Lib) Bartlett(n int, opts ...Option) Tensor {
	c, o := l.windowCall("Bartlett", n, opts)
	return c.hostFloats(n, o, func(i int) float64 {
		if n == 1 {
			return 1
		}
		return 1 - math.Abs(2*float64(i)/float64(n-1)-1)
	})
}

// cosineWindow returns the window a - b*cos(p) + d*cos(2*p) of n elements, for p from 0 to 2*pi.
func (l *Lib) cosineWindow(op string, n int, opts []Option, a, b, d float64) Tensor {
	c, o := l.windowCall(op, n, opts)
	return c.hostFloats(n, o, func(i int) float64 {
		if n == 1 {
			return 1
		}
		p := 2 * math.Pi * float64(i) / float64(n-1)
		return a - b*math.Cos(p) + d*math.Cos(2*p)
	})
}

// Kaiser returns the symmetric Kaiser window of n elements, I0(beta*sqrt(1-p*p)) / I0(beta) for p from -1 to 1. beta is
// from 0 to 700; a greater beta makes a narrower window. See Hanning.
func (l *Lib) Kaiser(n int, beta float64, opts ...Option) Tensor {
	c, o := l.windowCall("Kaiser", n, opts)
	if !(beta >= 0 && beta <= 700) { // besselI0 overflows soon after 700
		c.fail("beta is "+describe(beta), "give 0 to 700, such as 14")
	}
	return c.hostFloats(n, o, func(i int) float64 {
		p := 2*float64(i)/float64(max(1, n-1)) - 1
		if n == 1 {
			p = 0
		}
		return besselI0(beta*math.Sqrt(max(0, 1-p*p))) / besselI0(beta)
	})
}

// besselI0 returns the modified Bessel function of order 0 at x. It adds the terms of the series, which are positive,
// up to one that is too small to change the sum.
func besselI0(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*1e-17; k++ {
		term *= x / (2 * k) * (x / (2 * k))
		sum += term
	}
	return sum
}

// windowCall returns the call of op, which makes a window of n elements, and its options.
func (l *Lib) windowCall(op string, n int, opts []Option) (*call, dtype.Options) {
	c, o := l.creation(op, opts, n)
	c.checkCount(n)
	return c, o
}

// SlidingWindow returns, for each position along an axis of x, the n elements that start there, on a new last axis: for
// a vector, result[i, j] = x[i+j]. The axis, the last one if none is given, becomes n-1 shorter.
func (l *Lib) SlidingWindow(x any, n int, axis ...Axis) Tensor {
	c, a, amb := l.layout("SlidingWindow", x)
	s := a.Shape()
	at := c.oneAxis(axis, a)
	if s[at] == 0 {
		c.fail("axis "+itoa(at)+" is empty", "give an x with elements along this axis")
	}
	if n < 1 || n > s[at] {
		c.fail("a window of "+itoa(n)+" does not fit axis "+itoa(at)+" of length "+itoa(s[at]),
			"give a length of 1 to "+itoa(s[at]))
	}
	windows := Shape{s[at] - n + 1, n}
	positions := c.Add(c.Iota(dtype.I64, 0, windows...), c.Iota(dtype.I64, 1, windows...))
	r := c.takeAt(a, c.flat(positions), at)
	split := slices.Concat(s[:at], windows, s[at+1:])
	windowLast := append(slices.Delete(upTo(len(split)), at+1, at+2), at+1)
	return c.result(c.Permute(c.reshape(r, split), windowLast...), amb)
}

// Trapezoid returns the integral of y along an axis, the last one if none is given, by the trapezoidal rule. x is
// the distance between neighbours if it is a number, and the positions of the elements if it is a vector or has the
// shape of y. The integral of integers is a float.
func (l *Lib) Trapezoid(y, x any, axis ...Axis) Tensor {
	c := l.call("Trapezoid", y, x)
	t := c.realOf(c.arithmetic(y, x))
	d := wide(t.DType)
	a, b := c.convert(c.at(y, t.DType), d), c.convert(c.at(x, t.DType), d)
	at := c.oneAxis(axis, a)
	width := c.spacings(a, b, at)
	low, high := c.neighbours(a, at)
	mean := c.Mul(c.Add(low, high), 0.5)
	return c.resultAs(c.fold(ir.ReduceSum, c.Mul(mean, c.to(width, mean.Shape())), []ReduceOption{Axis(at)}), t)
}

// neighbours returns the pairs (low, high) of elements that are next to each other along axis at: low is a without the
// last element along the axis, and high is a without the first.
func (c *call) neighbours(a expr.Value, at int) (low, high expr.Value) {
	n := a.Shape()[at]
	return c.sliceAxis(a, at, 0, max(0, n-1), 1), c.sliceAxis(a, at, min(1, n), n, 1)
}

// spacings returns the distances between elements that are next to each other along axis at of a. x is the distance
// if it is a scalar, and the positions of the elements if it is a vector or has the shape of a.
func (c *call) spacings(a, x expr.Value, at int) expr.Value {
	s, own := a.Shape(), x.Shape()
	switch {
	case len(own) == 0:
		return x
	case len(own) == 1 && own[0] == s[at]:
		column := constantShape(len(s)-at, 1)
		column[0] = s[at]
		x, at = c.reshape(x, column), 0
	case !own.Equal(s):
		c.fail("points of shape "+own.String()+" do not match axis "+itoa(at)+" of "+s.String(),
			"give a number, a vector of that length, or a tensor of the shape of y")
	}
	low, high := c.neighbours(x, at)
	return c.Sub(high, low)
}
