// Package array provides tensors in host memory, and the loops that compute a tensor from others: maps,
// folds, windows, transforms. Callers supply the function that computes an element.
package array

import (
	"encoding/binary"
	"unsafe"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// An Array is a tensor in host memory. Data has the elements in host form: in row-major order, little-endian,
// dtype.Size bytes each (narrow dtypes take one byte). Data is not modified once the Array is complete, so
// several Arrays may share it.
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

// A Number is a Go type that has the same representation as the elements of a dtype.
type Number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// Native reports whether this machine is little-endian: its numbers in memory are then in host form.
func Native() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }

// View returns data, which is in host form, as elements, without copying. Native must be true.
func View[T Number](data []byte) []T {
	n := len(data) / size[T]()
	if n == 0 { // data may be smaller than one element
		return []T{}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), n)
}

// Bytes returns xs as bytes in host form, without copying. Native must be true.
func Bytes[T Number](xs []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(xs))), len(xs)*size[T]())
}

// size returns the size of a T in bytes.
func size[T Number]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}

// minHuge is the size in bytes from which Make asks for huge pages.
const minHuge = 4 << 20

// Make returns n zero bytes, in huge pages if n is large: allocating small pages takes
// longer than filling them.
func Make(n int) []byte {
	data := make([]byte, n)
	if n >= minHuge {
		hugePages(data)
	}
	return data
}
