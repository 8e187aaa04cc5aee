package ir

// Prune removes the nodes that no output of g needs, and returns g. It keeps host calls, which may have side
// effects.
func Prune(g *Graph) *Graph {
	needed := make(map[*Node]bool, len(g.Nodes))
	for _, o := range g.Outputs {
		if o.Node != nil {
			needed[o.Node] = true
		}
	}
	first := len(g.Nodes)
	for i := len(g.Nodes) - 1; i >= 0; i-- {
		n := g.Nodes[i]
		if !needed[n] && !callsHost(n) {
			continue
		}
		needed[n] = true
		for _, a := range n.Args {
			if a.Node != nil {
				needed[a.Node] = true
			}
		}
		first--
		g.Nodes[first] = n
	}
	g.Nodes = append([]*Node(nil), g.Nodes[first:]...)
	return g
}

// callsHost reports whether n or a node of its regions is a host call.
func callsHost(n *Node) bool {
	if n.Code == HostCall {
		return true
	}
	for _, r := range n.Regions {
		for _, m := range r.Nodes {
			if callsHost(m) {
				return true
			}
		}
	}
	return false
}
