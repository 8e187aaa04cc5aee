package array

import (
	"encoding/binary"
	"unsafe"
)

// A Number is a Go type that elements are held as.
type Number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// Native reports whether numbers of this machine are in host form as they are:
// little endian.
func Native() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }

// View returns the elements in data, which share its memory, where Native.
func View[T Number](data []byte) []T {
	n := len(data) / size[T]()
	if n == 0 { // there may be less memory than one takes
		return []T{}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), n)
}

// Bytes returns xs in host form, sharing their memory, where Native.
func Bytes[T Number](xs []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(xs))), len(xs)*size[T]())
}

func size[T Number]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}

// large is from where on memory is worth asking for in huge pages.
const large = 4 << 20

// Make returns n bytes of memory, all 0. Where there are many they are asked for
// in huge pages: to be made of small ones takes memory longer than to be filled.
func Make(n int) []byte {
	data := make([]byte, n)
	if n >= large {
		hugePages(data)
	}
	return data
}
