package promote

import (
	"fmt"
	"math"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Step is one application of a rule: operands in words, what came out, and
// the rule.
type Step struct {
	Operands string
	Result   dtype.Typed
	Rule     Rule
}

// String returns the step in words: "i32? with i16: i16 (rule: what it says)".
func (s Step) String() string {
	return fmt.Sprintf("%s: %s (%s: %s)", s.Operands, s.Result, s.Rule.Name, s.Rule.Doc)
}

// An Explanation says how operands came to their common dtype, step by step,
// or why they have none.
type Explanation struct {
	System   *System
	Operands []Operand
	Steps    []Step
	Result   dtype.Typed
	Err      error
}

// Explain returns how xs (see Result) come to their common dtype. It does not
// panic: an error is part of the explanation.
func (s *System) Explain(xs ...any) Explanation {
	e := Explanation{System: s}
	e.Operands, e.Err = s.Operands(xs...)
	if e.Err == nil {
		e.Result, e.Steps, e.Err = s.resolve(e.Operands, true)
		e.Steps = append(e.Steps, e.wrapped("")...)
	}
	return e
}

// ExplainJoin returns how two operands come to their common dtype, as they are:
// unlike Explain it does not see to it that a literal fits.
func (s *System) ExplainJoin(a, b Operand) Explanation {
	e := Explanation{System: s, Operands: []Operand{a, b}}
	if e.Result, _, e.Err = s.rules.Join(a, b); e.Err != nil {
		return e
	}
	joined := s.Explain(a, b)
	e.Steps = joined.Steps
	return e
}

// resolve joins xs and fits the literals among them. Steps are made where
// somebody wants them.
func (s *System) resolve(xs []Operand, explain bool) (t dtype.Typed, steps []Step, err error) {
	if len(xs) == 0 {
		return t, nil, &dtype.Error{Op: s.name, Reason: "nothing to join", Hint: "give at least one operand"}
	}
	if explain {
		steps = s.literalSteps(xs)
	}
	var joins []Step
	if len(xs) == 2 && !explain { // the same, and without words
		t, _, err = s.rules.Join(xs[0], xs[1])
	} else if s.rules.Resolve != nil {
		t, joins, err = s.rules.Resolve(xs)
	} else {
		t, joins, err = s.fold(xs, explain)
	}
	if explain {
		steps = append(steps, joins...)
	}
	if err != nil {
		return t, steps, err
	}
	return t, steps, s.fit(xs, t)
}

func (s *System) literalSteps(xs []Operand) (steps []Step) {
	for _, x := range xs {
		if x.Literal != nil {
			steps = append(steps, Step{x.String(), x.Typed, literalRule(x)})
		}
	}
	return steps
}

func literalRule(x Operand) Rule {
	if x.Ambiguous {
		return Rule{"literal", fmt.Sprintf("a Go %T has no dtype of its own; %s stands for it until it meets one", x.Literal, x.DType)}
	}
	return Rule{"typed value", fmt.Sprintf("a Go %T is %s", x.Literal, x.DType)}
}

func (s *System) fold(xs []Operand, explain bool) (dtype.Typed, []Step, error) {
	acc, steps := xs[0], []Step(nil)
	for _, x := range xs[1:] {
		t, rule, err := s.rules.Join(acc, x)
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

// fit returns an error where a literal among xs cannot be at the common dtype.
func (s *System) fit(xs []Operand, t dtype.Typed) error {
	for _, x := range xs {
		if x.Literal == nil || !x.Ambiguous {
			continue
		}
		if _, err := s.Convert(x.Literal, t.DType); err != nil {
			return err
		}
	}
	return nil
}

// String returns the operands and the result, then the steps, numbered, each
// with the rule that it applies.
func (e Explanation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.System.Name(), e.Title())
	for i, s := range e.Steps {
		fmt.Fprintf(&b, "\n%2d. %s", i+1, s)
	}
	if rule, no := e.Refusal(); no {
		fmt.Fprintf(&b, "\n%2d. no result (%s: %s)", len(e.Steps)+1, rule.Name, rule.Doc)
	}
	return b.String()
}

// Title returns the operands with the result or the error.
func (e Explanation) Title() string {
	words := make([]string, len(e.Operands))
	for i, x := range e.Operands {
		words[i] = x.String()
	}
	if len(words) == 0 && e.Err != nil {
		return e.Err.Error()
	}
	if e.Err != nil {
		return strings.Join(words, ", ") + ": " + e.Err.Error()
	}
	return strings.Join(words, ", ") + " -> " + e.Result.String()
}

// String returns the dtype; of a literal, its value; of one with a dtype of
// its own, both.
func (x Operand) String() string {
	switch {
	case x.Literal == nil:
		return x.Typed.String()
	case x.Ambiguous || x.DType == dtype.I1:
		return literalText(x.Literal)
	}
	return fmt.Sprintf("%T(%v)", x.Literal, x.Literal)
}

// literalText returns a number as one writes it: a float has a point.
func literalText(v any) string {
	text := fmt.Sprint(v)
	if f, ok := v.(float64); ok && f == math.Trunc(f) && !strings.ContainsAny(text, "eNI") {
		text += ".0"
	}
	return text
}
