package host

import (
	"context"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/ir"
)

// sortManyKernel returns the kernel of a stable Sort of one or more operands by the first one,
// along any axis.
func sortManyKernel(n *ir.Node) manyKernel {
	if c, ok := codings32[n.Args[0].Type.DType]; ok {
		return sortByFirst(n, c)
	}
	return sortByFirst(n, codings64[n.Args[0].Type.DType])
}

// sortByFirst returns the kernel of a Sort whose first operand has the coding c.
func sortByFirst[K sortKey](n *ir.Node, c coding[K]) manyKernel {
	a, s := n.Attrs.(ir.SortAttrs), n.Args[0].Type.Shape
	flip := K(0) // XOR with flip reverses the order of keys in a descending sort
	if a.Descending {
		flip = ^flip
	}
	return func(ctx context.Context, out, in [][]byte) error {
		keys := array.View[K](in[0])
		l := lane{length: s[a.Axis], stride: s[a.Axis+1:].Size()}
		order, space := make([]uint64, l.length), make([]uint64, l.length)
		for i := range len(keys) / l.length {
			l.first = i/l.stride*l.stride*l.length + i%l.stride
			key := func(i uint32) K { return c.key(keys[l.first+int(i)*l.stride]) ^ flip }
			var err error
			if order, space, err = sortedIndices(ctx, order, space, key); err != nil {
				return err
			}
			for k, v := range n.Args {
				l.take(v.Type.DType.Size(), out[k], in[k], order)
			}
		}
		return nil
	}
}

// sortedIndices returns the indices 0 to len(words)-1 in the order of their keys, in the lower 32 bits of the elements
// of sorted. The upper 32 bits of an element hold the half of the key that was sorted by last: sortedIndices sorts by
// the lower 32 bits of the keys, and then, if keys have 64 bits, by their upper 32 bits. sorted is words or space, and
// rest is the other of the two.
func sortedIndices[K sortKey](
	ctx context.Context, words, space []uint64, key func(index uint32) K,
) (sorted, rest []uint64, err error) {
	for i := range words {
		words[i] = uint64(i)
	}
	for shift := 0; shift < bitsOf[K](); shift += 32 {
		for i, w := range words {
			index := uint32(w)
			words[i] = uint64(key(index)>>shift)<<32 | uint64(index)
		}
		if words, space, err = radixSort(ctx, words, space, 32); err != nil {
			return nil, nil, err
		}
	}
	return words, space, nil
}

// A lane has the elements of an array along an axis: length elements, stride positions apart, of which the
// first is at position first.
type lane struct{ length, first, stride int }

// take copies the elements of the lane from src to dst in the given order, a result of sortedIndices. Each
// element has size bytes.
func (l lane) take(size int, dst, src []byte, order []uint64) {
	switch size {
	case 1:
		takeFrom(l, array.View[uint8](dst), array.View[uint8](src), order)
	case 2:
		takeFrom(l, array.View[uint16](dst), array.View[uint16](src), order)
	case 4:
		takeFrom(l, array.View[uint32](dst), array.View[uint32](src), order)
	default:
		takeFrom(l, array.View[uint64](dst), array.View[uint64](src), order)
	}
}

// takeFrom is take for elements of type T.
func takeFrom[T any](l lane, dst, src []T, order []uint64) {
	for i, word := range order {
		dst[l.first+i*l.stride] = src[l.first+int(uint32(word))*l.stride]
	}
}
