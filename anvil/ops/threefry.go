package ops

import (
	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
	"github.com/goanvil/notebook/anvil/threefry"
)

// cipher is the row of the cipher that random numbers are made by (package threefry).
var cipher = []Def{{Code: ir.Threefry, Name: "Threefry", Params: []string{"key", "counter"},
	Accepts: []dtype.Kind{dtype.Integral, dtype.Integral}, Only: []dtype.DType{dtype.U64},
	Doc:   "Threefry returns the two random words, 32 bits each, that Threefry-2x32 with 20 rounds makes of the words of key and counter, elementwise, the first in the high half.",
	Infer: sameTypes, Lower: lowerThreefry, Eval: evalThreefry, Samples: elementwiseSamples(2), Draw: drawElementwise(2)}}

func evalThreefry(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	return one(array.Map2(e.Context(), n.Results[0].Type, args[0], args[1], threefry.Hash))
}

// lowerThreefry writes Threefry on words of 32 bits.
func lowerThreefry(w *stablehlo.Writer, n *ir.Node) {
	pair := n.Results[0].Type
	word := shape.Type{DType: dtype.U32, Shape: pair.Shape}
	half := w.Splat(32, pair)
	words := func(v *ir.Value) (first, second name) {
		high := w.Apply("shift_right_logical", pair, w.NameOf(v), half)
		return w.Convert("convert", high, pair, word), w.Convert("convert", w.NameOf(v), pair, word)
	}
	op := func(hlo string, x, y name) name { return w.Apply(hlo, word, x, y) }
	bitsOf := map[int]name{}
	number := func(x int) name {
		if _, ok := bitsOf[x]; !ok {
			bitsOf[x] = w.Splat(int64(x), word)
		}
		return bitsOf[x]
	}
	rotate := func(x name, r int) name {
		return op("or", op("shift_left", x, number(r)), op("shift_right_logical", x, number(32-r)))
	}
	k0, k1 := words(n.Args[0])
	ks := [3]name{k0, k1, op("xor", op("xor", k0, k1), number(threefry.Parity))}
	a, b := words(n.Args[1])
	a, b = op("add", a, k0), op("add", b, k1)
	for i := range 5 {
		for _, r := range threefry.Rotations[i%2] {
			a = op("add", a, b)
			b = op("xor", rotate(b, r), a)
		}
		a = op("add", a, ks[(i+1)%3])
		b = op("add", op("add", b, ks[(i+2)%3]), number(i+1))
	}
	high := w.Apply("shift_left", pair, w.Convert("convert", a, word, pair), half)
	w.Rename(n.Results[0], w.Apply("or", pair, high, w.Convert("convert", b, word, pair)))
}
