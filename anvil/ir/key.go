package ir

import (
	"encoding/binary"
	"fmt"

	"github.com/goanvil/notebook/anvil/shape"
)

// A Keyed attribute appends a key that differs from those of all other values of its
// type.
type Keyed interface {
	AppendKey(dst []byte) []byte
}

// AppendKey appends the key of g to dst: the types of the parameters, and for each node
// the code, the attributes, the numbers of its operands, and the regions. Two graphs have
// the same key if and only if they have the same nodes in the same order; names and the
// ambiguity flag do not count. AppendKey does not allocate if dst has room.
func AppendKey(dst []byte, g *Graph) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(g.Params)))
	for _, p := range g.Params {
		dst = appendType(dst, p.Type)
	}
	dst = binary.AppendUvarint(dst, uint64(len(g.Nodes)))
	for i, n := range g.Nodes {
		dst = appendNode(dst, g, n, i)
	}
	return appendValues(dst, g, g.Outputs, len(g.Nodes))
}

// Key returns the key of g; see AppendKey.
func Key(g *Graph) string { return string(AppendKey(nil, g)) }

func appendNode(dst []byte, g *Graph, n *Node, at int) []byte {
	dst = binary.AppendUvarint(dst, uint64(n.Code))
	dst = appendValues(dst, g, n.Args, at)
	// The types of results follow from code, attributes and operands. Their number
	// does not.
	dst = append(dst, byte(len(n.Results)))
	switch a := n.Attrs.(type) {
	case nil:
	case Keyed:
		dst = a.AppendKey(dst)
	default:
		dst = fmt.Appendf(dst, "%#v", a)
	}
	dst = append(dst, byte(len(n.Regions)))
	for _, r := range n.Regions {
		dst = AppendKey(dst, r)
	}
	return dst
}

func appendType(dst []byte, t shape.Type) []byte {
	dst = append(dst, byte(t.DType), byte(len(t.Shape)))
	for _, n := range t.Shape {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	return dst
}

// appendValues appends the numbers of vs, relative to the node at position at: for a
// parameter 2*index; for a result 1 + 2*distance, where distance is the number of nodes
// from its node to at, and its index.
func appendValues(dst []byte, g *Graph, vs []*Value, at int) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(vs)))
	for _, v := range vs {
		if v.Node == nil {
			dst = binary.AppendUvarint(dst, uint64(v.Index)<<1)
			continue
		}
		dst = binary.AppendUvarint(dst, uint64(distance(g, v.Node, at))<<1|1)
		dst = binary.AppendUvarint(dst, uint64(v.Index))
	}
	return dst
}

// distance returns the number of positions from n to position at, or 0 if n is not
// before at.
func distance(g *Graph, n *Node, at int) int {
	if n.at < at && g.Nodes[n.at] == n {
		return at - n.at
	}
	for i := at - 1; i >= 0; i-- {
		if g.Nodes[i] == n {
			return at - i
		}
	}
	return 0
}
