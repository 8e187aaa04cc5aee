package engine

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/host"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// An Array is a tensor: elements in host memory, elements on a device, or an
// operation that has not run yet. Copies refer to the same tensor. The zero Array
// refers to no tensor.
type Array struct{ n *node }

// Type returns dtype and shape. The caller must not change the shape.
func (a Array) Type() shape.Type { return a.n.typ }

// Valid reports whether a is not the zero Array.
func (a Array) Valid() bool { return a.n != nil }

// Traced reports whether a depends on a parameter of a function that is being
// traced.
func (a Array) Traced() bool { return a.n.trace != nil }

// Unknown reports whether a has no value, because it depends on a parameter of a traced
// function and that parameter has no value.
func (a Array) Unknown() bool { return a.n.trace != nil && a.n.trace.s.withValue(a.n) == nil }

// Pending reports whether a has not been computed yet.
func (a Array) Pending() bool { return a.n.pending() }

// Mark sets whether graphs show the dtype of a as ambiguous, with "?".
func (a Array) Mark(ambiguous bool) {
	if ambiguous != a.n.ambiguous.Load() {
		a.n.ambiguous.Store(ambiguous)
	}
}

// Keep marks a as needed later: a program that computes a as an intermediate value also returns it.
func (a Array) Keep() { a.n.keep.Store(true) }

// Known returns the elements of a in host form if a was made from them and has not
// been placed on a device. The caller must not change them.
func (a Array) Known() (elements []byte, ok bool) {
	if a.n.host == nil || a.n.device != anyDevice {
		return nil, false
	}
	return a.n.host.bytes, true
}

// Same reports whether a and b refer to the same tensor.
func (a Array) Same(b Array) bool { return a.n == b.n }

// anyDevice is the device of a tensor that is copied to wherever it is needed.
const anyDevice = -1

// A node is a tensor in the pending graph. The fields of the first block never change,
// except taken. Of the others, buffer and bufferDevice are set once, before ready is; the
// atomic fields may change at any time; the session's lock guards the rest.
type node struct {
	typ    shape.Type
	trace  *Trace // the innermost trace with a parameter that the node depends on, or nil
	serial uint64 // increases from node to node
	first  uint64 // the least serial of the pending operations that it needs
	attrs  any    // as of an ir.Node
	cost   int32  // an upper bound of the number of pending operations that it needed when it was made
	device int16  // where it is placed or will be computed, or anyDevice
	code   ir.Code
	result int32 // of a projection: the index among the results of args[0]; of a result of a traced program: its index
	donor  bool  // made by Donate: a program may take its memory
	taken  bool  // given to Donate, and a program has taken its memory

	ready        atomic.Bool // buffer is set
	bufferDevice int16       // the device of buffer
	used         atomic.Bool // another node has it as an operand
	ambiguous    atomic.Bool // shown in graphs
	keep         atomic.Bool // a loop needs it in its next step
	failed       atomic.Bool // the end of a cell has reported that it cannot be computed
	donated      atomic.Bool // its memory was given away by Donate or to a program: using it is an error
	args         []*node
	parts        *parts   // of an operation with regions or several results
	mark         uint64   // the epoch of the plan that visited it last
	index        int32    // its number in that plan
	of           ir.Code  // the operation whose derivative it is part of, as of an ir.Node
	scope        ir.Scope // as of an ir.Node

	twin   *node    // of a node of a trace: the node with its value; of a donor: the node given to Donate; or nil
	inline [2]*node // the array behind args, if it is large enough
	buffer Buffer
	recipe *recipe // of a computed node; or nil
	host   *data   // of a tensor made from host memory
}

// parts are further properties of an operation with regions or several results.
type parts struct {
	regions []*ir.Graph
	results []shape.Type
}

// data holds elements in host form, which never change.
type data struct {
	bytes []byte
	small [16]byte // the array behind bytes of a scalar

	uploaded Buffer // the buffer of the last program that used the scalar, or nil; guarded by the session's lock
	device   int    // of uploaded
}

// Codes of nodes that are not operations of package ir.
const (
	leaf       = ir.Invalid      // a tensor made from elements
	projection = ir.NumCodes     // one result of the operation args[0], which has several
	parameter  = ir.NumCodes + 1 // of a trace
)

// pending reports whether n is an operation that has not been launched yet.
func (n *node) pending() bool { return n.code != leaf && !n.ready.Load() }

// hostScalar reports whether n is a scalar made from host memory.
func (n *node) hostScalar() bool { return n.host != nil && len(n.typ.Shape) == 0 }

// depth returns an upper bound of the number of operations that must run to compute n.
func (n *node) depth() int32 {
	if n.pending() {
		return n.cost
	}
	return 0
}

// earliest returns the least serial of the operations that must run to compute n's operands, or the greatest
// uint64 if there are none. The number of nodes made since that serial bounds the number of those operations.
// (The sum of the operands' costs would count shared operations several times.)
func (n *node) earliest() uint64 {
	first := uint64(math.MaxUint64)
	for _, m := range n.args {
		if m.pending() {
			first = min(first, m.first)
		}
	}
	return first
}

// value returns the buffer of n, or nil if it is not computed yet.
func (n *node) value() Buffer {
	if n.ready.Load() {
		return n.buffer
	}
	return nil
}

// hold sets the value of n, which has no operands.
func (n *node) hold(b Buffer, device int) {
	n.buffer, n.bufferDevice = b, int16(device)
	n.ready.Store(true)
}

// settle sets the value of n and drops its operands, whose memory can then be collected.
func (n *node) settle(b Buffer, device int) {
	n.hold(b, device)
	n.args, n.parts, n.inline = nil, nil, [2]*node{}
}

// Host returns an array of elements in host form on the device of the given name,
// or, if that is "", wherever it is needed. The caller must not change the elements
// afterwards.
func (s *Session) Host(t shape.Type, elements []byte, device string) (Array, error) {
	d := anyDevice
	if device != "" {
		var err error
		if d, err = s.deviceIndex(device); err != nil {
			return Array{}, err
		}
	}
	if len(elements) != t.Bytes() {
		return Array{}, fmt.Errorf("engine: got %d bytes for %s, which has %d bytes", len(elements), t, t.Bytes())
	}
	n := &node{typ: t, device: int16(d), serial: s.serial.Add(1), host: &data{bytes: elements}}
	return Array{n}, nil
}

// Large is the number of bytes from which Copied is faster than Host on a copy of the elements.
const Large = 4 << 20

// Copied is Host with elements that the caller may change afterwards. If buffers lie in host memory, large
// elements are copied directly into one.
func (s *Session) Copied(t shape.Type, elements []byte, device string) (Array, error) {
	d := s.defaultDevice()
	if device != "" {
		var err error
		if d, err = s.deviceIndex(device); err != nil {
			return Array{}, err
		}
	}
	e, err := s.executor()
	if err != nil {
		return Array{}, err
	}
	if !e.HostMemory(d) || len(elements) < Large {
		return s.Host(t, append([]byte(nil), elements...), device)
	}
	b, err := e.UploadCopied(t, elements, d)
	if err != nil {
		return Array{}, err
	}
	n := &node{typ: t, device: anyDevice, serial: s.serial.Add(1)}
	if device != "" {
		n.device = int16(d)
	}
	n.settle(b, d)
	return Array{n}, nil
}

// Scalar returns an array of rank 0 whose element is given in host form.
func (s *Session) Scalar(d dtype.DType, element []byte) Array {
	h := &data{}
	h.bytes = h.small[:copy(h.small[:], element)]
	return Array{&node{typ: shape.Type{DType: d}, device: anyDevice, serial: s.serial.Add(1), host: h}}
}

// Apply returns the result, of type t, of an operation that the caller has checked.
func (s *Session) Apply(t shape.Type, code ir.Code, attrs any, args ...Array) (Array, error) {
	if code == ir.Concatenate && len(args) > maxConcatenated && !anyTraced(args) {
		var err error
		if args, err = s.concatenateGroups(attrs.(ir.AxisAttrs), args); err != nil {
			return Array{}, err
		}
	}
	n := &node{typ: t, code: code, attrs: attrs}
	if err := s.link(n, args); err != nil {
		return Array{}, err
	}
	if s.Watching() {
		return Array{n}, s.inspect(n)
	}
	if n.trace == nil && (s.eager || s.splitOff(n)) {
		return Array{n}, s.Force(Array{n})
	}
	return Array{n}, nil
}

// maxConcatenated is the most operands of one Concatenate. XLA takes more than a second to
// compile a concatenation of 500 operands, and more than a minute for one of 6,000.
const maxConcatenated = 64

// concatenateGroups computes as, concatenates them in groups until at most maxConcatenated arrays are left,
// and returns these arrays.
func (s *Session) concatenateGroups(attrs ir.AxisAttrs, as []Array) ([]Array, error) {
	if err := s.Force(as...); err != nil {
		return nil, err
	}
	for len(as) > maxConcatenated {
		var groups []Array
		for group := range slices.Chunk(as, maxConcatenated) {
			t := group[0].Type()
			t.Shape = slices.Clone(t.Shape)
			for _, a := range group[1:] {
				t.Shape[attrs.Axis] += a.Type().Shape[attrs.Axis]
			}
			joined, err := s.Apply(t, ir.Concatenate, attrs, group...)
			if err != nil {
				return nil, err
			}
			if err := s.Force(joined); err != nil {
				return nil, err
			}
			groups = append(groups, joined)
		}
		as = groups
	}
	return as, nil
}

// splitOff reports whether n is a sort or a factorization that is faster as a program of its own. If so, it
// computes n's operands, so that n is the only operation left to run.
func (s *Session) splitOff(n *node) bool {
	if !ownProgram(n) {
		return false
	}
	if e, err := s.executor(); err != nil || !e.HostPrograms() {
		return false
	}
	operands := make([]Array, len(n.args))
	for i, a := range n.args {
		operands[i] = Array{a}
	}
	return s.Force(operands...) == nil
}

// ownProgram reports whether package host computes n as a program of its own.
func ownProgram(n *node) bool {
	switch n.code {
	case ir.Sort:
		operands := make([]shape.Type, len(n.args))
		for i, a := range n.args {
			operands[i] = a.typ
		}
		return !host.Holds(operands[0]) && host.Sorts(n.code, operands...)
	case ir.TriangularSolve:
		return host.Factorizes(n.code, n.args[0].typ, n.args[1].typ)
	case ir.Cholesky, ir.LU, ir.QR, ir.Eigh, ir.SVD:
		return host.Factorizes(n.code, n.args[0].typ)
	}
	return false
}

// ApplyMany is Apply of an operation with regions or with several results.
func (s *Session) ApplyMany(
	ts []shape.Type, code ir.Code, attrs any, regions []*ir.Graph, args ...Array,
) ([]Array, error) {
	var enclosing *Trace // the trace that a host call belongs to even if it does not depend on a parameter
	if calls := callsHost(regions...); calls || code == ir.HostCall {
		enclosing = s.recording()
		if calls && enclosing == nil && !anyTraced(args) {
			return s.regionsInPieces(nodeOf(code, attrs, regions, ts, args), args)
		}
	}
	if s.Watching() && canRunInPieces(code) {
		out, err := s.watchRegions(code, attrs, regions, ts, args)
		if out != nil || err != nil {
			return out, err
		}
	}
	n := &node{code: code, attrs: attrs, parts: &parts{regions, ts}}
	for _, g := range regions {
		n.cost += int32(count(g))
	}
	if err := s.link(n, args); err != nil {
		return nil, err
	}
	if enclosing != nil && (n.trace == nil || enclosing.start > n.trace.start) {
		n.trace = enclosing
	}
	if n.trace != nil {
		n.addEffect()
	}
	out := make([]Array, len(ts))
	for i, t := range ts {
		p := &node{typ: t, code: projection, result: int32(i), trace: n.trace, device: n.device,
			cost: n.cost, first: n.first, serial: s.serial.Add(1)}
		p.inline[0] = n
		p.args = p.inline[:1]
		if p.trace == nil {
			s.recent.add(p)
		}
		out[i] = Array{p}
	}
	if s.Watching() {
		for _, p := range out {
			if err := s.inspect(p.n); err != nil {
				return out, err
			}
		}
	}
	if n.trace == nil && (s.eager || s.splitOff(n)) {
		return out, s.Force(out...)
	}
	return out, nil
}

// nodeOf returns the operation as a node of a new graph whose parameters have the types of args.
func nodeOf(code ir.Code, attrs any, regions []*ir.Graph, ts []shape.Type, args []Array) *ir.Node {
	g := &ir.Graph{}
	for _, a := range args {
		g.Param(a.Type())
	}
	return g.Add(code, attrs, regions, g.Params, ts...)
}

// count returns the number of operations in g and in its regions.
func count(g *ir.Graph) int {
	n := len(g.Nodes)
	for _, m := range g.Nodes {
		for _, r := range m.Regions {
			n += count(r)
		}
	}
	return n
}

// link makes args the operands of n and sets its device, scope, trace, cost and serial. If n and what it needs
// are too many operations for one program, link computes args first.
func (s *Session) link(n *node, args []Array) error {
	n.device = anyDevice
	n.scope = s.scopes.current()
	n.args = n.inline[:0]
	regionOps := n.cost
	cost := regionOps + 1
	for i, a := range args {
		m := a.n
		if m.donated.Load() {
			return errDonated
		}
		m.used.Store(true)
		n.args = append(n.args, m)
		if m.trace != nil {
			if m.trace.done.Load() {
				return errEscaped
			}
			if n.trace == nil || m.trace.start > n.trace.start {
				n.trace = m.trace
			}
		}
		var err error
		if n.device, err = s.commonDevice(n.device, m); err != nil {
			return err
		}
		if i == 0 || m != args[i-1].n { // x*x needs x once
			cost += m.depth()
		}
	}
	if n.trace != nil {
		cost = 0 // MaxOps does not limit traced programs
	} else if cost > MaxOps {
		var err error
		if cost, err = s.bound(n); err != nil {
			return err
		}
	}
	n.cost = cost
	n.serial = s.serial.Add(1 + uint64(regionOps)) // the operations in regions count as nodes: see earliest
	n.first = min(n.earliest(), n.serial-uint64(regionOps))
	if n.trace == nil && n.parts == nil {
		s.recent.add(n)
	}
	return nil
}

// commonDevice returns the device of an operation that has the operand m besides operands
// on the given device. Two different devices are an error.
func (s *Session) commonDevice(device int16, m *node) (int16, error) {
	switch {
	case m.device == anyDevice || m.device == device:
		return device, nil
	case device == anyDevice:
		return m.device, nil
	}
	return 0, fmt.Errorf("the operands are on %s and %s; nv.ToDevice moves one",
		s.DeviceName(int(device)), s.DeviceName(int(m.device)))
}

// bound returns an upper bound of the number of operations that must run to compute n. If they are too many
// for one program, it computes n's operands first. That decision depends only on the operations that n needs, so
// that the same loop makes the same programs: bound counts exactly, unless the number of nodes made since the
// earliest needed operation shows that there are fewer than MaxOps.
func (s *Session) bound(n *node) (int32, error) {
	first, next := n.earliest(), s.serial.Load()+1
	if next >= first && next-first+uint64(n.cost) < MaxOps { // few nodes were made since
		return int32(next-first) + 1 + n.cost, nil
	}
	if err := s.lock(); err != nil {
		return 0, err
	}
	s.plan.begin()
	for _, m := range n.args {
		s.plan.visit(m)
	}
	ops := int32(s.plan.ops) + 1 + n.cost
	s.unlock()
	if ops <= MaxOps {
		return ops, nil
	}
	args := make([]Array, len(n.args))
	for i, m := range n.args {
		args[i] = Array{m}
	}
	return 1, s.Force(args...)
}

// ToDevice returns a copy of a on the device with the given name, or a itself if it is already there.
func (s *Session) ToDevice(a Array, device string) (Array, error) {
	d, err := s.deviceIndex(device)
	if err != nil {
		return Array{}, err
	}
	if a.n.trace != nil {
		return Array{}, fmt.Errorf("a traced tensor has no device of its own; move the arguments of the function instead")
	}
	if a.n.donated.Load() {
		return Array{}, errDonated
	}
	if a.n.device == int16(d) {
		return a, nil
	}
	if a.n.host != nil {
		n := &node{typ: a.n.typ, device: int16(d), serial: s.serial.Add(1), host: a.n.host}
		return Array{n}, nil
	}
	if err := s.Force(a); err != nil {
		return Array{}, err
	}
	b, err := s.exec.Copy(a.n.value(), d)
	if err != nil {
		return Array{}, err
	}
	n := &node{typ: a.n.typ, device: int16(d), serial: s.serial.Add(1)}
	n.settle(b, d)
	return Array{n}, nil
}

// Placed reports whether a, or an operand that it depends on, has been placed on a device. Other arrays
// are computed on the device where they are needed.
func (a Array) Placed() bool { return a.n.device != anyDevice }

// DeviceOf returns the index of the device that a is on or will be computed on.
func (s *Session) DeviceOf(a Array) int {
	if a.n.device != anyDevice {
		return int(a.n.device)
	}
	if a.n.ready.Load() {
		return int(a.n.bufferDevice)
	}
	return s.defaultDevice()
}
