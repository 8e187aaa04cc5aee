package autodiff

import (
	"slices"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// A scan is a node of code Scan with its attributes and its body.
type scan struct {
	ir.ScanAttrs
	body *ir.Graph
}

// scanOf returns the node n as a scan.
func scanOf(n *ir.Node) scan { return scan{n.Attrs.(ir.ScanAttrs), n.Regions[0]} }

// parts divides the operands of s, or the parameters of its body, into carried values, shared values and inputs. In the
// functions below, the names of variables for these three end in c, s and i.
func parts[T any](s scan, xs []T) (carried, shared, inputs []T) {
	n, m := s.Carried, s.Carried+s.Shared
	return xs[:n:n], xs[n:m:m], xs[m:]
}

// jvpScan computes the tangents in the loop of the values. In reverse mode the tangents have a loop of their
// own, which is linear in them. For that loop, the loop of the values stacks the carried values before each
// step; reverse mode keeps no other values of the steps.
func (d *deriver) jvpScan(n *ir.Node, x, t []expr.Value) (y, dy []expr.Value) {
	s := scanOf(n)
	active := fixpoint(nonNil(t), func(active []bool) []bool {
		return append(d.activeOutputs(s.body, active)[:s.Carried:s.Carried], make([]bool, len(active)-s.Carried)...)
	})
	outputs := d.activeOutputs(s.body, active)
	for i := range s.Carried { // a carried value with a tangent before a step has one after it
		outputs[i] = active[i]
	}
	if d.reverse {
		return d.linearizedScan(n, s, x, t, active, outputs)
	}
	xc, xs, xi := parts(s, x)
	tc, ts, ti := parts(s, d.activeTangents(n, t, active))
	ac, as, ai := parts(s, active)
	body := d.graphOf(func(e *deriver) {
		pc, ps, pi := parts(s, s.body.Params)
		c, dc := e.params(pc), e.tangents(pc, ac)
		v, dv := e.params(ps), e.tangents(ps, as)
		in, din := e.params(pi), e.tangents(pi, ai)
		y, dy := e.jvp(s.body, slices.Concat(c, v, in), slices.Concat(dc, dv, din))
		dy = e.markedTangents(s.body, dy, outputs)
		e.outputs(y[:s.Carried]...)
		e.outputs(present(dy[:s.Carried])...)
		e.outputs(y[s.Carried:]...)
		e.outputs(present(dy[s.Carried:])...)
	})
	attrs := s.ScanAttrs
	attrs.Carried += len(present(tc))
	attrs.Shared += len(present(ts))
	out := d.All(ir.Scan, attrs, []*ir.Graph{body}, slices.Concat(xc, present(tc), xs, present(ts), xi, present(ti))...)
	k, final := s.Carried, attrs.Carried
	stacked := len(s.body.Outputs) - k
	y = slices.Concat(out[:k], out[final:final+stacked])
	dy = spread(slices.Concat(out[k:final], out[final+stacked:]), outputs)
	return y, dy
}

// activeTangents returns the tangents t of n's operands, with zeros for active operands without a tangent.
func (d *deriver) activeTangents(n *ir.Node, t []expr.Value, active []bool) []expr.Value {
	out := make([]expr.Value, len(t))
	for i, a := range n.Args {
		if active[i] {
			out[i] = d.instantiate(t[i], a.Type)
		}
	}
	return out
}

// markedTangents returns dy, the tangents of g's outputs, with zeros for marked outputs whose tangent is nil, and
// nil for outputs that are not marked.
func (d *deriver) markedTangents(g *ir.Graph, dy []expr.Value, marked []bool) []expr.Value {
	out := make([]expr.Value, len(dy))
	for i, o := range g.Outputs {
		if marked[i] {
			out[i] = d.instantiate(dy[i], o.Type)
		}
	}
	return out
}

// linearizedScan adds two scans: n, extended so that it also stacks the values carried into each step, and a scan of
// the tangents. It returns the results y of n and their tangents dy. The shared values of the second scan are those of
// n and their tangents; its inputs are the stacked values, the inputs of n and their tangents.
func (d *deriver) linearizedScan(n *ir.Node, s scan, x, t []expr.Value, active, outputs []bool) (y, dy []expr.Value) {
	forward := d.graphOf(func(e *deriver) {
		ps := e.params(s.body.Params)
		e.outputs(e.write(s.body, ps)...)
		e.outputs(ps[:s.Carried]...)
	})
	out := d.All(ir.Scan, s.ScanAttrs, []*ir.Graph{forward}, x...)
	y, history := out[:len(n.Results)], out[len(n.Results):]

	_, xs, xi := parts(s, x)
	tc, ts, ti := parts(s, d.activeTangents(n, t, active))
	ac, as, ai := parts(s, active)
	body := d.graphOf(func(e *deriver) {
		e.reverse = true
		pc, ps, pi := parts(s, s.body.Params)
		dc := e.tangents(pc, ac)
		v, dv := e.params(ps), e.tangents(ps, as)
		c, in, din := e.params(pc), e.params(pi), e.tangents(pi, ai)
		_, dy := e.jvp(s.body, slices.Concat(c, v, in), slices.Concat(dc, dv, din))
		e.outputs(present(e.markedTangents(s.body, dy, outputs))...)
	})
	attrs := s.ScanAttrs
	attrs.Carried, attrs.Shared = len(present(tc)), s.Shared+len(present(ts))
	args := slices.Concat(present(tc), xs, present(ts), history, xi, present(ti))
	return y, spread(d.All(ir.Scan, attrs, []*ir.Graph{body}, args...), outputs)
}

// transposeScan writes a loop from the last step to the first. It carries the cotangents of carried values, and
// the sums of the cotangents of shared values.
func (d *deriver) transposeScan(n *ir.Node, x, ct []expr.Value) []expr.Value {
	s := scanOf(n)
	_, xs, xi := parts(s, x)
	_, ls, li := parts(s, missing(x))
	lc := make([]bool, s.Carried)
	for i := range lc { // carried values are linear even if x has their initial values, which are then zeros
		lc[i] = true
	}
	ct = d.instantiateAll(ct, n.Results)
	body := d.graphOf(func(e *deriver) {
		pc, ps, pi := parts(s, s.body.Params)
		dc := e.params(s.body.Outputs[:s.Carried])
		sums := e.tangents(ps, ls)
		known := func(vs []*ir.Value, linear []bool) []expr.Value { // adds parameters for vs that are not linear
			out := make([]expr.Value, len(vs))
			for i, v := range vs {
				if !linear[i] {
					out[i] = e.param(v.Type)
				}
			}
			return out
		}
		v := known(ps, ls)
		in := known(pi, li)
		dy := e.params(s.body.Outputs[s.Carried:])
		_, dx := e.transposed(s.body, slices.Concat(known(pc, lc), v, in), slices.Concat(dc, dy))
		dxc, dxs, dxi := parts(s, dx)
		e.outputs(e.instantiateAll(dxc, pc)...)
		for i, sum := range sums {
			if sum != nil {
				e.outputs(e.sum(sum, dxs[i]))
			}
		}
		for i, p := range pi {
			if li[i] {
				e.outputs(e.instantiate(dxi[i], p.Type))
			}
		}
	})
	var sums []expr.Value // the initial values of the sums: zeros
	for i, p := range s.body.Params[s.Carried : s.Carried+s.Shared] {
		if ls[i] {
			sums = append(sums, d.instantiate(nil, p.Type))
		}
	}
	attrs := ir.ScanAttrs{Length: s.Length, Carried: s.Carried + len(sums), Shared: len(present(xs)), Reverse: !s.Reverse}
	args := slices.Concat(ct[:s.Carried], sums, present(xs), present(xi), ct[s.Carried:])
	out := d.All(ir.Scan, attrs, []*ir.Graph{body}, args...)
	return slices.Concat(out[:s.Carried], spread(out[s.Carried:attrs.Carried], ls), spread(out[attrs.Carried:], li))
}
