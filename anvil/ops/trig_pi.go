package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/expr"
)

// Trigonometric functions of pi*x. Before they multiply by pi, they subtract an integer from x, which is exact.

// sinPi returns the sine of pi*x. It uses the exact distance of x to the nearest integer. A result of 0 has the sign
// of x.
func sinPi(b expr.Builder, x ...expr.Value) expr.Value {
	a := b.Abs(x[0])
	r := moduloTwo(b, a)
	near := b.Le(b.Abs(r), 0.5)
	y := b.Where(near, r, b.Mul(signOf(b, r), b.Sub(1, b.Abs(r))))
	y = b.Where(b.Eq(y, 0), 0, y) // not -0
	return b.Mul(signOf(b, x[0]), b.Sin(b.Mul(math.Pi, y)))
}

// cosPi returns the cosine of pi*x. More than 1/4 away from even integers it uses the sine of pi times
// the signed distance to the nearest half-integer, which is accurate near zeros.
func cosPi(b expr.Builder, x ...expr.Value) expr.Value {
	r := b.Abs(moduloTwo(b, b.Abs(x[0])))
	small := b.Cos(b.Mul(math.Pi, r))
	far := b.Sin(b.Mul(math.Pi, b.Sub(0.5, r)))
	return b.Where(b.Le(r, 0.25), small, far)
}

// tanPi returns the tangent of pi*x, computed as sinPi / cosPi. Its zeros and infinities have
// the signs that IEEE 754-2019 prescribes.
func tanPi(b expr.Builder, x ...expr.Value) expr.Value {
	return b.Div(sinPi(b, x...), cosPi(b, x...))
}

// moduloTwo returns the exact difference of a and the nearest multiple of 2, between -1 and 1.
func moduloTwo(b expr.Builder, a expr.Value) expr.Value {
	return b.Sub(a, b.Mul(2, b.RoundEven(b.Mul(a, 0.5))))
}

func sinPiFloat(x float64) float64 {
	r := math.Remainder(x, 2) // exact
	if math.Abs(r) > 0.5 {
		r = math.Copysign(1-math.Abs(r), r)
	}
	if r == 0 {
		return math.Copysign(0, x)
	}
	return math.Sin(math.Pi * r)
}

func cosPiFloat(x float64) float64 {
	r := math.Abs(math.Remainder(x, 2))
	if r <= 0.25 {
		return math.Cos(math.Pi * r)
	}
	return math.Sin(math.Pi * (0.5 - r))
}

func tanPiFloat(x float64) float64 { return sinPiFloat(x) / cosPiFloat(x) }
