package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/stablehlo"
)

// Exponentials and logarithms to other bases.

// exp2 is exact at integers: exp of the distance from the nearest one, scaled.
func exp2(m formula, x ...name) name {
	if m.complex() {
		return exponential(m, m.scaled(x[0], math.Ln2))
	}
	most := m.num(float64(2 * m.layout().bias))
	y := m.op("minimum", m.op("maximum", x[0], m.neg(most)), most)
	n := m.op("round_nearest_even", y)
	part := m.op("exponential", m.mul(m.sub(y, n), m.num(math.Ln2)))
	return m.scale(part, m.toInt(n))
}

// log2 is exact at powers of 2: the exponent, and the logarithm of the fraction.
func log2(m formula, x ...name) name {
	if m.complex() {
		return m.scaled(logarithm(m, x[0]), 1/math.Ln2)
	}
	n, f := m.parts(x[0])
	r := m.add(m.fromInt(n), m.mul(m.op("log", f), m.num(1/math.Ln2)))
	return m.whereRegular(x[0], r)
}

const log10Of2 = math.Ln2 / math.Ln10

// log10 adds the logarithm of 2 to the power of the exponent in two parts, of
// which the first is exact.
func log10(m formula, x ...name) name {
	if m.complex() {
		return m.scaled(logarithm(m, x[0]), 1/math.Ln10)
	}
	n, f := m.parts(x[0])
	k := m.fromInt(n)
	high, low := 0x1.344p-2, log10Of2-0x1.344p-2
	if m.double() {
		high, low = 0x1.34413509f7p-2, log10Of2-0x1.34413509f7p-2
	}
	rest := m.mul(k, m.num(low))
	r := m.add(m.mul(k, m.num(high)), m.add(rest, m.mul(m.op("log", f), m.num(1/math.Ln10))))
	return m.whereRegular(x[0], r)
}

// whereRegular returns r where x is positive and finite, and elsewhere what the
// logarithm is: -inf, inf or nan.
func (m formula) whereRegular(x, r name) name {
	regular := m.w.Apply("and", stablehlo.Bool(m.t), m.compare("GT", x, m.num(0)), m.compare("LT", x, m.num(math.Inf(1))))
	return m.choose(regular, r, m.op("log", x))
}
