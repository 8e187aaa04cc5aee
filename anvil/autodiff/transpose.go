package autodiff

import (
	"cmp"

	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

// transposed adds the operations of the transpose of g to d's program. g is linear in its parameters i for which
// x[i] is nil or missing. It returns the outputs of g that do not depend on these parameters (nil for the others),
// and the cotangents of these parameters, given the cotangents ct of the outputs.
func (d *deriver) transposed(g *ir.Graph, x, ct []expr.Value) (y, dx []expr.Value) {
	known := make(map[*ir.Value]expr.Value, len(g.Params)+len(g.Nodes))
	for i, p := range g.Params {
		if i < len(x) && x[i] != nil {
			known[p] = x[i]
		}
	}
	outer := d.scope
	defer func() { d.scope = outer }()
	var linear []*ir.Node
	d.of = ir.Invalid
	for _, n := range g.Nodes {
		d.scope = cmp.Or(n.Scope, outer)
		args, ok := lookup(known, n.Args)
		if !ok {
			linear = append(linear, n)
			continue
		}
		for i, v := range d.copyNode(n, args) {
			known[n.Results[i]] = v
		}
	}
	cts := map[*ir.Value]expr.Value{}
	for i, o := range g.Outputs {
		if _, ok := known[o]; !ok && ct[i] != nil {
			cts[o] = d.sum(cts[o], ct[i])
		}
	}
	for i := len(linear) - 1; i >= 0; i-- {
		d.scope = cmp.Or(linear[i].Scope, outer)
		d.transposeNode(linear[i], known, cts)
	}
	for _, o := range g.Outputs {
		y = append(y, known[o])
	}
	for _, p := range g.Params {
		dx = append(dx, cts[p])
	}
	return y, dx
}

// lookup returns the known values of vs, with nil for unknown ones. ok reports whether all are known.
func lookup(known map[*ir.Value]expr.Value, vs []*ir.Value) (xs []expr.Value, ok bool) {
	xs, ok = make([]expr.Value, len(vs)), true
	for i, v := range vs {
		if x := known[v]; x != nil {
			xs[i] = x
		} else {
			ok = false
		}
	}
	return xs, ok
}

// transposeNode adds the cotangents of n's linear operands to cts.
func (d *deriver) transposeNode(n *ir.Node, known, cts map[*ir.Value]expr.Value) {
	ct, used := make([]expr.Value, len(n.Results)), false
	for i, r := range n.Results {
		ct[i] = cts[r]
		used = used || ct[i] != nil
	}
	if !used {
		return
	}
	defer d.derivativeOf(n)()
	x, _ := lookup(known, n.Args)
	for i, t := range d.operandCotangents(n, x, ct) {
		if a := n.Args[i]; t != nil && x[i] == nil {
			cts[a] = d.sum(cts[a], t)
		}
	}
}

// operandCotangents returns the cotangents of n's operands, given the cotangents ct of its results. x holds the known
// operands, and nil in place of the linear ones.
func (d *deriver) operandCotangents(n *ir.Node, x, ct []expr.Value) []expr.Value {
	if f := transposeRules[n.Code]; f != nil {
		return f(d, n, x, ct)
	}
	row := ops.Lookup(n.Code)
	if row == nil || row.Transpose == nil {
		panic(&Error{n.Code.String() + " cannot be differentiated in reverse", ""})
	}
	checkLinear(n.Code, x)
	if len(n.Results) == 1 {
		return row.Transpose(d.Builder, n, x, ct)
	}
	return row.Transpose(d.Builder, n, x, d.instantiateAll(ct, n.Results))
}

// checkLinear panics if operation c is not linear in its operands that are nil in x: a product of two of them, or a
// quotient by one.
func checkLinear(c ir.Code, x []expr.Value) {
	switch {
	case (c == ir.Mul || c == ir.MulNoNaN || c == ir.DotGeneral || c == ir.Convolution) && x[0] == nil && x[1] == nil:
		panic(&Error{c.String() + " of two values that depend on it is not linear", ""})
	case c == ir.Div && x[1] == nil, c == ir.TriangularSolve && x[0] == nil:
		panic(&Error{c.String() + " by a value that depends on it is not linear", ""})
	}
}

// split divides g into a known part, which takes g.Params[:params], and a linear part, which needs the others too.
// known returns g.Outputs[:outputs] and then the residuals: the values that the linear part needs. linear takes the
// residuals and g.Params[params:], and returns the tangents, g.Outputs[outputs:], of the differentiable outputs.
func split(g *ir.Graph, params, outputs int) (known, linear *ir.Graph) {
	knownPart, linearPart := newDeriver(nil), newDeriver(nil)
	inKnown := map[*ir.Value]expr.Value{}  // the values of g in the known part
	inLinear := map[*ir.Value]expr.Value{} // the values of g in the linear part
	var residualOutputs []expr.Value
	for _, p := range g.Params[:params] {
		inKnown[p] = knownPart.param(p.Type)
	}
	var rest []*ir.Node
	for _, n := range g.Nodes {
		args, ok := lookup(inKnown, n.Args)
		if !ok {
			rest = append(rest, n)
			continue
		}
		knownPart.scope = n.Scope
		for i, v := range knownPart.copyNode(n, args) {
			inKnown[n.Results[i]] = v
		}
	}
	for _, n := range rest {
		for _, v := range n.Args {
			x := inKnown[v]
			switch {
			case x == nil || inLinear[v] != nil:
			case v.Node != nil && (v.Node.Code == ir.Constant || v.Node.Code == ir.Iota): // cheaper to compute again
				inLinear[v] = linearPart.All(v.Node.Code, v.Node.Attrs, nil)[0]
			default:
				residualOutputs = append(residualOutputs, x)
				inLinear[v] = linearPart.param(v.Type)
			}
		}
	}
	for _, p := range g.Params[params:] {
		inLinear[p] = linearPart.param(p.Type)
	}
	for _, n := range rest {
		args, _ := lookup(inLinear, n.Args)
		linearPart.scope = n.Scope
		for i, v := range linearPart.copyNode(n, args) {
			inLinear[n.Results[i]] = v
		}
	}
	for _, o := range g.Outputs[:outputs] {
		knownPart.outputs(inKnown[o])
	}
	knownPart.outputs(residualOutputs...)
	for i, o := range g.Outputs[outputs:] {
		if !Differentiable(g.Outputs[i].Type.DType) {
			continue
		}
		if inKnown[o] != nil {
			linearPart.outputs(linearPart.instantiate(nil, o.Type))
			continue
		}
		linearPart.outputs(inLinear[o])
	}
	return knownPart.graph, linearPart.graph
}
