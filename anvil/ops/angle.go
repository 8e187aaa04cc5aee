package ops

import "math"

// Inverse trigonometric functions are written here, and not left to the compiler:
// the CPU's calls libc for each element, twenty times slower, and that of 2026 calls
// it with the wrong elements where it knows one side of atan2 to be 1. Complex ones
// are CHLO's.

// atan2 is the angle whose tangent is y/x, in the quadrant of the point (x, y).
func atan2(m formula, operands ...name) name {
	y, x := operands[0], operands[1]
	if m.complex() {
		return m.op("atan2", y, x)
	}
	a, b := m.abs(y), m.abs(x)
	low, high := m.op("minimum", a, b), m.op("maximum", a, b)
	ratio := m.div(low, high)
	ratio = m.choose(m.compare("EQ", low, high), m.num(1), ratio) // of infinities too
	ratio = m.choose(m.compare("EQ", high, m.num(0)), m.num(0), ratio)
	r := m.octant(ratio)
	r = m.choose(m.compare("GT", a, b), m.sub(m.num(math.Pi/2), r), r)
	behind := m.compare("LT", m.signOf(x), m.num(0))
	r = m.choose(behind, m.sub(m.num(math.Pi), r), r)
	return m.mul(m.signOf(y), r)
}

func atan(m formula, x ...name) name {
	if m.complex() {
		return corrected(atan, expanded("atan"), odd)(m, x...)
	}
	a := m.abs(x[0])
	steep := m.compare("GT", a, m.num(1))
	r := m.octant(m.choose(steep, m.div(m.num(1), a), a))
	r = m.choose(steep, m.sub(m.num(math.Pi/2), r), r)
	return m.mul(m.signOf(x[0]), r)
}

// asin and acos take 1-x², of which x² may be all, as (1-x)(1+x).
func asin(m formula, x ...name) name {
	if m.complex() {
		return corrected(asin, expanded("asin"), odd)(m, x...)
	}
	return atan2(m, x[0], m.besides(x[0]))
}

func acos(m formula, x ...name) name {
	if m.complex() {
		return corrected(acos, expanded("acos"), acosComplexOf)(m, x...)
	}
	return atan2(m, m.besides(x[0]), x[0])
}

// besides returns sqrt(1-x²).
func (m formula) besides(x name) name {
	return m.op("sqrt", m.mul(m.sub(m.num(1), x), m.add(m.num(1), x)))
}

// octant returns the inverse tangent of t, 0 <= t <= 1: that of (t-1)/(t+1) and
// pi/4 where t is large. The polynomials are those of Moshier's Cephes library
// (atanf and atan).
func (m formula) octant(t name) name {
	large := m.compare("GT", t, m.num(math.Sqrt2-1))
	one := m.num(1)
	u := m.choose(large, m.div(m.sub(t, one), m.add(t, one)), t)
	z := m.mul(u, u)
	var series name
	if m.double() {
		series = m.div(
			m.poly(z, []float64{-8.750608600031904122785e-1, -1.615753718733365076637e1, -7.500855792314704667340e1, -1.228866684490136173410e2, -6.485021904942025371773e1}),
			m.poly(z, []float64{1, 2.485846490142306297962e1, 1.650270098316988542046e2, 4.328810604912902668951e2, 4.853903996359136964868e2, 1.945506571482613964425e2}))
	} else {
		series = m.poly(z, []float64{8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1})
	}
	r := m.add(u, m.mul(u, m.mul(z, series)))
	return m.choose(large, m.add(m.num(math.Pi/4), r), r)
}
