package anvil

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/typename"
)

// StopGradient returns x, a Tensor or a struct, slice or map of Tensors. Derivatives
// treat the result as a constant.
func StopGradient[P any](x P) P {
	p, _ := StopGradientAny(x).(P)
	return p
}

// StopGradientAny is StopGradient for callers that cannot instantiate it.
func StopGradientAny(x any) any {
	if x == nil {
		panic(&Error{Op: "StopGradient", Operands: "nil", Reason: "the argument is nil",
			Hint: "give a Tensor, or a struct, slice or map of Tensors"})
	}
	v := reflect.ValueOf(x)
	return rebuild(v, func(x Tensor) Tensor {
		if x.t == nil && v.Type() != tensorType {
			return x
		}
		t := x.must("StopGradient")
		if !t.arr.Traced() || !autodiff.Differentiable(t.DType()) {
			return x
		}
		regions := []*ir.Graph{identity(t.arr.Type()), noTangent(t.arr.Type())}
		out := t.ctx.recordCall("StopGradient", ir.CallAttrs{Rule: true}, regions, t.arr)
		y := *t
		y.arr = out[0]
		y.arr.Mark(y.amb)
		return Tensor{t: &y}
	}).Interface()
}

// identity returns the program that returns its only parameter.
func identity(t shape.Type) *ir.Graph {
	g := &ir.Graph{}
	g.Outputs = []*ir.Value{g.Param(t)}
	return g
}

// noTangent returns the derivative rule of a function of one value whose tangent is zero.
func noTangent(t shape.Type) *ir.Graph {
	g := &ir.Graph{}
	for range 3 { // the argument, the result, and the tangent of the argument
		g.Param(t)
	}
	zero := ir.ConstantAttrs{DType: t.DType, Shape: t.Shape.Dims(), Data: string(make([]byte, t.DType.Size()))}
	g.Outputs = g.Add(ir.Constant, zero, nil, nil, t).Results
	return g
}

// recordCall records a call of regions[0] for the operation op. regions[1], if there is one, is its derivative rule.
func (c *Context) recordCall(op string, attrs ir.CallAttrs, regions []*ir.Graph, args ...engine.Array) []engine.Array {
	types := make([]shape.Type, len(regions[0].Outputs))
	for i, o := range regions[0].Outputs {
		types[i] = o.Type
	}
	out, err := c.session.ApplyMany(types, ir.Call, attrs, regions, args...)
	if err != nil {
		panic(asError(op, "", err))
	}
	return out
}

// Checkpoint returns f as a function for which reverse mode keeps only the arguments: the gradient computes f
// again, which takes less memory and more time.
func Checkpoint[F any](f F) F {
	g, _ := CheckpointAny(f).(F)
	return g
}

// CheckpointAny is Checkpoint for tensors of c.
func (c *Context) CheckpointAny(f any) any {
	d := c.derivativeOf("Checkpoint", f)
	checkpointed := func(args []reflect.Value) []reflect.Value {
		if !anyTraced(args) {
			return callFunction(d.f, args)
		}
		call := d.trace(args)
		out := call.traced.ctx.recordCall(d.op, ir.CallAttrs{Recompute: true}, []*ir.Graph{call.program.Graph},
			slices.Concat(call.arrays, call.program.Captured)...)
		return call.allResults(out)
	}
	return makeFunc(d.f.Type(), checkpointed, "Checkpoint", d.f)
}

// anyTraced reports whether a tensor of args is being traced.
func anyTraced(args []reflect.Value) bool {
	traced := false
	for _, a := range args {
		leaves(a, "", func(_ string, x Tensor) { traced = traced || x.t != nil && x.t.arr.Traced() })
	}
	return traced
}

// allResults returns the function's results with tensors made from the arrays out, which end with the bools of the
// faults.
func (c *tracedCall) allResults(out []engine.Array) []reflect.Value {
	var results []reflect.Value
	flags := c.flags
	for i := range c.results {
		var r reflect.Value
		r, out, flags = fillResult(c.traced.ctx, c.results[i], out, flags)
		results = append(results, r)
	}
	c.checkFaults(out)
	return results
}

// Custom returns f with the derivative that rule gives. rule returns f(x) and the pullback, a linear function that
// maps a cotangent of the result to the cotangent of x. Forward mode transposes the pullback. Without
// differentiation, only f is called.
//
// In the cotangent of x, zero Tensors may take the places of zeros and of integer tensors.
func Custom[P, R any](f func(P) R, rule func(x P) (R, func(ct R) P)) func(P) R {
	g, _ := CustomAny(f, rule).(func(P) R)
	return g
}

// CustomAny is Custom for tensors of c.
func (c *Context) CustomAny(f, rule any) any {
	d, r := c.derivativeOf("Custom", f), reflect.ValueOf(rule)
	t := d.f.Type()
	if t.NumIn() != 1 || t.NumOut() != 1 {
		d.fail("the function must have one argument and one result", "put several in a struct or a slice")
	}
	in, out := t.In(0), t.Out(0)
	pullback := reflect.FuncOf([]reflect.Type{out}, []reflect.Type{in}, false)
	want := reflect.FuncOf([]reflect.Type{in}, []reflect.Type{out, pullback}, false)
	if !r.IsValid() || r.Type() != want {
		d.fail("the rule has type "+typeName(r), "it must be a "+typename.Text(want.String()))
	}
	if r.IsNil() {
		d.fail("the rule is nil", "give a "+typename.Text(want.String()))
	}
	custom := func(args []reflect.Value) []reflect.Value {
		if !anyTraced(args) {
			return callFunction(d.f, args)
		}
		c := d.trace(args)
		regions, captured := d.withRule(c, r)
		inputs := slices.Concat(c.arrays, captured)
		return c.allResults(c.traced.ctx.recordCall(d.op, ir.CallAttrs{Rule: true}, regions, inputs...))
	}
	return makeFunc(t, custom, "Custom", d.f, rule)
}

// withRule returns the program of the function, the program of its tangents, and the arrays that the two programs
// capture. The program of the tangents is the transposed program of the rule's pullback.
func (d *derivative) withRule(c *tracedCall, rule reflect.Value) (regions []*ir.Graph, captured []engine.Array) {
	ctx, x := c.traced.ctx, c.args[0]
	for _, o := range c.program.Graph.Outputs[:len(c.flags)] {
		if !autodiff.Differentiable(o.Type.DType) {
			d.fail("the function returns "+o.Type.String()+", which has no derivative", "compute it outside the function")
		}
	}
	output := 0
	ct := rebuild(c.results[0], func(x Tensor) Tensor {
		if x.t == nil {
			return x
		}
		t := c.program.Graph.Outputs[output].Type
		output++
		return ctx.Zeros(t.Shape, t.DType)
	})
	pullback := func(args []reflect.Value) []reflect.Value {
		results := rule.Call(args[:1])
		d.checkValue(c, results[0])
		f := results[1]
		if f.IsNil() {
			d.fail("the pullback that the rule returns is nil",
				"return the function from the cotangent of the result to that of x")
		}
		back := f.Call(args[1:])[0]
		cotangents := d.tensorsLike(c.args[0], "result of the pullback", back)
		return []reflect.Value{reflect.ValueOf(cotangents)}
	}
	// Trace the pullback as a function of the argument and the cotangent, and transpose it in the cotangent.
	signature := reflect.FuncOf([]reflect.Type{x.Type(), ct.Type()}, []reflect.Type{tensorsType}, false)
	back := traceFunction(ctx, d.op, reflect.MakeFunc(signature, pullback), []reflect.Value{x, ct}, nil, 1).program
	linear := make([]bool, len(back.Graph.Params))
	primals := len(c.arrays) // the number of leading parameters, which are the tensors of the argument
	for i := primals; i < len(linear)-len(back.Captured); i++ {
		linear[i] = autodiff.Differentiable(back.Graph.Params[i].Type.DType)
	}
	tangent, err := autodiff.Transpose(back.Graph, linear)
	var e *autodiff.Error
	if errors.As(err, &e) {
		c.fail("the pullback must be linear in the cotangent: "+e.Reason,
			"apply such an operation to the argument, or to the gradient that Grad returns, not to the cotangent")
	}
	if err != nil {
		c.failDeriving(err)
	}
	// Give both programs the same captured arrays.
	captured = c.program.Captured
	for _, a := range back.Captured {
		if !slices.ContainsFunc(captured, a.Same) {
			captured = append(captured[:len(captured):len(captured)], a)
		}
	}
	for _, a := range captured {
		if a.Traced() && autodiff.Differentiable(a.Type().DType) {
			d.fail("the function uses a traced tensor from outside, for which the rule gives no derivative",
				"make it a part of the argument")
		}
	}
	replaceCaptured(c.program.Graph, primals, c.program.Captured, captured, 0)
	replaceCaptured(tangent, primals, back.Captured, captured, len(tangent.Params)-primals-len(back.Captured))
	// Give the rule the parameters that it must have and does not use: the results, and the tangents of captured
	// arrays.
	for _, a := range captured {
		if autodiff.Differentiable(a.Type().DType) {
			tangent.Param(a.Type())
		}
	}
	insertResults(tangent, primals+len(captured), c.program.Graph.Outputs)
	return []*ir.Graph{c.program.Graph, tangent}, captured
}

// insertResults inserts parameters for results, which the rule does not use, before parameter at of g.
func insertResults(g *ir.Graph, at int, results []*ir.Value) {
	unused := make([]*ir.Value, len(results))
	for i, r := range results {
		unused[i] = &ir.Value{Type: r.Type}
	}
	g.Params = slices.Insert(g.Params, at, unused...)
	for i, p := range g.Params {
		p.Index = i
	}
}

// checkValue panics unless the value that the rule returns has the types of the function's result.
func (d *derivative) checkValue(c *tracedCall, value reflect.Value) {
	at, want := 0, c.program.Graph.Outputs[:len(c.flags)]
	leaves(value, "", func(path string, x Tensor) {
		t := x.must(d.op).arr.Type()
		if at < len(want) && (t.DType != want[at].Type.DType || !t.Shape.Equal(want[at].Type.Shape)) {
			d.fail(fmt.Sprintf("the rule returns %v%s, but the function returns %v", t, path, want[at].Type),
				"return the same value from both")
		}
		at++
	})
	if at != len(want) {
		d.fail("the rule returns "+plural(at, "tensor", "tensors")+", but the function returns "+itoa(len(want)),
			"return the same value from both")
	}
}

// replaceCaptured replaces the parameters of g for captured by parameters for all, which includes captured. The first
// leading and the last trailing parameters of g stay.
func replaceCaptured(g *ir.Graph, leading int, captured, all []engine.Array, trailing int) {
	params := slices.Clone(g.Params[:leading])
	for _, a := range all {
		if i := slices.IndexFunc(captured, a.Same); i >= 0 {
			params = append(params, g.Params[leading+i])
		} else {
			params = append(params, &ir.Value{Type: a.Type()})
		}
	}
	params = append(params, g.Params[len(g.Params)-trailing:]...)
	for i, p := range params {
		p.Index = i
	}
	g.Params = params
}
