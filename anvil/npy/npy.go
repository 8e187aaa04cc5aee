// Package npy reads and writes NumPy's .npy format (NumPy Enhancement Proposal 1). It
// reads versions 1 to 3 and writes version 1.
//
// The format has no type codes for the dtypes of Python's package ml_dtypes (bf16, the 8-bit floats
// and the narrow integers). NumPy saves their elements as opaque bytes with the codes V1 and V2, so
// the caller of Read must give the dtype. An exception is f8e5m2, which has a code, but one that NumPy
// cannot read.
package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/memory"
	"github.com/goanvil/notebook/anvil/shape"
)

const magic = "\x93NUMPY"

// descriptors maps NumPy's type codes, without the byte order, to dtypes.
var descriptors = map[string]dtype.DType{
	"b1": dtype.I1, "i1": dtype.I8, "i2": dtype.I16, "i4": dtype.I32, "i8": dtype.I64,
	"u1": dtype.U8, "u2": dtype.U16, "u4": dtype.U32, "u8": dtype.U64,
	"f2": dtype.F16, "f4": dtype.F32, "f8": dtype.F64, "c8": dtype.C64, "c16": dtype.C128,
	"f1": dtype.F8E5M2, // written by ml_dtypes; NumPy cannot read it
}

// voidCodes maps the type codes of opaque elements to their size in bytes and to the dtype that they
// have if the caller gives none. Elements of two bytes are bf16, as in jax.numpy.
var voidCodes = map[string]struct {
	size  int
	dtype dtype.DType
}{"V1": {size: 1}, "V2": {2, dtype.BF16}}

// maxHeader is the greatest size of a header in bytes. NumPy does not read longer headers.
const maxHeader = 1 << 16

// Write writes an array of type t. data has its elements in row-major order, little-endian, with
// bools as bytes. In NumPy, an array whose dtype has no type code is read with a view, such as
// np.load(file).view(ml_dtypes.bfloat16).
func Write(w io.Writer, t shape.Type, data []byte) error {
	axes := make([]string, len(t.Shape))
	for i, n := range t.Shape {
		axes[i] = fmt.Sprint(n) + ","
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
		descriptor(t.DType), strings.Join(axes, " "))
	prefix := []byte(magic + "\x01\x00")
	const lengthSize, lineEnd = 2, 1
	size := len(prefix) + lengthSize + len(header) + lineEnd
	header += strings.Repeat(" ", -size&63) + "\n" // the elements begin at a multiple of 64
	if len(header) > math.MaxUint16 {
		return fmt.Errorf("npy: too many axes: %d", len(t.Shape))
	}
	prefix = binary.LittleEndian.AppendUint16(prefix, uint16(len(header)))
	for _, part := range [][]byte{prefix, []byte(header), extend(data, t.DType, false)} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// descriptor returns the type code of d with its byte order.
func descriptor(d dtype.DType) string {
	if d.Size() == 1 {
		return "|" + code(d)
	}
	return "<" + code(d)
}

// code returns the type code of d without the byte order, or the code of opaque elements if NumPy has
// none for d that it can read.
func code(d dtype.DType) string {
	for code, described := range descriptors {
		if described == d && d != dtype.F8E5M2 {
			return code
		}
	}
	return "V" + strconv.Itoa(d.Size())
}

// Read reads an array. It returns the elements in row-major order, little-endian, even if the file
// has Fortran order or is big-endian. opaque is the dtype of elements that the file stores as opaque
// bytes. If opaque is Invalid, f16 or of another size, opaque elements of two bytes are read as bf16. If
// the elements have no dtype, the error is a *NoDTypeError.
func Read(r io.Reader, opaque dtype.DType) (shape.Type, []byte, error) {
	h, err := readHeader(r, opaque)
	if err != nil {
		return shape.Type{}, nil, err
	}
	size, err := bytesOf(h.Type)
	if err != nil {
		return shape.Type{}, nil, err
	}
	data, err := memory.Read(r, size)
	if err != nil {
		return shape.Type{}, nil, fmt.Errorf("npy: %s: %w", h.Type, err)
	}
	if n := int64(len(data)); n < size {
		return shape.Type{}, nil, fmt.Errorf("npy: %s has %d bytes, but the file has %d: %w",
			h.Type, size, n, io.ErrUnexpectedEOF)
	}
	if h.bigEndian {
		swapBytes(data, h.DType)
	}
	if h.fortran && len(data) > 0 { // rowMajor would take long if one axis is long and another empty
		data = rowMajor(data, h.Type)
	}
	return h.Type, extend(data, h.DType, h.DType.Is(dtype.Signed)), nil
}

// extend returns data, which holds elements of dtype d. If d has fewer than 8 bits, each byte of data holds
// an element, and extend sets the unused bits of the byte: to the sign of the element if signed is true, and
// otherwise to 0. It returns data of i1 and of wider dtypes unchanged.
func extend(data []byte, d dtype.DType, signed bool) []byte {
	unused := 8 - d.Bits()
	if unused <= 0 || d == dtype.I1 {
		return data
	}
	out := make([]byte, len(data))
	for i, b := range data {
		if out[i] = b << unused >> unused; signed {
			out[i] = byte(int8(b<<unused) >> unused)
		}
	}
	return out
}

// bytesOf returns the size in bytes of an array of type t. It fails on overflow.
func bytesOf(t shape.Type) (int64, error) {
	size := int64(t.DType.Size())
	for _, n := range t.Shape {
		if n > 0 && size > math.MaxInt64/int64(n) {
			return 0, fmt.Errorf("npy: %s is too large", t)
		}
		size *= int64(n)
	}
	return size, nil
}

// swapBytes reverses the bytes of each number, or of each part of a complex number.
func swapBytes(data []byte, d dtype.DType) {
	width := d.Size()
	if d.Is(dtype.Complex) {
		width /= 2
	}
	for part := range slices.Chunk(data, width) {
		slices.Reverse(part)
	}
}

// rowMajor returns the elements of an array in Fortran order in row-major order.
func rowMajor(data []byte, t shape.Type) []byte {
	size := t.DType.Size()
	out := make([]byte, 0, len(data))
	strides := make([]int, len(t.Shape))
	step := size
	for i, n := range t.Shape {
		strides[i], step = step, step*n
	}
	var walk func(axis, at int)
	walk = func(axis, at int) {
		if axis == len(t.Shape) {
			out = append(out, data[at:at+size]...)
			return
		}
		for i := range t.Shape[axis] {
			walk(axis+1, at+i*strides[axis])
		}
	}
	walk(0, 0)
	return out
}

// A header describes an array, as the header of a file does.
type header struct {
	shape.Type
	fortran, bigEndian bool
	opaque             dtype.DType // the dtype that the caller gives for opaque elements, or Invalid
}

// A NoDTypeError reports that the elements of an array have no dtype, such as strings and dates, or
// that their dtype is not known.
type NoDTypeError struct {
	Descr string // NumPy's type code; "" for records
	hint  string
}

func (e *NoDTypeError) Error() string {
	if e.Descr == "" {
		return "npy: records have no dtype; " + e.hint
	}
	return fmt.Sprintf("npy: elements of NumPy type %q have no dtype; %s", e.Descr, e.hint)
}

// readHeader reads the part of a file before the elements.
func readHeader(r io.Reader, opaque dtype.DType) (h header, err error) {
	var start [8]byte
	_, err = io.ReadFull(r, start[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return h, fmt.Errorf("npy: %w", err)
	}
	if err != nil || string(start[:6]) != magic {
		return h, errors.New("npy: not a .npy file")
	}
	lengthSize := 2
	if start[6] >= 2 {
		lengthSize = 4
	}
	if start[6] < 1 || start[6] > 3 {
		return h, fmt.Errorf("npy: unsupported version %d.%d", start[6], start[7])
	}
	length := make([]byte, 4)
	if _, err := io.ReadFull(r, length[:lengthSize]); err != nil {
		return h, fmt.Errorf("npy: %w", err)
	}
	n := binary.LittleEndian.Uint32(length)
	if n > maxHeader {
		return h, fmt.Errorf("npy: header of %d bytes, want at most %d", n, maxHeader)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return h, fmt.Errorf("npy: %w", err)
	}
	return parseHeader(string(text), opaque)
}
