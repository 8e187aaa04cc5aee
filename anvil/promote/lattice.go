package promote

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Lattice is a partial order of dtypes, written as a Hasse diagram: one line
// "node -> nodes right above it" for each node. Besides dtypes it may hold the
// nodes i*, f* and c*: an ambiguous integer, float or complex of no width.
//
// The join of two nodes is their least upper bound: with U(n) all nodes that
// can be reached upwards from n, and n itself, it is the one node of
// U(a) ∩ U(b) from which all the others of that set can be reached. Where there
// is no such node the two have no join.
type Lattice struct {
	nodes []string
	up    [][]int  // the edges
	above []uint64 // U, as a set of nodes
	joins []uint8  // by a*len(nodes)+b; none where there is no join
	node  [2][256]uint8
	typed []dtype.Typed
}

const none = 255

// kindNodes are the nodes of ambiguous dtypes, by kind.
var kindNodes = map[string]dtype.Kind{"i*": dtype.Integral, "f*": dtype.Floating, "c*": dtype.Complex}

// NewLattice returns the lattice of a Hasse diagram. It panics where a line is
// not of the form given above: a lattice is a literal of the program.
func NewLattice(hasse string) *Lattice {
	l := &Lattice{}
	index := map[string]int{}
	at := func(name string) int {
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
				i, j := at(name), at(above)
				l.up[i] = append(l.up[i], j)
			}
			at(name)
		}
	}
	l.close()
	l.place()
	return l
}

// close computes what lies above each node, and every join.
func (l *Lattice) close() {
	n := len(l.nodes)
	if n > 64 {
		panic(fmt.Sprintf("promote: a lattice of %d nodes", n))
	}
	l.above = make([]uint64, n)
	for i := range l.nodes {
		l.above[i] = l.climb(i, 0)
	}
	l.joins = make([]uint8, n*n)
	for a := range n {
		for b := range n {
			l.joins[a*n+b] = l.least(l.above[a] & l.above[b])
		}
	}
}

func (l *Lattice) climb(i int, seen uint64) uint64 {
	seen |= 1 << i
	for _, j := range l.up[i] {
		if seen&(1<<j) == 0 {
			seen = l.climb(j, seen)
		}
	}
	return seen
}

// least returns the node of the set from which all of it can be reached.
func (l *Lattice) least(set uint64) uint8 {
	for s := set; s != 0; s &= s - 1 {
		if i := bits.TrailingZeros64(s); set&^l.above[i] == 0 {
			return uint8(i)
		}
	}
	return none
}

// place finds the node of every dtype, known and ambiguous.
func (l *Lattice) place() {
	for f := range l.node {
		for d := range l.node[f] {
			l.node[f][d] = none
		}
	}
	l.typed = make([]dtype.Typed, len(l.nodes))
	for i, name := range l.nodes {
		if kind, ok := kindNodes[name]; ok {
			l.typed[i].Ambiguous = true
			l.placeKind(uint8(i), kind)
			continue
		}
		d := named(name)
		l.typed[i].DType, l.node[0][d] = d, uint8(i)
	}
	if b := l.node[0][dtype.I1]; b != none {
		l.node[1][dtype.I1] = b // an ambiguous bool is a bool
	}
}

func (l *Lattice) placeKind(i uint8, kind dtype.Kind) {
	for _, d := range everyDType {
		if d.Is(kind) {
			l.node[1][d] = i
		}
	}
}

// Node returns the node of t and whether there is one.
func (l *Lattice) Node(t dtype.Typed) (int, bool) {
	i := l.at(t)
	return int(i), i != none
}

func (l *Lattice) at(t dtype.Typed) uint8 {
	if t.Ambiguous {
		return l.node[1][t.DType]
	}
	return l.node[0][t.DType]
}

// join returns the node that is the join of two, or none.
func (l *Lattice) join(a, b uint8) uint8 {
	if a == none || b == none {
		return none
	}
	return l.joins[int(a)*len(l.nodes)+int(b)]
}

// Join returns the least upper bound of two dtypes and whether there is one. A
// result without a dtype is one of the nodes i*, f* and c*.
func (l *Lattice) Join(a, b dtype.Typed) (node string, ok bool) {
	j := l.join(l.at(a), l.at(b))
	if j == none {
		return "", false
	}
	return l.nodes[j], true
}

// joinAll returns the node that is the join of all of ts, or none. Other than a
// fold in pairs it does not depend on their order.
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

// joinDTypes is Join for two known dtypes; Invalid where they have none.
func (l *Lattice) joinDTypes(a, b dtype.DType) dtype.DType {
	j := l.join(l.node[0][a], l.node[0][b])
	if j == none {
		return dtype.Invalid
	}
	return l.typed[j].DType
}

// Nodes returns the names of the nodes, in the order of the diagram.
func (l *Lattice) Nodes() []string { return append([]string(nil), l.nodes...) }

// Above returns the names of the nodes right above one: the edges of the diagram.
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

// everyDType is every dtype, foreign ones too.
var everyDType = append(dtype.All(), dtype.Foreign()...)

var byName = func() map[string]dtype.DType {
	m := make(map[string]dtype.DType, len(everyDType))
	for _, d := range everyDType {
		m[d.String()] = d
	}
	return m
}()

// Named returns the dtype of that short name, foreign ones too, and whether
// there is one.
func Named(name string) (dtype.DType, bool) {
	d, ok := byName[name]
	return d, ok
}

// named is Named for names known to be right.
func named(name string) dtype.DType {
	d, ok := byName[name]
	if !ok {
		panic("promote: no dtype " + name)
	}
	return d
}
