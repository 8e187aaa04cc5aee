package anvil

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Take returns the elements of x at indices, integers of any shape, along an axis, which is replaced by the axes of
// indices. Without an axis, x is flattened. Indices are as in At.
func (l *Lib) Take(x, indices any, axis ...Axis) Tensor {
	c, a, amb := l.layout("Take", x, indices)
	a, at := c.alongOrFlat(a, axis)
	index := make([]any, at+1)
	for i := range index {
		index[i] = All
	}
	index[at] = indices
	return c.result(c.index(c.plan(a, index)), amb)
}

// TakeAlongAxis returns the elements of x at indices along an axis, with separate indices for each vector along that
// axis: along the last axis, which is the default, result[i, j] = x[i, indices[i, j]]. The other axes are broadcast.
// With indices from ArgSort, or from ArgMax with KeepDims, it returns the sorted or the greatest elements.
func (l *Lib) TakeAlongAxis(x, indices any, axis ...Axis) Tensor {
	c, a, amb := l.layout("TakeAlongAxis", x, indices)
	at := c.oneAxis(axis, a)
	a, by := c.broadcastOthers(a, indices, at)
	if s := by.Shape(); s.Size() == 0 {
		return c.result(c.to(c.literal(0, a.DType()), s), amb)
	}
	return c.result(c.takeAlong(a, by, at), amb)
}

// takeAlong returns the elements of a at the positions by along an axis, with separate positions for each vector along
// that axis.
func (c *call) takeAlong(a, by expr.Value, axis int) expr.Value {
	rank := len(by.Shape())
	along, others := shape.DimsOf(axis), shape.DimsOf(slices.Delete(upTo(rank), axis, axis+1)...)
	attrs := ir.GatherAttrs{CollapsedSliceDims: along, StartIndexMap: along, SliceSizes: constantShape(rank, 1).Dims(),
		OperandBatchingDims: others, IndicesBatchingDims: others, IndexVectorDim: rank}
	return c.Do(ir.Gather, attrs, a, by)
}

// PutAlongAxis returns x with values written at indices along an axis, with separate indices for each vector along that
// axis: along the last axis, which is the default, result[i, indices[i, j]] = values[i, j]. values broadcast to the
// shape of indices.
func (l *Lib) PutAlongAxis(x, indices, values any, axis ...Axis) Tensor {
	c := l.call("PutAlongAxis", x, indices, values)
	t := c.typed(x)
	a := c.at(x, t.DType)
	at := c.oneAxis(axis, a)
	own := a.Shape()
	a, by := c.broadcastOthers(a, indices, at)
	if !a.Shape().Equal(own) {
		c.fail("the shape of indices does not match x",
			"on axes other than "+itoa(at)+" the lengths must be those of x, or 1")
	}
	s := by.Shape()
	value := c.element(values, a)
	if r, ok := broadcastShapes(value.Shape(), s); !ok || !r.Equal(s) {
		c.fail("values of shape "+value.Shape().String()+" do not broadcast to "+s.String(), "")
	}
	if s.Size() == 0 {
		return c.result(a, t.Ambiguous)
	}
	along, others := shape.DimsOf(at), shape.DimsOf(slices.Delete(upTo(len(s)), at, at+1)...)
	attrs := ir.ScatterAttrs{InsertedWindowDims: along, ScatterDimsToOperandDims: along, IndexVectorDim: len(s),
		OperandBatchingDims: others, IndicesBatchingDims: others}
	return c.result(c.Do(ir.Scatter, attrs, a, c.clampTraced(by, own[at]), c.to(value, s)), t.Ambiguous)
}

// broadcastOthers returns a, and indices as positions along axis, both broadcast to each other on all other axes.
func (c *call) broadcastOthers(a expr.Value, indices any, axis int) (elements, positions expr.Value) {
	s := a.Shape().Clone()
	by := c.positionsOf(indices, s[axis], axis)
	bs := by.Shape().Clone()
	if len(bs) != len(s) {
		c.fail("indices have "+plural(len(bs), "axis", "axes")+", and x has "+itoa(len(s)),
			"nv.Take takes one set of indices for the whole tensor")
	}
	n, m := s[axis], bs[axis]
	s[axis], bs[axis] = 1, 1
	others, ok := broadcastShapes(s, bs) // with length 1 along axis
	if !ok {
		c.fail("shapes "+a.Shape().String()+" and "+by.Shape().String()+
			" do not broadcast on axes other than "+itoa(axis), "")
	}
	s, bs = others.Clone(), others
	s[axis], bs[axis] = n, m
	return c.to(a, s), c.to(by, bs)
}

// positionsOf returns indices, which may be negative, as positions from the start of an axis of length n.
func (c *call) positionsOf(indices any, n, axis int) expr.Value {
	index := c.tensorIndex(asTensor(c.indexValue(indices)), n, axis)
	if index.by != nil {
		return index.by
	}
	return index.start // indices is a scalar
}

// indexValue returns x, a tensor, a number or a slice of integers, as a value.
func (c *call) indexValue(x any) expr.Value {
	v := reflect.ValueOf(x)
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
		return c.at(x, c.operand(x).DType)
	}
	if d, ok := dtype.OfType(elemType(v)); !ok || !d.Is(dtype.Integral) {
		c.fail(describe(x)+" does not contain integers", "give a tensor or a slice of integers")
	}
	return c.nested(v, dtype.Options{DType: dtype.I64}).t
}

// UnravelIndex converts x, positions in the row-major order of shape s, to positions along each axis of s. It is the
// inverse of RavelMultiIndex.
func (l *Lib) UnravelIndex(x any, s Shape) []Tensor {
	c, a, amb := l.integers("UnravelIndex", x)
	c.checkLengths(s)
	d := a.DType()
	out := make([]Tensor, len(s))
	for i, by := range c.unravel(c.convert(a, orI64(d, s...)), s) {
		out[i] = c.result(c.convert(by, d), amb)
	}
	return out
}

// unravel converts at, positions in the row-major order of shape s, to positions along each axis.
func (c *call) unravel(at expr.Value, s Shape) []expr.Value {
	by := make([]expr.Value, len(s))
	for i := len(s) - 1; i >= 0; i-- {
		n := c.Like(at, max(1, s[i]))
		by[i], at = c.Rem(at, n), c.Div(at, n)
	}
	return by
}

// orI64 returns the integer dtype d if it can represent each of ns, and i64 otherwise.
func orI64(d dtype.DType, ns ...int) dtype.DType {
	for _, n := range ns {
		if v, err := dtype.Cast(n, d); err != nil || fmt.Sprint(v) != fmt.Sprint(n) {
			return dtype.I64
		}
	}
	return d
}

// integers is layout for an x of an integer dtype. It fails for other dtypes.
func (l *Lib) integers(op string, x any) (*call, expr.Value, bool) {
	c, a, amb := l.layout(op, x)
	c.requireInteger(a.DType())
	return c, a, amb
}

// requireInteger fails if d, the dtype of positions, is not an integer dtype.
func (c *call) requireInteger(d dtype.DType) {
	if !d.Is(dtype.Integral) {
		c.fail("positions must be integers, not "+d.String(), "convert them with AsType(nv.I32)")
	}
}

// RavelMultiIndex converts xs, positions along each axis of shape s, to positions in the row-major order of s. The
// tensors of xs are broadcast to each other. It is the inverse of UnravelIndex. The result has the common dtype of xs,
// or i64 if that dtype cannot represent every position in s.
func (l *Lib) RavelMultiIndex(xs []Tensor, s Shape) Tensor {
	operands := make([]any, len(xs))
	for i, x := range xs {
		operands[i] = x
	}
	c := l.call("RavelMultiIndex", operands...)
	c.checkLengths(s)
	if len(xs) != len(s) || len(s) == 0 {
		c.fail(plural(len(xs), "tensor", "tensors")+" of positions cannot index "+plural(len(s), "axis", "axes"),
			"give one tensor for each axis")
	}
	t := c.common(operands...)
	c.requireInteger(t.DType)
	count := 1
	for _, n := range s {
		count *= max(1, n)
	}
	t.DType = orI64(t.DType, count-1)
	parts := make([]expr.Value, len(xs))
	for i, x := range operands {
		parts[i] = c.convert(c.at(x, c.operand(x).DType), t.DType)
	}
	shape := c.broadcast(parts...)
	at := c.to(parts[0], shape)
	for i, p := range parts[1:] {
		at = c.Add(c.Mul(at, s[i+1]), c.to(p, shape))
	}
	return c.result(at, t.Ambiguous)
}
