package autodiff

import (
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// jvpReduce combines neighbouring elements, with their tangents, until one is left, and combines that with the
// initial value. Only the tangent of this result is used; the Reduce itself computes the value.
func (d *deriver) jvpReduce(n *ir.Node, x, t []expr.Value) (y, dy []expr.Value) {
	y = d.All(n.Code, n.Attrs, n.Regions, x...)
	p, length := ops.AxesLast(d.Builder, x[0], n.Attrs.(ir.AxesAttrs).Axes)
	dp, _ := ops.AxesLast(d.Builder, d.instantiate(t[0], n.Args[0].Type), n.Attrs.(ir.AxesAttrs).Axes)
	count := n.Results[0].Type.Shape.Size()
	if count == 0 {
		return y, nil
	}
	p, dp = d.Reshape(p, count, length), d.Reshape(dp, count, length)
	for length > 1 {
		half := length / 2
		ofPairs := func(v expr.Value, i int) expr.Value { // element i of each pair of neighbours
			v = d.Reshape(d.Slice(v, 1, 0, 2*half), count, half, 2)
			return d.Reshape(d.Slice(v, 2, i, i+1), count, half)
		}
		q, dq := d.combine(n.Regions[0], ofPairs(p, 0), ofPairs(p, 1), ofPairs(dp, 0), ofPairs(dp, 1))
		if length%2 == 1 {
			q = d.Concatenate(1, q, d.Slice(p, 1, 2*half, length))
			dq = d.Concatenate(1, dq, d.Slice(dp, 1, 2*half, length))
		}
		p, dp, length = q, dq, half+length%2
	}
	full := shape.Shape{count, 1}
	init, dinit := d.BroadcastTo(x[1], full), d.BroadcastTo(d.instantiate(t[1], n.Args[1].Type), full)
	if length == 0 {
		dp = dinit
	} else {
		_, dp = d.combine(n.Regions[0], init, p, dinit, dp)
	}
	return y, []expr.Value{d.Reshape(dp, n.Results[0].Type.Shape...)}
}

// combine applies g, a region with two scalar parameters, to each pair of elements of x and y. It returns the
// results and their tangents.
func (d *deriver) combine(g *ir.Graph, x, y, dx, dy expr.Value) (z, dz expr.Value) {
	s := x.Shape()
	flat := func(v expr.Value) expr.Value { return d.Reshape(v, s.Size()) }
	each := d.graphOf(func(e *deriver) {
		b := &batcher{deriver: e, size: s.Size()}
		out, batched := b.batch(g, b.laneParams(g.Params, allTrue(2)), allTrue(2))
		e.outputs(b.lanes(out[0], batched[0]))
	})
	r, dr := d.jvp(each, []expr.Value{flat(x), flat(y)}, []expr.Value{flat(dx), flat(dy)})
	return d.Reshape(r[0], s...), d.Reshape(d.instantiate(dr[0], each.Outputs[0].Type), s...)
}
