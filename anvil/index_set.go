package anvil

import (
	"reflect"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/typename"
)

// put returns x with v written at index. If code is not ir.Invalid, the operation code combines the old elements with
// v, and the results are written.
func (l *Lib) put(op string, code ir.Code, x, v any, index []any) Tensor {
	c := l.call(op, append([]any{x, v}, index...)...)
	typ := c.operand(x)
	t := c.at(x, typ.DType)
	value := c.element(v, t)
	if r := c.putWhere(code, t, value, index); r != nil {
		return c.result(r, typ.Ambiguous)
	}
	p := c.plan(t, index)
	return c.result(c.reshape(c.putAt(code, p, value), t.Shape()), typ.Ambiguous)
}

// putWhere is put for an index that is one mask, which whole axes may follow, and a value that is the same for all
// elements of the mask. It selects between old and new elements by Where, without reading the mask. For other operands
// it returns nil.
func (c *call) putWhere(code ir.Code, t, value expr.Value, index []any) expr.Value {
	s := t.Shape()
	notWhole := func(ix any) bool { return ix != any(All) && !isA[ellipsis](ix) }
	if len(index) == 0 || maskRank(index[0]) == 0 || slices.ContainsFunc(index[1:], notWhole) {
		return nil
	}
	rank := maskRank(index[0])
	c.axesOf(index, len(s))
	var mask expr.Value = c.mask(index[0], s[:rank], 0).t
	rest := append(slices.Repeat(Shape{1}, rank), s[rank:]...) // s with length 1 along the axes of the mask
	vs := value.Shape()
	if len(vs) == len(s)-rank+1 && vs[0] == 1 { // value has an axis for the selected elements, of length 1
		vs = vs[1:]
		value = c.reshape(value, vs)
	}
	if r, ok := broadcastShapes(vs, rest); !ok || !r.Equal(rest) || len(vs) > len(s)-rank {
		return nil
	}
	value = c.to(c.reshape(c.to(value, s[rank:]), rest), s)
	if code != ir.Invalid {
		value = c.Do(code, nil, t, value)
	}
	mask = c.reshape(mask, append(s[:rank].Clone(), slices.Repeat(Shape{1}, len(s)-rank)...))
	return c.Where(c.to(mask, s), value, t)
}

// putAt returns p.of with value written to the elements that p takes.
func (c *call) putAt(code ir.Code, p selection, value expr.Value) expr.Value {
	slots := p.slots()
	s := shapeOf(slots, true)
	if r, ok := broadcastShapes(value.Shape(), s); !ok || !r.Equal(s) {
		c.fail("a value of shape "+value.Shape().String()+" does not broadcast to the part of shape "+s.String(), "")
	}
	if s.Size() == 0 {
		if p.points != nil {
			c.emptyResult(p, s) // fails if a position is out of range
		}
		return p.of
	}
	value = c.reshape(c.to(value, s), shapeOf(slots, false))
	if back := flipped(slots); len(back) > 0 {
		value = c.Reverse(value, back...)
	}
	if p.points == nil && !slices.ContainsFunc(p.steps, indexStep.strides) {
		return c.update(code, p, value)
	}
	return c.scatterAt(code, p, slots, value)
}

// strides reports whether s takes several elements that are not adjacent.
func (s indexStep) strides() bool { return s.stride > 1 && s.taken() > 1 }

// update is putAt for a selection that takes a contiguous part of the tensor.
func (c *call) update(code ir.Code, p selection, value expr.Value) expr.Value {
	part, args := Shape{}, []expr.Value{p.of, nil}
	steps := slices.Clone(p.steps)
	for i, st := range steps {
		if st.insert {
			continue
		}
		steps[i].stride = 1
		if !st.drop {
			steps[i].length = st.taken() // if the stride is not 1, this is 1
		}
		part, args = append(part, steps[i].length), append(args, st.start)
	}
	value = c.reshape(value, part)
	if code != ir.Invalid {
		value = c.Do(code, nil, c.cut(p.of, steps), value)
	}
	args[1] = value
	return c.emit(ir.DynamicUpdateSlice, nil, typeOf(p.of), c.oneIndexDType(args, 2)...)
}

// scatterAt is putAt by a scatter. The axes of value are the slots that are not inserted. The batch axes of the index
// vectors are the axes of the points, and an axis for each part with a stride. The other axes are window axes.
func (c *call) scatterAt(code ir.Code, p selection, slots []slot, value expr.Value) expr.Value {
	b := scatterBuilder{code: code}
	kept := slices.DeleteFunc(slices.Clone(slots), func(sl slot) bool { return sl.insert })
	for at, sl := range kept { // the axes of the points come first
		if sl.step < 0 {
			b.batch, b.order = append(b.batch, sl.length), append(b.order, at)
		}
	}
	points := len(b.batch)
	var windows []int
	for at, sl := range kept {
		switch {
		case sl.step >= 0 && p.steps[sl.step].strides():
			b.batch, b.order = append(b.batch, sl.length), append(b.order, at)
		case sl.step >= 0:
			windows = append(windows, at)
		}
	}
	b.order = append(b.order, windows...)
	if p.points != nil {
		for i, axis := range p.points.axes {
			b.add(axis, c.alignTo(c.clampTraced(p.points.by[i], p.of.Shape()[axis]), 0, b.batch), true)
		}
	}
	axis, along := 0, points
	for _, st := range p.steps {
		switch {
		case st.insert:
			continue
		case st.by != nil || st.drop && p.points != nil:
		case st.strides():
			b.add(axis, c.stridedPositions(st, along, b.batch), true)
			along++
		case st.start != nil:
			b.add(axis, c.to(c.clampTraced(st.start, p.of.Shape()[axis]), b.batch), st.drop)
		}
		axis++
	}
	return c.Do(ir.Scatter, b.attrs(len(kept)), p.of, c.vectors(b.by, b.batch), c.Permute(value, b.order...))
}

// clampTraced clamps traced positions to an axis of length n, as a gather does. Positions that are not traced are known
// to be in range.
func (c *call) clampTraced(at expr.Value, n int) expr.Value {
	if !at.(*tensor).arr.Unknown() {
		return at
	}
	return c.Do(ir.Clamp, nil, c.Like(at, 0), at, c.Like(at, n-1))
}

// A scatterBuilder collects the operands and dimension numbers of a scatter.
type scatterBuilder struct {
	code     ir.Code
	batch    Shape        // the batch shape of the index vectors
	by       []expr.Value // the components of the index vectors
	axes     []int        // the axis of the tensor that each component indexes
	inserted []int        // the axes of the tensor that windows do not have
	order    []int        // the permutation of the axes of the value: batch axes, then window axes
}

// add adds the component by of the index vectors, which indexes the given axis. inserted says that windows do not have
// this axis.
func (b *scatterBuilder) add(axis int, by expr.Value, inserted bool) {
	b.by, b.axes = append(b.by, by), append(b.axes, axis)
	if inserted {
		b.inserted = append(b.inserted, axis)
	}
}

// attrs returns the attributes of the scatter of a value of the given rank.
func (b *scatterBuilder) attrs(rank int) ir.ScatterAttrs {
	slices.Sort(b.inserted)
	return ir.ScatterAttrs{
		UpdateWindowDims: shape.DimsOf(upTo(rank)[len(b.batch):]...), InsertedWindowDims: shape.DimsOf(b.inserted...),
		ScatterDimsToOperandDims: shape.DimsOf(b.axes...), IndexVectorDim: len(b.batch), Combine: b.code}
}

// alignTo broadcasts a to shape s. The axes of a correspond to the axes of s from the axis from on.
func (c *call) alignTo(a expr.Value, from int, s Shape) expr.Value {
	full := slices.Repeat(Shape{1}, len(s))
	copy(full[from:], a.Shape())
	return c.to(c.reshape(a, full), s)
}

// stridedPositions returns the positions that a step with a stride takes, as a tensor of shape s that varies along
// axis.
func (c *call) stridedPositions(st indexStep, axis int, s Shape) expr.Value {
	at := c.Iota(dtype.I32, axis, s...)
	at = c.Mul(at, c.to(c.literal(st.stride, dtype.I32), s))
	if st.start == nil {
		return at
	}
	return c.Add(at, c.to(c.convert(st.start, dtype.I32), s))
}

// element returns v converted to the dtype of t, for storing in t. Under anvil, v must promote to that dtype; the
// emulated libraries cast v.
func (c *call) element(v any, t expr.Value) expr.Value {
	if list := reflect.ValueOf(v); list.Kind() == reflect.Slice || list.Kind() == reflect.Array {
		return c.elements(list, t)
	}
	d := t.DType()
	if r, ok := c.promotedInto(d, v); !ok {
		c.fail("the value would change the dtype of the tensor from "+d.String()+" to "+r.String(),
			"convert the tensor to "+r.String()+" with AsType, or the value to "+d.String())
	}
	if n, ok := literalOf(v).(int); ok {
		return c.literal(n, d)
	}
	return c.cast(c.at(v, c.operand(v).DType), d)
}

// elements is element for a slice of numbers.
func (c *call) elements(list reflect.Value, t expr.Value) expr.Value {
	d, elem := t.DType(), elemType(list)
	if _, ok := dtype.OfType(elem); !ok {
		hint := "give a tensor, a number or a slice of numbers"
		if elem.Kind() == reflect.Interface || elem == reflect.TypeFor[Tensor]() {
			hint = "make a tensor of the values with nv.New"
		}
		c.fail("the elements of "+typename.Text(list.Type().String())+" are not Go numbers", hint)
	}
	zero := reflect.Zero(elem).Interface()
	if r, ok := c.promotedInto(d, zero); !ok {
		c.fail("the values would change the dtype of the tensor from "+d.String()+" to "+r.String(),
			"convert the tensor to "+r.String()+" with AsType, or the values to "+d.String())
	}
	return c.nested(list, dtype.Options{DType: d}).t
}
