package emulate

import (
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// python has the rules that all the libraries of Python share.
var python = merged(comparisons(lexicographic), map[string]Rule{
	"Rem": mod, "Real": realOf, "Imag": imagOf, "Sign": sign, "Any": nonzeroReduction, "All": nonzeroReduction,
	"Floor": roundedParts, "Ceil": roundedParts, "Round": roundedParts, "RoundAway": roundedParts,
	"ArgMax": position(ir.ReduceMax), "ArgMin": position(ir.ReduceMin), "LogAddExp": complexLogAddExp,
})

// complexLogAddExp is the rule of LogAddExp, which computes log(exp(x) + exp(y)). For complex operands it
// factors out the exponential of the greater one, in the order of lexicographic. The imaginary part of the
// result lies between -pi and pi.
func complexLogAddExp(c Call) expr.Value {
	if !c.DType().Is(dtype.Complex) {
		return c.Own()
	}
	b, xs := c.Build(), c.Args()
	re, im, re2, im2 := b.Real(xs[0]), b.Imag(xs[0]), b.Real(xs[1]), b.Imag(xs[1])
	greater := b.Where(b.Or(b.Gt(re, re2), b.And(b.Eq(re, re2), b.Gt(im, im2))), xs[0], xs[1])
	difference := b.Sub(b.Add(xs[0], xs[1]), b.Mul(greater, 2)) // the other operand minus greater
	sum := b.Add(greater, b.Log1p(b.Exp(difference)))
	angle := b.Rem(b.Add(b.Imag(sum), math.Pi), 2*math.Pi)
	angle = b.Where(b.Lt(angle, 0), b.Add(angle, 2*math.Pi), angle)
	return b.Complex(b.Real(sum), b.Sub(angle, math.Pi))
}
