package anvil

import (
	"math"
	"reflect"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Span is an index that takes every Step-th element from Low up to, but not including, High. Low and High may be
// negative, counting from the end; a negative Step takes elements in reverse order.
type Span struct{ Low, High, Step int }

// Start and End are the bounds of a Span over a whole axis. With a negative step, Start means from the last element on,
// and End means to the first element, included: Slice(Start, End, -1) reverses an axis.
const (
	Start = math.MinInt
	End   = math.MaxInt
)

// All is the index that takes a whole axis.
var All Span = Span{0, End, 1}

// Range returns the index that takes elements from low up to, but not including, high.
func Range(low, high int) Span { return Span{low, high, 1} }

// Slice returns the index that takes every step-th element from low up to, but not including, high.
func Slice(low, high, step int) Span { return Span{low, high, step} }

// String returns s as it is written in an index expression: "1:3".
func (s Span) String() string {
	text := ":"
	if s.Low != Start && (s.Low != 0 || s.Step < 0) {
		text = itoa(s.Low) + text
	}
	if s.High != End {
		text += itoa(s.High)
	}
	if s.Step != 1 {
		text += ":" + itoa(s.Step)
	}
	return text
}

type newAxis struct{}

// NewAxis is the index that inserts an axis of length 1.
var NewAxis = newAxis{}

type ellipsis struct{}

// Ellipsis is the index that takes the whole of every axis that no other index refers to.
var Ellipsis = ellipsis{}

// At returns elements of x. There is one index per axis, starting with the first; axes without an index are taken
// whole. An int (or integer scalar tensor) takes one position and removes the axis; All, Range and Slice take a part
// of the axis; NewAxis inserts an axis of length 1.
//
// An integer tensor or a slice of ints takes the positions that it holds. Several such indices, together with ints, are
// broadcast to each other and take points: element k of x.At(i, j) is x[i[k], j[k]]. In the result, the broadcast axes
// are in the place of the first of these indices, or come first if other indices separate these indices, as in NumPy.
// A mask (a tensor or slice of bools with the shape of one or more axes) takes the elements where it is true; in the
// result these elements lie along one axis.
//
// Negative positions count from the end; a position out of range is an error. A traced index has no value yet, so its
// positions are clamped to the range, as with Clipped. A traced mask is an error, since the shape would depend on it.
func (x Tensor) At(index ...any) Tensor {
	c := x.must("At").ctx.call("At", append([]any{x}, index...)...)
	if r := c.hostMasked(x, index); r != nil {
		return c.result(r, x.t.amb)
	}
	return c.result(c.index(c.plan(x.t, index)), x.t.amb)
}

// At is the function form of Tensor.At.
func At(x Tensor, index ...any) Tensor { return x.At(index...) }

// A selection is a resolved index expression: the part of a tensor that its indices take.
type selection struct {
	of     expr.Value // the tensor, with the axes of each mask joined into one
	steps  []indexStep
	points *points // the positions among the indices; nil if there are none

	// emptyDots is the number of steps before an Ellipsis that stands for no axes, or -1. Such an Ellipsis has no step,
	// but separates the positions before it from those after it.
	emptyDots int
}

// An indexStep is what one index does: it takes a part of one axis, or inserts an axis.
type indexStep struct {
	insert bool       // inserts an axis
	drop   bool       // takes one position and removes the axis
	start  expr.Value // the position or low bound, an integer scalar; nil: 0
	length int        // the number of elements that the part spans
	stride int        // the distance between the elements that are taken
	flip   bool       // the elements are taken in reverse order
	by     expr.Value // the positions to take, none negative; nil: the step takes a part or one position
}

// taken returns the number of elements that s takes, for a step that takes a part of an axis.
func (s indexStep) taken() int { return (s.length + s.stride - 1) / s.stride }

// plan resolves index against the shape of t.
func (c *call) plan(t expr.Value, index []any) selection {
	if hasMask(index) {
		t, index = c.unmask(t, index)
	}
	s := t.Shape()
	used := c.axesOf(index, len(s))
	p := selection{of: t, steps: make([]indexStep, 0, len(s)), emptyDots: -1}
	axis := 0
	for _, ix := range index {
		switch {
		case isA[newAxis](ix):
			p.steps = append(p.steps, indexStep{insert: true})
		case isA[ellipsis](ix):
			if used == len(s) {
				p.emptyDots = len(p.steps)
			}
			for range len(s) - used {
				p.steps = append(p.steps, indexStep{length: s[axis], stride: 1})
				axis++
			}
		default:
			p.steps = append(p.steps, c.step(ix, s[axis], axis))
			axis++
		}
	}
	for ; axis < len(s); axis++ {
		p.steps = append(p.steps, indexStep{length: s[axis], stride: 1})
	}
	for _, st := range p.steps {
		if st.by != nil {
			p.points = c.points(p)
			break
		}
	}
	return p
}

// axesOf returns the number of axes that index refers to, not counting the axes of an Ellipsis. It fails if the number
// is greater than rank, or if index has more than one Ellipsis.
func (c *call) axesOf(index []any, rank int) int {
	used, dots := 0, 0
	for _, ix := range index {
		switch {
		case isA[ellipsis](ix):
			dots++
		case !isA[newAxis](ix):
			used += max(1, maskRank(ix))
		}
	}
	if used > rank {
		c.fail(plural(used, "index", "indices")+" for "+plural(rank, "axis", "axes"), "a new axis is nv.NewAxis")
	}
	if dots > 1 {
		c.fail("nv.Ellipsis is given twice", "write nv.All for some of the axes")
	}
	return used
}

// isA reports whether v is a T.
func isA[T any](v any) bool { _, ok := v.(T); return ok }

// step resolves ix, which refers to the given axis of length n.
func (c *call) step(ix any, n, axis int) indexStep {
	switch ix := ix.(type) {
	case Span:
		return c.span(ix, n)
	case Tensor:
		return c.tensorIndex(ix, n, axis)
	case positions:
		return indexStep{by: ix.t, length: n, stride: 1}
	case clipped:
		return c.clippedIndex(ix, n, axis)
	}
	v := reflect.ValueOf(ix)
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Array {
		return c.hostIndex(v, n, axis)
	}
	if ix == nil {
		c.fail("index nil is not an integer", "a new axis is nv.NewAxis")
	}
	i, err := dtype.Cast(ix, dtype.I64)
	if d, ok := dtype.Of(ix); err != nil || !ok || !d.Is(dtype.Integral) {
		c.fail("index "+describe(ix)+" is not an integer", "give "+indexWords)
	}
	return indexStep{drop: true, start: c.literal(c.position(int(i.(int64)), n, axis), dtype.I32), length: 1, stride: 1}
}

// indexWords lists the kinds of indices of At, for errors.
const indexWords = "integers, nv.All, nv.Range, nv.Slice, nv.NewAxis, nv.Ellipsis, integer tensors and masks"

// position returns index i of an axis of length n, counted from the start. It fails if i is out of range.
func (c *call) position(i, n, axis int) int {
	at := i
	if i < 0 {
		at += n
	}
	if n == 0 {
		c.fail("axis "+itoa(axis)+" has length 0: no index is in range", "")
	}
	if at < 0 || at >= n {
		c.fail("index "+itoa(i)+" is out of range: axis "+itoa(axis)+" has length "+itoa(n), "")
	}
	return at
}

// span resolves s against an axis of length n.
func (c *call) span(s Span, n int) indexStep {
	switch {
	case s.Step == 0:
		c.fail("the step of the slice is 0", "give a positive step, or a negative one to go backwards")
	case s.Step < 0:
		return c.spanBack(s, n)
	}
	low, high := bound(s.Low, n, 0, n), bound(s.High, n, 0, n)
	if low < 0 || high > n || low > high {
		c.failSpan(s, n)
	}
	return c.part(low, high-low, s.Step)
}

// spanBack is span for a negative step: a part of the axis in reverse order.
func (c *call) spanBack(s Span, n int) indexStep {
	low, high := bound(s.Low, n, n-1, -1), bound(s.High, n, n-1, -1)
	if high < -1 || low >= max(n, 1) || low < high {
		c.failSpan(s, n)
	}
	if low == high {
		return c.part(0, 0, 1)
	}
	stride := -s.Step
	length := (low-high-1)/stride*stride + 1 // the span between the first and the last element taken, both included
	step := c.part(low-length+1, length, stride)
	step.flip = true
	return step
}

// failSpan fails because the bounds of s are not valid for an axis of length n.
func (c *call) failSpan(s Span, n int) {
	low, high := bound(s.Low, n, 0, n), bound(s.High, n, 0, n)
	if s.Step > 0 && 0 <= high && high < low && low <= n {
		c.fail("bounds "+s.String()+" are in the wrong order", "give the lower one first")
	}
	hint := ""
	if s.Step == 1 && 0 <= low && low <= n && s.High > n {
		rest := itoa(low) + ":"
		hint = rest + " takes the elements up to the end, as in x[" + rest + "]"
	}
	c.fail("bounds "+s.String()+" are out of range: the axis has length "+itoa(n), hint)
}

// bound returns i, a bound of a Span of an axis of length n, as a position counted from the start of the axis. For the
// bounds Start and End it returns start and end.
func bound(i, n, start, end int) int {
	switch {
	case i == Start:
		return start
	case i == End:
		return end
	case i < 0:
		return i + n
	}
	return i
}

// part returns the step that takes every stride-th of the length elements from low on.
func (c *call) part(low, length, stride int) indexStep {
	step := indexStep{length: length, stride: stride}
	if low != 0 {
		step.start = c.literal(low, dtype.I32)
	}
	return step
}

// A slot is an axis of the result of a selection.
type slot struct {
	step   int // the index of the step that the axis comes from; -1: the axis comes from the points
	length int
	insert bool // the axis is inserted and has length 1
	flip   bool // the elements along the axis are reversed
}

// slots returns the axes of the result of p.
func (p selection) slots() []slot {
	slots := make([]slot, 0, len(p.steps))
	for i, st := range p.steps {
		switch {
		case st.insert:
			slots = append(slots, slot{step: i, length: 1, insert: true})
		case !st.drop && st.by == nil:
			slots = append(slots, slot{step: i, length: st.taken(), flip: st.flip})
		}
	}
	if p.points == nil {
		return slots
	}
	all := append([]slot(nil), slots[:p.points.before]...)
	for _, n := range p.points.shape {
		all = append(all, slot{step: -1, length: n})
	}
	return append(all, slots[p.points.before:]...)
}

// shapeOf returns the lengths of slots. Inserted axes are left out unless inserts is set.
func shapeOf(slots []slot, inserts bool) Shape {
	s := make(Shape, 0, len(slots))
	for _, sl := range slots {
		if inserts || !sl.insert {
			s = append(s, sl.length)
		}
	}
	return s
}

// flipped returns the positions of the reversed axes among the axes that are not inserted.
func flipped(slots []slot) (axes []int) {
	at := 0
	for _, sl := range slots {
		if sl.flip {
			axes = append(axes, at)
		}
		if !sl.insert {
			at++
		}
	}
	return axes
}

// index computes a selection by a dynamic slice, a static slice for strides, a gather, and a reshape. The starts of the
// dynamic slice are parameters, so that other positions need no new program.
func (c *call) index(p selection) expr.Value {
	slots := p.slots()
	s := shapeOf(slots, true)
	if p.points != nil && s.Size() == 0 {
		return c.emptyResult(p, s)
	}
	steps := p.steps
	if p.points != nil { // gather takes the single positions too, as a part of the points
		steps = keepDropped(p)
	}
	t := c.stride(c.cut(p.of, steps), steps)
	if p.points != nil {
		t = c.gather(t, p.points, len(shapeOf(slots[:p.points.before], false)))
	}
	t = c.reshape(t, shapeOf(slots, false))
	if back := flipped(slots); len(back) > 0 {
		t = c.Reverse(t, back...)
	}
	return c.reshape(t, s)
}

// cut returns the part of t that steps span, before strides and positions apply.
func (c *call) cut(t expr.Value, steps []indexStep) expr.Value {
	ty := typeOf(t)
	sizes, args, whole := Shape{}, []expr.Value{t}, true
	for _, st := range steps {
		if st.insert {
			continue
		}
		whole = whole && st.length == ty.Shape[len(sizes)]
		sizes = append(sizes, st.length)
		args = append(args, st.start)
	}
	if whole {
		return t
	}
	attrs := ir.DynamicSliceAttrs{Sizes: sizes.Dims()}
	return c.emit(ir.DynamicSlice, attrs, shape.Type{DType: ty.DType, Shape: sizes}, c.oneIndexDType(args, 1)...)
}

// oneIndexDType converts args[from:] in place to i32, or to i64 if one is i64, and returns args. A nil becomes 0.
func (c *call) oneIndexDType(args []expr.Value, from int) []expr.Value {
	d := dtype.I32
	for _, a := range args[from:] {
		if a != nil && a.DType() == dtype.I64 {
			d = dtype.I64
		}
	}
	for i, a := range args[from:] {
		if a == nil {
			a = c.literal(0, d)
		}
		args[from+i] = c.convert(a, d)
	}
	return args
}

// stride returns t with every stride-th element of each axis, where steps give the stride of each axis.
func (c *call) stride(t expr.Value, steps []indexStep) expr.Value {
	s := t.Shape()
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
	attrs := ir.SliceAttrs{Start: make(Shape, len(s)).Dims(), Limit: s.Dims(), Strides: strides.Dims()}
	return c.Do(ir.Slice, attrs, t)
}
