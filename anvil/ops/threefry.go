package ops

import (
	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/threefry"
)

// cipher is the row of the cipher that generates random numbers (package threefry).
var cipher = []Def{{Code: ir.Threefry, Name: "Threefry", Params: []string{"key", "counter"},
	Accepts: []dtype.Kind{dtype.Integral, dtype.Integral}, Only: []dtype.DType{dtype.U64},
	Doc: "Threefry returns counter encrypted with key by the cipher Threefry-2x32 with 20 rounds, elementwise. " +
		"A number of 64 bits holds two words of 32 bits, the first one in its high half.",
	Infer: sameTypes, Lower: composed(lowerThreefry), Eval: evalThreefry}}

func evalThreefry(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	return oneResult(array.Map2(e.Context(), n.Results[0].Type, args[0], args[1], threefry.Hash))
}

// lowerThreefry computes the cipher on 32-bit words. See package threefry for the algorithm.
func lowerThreefry(b expr.Builder, _ *ir.Node, args []expr.Value) []expr.Value {
	words := func(x expr.Value) (first, second expr.Value) {
		return b.Convert(b.ShiftRightLogical(x, 32), dtype.U32), b.Convert(x, dtype.U32)
	}
	rotate := func(x expr.Value, r int) expr.Value {
		return b.Or(b.ShiftLeft(x, r), b.ShiftRightLogical(x, 32-r))
	}
	k0, k1 := words(args[0])
	keys := [3]expr.Value{k0, k1, b.Xor(b.Xor(k0, k1), threefry.Parity)}
	x, y := words(args[1])
	x, y = b.Add(x, k0), b.Add(y, k1)
	for i := range 5 {
		for _, r := range threefry.Rotations[i%2] {
			x = b.Add(x, y)
			y = b.Xor(rotate(y, r), x)
		}
		x = b.Add(x, keys[(i+1)%3])
		y = b.Add(b.Add(y, keys[(i+2)%3]), i+1)
	}
	d := args[0].DType()
	return []expr.Value{b.Or(b.ShiftLeft(b.Convert(x, d), 32), b.Convert(y, d))}
}
