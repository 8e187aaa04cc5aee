package ops

import (
	"math"
	"math/big"
)

// Trigonometric functions for the reference evaluator, accurate also for large
// arguments. Package math keeps 53 bits of the reduced argument, too few for an
// accurate result near a zero of the function.

// piBits is a number of bits of pi that suffices to reduce the greatest f64.
const piBits = 1300

// halfPi is pi/2, and twoOverPi is 2/pi.
var halfPi, twoOverPi = func() (q, p *big.Float) {
	q = new(big.Float).SetMantExp(new(big.Float).SetInt(machin(piBits)), -piBits-1)
	return q, new(big.Float).SetPrec(piBits).Quo(big.NewFloat(1), q)
}()

// machin returns pi times 2^bits by Machin's formula 16 atan(1/5) - 4 atan(1/239). Rounding
// may change the last bits.
func machin(bits uint) *big.Int {
	atan := func(n int64) *big.Int {
		term := new(big.Int).Quo(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(n))
		sum := new(big.Int).Set(term)
		for k := int64(3); term.Sign() != 0; k += 2 {
			term.Quo(term, big.NewInt(-n*n))
			sum.Add(sum, new(big.Int).Quo(term, big.NewInt(k)))
		}
		return sum
	}
	pi := atan(5)
	pi.Lsh(pi, 2)
	return pi.Sub(pi, atan(239)).Lsh(pi, 2)
}

// halfPiParts is pi/2 as the sum of three numbers. Each is the f64 nearest to the
// difference of pi/2 and the previous ones.
var halfPiParts = func() (parts [3]float64) {
	rest := new(big.Float).SetPrec(piBits).Set(halfPi)
	for i := range parts {
		parts[i], _ = rest.Float64()
		rest.Sub(rest, big.NewFloat(parts[i]))
	}
	return parts
}()

// reduceQuarterTurns subtracts a multiple of pi/2 from x. It returns the multiple
// modulo 4, and the difference, from -pi/4 to pi/4, as the sum of two numbers.
func reduceQuarterTurns(x float64) (n int, high, low float64) {
	switch {
	case math.Abs(x) < math.Pi/4 || math.IsInf(x, 0) || math.IsNaN(x):
		return 0, x, 0
	case math.Abs(x) < 1<<29:
		return reduceByParts(x)
	}
	exact := new(big.Float).SetPrec(piBits).SetFloat64(x)
	turns := new(big.Float).SetPrec(piBits).Mul(exact, twoOverPi)
	whole, _ := turns.Add(turns, big.NewFloat(math.Copysign(0.5, x))).Int(nil)
	off := new(big.Float).SetPrec(piBits)
	off.Mul(new(big.Float).SetInt(whole), halfPi)
	off.Sub(exact, off)
	high, _ = off.Float64()
	low, _ = off.Sub(off, big.NewFloat(high)).Float64()
	return int(new(big.Int).And(whole, big.NewInt(3)).Int64()), high, low
}

// reduceByParts is reduceQuarterTurns for |x| < 2^29. It subtracts the products of the
// multiple with halfPiParts, and keeps the rounding errors in low. The first difference
// is exact: x and the product are multiples of one unit and nearly cancel.
func reduceByParts(x float64) (n int, high, low float64) {
	turns := math.Round(x * (2 / math.Pi))
	rest := math.FMA(-turns, halfPiParts[0], x)
	part := turns * halfPiParts[1]
	high = rest - part
	back := high - rest
	low = (rest - (high - back)) - (part + back) // the rounding error
	low -= math.FMA(turns, halfPiParts[1], -part)
	low -= turns * halfPiParts[2]
	sum := high + low
	return int(int64(turns) & 3), sum, low - (sum - high)
}

// sinOfSum and cosOfSum return the sine and the cosine of high + low, to first order
// in low, which is less than an ulp of high. The derivatives are approximated by
// 1-high²/2 and -high.
func sinOfSum(high, low float64) float64 {
	if low == 0 { // -0 + 0 would be 0
		return math.Sin(high)
	}
	return math.Sin(high) + low*(1-high*high/2)
}

func cosOfSum(high, low float64) float64 { return math.Cos(high) - low*high }

// tanOfSum returns the tangent of high + low. For small numbers it uses the series,
// since math.Tan returns its argument unchanged there.
func tanOfSum(high, low float64) float64 {
	if math.Abs(high) < 1e-4 && high != 0 {
		square := high * high
		return high + (low + high*square*(1.0/3+square*(2.0/15)))
	}
	t := math.Tan(high)
	if low == 0 {
		return t
	}
	return t + low*(1+t*t)
}

func sinFloat(x float64) float64 {
	switch n, high, low := reduceQuarterTurns(x); n {
	case 1:
		return cosOfSum(high, low)
	case 2:
		return -sinOfSum(high, low)
	case 3:
		return -cosOfSum(high, low)
	default:
		return sinOfSum(high, low)
	}
}

func cosFloat(x float64) float64 {
	switch n, high, low := reduceQuarterTurns(x); n {
	case 1:
		return -sinOfSum(high, low)
	case 2:
		return -cosOfSum(high, low)
	case 3:
		return sinOfSum(high, low)
	default:
		return cosOfSum(high, low)
	}
}

func tanFloat(x float64) float64 {
	n, high, low := reduceQuarterTurns(x)
	t := tanOfSum(high, low)
	if n%2 == 1 {
		return -1 / t
	}
	return t
}
