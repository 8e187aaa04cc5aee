package dtype

import "math"

// A special says how a float format encodes inf and nan.
type special uint8

const (
	ieee special = iota // inf and nan have the highest exponent
	fn                  // no inf; nan is all ones
	fnuz                // no inf and no negative zero; nan has the pattern of -0
	none                // neither inf nor nan
)

// A format is a binary float format of at most 16 bits.
// Source: the docs of APFloat's semantics in LLVM and of ml_dtypes.
type format struct {
	exp, man int // the widths of exponent and mantissa in bits
	bias     int // of the exponent
	special  special
	unsigned bool // f8e8m0fnu: no sign, no zero
}

var formats = [numDTypes]format{
	F4E2M1FN:      {2, 1, 1, none, false},
	F8E3M4:        {3, 4, 3, ieee, false},
	F8E4M3:        {4, 3, 7, ieee, false},
	F8E4M3B11FNUZ: {4, 3, 11, fnuz, false},
	F8E4M3FN:      {4, 3, 7, fn, false},
	F8E4M3FNUZ:    {4, 3, 8, fnuz, false},
	F8E5M2:        {5, 2, 15, ieee, false},
	F8E5M2FNUZ:    {5, 2, 16, fnuz, false},
	F8E8M0FNU:     {8, 0, 127, fn, true},
	BF16:          {8, 7, 127, ieee, false},
	F16:           {5, 10, 15, ieee, false},
}

// Encode returns the bit pattern of v in the float dtype d, rounded once, to
// nearest with ties to even. A value too large for d becomes inf if d has inf,
// otherwise nan if d has nan, and otherwise the largest value. F8E8M0FNU, which has
// only powers of two, rounds ties up, and 0 and negative values become nan. Encode
// panics if d is not a float dtype.
func Encode(d DType, v float64) uint64 {
	switch {
	case d == F32:
		return uint64(math.Float32bits(float32(v)))
	case d == F64:
		return math.Float64bits(v)
	case !d.Is(Floating):
		panic(notFloat("dtype.Encode", d))
	}
	return formats[d].encode(v)
}

// Decode returns the value of a bit pattern of the float dtype d, exactly. It
// panics if d is not a float dtype.
func Decode(d DType, bits uint64) float64 {
	switch {
	case d == F32:
		return float64(math.Float32frombits(uint32(bits)))
	case d == F64:
		return math.Float64frombits(bits)
	case d == BF16:
		return float64(math.Float32frombits(uint32(bits) << 16))
	case !d.Is(Floating):
		panic(notFloat("dtype.Decode", d))
	}
	return formats[d].decode(bits)
}

// Round returns v rounded to the float dtype d, as a float64 that holds the
// rounded value exactly.
func Round(d DType, v float64) float64 {
	switch d {
	case F64:
		return v
	case F32:
		return float64(float32(v))
	}
	return Decode(d, Encode(d, v))
}

// notFloat returns the error of op for a dtype that is not a float.
func notFloat(op string, d DType) *Error {
	return &Error{op, d.String(), "not a float dtype", "floats are " + names(Floating.DTypes())}
}

// nan returns the pattern of nan. For a format without nan it returns the pattern of negative
// zero: ml_dtypes converts nan to -0.
func (f format) nan() uint64 {
	ones := uint64(1)<<(f.exp+f.man) - 1
	switch f.special {
	case ieee:
		return f.inf() | 1<<(f.man-1)
	case fn:
		return ones
	}
	return 1 << (f.exp + f.man)
}

// inf returns the pattern of inf in a format that has it.
func (f format) inf() uint64 { return (uint64(1)<<f.exp - 1) << f.man }

// largest returns the pattern of the largest finite value.
func (f format) largest() uint64 {
	ones := uint64(1)<<(f.exp+f.man) - 1
	switch f.special {
	case ieee:
		return f.inf() - 1
	case fn:
		return ones - 1
	}
	return ones
}

// overflow returns the pattern of magnitudes that are too large for the format.
func (f format) overflow() uint64 {
	switch f.special {
	case ieee:
		return f.inf()
	case none:
		return f.largest()
	}
	return f.nan()
}

// encode returns the pattern of v (see Encode).
func (f format) encode(v float64) uint64 {
	if f.unsigned {
		return f.encodeScale(v)
	}
	var sign uint64
	if math.Signbit(v) {
		sign = 1 << (f.exp + f.man)
	}
	if math.IsNaN(v) {
		return sign | f.nan()
	}
	m := f.encodeMagnitude(math.Abs(v))
	if f.special == fnuz && m == 0 {
		return m // no negative zero
	}
	return sign | m
}

// encodeMagnitude returns the pattern of v >= 0. Patterns grow with values, so a
// mantissa that rounds up carries into the exponent.
func (f format) encodeMagnitude(v float64) uint64 {
	if v == 0 {
		return 0
	}
	if math.IsInf(v, 0) {
		return f.overflow()
	}
	_, e := math.Frexp(v)  // v in [2^(e-1), 2^e)
	e = max(e-1, 1-f.bias) // subnormal numbers have the exponent of the least normal one
	units := uint64(math.RoundToEven(math.Ldexp(v, f.man-e)))
	pattern := uint64(e+f.bias-1)<<f.man + units // the leading 1 of a normal number adds 1 to the exponent
	if pattern > f.largest() {
		return f.overflow()
	}
	return pattern
}

// encodeScale is encode for a format of exponents only. Values halfway between two
// powers of two round up, as in ml_dtypes.
func (f format) encodeScale(v float64) uint64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return f.nan()
	}
	frac, e := math.Frexp(v) // v = frac * 2^e, frac in [0.5, 1)
	if frac >= 0.75 {
		e++
	}
	e += f.bias - 1
	if e < 0 {
		return 0
	}
	if e > int(f.largest()) {
		return f.nan()
	}
	return uint64(e)
}

// decode returns the value of a pattern (see Decode).
func (f format) decode(bits uint64) float64 {
	if f.unsigned {
		if bits&0xff == 0xff {
			return math.NaN()
		}
		return math.Ldexp(1, int(bits&0xff)-f.bias)
	}
	sign := bits >> (f.exp + f.man) & 1
	pattern := bits & (1<<(f.exp+f.man) - 1)
	v := f.value(pattern)
	if f.special == fnuz && sign == 1 && pattern == 0 {
		return math.NaN()
	}
	if sign == 1 {
		return math.Copysign(v, -1)
	}
	return v
}

// value returns the value of a pattern without sign.
func (f format) value(pattern uint64) float64 {
	switch {
	case f.special == ieee && pattern == f.inf():
		return math.Inf(1)
	case f.special == ieee && pattern > f.inf(), f.special == fn && pattern == f.nan():
		return math.NaN()
	}
	e, m := int(pattern>>f.man), pattern&(1<<f.man-1)
	if e == 0 {
		return math.Ldexp(float64(m), 1-f.bias-f.man)
	}
	return math.Ldexp(float64(m|1<<f.man), e-f.bias-f.man)
}
