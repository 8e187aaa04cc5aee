// Package ir is the program form that everything else speaks: a graph of
// nodes in execution order, each an operation's code with its operands.
package ir

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Value is a tensor that a graph takes or makes.
type Value struct {
	Type      shape.Type
	Ambiguous bool  // for people to see; no part of what is computed
	Node      *Node // nil for a parameter
	Index     int   // which result of Node, or which parameter
}

// A Node is one operation with its operands. Attrs holds what is static about
// it (axes, slice bounds, a comparison's direction) as a comparable struct of
// the operation's own, or nil; Regions holds the bodies of If and While.
type Node struct {
	Code    Code
	Args    []*Value
	Attrs   any
	Regions []*Graph
	Results []*Value

	at int // where Graph.Add put it; a hint for AppendKey
}

// A Graph is a program: Nodes in an order in which operands come first.
type Graph struct {
	Name    string
	Params  []*Value
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
	n := &Node{Code: code, Args: args, Attrs: attrs, Regions: regions, at: len(g.Nodes)}
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
