package engine

import (
	"encoding/binary"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A plan is the part of the pending graph that one program computes, in order, and its key: equal programs
// have equal keys. A session has one plan, used under its lock.
type plan struct {
	epoch  uint64  // number of the plan; nodes that it has visited have it as their mark
	order  []*node // operations, operands first
	leaves []*node // parameters of the program, in the order in which they were visited
	roots  []*node // results of the program
	ops    int
	next   int // number of the next node
	key    []byte
	ids    map[any]uint64     // numbers of attributes
	stop   func(n *node) bool // reports pending nodes that become parameters; nil: none
	from   int                // number of the first node of the root that is being visited
	shared bool               // that root needs a node of an earlier root
	traced *node              // a visited parameter without a value, or nil
}

func (p *plan) begin() {
	p.epoch++
	clear(p.order)
	clear(p.leaves)
	clear(p.roots)
	p.order, p.leaves, p.roots = p.order[:0], p.leaves[:0], p.roots[:0]
	p.key = p.key[:0]
	p.ops, p.next, p.traced, p.stop = 0, 0, nil, nil
}

// A place is a state of a plan that back can restore.
type place struct{ order, leaves, roots, ops, next, key int }

func (p *plan) place() place {
	return place{len(p.order), len(p.leaves), len(p.roots), p.ops, p.next, len(p.key)}
}

// back undoes what was added after at.
func (p *plan) back(at place) {
	for _, n := range p.order[at.order:] {
		n.mark = 0
	}
	for _, n := range p.leaves[at.leaves:] {
		n.mark = 0
	}
	p.order, p.leaves, p.roots = p.order[:at.order], p.leaves[:at.leaves], p.roots[:at.roots]
	p.ops, p.next, p.key = at.ops, at.next, p.key[:at.key]
}

// visit adds n and all nodes that it needs, unless the plan has them.
func (p *plan) visit(n *node) {
	if n.mark == p.epoch {
		p.shared = p.shared || int(n.index) < p.from && !n.hostScalar()
		return
	}
	if !n.pending() || n.code == parameter || p.stop != nil && p.stop(n) {
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
	if n.code != ir.HostCall { // a program with host calls is not compiled as a whole
		p.key = binary.AppendUvarint(p.key, p.id(n.attrs))
	}
	p.key = binary.AppendUvarint(p.key, uint64(len(n.args)))
	for _, a := range n.args {
		p.key = binary.AppendUvarint(p.key, uint64(a.index))
	}
	if n.parts != nil {
		for _, g := range n.parts.regions {
			p.ops += count(g)
			p.region(g)
		}
	}
}

func (p *plan) addLeaf(n *node) {
	n.mark, n.index = p.epoch, int32(p.next)
	p.next++
	p.leaves = append(p.leaves, n)
	p.key = append(p.key, 0, byte(n.typ.DType))
	p.shape(n.typ.Shape)
	if n.code == parameter && !n.ready.Load() {
		p.traced = n
	}
}

func (p *plan) shape(s shape.Shape) {
	p.key = binary.AppendUvarint(p.key, uint64(len(s)))
	for _, d := range s {
		p.key = binary.AppendUvarint(p.key, uint64(d))
	}
}

// id returns a number that is the same for equal attributes.
func (p *plan) id(attrs any) uint64 {
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

// region adds the structure of a region's graph to the key.
func (p *plan) region(g *ir.Graph) {
	numbers := make(map[*ir.Value]uint64, len(g.Params)+len(g.Nodes))
	add := func(v *ir.Value) { numbers[v] = uint64(len(numbers)) }
	p.key = binary.AppendUvarint(p.key, uint64(len(g.Params)))
	for _, v := range g.Params {
		add(v)
		p.key = append(p.key, byte(v.Type.DType))
		p.shape(v.Type.Shape)
	}
	p.key = binary.AppendUvarint(p.key, uint64(len(g.Nodes)))
	for _, n := range g.Nodes {
		p.key = binary.AppendUvarint(p.key, uint64(n.Code)+1)
		if n.Code != ir.HostCall {
			p.key = binary.AppendUvarint(p.key, p.id(n.Attrs))
		}
		p.key = binary.AppendUvarint(p.key, uint64(len(n.Args)))
		for _, a := range n.Args {
			p.key = binary.AppendUvarint(p.key, numbers[a])
		}
		for _, r := range n.Regions {
			p.region(r)
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
	p.from, p.shared = p.next, false
	p.visit(n)
	p.roots = append(p.roots, n)
}

// keepIntermediate turns intermediate values that would otherwise be computed again into results of the
// program: those that a loop needs in its next step, and those from before the last look that newer
// operations have as operands.
func (p *plan) keepIntermediate(before uint64) {
	for _, n := range p.order {
		if n.keep.Load() && n.parts == nil && !contains(p.roots, n) {
			p.roots = append(p.roots, n)
		}
		if n.serial <= before {
			continue
		}
		for _, a := range n.args {
			if a.serial <= before && a.mark == p.epoch && a.pending() && a.code != parameter && !contains(p.roots, a) && a.parts == nil && !p.outgrows(a) {
				p.roots = append(p.roots, a)
			}
		}
	}
}

// smallResult is the number of bytes up to which a result that was not requested may always be kept.
const smallResult = 64 << 20

// outgrows reports whether n is larger than smallResult and than twice each parameter of the program: too
// large to keep without a request. The update of a parameter never is.
func (p *plan) outgrows(n *node) bool {
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

// finish adds the results and the device to the key.
func (p *plan) finish(device int) {
	p.key = binary.AppendUvarint(p.key, 0)
	p.key = binary.AppendUvarint(p.key, 0) // no dtype: the results follow
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
		made := g.Add(n.code, n.attrs, nil, args, n.typ)
		made.Of, made.Scope = n.of, n.scope
		values[n.index] = made.Results[0]
		values[n.index].Ambiguous = n.ambiguous.Load()
	}
	for _, n := range p.roots {
		g.Outputs = append(g.Outputs, values[n.index])
	}
	return g
}
