package random

import (
	"encoding/binary"
	"math"
	"math/bits"

	nv "github.com/goanvil/notebook/anvil"
)

// Threefry-2x32 with 20 rounds, by Salmon, Moraes, Dror and Shaw, "Parallel
// random numbers: as easy as 1, 2, 3" (SC 2011): a block cipher that makes of a
// key and a counter, two words each, two random words.

// rotations are how far the rounds rotate, four rounds by turns.
var rotations = [2][4]int{{13, 15, 26, 6}, {17, 29, 16, 24}}

// parity is the constant that makes the third word of a key.
const parity = 0x1BD11BDA

// words are a key, or a counter, on the host.
type words [2]uint32

// hash returns the random words of a key and a counter.
func hash(k, x words) words {
	ks := [3]uint32{k[0], k[1], k[0] ^ k[1] ^ parity}
	a, b := x[0]+ks[0], x[1]+ks[1]
	for i := range 5 {
		for _, r := range rotations[i%2] {
			a += b
			b = bits.RotateLeft32(b, r) ^ a
		}
		a += ks[(i+1)%3]
		b += ks[(i+2)%3] + uint32(i+1)
	}
	return words{a, b}
}

// A pair is two words in each element, as u32 tensors of one shape.
type pair struct{ a, b nv.Tensor }

// threefry is hash, elementwise, for keys and counters that are scalars or of
// shape s.
func threefry(k, x pair, s nv.Shape) pair {
	c := library(k.a)
	word := func(v any) nv.Tensor { return c.Constant(s, v, nv.U32) }
	var left, right [32]nv.Tensor
	rotate := func(t nv.Tensor, r int) nv.Tensor {
		if !left[r].Valid() {
			left[r], right[r] = word(r), word(32-r)
		}
		return t.Shl(left[r]).Or(t.Shr(right[r]))
	}
	if k.a.Rank() > 0 { // several keys, hashed themselves: the compiler takes minutes for a logarithm of both in one
		k = pair{k.a.Apart(), k.b.Apart()}
	}
	k = pair{k.a.BroadcastTo(s), k.b.BroadcastTo(s)}
	ks := [3]nv.Tensor{k.a, k.b, k.a.Xor(k.b).Xor(word(uint32(parity)))}
	a, b := x.a.BroadcastTo(s).Add(ks[0]), x.b.BroadcastTo(s).Add(ks[1])
	for i := range 5 {
		for _, r := range rotations[i%2] {
			a = a.Add(b)
			b = rotate(b, r).Xor(a)
		}
		a = a.Add(ks[(i+1)%3])
		b = b.Add(ks[(i+2)%3]).Add(word(i + 1))
	}
	return pair{a, b}
}

// counters returns the numbers of n elements.
func counters(c *nv.Lib, n int) pair {
	s := nv.Shape{n}
	if uint64(n) <= math.MaxUint32 {
		return pair{c.Constant(s, 0, nv.U32), c.Iota(s, 0, nv.U32)}
	}
	i := c.Iota(s, 0, nv.U64)
	return pair{i.Shr(c.Constant(s, 32, nv.U64)).AsType(nv.U32), i.AsType(nv.U32)}
}

// split returns n keys of k, whose words are scalars.
func (k pair) split(n int) pair { return threefry(k, counters(library(k.a), n), nv.Shape{n}) }

// child returns the i-th of the keys that k, one key or several, splits into.
func (k pair) child(i int) pair {
	c := library(k.a)
	if w, ok := k.known(); ok {
		w = hash(w, words{0, uint32(i)})
		return pair{c.Scalar(w[0]), c.Scalar(w[1])}
	}
	return threefry(k, pair{c.Constant(nil, 0, nv.U32), c.Constant(nil, i, nv.U32)}, k.a.Shape())
}

// children returns the first keys that each of several keys splits into.
func (k pair) children(n int) []pair {
	c, s := library(k.a), k.a.Shape()
	all := append(nv.Shape{n}, s...)
	ks := threefry(k, pair{c.Constant(nil, 0, nv.U32), c.Iota(all, 0, nv.U32)}, all)
	out := make([]pair, n)
	for i := range out {
		out[i] = pair{ks.a.At(i), ks.b.At(i)}
	}
	return out
}

// packed returns the words side by side on a last axis.
func (k pair) packed() nv.Tensor { return library(k.a).Stack(-1, k.a, k.b) }

// bits returns random bits of unsigned dtype d, of shape s, for a key whose
// words are scalars.
func (k pair) bits(d nv.DType, s nv.Shape) nv.Tensor {
	n := s.Size()
	if w, ok := k.known(); ok && n <= few {
		return narrow(w.stream(library(k.a), n), d).Reshape(s)
	}
	return narrow(threefry(k, counters(library(k.a), n), nv.Shape{n}), d).Reshape(s)
}

// few is how many elements the host hashes sooner than it records the rounds.
const few = 1024

// known returns the words of a key where the host knows them.
func (k pair) known() (words, bool) {
	a, ok := word(k.a)
	if !ok {
		return words{}, false
	}
	b, ok := word(k.b)
	return words{a, b}, ok
}

// word returns the number in a scalar of the host's.
func word(x nv.Tensor) (uint32, bool) {
	if x.Rank() > 0 {
		return 0, false
	}
	data, ok := x.Known()
	if !ok {
		return 0, false
	}
	return binary.LittleEndian.Uint32(data), true
}

// stream returns the words of the first n counters, hashed by the host.
func (k words) stream(c *nv.Lib, n int) pair {
	a, b := make([]uint32, n), make([]uint32, n)
	for i := range n {
		w := hash(k, words{0, uint32(i)})
		a[i], b[i] = w[0], w[1]
	}
	return pair{c.New(a, nv.U32), c.New(b, nv.U32)}
}

// narrow returns d's number of bits of the 64 that x holds in each element.
func narrow(x pair, d nv.DType) nv.Tensor {
	if d != nv.U64 {
		return x.a.Xor(x.b).AsType(d)
	}
	c := library(x.a)
	return x.a.AsType(d).Shl(c.Constant(x.a.Shape(), 32, d)).Or(x.b.AsType(d))
}
