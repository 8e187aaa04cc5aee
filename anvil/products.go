package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Outer returns the outer product of x and y, both flattened, at their common dtype: result[i,j] = x[i]*y[j].
func (l *Lib) Outer(x, y any) Tensor {
	c, a, b, t := l.productPair("Outer", x, y)
	return c.result(c.contract(c.flat(a), c.flat(b), nil, nil), t.Ambiguous)
}

// Dot returns the dot product of x and y: x*y if one is a scalar, the inner product of two vectors, and
// otherwise the sum of products over the last axis of x and the second-to-last axis of y (or the only axis of
// a vector y). Unlike MatMul it has no batch axes.
func (l *Lib) Dot(x, y any) Tensor {
	c, a, b, t := l.productPair("Dot", x, y)
	n, m := len(a.Shape()), len(b.Shape())
	if n == 0 || m == 0 {
		s := c.broadcast(a, b)
		return c.result(c.Mul(c.to(a, s), c.to(b, s)), t.Ambiguous)
	}
	return c.result(c.contract(a, b, []int{n - 1}, []int{max(0, m-2)}), t.Ambiguous)
}

// Inner returns the sum of products over the last axes of x and y: result[i,j] = sum over k of x[i,k]*y[j,k], or x*y if
// one is a scalar.
func (l *Lib) Inner(x, y any) Tensor {
	c, a, b, t := l.productPair("Inner", x, y)
	n, m := len(a.Shape()), len(b.Shape())
	if n == 0 || m == 0 {
		s := c.broadcast(a, b)
		return c.result(c.Mul(c.to(a, s), c.to(b, s)), t.Ambiguous)
	}
	return c.result(c.contract(a, b, []int{n - 1}, []int{m - 1}), t.Ambiguous)
}

// VDot returns the dot product of x and y, both flattened; complex elements of x are conjugated.
func (l *Lib) VDot(x, y any) Tensor {
	c, a, b, t := l.productPair("VDot", x, y)
	return c.result(c.contract(c.flat(c.Conj(a)), c.flat(b), []int{0}, []int{0}), t.Ambiguous)
}

// TensorDot returns the sums of products of x and y over pairs of axes of equal length: xAxes[i] of x and yAxes[i] of
// y. The result has the remaining axes of x, then those of y.
func (l *Lib) TensorDot(x, y any, xAxes, yAxes []Axis) Tensor {
	c, a, b, t := l.productPair("TensorDot", x, y)
	if len(xAxes) != len(yAxes) {
		c.fail(plural(len(xAxes), "axis", "axes")+" of x cannot be paired with "+
			plural(len(yAxes), "axis", "axes")+" of y", "give as many axes of y as of x")
	}
	aAxes, bAxes := c.distinctAxes(xAxes, len(a.Shape())), c.distinctAxes(yAxes, len(b.Shape()))
	return c.result(c.contract(a, b, aAxes, bAxes), t.Ambiguous)
}

// Kron returns the Kronecker product of x and y at their common dtype: each element of x is replaced by its product
// with y. The operand of lower rank gets axes of length 1 in front.
func (l *Lib) Kron(x, y any) Tensor {
	c, a, b, t := l.productPair("Kron", x, y)
	rank := max(len(a.Shape()), len(b.Shape()))
	sa, sb := padded(a.Shape(), rank), padded(b.Shape(), rank)
	// Each axis of the result, of length merged[i], is first split in two: one axis of x and one of y.
	var left, right, split, merged Shape
	for i := range rank {
		left, right = append(left, sa[i], 1), append(right, 1, sb[i])
		split, merged = append(split, sa[i], sb[i]), append(merged, sa[i]*sb[i])
	}
	r := c.Mul(c.to(c.reshape(a, left), split), c.to(c.reshape(b, right), split))
	return c.result(c.reshape(r, merged), t.Ambiguous)
}

// Cross returns the cross products of vectors of 3 elements along an axis of x and y, the last one if none is given, at
// their common dtype: result[0] = x[1]*y[2] - x[2]*y[1], and so on cyclically. The other axes are broadcast.
func (l *Lib) Cross(x, y any, axis ...Axis) Tensor {
	c := l.call("Cross", x, y)
	t := c.arithmetic(x, y)
	a, b := c.match(t.DType, x, y)
	at := c.oneAxis(axis, a)
	fromEnd := len(a.Shape()) - at
	for i, v := range []any{x, y} { // an axis of length 1 would broadcast to 3, but is not a vector of 3 elements
		s, n := c.shapeOf(v), 1
		if fromEnd <= len(s) {
			n = s[len(s)-fromEnd]
		}
		if n != 3 {
			hint := "give vectors of 3 elements"
			if n == 2 {
				hint = "for vectors in a plane write x[0]*y[1] - x[1]*y[0]"
			}
			c.fail([]string{"x", "y"}[i]+" has "+plural(n, "element", "elements")+" along axis "+itoa(-fromEnd)+
				", and a cross product needs 3", hint)
		}
	}
	first := c.Mul(c.roll(a, -1, at), c.roll(b, -2, at))
	second := c.Mul(c.roll(a, -2, at), c.roll(b, -1, at))
	return c.result(c.Sub(first, second), t.Ambiguous)
}

// productPair returns a call of the product op, its operands at their common dtype, and the type of its result.
func (l *Lib) productPair(op string, x, y any) (c *call, a, b expr.Value, t dtype.Typed) {
	c = l.call(op, x, y)
	t = c.arithmetic(x, y)
	return c, c.at(x, t.DType), c.at(y, t.DType), t
}

// contract returns the sums of products of a and b over pairs of axes: aAxes[i] of a and bAxes[i] of b.
func (c *call) contract(a, b expr.Value, aAxes, bAxes []int) expr.Value {
	sa, sb := a.Shape(), b.Shape()
	for i, k := range aAxes {
		if n, m := sa[k], sb[bAxes[i]]; n != m {
			c.fail("axis "+itoa(k)+" of "+sa.String()+" and axis "+itoa(bAxes[i])+" of "+sb.String()+
				" have lengths "+itoa(n)+" and "+itoa(m),
				"axes that are summed over together must have equal lengths")
		}
	}
	attrs := ir.DotAttrs{LhsContract: shape.DimsOf(aAxes...), RhsContract: shape.DimsOf(bAxes...)}
	return c.Do(ir.DotGeneral, attrs, a, b)
}

// CosineSimilarity returns the cosine of the angle between x and y along an axis, by
// default the last: sum(x*y) / (norm(x) * norm(y)). It is 0 if either is 0.
func (l *Lib) CosineSimilarity(x, y any, axis ...Axis) Tensor {
	c := l.call("CosineSimilarity", x, y)
	a, b, t := c.realPair(x, y)
	along := []ReduceOption{Axis(c.oneAxis(axis, a))}
	dot := func(a, b expr.Value) expr.Value { return c.fold(ir.ReduceSum, c.Mul(a, b), along) }
	norm := func(a expr.Value) expr.Value {
		return c.Max(c.Builder.Norm(dot(a, a)), 1e-8) // the least norm in PyTorch
	}
	return c.resultAs(c.Div(dot(a, b), c.Mul(norm(a), norm(b))), t)
}

// CDist returns the distance between each row of x and each row of y: result[..., i, j]
// is the norm of x[..., i, :] - y[..., j, :], at their common dtype. p is the order of
// the norm, by default 2: 1 sums magnitudes, infinity takes the largest, 0 counts the
// differences that are not 0.
func (l *Lib) CDist(x, y any, p ...float64) Tensor {
	c := l.call("CDist", x, y)
	order := c.parameter("p", p, 2)
	t := c.realOf(c.arithmetic(x, y))
	d := wide(t.DType)
	a, b := c.convert(c.at(x, t.DType), d), c.convert(c.at(y, t.DType), d)
	sa, sb := a.Shape(), b.Shape()
	switch {
	case len(sa) < 2 || len(sb) < 2 || sa[len(sa)-1] != sb[len(sb)-1]:
		c.fail("shapes "+sa.String()+" and "+sb.String()+" do not have rows of equal length",
			"give x and y the same number of columns; x.ExpandDims(0) makes a vector a row")
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
	return c.resultAs(c.vectorNorm(c.Sub(c.to(a, s), c.to(b, s)), order), t)
}
