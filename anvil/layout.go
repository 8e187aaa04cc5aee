package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Reshape returns the elements of x, in row-major order, in shape s. One length may be -1; it is then computed from the
// others.
func (l *Lib) Reshape(x any, s Shape) Tensor {
	c, a, amb := l.layout("Reshape", x)
	return c.result(c.reshape(a, c.inferLength(s, a.Shape())), amb)
}

// layout begins a call of op whose result has the dtype of x. It returns the call, x as a value, and whether x is
// ambiguous. The further operands take no part in promotion.
func (l *Lib) layout(op string, x any, further ...any) (*call, expr.Value, bool) {
	c := l.call(op, append([]any{x}, further...)...)
	t := c.typed(x)
	return c, c.at(x, t.DType), t.Ambiguous
}

// inferLength returns s with a length of -1 replaced so that s has as many elements as from. It fails if that is not
// possible.
func (c *call) inferLength(s, from Shape) Shape {
	s, free, rest := s.Clone(), -1, 1
	for i, n := range s {
		switch {
		case n == -1 && free < 0:
			free = i
		case n < -1:
			c.fail("shape "+s.String()+" has a negative length",
				"give lengths of 0 or more, or -1 for one that follows from the others")
		case n < 0:
			c.fail("shape "+s.String()+" has more than one unknown length", "one may be -1")
		default:
			rest *= n
		}
	}
	if free >= 0 && rest > 0 && from.Size()%rest == 0 {
		s[free] = from.Size() / rest
	}
	if (free >= 0 && s[free] < 0) || s.Size() != from.Size() {
		c.fail("shape "+s.String()+" does not hold "+plural(from.Size(), "element", "elements"),
			"the product of the lengths must be the number of elements, as in "+suggestShape(s, from.Size())+
				"; one may be -1")
	}
	return s
}

// suggestShape returns, as Go source, a shape that differs from s in one length and whose number of elements is size,
// or else the shape of a vector.
func suggestShape(s Shape, size int) string {
	for free := len(s) - 1; free >= 0; free-- {
		t := s.Clone()
		t[free] = 1
		if n := t.Size(); n > 0 && size%n == 0 {
			t[free] = size / n
			return "nv.Shape" + t.String()
		}
	}
	return "nv.Shape{" + itoa(size) + "}"
}

// reshape returns a in shape s, which must have as many elements as a. To save time it skips the checks of
// Builder.Reshape.
func (c *call) reshape(a expr.Value, s Shape) expr.Value {
	t := typeOf(a)
	if t.Shape.Equal(s) {
		return a
	}
	return c.emit(ir.Reshape, ir.ReshapeAttrs{Shape: s.Dims()}, shape.Type{DType: t.DType, Shape: s}, a)
}

// Transpose returns x with its axes in the given order, or in reverse order if none is given.
func (l *Lib) Transpose(x any, axes ...Axis) Tensor {
	c, a, amb := l.layout("Transpose", x)
	rank := len(a.Shape())
	order := make([]int, 0, rank)
	for _, axis := range axes {
		order = append(order, c.axis(axis, rank))
	}
	for i := rank - 1; i >= 0 && len(axes) == 0; i-- {
		order = append(order, i)
	}
	return c.result(c.Permute(a, order...), amb)
}

// T returns x with its axes in reverse order; for a matrix this is the transpose.
func (x Tensor) T() Tensor { return x.Transpose() }

// BroadcastTo returns x broadcast to shape s: repeated along the axes where x has length 1, and along the leading axes
// that only s has.
func (l *Lib) BroadcastTo(x any, s Shape) Tensor {
	c, a, amb := l.layout("BroadcastTo", x)
	from := a.Shape()
	if r, ok := broadcastShapes(from, s); !ok || !r.Equal(s) {
		c.fail("shape "+from.String()+" does not broadcast to "+s.String(),
			"counted from the last axis, each length of the tensor must be 1 or that of the shape")
	}
	return c.result(c.to(a, s.Clone()), amb)
}

// Concatenate returns xs joined along an existing axis, at their common dtype.
func (l *Lib) Concatenate(axis Axis, xs ...any) Tensor {
	xs = spreadSlices(xs)
	c := l.call("Concatenate", xs...)
	return c.concatenate(axis, xs, false)
}

// Stack returns xs, which must have the same shape, joined along a new axis, at their common dtype.
func (l *Lib) Stack(axis Axis, xs ...any) Tensor {
	xs = spreadSlices(xs)
	c := l.call("Stack", xs...)
	return c.concatenate(axis, xs, true)
}

// concatenate joins xs along an axis, a new one if stack is set.
func (c *call) concatenate(axis Axis, xs []any, stack bool) Tensor {
	if len(xs) == 0 {
		c.fail("no tensor is given", "give at least one tensor")
	}
	var t dtype.Typed
	if len(xs) == 2 {
		t = c.arithmetic(xs[0], xs[1])
	} else {
		t = c.joined(xs)
	}
	var first Shape
	parts := make([]expr.Value, len(xs))
	for i, x := range xs {
		parts[i] = c.at(x, t.DType)
		s := parts[i].Shape()
		if i == 0 {
			first = s
		}
		if stack && !s.Equal(first) {
			c.fail("shapes "+first.String()+" and "+s.String()+" differ",
				"make the shapes equal with nv.Reshape or nv.BroadcastTo")
		}
		if stack {
			parts[i] = c.expand(parts[i], axis)
		}
	}
	at := c.axis(axis, len(parts[0].Shape()))
	if len(parts) == 1 {
		return c.result(parts[0], t.Ambiguous)
	}
	return c.result(c.Concatenate(at, parts...), t.Ambiguous)
}

// joined returns the dtype of the result of the call for the operands xs: the dtype that the promotion system gives it,
// if the system knows the operation by name, or else the common dtype of xs.
func (c *call) joined(xs []any) dtype.Typed {
	if t, ok := c.operationType(xs...); ok {
		return t
	}
	return c.common(xs...)
}

// expand returns a with a new axis of length 1 at position axis of the result.
func (c *call) expand(a expr.Value, axis Axis) expr.Value {
	s := a.Shape()
	at := c.axis(axis, len(s)+1)
	r := append(append(s[:at:at].Clone(), 1), s[at:]...)
	return c.reshape(a, r)
}

// ExpandDims returns x with a new axis of length 1 at position axis of the result.
func (l *Lib) ExpandDims(x any, axis Axis) Tensor {
	c, a, amb := l.layout("ExpandDims", x)
	return c.result(c.expand(a, axis), amb)
}

// Squeeze returns x without the given axes, which must have length 1, or without all axes of length 1 if none is given.
func (l *Lib) Squeeze(x any, axes ...Axis) Tensor {
	c, a, amb := l.layout("Squeeze", x)
	s := a.Shape()
	removed := make([]bool, len(s))
	for _, axis := range axes {
		i := c.axis(axis, len(s))
		removed[i] = true
		if s[i] != 1 {
			c.fail("axis "+itoa(i)+" has length "+itoa(s[i])+", not 1", "")
		}
	}
	kept := Shape{}
	for i, n := range s {
		if !removed[i] && (n != 1 || len(axes) > 0) {
			kept = append(kept, n)
		}
	}
	return c.result(c.reshape(a, kept), amb)
}

// Flip returns x with its elements in reverse order along the given axes, or along all axes if none is given.
func (l *Lib) Flip(x any, axes ...Axis) Tensor {
	c, a, amb := l.layout("Flip", x)
	rank := len(a.Shape())
	reversed := make([]int, 0, rank)
	for _, axis := range axes {
		reversed = append(reversed, c.axis(axis, rank))
	}
	if len(axes) == 0 {
		reversed = upTo(rank)
	}
	return c.result(c.Reverse(a, reversed...), amb)
}

// Pad returns x with low[i] elements added before its elements along axis i, and high[i] after them. The added elements
// are value, which takes the dtype of x. Negative numbers remove elements.
func (l *Lib) Pad(x any, low, high Shape, value any) Tensor {
	c := l.call("Pad", x, value)
	t := c.typed(x)
	if common := c.common(x, value); common.DType != t.DType {
		c.fail("the value would change the dtype of the tensor from "+t.DType.String()+" to "+common.DType.String(),
			"convert one with AsType")
	}
	a := c.at(x, t.DType)
	rank := len(a.Shape())
	if len(low) != rank || len(high) != rank {
		c.fail("x has "+plural(rank, "axis", "axes")+", but "+
			itoa(len(low))+" low and "+itoa(len(high))+" high numbers are given",
			"give one number per axis")
	}
	attrs := ir.PadAttrs{Low: low.Dims(), High: high.Dims(), Interior: make(Shape, rank).Dims()}
	return c.result(c.Do(ir.Pad, attrs, a, c.at(value, t.DType)), t.Ambiguous)
}

// spreadSlices returns xs with each []Tensor replaced by its elements, so that a slice filled in a loop can be passed
// directly: nv.Stack(nv.Axis(0), steps).
func spreadSlices(xs []any) []any {
	n, found := 0, false
	for _, x := range xs {
		ts, ok := x.([]Tensor)
		found = found || ok
		n += max(1, len(ts))
	}
	if !found {
		return xs
	}
	all := make([]any, 0, n)
	for _, x := range xs {
		ts, ok := x.([]Tensor)
		if !ok {
			all = append(all, x)
		}
		for _, t := range ts {
			all = append(all, t)
		}
	}
	return all
}
