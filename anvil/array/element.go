package array

import (
	"encoding/binary"
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
)

// An Elem is the Go type that represents elements during computations. It is the widest type of the dtype's
// kind: bool, int64, uint64, float64 or complex128. A stored Elem is rounded to the dtype; of an integer, the
// low bits are stored.
type Elem interface {
	bool | int64 | uint64 | float64 | complex128
}

// blockSize is the number of elements that a loop computes between checks of the
// context.
const blockSize = 1024

// Load returns the elements of a. T must be the Elem for a's dtype.
func Load[T Elem](a Array) []T {
	xs := make([]T, a.Size())
	load(xs, a, 0)
	return xs
}

// Store sets the elements of a to xs, and returns a.
func Store[T Elem](a Array, xs []T) Array {
	store(a, 0, xs)
	return a
}

// load sets xs to len(xs) elements of a, beginning with the one at index from. An array of rank 0 is
// broadcast.
func load[T Elem](xs []T, a Array, from int) {
	d := a.Type.DType
	data := a.Data
	if len(a.Type.Shape) == 0 && (len(xs) > 1 || from > 0) {
		load(xs[:1], a, 0)
		fill(xs[1:], xs[0])
		return
	}
	data = data[from*d.Size():]
	switch xs := any(xs).(type) {
	case []bool:
		for i := range xs {
			xs[i] = data[i] != 0
		}
	case []int64:
		loadInts(xs, data, d.Bits())
	case []uint64:
		loadUints(xs, data, d.Bits())
	case []float64:
		loadFloats(xs, data, d)
	case []complex128:
		loadComplexes(xs, data, d)
	}
}

// store sets len(xs) elements of a, beginning with the one at index from, to xs.
func store[T Elem](a Array, from int, xs []T) {
	d := a.Type.DType
	data := a.Data[from*d.Size():]
	switch xs := any(xs).(type) {
	case []bool:
		for i, x := range xs {
			data[i] = 0
			if x {
				data[i] = 1
			}
		}
	case []int64:
		storeInts(data, xs, d.Bits())
	case []uint64:
		storeUints(data, xs, d.Bits())
	case []float64:
		storeFloats(data, xs, d)
	case []complex128:
		storeComplexes(data, xs, d)
	}
}

func fill[T any](xs []T, x T) {
	for i := range xs {
		xs[i] = x
	}
}

func loadUints(xs []uint64, data []byte, bits int) {
	switch bits {
	case 16:
		for i := range xs {
			xs[i] = uint64(binary.LittleEndian.Uint16(data[2*i:]))
		}
	case 32:
		for i := range xs {
			xs[i] = uint64(binary.LittleEndian.Uint32(data[4*i:]))
		}
	case 64:
		for i := range xs {
			xs[i] = binary.LittleEndian.Uint64(data[8*i:])
		}
	default:
		for i := range xs {
			xs[i] = uint64(data[i]) & (1<<bits - 1)
		}
	}
}

func loadInts(xs []int64, data []byte, bits int) {
	switch bits {
	case 16:
		for i := range xs {
			xs[i] = int64(int16(binary.LittleEndian.Uint16(data[2*i:])))
		}
	case 32:
		for i := range xs {
			xs[i] = int64(int32(binary.LittleEndian.Uint32(data[4*i:])))
		}
	case 64:
		for i := range xs {
			xs[i] = int64(binary.LittleEndian.Uint64(data[8*i:]))
		}
	default:
		for i := range xs {
			xs[i] = signExtend(int64(data[i]), bits)
		}
	}
}

// signExtend returns the signed number whose two's complement is the given number of low bits of x.
func signExtend(x int64, bits int) int64 { return x << (64 - bits) >> (64 - bits) }

func storeUints(data []byte, xs []uint64, bits int) {
	if bits >= 8 {
		storeBytes(data, xs, bits)
		return
	}
	for i, x := range xs {
		data[i] = byte(x & (1<<bits - 1))
	}
}

func storeInts(data []byte, xs []int64, bits int) {
	if bits >= 8 {
		storeBytes(data, xs, bits)
		return
	}
	for i, x := range xs {
		data[i] = byte(signExtend(x, bits))
	}
}

// storeBytes stores the given number of low bits of each x. bits must be a multiple of 8.
func storeBytes[T int64 | uint64](data []byte, xs []T, bits int) {
	switch bits {
	case 16:
		for i, x := range xs {
			binary.LittleEndian.PutUint16(data[2*i:], uint16(x))
		}
	case 32:
		for i, x := range xs {
			binary.LittleEndian.PutUint32(data[4*i:], uint32(x))
		}
	case 64:
		for i, x := range xs {
			binary.LittleEndian.PutUint64(data[8*i:], uint64(x))
		}
	default:
		for i, x := range xs {
			data[i] = byte(x)
		}
	}
}

func loadFloats(xs []float64, data []byte, d dtype.DType) {
	switch d {
	case dtype.F32:
		for i := range xs {
			xs[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
		}
	case dtype.F64:
		for i := range xs {
			xs[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
	case dtype.BF16:
		for i := range xs {
			xs[i] = float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(data[2*i:])) << 16))
		}
	case dtype.F16:
		for i := range xs {
			xs[i] = dtype.Decode(d, uint64(binary.LittleEndian.Uint16(data[2*i:])))
		}
	default:
		for i := range xs {
			xs[i] = dtype.Decode(d, uint64(data[i]))
		}
	}
}

func storeFloats(data []byte, xs []float64, d dtype.DType) {
	switch d {
	case dtype.F32:
		for i, x := range xs {
			binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(float32(x)))
		}
	case dtype.F64:
		for i, x := range xs {
			binary.LittleEndian.PutUint64(data[8*i:], math.Float64bits(x))
		}
	case dtype.BF16, dtype.F16:
		for i, x := range xs {
			binary.LittleEndian.PutUint16(data[2*i:], uint16(dtype.Encode(d, x)))
		}
	default:
		for i, x := range xs {
			data[i] = byte(dtype.Encode(d, x))
		}
	}
}

func loadComplexes(xs []complex128, data []byte, d dtype.DType) {
	if d == dtype.C64 {
		for i := range xs {
			re, im := binary.LittleEndian.Uint32(data[8*i:]), binary.LittleEndian.Uint32(data[8*i+4:])
			xs[i] = complex(float64(math.Float32frombits(re)), float64(math.Float32frombits(im)))
		}
		return
	}
	for i := range xs {
		re, im := binary.LittleEndian.Uint64(data[16*i:]), binary.LittleEndian.Uint64(data[16*i+8:])
		xs[i] = complex(math.Float64frombits(re), math.Float64frombits(im))
	}
}

func storeComplexes(data []byte, xs []complex128, d dtype.DType) {
	if d == dtype.C64 {
		for i, x := range xs {
			binary.LittleEndian.PutUint32(data[8*i:], math.Float32bits(float32(real(x))))
			binary.LittleEndian.PutUint32(data[8*i+4:], math.Float32bits(float32(imag(x))))
		}
		return
	}
	for i, x := range xs {
		binary.LittleEndian.PutUint64(data[16*i:], math.Float64bits(real(x)))
		binary.LittleEndian.PutUint64(data[16*i+8:], math.Float64bits(imag(x)))
	}
}
