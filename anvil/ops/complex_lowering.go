package ops

// Sines and cosines of complex numbers are made of those of their parts: the
// compiler subtracts exp(-b) from exp(b), and nothing is left of a small b.

// sin is sin(a)*cosh(b) + cos(a)*sinh(b)*i of a+bi.
func sin(m formula, x ...name) name {
	if !m.complex() {
		return m.op("sine", x...)
	}
	re, a, b := m.split(x[0])
	return m.ofParts(re.times(re.op("sine", a), cosh(re, b)), re.times(re.op("cosine", a), sinh(re, b)))
}

// cos is cos(a)*cosh(b) - sin(a)*sinh(b)*i.
func cos(m formula, x ...name) name {
	if !m.complex() {
		return m.op("cosine", x...)
	}
	re, a, b := m.split(x[0])
	return m.ofParts(re.times(re.op("cosine", a), cosh(re, b)), re.times(re.neg(re.op("sine", a)), sinh(re, b)))
}

// sinhComplex is sinh(a)*cos(b) + cosh(a)*sin(b)*i.
func sinhComplex(m formula, x name) name {
	re, a, b := m.split(x)
	return m.ofParts(re.times(sinh(re, a), re.op("cosine", b)), re.times(cosh(re, a), re.op("sine", b)))
}

// coshComplex is cosh(a)*cos(b) + sinh(a)*sin(b)*i.
func coshComplex(m formula, x name) name {
	re, a, b := m.split(x)
	return m.ofParts(re.times(cosh(re, a), re.op("cosine", b)), re.times(sinh(re, a), re.op("sine", b)))
}

// split returns the real and the imaginary part of x, and the formula that
// computes with them.
func (m formula) split(x name) (re formula, a, b name) {
	re = m
	re.t.DType = m.t.DType.Elem()
	return re, m.w.Convert("real", x, m.t, re.t), m.w.Convert("imag", x, m.t, re.t)
}

// ofParts returns a + b*i.
func (m formula) ofParts(a, b name) name {
	return m.w.Apply("complex", m.t, a, b)
}

// scaled returns x times a real number: of an infinite part nothing comes to the
// other, as it would by a complex product.
func (m formula) scaled(x name, by float64) name {
	re, a, b := m.split(x)
	return m.ofParts(re.mul(a, re.num(by)), re.mul(b, re.num(by)))
}

// times returns x*y, which is 0 also where the other is infinite or nan.
func (m formula) times(x, y name) name {
	zero := m.num(0)
	r := m.choose(m.compare("EQ", y, zero), m.none(y, x), m.mul(x, y))
	return m.choose(m.compare("EQ", x, zero), m.none(x, y), r)
}

// none returns x, a 0, with the sign that x*y has: positive beside nan, the sign of
// which depends on the processor.
func (m formula) none(x, y name) name {
	return m.choose(m.compare("NE", y, y), m.num(0), m.mul(x, m.signOf(y)))
}
