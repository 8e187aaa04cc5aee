package promote

import (
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// ExplainReduction returns how the reduction r of x comes to its dtype by the
// system's rule for the family, which operations of no name of their own have.
func (s *System) ExplainReduction(r Reduction, x any) Explanation {
	return Question{[]any{x}, reduceKind(r)}.by(s)
}

// ExplainDivision returns how x / y comes to its dtype by the system's rule of
// division.
func (s *System) ExplainDivision(x, y any) Explanation {
	return Question{[]any{x, y}, divideKind}.by(s)
}

var realRule = Rule{"function of reals", "integers and bools are computed as what the literal 1.0 makes of them"}

var complexRule = Rule{"made complex", "two floats are the parts of a complex number"}

// Computed returns the steps from at, the dtype that operands come to, to r,
// the dtype of what op computes from it.
func (s *System) Computed(op string, at, r dtype.Typed) (steps []Step) {
	if !at.DType.Is(dtype.Inexact) && r.DType.Is(dtype.Inexact) {
		if e := s.Explain(at, 1.0); e.Err == nil && (e.Result == r || makes(e.Result, r)) {
			at, steps = e.Result, append(e.Steps, Step{op + " of " + e.Result.String(), e.Result, realRule})
		}
	}
	switch step := kernelStep(op, at, r); {
	case at == r && len(steps) > 0:
		return steps
	case makes(at, r):
		return append(steps, Step{op + " of " + at.String(), r, complexRule})
	case at == r:
		step.Rule.Doc = "the result has the dtype that it is computed in, and its flag"
		return append(steps, step)
	default:
		if r.Ambiguous { // weak is a word of JAX's
			step.Rule.Name, step.Rule.Doc = strings.Replace(step.Rule.Name, ", weak", ", ambiguous", 1), strings.Replace(step.Rule.Doc, "and weak", "and ambiguous", 1)
		}
		return append(steps, step)
	}
}

// makes reports whether floats of at are the parts of r.
func makes(at, r dtype.Typed) bool {
	return at.DType.Is(dtype.Floating) && r.DType.Is(dtype.Complex) && part(r.DType) == at.DType && at.Ambiguous == r.Ambiguous
}
