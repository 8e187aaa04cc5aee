package engine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// A Trace turns a function into a program: the function is called with parameters, which have no values unless
// ParamOf made them, and its operations are added to the pending graph. The program has the operations that the
// function's results need, down to the parameters and to arrays that are older than the trace.
type Trace struct {
	s       *Session
	start   uint64 // nodes with a smaller serial are older than the trace
	params  []*node
	faults  []Fault
	effects []*node // nodes that must run whether or not the results need them, in order
	done    atomic.Bool
}

// A Fault is a bool scalar of a trace. A run of the program fails with Err if it is true.
type Fault struct {
	When Array
	Err  error
}

// Trace returns the innermost trace that has a parameter on which a depends, or nil.
func (a Array) Trace() *Trace { return a.n.trace }

// AddFault adds a fault to t.
func (t *Trace) AddFault(f Fault) { t.faults = append(t.faults, f) }

// Faults returns the faults of t.
func (t *Trace) Faults() []Fault { return t.faults }

// NewTrace begins a trace inside those that have not ended.
func (s *Session) NewTrace() *Trace { return &Trace{s: s, start: s.serial.Add(1)} }

// Param returns a new parameter of type ty.
func (t *Trace) Param(ty shape.Type) Array {
	n := &node{typ: ty, code: parameter, device: anyDevice, trace: t, serial: t.s.serial.Add(1)}
	t.params = append(t.params, n)
	return Array{n}
}

// ParamOf is Param with the type of a. During the call of the function, the parameter has the value of a:
// it and results computed from it can be read. The program accepts any value.
func (t *Trace) ParamOf(a Array) Array {
	p := t.Param(a.Type())
	p.n.twin = t.s.withValue(a.n)
	return p
}

// withValue returns the node with the value of n: n itself if it belongs to no trace. If n depends on parameters
// that have values, withValue returns the same operations on these values. If a parameter has no value, it
// returns nil.
func (s *Session) withValue(n *node) *node {
	if n.trace == nil {
		return n
	}
	s.twinsMu.Lock()
	defer s.twinsMu.Unlock()
	return s.withValueLocked(n)
}

// withValueLocked is withValue for a caller that holds s.twinsMu.
func (s *Session) withValueLocked(n *node) *node {
	switch {
	case n.trace == nil:
		return n
	case n.twin != nil || n.code == parameter || n.code == ir.HostCall:
		return n.twin
	}
	args := make([]Array, len(n.args))
	for i, a := range n.args {
		if args[i].n = s.withValueLocked(a); args[i].n == nil {
			return nil
		}
	}
	m := &node{typ: n.typ, code: n.code, attrs: n.attrs, result: n.result, parts: n.parts}
	if m.parts != nil {
		for _, g := range m.parts.regions {
			m.cost += int32(count(g))
		}
	}
	if s.link(m, args) != nil {
		return nil
	}
	m.scope = n.scope
	n.twin = m
	return m
}

// A Program is a traced function. The parameters of its graph are those of the trace, followed by Captured:
// the other arrays that the function used.
type Program struct {
	Graph    *ir.Graph
	Captured []Array
	s        *Session
	key      []byte
	inPieces bool // it calls the host, so that it runs in pieces
}

// Finish returns the program that computes outs. Afterwards, using an array that
// depends on a parameter of t is an error.
func (t *Trace) Finish(name string, outs []Array) (*Program, error) {
	defer t.done.Store(true)
	s := t.s
	if err := s.lock(); err != nil {
		return nil, err
	}
	defer s.unlock()
	p := &s.plan
	p.begin()
	p.stop = func(n *node) bool { return n.serial < t.start }
	for _, n := range t.params {
		p.addLeaf(n)
	}
	for _, n := range t.effects {
		p.visit(n)
	}
	for _, a := range outs {
		p.root(a.n)
	}
	for _, n := range p.order {
		n.used.Store(true) // so that no look computes them: see Session.addUnused
	}
	prog := &Program{s: s, Graph: p.graph(name)}
	prog.inPieces = callsHost(prog.Graph)
	for _, n := range p.leaves[len(t.params):] {
		if n.trace != nil && n.trace.done.Load() {
			return nil, errEscaped
		}
		prog.Captured = append(prog.Captured, Array{n})
	}
	p.finishKey(0)
	key := sha256.Sum256(p.key) // a short key, since each call copies and compares it
	prog.key = key[:]
	return prog, nil
}

// OlderThan reports whether a was made before t began.
func (a Array) OlderThan(t *Trace) bool { return a.n.serial < t.start }

// AppendKey appends the program's key to dst: equal programs have equal keys within a
// session, unless they call the host.
func (p *Program) AppendKey(dst []byte) []byte { return append(dst, p.key...) }

// CallsHost reports whether the program calls Go functions. Its key does not tell which ones.
func (p *Program) CallsHost() bool { return p.inPieces }

// Within reports whether t is outer or began inside it.
func (t *Trace) Within(outer *Trace) bool { return t.start >= outer.start }

// Call launches the program on args and returns its results.
func (p *Program) Call(args ...Array) ([]Array, error) { return p.CallWith(args, p.Captured) }

// CallWith is Call with other arrays of the same types instead of p.Captured.
func (p *Program) CallWith(args, captured []Array) ([]Array, error) {
	s := p.s
	all := append(append(make([]Array, 0, len(args)+len(captured)), args...), captured...)
	if err := s.Force(all...); err != nil {
		return nil, err
	}
	if p.inPieces {
		return s.inPieces(p.Graph, all)
	}
	wanted := int16(anyDevice)
	leaves := make([]*node, len(all))
	for i, a := range all {
		leaves[i] = a.n
		var err error
		if wanted, err = s.commonDevice(wanted, a.n); err != nil {
			return nil, err
		}
	}
	c := &call{program: p, leaves: leaves, wanted: wanted, device: s.orDefault(int(wanted))}
	return c.run(s)
}

// A call is one call of a Program.
type call struct {
	program *Program
	leaves  []*node
	wanted  int16 // the device on which results are placed, or anyDevice
	device  int   // the device that runs the program
	donated []int // indices of leaves that are given away
	aliases []stablehlo.Alias
}

// run compiles the program if it is new, and launches it.
func (c *call) run(s *Session) ([]Array, error) {
	if err := s.lock(); err != nil {
		return nil, err
	}
	var err error
	if c.donated, err = s.donatedIndices(c.leaves); err != nil {
		s.unlock()
		return nil, err
	}
	c.aliases = aliases(c.program.Graph, c.donated)
	key := append(s.plan.key[:0], c.program.key...)
	key = append(binary.AppendUvarint(key, uint64(c.device)), 'j') // makes the key different from that of any plan
	s.plan.key = appendAliases(key, c.aliases)
	program := s.programs.find(s.plan.key)
	ctx := s.options.Interrupt()
	if program != nil {
		defer s.unlock()
		s.hits.Add(1)
		return c.execute(ctx, s, program)
	}
	j := &job{device: c.device, key: string(s.plan.key), graph: c.program.Graph, aliases: c.aliases}
	s.unlock()
	if s.compile(ctx, j); j.err != nil {
		return nil, j.err
	}
	if err := s.lock(); err != nil {
		return nil, err
	}
	defer s.unlock()
	return c.execute(ctx, s, j.compiled)
}

// execute launches program, which is c.program compiled, and returns its results. The caller
// holds the session's lock.
func (c *call) execute(ctx context.Context, s *Session, program *compiled) ([]Array, error) {
	if len(c.aliases) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.finishing.Store(true)
		defer s.finishing.Store(false)
	}
	out, err := s.execute(ctx, program, c.leaves, c.device)
	if err == nil || len(c.aliases) > 0 { // a run that failed may have overwritten the memory
		program.giveAway(c.leaves, c.donated)
	}
	if err != nil {
		return nil, err
	}
	results := make([]Array, len(out))
	recipe := c.recipe(s)
	for i, v := range c.program.Graph.Outputs {
		n := &node{typ: v.Type, device: c.wanted, serial: s.serial.Add(1), result: int32(i), recipe: recipe}
		n.hold(out[i], c.device)
		results[i] = Array{n}
	}
	clear(out)
	return results, nil
}

// recipe returns the recipe of the results, or nil if it is not kept.
func (c *call) recipe(s *Session) *recipe {
	added := s.recipes.add(c.leaves, 1)
	if added == nil {
		return nil
	}
	r := &added[0]
	r.code, r.args, r.graph = ir.Call, c.leaves, c.program.Graph
	return r
}

// Inline applies the operations of g to args and returns its outputs. If operations are watched, a NaN that
// arises in g is an error only if an output has a NaN.
func (s *Session) Inline(g *ir.Graph, args ...Array) ([]Array, error) {
	return s.runPieces(g, args, true)
}

// Share gives programs one common list of captured arrays. It changes their graphs accordingly and returns the
// list. The first own parameters of each program are those of its trace; all programs have the same number
// of them, with the same types.
func Share(own int, programs ...*Program) []Array {
	var all []Array
	indexOf := map[*node]int{} // in all
	for _, p := range programs {
		for _, a := range p.Captured {
			if _, ok := indexOf[a.n]; !ok {
				indexOf[a.n] = len(all)
				all = append(all, a)
			}
		}
	}
	for _, p := range programs {
		params := make([]*ir.Value, own+len(all))
		copy(params, p.Graph.Params[:own])
		for i, a := range p.Captured {
			params[own+indexOf[a.n]] = p.Graph.Params[own+i]
		}
		for i := range params {
			if params[i] == nil { // captured by another program
				params[i] = &ir.Value{Type: all[i-own].n.typ}
			}
			params[i].Index = i
		}
		p.Graph.Params, p.Captured = params, all
	}
	return all
}
