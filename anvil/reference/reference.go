// Package reference runs programs in plain Go: naive and clear, operation by
// operation as the specification of StableHLO and XLA's CPU compiler have it. It
// is the oracle that compiled programs are tested against, and the executor
// where there is no compiler.
//
// Each operation rounds its result to the dtype once. Integers are exact modulo
// their width, as XLA has them where hardware or languages differ: x/0 = -1,
// x%0 = x, the least integer divided by -1 is itself, a shift by the width or more
// leaves nothing. How far XLA's floats may be from these is Def.Bound of each row;
// subnormal numbers, which XLA's programs for CPUs make zeros of, stay what they are
// (RunFlushing makes zeros of them too).
package reference

import (
	"context"
	"fmt"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/ir"
)

// Run returns what g makes of args. It ends early with the context's error when
// ctx is done.
func Run(ctx context.Context, g *ir.Graph, args []array.Array) ([]array.Array, error) {
	return evaluator{ctx, false}.Run(g, args)
}

// An evaluator is an ops.Evaluator.
type evaluator struct {
	ctx   context.Context
	flush bool
}

// Context implements ops.Evaluator.
func (e evaluator) Context() context.Context { return e.ctx }

// Run implements ops.Evaluator.
func (e evaluator) Run(g *ir.Graph, args []array.Array) ([]array.Array, error) {
	if err := checkArgs(g, args); err != nil {
		return nil, err
	}
	frame := frame{params: args, results: make(map[*ir.Node][]array.Array, len(g.Nodes))}
	for _, n := range g.Nodes {
		if err := e.ctx.Err(); err != nil {
			return nil, err
		}
		operands, err := frame.values(n.Args)
		if err != nil {
			return nil, err
		}
		if frame.results[n], err = e.eval(n, operands); err != nil {
			return nil, err
		}
	}
	return frame.values(g.Outputs)
}

// checkArgs reports arguments that are not what g takes.
func checkArgs(g *ir.Graph, args []array.Array) error {
	if len(args) != len(g.Params) {
		return fmt.Errorf("reference: the program takes %d arguments, not %d", len(g.Params), len(args))
	}
	for i, p := range g.Params {
		if a := args[i]; !a.Type.Equal(p.Type) || len(a.Data) != p.Type.Bytes() {
			return fmt.Errorf("reference: argument %d is %v of %d bytes, not %v", i, a.Type, len(a.Data), p.Type)
		}
	}
	return nil
}

// A frame holds the values of a graph that runs.
type frame struct {
	params  []array.Array
	results map[*ir.Node][]array.Array
}

// values returns what vs hold.
func (f frame) values(vs []*ir.Value) ([]array.Array, error) {
	out := make([]array.Array, len(vs))
	for i, v := range vs {
		if v.Node == nil {
			out[i] = f.params[v.Index]
			continue
		}
		made, ok := f.results[v.Node]
		if !ok {
			return nil, fmt.Errorf("reference: %v is used before it is made", v.Node.Code)
		}
		out[i] = made[v.Index]
	}
	return out, nil
}
