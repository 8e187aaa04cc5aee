package npy

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// parseHeader parses a header, which is a Python dictionary:
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}
//
// opaque is the dtype that the caller gives for the elements of NumPy's void types (V1 and V2), or Invalid.
func parseHeader(text string, opaque dtype.DType) (h header, err error) {
	h.opaque = opaque
	p := &headerParser{strings.TrimSpace(text)}
	if !p.accept("{") {
		return h, fmt.Errorf("npy: the header is not a dictionary")
	}
	seen := map[string]bool{}
	for !p.accept("}") {
		key, err := p.quoted()
		if err != nil {
			return h, err
		}
		if seen[key] || !p.accept(":") {
			return h, fmt.Errorf("npy: invalid key %q in the header", key)
		}
		seen[key] = true
		if err := p.value(key, &h); err != nil {
			return h, err
		}
		p.accept(",")
	}
	if len(seen) != 3 || p.rest != "" {
		return h, fmt.Errorf("npy: invalid header %q", text)
	}
	return h, nil
}

// A headerParser parses the strings, bools and tuples of integers in a header.
type headerParser struct{ rest string } // the text not yet read

// value parses the value of key into h.
func (p *headerParser) value(key string, h *header) (err error) {
	switch key {
	case "descr":
		var code string
		if code, err = p.quoted(); err == nil {
			err = h.setDType(code)
		}
	case "fortran_order":
		h.fortran = p.accept("True")
		if !h.fortran && !p.accept("False") {
			err = fmt.Errorf("npy: fortran_order is neither True nor False")
		}
	case "shape":
		h.Shape, err = p.tuple()
	default:
		err = fmt.Errorf("npy: unknown key %q in the header", key)
	}
	return err
}

// setDType sets the dtype and the byte order of h from a type code such as "<f4".
func (h *header) setDType(code string) error {
	bare := strings.TrimLeft(code, "<>|=")
	d, ok := descriptors[bare]
	if !ok {
		var err error
		if d, err = h.voidDType(code, bare); err != nil {
			return err
		}
	}
	if len(code)-len(bare) > 1 {
		return fmt.Errorf("npy: invalid type code %q", code)
	}
	h.DType, h.bigEndian = d, code[0] == '>'
	if d.Size() == 1 {
		h.bigEndian = false
	}
	return nil
}

// voidDType returns the dtype of the elements of an array of a void type. bare is code without the byte order.
func (h *header) voidDType(code, bare string) (dtype.DType, error) {
	void, ok := voidCodes[bare]
	switch {
	case !ok:
		return 0, &NoDTypeError{code, `in NumPy, save x.astype("float32") or another dtype of numbers`}
	case h.opaque.Size() == void.size && h.opaque != dtype.F16: // NumPy has a code for f16, so these are not its bits
		return h.opaque, nil
	case void.dtype == dtype.Invalid:
		return 0, &NoDTypeError{code,
			"ml_dtypes saves f8, f4, i4 and i2 like this; give the dtype, as in ReadNPY(path, nv.F8E4M3FN)"}
	}
	return void.dtype, nil
}

// accept skips word and the spaces after it, and reports whether word came next.
func (p *headerParser) accept(word string) bool {
	after, ok := strings.CutPrefix(p.rest, word)
	if ok {
		p.rest = strings.TrimLeft(after, " \t\n")
	}
	return ok
}

// quoted parses a string.
func (p *headerParser) quoted() (string, error) {
	for _, quote := range []string{"'", `"`} {
		if after, ok := strings.CutPrefix(p.rest, quote); ok {
			if s, rest, ok := strings.Cut(after, quote); ok {
				p.rest = strings.TrimLeft(rest, " \t\n")
				return s, nil
			}
		}
	}
	if strings.HasPrefix(p.rest, "[") { // the type of records is a list of their fields
		return "", &NoDTypeError{"", "in NumPy, save their fields one by one"}
	}
	return "", fmt.Errorf("npy: expected a string in the header at %.20q", p.rest)
}

// maxAxes is the greatest number of axes that are read. NumPy's arrays have at most 64.
const maxAxes = 255

// tuple parses a tuple of integers.
func (p *headerParser) tuple() (shape.Shape, error) {
	if !p.accept("(") {
		return nil, fmt.Errorf("npy: the shape is not a tuple")
	}
	var s shape.Shape
	for !p.accept(")") {
		end := strings.IndexFunc(p.rest, func(r rune) bool { return r < '0' || r > '9' })
		if end <= 0 {
			return nil, fmt.Errorf("npy: invalid shape at %.20q", p.rest)
		}
		n, err := strconv.Atoi(p.rest[:end])
		if err != nil {
			return nil, fmt.Errorf("npy: the shape has an axis of length %s, which is too large", p.rest[:end])
		}
		if s = append(s, n); len(s) > maxAxes {
			return nil, fmt.Errorf("npy: the shape has more than %d axes", maxAxes)
		}
		p.rest = strings.TrimLeft(strings.TrimPrefix(p.rest[end:], "L"), " \t\n") // L: a long integer of Python 2
		if !p.accept(",") && !strings.HasPrefix(p.rest, ")") {
			return nil, fmt.Errorf("npy: invalid shape at %.20q", p.rest)
		}
	}
	return s, nil
}
