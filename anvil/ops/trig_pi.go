package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/expr"
)

// Functions of pi times x: multiples of pi are subtracted before anything is rounded.

// sinPi is the sine of pi times the distance to the nearest integer, which is exact. At 0 it has the sign of
// x.
func sinPi(b expr.Builder, x ...expr.Value) expr.Value {
	a := b.Abs(x[0])
	r := moduloTwo(b, a)
	near := b.Le(b.Abs(r), 0.5)
	y := b.Where(near, r, b.Mul(signOf(b, r), b.Sub(1, b.Abs(r))))
	y = b.Where(b.Eq(y, 0), 0, y)
	return b.Mul(signOf(b, x[0]), b.Sin(b.Mul(math.Pi, y)))
}

// cosPi is the sine of pi times the distance to the nearest half-integer, or near integers the cosine.
func cosPi(b expr.Builder, x ...expr.Value) expr.Value {
	r := b.Abs(moduloTwo(b, b.Abs(x[0])))
	small := b.Cos(b.Mul(math.Pi, r))
	far := b.Sin(b.Mul(math.Pi, b.Sub(0.5, r)))
	return b.Where(b.Le(r, 0.25), small, far)
}

// tanPi is a quotient, with the signs of zeros and infinities that IEEE 754-2019
// gives tanPi.
func tanPi(b expr.Builder, x ...expr.Value) expr.Value {
	return b.Div(sinPi(b, x...), cosPi(b, x...))
}

// moduloTwo returns a modulo 2, between -1 and 1, exactly.
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
