// Package ir defines programs: graphs whose nodes are operations with their operands, in execution order.
package ir

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Value is a parameter of a graph or a result of a node.
type Value struct {
	Type      shape.Type
	Ambiguous bool  // whether "?" follows the dtype in printed types; does not affect results
	Node      *Node // nil for a parameter
	Index     int   // the index among the results of Node, or among the parameters
}

// A Node is one operation with its operands. Attrs has its static attributes (axes,
// slice bounds, a comparison's direction) as a comparable struct type of the operation,
// or nil. Regions has the bodies of If, While and others.
type Node struct {
	Code    Code
	Args    []*Value
	Attrs   any
	Regions []*Graph
	Results []*Value
	Of      Code  // the operation whose derivative the node is part of, or Invalid
	Scope   Scope // the layer that has the node in its computation or in its derivative
}

// A Graph is a program. Nodes are in execution order: operands come first.
type Graph struct {
	Name    string
	Params  []*Value
	Names   []string // the names of Params in drawings, "" for those without; may be nil
	Nodes   []*Node
	Outputs []*Value
}

// Param adds a parameter of type t.
func (g *Graph) Param(t shape.Type) *Value {
	v := &Value{Type: t, Index: len(g.Params)}
	g.Params = append(g.Params, v)
	return v
}

// Add appends a node whose results have the given types.
func (g *Graph) Add(code Code, attrs any, regions []*Graph, args []*Value, results ...shape.Type) *Node {
	n := &Node{Code: code, Args: args, Attrs: attrs, Regions: regions}
	n.Results = make([]*Value, len(results))
	for i, t := range results {
		n.Results[i] = &Value{Type: t, Node: n, Index: i}
	}
	g.Nodes = append(g.Nodes, n)
	return n
}

// DType returns the dtype of v.
func (v *Value) DType() dtype.DType { return v.Type.DType }

// Shape returns the shape of v.
func (v *Value) Shape() shape.Shape { return v.Type.Shape }
