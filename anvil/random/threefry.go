package random

import (
	"encoding/binary"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/threefry"
)

// A pair is a u64 tensor. Each element has two 32-bit words, a key or random bits, with the first word in the
// high half.
type pair struct{ nv.Tensor }

// words is one element of a pair as a number of Go: two 32-bit words, the first one in the high half.
type words uint64

// hash returns the random words for a key and a counter, computed in Go.
func hash(k words, counter int) words { return words(threefry.Hash(uint64(k), uint64(counter))) }

// encrypt returns the random words for keys and counters, which it broadcasts to s. For several keys, a
// barrier keeps the compiler from fusing the result with its uses and computing it again for each use.
func encrypt(k pair, counters nv.Tensor, s nv.Shape) pair {
	x := k.BroadcastTo(s).Threefry(counters.BroadcastTo(s))
	if k.Rank() > 0 {
		x = x.OptimizationBarrier()
	}
	return pair{x}
}

// split returns n keys derived from k, a scalar.
func (k pair) split(n int) pair {
	s := nv.Shape{n}
	return encrypt(k, library(k.Tensor).Iota(s, 0, nv.U64), s)
}

// child returns the i-th key derived from each key in k.
func (k pair) child(i int) pair {
	c := library(k.Tensor)
	if w, ok := k.known(); ok {
		return pair{c.Scalar(uint64(hash(w, i)))}
	}
	return encrypt(k, c.Constant(nil, i, nv.U64), k.Shape())
}

// children returns the first n keys derived from each key in k.
func (k pair) children(n int) []pair {
	c := library(k.Tensor)
	all := append(nv.Shape{n}, k.Shape()...)
	out := make([]pair, n)
	for i, x := range c.Unstack(encrypt(k, c.Iota(all, 0, nv.U64), all).Tensor) {
		out[i] = pair{x}
	}
	return out
}

// halves returns the first and the second words of k.
func (k pair) halves() (first, second nv.Tensor) {
	high := k.Shr(library(k.Tensor).Constant(k.Shape(), 32, nv.U64))
	return high.AsType(nv.U32), k.AsType(nv.U32)
}

// packed returns the words of k along a new last axis of length 2.
func (k pair) packed() nv.Tensor {
	first, second := k.halves()
	return library(k.Tensor).Stack(-1, first, second)
}

// bits returns random bits of an unsigned dtype d and shape s. k must be a scalar.
func (k pair) bits(d nv.DType, s nv.Shape) nv.Tensor {
	n := s.Size()
	x, c := nv.Tensor{}, library(k.Tensor)
	if w, ok := k.known(); ok && n <= maxHostHashes {
		x = w.hashes(c, n)
	} else {
		x = k.split(n).Tensor
	}
	return pair{x}.narrow(d).Reshape(s)
}

// maxHostHashes is the number of elements up to which hashing in Go is faster than
// compiling a program.
const maxHostHashes = 1024

// known returns the words of a single key if its value is in host memory.
func (k pair) known() (words, bool) {
	if k.Rank() > 0 {
		return 0, false
	}
	data, ok := k.Known()
	if !ok {
		return 0, false
	}
	return words(binary.LittleEndian.Uint64(data)), true
}

// hashes returns the random words for the first n counters, computed in Go.
func (k words) hashes(c *nv.Lib, n int) nv.Tensor {
	x := make([]uint64, n)
	for i := range x {
		x[i] = uint64(hash(k, i))
	}
	return c.New(x, nv.U64)
}

// narrow reduces the 64 random bits of each element to an element of d.
func (k pair) narrow(d nv.DType) nv.Tensor {
	if d == nv.U64 {
		return k.Tensor
	}
	first, second := k.halves()
	return first.Xor(second).AsType(d)
}
