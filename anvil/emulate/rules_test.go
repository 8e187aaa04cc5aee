package emulate_test

import (
	"errors"
	"math"
	"math/cmplx"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestRules has results of functions, and of dtypes and numbers, that the rows of TestValues lack.
func TestRules(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Executor: engine.NewReference()})
	nan, inf := math.NaN(), math.Inf(1)
	i8, u8 := c.From([]int8{100, -100}), c.From([]uint8{100, 250})
	u64, i64 := c.From([]uint64{1, 1 << 63}), c.From([]int64{-1, 5})
	zero, minus := c.From([]float64{0}), c.From([]float64{math.Copysign(0, -1)})
	halves := func(xs ...float64) nv.Tensor { return c.New(xs, nv.F16) }
	whole := func(xs ...int32) nv.Tensor { return c.From(xs) }
	floats := func(xs ...float64) nv.Tensor { return c.From(xs) }
	complexes := func(xs ...complex128) nv.Tensor { return c.From(xs) }
	none, rows := c.Zeros(nv.Shape{0}), c.Zeros(nv.Shape{0, 3})
	large := c.From([]float64{1 << 24, 1, 1, -1 << 24})
	for _, row := range []struct {
		system *promote.System
		what   func(l *nv.Lib) any
		want   string
	}{
		// Where keeps the low bits of a number, or rejects it.
		{promote.NumPy, func(l *nv.Lib) any { return l.Where(u8.Gt(200), 300, u8) }, "ui8{2} [100 44]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Where(floats(0, 2, nan), whole(1, 2, 3), 0) },
			"i32{3} [0 2 3]"},
		{promote.ArrayAPI, func(l *nv.Lib) any { return l.Where(u8.Gt(200), u8, 300) },
			"Where(i1{2}, ui8{2}, int 300): OverflowError: Python int scalars must be within the bounds of the " +
				"dtype for integer arrays"},
		{promote.JAX, func(l *nv.Lib) any { return l.Where(u8.Gt(200), 3, u8) }, "ui8{2} [100 3]"},
		{promote.IvyPrecise, func(l *nv.Lib) any { return l.Where(u8.Gt(200), u8, u8.Sub(90)) }, "ui8{2} [10 250]"},
		{promote.IvyPrecise, func(l *nv.Lib) any { return l.Where(u8.Gt(200), 7, u8) }, "i32{2} [100 7]"},

		// A bound at or beyond the limits of the dtype leaves the dtype as it is.
		{promote.NumPy, func(l *nv.Lib) any { return l.Clamp(i8, -200, 300) }, "i8{2} [100 -100]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Clamp(i8, -128, 50) }, "i8{2} [50 -100]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Clamp(u8, -1, 200) }, "ui8{2} [100 200]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Clamp(u8, 120, 256) }, "ui8{2} [120 250]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Clamp(i8, -200, 2.5) }, "f64{2} [2.5 -100]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Clamp(i8, 2.5, 200) }, "f64{2} [100 2.5]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Clamp(c.From([]uint64{math.MaxUint64, 5}), 0, 10) },
			"ui64{2} [10 5]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Clamp(i8, -200, 300) }, "i8{2} [100 -100]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Clamp(minus, zero, floats(1)) }, "f64{1} [-0]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Clamp(floats(5, -5, 0.5, nan), -1.0, 1.0) },
			"f64{4} [1 -1 0.5 NaN]"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.Clamp(minus, floats(-1), zero) }, "f64{1} [-0]"},
		{promote.JAX, func(l *nv.Lib) any { return l.Clamp(floats(5, -5, 0.5, nan), -1, 1) }, "f32{4} [1 -1 0.5 NaN]"},
		{promote.JAX, func(l *nv.Lib) any { return l.Clamp(whole(5, -5, 3), -1, 4) }, "i32{3} [4 -1 3]"},
		{promote.ArrayAPI, func(l *nv.Lib) any { return l.Clamp(i8, -300, 300) }, "i8{2} [100 -100]"},
		{promote.ArrayAPI, func(l *nv.Lib) any { return l.Clamp(i8, -300, -200) }, "i8{2} [56 56]"},
		{promote.ArrayAPI, func(l *nv.Lib) any { return l.Clamp(u8, -5, 200) }, "ui8{2} [100 200]"},
		{promote.ArrayAPI, func(l *nv.Lib) any { return l.Clamp(u64, i64, i64) }, "ui64{2} [18446744073709551615 5]"},
		{promote.ArrayAPI, func(l *nv.Lib) any { return l.Clamp(i64, u64, u64) }, "i64{2} [1 -9223372036854775808]"},
		{promote.JAX, func(l *nv.Lib) any { return l.Clamp(complexes(1), 1, 3) },
			"Clamp(c128{1}, int 1, int 3): ValueError: Clip received a complex value either through the " +
				"input or the min/max keywords. Complex values have no ordering and cannot be clipped. Please " +
				"convert to a real value or array by taking the real or imaginary components via " +
				"jax.numpy.real/imag respectively."},
		{promote.JAXStrict, func(l *nv.Lib) any { return l.Clamp(complexes(1), 1, 3) },
			"Clamp(c128{1}, int 1, int 3): ValueError: Clip received a complex value either through the " +
				"input or the min/max keywords. Complex values have no ordering and cannot be clipped. Please " +
				"convert to a real value or array by taking the real or imaginary components via " +
				"jax.numpy.real/imag respectively."},
		{promote.ArrayAPI, func(l *nv.Lib) any { return l.Clamp(floats(5, -5), -1.0, 1.0) }, "f64{2} [1 -1]"},

		// Of equal zeros the first or the second is selected; of nan and a number, nan or the number.
		{promote.NumPy, func(l *nv.Lib) any { return l.Maximum(zero, minus) }, "f64{1} [-0]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Minimum(minus, zero) }, "f64{1} [0]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Fmax(minus, zero) }, "f64{1} [-0]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Maximum(minus, zero) }, "f64{1} [-0]"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.Minimum(zero, minus) }, "f64{1} [0]"},
		{promote.JAX64, func(l *nv.Lib) any { return l.Fmin(minus, zero) }, "f64{1} [0]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Fmax(floats(nan, 1), floats(2, nan)) }, "f64{2} [2 1]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Maximum(complexes(cmplx.NaN(), 1), complexes(1, cmplx.NaN())) },
			"c128{2} [(NaN+NaNi) (NaN+NaNi)]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Maximum(complexes(1+2i, 2), complexes(1+1i, 3-1i)) },
			"c128{2} [(1+2i) (3-1i)]"},
		{promote.JAX64, func(l *nv.Lib) any { return l.Maximum(complexes(cmplx.NaN(), 1), complexes(7, cmplx.NaN())) },
			"c128{2} [(7+0i) (NaN+NaNi)]"},
		{promote.IvyPrecise, func(l *nv.Lib) any {
			return l.Maximum(complexes(cmplx.NaN(), 1, 2), complexes(7, cmplx.NaN(), 2i))
		}, "c128{3} [(7+0i) (NaN+NaNi) (2+0i)]"},
		{promote.IvyPrecise, func(l *nv.Lib) any { return l.Minimum(floats(nan, 1, 4), floats(2, nan, 3)) },
			"f64{3} [2 NaN 3]"},

		// Signs of -0 and nan.
		{promote.NumPy, func(l *nv.Lib) any { return l.Sign(floats(nan, -3, math.Copysign(0, -1))) },
			"f64{3} [NaN -1 0]"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.Sign(floats(nan, -3, math.Copysign(0, -1))) },
			"f64{3} [NaN -1 0]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Sign(floats(nan, -3, math.Copysign(0, -1))) },
			"f64{3} [0 -1 0]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Sign(i8) }, "i8{2} [1 -1]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Sign(u8.Sub(100)) }, "ui8{2} [0 1]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Sign(c.From([]bool{true, false})) }, "i1{2} [true false]"},

		// Shifts by more bits than there are.
		{promote.TensorFlow, func(l *nv.Lib) any { return l.Shr(i8, c.From([]int8{40, 40})) }, "i8{2} [0 -1]"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.Shl(i8, c.From([]int8{-3, 0})) }, "i8{2} [100 -100]"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.Shl(c.From([]int8{1}), c.From([]int8{40})) }, "i8{1} [-128]"},

		// The greatest of complex numbers, and of numbers beside nan.
		{promote.NumPy, func(l *nv.Lib) any { return l.ArgMax(complexes(1+2i, 1+3i, 9i)) }, "i64{} 1"},
		{promote.NumPy, func(l *nv.Lib) any { return l.ArgMin(complexes(1+2i, 1-3i, 1+3i)) }, "i64{} 1"},
		{promote.NumPy, func(l *nv.Lib) any { return l.ArgMax(complexes(9, complex(0, nan), cmplx.NaN())) },
			"i64{} 1"},
		{promote.NumPy, func(l *nv.Lib) any { return l.ArgMin(complexes(9, complex(nan, 0))) }, "i64{} 1"},
		{promote.NumPy, func(l *nv.Lib) any {
			return l.ArgMax(complexes(1, 2, 3, 3i).Reshape(nv.Shape{2, 2}), nv.Axis(0))
		}, "i64{2} [1 0]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.ArgMax(floats(1, nan, 3)) }, "i64{} 1"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.ArgMax(floats(-inf, nan, -3)) }, "i64{} 2"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.ArgMin(floats(nan, 3, 5)) }, "i64{} 1"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.ArgMin(i8) }, "i64{} 1"},
		{promote.JAX, func(l *nv.Lib) any { return l.ArgMax(complexes(1, 2)) },
			"ArgMax(c128{2}): TypeError: gt does not accept a complex dtype at position 0. Accepted dtypes " +
				"at position 0 are subtypes of integer, floating, bool; under jax, complex numbers have no " +
				"order; take nv.Abs or nv.Real first"},

		// Parts and values of complex numbers.
		{promote.NumPy, func(l *nv.Lib) any { return l.Imag(floats(1.5)) }, "f64{1} [0]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Real(floats(1.5)) }, "f64{1} [1.5]"},
		{promote.NumPy, func(l *nv.Lib) any {
			return l.IsFinite(complexes(1, complex(inf, 1), complex(1, nan)))
		}, "i1{3} [true false false]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.IsFinite(floats(1, inf, nan)) }, "i1{3} [true false false]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.IsFinite(i8) }, "i1{2} [true true]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Round(complexes(1.5 - 2.5i)) }, "c128{1} [(2-2i)]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Floor(i8) }, "i8{2} [100 -100]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Any(complexes(1i)) }, "i1{} true"},
		{promote.JAX, func(l *nv.Lib) any { return l.Any(complexes(1i)) }, "i1{} false"},
		{promote.JAX, func(l *nv.Lib) any { return l.All(complexes(1, 2i)) }, "i1{} false"},
		{promote.JAX, func(l *nv.Lib) any { return l.All(complexes(1, 2+1i)) }, "i1{} true"},
		{promote.JAX, func(l *nv.Lib) any {
			return l.Le(complexes(1+2i, 1+2i, 1+2i, 1+2i), complexes(1+2i, 1+1i, 2, 0))
		}, "i1{4} [true false true false]"},
		{promote.JAX64, func(l *nv.Lib) any { return l.LogAddExp(zero, zero).Sub(math.Ln2).Abs().Lt(1e-15) },
			"i1{1} [true]"},

		// Casts of complex numbers: their real parts, but any part makes a bool true, except under TensorFlow.
		{promote.NumPy, func(l *nv.Lib) any { return l.AsType(complexes(2.7+9i, -1), nv.I32) }, "i32{2} [2 -1]"},
		{promote.Torch, func(l *nv.Lib) any { return l.AsType(complexes(2.7+9i, -1), nv.I32) }, "i32{2} [2 -1]"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.AsType(i8, nv.F8E5M2) },
			"AsType(i8{2}): UnimplementedError: Cast int8 to float8_e5m2 is not supported"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.AsType(i8, nv.F32) }, "f32{2} [100 -100]"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.AsType(complexes(2.7+9i, -1), nv.F64) },
			"f64{2} [2.7 -1]"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.AsType(complexes(2.5+9i), nv.C64) }, "c64{1} [(2.5+9i)]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.AsType(complexes(9i, 0), nv.I1) }, "i1{2} [true false]"},
		{promote.Torch, func(l *nv.Lib) any { return l.AsType(complexes(9i, 0), nv.I1) }, "i1{2} [true false]"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.AsType(complexes(9i, 1), nv.I1) }, "i1{2} [false true]"},

		// Division: rounded in f64 by Ivy, and by PyTorch as a product with the reciprocal.
		{promote.IvyPrecise, func(l *nv.Lib) any { return l.FloorDiv(floats(7.5, -7.5, 1), floats(2, 2, 0)) },
			"f64{3} [3 -4 +Inf]"},
		{promote.IvyPrecise, func(l *nv.Lib) any { return l.FloorDiv(whole(7, -7, 0), whole(0, 2, 5)) },
			"i32{3} [-2147483648 -4 0]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Div(49, floats(49)) }, "f64{1} [0.9999999999999999]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Div(49, floats(49)) }, "f64{1} [1]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Div(5, halves(3)) }, "f16{1} [1.6660156]"}, // 1/3 is rounded
		{promote.Torch, func(l *nv.Lib) any { return l.Div(5, halves(3, 2)) }, "f16{2} [1.6660156 2.5]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Div(halves(9, 3), 0.3) }, "f16{2} [30 10]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Mul(halves(9, 3), 0.3) }, "f16{2} [2.6992188 0.89990234]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Mul(whole(2051, 2), c.Full(nil, 3, nv.F16)) },
			"f16{2} [6156 6]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Gcd(c.From([]int8{100, -128}), c.From([]int8{-75, 0})) },
			"i8{2} [25 -128]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Lcm(whole(math.MaxInt32, 4), whole(2, 6)) }, "i32{2} [2 12]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Lcm(c.From([]int8{100}), c.From([]int8{7})) }, "i8{1} [-68]"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.TrueDiv(whole(7), 2) }, "f64{1} [3.5]"},
		{promote.TensorFlowLegacy, func(l *nv.Lib) any { return l.TrueDiv(whole(7), 0.5) }, "f64{1} [14]"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.Mul(c.From([]bool{true, false}), 2) }, "i1{2} [true false]"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.Mul(c.From([]bool{true}), 0.5) }, "i1{1} [false]"},
		{promote.TensorFlow, func(l *nv.Lib) any {
			return l.Mul(c.From([]bool{true, true}), c.From([]bool{true, false}))
		}, "i1{2} [true false]"},

		// Powers.
		{promote.JAX, func(l *nv.Lib) any { return l.Pow(whole(3), true) }, "i32{1} [3]"},
		{promote.JAX, func(l *nv.Lib) any { return l.Pow(whole(3), false) }, "i32{1} [1]"},
		{promote.JAX, func(l *nv.Lib) any { return l.Pow(whole(-1, 1, 2), 1<<40) }, "i32{3} [1 1 0]"},
		{promote.JAX64, func(l *nv.Lib) any { return l.Pow(c.From([]int64{3, 0, 0}), c.From([]int64{33, 33, 0})) },
			"i64{3} [5559060566555523 0 1]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Pow(floats(3, -2), 2) }, "f64{2} [9 4]"},
		{promote.IvyPrecise, func(l *nv.Lib) any { return l.Pow(whole(3, 2), whole(21, 3)) },
			"i32{2} [1870418611 8]"},
		{promote.IvyPrecise, func(l *nv.Lib) any { return l.Pow(whole(3, 2), whole(21, -1)) },
			"i32{2} [-2147483648 0]"},
		{promote.IvyPrecise, func(l *nv.Lib) any { return l.Pow(u8, u8.Mul(0).Add(2)) }, "ui8{2} [16 36]"},
		{promote.IvyPrecise, func(l *nv.Lib) any { return l.Pow(complexes(2+1i), c.Full(nil, inf, nv.F64)) },
			"c128{1} [(0+0i)]"},
		{promote.IvyPrecise, func(l *nv.Lib) any { return l.Pow(complexes(2+1i), c.Full(nil, -inf, nv.F64)) },
			"c128{1} [(NaN+NaNi)]"},
		{promote.IvyPrecise, func(l *nv.Lib) any { return l.Pow(complexes(2+1i), 2) }, "c128{1} [(3+4i)]"},
		{promote.IvyPrecise, func(l *nv.Lib) any { return l.Pow(complexes(2, 2), floats(inf, 1)) },
			"Pow(c128{2}, f64{2}): IvyValueError: numpy: pow: The truth value of an array with more than one " +
				"element is ambiguous. Use a.any() or a.all(); under ivy-precise, give one exponent at a time, " +
				"or nv.Where(y.IsInf(), 0, y)"},

		// Means and medians.
		{promote.JAX, func(l *nv.Lib) any { return l.Median(halves(65504, 65504)) }, "f16{} +Inf"},
		{promote.Anvil, func(l *nv.Lib) any { return l.Median(halves(65504, 65504)) }, "f16{} 65504"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Mean(halves(65504, 65504)) }, "f16{} 65504"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Cumprod(floats(1, 2, 3)) }, "f64{3} [1 2 6]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Mean(i8) }, "f64{} 0"},
		{promote.Torch, func(l *nv.Lib) any { return l.NanMedian(floats(4, 1, nan, 3, 2)) }, "f64{} 2"},
		{promote.NumPy, func(l *nv.Lib) any { return l.NanMedian(floats(4, 1, nan, 3, 2)) }, "f64{} 2.5"},
		{promote.Torch, func(l *nv.Lib) any { return l.Median(none) }, "f32{} NaN"},
		{promote.Torch, func(l *nv.Lib) any { return l.Median(c.Zeros(nv.Shape{0}, nv.I64)) },
			"i64{} -9223372036854775808"},
		{promote.Torch, func(l *nv.Lib) any { return l.Median(c.Zeros(nv.Shape{0}, nv.I1)) }, "i1{} true"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.Mean(c.Zeros(nv.Shape{0}, nv.C64)) }, "c64{} (0+0i)"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.Mean(none) }, "f32{} NaN"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Cov(c.From([][]float32{{1, 2}, {3, 5}})).DType() }, "f64"},
		{promote.Torch, func(l *nv.Lib) any { return l.Cov(c.From([][]float32{{1, 2}, {3, 5}})).DType() }, "f32"},
		{promote.Torch, func(l *nv.Lib) any { return l.Unique(floats(nan, 1, nan)) }, "f64{3} [1 NaN NaN]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Unique(floats(nan, 1, nan)) }, "f64{2} [1 NaN]"},

		// Cumulative sums.
		{promote.Torch, func(l *nv.Lib) any { return l.Cumsum(l.AsType(large, nv.BF16)) }, "bf16{4} [1.6777216e+07 1.6777216e+07 1.6777216e+07 0]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Cumsum(l.AsType(large, nv.F32)) }, "f32{4} [1.6777216e+07 1.6777216e+07 1.6777218e+07 2]"},
		{promote.Torch, func(l *nv.Lib) any { return l.Cumsum(l.AsType(large, nv.C64)) }, "c64{4} [(1.6777216e+07+0i) (1.6777216e+07+0i) (1.6777218e+07+0i) (2+0i)]"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Div(1, l.Imag(l.Cumsum(complexes(complex(1, math.Copysign(0, -1)))))) },
			"f64{1} [-Inf]"},

		// Nothing has no greatest element.
		{promote.NumPy, func(l *nv.Lib) any { return l.Max(none) },
			"Max(f32{0}): ValueError: zero-size array to reduction operation maximum which has no identity; under " +
				"numpy, give at least one element"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Min(none) },
			"Min(f32{0}): ValueError: zero-size array to reduction operation minimum which has no identity; under " +
				"numpy, give at least one element"},
		{promote.NumPy, func(l *nv.Lib) any { return l.ArgMin(none) },
			"ArgMin(f32{0}): ValueError: attempt to get argmin of an empty sequence; under numpy, give at " +
				"least one element"},
		{promote.Torch, func(l *nv.Lib) any { return l.Ptp(none) },
			"Ptp(f32{0}): RuntimeError: max(): Expected reduction dim to be specified for input.numel() == " +
				"0. Specify the reduction dim with the 'dim' argument; under torch, give at least one element"},
		{promote.Torch, func(l *nv.Lib) any { return l.Min(none) },
			"Min(f32{0}): RuntimeError: min(): Expected reduction dim to be specified for input.numel() == " +
				"0. Specify the reduction dim with the 'dim' argument; under torch, give at least one element"},
		{promote.Torch, func(l *nv.Lib) any { return l.ArgMin(none) },
			"ArgMin(f32{0}): IndexError: argmin(): Expected reduction dim to be specified for " +
				"input.numel() == 0; under torch, give at least one element"},
		{promote.TensorFlow, func(l *nv.Lib) any { return l.ArgMax(none) },
			"ArgMax(f32{0}): InvalidArgumentError: Reduction axis 0 is empty in shape [0]; under tensorflow, give " +
				"at least one element"},
		{promote.JAX, func(l *nv.Lib) any { return l.Median(none) },
			"Median(f32{0}): TypeError: Slice size at index 0 in gather op is out of range, must be within " +
				"[0, 0 + 1), got 1; under jax, give at least one element"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Max(rows, nv.Axis(1)) }, "f32{0} []"},
		{promote.NumPy, func(l *nv.Lib) any { return l.Min(rows, nv.Axis(0)) },
			"Min(f32{0,3}): ValueError: zero-size array to reduction operation minimum which has no identity; " +
				"under numpy, give at least one element"},
		{promote.JAX, func(l *nv.Lib) any { return l.Ptp(rows, nv.Axis(-1), nv.KeepDims) }, "f32{0,1} []"},
		{promote.Torch, func(l *nv.Lib) any { return l.Max(rows, nv.Axis(1)) }, "f32{0} []"},
		{promote.Torch, func(l *nv.Lib) any { return l.Ptp(rows, nv.Axis(1)) }, "f32{0} []"},
		{promote.Torch, func(l *nv.Lib) any { return l.Max(rows, nv.KeepDims) },
			"Max(f32{0,3}): RuntimeError: max(): Expected reduction dim to be specified for input.numel() == 0. " +
				"Specify the reduction dim with the 'dim' argument; under torch, give at least one element"},
		{promote.Torch, func(l *nv.Lib) any { return l.Min(rows, nv.Axis(-2)) },
			"Min(f32{0,3}): IndexError: min(): Expected reduction dim 0 to have non-zero size."},
		{promote.Torch, func(l *nv.Lib) any { return l.ArgMax(rows, nv.Axis(0)) },
			"ArgMax(f32{0,3}): IndexError: argmax(): Expected reduction dim 0 to have non-zero size."},
		{promote.Torch, func(l *nv.Lib) any { return l.Median(rows, 1) }, "f32{0} []"},
		{promote.Torch, func(l *nv.Lib) any { return l.Median(rows, 0) },
			"Median(f32{0,3}): IndexError: median(): Expected reduction dim 0 to have non-zero size."},
	} {
		var got any
		if err := nv.Try(func() { got = row.what(c.With(row.system)) }); err != nil {
			got = err
		}
		text := ""
		switch got := got.(type) {
		case nv.Tensor:
			text = got.String()
		case error:
			text = got.Error()
		case nv.DType:
			text = got.String()
		}
		if text != row.want {
			t.Errorf("%s: %s, want %s", row.system.Name(), text, row.want)
		}
	}
}

// TestLogAddExpOfComplex checks that the imaginary part of a logarithm lies between -pi and pi, and that the greater
// operand is factored out, which cannot overflow.
func TestLogAddExpOfComplex(t *testing.T) {
	l := nv.NewContext(nv.ContextOptions{Executor: engine.NewReference()}).With(promote.JAX64)
	of := func(x, y complex128) complex128 {
		r := l.LogAddExp(l.Full(nv.Shape{1}, x, nv.C128), l.Full(nv.Shape{1}, y, nv.C128))
		return r.Values().([]complex128)[0]
	}
	for _, c := range []struct{ x, y complex128 }{
		{1 + 1i, 2 + 2i}, {2 + 2i, 1 + 1i}, {1 + 4i, 1 + 4.2i}, {1 + 4.2i, 1 + 4i}, {-4i, 0.5 - 4.2i}, {3, 1},
	} {
		got := of(c.x, c.y)
		if want := cmplx.Log(cmplx.Exp(c.x) + cmplx.Exp(c.y)); cmplx.Abs(got-want) > 1e-14 {
			t.Errorf("LogAddExp of %v and %v is %v, want %v", c.x, c.y, got, want)
		}
	}
	if got := of(800+1i, 1i); got != 800+1i {
		t.Errorf("LogAddExp of 800+i and i is %v", got)
	}
}

// framework returns the framework of a system.
func framework(t *testing.T, sys *promote.System) *emulate.Framework {
	t.Helper()
	f, err := emulate.Of(sys)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestDTypesOfMeans checks the dtypes in which means, variances and sums are computed.
func TestDTypesOfMeans(t *testing.T) {
	all := []dtype.DType{dtype.I1, dtype.U8, dtype.I32, dtype.F16, dtype.BF16, dtype.F32, dtype.C64}
	for _, c := range []struct {
		system                        *promote.System
		mean, variance, moment, total string
	}{
		{promote.Anvil, "i1 ui8 i32 f16 bf16 f32 c64", "i1 ui8 i32 f16 bf16 f32 c64", "i1 ui8 i32 f16 bf16 f32 c64",
			"i1 ui8 i32 f32 f32 f32 c64"},
		{promote.NumPy, "i1 ui8 i32 f32 bf16 f32 c64", "i1 ui8 i32 f16 bf16 f32 c64", "i1 ui8 i32 f16 bf16 f32 c64",
			"i1 ui8 i32 f32 bf16 f32 c64"},
		{promote.JAX, "i1 ui64 i64 f32 f32 f32 c64", "i1 ui64 i64 f32 f32 f32 c64", "i1 ui8 i32 f16 bf16 f32 c64",
			"i1 ui8 i32 f32 f32 f32 c64"},
		{promote.Torch, "i1 ui64 i64 f32 f32 f32 c64", "i1 ui8 i32 f64 f64 f64 c64", "i1 ui8 i32 f16 bf16 f32 c64",
			"i1 ui8 i32 f32 f32 f32 c64"},
		{promote.TensorFlow, "i1 ui64 i64 f16 f32 f32 c64", "i1 ui8 i32 f16 bf16 f32 c64", "i1 ui64 i64 f16 f32 f32 c64",
			"i1 ui8 i32 f32 f32 f32 c64"},
	} {
		f := framework(t, c.system)
		for _, x := range []struct {
			what, want string
			of         func(dtype.DType) dtype.DType
		}{
			{"mean", c.mean, f.MeanDType}, {"variance", c.variance, f.VarianceDType},
			{"moment", c.moment, f.MomentDType}, {"sum", c.total, f.SumDType},
		} {
			names := make([]string, len(all))
			for i, d := range all {
				names[i] = x.of(d).String()
			}
			if got := strings.Join(names, " "); got != x.want {
				t.Errorf("%s: %ss are computed in %s, want %s", c.system.Name(), x.what, got, x.want)
			}
		}
	}
}

// TestFaults checks which errors of values each framework has, and their classes.
func TestFaults(t *testing.T) {
	names := []string{"DivideByZero", "TruncateByZero", "NegativePower", "NoMaximum", "NoMinimum", "NoPosition", "NoLeastPosition",
		"NoMedian", "InfinitePower", "NoOrder", "Singular", "SingularSystem", "SingularFactors", "NotPositive",
		"NotANumberMinor", "NotFinite", "NotFiniteEquation", "NotFiniteSquare"}
	for _, c := range []struct {
		system *promote.System
		want   map[string]string // the function and class of each error
	}{
		{promote.Anvil, nil},
		{promote.NumPy, map[string]string{"NegativePower": "power ValueError", "NoMaximum": "max ValueError",
			"NoMinimum": "min ValueError", "NoPosition": "argmax ValueError", "NoLeastPosition": "argmin ValueError", "Singular": "inv LinAlgError",
			"SingularSystem": "solve LinAlgError", "NotPositive": "cholesky LinAlgError", "NotFinite": "svd LinAlgError",
			"NotFiniteEquation": "lstsq LinAlgError"}},
		{promote.IvyPrecise, map[string]string{"NoMaximum": "max IvyValueError", "NoMinimum": "min ValueError",
			"NoPosition": "argmax IvyValueError", "NoLeastPosition": "argmin IvyValueError", "InfinitePower": "pow IvyValueError", "Singular": "inv IvyValueError",
			"SingularSystem": "solve IvyValueError", "NotPositive": "cholesky IvyValueError",
			"NotFinite": "svd IvyValueError", "NotFiniteEquation": "lstsq IvyValueError"}},
		{promote.JAX, map[string]string{"NoMaximum": "max ValueError", "NoMinimum": "min ValueError",
			"NoPosition": "argmax ValueError", "NoLeastPosition": "argmin ValueError", "NoOrder": "argmax TypeError", "NoMedian": "median TypeError"}},
		{promote.Torch, map[string]string{"DivideByZero": "floor_divide RuntimeError", "TruncateByZero": "div RuntimeError",
			"NoMaximum": "max RuntimeError", "NoMinimum": "min RuntimeError", "NoPosition": "argmax IndexError", "NoLeastPosition": "argmin IndexError",
			"Singular": "inv LinAlgError", "SingularSystem": "solve LinAlgError", "SingularFactors": "lu_factor RuntimeError",
			"NotPositive": "cholesky LinAlgError", "NotANumberMinor": "cholesky LinAlgError", "NotFinite": "svd LinAlgError"}},
		{promote.TensorFlow, map[string]string{"DivideByZero": "floor_divide InvalidArgumentError",
			"TruncateByZero": "truncatediv InternalError", "NegativePower": "pow InvalidArgumentError",
			"NoPosition": "argmax InvalidArgumentError", "NoLeastPosition": "argmin InvalidArgumentError", "Singular": "inv InvalidArgumentError",
			"SingularSystem": "solve InvalidArgumentError", "SingularFactors": "lu InvalidArgumentError",
			"NotFiniteSquare": "eigh InvalidArgumentError"}},
	} {
		f := framework(t, c.system)
		for i, name := range names {
			got := ""
			var refusal *promote.Refusal
			if err := f.Fault(emulate.Fault(i)); errors.As(err, &refusal) {
				got = refusal.Op + " " + refusal.Kind
			} else if err != nil {
				t.Errorf("%s: %s is %v", c.system.Name(), name, err)
			}
			if got != c.want[name] {
				t.Errorf("%s: %s is %q, want %q", c.system.Name(), name, got, c.want[name])
			}
		}
	}
}

// TestFaultTexts checks the texts of these errors, and the advice for avoiding them.
func TestFaultTexts(t *testing.T) {
	for _, row := range []struct {
		system *promote.System
		fault  emulate.Fault
		want   string
	}{
		{promote.NumPy, emulate.NegativePower, "Integers to negative integer powers are not allowed."},
		{promote.NumPy, emulate.NoMaximum,
			"zero-size array to reduction operation maximum which has no identity"},
		{promote.NumPy, emulate.NoMinimum,
			"zero-size array to reduction operation minimum which has no identity"},
		{promote.NumPy, emulate.NoPosition, "attempt to get argmax of an empty sequence"},
		{promote.NumPy, emulate.NoLeastPosition, "attempt to get argmin of an empty sequence"},
		{promote.NumPy, emulate.Singular, "Singular matrix"},
		{promote.NumPy, emulate.SingularSystem, "Singular matrix"},
		{promote.NumPy, emulate.NotPositive, "Matrix is not positive definite"},
		{promote.NumPy, emulate.NotFinite, "SVD did not converge"},
		{promote.NumPy, emulate.NotFiniteEquation, "SVD did not converge in Linear Least Squares"},
		{promote.IvyPrecise, emulate.NoMaximum,
			"numpy: max: zero-size array to reduction operation maximum which has no " +
				"identity"},
		{promote.IvyPrecise, emulate.NoMinimum,
			"zero-size array to reduction operation minimum which has no identity"},
		{promote.IvyPrecise, emulate.NoPosition, "numpy: argmax: attempt to get argmax of an empty sequence"},
		{promote.IvyPrecise, emulate.NoLeastPosition,
			"numpy: argmin: attempt to get argmin of an empty sequence"},
		{promote.IvyPrecise, emulate.InfinitePower,
			"numpy: pow: The truth value of an array with more than one element is " +
				"ambiguous. Use a.any() or a.all()"},
		{promote.IvyPrecise, emulate.Singular, "numpy: inv: Singular matrix"},
		{promote.IvyPrecise, emulate.SingularSystem, "numpy: solve: Singular matrix"},
		{promote.IvyPrecise, emulate.NotPositive, "numpy: cholesky: Matrix is not positive definite"},
		{promote.IvyPrecise, emulate.NotFinite, "numpy: svd: SVD did not converge"},
		{promote.IvyPrecise, emulate.NotFiniteEquation,
			"numpy: lstsq: SVD did not converge in Linear Least Squares"},
		{promote.JAX, emulate.NoMaximum, "zero-size array to reduction operation max which has no identity"},
		{promote.JAX, emulate.NoMinimum, "zero-size array to reduction operation min which has no identity"},
		{promote.JAX, emulate.NoPosition, "attempt to get argmax of an empty sequence"},
		{promote.JAX, emulate.NoLeastPosition, "attempt to get argmin of an empty sequence"},
		{promote.JAX, emulate.NoMedian,
			"Slice size at index 0 in gather op is out of range, must be within [0, 0 + 1), " +
				"got 1."},
		{promote.JAX, emulate.NoOrder,
			"gt does not accept a complex dtype at position 0. Accepted dtypes at position " +
				"0 are subtypes of integer, floating, bool."},
		{promote.TensorFlow, emulate.DivideByZero, "Integer division by zero"},
		{promote.TensorFlow, emulate.TruncateByZero,
			"Integer division by zero|Unexpected error in binary operator (only " +
				"integer div and mod should have errors)"},
		{promote.TensorFlow, emulate.NegativePower, "Integers to negative integer powers are not allowed"},
		{promote.TensorFlow, emulate.NoPosition, "Reduction axis 0 is empty in shape [0]"},
		{promote.TensorFlow, emulate.NoLeastPosition, "Reduction axis 0 is empty in shape [0]"},
		{promote.TensorFlow, emulate.Singular, "Input is not invertible."},
		{promote.TensorFlow, emulate.SingularSystem, "Input matrix is not invertible."},
		{promote.TensorFlow, emulate.SingularFactors, "Input is not invertible."},
		{promote.TensorFlow, emulate.NotFiniteSquare,
			"Self-adjoint eigen decomposition was not successful. The input might " +
				"not be valid."},
		{promote.Torch, emulate.DivideByZero, "ZeroDivisionError"},
		{promote.Torch, emulate.TruncateByZero, "ZeroDivisionError"},
		{promote.Torch, emulate.NoMaximum,
			"max(): Expected reduction dim to be specified for input.numel() == 0. Specify " +
				"the reduction dim with the 'dim' argument."},
		{promote.Torch, emulate.NoMinimum,
			"min(): Expected reduction dim to be specified for input.numel() == 0. Specify " +
				"the reduction dim with the 'dim' argument."},
		{promote.Torch, emulate.NoPosition,
			"argmax(): Expected reduction dim to be specified for input.numel() == 0."},
		{promote.Torch, emulate.NoLeastPosition,
			"argmin(): Expected reduction dim to be specified for input.numel() == 0."},
		{promote.Torch, emulate.Singular,
			"linalg.inv: {batch}The diagonal element {k} is zero, the inversion could not be " +
				"completed because the input matrix is singular."},
		{promote.Torch, emulate.SingularSystem,
			"torch.linalg.solve: {batch}The solver failed because the input matrix is " +
				"singular."},
		{promote.Torch, emulate.SingularFactors,
			"torch.linalg.lu_factor: {batch}U[{k},{k}] is zero and using it on " +
				"lu_solve would result in a division by zero. If you still want to perform the factorization, " +
				"consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"},
		{promote.Torch, emulate.NotPositive,
			"linalg.cholesky: {batch}The factorization could not be completed because " +
				"the input is not positive-definite (the leading minor of order {k} is not positive-definite)."},
		{promote.Torch, emulate.NotANumberMinor,
			"linalg.cholesky: {batch}The factorization could not be completed because " +
				"the input is not positive-definite (the leading minor of order {k} is not positive-definite)."},
		{promote.Torch, emulate.NotFinite,
			"linalg.svd: {batch}The algorithm failed to converge because the input matrix " +
				"contained non-finite values."},
	} {
		err := framework(t, row.system).Faults[row.fault]
		if got := strings.TrimSuffix(err.Reason+"|"+err.Whole, "|"); got != row.want {
			t.Errorf("%s: fault %d is %q, want %q", row.system.Name(), row.fault, got, row.want)
		}
	}
	for fault, want := range map[emulate.Fault]string{
		emulate.DivideByZero:    "integers cannot be divided by 0; select another divisor: nv.Where(y.Eq(0), 1, y)",
		emulate.TruncateByZero:  "integers cannot be divided by 0; select another divisor: nv.Where(y.Eq(0), 1, y)",
		emulate.NegativePower:   "integers have no negative powers; make the base a float with AsType",
		emulate.NoMaximum:       "give at least one element",
		emulate.NoMinimum:       "give at least one element",
		emulate.NoPosition:      "give at least one element",
		emulate.NoLeastPosition: "give at least one element",
		emulate.NoMedian:        "give at least one element",
		emulate.InfinitePower:   "give one exponent at a time, or nv.Where(y.IsInf(), 0, y)",
		emulate.NoOrder:         "complex numbers have no order; take nv.Abs or nv.Real first",
		emulate.Singular:        "nv.PInv(x) returns a pseudoinverse of any matrix",
		emulate.SingularSystem:  "nv.Lstsq(a, b) returns the least-squares solution of least norm",
		emulate.SingularFactors: "nv.LU(x) factorizes any matrix",
		emulate.NotPositive: "nv.EigValsH(x) shows which eigenvalues are not positive; add a small number to the diagonal, or " +
			"use nv.LU",
		emulate.NotANumberMinor:   "nv.IsNaN(x) shows which elements of x are nan",
		emulate.NotFinite:         "nv.IsFinite(x) shows which elements of x are finite",
		emulate.NotFiniteEquation: "nv.IsFinite(a) shows which elements of a are finite",
		emulate.NotFiniteSquare:   "nv.IsFinite(x) shows which elements of x are finite",
	} {
		if got := fault.Hint(); got != want {
			t.Errorf("the hint of fault %d is %q, want %q", fault, got, want)
		}
	}
}

// TestLackingFunctions checks which dtypes linear algebra, norms, transforms and layers reject, and PyTorch's messages,
// as torch 2.15 has them.
func TestLackingFunctions(t *testing.T) {
	const inexact = "Expected a floating point or complex tensor as input. Got "
	for _, c := range []struct {
		system     *promote.System
		family, op string
		d          dtype.DType
		want       string
	}{
		{promote.NumPy, "linear", "Inv", dtype.F16, "numpy has no linear algebra of f16"},
		{promote.NumPy, "linear", "Inv", dtype.F32, ""},
		{promote.NumPy, "linear", "Inv", dtype.I8, ""},
		{promote.JAX, "linear", "QR", dtype.BF16, "jax has no linear algebra of bf16"},
		{promote.Torch, "linear", "Inv", dtype.F32, ""},
		{promote.Torch, "linear", "Inv", dtype.C64, ""},
		{promote.Torch, "linear", "Inv", dtype.F16, "linalg.inv: Low precision dtypes not supported. Got Half"},
		{promote.Torch, "linear", "Inv", dtype.I32, "linalg.inv: " + inexact + "Int"},
		{promote.Torch, "linear", "SlogDet", dtype.F16, "linalg.slogdet: Low precision dtypes not supported. Got Half"},
		{promote.Torch, "linear", "Expm", dtype.I64, "linalg.matrix_exp: " + inexact + "Long"},
		{promote.Torch, "linear", "Cholesky", dtype.F16, `"cholesky_cpu" not implemented for 'Half'`},
		{promote.Torch, "linear", "Cholesky", dtype.I32, "linalg.cholesky: " + inexact + "Int"},
		{promote.Torch, "linear", "TriangularSolve", dtype.I32, `"triangular_solve_cpu" not implemented for 'Int'`},
		{promote.Torch, "linear", "Solve", dtype.F16, `"lu_cpu" not implemented for 'Half'`},
		{promote.Torch, "linear", "Solve", dtype.I32, "linalg.solve: " + inexact + "Int"},
		{promote.Torch, "linear", "Det", dtype.I32, "linalg.det: " + inexact + "Int"},
		{promote.Torch, "linear", "LU", dtype.I32, `"lu_cpu" not implemented for 'Int'`},
		{promote.Torch, "linear", "LUFactor", dtype.BF16, `"lu_cpu" not implemented for 'BFloat16'`},
		{promote.Torch, "linear", "QR", dtype.F16, `"geqrf_cpu" not implemented for 'Half'`},
		{promote.Torch, "linear", "QR", dtype.U8, "linalg.qr: " + inexact + "Byte"},
		{promote.Torch, "linear", "Eigh", dtype.F16, `"linalg_eigh_cpu" not implemented for 'Half'`},
		{promote.Torch, "linear", "EigValsH", dtype.I32, `"linalg_eigh_cpu" not implemented for 'Int'`},
		{promote.Torch, "linear", "SVD", dtype.F16, `"linalg_svd_cpu" not implemented for 'Half'`},
		{promote.Torch, "linear", "SVDVals", dtype.I32, "linalg.svd: " + inexact + "Int"},
		{promote.Torch, "linear", "Cond", dtype.F16, `"linalg_svd_cpu" not implemented for 'Half'`},
		{promote.Torch, "norm", "Norm", dtype.I64, "linalg.vector_norm: " + inexact + "Long"},
		{promote.Torch, "norm", "Norm", dtype.F16, ""},
		{promote.Torch, "transform", "FFT", dtype.F16, "under torch there is no transform of f16"},
		{promote.Torch, "transform", "FFT", dtype.F32, ""},
		{promote.Torch, "transform", "FFT", dtype.F64, ""},
		{promote.Torch, "transform", "FFT", dtype.I32, ""},
		{promote.Torch, "linear", "Frexp", dtype.I32, "This function doesn't handle types other than float and double"},
	} {
		lacks := framework(t, c.system).Lacks[c.family]
		if got := lacks(c.system.Name(), c.op, c.d); got != c.want {
			t.Errorf("%s: %s of %s: %q, want %q", c.system.Name(), c.op, c.d, got, c.want)
		}
	}
	for _, c := range []struct {
		system *promote.System
		x, w   dtype.DType
		want   string
	}{
		{promote.Torch, dtype.F32, dtype.F64, "under torch input and weights must have one dtype, not f32 and f64"},
		{promote.Torch, dtype.F32, dtype.F32, ""},
		{promote.Anvil, dtype.F32, dtype.F64, ""},
	} {
		if got := framework(t, c.system).Layer(c.system.Name(), c.x, c.w); got != c.want {
			t.Errorf("%s: a layer of %s and %s: %q, want %q", c.system.Name(), c.x, c.w, got, c.want)
		}
	}
}

// TestFrameworks checks what else frameworks differ in: the corrections and methods that are the default, the least
// divisor of a mean, the flag of linear algebra and the rules that only other frameworks have.
func TestFrameworks(t *testing.T) {
	known, ambiguous := promote.Known(dtype.F32), dtype.Typed{DType: dtype.F32, Ambiguous: true}
	for _, c := range []struct {
		system        *promote.System
		correction    int
		nanMedian     string
		least         int  // the least divisor of a complex mean
		followsOrigin bool // linear algebra on a known integer gives a known result
		reduces       bool
		rules         string
	}{
		{promote.Anvil, 0, "linear", 0, false, false, ""},
		{promote.NumPy, 0, "linear", 0, false, true, "TruncDiv"},
		{promote.ArrayAPI, 0, "linear", 0, false, true, "TruncDiv"},
		{promote.JAX, 0, "linear", 0, true, false, "Std"},
		{promote.JAXStrict, 0, "linear", 0, false, false, "Std"},
		{promote.Torch, 1, "lower", 0, false, false, "Gcd"},
		{promote.TensorFlow, 0, "linear", 1, false, false, "Shl"},
	} {
		f, name := framework(t, c.system), c.system.Name()
		if f.Correction != c.correction || f.NaNMedian != c.nanMedian || (f.Reduce != nil) != c.reduces {
			t.Errorf("%s: correction %d, nan median %q, reduces %v", name, f.Correction, f.NaNMedian, f.Reduce != nil)
		}
		if f.LeastCount(dtype.C64) != c.least || f.LeastCount(dtype.F32) != 0 {
			t.Errorf("%s: least counts %d and %d", name, f.LeastCount(dtype.C64), f.LeastCount(dtype.F32))
		}
		if f.LinearFlag(known, ambiguous) == c.followsOrigin || f.LinearFlag(ambiguous, known) != c.followsOrigin {
			t.Errorf("%s: linear algebra is ambiguous as the wrong type", name)
		}
		for _, rule := range []string{"TruncDiv", "Std", "Gcd", "Shl"} {
			if _, ok := f.Ops[rule]; ok != (rule == c.rules) {
				t.Errorf("%s: a rule of %s: %v", name, rule, ok)
			}
		}
		if mean, err := f.Covariance(c.system, known); err != nil || mean.DType != map[bool]dtype.DType{
			true: dtype.F64, false: dtype.F32}[c.reduces] {
			t.Errorf("%s: a covariance of f32 is %v, %v", name, mean, err)
		}
	}
	sys := promote.New("mine", "rules of my own", nil, promote.Rules{Framework: "mylib"})
	_, err := emulate.Of(sys)
	want := &dtype.Error{Op: "promote", Operands: "mine", Reason: "there is no framework called mylib",
		Hint: "Rules.Framework is one of  arrayapi ivy jax jaxstrict numpy tensorflow torch"}
	if err == nil || err.Error() != want.Error() {
		t.Errorf("the error for an unknown framework is %v", err)
	}
}
