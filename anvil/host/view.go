package host

import "unsafe"

// number are the Go types that elements are computed as.
type number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// view returns the elements in data, which share its memory. They are in host
// form, little endian as every machine is that a plugin is built for.
func view[T number](data []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/int(unsafe.Sizeof(zero)))
}
