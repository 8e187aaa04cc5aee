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

// A Trace turns a function into a program. The function is called with parameters, which have no values unless
// ParamOf made them, and its operations are added to the pending graph. The program consists of the operations that
// the function's results need. Its parameters are those of the trace, and the arrays made before the trace
// that the operations need.
type Trace struct {
	s       *Session
	start   uint64 // nodes with a smaller serial were made before the trace began
	params  []*node
	faults  []Fault
	effects []*node     // nodes that must run even if the results do not need them, in order
	done    atomic.Bool // Finish was called
}

// A Fault makes a run of a traced program fail with Err if When, a bool scalar of the trace, is true.
type Fault struct {
	When Array
	Err  error
}

// Trace returns the innermost trace with a parameter that a depends on, or nil.
func (a Array) Trace() *Trace { return a.n.trace }

// AddFault adds a fault to t.
func (t *Trace) AddFault(f Fault) { t.faults = append(t.faults, f) }

// Faults returns the faults of t.
func (t *Trace) Faults() []Fault { return t.faults }

// NewTrace begins a trace. It is nested inside the traces that have not finished.
func (s *Session) NewTrace() *Trace { return &Trace{s: s, start: s.serial.Add(1)} }

// Param returns a new parameter of type ty.
func (t *Trace) Param(ty shape.Type) Array {
	n := &node{typ: ty, code: parameter, device: anyDevice, trace: t, serial: t.s.serial.Add(1)}
	t.params = append(t.params, n)
	return Array{n}
}

// ParamOf returns a new parameter with the type of a. While the function is called, the parameter has the value of
// a, so that the parameter and values computed from it can be read. The program itself accepts any argument of the
// type.
func (t *Trace) ParamOf(a Array) Array {
	p := t.Param(a.Type())
	p.n.twin = t.s.withValue(a.n)
	return p
}

// withValue returns a node that belongs to no trace and has the value of n: n itself if n belongs to no trace.
// If n depends on parameters that have values, withValue applies the same operations to these values. It returns nil
// if n depends on a parameter without a value.
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

// A Program is a traced function. The parameters of its graph are the parameters of the trace, followed by one for
// each array in Captured: the other arrays that the function used.
type Program struct {
	Graph    *ir.Graph
	Captured []Array
	s        *Session
	key      []byte
	inPieces bool // the program contains host calls, so that it runs in pieces
}

// Finish ends t and returns the program that computes outs. Using an array that depends on a
// parameter of t is an error afterwards.
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
		n.used.Store(true) // prevents a look from computing n: see Session.addUnused
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
	key := sha256.Sum256(p.key) // shorter than p.key, since each call of the program copies and compares the key
	prog.key = key[:]
	return prog, nil
}

// OlderThan reports whether a was made before t began.
func (a Array) OlderThan(t *Trace) bool { return a.n.serial < t.start }

// AppendKey appends the program's key to dst. Within a session, programs with equal keys are equal,
// except that they may call different Go functions.
func (p *Program) AppendKey(dst []byte) []byte { return append(dst, p.key...) }

// CallsHost reports whether the program calls Go functions. The program's key does not identify these functions.
func (p *Program) CallsHost() bool { return p.inPieces }

// Within reports whether t is outer or is nested inside outer.
func (t *Trace) Within(outer *Trace) bool { return t.start >= outer.start }

// Call launches the program on args and returns its results.
func (p *Program) Call(args ...Array) ([]Array, error) { return p.CallWith(args, p.Captured) }

// CallWith is Call with captured, arrays of the same types, instead of p.Captured.
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
	leaves  []*node // the arguments and the captured arrays
	wanted  int16   // the device on which the results are placed, or anyDevice
	device  int     // the device that runs the program
	donors  []int   // indices of the leaves whose memory the program may reuse
	aliases []stablehlo.Alias
}

// run compiles the program if necessary, and launches it.
func (c *call) run(s *Session) ([]Array, error) {
	if err := s.lock(); err != nil {
		return nil, err
	}
	var err error
	if c.donors, err = s.donorIndices(c.leaves); err != nil {
		s.unlock()
		return nil, err
	}
	c.aliases = aliases(c.program.Graph, c.donors)
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

// execute launches program, the compiled form of c.program, and returns its results. The caller
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
	if err == nil || len(c.aliases) > 0 { // even a run that failed may have overwritten the memory
		program.giveAway(c.leaves, c.donors)
	}
	if err != nil {
		return nil, err
	}
	results := make([]Array, len(out))
	recipe := c.recipe(s)
	for i, v := range c.program.Graph.Outputs {
		n := &node{typ: v.Type, device: c.wanted, serial: s.serial.Add(1), result: int32(i), recipe: recipe}
		n.setBuffer(out[i], c.device)
		results[i] = Array{n}
	}
	clear(out)
	return results, nil
}

// recipe returns the recipe that the results share, or nil if none is kept.
func (c *call) recipe(s *Session) *recipe {
	added := s.recipes.add(c.leaves, 1)
	if added == nil {
		return nil
	}
	r := &added[0]
	r.code, r.args, r.graph = ir.Call, c.leaves, c.program.Graph
	return r
}

// Inline applies the operations of g to args, one by one, and returns the outputs. If operations are watched, a NaN
// that arises in g is an error only if an output also has a NaN.
func (s *Session) Inline(g *ir.Graph, args ...Array) ([]Array, error) {
	return s.runPieces(g, args, true)
}

// Share replaces the captured arrays of each program by one list for all of them, and returns the list. It adds
// parameters to the programs' graphs for the arrays that they did not capture. own is the number of parameters of
// each trace, which come first in the graphs; they have the same types in all programs.
func Share(own int, programs ...*Program) []Array {
	var all []Array
	indexOf := map[*node]int{} // indices of all
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
