package anvil

import (
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// CosineSimilarity returns the cosine of the angle between x and y along an axis, by
// default the last: sum(x*y) / (norm(x) * norm(y)). It is 0 if either is 0.
func (l *Lib) CosineSimilarity(x, y any, axis ...Axis) Tensor {
	c := l.call("CosineSimilarity", x, y)
	a, b, t := c.realPair(x, y)
	along := []ReduceOption{Axis(c.oneAxis(axis, a))}
	sum := func(a, b expr.Value) expr.Value { return c.fold(ir.ReduceSum, c.Mul(a, b), along) }
	length := func(a expr.Value) expr.Value {
		r := c.Builder.Norm(sum(a, a))
		return c.Max(r, 1e-8) // as in PyTorch
	}
	return c.done(c.Div(sum(a, b), c.Mul(length(a), length(b))), t)
}

// CDist returns the distance between each row of x and each row of y: result[..., i, j]
// is the norm of x[..., i, :] - y[..., j, :], at their common dtype. p is the order of
// the norm, by default 2: 1 sums magnitudes, infinity takes the largest, 0 counts
// differences other than 0.
func (l *Lib) CDist(x, y any, p ...float64) Tensor {
	c := l.call("CDist", x, y)
	order := c.parameter("p", p, 2)
	t := c.realOf(c.arithmetic(x, y))
	d := wide(t.DType)
	a, b := c.convert(c.at(x, t.DType), d), c.convert(c.at(y, t.DType), d)
	sa, sb := a.Shape(), b.Shape()
	switch {
	case len(sa) < 2 || len(sb) < 2 || sa[len(sa)-1] != sb[len(sb)-1]:
		c.fail("shapes "+sa.String()+" and "+sb.String()+" do not have rows of one length",
			"give matrices with as many columns; x.ExpandDims(0) makes a vector a row")
	case !(order >= 0):
		c.fail("p is "+describe(order), "give a number that is not negative, or math.Inf(1)")
	}
	a, b = c.expand(a, Axis(len(sa)-1)), c.expand(b, Axis(len(sb)-2))
	s, ok := broadcastShapes(a.Shape(), b.Shape())
	if !ok {
		c.fail("shapes "+sa.String()+" and "+sb.String()+" do not broadcast in their batch axes",
			"lengths must be equal or 1")
	}
	if s[len(s)-1] == 0 {
		order = 2 // all distances are 0, whatever the order
	}
	return c.done(c.vectorNorm(c.Sub(c.to(a, s), c.to(b, s)), order), t)
}
