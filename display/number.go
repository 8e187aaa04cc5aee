package display

import (
	"fmt"
	"math"
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A style is a way to write the floats of one matrix.
type style uint8

const (
	whole      style = iota // all numbers are integers; those below 1e6 have no decimal point
	fixedPoint              // all numbers have the same number of digits after the point
	scaled                  // like fixedPoint, but divided by a power of ten that is written above the matrix
	scientific              // each number has its own exponent
)

// A format is a style with its parameters.
type format struct {
	style  style
	exp    int // the power of ten of scaled numbers
	digits int // after the point
}

// scale returns the line above a matrix of scaled numbers, or "" for the other styles.
func (f format) scale() string {
	if f.style != scaled {
		return ""
	}
	return fmt.Sprintf("1e%+03d *", f.exp)
}

// A spread collects the facts about the floats of a matrix that determine their format. Integer dtypes need no
// format and are not counted.
type spread struct {
	count    int
	fraction bool    // an element is not an integer
	min, max float64 // of the absolute values of the finite nonzero elements; 0 if there are none
}

// add adds v to the facts.
func (s *spread) add(v float64) {
	s.count++
	m := math.Abs(v)
	if math.IsNaN(v) || math.IsInf(v, 0) || m == 0 {
		return
	}
	s.fraction = s.fraction || m != math.Trunc(m)
	if s.max == 0 || m < s.min {
		s.min = m
	}
	s.max = max(s.max, m)
}

// format returns the format that the R package anvil chooses for the floats, but with the given number of digits; that
// package always has 4. Source: choose_float_print_mode in src/buffer_printer.cpp of r-xla/pjrt, and its printed snapshots.
func (s *spread) format(digits int) format {
	switch {
	case !s.fraction:
		return format{style: whole, digits: digits}
	case s.min > math.Pow10(-digits) && s.max < 1e6:
		return format{style: fixedPoint, digits: digits}
	case s.count == 1:
		return format{style: scientific, digits: digits}
	}
	lo, hi := math.Floor(math.Log10(s.min)), math.Floor(math.Log10(s.max))
	if lo == hi && lo > -300 { // smaller powers of ten are inexact or 0, so they cannot be divisors
		return format{scaled, int(lo), digits}
	}
	return format{style: scientific, digits: digits}
}

// element adds the element of dtype d at the start of src. It ignores integers and bools.
func (s *spread) element(d dtype.DType, src []byte) {
	switch {
	case d.Is(dtype.Complex):
		c := dtype.GetComplex(src, d)
		s.add(real(c))
		s.add(imag(c))
		s.count-- // the two parts are one element
	case d.Is(dtype.Floating):
		s.add(dtype.GetFloat(src, d))
	}
}

// token returns the text of the element of dtype d at the start of src.
func (f format) token(d dtype.DType, src []byte) string {
	switch {
	case d.Is(dtype.Complex):
		return f.complex(dtype.GetComplex(src, d))
	case d.Is(dtype.Floating):
		return f.float(dtype.GetFloat(src, d))
	case d.Is(dtype.Signed):
		return strconv.FormatInt(dtype.GetInt(src, d), 10)
	}
	return strconv.FormatUint(dtype.GetUint(src, d), 10)
}

func (f format) float(v float64) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	case f.style == scientific, f.style == whole && math.Abs(v) >= 1e6:
		return strconv.FormatFloat(v, 'e', f.digits, 64)
	case f.style == whole:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case f.style == scaled:
		v /= math.Pow10(f.exp)
	}
	return strconv.FormatFloat(v, 'f', f.digits, 64)
}

func (f format) complex(c complex128) string {
	im := f.float(imag(c))
	if im[0] != '-' {
		im = "+" + im
	}
	return f.float(real(c)) + im + "i"
}
