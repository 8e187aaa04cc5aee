package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// Hyperbolic functions, log1p and cbrt. The compiler's own functions are inaccurate or lose the smallest numbers. For
// complex numbers, the compiler's atanh and log1p are used and corrected (see corrected), and cbrt is a power.

// sinh returns the hyperbolic sine. For a = |x| >= 1 it uses exp(a-1), which overflows only if the
// result does; a-1 is exact. For a < 1 it uses exp(a) - 1.
func sinh(b expr.Builder, x ...expr.Value) expr.Value {
	if isComplex(x[0]) {
		return sinhComplex(b, x[0])
	}
	a := b.Abs(x[0])
	small := b.Expm1(b.Min(a, 1))
	small = b.Mul(0.5, b.Add(small, b.Div(small, b.Add(small, 1))))
	large := b.Sub(halfExp(b, a), b.Mul(0.5, b.Exp(b.Neg(a))))
	return b.Mul(signOf(b, x[0]), b.Where(b.Lt(a, 1), small, large))
}

// cosh returns the hyperbolic cosine.
func cosh(b expr.Builder, x ...expr.Value) expr.Value {
	if isComplex(x[0]) {
		return coshComplex(b, x[0])
	}
	a := b.Abs(x[0])
	return b.Add(halfExp(b, a), b.Mul(0.5, b.Exp(b.Neg(a))))
}

// halfExp returns exp(a)/2 for a >= 0.
func halfExp(b expr.Builder, a expr.Value) expr.Value {
	small := b.Mul(0.5, b.Exp(b.Min(a, 1)))
	large := b.Mul(b.Exp(b.Sub(a, 1)), math.E/2)
	return b.Where(b.Lt(a, 1), small, large)
}

// atanh returns the inverse hyperbolic tangent: log1p(2a/(1-a))/2 for a = |x|, with the sign of x.
func atanh(b expr.Builder, x ...expr.Value) expr.Value {
	if isComplex(x[0]) {
		return corrected(ir.Atanh, oddParts)(b, x...)
	}
	a := b.Abs(x[0])
	r := log1p(b, b.Div(b.Add(a, a), b.Sub(1, a)))
	return b.Mul(signOf(b, x[0]), b.Mul(0.5, r))
}

// lowerLog1p writes the expansion log1p, or the compiler's own operation if CompilerAttrs request it, as do random
// numbers that must equal those of jax.random.
func lowerLog1p(w *stablehlo.Writer, n *ir.Node) {
	f := log1p
	if _, ok := n.Attrs.(ir.CompilerAttrs); ok {
		f = compilerOp(ir.Log1p)
	}
	lowerExpansion(f, false)(w, n)
}

// log1p returns the logarithm of 1+x. For f64 and small x, it uses the series of 2 atanh(s), s = x/(2+x),
// because the compiler's own operation is wrong by up to a hundred ulp.
func log1p(b expr.Builder, xs ...expr.Value) expr.Value {
	x := xs[0]
	if isComplex(x) {
		return corrected(ir.Log1p, logParts)(b, x)
	}
	if !isDouble(x) {
		return b.Log1p(x)
	}
	s := b.Div(x, b.Add(2, x))
	var series []float64
	for k := 12; k >= 0; k-- {
		series = append(series, 2/float64(2*k+1))
	}
	small := b.Lt(b.Abs(s), 0.172) // 1+x is between about sqrt(1/2) and sqrt(2), so that 13 terms suffice
	r := b.Where(small, b.Mul(s, b.Polynomial(b.Square(s), series)), b.Log(b.Add(1, x)))
	return b.Where(b.Lt(b.Abs(x), 0x1p-54), x, r)
}

// cbrt returns the cube root: the compiler's result, improved by a step of Newton's method. For complex numbers
// it returns x to the power 1/3.
func cbrt(b expr.Builder, x ...expr.Value) expr.Value {
	if isComplex(x[0]) {
		return b.Pow(x[0], 1.0/3)
	}
	r := b.Unary(ir.Cbrt, x[0])
	step := b.Mul(1.0/3, b.Sub(r, b.Div(x[0], b.Square(r))))
	regular := b.And(b.Ne(x[0], 0), b.Lt(b.Abs(x[0]), math.Inf(1)))
	return b.Where(regular, b.Sub(r, step), r)
}
