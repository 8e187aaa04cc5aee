// Package array has tensors in host memory, and the loops that compute one from others:
// maps, folds, windows, transforms. The callers define what happens to each element.
package array

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// An Array is a tensor in host memory. Data has the elements in host form: in row-major
// order, little-endian, dtype.Size bytes each (narrow dtypes take one byte). Data is
// not modified once the Array is complete, so Arrays may share it.
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
