// Package shape holds the shape of a tensor, and the type that a shape and a
// dtype make.
package shape

import (
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Shape is the length of each axis, slowest-varying first. Shape(nil) is a
// scalar.
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

// Equal reports whether s and t have the same axes.
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

// Clone returns a copy of s that shares nothing with it.
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

// A Type is what a program knows of a tensor before it runs.
type Type struct {
	DType dtype.DType
	Shape Shape
}

// Of returns the type of dtype d and the given axes.
func Of(d dtype.DType, axes ...int) Type { return Type{d, Shape(axes)} }

// Equal reports whether t and u are the same type.
func (t Type) Equal(u Type) bool { return t.DType == u.DType && t.Shape.Equal(u.Shape) }

// Bytes returns the size of a tensor of type t in host memory.
func (t Type) Bytes() int { return t.Shape.Size() * t.DType.Size() }

// Within reports whether a tensor of type t takes at most limit bytes of host
// memory. It holds its own where Bytes overflows.
func (t Type) Within(limit int) bool {
	n := t.DType.Size()
	for _, d := range t.Shape {
		if d == 0 {
			return true
		}
		if n > limit/d {
			limit = -1 // unless a later axis has no elements
			continue
		}
		n *= d
	}
	return n <= limit
}

// String returns dtype and axes: "f32{2,3}".
func (t Type) String() string { return t.DType.String() + t.Shape.String() }
