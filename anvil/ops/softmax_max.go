package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// Shifts returns the maxima of floats in g that are only there to keep
// exponentials from overflowing, as in a softmax:
//
//	e = exp(x - max(x)), and of e nothing but sum(e) and e / sum(e) is used.
//
// What such a maximum is where x has a NaN is of no account: the sum is NaN then,
// and all that comes of it. Kernels that pass over NaN may compute it.
func Shifts(g *ir.Graph) (found []*ir.Node) {
	var users map[*ir.Value][]*ir.Node
	for _, n := range g.Nodes {
		if n.Code != ir.ReduceMax || !n.Args[0].Type.DType.Is(dtype.Floating) {
			continue
		}
		if users == nil {
			users = usersIn(g)
		}
		if s := (topped{n, users}); s.holds() {
			found = append(found, n)
		}
	}
	return found
}

// usersIn returns the nodes that have each value as an operand, and nil, which is
// no node, for each result of g.
func usersIn(g *ir.Graph) map[*ir.Value][]*ir.Node {
	users := map[*ir.Value][]*ir.Node{}
	for _, n := range g.Nodes {
		for _, a := range n.Args {
			users[a] = append(users[a], n)
		}
	}
	for _, v := range g.Outputs {
		users[v] = append(users[v], nil)
	}
	return users
}

// A topped is a maximum that may be one.
type topped struct {
	max   *ir.Node
	users map[*ir.Value][]*ir.Node
}

func (s topped) holds() bool {
	spread := s.spread(s.max)
	if spread == nil {
		return false
	}
	sub := s.only(spread, ir.Sub)
	if sub == nil || sub.Args[0] != s.max.Args[0] || sub.Args[1] != spread {
		return false
	}
	exp := s.only(sub.Results[0], ir.Exp)
	return exp != nil && s.onlySummed(exp.Results[0])
}

// onlySummed reports whether e is used for nothing but its sums along the axes of
// the maximum, and quotients by these.
func (s topped) onlySummed(e *ir.Value) bool {
	var sum *ir.Value
	for _, n := range s.users[e] {
		if n != nil && n.Code == ir.ReduceSum && n.Attrs == s.max.Attrs {
			sum = s.spread(n)
		}
	}
	for _, n := range s.users[e] {
		summed := n != nil && n.Code == ir.ReduceSum && n.Attrs == s.max.Attrs
		divided := n != nil && n.Code == ir.Div && n.Args[0] == e && n.Args[1] == sum && sum != nil
		if !summed && !divided {
			return false
		}
	}
	return len(s.users[e]) > 0
}

// only returns the single user of v, of that code, or nil.
func (s topped) only(v *ir.Value, c ir.Code) *ir.Node {
	if us := s.users[v]; len(us) == 1 && us[0] != nil && us[0].Code == c {
		return us[0]
	}
	return nil
}

// spread returns the value of a reduction repeated for all elements that were
// reduced to it, in their places; nil where its result is used in another way.
func (s topped) spread(reduced *ir.Node) *ir.Value {
	x, axes, v := reduced.Args[0].Type.Shape, reduced.Attrs.(ir.AxesAttrs).Axes, reduced.Results[0]
	for n := s.only(v, ir.Reshape); n != nil; n = s.only(v, ir.Reshape) {
		v = n.Results[0]
	}
	n := s.only(v, ir.BroadcastInDim)
	if n == nil || !n.Results[0].Type.Shape.Equal(x) || v.Type.Shape.Size() != reduced.Results[0].Type.Shape.Size() {
		return nil
	}
	at := n.Attrs.(ir.BroadcastAttrs).Axes.Ints()
	for i, axis := range at {
		if v.Type.Shape[i] != 1 && axes.Has(axis) || i > 0 && at[i-1] > axis {
			return nil
		}
	}
	return n.Results[0]
}
