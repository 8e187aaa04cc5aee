package dtype

import (
	"fmt"
	"math"
)

// least returns the least value of an integer dtype or i1.
func least(d DType) int64 {
	if d.Is(Signed) {
		return -1 << (d.Bits() - 1)
	}
	return 0
}

// greatest returns the greatest value of an integer dtype or i1.
func greatest(d DType) uint64 {
	ones := ^uint64(0) >> (64 - d.Bits())
	if d.Is(Signed) {
		return ones >> 1
	}
	return ones
}

// Range returns the least and the greatest value of d as text: "-128 to 127". For a
// float or complex dtype it returns the greatest finite magnitude, and "nothing" if d
// is not valid.
func (d DType) Range() string {
	switch e := d.Elem(); {
	case !d.Valid():
		return "nothing"
	case e == F64:
		return fmt.Sprint(Largest(e))
	case e.Is(Floating):
		return fmt.Sprint(float32(Largest(e)))
	}
	return fmt.Sprintf("%d to %d", least(d), greatest(d))
}

// Largest returns the largest finite value of a float dtype.
func Largest(d DType) float64 {
	switch d {
	case F64:
		return math.MaxFloat64
	case F32:
		return math.MaxFloat32
	}
	return formats[d].decode(formats[d].largest())
}
