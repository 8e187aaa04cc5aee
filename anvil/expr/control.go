package expr

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Function emits operations into b that compute values from args, and returns these values.
type Function func(b Builder, args []Value) []Value

// Graph returns the graph of f for parameters of the given types.
func Graph(infer Infer, types []shape.Type, f Function) *ir.Graph {
	return graphOf(infer, types, f, false)
}

// graphOf is Graph with an Emitter whose method Traced returns traced, which says whether the derivative of f
// may be needed.
func graphOf(infer Infer, types []shape.Type, f Function, traced bool) *ir.Graph {
	g := &ir.Graph{}
	args := make([]Value, len(types))
	for i, t := range types {
		args[i] = g.Param(t)
	}
	for _, v := range f(New(&graph{g, infer, traced}, infer), args) {
		g.Outputs = append(g.Outputs, v.(*ir.Value))
	}
	return g
}

// On returns a Builder that adds nodes to g.
func On(g *ir.Graph, infer Infer) Builder { return New(&graph{g, infer, false}, infer) }

// A graph is an Emitter that adds nodes to an ir.Graph.
type graph struct {
	to     *ir.Graph
	infer  Infer
	traced bool
}

// Traced implements Tracer.
func (g *graph) Traced([]Value) bool { return g.traced }

// Emit implements Emitter.
func (g *graph) Emit(c ir.Code, attrs any, regions []*ir.Graph, args []Value) []Value {
	types, err := g.infer(c, attrs, regions, typesOf(args)...)
	if err != nil {
		panic(err)
	}
	nodes := make([]*ir.Value, len(args))
	for i, a := range args {
		nodes[i] = a.(*ir.Value)
	}
	results := g.to.Add(c, attrs, regions, nodes, types...).Results
	values := make([]Value, len(results))
	for i, r := range results {
		values[i] = r
	}
	return values
}

// Region returns the graph of f for parameters of the given types, as a body of If, While, Reduce and others.
// f must not use values of the enclosing graph.
func (b Builder) Region(types []shape.Type, f Function) *ir.Graph { return Graph(b.infer, types, f) }

// While replaces carried by the results of body as long as cond, a scalar boolean, is true, and returns the
// last values. cond and body also get shared, which does not change.
func (b Builder) While(carried, shared []Value, cond func(b Builder, carried, shared []Value) Value,
	body func(b Builder, carried, shared []Value) []Value) []Value {
	n, args := len(carried), append(carried[:len(carried):len(carried)], shared...)
	types := typesOf(args)
	test := b.Region(types, func(b Builder, ps []Value) []Value { return []Value{cond(b, ps[:n:n], ps[n:])} })
	step := b.Region(types, func(b Builder, ps []Value) []Value { return append(body(b, ps[:n:n], ps[n:]), ps[n:]...) })
	return b.All(ir.While, nil, []*ir.Graph{test, step}, args...)[:n]
}

// For replaces carried by the results of body for each i from low to high-1, and returns the last values. low
// and high are scalars of one integer dtype, or i32 if both are Go numbers. body also gets shared, which does
// not change.
func (b Builder) For(low, high any, carried, shared []Value,
	body func(b Builder, i Value, carried, shared []Value) []Value) []Value {
	if asValue(low) == nil && asValue(high) == nil {
		high = b.Number(high, dtype.I32)
	}
	first, end := b.pair(low, high)
	return b.While(append([]Value{first}, carried...), append([]Value{end}, shared...),
		func(b Builder, carried, shared []Value) Value { return b.Lt(carried[0], shared[0]) },
		func(b Builder, carried, shared []Value) []Value {
			return append([]Value{b.Add(carried[0], 1)}, body(b, carried[0], carried[1:], shared[1:])...)
		})[1:]
}

// Scan calls body length times. Each step gets the carried values, shared, which does not change, and one
// element of each input along its first axis, which must have the given length. body returns the next carried
// values and the results of the step. Scan returns the last carried values, and the results of all steps,
// stacked along a new first axis. If reverse is true, the steps go from the last element to the first; the
// results of a step are stacked at the position of its elements.
func (b Builder) Scan(length int, carried, shared, inputs []Value, reverse bool,
	body func(b Builder, carried, shared, elements []Value) (next, results []Value)) (final, stacked []Value) {
	n, m := len(carried), len(carried)+len(shared)
	types := typesOf(slices.Concat(carried, shared, inputs))
	for i := range inputs {
		types[m+i].Shape = types[m+i].Shape[1:]
	}
	step := b.Region(types, func(b Builder, ps []Value) []Value {
		next, results := body(b, ps[:n:n], ps[n:m:m], ps[m:])
		return slices.Concat(next, results)
	})
	attrs := ir.ScanAttrs{Length: length, Carried: n, Shared: len(shared), Reverse: reverse}
	out := b.All(ir.Scan, attrs, []*ir.Graph{step}, slices.Concat(carried, shared, inputs)...)
	return out[:n:n], out[n:]
}

// If returns the result of f for args if cond, a scalar boolean, is true, and otherwise args[0].
func (b Builder) If(cond Value, args []Value, f func(b Builder, args []Value) Value) Value {
	types := typesOf(args)
	yes := b.Region(types, func(b Builder, args []Value) []Value { return []Value{f(b, args)} })
	no := b.Region(types, func(_ Builder, args []Value) []Value { return args[:1] })
	return b.All(ir.If, nil, []*ir.Graph{yes, no}, append([]Value{cond}, args...)...)[0]
}

// Barrier returns xs. Compilers do not combine operations on the results with the operations that compute xs.
func (b Builder) Barrier(xs ...Value) []Value { return b.All(ir.OptimizationBarrier, nil, nil, xs...) }
