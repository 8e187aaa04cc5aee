package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// Hyperbolic and inverse functions, where what CHLO is expanded to loses bits or
// the smallest numbers. Inverse ones of complex numbers are CHLO's.

// sinh takes the exponential of a-1, which is exact and overflows no sooner than
// the result does; below 1 it is made of exp(a) - 1.
func sinh(m formula, x ...name) name {
	if m.complex() {
		return sinhComplex(m, x[0])
	}
	a := m.abs(x[0])
	small := m.op("exponential_minus_one", m.op("minimum", a, m.num(1)))
	small = m.mul(m.num(0.5), m.add(small, m.div(small, m.add(small, m.num(1)))))
	large := m.sub(m.halfExp(a), m.mul(m.num(0.5), m.exp(m.neg(a))))
	return m.mul(m.signOf(x[0]), m.choose(m.compare("LT", a, m.num(1)), small, large))
}

func cosh(m formula, x ...name) name {
	if m.complex() {
		return coshComplex(m, x[0])
	}
	a := m.abs(x[0])
	return m.add(m.halfExp(a), m.mul(m.num(0.5), m.exp(m.neg(a))))
}

// halfExp returns exp(a)/2 for a >= 0.
func (m formula) halfExp(a name) name {
	below := m.mul(m.num(0.5), m.exp(m.op("minimum", a, m.num(1))))
	above := m.mul(m.exp(m.sub(a, m.num(1))), m.num(math.E/2))
	return m.choose(m.compare("LT", a, m.num(1)), below, above)
}

// atanh is log1p(2a/(1-a))/2.
func atanh(m formula, x ...name) name {
	if m.complex() {
		return corrected(atanh, expanded("atanh"), odd)(m, x...)
	}
	a := m.abs(x[0])
	r := log1p(m, m.div(m.add(a, a), m.sub(m.num(1), a)))
	return m.mul(m.signOf(x[0]), m.mul(m.num(0.5), r))
}

func lowerLog1p(w *stablehlo.Writer, n *ir.Node) {
	f := log1p
	if _, ok := n.Attrs.(ir.CompilerAttrs); ok {
		f = compilerLog1p
	}
	lowerFormula(f)(w, n)
}

// compilerLog1p is log1p as the device's compiler expands it: the one of jax.random's
// numbers, where the compilers are of one version.
func compilerLog1p(m formula, xs ...name) name { return m.op("log_plus_one", xs[0]) }

// log1p of f64, of which the compiler's is a hundred ulp off in places, is the
// series of 2 atanh(s), s = x/(2+x), where that is small.
func log1p(m formula, xs ...name) name {
	x := xs[0]
	if m.complex() {
		return corrected(log1p, plain("log_plus_one"), infiniteOf)(m, x)
	}
	if !m.double() {
		return m.op("log_plus_one", x)
	}
	s := m.div(x, m.add(m.num(2), x))
	var series []float64
	for k := 12; k >= 0; k-- {
		series = append(series, 2/float64(2*k+1))
	}
	small := m.compare("LT", m.abs(s), m.num(0.172))
	r := m.choose(small, m.mul(s, m.poly(m.mul(s, s), series)), m.log(m.add(m.num(1), x)))
	return m.choose(m.compare("LT", m.abs(x), m.num(0x1p-54)), x, r)
}

// cbrt adds a step of Newton's to what the compiler has, or for complex numbers
// is a power.
func cbrt(m formula, x ...name) name {
	if m.complex() {
		return m.op("power", x[0], m.num(1.0/3))
	}
	r := m.op("cbrt", x[0])
	step := m.mul(m.num(1.0/3), m.sub(r, m.div(x[0], m.mul(r, r))))
	regular := m.w.Apply("and", stablehlo.Bool(m.t), m.compare("NE", x[0], m.num(0)), m.compare("LT", m.abs(x[0]), m.num(math.Inf(1))))
	return m.choose(regular, m.sub(r, step), r)
}
