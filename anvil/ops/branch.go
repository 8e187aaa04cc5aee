package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/stablehlo"
)

// On branch cuts, at zeros and at infinities the compiler's functions of complex
// numbers lose signs: its square root of -1-0i is i. What they compute is corrected
// here to what C's Annex G says, a part at a time.

// corrected is op of complex numbers, corrected by f, which is given the parts of
// the operand and of the result. Of floats it is float.
func corrected(float, op func(m formula, x ...name) name, f func(re formula, a, b, c, d name) (name, name)) func(m formula, x ...name) name {
	return func(m formula, x ...name) name {
		if !m.complex() {
			return float(m, x...)
		}
		re, a, b := m.split(x[0])
		_, c, d := m.split(op(m, x[0]))
		return m.ofParts(f(re, a, b, c, d))
	}
}

// plain is an operation of the specification.
func plain(hlo string) func(m formula, x ...name) name {
	return func(m formula, x ...name) name { return m.op(hlo, x...) }
}

// expanded is an operation of CHLO.
func expanded(op string) func(m formula, x ...name) name {
	return func(m formula, x ...name) name { return m.chlo(op, x...) }
}

// signed returns v with the sign of x, or v where x is nan.
func (m formula) signed(v, x name) name {
	return m.choose(m.compare("NE", x, x), v, m.mul(m.abs(v), m.signOf(x)))
}

// zeroAs returns v, but x where that is 0.
func (m formula) zeroAs(v, x name) name { return m.choose(m.compare("EQ", x, m.num(0)), x, v) }

// infinite returns whether x is infinite.
func (m formula) infinite(x name) name { return m.compare("EQ", m.abs(x), m.num(math.Inf(1))) }

// both returns whether p and q hold.
func (m formula) both(p, q name) name { return m.w.Apply("and", stablehlo.Bool(m.t), p, q) }

// odd: both parts have the signs of the operand's.
func odd(re formula, a, b, c, d name) (name, name) { return re.signed(c, a), re.signed(d, b) }

var (
	sqrt = corrected(plain("sqrt"), plain("sqrt"), func(re formula, a, b, c, d name) (name, name) {
		inf := re.num(math.Inf(1))
		c = re.choose(re.compare("EQ", a, inf), inf, c)
		d = re.choose(re.compare("EQ", a, re.num(math.Inf(-1))), inf, d)
		beyond := re.infinite(b)
		return re.choose(beyond, inf, c), re.choose(beyond, b, re.signed(d, b))
	})

	exponential = corrected(plain("exponential"), plain("exponential"), func(re formula, a, b, c, d name) (name, name) {
		turning := re.compare("NE", re.sub(b, b), re.num(0)) // without end
		none := re.both(turning, re.compare("EQ", a, re.num(math.Inf(-1))))
		c = re.choose(none, re.num(0), re.choose(re.both(turning, re.compare("EQ", a, re.num(math.Inf(1)))), a, c))
		return c, re.zeroAs(re.choose(none, re.num(0), d), b)
	})

	expm1 = corrected(plain("exponential_minus_one"), plain("exponential_minus_one"), func(re formula, a, b, c, d name) (name, name) {
		zero := re.both(re.compare("EQ", a, re.num(0)), re.compare("EQ", b, re.num(0)))
		return re.choose(zero, a, c), re.zeroAs(d, b)
	})

	logarithm = corrected(plain("log"), plain("log"), infiniteOf)

	tan = corrected(plain("tan"), plain("tan"), func(re formula, a, b, c, d name) (name, name) {
		return re.zeroAs(c, a), re.signed(d, b)
	})
	tanh = corrected(plain("tanh"), plain("tanh"), func(re formula, a, b, c, d name) (name, name) {
		return re.signed(c, a), re.zeroAs(d, b)
	})

	acosComplexOf = func(re formula, a, b, c, d name) (name, name) { return c, re.signed(d, re.neg(b)) }
	acosh         = corrected(expanded("acosh"), expanded("acosh"), func(re formula, a, b, c, d name) (name, name) {
		return re.abs(c), re.signed(d, b)
	})
	asinh = corrected(expanded("asinh"), expanded("asinh"), odd)
)

// infiniteOf: a logarithm is infinite where a part of the operand is.
func infiniteOf(re formula, a, b, c, d name) (name, name) {
	inf := re.num(math.Inf(1))
	return re.choose(re.infinite(a), inf, re.choose(re.infinite(b), inf, c)), d
}
