package display

import (
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A LatticeDrawing is the Hasse diagram of a system: arrows lead from each dtype to the next higher dtypes, those that
// it can be promoted to. The diagram may also show the paths from two or more operands to their join, the lowest dtype
// that all of them can be promoted to.
type LatticeDrawing struct {
	System  *promote.System
	nodes   []string
	up      map[string][]string // the next higher nodes of each node
	from    []string            // the nodes of the operands
	join    string              // the node where the paths of the operands meet, or ""
	explain promote.Explanation // of the operands
	path    map[[2]string]bool  // the arrows on the paths of the operands: {from, to}
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
		l.restrict()
	}
	l.findPaths()
	return l
}

// restrict sets the nodes and arrows to a part of the system's own lattice: the dtypes of the system's tables, the
// nodes i*, f* and c*, which have no width, and the operands' nodes.
func (l *LatticeDrawing) restrict() {
	own := l.System.Lattice()
	for _, x := range l.explain.Operands {
		if t, err := l.System.Join(x, x); err == nil { // a system may treat i64 as i32, as JAX does by default
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
		above[n] = allAbove(own, n)
	}
	l.setArrows(func(a, b string) bool { return slices.Contains(above[a], b) })
}

// allAbove returns all nodes above node, directly or not.
func allAbove(lattice *promote.Lattice, node string) (all []string) {
	for todo := lattice.Above(node); len(todo) > 0; todo = todo[1:] {
		if !slices.Contains(all, todo[0]) {
			all = append(all, todo[0])
			todo = append(todo, lattice.Above(todo[0])...)
		}
	}
	return all
}

// derive sets the nodes and arrows from the system's joins; see Lattice.
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
	l.setArrows(func(a, b string) bool {
		if a == b {
			return false
		}
		x := promote.Operand{Typed: promote.Known(byName[a]), Rank: 1}
		y := promote.Operand{Typed: promote.Known(byName[b]), Rank: 1}
		t, err := l.System.Join(x, y)
		return err == nil && t.DType == byName[b]
	})
}

// setArrows sets l.up. below(a, b) reports whether a is below b. An arrow leads from a to b if a is below b and no node
// lies between them.
func (l *LatticeDrawing) setArrows(below func(a, b string) bool) {
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

// findPaths sets l.join, and sets l.path to the arrows on a shortest path from each operand to the join. It does
// nothing if there are fewer than two operands, an operand has no node, or the operands have no common dtype.
func (l *LatticeDrawing) findPaths() {
	if len(l.from) < len(l.explain.Operands) || len(l.from) < 2 || l.explain.Err != nil {
		return
	}
	if l.join = l.findJoin(); l.join == "" {
		return
	}
	for _, n := range l.from {
		path := l.shortestPath(n, l.join)
		for i := range len(path) - 1 {
			l.path[[2]string{path[i], path[i+1]}] = true
		}
	}
}

// findJoin returns the lowest node that can be reached from all operands. It returns "" if that node is not the common
// dtype of the operands: PyTorch, for example, compares ranks before it follows a lattice. In a derived order there may
// be no lowest node, so findJoin returns the common dtype if it can be reached.
func (l *LatticeDrawing) findJoin() string {
	var common []string
	for _, n := range l.nodes {
		if !slices.ContainsFunc(l.from, func(f string) bool { return l.shortestPath(f, n) == nil }) {
			common = append(common, n)
		}
	}
	for _, n := range common {
		lowest := !slices.ContainsFunc(common, func(c string) bool { return l.shortestPath(n, c) == nil })
		if (lowest || l.derived) && l.isResult(n) {
			return n
		}
	}
	return ""
}

// isResult reports whether node is the operands' common dtype. If that is ambiguous, the nodes i*, f* and c* are
// results too.
func (l *LatticeDrawing) isResult(node string) bool {
	d, named := promote.Named(node)
	return d == l.explain.Result.DType || !named && l.explain.Result.Ambiguous
}

// shortestPath returns the nodes of a shortest path up from a to b, or nil if there is none.
func (l *LatticeDrawing) shortestPath(a, b string) []string {
	seen := map[string]bool{a: true}
	for queue := [][]string{{a}}; len(queue) > 0; queue = queue[1:] {
		path := queue[0]
		last := path[len(path)-1]
		if last == b {
			return path
		}
		for _, next := range l.up[last] {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, append(slices.Clone(path), next))
			}
		}
	}
	return nil
}

// title names the system, and the operands and their common dtype if there are operands.
func (l LatticeDrawing) title() string {
	s := l.System.Name() + ": an arrow leads to the next higher dtype"
	if l.derived {
		s += ", derived from the results"
	}
	if len(l.explain.Operands) == 0 {
		return s
	}
	return s + "; " + l.explain.Title()
}

// describePaths returns a line for the path of each operand, or the reason why there are no paths.
func (l LatticeDrawing) describePaths() (lines []string) {
	switch {
	case len(l.explain.Operands) < 2:
		return nil
	case l.join == "":
		return []string{"the arrows do not lead to the result: " + l.explain.Reason()}
	}
	for i, n := range l.from {
		line := l.explain.Operands[i].String() + " climbs " + strings.Join(l.shortestPath(n, l.join), " -> ")
		if n == l.join {
			line = l.explain.Operands[i].String() + " is already at the join " + n
		}
		lines = append(lines, line)
	}
	return lines
}

// String returns the title and the arrows.
func (l LatticeDrawing) String() string {
	lines := append([]string{l.title()}, l.describePaths()...)
	for _, n := range l.nodes {
		lines = append(lines, l.arrows(n)...)
	}
	if len(l.path) > 0 {
		lines = append(lines, "(=> is on the way to the join)")
	}
	return strings.Join(lines, "\n")
}

// arrows returns the arrows from node n as lines of text. The arrows on the paths of operands stand on a separate line.
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

// Display returns the diagram as text, as SVG and as PNG.
func (l LatticeDrawing) Display() Bundle {
	d := l.drawing()
	return TextBundle(l.String()).withSVG(l.svg(d)).withPNG(d.png())
}

// drawing lays out the diagram from top to bottom: a node stands below the nodes whose arrows lead to it.
func (l LatticeDrawing) drawing() *drawing {
	d, boxes := &drawing{}, map[string]*box{}
	for _, n := range l.sorted() {
		var lower []*box // the boxes of the nodes whose arrows lead to n
		for _, a := range l.nodes {
			if slices.Contains(l.up[a], n) {
				lower = append(lower, boxes[a])
			}
		}
		isOperand := slices.Contains(l.from, n)
		b := d.add(n, !isOperand, lower)
		b.heavy = n == l.join || isOperand
		for _, a := range lower {
			d.edges = append(d.edges, edge{from: a, to: b, heavy: l.path[[2]string{a.label, n}]})
		}
		boxes[n] = b
	}
	d.place()
	return d
}

// sorted returns the nodes in an order in which each node follows all nodes below it.
func (l LatticeDrawing) sorted() []string {
	var done []string
	ready := func(n string) bool {
		return !slices.ContainsFunc(l.nodes, func(a string) bool {
			return slices.Contains(l.up[a], n) && !slices.Contains(done, a)
		})
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

// svg returns the drawing with a title that describes the paths.
func (l LatticeDrawing) svg(d *drawing) string {
	head, rest, _ := strings.Cut(d.svg(), ">")
	title := strings.Join(append([]string{l.title()}, l.describePaths()...), "; ")
	return head + ` role="img"><title>` + escape(title) + "</title>" + rest
}
