package ops

import (
	"slices"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// cumulative holds the rows of cumulative sums, products, maxima and minima. All executors compute them from other
// operations, with Running, so that all combine floats in the same order, except along long axes on CPUs
// (see Running.Rows).
var cumulative = []Def{
	cumulativeRow(Def{Code: ir.CumSum, Accepts: []dtype.Kind{dtype.Any}, Bound: Bound{ULP: 64, Sum: true, AnyZero: true}, Infer: inferCumulative,
		Doc: "CumSum returns the cumulative sums along an axis; for booleans, whether any element so far is true."}),
	cumulativeRow(Def{Code: ir.CumProd, Accepts: []dtype.Kind{dtype.Any}, Bound: Bound{ULP: 64}, Infer: inferCumulative,
		Doc: "CumProd returns the cumulative products along an axis; for booleans, whether all elements so far are true."}),
	cumulativeRow(Def{Code: ir.CumMax, Accepts: []dtype.Kind{dtype.Real | dtype.Boolean}, Infer: inferCumulativeExtreme,
		Doc: "CumMax returns the cumulative maxima along an axis and their positions. A NaN counts as greater than " +
			"every number. Of equal maxima, or of several NaN, the last one counts."}),
	cumulativeRow(Def{Code: ir.CumMin, Accepts: []dtype.Kind{dtype.Real | dtype.Boolean}, Infer: inferCumulativeExtreme,
		Doc: "CumMin returns the cumulative minima along an axis and their positions. A NaN counts as less than " +
			"every number. Of equal minima, or of several NaN, the last one counts."}),
}

// cumulativeRow returns d with the fields that the rows of all cumulative operations have in common.
func cumulativeRow(d Def) Def {
	d.Name, d.Params = d.Code.String(), []string{"operand"}
	d.Lower = composed(func(b expr.Builder, n *ir.Node, args []expr.Value) []expr.Value {
		return cumulate(b, n, args, false)
	})
	d.Eval = func(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
		return e.Run(cumulativeGraph(n, false), args)
	}
	return d
}

// inferCumulative: the axis is an axis of the operand; the result has the operand's type.
func inferCumulative(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, _ := attrs.(ir.CumulativeAttrs)
	return args[:1:1], checkAxis(a.Axis, len(args[0].Shape))
}

// inferCumulativeExtreme: the second result has an integer position for each element.
func inferCumulativeExtreme(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, _ := attrs.(ir.CumulativeAttrs)
	if !a.DType.Is(dtype.Integral) {
		return nil, fault("the position needs an integer dtype", "use i32 or i64")
	}
	return []shape.Type{args[0], {DType: a.DType, Shape: args[0].Shape}}, checkAxis(a.Axis, len(args[0].Shape))
}

// ExpandRunning returns a copy of g in which other operations compute the cumulative operations of g and of its
// regions. It returns g itself if g has no cumulative operation. rows is the value of Running.Rows.
func ExpandRunning(g *ir.Graph, rows bool) *ir.Graph {
	if !hasCumulative(g) {
		return g
	}
	out := &ir.Graph{Name: g.Name}
	for _, p := range g.Params {
		out.Param(p.Type).Ambiguous = p.Ambiguous
	}
	out.Outputs = copied(g, out.Params, func(n *ir.Node, args []*ir.Value) []*ir.Value {
		if isCumulative(n.Code) {
			return inlined(out, cumulativeGraph(n, rows), args)
		}
		regions := make([]*ir.Graph, len(n.Regions))
		for i, r := range n.Regions {
			regions[i] = ExpandRunning(r, rows)
		}
		return out.Add(n.Code, n.Attrs, regions, args, typesOf(n.Results)...).Results
	})
	return out
}

// isCumulative reports whether c is a cumulative operation.
func isCumulative(c ir.Code) bool { return c >= ir.CumSum && c <= ir.CumMin }

// hasCumulative reports whether g or its regions have a cumulative operation.
func hasCumulative(g *ir.Graph) bool {
	return slices.ContainsFunc(g.Nodes, func(n *ir.Node) bool {
		return isCumulative(n.Code) || slices.ContainsFunc(n.Regions, hasCumulative)
	})
}

// cumulativeGraph returns a graph of the operations that compute n, a cumulative operation. rows is the value of
// Running.Rows.
func cumulativeGraph(n *ir.Node, rows bool) *ir.Graph {
	return expr.Graph(Infer, typesOf(n.Args), func(b expr.Builder, args []expr.Value) []expr.Value {
		return cumulate(b, n, args, rows)
	})
}

// cumulate adds the operations that compute n and returns its results.
func cumulate(b expr.Builder, n *ir.Node, args []expr.Value, rows bool) []expr.Value {
	a, xs := n.Attrs.(ir.CumulativeAttrs), slices.Clone(args)
	s, d := xs[0].Shape(), xs[0].DType()
	var r Running
	switch n.Code {
	case ir.CumSum:
		r = RunningOf(ir.Add, identityOf(b, ir.ReduceSum, d))
	case ir.CumProd:
		r = RunningOf(ir.Mul, identityOf(b, ir.ReduceProd, d))
	case ir.CumMax:
		r = runningExtreme(ir.GE, identityOf(b, ir.ReduceMax, d), b.Number(0, a.DType))
	default:
		r = runningExtreme(ir.LE, identityOf(b, ir.ReduceMin, d), b.Number(0, a.DType))
	}
	if len(n.Results) > 1 { // the second result has the positions of the maxima or minima
		xs = append(xs, b.Iota(a.DType, a.Axis, s...))
	}
	reverse := func() {
		for i, x := range xs {
			xs[i] = b.Reverse(x, a.Axis)
		}
	}
	if a.Reverse {
		reverse()
	}
	r.Rows = rows
	xs = r.Along(b, xs, a.Axis)
	if a.Reverse {
		reverse()
	}
	return xs
}

// identityOf returns the identity element of a reduction as a scalar.
func identityOf(b expr.Builder, reduction ir.Code, d dtype.DType) expr.Value {
	return b.Do(ir.Constant, ir.ConstantAttrs{DType: d, Data: string(Identity(reduction, d))})
}

// runningExtreme returns the Running of cumulative maxima or minima and their positions. Of two elements it takes the
// later one if the relation better (GE or LE) holds between the later and the earlier one, or if the later one is NaN.
func runningExtreme(better ir.Direction, worst, position expr.Value) Running {
	return Running{Combine: func(b expr.Builder, before, next []expr.Value) []expr.Value {
		later := b.Compare(better, next[0], before[0])
		if next[0].DType().Is(dtype.Floating) {
			later = b.Or(later, b.Ne(next[0], next[0]))
		}
		return []expr.Value{b.Where(later, next[0], before[0]), b.Where(later, next[1], before[1])}
	}, Unit: []expr.Value{worst, position}}
}

// linearizedCumProd returns the tangents of cumulative products. It combines pairs of a product and its tangent by the
// product rule, which is exact even if factors are 0.
func linearizedCumProd(b expr.Builder, n *ir.Node, x, _, t []expr.Value) []expr.Value {
	a, pair := n.Attrs.(ir.CumulativeAttrs), []expr.Value{x[0], t[0]}
	if a.Reverse {
		pair = []expr.Value{b.Reverse(x[0], a.Axis), b.Reverse(t[0], a.Axis)}
	}
	r := Running{Combine: func(b expr.Builder, before, next []expr.Value) []expr.Value {
		dp := b.Add(b.Do(ir.MulNoNaN, nil, before[1], next[0]), b.Do(ir.MulNoNaN, nil, next[1], before[0]))
		return []expr.Value{b.Mul(before[0], next[0]), dp}
	}, Unit: []expr.Value{b.Scalar(x[0], 1), b.Scalar(x[0], 0)}}
	dp := r.Along(b, pair, a.Axis)[1]
	if a.Reverse {
		dp = b.Reverse(dp, a.Axis)
	}
	return []expr.Value{dp}
}

// linearizedCumExtreme returns the tangents at the positions of the cumulative maxima or minima.
func linearizedCumExtreme(b expr.Builder, n *ir.Node, _, y, t []expr.Value) []expr.Value {
	if t[0].Shape().Size() == 0 {
		return []expr.Value{t[0], nil}
	}
	return []expr.Value{takeAlong(b, t[0], y[1], n.Attrs.(ir.CumulativeAttrs).Axis), nil}
}
