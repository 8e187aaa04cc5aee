package promote

import (
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

var climbRule = Rule{"climb", "up the edges of the lattice, from what an operand is to the node where all of them meet"}

// climb returns the steps by which nodes of the lattice come to the one that is
// their join: a shortest way up for each that does not stand there.
func (j jax) climb(xs []uint8, join uint8) (steps []Step) {
	if join == none {
		return nil
	}
	seen := map[uint8]bool{join: true}
	for _, x := range xs {
		if seen[x] || x == none {
			continue
		}
		seen[x] = true
		way := j.lattice.way(x, join)
		steps = append(steps, Step{strings.Join(way, " -> "), j.typedNode(join), climbRule})
	}
	return steps
}

// typedNode returns what a node of the lattice is: of a kind, its default, weak.
func (j jax) typedNode(node uint8) dtype.Typed {
	t := j.lattice.typed[node]
	if t.Ambiguous {
		return weak(j.canonical(jaxKinds[j.lattice.nodes[node]]))
	}
	return t
}

// way returns the names of the nodes on a shortest way up, the first of equals
// in the order of the diagram.
func (l *Lattice) way(from, to uint8) []string {
	before := map[int]int{int(from): -1}
	for todo := []int{int(from)}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		if at == int(to) {
			return l.back(before, at)
		}
		for _, up := range l.up[at] {
			if _, been := before[up]; !been {
				before[up] = at
				todo = append(todo, up)
			}
		}
	}
	return nil
}

func (l *Lattice) back(before map[int]int, at int) (names []string) {
	for ; at >= 0; at = before[at] {
		names = append([]string{l.nodes[at]}, names...)
	}
	return names
}
