package engine

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// A HostCall is a Go function that programs call: the attributes of a node with code
// ir.HostCall. Plugins do not see it: a program with one, also in a loop or a branch,
// is run in pieces around it.
type HostCall struct {
	Name   string
	Effect bool // is called even if nothing needs its results
	Do     func(args []Array) ([]Array, error)
}

// String returns the name.
func (h *HostCall) String() string { return h.Name }

// CallHost calls h with args, or adds the call to the program that is being
// traced. Calls with effects keep their order.
func (s *Session) CallHost(h *HostCall, results []shape.Type, args ...Array) ([]Array, error) {
	if s.recording() == nil && !anyTraced(args) {
		return h.Do(args)
	}
	return s.ApplyMany(results, ir.HostCall, h, nil, args...)
}

func anyTraced(as []Array) bool {
	for _, a := range as {
		if a.Traced() {
			return true
		}
	}
	return false
}

// effect adds n to the effects of its trace if n calls a HostCall with Effect.
func (n *node) effect() {
	h, ok := n.attrs.(*HostCall)
	if ok && h.Effect || n.parts != nil && anyCall(n.parts.regions, func(h *HostCall) bool { return h.Effect }) {
		n.trace.effects = append(n.trace.effects, n)
	}
}

// anyCall reports whether gs or their regions contain a host call for which is
// returns true.
func anyCall(gs []*ir.Graph, is func(*HostCall) bool) bool {
	for _, g := range gs {
		for _, n := range g.Nodes {
			if h, ok := n.Attrs.(*HostCall); ok && is(h) || anyCall(n.Regions, is) {
				return true
			}
		}
	}
	return false
}

// callsHost reports whether gs or their regions contain a host call.
func callsHost(gs ...*ir.Graph) bool { return anyCall(gs, func(*HostCall) bool { return true }) }

// inPieces runs g on args. The operations between two host calls are a program.
func (s *Session) inPieces(g *ir.Graph, args []Array) ([]Array, error) {
	return s.withNaNs(g, args, false)
}

// withNaNs is inPieces. With pass, a NaN that arises in g is an error only if an output of g has one.
func (s *Session) withNaNs(g *ir.Graph, args []Array, pass bool) ([]Array, error) {
	var first *NaNError
	values := make(map[*ir.Value]Array, len(args)+len(g.Nodes))
	of := func(vs []*ir.Value) []Array {
		as := make([]Array, len(vs))
		for i, v := range vs {
			as[i] = values[v]
		}
		return as
	}
	for i, v := range g.Params {
		values[v] = args[i]
	}
	for _, n := range g.Nodes {
		out, err := s.piece(n, of(n.Args))
		var nan *NaNError
		if errors.As(err, &nan) {
			if nan.Of == ir.Invalid {
				nan.Of = n.Of
			}
			if first == nil {
				first = nan
			}
		}
		if err != nil && (nan == nil || !pass || out == nil) {
			return nil, err
		}
		for i, v := range n.Results {
			values[v] = out[i]
		}
	}
	if first != nil && slices.ContainsFunc(g.Outputs, func(v *ir.Value) bool { return s.HasNaN(values[v]) }) {
		return nil, first
	}
	return of(g.Outputs), nil
}

// piece runs n if it calls the host. Otherwise its results are pending.
func (s *Session) piece(n *ir.Node, args []Array) ([]Array, error) {
	types := make([]shape.Type, len(n.Results))
	for i, v := range n.Results {
		types[i] = v.Type
	}
	if n.Scope != 0 {
		defer s.enter(n.Scope)()
	}
	if h, ok := n.Attrs.(*HostCall); ok && !anyTraced(args) {
		return h.Do(args)
	}
	if len(n.Regions) > 0 && (callsHost(n.Regions...) || s.watching.Load()) && !anyTraced(args) && inRegions(n.Code) {
		return s.regionsInPieces(n, args)
	}
	if len(types) != 1 || len(n.Regions) > 0 {
		return s.ApplyMany(types, n.Code, n.Attrs, n.Regions, args...)
	}
	out, err := s.Apply(types[0], n.Code, n.Attrs, args...)
	if out.n != nil {
		out.n.of = n.Of
	}
	return []Array{out}, err
}

// regionsInPieces runs n, whose regions call the host, on values.
func (s *Session) regionsInPieces(n *ir.Node, args []Array) ([]Array, error) {
	switch n.Code {
	case ir.While:
		return s.whileInPieces(n.Regions[0], n.Regions[1], args)
	case ir.Scan:
		return s.inPieces(ops.WhileOfScan(n), args)
	case ir.Call: // a function with a rule, or a derivative
		return s.withNaNs(n.Regions[0], args, true)
	}
	at, err := s.scalarOf(args[0])
	if err != nil {
		return nil, err
	}
	if n.Code == ir.If {
		at = 1 - at
	} else if at < 0 || at >= int64(len(n.Regions)) {
		at = int64(len(n.Regions)) - 1
	}
	return s.inPieces(n.Regions[at], args[1:])
}

func (s *Session) whileInPieces(cond, body *ir.Graph, carry []Array) ([]Array, error) {
	for {
		if err := s.options.Interrupt().Err(); err != nil {
			return nil, err
		}
		holds, err := s.inPieces(cond, carry)
		if err != nil {
			return nil, err
		}
		if goesOn, err := s.scalarOf(holds[0]); err != nil || goesOn == 0 {
			return carry, err
		}
		if carry, err = s.inPieces(body, carry); err != nil {
			return nil, err
		}
		if err := s.Force(carry...); err != nil { // else the pending graph grows with each step
			return nil, err
		}
	}
}

// scalarOf reads a bool or an i32 of rank 0.
func (s *Session) scalarOf(a Array) (int64, error) {
	t := a.Type()
	data := make([]byte, t.Bytes())
	if err := s.Read(a, data); err != nil {
		return 0, err
	}
	switch t.DType {
	case dtype.I1:
		return int64(data[0]), nil
	case dtype.I32:
		return dtype.GetInt(data, dtype.I32), nil
	}
	return 0, fmt.Errorf("engine: %s chooses no region", t)
}
