package anvil_test

import (
	"math"
	"math/cmplx"
	"reflect"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

// plainGo returns a Context that computes by the evaluator in Go.
func plainGo(t *testing.T) *nv.Context {
	t.Helper()
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	t.Cleanup(func() { c.Close() })
	return c
}

// TestValuesAreTheSystems: under each system, an operation has the values or the error of the
// real library. Each expectation was tried there.
func TestValuesAreTheSystems(t *testing.T) {
	c := plainGo(t)
	i8, u8 := c.From([]int8{100, -100}), c.From([]uint8{100, 250})
	i64, u64 := c.From([]int64{-1, 5}), c.From([]uint64{math.MaxUint64, 5})
	negative := c.From([]float32{float32(math.Copysign(0, -1))})
	odd := c.From([]float64{300, -1, math.NaN()})
	for _, row := range []struct {
		system *promote.System
		what   func(l *nv.Lib) nv.Tensor
		want   string
	}{
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.FloorDiv(i8, 0) }, "i8{2} [0 0]"},
		{promote.JAX, func(l *nv.Lib) nv.Tensor { return l.FloorDiv(i8, 0) }, "i8{2} [-2 -2]"},
		{promote.Anvil, func(l *nv.Lib) nv.Tensor { return l.Div(i8, 0) }, "i8{2} [-1 -1]"},
		{promote.IvyPrecise, func(l *nv.Lib) nv.Tensor { return l.FloorDiv(c.From([]int32{7, -7, 0}), c.From([]int32{0, 2, 0})) }, "i32{3} [-2147483648 -4 -2147483648]"},
		{promote.IvyPrecise, func(l *nv.Lib) nv.Tensor {
			return l.Maximum(c.From([]float64{math.NaN(), 1}), c.From([]float64{2, math.NaN()}))
		}, "f64{2} [2 NaN]"},
		{promote.JAX, func(l *nv.Lib) nv.Tensor {
			return l.Minimum(c.From([]complex64{complex64(cmplx.NaN()), 1}), c.From([]complex64{100, complex64(cmplx.NaN())}))
		}, "c64{2} [(100+0i) (NaN+NaNi)]"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.FloorDiv(i8, 0) },
			"FloorDiv(i8{2}, int 0): RuntimeError: ZeroDivisionError; under torch, integers cannot be " +
				"divided by 0; select another divisor: nv.Where(y.Eq(0), 1, y)"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Rem(i8, c.From([]int8{1, 0})) },
			"Rem(i8{2}, i8{2}): RuntimeError: ZeroDivisionError; under torch, integers cannot be divided " +
				"by 0; select another divisor: nv.Where(y.Eq(0), 1, y)"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Div(i8, i8.Mul(0), nv.RoundingMode("trunc")) },
			"Div(i8{2}, i8{2}): RuntimeError: ZeroDivisionError; under torch, integers cannot be divided " +
				"by 0; select another divisor: nv.Where(y.Eq(0), 1, y)"},
		{promote.TensorFlow, func(l *nv.Lib) nv.Tensor { return l.Atan2(u8, -1) },
			"Atan2(ui8{2}, int -1): InvalidArgumentError: Value for attr 'T' of uint8 is not in the list " +
				"of allowed values"},
		{promote.TensorFlow, func(l *nv.Lib) nv.Tensor { return l.Atan2(c.From([]bool{true}), c.From([]bool{true})) },
			"Atan2(i1{1}, i1{1}): InvalidArgumentError: Value for attr 'T' of bool is not in the list of " +
				"allowed values"},
		{promote.TensorFlow, func(l *nv.Lib) nv.Tensor { return l.Atan2(c.Ones(nv.Shape{1}, nv.C64), c.Ones(nv.Shape{1}, nv.C64)) },
			"Atan2(c64{1}, c64{1}): InvalidArgumentError: Value for attr 'T' of complex64 is not in the " +
				"list of allowed values"},
		{promote.TensorFlow, func(l *nv.Lib) nv.Tensor { return l.Atan2(negative, i64) },
			"Atan2(f32{1}, i64{2}): InvalidArgumentError: cannot compute Atan2 as input #1(zero-based) was " +
				"expected to be a float tensor but is a int64 tensor"},
		{promote.TensorFlow, func(l *nv.Lib) nv.Tensor { return l.Atan2(negative, 1) }, "f32{1} [-0]"},
		{promote.TensorFlow, func(l *nv.Lib) nv.Tensor { return l.FloorDiv(i8, 0) },
			"FloorDiv(i8{2}, int 0): InvalidArgumentError: Integer division by zero; under tensorflow, " +
				"integers cannot be divided by 0; select another divisor: nv.Where(y.Eq(0), 1, y)"},
		{promote.TensorFlow, func(l *nv.Lib) nv.Tensor { return l.TruncDiv(i8, 0) },
			"TruncDiv(i8{2}, int 0): InternalError: Integer division by zero; under tensorflow, integers " +
				"cannot be divided by 0; select another divisor: nv.Where(y.Eq(0), 1, y)"},

		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Pow(2, i8) },
			"Pow(int 2, i8{2}): ValueError: Integers to negative integer powers are not allowed; under " +
				"numpy, integers have no negative powers; make the base a float with AsType"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Pow(u8, -1) },
			"Pow(ui8{2}, int -1): OverflowError: Python integer -1 out of bounds for uint8"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Pow(i8, -1) },
			"Pow(i8{2}, int -1): ValueError: Integers to negative integer powers are not allowed."},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Pow(i8, 300) },
			"Pow(i8{2}, int 300): OverflowError: Python integer 300 out of bounds for int8"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Div(i8, 400) }, "f64{2} [0.25 -0.25]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.TrueDiv(-500, u8) }, "f64{2} [-5 -2]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Atan2(c.From([]int8{2}), 300) }, "f16{1} [0.006668091]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.FloorDiv(i8, 300) },
			"FloorDiv(i8{2}, int 300): OverflowError: Python integer 300 out of bounds for int8"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Prod(c.Zeros(nv.Shape{0}, nv.BF16)) }, "bf16{} 1"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Prod(c.Zeros(nv.Shape{0, 2}, nv.BF16), nv.Axis(0)) }, "bf16{2} [1 1]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Std(c.Zeros(nv.Shape{0}, nv.BF16)) }, "bf16{} NaN"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Pow(2, i8) }, "i8{2} [0 0]"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Pow(i8, -1) },
			"Pow(i8{2}, int -1): RuntimeError: Integers to negative integer powers are not allowed."},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Pow(i8, 128) },
			"Pow(i8{2}, int 128): RuntimeError: value cannot be converted to type int8_t without overflow"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Pow(i8, 127) }, "i8{2} [0 0]"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Pow(i8, -129) },
			"Pow(i8{2}, int -129): RuntimeError: Integers to negative integer powers are not allowed."},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Pow(300, i8) }, "i8{2} [0 0]"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Pow(c.New([]float64{1}, nv.F16), 70000) },
			"Pow(f16{1}, int 70000): RuntimeError: value cannot be converted to type c10::Half without " +
				"overflow"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Pow(c.New([]float64{1}, nv.F32), 1e300) }, "f32{1} [1]"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Pow(c.From([]bool{true, false}), true) }, "i1{2} [true false]"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Pow(c.From([]bool{true, false}), false) }, "i1{2} [true true]"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Where(true, i8, 300) },
			"Where(bool true, i8{2}, int 300): RuntimeError: value cannot be converted to type int8_t " +
				"without overflow"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Where(true, u8, -255) }, "ui8{2} [100 250]"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Where(true, -256, u8) },
			"Where(bool true, int -256, ui8{2}): RuntimeError: value cannot be converted to type uint8_t " +
				"without overflow"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Where(true, c.New([]float64{1}, nv.F16), 70000) }, "f16{1} [1]"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Where(true, c.New([]float64{1}, nv.F32), 1e39) },
			"Where(bool true, f32{1}, float64 1e+39): RuntimeError: value cannot be converted to type " +
				"float without overflow"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Maximum(i8, 5) },
			"Maximum(i8{2}, int 5): TypeError: maximum(): argument 'other' (position 2) must be Tensor, " +
				"not int"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Minimum(2.5, i8) },
			"Minimum(float64 2.5, i8{2}): TypeError: minimum(): argument 'input' (position 1) must be " +
				"Tensor, not float"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Atan2(i8, 1) },
			"Atan2(i8{2}, int 1): TypeError: atan2(): argument 'other' (position 2) must be Tensor, not int"},
		{promote.JAX, func(l *nv.Lib) nv.Tensor { return l.Pow(i8, -1) },
			"Pow(i8{2}, int -1): TypeError: Integers cannot be raised to negative powers, got integer_pow"},
		{promote.JAX64, func(l *nv.Lib) nv.Tensor { return l.Pow(c.From([]int64{2}), c.From([]int64{64})) }, "i64{1} [1]"},

		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Shl(i8, 10) }, "i8{2} [0 0]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Shr(i8, -1) }, "i8{2} [0 -1]"},
		{promote.TensorFlow, func(l *nv.Lib) nv.Tensor { return l.Shl(c.From([]int8{1}), c.From([]int8{40})) }, "i8{1} [-128]"},

		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Lt(i8, 300) }, "i1{2} [true true]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Ge(u8, -1) }, "i1{2} [true true]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Gt(300, i8) }, "i1{2} [true true]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Lt(u64, -1) }, "i1{2} [false false]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Lt(i64, u64) }, "i1{2} [true false]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Eq(u64, i64) }, "i1{2} [false true]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Gt(u64, i64) }, "i1{2} [true false]"},
		{promote.JAX64, func(l *nv.Lib) nv.Tensor { return l.Eq(c.From([]int64{-1}), c.From([]uint64{0})) },
			"i1?{1} [false]"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Lt(i8, 300) }, "i1{2} [false true]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Add(i8, 300) },
			"Add(i8{2}, int 300): OverflowError: Python integer 300 out of bounds for int8"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Add(i8, 300) }, "i8{2} [-112 -56]"},
		{promote.JAX, func(l *nv.Lib) nv.Tensor { return l.Mul(i8, 1<<40) },
			"Mul(i8{2}, int 1099511627776): OverflowError: Python int 1099511627776 too large to convert " +
				"to int32"},

		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.AsType(odd, nv.U8) }, "ui8{3} [44 255 0]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.AsType(odd, nv.I32) }, "i32{3} [300 -1 -2147483648]"},
		{promote.JAX, func(l *nv.Lib) nv.Tensor { return l.AsType(odd, nv.U8) }, "ui8{3} [255 0 0]"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.AsType(c.From([]float64{500}), nv.F8E4M3FN) }, "f8e4m3fn{1} [448]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.AsType(c.From([]float64{500}), nv.F8E4M3FN) }, "f8e4m3fn{1} [NaN]"},
		{promote.TensorFlow, func(l *nv.Lib) nv.Tensor { return l.AsType(i8, nv.F8E5M2) },
			"AsType(i8{2}): UnimplementedError: Cast int8 to float8_e5m2 is not supported"},

		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Std(c.From([]float64{1, 2, 3, 6})) }, "f64{} 1.8708286933869707"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Std(c.From([]float64{1, 2, 3, 6})) }, "f64{} 2.160246899469287"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Std(c.From([]float64{1, 2, 3, 6}), nv.Correction(0)) }, "f64{} 1.8708286933869707"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Var(c.From([]float64{1, 2, 3, 6}), nv.Correction(1)) }, "f64{} 4.666666666666667"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Var(c.From([]complex128{1 + 1i, 3 + 1i})) }, "f64{} 1"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Mean(i8, nv.Accumulate(nv.F32)) }, "f32{} 0"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Set(i64, 2.7, 0) }, "i64{2} [2 5]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Set(i8, 300, 0) },
			"Set(i8{2}, int 300, int 0): OverflowError: Python integer 300 out of bounds for int8"},
		{promote.Anvil, func(l *nv.Lib) nv.Tensor { return l.Set(i64, 2.7, 0) },
			"Set(i64{2}, float64 2.7, int 0): the value would change the dtype of the tensor from i64 to " +
				"f32; convert the tensor to f32 with AsType, or the value to i64"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Clamp(i8, -0.5, 2.5) }, "f64{2} [2.5 -0.5]"},
		{promote.TensorFlow, func(l *nv.Lib) nv.Tensor { return l.Concatenate(0, i8, i8, u8) },
			"Concatenate(i8{2}, i8{2}, ui8{2}): InvalidArgumentError: cannot compute ConcatV2 as input " +
				"#1(zero-based) was expected to be a int8 tensor but is a uint8 tensor"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Median(c.From([]int64{4, 1, 3, 2})) }, "i64{} 2"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Median(c.From([]int64{4, 1, 3, 2})) }, "f64{} 2.5"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Max(c.Zeros(nv.Shape{0})) },
			"Max(f32{0}): ValueError: zero-size array to reduction operation maximum which has no " +
				"identity; under numpy, give at least one element"},
		{promote.TensorFlow, func(l *nv.Lib) nv.Tensor { return l.Max(c.Zeros(nv.Shape{0})) }, "f32{} -Inf"},
		{promote.TorchExt, func(l *nv.Lib) nv.Tensor { return l.Max(c.Zeros(nv.Shape{0}, nv.U32)) },
			"Max(ui32{0}): RuntimeError: max(): Expected reduction dim to be specified for input.numel() " +
				"== 0. Specify the reduction dim with the 'dim' argument; under torchext, give at least one " +
				"element"},
		{promote.TorchExt, func(l *nv.Lib) nv.Tensor { return l.Min(c.Zeros(nv.Shape{0}, nv.C64)) },
			"Min(c64{0}): RuntimeError: min(): Expected reduction dim to be specified for input.numel() == " +
				"0. Specify the reduction dim with the 'dim' argument; under torchext, give at least one " +
				"element"},
		{promote.TorchExt, func(l *nv.Lib) nv.Tensor { return l.ArgMax(c.Zeros(nv.Shape{0}, nv.U64)) },
			"ArgMax(ui64{0}): IndexError: argmax(): Expected reduction dim to be specified for " +
				"input.numel() == 0; under torchext, give at least one element"},
		{promote.TorchExt, func(l *nv.Lib) nv.Tensor { return l.ArgMax(c.Zeros(nv.Shape{0}, nv.C64)) },
			"ArgMax(c64{0}): TypeError: argmax(): does not support complex input"},
		{promote.TorchExt, func(l *nv.Lib) nv.Tensor { return l.ArgMax(c.Zeros(nv.Shape{2}, nv.U64)) },
			`ArgMax(ui64{2}): NotImplementedError: "argmax_cpu" not implemented for 'UInt64'`},
		{promote.TorchExt, func(l *nv.Lib) nv.Tensor { return l.Max(c.Zeros(nv.Shape{2}, nv.U32)) },
			`Max(ui32{2}): NotImplementedError: "max_all" not implemented for 'UInt32'`},
		{promote.TorchExt, func(l *nv.Lib) nv.Tensor { return l.Max(c.Zeros(nv.Shape{2}, nv.U32), nv.Axis(0)) },
			`Max(ui32{2}): NotImplementedError: "max_values_cpu" not implemented for 'UInt32'`},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Div(1, l.Cumsum(negative)) }, "f32{1} [+Inf]"},
		{promote.TensorFlow, func(l *nv.Lib) nv.Tensor { return l.Div(1, l.Cumsum(negative)) }, "f32{1} [+Inf]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Div(1, l.Cumsum(negative)) }, "f32{1} [-Inf]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Div(1, l.Cumsum(l.Concatenate(0, negative, negative))) }, "f32{2} [-Inf -Inf]"},
		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.Mean(i8) },
			"Mean(i8{2}): NotImplementedError: mean(): could not infer output dtype. Input dtype must be " +
				"either a floating point or complex dtype. Got: Char"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Reciprocal(c.From([]int32{0, 2})) }, "i32{2} [-2147483648 0]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Where(i8, 1, 2) }, "i64{2} [1 1]"},

		{promote.Torch, func(l *nv.Lib) nv.Tensor { return l.New([]int{1, 2}) }, "i64{2} [1 2]"},
		{promote.NumPy, func(l *nv.Lib) nv.Tensor { return l.Zeros(nv.Shape{1}) }, "f64{1} [0]"},
		{promote.JAX64, func(l *nv.Lib) nv.Tensor { return l.Linspace(0, 1, 2) }, "f64{2} [0 1]"},
		{promote.TensorFlow, func(l *nv.Lib) nv.Tensor { return l.Arange(2) }, "i32{2} [0 1]"},
		{promote.Anvil, func(l *nv.Lib) nv.Tensor { return l.Zeros(nv.Shape{1}) }, "f32{1} [0]"},
	} {
		got := ""
		if err := nv.Try(func() { got = row.what(c.With(row.system)).String() }); err != nil {
			got = err.Error()
		}
		if got != row.want {
			t.Errorf("%s: %s, want %s", row.system, got, row.want)
		}
	}
}

// TestFaultsOfPrograms: if a system has an error for a value, a jitted function fails with it
// when it runs with that value.
func TestFaultsOfPrograms(t *testing.T) {
	c := plainGo(t)
	torch := c.With(promote.Torch)
	half := c.JitAny(func(x, y nv.Tensor) nv.Tensor { return torch.Add(torch.FloorDiv(x, y), 1) }).(func(x, y nv.Tensor) nv.Tensor)
	x := c.From([]int64{7, -7})
	want(t, half(x, c.From([]int64{2, 2})), "i64{2} [4 -3]")
	if s := errorOf(t, func() { half(x, c.From([]int64{2, 0})) }); s !=
		"FloorDiv(i64{2}, i64{2}): RuntimeError: ZeroDivisionError; under torch, integers cannot be "+
			"divided by 0; select another divisor: nv.Where(y.Eq(0), 1, y)" {
		t.Error(s)
	}
	want(t, half(x, c.From([]int64{7, 7})), "i64{2} [2 0]")

	y := c.From([]int64{2, 2})
	c.SetReads(func(reflect.Value) (string, []reflect.Value, bool) {
		return "", []reflect.Value{reflect.ValueOf(&y).Elem()}, true
	})
	captured := c.JitAny(func(x nv.Tensor) nv.Tensor { return torch.Rem(x, y) }).(func(nv.Tensor) nv.Tensor)
	want(t, captured(x), "i64{2} [1 1]")
	y = c.From([]int64{0, 2})
	if s := errorOf(t, func() { captured(x) }); s != "Rem(i64{2}, i64{2}): RuntimeError: ZeroDivisionError; under "+
		"torch, integers cannot be divided by 0; select another divisor: nv.Where(y.Eq(0), 1, y)" {
		t.Error(s)
	}
}

// TestAnvilAddsNothing: under anvil an operation is one node, since anvil's rules for values
// are those of XLA.
func TestAnvilAddsNothing(t *testing.T) {
	c := plainGo(t)
	x, y := c.From([]int32{1, 2}), c.From([]int32{3, 4})
	f, g := c.From([]float32{1, 2}), c.From([]float32{3, 4})
	for name, op := range map[string]func(l *nv.Lib) func(a, b nv.Tensor) nv.Tensor{
		"Div": func(l *nv.Lib) func(a, b nv.Tensor) nv.Tensor {
			return func(a, b nv.Tensor) nv.Tensor { return l.Div(a, b) }
		},
		"Rem": func(l *nv.Lib) func(a, b nv.Tensor) nv.Tensor {
			return func(a, b nv.Tensor) nv.Tensor { return l.Rem(a, b) }
		},
		"Pow": func(l *nv.Lib) func(a, b nv.Tensor) nv.Tensor {
			return func(a, b nv.Tensor) nv.Tensor { return l.Pow(a, b) }
		},
		"Shl": func(l *nv.Lib) func(a, b nv.Tensor) nv.Tensor {
			return func(a, b nv.Tensor) nv.Tensor { return l.Shl(a, b) }
		},
		"Maximum": func(l *nv.Lib) func(a, b nv.Tensor) nv.Tensor {
			return func(a, b nv.Tensor) nv.Tensor { return l.Maximum(a, b) }
		},
		"AsType": func(l *nv.Lib) func(a, b nv.Tensor) nv.Tensor {
			return func(a, b nv.Tensor) nv.Tensor { return l.AsType(a, nv.I8) }
		},
		"Sum": func(l *nv.Lib) func(a, b nv.Tensor) nv.Tensor {
			return func(a, b nv.Tensor) nv.Tensor { return l.Sum(a) }
		},
	} {
		for _, args := range [][]any{{x, y}, {f, g}} {
			if name == "Shl" && args[0].(nv.Tensor).DType() == nv.F32 {
				continue
			}
			low := c.Lower(op(c.With(promote.Anvil)), args...)
			if n := len(low.Graph().Nodes); n != 1 {
				t.Errorf("%s of %s is %d nodes", name, args[0].(nv.Tensor).DType(), n)
			}
		}
	}
}

// TestSumsAlongAnAxis: the systems' orders of addition differ only in rounding, so that the
// sums of small integers are equal along each axis.
func TestSumsAlongAnAxis(t *testing.T) {
	c := plainGo(t)
	x := c.From([][]float32{{1, 2, 3, 4, 5}, {10, 20, 30, 40, 50}, {100, 200, 300, 400, 500}})
	for _, s := range []*promote.System{promote.Anvil, promote.NumPy, promote.JAX, promote.Torch, promote.TensorFlow} {
		l := c.With(s)
		want(t, l.Cumsum(x, nv.Axis(1)), "f32{3,5} [1 3 6 10 15 10 30 60 100 150 100 300 600 1000 1500]")
		want(t, l.Cumsum(x, nv.Axis(0)), "f32{3,5} [1 2 3 4 5 11 22 33 44 55 111 222 333 444 555]")
		want(t, l.Median(x, 0), "f32{5} [10 20 30 40 50]")
		want(t, l.Median(x, 1), "f32{3} [3 30 300]")
	}
	halves := c.New([][]float64{{256, 1, 1}, {1, 1, 256}}, nv.BF16)
	want(t, c.With(promote.NumPy).Sum(halves, nv.Axis(1)), "bf16{2} [256 258]") // 256+1 is 256 in bf16
	want(t, c.With(promote.JAX).Sum(halves, nv.Axis(1)), "bf16{2} [258 258]")
	want(t, c.With(promote.NumPy).Prod(halves, nv.Axis(0)), "bf16{3} [256 1 256]")
}
