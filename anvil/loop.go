package anvil

import (
	"fmt"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// A loop is the common part of While, ForI and Scan. Its functions cond and body take the carried tensors. They
// are recorded again until body returns the dtypes that it is given.
type loop struct {
	*call
	carry  []*tensor                   // initial values
	places []string                    // the place of each carried tensor in the caller's tree: ".W[0]"
	cond   func(carry []Tensor) Tensor // nil: the number of steps is scan.Length
	body   func(carry, elements []Tensor) (next, results []Tensor)

	// The following two fields are for a loop without cond.
	scan   ir.ScanAttrs // Carried and Shared are set by emitScan
	inputs []*tensor    // each step gets one element of each input along its first axis

	condProgram, bodyProgram *engine.Program // cond and body, recorded
	changes                  []string        // how the type of each carried tensor changed during settle
	faults                   []error         // the errors that a step may have; the loop carries a bool for each
	condHasFaults            bool            // an operation of cond may fail
	ambiguous                []bool          // which results of a step are ambiguous
}

// run records the loop. It returns the carried tensors after the last step and, for a
// loop without cond, the results of its steps, stacked.
func (w *loop) run() (carried, stacked []Tensor) {
	w.settle()
	n := len(w.carry) // without the bools that are added next
	switch {
	case w.condHasFaults:
		w.carryCondition()
	case len(w.faults) > 0:
		w.carryFaults()
	}
	if w.cond == nil {
		return w.emitScan(n)
	}
	return w.emit(n), nil
}

// settle records the loop until body returns the types that it is given. There are enough attempts for every carried
// tensor to change its type four times: from bool to integer to float to complex, and from ambiguous to known.
func (w *loop) settle() {
	w.changes = make([]string, len(w.carry))
	for range 4*len(w.carry) + 2 {
		if w.record() {
			return
		}
	}
	for i, change := range w.changes {
		if change != "" {
			w.fail("the dtype"+atPath(w.places[i])+" changes at each step: "+change,
				"convert the initial value with AsType")
		}
	}
}

// record records cond and body. If body returns other types than it is given, record
// converts the initial values and returns false.
func (w *loop) record() bool {
	n := len(w.carry)
	w.recordCond(n)
	return w.recordBody(n)
}

// recordCond records the condition on the first n tensors of the carry.
func (w *loop) recordCond(n int) {
	if w.cond == nil {
		return
	}
	w.condProgram = w.recordRegion("cond", func(tr *engine.Trace, carry, _ []Tensor) []engine.Array {
		t := w.checkContext("cond returns", w.cond(carry[:n]))
		if ty := t.arr.Type(); !ty.Equal(shape.Of(dtype.I1)) {
			w.fail("cond returns "+ty.String()+" and must return a bool scalar", "reduce it with Any() or All()")
		}
		w.condHasFaults = len(tr.Faults()) > 0
		return []engine.Array{t.arr}
	})
}

// recordBody records the body for the first n tensors of the carry, and reports whether body returns the types that
// it is given. The carried values after the first n are bools, one for each fault: whether that fault has occurred so
// far.
func (w *loop) recordBody(n int) (settled bool) {
	settled = true
	w.bodyProgram = w.recordRegion("body", func(tr *engine.Trace, carry, elements []Tensor) []engine.Array {
		var arrs []engine.Array
		next, results := w.body(carry[:n], elements)
		for i, x := range next {
			t := w.checkContext("body returns", x)
			settled = w.settleType(i, t) && settled
			arrs = append(arrs, t.arr)
		}
		w.faults, w.ambiguous = nil, nil
		for _, f := range tr.Faults() {
			w.faults = append(w.faults, f.Err)
		}
		for i, before := range carry[n:] {
			occurred := w.Or(before.t, &tensor{ctx: w.ctx, arr: tr.Faults()[i].When})
			arrs = append(arrs, occurred.(*tensor).arr)
		}
		for _, x := range results {
			arrs, w.ambiguous = append(arrs, x.t.arr), append(w.ambiguous, x.t.amb)
		}
		return arrs
	})
	return settled
}

// recordRegion returns the program of f, a function of the carry and the elements of the inputs in one step.
func (w *loop) recordRegion(
	name string, f func(tr *engine.Trace, carry, elements []Tensor) []engine.Array) *engine.Program {
	w.call.checkNesting()
	defer w.ctx.recording()()
	tr := w.ctx.session.NewTrace()
	carry := make([]Tensor, len(w.carry))
	for i, t := range w.carry {
		carry[i] = parameterLike(w.ctx, tr, Tensor{t: t}, false)
	}
	elements := make([]Tensor, len(w.inputs))
	for i, t := range w.inputs {
		element := shape.Type{DType: t.DType(), Shape: t.Shape()[1:]}
		p := &tensor{ctx: w.ctx, arr: tr.Param(element), amb: t.amb, unchecked: t.unchecked}
		p.arr.Mark(p.amb)
		elements[i] = Tensor{t: p}
	}
	defer tr.Record()()
	program, err := tr.Finish(name, f(tr, carry, elements))
	w.call.check(err)
	return program
}

// checkContext returns the state of x. If x belongs to another context, it fails with an error that begins with what.
func (w *loop) checkContext(what string, x Tensor) *tensor {
	t := x.must(w.op)
	if t.ctx != w.ctx {
		w.fail(what+" a tensor of another context", "make all tensors in one Context")
	}
	return t
}

// settleType reports whether the type of t, result i of body, is the type of the initial value i. If the types differ
// and the initial value is ambiguous, settleType converts the initial value to the type of t. Other differences are
// errors.
func (w *loop) settleType(i int, t *tensor) bool {
	start := w.carry[i]
	from, to := start.arr.Type(), t.arr.Type()
	place := ""
	if i < len(w.places) {
		place = atPath(w.places[i])
	}
	reason := "body is given " + from.String() + " and returns " + to.String() + place
	switch {
	case !from.Shape.Equal(to.Shape):
		w.fail(reason, "return the shape that body is given")
	case from.DType != to.DType && !start.amb:
		w.fail(reason, "convert the result with AsType("+constantName(from.DType)+")")
	case from.DType != to.DType:
		w.carry[i] = &tensor{ctx: w.ctx, arr: w.cast(start, to.DType).(*tensor).arr, amb: t.amb}
	case start.amb && !t.amb:
		w.carry[i] = &tensor{ctx: w.ctx, arr: start.arr}
	default:
		return true
	}
	if w.changes[i] != "" {
		w.changes[i] += ", "
	}
	w.changes[i] += fmt.Sprintf("%s becomes %s", Tensor{t: start}.Typed(), Tensor{t: t}.Typed())
	return false
}

// carryFaults records the loop again, carrying a bool for each fault.
func (w *loop) carryFaults() {
	n := len(w.carry)
	for range w.faults {
		w.carry = append(w.carry, w.literal(false, dtype.I1))
	}
	w.recordCond(n)
	w.recordBody(n)
}

// carryCondition records a loop whose cond has faults. The condition of an ir.While returns one bool and cannot return
// faults too. So cond is computed before the loop, where a fault is an error at once, and by the body at the end of
// each step. The loop carries the value of cond after the bools of the faults. A step with a fault is the last step.
func (w *loop) carryCondition() {
	n := len(w.carry)
	start := make([]Tensor, n)
	for i, t := range w.carry {
		start[i] = Tensor{t: t}
	}
	proceed := w.cond(start).t
	// This program serves only to find the faults; it is recorded again below.
	w.bodyProgram = w.recordRegion("body", func(tr *engine.Trace, carry, _ []Tensor) []engine.Array {
		w.bodyThenCond(carry)
		w.faults = nil
		for _, f := range tr.Faults() {
			w.faults = append(w.faults, f.Err)
		}
		return nil
	})
	for range w.faults {
		w.carry = append(w.carry, w.literal(false, dtype.I1))
	}
	w.carry = append(w.carry, &tensor{ctx: w.ctx, arr: proceed.arr})
	w.condProgram = w.recordRegion("cond", func(_ *engine.Trace, carry, _ []Tensor) []engine.Array {
		return []engine.Array{carry[len(carry)-1].t.arr}
	})
	w.bodyProgram = w.recordRegion("body", func(tr *engine.Trace, carry, _ []Tensor) []engine.Array {
		arrs, again := w.bodyThenCond(carry[:n])
		var proceed expr.Value = again
		for i, f := range tr.Faults() {
			bad := &tensor{ctx: w.ctx, arr: f.When}
			arrs = append(arrs, w.Or(carry[n+i].t, bad).(*tensor).arr)
			proceed = w.And(proceed, w.Not(bad))
		}
		return append(arrs, proceed.(*tensor).arr)
	})
}

// bodyThenCond returns the results of body for carry, and the result of cond for these.
func (w *loop) bodyThenCond(carry []Tensor) (next []engine.Array, proceed *tensor) {
	results, _ := w.body(carry, nil)
	for i, x := range results {
		next = append(next, x.t.arr)
		results[i] = Tensor{t: &tensor{ctx: w.ctx, arr: x.t.arr, amb: w.carry[i].amb, unchecked: x.t.unchecked}}
	}
	return next, w.cond(results).t
}

// emit adds a loop with cond to the graph and returns the first n carried tensors after the last
// step. A fault of a step is an error of the loop.
func (w *loop) emit(n int) []Tensor {
	own := len(w.carry)
	captured := engine.Share(own, w.condProgram, w.bodyProgram)
	body := w.bodyProgram.Graph
	body.Outputs = append(body.Outputs[:own:own], body.Params[own:]...) // body returns captured values unchanged
	args := make([]engine.Array, 0, own+len(captured))
	for _, t := range w.carry {
		args = append(args, t.arr)
	}
	args = append(args, captured...)
	types := make([]shape.Type, len(args))
	for i, a := range args {
		types[i] = a.Type()
	}
	out, err := w.ctx.session.ApplyMany(types, ir.While, nil, []*ir.Graph{w.condProgram.Graph, body}, args...)
	w.call.check(err)
	return w.lastCarry(n, out)
}

// emitScan adds a loop without cond to the graph. It returns the first n carried tensors after the last step, and
// the stacked results of the steps.
func (w *loop) emitScan(n int) (carried, stacked []Tensor) {
	body, captured, own := w.bodyProgram.Graph, w.bodyProgram.Captured, len(w.carry)
	// The recorded parameters are the carry, the elements and the captured values; ir.Scan expects the elements last.
	ps, elements := body.Params, own+len(w.inputs)
	body.Params = slices.Concat(ps[:own], ps[elements:], ps[own:elements])
	for i, p := range body.Params {
		p.Index = i
	}
	var args []engine.Array
	for _, t := range w.carry {
		args = append(args, t.arr)
	}
	args = append(args, captured...)
	for _, t := range w.inputs {
		args = append(args, t.arr)
	}
	types := make([]shape.Type, len(args))
	for i, a := range args {
		types[i] = a.Type()
	}
	attrs, regions := w.scan, []*ir.Graph{body}
	attrs.Carried, attrs.Shared = own, len(captured)
	types, err := ops.Infer(ir.Scan, attrs, regions, types...)
	w.call.check(err)
	out, err := w.ctx.session.ApplyMany(types, ir.Scan, attrs, regions, args...)
	w.call.check(err)
	for i, amb := range w.ambiguous {
		stacked = append(stacked, w.result(&tensor{ctx: w.ctx, arr: out[own+i]}, amb))
	}
	return w.lastCarry(n, out), stacked
}

// lastCarry returns the first n of out, the results of the loop, which are the carried tensors after the last step.
// The next elements of out are the bools of the faults. If one of them is true, lastCarry fails with that fault.
func (w *loop) lastCarry(n int, out []engine.Array) []Tensor {
	for i, err := range w.faults {
		w.failWhere(&tensor{ctx: w.ctx, arr: out[n+i]}, err)
	}
	results := make([]Tensor, n)
	for i := range results {
		results[i] = w.result(&tensor{ctx: w.ctx, arr: out[i]}, w.carry[i].amb)
	}
	return results
}

// failWhere panics with err if bad, a bool scalar, is true. Inside a trace, the program
// fails when it runs and bad is true.
func (c *call) failWhere(bad *tensor, err error) {
	if trace := bad.arr.Trace(); trace != nil {
		trace.AddFault(engine.Fault{When: bad.arr, Err: err})
		return
	}
	data, failed := bad.read()
	c.check(failed)
	if dtype.GetBool(data, dtype.I1) {
		panic(err)
	}
}
