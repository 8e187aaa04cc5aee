package anvil

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A record describes the operation that made a tensor. It has no pointer to another tensor
// and leads to at most maxEarlier earlier records, so that a variable updated a million
// times does not keep its whole history in memory.
type record struct {
	before   *earlier // the operation of the same cell that made an operand; nil: none
	op       string
	rules    *rules
	line     *string // the cell that called the operation: "In[3]"; nil or "": not in a cell
	operands [maxOperands]recordedOperand
	count    int         // number of operands, which may be more than maxOperands
	stored   bool        // the result was converted to the dtype of the tensor that stores it
	asked    bool        // the dtype or its ambiguity was an argument
	cut      bool        // there were earlier operations, which are not recorded any more
	computed dtype.DType // the widest float dtype that the operation computes in
}

const (
	maxEarlier  = 8 // the greatest number of earlier operations that a record leads to
	maxOperands = 4 // the greatest number of operands that a record describes
)

// earlier is the record of an earlier operation and the dtype of its result.
type earlier struct {
	record record
	result dtype.Typed
	count  int // the number of operations from here to the first one
}

// recordEarlier records the operation of the same cell that made one of xs, the operands of t: the
// first operand with the dtype and ambiguity of t, or else the first operand.
func (t *tensor) recordEarlier(xs []any) {
	if t.why.line == nil {
		return
	}
	typed := Tensor{t: t}.Typed()
	var from *tensor
	for _, x := range xs {
		y, ok := x.(Tensor)
		if !ok || y.t == nil || !y.t.explained() || y.t.why.line != t.why.line {
			continue
		}
		if y.Typed() == typed {
			from = y.t
			break
		}
		if from == nil {
			from = y.t
		}
	}
	if from == nil {
		return
	}
	e := &earlier{record: *from.why, result: Tensor{t: from}.Typed(), count: 1}
	if b := e.record.before; b != nil {
		e.count += b.count
	}
	if e.count > maxEarlier {
		e.record.before, e.record.cut, e.count = nil, true, 1
	}
	t.why.before = e
}

// rules are the promotion system of an operation and the values of the literals among the operands of its record.
type rules struct {
	sys      *promote.System
	literals [maxOperands]any // nil: not a literal
	casting  []promote.Step   // conversions of operands by a casting mode
}

// rulesWithLiterals returns the rules of the call, with its literals and the conversions of
// its operands.
func (c *call) rulesWithLiterals() *rules {
	r := &rules{sys: c.sys, casting: c.castSteps()}
	n := 0
	for _, x := range c.xs {
		if n == len(r.literals) {
			break
		}
		if t, ok := x.(Tensor); ok {
			r.literals[n] = t.t.lit
		} else if o, err := c.sys.Operand(x); err == nil {
			r.literals[n] = o.Literal
		} else {
			continue // record skips this operand too
		}
		n++
	}
	return r
}

// A recordedOperand is an operand as promotion saw it.
type recordedOperand struct {
	typed   dtype.Typed
	rank    uint8
	literal bool
}

// explained reports whether t has a record of the operation that made it.
func (t *tensor) explained() bool { return t.why != nil && t.why.op != "" }

// record sets r to the record of the call.
func (c *call) record(r *record) {
	*r = record{op: c.op, rules: c.rules, line: c.ctx.line.Load(), asked: c.asked, computed: c.computed}
	if c.rules == nil || c.casts != nil {
		r.rules = c.rulesWithLiterals()
	}
	for _, x := range c.xs {
		if r.count < len(r.operands) {
			if t, ok := x.(Tensor); ok {
				ty := t.t.arr.Type()
				typed := dtype.Typed{DType: ty.DType, Ambiguous: t.t.amb}
				r.operands[r.count] = recordedOperand{typed, uint8(min(len(ty.Shape), 255)), t.t.lit != nil}
			} else if o, err := c.sys.Operand(x); err == nil {
				r.operands[r.count] = recordedOperand{o.Typed, uint8(min(o.Rank, 255)), true}
			} else {
				continue // not an operand for promotion
			}
		}
		r.count++
	}
}

// A Reason explains the dtype of a tensor.
type Reason struct {
	Op       string          // the function that made the tensor: "Add"
	Operands []dtype.Typed   // the first four operands at most
	Literals []bool          // which of them are literals of the host language
	More     int             // number of further operands
	System   *promote.System // whose rules applied
	Result   dtype.Typed
	Computed DType          // the dtype of intermediate values, or Invalid if it is the dtype of the result
	Steps    []promote.Step // the rules that applied
	Line     string         // the cell that called the operation: "In[3]", or ""
	Before   []Reason       // earlier operations of the same cell, first to last: each made an operand of the next
	cut      bool           // there are operations before these, which are not recorded any more
}

// Why explains the dtype of x: the operation, the types of its operands, the promotion
// rules that applied, and the earlier operations of the same cell that led to it, followed
// through one operand each.
func Why(x Tensor) Reason {
	first := x.must("Why").why
	if first == nil {
		first = &record{}
	}
	r := first.reason(x.Typed())
	for e := first.before; e != nil; e = first.before {
		r.Before = append(r.Before, e.record.reason(e.result))
		first = &e.record
	}
	slices.Reverse(r.Before)
	r.cut = first.cut
	return r
}

// reason returns the Reason of a result of the recorded operation.
func (why *record) reason(result dtype.Typed) Reason {
	r := Reason{Op: why.op, Result: result, More: max(0, why.count-len(why.operands))}
	var literals [maxOperands]any
	if why.rules != nil {
		r.System, literals = why.rules.sys, why.rules.literals
	}
	if d := r.Result.DType; d.Is(dtype.Floating) && why.computed != dtype.Invalid && why.computed.Bits() > d.Bits() {
		r.Computed = why.computed
	}
	if why.line != nil {
		r.Line = *why.line
	}
	xs := make([]any, 0, maxOperands)
	for i, o := range why.operands[:min(why.count, len(why.operands))] {
		r.Operands, r.Literals = append(r.Operands, o.typed), append(r.Literals, o.literal)
		xs = append(xs, promote.Operand{Typed: o.typed, Rank: int(o.rank), Literal: literals[i]})
	}
	r.Steps = r.steps(xs, why.asked)
	if why.rules != nil && why.rules.casting != nil {
		r.Steps = why.rules.casting
	}
	if n := len(r.Steps); why.stored && n > 0 {
		r.Steps = append(r.Steps, storedStep(r.Steps[n-1].Result, r.Result))
	}
	return r
}

// storedStep returns the step from computed, the type of a result, to target, the type of the
// tensor in which the result is stored.
func storedStep(computed, target dtype.Typed) promote.Step {
	return promote.Step{Operands: computed.String() + " into " + target.String(), Result: target,
		Rule: promote.Rule{Name: "stored", Doc: "the result takes the dtype of what it is stored in"}}
}

// Why is the method form of the function Why.
func (x Tensor) Why() Reason { return Why(x) }

// Chain returns the operations of the cell that led to the dtype, first to last, ending with
// the operation of r. decided is the index of the operation that decided the dtype: from it
// on, all results have the dtype and ambiguity of r. It is -1 if that operation is not
// recorded.
func (r Reason) Chain() (chain []Reason, decided int) {
	chain = append(slices.Clone(r.Before), r)
	decided = len(r.Before)
	for decided > 0 && chain[decided-1].Result == r.Result {
		decided--
	}
	if decided == 0 && r.cut {
		decided = -1
	}
	return chain, decided
}

// ChainTitle returns the title of ChainTexts.
func (r Reason) ChainTitle() string {
	return "the path of " + r.Result.String() + " through the cell (other operands are left out):"
}

// ChainTexts returns the operations of Chain as text, each with the rule that gave its
// dtype. The operation that decided is followed by its steps, one on each line, unless it is
// the last one or was called with the dtype. For a single operation ChainTexts returns nil.
func (r Reason) ChainTexts() []string {
	if len(r.Before) == 0 {
		return nil
	}
	var texts []string
	chain, decided := r.Chain()
	for i, made := range chain {
		text := made.operation()
		if rule := made.rule(); rule != "" {
			text += " (" + rule + ")"
		}
		if i == decided {
			text += ": decided here"
			if i < len(chain)-1 && made.rule() != "asked for" {
				for _, step := range made.Steps {
					text += "\n" + step.String()
				}
			}
		}
		texts = append(texts, text)
	}
	return texts
}

// rule returns the name of the last rule that changed or joined dtypes, or "".
func (r Reason) rule() string {
	for _, step := range slices.Backward(r.Steps) {
		if !strings.HasPrefix(step.Rule.Name, "keeps the dtype") {
			return step.Rule.Name
		}
	}
	return ""
}

// operation returns "Add(i1, i32? literal) -> i32?".
func (r Reason) operation() string {
	words := make([]string, 0, len(r.Operands)+1)
	for i, o := range r.Operands {
		w := o.String()
		if r.Literals[i] {
			w += " literal"
		}
		words = append(words, w)
	}
	if r.More > 0 {
		words = append(words, fmt.Sprintf("%d more", r.More))
	}
	return fmt.Sprintf("%s(%s) -> %s", r.Op, strings.Join(words, ", "), r.Result)
}

// String returns the reason as text: "Add(i1, i32? literal) -> i32? under anvil", then
// the rules, numbered, and the operations of the same cell that led to it.
func (r Reason) String() string {
	if r.Op == "" {
		return r.Result.String()
	}
	s := r.operation()
	if r.System != nil {
		s += " under " + r.System.Name()
	}
	if r.Line != "" {
		s += ", at " + r.Line
	}
	for i, step := range r.Steps {
		s += fmt.Sprintf("\n%2d. %s", i+1, step)
	}
	if r.Computed != dtype.Invalid {
		s += "\n    intermediate values are " + r.Computed.String()
	}
	if texts := r.ChainTexts(); texts != nil {
		s += "\n" + r.ChainTitle()
		for i, text := range texts {
			s += fmt.Sprintf("\n%2d. %s", i+1, strings.ReplaceAll(text, "\n", "\n    "))
		}
	}
	return s
}
