// Package random makes random numbers from keys. A key is a value: the same key
// gives the same numbers, whenever and wherever they are drawn, in a compiled
// function too, and Split makes independent keys of one. The numbers are those
// of jax.random with its default generator, Threefry-2x32: bit by bit where only
// integers are computed, and within a few units in the last place where a
// sampler ends in a logarithm or another function that is rounded.
//
//	k1, k2 := random.Key(42).Split()
//	x := random.Normal(k1, nv.Shape{3})
//
// New returns a stream, which splits a key of its own at every draw:
//
//	r := random.New(42)
//	x, y := r.Normal(nv.Shape{3}), r.Uniform(nv.Shape{2, 2})
//
// Samplers take a shape and options: a dtype, nv.Device. Where one takes
// parameters, tensors or numbers, they are broadcast to the shape, and a nil
// shape is theirs.
package random

import (
	"encoding/binary"
	"fmt"
	"math"

	nv "github.com/goanvil/notebook/anvil"
)

// A PRNGKey is where random numbers come from. Data are its two words, u32{2};
// being a tensor, they make a key an argument or a result of a compiled
// function, and let a loop carry it.
type PRNGKey struct{ Data nv.Tensor }

// A Source makes keys and streams whose tensors belong to one Context.
type Source struct{ ctx *nv.Context }

// In returns the source for tensors of c.
func In(c *nv.Context) Source { return Source{c} }

// Key returns the key of a seed. The words are 0 and the seed's low 32 bits; a
// seed that does not fit into 32 bits has its high ones in the first word, as
// JAX has it with 64-bit integers enabled.
func Key(seed int) PRNGKey { return In(nv.Default()).Key(seed) }

// Key is the function Key.
func (s Source) Key(seed int) PRNGKey {
	w := uint64(uint32(seed))
	if int64(seed) < math.MinInt32 || int64(seed) > math.MaxUint32 {
		w = uint64(seed)
	}
	return hostKey(s.ctx, words(w))
}

func hostKey(c *nv.Context, w words) PRNGKey {
	return PRNGKey{c.Unchecked().New([]uint32{uint32(w >> 32), uint32(w)}, nv.U32)}
}

// Words returns the key of the given data, two 32-bit words: jax.random's
// wrap_key_data.
func Words(data nv.Tensor) PRNGKey {
	k := PRNGKey{data}
	k.check("Words")
	return k
}

// check panics where k is no key.
func (k PRNGKey) check(op string) {
	if !k.Data.Valid() {
		panic(&nv.Error{Op: "random." + op, Operands: "PRNGKey{}", Reason: "the zero key holds nothing", Hint: "random.Key(seed) makes one"})
	}
	if t := k.Data.Type(); t.DType != nv.U32 || !t.Shape.Equal(nv.Shape{2}) {
		panic(&nv.Error{Op: "random." + op, Operands: t.String(), Reason: "a key is ui32{2}", Hint: "random.Key(seed) makes one"})
	}
}

// known returns the words of k where they are known on the host, and no function
// is being traced, which may get another key the next time.
func (k PRNGKey) known() (words, bool) {
	data, ok := k.Data.Known()
	if !ok {
		return 0, false
	}
	return words(binary.LittleEndian.Uint32(data))<<32 | words(binary.LittleEndian.Uint32(data[4:])), true
}

// pair returns the words of k as a scalar.
func (k PRNGKey) pair() pair {
	c := library(k.Data)
	if w, ok := k.known(); ok {
		return pair{c.Scalar(uint64(w))}
	}
	both, half := c.BitcastConvert(k.Data, nv.U64), c.Constant(nil, 32, nv.U64) // the first word is low
	return pair{both.Shl(half).Or(both.Shr(half))}
}

// Split returns two keys that have nothing to do with k or each other.
func (k PRNGKey) Split() (PRNGKey, PRNGKey) {
	ks := k.split("Split", 2)
	return ks[0], ks[1]
}

// maxKeys bounds how many keys one call gives: each is an object of the host.
const maxKeys = 1 << 20

// SplitN returns n keys that have nothing to do with k or each other.
func (k PRNGKey) SplitN(n int) []PRNGKey {
	if n < 0 {
		panic(&nv.Error{Op: "random.SplitN", Operands: fmt.Sprint(n), Reason: "a negative number of keys"})
	}
	if n > maxKeys {
		panic(&nv.Error{Op: "random.SplitN", Operands: fmt.Sprint(n), Reason: fmt.Sprintf("that is more than %d keys", maxKeys), Hint: "k.FoldIn(i) is a key of its own for each i"})
	}
	return k.split("SplitN", n)
}

func (k PRNGKey) split(op string, n int) []PRNGKey {
	k.check(op)
	keys := make([]PRNGKey, n)
	if w, ok := k.known(); ok {
		for i := range keys {
			keys[i] = hostKey(k.Data.Context(), hash(w, i))
		}
		return keys
	}
	both := k.pair().split(n).packed()
	for i := range keys {
		keys[i] = PRNGKey{both.At(i)}
	}
	return keys
}

// FoldIn returns a key of k and data, a number or an integer scalar, such as the
// number of a step: different data give keys that have nothing to do with each
// other.
func (k PRNGKey) FoldIn(data any) PRNGKey {
	k.check("FoldIn")
	c := library(k.Data)
	if n, ok := data.(int); ok {
		if w, ok := k.known(); ok {
			return hostKey(k.Data.Context(), hash(w, int(uint32(n))))
		}
		data = uint32(n)
	}
	d := c.AsType(data, nv.U32)
	if d.Rank() > 0 {
		panic(&nv.Error{Op: "random.FoldIn", Operands: d.Type().String(), Reason: "the data are no scalar"})
	}
	return PRNGKey{encrypt(k.pair(), d.AsType(nv.U64), nil).packed()}
}
