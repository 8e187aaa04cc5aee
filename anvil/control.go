package anvil

import (
	"fmt"
	"reflect"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// If returns what then returns where pred, a bool scalar, holds, and what orElse
// returns where not; the other is not computed. Both are called once, to be
// recorded. They are promoted to their common dtype and must have one shape; the
// result is ambiguous only if both are.
func (l *Lib) If(pred any, then, orElse func() Tensor) Tensor {
	c := l.call("If", pred)
	if o := c.operand(pred); o.DType != dtype.I1 || o.Rank != 0 {
		c.fail("the condition is no bool scalar", "compare it, reduce it with Any or All, or choose elementwise with nv.Where")
	}
	p := c.at(pred, dtype.I1)
	a, b := c.branch(then), c.branch(orElse)
	t := c.common(a.result, b.result)
	t.Ambiguous = a.result.Ambiguous() && b.result.Ambiguous()
	pa, pb := a.finish(c, t.DType), b.finish(c, t.DType)
	x, y := pa.Graph.Outputs[0].Type, pb.Graph.Outputs[0].Type
	if !x.Equal(y) {
		c.fail("the branches return "+x.String()+" and "+y.String(), "make the shapes agree")
	}
	args := append([]engine.Array{p.arr}, engine.Share(0, pa, pb)...)
	out, err := c.ctx.session().ApplyMany([]shape.Type{x}, ir.If, nil, []*ir.Graph{pa.Graph, pb.Graph}, args...)
	c.check(err)
	c.xs = []any{pred, a.result, b.result}
	return c.result(&tensor{ctx: c.ctx, arr: out[0]}, t.Ambiguous)
}

// A branch is one of If, being recorded.
type branch struct {
	trace  *engine.Trace
	result Tensor
}

func (c *call) branch(f func() Tensor) branch {
	if f == nil {
		c.fail("a branch is nil", "give a function that returns a Tensor")
	}
	defer c.ctx.recording()()
	b := branch{trace: c.ctx.session().NewTrace()}
	if b.result = f(); b.result.must(c.op).ctx != c.ctx {
		c.fail("a branch returns a tensor of another context", "make both in one Context")
	}
	return b
}

// finish returns the branch as a program that returns dtype d.
func (b branch) finish(c *call, d dtype.DType) *engine.Program {
	program, err := b.trace.Finish("branch", []engine.Array{c.at(b.result, d).arr})
	c.check(err)
	return program
}

// While returns init after body has replaced it for as long as cond holds of it.
// P is a Tensor, or a struct, slice or map of them, whose dtypes and shapes
// stay what they are at the start; an ambiguous one becomes known where body
// makes it so. Cond and body are called to be recorded, not once a step.
func While[P any](init P, cond func(P) Tensor, body func(P) P) P {
	return Default().WhileAny(init, cond, body).(P)
}

// WhileAny is While for callers that cannot instantiate it.
func WhileAny(init, cond, body any) any { return Default().WhileAny(init, cond, body) }

// WhileAny is the function WhileAny for tensors of c.
func (c *Context) WhileAny(init, cond, body any) any {
	v := reflect.ValueOf(init)
	w := &loop{init: v, cond: reflect.ValueOf(cond), body: reflect.ValueOf(body)}
	var xs []any
	for _, x := range TreeLeaves(init) {
		xs = append(xs, x)
		w.carry = append(w.carry, x.must("While"))
	}
	w.call = c.call("While", xs...)
	w.check()
	for range len(w.carry) + 2 {
		if w.record() {
			return w.emit().Interface()
		}
	}
	w.fail("the dtypes of what it carries do not settle", "convert the initial values with AsType")
	return nil
}

// A loop is a While being recorded.
type loop struct {
	*call
	init, cond, body reflect.Value
	carry            []*tensor // what is carried, at the start
	programs         [2]*engine.Program
}

func (w *loop) check() {
	if len(w.carry) == 0 {
		w.fail("there is no tensor to carry", "init is a Tensor, or a struct, slice or map of them")
	}
	t := w.init.Type()
	ok := w.cond.Kind() == reflect.Func && w.cond.Type().NumIn() == 1 && t.AssignableTo(w.cond.Type().In(0)) &&
		w.cond.Type().NumOut() == 1 && w.cond.Type().Out(0) == tensorType
	if !ok {
		w.fail(fmt.Sprintf("cond is no func(%s) Tensor", t), "")
	}
	ok = w.body.Kind() == reflect.Func && w.body.Type().NumIn() == 1 && t.AssignableTo(w.body.Type().In(0)) &&
		w.body.Type().NumOut() == 1 && w.body.Type().Out(0) == t
	if !ok {
		w.fail(fmt.Sprintf("body is no func(%s) %s", t, t), "")
	}
}

// record records cond and body. Where that shows that the carry starts as
// something else, it changes the start and returns false.
func (w *loop) record() bool {
	w.programs[0], _ = w.region("cond", w.cond, func(out []*tensor) {
		if t := out[0].arr.Type(); len(out) != 1 || !t.Equal(shape.Of(dtype.I1)) {
			w.fail("cond returns "+t.String()+", not a bool scalar", "reduce it with Any or All")
		}
	})
	settled := true
	w.programs[1], settled = w.region("body", w.body, func(out []*tensor) {
		if len(out) != len(w.carry) {
			w.fail(fmt.Sprintf("body returns %d tensors of %d", len(out), len(w.carry)), "return a value of the same structure")
		}
		for i, t := range out {
			settled = w.agree(i, t) && settled
		}
	})
	return settled
}

// agree compares what body returns in place i with what starts there.
func (w *loop) agree(i int, t *tensor) bool {
	from, to := w.carry[i].arr.Type(), t.arr.Type()
	switch {
	case !from.Shape.Equal(to.Shape):
		w.fail("body makes "+to.String()+" of "+from.String(), "shapes must stay the same")
	case from.DType != to.DType && !w.carry[i].amb:
		w.fail("body makes "+to.String()+" of "+from.String(), "convert what it returns with AsType("+from.DType.String()+")")
	case from.DType != to.DType:
		c := w.cast(w.carry[i], to.DType)
		w.carry[i] = &tensor{ctx: w.ctx, arr: c.arr, amb: t.amb}
		return false
	case w.carry[i].amb && !t.amb:
		w.carry[i] = &tensor{ctx: w.ctx, arr: w.carry[i].arr}
		return false
	}
	return true
}

// region returns f as a program over the carry; see looks at what f returns
// first, and decides by changing the carry whether it is of use.
func (w *loop) region(name string, f reflect.Value, see func(out []*tensor)) (*engine.Program, bool) {
	defer w.ctx.recording()()
	tr := w.ctx.session().NewTrace()
	at := 0
	arg := rebuild(w.init, func(Tensor) Tensor {
		p := parameterLike(w.ctx, tr, Tensor{t: w.carry[at]})
		at++
		return p
	})
	var out []*tensor
	var arrs []engine.Array
	for _, x := range TreeLeaves(f.Call([]reflect.Value{arg})[0].Interface()) {
		out, arrs = append(out, x.must(w.op)), append(arrs, x.t.arr)
	}
	if len(out) == 0 {
		w.fail(name+" returns no tensor", "")
	}
	before := append([]*tensor(nil), w.carry...)
	see(out)
	program, err := tr.Finish(name, arrs)
	w.call.check(err)
	for i := range before {
		if before[i] != w.carry[i] {
			return program, false
		}
	}
	return program, true
}

// emit adds the loop, and returns its results in the structure of init.
func (w *loop) emit() reflect.Value {
	n := len(w.carry)
	captured := engine.Share(n, w.programs[0], w.programs[1])
	body := w.programs[1].Graph
	body.Outputs = append(body.Outputs[:n:n], body.Params[n:]...)
	args := make([]engine.Array, 0, n+len(captured))
	for _, t := range w.carry {
		args = append(args, t.arr)
	}
	args = append(args, captured...)
	types := make([]shape.Type, len(args))
	for i, a := range args {
		types[i] = a.Type()
	}
	out, err := w.ctx.session().ApplyMany(types, ir.While, nil, []*ir.Graph{w.programs[0].Graph, body}, args...)
	w.call.check(err)
	at := 0
	return rebuild(w.init, func(Tensor) Tensor {
		i := at
		at++
		return w.result(&tensor{ctx: w.ctx, arr: out[i]}, w.carry[i].amb)
	})
}
