package anvil

import (
	"fmt"
	"reflect"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// read returns the elements of t in host form (see array.Array), computing t first if necessary.
func (t *tensor) read() ([]byte, error) {
	if err := t.checkHostCopy(); err != nil {
		return nil, err
	}
	data := array.Make(t.arr.Type().Bytes())
	return data, t.ctx.session.Read(t.arr, data)
}

// host returns the elements of x in host form. op names the operation in its panics.
func (x Tensor) host(op string) []byte {
	t := x.must(op)
	if t.arr.Unknown() {
		panic(&Error{Op: op, Operands: describe(x), Reason: "x is being traced and has no value yet",
			Hint: "use nv.If for a condition, nv.Where for a choice between elements, or return x and read it outside"})
	}
	data, err := t.read()
	if err != nil {
		panic(t.failed(op, err))
	}
	return data
}

// element returns the only element of x in host form. op names the operation in its panics.
func (x Tensor) element(op string) []byte {
	if x.must(op).Shape().Size() != 1 {
		hint := "choose one with x.At, or read all with nv.Values"
		if x.DType() == dtype.I1 {
			hint = "combine masks with & and |, and negate them with ^mask, each comparison in parentheses: " +
				"(x > 2) & ^(x < 5); x.Any() and x.All() make one bool"
		}
		panic(&Error{Op: op, Operands: describe(x), Reason: "x has " + itoa(x.Size()) + " elements, not one",
			Hint: hint})
	}
	return x.host(op)
}

// Wait waits until x is computed. It returns the error of the computation.
func (x Tensor) Wait() error {
	t := x.must("Wait")
	if t.arr.Unknown() {
		return &Error{Op: "Wait", Operands: describe(x), Reason: "x is being traced and has no value yet",
			Hint: "return x and wait for it outside"}
	}
	if err := t.ctx.session.Wait(t.arr); err != nil {
		return t.failed("Wait", err)
	}
	return nil
}

// Float returns the only element of x as a float64. It is exact if x is real and at most 64 bits wide.
func (x Tensor) Float() float64 { return dtype.GetFloat(x.element("Float"), x.DType()) }

// Int returns the only element of x as an int, truncated toward zero.
func (x Tensor) Int() int { return int(dtype.GetInt(x.element("Int"), x.DType())) }

// Complex128 returns the only element of x as a complex128.
func (x Tensor) Complex128() complex128 { return dtype.GetComplex(x.element("Complex128"), x.DType()) }

// Bool returns the only element of x, which must be a bool.
func (x Tensor) Bool() bool {
	if d := x.must("Bool").DType(); d != dtype.I1 {
		panic(&Error{Op: "Bool", Operands: describe(x), Reason: "the dtype is " + d.String() + ", not i1",
			Hint: "compare the tensor with a number, as in x.Ne(0)"})
	}
	return dtype.GetBool(x.element("Bool"), dtype.I1)
}

// Item returns the only element of x as the Go type of the dtype of x: float32 for f32, bool for i1.
func (x Tensor) Item() any { return dtype.Get(x.element("Item"), x.DType()) }

// Values returns the elements of x in row-major order as a slice of the Go type of the dtype of x: []float32 for
// f32.
func (x Tensor) Values() any {
	data := x.host("Values")
	return goSlice(data, x.DType())
}

// Item returns the only element of x converted to T, by XLA's conversions of dtypes.
func Item[T any](x Tensor) T { return ItemAny(reflect.TypeFor[T](), x).(T) }

// ItemAny returns the only element of x converted to the Go number type t.
func ItemAny(t reflect.Type, x Tensor) any {
	d, ok := dtype.OfType(t)
	if !ok {
		panic(&Error{Op: "Item", Operands: fmt.Sprint(t) + ", " + describe(x),
			Reason: fmt.Sprint(t) + " has no dtype", Hint: "give the type of a number or bool"})
	}
	return convertTo(t, x.element("Item"), x.DType(), d)
}

// Values returns the elements of x in row-major order converted to T, by XLA's conversions of dtypes.
func Values[T any](x Tensor) []T { return ValuesAny(reflect.TypeFor[T](), x).([]T) }

// ValuesAny returns the elements of x, in row-major order, as a slice of the Go
// number type t.
func ValuesAny(t reflect.Type, x Tensor) any {
	d, ok := dtype.OfType(t)
	if !ok {
		panic(&Error{Op: "Values", Operands: fmt.Sprint(t) + ", " + describe(x),
			Reason: fmt.Sprint(t) + " has no dtype", Hint: "give the type of numbers or bools"})
	}
	data, from := x.host("Values"), x.DType()
	if t == from.GoType() {
		return goSlice(data, from)
	}
	n, w := x.Size(), from.Size()
	s := reflect.MakeSlice(reflect.SliceOf(t), n, n)
	for i := range n {
		s.Index(i).Set(reflect.ValueOf(convertTo(t, data[i*w:], from, d)))
	}
	return s.Interface()
}

// convertTo returns the first element of data, of dtype from, converted to dtype to, as a value of Go type t.
func convertTo(t reflect.Type, data []byte, from, to dtype.DType) any {
	v, err := dtype.Cast(dtype.Get(data, from), to)
	if err != nil {
		panic(asError("Item", "", err))
	}
	return reflect.ValueOf(v).Convert(t).Interface()
}

// goSlice returns elements in host form as a slice of the Go type of d. It may reuse data, which must have no
// other users.
func goSlice(data []byte, d dtype.DType) any {
	if array.Native() {
		if view := views[d]; view != nil {
			return view(data)
		}
	}
	n := len(data) / d.Size()
	s := reflect.MakeSlice(reflect.SliceOf(d.GoType()), n, n)
	for i := range n {
		s.Index(i).Set(reflect.ValueOf(dtype.Get(data[i*d.Size():], d)))
	}
	return s.Interface()
}

// views maps dtypes to functions that reinterpret little-endian bytes as a slice of numbers, without copying. The
// machine must be little-endian.
var views = map[dtype.DType]func([]byte) any{
	dtype.I8:  func(b []byte) any { return array.View[int8](b) },
	dtype.I16: func(b []byte) any { return array.View[int16](b) },
	dtype.I32: func(b []byte) any { return array.View[int32](b) },
	dtype.I64: func(b []byte) any { return array.View[int64](b) },
	dtype.U8:  func(b []byte) any { return b },
	dtype.U16: func(b []byte) any { return array.View[uint16](b) },
	dtype.U32: func(b []byte) any { return array.View[uint32](b) },
	dtype.U64: func(b []byte) any { return array.View[uint64](b) },
	dtype.F32: func(b []byte) any { return array.View[float32](b) },
	dtype.F64: func(b []byte) any { return array.View[float64](b) },
}

// Window returns the elements of x with indices from low up to, but not including, high along each axis, in row-major
// order and host form (see array.Array). If x is large, only these elements are copied to the host.
func (x Tensor) Window(low, high Shape) ([]byte, error) {
	t := x.must("Window")
	ty := t.arr.Type()
	if len(low) != len(ty.Shape) || len(high) != len(ty.Shape) {
		return nil, &Error{Op: "Window", Operands: describe(x),
			Reason: "low has " + plural(len(low), "element", "elements") + " and high has " + itoa(len(high)),
			Hint:   "give one element for each axis of x"}
	}
	whole := true
	for i, n := range ty.Shape {
		if low[i] < 0 || low[i] > high[i] || high[i] > n {
			return nil, &Error{Op: "Window", Operands: describe(x),
				Reason: "the window " + low.String() + " to " + high.String() + " is not inside x"}
		}
		whole = whole && low[i] == 0 && high[i] == n
	}
	if t.arr.Unknown() {
		return nil, &Error{Op: "Window", Operands: describe(x), Reason: "x is being traced and has no value yet",
			Hint: "return x and read it outside"}
	}
	if err := t.ctx.session.Look(t.arr); err != nil {
		return nil, t.failed("Window", err)
	}
	part := t // the tensor to read
	small := ty.Bytes() <= smallRead
	if !whole && !small {
		part = x.cutOnDevice(low, high)
	}
	data, err := part.read()
	if err != nil {
		return nil, t.failed("Window", err)
	}
	if !whole && small {
		data = cutOnHost(data, ty, low, high)
	}
	return data, nil
}

// smallRead is the size in bytes up to which Window reads a whole tensor instead of cutting a part out on the
// device.
const smallRead = 1 << 10

// cutOnHost returns the elements with indices from low up to high of data, a tensor of type t in host form.
func cutOnHost(data []byte, t shape.Type, low, high Shape) []byte {
	if len(low) == 0 {
		return data
	}
	rest := shape.Type{DType: t.DType, Shape: t.Shape[1:]}
	n := rest.Bytes()
	var out []byte
	for i := low[0]; i < high[0]; i++ {
		out = append(out, cutOnHost(data[i*n:(i+1)*n], rest, low[1:], high[1:])...)
	}
	return out
}

// cutOnDevice returns the elements of x with indices from low up to high, without copying all of x to the host. low is
// a parameter of the program, so that windows of the same size share a program.
func (x Tensor) cutOnDevice(low, high Shape) *tensor {
	c := x.t.ctx.Lib.call("Window", x)
	sizes := make(Shape, len(low))
	args := []expr.Value{x.t}
	for i := range low {
		sizes[i] = high[i] - low[i]
		args = append(args, c.literal(low[i], dtype.I32))
	}
	ty := shape.Type{DType: x.t.DType(), Shape: sizes}
	return c.emit(ir.DynamicSlice, ir.DynamicSliceAttrs{Sizes: sizes.Dims()}, ty, args...).(*tensor)
}
