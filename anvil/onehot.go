package anvil

import (
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// OneHot returns a row of n numbers for each integer of x, 1 at the position x and 0 elsewhere:
// result[..., j] = 1 where x[...] = j. The row of an integer outside 0 to n-1 is 0. Without an option the
// dtype is known f32, or the system's default float.
func (l *Lib) OneHot(x any, n int, opts ...Option) Tensor {
	c, o := l.creation("OneHot", opts, x)
	own := c.own(x).DType
	if !own.Is(dtype.Integral) {
		c.fail("positions must be integers, not "+own.String(), "convert x with AsType(nv.I32)")
	}
	if n < 0 {
		c.fail("a negative number of positions", "")
	}
	o = c.settle(o, c.ownDefault(0.0), nil)
	a := c.expand(c.convert(c.at(x, own), dtype.I64), -1)
	s := append(a.Shape()[:len(a.Shape())-1].Clone(), n)
	c.lengths(s)
	columns := c.Do(ir.Iota, ir.IotaAttrs{DType: dtype.I64, Shape: s.Dims(), Axis: len(s) - 1})
	return c.made(c.cast(c.Eq(c.to(a, s), columns), o.DType), false, o)
}

// Meshgrid returns one tensor for each of the vectors xs. All have one axis for each vector. With indexing "ij",
// result k has the elements of xs[k] along axis k and repeats them along the other axes. "xy" exchanges the first
// two axes, as plots do.
func (l *Lib) Meshgrid(indexing string, xs ...any) []Tensor {
	xs = spreadSlices(xs)
	c := l.call("Meshgrid", xs...)
	if indexing != "ij" && indexing != "xy" {
		c.fail("unknown indexing "+strconv.Quote(indexing), `give "ij" or "xy"`)
	}
	axes := upTo(len(xs)) // the axis of each vector
	if indexing == "xy" && len(xs) > 1 {
		axes[0], axes[1] = 1, 0
	}
	s := make(Shape, len(xs))
	vectors := make([]expr.Value, len(xs))
	for k, x := range xs {
		vectors[k] = c.at(x, c.operand(x).DType)
		if len(vectors[k].Shape()) != 1 {
			c.fail("operand "+itoa(k)+" is not a vector", "nv.Flatten makes one")
		}
		s[axes[k]] = vectors[k].Shape()[0]
	}
	c.lengths(s)
	out := make([]Tensor, len(xs))
	for k, a := range vectors {
		along := constantShape(len(xs), 1)
		along[axes[k]] = s[axes[k]]
		out[k] = c.result(c.to(c.reshape(a, along), s), c.operand(xs[k]).Ambiguous)
	}
	return out
}
