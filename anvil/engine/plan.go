package engine

import (
	"encoding/binary"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A plan lists the operations of the pending graph that one program computes. It has a key for the program:
// equal programs have equal keys. A session has one plan, which it reuses under its lock.
type plan struct {
	epoch     uint64  // increases with each use of the plan; it is the mark of visited nodes
	order     []*node // operations, each after its operands
	leaves    []*node // parameters of the program, in the order in which they were visited
	roots     []*node // results of the program
	ops       int     // the number of operations, including those in regions
	next      int     // the index of the next node to be visited
	key       []byte
	ids       map[any]uint64     // see attrsID
	stop      func(n *node) bool // reports whether a pending operation becomes a parameter; nil means that none does
	rootStart int                // the index of the first node that was visited for the current root
	shared    bool               // the current root needs a node of an earlier root, other than a scalar from the host
	traced    *node              // a visited parameter of a trace, without a value; or nil
}

// begin empties the plan.
func (p *plan) begin() {
	p.epoch++
	clear(p.order)
	clear(p.leaves)
	clear(p.roots)
	p.order, p.leaves, p.roots = p.order[:0], p.leaves[:0], p.roots[:0]
	p.key = p.key[:0]
	p.ops, p.next, p.traced, p.stop = 0, 0, nil, nil
}

// A checkpoint is a state of a plan that restore can return to: the lengths of its lists, its counts, and plan.traced.
type checkpoint struct {
	order, leaves, roots, ops, next, key int
	traced                               *node
}

// checkpoint returns the current state.
func (p *plan) checkpoint() checkpoint {
	return checkpoint{len(p.order), len(p.leaves), len(p.roots), p.ops, p.next, len(p.key), p.traced}
}

// restore removes everything that was added after the checkpoint.
func (p *plan) restore(at checkpoint) {
	for _, n := range p.order[at.order:] {
		n.mark = 0
	}
	for _, n := range p.leaves[at.leaves:] {
		n.mark = 0
	}
	p.order, p.leaves, p.roots = p.order[:at.order], p.leaves[:at.leaves], p.roots[:at.roots]
	p.ops, p.next, p.key, p.traced = at.ops, at.next, p.key[:at.key], at.traced
}

// visit adds n and the nodes that it needs, except those that the plan already has.
func (p *plan) visit(n *node) {
	if n.mark == p.epoch {
		ofEarlierRoot := int(n.index) < p.rootStart
		p.shared = p.shared || ofEarlierRoot && !n.hostScalar()
		return
	}
	isLeaf := !n.pending() || n.code == parameter
	if isLeaf || p.stop != nil && p.stop(n) {
		p.addLeaf(n)
		return
	}
	for _, a := range n.args {
		p.visit(a)
	}
	n.mark, n.index = p.epoch, int32(p.next)
	p.next++
	p.order = append(p.order, n)
	p.key = binary.AppendUvarint(p.key, uint64(n.code)+1)
	if n.code == projection {
		p.key = binary.AppendUvarint(p.key, uint64(n.args[0].index))
		p.key = binary.AppendUvarint(p.key, uint64(n.result))
		return
	}
	p.ops++
	if n.code != ir.HostCall { // programs that call Go functions are run in pieces, so their keys are not used
		p.key = binary.AppendUvarint(p.key, p.attrsID(n.attrs))
	}
	p.key = binary.AppendUvarint(p.key, uint64(len(n.args)))
	for _, a := range n.args {
		p.key = binary.AppendUvarint(p.key, uint64(a.index))
	}
	if n.parts != nil {
		for _, g := range n.parts.regions {
			p.ops += count(g)
			p.addRegionKey(g)
		}
	}
}

// addLeaf adds n as a parameter of the program.
func (p *plan) addLeaf(n *node) {
	n.mark, n.index = p.epoch, int32(p.next)
	p.next++
	p.leaves = append(p.leaves, n)
	p.key = append(p.key, 0, byte(n.typ.DType)) // 0 marks a parameter: operations begin with a greater number
	p.addShapeKey(n.typ.Shape)
	if n.code == parameter && !n.ready.Load() {
		p.traced = n
	}
}

// addShapeKey adds a shape to the key.
func (p *plan) addShapeKey(s shape.Shape) {
	p.key = binary.AppendUvarint(p.key, uint64(len(s)))
	for _, d := range s {
		p.key = binary.AppendUvarint(p.key, uint64(d))
	}
}

// attrsID returns a number that stands for attrs in keys: equal attributes have the same number.
func (p *plan) attrsID(attrs any) uint64 {
	if attrs == nil {
		return 0
	}
	id, ok := p.ids[attrs]
	if !ok {
		id = uint64(len(p.ids)) + 1
		p.ids[attrs] = id
	}
	return id
}

// addRegionKey adds the structure of a region's graph to the key.
func (p *plan) addRegionKey(g *ir.Graph) {
	numbers := make(map[*ir.Value]uint64, len(g.Params)+len(g.Nodes))
	add := func(v *ir.Value) { numbers[v] = uint64(len(numbers)) }
	p.key = binary.AppendUvarint(p.key, uint64(len(g.Params)))
	for _, v := range g.Params {
		add(v)
		p.key = append(p.key, byte(v.Type.DType))
		p.addShapeKey(v.Type.Shape)
	}
	p.key = binary.AppendUvarint(p.key, uint64(len(g.Nodes)))
	for _, n := range g.Nodes {
		p.key = binary.AppendUvarint(p.key, uint64(n.Code)+1)
		if n.Code != ir.HostCall {
			p.key = binary.AppendUvarint(p.key, p.attrsID(n.Attrs))
		}
		p.key = binary.AppendUvarint(p.key, uint64(len(n.Args)))
		for _, a := range n.Args {
			p.key = binary.AppendUvarint(p.key, numbers[a])
		}
		for _, r := range n.Regions {
			p.addRegionKey(r)
		}
		for _, v := range n.Results {
			add(v)
		}
	}
	p.key = binary.AppendUvarint(p.key, uint64(len(g.Outputs)))
	for _, v := range g.Outputs {
		p.key = binary.AppendUvarint(p.key, numbers[v])
	}
}

// root visits n and makes it a result of the program.
func (p *plan) root(n *node) {
	p.rootStart, p.shared = p.next, false
	p.visit(n)
	p.roots = append(p.roots, n)
}

// keepIntermediate adds to the results of the program the intermediate values that would otherwise be computed again.
// These are the values marked by Array.Keep, and the values made before the last look that an operation made after it
// uses. A look is the computation of a value that is about to be read (see recent). lastLook is the serial of the last
// operation before the last look.
func (p *plan) keepIntermediate(lastLook uint64) {
	for _, n := range p.order {
		if n.keep.Load() && n.parts == nil && !slices.Contains(p.roots, n) {
			p.roots = append(p.roots, n)
		}
		if n.serial <= lastLook {
			continue
		}
		for _, a := range n.args {
			computed := a.mark == p.epoch && a.pending() && a.code != parameter // by this program
			if computed && a.serial <= lastLook && a.parts == nil && !slices.Contains(p.roots, a) && !p.tooLarge(a) {
				p.roots = append(p.roots, a)
			}
		}
	}
}

// smallResult is the size in bytes up to which a value that was not requested may always become a result.
const smallResult = 64 << 20

// tooLarge reports whether n is too large to become a result without being requested: larger than smallResult and
// more than twice as large as each parameter of the program. So a value as large as a parameter, such as the updated
// value of that parameter, is never too large.
func (p *plan) tooLarge(n *node) bool {
	if n.typ.Within(smallResult) {
		return false
	}
	for _, l := range p.leaves {
		if n.typ.Within(2 * l.typ.Bytes()) {
			return false
		}
	}
	return true
}

// finishKey adds the results and the device to the key.
func (p *plan) finishKey(device int) {
	p.key = append(p.key, 0, byte(dtype.Invalid)) // marks the end of the nodes: no parameter has this dtype
	p.key = binary.AppendUvarint(p.key, uint64(len(p.roots)))
	for _, n := range p.roots {
		p.key = binary.AppendUvarint(p.key, uint64(n.index))
	}
	p.key = binary.AppendUvarint(p.key, uint64(device))
}

// graph returns the program as a graph whose parameters are the leaves in order.
func (p *plan) graph(name string) *ir.Graph {
	g := &ir.Graph{Name: name}
	values := make([]*ir.Value, p.next)
	for _, n := range p.leaves {
		values[n.index] = g.Param(n.typ)
		values[n.index].Ambiguous = n.ambiguous.Load()
	}
	tuples := map[*node]*ir.Node{}
	for _, n := range p.order {
		if n.code == projection {
			values[n.index] = tuples[n.args[0]].Results[n.result]
			values[n.index].Ambiguous = n.ambiguous.Load()
			continue
		}
		args := make([]*ir.Value, len(n.args))
		for i, a := range n.args {
			args[i] = values[a.index]
		}
		if n.parts != nil {
			tuples[n] = g.Add(n.code, n.attrs, n.parts.regions, args, n.parts.results...)
			tuples[n].Scope = n.scope
			continue
		}
		m := g.Add(n.code, n.attrs, nil, args, n.typ)
		m.Of, m.Scope = n.of, n.scope
		values[n.index] = m.Results[0]
		values[n.index].Ambiguous = n.ambiguous.Load()
	}
	for _, n := range p.roots {
		g.Outputs = append(g.Outputs, values[n.index])
	}
	return g
}
