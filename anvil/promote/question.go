package promote

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Question asks any system for a dtype: the common dtype of operands, or the dtype of an
// operation's result. The zero Question asks nothing.
type Question struct {
	xs   []any
	kind questionKind
}

// A questionKind is an operation whose dtype can be asked for.
type questionKind struct {
	text string   // the question, with %s for the operands
	ops  []string // names of the operation in systems that have operations by name (see Operates)

	// resultRule returns the dtype of the result for operands of common dtype t in systems without operations by
	// name. It is nil if the question is for the common dtype.
	resultRule func(s *System, t dtype.Typed) (dtype.Typed, Rule)
}

var commonKind = questionKind{text: "the common dtype of %s"}

var divideKind = questionKind{"the dtype of a true division of %s", []string{"true_divide", "divide"},
	func(s *System, t dtype.Typed) (dtype.Typed, Rule) { return s.rules.Divide(t) }}

// reductionOps holds the names of reductions in systems with operations by name.
var reductionOps = map[Reduction][]string{
	Sum:   {"sum", "tf.reduce_sum"},
	Mean:  {"mean", "tf.reduce_mean"},
	Index: {"argmax", "tf.argmax"},
}

// reductionWords are the reductions' names in questions.
var reductionWords = [...]string{Sum: "sum", Extreme: "maximum", Mean: "mean", Logical: "any or all",
	Index: "position of the maximum", Compare: "comparison"}

// reduceKind returns the kind of questions about the reduction r.
func reduceKind(r Reduction) questionKind {
	return questionKind{"the dtype of the " + reductionWords[r] + " of %s", reductionOps[r],
		func(s *System, t dtype.Typed) (dtype.Typed, Rule) { return s.rules.Reduce(r, t) }}
}

// AskCommon asks for the common dtype of operands (see System.Result).
func AskCommon(xs ...any) Question { return Question{xs, commonKind} }

// AskDivide asks for the dtype of x / y.
func AskDivide(x, y any) Question { return Question{[]any{x, y}, divideKind} }

// AskReduce asks for the dtype of a reduction of x.
func AskReduce(r Reduction, x any) Question { return Question{[]any{x}, reduceKind(r)} }

// Ask returns the system's answer with the steps to it.
func (q Question) Ask(s *System) Explanation {
	if q.kind.resultRule == nil {
		return s.Explain(q.xs...)
	}
	if s.Operates() && len(q.kind.ops) > 0 {
		return q.askByName(s)
	}
	return q.askByFamily(s)
}

// askByFamily answers by the system's rule for divisions or reductions, applied to the common
// dtype of the operands.
func (q Question) askByFamily(s *System) Explanation {
	e := s.Explain(q.xs...)
	if e.Err == nil {
		t, rule := q.kind.resultRule(s, e.Result)
		e.Steps = append(e.Steps, Step{e.Result.String(), t, rule})
		e.Result = t
	}
	return e
}

// askByName answers by the system's operation with the first of the names that it has.
func (q Question) askByName(s *System) (e Explanation) {
	for _, op := range q.kind.ops {
		e = s.ExplainOperation(op, q.xs...)
		if !isNoSuchOperation(e.Err, op) {
			break
		}
	}
	return e
}

// Knows reports whether the system can be asked the question: its tables must show every
// dtype of the question, and a system that is only a table (see OnlyTable) can be asked
// only for the common dtype of two dtypes.
func (q Question) Knows(s *System) bool {
	notDType := func(x any) bool { _, ok := x.(dtype.DType); return !ok }
	if OnlyTable(s) && (q.kind.resultRule != nil || len(q.xs) != 2 || slices.ContainsFunc(q.xs, notDType)) {
		return false
	}
	return !slices.ContainsFunc(q.dtypes(), func(d dtype.DType) bool { return !slices.Contains(s.dtypes, d) })
}

// dtypes returns the dtypes of the operands that are not literals.
func (q Question) dtypes() (ds []dtype.DType) {
	for _, x := range q.xs {
		switch x := x.(type) {
		case dtype.DType:
			ds = append(ds, x)
		case dtype.Typed:
			ds = append(ds, x.DType)
		case Operand:
			ds = append(ds, x.DType)
		case tensor:
			ds = append(ds, x.DType())
		}
	}
	return ds
}

// Operands returns the operands as text: "i32 with the literal 1".
func (q Question) Operands() string {
	words := make([]string, len(q.xs))
	for i, x := range q.xs {
		words[i] = operandWords(x)
	}
	return strings.Join(words, " with ")
}

// operandWords returns an operand of a question as text.
func operandWords(x any) string {
	switch x := x.(type) {
	case Operand:
		if x.Literal == nil && x.Rank == 0 {
			return "zero-dimensional " + x.Typed.String()
		}
		return x.String()
	case dtype.DType, dtype.Typed:
		return fmt.Sprint(x)
	case tensor:
		return operandWords(Operand{Typed: dtype.Typed{DType: x.DType(), Ambiguous: x.Ambiguous()}, Rank: x.Rank()})
	}
	return fmt.Sprintf("the literal %v", x)
}

// String returns the question as text.
func (q Question) String() string {
	if q.kind.text == "" {
		return "nothing"
	}
	return fmt.Sprintf(q.kind.text, q.Operands())
}
