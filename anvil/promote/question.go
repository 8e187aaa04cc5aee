package promote

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Question asks a system for a dtype. The zero Question asks nothing.
type Question struct {
	xs   []any
	kind questionKind
}

// A questionKind is what is asked of the operands: the words of it, the names
// that systems have for the operation, and what a system without such names
// does with the common dtype.
type questionKind struct {
	text string // with %s for the operands
	ops  []string
	then func(s *System, t dtype.Typed) (dtype.Typed, Rule)
}

var commonKind = questionKind{text: "the common dtype of %s"}

var divideKind = questionKind{"the dtype of a true division of %s", []string{"true_divide", "divide"},
	func(s *System, t dtype.Typed) (dtype.Typed, Rule) { return s.rules.Divide(t) }}

// reductionOps are the names of those reductions that one can ask for.
var reductionOps = map[Reduction][]string{
	Sum:   {"sum", "tf.reduce_sum"},
	Mean:  {"mean", "tf.reduce_mean"},
	Index: {"argmax", "tf.argmax"},
}

// reductionWords are what a learner calls them.
var reductionWords = [...]string{Sum: "sum", Extreme: "maximum", Mean: "mean", Logical: "truth", Index: "position of the maximum", Compare: "comparison"}

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
	if q.kind.then == nil {
		return s.Explain(q.xs...)
	}
	if s.Operates() {
		return q.operate(s)
	}
	return q.by(s)
}

// by asks by the system's rule for the family that the operation is of.
func (q Question) by(s *System) Explanation {
	e := s.Explain(q.xs...)
	if e.Err == nil {
		t, rule := q.kind.then(s, e.Result)
		e.Steps = append(e.Steps, Step{e.Result.String(), t, rule})
		e.Result = t
	}
	return e
}

// operate asks by the first of the operation's names that the system has.
func (q Question) operate(s *System) (e Explanation) {
	for _, op := range q.kind.ops {
		e = s.ExplainOperation(op, q.xs...)
		if missing := new(dtype.Error); !errors.As(e.Err, &missing) || missing.Op != op {
			break // every other error is the answer
		}
	}
	return e
}

// Knows reports whether the system can be asked: its tables show every dtype
// of the question, and those that are there for comparison only know pairs of
// tensors.
func (q Question) Knows(s *System) bool {
	if OnlyTable(s) && (q.kind.then != nil || len(q.xs) != 2 || slices.ContainsFunc(q.xs, notPlain)) {
		return false
	}
	return !slices.ContainsFunc(q.dtypes(), func(d dtype.DType) bool { return !slices.Contains(s.dtypes, d) })
}

func notPlain(x any) bool {
	_, plain := x.(dtype.DType)
	return !plain
}

// dtypes returns the dtypes of the operands that are no literals.
func (q Question) dtypes() (ds []dtype.DType) {
	for _, x := range q.xs {
		switch x := x.(type) {
		case dtype.DType:
			ds = append(ds, x)
		case dtype.Typed:
			ds = append(ds, x.DType)
		case Operand:
			ds = append(ds, x.DType)
		case typed:
			ds = append(ds, x.DType())
		}
	}
	return ds
}

// Operands returns the operands in words: "i32 with the literal 1".
func (q Question) Operands() string {
	words := make([]string, len(q.xs))
	for i, x := range q.xs {
		words[i] = operandWords(x)
	}
	return strings.Join(words, " with ")
}

func operandWords(x any) string {
	switch x := x.(type) {
	case Operand:
		if x.Literal == nil && x.Rank == 0 {
			return x.Typed.String() + " of rank 0"
		}
		return x.String()
	case dtype.DType, dtype.Typed:
		return fmt.Sprint(x)
	case typed:
		return operandWords(Operand{Typed: dtype.Typed{DType: x.DType(), Ambiguous: x.Ambiguous()}, Rank: x.Rank()})
	}
	return fmt.Sprintf("the literal %v", x)
}

// String returns the question in words.
func (q Question) String() string {
	if q.kind.text == "" {
		return "nothing"
	}
	return fmt.Sprintf(q.kind.text, q.Operands())
}
