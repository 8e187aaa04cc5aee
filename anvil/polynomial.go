package anvil

import "github.com/goanvil/notebook/anvil/ir"

// PolyVal returns the polynomial with the coefficients p, a vector with the
// highest power first, at each element of x, at their common dtype:
// p[0]*x^(n-1) + ... + p[n-1].
func (l *Lib) PolyVal(p, x any) Tensor {
	c, coefficients, a, t := l.product2("PolyVal", p, x)
	s := coefficients.arr.Type().Shape
	if len(s) != 1 {
		c.fail("coefficients of shape "+s.String()+" are no vector", "nv.New([]float64{1, 0, -1}) is x^2 - 1")
	}
	r := c.constant(0, a)
	for i := range s[0] {
		r = c.infer(ir.Mul, nil, r, a)
		r = c.infer(ir.Add, nil, r, c.to(c.pick(coefficients, 0, i), a.arr.Type().Shape))
	}
	return c.result(r, t.Ambiguous)
}
