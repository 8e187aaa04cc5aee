package ir

// Inline returns g with each call replaced by the nodes of its body, also in regions,
// or g itself if it has no calls.
func Inline(g *Graph) *Graph {
	if !hasCall(g) {
		return g
	}
	out := &Graph{Name: g.Name}
	values := make(map[*Value]*Value, len(g.Params)+len(g.Nodes))
	for _, p := range g.Params {
		q := out.Param(p.Type)
		q.Ambiguous = p.Ambiguous
		values[p] = q
	}
	out.Outputs = inlineInto(out, g, values)
	return Prune(out)
}

// inlineInto adds copies of the nodes of g to out, and returns the copies of g's outputs. values maps values of g to
// values of out: at first it has g's parameters, and inlineInto adds the results of g's nodes.
func inlineInto(out, g *Graph, values map[*Value]*Value) []*Value {
	for _, n := range g.Nodes {
		args := valuesOf(values, n.Args)
		if n.Code == Call {
			body := n.Regions[0]
			inner := make(map[*Value]*Value, len(body.Params)+len(body.Nodes))
			for i, p := range body.Params {
				inner[p] = args[i]
			}
			for i, v := range inlineInto(out, body, inner) {
				values[n.Results[i]] = v
			}
			continue
		}
		regions := make([]*Graph, len(n.Regions))
		for i, r := range n.Regions {
			regions[i] = Inline(r)
		}
		m := &Node{Code: n.Code, Args: args, Attrs: n.Attrs, Regions: regions, Results: make([]*Value, len(n.Results)),
			Of: n.Of, Scope: n.Scope}
		for i, r := range n.Results {
			m.Results[i] = &Value{Type: r.Type, Ambiguous: r.Ambiguous, Node: m, Index: i}
			values[r] = m.Results[i]
		}
		out.Nodes = append(out.Nodes, m)
	}
	return valuesOf(values, g.Outputs)
}

// valuesOf returns values[v] for each v of vs.
func valuesOf(values map[*Value]*Value, vs []*Value) []*Value {
	out := make([]*Value, len(vs))
	for i, v := range vs {
		out[i] = values[v]
	}
	return out
}

// hasCall reports whether g or a region in it has a call.
func hasCall(g *Graph) bool {
	for _, n := range g.Nodes {
		if n.Code == Call {
			return true
		}
		for _, r := range n.Regions {
			if hasCall(r) {
				return true
			}
		}
	}
	return false
}
