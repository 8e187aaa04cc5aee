package anvil

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/typename"
)

// A derivative is the derivative of the function f. f is traced at each call, so that the derivative is never stale;
// each traced program is derived once.
type derivative struct {
	ctx *Context
	op  string
	f   reflect.Value
	// conventions are the requested conventions; nil: the conventions of the Context.
	conventions *autodiff.Conventions
}

// derivativeOf returns the derivative of f. It panics if f is not a function of tensors.
func (c *Context) derivativeOf(op string, f any) *derivative {
	v := reflect.ValueOf(f)
	checkFunction(op, v)
	for in := range v.Type().Ins() {
		refuseHidden(op, "the argument", in)
	}
	return &derivative{ctx: c, op: op, f: v}
}

// fail panics with an *Error of the operation on f.
func (d *derivative) fail(reason, hint string) {
	panic(&Error{Op: d.op, Operands: typename.Text(d.f.Type().String()), Reason: reason, Hint: hint})
}

// A tracedCall is a call of a derivative's function, together with the program that the call recorded.
type tracedCall struct {
	*derivative
	*traced
	args   []reflect.Value
	leaves [][]Tensor     // the tensors of each argument, including zero Tensors
	frozen [][]bool       // which leaves are treated as constants; nil: none
	arrays []engine.Array // the arrays of the leaves that are not zero Tensors
}

// trace calls the function with parameters in place of the tensors of args.
func (d *derivative) trace(args []reflect.Value) *tracedCall {
	c := &tracedCall{derivative: d, args: args, leaves: make([][]Tensor, len(args))}
	var ctx *Context
	for i, a := range args {
		leaves(a, "", func(path string, x Tensor) {
			if x.t == nil && path != "" {
				c.leaves[i] = append(c.leaves[i], x)
				return
			}
			own := x.must(d.op).ctx
			if ctx != nil && own != ctx {
				d.fail("the tensors belong to two contexts", "make all tensors in one Context")
			}
			ctx = own
			c.leaves[i] = append(c.leaves[i], x)
			c.arrays = append(c.arrays, x.t.arr)
		})
	}
	if ctx == nil {
		ctx = d.ctx
	}
	c.traced = traceFunction(ctx, d.op, d.f, args, nil, len(args))
	return c
}

// isActive reports whether the dtype of leaf k of argument i has derivatives and the leaf is not frozen.
func (c *tracedCall) isActive(i, k int) bool {
	return isDifferentiable(c.leaves[i][k]) && (c.frozen == nil || !c.frozen[i][k])
}

// active reports for each parameter of the program whether to differentiate with respect to it: whether it is an
// active leaf of one of the arguments in wrt.
func (c *tracedCall) active(wrt []int) []bool {
	active := make([]bool, 0, len(c.program.Graph.Params))
	for i, leaves := range c.leaves {
		for k, x := range leaves {
			if x.t != nil {
				active = append(active, slices.Contains(wrt, i) && c.isActive(i, k))
			}
		}
	}
	return append(active, make([]bool, len(c.program.Captured))...)
}

// checkScalar panics unless the function's first result is a real scalar.
func (c *tracedCall) checkScalar() {
	if len(c.results) == 0 || c.f.Type().Out(0) != tensorType {
		c.fail("the function's first result is not a Tensor", "return the loss first")
	}
	switch t := c.program.Graph.Outputs[0].Type; {
	case len(t.Shape) > 0:
		c.fail("the function returns "+t.String()+", not a scalar", "reduce it, as by nv.Sum; or take nv.Jacobian")
	case t.DType.Is(dtype.Complex):
		c.fail("the function returns "+t.String()+", which is not real", "take nv.Abs or nv.Real of it; or nv.VJP")
	case !autodiff.Differentiable(t.DType):
		c.fail("the function returns "+t.String()+", which has no derivative", "compute it in floats")
	}
}

// checkActive panics unless one of active is true. The error says why no tensor of the arguments in wrt is active.
func (c *tracedCall) checkActive(wrt []int, active []bool) {
	if slices.Contains(active, true) {
		return
	}
	if !slices.ContainsFunc(wrt, func(i int) bool { return len(c.leaves[i]) > 0 }) {
		switch {
		case len(c.leaves) == 1:
			c.fail("the argument has no tensors", "give it at least one")
		case len(wrt) == 1:
			c.fail("argument "+itoa(wrt[0])+" has no tensors", "give it at least one, or name another argument with nv.Wrt")
		}
		c.fail("the arguments that nv.Wrt names have no tensors", "give one of them at least one")
	}
	for _, i := range wrt {
		if slices.ContainsFunc(c.leaves[i], isDifferentiable) {
			c.fail("all floats of the argument are frozen or of type nn.State",
				"the gradient needs one that is neither")
		}
	}
	c.fail("none of the tensors is a float or complex, so there is no derivative", "convert one with AsType(nv.F32)")
}

// derive returns the program that build derives from the traced program. The derived program is kept, so build is
// called once for each combination of kind (such as "grad:"), traced program, conventions and active parameters. For
// a program that calls Go functions, build is called each time.
func (c *tracedCall) derive(kind string, active []bool, build func(g *ir.Graph) (*ir.Graph, error)) *ir.Graph {
	return c.deriveAll(kind, active, func(g *ir.Graph) ([]*ir.Graph, error) {
		d, err := build(g)
		return []*ir.Graph{d}, err
	})[0]
}

// deriveAll is derive for several programs.
func (c *tracedCall) deriveAll(kind string, active []bool, build func(g *ir.Graph) ([]*ir.Graph, error)) []*ir.Graph {
	key := []byte(kind)
	if conv := c.activeConventions(); conv != nil {
		key = append(append(key, conv.Name...), ':')
	}
	for _, a := range active {
		key = append(key, map[bool]byte{false: '0', true: '1'}[a])
	}
	var graphs []*ir.Graph
	var err error
	if c.program.CallsHost() { // each trace makes new Go functions, so no kept program calls those of this trace
		graphs, err = build(c.program.Graph)
	} else {
		graphs, err = c.traced.ctx.derived.get(string(c.program.AppendKey(key)), func() ([]*ir.Graph, error) {
			return build(c.program.Graph)
		})
	}
	if err != nil {
		c.failDeriving(err)
	}
	return graphs
}

// failDeriving panics with err, an error of package autodiff, as an *Error of the operation.
func (c *tracedCall) failDeriving(err error) {
	var e *autodiff.Error
	if errors.As(err, &e) {
		c.fail(e.Reason, e.Hint)
	}
	panic(asError(c.op, typename.Text(c.f.Type().String()), err))
}

// call records a call of g, a program derived from the traced program. The arguments of the call are the arguments of
// the traced program, the captured tensors, and then more.
func (c *tracedCall) call(g *ir.Graph, more ...engine.Array) []engine.Array {
	return c.traced.ctx.callGraph(c.op, g, slices.Concat(c.arrays, c.program.Captured, more)...)
}

// callGraph records a call of g. Results that are not used are not computed. The operations of g are recorded one by
// one if some are factorizations, which the host computes only outside of calls, or if operations are checked for NaNs.
func (c *Context) callGraph(op string, g *ir.Graph, args ...engine.Array) []engine.Array {
	types := make([]shape.Type, len(g.Outputs))
	for i, o := range g.Outputs {
		types[i] = o.Type
	}
	var out []engine.Array
	var err error
	if factorizes(g) || c.session.Watching() {
		out, err = c.session.Inline(g, args...)
	} else {
		out, err = c.session.ApplyMany(types, ir.Call, ir.CallAttrs{}, []*ir.Graph{g}, args...)
	}
	if err != nil {
		panic(asError(op, "", err))
	}
	return out
}

// factorizes reports whether g has a factorization, which package dense computes on the host.
func factorizes(g *ir.Graph) bool {
	return slices.ContainsFunc(g.Nodes, func(n *ir.Node) bool {
		return n.Code >= ir.Cholesky && n.Code <= ir.SVD && n.Code != ir.TriangularSolve
	})
}

// checkFaults panics with the error of the first fault whose bool in bad is true. If a bool belongs to an outer trace,
// it has no value yet, and the fault is added to that trace.
func (c *tracedCall) checkFaults(bad []engine.Array) {
	for i, b := range bad {
		if b.Traced() {
			b.Trace().AddFault(engine.Fault{When: b, Err: c.faults[i]})
			continue
		}
		if err := c.fault(bad[i : i+1]); err != nil {
			panic(asError(c.op, "", err))
		}
	}
}

// argumentLike returns argument i with its active leaves replaced by out, and its other leaves by the zero Tensor.
func (c *tracedCall) argumentLike(i int, out []engine.Array) reflect.Value {
	at, leaf := 0, -1
	return rebuild(c.args[i], func(x Tensor) Tensor {
		if leaf++; !c.isActive(i, leaf) {
			return Tensor{}
		}
		at++
		return c.tensorLike(x, out[at-1])
	})
}

// isDifferentiable reports whether x is not the zero Tensor and its dtype has derivatives.
func isDifferentiable(x Tensor) bool { return x.t != nil && autodiff.Differentiable(x.DType()) }

// countActive returns the number of active leaves of argument i.
func (c *tracedCall) countActive(i int) int {
	n := 0
	for k := range c.leaves[i] {
		if c.isActive(i, k) {
			n++
		}
	}
	return n
}

// tensorLike returns a as a result of the operation, with the ambiguity of x.
func (c *tracedCall) tensorLike(x Tensor, a engine.Array) Tensor {
	a.Mark(x.t.amb)
	return Tensor{t: &tensor{ctx: c.traced.ctx, arr: a, amb: x.t.amb, unchecked: x.t.unchecked, why: c.record()}}
}

// record returns the record, for Why, of a result of the operation. Derivatives follow anvil's rules under every
// promotion system.
func (c *tracedCall) record() *record {
	return &record{op: c.op, rules: &rules{sys: promote.Anvil}, line: c.traced.ctx.line.Load()}
}

// A GradOption changes what Grad and ValueAndGrad differentiate: see Wrt, Freeze and
// Conventions.
type GradOption func(*gradOptions)

type gradOptions struct {
	wrt         []int
	frozen      []string
	conventions *autodiff.Conventions
}

// Wrt returns the option by which Grad and ValueAndGrad return gradients with respect to the arguments with
// the given indices, counted from 0, in the given order.
func Wrt(args ...int) GradOption {
	if len(args) == 0 {
		panic(&Error{Op: "Wrt", Reason: "no index is given", Hint: "write nv.Wrt(0) for the first argument"})
	}
	return func(o *gradOptions) { o.wrt = args }
}

// Grad returns the function that computes the gradient of f, whose first result is a real scalar, with
// respect to its first argument: a Tensor, or a struct, slice or map of Tensors. The gradient has the
// structure of the argument; each of its tensors has the shape, dtype and ambiguity of the corresponding tensor
// of the argument, under every promotion system. Integer and boolean tensors, which have no derivative, and
// tensors in an nn.State are replaced by the zero Tensor.
//
// A gradient with respect to a complex z = x + iy is ∂f/∂x + i∂f/∂y, the direction of steepest ascent
// (ChainRules' convention; JAX returns its conjugate). For points where f has no derivative,
// docs/gradients.md lists what Grad returns.
//
// Each call of the gradient function traces f: it calls f with tensors that have no values. The derived program
// is kept for later calls.
func Grad[P any](f func(P) Tensor, opts ...GradOption) func(P) P {
	g, _ := Default().GradAny(f, opts...).(func(P) P)
	return g
}

// GradAny is Grad for callers that cannot instantiate it, and for functions of several arguments: Wrt selects
// the arguments with respect to which f is differentiated.
func GradAny(f any, opts ...GradOption) any { return Default().GradAny(f, opts...) }

// GradAny is Grad for tensors of c.
func (c *Context) GradAny(f any, opts ...GradOption) any { return c.gradient("Grad", f, false, opts) }

// ValueAndGrad returns the function that computes the value of f and its gradient:
// see Grad.
func ValueAndGrad[P any](f func(P) Tensor, opts ...GradOption) func(P) (Tensor, P) {
	g, _ := Default().ValueAndGradAny(f, opts...).(func(P) (Tensor, P))
	return g
}

// ValueAndGradAny is ValueAndGrad for callers that cannot instantiate it, and for
// functions of several arguments and results: it returns all results of f, then the
// gradients.
func ValueAndGradAny(f any, opts ...GradOption) any { return Default().ValueAndGradAny(f, opts...) }

// ValueAndGradAny is ValueAndGrad for tensors of c.
func (c *Context) ValueAndGradAny(f any, opts ...GradOption) any {
	return c.gradient("ValueAndGrad", f, true, opts)
}

// gradient returns the function that computes gradients of f and, if value is set, the results of f before them.
func (c *Context) gradient(op string, f any, value bool, opts []GradOption) any {
	o := gradOptions{wrt: []int{0}}
	for _, opt := range opts {
		if opt != nil {
			opt(&o)
		}
	}
	d := c.derivativeOf(op, f)
	d.conventions = o.conventions
	t := d.f.Type()
	var in, out []reflect.Type
	for i := range t.NumIn() {
		in = append(in, t.In(i))
	}
	for i := range t.NumOut() {
		if value {
			out = append(out, t.Out(i))
		}
	}
	for k, i := range o.wrt {
		if len(in) == 0 {
			d.fail("the function has no arguments", "give it the tensors to differentiate by")
		}
		if i < 0 || i >= len(in) {
			hint := fmt.Sprintf("the arguments are 0 to %d", len(in)-1)
			if len(in) == 1 {
				hint = "the only argument is 0"
			}
			d.fail("Wrt names argument "+strconv.Itoa(i)+", which the function does not have", hint)
		}
		if slices.Contains(o.wrt[:k], i) {
			d.fail("Wrt names argument "+strconv.Itoa(i)+" twice", "name each argument once")
		}
		if !holdsTensors(in[i]) {
			hint := "give a Tensor, or a struct, slice or map of Tensors"
			if other := slices.IndexFunc(in, holdsTensors); other >= 0 {
				hint = fmt.Sprintf("name another: nv.Wrt(%d)", other)
			}
			d.fail("argument "+strconv.Itoa(i)+" is "+typename.Text(in[i].String())+", which has no tensors", hint)
		}
		out = append(out, in[i])
	}
	g := &gradientOf{d, o.wrt, o.frozen, value}
	conventions := ""
	if o.conventions != nil {
		conventions = o.conventions.Name
	}
	signature := reflect.FuncOf(in, out, t.IsVariadic())
	return makeFunc(signature, g.call, op, d.f, value, o.wrt, o.frozen, conventions)
}

// A gradientOf computes gradients with respect to some arguments.
type gradientOf struct {
	*derivative
	wrt    []int
	frozen []string
	value  bool // also return the function's results
}

// call returns the results of the function if value is set, and its gradients.
func (g *gradientOf) call(args []reflect.Value) []reflect.Value {
	c := g.trace(args)
	c.checkScalar()
	c.freeze(g.wrt, g.frozen)
	active := c.active(g.wrt)
	c.checkActive(g.wrt, active)
	kind, outputs, faults := "grad:", len(c.program.Graph.Outputs), len(c.faults)
	if g.value {
		kind = "value and grad:"
	}
	derived := c.derive(kind, active, func(p *ir.Graph) (*ir.Graph, error) {
		d, err := autodiff.Gradient(p, active, c.activeConventions())
		if err == nil && !g.value { // remove the results, keep the faults and the gradients
			d.Outputs = d.Outputs[outputs-faults:]
			ir.Prune(d)
		}
		return d, err
	})
	out := c.call(derived)
	var results []reflect.Value
	if g.value {
		flags := c.flags
		for i := range c.results {
			var r reflect.Value
			r, out, flags = fillResult(c.traced.ctx, c.results[i], out, flags)
			results = append(results, r)
		}
	}
	c.checkFaults(out[:faults])
	out = out[faults:]
	// out has the gradients in the order of the arguments; they are returned in the order of wrt.
	gradients := make([][]engine.Array, len(args))
	for i := range args {
		if slices.Contains(g.wrt, i) {
			n := c.countActive(i)
			gradients[i], out = out[:n], out[n:]
		}
	}
	for _, i := range g.wrt {
		results = append(results, c.argumentLike(i, gradients[i]))
	}
	return results
}
