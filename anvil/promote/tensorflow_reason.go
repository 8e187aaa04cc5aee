package promote

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// mixed is err, which join gave for two operands, as the operation gives it:
// first it asks whether it is there for the first operand's dtype, then whether
// the second one has it; a number is converted, or not, before that.
func (t tensorflow) mixed(op string, a, b Operand, err error) error {
	var no *Refusal
	switch {
	case !errors.As(err, &no):
		return err
	case op == "bitwise_or" && no.Kind != "InvalidArgumentError" && reflected(b.Literal): // Python's types have |, their values have not
		return refuse(op, "AttributeError", "'%s' object has no attribute '__ror__'", pythonType(b.Literal))
	case t.mode == "off" && (op == "add" || op == "true_divide") && a.Literal == nil && a.DType.Is(dtype.Bits) && beyondF32Max(b.Literal):
		return refuse(op, "ValueError", "Can't convert Python sequence with a value out of range for a double-precision value.")
	case no.Kind == "DTypePromotionError" && !a.Ambiguous && !b.Ambiguous:
		return numpyUnpromoted(a.DType, b.DType)
	case no.Op != "promote" && no.Op != "convert":
		return err
	}
	promotes := strings.HasPrefix(op, "tnp.") || t.promotes(op)
	complexNumber := a.Ambiguous && a.DType.Is(dtype.Complex) || b.Ambiguous && b.DType.Is(dtype.Complex)
	switch {
	case promotes && no.Op == "promote":
		return t.refusal(a, b)
	case t.mode == "safe" && complexNumber: // promoted before it is converted, the number first
		if b.Ambiguous {
			a, b = b, a
		}
		if _, _, join := t.join(a, b); join != nil {
			return t.refusal(a, b)
		}
	case !promotes && op == "true_divide" && !a.Ambiguous:
		return refuse(op, "TypeError", "`x` and `y` must have the same dtype, got tf.%s != tf.%s.", a.DType.Long(), b.DType.Long())
	case !promotes && !a.Ambiguous && (op == "add" || op == "tf.add" || !b.Ambiguous):
		if _, at := t.compute("", op, Known(a.DType)); at != nil {
			return at
		}
		return tensorflowInput(op, a.DType, b.DType)
	}
	return tensorflowUnconverted(a, b)
}

// numpyUnpromoted is NumPy's error where result_type is asked.
func numpyUnpromoted(a, b dtype.DType) error {
	err := refuse("result_type", "DTypePromotionError", "The DType %s could not be promoted by %s. This means that no common DType exists for the given inputs.", numpyClass(a), numpyClass(b))
	return goingOn(err, " For example they cannot be stored in a single array unless the dtype is `object`. The full list of DTypes is: ("+numpyClass(a)+", "+numpyClass(b)+")")
}

func reflected(v any) bool {
	switch v.(type) {
	case float64, complex128:
		return true
	}
	return false
}

// beyondF32Max reports whether v is a finite float that is infinite as an f32.
func beyondF32Max(v any) bool {
	f, ok := v.(float64)
	return ok && !math.IsInf(f, 0) && math.Abs(f) > math.MaxFloat32
}

// tensorflowInput: an input of a node is of another dtype than the first.
func tensorflowInput(op string, first, other dtype.DType) error {
	node, input := nodeOf(op), 1
	switch {
	case op == "tf.where": // its first input is the condition
		input = 2
	case op == "bitwise_and" && first == dtype.I1:
		node = tensorflowNode{name: "LogicalAnd"}
	case (op == "bitwise_or" || op == "bitwise_xor") && first == dtype.I1: // the exclusive one is made of others
		node = tensorflowNode{name: "LogicalOr"}
	}
	err := refuse(op, "InvalidArgumentError", "cannot compute %s as input #%d(zero-based) was expected to be a %s tensor but is a %s tensor",
		node.name, input, tensorflowSpell(first), tensorflowSpell(other))
	return goingOn(err, node.named())
}

// tensorflowUnconverted: the number among a and b, of two the second, is not
// converted to the dtype of the other.
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
		if number = strconv.FormatFloat(v, 'g', -1, 64); !strings.ContainsAny(number, ".eIN") {
			number += ".0"
		}
	case complex128:
		if number = fmt.Sprintf("%gj", imag(v)); real(v) != 0 {
			number = fmt.Sprintf("(%g%+gj)", real(v), imag(v))
		}
	}
	return refuse("convert", "TypeError", "Cannot convert %s to EagerTensor of dtype %s", number, tensorflowSpell(a.DType))
}

var pythonBool = map[bool]string{false: "False", true: "True"}

// tensorflowSpell is the name of d in the errors of TensorFlow's kernels.
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
