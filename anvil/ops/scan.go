package ops

import (
	"math"
	"slices"
	"strconv"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// inferScan: the operands after the carried and shared ones have a first axis of Length
// elements. The region takes the carried and shared operands and an element of each of the
// others; its first results have the types of the carried operands.
func inferScan(args []shape.Type, attrs any, regions []*ir.Graph) ([]shape.Type, error) {
	a, ok := attrs.(ir.ScanAttrs)
	switch {
	case !ok || a.Carried < 0 || a.Shared < 0 || a.Carried+a.Shared > len(args):
		return nil, fault("there are "+strconv.Itoa(len(args))+" operands, but the attributes say that "+
			strconv.Itoa(a.Carried)+" are carried and "+strconv.Itoa(a.Shared)+" shared", "")
	case a.Length < 0 || a.Length > math.MaxInt32:
		return nil, fault("the number of steps is "+strconv.Itoa(a.Length), "give from 0 to 2147483647 steps")
	case len(regions) != 1:
		return nil, fault("one region is needed, not "+strconv.Itoa(len(regions)), "")
	}
	params := slices.Clone(args)
	for i := a.Carried + a.Shared; i < len(args); i++ {
		if s := args[i].Shape; len(s) == 0 || s[0] != a.Length {
			return nil, fault("operand "+strconv.Itoa(i)+" is "+args[i].String()+", and there are "+
				strconv.Itoa(a.Length)+" steps",
				"its first axis must have one element for each step")
		}
		params[i].Shape = args[i].Shape[1:]
	}
	if err := checkTypes("the region takes", typesOf(regions[0].Params), params); err != nil {
		return nil, err
	}
	results := typesOf(regions[0].Outputs)
	if err := checkTypes("the region returns", results[:min(a.Carried, len(results))], args[:a.Carried]); err != nil {
		return nil, err
	}
	for i := a.Carried; i < len(results); i++ {
		results[i].Shape = appendAxes(shape.Shape{a.Length}, results[i].Shape...)
	}
	return results, nil
}

func lowerScan(w *stablehlo.Writer, n *ir.Node) {
	g := WhileOfScan(n)
	w.Inline(g, w.NamesOf(n.Args))
	for i, v := range g.Outputs {
		w.Rename(n.Results[i], w.NameOf(v))
	}
}

// WhileOfScan returns a graph that computes the Scan n by a While. The parameters of the graph are the
// operands of n. The loop carries the number of the step, the carried operands, the stacked
// results, and the shared and scanned operands, which do not change.
func WhileOfScan(n *ir.Node) *ir.Graph {
	a, g := n.Attrs.(ir.ScanAttrs), &ir.Graph{}
	b, types := expr.On(g, Infer), append([]shape.Type{counterType}, typesOf(n.Results)...)
	args := []*ir.Value{b.Number(0, dtype.I32).(*ir.Value)}
	var unchanged []*ir.Value // the shared and the scanned operands
	for i, v := range n.Args {
		p := g.Param(v.Type)
		if i < a.Carried {
			args = append(args, p)
		} else {
			unchanged, types = append(unchanged, p), append(types, v.Type)
		}
	}
	for _, r := range n.Results[a.Carried:] { // the steps overwrite all elements; not every dtype has a 0
		args = append(args, b.Number(1, r.Type.DType, r.Type.Shape...).(*ir.Value))
	}
	if a.Length == 0 { // there is no element for the body to take
		g.Outputs = args[1:]
		return g
	}
	cond := expr.Graph(Infer, types, func(b expr.Builder, ps []expr.Value) []expr.Value {
		return []expr.Value{b.Lt(ps[0], a.Length)}
	})
	loop := g.Add(ir.While, nil, []*ir.Graph{cond, scanStep(n, types)}, append(args, unchanged...), types...)
	g.Outputs = loop.Results[1:][:len(n.Results)]
	return g
}

// scanStep returns the body of WhileOfScan's loop. Its parameters are the number of the step,
// the results of n so far, and the shared and scanned operands of n.
func scanStep(n *ir.Node, types []shape.Type) *ir.Graph {
	a, g := n.Attrs.(ir.ScanAttrs), &ir.Graph{}
	for _, t := range types {
		g.Param(t)
	}
	b, i := expr.On(g, Infer), expr.Value(g.Params[0])
	g.Outputs = []*ir.Value{b.Add(i, 1).(*ir.Value)}
	if a.Reverse {
		i = b.Sub(a.Length-1, i)
	}
	results, unchanged := g.Params[1:][:len(n.Results)], g.Params[1+len(n.Results):]
	args := slices.Concat(results[:a.Carried], unchanged[:a.Shared])
	for _, x := range unchanged[a.Shared:] {
		args = append(args, b.Reshape(b.DynamicSlice(x, 0, i, 1), x.Type.Shape[1:]...).(*ir.Value))
	}
	for k, y := range inlined(g, n.Regions[0], args) {
		if k >= a.Carried {
			slot := b.Reshape(y, appendAxes(shape.Shape{1}, y.Type.Shape...)...)
			y = b.DynamicUpdateSlice(results[k], slot, 0, i).(*ir.Value)
		}
		g.Outputs = append(g.Outputs, y)
	}
	g.Outputs = append(g.Outputs, unchanged...)
	return g
}

// inlined adds the nodes of region to g, with args for its parameters, and returns its
// outputs.
func inlined(g, region *ir.Graph, args []*ir.Value) []*ir.Value {
	return copied(region, args, func(n *ir.Node, args []*ir.Value) []*ir.Value {
		m := g.Add(n.Code, n.Attrs, n.Regions, args, typesOf(n.Results)...)
		m.Of, m.Scope = n.Of, n.Scope
		return m.Results
	})
}

func evalScan(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	a := n.Attrs.(ir.ScanAttrs)
	stacked := make([]array.Array, len(n.Results)-a.Carried)
	for k := range stacked {
		stacked[k] = array.New(n.Results[a.Carried+k].Type)
	}
	carried, shared, scanned := args[:a.Carried], args[a.Carried:][:a.Shared], args[a.Carried+a.Shared:]
	for step := range a.Length {
		if err := e.Context().Err(); err != nil {
			return nil, err
		}
		i := step
		if a.Reverse {
			i = a.Length - 1 - step
		}
		in := slices.Concat(carried, shared)
		for _, x := range scanned {
			in = append(in, elementOf(x, i))
		}
		out, err := e.Run(n.Regions[0], in)
		if err != nil {
			return nil, err
		}
		carried = out[:a.Carried]
		for k, y := range out[a.Carried:] {
			copy(elementOf(stacked[k], i).Data, y.Data)
		}
	}
	return slices.Concat(carried, stacked), nil
}

// elementOf returns element i of x along its first axis. It shares the memory of x.
func elementOf(x array.Array, i int) array.Array {
	t := shape.Type{DType: x.DType(), Shape: x.Type.Shape[1:]}
	size := t.Bytes()
	return array.Array{Type: t, Data: x.Data[i*size : (i+1)*size]}
}
