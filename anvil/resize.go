package anvil

import (
	"math"
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A ResizeOption is an option of Resize: Antialias.
type ResizeOption interface{ resize(*resizeOptions) }

type resizeOptions struct{ noAntialias bool }

// Antialias returns the option that turns antialiasing on or off: where an axis becomes
// shorter, Resize then averages over all elements that an element of the result covers. The
// default is true.
func Antialias(on bool) ResizeOption { return antialias(on) }

type antialias bool

func (a antialias) resize(r *resizeOptions) { r.noAntialias = !bool(a) }

// Resize returns x resampled to shape s. An element counts as the value at the centre of a
// cell of unit length. The method is "nearest", "linear", "cubic" (the kernel of Keys,
// a = -1/2), "lanczos3" or "lanczos5". "nearest" keeps the dtype; the others convert integers
// to the system's default float.
func (l *Lib) Resize(x any, s Shape, method string, opts ...ResizeOption) Tensor {
	var o resizeOptions
	for _, opt := range accepted("Resize", opts, x) {
		opt.resize(&o)
	}
	c := l.call("Resize", x)
	kernel, ok := resizeKernels[method]
	if !ok && method != "nearest" {
		c.fail("unknown method "+strconv.Quote(method), "give nearest, linear, cubic, lanczos3 or lanczos5")
	}
	t := c.typed(x)
	a := c.at(x, t.DType)
	if ok {
		a, t = c.reals(x)
	}
	from := a.Shape()
	if len(s) != len(from) {
		c.fail("shape "+s.String()+" has "+plural(len(s), "axis", "axes")+", and x has "+itoa(len(from)),
			"give a length for each axis of x; repeat the length of an axis to keep it")
	}
	c.checkLengths(s)
	for axis, n := range s {
		switch m := from[axis]; {
		case m == n: // nothing to do
		case m == 0:
			c.fail("axis "+itoa(axis)+" is empty and cannot be resized to "+itoa(n),
				"give x at least one element on each axis")
		case kernel == nil: // "nearest"
			a = c.takeAt(a, c.nearestIndices(m, n), axis)
		default:
			a = c.contractAxis(a, c.resizeWeights(kernel, m, n, a.DType(), o), axis)
		}
	}
	return c.resultAs(a, t)
}

// A resizeKernel returns the weights of elements at the distances x, which are at least 0.
// The unit is the length of an element.
type resizeKernel func(c *call, x expr.Value) expr.Value

var resizeKernels = map[string]resizeKernel{
	"linear": (*call).linearKernel, "bilinear": (*call).linearKernel,
	"cubic": (*call).cubicKernel, "bicubic": (*call).cubicKernel,
	"lanczos3": lanczos(3), "lanczos5": lanczos(5),
}

// linearKernel returns max(0, 1-x).
func (c *call) linearKernel(x expr.Value) expr.Value {
	return c.Max(0, c.Sub(1, x))
}

// cubicKernel returns the kernel of Keys, Cubic convolution interpolation for digital
// image processing, 1981, with a = -1/2.
func (c *call) cubicKernel(x expr.Value) expr.Value {
	near := c.Polynomial(x, []float64{1.5, -2.5, 0, 1})
	far := c.Polynomial(x, []float64{-0.5, 2.5, -4, 2})
	far = c.Where(c.Lt(x, 2), far, 0)
	return c.Where(c.Lt(x, 1), near, far)
}

// lanczos returns the kernel sinc(x)*sinc(x/radius) for x < radius, where sinc(x) is
// sin(pi*x)/(pi*x).
func lanczos(radius float64) resizeKernel {
	return func(c *call, x expr.Value) expr.Value {
		p := c.Mul(x, math.Pi)
		sines := c.Mul(c.Sin(p), c.Sin(c.Mul(p, 1/radius)))
		y := c.Div(c.Mul(sines, radius), c.Mul(p, p))
		y = c.Where(c.Gt(x, 0), y, 1)
		return c.Where(c.Lt(x, radius), y, 0)
	}
}

// resizeWeights returns the m by n matrix that resamples m elements to n: column j holds
// the weights, with sum 1, of the m elements in element j of the result. If the whole
// axis is the unit of length, element i of m has its centre at (i+1/2)/m. Multiplied by 2*m*n, all centres are
// integers, so that distances are exact up to one division.
func (c *call) resizeWeights(kernel resizeKernel, m, n int, d dtype.DType, o resizeOptions) expr.Value {
	s := Shape{m, n}
	from := c.Iota(dtype.I64, 0, s...)
	to := c.Iota(dtype.I64, 1, s...)
	centre := func(i expr.Value, scale int) expr.Value { // (2*i+1) * scale
		return c.Mul(c.Add(c.Add(i, i), 1), scale)
	}
	distance := c.Abs(c.Sub(centre(to, m), centre(from, n)))
	// The unit of distances is the length of an element of x or, with antialiasing, the greater of the lengths of an
	// element of x and an element of the result.
	unit := n
	if !o.noAntialias {
		unit = max(m, n)
	}
	x := c.convert(distance, d)
	w := kernel(c, c.Div(x, 2*unit))
	sum := c.Do(ir.ReduceSum, ir.AxesAttrs{Axes: shape.DimsOf(0)}, w)
	return c.Div(w, c.to(sum, s))
}

// nearestIndices returns, for each of n elements resampled from m elements, the index of the
// nearest of the m.
func (c *call) nearestIndices(m, n int) expr.Value {
	to := c.Iota(dtype.I64, 0, n)
	centre := c.Add(c.Mul(to, 2*m), m)
	return c.convert(c.Div(centre, 2*n), dtype.I32)
}

// takeAt returns the elements of t at indices, a vector, along an axis:
// result[a..., i, b...] = t[a..., indices[i], b...].
func (c *call) takeAt(t, indices expr.Value, axis int) expr.Value {
	sizes := t.Shape().Clone()
	sizes[axis] = 1
	rest := upTo(len(sizes))
	return c.Do(ir.Gather, ir.GatherAttrs{
		OffsetDims:         shape.DimsOf(append(rest[:axis:axis], rest[axis+1:]...)...),
		CollapsedSliceDims: shape.DimsOf(axis), StartIndexMap: shape.DimsOf(axis),
		IndexVectorDim: 1, SliceSizes: sizes.Dims(),
	}, t, indices)
}

// contractAxis returns a with the vectors along an axis multiplied by the matrix w:
// result[..., j, ...] = sum over i of a[..., i, ...]*w[i, j].
func (c *call) contractAxis(a, w expr.Value, axis int) expr.Value {
	r := c.contract(a, w, []int{axis}, []int{0})
	rank := len(r.Shape())
	order := upTo(rank - 1) // contract puts the new axis last
	return c.Permute(r, append(append(order[:axis:axis], rank-1), order[axis:]...)...)
}
