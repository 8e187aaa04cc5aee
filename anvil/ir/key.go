package ir

import (
	"encoding/binary"
	"fmt"

	"github.com/goanvil/notebook/anvil/shape"
)

// A Keyed attribute appends what tells it from all others of its type.
type Keyed interface {
	AppendKey(dst []byte) []byte
}

// AppendKey appends to dst what determines the program that g is: the types of
// its parameters, and of each node the code, the attributes, which values its
// operands are, and the regions. Names and the ambiguity flag are no part of
// it. Two graphs have one key exactly if they are the same program, node for
// node. Nothing is allocated if dst has room.
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

// Key returns AppendKey's bytes as a string.
func Key(g *Graph) string { return string(AppendKey(nil, g)) }

func appendNode(dst []byte, g *Graph, n *Node, at int) []byte {
	dst = binary.AppendUvarint(dst, uint64(n.Code))
	dst = appendValues(dst, g, n.Args, at)
	// Types follow from code, attributes and operands, all but for how many
	// results there are.
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

// appendValues appends which values of g vs are, seen from the node at at: a
// parameter as 2 times its number, a result as 1 + 2 times how many nodes back
// it was made, and which of the node's results it is.
func appendValues(dst []byte, g *Graph, vs []*Value, at int) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(vs)))
	for _, v := range vs {
		if v.Node == nil {
			dst = binary.AppendUvarint(dst, uint64(v.Index)<<1)
			continue
		}
		dst = binary.AppendUvarint(dst, uint64(back(g, v.Node, at))<<1|1)
		dst = binary.AppendUvarint(dst, uint64(v.Index))
	}
	return dst
}

// back returns how many nodes before position at n stands; 0 if it is not among
// them.
func back(g *Graph, n *Node, at int) int {
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
