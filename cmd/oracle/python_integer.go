package main

import (
	"math"
	"math/big"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// Python's integers are unbounded. An evaluator represents them by an int, or by a *big.Int if they
// do not fit in an int.

// pythonInteger returns n as an int if it fits, and otherwise n itself.
func pythonInteger(n *big.Int) any {
	if n.IsInt64() {
		return int(n.Int64())
	}
	return n
}

// asBig converts a Python integer, an int or a *big.Int, to a *big.Int; ok is false for other values.
func asBig(v any) (n *big.Int, ok bool) {
	switch v := v.(type) {
	case int:
		return big.NewInt(int64(v)), true
	case *big.Int:
		return v, true
	}
	return nil, false
}

// maxIntegerBits bounds the number of bits of a power.
const maxIntegerBits = 4096

// integerOperation applies +, -, *, //, % or ** to two integers, as Python does; ok is false for other operators, a
// division by zero, a negative exponent, and a power for which b times the bits of a exceeds maxIntegerBits.
func integerOperation(symbol string, a, b *big.Int) (result any, ok bool) {
	z, m := new(big.Int), new(big.Int)
	switch symbol {
	case "+":
		return pythonInteger(z.Add(a, b)), true
	case "-":
		return pythonInteger(z.Sub(a, b)), true
	case "*":
		return pythonInteger(z.Mul(a, b)), true
	case "**":
		if b.Sign() >= 0 && b.IsInt64() && b.Int64() <= maxIntegerBits/int64(max(a.BitLen(), 1)) {
			return pythonInteger(z.Exp(a, b, nil)), true
		}
	case "//", "%":
		if b.Sign() == 0 {
			return nil, false
		}
		if z.QuoRem(a, b, m); m.Sign() != 0 && m.Sign() != b.Sign() { // QuoRem truncates, Python rounds down
			z, m = z.Sub(z, big.NewInt(1)), m.Add(m, b)
		}
		if symbol == "%" {
			z = m
		}
		return pythonInteger(z), true
	}
	return nil, false
}

// tooLongError returns NumPy's error for an integer that C's type long cannot hold.
func tooLongError() error {
	return &promote.Refusal{Op: "numpy", Kind: "OverflowError", Reason: "Python int too large to convert to C long"}
}

// An object is an answer that is not made from a tensor, such as that for a NumPy array of dtype object. It
// holds the fields value and dtype of the answer.
type object struct{ value, dtype any }

// bigIntegerArray makes an array of dtype d from n, an integer beyond the range of int. If d is Invalid, the
// system chooses the dtype.
func (w valueEvaluator) bigIntegerArray(n *big.Int, d dtype.DType) (any, error) {
	switch {
	case w.isJAX():
		t, err := w.system.Literal(1)
		if err != nil {
			return nil, err
		}
		return nil, &promote.Refusal{Op: "asarray", Kind: "OverflowError",
			Reason: "Python int " + n.String() + " too large to convert to " + t.DType.Long()}
	case !w.onNumPy():
		return nil, errExpression
	case d.Is(dtype.Inexact):
		return w.array(toFloat(n), d, false)
	case n.IsUint64() && (d == dtype.Invalid || d == dtype.U64):
		return w.context().With(promote.Anvil).Scalar(n.Uint64(), dtype.U64), nil
	case d == dtype.Invalid:
		return object{n.String(), "object"}, nil
	}
	return nil, tooLongError()
}

// onNumPy reports whether NumPy computes the expressions: NumPy's own, or those of array-api-strict, which
// is built on NumPy.
func (w valueEvaluator) onNumPy() bool {
	return w.system == promote.NumPy || w.system == promote.ArrayAPI
}

// bigIntegerOperation applies an operator to the array x and n, an integer beyond the range of int. If
// reflected is set, n is the first operand.
func (w valueEvaluator) bigIntegerOperation(symbol string, x anvil.Tensor, n *big.Int, reflected bool) (any, error) {
	compares := symbol == "==" || symbol == "!=" || symbol == "<" || symbol == ">" || symbol == "<=" || symbol == ">="
	operands := []any{x, nil}
	switch d := x.DType(); {
	case w.system != promote.NumPy:
		return nil, errExpression
	case d == dtype.U64 && n.IsUint64():
		operands[1] = w.context().With(promote.Anvil).Scalar(n.Uint64(), dtype.U64)
	case d.Is(dtype.Inexact):
		operands[1] = toFloat(n)
	case compares: // the integer compares with all elements of x as an infinity does
		operands[1] = math.Copysign(math.Inf(1), toFloat(n))
		operands[0] = w.lib().AsType(x, dtype.F64)
	default:
		return nil, tooLongError()
	}
	if reflected {
		operands[0], operands[1] = operands[1], operands[0]
	}
	return callBinary(w.lib(), operators[symbol], operands[0], operands[1])
}
