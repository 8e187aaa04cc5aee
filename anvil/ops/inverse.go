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
		return m.chlo("atanh", x...)
	}
	a := m.abs(x[0])
	r := log1p(m, m.div(m.add(a, a), m.sub(m.num(1), a)))
	return m.mul(m.signOf(x[0]), m.mul(m.num(0.5), r))
}

func lowerLog1p(w *stablehlo.Writer, n *ir.Node) {
	f := log1p
	if _, ok := n.Attrs.(CompilerAttrs); ok {
		f = compilerLog1p
	}
	lowerFormula(f)(w, n)
}

// compilerLog1p is log1p as XLA's compiler for CPUs had it until 2026, by which
// jax.random's f64 numbers are made: Cephes' quotient of polynomials (log1p.c), also
// below 1/sqrt(2)-1, where that is a hundred ulp off.
func compilerLog1p(m formula, xs ...name) name {
	x := xs[0]
	if !m.double() || m.complex() {
		return m.op("log_plus_one", x)
	}
	numerator := m.poly(x, []float64{4.5270000862445199635215e-5, 4.9854102823193375972212e-1, 6.5787325942061044846969, 2.9911919328553073277375e1,
		6.0949667980987787057556e1, 5.7112963590585538103336e1, 2.0039553499201281259648e1})
	denominator := m.poly(x, []float64{1, 1.5062909083469192043167e1, 8.3047565967967209469434e1, 2.2176239823732856465394e2,
		3.0909872225312059774938e2, 2.1642788614495947685003e2, 6.0118660497603843919306e1})
	square := m.mul(x, x)
	series := m.mul(m.mul(x, square), m.div(numerator, denominator))
	small := m.add(x, m.add(m.mul(m.num(-0.5), square), series))
	return m.choose(m.compare("LT", m.abs(x), m.num(math.Sqrt2-1)), small, m.log(m.add(x, m.num(1))))
}

// log1p of f64, of which the compiler's is a hundred ulp off in places, is the
// series of 2 atanh(s), s = x/(2+x), where that is small.
func log1p(m formula, xs ...name) name {
	x := xs[0]
	if !m.double() || m.complex() {
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
