package dtype

import (
	"encoding/binary"
	"math"
)

// In host memory elements are little-endian. An element of less than 8 bits takes a whole
// byte, sign-extended if its dtype is signed.

// Put writes v, cast to d, to the first d.Size() bytes of dst.
func Put(dst []byte, d DType, v any) error {
	n, ok := numberOf(v)
	if !ok || !d.Valid() {
		_, err := Cast(v, d) // returns the error for v or d
		return err
	}
	n.to(d).put(dst, d)
	return nil
}

// Append appends v, cast to d, to dst.
func Append(dst []byte, d DType, v any) ([]byte, error) {
	var b [16]byte
	if err := Put(b[:], d, v); err != nil {
		return dst, err
	}
	return append(dst, b[:d.Size()]...), nil
}

// PutBool writes v, cast to d, to dst.
func PutBool(dst []byte, d DType, v bool) { fromBool(v).to(d).put(dst, d) }

// PutInt writes v, cast to d, to dst.
func PutInt(dst []byte, d DType, v int64) { fromInt(v).to(d).put(dst, d) }

// PutUint writes v, cast to d, to dst.
func PutUint(dst []byte, d DType, v uint64) { fromUint(v).to(d).put(dst, d) }

// PutFloat writes v, cast to d, to dst.
func PutFloat(dst []byte, d DType, v float64) {
	switch d { // faster for the two most common dtypes
	case F32:
		binary.LittleEndian.PutUint32(dst, math.Float32bits(float32(v)))
	case F64:
		binary.LittleEndian.PutUint64(dst, math.Float64bits(v))
	default:
		fromFloat(v).to(d).put(dst, d)
	}
}

// PutComplex writes v, cast to d, to dst.
func PutComplex(dst []byte, d DType, v complex128) { fromComplex(v).to(d).put(dst, d) }

// Get returns the element of dtype d at the start of src, as the Go type that
// Cast gives for d.
func Get(src []byte, d DType) any { return read(src, d).host(d) }

// GetBool returns the element of dtype d at the start of src, cast to i1.
func GetBool(src []byte, d DType) bool { return read(src, d).to(I1).bits != 0 }

// GetInt returns the element of dtype d at the start of src, cast to i64.
func GetInt(src []byte, d DType) int64 { return read(src, d).signed(64) }

// GetUint returns the element of dtype d at the start of src, cast to ui64.
func GetUint(src []byte, d DType) uint64 { return read(src, d).unsigned(64) }

// GetFloat returns the element of dtype d at the start of src, cast to f64.
func GetFloat(src []byte, d DType) float64 {
	switch d {
	case F32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(src)))
	case F64:
		return math.Float64frombits(binary.LittleEndian.Uint64(src))
	}
	return read(src, d).float(F64)
}

// GetComplex returns the element of dtype d at the start of src, cast to c128.
func GetComplex(src []byte, d DType) complex128 {
	n := read(src, d)
	return complex(n.float(F64), n.im)
}

// Convert casts the elements of src, of dtype from, to dtype to, and writes them to dst. The
// slices must hold the same number of whole elements.
func Convert(dst []byte, to DType, src []byte, from DType) {
	if to == from {
		copy(dst, src)
		return
	}
	for step, size := from.Size(), to.Size(); len(src) > 0; src, dst = src[step:], dst[size:] {
		read(src, from).to(to).put(dst, to)
	}
}

// put writes n, already of dtype d, to dst.
func (n number) put(dst []byte, d DType) {
	switch {
	case d == C64:
		putWord(dst, 4, uint64(math.Float32bits(float32(n.re))))
		putWord(dst[4:], 4, uint64(math.Float32bits(float32(n.im))))
	case d == C128:
		putWord(dst, 8, math.Float64bits(n.re))
		putWord(dst[8:], 8, math.Float64bits(n.im))
	case d.Is(Floating):
		putWord(dst, d.Size(), Encode(d, n.re))
	default:
		putWord(dst, d.Size(), n.bits)
	}
}

// read returns the element of dtype d at the start of src.
func read(src []byte, d DType) number {
	switch {
	case d == C64:
		return number{kind: Complex, re: Decode(F32, getWord(src, 4)), im: Decode(F32, getWord(src[4:], 4))}
	case d == C128:
		return number{kind: Complex, re: Decode(F64, getWord(src, 8)), im: Decode(F64, getWord(src[8:], 8))}
	case d.Is(Floating):
		return fromFloat(Decode(d, getWord(src, d.Size())))
	case d.Is(Boolean):
		return fromBool(src[0] != 0)
	}
	n := number{kind: d.Kind(), bits: getWord(src, d.Size())}
	return n.to(d) // sign-extends
}

// putWord writes the lowest size bytes of v to dst.
func putWord(dst []byte, size int, v uint64) {
	switch size {
	case 1:
		dst[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(dst, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(dst, uint32(v))
	case 8:
		binary.LittleEndian.PutUint64(dst, v)
	}
}

// getWord returns the number in the first size bytes of src.
func getWord(src []byte, size int) uint64 {
	switch size {
	case 1:
		return uint64(src[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(src))
	case 4:
		return uint64(binary.LittleEndian.Uint32(src))
	}
	return binary.LittleEndian.Uint64(src)
}
