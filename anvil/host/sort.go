package host

import (
	"context"
	"math"
	"slices"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// A sortKey is an unsigned integer that stands for an element. Keys have the same order as their elements.
type sortKey interface{ uint32 | uint64 }

// sortKernel returns the kernel of a Sort of one operand of 32 or 64 bits along its last
// axis: a radix sort, whose time is linear in the number of elements.
func sortKernel(n *ir.Node) kernel {
	a, t := n.Attrs.(ir.SortAttrs), n.Results[0].Type
	if len(n.Args) != 1 || a.Axis != len(t.Shape)-1 {
		return nil
	}
	length := t.Shape[a.Axis]
	if c, ok := codings32[t.DType]; ok {
		return sortLanes(length, a.Descending, c)
	}
	if c, ok := codings64[t.DType]; ok {
		return sortLanes(length, a.Descending, c)
	}
	return nil
}

// codings32 and codings64 are the codings of the sortable dtypes of 32 and 64 bits.
var (
	codings32 = map[dtype.DType]coding[uint32]{dtype.F32: {1 << 31, exponent32}, dtype.I32: {sign: 1 << 31}, dtype.U32: {}}
	codings64 = map[dtype.DType]coding[uint64]{dtype.F64: {1 << 63, exponent64}, dtype.I64: {sign: 1 << 63}, dtype.U64: {}}
)

// sortable reports whether this package can sort by elements of dtype d.
func sortable(d dtype.DType) bool {
	_, has32 := codings32[d]
	_, has64 := codings64[d]
	return has32 || has64
}

// A coding converts between the bits of elements and their keys. sign is the sign bit, or 0 for unsigned
// integers; infinity has the bits of infinity, or 0 for integers.
type coding[K sortKey] struct{ sign, infinity K }

// key returns the key of the element with the given bits. 0 and -0 have the key c.sign, and all NaNs the
// greatest key. For negative floats it inverts the bits, which, read as an integer, grow as the number falls.
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

// bits is the inverse of the method key: it returns the bits of an element that has the given key. It returns
// 0 for all zeros and the same NaN for all NaNs.
func (c coding[K]) bits(key K) K {
	switch {
	case c.infinity == 0:
		return key ^ c.sign
	case key&c.sign != 0:
		return key &^ c.sign
	}
	return ^key
}

// losesBits reports whether the given bits, of -0 or a NaN, cannot be recovered from their key.
func (c coding[K]) losesBits(bits K) bool {
	return c.infinity != 0 && (bits == c.sign || bits&^c.sign > c.infinity)
}

// sortLanes returns a kernel that sorts each group of n consecutive elements.
func sortLanes[K sortKey](n int, descending bool, c coding[K]) kernel {
	return func(ctx context.Context, out []byte, in [][]byte) error {
		dst, src, space := array.View[K](out), array.View[K](in[0]), make([]K, 2*n)
		for ; len(dst) > 0 && n > 0; dst, src = dst[n:], src[n:] {
			if err := sortLane(ctx, dst[:n], src[:n], space, descending, c); err != nil {
				return err
			}
		}
		return nil
	}
}

// sortLane writes the sorted elements of src into dst. space has twice the length of src.
func sortLane[K sortKey](ctx context.Context, dst, src, space []K, descending bool, c coding[K]) error {
	flip := K(0) // XOR with flip reverses the order of keys if descending is true
	if descending {
		flip = ^flip
	}
	keys, lossy := space[:len(src)], false
	for i, b := range src {
		keys[i] = c.key(b) ^ flip
		lossy = lossy || c.losesBits(b)
	}
	keys, _, err := radixSort(ctx, keys, space[len(src):], 0)
	if err != nil {
		return err
	}
	for i, k := range keys {
		dst[i] = c.bits(k ^ flip)
	}
	if lossy {
		c.restore(dst, src, keys, c.sign, flip) // zeros
		c.restore(dst, src, keys, ^K(0), flip)  // NaNs
	}
	return nil
}

// restore replaces the elements of dst that have the given key by the elements of src that have it, in the
// order of src, so that the sort is stable. keys has the keys of dst, each XORed with flip.
func (c coding[K]) restore(dst, src, keys []K, key, flip K) {
	at, _ := slices.BinarySearch(keys, key^flip)
	for _, b := range src {
		if c.key(b) == key {
			dst[at] = b
			at++
		}
	}
}

// digitBits is the width of a digit of radixSort in bits. It is chosen so that the table with a count for
// each digit fits into the L1 cache.
const digitBits = 11

// radixSort sorts keys by the bits from firstBit to the highest, digit by digit, from the lowest digit.
// sorted is keys or space, and rest is the other of the two. A digit that is the same in all keys is skipped.
func radixSort[K sortKey](ctx context.Context, keys, space []K, firstBit int) (sorted, rest []K, err error) {
	const mask = 1<<digitBits - 1
	for shift := firstBit; shift < bitsOf[K](); shift += digitBits {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		var at [1 << digitBits]int // for each digit the number of keys with it, later the position of the next such key
		for _, k := range keys {
			at[k>>shift&mask]++
		}
		if len(keys) > 0 && at[keys[0]>>shift&mask] == len(keys) {
			continue
		}
		sum := 0
		for i, n := range at {
			at[i] = sum
			sum += n
		}
		for _, k := range keys {
			d := k >> shift & mask
			space[at[d]] = k
			at[d]++
		}
		keys, space = space, keys
	}
	return keys, space, nil
}

// bitsOf returns the width of K in bits.
func bitsOf[K sortKey]() int {
	if uint64(^K(0)) == math.MaxUint32 {
		return 32
	}
	return 64
}
