package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// Interp evaluates, at each element of x, the piecewise linear function through the points
// (xp[i], fp[i]). xp must be in ascending order. Before the first point the function is
// fp[0], and after the last point it is the last element of fp.
func (l *Lib) Interp(x, xp, fp any) Tensor {
	c := l.call("Interp", x, xp, fp)
	t := c.realOf(c.common(x, xp, fp))
	d := wide(t.DType)
	at := func(v any) expr.Value { return c.convert(c.at(v, t.DType), d) }
	a, xs, fs := at(x), at(xp), at(fp)
	s := xs.Shape()
	if len(s) != 1 || s[0] == 0 || !fs.Shape().Equal(s) {
		c.fail("the points have shapes "+s.String()+" and "+fs.Shape().String(),
			"give xp and fp as vectors of equal length, at least 1")
	}
	n := s[0]
	flat := c.flat(a)
	// Each element lies between the points i and next.
	i := c.convert(c.Sub(c.searchSorted(xs, flat, true), 1), dtype.I32)
	i = c.Do(ir.Clamp, nil, c.literal(0, dtype.I32), i, c.literal(max(0, n-2), dtype.I32))
	next := c.Min(c.Add(i, 1), n-1) // the same as i if there is one point
	x0, f0 := c.takeAt(xs, i, 0), c.takeAt(fs, i, 0)
	x1, f1 := c.takeAt(xs, next, 0), c.takeAt(fs, next, 0)
	slope := c.Div(c.Sub(f1, f0), c.Sub(x1, x0))
	r := c.Add(f0, c.Mul(slope, c.Sub(flat, x0)))
	element := func(a expr.Value, i int) expr.Value { return c.to(c.sliceAxis(a, 0, i, i+1, 1), flat.Shape()) }
	xFirst, fFirst := element(xs, 0), element(fs, 0)
	xLast, fLast := element(xs, n-1), element(fs, n-1)
	r = c.Where(c.Le(flat, xFirst), fFirst, r)
	r = c.Where(c.Ge(flat, xLast), fLast, r)
	r = c.Where(c.Ne(flat, flat), flat, r) // nan stays nan
	return c.resultAs(c.reshape(r, a.Shape()), t)
}
