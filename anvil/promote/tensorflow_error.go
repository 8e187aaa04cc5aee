package promote

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// joinError returns TensorFlow's error of op for the operands a and b, whose join has the error
// err. TensorFlow first converts a number, then checks that the operation takes the dtype of
// the first operand, and last that the second operand has this dtype.
func (t tensorflow) joinError(op string, a, b Operand, err error) error {
	var refusal *Refusal
	_, isFloat := b.Literal.(float64)
	_, isComplex := b.Literal.(complex128)
	switch {
	case !errors.As(err, &refusal):
		return err
	case op == "bitwise_or" && refusal.Kind != "InvalidArgumentError" && (isFloat || isComplex):
		// Python calls __ror__ of b, which floats and complex numbers do not have.
		return refuse(op, "AttributeError", "'%s' object has no attribute '__ror__'", pythonType(b.Literal))
	case t.mode == "off" && (op == "add" || op == "true_divide") && a.Literal == nil && a.DType.Is(dtype.Bits) &&
		beyondF32Max(b.Literal):
		return refuse(op, "ValueError",
			"Can't convert Python sequence with a value out of range for a double-precision value.")
	case refusal.Kind == "DTypePromotionError" && !a.Ambiguous && !b.Ambiguous: // NumPy's result_type gives this error
		x, y := numpyClass(a.DType), numpyClass(b.DType)
		err := noCommonDType.refuse("result_type", "DTypePromotionError",
			"The DType %s could not be promoted by %s. This means that no common DType exists for the given inputs.", x, y)
		return withRest(err, " For example they cannot be stored in a single array unless the dtype is `object`. "+
			"The full list of DTypes is: ("+x+", "+y+")")
	case refusal.Op != "promote" && refusal.Op != "convert": // another error of NumPy's promotion
		return err
	}
	promotes := strings.HasPrefix(op, "tnp.") || t.promotes(op)
	complexNumber := a.Ambiguous && a.DType.Is(dtype.Complex) || b.Ambiguous && b.DType.Is(dtype.Complex)
	switch {
	case promotes && refusal.Op == "promote":
		return t.refusal(a, b)
	case t.mode == "safe" && complexNumber: // the number is promoted before it is converted
		if b.Ambiguous { // the error names the number first
			a, b = b, a
		}
		if _, _, err := t.join(a, b); err != nil {
			return t.refusal(a, b)
		}
	case !promotes && op == "true_divide" && !a.Ambiguous:
		return refuse(op, "TypeError", "`x` and `y` must have the same dtype, got tf.%s != tf.%s.", a.DType.Long(),
			b.DType.Long())
	case !promotes && !a.Ambiguous && (op == "add" || op == "tf.add" || !b.Ambiguous):
		if _, err := t.compute("", op, Known(a.DType)); err != nil {
			return err
		}
		return tensorflowInput(op, a.DType, b.DType)
	}
	return tensorflowUnconverted(a, b)
}

// beyondF32Max reports whether v is a finite float64 whose magnitude is above the largest f32.
func beyondF32Max(v any) bool {
	f, ok := v.(float64)
	return ok && !math.IsInf(f, 0) && math.Abs(f) > math.MaxFloat32
}

// tensorflowInput returns the error of op for operands of dtypes first and other, which differ.
func tensorflowInput(op string, first, other dtype.DType) error {
	node, input := nodeOf(op), 1
	switch {
	case op == "tf.where": // its first input is the condition
		input = 2
	case op == "bitwise_and" && first == dtype.I1:
		node = tensorflowNode{name: "LogicalAnd"}
	case (op == "bitwise_or" || op == "bitwise_xor") && first == dtype.I1: // an xor of bools calls LogicalOr first
		node = tensorflowNode{name: "LogicalOr"}
	}
	err := refuse(op, "InvalidArgumentError",
		"cannot compute %s as input #%d(zero-based) was expected to be a %s tensor but is a %s tensor",
		node.name, input, tensorflowSpell(first), tensorflowSpell(other))
	return withRest(err, node.errorEnd())
}

// tensorflowUnconverted returns the error that a number is not converted to the dtype of the
// other operand. The number is a or b; it is b if both are numbers.
func tensorflowUnconverted(a, b Operand) error {
	if a.Ambiguous && (!b.Ambiguous || b.Literal == nil) {
		a, b = b, a
	}
	number := "the number"
	switch v := b.Literal.(type) {
	case bool:
		number = pythonBool[v]
	case int:
		number = strconv.Itoa(v)
	case float64:
		if number = pythonFloat(v); !strings.ContainsAny(number, ".ein") {
			number += ".0"
		}
	case complex128:
		if number = pythonFloat(imag(v)) + "j"; real(v) != 0 {
			if number[0] != '-' && number[0] != '+' {
				number = "+" + number
			}
			number = "(" + pythonFloat(real(v)) + number + ")"
		}
	}
	return noCommonDType.refuse("convert", "TypeError", "Cannot convert %s to EagerTensor of dtype %s", number,
		tensorflowSpell(a.DType))
}

// pythonFloat returns f as Python's repr does, but without the ".0" of a whole number. A number other than 0 has an
// exponent if |f| < 1e-4 or |f| >= 1e16.
func pythonFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(f, 'f', -1, 64), "+"))
	}
	if size := math.Abs(f); size != 0 && size < 1e-4 || size >= 1e16 {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

var pythonBool = map[bool]string{false: "False", true: "True"}

// tensorflowSpell returns the name of d in the errors of TensorFlow's kernels.
func tensorflowSpell(d dtype.DType) string {
	switch d {
	case dtype.F16:
		return "half"
	case dtype.F32:
		return "float"
	case dtype.F64:
		return "double"
	}
	return d.Long()
}
