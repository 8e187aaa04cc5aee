package stablehlo

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// Dense writes data, elements in host form (see array.Array), as a dense attribute. data has all elements of
// shape s, or a single element that fills the shape. Numbers are exact: finite floats are the shortest
// decimals that parse to the same bits, infinities and NaNs are their bits in hexadecimal.
func (w *Writer) Dense(d dtype.DType, s shape.Shape, data string) *Writer {
	w.Str("dense<")
	switch {
	case s.Size() == 0:
	case len(data) == d.Size():
		w.element(d, data)
	default:
		w.nested(d, s, data)
	}
	return w.Str(">")
}

// nested writes the elements of an array of shape s in nested brackets.
func (w *Writer) nested(d dtype.DType, s shape.Shape, data string) {
	if len(s) == 0 {
		w.element(d, data)
		return
	}
	w.Str("[")
	step := len(data) / s[0]
	for i := range s[0] {
		w.Comma(i)
		w.nested(d, s[1:], data[i*step:(i+1)*step])
	}
	w.Str("]")
}

// element writes one element, whose host form is data.
func (w *Writer) element(d dtype.DType, data string) {
	switch {
	case d.Is(dtype.Boolean):
		w.buf = strconv.AppendBool(w.buf, data[0] != 0)
	case d.Is(dtype.Signed):
		unused := 64 - 8*len(data)
		w.buf = strconv.AppendInt(w.buf, int64(word(data)<<unused)>>unused, 10)
	case d.Is(dtype.Unsigned):
		w.buf = strconv.AppendUint(w.buf, word(data), 10)
	case d == dtype.C64:
		w.Str("(").float(dtype.F32, data[:4]).Str(", ").float(dtype.F32, data[4:]).Str(")")
	case d == dtype.C128:
		w.Str("(").float(dtype.F64, data[:8]).Str(", ").float(dtype.F64, data[8:]).Str(")")
	default:
		w.float(d, data)
	}
}

// float writes an element of dtype d: the shortest decimal that parses to it, or the bits of an
// infinity or NaN.
func (w *Writer) float(d dtype.DType, data string) *Writer {
	bits := word(data)
	x := dtype.Decode(d, bits)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return w.hex(bits, len(data))
	}
	w.decimal(x, max(d.Bits(), 32)) // floats of fewer bits are exact in f32
	return w
}

// decimal writes x, rounded to a float of the given number of bits, in MLIR's syntax, which requires a
// decimal point, even before an exponent.
func (w *Writer) decimal(x float64, bits int) {
	start := len(w.buf)
	w.buf = strconv.AppendFloat(w.buf, x, 'g', -1, bits)
	for i := start; i < len(w.buf); i++ {
		switch w.buf[i] {
		case '.':
			return
		case 'e':
			exponent := string(w.buf[i:])
			w.buf = append(append(w.buf[:i], ".0"...), exponent...)
			return
		}
	}
	w.Str(".0")
}

// hex writes the bits of a number that has the given number of bytes in hexadecimal.
func (w *Writer) hex(bits uint64, bytes int) *Writer {
	const digits = "0123456789ABCDEF"
	w.Str("0x")
	for i := 2*bytes - 1; i >= 0; i-- {
		w.buf = append(w.buf, digits[bits>>(4*i)&15])
	}
	return w
}

// word returns the bits of an element of at most eight bytes.
func word(data string) uint64 {
	var b [8]byte
	copy(b[:], data)
	return binary.LittleEndian.Uint64(b[:])
}
