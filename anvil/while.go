package anvil

import (
	"math"
	"reflect"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/typename"
)

// While applies body repeatedly to a value that begins as init, as long as cond returns true for the value, and returns
// the final value. P is a Tensor, or a struct, slice or map of them, whose dtypes and shapes do not change; an
// ambiguous dtype becomes the one that body returns. cond and body are called only to record them, not once per step.
//
// Reverse mode needs MaxSteps, since it keeps the values at the start of each step.
func While[P any](init P, cond func(P) Tensor, body func(P) P, opts ...MaxSteps) P {
	return Default().WhileAny(init, cond, body, opts...).(P)
}

// WhileAny is While for tensors of c.
func (c *Context) WhileAny(init, cond, body any, opts ...MaxSteps) any {
	s := c.carriedTree("While", init)
	if len(s.leaves) == 0 {
		s.fail("init contains no tensor", "give a Tensor, or a struct, slice or map of them")
	}
	p := s.tree.Type()
	condition := s.function("cond", cond, []reflect.Type{p}, []reflect.Type{tensorType})
	next := s.function("body", body, []reflect.Type{p}, []reflect.Type{p})
	if len(opts) > 1 {
		s.fail("nv.MaxSteps is given twice", "give it once")
	}
	if len(opts) > 0 {
		return s.bounded(int(opts[0]), condition, next).Interface()
	}
	w := s.loop()
	w.cond = func(carry []Tensor) Tensor { return condition(s.treeOf(carry))[0].Interface().(Tensor) }
	w.body = func(carry, _ []Tensor) (after, _ []Tensor) { return s.newLeaves(next(s.treeOf(carry))[0], "body"), nil }
	end, _ := w.run()
	return s.treeOf(end).Interface()
}

// MaxSteps is the option of While that sets the greatest number of steps. A loop that has
// not ended by then is an error.
type MaxSteps int

// bounded returns the result of a While with at most n steps. It always runs n steps; the steps after cond has
// returned false leave the carry unchanged.
func (s *carriedTree) bounded(n int, cond, body func(...reflect.Value) []reflect.Value) reflect.Value {
	p, c := s.tree.Type(), s.ctx
	branchType := reflect.FuncOf(nil, []reflect.Type{p}, false)
	branch := func(f func() reflect.Value) any {
		call := func([]reflect.Value) []reflect.Value { return []reflect.Value{f()} }
		return reflect.MakeFunc(branchType, call).Interface()
	}
	step := func(args []reflect.Value) []reflect.Value {
		carry := args[1]
		another := branch(func() reflect.Value { return body(carry)[0] })
		stay := branch(func() reflect.Value { return carry })
		next := c.IfAny(cond(carry)[0].Interface(), another, stay)
		return []reflect.Value{reflect.ValueOf(next)}
	}
	stepType := reflect.FuncOf([]reflect.Type{tensorType, p}, []reflect.Type{p}, false)
	end := reflect.ValueOf(c.ForIAny(n, s.tree.Interface(), reflect.MakeFunc(stepType, step).Interface()))
	continues := cond(end)[0].Interface().(Tensor)
	s.failWhere(continues.t, &Error{Op: "While", Operands: describe(continues),
		Reason: "the loop has not ended after " + plural(n, "step", "steps"),
		Hint:   "allow more: nv.MaxSteps(" + itoa(max(1, 2*n)) + ")"})
	return end
}

// ForI calls body n times, with i from 0 to n-1 and the previous result, or init at first, and returns the last
// result. n is an integer or an integer scalar; P is as for While. The loop is one program for all n. Within a
// function that Jit or Grad records, an integer n is a constant of the program, and the loop can be differentiated
// in reverse mode.
func ForI[P any](n any, init P, body func(i Tensor, p P) P) P {
	return Default().ForIAny(n, init, body).(P)
}

// ForIAny is ForI for tensors of c.
func (c *Context) ForIAny(n, init, body any) any {
	s := c.carriedTree("ForI", init, n)
	p := s.tree.Type()
	next := s.function("body", body, []reflect.Type{tensorType, p}, []reflect.Type{p})
	w := s.countedLoop(n, func(i Tensor, carry []Tensor) []Tensor {
		return s.newLeaves(next(reflect.ValueOf(i), s.treeOf(carry))[0], "body")
	})
	end, _ := w.run()
	return s.treeOf(end[1:]).Interface()
}

// A carriedTree is the call of a loop, with the initial value of the tree that the loop carries from step to step.
type carriedTree struct {
	*call
	tree   reflect.Value
	leaves []Tensor // the tensors of tree
	places []string // the place of each tensor in tree: ".W[0]"
}

// carriedTree returns init as the tree that the loop op carries. others are the other operands of op.
func (c *Context) carriedTree(op string, init any, others ...any) *carriedTree {
	s := &carriedTree{tree: reflect.ValueOf(init)}
	if !s.tree.IsValid() || recursive(s.tree.Type()) {
		panic(&Error{Op: op, Operands: typename.Of(init),
			Reason: "the value is nil or of a recursive type",
			Hint:   "give a Tensor, or a struct, slice or map of Tensors that does not contain its own type"})
	}
	refuseHidden(op, "the argument", s.tree.Type())
	var xs []any
	leaves(s.tree, "", func(path string, x Tensor) {
		if x.t == nil {
			panic(&Error{Op: op, Operands: typename.Of(init),
				Reason: "the tensor" + atPath(path) + " has not been set", Hint: "give every tensor a value"})
		}
		s.leaves, s.places, xs = append(s.leaves, x), append(s.places, path), append(xs, x)
	})
	s.call = c.call(op, append(xs, others...)...)
	return s
}

// atPath returns " at path", or "" for a tensor that is the whole tree.
func atPath(path string) string {
	if path == "" {
		return ""
	}
	return " at " + path
}

// loop returns a loop that carries the tensors of s.
func (s *carriedTree) loop() *loop {
	w := &loop{call: s.call, places: s.places}
	for _, x := range s.leaves {
		w.carry = append(w.carry, x.t)
	}
	return w
}

// treeOf returns the tree of s with the tensors xs in place of its own.
func (s *carriedTree) treeOf(xs []Tensor) reflect.Value { return withLeaves(s.tree, xs) }

// newLeaves returns the tensors of v, a new value of the carried tree. It fails if anything but the tensors has
// changed, because the program computes only tensors. what names the function that returned v in the error.
func (s *carriedTree) newLeaves(v reflect.Value, what string) []Tensor {
	if where, how := treeDifference(s.tree, v, ""); how != "" {
		s.fail(what+" changes the structure of its argument"+atPath(where)+": "+how, "change only tensors")
	}
	return TreeLeaves(v.Interface())
}

// function returns a function that calls f. It fails if f is not a function with parameters of types in and
// results of types out. what names f in the error.
func (c *call) function(what string, f any, in, out []reflect.Type) func(args ...reflect.Value) []reflect.Value {
	v := reflect.ValueOf(f)
	want := reflect.FuncOf(in, out, false)
	ok := v.Kind() == reflect.Func && !v.IsNil() && !v.Type().IsVariadic() &&
		v.Type().NumIn() == len(in) && v.Type().NumOut() == len(out)
	for i := 0; ok && i < len(in); i++ {
		ok = in[i].AssignableTo(v.Type().In(i))
	}
	for i := 0; ok && i < len(out); i++ {
		ok = v.Type().Out(i).AssignableTo(out[i])
	}
	if !ok {
		c.fail(what+" has type "+typeName(reflect.ValueOf(f)), "give a "+typename.Text(want.String()))
	}
	return func(args ...reflect.Value) []reflect.Value { return v.Call(args) }
}

// stepCount returns n, an integer or an integer scalar, as an i32 scalar. A tensor that is too large for i32
// counts as the greatest i32, and a negative i64 as 0.
func (c *call) stepCount(n any) expr.Value {
	o := c.operand(n)
	if !o.DType.Is(dtype.Integral) || o.Rank != 0 {
		c.fail("the number of steps is "+describe(n)+" and must be an integer scalar",
			"give an int; n.AsType(nv.I32) converts a float scalar")
	}
	t, ok := n.(Tensor)
	if !ok || t.t.lit != nil {
		return c.at(n, dtype.I32)
	}
	var a expr.Value = t.t
	if o.DType == dtype.I64 || o.DType == dtype.U32 || o.DType == dtype.U64 {
		a = c.Min(a, c.literal(math.MaxInt32, o.DType))
	}
	if o.DType == dtype.I64 { // the conversion keeps low bits only
		a = c.Max(a, c.literal(0, o.DType))
	}
	return c.cast(a, dtype.I32)
}

// countedLoop returns a loop of n steps, where n is an integer or an integer scalar. body is
// given the number of the step, counted from 0, and the carry; the loop carries that number
// before the tensors of s. If n is a number inside a trace, the loop has a fixed length and
// can be differentiated in reverse mode; otherwise one program serves all n.
func (s *carriedTree) countedLoop(n any, body func(i Tensor, carry []Tensor) []Tensor) *loop {
	w, end := s.loop(), s.stepCount(n)
	w.carry = append([]*tensor{w.literal(0, dtype.I32)}, w.carry...)
	w.places = append([]string{""}, w.places...)
	w.body = func(carry, _ []Tensor) (next, _ []Tensor) {
		i := asTensor(w.Add(carry[0].t, w.literal(1, dtype.I32)))
		return append([]Tensor{i}, body(carry[0], carry[1:])...), nil
	}
	if steps := s.operand(n).Literal; steps != nil && s.ctx.session.Depth() > 0 {
		length, err := dtype.Cast(steps, dtype.I32)
		s.check(err)
		w.scan.Length = max(0, int(length.(int32)))
		return w
	}
	w.cond = func(carry []Tensor) Tensor { return asTensor(w.Lt(carry[0].t, end)) }
	return w
}
