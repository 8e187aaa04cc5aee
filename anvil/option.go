package anvil

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Shape is the list of the lengths of a tensor's axes; Shape(nil) is the shape of a scalar.
type Shape = shape.Shape

// A DType is the type of one element, such as F32. It is itself an Option.
type DType = dtype.DType

// An Option sets a property of a new tensor: its dtype (a DType), Ambiguous or Device.
type Option = dtype.Option

// The dtypes. Each is an Option as well.
const (
	I1            = dtype.I1
	I2            = dtype.I2
	I4            = dtype.I4
	I8            = dtype.I8
	I16           = dtype.I16
	I32           = dtype.I32
	I64           = dtype.I64
	U2            = dtype.U2
	U4            = dtype.U4
	U8            = dtype.U8
	U16           = dtype.U16
	U32           = dtype.U32
	U64           = dtype.U64
	F4E2M1FN      = dtype.F4E2M1FN
	F8E3M4        = dtype.F8E3M4
	F8E4M3        = dtype.F8E4M3
	F8E4M3B11FNUZ = dtype.F8E4M3B11FNUZ
	F8E4M3FN      = dtype.F8E4M3FN
	F8E4M3FNUZ    = dtype.F8E4M3FNUZ
	F8E5M2        = dtype.F8E5M2
	F8E5M2FNUZ    = dtype.F8E5M2FNUZ
	F8E8M0FNU     = dtype.F8E8M0FNU
	BF16          = dtype.BF16
	F16           = dtype.F16
	F32           = dtype.F32
	F64           = dtype.F64
	C64           = dtype.C64
	C128          = dtype.C128
)

// Ambiguous returns the option that makes the dtype ambiguous, or known if ambiguous is
// false. In promotion, an ambiguous dtype yields to a known one.
func Ambiguous(ambiguous bool) Option { return ambiguousOption(ambiguous) }

type ambiguousOption bool

func (a ambiguousOption) Apply(o *dtype.Options) { o.Ambiguous = (*bool)(&a) }

// Device returns the option that places a tensor on the device with the given name, such as
// "cpu" or "cuda:1".
func Device(name string) Option { return deviceOption(name) }

type deviceOption string

func (d deviceOption) Apply(o *dtype.Options) { o.Device = string(d) }

// nonNil returns opts without nil options, which are ignored, as in Sum(x, nil).
func nonNil[O any](opts []O) []O {
	for i, o := range opts {
		if any(o) == nil {
			return append(slices.Clone(opts[:i]), nonNil(opts[i+1:])...)
		}
	}
	return opts
}

// apply returns opts, the options of a call of the function op, as one value.
func apply(op string, opts []Option) (o dtype.Options) {
	for _, opt := range accepted(op, opts) {
		opt.Apply(&o)
	}
	return o
}
