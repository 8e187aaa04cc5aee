package npy

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// A literal parses a Python dictionary of strings, True and False, and tuples of
// integers. rest is the unread text.
type literal struct{ rest string }

// parseHeader parses {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}.
func parseHeader(text string, unnamed dtype.DType) (h header, err error) {
	h.unnamed = unnamed
	l := &literal{strings.TrimSpace(text)}
	if !l.accept("{") {
		return h, fmt.Errorf("npy: the header is not a dictionary")
	}
	seen := map[string]bool{}
	for !l.accept("}") {
		key, err := l.quoted()
		if err != nil {
			return h, err
		}
		if seen[key] || !l.accept(":") {
			return h, fmt.Errorf("npy: invalid key %q in the header", key)
		}
		seen[key] = true
		if err := l.value(key, &h); err != nil {
			return h, err
		}
		l.accept(",")
	}
	if len(seen) != 3 || l.rest != "" {
		return h, fmt.Errorf("npy: invalid header %q", text)
	}
	return h, nil
}

// value parses the value of key into h.
func (l *literal) value(key string, h *header) (err error) {
	switch key {
	case "descr":
		var code string
		if code, err = l.quoted(); err == nil {
			err = h.setDType(code)
		}
	case "fortran_order":
		h.fortran = l.accept("True")
		if !h.fortran && !l.accept("False") {
			err = fmt.Errorf("npy: fortran_order is neither True nor False")
		}
	case "shape":
		h.Shape, err = l.tuple()
	default:
		err = fmt.Errorf("npy: unknown key %q in the header", key)
	}
	return err
}

// setDType sets the dtype and byte order of a type code such as "<f4".
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
	if d == dtype.I1 || d.Size() == 1 {
		h.bigEndian = false
	}
	return nil
}

// voidDType returns the dtype of elements for which NumPy has no type code.
func (h *header) voidDType(code, bare string) (dtype.DType, error) {
	void, ok := voidCodes[bare]
	switch {
	case !ok:
		return 0, &NoDTypeError{code, `in NumPy, save x.astype("float32") or another number`}
	case h.unnamed.Size() == void.size:
		return h.unnamed, nil
	case void.dtype == dtype.Invalid:
		return 0, &NoDTypeError{code,
			"ml_dtypes saves f8, f4, i4 and i2 like this; give the dtype, as in ReadNPY(path, nv.F8E4M3FN)"}
	}
	return void.dtype, nil
}

// accept removes word from the beginning of l.rest, and reports whether it was there.
func (l *literal) accept(word string) bool {
	after, ok := strings.CutPrefix(l.rest, word)
	if ok {
		l.rest = strings.TrimLeft(after, " \t\n")
	}
	return ok
}

// quoted parses a string.
func (l *literal) quoted() (string, error) {
	for _, quote := range []string{"'", `"`} {
		if after, ok := strings.CutPrefix(l.rest, quote); ok {
			if s, rest, ok := strings.Cut(after, quote); ok {
				l.rest = strings.TrimLeft(rest, " \t\n")
				return s, nil
			}
		}
	}
	if strings.HasPrefix(l.rest, "[") {
		return "", &NoDTypeError{"", "in NumPy, save their fields one by one"}
	}
	return "", fmt.Errorf("npy: expected a string in the header at %.20q", l.rest)
}

// maxAxes is the greatest number of axes of a tensor; NumPy's arrays have at most 64.
const maxAxes = 255

// tuple parses a tuple of integers.
func (l *literal) tuple() (shape.Shape, error) {
	if !l.accept("(") {
		return nil, fmt.Errorf("npy: the shape is not a tuple")
	}
	var s shape.Shape
	for !l.accept(")") {
		end := strings.IndexFunc(l.rest, func(r rune) bool { return r < '0' || r > '9' })
		if end <= 0 {
			return nil, fmt.Errorf("npy: invalid shape at %.20q", l.rest)
		}
		n, err := strconv.Atoi(l.rest[:end])
		if err != nil {
			return nil, fmt.Errorf("npy: invalid shape: %w", err)
		}
		if s = append(s, n); len(s) > maxAxes {
			return nil, fmt.Errorf("npy: the shape has more than %d axes", maxAxes)
		}
		l.rest = strings.TrimPrefix(l.rest[end:], "L") // a long integer of Python 2
		if !l.accept(",") && !strings.HasPrefix(l.rest, ")") {
			return nil, fmt.Errorf("npy: invalid shape at %.20q", l.rest)
		}
		l.rest = strings.TrimLeft(l.rest, " ")
	}
	return s, nil
}
