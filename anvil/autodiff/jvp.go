// Package autodiff derives programs from programs, as graphs: programs of tangents (JVP), of cotangents (VJP), of
// linear parts (Linearize), and of many lanes (Batch). Forward mode uses the rules in the table of package ops. Reverse
// mode is forward mode followed by transposition, so that each derivative is defined only once.
//
// The active parameters of a program, marked in a []bool, are those with respect to which it is differentiated. A
// tangent or cotangent that is known to be zero is a nil Value and costs nothing. Cotangents of complex
// values follow ChainRules: a linear map is transposed to its adjoint with respect to the inner product
// Re(conj(a)*b), so that the gradient of a real loss points in the direction of steepest ascent.
package autodiff

import (
	"cmp"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// Differentiable reports whether values of dtype d have tangents: whether d is a float or complex dtype.
func Differentiable(d dtype.DType) bool { return d.Is(dtype.Inexact) }

// An Error says why a program cannot be differentiated or batched.
type Error struct{ Reason, Hint string }

func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Reason
	}
	return e.Reason + "; " + e.Hint
}

// JVP returns the program of g's outputs and their tangents. Its parameters are those of g, followed by a
// tangent for each active parameter; its outputs are those of g, followed by a tangent for each
// differentiable output.
func JVP(g *ir.Graph, active []bool, conv *Conventions) (*ir.Graph, error) {
	return derive(g, conv, func(d *deriver) {
		x := d.params(g.Params)
		t := d.tangents(g.Params, active)
		y, dy := d.jvp(g, x, t)
		d.outputs(y...)
		for i, v := range g.Outputs {
			if Differentiable(v.Type.DType) {
				d.outputs(d.instantiate(dy[i], v.Type))
			}
		}
	})
}

// VJP returns the program of g's outputs and the cotangents of g's active parameters. Its parameters are those of g,
// followed by a cotangent for each differentiable output.
func VJP(g *ir.Graph, active []bool, conv *Conventions) (*ir.Graph, error) {
	return reversed(g, active, conv, func(d *deriver) []expr.Value {
		ct := make([]expr.Value, len(g.Outputs))
		for i, o := range g.Outputs {
			if Differentiable(o.Type.DType) {
				ct[i] = d.param(o.Type)
			}
		}
		return ct
	})
}

// Gradient returns the program of g's outputs and the gradient of the first output, a real scalar, with respect to the
// active parameters.
func Gradient(g *ir.Graph, active []bool, conv *Conventions) (*ir.Graph, error) {
	gradient, err := reversed(g, active, conv, func(d *deriver) []expr.Value {
		ct := make([]expr.Value, len(g.Outputs))
		ct[0] = d.Number(1, g.Outputs[0].Type.DType)
		return ct
	})
	if err != nil || conv == nil || !conv.Conjugate {
		return gradient, err
	}
	return derive(g, conv, func(d *deriver) {
		for i, v := range d.write(gradient, d.params(g.Params)) {
			if i >= len(g.Outputs) && v.DType().Is(dtype.Complex) {
				v = d.Conj(v)
			}
			d.outputs(v)
		}
	})
}

// reversed returns the program of g's outputs and the cotangents of g's active parameters. cotangents adds the
// cotangents of the outputs to the program, or parameters for them, and returns them.
func reversed(
	g *ir.Graph, active []bool, conv *Conventions, cotangents func(d *deriver) []expr.Value,
) (*ir.Graph, error) {
	linear, err := linearization(g, active, conv)
	if err != nil {
		return nil, err
	}
	return derive(g, conv, func(d *deriver) {
		x := d.params(g.Params)
		ct := append(make([]expr.Value, len(g.Outputs)), cotangents(d)...)
		y, dx := d.transposed(linear, x, ct)
		d.outputs(y[:len(g.Outputs)]...)
		for i, p := range linear.Params[len(g.Params):] {
			d.outputs(d.instantiate(dx[len(g.Params)+i], p.Type))
		}
	})
}

// linearization returns the program of g's outputs followed by their tangents. Its parameters are those of g,
// followed by the tangents of the active ones; the tangents of the outputs are linear in these. In place of the
// tangent of an output that has none, it returns the output again. Loops keep the values that their reversal needs.
func linearization(g *ir.Graph, active []bool, conv *Conventions) (*ir.Graph, error) {
	return derive(g, conv, func(d *deriver) {
		d.reverse = true
		x := d.params(g.Params)
		t := d.tangents(g.Params, active)
		y, dy := d.jvp(g, x, t)
		d.outputs(y...)
		for i := range dy {
			if dy[i] == nil {
				dy[i] = y[i]
			}
		}
		d.outputs(dy...)
	})
}

// Linearize splits the computation of g's outputs and their tangents into two programs. The program known takes g's
// parameters and returns g's outputs, followed by residuals: the values that linear needs. The program linear takes the
// residuals and a tangent for each active parameter, and returns a tangent for each differentiable output.
func Linearize(g *ir.Graph, active []bool, conv *Conventions) (known, linear *ir.Graph, err error) {
	both, err := linearization(g, active, conv)
	if err != nil {
		return nil, nil, err
	}
	known, linear = split(both, len(g.Params), len(g.Outputs))
	return known, linear, nil
}

// Transpose returns the transposed program of g, which is linear in the parameters marked in linear. The transposed
// program takes the parameters that are not marked, followed by a cotangent for each output of g; it returns the
// cotangents of the marked parameters.
func Transpose(g *ir.Graph, linear []bool) (*ir.Graph, error) {
	return derive(g, nil, func(d *deriver) { d.writeTranspose(g, linear) })
}

// writeTranspose writes the program that Transpose describes.
func (d *deriver) writeTranspose(g *ir.Graph, linear []bool) {
	x := make([]expr.Value, len(g.Params))
	for i, p := range g.Params {
		if !linear[i] {
			x[i] = d.param(p.Type)
		}
	}
	_, dx := d.transposed(g, x, d.params(g.Outputs))
	for i, p := range g.Params {
		if linear[i] {
			d.outputs(d.instantiate(dx[i], p.Type))
		}
	}
}

// A deriver writes a derived program.
type deriver struct {
	expr.Builder
	*emitter
	reverse     bool // the program will be transposed
	conventions *Conventions
}

// derive returns the program that write builds, without the operations that its outputs do not need. The program has
// the name of g. A panic of write with an error of a derivative or a dtype becomes err.
func derive(g *ir.Graph, conv *Conventions, write func(d *deriver)) (derived *ir.Graph, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			err = r
		case *dtype.Error:
			err = r
		default:
			panic(r)
		}
	}()
	d := newDeriver(conv)
	d.graph.Name = g.Name
	write(d)
	return ir.Prune(d.graph), nil
}

func newDeriver(conv *Conventions) *deriver {
	e := newEmitter()
	return &deriver{Builder: expr.New(e, ops.Infer), emitter: e, conventions: conv}
}

// param adds a parameter of type t and returns it.
func (d *deriver) param(t shape.Type) expr.Value { return d.graph.Param(t) }

// params adds a parameter for each of vs and returns them.
func (d *deriver) params(vs []*ir.Value) []expr.Value {
	ps := make([]expr.Value, len(vs))
	for i, v := range vs {
		ps[i] = d.param(v.Type)
	}
	return ps
}

// tangents adds a parameter for the tangent of each of vs that is marked in active. It returns nil for the others.
func (d *deriver) tangents(vs []*ir.Value, active []bool) []expr.Value {
	ts := make([]expr.Value, len(vs))
	for i, v := range vs {
		if active[i] {
			ts[i] = d.param(v.Type)
		}
	}
	return ts
}

// outputs appends vs to the outputs of the program.
func (d *deriver) outputs(vs ...expr.Value) {
	for _, v := range vs {
		d.graph.Outputs = append(d.graph.Outputs, v.(*ir.Value))
	}
}

// instantiate returns t, or zeros of type ty if t is nil.
func (d *deriver) instantiate(t expr.Value, ty shape.Type) expr.Value {
	if t == nil {
		return d.Number(0, ty.DType, ty.Shape...)
	}
	return t
}

// jvp adds the operations of g, applied to x, and returns its outputs and their tangents, given the tangents t of x.
func (d *deriver) jvp(g *ir.Graph, x, t []expr.Value) (y, dy []expr.Value) {
	if slices.Contains(nonNil(t), true) {
		g = d.coupled(g)
	}
	values := make(map[*ir.Value]dual, len(g.Params)+len(g.Nodes))
	for i, p := range g.Params {
		values[p] = dual{x[i], t[i]}
	}
	outer := d.scope
	defer func() { d.scope = outer }()
	for _, n := range g.Nodes {
		d.scope = cmp.Or(n.Scope, outer)
		xs, ts, active := make([]expr.Value, len(n.Args)), make([]expr.Value, len(n.Args)), false
		for i, a := range n.Args {
			v := values[a]
			xs[i], ts[i] = v.x, v.t
			active = active || v.t != nil
		}
		var ys, dys []expr.Value
		if active {
			ys, dys = d.jvpNode(n, xs, ts)
		} else {
			ys = d.copyNode(n, xs)
		}
		for i, r := range n.Results {
			v := dual{x: ys[i]}
			if dys != nil && Differentiable(r.Type.DType) {
				v.t = dys[i]
			}
			values[r] = v
		}
	}
	for _, o := range g.Outputs {
		y, dy = append(y, values[o].x), append(dy, values[o].t)
	}
	return y, dy
}

// copyNode adds n, applied to x, and returns its results. If n is part of a derivative, so is the copy.
func (d *deriver) copyNode(n *ir.Node, x []expr.Value) []expr.Value {
	if n.Code != ir.HostCall { // the table has no row for it
		defer func(of ir.Code) { d.of = of }(d.of)
		d.of = cmp.Or(n.Of, d.of)
		return d.All(n.Code, n.Attrs, n.Regions, x...)
	}
	args := make([]*ir.Value, len(x))
	for i, v := range x {
		args[i] = v.(*ir.Value)
	}
	types := make([]shape.Type, len(n.Results))
	for i, r := range n.Results {
		types[i] = r.Type
	}
	results := d.graph.Add(n.Code, n.Attrs, nil, args, types...).Results
	values := make([]expr.Value, len(results))
	for i, r := range results {
		values[i] = r
	}
	return values
}

// A dual is a value x with its tangent t, which is nil if it is zero.
type dual struct{ x, t expr.Value }

// jvpNode adds n, applied to x, and returns its results and their tangents.
func (d *deriver) jvpNode(n *ir.Node, x, t []expr.Value) (y, dy []expr.Value) {
	if f := jvpRules[n.Code]; f != nil {
		return f(d, n, x, t)
	}
	row := ops.Lookup(n.Code)
	if row == nil && len(n.Results) == 0 { // n is a call that only prints
		return d.copyNode(n, x), nil
	}
	if row == nil {
		panic(&Error{"a call of a Go function (nv.Callback) has no derivative",
			"give it one with nv.Custom, or apply nv.StopGradient to its operands"})
	}
	y = d.copyNode(n, x)
	defer d.derivativeOf(n)()
	switch {
	case row.Flat:
		return y, nil
	case row.Partial != nil:
		return y, []expr.Value{d.partials(d.conventions.partial(row, n.Code), x, t, y[0])}
	case row.JVP != nil:
		return y, d.conventions.jvp(row, n.Code)(d.Builder, n, x, y, t)
	case row.Bilinear:
		return y, []expr.Value{d.productRule(n, x, t)}
	case row.Transpose != nil:
		return y, d.applyToTangents(n, x, t)
	}
	panic(&Error{n.Code.String() + " has no derivative yet", ""})
}

// derivativeOf marks the operations that d adds until the returned function is called as part of the derivative of n.
func (d *deriver) derivativeOf(n *ir.Node) func() {
	before := d.of
	if d.of = n.Of; d.of == ir.Invalid {
		d.of = n.Code
	}
	return func() { d.of = before }
}

// partials returns the sum of the tangents t of the operands x, each times the partial derivative with respect to its
// operand.
func (d *deriver) partials(partial ops.Partial, x, t []expr.Value, y expr.Value) (dy expr.Value) {
	product := d.MulNoNaN
	if d.conventions != nil && d.conventions.Plain {
		product = d.Mul
	}
	for i := range x {
		if t[i] == nil {
			continue
		}
		if p := partial(d.Builder, i, x, y); p != nil {
			dy = d.sum(dy, product(d.BroadcastTo(t[i], y.Shape()), p))
		}
	}
	return dy
}

// productRule returns the tangent of a bilinear operation: the sum of its results with one operand replaced by the
// tangent of that operand.
func (d *deriver) productRule(n *ir.Node, x, t []expr.Value) (dy expr.Value) {
	for i := range x {
		if t[i] != nil {
			args := append([]expr.Value(nil), x...)
			args[i] = t[i]
			dy = d.sum(dy, d.All(n.Code, n.Attrs, n.Regions, args...)[0])
		}
	}
	return dy
}

// applyToTangents applies the linear operation n to the tangents of its differentiable operands, and to the
// values of the other ones.
func (d *deriver) applyToTangents(n *ir.Node, x, t []expr.Value) []expr.Value {
	args := make([]expr.Value, len(x))
	for i := range x {
		if args[i] = x[i]; Differentiable(x[i].DType()) {
			args[i] = d.instantiate(t[i], n.Args[i].Type)
		}
	}
	return d.All(n.Code, n.Attrs, n.Regions, args...)
}

// sum returns x + y. Either may be nil.
func (d *deriver) sum(x, y expr.Value) expr.Value {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return d.Add(x, y)
}
