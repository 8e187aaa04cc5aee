// Package shape defines the shapes of tensors and their types. A type is a dtype with a shape.
package shape

import (
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Shape is the list of the lengths of a tensor's axes, the slowest-varying axis first.
// Shape(nil) is the shape of a scalar.
type Shape []int

// Rank returns the number of axes.
func (s Shape) Rank() int { return len(s) }

// Size returns the number of elements: 1 for a scalar.
func (s Shape) Size() int {
	n := 1
	for _, d := range s {
		n *= d
	}
	return n
}

// Equal reports whether s and t have the same rank and lengths.
func (s Shape) Equal(t Shape) bool {
	if len(s) != len(t) {
		return false
	}
	for i, d := range s {
		if d != t[i] {
			return false
		}
	}
	return true
}

// Clone returns a copy of s.
func (s Shape) Clone() Shape { return append(Shape(nil), s...) }

// String returns the axes in braces: "{2,3}".
func (s Shape) String() string {
	var b strings.Builder
	b.WriteByte('{')
	for i, d := range s {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(d))
	}
	b.WriteByte('}')
	return b.String()
}

// Axis returns the index of an axis of a tensor of the given rank, counted from the first.
// A negative axis counts from the last: -1 is the last axis. Axis returns -1 if axis is out
// of range.
func Axis(axis, rank int) int {
	if axis < 0 {
		axis += rank
	}
	if axis < 0 || axis >= rank {
		return -1
	}
	return axis
}

// A Type is the dtype and shape of a tensor.
type Type struct {
	DType dtype.DType
	Shape Shape
}

// Of returns the type with dtype d and the given lengths of axes.
func Of(d dtype.DType, axes ...int) Type { return Type{d, Shape(axes)} }

// Equal reports whether t and u are the same type.
func (t Type) Equal(u Type) bool { return t.DType == u.DType && t.Shape.Equal(u.Shape) }

// Bytes returns the size in bytes of a tensor of type t in host memory.
func (t Type) Bytes() int { return t.Shape.Size() * t.DType.Size() }

// Within reports whether a tensor of type t has at most limit bytes in host memory. It is
// correct even if Bytes overflows.
func (t Type) Within(limit int) bool {
	n := t.DType.Size()
	for _, d := range t.Shape {
		if d == 0 {
			return true
		}
		if n > limit/d {
			limit = -1 // t is too large, unless a later axis has length 0
			continue
		}
		n *= d
	}
	return n <= limit
}

// String returns dtype and axes: "f32{2,3}".
func (t Type) String() string { return t.DType.String() + t.Shape.String() }
