// Package random draws random numbers from keys. A key is a value: the same key always gives the
// same numbers, even in a compiled function, and Split returns independent keys. The numbers are
// those of jax.random with its default generator, Threefry-2x32: the same bits where a sampler
// computes with integers only, and within a few units in the last place where it uses rounded
// functions such as logarithms.
//
//	k1, k2 := random.Key(42).Split()
//	x := random.Normal(k1, nv.Shape{3})
//
// New returns a stream, which splits its key at every draw:
//
//	r := random.New(42)
//	x, y := r.Normal(nv.Shape{3}), r.Uniform(nv.Shape{2, 2})
//
// Samplers take a shape and options: a dtype, nv.Device. Parameters of a sampler are numbers or tensors,
// which are broadcast to the shape. A nil shape stands for the shape that the parameters broadcast to.
package random

import (
	"encoding/binary"
	"fmt"
	"math"

	nv "github.com/goanvil/notebook/anvil"
)

// A PRNGKey determines random numbers. Data has the two words of the key, as u32{2}. Since Data is a tensor,
// a key can be an argument or a result of a compiled function, or be carried by a loop.
type PRNGKey struct{ Data nv.Tensor }

// A Source makes keys and streams whose tensors belong to one Context.
type Source struct{ ctx *nv.Context }

// In returns the Source for tensors of c.
func In(c *nv.Context) Source { return Source{c} }

// Key returns the key of a seed. Its words are 0 and the low 32 bits of the seed. If the
// seed does not fit into 32 bits, the first word has its high bits, as in JAX with 64-bit
// integers enabled.
func Key(seed int) PRNGKey { return In(nv.Default()).Key(seed) }

// Key returns the key of a seed, as the function Key does.
func (s Source) Key(seed int) PRNGKey {
	w := uint64(uint32(seed))
	if int64(seed) < math.MinInt32 || int64(seed) > math.MaxUint32 {
		w = uint64(seed)
	}
	return hostKey(s.ctx, words(w))
}

// hostKey returns the key with words w, as a tensor of c.
func hostKey(c *nv.Context, w words) PRNGKey {
	return PRNGKey{c.Unchecked().New([]uint32{uint32(w >> 32), uint32(w)}, nv.U32)}
}

// Words returns the key with the given words, u32{2}, like jax.random.wrap_key_data.
func Words(data nv.Tensor) PRNGKey {
	k := PRNGKey{data}
	k.check("Words")
	return k
}

// check panics if k is not a key.
func (k PRNGKey) check(op string) {
	const hint = "make a key with random.Key(seed)"
	if !k.Data.Valid() {
		panic(&nv.Error{Op: "random." + op, Operands: "PRNGKey{}", Reason: "the zero key has no words", Hint: hint})
	}
	if t := k.Data.Type(); t.DType != nv.U32 || !t.Shape.Equal(nv.Shape{2}) {
		panic(&nv.Error{Op: "random." + op, Operands: t.String(), Reason: "a key is ui32{2}", Hint: hint})
	}
}

// known returns the words of k if they are known in Go. While a function is being traced, they are not, since
// the function may be called with other keys.
func (k PRNGKey) known() (words, bool) {
	data, ok := k.Data.Known()
	if !ok {
		return 0, false
	}
	return words(binary.LittleEndian.Uint32(data))<<32 | words(binary.LittleEndian.Uint32(data[4:])), true
}

// pair returns k as a scalar pair.
func (k PRNGKey) pair() pair {
	c := library(k.Data)
	if w, ok := k.known(); ok {
		return pair{c.Scalar(uint64(w))}
	}
	swapped := c.BitcastConvert(k.Data, nv.U64) // the first word is in the low half
	half := c.Constant(nil, 32, nv.U64)         // the number of bits of a word
	return pair{swapped.Shl(half).Or(swapped.Shr(half))}
}

// Split returns two keys that are independent of k and of each other.
func (k PRNGKey) Split() (PRNGKey, PRNGKey) {
	ks := k.split("Split", 2)
	return ks[0], ks[1]
}

// maxKeys bounds the number of keys that a call of SplitN returns, since each key is a Go object.
const maxKeys = 1 << 20

// SplitN returns n keys that are independent of k and of each other.
func (k PRNGKey) SplitN(n int) []PRNGKey {
	if n < 0 {
		panic(&nv.Error{Op: "random.SplitN", Operands: fmt.Sprint(n), Reason: "the number of keys is negative",
			Hint: "use 0 or more"})
	}
	if n > maxKeys {
		panic(&nv.Error{Op: "random.SplitN", Operands: fmt.Sprint(n), Reason: fmt.Sprintf("more than %d keys", maxKeys),
			Hint: "use k.FoldIn(i), which is a different key for each i"})
	}
	return k.split("SplitN", n)
}

// split returns n keys, for the function op.
func (k PRNGKey) split(op string, n int) []PRNGKey {
	k.check(op)
	keys := make([]PRNGKey, n)
	if w, ok := k.known(); ok {
		for i := range keys {
			keys[i] = hostKey(k.Data.Context(), hash(w, i))
		}
		return keys
	}
	data := k.pair().split(n).packed()
	for i := range keys {
		keys[i] = PRNGKey{data.At(i)}
	}
	return keys
}

// FoldIn returns a key derived from k and the low 32 bits of data, an integer or an integer scalar, such as
// the number of a step. Keys for data with different low bits are independent.
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
		panic(&nv.Error{Op: "random.FoldIn", Operands: data.(nv.Tensor).Type().String(), Reason: "data is not a scalar",
			Hint: "give an integer or an integer scalar"})
	}
	return PRNGKey{encrypt(k.pair(), d.AsType(nv.U64), nil).packed()}
}
