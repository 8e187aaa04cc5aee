package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// This file implements the general gather and scatter of StableHLO, and reductions by segment.

// GatherDims are the dimension numbers of Gather, with the names that StableHLO gives them.
type GatherDims struct {
	OffsetDims               []int // axes of the result that come from the slices
	CollapsedSliceDims       []int // axes of x along which slices have length 1, left out of the result
	OperandBatchingDims      []int // batch axes of x, paired with StartIndicesBatchingDims
	StartIndicesBatchingDims []int // batch axes of the indices
	StartIndexMap            []int // the axis of x for each component of an index vector
	IndexVectorDim           int   // the axis of the indices for the components; the indices' rank if there is none
	SliceSizes               Shape // the length of a slice along each axis of x
	IndicesAreSorted         bool  // a promise that allows faster code
}

// Gather returns slices of x, all of one size, that begin at startIndices: the general gather of StableHLO. The start
// of a slice is clamped so that the slice lies inside x. Prefer x.At and nv.TakeAlongAxis where they suffice.
func (l *Lib) Gather(x, startIndices any, dims GatherDims) Tensor {
	c, a, amb := l.layout("Gather", x, startIndices)
	return c.result(c.Do(ir.Gather, ir.GatherAttrs{
		OffsetDims: c.dims(dims.OffsetDims), CollapsedSliceDims: c.dims(dims.CollapsedSliceDims),
		OperandBatchingDims: c.dims(dims.OperandBatchingDims),
		IndicesBatchingDims: c.dims(dims.StartIndicesBatchingDims),
		StartIndexMap:       c.dims(dims.StartIndexMap), IndexVectorDim: dims.IndexVectorDim,
		SliceSizes: c.dims(dims.SliceSizes), IndicesAreSorted: dims.IndicesAreSorted}, a, c.indexValue(startIndices)), amb)
}

// ScatterDims are the dimension numbers of Scatter, with the names that StableHLO gives them.
type ScatterDims struct {
	UpdateWindowDims           []int // axes of the updates that belong to the windows
	InsertedWindowDims         []int // axes of x along which windows have length 1, left out of the updates
	InputBatchingDims          []int // batch axes of x, paired with ScatterIndicesBatchingDims
	ScatterIndicesBatchingDims []int // batch axes of the indices
	ScatterDimsToOperandDims   []int // the axis of x for each component of an index vector
	IndexVectorDim             int   // the axis of the indices for the components; the indices' rank if there is none
	IndicesAreSorted           bool  // a promise that allows faster code
	UniqueIndices              bool  // a promise that allows faster code
}

// Scatter returns x with each window of updates written at its index: the general scatter of StableHLO. combine
// computes the new element from the old one and the update, both scalars; it is traced once and applied in any order.
// If combine is nil, the update replaces the old element. A window that does not lie inside x is not written. Prefer
// x.Set and x.AddAt where they suffice.
func (l *Lib) Scatter(x, indices, updates any, dims ScatterDims, combine func(old, fresh Tensor) Tensor) Tensor {
	c := l.call("Scatter", x, indices, updates)
	t := c.typed(x)
	a := c.at(x, t.DType)
	attrs := ir.ScatterAttrs{
		UpdateWindowDims: c.dims(dims.UpdateWindowDims), InsertedWindowDims: c.dims(dims.InsertedWindowDims),
		OperandBatchingDims:      c.dims(dims.InputBatchingDims),
		IndicesBatchingDims:      c.dims(dims.ScatterIndicesBatchingDims),
		ScatterDimsToOperandDims: c.dims(dims.ScatterDimsToOperandDims), IndexVectorDim: dims.IndexVectorDim,
		IndicesAreSorted: dims.IndicesAreSorted, UniqueIndices: dims.UniqueIndices}
	var region []*ir.Graph
	if combine != nil {
		attrs.Combine, region = c.combiner("combine", t, combine)
	}
	args := []expr.Value{a, c.indexValue(indices), c.element(updates, a)}
	return c.result(c.All(ir.Scatter, attrs, region, args...)[0], t.Ambiguous)
}

// dims returns axes as dimension numbers of an operation. It fails if one is negative.
func (c *call) dims(axes []int) shape.Dims {
	for _, n := range axes {
		if n < 0 {
			c.fail("dimension number "+itoa(n)+" is negative", "count from 0")
		}
	}
	return shape.DimsOf(axes...)
}

// combiner traces f, a function of two scalars of type t. If f is a single operation in combines, it returns the code
// of that operation, otherwise ir.Invalid and f as a region. Errors call f by name.
func (c *call) combiner(name string, t dtype.Typed, f func(a, b Tensor) Tensor) (ir.Code, []*ir.Graph) {
	defer c.ctx.recording()()
	tr := c.ctx.session.NewTrace()
	param := func() Tensor {
		return Tensor{t: &tensor{ctx: c.ctx, arr: tr.Param(shape.Of(t.DType)), amb: t.Ambiguous}}
	}
	r := f(param(), param())
	if r.must(c.op).ctx != c.ctx {
		c.fail(name+" returns a tensor of another context", "make all tensors in one Context")
	}
	if got := r.Type(); got.DType != t.DType || len(got.Shape) > 0 {
		c.fail(name+" returns "+got.String()+" for two "+shape.Of(t.DType).String(),
			"return a scalar of the dtype of x")
	}
	if len(tr.Faults()) > 0 {
		c.fail(name+" contains an operation that may fail, which is not supported here",
			"replace invalid operands with nv.Where")
	}
	program, err := tr.Finish(name, []engine.Array{r.t.arr})
	c.check(err)
	if program.CallsHost() {
		c.fail(name+" calls a Go function (nv.Print or nv.Callback), which is not supported here",
			"leave out nv.Print, and replace nv.Callback by operations of tensors")
	}
	g := c.closed(name, program)
	if len(g.Nodes) == 1 && combines[g.Nodes[0].Code] {
		n := g.Nodes[0]
		isParam := func(v *ir.Value) bool { return v.Node == nil }
		if g.Outputs[0].Node == n && isParam(n.Args[0]) && isParam(n.Args[1]) && n.Args[0] != n.Args[1] {
			return n.Code, nil
		}
	}
	return ir.Invalid, []*ir.Graph{g}
}

// combines are the operations that ir.ScatterAttrs.Combine may name.
var combines = map[ir.Code]bool{
	ir.Add: true, ir.Mul: true, ir.Max: true, ir.Min: true, ir.And: true, ir.Or: true, ir.Xor: true,
}

// closed returns a copy of the graph of p in which the scalars that p has captured are constants. It fails if p has
// captured other tensors. Errors call the function by name.
func (c *call) closed(name string, p *engine.Program) *ir.Graph {
	g := &ir.Graph{Name: p.Graph.Name}
	copies := map[*ir.Value]*ir.Value{}
	own := len(p.Graph.Params) - len(p.Captured)
	for _, v := range p.Graph.Params[:own] {
		copies[v] = g.Param(v.Type)
	}
	for i, v := range p.Graph.Params[own:] { // the captured tensors
		data, ok := p.Captured[i].Known()
		if !ok || len(v.Type.Shape) > 0 {
			c.fail(name+" uses a captured tensor", "use only the two arguments and numbers")
		}
		attrs := ir.ConstantAttrs{DType: v.Type.DType, Data: string(data)}
		copies[v] = g.Add(ir.Constant, attrs, nil, nil, v.Type).Results[0]
	}
	for _, n := range p.Graph.Nodes {
		args := make([]*ir.Value, len(n.Args))
		for i, v := range n.Args {
			args[i] = copies[v]
		}
		types := make([]shape.Type, len(n.Results))
		for i, r := range n.Results {
			types[i] = r.Type
		}
		for i, r := range g.Add(n.Code, n.Attrs, n.Regions, args, types...).Results {
			copies[n.Results[i]] = r
		}
	}
	g.Outputs = []*ir.Value{copies[p.Graph.Outputs[0]]}
	return g
}

// segment returns n rows: row k is the reduction by code of the rows of x whose segment is k, or the identity element
// of the reduction if no row has segment k.
func (l *Lib) segment(op string, code ir.Code, x, segments any, n int) Tensor {
	c, a, amb := l.layout(op, x, segments)
	s := a.Shape()
	by := c.indexValue(segments)
	d := by.DType()
	switch {
	case !d.Is(dtype.Integral):
		c.fail("segments must be integers, not "+d.String(), "convert them with AsType(nv.I32)")
	case len(s) == 0 || !by.Shape().Equal(s[:1]):
		c.fail("segments of shape "+by.Shape().String()+" do not match the rows of "+s.String(),
			"give one segment for each row")
	case n < 0:
		c.fail("the number of segments is "+itoa(n), "give 0 or more")
	}
	kept := append(Shape{n}, s[1:]...)
	initial := c.to(c.identity(code, a.DType()), kept)
	if kept.Size() == 0 || s.Size() == 0 {
		return c.result(initial, amb)
	}
	if d.Bits() < 32 {
		by = c.convert(by, dtype.I32)
	}
	attrs := ir.ScatterAttrs{UpdateWindowDims: shape.DimsOf(upTo(len(s))[1:]...), InsertedWindowDims: shape.DimsOf(0),
		ScatterDimsToOperandDims: shape.DimsOf(0), IndexVectorDim: 1, Combine: binaryOf[code]}
	return c.result(c.Do(ir.Scatter, attrs, initial, by, a), amb)
}

// binaryOf maps a reduction to its binary operation.
var binaryOf = map[ir.Code]ir.Code{
	ir.ReduceSum: ir.Add, ir.ReduceProd: ir.Mul, ir.ReduceMax: ir.Max, ir.ReduceMin: ir.Min,
	ir.ReduceAnd: ir.And, ir.ReduceOr: ir.Or, ir.ReduceXor: ir.Xor,
}

// identity returns the identity element of a reduction, as a scalar of dtype d.
func (c *call) identity(reduction ir.Code, d dtype.DType) expr.Value {
	return &tensor{ctx: c.ctx, arr: c.ctx.session.Scalar(d, ops.Identity(reduction, d))}
}
