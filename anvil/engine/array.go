package engine

import (
	"errors"
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

// Type returns the dtype and the shape of a. The caller must not change the shape.
func (a Array) Type() shape.Type { return a.n.typ }

// Valid reports whether a is not the zero Array.
func (a Array) Valid() bool { return a.n != nil }

// Traced reports whether a depends on a parameter of a function that is being
// traced.
func (a Array) Traced() bool { return a.n.trace != nil }

// Unknown reports whether a depends on a parameter of a trace and that parameter has no value (see
// Trace.ParamOf). Such an array cannot be computed while the function is traced.
func (a Array) Unknown() bool { return a.n.trace != nil && a.n.trace.s.withValue(a.n) == nil }

// Pending reports whether the computation of a has not been launched yet.
func (a Array) Pending() bool { return a.n.pending() }

// Mark sets whether graphs mark the dtype of a as ambiguous, with a "?".
func (a Array) Mark(ambiguous bool) {
	if ambiguous != a.n.ambiguous.Load() {
		a.n.ambiguous.Store(ambiguous)
	}
}

// Keep marks a as needed later. A program that computes a as an intermediate value then also returns it.
func (a Array) Keep() { a.n.keep.Store(true) }

// Known returns the elements of a, in host form (see array.Array), if a was made from host memory
// and is not placed on a device. Otherwise ok is false. The caller must not change the elements.
func (a Array) Known() (elements []byte, ok bool) {
	if a.n.host == nil || a.n.device != anyDevice {
		return nil, false
	}
	return a.n.host.bytes, true
}

// Same reports whether a and b refer to the same tensor.
func (a Array) Same(b Array) bool { return a.n == b.n }

// anyDevice stands for the device of a tensor that is not placed on a device: each device that needs it gets a copy.
const anyDevice = -1

// A node is a tensor in the pending graph. The fields of the first block never change,
// except taken. In the other blocks, buffer and bufferDevice are set once, before ready is set;
// the atomic fields may change at any time; Session.twinsMu guards twin of a traced node; and
// the session's lock guards all other fields.
type node struct {
	typ    shape.Type
	trace  *Trace // the innermost trace with a parameter that the node depends on, or nil
	serial uint64 // later nodes have greater serials
	first  uint64 // the least serial of the operations that had to run to compute it when it was made
	attrs  any    // see ir.Node.Attrs
	cost   int32  // an upper bound on the number of operations that had to run to compute it when it was made
	device int16  // where it is placed or will be computed, or anyDevice
	code   ir.Code
	result int32 // the index of the result, if the node is a projection or a result of a Program
	donor  bool  // made by Donate: a program may take its memory
	taken  bool  // given to Donate, and a program has taken its memory

	ready        atomic.Bool // buffer is set
	bufferDevice int16       // the device of buffer
	used         atomic.Bool // another node has it as an operand
	ambiguous    atomic.Bool // see Array.Mark
	keep         atomic.Bool // see Array.Keep
	failed       atomic.Bool // EndCell has reported that it cannot be computed
	donated      atomic.Bool // its memory was given away by Donate or to a program: using it is an error
	args         []*node
	parts        *parts   // set if the operation has regions or several results
	mark         uint64   // the epoch of the plan that visited it last
	index        int32    // its number in that plan
	of           ir.Code  // see ir.Node.Of
	scope        ir.Scope // see ir.Node.Scope

	// twin of a traced node is the node with its value: see withValue. twin of a donor is the node given to Donate.
	twin   *node
	inline [2]*node // the array behind args, unless there are more operands
	buffer Buffer
	recipe *recipe // how a computed node was made, or nil
	host   *data   // the elements of a tensor made from host memory, or nil
}

// parts holds the regions and the result types of an operation with regions or several results.
type parts struct {
	regions []*ir.Graph
	results []shape.Type
}

// data holds elements in host form, which never change.
type data struct {
	bytes []byte
	small [16]byte // the array behind bytes if the tensor is a scalar

	uploaded Buffer // of a scalar: its buffer in the last program that used it, or nil; guarded by the session's lock
	device   int    // the device of uploaded
}

// Codes of nodes that are not operations of package ir.
const (
	leaf       = ir.Invalid      // a tensor made from elements
	projection = ir.NumCodes     // one of the results of the operation args[0]
	parameter  = ir.NumCodes + 1 // a parameter of a trace
)

// pending reports whether n is an operation that has not been launched yet, or a parameter of a trace.
func (n *node) pending() bool { return n.code != leaf && !n.ready.Load() }

// hostScalar reports whether n is a scalar made from host memory.
func (n *node) hostScalar() bool { return n.host != nil && len(n.typ.Shape) == 0 }

// depth returns an upper bound on the number of operations that must run to compute n.
func (n *node) depth() int32 {
	if n.pending() {
		return n.cost
	}
	return 0
}

// earliest returns the least serial of the pending operations that n's operands need, or math.MaxUint64 if they need
// none. The number of nodes made since that operation is an upper bound on the number of operations needed. The sum
// of the operands' costs is a worse bound, since it counts an operation that two operands share twice.
func (n *node) earliest() uint64 {
	first := uint64(math.MaxUint64)
	for _, m := range n.args {
		if m.pending() {
			first = min(first, m.first)
		}
	}
	return first
}

// value returns the buffer of n, or nil if n has none yet.
func (n *node) value() Buffer {
	if n.ready.Load() {
		return n.buffer
	}
	return nil
}

// setBuffer sets the buffer of n, which has no operands.
func (n *node) setBuffer(b Buffer, device int) {
	n.buffer, n.bufferDevice = b, int16(device)
	n.ready.Store(true)
}

// settle sets the buffer of n and drops n's operands, so that their memory can be collected.
func (n *node) settle(b Buffer, device int) {
	n.setBuffer(b, device)
	n.args, n.parts, n.inline = nil, nil, [2]*node{}
}

// Host returns an array with the given elements, in host form. It is placed on the device with the
// given name. If device is "", it is placed on none, and each device that needs it gets a copy. The
// caller must not change the elements afterwards.
func (s *Session) Host(t shape.Type, elements []byte, device string) (Array, error) {
	d := anyDevice
	if device != "" {
		var err error
		if d, err = s.deviceIndex(device); err != nil {
			return Array{}, err
		}
	}
	if len(elements) != t.Bytes() {
		return Array{}, fmt.Errorf("engine: got %d bytes of elements for %s, want %d", len(elements), t, t.Bytes())
	}
	n := &node{typ: t, device: int16(d), serial: s.serial.Add(1), host: &data{bytes: elements}}
	return Array{n}, nil
}

// Large is the size in bytes from which Copied copies elements directly into a buffer. Smaller arrays are faster
// to copy to Go's heap.
const Large = 4 << 20

// Copied is Host with elements that the caller may change afterwards. If the device's buffers lie in host memory,
// Copied copies large elements directly into a buffer (see Large).
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

// Scalar returns an array of rank 0 with the given element, in host form.
func (s *Session) Scalar(d dtype.DType, element []byte) Array {
	h := &data{}
	h.bytes = h.small[:copy(h.small[:], element)]
	return Array{&node{typ: shape.Type{DType: d}, device: anyDevice, serial: s.serial.Add(1), host: h}}
}

// Apply returns the result, of type t, of an operation. The caller has checked the operands and the attributes.
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

// maxConcatenated is the greatest number of operands of one Concatenate. XLA takes more than a second to
// compile a concatenation of 500 operands, and more than a minute for one of 6,000.
const maxConcatenated = 64

// concatenateGroups computes the arrays, concatenates groups of them until at most maxConcatenated arrays are left,
// and returns these.
func (s *Session) concatenateGroups(attrs ir.AxisAttrs, arrays []Array) ([]Array, error) {
	if err := s.Force(arrays...); err != nil {
		return nil, err
	}
	for len(arrays) > maxConcatenated {
		var groups []Array
		for group := range slices.Chunk(arrays, maxConcatenated) {
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
		arrays = groups
	}
	return arrays, nil
}

// splitOff starts to compute n's operands if n is a sort or a factorization that is faster as a program of its own,
// and reports whether it has. The caller can then run n as a program of this one operation.
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

// ownProgram reports whether package host should compute n as a program of its own.
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

// ApplyMany is Apply for an operation with regions or with several results, of types ts.
func (s *Session) ApplyMany(
	ts []shape.Type, code ir.Code, attrs any, regions []*ir.Graph, args ...Array,
) ([]Array, error) {
	var enclosing *Trace // the trace that a host call belongs to, even if the call does not depend on a parameter
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

// nodeOf returns an operation as a node of a new graph. The node's operands are the graph's parameters, which have
// the types of args.
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

// link makes args the operands of n and sets its device, scope, trace, cost and serial. If n and the pending
// operations that it needs are too many for one program, link computes args first.
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
		if i == 0 || m != args[i-1].n { // x*x computes x once
			cost += m.depth()
		}
	}
	if n.trace != nil {
		cost = 0 // MaxOps does not limit traced programs
	} else if cost > MaxOps {
		var err error
		if cost, err = s.limitOps(n); err != nil {
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

// commonDevice returns the device of an operation with the operand m and other operands on the given
// device. It returns an error if m is placed on another device.
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

// limitOps returns an upper bound on the number of operations that must run to compute n. If they are more than
// MaxOps, it computes n's operands first and returns 1. Whether it does so depends only on the operations that n
// needs, so that the same loop always makes the same programs. Therefore limitOps counts these operations exactly,
// unless the number of nodes made since the earliest of them shows that they are fewer than MaxOps.
func (s *Session) limitOps(n *node) (int32, error) {
	first, next := n.earliest(), s.serial.Load()+1
	if next >= first && next-first+uint64(n.cost) < MaxOps {
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

// ToDevice returns a copy of a on the device with the given name, or a itself if it is placed on that device.
func (s *Session) ToDevice(a Array, device string) (Array, error) {
	d, err := s.deviceIndex(device)
	if err != nil {
		return Array{}, err
	}
	if a.n.trace != nil {
		return Array{}, errors.New("a traced tensor has no device of its own; " +
			"move the arguments of the function instead")
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

// Placed reports whether a, or an array that a depends on, has been placed on a device. If not, a is computed on
// the device that needs it.
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
