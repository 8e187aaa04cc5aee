package random

import (
	"math"

	nv "github.com/goanvil/notebook/anvil"
)

// Normal returns numbers of the standard normal distribution. The default dtype is f32. For
// a complex dtype, real and imaginary part have variance 1/2.
func Normal(k PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("Normal", k, s, nv.F32, opts)
	half, isComplex := map[nv.DType]nv.DType{nv.C64: nv.F32, nv.C128: nv.F64}[r.d]
	if !isComplex {
		return r.result(r.normal(r.uniform(r.key)))
	}
	r.d = half
	re, im := r.normal(r.uniform(r.key.child(0))), r.normal(r.uniform(r.key.child(1)))
	root := constLike(re, math.Sqrt2)
	return r.result(re.Div(root).Complex(im.Div(root)))
}

// normal maps u, which is uniformly distributed in [0, 1), to the standard normal
// distribution.
func (r *draw) normal(u nv.Tensor) nv.Tensor {
	x := erfInv(r.stretchFrom(u, -r.format().below1()))
	return constLike(x, math.Sqrt2).Mul(x)
}

// TruncatedNormal returns numbers of the standard normal distribution restricted to
// (low, high).
func TruncatedNormal(k PRNGKey, low, high any, s nv.Shape, opts ...nv.Option) nv.Tensor {
	r := newDraw("TruncatedNormal", k, s, nv.F32, opts, low, high)
	r.format() // checks the dtype
	a, b := r.param("low", low), r.param("high", high)
	root := constLike(a, math.Sqrt2)
	x := erfInv(r.between(r.uniform(r.key), a.Div(root).Erf(), b.Div(root).Erf())).Mul(root)
	return r.result(x.Clamp(r.next(a, true), r.next(b, false)))
}

// next returns the next representable number above x, or if up is false below x.
func (r *draw) next(x nv.Tensor, up bool) nv.Tensor {
	f := r.format()
	bits := x.BitcastConvert(f.bits)
	one := r.lib.Constant(r.s, 1, f.bits)
	zero, last := constLike(x, 0), math.Inf(1) // last has no next number
	awayFromZero := x.Gt(zero)                 // then the bits increase: they grow with the magnitude of a float
	smallest := one                            // the bits of the number next to 0
	if !up {
		awayFromZero, last = x.Lt(zero), -last
		// -1 and 1 differ only in their sign bits.
		signBit := constLike(x, -1).BitcastConvert(f.bits).Xor(constLike(x, 1).BitcastConvert(f.bits))
		smallest = one.Or(signBit)
	}
	stepped := awayFromZero.Where(bits.Add(one), bits.Sub(one))
	stepped = x.Eq(zero).Where(smallest, stepped).BitcastConvert(r.d)
	return x.Eq(constLike(x, last)).Or(x.IsNaN()).Where(x, stepped)
}

// erfInv returns the inverse error function of x. Source: Giles, Approximating the erfinv
// function, GPU Computing Gems, 2011.
func erfInv(x nv.Tensor) nv.Tensor {
	d := x.DType()
	if d == nv.F16 || d == nv.BF16 {
		return erfInv(x.AsType(nv.F32)).AsType(d)
	}
	pieces := giles32
	if d == nv.F64 {
		pieces = giles64
	}
	w := x.Neg().Mul(x).CompilerLog1p().Neg()
	root := w.Sqrt()
	var y nv.Tensor
	for i, p := range pieces {
		variable := w
		if i > 0 {
			variable = root
		}
		z := polynomial(variable.Sub(constLike(w, p.shift)), p.coefficients)
		if i == 0 {
			y = z
		} else {
			y = w.Lt(constLike(w, pieces[i-1].below)).Where(y, z)
		}
	}
	atPole := x.Abs().Eq(constLike(x, 1))
	return atPole.Where(x.Mul(constLike(x, math.Inf(1))), y.Mul(x))
}

// polynomial evaluates the polynomial with the given coefficients, highest degree first.
func polynomial(x nv.Tensor, coefficients []float64) nv.Tensor {
	y := constLike(x, coefficients[0])
	for _, c := range coefficients[1:] {
		y = constLike(x, c).Add(y.Mul(x))
	}
	return y
}

// A piece approximates erfinv(x)/x for w = -log(1 - x^2) less than below and at least the below of the
// previous piece. The first piece is a polynomial in w - shift, the others in sqrt(w) - shift.
type piece struct {
	below, shift float64
	coefficients []float64
}

// giles32 and giles64 are the pieces for f32 and for f64.
var giles32 = []piece{
	{5, 2.5, []float64{2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
		-0.00125372503, -0.00417768164, 0.246640727, 1.50140941}},
	{math.Inf(1), 3, []float64{-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
		-0.0076224613, 0.00943887047, 1.00167406, 2.83297682}},
}

var giles64 = []piece{
	{6.25, 3.125, []float64{-3.6444120640178196996e-21, -1.685059138182016589e-19, 1.2858480715256400167e-18,
		1.115787767802518096e-17, -1.333171662854620906e-16, 2.0972767875968561637e-17, 6.6376381343583238325e-15,
		-4.0545662729752068639e-14, -8.1519341976054721522e-14, 2.6335093153082322977e-12, -1.2975133253453532498e-11,
		-5.4154120542946279317e-11, 1.051212273321532285e-09, -4.1126339803469836976e-09, -2.9070369957882005086e-08,
		4.2347877827932403518e-07, -1.3654692000834678645e-06, -1.3882523362786468719e-05, 0.0001867342080340571352,
		-0.00074070253416626697512, -0.0060336708714301490533, 0.24015818242558961693, 1.6536545626831027356}},
	{16, 3.25, []float64{2.2137376921775787049e-09, 9.0756561938885390979e-08, -2.7517406297064545428e-07,
		1.8239629214389227755e-08, 1.5027403968909827627e-06, -4.013867526981545969e-06, 2.9234449089955446044e-06,
		1.2475304481671778723e-05, -4.7318229009055733981e-05, 6.8284851459573175448e-05, 2.4031110387097893999e-05,
		-0.0003550375203628474796, 0.00095328937973738049703, -0.0016882755560235047313, 0.0024914420961078508066,
		-0.0037512085075692412107, 0.005370914553590063617, 1.0052589676941592334, 3.0838856104922207635}},
	{math.Inf(1), 5, []float64{-2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09,
		-3.7894654401267369937e-09, 7.6157012080783393804e-09, -1.4960026627149240478e-08, 2.9147953450901080826e-08,
		-6.7711997758452339498e-08, 2.2900482228026654717e-07, -9.9298272942317002539e-07, 4.5260625972231537039e-06,
		-1.9681778105531670567e-05, 7.5995277030017761139e-05, -0.00021503011930044477347, -0.00013871931833623122026,
		1.0103004648645343977, 4.8499064014085844221}},
}
