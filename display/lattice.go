package display

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A LatticeDrawing is the Hasse diagram of a system: an arrow leads from each dtype to the next dtypes that
// it is promoted to. It may show the paths from two or more operands to their join.
type LatticeDrawing struct {
	System  *promote.System
	nodes   []string
	up      map[string][]string // the arrows
	from    []string            // the nodes of the operands
	meet    string              // the node where they meet, or ""
	explain promote.Explanation // of the operands
	path    map[[2]string]bool  // the arrows that they climb
	derived bool                // the system has no lattice of its own
}

// Lattice returns the diagram of a system. With operands (see System.Result) it also shows their paths to the
// join: display.Lattice(promote.JAX, a, b). The diagram of a system without a lattice of its own is derived
// from its joins: b lies above a if a with b gives b.
func Lattice(s *promote.System, xs ...any) LatticeDrawing {
	l := LatticeDrawing{System: s, path: map[[2]string]bool{}, derived: s.Lattice() == nil}
	if len(xs) > 0 {
		l.explain = s.Explain(xs...)
	}
	if l.derived {
		l.derive()
	} else {
		l.cut()
	}
	l.climb()
	return l
}

// cut copies the system's own lattice, keeping the nodes of its tables, the kinds without a
// width, and the operands' nodes.
func (l *LatticeDrawing) cut() {
	own := l.System.Lattice()
	for _, x := range l.explain.Operands {
		if t, err := l.System.Join(x, x); err == nil { // the dtype that the system reads x as: i64 may be i32
			x.DType = t.DType
		}
		if i, ok := own.Node(x.Typed); ok {
			l.from = append(l.from, own.Nodes()[i])
		}
	}
	above := map[string][]string{}
	for _, n := range own.Nodes() {
		if d, named := promote.Named(n); !named || slices.Contains(l.System.DTypes(), d) || slices.Contains(l.from, n) {
			l.nodes = append(l.nodes, n)
		}
		above[n] = closure(own, n)
	}
	l.cover(func(a, b string) bool { return slices.Contains(above[a], b) })
}

// closure returns all nodes above node.
func closure(own *promote.Lattice, node string) (all []string) {
	for todo := own.Above(node); len(todo) > 0; todo = todo[1:] {
		if !slices.Contains(all, todo[0]) {
			all = append(all, todo[0])
			todo = append(todo, own.Above(todo[0])...)
		}
	}
	return all
}

// derive orders the dtypes by the system's join: b lies above a if a with b gives b.
func (l *LatticeDrawing) derive() {
	ds := l.System.DTypes()
	for _, x := range l.explain.Operands {
		if !slices.Contains(ds, x.DType) {
			ds = append(ds, x.DType)
		}
		l.from = append(l.from, x.DType.String())
	}
	byName := map[string]dtype.DType{}
	for _, d := range ds {
		l.nodes = append(l.nodes, d.String())
		byName[d.String()] = d
	}
	l.cover(func(a, b string) bool {
		if a == b {
			return false
		}
		x, y := promote.Operand{Typed: promote.Known(byName[a]), Rank: 1}, promote.Operand{Typed: promote.Known(byName[b]), Rank: 1}
		t, err := l.System.Join(x, y)
		return err == nil && t.DType == byName[b]
	})
}

// cover sets l.up to the arrows between neighbours of an order.
func (l *LatticeDrawing) cover(below func(a, b string) bool) {
	l.up = map[string][]string{}
	for _, a := range l.nodes {
		for _, b := range l.nodes {
			between := func(c string) bool { return below(a, c) && below(c, b) }
			if below(a, b) && !slices.ContainsFunc(l.nodes, between) {
				l.up[a] = append(l.up[a], b)
			}
		}
	}
}

// climb finds the node where the operands meet, and a shortest path to it from each.
func (l *LatticeDrawing) climb() {
	if len(l.from) < len(l.explain.Operands) || len(l.from) < 2 || l.explain.Err != nil {
		return
	}
	if l.meet = l.meeting(); l.meet == "" {
		return
	}
	for _, n := range l.from {
		way := l.way(n, l.meet)
		for i := range max(0, len(way)-1) {
			l.path[[2]string{way[i], way[i+1]}] = true
		}
	}
}

// meeting returns the lowest node that all operands reach, or "" if it is not their common dtype: PyTorch
// compares ranks before it follows a lattice. A derived order may have no lowest node; then meeting returns
// the common dtype itself.
func (l *LatticeDrawing) meeting() string {
	var common []string
	for _, n := range l.nodes {
		if !slices.ContainsFunc(l.from, func(f string) bool { return l.way(f, n) == nil }) {
			common = append(common, n)
		}
	}
	for _, n := range common {
		lowest := !slices.ContainsFunc(common, func(c string) bool { return l.way(n, c) == nil })
		if (lowest || l.derived) && l.isResult(n) {
			return n
		}
	}
	return ""
}

// isResult reports whether the node is the operands' common dtype, or its kind if that is
// ambiguous.
func (l *LatticeDrawing) isResult(node string) bool {
	d, named := promote.Named(node)
	return d == l.explain.Result.DType || !named && l.explain.Result.Ambiguous
}

// way returns the nodes of a shortest path up from a to b, or nil if there is none.
func (l *LatticeDrawing) way(a, b string) []string {
	seen := map[string]bool{a: true}
	for ways := [][]string{{a}}; len(ways) > 0; ways = ways[1:] {
		way := ways[0]
		at := way[len(way)-1]
		if at == b {
			return way
		}
		for _, next := range l.up[at] {
			if !seen[next] {
				seen[next] = true
				ways = append(ways, append(slices.Clone(way), next))
			}
		}
	}
	return nil
}

// title returns a title with the meeting point of the operands.
func (l LatticeDrawing) title() string {
	s := l.System.Name() + ": an arrow leads to the next dtype up"
	if l.derived {
		s += ", as its results imply"
	}
	if len(l.explain.Operands) == 0 {
		return s
	}
	return s + "; " + l.explain.Title()
}

// ways describes the path of each operand.
func (l LatticeDrawing) ways() (lines []string) {
	switch {
	case len(l.explain.Operands) < 2:
		return nil
	case l.meet == "":
		return []string{"the arrows do not lead there: " + l.explain.Reason()}
	}
	for i, n := range l.from {
		line := l.explain.Operands[i].String() + " climbs " + strings.Join(l.way(n, l.meet), " -> ")
		if n == l.meet {
			line = l.explain.Operands[i].String() + " is there already: " + n
		}
		lines = append(lines, line)
	}
	return lines
}

// String returns the title and the arrows.
func (l LatticeDrawing) String() string {
	lines := append([]string{l.title()}, l.ways()...)
	for _, n := range l.nodes {
		lines = append(lines, l.arrows(n)...)
	}
	if len(l.path) > 0 {
		lines = append(lines, "(=> is on the way to the join)")
	}
	return strings.Join(lines, "\n")
}

// arrows returns the arrows from a node as text. Arrows on the paths of operands have a line of their own.
func (l LatticeDrawing) arrows(n string) []string {
	var climbed, others string
	for _, b := range l.up[n] {
		if l.path[[2]string{n, b}] {
			climbed += " " + b
		} else {
			others += " " + b
		}
	}
	var lines []string
	if climbed != "" {
		lines = append(lines, "  "+n+" =>"+climbed)
	}
	switch {
	case others != "":
		lines = append(lines, "  "+n+" ->"+others)
	case climbed == "":
		lines = append(lines, "  "+n)
	}
	return lines
}

// Display returns the drawing, with a picture of it and the arrows in words.
func (l LatticeDrawing) Display() Bundle {
	d := l.drawing()
	return textBundle(l.String()).withSVG(l.svg(d)).withPNG(d.png())
}

// drawing lays the diagram out, each node below the nodes that are promoted to it.
func (l LatticeDrawing) drawing() *drawing {
	d, made := &drawing{}, map[string]*box{}
	for _, n := range l.sorted() {
		var after []*box
		for _, below := range l.nodes {
			if slices.Contains(l.up[below], n) {
				after = append(after, made[below])
			}
		}
		b := d.add(n, !slices.ContainsFunc(l.from, func(f string) bool { return f == n }), after)
		b.heavy = n == l.meet || slices.Contains(l.from, n)
		for _, o := range after {
			d.edges = append(d.edges, edge{from: o, to: b, heavy: l.path[[2]string{o.label, n}]})
		}
		made[n] = b
	}
	d.place()
	return d
}

// sorted returns the nodes so that each comes after those below it.
func (l LatticeDrawing) sorted() []string {
	var done []string
	ready := func(n string) bool {
		return !slices.ContainsFunc(l.nodes, func(b string) bool { return slices.Contains(l.up[b], n) && !slices.Contains(done, b) })
	}
	for range l.nodes {
		for _, n := range l.nodes {
			if !slices.Contains(done, n) && ready(n) {
				done = append(done, n)
			}
		}
	}
	return done
}

// svg returns the drawing with its title. Arrows that operands climb are heavy.
func (l LatticeDrawing) svg(d *drawing) string {
	drawn := d.svg()
	head, rest, _ := strings.Cut(drawn, ">")
	return head + ` role="img">` + fmt.Sprintf("<title>%s</title>", escape(strings.Join(append([]string{l.title()}, l.ways()...), "; "))) + rest
}
