package npy

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// A literal is what is left to read of a dictionary of Python's: strings,
// True and False, and tuples of numbers are all that a header holds.
type literal struct{ rest string }

// parseHeader reads {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}.
func parseHeader(text string, unnamed dtype.DType) (h header, err error) {
	h.unnamed = unnamed
	l := &literal{strings.TrimSpace(text)}
	if !l.take("{") {
		return h, fmt.Errorf("npy: a header that is no dictionary")
	}
	seen := map[string]bool{}
	for !l.take("}") {
		key, err := l.quoted()
		if err != nil {
			return h, err
		}
		if seen[key] || !l.take(":") {
			return h, fmt.Errorf("npy: the header's key %q is wrong", key)
		}
		seen[key] = true
		if err := l.value(key, &h); err != nil {
			return h, err
		}
		l.take(",")
	}
	if len(seen) != 3 || l.rest != "" {
		return h, fmt.Errorf("npy: the header %q is wrong", text)
	}
	return h, nil
}

func (l *literal) value(key string, h *header) (err error) {
	switch key {
	case "descr":
		var code string
		if code, err = l.quoted(); err == nil {
			err = h.describe(code)
		}
	case "fortran_order":
		h.fortran = l.take("True")
		if !h.fortran && !l.take("False") {
			err = fmt.Errorf("npy: fortran_order is neither True nor False")
		}
	case "shape":
		h.Shape, err = l.tuple()
	default:
		err = fmt.Errorf("npy: the header has a key %q", key)
	}
	return err
}

// describe sets the dtype that code, such as "<f4", stands for.
func (h *header) describe(code string) error {
	bare := strings.TrimLeft(code, "<>|=")
	d, ok := descriptors[bare]
	if !ok {
		var err error
		if d, err = h.named(code, bare); err != nil {
			return err
		}
	}
	if len(code)-len(bare) > 1 {
		return fmt.Errorf("npy: the type code %q is wrong", code)
	}
	h.DType, h.bigEndian = d, code[0] == '>'
	if d == dtype.I1 || d.Size() == 1 {
		h.bigEndian = false
	}
	return nil
}

// named returns the dtype of elements that NumPy has no name for.
func (h *header) named(code, bare string) (dtype.DType, error) {
	none, ok := nameless[bare]
	switch {
	case !ok:
		return 0, &NoDTypeError{code, `in NumPy, save x.astype("float32") or another number`}
	case h.unnamed.Size() == none.size:
		return h.unnamed, nil
	case none.dtype == dtype.Invalid:
		return 0, &NoDTypeError{code, "ml_dtypes saves f8, f4, i4 and i2 as such; say which they are, as ReadNPY(path, nv.F8E4M3FN) does"}
	}
	return none.dtype, nil
}

// take takes word off the rest if that begins with it.
func (l *literal) take(word string) bool {
	after, ok := strings.CutPrefix(l.rest, word)
	if ok {
		l.rest = strings.TrimLeft(after, " \t\n")
	}
	return ok
}

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
	return "", fmt.Errorf("npy: a string is missing in the header at %.20q", l.rest)
}

func (l *literal) tuple() (shape.Shape, error) {
	if !l.take("(") {
		return nil, fmt.Errorf("npy: the shape is no tuple")
	}
	var s shape.Shape
	for !l.take(")") {
		end := strings.IndexFunc(l.rest, func(r rune) bool { return r < '0' || r > '9' })
		if end <= 0 {
			return nil, fmt.Errorf("npy: the shape is wrong at %.20q", l.rest)
		}
		n, err := strconv.Atoi(l.rest[:end])
		if err != nil {
			return nil, fmt.Errorf("npy: the shape is wrong: %w", err)
		}
		s = append(s, n)
		l.rest = strings.TrimPrefix(l.rest[end:], "L") // Python 2's numbers
		if !l.take(",") && !strings.HasPrefix(l.rest, ")") {
			return nil, fmt.Errorf("npy: the shape is wrong at %.20q", l.rest)
		}
		l.rest = strings.TrimLeft(l.rest, " ")
	}
	return s, nil
}
