package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/expr"
)

// Exponentials and logarithms to bases 2 and 10.

// exp2 returns 2 to the power x. It is exact at integers, because it scales the exponential of the distance of x to the
// nearest integer n by 2^n.
func exp2(b expr.Builder, xs ...expr.Value) expr.Value {
	x := xs[0]
	if isComplex(x) {
		return exp(b, scaleParts(b, x, math.Ln2))
	}
	limit := float64(2 * layoutOf(x).bias) // beyond -limit and limit, the result is 0 or infinite
	y := b.Min(b.Max(x, -limit), limit)
	n := b.RoundEven(y)
	part := b.Exp(b.Mul(b.Sub(y, n), math.Ln2))
	return ldexp(b, part, b.Convert(n, layoutOf(x).ints))
}

// log2 returns the logarithm to base 2. It is exact at powers of 2, because it adds the exponent of x and the logarithm
// of the fraction.
func log2(b expr.Builder, xs ...expr.Value) expr.Value {
	x := xs[0]
	if isComplex(x) {
		return scaleParts(b, log(b, x), 1/math.Ln2)
	}
	n, f := frexp(b, x)
	r := b.Add(b.Convert(n, x.DType()), b.Mul(b.Log(f), 1/math.Ln2))
	return whereRegular(b, x, r)
}

const log10Of2 = math.Ln2 / math.Ln10

// log10 returns the logarithm to base 10: the sum of the logarithms of the power of 2 and of the fraction of x. It
// splits log10(2) into high + low, where high has so few bits that its product with the exponent is exact.
func log10(b expr.Builder, xs ...expr.Value) expr.Value {
	x := xs[0]
	if isComplex(x) {
		return scaleParts(b, log(b, x), 1/math.Ln10)
	}
	n, f := frexp(b, x)
	k := b.Convert(n, x.DType())
	high, low := 0x1.344p-2, log10Of2-0x1.344p-2
	if isDouble(x) {
		high, low = 0x1.34413509f7p-2, log10Of2-0x1.34413509f7p-2
	}
	rest := b.Mul(k, low)
	r := b.Add(b.Mul(k, high), b.Add(rest, b.Mul(b.Log(f), 1/math.Ln10)))
	return whereRegular(b, x, r)
}

// whereRegular returns r where x is positive and finite. Elsewhere it returns the compiler's logarithm, which
// is -inf, inf or NaN.
func whereRegular(b expr.Builder, x, r expr.Value) expr.Value {
	regular := b.And(b.Gt(x, 0), b.Lt(x, math.Inf(1)))
	return b.Where(regular, r, b.Log(x))
}
