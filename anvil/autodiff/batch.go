package autodiff

import (
	"cmp"
	"slices"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// Batch returns a program that computes g for n lanes at once. It has the parameters of g; the parameters marked in
// batched, which differ between lanes, have an additional leading axis of length n. It has the outputs of g, all with
// a leading axis: element i is the output of g for element i of each marked parameter. The outputs have the same bits
// as those of g if the executor computes an element in the same way for all tensor shapes.
//
// If the condition of an If or Case differs between lanes, the program computes all branches and selects among their
// results. If the condition of a While differs, the loop runs until it has ended in every lane, and lanes in which it
// has ended keep their values. A Go function whose arguments differ between lanes is called once for each lane.
func Batch(g *ir.Graph, n int, batched []bool) (*ir.Graph, error) {
	return derive(g, nil, func(d *deriver) {
		b := &batcher{deriver: d, size: n}
		d.exact = true
		x := b.laneParams(g.Params, batched)
		y, yBatched := b.batch(g, x, batched)
		for i, v := range y {
			d.outputs(b.lanes(v, yBatched[i]))
		}
	})
}

// A batcher writes a program for several lanes at once.
type batcher struct {
	*deriver
	size int // the number of lanes
	// live is a vector of bools that is true for the lanes whose results are used; nil means all lanes. The other
	// lanes must not keep a loop running, since the loop might never end for their values.
	live expr.Value
}

// A controlRule adds n, applied to x, for all lanes. batched marks the operands that differ between lanes, and yBatched
// the results that do; these have a leading axis.
type controlRule func(b *batcher, n *ir.Node, x []expr.Value, batched []bool) (y []expr.Value, yBatched []bool)

// batchControl has the rules of operations with regions, of OptimizationBarrier, and of calls of Go functions.
// init fills the map: the rules refer to it, so an initializer would be an initialization cycle.
var batchControl map[ir.Code]controlRule

func init() {
	batchControl = map[ir.Code]controlRule{
		ir.OptimizationBarrier: func(b *batcher, n *ir.Node, x []expr.Value, batched []bool) ([]expr.Value, []bool) {
			return b.All(n.Code, n.Attrs, nil, x...), batched
		},
		ir.If:       (*batcher).batchBranches,
		ir.Case:     (*batcher).batchBranches,
		ir.While:    (*batcher).batchWhile,
		ir.Scan:     (*batcher).batchScan,
		ir.Call:     (*batcher).batchCall,
		ir.HostCall: (*batcher).batchHostCall,
	}
}

// laneParams adds a parameter for each of vs and returns them. Those marked in batched have a leading axis.
func (b *batcher) laneParams(vs []*ir.Value, batched []bool) []expr.Value {
	ps := make([]expr.Value, len(vs))
	for i, v := range vs {
		ps[i] = b.param(b.laneType(v.Type, batched[i]))
	}
	return ps
}

// laneType returns t with a leading axis if batched is true.
func (b *batcher) laneType(t shape.Type, batched bool) shape.Type {
	if batched {
		t.Shape = append(shape.Shape{b.size}, t.Shape...)
	}
	return t
}

// lanes returns v with a leading axis, which v already has if batched is true.
func (b *batcher) lanes(v expr.Value, batched bool) expr.Value {
	if batched {
		return v
	}
	return ops.WithLanes(b.Builder, v, b.size)
}

// batch adds the nodes of g, applied to x. It returns the outputs, and reports which of them differ between lanes and
// have a leading axis.
func (b *batcher) batch(g *ir.Graph, x []expr.Value, batched []bool) (y []expr.Value, yBatched []bool) {
	type value struct {
		x       expr.Value
		batched bool
	}
	values := make(map[*ir.Value]value, len(g.Params)+len(g.Nodes))
	for i, p := range g.Params {
		values[p] = value{x[i], batched[i]}
	}
	outer := b.scope
	defer func() { b.scope = outer }()
	for _, n := range g.Nodes {
		b.scope = cmp.Or(n.Scope, outer)
		xs, marks := make([]expr.Value, len(n.Args)), make([]bool, len(n.Args))
		for i, a := range n.Args {
			xs[i], marks[i] = values[a].x, values[a].batched
		}
		b.of = n.Of
		ys, ysBatched := b.batchNode(n, xs, marks)
		b.of = ir.Invalid
		for i, r := range n.Results {
			values[r] = value{ys[i], ysBatched[i]}
		}
	}
	for _, o := range g.Outputs {
		y, yBatched = append(y, values[o].x), append(yBatched, values[o].batched)
	}
	return y, yBatched
}

// batchNode adds n, applied to x. It returns the results, and reports which of them differ between lanes.
func (b *batcher) batchNode(n *ir.Node, x []expr.Value, batched []bool) (y []expr.Value, yBatched []bool) {
	control := batchControl[n.Code]
	anyBatched := slices.Contains(batched, true)
	switch {
	case b.size == 0 && anyBatched:
		for _, r := range n.Results {
			t := b.laneType(r.Type, true)
			y = append(y, b.Number(1, t.DType, t.Shape...)) // has no elements; 1, since not every dtype has a 0
		}
		return y, allTrue(len(y))
	case control != nil && (anyBatched || b.live != nil || n.Code == ir.HostCall):
		return control(b, n, x, batched)
	case !anyBatched:
		return b.All(n.Code, n.Attrs, n.Regions, x...), make([]bool, len(n.Results))
	}
	row := ops.Lookup(n.Code)
	if row == nil || row.Batch == nil {
		panic(&Error{n.Code.String() + " has no rule for computing many elements at once (nv.Vmap)", ""})
	}
	return row.Batch(b.Builder, n, b.size, x, batched), allTrue(len(n.Results))
}

// allTrue returns n marks that are true.
func allTrue(n int) []bool { return slices.Repeat([]bool{true}, n) }

// batchedOutputs reports which outputs of g differ between lanes if the parameters marked in batched differ.
func (b *batcher) batchedOutputs(g *ir.Graph, batched []bool) []bool {
	var yBatched []bool
	b.graphOf(func(d *deriver) {
		e := b.inRegion(d)
		_, yBatched = e.batch(g, e.laneParams(g.Params, batched), batched)
	})
	return yBatched
}

// inRegion returns a batcher that adds nodes to the region that d writes. If b.live is set, live of the new batcher is
// a placeholder of the same type; a caller that keeps the region must replace it by a parameter of the region.
func (b *batcher) inRegion(d *deriver) *batcher {
	d.exact = true
	e := &batcher{deriver: d, size: b.size}
	if b.live != nil {
		e.live = &ir.Value{Type: shape.Type{DType: b.live.DType(), Shape: b.live.Shape()}}
	}
	return e
}

// region returns the region g for several lanes. batched marks the parameters that have a leading axis, and wanted
// the outputs that get one. If b.live is set, region inserts a parameter for the live lanes at index at.
func (b *batcher) region(g *ir.Graph, batched, wanted []bool, at int) *ir.Graph {
	return b.graphOf(func(d *deriver) {
		e := b.inRegion(d)
		x := e.laneParams(g.Params[:at], batched)
		if b.live != nil {
			e.live = e.param(shape.Type{DType: b.live.DType(), Shape: b.live.Shape()})
		}
		x = append(x, e.laneParams(g.Params[at:], batched[at:])...)
		y, yBatched := e.batch(g, x, batched)
		for i, v := range y {
			e.outputs(e.lanes(v, yBatched[i] || !wanted[i]))
		}
	})
}

// withLive returns x with b.live inserted at index at, if b.live is set: the operands for a region of b.region.
func (b *batcher) withLive(x []expr.Value, at int) []expr.Value {
	if b.live == nil {
		return x
	}
	return slices.Insert(slices.Clone(x), at, b.live)
}

// restrictedTo returns the batcher whose live lanes are those of b for which cond is true.
func (b *batcher) restrictedTo(cond expr.Value) *batcher {
	e := *b
	if e.live = cond; b.live != nil {
		e.live = b.And(b.live, cond)
	}
	return &e
}

// selectLanes returns x in the lanes for which cond is true, and y in the others; both have a leading axis.
func (b *batcher) selectLanes(cond, x, y expr.Value) expr.Value {
	s := x.Shape()
	if len(s) > 1 {
		cond = b.Do(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: s.Dims(), Axes: shape.DimsOf(0)}, cond)
	}
	return b.Do(ir.Select, nil, cond, x, y)
}

// batchBranches keeps n, with batched branches, if the condition is the same in all lanes. Otherwise it computes all
// branches and selects among their results.
func (b *batcher) batchBranches(n *ir.Node, x []expr.Value, batched []bool) (y []expr.Value, yBatched []bool) {
	args, marks := x[1:], batched[1:]
	if !batched[0] {
		yBatched = make([]bool, len(n.Results))
		for _, r := range n.Regions {
			yBatched = union(yBatched, b.batchedOutputs(r, marks))
		}
		regions := make([]*ir.Graph, len(n.Regions))
		for i, r := range n.Regions {
			regions[i] = b.region(r, marks, yBatched, len(args))
		}
		return b.All(n.Code, n.Attrs, regions, b.withLive(x, len(x))...), yBatched
	}
	taken := b.taken(n, x[0])
	last := len(n.Regions) - 1
	y, yBatched = b.restrictedTo(taken[last]).batch(n.Regions[last], args, marks)
	for i := last - 1; i >= 0; i-- {
		z, zBatched := b.restrictedTo(taken[i]).batch(n.Regions[i], args, marks)
		for k := range y {
			if y[k] != z[k] {
				y[k], yBatched[k] = b.selectLanes(taken[i], b.lanes(z[k], zBatched[k]), b.lanes(y[k], yBatched[k])), true
			}
		}
	}
	return y, yBatched
}

// taken returns, for each branch of n, a tensor that is true for the lanes that take it. A selector of Case
// that is out of range takes the last branch.
func (b *batcher) taken(n *ir.Node, selector expr.Value) []expr.Value {
	if n.Code == ir.If {
		return []expr.Value{selector, b.Not(selector)}
	}
	taken, last := make([]expr.Value, len(n.Regions)), len(n.Regions)-1
	for i := range last {
		taken[i] = b.Eq(selector, i)
	}
	taken[last] = b.Or(b.Lt(selector, 0), b.Ge(selector, last))
	return taken
}

// batchWhile keeps a loop whose condition is the same in all lanes, if all are live. Otherwise the loop also carries
// a bool for each lane, which is true while the lane is running; lanes that have ended keep their values.
func (b *batcher) batchWhile(n *ir.Node, x []expr.Value, batched []bool) (y []expr.Value, yBatched []bool) {
	cond, body := n.Regions[0], n.Regions[1]
	carried := fixpoint(batched, func(marks []bool) []bool { return b.batchedOutputs(body, marks) })
	if b.live == nil && !b.batchedOutputs(cond, carried)[0] {
		regions := []*ir.Graph{b.region(cond, carried, []bool{false}, len(x)), b.region(body, carried, carried, len(x))}
		return b.All(n.Code, n.Attrs, regions, b.allLanes(x, batched, carried)...), carried
	}
	// A value that a step changes differs between lanes after the first lane has ended.
	carried = slices.Clone(carried)
	for i, p := range body.Params {
		carried[i] = carried[i] || body.Outputs[i] != p
	}
	x = b.allLanes(x, batched, carried)
	running := func(b *batcher, x []expr.Value) expr.Value {
		y, yBatched := b.batch(cond, x, carried)
		p := b.lanes(y[0], yBatched[0])
		if b.live != nil {
			p = b.And(b.live, p)
		}
		return p
	}
	first := running(b, x)
	runningType := shape.Type{DType: first.DType(), Shape: first.Shape()}
	test := b.graphOf(func(d *deriver) {
		p := d.param(runningType)
		b.inRegion(d).laneParams(body.Params, carried)
		d.outputs(d.Reduce(ir.ReduceOr, p, 0))
	})
	step := b.graphOf(func(d *deriver) {
		e := b.inRegion(d)
		e.live = e.param(runningType)
		x := e.laneParams(body.Params, carried)
		y, yBatched := e.batch(body, x, carried)
		for i := range y {
			if y[i] != x[i] {
				y[i] = e.selectLanes(e.live, e.lanes(y[i], yBatched[i]), x[i])
			}
		}
		e.outputs(running(e, y))
		e.outputs(y...)
	})
	y = b.All(n.Code, n.Attrs, []*ir.Graph{test, step}, append([]expr.Value{first}, x...)...)
	return y[1:], carried // without the bools
}

// batchScan keeps the loop. In scanned inputs and stacked results the steps are the first axis and the lanes
// the second.
func (b *batcher) batchScan(n *ir.Node, x []expr.Value, batched []bool) (y []expr.Value, yBatched []bool) {
	a, body := n.Attrs.(ir.ScanAttrs), n.Regions[0]
	firstInput := a.Carried + a.Shared
	marks := fixpoint(batched, func(marks []bool) []bool { return b.batchedOutputs(body, marks)[:a.Carried] })
	yBatched = union(b.batchedOutputs(body, marks), marks[:a.Carried])
	args := b.allLanes(x, batched, marks)
	for i := firstInput; i < len(args); i++ {
		if batched[i] {
			args[i] = b.swapLeading(args[i])
		}
	}
	if b.live != nil {
		a.Shared++
	}
	y = b.All(n.Code, a, []*ir.Graph{b.region(body, marks, yBatched, firstInput)}, b.withLive(args, firstInput)...)
	for i := a.Carried; i < len(y); i++ {
		if yBatched[i] {
			y[i] = b.swapLeading(y[i])
		}
	}
	return y, yBatched
}

// swapLeading returns x with its first two axes exchanged.
func (b *batcher) swapLeading(x expr.Value) expr.Value {
	order := []int{1, 0}
	for i := 2; i < len(x.Shape()); i++ {
		order = append(order, i)
	}
	return b.Permute(x, order...)
}

// allLanes returns x with a leading axis for each x[i] for which wanted[i] is true. has[i] reports whether
// x[i] already has it.
func (b *batcher) allLanes(x []expr.Value, has, wanted []bool) []expr.Value {
	out := make([]expr.Value, len(x))
	for i, v := range x {
		out[i] = b.lanes(v, has[i] || !wanted[i])
	}
	return out
}

// batchCall keeps a call that has attributes, with a batched region and a batched rule of differentiation. It replaces
// a call without attributes by the nodes of its region.
func (b *batcher) batchCall(n *ir.Node, x []expr.Value, batched []bool) (y []expr.Value, yBatched []bool) {
	attrs, _ := n.Attrs.(ir.CallAttrs)
	if attrs == (ir.CallAttrs{}) {
		return b.batch(n.Regions[0], x, batched)
	}
	if attrs.Elementwise { // the operands must keep equal shapes
		x = b.allLanes(x, batched, allTrue(len(x)))
		batched = allTrue(len(x))
	}
	yBatched = allTrue(len(n.Results))
	regions := []*ir.Graph{b.region(n.Regions[0], batched, yBatched, len(x))}
	if attrs.Elementwise && len(n.Regions) == 2 {
		regions = append(regions, b.region(n.Regions[1], batched, yBatched, len(x)))
	}
	if attrs.Rule {
		marks := slices.Concat(batched, yBatched)
		for i, a := range n.Args {
			if Differentiable(a.Type.DType) {
				marks = append(marks, batched[i])
			}
		}
		regions = append(regions, b.region(n.Regions[1], marks, allTrue(len(n.Regions[1].Outputs)), len(x)))
	}
	return b.All(n.Code, n.Attrs, regions, b.withLive(x, len(x))...), yBatched
}

// batchHostCall calls the Go function once for each lane, or only once if no argument differs between lanes.
func (b *batcher) batchHostCall(n *ir.Node, x []expr.Value, batched []bool) (y []expr.Value, yBatched []bool) {
	if !slices.Contains(batched, true) {
		return b.copyNode(n, x), make([]bool, len(n.Results))
	}
	results := make([][]expr.Value, len(n.Results))
	for lane := range b.size {
		args := make([]expr.Value, len(x))
		for i, v := range x {
			if args[i] = v; batched[i] {
				args[i] = b.Reshape(b.Slice(v, 0, lane, lane+1), n.Args[i].Type.Shape...)
			}
		}
		for i, y := range b.copyNode(n, args) {
			results[i] = append(results[i], b.Reshape(y, append(shape.Shape{1}, y.Shape()...)...))
		}
	}
	for _, r := range results {
		y = append(y, b.Concatenate(0, r...))
	}
	return y, allTrue(len(y))
}
