package tangent

import (
	"fmt"
	"reflect"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// An InplaceableThunk is a Thunk that can also add its tangent to an accumulator without a temporary tensor.
// All functions but Accumulate treat it as a Thunk.
type InplaceableThunk struct {
	add   reflect.Value
	value Thunk
}

func (InplaceableThunk) String() string { return "InplaceableThunk(...)" }

// Inplaceable returns an InplaceableThunk. add is a func(acc T) that adds the tangent to the accumulator: to the
// variable that acc points to, if T is *nv.Tensor or another pointer type, or to the elements of acc, if T is a
// slice type. value computes the tangent.
func Inplaceable(add any, value Thunk) InplaceableThunk {
	f := reflect.ValueOf(add)
	ok := f.Kind() == reflect.Func && !f.IsNil() && f.Type().NumIn() == 1 && value != nil
	if ok {
		acc := f.Type().In(0).Kind()
		ok = acc == reflect.Pointer || acc == reflect.Slice
	}
	if !ok {
		fail("Inplaceable", []any{add, value}, "an argument is nil or has the wrong type",
			"give func(acc *nv.Tensor) { ... } and a function that returns the tangent")
	}
	return InplaceableThunk{f, value}
}

// Accumulate adds t to the variable that acc points to, or to the elements of the slice acc. Other variables that
// hold the same tensor are unaffected.
//
// If t is an InplaceableThunk whose add function has a parameter of the type of acc, and acc is a slice or points to
// a slice, an array, or a float or complex tensor of rank 1 or more, Accumulate calls the add function. Otherwise
// it stores the sum. If acc is a pointer, it projects t as a tangent of the variable's value first (see Project),
// except for a variable of type any, which can hold any sum. A nil in such a variable means Zero.
func (r *Registry) Accumulate(acc, t any) {
	const op = "Accumulate"
	v := reflect.ValueOf(acc)
	if v.Kind() != reflect.Slice && (v.Kind() != reflect.Pointer || v.IsNil()) {
		fail(op, []any{acc, t}, "the first argument is not a pointer to an accumulator", "give &acc")
	}
	if it, ok := t.(InplaceableThunk); ok && it.add.IsValid() && inplace(v) && it.add.Type().In(0) == v.Type() {
		r.accumulateInPlace(v, it)
		return
	}
	if rankOf(t) == zeroRank || rankOf(t) == noneRank {
		return
	}
	if v.Kind() == reflect.Slice {
		sum := reflect.ValueOf(r.Add(acc, t))
		if sum.Type() != v.Type() {
			fail(op, []any{acc, t}, "the sum is not a "+typeName(v.Type()), "give a pointer to a variable of type any")
		}
		reflect.Copy(v, sum)
		return
	}
	old := v.Elem().Interface()
	if v.Elem().Kind() == reflect.Interface { // an any may hold any tangent
		if old == nil {
			old = Zero
		}
		v.Elem().Set(reflect.ValueOf(r.Add(old, t)))
		return
	}
	set(op, v.Elem(), r.AddTo(old, r.Project(old, t)))
}

// inplace reports whether an InplaceableThunk may change the accumulator v, a slice or a non-nil pointer, in place.
func inplace(v reflect.Value) bool {
	if x, ok := v.Interface().(*nv.Tensor); ok {
		return x.Valid() && x.DType().Is(dtype.Inexact) && x.Rank() > 0
	}
	return v.Kind() == reflect.Slice || isList(v.Type().Elem())
}

// accumulateInPlace adds the tangent of a thunk to the accumulator v in place. If Debug is on it checks the sum.
func (r *Registry) accumulateInPlace(v reflect.Value, it InplaceableThunk) {
	if !r.debug.Load() {
		it.add.Call([]reflect.Value{v})
		return
	}
	want := r.Add(snapshot(v), it.value())
	it.add.Call([]reflect.Value{v})
	if got := snapshot(v); !r.Equal(got, want) {
		fail("Accumulate", []any{v.Interface(), it}, fmt.Sprintf(
			"add gave a wrong sum: the accumulator holds %v, and with the value of the thunk it would be %v",
			got, want),
			"correct the function that was given to tangent.Inplaceable")
	}
}

// snapshot returns a copy of the slice v, or of the value that the pointer v points to.
func snapshot(v reflect.Value) any {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Slice {
		return v.Interface()
	}
	out := newList(v)
	reflect.Copy(out, v)
	return out.Interface()
}
