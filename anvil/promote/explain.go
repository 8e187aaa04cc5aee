package promote

import (
	"fmt"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Step is one application of a rule: the operands as text, the result, and the
// rule.
type Step struct {
	Operands string
	Result   dtype.Typed
	Rule     Rule
}

// String returns the step as text: "i32? with i16: i16 (rule: sentence)".
func (s Step) String() string {
	return fmt.Sprintf("%s: %s (%s: %s)", s.Operands, s.Result, s.Rule.Name, s.Rule.Doc)
}

// An Explanation has the steps to a dtype: the common dtype of operands, or the dtype of the
// result of an operation on them. If there is no such dtype, Err is the error.
type Explanation struct {
	System   *System
	Operands []Operand
	Steps    []Step
	Result   dtype.Typed
	Err      error
}

// Explain returns the steps by which xs (see Result) get their common dtype. It
// does not panic: an error is part of the explanation.
func (s *System) Explain(xs ...any) Explanation {
	e := Explanation{System: s}
	e.Operands, e.Err = s.Operands(xs...)
	if e.Err == nil {
		e.Result, e.Steps, e.Err = s.resolve(e.Operands, true)
		e.Steps = append(e.Steps, e.wrapSteps("")...)
	}
	return e
}

// ExplainJoin is Explain for two operands, but a literal that does not fit the common
// dtype is not an error.
func (s *System) ExplainJoin(a, b Operand) Explanation {
	e := Explanation{System: s, Operands: []Operand{a, b}}
	if e.Result, _, e.Err = s.rules.Join(a, b); e.Err != nil {
		return e
	}
	e.Steps = s.Explain(a, b).Steps
	return e
}

// resolve returns the common dtype of xs and, if explain is true, the steps to it. It
// returns an error if there is none, or if a literal does not fit it.
func (s *System) resolve(xs []Operand, explain bool) (t dtype.Typed, steps []Step, err error) {
	if len(xs) == 0 {
		return t, nil, &dtype.Error{Op: s.name, Reason: "nothing to join", Hint: "give at least one operand"}
	}
	if explain {
		steps = s.literalSteps(xs)
	}
	var joins []Step
	if s.rules.Resolve != nil {
		t, joins, err = s.rules.Resolve(xs)
	} else {
		t, joins, err = fold(s.rules.Join, xs, explain)
	}
	if explain {
		steps = append(steps, joins...)
	}
	if err != nil {
		return t, steps, err
	}
	for _, x := range xs {
		if err := s.fits(x, t.DType); err != nil {
			return t, steps, err
		}
	}
	return t, steps, nil
}

// fits returns an error if x is a plain number that does not fit dtype d. A literal of a
// sized type, such as int8(5), has a known dtype, and is converted as a tensor is.
func (s *System) fits(x Operand, d dtype.DType) error {
	if x.Literal == nil || !x.Ambiguous {
		return nil
	}
	_, err := s.Convert(x.Literal, d)
	return err
}

// A joinFunc is a system's Rules.Join.
type joinFunc func(a, b Operand) (dtype.Typed, Rule, error)

// fold joins xs in pairs, from the left. It returns the steps if explain is true.
func fold(join joinFunc, xs []Operand, explain bool) (dtype.Typed, []Step, error) {
	acc, steps := xs[0], []Step(nil)
	for _, x := range xs[1:] {
		t, rule, err := join(acc, x)
		if err != nil {
			return t, steps, err
		}
		if explain {
			steps = append(steps, Step{acc.Typed.String() + " with " + x.Typed.String(), t, rule})
		}
		acc = Operand{Typed: t, Rank: max(acc.Rank, x.Rank)}
	}
	return acc.Typed, steps, nil
}

// String returns the operands and the result, then the steps, numbered, each
// with the rule that it applies.
func (e Explanation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.System.Name(), e.Title())
	for i, s := range e.Steps {
		fmt.Fprintf(&b, "\n%2d. %s", i+1, s)
	}
	if rule, refused := e.Refusal(); refused {
		fmt.Fprintf(&b, "\n%2d. no result (%s: %s)", len(e.Steps)+1, rule.Name, rule.Doc)
	}
	return b.String()
}

// Answer returns the resulting dtype, or "error".
func (e Explanation) Answer() string { return outcome(e.Result, e.Err) }

// Reason returns the rule that gave the dtype, or the text of the error.
func (e Explanation) Reason() string {
	switch {
	case e.Err != nil:
		return e.Err.Error()
	case len(e.Steps) == 0:
		return "there is one operand"
	}
	last := e.Steps[len(e.Steps)-1]
	if len(e.Steps) > 1 && last.Rule.Name == beyondName { // the step is about a value; the one before gave the dtype
		last = e.Steps[len(e.Steps)-2]
	}
	if last.Rule.Doc == "" {
		return last.Rule.Name
	}
	return last.Rule.Name + ": " + last.Rule.Doc
}

// Title returns the operands with the result or the error.
func (e Explanation) Title() string {
	switch {
	case e.Err == nil:
		return listed(e.Operands) + " -> " + e.Result.String()
	case len(e.Operands) == 0:
		return e.Err.Error()
	}
	return listed(e.Operands) + ": " + e.Err.Error()
}

// String returns the dtype of a tensor, the value of a plain number, and for a number of a
// sized type its type and value: "int8(5)".
func (x Operand) String() string {
	switch {
	case x.Literal == nil:
		return x.Typed.String()
	case x.Ambiguous || x.DType == dtype.I1:
		return literalText(x.Literal)
	}
	return fmt.Sprintf("%T(%v)", x.Literal, x.Literal)
}

// ExplainReduction returns the steps by which the reduction r of x gets its dtype,
// under the system's rule for reductions.
func (s *System) ExplainReduction(r Reduction, x any) Explanation {
	return Question{[]any{x}, reduceKind(r)}.askByFamily(s)
}

// ExplainDivision returns the steps by which x / y gets its dtype, under the
// system's rule of division.
func (s *System) ExplainDivision(x, y any) Explanation {
	return Question{[]any{x, y}, divideKind}.askByFamily(s)
}

var realRule = Rule{"function of reals", "it is computed in floats"}

var complexRule = Rule{"made complex", "two floats are the parts of a complex number"}

// Computed returns the steps from common, the common dtype of op's operands, to r, the dtype
// of op's result.
func (s *System) Computed(op string, common, r dtype.Typed) (steps []Step) {
	if !common.DType.Is(dtype.Inexact) && r.DType.Is(dtype.Inexact) {
		if e := s.Explain(common, 1.0); e.Err == nil && (e.Result == r || isComplexOf(e.Result, r)) {
			toFloat := &e.Steps[0] // the step of the literal 1.0
			toFloat.Rule.Doc = "a function of reals promotes an integer or bool as if the literal 1.0 were another operand"
			common, steps = e.Result, append(e.Steps, Step{op + " of " + e.Result.String(), e.Result, realRule})
		}
	}
	switch step := kernelStep(op, common, r); {
	case common == r && len(steps) > 0:
		return steps
	case isComplexOf(common, r):
		return append(steps, Step{op + " of " + common.String(), r, complexRule})
	case common == r:
		step.Rule.Doc = "the result has the dtype and ambiguity of its operands"
		return append(steps, step)
	default:
		if r.Ambiguous { // kernelStep uses JAX's word, weak
			step.Rule.Name = strings.Replace(step.Rule.Name, ", weak", ", ambiguous", 1)
			step.Rule.Doc = strings.Replace(step.Rule.Doc, "is weak", "is ambiguous", 1)
		}
		return append(steps, step)
	}
}

// isComplexOf reports whether t is the complex dtype with parts of the dtype float.
func isComplexOf(float, t dtype.Typed) bool {
	return float.DType.Is(dtype.Floating) && t.DType.Is(dtype.Complex) && elem(t.DType) == float.DType &&
		float.Ambiguous == t.Ambiguous
}
