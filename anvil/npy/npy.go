// Package npy reads and writes NumPy's .npy format, as its specification
// (NumPy Enhancement Proposal 1) has it: versions 1 to 3 are read, version 1
// or 2 is written.
package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

const magic = "\x93NUMPY"

// descriptors are NumPy's type codes without the byte order.
var descriptors = map[string]dtype.DType{
	"b1": dtype.I1, "i1": dtype.I8, "i2": dtype.I16, "i4": dtype.I32, "i8": dtype.I64,
	"u1": dtype.U8, "u2": dtype.U16, "u4": dtype.U32, "u8": dtype.U64,
	"f2": dtype.F16, "f4": dtype.F32, "f8": dtype.F64, "c8": dtype.C64, "c16": dtype.C128,
	"V2": dtype.BF16, // which NumPy does not know: ml_dtypes and jax.numpy save it as two bytes of whatever
}

// maxHeader bounds what is read of a header: NumPy itself refuses longer ones.
const maxHeader = 1 << 16

// Write writes an array: data are its elements in row-major order,
// little-endian, bools as bytes.
func Write(w io.Writer, t shape.Type, data []byte) error {
	descr, err := descriptor(t.DType)
	if err != nil {
		return err
	}
	axes := make([]string, len(t.Shape))
	for i, n := range t.Shape {
		axes[i] = fmt.Sprint(n) + ","
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, strings.Join(axes, " "))
	prefix := []byte(magic + "\x01\x00")
	pad := 64 - (len(prefix)+2+len(header)+1)%64 // the elements begin at a multiple of 64
	header += strings.Repeat(" ", pad%64) + "\n"
	if len(header) > math.MaxUint16 {
		return fmt.Errorf("npy: %d axes are too many", len(t.Shape))
	}
	prefix = binary.LittleEndian.AppendUint16(prefix, uint16(len(header)))
	for _, part := range [][]byte{prefix, []byte(header), data} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

func descriptor(d dtype.DType) (string, error) {
	for code, of := range descriptors {
		switch {
		case of != d:
		case d.Size() == 1:
			return "|" + code, nil
		default:
			return "<" + code, nil
		}
	}
	return "", fmt.Errorf("npy: NumPy has no %s; convert it, or write a safetensors file", d)
}

// Read reads an array: its elements in row-major order, little-endian. Arrays
// in Fortran's order and big-endian ones are brought into that form.
func Read(r io.Reader) (shape.Type, []byte, error) {
	h, err := readHeader(r)
	if err != nil {
		return shape.Type{}, nil, err
	}
	size, err := bytesOf(h.Type)
	if err != nil {
		return shape.Type{}, nil, err
	}
	// What a header claims may be more than there is, and than there is memory.
	var buf bytes.Buffer
	if n, err := io.Copy(&buf, io.LimitReader(r, size)); err != nil || n < size {
		return shape.Type{}, nil, fmt.Errorf("npy: %s has %d bytes, and %d are there: %w", h.Type, size, n, cmpErr(err))
	}
	data := buf.Bytes()
	if h.bigEndian {
		swap(data, h.DType)
	}
	if h.fortran {
		data = rowMajor(data, h.Type)
	}
	return h.Type, data, nil
}

func cmpErr(err error) error {
	if err == nil {
		return io.ErrUnexpectedEOF
	}
	return err
}

// bytesOf returns how many bytes an array of type t has, if an int holds it.
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

// swap turns big-endian numbers around; of a complex one, both parts.
func swap(data []byte, d dtype.DType) {
	width := d.Size()
	if d.Is(dtype.Complex) {
		width /= 2
	}
	for part := range slices.Chunk(data, max(width, 1)) {
		slices.Reverse(part)
	}
}

// rowMajor returns the elements of an array that is stored with the first axis
// running fastest.
func rowMajor(data []byte, t shape.Type) []byte {
	w := t.DType.Size()
	out := make([]byte, 0, len(data))
	strides := make([]int, len(t.Shape))
	step := w
	for i, n := range t.Shape {
		strides[i], step = step, step*n
	}
	var walk func(axis, at int)
	walk = func(axis, at int) {
		if axis == len(t.Shape) {
			out = append(out, data[at:at+w]...)
			return
		}
		for i := range t.Shape[axis] {
			walk(axis+1, at+i*strides[axis])
		}
	}
	walk(0, 0)
	return out
}

type header struct {
	shape.Type
	fortran, bigEndian bool
}

func readHeader(r io.Reader) (h header, err error) {
	var start [8]byte
	if _, err := io.ReadFull(r, start[:]); err != nil || string(start[:6]) != magic {
		return h, errors.New("npy: this is no .npy file")
	}
	wide := 2
	if start[6] >= 2 {
		wide = 4
	}
	if start[6] < 1 || start[6] > 3 {
		return h, fmt.Errorf("npy: version %d.%d is unknown", start[6], start[7])
	}
	length := make([]byte, 4)
	if _, err := io.ReadFull(r, length[:wide]); err != nil {
		return h, fmt.Errorf("npy: %w", err)
	}
	n := binary.LittleEndian.Uint32(length)
	if n > maxHeader {
		return h, fmt.Errorf("npy: a header of %d bytes", n)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return h, fmt.Errorf("npy: %w", err)
	}
	return parseHeader(string(text))
}
