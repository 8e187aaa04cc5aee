// Package reference runs programs in plain Go, operation by operation, as StableHLO specifies and, where
// StableHLO leaves a choice, as XLA's CPU compiler does. Compiled programs are tested against this package.
// Where no compiler is installed, it runs the programs.
//
// Each operation rounds its result to the dtype once. Integers wrap to their width. Where hardware or
// languages differ, integers follow XLA: x/0 = -1, x%0 = x, the least integer divided by -1 is itself, and a
// shift by the width or more returns 0, or for an arithmetic shift the sign. XLA's floats may differ by the
// Bound of the operation in package ops. Run keeps subnormal numbers; XLA's programs for CPUs flush them to
// 0, as RunFlushing does.
package reference

import (
	"context"
	"fmt"
	"slices"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

// Run runs g on args and returns its outputs. If ctx ends first it returns ctx's error.
func Run(ctx context.Context, g *ir.Graph, args []array.Array) ([]array.Array, error) {
	return evaluator{ctx, false}.Run(g, args)
}

// An evaluator is an ops.Evaluator.
type evaluator struct {
	ctx   context.Context
	flush bool // flush subnormal numbers to 0
}

// Context implements ops.Evaluator.
func (e evaluator) Context() context.Context { return e.ctx }

// Run implements ops.Evaluator.
func (e evaluator) Run(g *ir.Graph, args []array.Array) ([]array.Array, error) {
	if err := checkArgs(g, args); err != nil {
		return nil, err
	}
	f := frame{params: args, results: make(map[*ir.Node][]array.Array, len(g.Nodes))}
	for _, n := range g.Nodes {
		if err := e.ctx.Err(); err != nil {
			return nil, err
		}
		operands, err := f.values(n.Args)
		if err != nil {
			return nil, err
		}
		if f.results[n], err = e.eval(n, operands); err != nil {
			return nil, err
		}
	}
	return f.values(g.Outputs)
}

// eval returns the results of n for args.
func (e evaluator) eval(n *ir.Node, args []array.Array) ([]array.Array, error) {
	if out := emptyResults(n); out != nil {
		return out, nil
	}
	if !e.flush || !Flushes(n) {
		return ops.Lookup(n.Code).Eval(e, n, args)
	}
	for i, a := range args {
		args[i] = flushSubnormal(a)
	}
	out, err := ops.Lookup(n.Code).Eval(e, n, args)
	for i, a := range out {
		out[i] = flushSubnormal(a)
	}
	return out, err
}

// emptyResults returns the results of n if they have no elements, and nil otherwise. Eval must not compute
// them: the other axes of an empty array may be too long to iterate over.
func emptyResults(n *ir.Node) []array.Array {
	if len(n.Regions) > 0 || slices.ContainsFunc(n.Results, func(v *ir.Value) bool { return v.Type.Bytes() > 0 }) {
		return nil
	}
	out := make([]array.Array, len(n.Results))
	for i, v := range n.Results {
		out[i] = array.Array{Type: v.Type, Data: []byte{}}
	}
	return out
}

// checkArgs returns an error unless args have the types of g's parameters.
func checkArgs(g *ir.Graph, args []array.Array) error {
	if len(args) != len(g.Params) {
		return fmt.Errorf("reference: called with %d arguments, want %d", len(args), len(g.Params))
	}
	for i, p := range g.Params {
		if a := args[i]; !a.Type.Equal(p.Type) || len(a.Data) != p.Type.Bytes() {
			return fmt.Errorf("reference: argument %d is %v of %d bytes, want %v", i, a.Type, len(a.Data), p.Type)
		}
	}
	return nil
}

// A frame has the values of one run of a graph.
type frame struct {
	params  []array.Array
	results map[*ir.Node][]array.Array
}

// values returns the arrays of vs.
func (f frame) values(vs []*ir.Value) ([]array.Array, error) {
	out := make([]array.Array, len(vs))
	for i, v := range vs {
		if v.Node == nil {
			out[i] = f.params[v.Index]
			continue
		}
		results, ok := f.results[v.Node]
		if !ok {
			return nil, fmt.Errorf("reference: %v is used before it is computed", v.Node.Code)
		}
		out[i] = results[v.Index]
	}
	return out, nil
}
