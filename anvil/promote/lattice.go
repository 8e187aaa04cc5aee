package promote

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Lattice is a partial order of dtypes, written as a Hasse diagram: a line
// "node -> nodes directly above it" for each node. The nodes i*, f* and c* are the
// ambiguous integers, floats and complex numbers, which have no width.
//
// The join of two nodes is their least upper bound. Let U(n) be the set of n and
// all nodes above it: the join of a and b is the node of U(a) ∩ U(b) below all
// others of that set. If there is no such node, a and b have no join.
type Lattice struct {
	nodes []string
	up    [][]int       // the edges: for each node, the nodes directly above it
	above []uint64      // for each node n, the set U(n), as a bit set
	joins []uint8       // at a*len(nodes)+b, the join of a and b, or none
	node  [2][256]uint8 // the nodes of known dtypes (node[0]) and of ambiguous ones (node[1])
	typed []dtype.Typed // the dtype of each node; for i*, f* and c*, Ambiguous without a DType
}

const none = 255 // stands for no node

// kindNodes maps the nodes of ambiguous dtypes to the kinds of the dtypes.
var kindNodes = map[string]dtype.Kind{"i*": dtype.Integral, "f*": dtype.Floating, "c*": dtype.Complex}

// NewLattice returns the lattice of a Hasse diagram. It panics if a name is neither a
// dtype nor i*, f* or c*, or if there are more than 64 nodes.
func NewLattice(hasse string) *Lattice {
	l := &Lattice{}
	index := map[string]int{}
	nodeIndex := func(name string) int { // adds the node at the first call with its name
		if i, ok := index[name]; ok {
			return i
		}
		index[name] = len(l.nodes)
		l.nodes, l.up = append(l.nodes, name), append(l.up, nil)
		return index[name]
	}
	for line := range strings.Lines(hasse) {
		from, to, _ := strings.Cut(line, "->")
		for _, name := range strings.Fields(from) {
			for _, above := range strings.Fields(to) {
				i, j := nodeIndex(name), nodeIndex(above)
				l.up[i] = append(l.up[i], j)
			}
			nodeIndex(name) // adds a node that has no node above it
		}
	}
	l.computeJoins()
	l.placeDTypes()
	return l
}

// computeJoins fills in above and joins.
func (l *Lattice) computeJoins() {
	n := len(l.nodes)
	if n > 64 {
		panic(fmt.Sprintf("promote: a lattice of %d nodes; at most 64 are supported", n))
	}
	l.above = make([]uint64, n)
	for i := range l.nodes {
		l.above[i] = l.reach(i, 0)
	}
	l.joins = make([]uint8, n*n)
	for a := range n {
		for b := range n {
			l.joins[a*n+b] = l.least(l.above[a] & l.above[b])
		}
	}
}

// reach returns the set seen with i and all nodes above i added.
func (l *Lattice) reach(i int, seen uint64) uint64 {
	seen |= 1 << i
	for _, j := range l.up[i] {
		if seen&(1<<j) == 0 {
			seen = l.reach(j, seen)
		}
	}
	return seen
}

// least returns the node of set that is below all other nodes of set, or none.
func (l *Lattice) least(set uint64) uint8 {
	for s := set; s != 0; s &= s - 1 { // removes the lowest bit
		if i := bits.TrailingZeros64(s); set&^l.above[i] == 0 {
			return uint8(i)
		}
	}
	return none
}

// placeDTypes fills in node and typed.
func (l *Lattice) placeDTypes() {
	for flag := range l.node {
		for d := range l.node[flag] {
			l.node[flag][d] = none
		}
	}
	l.typed = make([]dtype.Typed, len(l.nodes))
	for i, name := range l.nodes {
		if kind, ok := kindNodes[name]; ok {
			l.typed[i].Ambiguous = true
			for _, d := range everyDType {
				if d.Is(kind) {
					l.node[1][d] = uint8(i)
				}
			}
			continue
		}
		d := mustNamed(name)
		l.typed[i].DType, l.node[0][d] = d, uint8(i)
	}
	if b := l.node[0][dtype.I1]; b != none {
		l.node[1][dtype.I1] = b // an ambiguous bool has the node of a known one
	}
}

// Node returns the node of t; ok is false if there is none.
func (l *Lattice) Node(t dtype.Typed) (i int, ok bool) {
	n := l.at(t)
	return int(n), n != none
}

// at returns the node of t, or none.
func (l *Lattice) at(t dtype.Typed) uint8 {
	if t.Ambiguous {
		return l.node[1][t.DType]
	}
	return l.node[0][t.DType]
}

// join returns the join of two nodes, or none.
func (l *Lattice) join(a, b uint8) uint8 {
	if a == none || b == none {
		return none
	}
	return l.joins[int(a)*len(l.nodes)+int(b)]
}

// Join returns the name of the least upper bound of two dtypes: a dtype, or i*, f*
// or c*; ok is false if there is none.
func (l *Lattice) Join(a, b dtype.Typed) (node string, ok bool) {
	j := l.join(l.at(a), l.at(b))
	if j == none {
		return "", false
	}
	return l.nodes[j], true
}

// joinAll returns the join of all of ts, or none. Unlike a fold in pairs it does
// not depend on their order.
func (l *Lattice) joinAll(ts []dtype.Typed) uint8 {
	set := ^uint64(0)
	for _, t := range ts {
		i := l.at(t)
		if i == none {
			return none
		}
		set &= l.above[i]
	}
	return l.least(set)
}

// joinDTypes returns the join of two known dtypes, or Invalid.
func (l *Lattice) joinDTypes(a, b dtype.DType) dtype.DType {
	j := l.join(l.node[0][a], l.node[0][b])
	if j == none {
		return dtype.Invalid
	}
	return l.typed[j].DType
}

// Nodes returns the names of the nodes, in the order of the diagram.
func (l *Lattice) Nodes() []string { return append([]string(nil), l.nodes...) }

// Above returns the names of the nodes directly above node, in the order of the
// diagram.
func (l *Lattice) Above(node string) []string {
	var names []string
	for i, n := range l.nodes {
		if n == node {
			for _, j := range l.up[i] {
				names = append(names, l.nodes[j])
			}
		}
	}
	return names
}

// path returns the names of the nodes on a shortest path from one node up to another,
// or nil if there is no path. Of several shortest paths it returns the first in the order of
// the diagram.
func (l *Lattice) path(from, to uint8) (names []string) {
	previous := map[int]int{int(from): -1} // breadth-first search
	for queue := []int{int(from)}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at == int(to) {
			for ; at >= 0; at = previous[at] {
				names = append(names, l.nodes[at])
			}
			slices.Reverse(names)
			return names
		}
		for _, up := range l.up[at] {
			if _, seen := previous[up]; !seen {
				previous[up] = at
				queue = append(queue, up)
			}
		}
	}
	return nil
}
