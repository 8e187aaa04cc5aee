package ops

import "math"

// A pair is the sum of two numbers, the second of which is what rounding took
// from the first: a number of a hundred bits.
type pair struct{ high, low float64 }

func (a pair) times(b pair) pair {
	p := a.high * b.high
	return sumOf(p, math.FMA(a.high, b.high, -p)+a.high*b.low+a.low*b.high)
}

func (a pair) over(d float64) pair { return a.by(pair{d, 0}) }

// by returns a / b.
func (a pair) by(b pair) pair {
	q := a.high / b.high
	return sumOf(q, (math.FMA(-q, b.high, a.high)+a.low-q*b.low)/b.high)
}

func (a pair) plus(b pair) pair {
	s := a.high + b.high
	back := s - a.high
	return sumOf(s, (a.high-(s-back))+(b.high-back)+a.low+b.low)
}

// sumOf returns high + low, of which low is the lesser.
func sumOf(high, low float64) pair {
	s := high + low
	return pair{s, low - (s - high)}
}

// ln2 is the logarithm of 2.
var ln2 = pair{0.6931471805599453, 2.3190468138462996e-17}

// logPair returns the logarithm of a positive normal x: n log(2) + 2 atanh(s) with s =
// (f-1)/(f+1) of x = f * 2^n, of whose series two terms count in full.
func logPair(x float64) pair {
	f, n := halved(x)
	s := pair{f - 1, 0}.by(sumOf(1, f))
	square := s.times(s)
	z, tail := square.high, 0.0
	for k := 31.0; k >= 5; k -= 2 {
		tail = tail*z + 1/k
	}
	cube := s.times(square).over(3)
	r := s.plus(cube).plus(pair{s.high * z * z * tail, 0})
	return ln2.times(pair{float64(n), 0}).plus(pair{2 * r.high, 2 * r.low})
}

// halved returns f and n of x = f * 2^n, f from sqrt(1/2) to sqrt(2).
func halved(x float64) (f float64, n int) {
	f, n = math.Frexp(x)
	if f < math.Sqrt2/2 {
		return 2 * f, n - 1
	}
	return f, n
}

// powFloat is x to the power y by a logarithm in pairs, and by products where y is
// a whole number; math.Pow is a hundred ulp off where x is great.
func powFloat(x, y float64) float64 {
	whole := y == math.Floor(y)
	switch {
	case x < 0 && whole && math.Abs(y) < 1<<53:
		r := powFloat(-x, y)
		if int64(y)&1 == 1 {
			r = -r
		}
		return r
	case !(x > 0 && x <= math.MaxFloat64) || x == 1 || math.Abs(y) == 0.5 || !(math.Abs(y) < 1<<60):
		return math.Pow(x, y)
	case whole && math.Abs(y) <= 1024:
		return wholePower(x, int(y))
	}
	l := logPair(x).times(pair{y, 0})
	if !(math.Abs(l.high) < 800) {
		return math.Exp(l.high)
	}
	r := expFloat(l.high)
	if math.IsInf(r, 1) {
		return r
	}
	return r + r*l.low
}

// wholePower squares and multiplies the fraction of x.
func wholePower(x float64, n int) float64 {
	f, exponent := halved(x)
	r, square := pair{1, 0}, pair{f, 0}
	for k := max(n, -n); k > 0; k >>= 1 {
		if k&1 == 1 {
			r = r.times(square)
		}
		square = square.times(square)
	}
	if n < 0 {
		r = pair{1, 0}.by(r)
	}
	return math.Ldexp(r.high, exponent*n)
}
