package host

import (
	"context"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/ir"
)

// sortingAll returns the kernel of a stable Sort of several operands by the first of
// them along any axis.
func sortingAll(n *ir.Node) manyKernel {
	if c, ok := codings32[n.Args[0].Type.DType]; ok {
		return byFirst(n, c)
	}
	return byFirst(n, codings64[n.Args[0].Type.DType])
}

// byFirst returns the kernel of a Sort whose first operand has the coding c.
func byFirst[K key](n *ir.Node, c coding[K]) manyKernel {
	a, s := n.Attrs.(ir.SortAttrs), n.Args[0].Type.Shape
	flip := K(0)
	if a.Descending {
		flip = ^flip
	}
	return func(ctx context.Context, out, in [][]byte) error {
		keys := array.View[K](in[0])
		l := lane{n: s[a.Axis], step: s[a.Axis+1:].Size()}
		places, space := make([]uint64, l.n), make([]uint64, l.n)
		for i := range len(keys) / l.n {
			l.first = i/l.step*l.step*l.n + i%l.step
			key := func(i uint32) K { return c.key(keys[l.first+int(i)*l.step]) ^ flip }
			var err error
			if places, space, err = inOrder(ctx, places, space, key); err != nil {
				return err
			}
			for k, v := range n.Args {
				l.take(v.Type.DType.Size(), out[k], in[k], places)
			}
		}
		return nil
	}
}

// inOrder returns the indices 0, 1, ... of words in the order of their keys, as the lower
// halves of places. It sorts by 32 bits of the keys at a time, which it puts into the upper
// halves. Places is words or space, and rest is the other of the two.
func inOrder[K key](ctx context.Context, words, space []uint64, key func(place uint32) K) (places, rest []uint64, err error) {
	for i := range words {
		words[i] = uint64(i)
	}
	for shift := 0; shift < bitsOf[K](); shift += 32 {
		for i, w := range words {
			place := uint32(w)
			words[i] = uint64(key(place)>>shift)<<32 | uint64(place)
		}
		if words, space, err = byDigits(ctx, words, space, 32); err != nil {
			return nil, nil, err
		}
	}
	return words, space, nil
}

// A lane is n elements along an axis: the index of the first, and the stride.
type lane struct{ n, first, step int }

// take copies the elements of size bytes at the given places into a lane.
func (l lane) take(size int, to, from []byte, places []uint64) {
	switch size {
	case 1:
		takeFrom(l, array.View[uint8](to), array.View[uint8](from), places)
	case 2:
		takeFrom(l, array.View[uint16](to), array.View[uint16](from), places)
	case 4:
		takeFrom(l, array.View[uint32](to), array.View[uint32](from), places)
	default:
		takeFrom(l, array.View[uint64](to), array.View[uint64](from), places)
	}
}

// takeFrom is take for elements of type T.
func takeFrom[T any](l lane, to, from []T, places []uint64) {
	for i, place := range places {
		to[l.first+i*l.step] = from[l.first+int(uint32(place))*l.step]
	}
}
