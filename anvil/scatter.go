package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// GatherDims are the dimension numbers of Gather, by the names of StableHLO.
type GatherDims struct {
	OffsetDims               []int // axes of the result that a slice has
	CollapsedSliceDims       []int // axes of x that slices have with length 1, and the result not at all
	OperandBatchingDims      []int // axes of x that go with those of the indices
	StartIndicesBatchingDims []int // these
	StartIndexMap            []int // the axis of x that each part of an index is along
	IndexVectorDim           int   // the axis of the indices that holds the parts of one; their rank: indices of one part
	SliceSizes               Shape // the lengths of a slice, for all axes of x
	IndicesAreSorted         bool  // promised, for the sake of speed
}

// Gather returns slices of x of one size, each beginning where startIndices
// says: StableHLO's gather in full. A slice that would lie outside is moved
// inside. What x.At and nv.TakeAlongAxis can say is better said with them.
func (l *Lib) Gather(x, startIndices any, dims GatherDims) Tensor {
	c, a, amb := l.layout2("Gather", x, startIndices)
	return c.result(c.Do(ir.Gather, ir.GatherAttrs{
		OffsetDims: c.dims(dims.OffsetDims), CollapsedSliceDims: c.dims(dims.CollapsedSliceDims),
		OperandBatchingDims: c.dims(dims.OperandBatchingDims), IndicesBatchingDims: c.dims(dims.StartIndicesBatchingDims),
		StartIndexMap: c.dims(dims.StartIndexMap), IndexVectorDim: dims.IndexVectorDim, SliceSizes: c.dims(dims.SliceSizes),
		IndicesAreSorted: dims.IndicesAreSorted}, a, c.given(startIndices)), amb)
}

// ScatterDims are the dimension numbers of Scatter, by the names of StableHLO.
type ScatterDims struct {
	UpdateWindowDims           []int // axes of the updates that a window has
	InsertedWindowDims         []int // axes of x that windows have with length 1, and the updates not at all
	InputBatchingDims          []int // axes of x that go with those of the indices
	ScatterIndicesBatchingDims []int // these
	ScatterDimsToOperandDims   []int // the axis of x that each part of an index is along
	IndexVectorDim             int   // the axis of the indices that holds the parts of one; their rank: indices of one part
	IndicesAreSorted           bool  // promised, for the sake of speed
	UniqueIndices              bool  // promised, for the sake of speed
}

// Scatter returns x with each window of updates put where indices say:
// StableHLO's scatter in full. Combine makes one element of the old and the new
// one, both scalars, and is recorded once; nil means the new one. It may be used
// in any order. A window that does not lie inside is left out. What x.Set, AddAt
// and their like can say is better said with them.
func (l *Lib) Scatter(x, indices, updates any, dims ScatterDims, combine func(old, fresh Tensor) Tensor) Tensor {
	c := l.call("Scatter", x, indices, updates)
	t := c.own(x)
	a := c.at(x, t.DType)
	attrs := ir.ScatterAttrs{
		UpdateWindowDims: c.dims(dims.UpdateWindowDims), InsertedWindowDims: c.dims(dims.InsertedWindowDims),
		OperandBatchingDims: c.dims(dims.InputBatchingDims), IndicesBatchingDims: c.dims(dims.ScatterIndicesBatchingDims),
		ScatterDimsToOperandDims: c.dims(dims.ScatterDimsToOperandDims), IndexVectorDim: dims.IndexVectorDim,
		IndicesAreSorted: dims.IndicesAreSorted, UniqueIndices: dims.UniqueIndices}
	var region []*ir.Graph
	if combine != nil {
		attrs.Combine, region = c.combiner("combine", t, combine)
	}
	args := []expr.Value{a, c.given(indices), c.element(updates, a)}
	return c.result(c.All(ir.Scatter, attrs, region, args...)[0], t.Ambiguous)
}

// dims returns axes as attributes have them.
func (c *call) dims(axes []int) shape.Dims {
	for _, n := range axes {
		if n < 0 {
			c.fail("dimension number "+itoa(n)+" is negative", "they count from 0")
		}
	}
	return shape.DimsOf(axes...)
}

// combiner records f, a function of two scalars of type t, as a region; where it
// is one operation that Scatter knows, it is that.
func (c *call) combiner(name string, t dtype.Typed, f func(a, b Tensor) Tensor) (ir.Code, []*ir.Graph) {
	defer c.ctx.recording()()
	tr := c.ctx.session().NewTrace()
	param := func() Tensor {
		return Tensor{t: &tensor{ctx: c.ctx, arr: tr.Param(shape.Of(t.DType)), amb: t.Ambiguous}}
	}
	r := f(param(), param())
	if r.must(c.op).ctx != c.ctx {
		c.fail(name+" returns a tensor of another context", "make both in one Context")
	}
	if got := r.Type(); got.DType != t.DType || len(got.Shape) > 0 {
		c.fail(name+" makes "+got.String()+" of two "+shape.Of(t.DType).String(), "it returns a scalar of the dtype of x")
	}
	if len(tr.Faults()) > 0 {
		c.fail(name+" may fail, which it cannot where it is used", "choose what cannot fail, with nv.Where")
	}
	program, err := tr.Finish(name, []engine.Array{r.t.arr})
	c.check(err)
	g := c.closed(name, program)
	if n := len(g.Nodes); n == 1 && combines[g.Nodes[0].Code] && g.Outputs[0].Node == g.Nodes[0] &&
		g.Nodes[0].Args[0].Node == nil && g.Nodes[0].Args[1].Node == nil && g.Nodes[0].Args[0] != g.Nodes[0].Args[1] {
		return g.Nodes[0].Code, nil
	}
	return ir.Invalid, []*ir.Graph{g}
}

// combines are the operations that Scatter knows by code.
var combines = map[ir.Code]bool{ir.Add: true, ir.Mul: true, ir.Max: true, ir.Min: true, ir.And: true, ir.Or: true, ir.Xor: true}

// closed returns the graph of a program with the numbers that it captured as
// constants.
func (c *call) closed(name string, p *engine.Program) *ir.Graph {
	g := &ir.Graph{Name: p.Graph.Name}
	at := map[*ir.Value]*ir.Value{}
	own := len(p.Graph.Params) - len(p.Captured)
	for _, v := range p.Graph.Params[:own] {
		at[v] = g.Param(v.Type)
	}
	for i, v := range p.Graph.Params[own:] {
		data, ok := p.Captured[i].Known()
		if !ok || len(v.Type.Shape) > 0 {
			c.fail(name+" uses a tensor of its surroundings", "it may use its two arguments and numbers")
		}
		attrs := ir.ConstantAttrs{DType: v.Type.DType, Data: string(data)}
		at[v] = g.Add(ir.Constant, attrs, nil, nil, v.Type).Results[0]
	}
	for _, n := range p.Graph.Nodes {
		args := make([]*ir.Value, len(n.Args))
		for i, v := range n.Args {
			args[i] = at[v]
		}
		types := make([]shape.Type, len(n.Results))
		for i, r := range n.Results {
			types[i] = r.Type
		}
		for i, r := range g.Add(n.Code, n.Attrs, n.Regions, args, types...).Results {
			at[n.Results[i]] = r
		}
	}
	g.Outputs = []*ir.Value{at[p.Graph.Outputs[0]]}
	return g
}

// SegmentSum returns the sums of the rows of x that have one number in segments,
// an integer for each row, for the numbers 0 to n-1: result[k] = sum of x[i]
// where segments[i] = k; 0 where there is none. Rows of other numbers are left
// out.
func (l *Lib) SegmentSum(x, segments any, n int) Tensor {
	return l.segment("SegmentSum", ir.ReduceSum, x, segments, n)
}

// SegmentProd returns the products of the rows of x that have one number in
// segments, as SegmentSum sums them; 1 where there is none.
func (l *Lib) SegmentProd(x, segments any, n int) Tensor {
	return l.segment("SegmentProd", ir.ReduceProd, x, segments, n)
}

// SegmentMax returns the greatest of the rows of x that have one number in
// segments, elementwise, as SegmentSum sums them; the least number of the dtype
// where there is none.
func (l *Lib) SegmentMax(x, segments any, n int) Tensor {
	return l.segment("SegmentMax", ir.ReduceMax, x, segments, n)
}

// SegmentMin returns the least of the rows of x that have one number in
// segments, elementwise, as SegmentSum sums them; the greatest number of the
// dtype where there is none.
func (l *Lib) SegmentMin(x, segments any, n int) Tensor {
	return l.segment("SegmentMin", ir.ReduceMin, x, segments, n)
}

func (l *Lib) segment(op string, code ir.Code, x, segments any, n int) Tensor {
	c, a, amb := l.layout2(op, x, segments)
	s := a.Shape()
	by := c.given(segments)
	d := by.DType()
	switch {
	case !d.Is(dtype.Integral):
		c.fail("segments are integers, not "+d.String(), "convert them with AsType(nv.I32)")
	case len(s) == 0 || !by.Shape().Equal(s[:1]):
		c.fail("segments of shape "+by.Shape().String()+" are not one for each row of "+s.String(), "")
	case n < 0:
		c.fail("a negative number of segments", "")
	}
	kept := append(Shape{n}, s[1:]...)
	none := c.to(c.identity(code, a.DType()), kept)
	if kept.Size() == 0 || s.Size() == 0 {
		return c.result(none, amb)
	}
	if d.Bits() < 32 {
		by = c.convert(by, dtype.I32)
	}
	attrs := ir.ScatterAttrs{UpdateWindowDims: shape.DimsOf(upTo(len(s))[1:]...), InsertedWindowDims: shape.DimsOf(0),
		ScatterDimsToOperandDims: shape.DimsOf(0), IndexVectorDim: 1, Combine: repeated[code]}
	return c.result(c.Do(ir.Scatter, attrs, none, by, a), amb)
}

// repeated are the operations that reductions repeat.
var repeated = map[ir.Code]ir.Code{ir.ReduceSum: ir.Add, ir.ReduceProd: ir.Mul, ir.ReduceMax: ir.Max, ir.ReduceMin: ir.Min,
	ir.ReduceAnd: ir.And, ir.ReduceOr: ir.Or, ir.ReduceXor: ir.Xor}

// identity returns the scalar of dtype d that changes nothing in a reduction: that
// of no elements.
func (c *call) identity(reduction ir.Code, d dtype.DType) expr.Value {
	return &tensor{ctx: c.ctx, arr: c.ctx.session().Scalar(d, ops.Identity(reduction, d))}
}
