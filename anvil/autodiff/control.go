package autodiff

import (
	"slices"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// jvpRules has the rules for forward mode of operations with regions, which differentiate the regions, and of
// OptimizationBarrier. init fills the map: the rules refer to it, so an initializer would be an initialization cycle.
var jvpRules map[ir.Code]func(d *deriver, n *ir.Node, x, t []expr.Value) (y, dy []expr.Value)

// transposeRules has the rules for the transposition of operations with regions. init fills it too.
var transposeRules map[ir.Code]func(d *deriver, n *ir.Node, x, ct []expr.Value) []expr.Value

func init() {
	jvpRules = map[ir.Code]func(d *deriver, n *ir.Node, x, t []expr.Value) (y, dy []expr.Value){
		ir.OptimizationBarrier: (*deriver).jvpBarrier,
		ir.If:                  (*deriver).jvpBranches,
		ir.Case:                (*deriver).jvpBranches,
		ir.While:               (*deriver).jvpWhile,
		ir.Scan:                (*deriver).jvpScan,
		ir.Call:                (*deriver).jvpCall,
		ir.Reduce:              (*deriver).jvpReduce,
	}
	transposeRules = map[ir.Code]func(d *deriver, n *ir.Node, x, ct []expr.Value) []expr.Value{
		ir.If:   (*deriver).transposeBranches,
		ir.Case: (*deriver).transposeBranches,
		ir.Scan: (*deriver).transposeScan,
		ir.Call: (*deriver).transposeCall,
		ir.While: func(*deriver, *ir.Node, []expr.Value, []expr.Value) []expr.Value {
			panic(&Error{"the number of steps of While, or of ForI with a tensor n, is not known, so reverse mode " +
				"cannot store their values", "give While nv.MaxSteps(n), or ForI a Go integer n, or use nv.Scan"})
		},
	}
}

// graphOf returns the graph that write builds, without the operations that its outputs do not need.
func (d *deriver) graphOf(write func(e *deriver)) *ir.Graph {
	e := newDeriver(d.conventions)
	write(e)
	return ir.Prune(e.graph)
}

// nonNil reports which of vs are not nil.
func nonNil(vs []expr.Value) []bool {
	out := make([]bool, len(vs))
	for i, v := range vs {
		out[i] = v != nil
	}
	return out
}

// present returns those of vs that are not nil.
func present(vs []expr.Value) []expr.Value {
	return slices.DeleteFunc(slices.Clone(vs), func(v expr.Value) bool { return v == nil })
}

// spread returns vs at the positions where mask is true, and nil elsewhere.
func spread(vs []expr.Value, mask []bool) []expr.Value {
	out := make([]expr.Value, len(mask))
	for i, m := range mask {
		if m {
			out[i], vs = vs[0], vs[1:]
		}
	}
	return out
}

// activeOutputs reports which outputs of g have tangents if the parameters marked in active have tangents.
func (d *deriver) activeOutputs(g *ir.Graph, active []bool) []bool {
	e := newDeriver(d.conventions)
	_, dy := e.jvp(g, e.params(g.Params), e.tangents(g.Params, active))
	return nonNil(dy)
}

// union returns the elementwise or of a and b, which may be shorter than a.
func union(a, b []bool) []bool {
	out := slices.Clone(a)
	for i := range out {
		out[i] = out[i] || i < len(b) && b[i]
	}
	return out
}

// tangentGraph returns the graph of the wanted tangents of g's outputs. Its parameters are those of g and the
// tangents of the active ones.
func (d *deriver) tangentGraph(g *ir.Graph, active, wanted []bool) *ir.Graph {
	return d.graphOf(func(e *deriver) {
		e.reverse = d.reverse
		x := e.params(g.Params)
		_, dy := e.jvp(g, x, e.tangents(g.Params, active))
		for i, o := range g.Outputs {
			if wanted[i] {
				e.outputs(e.instantiate(dy[i], o.Type))
			}
		}
	})
}

// transposedGraph returns the transposed program of g, as Transpose describes.
func (d *deriver) transposedGraph(g *ir.Graph, linear []bool) *ir.Graph {
	return d.graphOf(func(e *deriver) { e.writeTranspose(g, linear) })
}

// jvpBarrier adds the barrier n, and a second barrier for the tangents.
func (d *deriver) jvpBarrier(n *ir.Node, x, t []expr.Value) (y, dy []expr.Value) {
	y = d.All(n.Code, n.Attrs, nil, x...)
	return y, spread(d.All(n.Code, n.Attrs, nil, present(t)...), nonNil(t))
}

// jvpBranches adds the operation n, and another one of the same kind whose branches compute the tangents. The branch
// that was taken is thus computed twice, but no values of the branches have to be kept for reverse mode.
func (d *deriver) jvpBranches(n *ir.Node, x, t []expr.Value) (y, dy []expr.Value) {
	y = d.copyNode(n, x)
	active := nonNil(t[1:])
	wanted := make([]bool, len(n.Results))
	for _, r := range n.Regions {
		wanted = union(wanted, d.activeOutputs(r, active))
	}
	if !slices.Contains(wanted, true) {
		return y, nil
	}
	regions := make([]*ir.Graph, len(n.Regions))
	for i, r := range n.Regions {
		regions[i] = d.tangentGraph(r, active, wanted)
	}
	return y, spread(d.All(n.Code, n.Attrs, regions, slices.Concat(x, present(t))...), wanted)
}

// transposeBranches adds an operation with the same condition and the transposed branches.
func (d *deriver) transposeBranches(n *ir.Node, x, ct []expr.Value) []expr.Value {
	linear := missing(x[1:])
	regions := make([]*ir.Graph, len(n.Regions))
	for i, r := range n.Regions {
		regions[i] = d.transposedGraph(r, linear)
	}
	args := slices.Concat(present(x), d.instantiateAll(ct, n.Results))
	return append([]expr.Value{nil}, spread(d.All(n.Code, n.Attrs, regions, args...), linear)...)
}

// missing reports which of x are nil.
func missing(x []expr.Value) []bool {
	out := nonNil(x)
	for i := range out {
		out[i] = !out[i]
	}
	return out
}

// instantiateAll returns the tangents or cotangents ts of vs, with zeros for those that are nil.
func (d *deriver) instantiateAll(ts []expr.Value, vs []*ir.Value) []expr.Value {
	out := make([]expr.Value, len(ts))
	for i, t := range ts {
		out[i] = d.instantiate(t, vs[i].Type)
	}
	return out
}

// jvpWhile carries the tangents together with the values.
func (d *deriver) jvpWhile(n *ir.Node, x, t []expr.Value) (y, dy []expr.Value) {
	cond, body := n.Regions[0], n.Regions[1]
	active := fixpoint(nonNil(t), func(active []bool) []bool { return d.activeOutputs(body, active) })
	args := slices.Clone(x)
	for i, a := range n.Args {
		if active[i] {
			args = append(args, d.instantiate(t[i], a.Type))
		}
	}
	test := d.graphOf(func(e *deriver) {
		ps := e.params(body.Params)
		e.tangents(body.Params, active) // parameters that the condition does not use
		e.outputs(e.write(cond, ps)...)
	})
	step := d.graphOf(func(e *deriver) {
		e.reverse = d.reverse
		ps := e.params(body.Params)
		y, dy := e.jvp(body, ps, e.tangents(body.Params, active))
		e.outputs(y...)
		for i, o := range body.Outputs {
			if active[i] {
				e.outputs(e.instantiate(dy[i], o.Type))
			}
		}
	})
	out := d.All(n.Code, n.Attrs, []*ir.Graph{test, step}, args...)
	y = out[:len(x)]
	if d.reverse { // compute the values in a separate loop, which does not depend on the tangents
		y = d.copyNode(n, x)
	}
	return y, spread(out[len(x):], active)
}

// fixpoint adds the marks next(active) to active until nothing changes, and returns the result.
func fixpoint(active []bool, next func([]bool) []bool) []bool {
	for {
		more := union(active, next(active))
		if slices.Equal(more, active) {
			return active
		}
		active = more
	}
}

// jvpCall applies the call's rule of differentiation, or differentiates the region if there is none.
func (d *deriver) jvpCall(n *ir.Node, x, t []expr.Value) (y, dy []expr.Value) {
	attrs, _ := n.Attrs.(ir.CallAttrs)
	switch {
	case attrs.Rule:
		return d.jvpRule(n, x, t)
	case attrs.Reason != "":
		panic(&Error{attrs.Reason, attrs.Hint})
	case attrs.Elementwise:
		return d.jvpElementwise(n, x, t)
	case attrs.Recompute && d.reverse:
		y = d.copyNode(n, x)
		active := nonNil(t)
		wanted := d.activeOutputs(n.Regions[0], active)
		region := d.tangentGraph(n.Regions[0], active, wanted)
		dy = d.All(n.Code, n.Attrs, []*ir.Graph{region}, slices.Concat(x, present(t))...)
		return y, spread(dy, wanted)
	}
	return d.jvp(n.Regions[0], x, t)
}

// jvpRule applies the rule of differentiation of the call n, its second region.
func (d *deriver) jvpRule(n *ir.Node, x, t []expr.Value) (y, dy []expr.Value) {
	y = d.copyNode(n, x)
	args := slices.Concat(x, y)
	for i, a := range n.Args {
		if Differentiable(a.Type.DType) {
			args = append(args, d.instantiate(t[i], a.Type))
		}
	}
	tangents := d.write(n.Regions[1], args) // one for each differentiable result
	dy = make([]expr.Value, len(y))
	for i, r := range n.Results {
		if !Differentiable(r.Type.DType) {
			continue
		}
		if !isSplat(tangents[0].(*ir.Value), 0) { // the tangent of StopGradient is 0
			dy[i] = tangents[0]
		}
		tangents = tangents[1:]
	}
	return y, dy
}

// jvpElementwise returns the tangent of n, a call of an elementwise function, as the sum of its partial derivatives
// times the tangents. Each partial derivative is a call of an elementwise function too.
func (d *deriver) jvpElementwise(n *ir.Node, x, t []expr.Value) (y, dy []expr.Value) {
	y = d.copyNode(n, x)
	var sum expr.Value
	for i, ti := range t {
		if ti == nil {
			continue
		}
		partial := d.All(n.Code, n.Attrs, d.partialGraphs(n.Regions, i), x...)[0]
		sum = d.sum(sum, d.MulNoNaN(ti, partial))
	}
	return y, []expr.Value{sum}
}

// partialGraphs returns the regions of a call for the partial derivative, with respect to operand i, of the elementwise
// function with the given regions.
func (d *deriver) partialGraphs(regions []*ir.Graph, i int) []*ir.Graph {
	if len(regions) == 2 && i == len(regions[0].Params)-1 {
		return regions[1:] // the partial derivative itself
	}
	partials := make([]*ir.Graph, len(regions))
	for j, g := range regions {
		partials[j] = d.partialGraph(g, i) // derivatives with respect to different operands may be taken in any order
	}
	return partials
}

// partialGraph returns the partial derivative of the elementwise function g with respect to parameter i: its
// tangent if the parameter's tangent is 1.
func (d *deriver) partialGraph(g *ir.Graph, i int) *ir.Graph {
	return d.graphOf(func(e *deriver) {
		x := e.params(g.Params)
		t := make([]expr.Value, len(x))
		t[i] = e.Like(x[i], 1)
		_, dy := e.jvp(g, x, t)
		e.outputs(e.instantiate(dy[0], g.Outputs[0].Type))
	})
}

// write adds the operations of g, applied to args, and returns its outputs.
func (d *deriver) write(g *ir.Graph, args []expr.Value) []expr.Value {
	y, _ := d.jvp(g, args, make([]expr.Value, len(args)))
	return y
}

// transposeCall transposes the region of a call that recomputes: the transposed region computes the region's values
// again. Its operands pass a barrier, since a compiler would otherwise recognize the repeated computation and keep the
// values of the first one.
func (d *deriver) transposeCall(n *ir.Node, x, ct []expr.Value) []expr.Value {
	linear := missing(x)
	args := d.Barrier(slices.Concat(present(x), d.instantiateAll(ct, n.Results))...)
	return spread(d.All(n.Code, n.Attrs, []*ir.Graph{d.transposedGraph(n.Regions[0], linear)}, args...), linear)
}
