package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// PolyVal returns the value of a polynomial at each element of x: p[0]*x^(n-1) + ... + p[n-1], at the common dtype of p
// and x. The vector p has the n coefficients, the highest power first.
func (l *Lib) PolyVal(p, x any) Tensor {
	c, coefficients, a, t := l.productPair("PolyVal", p, x)
	s := coefficients.Shape()
	if len(s) != 1 {
		c.fail("coefficients of shape "+s.String()+" are not a vector", "nv.New([]float64{1, 0, -1}) is x^2 - 1")
	}
	r := c.Like(a, 0)
	for i := range s[0] {
		r = c.Mul(r, a)
		r = c.Add(r, c.to(c.pick(coefficients, 0, i), a.Shape()))
	}
	return c.result(r, t.Ambiguous)
}

// PolyFit returns the coefficients, the highest power first, of the polynomial of the given degree that fits y at x
// best by least squares: they minimize the sum of the squares of y - PolyVal(coefficients, x). x is a vector; y is a
// vector of its length, or a matrix with a column for each polynomial.
func (l *Lib) PolyFit(x, y any, degree int) Tensor {
	c := l.call("PolyFit", x, y)
	t := c.realOf(c.arithmetic(x, y))
	d := wide(t.DType)
	a, b := c.convert(c.at(x, t.DType), d), c.convert(c.at(y, t.DType), d)
	sa, sb := a.Shape(), b.Shape()
	c.requireVector("x", a)
	if sa[0] == 0 {
		c.fail("x is empty", "give at least one element")
	}
	if len(sb) < 1 || len(sb) > 2 || sa[0] != sb[0] {
		c.fail("shapes "+sa.String()+" and "+sb.String()+" do not match",
			"give y one number, or one row, for each element of x")
	}
	if degree < 0 {
		c.fail("the degree is "+itoa(degree), "give 0 for a constant, 1 for a line")
	}
	if degree >= maxPowers {
		c.fail("the degree is "+itoa(degree), "the greatest degree is "+itoa(maxPowers-1))
	}
	// As in NumPy, the columns are scaled to length 1, so that the limit below which Lstsq drops singular
	// values treats all powers alike.
	powers := l.Vander(asTensor(a), degree+1).t
	lengths := c.Sqrt(c.Do(ir.ReduceSum, ir.AxesAttrs{Axes: Shape{0}.Dims()}, c.Mul(powers, powers)))
	scaled := c.Div(powers, c.to(lengths, powers.Shape()))
	r, _, _, _ := l.Lstsq(asTensor(scaled), asTensor(b), machineEpsilon(d)*float64(sa[0]))
	if len(sb) == 2 {
		lengths = c.to(c.expand(lengths, 1), r.Shape())
	}
	return c.resultAs(c.Div(r.t, lengths), t)
}

// PolyDer returns the coefficients of the derivative of the polynomial with coefficients p, the highest power first.
// The result has one element fewer than p, unless p is empty. Bools are converted to the default integer.
func (l *Lib) PolyDer(p any) Tensor {
	c, a, amb := l.layout("PolyDer", p)
	c.requireVector("p", a)
	if a.DType() == dtype.I1 {
		a = c.convert(a, c.ownDefault(0))
	}
	n := a.Shape()[0]
	if n < 2 { // the derivative of a constant has no coefficients
		return c.result(c.sliceAxis(a, 0, 0, 0, 1), amb)
	}
	a = c.sliceAxis(a, 0, 0, n-1, 1)
	return c.result(c.Mul(a, c.powers(n-1, a)), amb)
}

// PolyInt returns the coefficients of the integral from 0 of the polynomial with coefficients p, the highest power
// first. The result has one element more than p, and its last element is 0. Integers are converted to the system's
// default float.
func (l *Lib) PolyInt(p any) Tensor {
	c := l.call("PolyInt", p)
	_, t := c.unaryTypes(p)
	t = c.inexact(t)
	d := wide(t.DType)
	a := c.convert(c.at(p, t.DType), d)
	c.requireVector("p", a)
	if n := a.Shape()[0]; n > 0 {
		a = c.Div(a, c.powers(n, a))
	}
	return c.resultAs(c.Concatenate(0, a, c.to(c.number(0, d), Shape{1})), t)
}

// powers returns the vector n, n-1, ..., 1 at the dtype of like.
func (c *call) powers(n int, like expr.Value) expr.Value {
	return c.cast(c.Sub(n, c.Iota(dtype.I32, 0, n)), like.DType())
}
