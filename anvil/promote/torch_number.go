package promote

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// torchTensorsOnly are the functions that take tensors only, no numbers.
var torchTensorsOnly = []string{"maximum", "minimum", "fmax", "fmin", "atan2", "hypot", "logical_and", "matmul",
	"gcd", "lcm", "logaddexp"}

// torchNumberAt maps functions that take a number as operand to the operand's position, counted
// from 0. The operands before it must be tensors.
var torchNumberAt = map[string]int{"fmod": 1, "copysign": 1, "lerp": 2}

// torchSignature returns an error if xs has a number at a position at which op takes only tensors.
func torchSignature(op string, xs []Operand) error {
	i := slices.IndexFunc(xs, Operand.Wrapped)
	if i < 0 {
		return nil
	}
	number := pythonType(xs[i].Literal)
	switch {
	case len(xs) == 2 && slices.Contains(torchTensorsOnly, op):
		return refuse(op, "TypeError", "%s(): argument '%s' (position %d) must be Tensor, not %s", op,
			[]string{"input", "other"}[i], i+1, number)
	case len(xs) == 2 && i < torchNumberAt[op]:
		got := []string{"Tensor", "Tensor", "float"}[:torchNumberAt[op]+1]
		got[i] = number
		return refuse(op, "TypeError",
			"%s() received an invalid combination of arguments - got (%s), but expected one of:", op,
			strings.Join(got, ", "))
	case op == "cat" || op == "stack":
		return refuse(op, "TypeError", "expected Tensor as element %d in argument 0, but got %s", i, number)
	}
	return nil
}

// torchNumbers returns an error if a number does not fit t, the dtype of the result. The
// exponent of a power must fit if t is an integer, f16 or bf16; for other floats PyTorch takes
// the exponent in f64. A number in the operation "where" must fit unless t is f16 or bf16.
func torchNumbers(op string, xs []Operand, t dtype.Typed) error {
	isHalf := t.DType == dtype.F16 || t.DType == dtype.BF16
	for i, x := range xs {
		isExponent := op == "pow" && i == 1
		checked := op == "where" && !isHalf || isExponent && (isHalf || t.DType.Is(dtype.Integral))
		if checked && x.Wrapped() && !torchFits(x.Literal, t.DType) {
			return outOfRange.refuse(op, "RuntimeError", "value cannot be converted to type %s without overflow",
				torchCTypes[t.DType])
		}
	}
	return nil
}

// clampBetween returns the dtype of clamp of x by two numbers. A float keeps its dtype, and the
// dtype of the result must hold the bounds.
// Source: aten/src/ATen/native/TensorCompare.cpp.
func (t TorchRules) clampBetween(x, low, high Operand) (dtype.Typed, []Step, error) {
	d, steps := x.Typed, []Step{{listed([]Operand{x, low, high}), x.Typed,
		Rule{"float between numbers", "a float keeps its dtype, whatever numbers it is clamped by"}}}
	if !x.DType.Is(dtype.Floating) {
		var err error
		if d, steps, err = t.resolve([]Operand{x, low, high}); err != nil {
			return d, steps, err
		}
	}
	switch {
	case d.DType.Is(dtype.Complex):
		return dtype.Typed{}, steps, refuse("clamp", "NotImplementedError", "clamp is not supported for complex types")
	case d.DType == dtype.I1 || d.DType.Bits() < 16 && d.DType.Is(dtype.Floating):
		return dtype.Typed{}, steps,
			refuse("clamp", "NotImplementedError", "\"clamp_scalar_cpu\" not implemented for '%s'", TorchName(d.DType))
	}
	for i, bound := range []Operand{low, high} {
		if err := torchBound(bound.Literal, d.DType, i == 0); err != nil {
			return dtype.Typed{}, steps, err
		}
	}
	return d, appendKernelStep(steps, "clamp", d, d), nil
}

// torchBound returns an error if d does not hold the bound v of a clamp: the lower bound if low
// is true, else the upper one. A bound outside the range of an integer dtype is an error only if
// no value of the dtype is within it: a lower bound above the range or an upper one below it.
func torchBound(v any, d dtype.DType, low bool) error {
	if z, ok := v.(complex128); ok && imag(z) != 0 {
		return outOfRange.refuse("clamp", "RuntimeError", "value cannot be converted to type double without overflow")
	}
	n, integer := v.(int)
	if integer && d.Is(dtype.Integral) {
		aboveRange := n > 0 // used only if n is outside the range
		if _, err := dtype.Fit(n, d); err != nil && aboveRange == low {
			return refuse("clamp", "RuntimeError", "Clamp %s value %s is outside the representable range of %s",
				map[bool]string{true: "min", false: "max"}[low], strconv.FormatFloat(float64(n), 'g', 6, 64), TorchName(d))
		}
		return nil
	}
	if !torchFits(v, d) {
		return outOfRange.refuse("clamp", "RuntimeError", "value cannot be converted to type %s without overflow",
			torchCTypes[d])
	}
	return nil
}

// torchCTypes are the C++ types of dtypes in errors of conversions. Other errors name some of
// them differently (see torchCNames).
var torchCTypes = map[dtype.DType]string{
	dtype.I8: "int8_t", dtype.I16: "int16_t", dtype.I32: "int", dtype.I64: "int64_t",
	dtype.U8: "uint8_t", dtype.U16: "uint16_t", dtype.U32: "uint32_t", dtype.U64: "uint64_t",
	dtype.F16: "c10::Half", dtype.BF16: "c10::BFloat16", dtype.F32: "float", dtype.C64: "c10::complex<float>"}

// torchGreatest holds the greatest finite value of each float narrower than f64.
var torchGreatest = map[dtype.DType]float64{dtype.F16: 65504, dtype.BF16: 0x1.fep127, dtype.F32: math.MaxFloat32}

// torchFits reports whether PyTorch converts the number v to d without an error of overflow. An
// unsigned dtype also takes the negatives of its numbers, which wrap.
// Source: c10/util/TypeCast.h.
func torchFits(v any, d dtype.DType) bool {
	if n, ok := v.(int); ok && d.Is(dtype.Integral) {
		if d.Is(dtype.Unsigned) && n < 0 {
			n = -n // math.MinInt stays negative; of the unsigned dtypes only ui64 holds its absolute value
		}
		_, err := dtype.Fit(n, d)
		return err == nil || n == math.MinInt && d == dtype.U64
	}
	z := complex(realOf(v), 0)
	if w, ok := v.(complex128); ok {
		z = w
	}
	greatest, narrow := torchGreatest[d.Elem()]
	within := func(x float64) bool { return !narrow || math.IsInf(x, 0) || !(math.Abs(x) > greatest) } // true for NaN
	return within(real(z)) && within(imag(z))
}
