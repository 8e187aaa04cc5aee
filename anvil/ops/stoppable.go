package ops

import (
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Stoppable returns a copy of g with one more parameter, stop, which has n elements of i32, where n is a power of two.
// A loop of the copy ends early once the elements of stop are not 0; otherwise the copy computes the same as g.
// looped reports for each result whether it depends on a loop. If g has no loops, Stoppable returns g and nil.
//
// Each step of a loop tests another element of stop, so that a compiler cannot read a single element once before the
// loop.
func Stoppable(g *ir.Graph, n int) (stoppable *ir.Graph, looped []bool) {
	if !hasLoop(g) {
		return g, nil
	}
	s := &stopping{stopType: shape.Type{DType: dtype.I32, Shape: shape.Shape{n}}}
	return s.copy(g, s.stopType), dependOnLoops(g)
}

// dependOnLoops reports for each result of g whether it depends on a loop.
func dependOnLoops(g *ir.Graph) []bool {
	depends := map[*ir.Value]bool{}
	for _, n := range g.Nodes {
		if isLoop(n) || slices.ContainsFunc(n.Args, func(v *ir.Value) bool { return depends[v] }) {
			for _, v := range n.Results {
				depends[v] = true
			}
		}
	}
	looped := make([]bool, len(g.Outputs))
	for i, v := range g.Outputs {
		looped[i] = depends[v]
	}
	return looped
}

func hasLoop(g *ir.Graph) bool { return slices.ContainsFunc(g.Nodes, isLoop) }

// isLoop reports whether n is a loop or contains one.
func isLoop(n *ir.Node) bool {
	return n.Code == ir.While || n.Code == ir.Scan || slices.ContainsFunc(n.Regions, hasLoop)
}

// A stopping makes loops test the parameter stop, of type stopType (see Stoppable).
type stopping struct{ stopType shape.Type }

// counterType is the type of a loop's step counter.
var counterType = shape.Type{DType: dtype.I32}

// copy returns a copy of g with additional parameters of the types more, of which the first is stop. The loops of the
// copy test stop.
func (s *stopping) copy(g *ir.Graph, more ...shape.Type) *ir.Graph {
	out := &ir.Graph{Name: g.Name}
	for _, v := range g.Params {
		out.Param(v.Type)
	}
	for _, t := range more {
		out.Param(t)
	}
	stop := out.Params[len(g.Params)]
	out.Outputs = copied(g, out.Params, func(n *ir.Node, args []*ir.Value) []*ir.Value {
		return s.addNode(out, n, args, stop)
	})
	return out
}

// copied copies the nodes of g and returns the copies of g's outputs. args are the values of g's parameters. For each
// node, it calls add, which must add a copy of the node with the given operands and return the results of the copy.
func copied(g *ir.Graph, args []*ir.Value, add func(n *ir.Node, args []*ir.Value) []*ir.Value) []*ir.Value {
	values := make(map[*ir.Value]*ir.Value, len(g.Params)+len(g.Nodes))
	for i, v := range g.Params {
		values[v] = args[i]
	}
	for _, n := range g.Nodes {
		results := add(n, mapped(values, n.Args)) // may have further results, which stopping adds to loops
		for i, v := range n.Results {
			values[v] = results[i]
		}
	}
	return mapped(values, g.Outputs)
}

// mapped returns values[v] for each v of vs.
func mapped(values map[*ir.Value]*ir.Value, vs []*ir.Value) []*ir.Value {
	all := make([]*ir.Value, len(vs))
	for i, v := range vs {
		all[i] = values[v]
	}
	return all
}

// addNode adds a copy of n to g, with args as its operands, and returns the results of the copy. Loops in the copy test
// stop.
func (s *stopping) addNode(g *ir.Graph, n *ir.Node, args []*ir.Value, stop *ir.Value) []*ir.Value {
	switch n.Code {
	case ir.While:
		return s.addLoop(g, n, args, stop)
	case ir.Scan:
		return copied(WhileOfScan(n), args, func(n *ir.Node, args []*ir.Value) []*ir.Value {
			return s.addNode(g, n, args, stop)
		})
	}
	regions := n.Regions
	if slices.ContainsFunc(regions, hasLoop) {
		regions = nil
		for _, r := range n.Regions {
			regions = append(regions, s.copy(r, s.stopType))
		}
		args = append(args, stop)
	}
	return g.Add(n.Code, n.Attrs, regions, args, typesOf(n.Results)...).Results
}

// addLoop adds a copy of the While n to g that tests stop. To count the steps, it uses a value that n carries, or
// adds one if there is no such value.
func (s *stopping) addLoop(g *ir.Graph, n *ir.Node, args []*ir.Value, stop *ir.Value) []*ir.Value {
	types, step := append(typesOf(n.Results), s.stopType), stepCounter(n.Regions[1])
	args = append(args, stop)
	more := []shape.Type{s.stopType}
	if step < 0 {
		step = len(args)
		zero := expr.On(g, Infer).Number(0, dtype.I32).(*ir.Value)
		args, types, more = append(args, zero), append(types, counterType), append(more, counterType)
	}
	regions := []*ir.Graph{s.cond(n.Regions[0], step, more), s.body(n.Regions[1], more)}
	return g.Add(ir.While, n.Attrs, regions, args, types...).Results
}

// stepCounter returns the index of a parameter of a loop's body that counts steps: an i32 to which each step adds
// the same value. It returns -1 if there is no such parameter. The added value must not be a constant 0, for then the
// index of the tested element would not vary. An added value that is not a constant may be 0 when the program runs,
// since the compiler cannot know that.
func stepCounter(body *ir.Graph) int {
	return slices.IndexFunc(body.Params, func(v *ir.Value) bool {
		n := body.Outputs[v.Index].Node
		if n == nil || n.Code != ir.Add || !v.Type.Equal(counterType) || n.Args[0] != v {
			return false
		}
		added := n.Args[1]
		if added.Node == nil {
			return added != v && body.Outputs[added.Index] == added // a parameter that does not change
		}
		c, ok := added.Node.Attrs.(ir.ConstantAttrs)
		return ok && strings.Trim(c.Data, "\x00") != ""
	})
}

// cond returns the condition g of a loop, extended to be false when the loop must stop. It tests the element of stop
// whose index is the step counter modulo the number of elements. The step counter is parameter number step. more are
// the types of the added parameters: stop, and perhaps a step counter.
func (s *stopping) cond(g *ir.Graph, step int, more []shape.Type) *ir.Graph {
	out := s.copy(g, more...)
	b := expr.On(out, Infer)
	stop, at := out.Params[len(g.Params)], out.Params[step]
	seen := b.Reshape(b.DynamicSlice(stop, 0, b.And(at, s.stopType.Shape[0]-1), 1))
	out.Outputs = []*ir.Value{b.And(out.Outputs[0], b.Eq(seen, 0)).(*ir.Value)}
	return out
}

// body returns the body g of a loop, extended to carry values of the types more: stop, and perhaps a step counter.
func (s *stopping) body(g *ir.Graph, more []shape.Type) *ir.Graph {
	out := s.copy(g, more...)
	added := out.Params[len(g.Params):]
	out.Outputs = append(out.Outputs, added[0])
	if len(added) > 1 {
		next := expr.On(out, Infer).Add(added[1], 1)
		out.Outputs = append(out.Outputs, next.(*ir.Value))
	}
	return out
}
