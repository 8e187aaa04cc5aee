package xla

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// elements maps each dtype to the number of its PJRT element type. Plugins abort the process if they are given a number
// that is not an element type.
var elements = map[dtype.DType]int32{
	dtype.I1:            capi.BufferTypePRED,
	dtype.I2:            capi.BufferTypeS2,
	dtype.I4:            capi.BufferTypeS4,
	dtype.I8:            capi.BufferTypeS8,
	dtype.I16:           capi.BufferTypeS16,
	dtype.I32:           capi.BufferTypeS32,
	dtype.I64:           capi.BufferTypeS64,
	dtype.U2:            capi.BufferTypeU2,
	dtype.U4:            capi.BufferTypeU4,
	dtype.U8:            capi.BufferTypeU8,
	dtype.U16:           capi.BufferTypeU16,
	dtype.U32:           capi.BufferTypeU32,
	dtype.U64:           capi.BufferTypeU64,
	dtype.F4E2M1FN:      capi.BufferTypeF4E2M1FN,
	dtype.F8E3M4:        capi.BufferTypeF8E3M4,
	dtype.F8E4M3:        capi.BufferTypeF8E4M3,
	dtype.F8E4M3B11FNUZ: capi.BufferTypeF8E4M3B11FNUZ,
	dtype.F8E4M3FN:      capi.BufferTypeF8E4M3FN,
	dtype.F8E4M3FNUZ:    capi.BufferTypeF8E4M3FNUZ,
	dtype.F8E5M2:        capi.BufferTypeF8E5M2,
	dtype.F8E5M2FNUZ:    capi.BufferTypeF8E5M2FNUZ,
	dtype.F8E8M0FNU:     capi.BufferTypeF8E8M0FNU,
	dtype.BF16:          capi.BufferTypeBF16,
	dtype.F16:           capi.BufferTypeF16,
	dtype.F32:           capi.BufferTypeF32,
	dtype.F64:           capi.BufferTypeF64,
	dtype.C64:           capi.BufferTypeC64,
	dtype.C128:          capi.BufferTypeC128,
}

// A Type is the dtype and the dimensions of a buffer, an argument or a result.
type Type struct {
	DType dtype.DType
	Dims  []int
}

// String returns "f32{2,3}".
func (t Type) String() string {
	dims := make([]string, len(t.Dims))
	for i, d := range t.Dims {
		dims[i] = strconv.Itoa(d)
	}
	return t.DType.String() + "{" + strings.Join(dims, ",") + "}"
}

// MLIR returns StableHLO's spelling: "tensor<2x3xf32>".
func (t Type) MLIR() string {
	var b strings.Builder
	b.WriteString("tensor<")
	for _, d := range t.Dims {
		b.WriteString(strconv.Itoa(d))
		b.WriteByte('x')
	}
	return b.String() + t.DType.MLIR() + ">"
}

// equal reports whether t and u are the same type.
func (t *Type) equal(u *Type) bool { return t.DType == u.DType && slices.Equal(t.Dims, u.Dims) }

// clone returns a copy of t with its own Dims.
func (t Type) clone() Type { return Type{t.DType, slices.Clone(t.Dims)} }

// bytes returns the size in bytes of a tensor of type t in host form, in which each element takes at
// least one byte.
func (t Type) bytes() (int, error) {
	if _, ok := elements[t.DType]; !ok {
		return 0, fmt.Errorf("arrays cannot have dtype %s", t.DType)
	}
	n := t.DType.Size()
	for _, d := range t.Dims {
		if d < 0 {
			return 0, fmt.Errorf("a dimension is negative")
		}
		if d > 0 && n > math.MaxInt/d {
			return 0, fmt.Errorf("the size in bytes overflows int")
		}
		n *= d
	}
	return n, nil
}

// typeList returns ts as text: "f32{2}, i32{}".
func typeList(ts []Type) string {
	s := make([]string, len(ts))
	for i, t := range ts {
		s[i] = t.String()
	}
	return strings.Join(s, ", ")
}
