// Package anvil is a library for tensor computing. Its tensors can explain how they got their
// dtype (see Why). They are computed by OpenXLA, or by an evaluator in Go where there is no
// XLA. The package is usually imported as nv.
//
// An operation determines the dtype and the shape of its result at once, and panics with an
// *Error if its operands are invalid. The elements are computed when they are needed, as for
// printing. A dtype may be ambiguous: it then yields to a known dtype.
package anvil

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/typename"
)

// A Tensor is an array of elements of one dtype, on a device. It is a small value:
// copying it copies no elements. Tensors are immutable and may be used by several
// goroutines. They cannot be compared with ==; Eq compares their elements. The zero
// Tensor is invalid: using it is an error.
type Tensor struct {
	_ [0]func()
	t *tensor
}

// A tensor is the state of a Tensor.
type tensor struct {
	arr engine.Array
	ctx *Context
	amb bool // the dtype is ambiguous
	lit any  // the exact value of a literal; nil for other tensors

	unchecked bool    // not restricted by the active backend
	why       *record // the operation that made the tensor; nil or empty: none
}

// A recorded holds a tensor and its record, so that both take one allocation.
type recorded struct {
	tensor
	record record
}

// DType returns the type of the elements.
func (t *tensor) DType() dtype.DType { return t.arr.Type().DType }

// Shape returns the shape, which callers must not change.
func (t *tensor) Shape() shape.Shape { return t.arr.Type().Shape }

// Valid reports whether x is a tensor; the zero Tensor is not.
func (x Tensor) Valid() bool { return x.t != nil }

// must returns the state of x, and panics if x is the zero Tensor.
func (x Tensor) must(op string) *tensor {
	if x.t == nil {
		panic(&Error{Op: op, Operands: "Tensor(nil)", Reason: "the operand is a Tensor that has not been set",
			Hint: "make one with nv.Scalar, nv.New or nv.Zeros"})
	}
	return x.t
}

// DType returns the type of the elements.
func (x Tensor) DType() DType { return x.must("DType").DType() }

// Ambiguous reports whether the dtype was chosen by default and yields to a known dtype.
func (x Tensor) Ambiguous() bool { return x.must("Ambiguous").amb }

// Typed returns the dtype and whether it is ambiguous.
func (x Tensor) Typed() dtype.Typed { return dtype.Typed{DType: x.DType(), Ambiguous: x.t.amb} }

// Shape returns the length of each axis.
func (x Tensor) Shape() Shape { return x.must("Shape").Shape().Clone() }

// Type returns the dtype and the shape.
func (x Tensor) Type() shape.Type {
	t := x.must("Type").arr.Type()
	t.Shape = t.Shape.Clone()
	return t
}

// Rank returns the number of axes.
func (x Tensor) Rank() int { return len(x.must("Rank").Shape()) }

// Size returns the number of elements.
func (x Tensor) Size() int { return x.must("Size").Shape().Size() }

// Len returns the length of the first axis.
func (x Tensor) Len() int {
	s := x.must("Len").Shape()
	if len(s) == 0 {
		panic(&Error{Op: "Len", Operands: describe(x), Reason: "a scalar has no axes", Hint: "its value is x.Item()"})
	}
	return s[0]
}

// Device returns the name of the device of x: "cpu:0". For a traced tensor it is the
// device for which the function is traced.
func (x Tensor) Device() string {
	t := x.must("Device")
	return t.ctx.session.DeviceName(t.ctx.session.DeviceOf(t.arr))
}

// Platform returns the name of the platform of x, which a cell shows: "CPU", "CUDA" or "REFERENCE".
func (x Tensor) Platform() string { return x.must("Platform").ctx.session.Platform() }

// Context returns the Context that x belongs to.
func (x Tensor) Context() *Context { return x.must("Context").ctx }

// Traced reports whether x stands for a value that a traced function (see Jit) will get when it runs.
func (x Tensor) Traced() bool { return x.must("Traced").arr.Unknown() }

// maxShown is the greatest number of elements for which String shows them.
const maxShown = 100

// Format writes x like String for %v and %s. Number verbs format the elements:
// fmt.Printf("%.2f", x) writes [1.00 2.00].
func (x Tensor) Format(s fmt.State, verb rune) {
	if verb == 'v' || verb == 's' || !x.Valid() || x.t.arr.Unknown() {
		io.WriteString(s, x.String())
		return
	}
	var elements any
	if err := Try(func() {
		elements = x.Values()
		if x.Rank() == 0 {
			elements = x.Item()
		}
	}); err != nil {
		io.WriteString(s, describe(x)+" ("+err.Error()+")")
		return
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), elements)
}

// String returns the type of x, with ? for an ambiguous dtype, and the elements if there are at most 100: "i32?{} 4",
// "f32{2,2} [[1 2] [3 4]]". All elements are printed by fmt.Println(x.Values()), and display.Show(x) shows a table of
// any tensor.
func (x Tensor) String() string {
	if x.t == nil {
		return "Tensor(nil)"
	}
	s := describe(x)
	if x.t.arr.Unknown() || printedElements(x.t.Shape()) > maxShown {
		return s
	}
	data, err := x.t.read()
	if err != nil {
		return s + " (" + err.Error() + ")"
	}
	var b strings.Builder
	writeNested(&b, data, x.DType(), x.t.Shape())
	return s + " " + b.String()
}

// printedElements returns the number of elements and empty lists in a print of shape s,
// or a number beyond maxShown.
func printedElements(s Shape) int {
	n := 1
	for _, d := range s {
		n *= min(max(1, d), maxShown+1) // no product can overflow
		if n > maxShown {
			break
		}
	}
	return n
}

// writeNested writes the elements of shape s at the start of data as nested lists.
func writeNested(b *strings.Builder, data []byte, d dtype.DType, s Shape) {
	if len(s) == 0 {
		fmt.Fprint(b, dtype.Get(data, d))
		return
	}
	part := s[1:].Size() * d.Size()
	b.WriteByte('[')
	for i := range s[0] {
		if i > 0 {
			b.WriteByte(' ')
		}
		writeNested(b, data[i*part:], d, s[1:])
	}
	b.WriteByte(']')
}

// GoString returns the type of x: "anvil.Tensor(f32{2,2})".
func (x Tensor) GoString() string { return "anvil.Tensor(" + describe(x) + ")" }

// describe returns the type of an operand for errors: "f32?{2,3}" for a tensor, "int 5"
// for a literal.
func describe(x any) string {
	switch x := x.(type) {
	case nil:
		return "nil"
	case Tensor:
		if x.t == nil {
			return "Tensor(nil)"
		}
		return x.Typed().String() + x.t.Shape().String()
	case dtype.DType, Shape, Axis, Span:
		return fmt.Sprint(x)
	case clipped:
		return "nv.Clipped(" + describe(x.indices) + ")"
	}
	if _, ok := dtype.Of(x); ok {
		return fmt.Sprintf("%s %v", typename.Of(x), x)
	}
	return typename.Of(x)
}

// asTensor returns v, a value of the Builder of a call, as a Tensor.
func asTensor(v expr.Value) Tensor { return Tensor{t: v.(*tensor)} }

// Known returns the elements of x as bytes, little-endian in row-major order, if they came from the host, so
// that they need not be read from a device. ok is false otherwise, and always while a function is traced,
// because x may have another value at the next call of that function.
func (x Tensor) Known() (elements []byte, ok bool) {
	t := x.must("Known")
	if t.ctx.Tracing() {
		return nil, false
	}
	data, ok := t.arr.Known()
	return slices.Clone(data), ok
}
