package dtype

// The foreign dtypes: dtypes of other frameworks that no tensor of this module has. They
// have names, widths and kinds for the promotion systems, and are not Valid. PyTorch's
// uninterpreted bits (Bits16 to Bits8) and quantized integers (QI32 to QU8) have no kind.
const (
	C32  DType = firstForeign + iota // two F16
	BC32                             // two BF16
	F80                              // the long double of x86
	C160                             // two F80
	I128
	U128
	Bits16
	Bits1x8
	Bits2x4
	Bits4x2
	Bits8
	F4E2M1FNx2 // two F4E2M1FN in a byte
	I1Int      // an integer of one bit
	I3
	I5
	I6
	I7
	QI32
	QI8
	QU2x4
	QU4x2
	QU8
	U1
	U3
	U5
	U6
	U7
	F6E2M3FN
	F6E3M2FN
	endForeign
)

// firstForeign is above every dtype of tensors.
const firstForeign DType = 64

var foreignInfos = [endForeign - firstForeign]info{
	C32 - firstForeign:        {"c32", "complex32", "", 32, Complex},
	BC32 - firstForeign:       {"bc32", "bcomplex32", "", 32, Complex},
	F80 - firstForeign:        {"f80", "longdouble", "", 80, Floating},
	C160 - firstForeign:       {"c160", "clongdouble", "", 160, Complex},
	I128 - firstForeign:       {"i128", "int128", "", 128, Signed},
	U128 - firstForeign:       {"ui128", "uint128", "", 128, Unsigned},
	Bits16 - firstForeign:     {"bits16", "bits16", "", 16, 0},
	Bits1x8 - firstForeign:    {"bits1x8", "bits1x8", "", 8, 0},
	Bits2x4 - firstForeign:    {"bits2x4", "bits2x4", "", 8, 0},
	Bits4x2 - firstForeign:    {"bits4x2", "bits4x2", "", 8, 0},
	Bits8 - firstForeign:      {"bits8", "bits8", "", 8, 0},
	F4E2M1FNx2 - firstForeign: {"f4e2m1fn_x2", "float4_e2m1fn_x2", "", 8, Floating},
	I1Int - firstForeign:      {"i1_int", "int1", "", 1, Signed},
	I3 - firstForeign:         {"i3", "int3", "", 3, Signed},
	I5 - firstForeign:         {"i5", "int5", "", 5, Signed},
	I6 - firstForeign:         {"i6", "int6", "", 6, Signed},
	I7 - firstForeign:         {"i7", "int7", "", 7, Signed},
	QI32 - firstForeign:       {"qint32", "qint32", "", 32, 0},
	QI8 - firstForeign:        {"qint8", "qint8", "", 8, 0},
	QU2x4 - firstForeign:      {"quint2x4", "quint2x4", "", 8, 0},
	QU4x2 - firstForeign:      {"quint4x2", "quint4x2", "", 8, 0},
	QU8 - firstForeign:        {"quint8", "quint8", "", 8, 0},
	U1 - firstForeign:         {"ui1", "uint1", "", 1, Unsigned},
	U3 - firstForeign:         {"ui3", "uint3", "", 3, Unsigned},
	U5 - firstForeign:         {"ui5", "uint5", "", 5, Unsigned},
	U6 - firstForeign:         {"ui6", "uint6", "", 6, Unsigned},
	U7 - firstForeign:         {"ui7", "uint7", "", 7, Unsigned},
	F6E2M3FN - firstForeign:   {"float6_e2m3fn", "float6_e2m3fn", "", 6, Floating},
	F6E3M2FN - firstForeign:   {"float6_e3m2fn", "float6_e3m2fn", "", 6, Floating},
}

// Foreign returns every foreign dtype.
func Foreign() []DType {
	ds := make([]DType, 0, len(foreignInfos))
	for d := firstForeign; d < endForeign; d++ {
		ds = append(ds, d)
	}
	return ds
}

// IsForeign reports whether d is a foreign dtype.
func (d DType) IsForeign() bool { return d >= firstForeign && d < endForeign }
