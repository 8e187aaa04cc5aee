package engine

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/host"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// An Array is a tensor: values in host memory, values on a device, or the
// recipe of a value that nobody has asked for yet. Copies stand for the same.
// The zero Array is none.
type Array struct{ n *node }

// Type returns dtype and shape. The shape is not to be changed.
func (a Array) Type() shape.Type { return a.n.typ }

// Valid reports whether a is an array.
func (a Array) Valid() bool { return a.n != nil }

// Traced reports whether a depends on the parameter of a program that is being
// traced.
func (a Array) Traced() bool { return a.n.trace != nil }

// Pending reports whether a is a recipe yet.
func (a Array) Pending() bool { return a.n.pending() }

// Mark makes a show as ambiguous, or not, in graphs. It is for the one who makes
// the array.
func (a Array) Mark(ambiguous bool) {
	if ambiguous != a.n.amb.Load() {
		a.n.amb.Store(ambiguous)
	}
}

// Keep says that a will be asked for: a look that computes it on its way makes
// it a result.
func (a Array) Keep() { a.n.keep.Store(true) }

// Known returns the elements in host form where a is a value of the host that
// nobody has put on a device. They are not to be changed.
func (a Array) Known() (elements []byte, ok bool) {
	if a.n.host == nil || a.n.device != anyDevice {
		return nil, false
	}
	return a.n.host.bytes, true
}

// Same reports whether a and b are one array.
func (a Array) Same(b Array) bool { return a.n == b.n }

// anyDevice is the device of a host value: it goes where it is needed.
const anyDevice = -1

// A node is what an Array stands for. What is above the line never changes.
// Below it, buffer is set once, before ready is; all else is guarded by the
// session's lock.
type node struct {
	typ    shape.Type
	trace  *Trace // whose parameter it depends on, or nil
	serial uint64 // nodes made later have greater ones
	first  uint64 // the least of the operations in its recipe
	attrs  any
	cost   int32 // operations in its recipe when it was made, at most
	device int16
	code   ir.Code
	result int32 // which result of args[0], of a projection
	donor  bool  // a program may take its memory

	// ----
	ready atomic.Bool // whether buffer is set
	on    int16       // the device of buffer
	used  atomic.Bool // is an operand of another
	amb   atomic.Bool // for people to see in graphs
	keep  atomic.Bool // a loop carries it on
	told  atomic.Bool // that it cannot be computed
	given atomic.Bool // away: a program has taken its memory, or may
	args  []*node
	parts *parts // of an operation with regions or several results
	mark  uint64 // which plan has seen it
	index int32  // its number there

	few    [2]*node // args, where there are no more
	buffer Buffer
	host   *data // of a host value; never changes
}

// parts are what an operation with regions or several results has besides.
type parts struct {
	regions []*ir.Graph
	results []shape.Type
}

// data are elements in host form.
type data struct {
	bytes []byte
	small [16]byte // where bytes of a scalar are
}

// Codes of nodes that are no operation of the table.
const (
	leaf       = ir.Invalid      // has a value
	projection = ir.NumCodes     // a result of an operation that has several
	parameter  = ir.NumCodes + 1 // of a trace
)

func (n *node) pending() bool { return n.code != leaf && !n.ready.Load() }

// number reports whether n is a scalar of the host.
func (n *node) number() bool { return n.host != nil && len(n.typ.Shape) == 0 }

// depth returns how many operations are to be done for n, at most.
func (n *node) depth() int32 {
	if n.pending() {
		return n.cost
	}
	return 0
}

// earliest returns the least serial of the operations that are to be done for
// n's operands, the greatest number where there are none. Nothing that n needs is
// older, so n has no more operations than serials from then on: a sum of the
// operands' own counts what they share again and again.
func (n *node) earliest() uint64 {
	first := uint64(math.MaxUint64)
	for _, m := range n.args {
		if m.pending() {
			first = min(first, m.first)
		}
	}
	return first
}

// value returns the buffer of n, or nil.
func (n *node) value() Buffer {
	if n.ready.Load() {
		return n.buffer
	}
	return nil
}

// settle makes n a value, and lets go of its recipe.
func (n *node) settle(b Buffer, device int) {
	n.buffer, n.on = b, int16(device)
	n.ready.Store(true)
	n.args, n.parts, n.few = nil, nil, [2]*node{}
}

// Host returns elements, in host form, as an array on the device of that name;
// "" is wherever it is needed. They must not change afterwards.
func (s *Session) Host(t shape.Type, elements []byte, device string) (Array, error) {
	d := anyDevice
	if device != "" {
		var err error
		if d, err = s.deviceIndex(device); err != nil {
			return Array{}, err
		}
	}
	if len(elements) != t.Bytes() {
		return Array{}, fmt.Errorf("engine: %d bytes for %s, which has %d", len(elements), t, t.Bytes())
	}
	n := &node{typ: t, device: int16(d), serial: s.serial.Add(1), host: &data{bytes: elements}}
	return Array{n}, nil
}

// Large is from how many bytes on Copied is better than Host.
const Large = 4 << 20

// Copied is Host with elements that the caller may change afterwards. Where
// buffers lie in host memory, large ones are copied straight into one.
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

// Scalar returns one element, in host form, as an array.
func (s *Session) Scalar(d dtype.DType, element []byte) Array {
	h := &data{}
	h.bytes = h.small[:copy(h.small[:], element)]
	return Array{&node{typ: shape.Type{DType: d}, device: anyDevice, serial: s.serial.Add(1), host: h}}
}

// Apply returns the result, which has type t, of an operation that is known to
// be right.
func (s *Session) Apply(t shape.Type, code ir.Code, attrs any, args ...Array) (Array, error) {
	n := &node{typ: t, code: code, attrs: attrs}
	if err := s.link(n, args); err != nil {
		return Array{}, err
	}
	if n.trace == nil && (s.eager || s.alone(n)) {
		return Array{n}, s.Force(Array{n})
	}
	return Array{n}, nil
}

// alone reports whether n is a sort or a factorization that is faster as a program
// of its own, and computes its operands.
func (s *Session) alone(n *node) bool {
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

// ownProgram reports whether package host takes n, by itself and at its size.
func ownProgram(n *node) bool {
	switch n.code {
	case ir.Sort:
		operands := make([]shape.Type, len(n.args))
		for i, a := range n.args {
			operands[i] = a.typ
		}
		return !host.Holds(operands[0]) && host.Sorts(n.code, n.attrs, operands...)
	case ir.TriangularSolve:
		return host.Factorizes(n.code, n.args[0].typ, n.args[1].typ)
	case ir.Cholesky, ir.LU, ir.QR, ir.Eigh, ir.SVD:
		return host.Factorizes(n.code, n.args[0].typ)
	}
	return false
}

// ApplyMany returns the results of an operation with regions, or with several
// results.
func (s *Session) ApplyMany(ts []shape.Type, code ir.Code, attrs any, regions []*ir.Graph, args ...Array) ([]Array, error) {
	var within *Trace
	if calls := callsHost(regions...); calls || code == ir.HostCall {
		within = s.recording()
		if calls && within == nil && !anyTraced(args) {
			return s.regionsInPieces(code, regions, args)
		}
	}
	n := &node{code: code, attrs: attrs, parts: &parts{regions, ts}}
	for _, g := range regions {
		n.cost += int32(count(g))
	}
	if err := s.link(n, args); err != nil {
		return nil, err
	}
	if within != nil && (n.trace == nil || within.start > n.trace.start) {
		n.trace = within
	}
	if n.trace != nil {
		n.effect()
	}
	out := make([]Array, len(ts))
	for i, t := range ts {
		p := &node{typ: t, code: projection, result: int32(i), trace: n.trace, device: n.device, cost: n.cost, first: n.first, serial: s.serial.Add(1)}
		p.few[0] = n
		p.args = p.few[:1]
		if p.trace == nil {
			s.recent.add(p)
		}
		out[i] = Array{p}
	}
	if n.trace == nil && (s.eager || s.alone(n)) {
		return out, s.Force(out...)
	}
	return out, nil
}

// count returns the operations of g and of its regions.
func count(g *ir.Graph) int {
	n := len(g.Nodes)
	for _, m := range g.Nodes {
		for _, r := range m.Regions {
			n += count(r)
		}
	}
	return n
}

// link gives n its operands, device, trace and cost.
func (s *Session) link(n *node, args []Array) error {
	n.device = anyDevice
	n.args = n.few[:0]
	within := n.cost // operations of its regions
	cost := within + 1
	for i, a := range args {
		m := a.n
		if m.given.Load() {
			return errGiven
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
		if n.device, err = s.meet(n.device, m); err != nil {
			return err
		}
		if i == 0 || m != args[i-1].n {
			cost += m.depth()
		}
	}
	if n.trace != nil {
		cost = 0
	} else if cost > MaxOps {
		var err error
		if cost, err = s.bound(n); err != nil {
			return err
		}
	}
	n.cost = cost
	n.serial = s.serial.Add(1 + uint64(within))
	n.first = min(n.earliest(), n.serial-uint64(within))
	if n.trace == nil && n.parts == nil {
		s.recent.add(n)
	}
	return nil
}

// meet returns the device for operands of which some are on device, and one is m.
func (s *Session) meet(device int16, m *node) (int16, error) {
	switch {
	case m.device == anyDevice || m.device == device:
		return device, nil
	case device == anyDevice:
		return m.device, nil
	}
	return 0, fmt.Errorf("the operands are on %s and %s; nv.ToDevice moves one", s.DeviceName(int(device)), s.DeviceName(int(m.device)))
}

// bound returns how many operations n's recipe has at most; where they are
// too many for one program, n's operands are computed first. The rule depends
// on the program alone, so that the same loop makes the same programs: it asks
// the exact number, unless there are not as many younger nodes in all.
func (s *Session) bound(n *node) (int32, error) {
	if first, next := n.earliest(), s.serial.Load()+1; next >= first && next-first+uint64(n.cost) < MaxOps {
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

// ToDevice returns a on the device of that name.
func (s *Session) ToDevice(a Array, device string) (Array, error) {
	d, err := s.deviceIndex(device)
	if err != nil {
		return Array{}, err
	}
	if a.n.trace != nil {
		return Array{}, fmt.Errorf("a traced tensor has no device of its own")
	}
	if a.n.given.Load() {
		return Array{}, errGiven
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

// Placed reports whether a is on a device that somebody has put it on, or what it
// is made of; other arrays go where they are needed.
func (a Array) Placed() bool { return a.n.device != anyDevice }

// DeviceOf returns the device that a is on, or will be.
func (s *Session) DeviceOf(a Array) int {
	if a.n.device != anyDevice {
		return int(a.n.device)
	}
	if a.n.ready.Load() {
		return int(a.n.on)
	}
	return s.defaultDevice()
}
