package promote

import (
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

var torchKernels = tableOf("torch")

// torchUnpromoted maps operations that do not promote to their error for operands of two
// dtypes.
var torchUnpromoted = map[string]string{
	"matmul":    "dot : expected both vectors to have same dtype, but found %s and %s",
	"tensordot": "both inputs should have same dtype",
	"lerp":      "expected dtype %s for `end` but got dtype %s",
}

// operate returns the dtype of the result of op on xs, computed in their common dtype.
func (t TorchRules) operate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	if err := torchSignature(op, xs); err != nil {
		return dtype.Typed{}, nil, err
	}
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
	if op == "clamp" && d.DType.Is(dtype.Complex) { // a bound is complex; common has refused a complex xs[0]
		return dtype.Typed{}, steps, refuse(op, "NotImplementedError", "\"clamp_cpu\" not implemented for '%s'",
			TorchName(d.DType))
	}
	return t.compute(op, len(xs) == 1, d.DType, steps)
}

// reflectedDivide returns the dtype of number / x for a tensor x, which PyTorch computes as the
// reciprocal of x times number. Source: torch/_tensor.py __rtruediv__.
func (t TorchRules) reflectedDivide(number, x Operand) (dtype.Typed, []Step, error) {
	r, steps, err := t.compute("reciprocal", true, x.DType, nil)
	if err != nil {
		return r, steps, err
	}
	r, more, err := t.operate("mul", []Operand{{Typed: r, Rank: x.Rank}, number})
	return r, append(steps, more...), err
}

// torchTrivialPower reports whether the numbers among the base and the exponent xs make the
// power always 1 or always equal to the base. PyTorch then only fills or copies a tensor, which
// is allowed for every dtype. Source: aten/src/ATen/native/Pow.cpp.
func torchTrivialPower(xs []Operand) bool {
	base, exponent := realOf(xs[0].Literal), realOf(xs[1].Literal) // 0 for tensors and numbers of sized types
	_, isBool := xs[0].Literal.(bool)                              // True does not count as the base 1
	return base == 1 && !isBool || exponent == 1 || xs[1].Wrapped() && exponent == 0
}

// common returns the dtype in which op on xs is computed.
func (t TorchRules) common(op string, xs []Operand) (dtype.Typed, []Step, error) {
	if len(xs) == 1 {
		return xs[0].Typed, nil, nil
	}
	if err := torchCheck(op, xs); err != nil {
		return dtype.Typed{}, nil, err
	}
	if op != "float_power" {
		return t.resolve(xs)
	}
	d := Known(dtype.F64)
	if anyOf(xs, dtype.Complex) {
		d = Known(dtype.C128)
	}
	return d, []Step{{listed(xs), d,
		Rule{"double precision", "computed in f64, or in c128 where an operand is complex"}}}, nil
}

// torchExtremes are the functions that check for complex operands before they promote.
var torchExtremes = []string{"maximum", "minimum", "fmax", "fmin"}

// torchCNames maps dtypes to their C++ types in the compiler's spelling. The C++ types of other
// dtypes are spelled "c10::" and the dtype's TorchName.
var torchCNames = map[dtype.DType]string{dtype.I1: "bool",
	dtype.I8: "signed char", dtype.I16: "short int", dtype.I32: "int", dtype.I64: "long int",
	dtype.U8: "unsigned char", dtype.U16: "short unsigned int", dtype.U32: "unsigned int",
	dtype.U64: "long unsigned int",
	dtype.F32: "float", dtype.F64: "double",
	dtype.C32: "c10::complex<c10::Half>", dtype.C64: "c10::complex<float>", dtype.C128: "c10::complex<double>"}

// torchCName returns the C++ type of d in the compiler's spelling.
func torchCName(d dtype.DType) string {
	if name, ok := torchCNames[d]; ok {
		return name
	}
	return "c10::" + TorchName(d)
}

// torchCheck returns the error of the checks that op makes before it promotes its operands.
func torchCheck(op string, xs []Operand) error {
	if text, ok := torchUnpromoted[op]; ok && xs[0].DType != xs[1].DType {
		name := TorchName
		if op == "lerp" {
			name = torchCName
		}
		names := []any{name(xs[0].DType), name(xs[1].DType)}
		return refuse(op, "RuntimeError", text, names[:strings.Count(text, "%s")]...)
	}
	if slices.Contains(torchExtremes, op) && anyOf(xs, dtype.Complex) {
		return refuse(op, "TypeError", "%s not implemented for complex tensors.", op)
	}
	if op == "clamp" && xs[0].DType.Is(dtype.Complex) {
		return refuse(op, "NotImplementedError", "clamp is not supported for complex types")
	}
	if n, ok := xs[1].Literal.(int); ok && op == "pow" && n < 0 && xs[0].DType.Is(dtype.Bits) && xs[0].Literal == nil {
		return torchNegative
	}
	if op == "sub" && allOf(xs, dtype.Boolean) {
		return refuse(op, "NotImplementedError",
			"Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "+
				"operator instead.")
	}
	if op == "sub" && anyOf(xs, dtype.Boolean) {
		return refuse(op, "NotImplementedError",
			"Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use "+
				"the `~` or `logical_not()` operator instead.")
	}
	return nil
}

// compute returns the dtype of the result of op computed in the dtype d, and steps with the
// step to the result appended.
func (t TorchRules) compute(op string, unary bool, d dtype.DType, steps []Step) (dtype.Typed, []Step, error) {
	section := ""
	if unary {
		section = "unary"
	}
	k, err := torchKernels().kernel(section, op)
	if err != nil {
		return dtype.Typed{}, steps, err
	}
	r, err := k.at(op, Known(d), TorchName)
	if err != nil {
		return dtype.Typed{}, steps, err
	}
	if d.Is(dtype.Bits) && r.DType == dtype.F32 {
		r.DType = t.Default
	}
	return r, appendKernelStep(steps, op, Known(d), r), nil
}

// assign returns the dtype of an operation that stores its result in its first operand. It
// returns an error if PyTorch does not cast the dtype that the operation is computed in to that
// of the first operand. Comparisons are not checked: their result, a bool, is cast to any dtype.
func (t TorchRules) assign(op string, into, x Operand) (dtype.Typed, []Step, error) {
	plain := strings.TrimSuffix(op, "_")
	switch plain {
	case "copy":
		copied := Step{x.String() + " into " + into.Typed.String(), Known(into.DType),
			Rule{"copied", "a copy casts from any dtype"}}
		return copied.Result, []Step{copied}, nil
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
	stored := Step{d.String() + " into " + into.DType.String(), Known(into.DType),
		Rule{"stored", "the result is cast to the dtype of the tensor that stores it"}}
	return stored.Result, append(steps, stored), nil
}

// torchCanCast reports whether from may be cast to to: to the same or a higher category, in
// the order bool < integer < float < complex. Source: c10 canCast.
func torchCanCast(from, to dtype.DType, _ string) (bool, error) {
	switch {
	case from.Is(dtype.Complex) && !to.Is(dtype.Complex),
		from.Is(dtype.Floating) && to.Is(dtype.Bits),
		from != dtype.I1 && to == dtype.I1:
		return false, nil
	}
	return true, nil
}

// torchStore returns an error if a result must not be cast to the dtype of the tensor
// that stores it.
func torchStore(op string, from, to dtype.DType) error {
	if ok, _ := torchCanCast(from, to, ""); !ok {
		return notStored.refuse(op, "RuntimeError", "result type %s can't be cast to the desired output type %s",
			TorchName(from), TorchName(to))
	}
	return nil
}
