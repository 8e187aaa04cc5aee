package anvil

import (
	"fmt"
	"reflect"
)

// ForI returns init after body has replaced it for each i from 0 to below n, a
// number or an integer scalar. P is what it is for While; the loop is one
// program, whatever n.
func ForI[P any](n any, init P, body func(i Tensor, p P) P) P {
	return Default().ForIAny(n, init, body).(P)
}

// ForIAny is ForI for callers that cannot instantiate it.
func ForIAny(n, init, body any) any { return Default().ForIAny(n, init, body) }

// ForIAny is the function ForIAny for tensors of c.
func (c *Context) ForIAny(n, init, body any) any {
	ctx := c
	for _, x := range append(TreeLeaves(n), TreeLeaves(init)...) {
		ctx = x.must("ForI").ctx
	}
	p, f := reflect.TypeOf(init), reflect.ValueOf(body)
	if p == nil || f.Kind() != reflect.Func || f.Type() != reflect.FuncOf([]reflect.Type{tensorType, p}, []reflect.Type{p}, false) {
		panic(&Error{Op: "ForI", Operands: fmt.Sprintf("%T", body), Reason: fmt.Sprintf("body is no func(nv.Tensor, %T) %T", init, init)})
	}
	state := reflect.StructOf([]reflect.StructField{
		{Name: "I", Type: tensorType}, {Name: "N", Type: tensorType}, {Name: "P", Type: p}})
	start := reflect.New(state).Elem()
	start.Field(0).Set(reflect.ValueOf(ctx.Scalar(0, I32)))
	start.Field(1).Set(reflect.ValueOf(ctx.AsType(n, I32)))
	start.Field(2).Set(reflect.ValueOf(init))
	cond := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{state}, []reflect.Type{tensorType}, false), func(in []reflect.Value) []reflect.Value {
		i, n := in[0].Field(0).Interface().(Tensor), in[0].Field(1).Interface().(Tensor)
		return []reflect.Value{reflect.ValueOf(i.Lt(n))}
	})
	step := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{state}, []reflect.Type{state}, false), func(in []reflect.Value) []reflect.Value {
		next := reflect.New(state).Elem()
		next.Set(in[0])
		i := in[0].Field(0)
		next.Field(2).Set(f.Call([]reflect.Value{i, in[0].Field(2)})[0])
		next.Field(0).Set(reflect.ValueOf(i.Interface().(Tensor).Add(1)))
		return []reflect.Value{next}
	})
	return reflect.ValueOf(ctx.WhileAny(start.Interface(), cond.Interface(), step.Interface())).Field(2).Interface()
}
