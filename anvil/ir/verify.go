package ir

import (
	"fmt"

	"github.com/goanvil/notebook/anvil/shape"
)

// Verify returns an error unless g is well formed: each operand and output is a parameter
// of g or the result of an earlier node, regions use no values of the enclosing graph,
// and each result has the type that infer returns.
func Verify(g *Graph, infer func(n *Node) ([]shape.Type, error)) error {
	known := make(map[*Value]bool, len(g.Params)+len(g.Nodes))
	for i, p := range g.Params {
		if p.Node != nil || p.Index != i {
			return fmt.Errorf("%s: parameter %d has a node or a wrong index", g.label(), i)
		}
		known[p] = true
	}
	for i, n := range g.Nodes {
		if err := verifyNode(n, known, infer); err != nil {
			return fmt.Errorf("%s: node %d: %w", g.label(), i, err)
		}
		for _, r := range n.Results {
			known[r] = true
		}
	}
	for i, v := range g.Outputs {
		if !known[v] {
			return fmt.Errorf("%s: output %d is not a value of this graph", g.label(), i)
		}
	}
	return nil
}

// label returns "graph" and the name of g, for errors.
func (g *Graph) label() string {
	if g.Name == "" {
		return "graph"
	}
	return "graph " + g.Name
}

// verifyNode verifies n, whose operands must be among the known values.
func verifyNode(n *Node, known map[*Value]bool, infer func(n *Node) ([]shape.Type, error)) error {
	for i, a := range n.Args {
		if !known[a] {
			return fmt.Errorf("%s: operand %d is used before it is defined", n.Code, i)
		}
	}
	for _, r := range n.Regions {
		if err := Verify(r, infer); err != nil {
			return fmt.Errorf("%s: %w", n.Code, err)
		}
	}
	types, err := infer(n)
	if err != nil {
		return err
	}
	if len(types) != len(n.Results) {
		return fmt.Errorf("%s: has %d results, want %d", n.Code, len(n.Results), len(types))
	}
	for i, t := range types {
		if r := n.Results[i]; !r.Type.Equal(t) {
			return fmt.Errorf("%s: result %d is %v, want %v", n.Code, i, r.Type, t)
		}
		if r := n.Results[i]; r.Node != n || r.Index != i {
			return fmt.Errorf("%s: result %d has a wrong node or index", n.Code, i)
		}
	}
	return nil
}
