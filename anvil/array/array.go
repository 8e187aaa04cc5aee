// Package array holds tensors in host memory, and the loops that make one from
// others. What each element becomes is the business of the op table; where it
// goes, and in which blocks the loop runs, is told here.
package array

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// An Array is a tensor in host memory: its elements in row-major order, little
// endian, dtype.Size bytes each (narrow dtypes take one byte). Arrays share their
// bytes: nobody changes them once the array is made.
type Array struct {
	Type shape.Type
	Data []byte
}

// New returns an Array of zeros.
func New(t shape.Type) Array { return Array{t, make([]byte, t.Bytes())} }

// Size returns the number of elements.
func (a Array) Size() int { return a.Type.Shape.Size() }

// DType returns the dtype of the elements.
func (a Array) DType() dtype.DType { return a.Type.DType }
