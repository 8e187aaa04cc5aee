package anvil

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Span is an index that takes elements from Low to below High in steps. Low
// and High may be negative, counting from the end.
type Span struct{ Low, High, Step int }

// End is the upper bound of a Span that goes to the end.
const End = math.MaxInt

// All is the index that takes a whole axis.
var All Span = Span{0, End, 1}

// Range returns the index that takes elements from low to below high.
func Range(low, high int) Span { return Span{low, high, 1} }

// Slice returns the index that takes elements from low to below high, every
// step-th.
func Slice(low, high, step int) Span { return Span{low, high, step} }

// String returns s as it stands in brackets: "1:3".
func (s Span) String() string {
	text := ":"
	if s.Low != 0 {
		text = itoa(s.Low) + text
	}
	if s.High != End {
		text += itoa(s.High)
	}
	if s.Step > 1 {
		text += ":" + itoa(s.Step)
	}
	return text
}

type newAxis struct{}

// NewAxis is the index that inserts an axis of length 1.
var NewAxis = newAxis{}

type ellipsis struct{}

// Ellipsis is the index that takes whole all axes that the others leave.
var Ellipsis = ellipsis{}

// At returns elements of x: one index per axis from the first, axes left over
// taken whole. An int (or integer scalar tensor) takes one position and the
// axis away; All, Range, Slice take a part of the axis; NewAxis inserts one; an
// integer tensor (at most one) takes the positions it holds. Negative ints
// count from the end, and what is out of range is an error; a traced index
// out of range is clamped, as XLA does.
func (x Tensor) At(index ...any) Tensor {
	c := x.lib("At").call("At", append([]any{x}, index...)...)
	return c.result(c.index(x.t, c.plan(x.t, index)), x.t.amb)
}

// At is the function form of Tensor.At.
func At(x Tensor, index ...any) Tensor { return x.At(index...) }

// A step says what an index does to one axis of the tensor.
type indexStep struct {
	insert bool    // a new axis
	gone   bool    // one position, the axis goes
	start  *tensor // the position or low bound, an i32 scalar; nil: 0
	length int     // elements spanned
	stride int
	by     *tensor // positions to take
}

// plan returns what each index does, one step per axis of t and per NewAxis.
func (c *call) plan(t *tensor, index []any) []indexStep {
	s := t.arr.Type().Shape
	used := 0
	for _, ix := range index {
		if !isA[newAxis](ix) && !isA[ellipsis](ix) {
			used++
		}
	}
	if used > len(s) {
		c.fail(itoa(used)+" indices for "+itoa(len(s))+" axes", "")
	}
	var steps []indexStep
	axis := 0
	for _, ix := range index {
		switch {
		case isA[newAxis](ix):
			steps = append(steps, indexStep{insert: true})
		case isA[ellipsis](ix):
			for range len(s) - used {
				steps = append(steps, indexStep{length: s[axis], stride: 1})
				axis++
			}
			used = len(s)
		default:
			steps = append(steps, c.step(ix, s[axis], axis))
			axis++
		}
	}
	for ; axis < len(s); axis++ {
		steps = append(steps, indexStep{length: s[axis], stride: 1})
	}
	return steps
}

func isA[T any](v any) bool { _, ok := v.(T); return ok }

func (c *call) step(ix any, n, axis int) indexStep {
	switch ix := ix.(type) {
	case Span:
		return c.span(ix, n)
	case Tensor:
		return c.tensorIndex(ix, n, axis)
	}
	v := reflect.ValueOf(ix)
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Array {
		return c.tensorIndex(Tensor{t: c.hostIndex(v, n, axis)}, n, axis)
	}
	i, err := dtype.Cast(ix, dtype.I64)
	if d, ok := dtype.Of(ix); err != nil || !ok || !d.Is(dtype.Integral) {
		c.fail("index "+describe(ix)+" is no integer", "indices are integers, nv.All, nv.Range, nv.Slice, nv.NewAxis and integer tensors")
	}
	return indexStep{gone: true, start: c.literal(c.position(int(i.(int64)), n, axis), dtype.I32), length: 1, stride: 1}
}

// position returns i counted from the start, or panics where it is outside.
func (c *call) position(i, n, axis int) int {
	at := i
	if i < 0 {
		at += n
	}
	if at < 0 || at >= n {
		c.fail("index "+itoa(i)+" is out of range: axis "+itoa(axis)+" has length "+itoa(n), "")
	}
	return at
}

func (c *call) hostIndex(v reflect.Value, n, axis int) *tensor {
	is := make([]int32, v.Len())
	for i := range is {
		w, err := dtype.Cast(v.Index(i).Interface(), dtype.I64)
		c.check(err)
		is[i] = int32(c.position(int(w.(int64)), n, axis))
	}
	return c.nested(reflect.ValueOf(is), dtype.Options{DType: dtype.I32}).t
}

// span cuts a Span to an axis of length n.
func (c *call) span(s Span, n int) indexStep {
	if s.Step == 0 {
		s.Step = 1
	}
	if s.Step < 0 {
		c.fail("step "+itoa(s.Step)+" is negative", "nv.Flip turns an axis round")
	}
	low, high := s.Low, s.High
	if low < 0 {
		low += n
	}
	if high == End {
		high = n
	} else if high < 0 {
		high += n
	}
	if low < 0 || high > n || low > high {
		c.fail("bounds "+itoa(s.Low)+" to "+itoa(s.High)+" are out of range: the axis has length "+itoa(n), "")
	}
	step := indexStep{length: high - low, stride: s.Step}
	if low != 0 {
		step.start = c.literal(low, dtype.I32)
	}
	return step
}

// tensorIndex is the step of an integer tensor. A scalar is one position.
func (c *call) tensorIndex(ix Tensor, n, axis int) indexStep {
	if ix.t != nil && ix.DType() == dtype.I1 {
		c.fail("index "+describe(ix)+" is a mask, and how many elements it takes is not known before it is computed", "nv.Where(mask, x, 0) keeps the shape")
	}
	if ix.t == nil || !ix.DType().Is(dtype.Integral) {
		c.fail("index "+describe(ix)+" is no integer", "convert it with AsType(nv.I32)")
	}
	i32 := c.cast(ix.t, dtype.I32)
	zero, size := c.literal(0, dtype.I32), c.literal(n, dtype.I32)
	s := i32.arr.Type().Shape
	negative := c.compare(ops.LT, i32, c.to(zero, s))
	at := c.infer(ir.Select, nil, negative, c.infer(ir.Add, nil, i32, c.to(size, s)), i32)
	if len(s) > 0 {
		return indexStep{by: at, length: n, stride: 1}
	}
	if !ix.Traced() {
		c.position(ix.Int(), n, axis)
	}
	return indexStep{gone: true, start: at, length: 1, stride: 1}
}

// index carries out steps: a dynamic slice with the starts as parameters, a
// static one for strides, a gather, and a reshape.
func (c *call) index(t *tensor, steps []indexStep) *tensor {
	t = c.cut(t, steps)
	t = c.stride(t, steps)
	s := t.arr.Type().Shape
	final := Shape{}
	axis := 0
	for _, st := range steps {
		switch {
		case st.insert:
			final = append(final, 1)
			continue
		case st.gone:
		default:
			final = append(final, s[axis])
		}
		axis++
	}
	t, final = c.take(t, steps, final)
	return c.reshape(t, final)
}

// cut takes the part that the steps span.
func (c *call) cut(t *tensor, steps []indexStep) *tensor {
	ty := t.arr.Type()
	sizes, args, whole := Shape{}, []*tensor{t}, true
	for _, st := range steps {
		if st.insert {
			continue
		}
		whole = whole && st.length == ty.Shape[len(sizes)]
		sizes = append(sizes, st.length)
		if st.start == nil {
			st.start = c.literal(0, dtype.I32)
		}
		args = append(args, st.start)
	}
	if whole {
		return t
	}
	return c.infer(ir.DynamicSlice, ops.DynamicSliceAttrs{Sizes: sizes.Dims()}, args...)
}

func (c *call) stride(t *tensor, steps []indexStep) *tensor {
	s := t.arr.Type().Shape
	strides, one := Shape{}, true
	for _, st := range steps {
		if !st.insert {
			strides = append(strides, st.stride)
			one = one && st.stride == 1
		}
	}
	if one {
		return t
	}
	attrs := ops.SliceAttrs{Start: make(Shape, len(s)).Dims(), Limit: s.Dims(), Strides: strides.Dims()}
	return c.infer(ir.Slice, attrs, t)
}

// take gathers along the axis that an integer tensor indexes; the axes of the
// index stand in its place.
func (c *call) take(t *tensor, steps []indexStep, final Shape) (*tensor, Shape) {
	axis, at, found := 0, 0, -1
	var by *tensor
	for _, st := range steps {
		if st.by != nil {
			if found >= 0 {
				c.fail("more than one integer tensor among the indices", "index step by step")
			}
			found, by = axis, st.by
			break
		}
		if !st.insert {
			axis++
		}
		if !st.gone {
			at++
		}
	}
	for _, st := range steps[min(len(steps), axisStep(steps, found)+1):] {
		if st.by != nil {
			c.fail("more than one integer tensor among the indices", "index step by step")
		}
	}
	if by == nil {
		return t, final
	}
	ix := by.arr.Type().Shape
	final = append(append(final[:at:at].Clone(), ix...), final[at+1:]...)
	if s := t.arr.Type().Shape; s[found] == 0 {
		return c.takeNothing(t, ix, found), final
	}
	return c.gather(t, by, found), final
}

// takeNothing is gather along an axis without elements, where every index is out
// of range: there must be none.
func (c *call) takeNothing(t *tensor, ix Shape, axis int) *tensor {
	if ix.Size() > 0 {
		c.fail(fmt.Sprintf("axis %d has length 0: no index is in range", axis), "")
	}
	s := t.arr.Type().Shape
	return c.reshape(t, slices.Concat(s[:axis], ix, s[axis+1:]))
}

// axisStep returns which step is of the given axis.
func axisStep(steps []indexStep, axis int) int {
	if axis < 0 {
		return len(steps)
	}
	for i, st := range steps {
		if st.insert {
			continue
		}
		if axis == 0 {
			return i
		}
		axis--
	}
	return len(steps)
}

// gather returns t with the given axis replaced by the axes of by:
// result[a, i, b] = t[a, by[i], b].
func (c *call) gather(t, by *tensor, axis int) *tensor {
	s, ix := t.arr.Type().Shape, by.arr.Type().Shape
	sizes := s.Clone()
	sizes[axis] = 1
	var offset []int
	for i := range len(s) - 1 {
		if i < axis {
			offset = append(offset, i)
		} else {
			offset = append(offset, i+len(ix))
		}
	}
	return c.infer(ir.Gather, ops.GatherAttrs{
		OffsetDims: shape.DimsOf(offset...), CollapsedSliceDims: shape.DimsOf(axis), StartIndexMap: shape.DimsOf(axis),
		IndexVectorDim: len(ix), SliceSizes: sizes.Dims(),
	}, t, by)
}

// Set returns x with the elements at index replaced by v, which is promoted to
// the dtype of x and broadcast; x itself stays as it is. Indices are those of
// At; a step must be 1.
func (l *Lib) Set(x, v any, index ...any) Tensor {
	c := l.call("Set", append([]any{x, v}, index...)...)
	t := c.at(x, c.operand(x).DType)
	steps := c.plan(t, index)
	s := t.arr.Type().Shape
	args, part, shown := []*tensor{}, Shape{}, Shape{}
	for _, st := range steps {
		switch {
		case st.by != nil || st.stride > 1 && st.length > 1:
			c.fail("integer tensors and steps are not among the indices of Set", "set element by element, or choose with nv.Where")
		case st.insert:
			shown = append(shown, 1)
			continue
		case !st.gone:
			shown = append(shown, st.length)
		}
		part = append(part, st.length)
		if st.start == nil {
			st.start = c.literal(0, dtype.I32)
		}
		args = append(args, st.start)
	}
	if len(part) != len(s) {
		c.fail("too few indices", "")
	}
	value := c.element(v, t)
	if r, ok := broadcastShapes(value.arr.Type().Shape, shown); !ok || !r.Equal(shown) {
		c.fail("a value of shape "+value.arr.Type().Shape.String()+" does not broadcast to the part of shape "+shown.String(), "")
	}
	value = c.reshape(c.to(value, shown), part)
	all := append([]*tensor{t, value}, args...)
	return c.result(c.infer(ir.DynamicUpdateSlice, nil, all...), c.operand(x).Ambiguous)
}

// element returns v at the dtype of t, as it is stored there. Under anvil it
// must promote to that dtype; the libraries for Python cast it.
func (c *call) element(v any, t *tensor) *tensor {
	d, own := t.arr.Type().DType, c.operand(v).DType
	if !c.sys.Operates() {
		if r := c.common(c.xs[0], v); r.DType != d {
			c.fail("the value would make "+d.String()+" into "+r.DType.String(), "convert one with AsType")
		}
		return c.at(v, d)
	}
	if n, ok := literalOf(v).(int); ok {
		return c.literal(n, d)
	}
	return c.cast(c.at(v, own), d)
}
