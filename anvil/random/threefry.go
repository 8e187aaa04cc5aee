package random

import (
	"encoding/binary"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/threefry"
)

// A pair is two words in each element, a key or random ones: a u64 tensor with the
// first word in the high half.
type pair struct{ nv.Tensor }

// words are a pair on the host.
type words uint64

// hash returns the random words of a key and a counter.
func hash(k words, counter int) words { return words(threefry.Hash(uint64(k), uint64(counter))) }

// encrypt returns the random words of keys and counters, of shape s. Those of several
// keys are made by themselves: a compiler that sees how would make them again for
// whatever they are used in.
func encrypt(k pair, counters nv.Tensor, s nv.Shape) pair {
	x := k.BroadcastTo(s).Threefry(counters.BroadcastTo(s))
	if k.Rank() > 0 {
		x = x.Apart()
	}
	return pair{x}
}

// split returns n keys of k, which is a scalar.
func (k pair) split(n int) pair {
	s := nv.Shape{n}
	return encrypt(k, library(k.Tensor).Iota(s, 0, nv.U64), s)
}

// child returns the i-th of the keys that k, one key or several, splits into.
func (k pair) child(i int) pair {
	c := library(k.Tensor)
	if w, ok := k.known(); ok {
		return pair{c.Scalar(uint64(hash(w, i)))}
	}
	return encrypt(k, c.Constant(nil, i, nv.U64), k.Shape())
}

// children returns the first keys that each of several keys splits into.
func (k pair) children(n int) []pair {
	c := library(k.Tensor)
	all := append(nv.Shape{n}, k.Shape()...)
	out := make([]pair, n)
	for i, x := range c.Unstack(encrypt(k, c.Iota(all, 0, nv.U64), all).Tensor) {
		out[i] = pair{x}
	}
	return out
}

// halves returns the first and the second words.
func (k pair) halves() (first, second nv.Tensor) {
	high := k.Shr(library(k.Tensor).Constant(k.Shape(), 32, nv.U64))
	return high.AsType(nv.U32), k.AsType(nv.U32)
}

// packed returns the words side by side on a last axis.
func (k pair) packed() nv.Tensor {
	first, second := k.halves()
	return library(k.Tensor).Stack(-1, first, second)
}

// bits returns random bits of unsigned dtype d, of shape s, for a key that is a
// scalar.
func (k pair) bits(d nv.DType, s nv.Shape) nv.Tensor {
	n := s.Size()
	x, c := nv.Tensor{}, library(k.Tensor)
	if w, ok := k.known(); ok && n <= few {
		x = w.stream(c, n)
	} else {
		x = k.split(n).Tensor
	}
	return pair{x}.narrow(d).Reshape(s)
}

// few is how many elements the host hashes sooner than a program is compiled.
const few = 1024

// known returns the words of one key where the host knows them.
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

// stream returns the words of the first n counters, hashed by the host.
func (k words) stream(c *nv.Lib, n int) nv.Tensor {
	x := make([]uint64, n)
	for i := range x {
		x[i] = uint64(hash(k, i))
	}
	return c.New(x, nv.U64)
}

// narrow returns d's number of bits of the 64 in each element.
func (k pair) narrow(d nv.DType) nv.Tensor {
	if d == nv.U64 {
		return k.Tensor
	}
	first, second := k.halves()
	return first.Xor(second).AsType(d)
}
