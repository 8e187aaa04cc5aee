package promote

import (
	"fmt"
	"math"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
)

// torchTensors are the functions whose operands are tensors, and no numbers.
var torchTensors = []string{"maximum", "minimum", "fmax", "fmin", "atan2", "hypot", "logical_and", "matmul"}

// operation is operate, but first it asks whether the operands are such that the
// function takes.
func (t TorchRules) operation(op string, xs []Operand) (dtype.Typed, []Step, error) {
	if len(xs) == 2 && slices.Contains(torchTensors, op) {
		for i, name := range []string{"input", "other"} {
			if xs[i].Wrapped() {
				return dtype.Typed{}, nil, refuse(op, "TypeError", "%s(): argument '%s' (position %d) must be Tensor, not %s", op, name, i+1, pythonType(xs[i].Literal))
			}
		}
	}
	return t.operate(op, xs)
}

// pythonType returns what Python calls the type of a number.
func pythonType(v any) string {
	switch v.(type) {
	case float64:
		return "float"
	case complex128:
		return "complex"
	}
	return fmt.Sprintf("%T", v)
}

// torchNumbers: the exponent of a power, and what where chooses, must fit the
// dtype of the result, where that is the one in which they are used: a power of
// floats has its exponent in double precision, unless they are halves, and where
// takes any number as a half.
func torchNumbers(op string, xs []Operand, t dtype.Typed) error {
	half := t.DType == dtype.F16 || t.DType == dtype.BF16
	for i, x := range xs {
		used := op == "where" && !half || op == "pow" && i == 1 && (half || t.DType.Is(dtype.Integral))
		if used && x.Wrapped() && !torchFits(x.Literal, t.DType) {
			return refuse(op, "RuntimeError", "value cannot be converted to type %s without overflow", torchCTypes[t.DType])
		}
	}
	return nil
}

// torchCTypes are the types that PyTorch computes dtypes in, as its errors write
// them.
var torchCTypes = map[dtype.DType]string{dtype.I8: "int8_t", dtype.I16: "int16_t", dtype.I32: "int", dtype.I64: "int64_t",
	dtype.U8: "uint8_t", dtype.U16: "uint16_t", dtype.U32: "uint32_t", dtype.U64: "uint64_t",
	dtype.F16: "c10::Half", dtype.BF16: "c10::BFloat16", dtype.F32: "float", dtype.C64: "c10::complex<float>"}

// torchGreatest are the greatest numbers of the floats narrower than a Go
// float64.
var torchGreatest = map[dtype.DType]float64{dtype.F16: 65504, dtype.BF16: 0x1.fep127, dtype.F32: math.MaxFloat32}

// torchFits reports whether the number v is converted to d without overflow. An
// unsigned dtype takes the negatives of its numbers too, which wrap. Source:
// c10/util/TypeCast.h.
func torchFits(v any, d dtype.DType) bool {
	if n, ok := v.(int); ok && d.Is(dtype.Integral) {
		if d.Is(dtype.Unsigned) && n < 0 {
			n = -n
		}
		_, err := dtype.Fit(n, d)
		return err == nil || n == math.MinInt
	}
	z := complex(numberOf(v), 0)
	if w, ok := v.(complex128); ok {
		z = w
	}
	greatest, ok := torchGreatest[d.Elem()]
	within := func(x float64) bool { return !ok || math.IsInf(x, 0) || !(math.Abs(x) > greatest) }
	return within(real(z)) && within(imag(z))
}
