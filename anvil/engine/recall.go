package engine

import (
	"slices"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// An origin is how a computed node was made: the operation with its operands, which the node itself drops. It
// is kept for FindNaN, until newer launches take its place.
type origin struct {
	args   []*node // nil if it is forgotten
	inline [2]*node
	code   ir.Code
	attrs  any
	parts  *parts
	result int32
	of     ir.Code
	scope  ir.Scope
	graph  *ir.Graph // of a traced program, whose results have this origin; or nil
}

// origins are those of the latest launches. They are guarded by the session's lock.
type origins struct {
	launches [maxRecalled]struct {
		of    []origin
		bytes int // of the parameters of the program
	}
	next, oldest uint // increasing; modulo maxRecalled, they are indices of launches
	bytes        int
}

// The origins of maxRecalled launches are kept, if their parameters have recalledBytes in total.
const (
	maxRecalled   = 256
	recalledBytes = 16 << 20
)

// add returns the origins of the n results of a launch with the given parameters, to be filled in. It returns
// nil if they are not kept: the parameters are too large, or one gives its memory away.
func (r *origins) add(leaves []*node, n int) []origin {
	bytes := 0
	for _, l := range leaves {
		if bytes += l.typ.Bytes(); l.donor || bytes > recalledBytes {
			return nil
		}
	}
	for r.next-r.oldest == maxRecalled || r.bytes+bytes > recalledBytes && r.oldest < r.next {
		old := &r.launches[r.oldest%maxRecalled]
		clear(old.of)
		r.bytes -= old.bytes
		old.of = nil
		r.oldest++
	}
	launch := &r.launches[r.next%maxRecalled]
	r.next++
	launch.of, launch.bytes = make([]origin, n), bytes
	r.bytes += bytes
	return launch.of
}

// set makes o the origin of n, which has its operands.
func (o *origin) set(n *node) {
	o.args = append(o.inline[:0], n.args...)
	o.code, o.attrs, o.parts, o.result, o.of, o.scope = n.code, n.attrs, n.parts, n.result, n.of, n.scope
	n.origin = o
}

// recalled returns a pending node that computes n, which is computed, again. It returns nil if that is not
// known.
func (s *Session) recalled(n *node) *node {
	if s.lock() != nil {
		return nil
	}
	defer s.unlock()
	o := n.origin
	if o == nil || o.args == nil {
		return nil
	}
	again := &node{typ: n.typ, code: o.code, attrs: o.attrs, args: slices.Clone(o.args), parts: o.parts, result: o.result,
		of: o.of, scope: o.scope, device: n.device, serial: n.serial}
	if o.graph != nil {
		again.parts = &parts{regions: []*ir.Graph{o.graph}, results: make([]shape.Type, len(o.graph.Outputs))}
		for i, v := range o.graph.Outputs {
			again.parts.results[i] = v.Type
		}
		again = &node{typ: n.typ, code: projection, result: n.result, args: []*node{again}, device: n.device, serial: n.serial}
	}
	return again
}
