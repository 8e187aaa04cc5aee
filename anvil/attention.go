package anvil

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// An AttentionOption sets which keys a query attends to (AttentionMask, Causal) and the
// factor of the scores (AttentionScale).
type AttentionOption interface{ attend(*attentionOptions) }

type attentionOptions struct {
	mask   any // nil: no mask
	causal bool
	scale  *float64 // nil: 1/sqrt(number of features of a query)
}

type attentionOption struct {
	name string
	set  func(*attentionOptions)
}

func (f attentionOption) attend(a *attentionOptions) { f.set(a) }
func (f attentionOption) optionName() string         { return f.name }

// AttentionMask returns the option that lets query i attend to key j only where mask[...,
// i, j] is true. A mask of numbers is added to the scores.
func AttentionMask(mask any) AttentionOption {
	return attentionOption{"AttentionMask", func(a *attentionOptions) { a.mask = mask }}
}

// AttentionScale returns the option that multiplies the scores by v. The default is
// 1/sqrt(number of features of a query).
func AttentionScale(v float64) AttentionOption {
	return attentionOption{"AttentionScale", func(a *attentionOptions) { a.scale = &v }}
}

// Causal is the AttentionOption that lets query i attend only to keys up to i.
const Causal causal = true

type causal bool

func (f causal) attend(a *attentionOptions) { a.causal = bool(f) }

// Attention returns softmax(q*k'*scale) * v: for each query the average of the values,
// weighted by the softmax of the query's scores. q has axes (batch..., queries, features),
// k (batch..., keys, features), v (batch..., keys, features of a value). Batch axes, which
// include heads, broadcast. The result is zero for a query that may attend to no key. f16
// and bf16 are computed in f32.
func (l *Lib) Attention(q, k, v any, opts ...AttentionOption) Tensor {
	var o attentionOptions
	for _, opt := range accepted("Attention", opts, q, k, v) {
		opt.attend(&o)
	}
	xs := []any{q, k, v}
	if o.mask != nil {
		xs = append(xs, o.mask)
	}
	c := l.call("Attention", xs...)
	c.oneDType(q, k)
	c.oneDType(q, v)
	t := c.realOf(c.common(q, k, v))
	parts := make([]expr.Value, 3)
	for i, x := range xs[:3] {
		parts[i] = c.convert(c.at(x, t.DType), wide(t.DType))
	}
	c.checkAttention(parts)
	scores := c.scores(parts[0], parts[1], o)
	return c.resultAs(c.matmul(c.maskedSoftmax(scores), parts[2], ir.DotAttrs{}), t)
}

// checkAttention fails if parts do not have the shapes of queries, keys and values.
func (c *call) checkAttention(parts []expr.Value) {
	var s [3]Shape // the lengths of the last two axes of each of parts
	for i, a := range parts {
		full := a.Shape()
		if len(full) < 2 {
			c.fail("an operand has "+plural(len(full), "axis", "axes")+" and needs at least 2",
				"queries have axes (batch..., queries, features), keys (batch..., keys, features), "+
					"values (batch..., keys, features of a value)")
		}
		s[i] = full[len(full)-2:]
	}
	if s[0][1] != s[1][1] {
		c.fail("queries have "+plural(s[0][1], "feature", "features")+", keys "+itoa(s[1][1]),
			"make the last axes of q and k equally long")
	}
	if s[1][0] != s[2][0] {
		c.fail("there are "+itoa(s[1][0])+" keys and "+itoa(s[2][0])+" values",
			"give a value for each key, on the axis before the last")
	}
}

// scores returns the scaled products of queries and keys, -inf where a key is masked.
func (c *call) scores(q, k expr.Value, o attentionOptions) expr.Value {
	rank := len(k.Shape())
	s := c.matmul(q, c.Permute(k, append(upTo(rank-2), rank-1, rank-2)...), ir.DotAttrs{})
	features := q.Shape()[len(q.Shape())-1]
	scale := 1 / math.Sqrt(float64(max(1, features)))
	if o.scale != nil {
		scale = *o.scale
	}
	s = c.Mul(s, scale)
	if o.mask != nil {
		s = c.applyMask(s, o.mask)
	}
	if o.causal {
		axes := len(s.Shape())
		row, column := c.Iota(dtype.I32, axes-2, s.Shape()...), c.Iota(dtype.I32, axes-1, s.Shape()...)
		s = c.Where(c.Ge(row, column), s, math.Inf(-1))
	}
	return s
}

// applyMask returns scores with a mask applied: -inf where a bool mask is false, or with
// a mask of numbers added.
func (c *call) applyMask(scores expr.Value, mask any) expr.Value {
	d := c.operand(mask).DType
	m := c.at(mask, d)
	if d != dtype.I1 {
		m = c.convert(m, scores.DType())
	}
	s := c.broadcast(scores, m)
	scores, m = c.to(scores, s), c.to(m, s)
	if d != dtype.I1 {
		return c.Add(scores, m)
	}
	return c.Where(m, scores, math.Inf(-1))
}

// maskedSoftmax returns the softmax of scores along the last axis. If all scores of a row
// are -inf, the result is 0, not the nan of -inf - -inf or 0/0.
func (c *call) maskedSoftmax(scores expr.Value) expr.Value {
	s := scores.Shape()
	last := keepAxes([]Axis{-1})
	largest := c.fold(ir.ReduceMax, scores, last)
	largest = c.Where(c.Eq(largest, math.Inf(-1)), 0, largest)
	e := c.Exp(c.Sub(scores, c.to(largest, s)))
	sum := c.fold(ir.ReduceSum, e, last)
	sum = c.Where(c.Eq(sum, 0), 1, sum)
	return c.Div(e, c.to(sum, s))
}
