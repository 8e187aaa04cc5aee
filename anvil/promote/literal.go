package promote

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// numberDType returns the dtype of a Go value in a system with the given default dtypes. A
// bool is an ambiguous i1; an int, a float64 and a complex128 have the default dtype of their
// kind, ambiguous. Values of other number types have the known dtype of their type.
func numberDType(v any, integer, float, cplx dtype.DType) (dtype.Typed, error) {
	switch v.(type) {
	case bool:
		return Amb(dtype.I1), nil
	case int:
		return Amb(integer), nil
	case float64:
		return Amb(float), nil
	case complex128:
		return Amb(cplx), nil
	}
	return dtype.OfLiteral(v)
}

// literalSteps returns a step for each literal among xs.
func (s *System) literalSteps(xs []Operand) (steps []Step) {
	for _, x := range xs {
		if x.Literal != nil {
			steps = append(steps, Step{x.String(), x.Typed, literalRule(x)})
		}
	}
	return steps
}

// literalRule returns the rule that gives the literal x its dtype.
func literalRule(x Operand) Rule {
	if x.Ambiguous {
		noun := "number"
		if _, ok := x.Literal.(bool); ok {
			noun = "bool"
		}
		return Rule{"literal", fmt.Sprintf("the %s %s has no dtype of its own; by itself it counts as %s", noun, x, x.DType)}
	}
	return Rule{"typed value", fmt.Sprintf("a Go %T is %s", x.Literal, x.DType)}
}

// literalText returns a literal as text: a finite float has a point or an exponent.
func literalText(v any) string {
	text := fmt.Sprint(v)
	if f, ok := v.(float64); ok && f == math.Trunc(f) && !strings.ContainsAny(text, "eNI") {
		text += ".0"
	}
	return text
}

// realOf converts a literal to a float: true to 1, and a complex number with a nonzero
// imaginary part to NaN. It returns 0 for false, nil, and numbers of sized types.
func realOf(v any) float64 {
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

// pythonType returns the name of the Python type of a plain number or bool.
func pythonType(v any) string {
	switch v.(type) {
	case float64:
		return "float"
	case complex128:
		return "complex"
	}
	return fmt.Sprintf("%T", v)
}

// powerOps are the names of the power operation in the real systems.
var powerOps = []string{"pow", "power", "pow_", "ipow", "tnp.power"}

// uncheckedNumberOps are the operations whose numbers need not fit the dtype of the other
// operand: comparisons compare the exact number, the others wrap it.
var uncheckedNumberOps = []string{"equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
	"where", "concatenate", "clip"}

// checkNumbers returns an error if op, with a result of dtype t, does not allow the value of
// a number among its two operands. An int must fit the other operand's dtype if that is an
// integer and t is not a float or complex, and some systems do not raise integers to negative
// powers. Rules.Numbers may check more.
func (s *System) checkNumbers(op string, xs []Operand, t dtype.Typed) error {
	if len(xs) != 2 {
		return nil
	}
	for i, x := range xs {
		v, ok := x.Literal.(int)
		otherDType := xs[1-i].DType
		if !ok || !otherDType.Is(dtype.Bits) {
			continue
		}
		isExponent := i == 1 && s.rules.NegativePower != nil && slices.Contains(powerOps, op)
		stored := v
		mustFit := otherDType.Is(dtype.Integral) && otherDType.Valid() && !t.DType.Is(dtype.Inexact) &&
			!slices.Contains(uncheckedNumberOps, op)
		if mustFit {
			w, err := s.Convert(v, otherDType)
			if err != nil {
				return err
			}
			if isExponent { // w has the Go type of otherDType
				stored = int(reflect.ValueOf(w).Convert(reflect.TypeFor[int]()).Int())
			}
		}
		if isExponent {
			if err := s.rules.NegativePower(v, stored); err != nil {
				return err
			}
		}
	}
	if s.rules.Numbers != nil {
		return s.rules.Numbers(op, xs, t)
	}
	return nil
}

// negativePower returns a Rules.NegativePower that returns refusal if the exponent is
// negative before its conversion to the integer's dtype.
func negativePower(refusal *Refusal) func(n, stored int) error {
	return func(n, _ int) error {
		if n < 0 {
			return refusal
		}
		return nil
	}
}

// firstMisfit returns the first number among the operands that does not fit the dtype of the
// result or of a tensor operand, and the dtype that it does not fit; ok is false if all fit.
func (e Explanation) firstMisfit() (x Operand, d dtype.DType, ok bool) {
	ds := []dtype.DType{e.Result.DType}
	for _, operand := range e.Operands {
		if operand.Literal == nil {
			ds = append(ds, operand.DType)
		}
	}
	for _, x := range e.Operands {
		for _, d := range ds {
			if misfits(x, d) {
				return x, d, true
			}
		}
	}
	return x, d, false
}

// misfits reports whether x is an int that the integer dtype d does not hold, or a float64
// that the float dtype d does not hold.
func misfits(x Operand, d dtype.DType) bool {
	switch x.Literal.(type) {
	case int:
		if !d.Is(dtype.Integral) {
			return false
		}
	case float64:
		if !d.Is(dtype.Floating) {
			return false
		}
	default:
		return false
	}
	if !d.Valid() {
		return false
	}
	_, err := dtype.Fit(x.Literal, d)
	return err != nil
}

// rangeText returns the range of d: "i8 holds -128 to 127".
func rangeText(d dtype.DType) string {
	if d.Is(dtype.Integral) {
		return fmt.Sprintf("%s holds %s", d, d.Range())
	}
	return fmt.Sprintf("%s holds up to %s", d, d.Range())
}

// outOfRangeRule returns the rule of the cause outOfRange, with the number and the range of
// the dtype in its sentence.
func (e Explanation) outOfRangeRule() Rule {
	rule := causes[outOfRange]
	if x, d, ok := e.firstMisfit(); ok {
		rule.Doc = fmt.Sprintf("%s, not %s: an error under %s", rangeText(d), literalText(x.Literal),
			e.System.Name())
	}
	return rule
}

// beyondName is the name of the rule of wrapSteps.
const beyondName = "number beyond the dtype"

// wrapSteps returns a step for the first number among the operands that does not fit the
// result's dtype and that the system converts nonetheless, to another number. It returns nil
// if there is no such number.
func (e Explanation) wrapSteps(op string) []Step {
	if e.Err != nil || OnlyTable(e.System) || slices.Contains(uncheckedNumberOps, op) {
		return nil
	}
	for _, x := range e.Operands {
		if !x.Ambiguous || !misfits(x, e.Result.DType) {
			continue
		}
		v, err := e.System.Convert(x.Literal, e.Result.DType)
		if err != nil {
			continue
		}
		return []Step{{x.String() + " at " + e.Result.String(), e.Result, Rule{beyondName,
			fmt.Sprintf("%s: %s becomes %v there, without an error", rangeText(e.Result.DType),
				literalText(x.Literal), v)}}}
	}
	return nil
}
