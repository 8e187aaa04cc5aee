package ops

import "github.com/goanvil/notebook/anvil/expr"

// Sines and cosines of complex numbers are computed from functions of their parts. The compiler instead
// subtracts exp(-y) from exp(y), which loses all digits for small y.

// sin returns sin(x)*cosh(y) + cos(x)*sinh(y)*i for x + y*i.
func sin(b expr.Builder, z ...expr.Value) expr.Value {
	if !isComplex(z[0]) {
		return b.Sin(z[0])
	}
	x, y := b.Real(z[0]), b.Imag(z[0])
	return b.Complex(mulZero(b, b.Sin(x), cosh(b, y)), mulZero(b, b.Cos(x), sinh(b, y)))
}

// cos returns cos(x)*cosh(y) - sin(x)*sinh(y)*i for x + y*i.
func cos(b expr.Builder, z ...expr.Value) expr.Value {
	if !isComplex(z[0]) {
		return b.Cos(z[0])
	}
	x, y := b.Real(z[0]), b.Imag(z[0])
	return b.Complex(mulZero(b, b.Cos(x), cosh(b, y)), mulZero(b, b.Neg(b.Sin(x)), sinh(b, y)))
}

// sinhComplex returns sinh(x)*cos(y) + cosh(x)*sin(y)*i for x + y*i.
func sinhComplex(b expr.Builder, z expr.Value) expr.Value {
	x, y := b.Real(z), b.Imag(z)
	return b.Complex(mulZero(b, sinh(b, x), b.Cos(y)), mulZero(b, cosh(b, x), b.Sin(y)))
}

// coshComplex returns cosh(x)*cos(y) + sinh(x)*sin(y)*i for x + y*i.
func coshComplex(b expr.Builder, z expr.Value) expr.Value {
	x, y := b.Real(z), b.Imag(z)
	return b.Complex(mulZero(b, cosh(b, x), b.Cos(y)), mulZero(b, sinh(b, x), b.Sin(y)))
}

// scaleParts returns the complex z times the real number factor, part by part: in a complex product an
// infinite part would make the other part NaN.
func scaleParts(b expr.Builder, z expr.Value, factor float64) expr.Value {
	x, y := b.Real(z), b.Imag(z)
	return b.Complex(b.Mul(x, factor), b.Mul(y, factor))
}

// mulZero returns x*y, except that 0 times an infinity or NaN is 0.
func mulZero(b expr.Builder, x, y expr.Value) expr.Value {
	r := b.Where(b.Eq(y, 0), signedZero(b, y, x), b.Mul(x, y))
	return b.Where(b.Eq(x, 0), signedZero(b, x, y), r)
}

// signedZero returns a zero with the sign of x*y, where x is 0. If y is NaN, the zero is positive, because the sign of
// a NaN depends on the processor.
func signedZero(b expr.Builder, x, y expr.Value) expr.Value {
	return b.Where(b.IsNaN(y), 0, b.Mul(x, signOf(b, y)))
}
