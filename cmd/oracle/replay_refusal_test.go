package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// refused returns why a refusal by the rule with the given name is false, or "" if it is
// right. It has an implementation of the rules of its own, except for "not defined",
// which follows from tables and is not checked.
func (r *replayer) refused(rule string, e promote.Explanation) string {
	switch rule {
	case "no common dtype":
		if len(e.Steps) == 0 && len(r.operands) > 1 && r.joins(e) {
			return "these have a common dtype"
		}
	case "not in place":
		from, into := r.operands[len(r.operands)-1].DType, r.operands[0].DType
		if len(e.Steps) > 0 {
			from = e.Steps[len(e.Steps)-1].Result.DType
		}
		if storable(r.system, from, into) {
			return from.String() + " may be stored in " + into.String()
		}
	case "number out of range":
		if !slices.ContainsFunc(r.operands, func(x promote.Operand) bool { return x.Literal != nil && !r.holds(x.Literal) }) {
			return "every dtype holds the number"
		}
	case "no such value":
		if !slices.ContainsFunc(r.operands, func(x promote.Operand) bool { n, ok := x.Literal.(int); return ok && n < 0 }) {
			return "no exponent is negative"
		}
	}
	return ""
}

// joins reports whether every two of the operands have a common dtype.
func (r *replayer) joins(e promote.Explanation) bool {
	xs := typedOf(r.operands)
	var refusal *promote.Refusal
	switch {
	case errors.As(e.Err, &refusal) && refusal.Kind == "DTypePromotionError": // an error of NumPy in any system
		return numpyTogether(xs[0].DType, xs[1].DType)
	case strings.HasPrefix(r.system, "jax"):
		if !slices.ContainsFunc(xs, func(x dtype.Typed) bool { return !x.Ambiguous }) {
			xs = allKnown(xs)
		}
		_, err := r.bound(xs)
		return err == nil
	case strings.HasPrefix(r.system, "tensorflow"):
		return r.tensorflowJoins()
	}
	for i, x := range xs {
		for _, y := range xs[:i] {
			if x.DType != y.DType && !r.together(x, y) {
				return false
			}
		}
	}
	return true
}

// together reports whether two dtypes have a common one in a system.
func (r *replayer) together(x, y dtype.Typed) bool {
	a, b := x.DType, y.DType
	either := func(is func(dtype.DType) bool) bool { return is(a) || is(b) }
	switch r.system {
	case "torch", "torchext":
		if either(apart) {
			return false
		}
		return !either(wideUnsigned) || either(func(d dtype.DType) bool { return d.Is(dtype.Floating) })
	case "numpy", "tensorflow-legacy":
		return numpyTogether(a, b)
	case "arrayapi":
		return arrayAPITogether(a, b)
	case "arrow-unify":
		return !either(func(d dtype.DType) bool { return d == dtype.I1 })
	}
	return true
}

// apart reports whether PyTorch joins d with no other dtype.
func apart(d dtype.DType) bool {
	narrow := d.Is(dtype.Floating) && d.Bits() == 8 || d.Bits() < 8 && d != dtype.I1
	return narrow || d.IsForeign() && !slices.Contains([]dtype.DType{dtype.C32, dtype.BC32}, d)
}

// wideUnsigned reports whether d is an unsigned integer that PyTorch joins with floats only.
func wideUnsigned(d dtype.DType) bool { return d.Is(dtype.Unsigned) && d.Bits() > 8 }

// numpyTogether reports whether NumPy has a common dtype of a and b, which are different. It has none if
// one of them is a dtype of ml_dtypes.
func numpyTogether(a, b dtype.DType) bool {
	extension := func(d dtype.DType) bool {
		return d == dtype.BF16 || d.Bits() < 8 && d != dtype.I1 || d.Is(dtype.Floating) && d.Bits() == 8
	}
	return !extension(a) && !extension(b)
}

// arrayAPITogether reports whether the standard has a common dtype of a and b. It has one
// within a kind, of signed and unsigned integers up to ui32, and of floats and complex
// numbers.
func arrayAPITogether(a, b dtype.DType) bool {
	switch {
	case a.Is(dtype.Inexact) && b.Is(dtype.Inexact):
		return true
	case a.Is(dtype.Integral) && b.Is(dtype.Integral):
		return a.Is(dtype.Signed) == b.Is(dtype.Signed) || a != dtype.U64 && b != dtype.U64
	}
	return a.Is(dtype.Floating) && b.Is(dtype.Floating)
}

// tensorflowJoins reports whether TensorFlow has a common dtype of the operands. In the mode
// off they must have one dtype, or one is a number of no higher kind than the tensor; in the
// mode all they must have an upper bound in the lattice; in the mode safe one must be above
// the other.
func (r *replayer) tensorflowJoins() bool {
	xs := slices.Clone(r.operands)
	if xs[0].Ambiguous {
		slices.Reverse(xs)
	}
	tensor, second := xs[0], xs[1]
	if second.Ambiguous && !tensor.Ambiguous {
		return r.tensorflowNumber(tensor.DType, second.DType)
	}
	switch r.system {
	case "tensorflow":
		return tensor.DType == second.DType
	case "tensorflow-legacy":
		return numpyTogether(tensor.DType, second.DType)
	case "tensorflow-safe":
		a, b := tensor.DType.String(), second.DType.String()
		return a == b || r.reaches(a)[b] || r.reaches(b)[a]
	}
	_, err := r.bound(typedOf(r.operands))
	return err == nil
}

// tensorflowNumber is tensorflowJoins for a tensor of dtype d and a number.
func (r *replayer) tensorflowNumber(d, number dtype.DType) bool {
	joinBool := []dtype.DType{dtype.I1, dtype.I32, dtype.I64, dtype.U64, dtype.F16, dtype.F32, dtype.F64, dtype.C128}
	switch higher := rank(number) > rank(d); {
	case number == dtype.I1:
		return slices.Contains(joinBool, d)
	case !higher || d == dtype.I1 && r.system != "tensorflow":
		return true
	case r.system == "tensorflow":
		return false
	case r.system == "tensorflow-safe":
		return number.Is(dtype.Complex) && (d.Is(dtype.Integral) && d.Bits() < 64 || d == dtype.F64)
	}
	return true
}

// rank orders the kinds.
func rank(d dtype.DType) int {
	return slices.IndexFunc([]dtype.Kind{dtype.Boolean, dtype.Integral, dtype.Floating, dtype.Complex}, d.Is)
}

// storable reports whether a result of dtype from may be stored in an array of dtype into. In
// PyTorch and NumPy the kind of into must not be lower; in NumPy signed integers may not be stored
// in unsigned ones; in the array API the dtypes must be equal.
func storable(system string, from, into dtype.DType) bool {
	if system == "arrayapi" {
		return from == into
	}
	if strings.HasPrefix(system, "numpy") && from.Is(dtype.Signed) && into.Is(dtype.Unsigned) {
		return false
	}
	if apart(from) != apart(into) && strings.HasPrefix(system, "numpy") {
		return false
	}
	return rank(from) <= rank(into)
}

// holds reports whether the dtypes of all operands can represent the number v.
func (r *replayer) holds(v any) bool {
	for _, x := range r.operands {
		if _, err := dtype.Fit(v, x.DType); err != nil && x.Literal == nil {
			return false
		}
	}
	return true
}
