package anvil

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/shape"
)

// This file makes tensors from nested Go slices and arrays.

var le = binary.LittleEndian

// elemType returns the type of the elements of v, a nested slice or array. It returns the type of v itself if v is
// neither, and the type any if v is not valid.
func elemType(v reflect.Value) reflect.Type {
	if !v.IsValid() {
		return anyType
	}
	t, _ := elemTypeDepth(v.Type())
	return t
}

// elemTypeDepth returns the type of the elements of t, a type of nested slices or arrays, and how deep they nest. For
// any other type, and for a recursive type such as type T []T, it returns t and 0.
func elemTypeDepth(t reflect.Type) (elem reflect.Type, depth int) {
	for (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) && !recursive(t) {
		t = t.Elem()
		depth++
	}
	return t, depth
}

// nested returns a tensor with options o and the elements of v. v is a number, or a slice or array, possibly nested,
// of numbers or tensors.
func (c *call) nested(v reflect.Value, o dtype.Options) Tensor {
	s := nestedShape(v)
	if len(s) > maxRank {
		c.fail(fmt.Sprintf("the slices nest more than %d deep, or contain themselves", maxRank),
			fmt.Sprintf("a tensor has at most %d axes", maxRank))
	}
	switch elemType(v) {
	case tensorType:
		return c.stackTensors(v, s, o)
	case anyType:
		// The elements are collected as values of type any, which take 16 bytes each, as elements of C128 do. That may
		// be much more memory than the slices take, because the same inner slice may occur many times.
		c.checkHostMemory(shape.Type{DType: dtype.C128, Shape: s})
		if o.DType == dtype.Invalid {
			o.DType = c.commonElementDType(v, len(s))
		}
	}
	ty := shape.Type{DType: o.DType, Shape: s}
	device := o.Device
	o.Device = "" // Copied and host put the elements on the device, so creationResult must not move them again
	if row, ok := sliceBytes(v, o.DType); ok && len(row) >= engine.Large {
		arr, err := c.ctx.session.Copied(ty, row, device)
		c.check(err)
		return c.creationResult(&tensor{ctx: c.ctx, arr: arr}, false, o)
	}
	data := c.appendNested(array.Make(ty.Bytes())[:0], v, s, o.DType)
	return c.creationResult(c.host(ty, data, device), false, o)
}

// sliceBytes returns the elements of v as bytes in host form, without copying. ok is false
// unless v is a flat slice of one of the Go types below and d is the dtype of that type.
func sliceBytes(v reflect.Value, d dtype.DType) (data []byte, ok bool) {
	if v.Kind() != reflect.Slice || !v.CanInterface() || !array.Native() {
		return nil, false
	}
	switch row := v.Interface().(type) {
	case []float64:
		return array.Bytes(row), d == dtype.F64
	case []float32:
		return array.Bytes(row), d == dtype.F32
	case []int32:
		return array.Bytes(row), d == dtype.I32
	case []int64:
		return array.Bytes(row), d == dtype.I64
	case []uint8:
		return row, d == dtype.U8
	}
	return nil, false
}

// commonElementDType returns the common dtype of the numbers in v, a nested slice of any, or f32 if there are none. It
// fails if the slices nest more than rank deep, as a slice that contains itself does.
func (c *call) commonElementDType(v reflect.Value, rank int) dtype.DType {
	var xs []any
	var walk func(v reflect.Value, rank int)
	walk = func(v reflect.Value, rank int) {
		if v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
			if !v.IsValid() {
				c.fail("an element is nil", "give numbers")
			}
			xs = append(xs, v.Interface())
			return
		}
		if rank == 0 {
			c.failDepth()
		}
		for i := range v.Len() {
			walk(v.Index(i), rank-1)
		}
	}
	walk(v, rank)
	if len(xs) == 0 {
		return dtype.F32
	}
	return c.common(xs...).DType
}

// stackTensors joins a slice of tensors along a new first axis.
func (c *call) stackTensors(v reflect.Value, s Shape, o dtype.Options) Tensor {
	if len(s) != 1 || s[0] == 0 {
		c.fail("the slice of tensors is empty or nested", "join nested slices one level at a time with nv.Stack")
	}
	xs := make([]any, v.Len())
	for i := range xs {
		xs[i] = v.Index(i).Interface()
	}
	d := o.DType
	if d == dtype.Invalid {
		d = c.common(xs...).DType
	}
	parts := make([]expr.Value, len(xs))
	for i, x := range xs {
		parts[i] = c.expand(c.at(x, d), 0)
	}
	return c.creationResult(c.Concatenate(0, parts...), false, o)
}

// nestedShape returns the shape of v, a nested slice. The length of each axis is that of the
// first part at this depth; appendNested checks that the other parts have the same length.
func nestedShape(v reflect.Value) Shape {
	var s Shape
	for {
		if v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
			return s
		}
		s = append(s, v.Len())
		// Beyond maxRank the slice contains itself, or nests too deep for a tensor.
		if v.Len() == 0 || len(s) > maxRank {
			_, depth := elemTypeDepth(v.Type().Elem())
			return append(s, make(Shape, depth)...)
		}
		v = v.Index(0)
	}
}

// appendNested converts the numbers in v, a nested slice of shape s, to dtype d and appends them to data.
func (c *call) appendNested(data []byte, v reflect.Value, s Shape, d dtype.DType) []byte {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	isList := v.Kind() == reflect.Slice || v.Kind() == reflect.Array
	switch {
	case isList != (len(s) > 0):
		c.failDepth()
	case !isList:
		return c.appendNumber(data, v, d)
	case v.Len() != s[0]:
		c.fail("the nested slices differ in length", "give the slices at each depth the same length")
	}
	if more, ok := appendSlice(data, v, d); ok {
		return more
	}
	for i := range v.Len() {
		data = c.appendNested(data, v.Index(i), s[1:], d)
	}
	return data
}

// failDepth fails because a part of the nested slices is deeper than another.
func (c *call) failDepth() {
	c.fail("the nested slices differ in depth", "nest every part equally deep, or join tensors with nv.Stack")
}

// appendNumber converts the number v to dtype d and appends it to data.
func (c *call) appendNumber(data []byte, v reflect.Value, d dtype.DType) []byte {
	if !v.IsValid() || !v.CanInterface() {
		c.fail("an element is not a number", "give numbers")
	}
	w, err := c.sys.Convert(v.Interface(), d)
	c.check(err)
	data, err = dtype.Append(data, d, w)
	c.check(err)
	return data
}

// appendSlice converts the elements of v, a flat slice of numbers, to dtype d and appends them to data. It
// returns data and false if d cannot represent an element, or if appendSlice does not
// implement the conversion to d; appendNumber then converts each element, or fails.
func appendSlice(data []byte, v reflect.Value, d dtype.DType) ([]byte, bool) {
	if v.Kind() != reflect.Slice || !v.CanInterface() {
		return data, false
	}
	if row, ok := sliceBytes(v, d); ok {
		return append(data, row...), true
	}
	switch row := v.Interface().(type) {
	case []float64:
		return appendFloats(data, row, d)
	case []float32:
		return appendFloats(data, row, d)
	case []int:
		return appendInts(data, row, d)
	case []int32:
		return appendInts(data, row, d)
	case []int64:
		return appendInts(data, row, d)
	}
	return data, false
}

// appendFloats is appendSlice for floats.
func appendFloats[T float32 | float64](data []byte, row []T, d dtype.DType) ([]byte, bool) {
	switch d {
	case dtype.F32:
		for i, x := range row {
			f := float32(x)
			if math.IsInf(float64(f), 0) && !math.IsInf(float64(x), 0) {
				return data[:len(data)-4*i], false
			}
			data = le.AppendUint32(data, math.Float32bits(f))
		}
	case dtype.F64:
		for _, x := range row {
			data = le.AppendUint64(data, math.Float64bits(float64(x)))
		}
	default:
		return data, false
	}
	return data, true
}

// appendInts is appendSlice for integers.
func appendInts[T int | int32 | int64](data []byte, row []T, d dtype.DType) ([]byte, bool) {
	switch d {
	case dtype.I32:
		for i, x := range row {
			if T(int32(x)) != x {
				return data[:len(data)-4*i], false
			}
			data = le.AppendUint32(data, uint32(x))
		}
	case dtype.I64:
		for _, x := range row {
			data = le.AppendUint64(data, uint64(x))
		}
	default:
		return data, false
	}
	return data, true
}
