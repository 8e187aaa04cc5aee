package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// expmCoefficients are the numerators of the degree 13 Padé approximant to the
// exponential, constant term first. Source: Higham, The scaling and squaring method for
// the matrix exponential revisited, 2005.
var expmCoefficients = [...]float64{
	64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000,
	10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1,
}

// expmNorm is the largest norm for which the approximant is accurate to the precision of f64 (Higham 2005).
const expmNorm = 5.371920351148152

// Expm returns the matrix exponential of square matrices x, the sum of x^k / k!, by
// scaling and squaring: a Padé approximant of x / 2^k is squared k times.
func (l *Lib) Expm(x any) Tensor {
	c, a, t := l.linear("Expm", x)
	n := c.squareLength(a)
	if n == 0 {
		return c.resultAs(a, t)
	}
	s, d := a.Shape(), a.DType()
	norm := c.matrixNorm(a, 1)
	squarings := c.Ceil(c.Mul(c.Log(c.Mul(norm, 1/expmNorm)), 1/math.Ln2))
	squarings = c.Max(c.Where(c.Do(ir.IsFinite, nil, squarings), squarings, 0), 0)
	batch := append(s[:len(s)-2:len(s)-2].Clone(), 1, 1)
	scale := c.Pow(0.5, squarings)
	r := c.pade(c.Mul(a, c.to(c.convert(c.reshape(scale, batch), d), s)), n) // the exponential of x / 2^k
	times := c.convert(c.reshape(squarings, batch), dtype.I32)
	if r.(*tensor).arr.Traced() {
		return c.resultAs(c.squareRepeatedly(r, times), t)
	}
	lib, count := c.ctx.With(promote.Anvil).Unchecked(), asTensor(times)
	square := func(i, r Tensor) Tensor { return lib.Where(lib.Lt(i, count), lib.MatMul(r, r), r) }
	r = c.ctx.ForIAny(lib.Max(count), asTensor(r), square).(Tensor).t
	return c.resultAs(r, t)
}

// squareRepeatedly returns the matrices r, each squared the given number of times, by a loop
// that has a gradient. The loop has a fixed number of steps, enough for the largest norm of
// the dtype. Blocks of steps that no matrix needs are skipped, and the intermediate results
// of a block are not kept for the gradient.
func (c *call) squareRepeatedly(r, times expr.Value) expr.Value {
	const block = 16 // the number of steps in a block
	blocks := 12     // 12*16 squarings: norms of f32 are less than 2^192; those of f64 are less than 2^1088
	if r.DType().Elem() == dtype.F64 {
		blocks = 68
	}
	most := times
	for range times.Shape() {
		most = c.Reduce(ir.ReduceMax, most, 0)
	}
	type step = func(b expr.Builder, i, r, times, most expr.Value) expr.Value
	// repeat replaces r by do(i, r) for the first n of i = first, first+width, ... that are less than most.
	repeat := func(b expr.Builder, n, width int, first, r, times, most expr.Value, do step) expr.Value {
		carried, _ := b.Scan(n, []expr.Value{r, first}, []expr.Value{times, most}, nil, false,
			func(b expr.Builder, carried, shared, _ []expr.Value) (next, results []expr.Value) {
				i := carried[1]
				inputs := []expr.Value{carried[0], i, shared[0], shared[1]}
				r := b.If(b.Lt(i, shared[1]), inputs, func(b expr.Builder, x []expr.Value) expr.Value {
					return do(b, x[1], x[0], x[2], x[3])
				})
				return []expr.Value{r, b.Add(i, width)}, nil
			})
		return carried[0]
	}
	square := func(b expr.Builder, i, r, times, _ expr.Value) expr.Value {
		return b.Where(b.BroadcastTo(b.Lt(i, times), r.Shape()), b.MatMul(r, r), r)
	}
	squareBlock := func(b expr.Builder, i, r, times, most expr.Value) expr.Value {
		return repeat(b, block, 1, i, r, times, most, square)
	}
	return repeat(c.Builder, blocks, block, c.Number(0, dtype.I32), r, times, most, squareBlock)
}

// pade returns the Padé approximant of the exponential of n by n matrices of small norm.
func (c *call) pade(a expr.Value, n int) expr.Value {
	one := c.to(c.identityMatrix(n, a.DType()), a.Shape())
	a2 := c.dot(a, a, ir.DotAttrs{})
	a4 := c.dot(a2, a2, ir.DotAttrs{})
	a6 := c.dot(a4, a2, ir.DotAttrs{})
	sum := func(from, step int, xs ...expr.Value) expr.Value {
		r := c.Mul(xs[0], expmCoefficients[from])
		for i, x := range xs[1:] {
			r = c.Add(r, c.Mul(x, expmCoefficients[from+(i+1)*step]))
		}
		return r
	}
	// part returns the sum of the terms of even powers if from is 0, and of odd powers, divided by a, if from is 1.
	part := func(from int) expr.Value {
		high := c.dot(a6, sum(from+8, 2, a2, a4, a6), ir.DotAttrs{})
		return c.Add(high, sum(from, 2, one, a2, a4, a6))
	}
	odd, even := c.dot(a, part(1), ir.DotAttrs{}), part(0)
	return c.solve(c.Sub(even, odd), c.Add(even, odd))
}
