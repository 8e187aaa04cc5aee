package anvil

import (
	"math"
	"reflect"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// This file implements indexing by tensors and slices of positions.

// hostIndex returns the step of v, a slice of ints or nested slices of ints, for an axis of length n.
func (c *call) hostIndex(v reflect.Value, n, axis int) indexStep {
	if d, ok := dtype.OfType(elemType(v)); elemType(v) != anyType && (!ok || !d.Is(dtype.Integral)) {
		c.fail("index "+describe(v.Interface())+" does not contain integers", "give "+indexWords)
	}
	s := nestedShape(v)
	data, _ := c.nested(v, dtype.Options{DType: dtype.I64}).t.arr.Known()
	at := make([]int, s.Size())
	for i := range at {
		at[i] = c.position(int(dtype.GetInt(data[8*i:], dtype.I64)), n, axis)
	}
	return indexStep{by: c.hostPositions(at, s, ""), length: n, stride: 1}
}

// hostPositions returns positions as a tensor of shape s on the named device ("" for any): i32 if all fit, and i64
// otherwise.
func (c *call) hostPositions(positions []int, s Shape, device string) expr.Value {
	ty := shape.Type{DType: dtype.I32, Shape: s}
	for _, i := range positions {
		if i != int(int32(i)) {
			ty.DType = dtype.I64
		}
	}
	data := make([]byte, ty.Bytes())
	for i, at := range positions {
		dtype.PutInt(data[i*ty.DType.Size():], ty.DType, int64(at))
	}
	return c.host(ty, data, device)
}

// Clipped returns an index of At that takes the positions in indices, an integer tensor or number, clamped to the range
// of the axis. The host does not read the indices, so it does not wait until they are computed.
func Clipped(indices any) any { return clipped{indices} }

type clipped struct{ indices any }

// clippedIndex returns the step of ix for an axis of length n.
func (c *call) clippedIndex(ix clipped, n, axis int) indexStep {
	if x, ok := ix.indices.(Tensor); ok && x.must(c.op).ctx != c.ctx {
		c.fail("the tensors belong to two contexts", "make all tensors in one Context")
	}
	at := c.indexValue(ix.indices)
	c.requireInteger(at.DType())
	if n == 0 && at.Shape().Size() > 0 {
		c.position(0, n, axis) // fails: there is no position to clamp to
	}
	at = c.fromStart(at, n)
	at = c.Do(ir.Clamp, nil, c.Like(at, 0), at, c.Like(at, max(0, n-1)))
	if len(at.Shape()) > 0 {
		return indexStep{by: at, length: n, stride: 1}
	}
	return indexStep{drop: true, start: at, length: 1, stride: 1}
}

// tensorIndex returns the step of an integer tensor for an axis of length n. A scalar takes one position.
func (c *call) tensorIndex(ix Tensor, n, axis int) indexStep {
	if ix.t == nil || !ix.DType().Is(dtype.Integral) {
		c.fail("index "+describe(ix)+" is not an integer", "convert it with AsType(nv.I32)")
	}
	if !ix.t.arr.Unknown() {
		c.inRange(ix, n, axis)
	}
	at := c.fromStart(ix.t, n)
	if len(ix.t.Shape()) > 0 {
		return indexStep{by: at, length: n, stride: 1}
	}
	return indexStep{drop: true, start: at, length: 1, stride: 1}
}

// fromStart returns positions along an axis of length n, with n added to negative positions, which count from the end.
// The result is i64 if the dtype of at has values that i32 cannot hold, and i32 otherwise.
func (c *call) fromStart(at expr.Value, n int) expr.Value {
	from := at.DType()
	d := dtype.I32
	if from.Bits() > 32 || from == dtype.U32 {
		d = dtype.I64
	}
	if from == dtype.U64 { // the conversion to i64 would make greater positions negative
		at = c.Min(at, c.Like(at, int64(math.MaxInt64)))
	}
	at = c.cast(at, d)
	if from.Is(dtype.Unsigned) {
		return at
	}
	s := at.Shape()
	zero, size := c.literal(0, d), c.literal(n, d)
	return c.Where(c.Lt(at, c.to(zero, s)), c.Add(at, c.to(size, s)), at)
}

// fewPositions is the number of positions up to which inRange checks them one by one on the host.
const fewPositions = 1 << 10

// inRange fails if ix holds a position out of the range of an axis of length n. Many positions are checked on the
// device first, and read only if one may be out of range.
func (c *call) inRange(ix Tensor, n, axis int) {
	if d := ix.DType(); ix.Size() > fewPositions && d.Bits() > 8 { // a dtype of 8 bits may not hold n for comparisons
		low, high := c.Like(ix.t, -n), c.Like(ix.t, n)
		bad := c.Ge(ix.t, high)
		if d.Is(dtype.Signed) {
			bad = c.Or(bad, c.Lt(ix.t, low))
		}
		data, err := c.fold(ir.ReduceOr, bad, nil).(*tensor).read()
		c.check(err)
		if !dtype.GetBool(data, dtype.I1) {
			return
		}
	}
	data, d := ix.host(c.op), ix.DType()
	for i := range ix.Size() {
		at := dtype.GetInt(data[i*d.Size():], d)
		if d == dtype.U64 && at < 0 { // the position is greater than any int64
			at = math.MaxInt64
		}
		c.position(int(at), n, axis)
	}
}

// points are the positions that the steps of a selection take, broadcast together.
type points struct {
	axes   []int        // the axes of the tensor that the positions index
	by     []expr.Value // the positions along each of these axes
	shape  Shape        // the shape of each of by
	before int          // the number of axes of the result that come before the axes of shape
}

// points returns the positions that the steps of p take, including single positions.
func (c *call) points(p selection) *points {
	pts := &points{}
	axis, others := 0, 0
	last := -1         // the latest step with positions
	separated := false // other steps lie between steps with positions
	for i, st := range p.steps {
		at := st.by
		if st.drop {
			at = st.start
		}
		if st.drop || at != nil {
			if last < 0 {
				pts.before = others
			}
			separated = separated || last >= 0 && (last < i-1 || p.emptyDots == i)
			last, pts.by, pts.axes = i, append(pts.by, at), append(pts.axes, axis)
		} else {
			others++
		}
		if !st.insert {
			axis++
		}
	}
	if separated {
		pts.before = 0 // as in NumPy
	}
	pts.shape = c.broadcast(pts.by...)
	for i, at := range c.oneIndexDType(pts.by, 0) {
		pts.by[i] = c.to(at, pts.shape)
	}
	return pts
}

// keepDropped returns the steps of p with each step that takes one position replaced by a step that takes the whole
// axis.
func keepDropped(p selection) []indexStep {
	steps, axis := append([]indexStep(nil), p.steps...), 0
	for i, st := range steps {
		if st.drop {
			steps[i] = indexStep{length: p.of.Shape()[axis], stride: 1}
		}
		if !st.insert {
			axis++
		}
	}
	return steps
}

// emptyResult returns the result of p if its shape s has no elements. It fails if p takes a position along an axis of
// length 0, which is out of range.
func (c *call) emptyResult(p selection, s Shape) expr.Value {
	for _, axis := range p.points.axes {
		if p.of.Shape()[axis] == 0 && p.points.shape.Size() > 0 {
			c.fail("axis "+itoa(axis)+" has length 0: no index is in range", "")
		}
	}
	return c.to(c.literal(0, p.of.DType()), s)
}

// gather returns the elements of t at pts. In the result, the axes of pts come after the given number of other axes.
func (c *call) gather(t expr.Value, pts *points, before int) expr.Value {
	s := t.Shape()
	sizes := s.Clone()
	for _, axis := range pts.axes {
		sizes[axis] = 1
	}
	var offset []int // the axes of the result that do not come from pts
	for i := range len(s) - len(pts.axes) {
		if i >= before {
			i += len(pts.shape)
		}
		offset = append(offset, i)
	}
	axes := shape.DimsOf(pts.axes...)
	attrs := ir.GatherAttrs{OffsetDims: shape.DimsOf(offset...), CollapsedSliceDims: axes, StartIndexMap: axes,
		IndexVectorDim: len(pts.shape), SliceSizes: sizes.Dims()}
	return c.Do(ir.Gather, attrs, t, c.vectors(pts.by, pts.shape))
}

// vectors joins the positions in by, which broadcast to shape s, into index vectors along a new last axis. If there is
// only one component, vectors returns it without a new axis.
func (c *call) vectors(by []expr.Value, s Shape) expr.Value {
	if len(by) == 1 {
		return by[0]
	}
	parts := make([]expr.Value, len(by))
	for i, at := range c.oneIndexDType(by, 0) {
		parts[i] = c.reshape(c.to(at, s), append(s.Clone(), 1))
	}
	return c.Concatenate(len(s), parts...)
}
