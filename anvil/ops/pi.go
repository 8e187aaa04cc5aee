package ops

import "math"

// Functions of pi times x: the multiple of pi is taken away before anything is
// rounded.

// sinPi is the sine of pi times the distance from the nearest integer, which is
// exact. Its sign at 0 is that of x.
func sinPi(m formula, x ...name) name {
	a := m.abs(x[0])
	r := m.sub(a, m.mul(m.num(2), m.op("round_nearest_even", m.mul(a, m.num(0.5)))))
	near := m.compare("LE", m.abs(r), m.num(0.5))
	y := m.choose(near, r, m.mul(m.signOf(r), m.sub(m.num(1), m.abs(r))))
	y = m.choose(m.compare("EQ", y, m.num(0)), m.num(0), y)
	return m.mul(m.signOf(x[0]), m.op("sine", m.mul(m.num(math.Pi), y)))
}

// cosPi is the sine of pi times the distance from the nearest half, or near
// integers the cosine.
func cosPi(m formula, x ...name) name {
	a := m.abs(x[0])
	r := m.abs(m.sub(a, m.mul(m.num(2), m.op("round_nearest_even", m.mul(a, m.num(0.5))))))
	small := m.op("cosine", m.mul(m.num(math.Pi), r))
	far := m.op("sine", m.mul(m.num(math.Pi), m.sub(m.num(0.5), r)))
	return m.choose(m.compare("LE", r, m.num(0.25)), small, far)
}

// tanPi is a quotient, with the signs of zeros and infinities that IEEE 754-2019
// gives tanPi.
func tanPi(m formula, x ...name) name { return m.div(sinPi(m, x...), cosPi(m, x...)) }

// halfTurns returns x modulo 2, between -1 and 1, exactly.
func halfTurns(x float64) float64 { return math.Remainder(x, 2) }

func sinPiFloat(x float64) float64 {
	r := halfTurns(x)
	if math.Abs(r) > 0.5 {
		r = math.Copysign(1-math.Abs(r), r)
	}
	if r == 0 {
		return math.Copysign(0, x)
	}
	return math.Sin(math.Pi * r)
}

func cosPiFloat(x float64) float64 {
	r := math.Abs(halfTurns(x))
	if r <= 0.25 {
		return math.Cos(math.Pi * r)
	}
	return math.Sin(math.Pi * (0.5 - r))
}

func tanPiFloat(x float64) float64 { return sinPiFloat(x) / cosPiFloat(x) }
