package host

import (
	"context"
	"math"
	"slices"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// key are what elements are sorted by: numbers in whose order they come.
type key interface{ uint32 | uint64 }

// sorting returns the kernel of a Sort of one operand of 32 or 64 bits along its
// last axis: by digits, in a time that grows as the number of elements.
func sorting(n *ir.Node) kernel {
	a, t := n.Attrs.(ir.SortAttrs), n.Results[0].Type
	if len(n.Args) != 1 || a.Axis != len(t.Shape)-1 {
		return nil
	}
	length := t.Shape[a.Axis]
	if c, ok := codings32[t.DType]; ok {
		return lanes(length, a.Descending, c)
	}
	if c, ok := codings64[t.DType]; ok {
		return lanes(length, a.Descending, c)
	}
	return nil
}

// codings32 and codings64 are of the dtypes of 32 and 64 bits that are sorted here.
var (
	codings32 = map[dtype.DType]coding[uint32]{dtype.F32: {1 << 31, exponent32}, dtype.I32: {sign: 1 << 31}, dtype.U32: {}}
	codings64 = map[dtype.DType]coding[uint64]{dtype.F64: {1 << 63, exponent64}, dtype.I64: {sign: 1 << 63}, dtype.U64: {}}
)

// sortable reports whether keys of dtype d are sorted here.
func sortable(d dtype.DType) bool {
	_, word := codings32[d]
	_, long := codings64[d]
	return word || long
}

// A coding makes keys of bits, by the bit of the sign and, of floats, the bits of
// infinity.
type coding[K key] struct{ sign, infinity K }

// key returns the key of bits. Those of negative floats grow as the numbers fall:
// they are turned round. 0 and -0 have one key, and so has all that is no number.
func (c coding[K]) key(bits K) K {
	switch {
	case c.infinity == 0:
		return bits ^ c.sign
	case bits&^c.sign > c.infinity:
		return ^K(0)
	case bits&c.sign == 0 || bits == c.sign:
		return bits | c.sign
	}
	return ^bits
}

// bits returns what has a key; of those that have one, 0 and a NaN.
func (c coding[K]) bits(key K) K {
	switch {
	case c.infinity == 0:
		return key ^ c.sign
	case key&c.sign != 0:
		return key &^ c.sign
	}
	return ^key
}

// unlike reports whether bits are not what its key comes back as.
func (c coding[K]) unlike(bits K) bool {
	return c.infinity != 0 && (bits == c.sign || bits&^c.sign > c.infinity)
}

// lanes returns the kernel that sorts each run of n elements.
func lanes[K key](n int, descending bool, c coding[K]) kernel {
	return func(ctx context.Context, out []byte, in [][]byte) error {
		to, from, space := array.View[K](out), array.View[K](in[0]), make([]K, 2*n)
		for ; len(to) > 0 && n > 0; to, from = to[n:], from[n:] {
			if err := sortLane(ctx, to[:n], from[:n], space, descending, c); err != nil {
				return err
			}
		}
		return nil
	}
}

// sortLane sorts from into to.
func sortLane[K key](ctx context.Context, to, from, space []K, descending bool, c coding[K]) error {
	turned := K(0)
	if descending {
		turned = ^turned
	}
	keys, unlike := space[:len(from)], false
	for i, b := range from {
		keys[i] = c.key(b) ^ turned
		unlike = unlike || c.unlike(b)
	}
	keys, _, err := byDigits(ctx, keys, space[len(from):], 0)
	if err != nil {
		return err
	}
	for i, k := range keys {
		to[i] = c.bits(k ^ turned)
	}
	if unlike {
		c.restore(to, from, keys, c.sign, turned)
		c.restore(to, from, keys, ^K(0), turned)
	}
	return nil
}

// restore puts the bits that have one key, which they do not come back from, in
// the order in which they are in from: equals keep their order.
func (c coding[K]) restore(to, from, keys []K, key, turned K) {
	at, _ := slices.BinarySearch(keys, key^turned)
	for _, b := range from {
		if c.key(b) == key {
			to[at] = b
			at++
		}
	}
}

// digit is the width of a digit in bits: a table of counts fits the first cache.
const digit = 11

// byDigits sorts keys by their bits from one on, digit by digit from the lowest,
// and returns where they are then, in keys or in space, and the other of the two.
// A digit that all share is passed over.
func byDigits[K key](ctx context.Context, keys, space []K, from int) (sorted, rest []K, err error) {
	for shift := from; shift < bitsOf[K](); shift += digit {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		var at [1 << digit]int
		for _, k := range keys {
			at[k>>shift&(1<<digit-1)]++
		}
		if len(keys) > 0 && at[keys[0]>>shift&(1<<digit-1)] == len(keys) {
			continue
		}
		sum := 0
		for i, n := range at {
			at[i] = sum
			sum += n
		}
		for _, k := range keys {
			d := k >> shift & (1<<digit - 1)
			space[at[d]] = k
			at[d]++
		}
		keys, space = space, keys
	}
	return keys, space, nil
}

func bitsOf[K key]() int {
	if uint64(^K(0)) == math.MaxUint32 {
		return 32
	}
	return 64
}
