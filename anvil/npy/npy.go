// Package npy reads and writes NumPy's .npy format, as its specification
// (NumPy Enhancement Proposal 1) has it: versions 1 to 3 are read, version 1
// or 2 is written.
//
// NumPy has no name for the dtypes that the package ml_dtypes adds to it: it
// saves their elements as so many bytes of whatever, |V1 and |V2, and who reads
// them has to know what they are.
package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
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
	"f1": dtype.F8E5M2, // by ml_dtypes; NumPy itself does not read it again
}

// nameless are the codes of elements whose dtype a file does not tell, with what
// they are if nobody says it: of two bytes bf16, as jax.numpy takes them.
var nameless = map[string]struct {
	size  int
	dtype dtype.DType
}{"V1": {size: 1}, "V2": {2, dtype.BF16}}

// maxHeader bounds what is read of a header: NumPy itself refuses longer ones.
const maxHeader = 1 << 16

// Write writes an array: data are its elements in row-major order,
// little-endian, bools as bytes. NumPy needs to be told a dtype that it has no
// name for: np.load(file).view(ml_dtypes.bfloat16).
func Write(w io.Writer, t shape.Type, data []byte) error {
	axes := make([]string, len(t.Shape))
	for i, n := range t.Shape {
		axes[i] = fmt.Sprint(n) + ","
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descriptor(t.DType), strings.Join(axes, " "))
	prefix := []byte(magic + "\x01\x00")
	pad := 64 - (len(prefix)+2+len(header)+1)%64 // the elements begin at a multiple of 64
	header += strings.Repeat(" ", pad%64) + "\n"
	if len(header) > math.MaxUint16 {
		return fmt.Errorf("npy: %d axes are too many", len(t.Shape))
	}
	prefix = binary.LittleEndian.AppendUint16(prefix, uint16(len(header)))
	for _, part := range [][]byte{prefix, []byte(header), packed(data, t.DType, false)} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

func descriptor(d dtype.DType) string {
	if d.Size() == 1 {
		return "|" + code(d)
	}
	return "<" + code(d)
}

// code returns the type code that NumPy reads again.
func code(d dtype.DType) string {
	for code, of := range descriptors {
		if of == d && d != dtype.F8E5M2 {
			return code
		}
	}
	return "V" + strconv.Itoa(d.Size())
}

// Read reads an array: its elements in row-major order, little-endian. Arrays
// in Fortran's order and big-endian ones are brought into that form. Elements
// whose dtype the file does not tell are of dtype unnamed, or Invalid for what is
// usual; an array whose elements have none is a *NoDTypeError.
func Read(r io.Reader, unnamed dtype.DType) (shape.Type, []byte, error) {
	h, err := readHeader(r, unnamed)
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
	return h.Type, packed(data, h.DType, h.DType.Is(dtype.Signed)), nil
}

// packed returns the elements of a dtype of less than a byte, which NumPy has in
// its low bits, with the bits above 0 or the sign's; others as they are.
func packed(data []byte, d dtype.DType, signed bool) []byte {
	above := 8 - d.Bits()
	if above <= 0 || d == dtype.I1 {
		return data
	}
	out := make([]byte, len(data))
	for i, b := range data {
		if out[i] = b << above >> above; signed {
			out[i] = byte(int8(b<<above) >> above)
		}
	}
	return out
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
	unnamed            dtype.DType // what elements are that have no name
}

// A NoDTypeError says that the elements of an array are nothing that a tensor
// has, as texts and dates, or do not say what they are.
type NoDTypeError struct {
	Descr string // NumPy's type code, "" of records
	hint  string
}

func (e *NoDTypeError) Error() string {
	if e.Descr == "" {
		return "npy: records have no dtype; " + e.hint
	}
	return fmt.Sprintf("npy: elements of NumPy type %q have no dtype; %s", e.Descr, e.hint)
}

func readHeader(r io.Reader, unnamed dtype.DType) (h header, err error) {
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
	return parseHeader(string(text), unnamed)
}
