package promote

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

var torchKernels = sync.OnceValue(func() map[string]section { return sections("torch") })

// torchSame are the operations that do not promote: their operands have one dtype.
var torchSame = map[string]string{
	"matmul":    "dot : expected both vectors to have same dtype, but found %s and %s",
	"tensordot": "both inputs should have same dtype",
	"lerp":      "expected dtype %s for `end` but got dtype %s",
}

func (t TorchRules) operate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	if op == "rtrue_divide" && len(xs) == 2 {
		return t.reflectedDivide(xs[0], xs[1])
	}
	if op == "clamp" && len(xs) == 3 && xs[1].Wrapped() && xs[2].Wrapped() {
		return t.clampBetween(xs[0], xs[1], xs[2])
	}
	d, steps, err := t.common(op, xs)
	if err != nil || op == "float_power" || op == "pow" && len(xs) == 2 && torchTrivialPower(xs) {
		return d, steps, err
	}
	if op == "clamp" && d.DType.Is(dtype.Complex) { // by a bound
		return dtype.Typed{}, steps, refuse(op, "NotImplementedError", "\"clamp_cpu\" not implemented for '%s'", TorchName(d.DType))
	}
	return t.compute(op, len(xs) == 1, d.DType, steps)
}

// reflectedDivide: a number divided by a tensor is the tensor's reciprocal
// times the number. Source: torch/_tensor.py __rtruediv__.
func (t TorchRules) reflectedDivide(number, x Operand) (dtype.Typed, []Step, error) {
	r, steps, err := t.compute("reciprocal", true, x.DType, nil)
	if err != nil {
		return r, steps, err
	}
	r, more, err := t.operate("mul", []Operand{{Typed: r, Rank: x.Rank}, number})
	return r, append(steps, more...), err
}

// torchTrivialPower reports whether a power is 1 or its base whatever the
// dtype: such a one is filled or copied, not computed. Source:
// aten/src/ATen/native/Pow.cpp.
func torchTrivialPower(xs []Operand) bool {
	base, exponent := numberOf(xs[0].Literal), numberOf(xs[1].Literal)
	_, truth := xs[0].Literal.(bool) // True is not taken for the base 1
	return base == 1 && !truth || exponent == 1 || xs[1].Literal != nil && exponent == 0
}

// numberOf returns a literal as a float, 0 where there is none; a complex
// number is its real part where it has no other, else nan.
func numberOf(v any) float64 {
	switch v := v.(type) {
	case bool:
		if v {
			return 1
		}
	case int:
		return float64(v)
	case float64:
		return v
	case complex128:
		if imag(v) == 0 {
			return real(v)
		}
		return math.NaN()
	}
	return 0
}

// common returns the dtype in which an operation is computed.
func (t TorchRules) common(op string, xs []Operand) (dtype.Typed, []Step, error) {
	if len(xs) == 1 {
		return xs[0].Typed, nil, nil
	}
	if err := torchRefuses(op, xs); err != nil {
		return dtype.Typed{}, nil, err
	}
	if op == "float_power" {
		return t.floatPower(xs)
	}
	return t.resolve(xs)
}

// torchExtremes are the functions that ask for complex operands first.
var torchExtremes = []string{"maximum", "minimum", "fmax", "fmin"}

// torchCNames are the C++ compiler's names of the types that dtypes are computed
// in, where that is not PyTorch's own.
var torchCNames = map[dtype.DType]string{dtype.I1: "bool", dtype.I8: "signed char", dtype.I16: "short int", dtype.I32: "int", dtype.I64: "long int",
	dtype.U8: "unsigned char", dtype.U16: "short unsigned int", dtype.U32: "unsigned int", dtype.U64: "long unsigned int",
	dtype.F32: "float", dtype.F64: "double",
	dtype.C32: "c10::complex<c10::Half>", dtype.C64: "c10::complex<float>", dtype.C128: "c10::complex<double>"}

func torchCName(d dtype.DType) string {
	if name, ok := torchCNames[d]; ok {
		return name
	}
	return "c10::" + TorchName(d)
}

// torchRefuses is what an operation says of its operands before it promotes.
func torchRefuses(op string, xs []Operand) error {
	if text, ok := torchSame[op]; ok && xs[0].DType != xs[1].DType {
		name := TorchName
		if op == "lerp" {
			name = torchCName
		}
		names := []any{name(xs[0].DType), name(xs[1].DType)}
		return refuse(op, "RuntimeError", text, names[:strings.Count(text, "%s")]...)
	}
	if slices.Contains(torchExtremes, op) && slices.ContainsFunc(xs, func(x Operand) bool { return x.DType.Is(dtype.Complex) }) {
		return refuse(op, "TypeError", "%s not implemented for complex tensors.", op)
	}
	if op == "clamp" && xs[0].DType.Is(dtype.Complex) {
		return refuse(op, "NotImplementedError", "clamp is not supported for complex types")
	}
	if n, ok := xs[1].Literal.(int); ok && op == "pow" && n < 0 && xs[0].DType.Is(dtype.Bits) && xs[0].Literal == nil {
		return torchValues.Fault(NegativeNumber)
	}
	if op == "sub" && xs[0].DType == dtype.I1 && xs[1].DType == dtype.I1 {
		return refuse(op, "NotImplementedError", "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.")
	}
	if op == "sub" && slices.ContainsFunc(xs, func(x Operand) bool { return x.DType == dtype.I1 }) {
		return refuse(op, "NotImplementedError", "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.")
	}
	return nil
}

// floatPower computes in f64 or c128 whatever it gets.
func (t TorchRules) floatPower(xs []Operand) (dtype.Typed, []Step, error) {
	d := dtype.F64
	for _, x := range xs {
		if x.DType.Is(dtype.Complex) {
			d = dtype.C128
		}
	}
	return Known(d), []Step{{operands(xs), Known(d), Rule{"double precision", "computed in f64, or in c128 where an operand is complex"}}}, nil
}

// compute returns the result of the operation at the dtype d.
func (t TorchRules) compute(op string, unary bool, d dtype.DType, steps []Step) (dtype.Typed, []Step, error) {
	part := torchKernels()[""]
	if unary {
		part = torchKernels()["unary"]
	}
	k, ok := part[op]
	if !ok {
		return dtype.Typed{}, steps, unnamed("torch", op)
	}
	r, err := k.at(op, Known(d), TorchName)
	if err != nil {
		return dtype.Typed{}, steps, err
	}
	if d.Is(dtype.Bits) && r.DType == dtype.F32 {
		r.DType = t.Default
	}
	return r, append(steps, kernelStep(op, Known(d), r)), nil
}

// assign: the dtype in which the operation is computed must be one that may be
// stored in the first operand; a comparison computes a bool.
func (t TorchRules) assign(op string, into, x Operand) (dtype.Typed, []Step, error) {
	plain := strings.TrimSuffix(op, "_")
	switch plain {
	case "copy":
		return Known(into.DType), []Step{{x.String() + " into " + into.Typed.String(), Known(into.DType), Rule{"copied", "a copy casts whatever it gets"}}}, nil
	case "div":
		plain = "true_divide"
	}
	d, steps, err := t.common(plain, []Operand{into, x})
	if err != nil {
		return d, steps, err
	}
	joined, rule := d, Rule{}
	if plain == "true_divide" {
		d, rule = t.divide(d)
	}
	if err := torchStore(op, d.DType, into.DType); err != nil && plain != "lt" && plain != "eq" {
		if d != joined {
			steps = append(steps, Step{op + " of " + joined.String(), d, rule})
		}
		return dtype.Typed{}, steps, err
	}
	if plain != "pow" || !torchTrivialPower([]Operand{into, x}) {
		if d, steps, err = t.compute(plain, false, d.DType, steps); err != nil {
			return dtype.Typed{}, steps, err
		}
	}
	return Known(into.DType), append(steps, Step{d.String() + " into " + into.DType.String(), Known(into.DType), Rule{"stored", "cast to the dtype of the tensor it is stored in"}}), nil
}

// torchCanCast: a category may be stored in itself or a higher one; only bools
// are stored as bool. Source: c10 canCast.
func torchCanCast(from, to dtype.DType, _ string) (bool, error) {
	switch {
	case from.Is(dtype.Complex) && !to.Is(dtype.Complex),
		from.Is(dtype.Floating) && to.Is(dtype.Bits),
		from != dtype.I1 && to == dtype.I1:
		return false, nil
	}
	return true, nil
}

// torchStore: what may not be cast may not be stored.
func torchStore(op string, from, to dtype.DType) error {
	if ok, _ := torchCanCast(from, to, ""); !ok {
		return refuse(op, "RuntimeError", "result type %s can't be cast to the desired output type %s", TorchName(from), TorchName(to))
	}
	return nil
}

// Opmath returns the dtype in which the system computes products and quotients
// of d with a single number, which is not rounded to d first.
func (s *System) Opmath(d dtype.DType) dtype.DType {
	if s.rules.Torch != nil && (d == dtype.F16 || d == dtype.BF16) {
		return dtype.F32
	}
	return d
}

// operands returns xs in words.
func operands(xs []Operand) string {
	words := make([]string, len(xs))
	for i, x := range xs {
		words[i] = x.String()
	}
	return strings.Join(words, ", ")
}
