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

// A HostCall is a Go function that programs call. A call is a node with code ir.HostCall, and the
// HostCall is its Attrs. Plugins do not support such nodes, so a program that contains a host call,
// even in a loop or a branch, runs in pieces: the Go function is called directly, and the
// operations between two host calls run as one program.
type HostCall struct {
	Name   string
	Effect bool // the function is called even if no result of the program depends on its results
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

// anyTraced reports whether one of the arrays is traced.
func anyTraced(as []Array) bool {
	for _, a := range as {
		if a.Traced() {
			return true
		}
	}
	return false
}

// addEffect adds n to the effects of its trace if n is, or its regions contain, a host call with Effect set.
func (n *node) addEffect() {
	h, ok := n.attrs.(*HostCall)
	effect := ok && h.Effect
	if n.parts != nil {
		effect = effect || anyCall(n.parts.regions, func(h *HostCall) bool { return h.Effect })
	}
	if effect {
		n.trace.effects = append(n.trace.effects, n)
	}
}

// anyCall reports whether gs or their regions contain a host call for which match
// returns true.
func anyCall(gs []*ir.Graph, match func(*HostCall) bool) bool {
	for _, g := range gs {
		for _, n := range g.Nodes {
			if h, ok := n.Attrs.(*HostCall); ok && match(h) || anyCall(n.Regions, match) {
				return true
			}
		}
	}
	return false
}

// callsHost reports whether gs or their regions contain a host call.
func callsHost(gs ...*ir.Graph) bool { return anyCall(gs, func(*HostCall) bool { return true }) }

// inPieces runs g on args in pieces (see HostCall).
func (s *Session) inPieces(g *ir.Graph, args []Array) ([]Array, error) {
	return s.runPieces(g, args, false)
}

// runPieces is inPieces, but if outputsOnly is true, a NaN that arises in g is an error only if an output of g
// also has a NaN.
func (s *Session) runPieces(g *ir.Graph, args []Array, outputsOnly bool) ([]Array, error) {
	var firstNaN *NaNError
	values := make(map[*ir.Value]Array, len(args)+len(g.Nodes))
	arraysOf := func(vs []*ir.Value) []Array {
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
		out, err := s.applyNode(n, arraysOf(n.Args))
		var nan *NaNError
		if errors.As(err, &nan) {
			if nan.Of == ir.Invalid {
				nan.Of = n.Of
			}
			if firstNaN == nil {
				firstNaN = nan
			}
		}
		if err != nil && (nan == nil || !outputsOnly || out == nil) {
			return nil, err
		}
		for i, v := range n.Results {
			values[v] = out[i]
		}
	}
	if firstNaN != nil && slices.ContainsFunc(g.Outputs, func(v *ir.Value) bool { return s.HasNaN(values[v]) }) {
		return nil, firstNaN
	}
	return arraysOf(g.Outputs), nil
}

// applyNode applies n to args. If no argument is traced, it runs n at once if n or its regions call the host, or if n
// has regions and operations are watched.
func (s *Session) applyNode(n *ir.Node, args []Array) ([]Array, error) {
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
	inPieces := callsHost(n.Regions...) || s.Watching() && len(n.Regions) > 0
	if inPieces && !anyTraced(args) && canRunInPieces(n.Code) {
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

// regionsInPieces runs n on args, with its regions in pieces, because they call the host or are watched.
func (s *Session) regionsInPieces(n *ir.Node, args []Array) ([]Array, error) {
	switch n.Code {
	case ir.While:
		return s.whileInPieces(n.Regions[0], n.Regions[1], args)
	case ir.Scan:
		return s.inPieces(ops.WhileOfScan(n), args)
	case ir.Call: // a function with its own derivative rule, or a derivative
		return s.runPieces(n.Regions[0], args, true)
	}
	branch, err := s.readScalar(args[0])
	if err != nil {
		return nil, err
	}
	if n.Code == ir.If {
		branch = 1 - branch // the branch for true comes first
	} else if branch < 0 || branch >= int64(len(n.Regions)) {
		branch = int64(len(n.Regions)) - 1 // StableHLO's case: an index out of range selects the last branch
	}
	return s.inPieces(n.Regions[branch], args[1:])
}

// whileInPieces runs body on carry while cond holds, both in pieces, and returns the last carry.
func (s *Session) whileInPieces(cond, body *ir.Graph, carry []Array) ([]Array, error) {
	for {
		if err := s.options.Interrupt().Err(); err != nil {
			return nil, err
		}
		holds, err := s.inPieces(cond, carry)
		if err != nil {
			return nil, err
		}
		if again, err := s.readScalar(holds[0]); err != nil || again == 0 {
			return carry, err
		}
		if carry, err = s.inPieces(body, carry); err != nil {
			return nil, err
		}
		if err := s.Force(carry...); err != nil { // otherwise the pending graph would grow with each step
			return nil, err
		}
	}
}

// readScalar computes a, which must be of type i1 or i32 and rank 0, and returns its value.
func (s *Session) readScalar(a Array) (int64, error) {
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
	return 0, fmt.Errorf("engine: a region is selected by %s; want a scalar of type i1 or i32", t)
}
