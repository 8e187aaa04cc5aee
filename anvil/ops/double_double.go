package ops

import "math"

// A doubleDouble is the number high + low, with a precision of about 100 bits: low is the rounding error of high.
type doubleDouble struct{ high, low float64 }

// mul returns a * b.
func (a doubleDouble) mul(b doubleDouble) doubleDouble {
	p := a.high * b.high
	return fastTwoSum(p, math.FMA(a.high, b.high, -p)+a.high*b.low+a.low*b.high)
}

// divFloat returns a / d.
func (a doubleDouble) divFloat(d float64) doubleDouble { return a.div(doubleDouble{d, 0}) }

// div returns a / b.
func (a doubleDouble) div(b doubleDouble) doubleDouble {
	q := a.high / b.high
	return fastTwoSum(q, (math.FMA(-q, b.high, a.high)+a.low-q*b.low)/b.high)
}

// add returns a + b. The sum of the high parts is Knuth's TwoSum.
func (a doubleDouble) add(b doubleDouble) doubleDouble {
	s := a.high + b.high
	back := s - a.high
	roundingError := (a.high - (s - back)) + (b.high - back)
	return fastTwoSum(s, roundingError+a.low+b.low)
}

// fastTwoSum returns high + low. The exponent of high must not be less than that of low.
func fastTwoSum(high, low float64) doubleDouble {
	s := high + low
	return doubleDouble{s, low - (s - high)}
}

// ln2 is the logarithm of 2.
var ln2 = doubleDouble{0.6931471805599453, 2.3190468138462996e-17}

// logDouble returns the logarithm of a positive finite x: n log(2) + 2 atanh(s), where
// x = f * 2^n and s = (f-1)/(f+1). The first two terms of the series are doubleDoubles.
func logDouble(x float64) doubleDouble {
	f, n := frexpFloat(x)
	s := doubleDouble{f - 1, 0}.div(fastTwoSum(1, f))
	square := s.mul(s)
	z, tail := square.high, 0.0
	for k := 31.0; k >= 5; k -= 2 {
		tail = tail*z + 1/k
	}
	cube := s.mul(square).divFloat(3)
	r := s.add(cube).add(doubleDouble{s.high * z * z * tail, 0})
	return ln2.mul(doubleDouble{float64(n), 0}).add(doubleDouble{2 * r.high, 2 * r.low})
}

// frexpFloat returns f and n with x = f * 2^n, f from sqrt(1/2) to sqrt(2).
func frexpFloat(x float64) (f float64, n int) {
	f, n = math.Frexp(x)
	if f < math.Sqrt2/2 {
		return 2 * f, n - 1
	}
	return f, n
}

// powFloat returns x to the power y. It uses a logarithm in double-double arithmetic, or
// products if y is an integer, since math.Pow is a hundred ulp off for large x.
func powFloat(x, y float64) float64 {
	whole := y == math.Floor(y)
	// math.Pow computes the special cases, square roots, and powers whose results are 0, 1 or infinite.
	regular := x > 0 && x <= math.MaxFloat64 && x != 1 && math.Abs(y) != 0.5 && math.Abs(y) < 1<<60
	switch {
	case x < 0 && whole && math.Abs(y) < 1<<53:
		r := powFloat(-x, y)
		if int64(y)&1 == 1 {
			r = -r
		}
		return r
	case !regular:
		return math.Pow(x, y)
	case whole && math.Abs(y) <= 1024:
		return integerPower(x, int(y))
	}
	l := logDouble(x).mul(doubleDouble{y, 0})
	if !(math.Abs(l.high) < 800) { // the result is 0, infinite or NaN
		return math.Exp(l.high)
	}
	r := expFloat(l.high)
	if math.IsInf(r, 1) {
		return r
	}
	return r + r*l.low
}

// integerPower returns x to the power n, by repeated squaring of the fraction of x.
func integerPower(x float64, n int) float64 {
	f, exponent := frexpFloat(x)
	r, square := doubleDouble{1, 0}, doubleDouble{f, 0}
	for k := max(n, -n); k > 0; k >>= 1 {
		if k&1 == 1 {
			r = r.mul(square)
		}
		square = square.mul(square)
	}
	if n < 0 {
		r = doubleDouble{1, 0}.div(r)
	}
	return math.Ldexp(r.high, exponent*n)
}
