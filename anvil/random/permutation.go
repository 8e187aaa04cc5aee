package random

import (
	"fmt"
	"math"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/typename"
)

// Permutation returns a random permutation: of the integers in [0, x), as i32, if x is an int, and of the
// slices of x along an axis, by default the first, if x is a tensor.
func Permutation(k PRNGKey, x any, axis ...nv.Axis) nv.Tensor {
	r := newDraw("Permutation", k, nil, nv.I32, nil)
	t, ok := x.(nv.Tensor)
	if !ok {
		if len(axis) > 0 {
			r.fail("an integer has no axes", "leave the axis out")
		}
		return r.shuffle(r.lib.Iota(nv.Shape{r.length(x)}, 0), 0).Checked()
	}
	at := r.axis(t, axis)
	if t.Rank() == 1 {
		return r.shuffle(t, 0).Checked()
	}
	order := r.shuffle(r.lib.Iota(nv.Shape{t.Shape()[at]}, 0), 0)
	return take(t, order, at).Checked()
}

// Shuffle returns x with its slices along an axis, by default the first, in a random order. x itself does not
// change.
func Shuffle(k PRNGKey, x nv.Tensor, axis ...nv.Axis) nv.Tensor {
	return Permutation(k, x, axis...)
}

// Permuted returns x with the elements of each of its vectors along an axis, by default the first, in a
// random order. The orders of different vectors are independent, whereas Shuffle moves whole slices.
func Permuted(k PRNGKey, x nv.Tensor, axis ...nv.Axis) nv.Tensor {
	r := newDraw("Permuted", k, nil, x.DType(), nil)
	return r.shuffle(x, nv.Axis(r.axis(x, axis))).Checked()
}

// length returns x, a number of elements, as an int. It panics if x is not a valid number.
func (r *draw) length(x any) int {
	d, ok := dtype.Of(x)
	if !ok || !d.Is(dtype.Integral) {
		r.fail(typename.Of(x)+" is neither a tensor nor an integer", "give a tensor or the number of elements")
	}
	n, err := dtype.Cast(x, dtype.I64)
	if err != nil || n.(int64) < 0 || n.(int64) > math.MaxInt32 {
		r.fail(fmt.Sprintf("invalid number of elements %v", x), "use a number from 0 to 2147483647")
	}
	return int(n.(int64))
}

// axis returns the given axis of x as a nonnegative number, or 0 if none is given.
func (r *draw) axis(x nv.Tensor, axis []nv.Axis) int {
	at := 0
	if len(axis) > 0 {
		at = int(axis[0])
	}
	switch {
	case len(axis) > 1:
		r.fail(fmt.Sprintf("%d axes are given", len(axis)), "give at most one axis")
	case at < -x.Rank() || at >= x.Rank():
		r.fail(fmt.Sprintf("%s has no axis %d", x.Type(), at), "give a tensor of rank 1 or more, and one of its axes")
	case at < 0:
		at += x.Rank()
	}
	return at
}

// shuffle puts the elements of x along axis in random order: it sorts them by random words.
// Like JAX, it does so several times if x is so large that two elements may have the same word.
func (r *draw) shuffle(x nv.Tensor, axis nv.Axis) nv.Tensor {
	rounds := int(math.Ceil(3 * math.Log(float64(max(1, x.Size()))) / math.Log(math.MaxUint32)))
	k := r.key
	for range rounds {
		x = x.SortBy(k.child(1).bits(nv.U32, x.Shape()), axis)
		k = k.child(0)
	}
	return x
}

// take returns the slices of x along an axis at the positions in order.
func take(x, order nv.Tensor, axis int) nv.Tensor {
	if s := x.Shape(); s[axis] == 0 { // order is empty as well
		s = append(append(s[:axis:axis], order.Shape()...), s[axis+1:]...)
		return library(x).Zeros(s, x.DType())
	}
	index := make([]any, axis+1)
	for i := range index {
		index[i] = nv.All
	}
	index[axis] = nv.Clipped(order) // the positions are in range; Clipped does not check them
	return x.At(index...)
}

// A ChoiceOption is an option of Choice.
type ChoiceOption interface{ choice(*choice) }

// A choice has the options of a call of Choice.
type choice struct {
	once bool // choose without replacement
	p    any  // the weights, or nil
}

// A choiceFunc is a function used as a ChoiceOption.
type choiceFunc func(*choice)

func (f choiceFunc) choice(c *choice) { f(c) }

// Once is the ChoiceOption to choose without replacement.
var Once ChoiceOption = choiceFunc(func(c *choice) { c.once = true })

// Weights returns the ChoiceOption to choose element i with probability p[i]. The sum of p
// must be 1.
func Weights(p any) ChoiceOption { return choiceFunc(func(c *choice) { c.p = p }) }

// Choice returns elements chosen at random, in shape s: integers in [0, a) if a is an int,
// and slices of a along the first axis if a is a tensor.
func Choice(k PRNGKey, a any, s nv.Shape, opts ...ChoiceOption) nv.Tensor {
	r := newDraw("Choice", k, s, nv.I32, nil)
	var o choice
	for _, opt := range opts {
		if opt != nil {
			opt.choice(&o)
		}
	}
	t, isTensor := a.(nv.Tensor)
	var n int
	if isTensor {
		r.axis(t, nil)
		n = t.Shape()[0]
	} else {
		n = r.length(a)
	}
	r.checkChoice(n, o.once)
	order := r.choose(k, n, o)
	if isTensor {
		return take(t, order, 0).Checked()
	}
	return order.Checked()
}

// checkChoice panics if r.s.Size() elements cannot be chosen from n.
func (r *draw) checkChoice(n int, once bool) {
	switch draws := r.s.Size(); {
	case n == 0 && draws > 0:
		r.fail("there are no elements to choose from", "give at least one element")
	case once && draws > n:
		r.fail(fmt.Sprintf("%d elements cannot be drawn from %d without replacement", draws, n),
			"choose fewer, or omit random.Once")
	}
}

// choose returns random positions in [0, n).
func (r *draw) choose(k PRNGKey, n int, o choice) nv.Tensor {
	first := nv.Range(0, r.s.Size())
	if o.p == nil && o.once {
		return Permutation(k, n).At(first).Reshape(r.s)
	}
	if o.p == nil {
		return RandInt(k, r.s, 0, max(n, 1))
	}
	p := r.lib.New(o.p)
	if !p.DType().Is(dtype.Floating) || !p.Shape().Equal(nv.Shape{n}) {
		r.fail(fmt.Sprintf("the weights are %s", p.Type()), fmt.Sprintf("give a vector of %d floats", n))
	}
	r.d, p = p.DType(), r.undifferentiable("the tensor of weights", p)
	if o.once { // the descending order of log(p) plus Gumbel numbers is an order of draws without replacement
		g := &draw{op: r.op, lib: r.lib, key: r.key, s: nv.Shape{n}, d: r.d}
		return g.gumbel(g.uniform(g.key)).Add(p.Log()).Neg().ArgSort().At(first).Reshape(r.s)
	}
	return r.weightedChoice(p, n)
}

// weightedChoice returns positions drawn with probabilities p, by inversion of the
// cumulative distribution.
func (r *draw) weightedChoice(p nv.Tensor, n int) nv.Tensor {
	sums := cumulativeSums(p, n)
	u := r.uniform(r.key)
	u = sums.At(n - 1).Mul(constLike(u, 1).Sub(u)).Reshape(nv.Shape{r.s.Size(), 1})
	below := sums.Lt(u)
	return below.AsType(nv.I32).Sum(nv.Axis(1)).Reshape(r.s)
}

// cumulativeSums returns the cumulative sums of p, by log2(n) vector additions.
func cumulativeSums(p nv.Tensor, n int) nv.Tensor {
	for step := 1; step < n; step *= 2 {
		p = p.Add(p.At(nv.Range(0, n-step)).Pad(nv.Shape{step}, nv.Shape{0}, library(p).Constant(nil, 0, p.DType())))
	}
	return p
}
