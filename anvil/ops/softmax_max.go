package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// SoftmaxMaxima returns the maxima of floats in g that are used only to keep
// exponentials from overflowing, as in a softmax:
//
//	e = exp(x - max(x)), where only sum(e) and e / sum(e) are used.
//
// Such a maximum need not be NaN if x has a NaN: the sum and the quotients are NaN
// whatever the maximum is.
func SoftmaxMaxima(g *ir.Graph) (found []*ir.Node) {
	var users map[*ir.Value][]*ir.Node
	for _, n := range g.Nodes {
		if n.Code != ir.ReduceMax || !n.Args[0].Type.DType.Is(dtype.Floating) {
			continue
		}
		if users == nil {
			users = usersIn(g)
		}
		if s := (softmaxCandidate{n, users}); s.isSoftmax() {
			found = append(found, n)
		}
	}
	return found
}

// usersIn returns, for each value, the nodes that have it as an operand. A nil node means that the
// value is a result of g.
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

// A softmaxCandidate is a maximum that may be the maximum of a softmax.
type softmaxCandidate struct {
	max   *ir.Node
	users map[*ir.Value][]*ir.Node
}

// isSoftmax reports whether the maximum is used only as in a softmax.
func (s softmaxCandidate) isSoftmax() bool {
	wide := s.broadcastBack(s.max)
	if wide == nil {
		return false
	}
	sub := s.onlyUser(wide, ir.Sub)
	if sub == nil || sub.Args[0] != s.max.Args[0] || sub.Args[1] != wide {
		return false
	}
	exp := s.onlyUser(sub.Results[0], ir.Exp)
	return exp != nil && s.onlySummed(exp.Results[0])
}

// onlySummed reports whether e is used only in sums along the axes of the maximum,
// and in quotients e / sum.
func (s softmaxCandidate) onlySummed(e *ir.Value) bool {
	isSum := func(n *ir.Node) bool { return n != nil && n.Code == ir.ReduceSum && n.Attrs == s.max.Attrs }
	var sum *ir.Value // broadcast back; nil if the sum is used in another way
	for _, n := range s.users[e] {
		if isSum(n) {
			sum = s.broadcastBack(n)
		}
	}
	for _, n := range s.users[e] {
		isQuotient := n != nil && n.Code == ir.Div && n.Args[0] == e && n.Args[1] == sum && sum != nil
		if !isSum(n) && !isQuotient {
			return false
		}
	}
	return len(s.users[e]) > 0
}

// onlyUser returns the node that uses v if there is a single one, with code c, and otherwise nil.
func (s softmaxCandidate) onlyUser(v *ir.Value, c ir.Code) *ir.Node {
	if us := s.users[v]; len(us) == 1 && us[0] != nil && us[0].Code == c {
		return us[0]
	}
	return nil
}

// broadcastBack returns the value in which the result of a reduction is repeated along the reduced axes, in the
// shape of the reduction's operand. It returns nil if the result is used in any other way.
func (s softmaxCandidate) broadcastBack(reduced *ir.Node) *ir.Value {
	x, axes, v := reduced.Args[0].Type.Shape, reduced.Attrs.(ir.AxesAttrs).Axes, reduced.Results[0]
	for n := s.onlyUser(v, ir.Reshape); n != nil; n = s.onlyUser(v, ir.Reshape) {
		v = n.Results[0]
	}
	n := s.onlyUser(v, ir.BroadcastInDim)
	if n == nil || !n.Results[0].Type.Shape.Equal(x) {
		return nil
	}
	at := n.Attrs.(ir.BroadcastAttrs).Axes.Ints()
	for i, axis := range at { // the axes must keep their order, and none longer than 1 may become a reduced axis
		if v.Type.Shape[i] != 1 && axes.Has(axis) || i > 0 && at[i-1] > axis {
			return nil
		}
	}
	return n.Results[0]
}
