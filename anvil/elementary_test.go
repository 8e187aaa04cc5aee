package anvil_test

import (
	"math"
	"math/cmplx"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// elementary are the functions of elementary.txt.
var elementary = map[string]composition{
	"Linspace":  {spaced((*nv.Lib).Linspace), 2, 1},
	"Logspace":  {spaced((*nv.Lib).Logspace), 8, 0},
	"Geomspace": {spaced((*nv.Lib).Geomspace), 8, 0},
	"Arange": {func(l *nv.Lib, _ []nv.Tensor, args []string) nv.Tensor {
		f := floats(args[:3])
		return l.Arange(f[0], f[1], f[2], dtypeOf(args[3]))
	}, 0, 0},
	"Full": {func(l *nv.Lib, _ []nv.Tensor, args []string) nv.Tensor {
		return l.Full(lengthsOf(args[:2]), floats(args[2:3])[0], dtypeOf(args[3]))
	}, 0, 0},
	"Ones":  {filledWith((*nv.Lib).Ones), 0, 0},
	"Zeros": {filledWith((*nv.Lib).Zeros), 0, 0},
	"Eye": {func(l *nv.Lib, _ []nv.Tensor, args []string) nv.Tensor {
		return l.Eye(int(axisOf(args[0])), dtypeOf(args[1]))
	}, 0, 0},
	"Tri": {func(l *nv.Lib, _ []nv.Tensor, args []string) nv.Tensor {
		s := lengthsOf(args[:3])
		return l.Tri(s[0], s[1], s[2], dtypeOf(args[3]))
	}, 0, 0},
	"ZerosLike":   {func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.ZerosLike(x[0]) }, 0, 0},
	"OnesLike":    {func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.OnesLike(x[0]) }, 0, 0},
	"FullLike":    {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return l.FullLike(x[0], floats(args)[0]) }, 0, 0},
	"TrilIndices": {triangle((*nv.Lib).TrilIndices), 0, 0},
	"TriuIndices": {triangle((*nv.Lib).TriuIndices), 0, 0},
	"Indices": {func(l *nv.Lib, _ []nv.Tensor, args []string) nv.Tensor {
		return l.Indices(lengthsOf(args[1:]))[axisOf(args[0])]
	}, 0, 0},
	"FromFunction": {func(l *nv.Lib, _ []nv.Tensor, args []string) nv.Tensor {
		return l.FromFunction(lengthsOf(args[1:]), func(at []nv.Tensor) nv.Tensor { return at[0].Mul(10).Add(at[1]) })
	}, 0, 0},
	"Vander": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.Vander(x[0], lengthsOf(args)...)
	}, 2, 0},

	"Deg2Rad":    {unary((*nv.Lib).Deg2Rad), 1, 0},
	"Rad2Deg":    {unary((*nv.Lib).Rad2Deg), 1, 0},
	"NormPDF":    {unary((*nv.Lib).NormPDF), 4, 0},
	"Sinc":       {unary((*nv.Lib).Sinc), 4, 1.0 / 8},
	"Reciprocal": {unary((*nv.Lib).Reciprocal), 1, 0},
	"Square":     {unary((*nv.Lib).Square), 0, 0},
	"Round":      {unary((*nv.Lib).Round), 0, 0},
	"Trunc":      {unary((*nv.Lib).Trunc), 0, 0},
	"Trigamma":   {unary((*nv.Lib).Trigamma), 16, 0},
	"IsInf":      {unary((*nv.Lib).IsInf), 0, 0},
	"IsNaN":      {unary((*nv.Lib).IsNaN), 0, 0},
	"IsPosInf":   {unary((*nv.Lib).IsPosInf), 0, 0},
	"IsNegInf":   {unary((*nv.Lib).IsNegInf), 0, 0},
	"SignBit":    {unary((*nv.Lib).SignBit), 0, 0},
	"LogicalNot": {unary((*nv.Lib).LogicalNot), 0, 0},
	"AtLeast1D":  {unary((*nv.Lib).AtLeast1D), 0, 0},
	"AtLeast2D":  {unary((*nv.Lib).AtLeast2D), 0, 0},
	"AtLeast3D":  {unary((*nv.Lib).AtLeast3D), 0, 0},
	"Trace":      {unary((*nv.Lib).Trace), 0, 0},
	"EigValsH":   {unary((*nv.Lib).EigValsH), 8, 4},
	"SVDVals":    {unary((*nv.Lib).SVDVals), 8, 4},
	"Copysign":   {binary((*nv.Lib).Copysign), 0, 0},
	"Fmax":       {binary((*nv.Lib).Fmax), 0, 0},
	"Fmin":       {binary((*nv.Lib).Fmin), 0, 0},
	"Fmod":       {binary((*nv.Lib).Fmod), 0, 0},
	"Heaviside":  {binary((*nv.Lib).Heaviside), 0, 0},
	"XLogY":      {binary((*nv.Lib).XLogY), 3, 0},
	"XLog1py":    {binary((*nv.Lib).XLog1py), 3, 0},
	"Gcd":        {binary((*nv.Lib).Gcd), 0, 0},
	"Lcm":        {binary((*nv.Lib).Lcm), 0, 0},
	"Ldexp":      {binary((*nv.Lib).Ldexp), 0, 0},
	"TruncDiv":   {binary((*nv.Lib).TruncDiv), 0, 0},
	"Maximum":    {operator((*nv.Lib).Maximum), 0, 0},
	"Minimum":    {operator((*nv.Lib).Minimum), 0, 0},
	"TrueDiv":    {operator((*nv.Lib).TrueDiv), 1, 0},
	"Eq":         {operator((*nv.Lib).Eq), 0, 0},
	"Ne":         {operator((*nv.Lib).Ne), 0, 0},
	"Lt":         {operator((*nv.Lib).Lt), 0, 0},
	"Le":         {operator((*nv.Lib).Le), 0, 0},
	"Gt":         {operator((*nv.Lib).Gt), 0, 0},
	"Ge":         {operator((*nv.Lib).Ge), 0, 0},
	"FloorDiv":   {operator((*nv.Lib).FloorDiv), 0, 0},
	"AndNot":     {operator((*nv.Lib).AndNot), 0, 0},
	"Shl":        {operator((*nv.Lib).Shl), 0, 0},
	"Shr":        {operator((*nv.Lib).Shr), 0, 0},
	"Angle": {func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor {
		if len(x) == 2 {
			return l.Angle(l.Complex(x[0], x[1]))
		}
		return l.Angle(x[0])
	}, 1, 0},
	"Conj":     {func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.Imag(l.Conj(l.Complex(x[0], x[1]))) }, 0, 0},
	"NanToNum": {tuned((*nv.Lib).NanToNum), 0, 0},
	"Frexp": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		fraction, exponent := l.Frexp(x[0])
		return []nv.Tensor{fraction, exponent}[axisOf(args[0])]
	}, 0, 0},
	"DivMod": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		quotient, remainder := l.DivMod(x[0], x[1])
		return []nv.Tensor{quotient, remainder}[axisOf(args[0])]
	}, 0, 0},
	"Lerp":  {func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.Lerp(x[0], x[1], x[2]) }, 1, 0},
	"Where": {func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.Where(x[0], x[1], x[2]) }, 0, 0},

	"Flip":    {alongAxis((*nv.Lib).Flip), 0, 0},
	"Squeeze": {alongAxis((*nv.Lib).Squeeze), 0, 0},
	"ArgSort": {alongAxis((*nv.Lib).ArgSort), 0, 0},
	"Median":  {alongAxis((*nv.Lib).Median), 0, 0},
	"SortBy": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.SortBy(x[0], x[1], axesOf(args)...)
	}, 0, 0},
	"ExpandDims":  {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return l.ExpandDims(x[0], axisOf(args[0])) }, 0, 0},
	"Stack":       {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return l.Stack(axisOf(args[0]), x[0], x[1]) }, 0, 0},
	"DStack":      {listed((*nv.Lib).DStack), 0, 0},
	"ColumnStack": {listed((*nv.Lib).ColumnStack), 0, 0},
	"BroadcastTo": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return l.BroadcastTo(x[0], lengthsOf(args)) }, 0, 0},
	"Rot90":       {several((*nv.Lib).Rot90), 0, 0},
	"MatMul":      {func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.MatMul(x[0], x[1]) }, 0, 0},
	"EinopsReduce": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.EinopsReduce(x[0], "a b c -> c a", args[0])
	}, 0, 0},
	"UniqueAll": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		var opts []nv.CountOption
		for _, a := range axesOf(args[1:]) {
			opts = append(opts, a)
		}
		u := l.UniqueAll(x[0], opts...)
		return []nv.Tensor{u.Values, u.Indices, u.Inverse, u.Counts}[axisOf(args[0])]
	}, 0, 0},
	"Unique": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return l.Unique(x[0], axisOf(args[0])) }, 0, 0},
	"LUFactor": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		lu, pivots := l.LUFactor(x[0])
		return []nv.Tensor{lu, pivots}[axisOf(args[0])]
	}, 4, 1},

	"NanArgMax": {reduced((*nv.Lib).NanArgMax), 0, 0},
	"NanArgMin": {reduced((*nv.Lib).NanArgMin), 0, 0},
	"Partition": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		k, axis := int(axisOf(args[0])), axisOf(args[1])
		return l.Take(l.Partition(x[0], k, axis), k, axis)
	}, 0, 0},
	"ArgPartition": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		k, axis := int(axisOf(args[0])), axisOf(args[1])
		return l.Take(l.TakeAlongAxis(x[0], l.ArgPartition(x[0], k, axis), axis), k, axis)
	}, 0, 0},
	"PackBits":   {packed((*nv.Lib).PackBits), 0, 0},
	"UnpackBits": {packed((*nv.Lib).UnpackBits), 0, 0},
	"PolyFit": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.PolyFit(x[0], x[1], int(axisOf(args[0])))
	}, 1024, 1},

	"At":    {func(_ *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return x[0].At(int(axisOf(args[0]))) }, 0, 0},
	"Set":   {putting((*nv.Lib).Set), 0, 0},
	"AddAt": {putting((*nv.Lib).AddAt), 0, 0},
	"MulAt": {putting((*nv.Lib).MulAt), 0, 0},
	"MinAt": {putting((*nv.Lib).MinAt), 0, 0},
	"MaxAt": {putting((*nv.Lib).MaxAt), 0, 0},
}

// TestElementary compares functions with NumPy and SciPy, as TestCompositions does.
func TestElementary(t *testing.T) { checkCompositions(t, "testdata/elementary.txt", elementary, 3) }

func dtypeOf(s string) nv.DType {
	d, err := dtype.Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

func lengthsOf(words []string) nv.Shape {
	s := nv.Shape{}
	for _, w := range words {
		s = append(s, int(axisOf(w)))
	}
	return s
}

func spaced(f func(l *nv.Lib, start, stop any, n int, opts ...nv.Option) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, _ []nv.Tensor, args []string) nv.Tensor {
		ends := floats(args[:2])
		return f(l, ends[0], ends[1], int(axisOf(args[2])), dtypeOf(args[3]))
	}
}

func filledWith(f func(*nv.Lib, nv.Shape, ...nv.Option) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, _ []nv.Tensor, args []string) nv.Tensor {
		return f(l, lengthsOf(args[:2]), dtypeOf(args[2]))
	}
}

func triangle(f func(l *nv.Lib, n int, k ...int) (rows, columns nv.Tensor)) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, _ []nv.Tensor, args []string) nv.Tensor {
		s := lengthsOf(args)
		rows, columns := f(l, s[1], s[2])
		return []nv.Tensor{rows, columns}[s[0]]
	}
}

func operator(f func(l *nv.Lib, x, y any, opts ...nv.BinaryOption) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return f(l, x[0], x[1]) }
}

func putting(f func(l *nv.Lib, x, v any, index ...any) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return f(l, x[0], int(axisOf(args[0])), int(axisOf(args[1])))
	}
}

func reduced(f func(l *nv.Lib, x any, opts ...nv.ReduceOption) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		var opts []nv.ReduceOption
		for _, a := range axesOf(args) {
			opts = append(opts, a)
		}
		return f(l, x[0], opts...)
	}
}

func packed(f func(l *nv.Lib, x any, opts ...nv.BitsOption) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		var opts []nv.BitsOption
		for _, a := range args {
			if a == "least" {
				opts = append(opts, nv.LeastFirst)
			} else {
				opts = append(opts, axisOf(a))
			}
		}
		return f(l, x[0], opts...)
	}
}

// TestLdexpOfLargeExponents checks exponents that do not fit the integers of the width of x.
func TestLdexpOfLargeExponents(t *testing.T) {
	for _, n := range []nv.Tensor{nv.New([]int64{1 << 32, -1 << 32, 3}), nv.New([]uint32{1<<32 - 1, 1 << 31, 3}),
		nv.New([]uint64{1<<64 - 1, 1 << 63, 3}), nv.New([]int8{127, -126, 3})} {
		got := nv.Values[float64](nv.Ldexp(nv.New([]float32{1, 1, 1}), n))
		exponents := nv.Values[float64](n)
		for i, e := range exponents {
			if want := float64(float32(math.Exp2(e))); got[i] != want {
				t.Errorf("Ldexp(1, %v) for %s is %v, want %v", e, n.DType(), got[i], want)
			}
		}
	}
}

// TestNanArgOfInfinities checks that an infinity is found where all else is nan.
func TestNanArgOfInfinities(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	x := nv.New([][]float64{{nan, -inf, -inf}, {nan, nan, nan}, {inf, nan, 1}})
	want(t, nv.NanArgMax(x, nv.Axis(1)), "i32{3} [1 -1 0]")
	want(t, nv.NanArgMin(nv.Neg(x), nv.Axis(1)), "i32{3} [1 -1 0]")
}

// TestPolyDerOfBools checks that the coefficients are converted to integers, not to the exponents' truth.
func TestPolyDerOfBools(t *testing.T) {
	if got := nv.PolyDer(nv.New([]bool{true, true, true})); got.DType() != nv.I32 || got.At(0).Int() != 2 || got.At(1).Int() != 1 {
		t.Errorf("the derivative of x^2 + x + 1 has the coefficients %v", got)
	}
}

func TestElementaryErrors(t *testing.T) {
	x := nv.New([]float32{1, 2})
	for want, f := range map[string]func(){
		"Partition(f32{2}): k is 2 on an axis of length 2; give -2 to 1":                                        func() { nv.Partition(x, 2) },
		"Partition(f32{0}): the axis is empty; give an x with elements along this axis":                         func() { nv.Partition(nv.Zeros(nv.Shape{0}), 0) },
		"PackBits(f32{2}): the operand must be bools or integers, not f32; compare first: nv.PackBits(x.Ne(0))": func() { nv.PackBits(x) },
		"UnpackBits(f32{2}): packed bits must be ui8, not f32; convert x with AsType(nv.U8)":                    func() { nv.UnpackBits(x) },
		"PackBits(i1{2}): axis 1 does not exist: the rank is 1; axes are 0 to 0, or -1 to -1":                   func() { nv.PackBits(x.Gt(0), nv.Axis(1)) },
		"PolyFit(f32{2}, f32{2}): the degree is -1; give 0 for a constant, 1 for a line":                        func() { nv.PolyFit(x, x, -1) },
		"PolyFit(f32{2}, f32{3}): shapes {2} and {3} do not match; give y one number, or one row, for each element " +
			"of x": func() { nv.PolyFit(x, nv.Ones(nv.Shape{3}), 1) },
		"PolyFit(f32{0}, f32{0}): x is empty; give at least one element":                        func() { nv.PolyFit(x.At(nv.Range(0, 0)), x.At(nv.Range(0, 0)), 1) },
		"Delete(f32{2}): position uint64 18446744073709551615 is out of range":                  func() { nv.Delete(x, uint64(1<<64-1)) },
		"NanArgMax(f32{2}): axis 1 does not exist: the rank is 1; axes are 0 to 0, or -1 to -1": func() { nv.NanArgMax(x, nv.Axis(1)) },
		"CrossEntropyLoss(f32{2,3}, i32{2}): class weights of shape {2} do not match 3 classes; give a vector with " +
			"a weight for each class": func() {
			nv.CrossEntropyLoss(nv.Ones(nv.Shape{2, 3}), nv.Zeros(nv.Shape{2}, nv.I32), nv.ClassWeights(x))
		},
		"AvgPool(f32{1,4,1}): CountPadding and CeilMode exclude each other; give only CeilMode; to count padding, pad x with nv.Pad first": func() { nv.AvgPool(nv.Ones(nv.Shape{1, 4, 1}), nv.Shape{3}, nv.CeilMode, nv.CountPadding) },
	} {
		if got := errorOf(t, f); got != want {
			t.Errorf("%s; want %q", got, want)
		}
	}
}

// TestLog1pOfHugeNumbers checks the reference at numbers whose magnitude overflows.
func TestLog1pOfHugeNumbers(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	got := nv.Values[complex128](c.Log1p(c.New([]complex128{1.7e308 + 1.7e308i}, nv.C128)))[0]
	if want := complex(math.Log(1.7e308)+math.Ln2/2, math.Pi/4); cmplx.Abs(got-want) > 1e-12 {
		t.Errorf("log1p is %v, want %v", got, want)
	}
}
