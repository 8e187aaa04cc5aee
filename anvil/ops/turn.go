package ops

import (
	"math"
	"math/big"
)

// Trigonometric functions of large arguments: package math keeps 53 bits of what
// is left of a turn, which are too few near a zero.

// piBits are enough to reduce the greatest f64.
const piBits = 1300

// quarterTurn is pi/2, and quarterTurns its inverse.
var quarterTurn, perQuarterTurn = func() (q, p *big.Float) {
	q = new(big.Float).SetMantExp(new(big.Float).SetInt(machin(piBits)), -piBits-1)
	return q, new(big.Float).SetPrec(piBits).Quo(big.NewFloat(1), q)
}()

// machin returns pi times 2^bits, but for the last bits: 16 atan(1/5) - 4
// atan(1/239).
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

// turned returns the remainder r of x, from -pi/4 to pi/4, and the number n of
// quarter turns modulo 4 that were taken away.
func turned(x float64) (n int, r float64) {
	if math.Abs(x) < 1<<29 || math.IsInf(x, 0) || math.IsNaN(x) {
		return 0, x
	}
	exact := new(big.Float).SetPrec(piBits).SetFloat64(x)
	turns := new(big.Float).SetPrec(piBits).Mul(exact, perQuarterTurn)
	whole, _ := turns.Add(turns, big.NewFloat(math.Copysign(0.5, x))).Int(nil)
	off := new(big.Float).SetPrec(piBits)
	off.Mul(new(big.Float).SetInt(whole), quarterTurn)
	r, _ = off.Sub(exact, off).Float64()
	return int(new(big.Int).And(whole, big.NewInt(3)).Int64()), r
}

func sinFloat(x float64) float64 {
	switch n, r := turned(x); n {
	case 1:
		return math.Cos(r)
	case 2:
		return -math.Sin(r)
	case 3:
		return -math.Cos(r)
	default:
		return math.Sin(r)
	}
}

func cosFloat(x float64) float64 {
	switch n, r := turned(x); n {
	case 1:
		return -math.Sin(r)
	case 2:
		return -math.Cos(r)
	case 3:
		return math.Sin(r)
	default:
		return math.Cos(r)
	}
}

func tanFloat(x float64) float64 {
	n, r := turned(x)
	if n%2 == 1 {
		return -1 / math.Tan(r)
	}
	return math.Tan(r)
}
