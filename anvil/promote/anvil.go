package promote

import "github.com/goanvil/notebook/anvil/dtype"

// Anvil implements the promotion rules of R anvil. The common dtype of a float and an
// integer is the float's. The dtype of a literal is ambiguous: a known dtype of the same
// or a higher kind takes precedence. Dtypes that R anvil does not have follow similar
// rules (see dtype.Join).
var Anvil = New("anvil", "R anvil's rules: speed over precision; ambiguous dtypes yield to known ones",
	anvilDTypes, Rules{
		Literal: dtype.OfLiteral,
		Convert: dtype.Fit,
		Join:    anvilJoin,
		Divide:  anvilDivide,
		Reduce:  anvilReduce,

		NumbersByDType: true,
	})

// anvilDTypes are R anvil's eleven dtypes.
var anvilDTypes = []dtype.DType{dtype.I1, dtype.I8, dtype.I16, dtype.I32, dtype.I64,
	dtype.U8, dtype.U16, dtype.U32, dtype.U64, dtype.F32, dtype.F64}

// anvilJoin is dtype.Join, but also returns the rule that gives the dtype.
func anvilJoin(a, b Operand) (dtype.Typed, Rule, error) {
	t, r := dtype.JoinRule(a.Typed, b.Typed)
	if r == dtype.NoRule {
		_, err := dtype.Join(a.Typed, b.Typed)
		return t, Rule{}, err
	}
	return t, Rule{r.String(), r.Doc()}, nil
}

// anvilDivide returns t, in which operands of the common dtype t are divided, and the rule of the
// division. The quotient of integers is truncated, as by Go's /.
// Source: R/api.R nv_div of r-xla/anvil 0.2.
func anvilDivide(t dtype.Typed) (dtype.Typed, Rule) {
	if t.DType.Is(dtype.Integral) {
		return t, ruleTruncated
	}
	return t, ruleDivision
}

// anvilReduce returns the dtype of the reduction r of t, and its rule. Most reductions
// keep t. A mean has the common dtype of t and a float literal, the count. Any and all
// give a known i1, positions a known i32. A comparison gives i1, ambiguous if t is.
// Source: R/primitives.R of r-xla/anvil 0.2.
func anvilReduce(r Reduction, t dtype.Typed) (dtype.Typed, Rule) {
	switch r {
	case Mean:
		return dtype.Common(t.DType, dtype.F32, t.Ambiguous, true),
			Rule{"mean", "the sum divided by the count, which is a float literal"}
	case Logical:
		return Known(dtype.I1), Rule{"any, all", "a bool, never ambiguous"}
	case Index:
		return Known(dtype.I32), Rule{"position", "i32, never ambiguous"}
	case Compare:
		return dtype.Typed{DType: dtype.I1, Ambiguous: t.Ambiguous},
			Rule{"comparison", "a bool, ambiguous where both operands are"}
	}
	return t, Rule{"reduction", "anvil's reductions keep the dtype; the result is ambiguous (?) if the operand is"}
}
