package anvil

import (
	"fmt"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A record says how a tensor was made. Its size is fixed and it has no pointer to another
// tensor, so that a variable updated a million times does not keep its history alive.
type record struct {
	op       string
	rules    *rules
	line     *string
	operands [4]recordedOperand
	count    int         // number of operands; the first four are recorded
	stored   bool        // converted to the dtype of an output
	asked    bool        // the dtype or flag was an argument
	computed dtype.DType // the widest float dtype that the operation computes in
}

// rules are the system of an operation and the values of the literals among its first
// operands.
type rules struct {
	sys      *promote.System
	literals [4]any
	casting  []promote.Step // conversions of operands by a casting mode
}

// rulesWithLiterals returns the call's system with the literals among its operands,
// and the steps by which operands were cast.
func (c *call) rulesWithLiterals() *rules {
	r := &rules{sys: c.sys, casting: c.casting()}
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
			continue // as in record
		}
		n++
	}
	return r
}

// A recordedOperand is what promotion saw of one operand.
type recordedOperand struct {
	typed   dtype.Typed
	rank    uint8
	literal bool
}

// record returns how the call's result came about.
func (c *call) record() record {
	r := record{op: c.op, rules: c.rules, line: c.ctx.line.Load(), asked: c.asked, computed: c.computed}
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
				continue
			}
		}
		r.count++
	}
	return r
}

// A Reason explains the dtype of a tensor.
type Reason struct {
	Op       string          // the function that made it: "Add"
	Operands []dtype.Typed   // the first four operands at most
	Literals []bool          // which of them are literals of the host language
	More     int             // number of further operands
	System   *promote.System // whose rules applied
	Result   dtype.Typed
	Computed DType          // the dtype of intermediate values, or Invalid if that is the result's
	Steps    []promote.Step // the rules that applied
	Line     string         // "In[3]:2", or ""
}

// Why explains the dtype of x: the operation, the types of its operands, and the
// promotion rules that applied.
func Why(x Tensor) Reason {
	t := x.must("Why")
	r := Reason{Op: t.why.op, Result: x.Typed(), More: max(0, t.why.count-len(t.why.operands))}
	var literals [4]any
	if t.why.rules != nil {
		r.System, literals = t.why.rules.sys, t.why.rules.literals
	}
	if d := r.Result.DType; d.Is(dtype.Floating) && t.why.computed != dtype.Invalid && t.why.computed.Bits() > d.Bits() {
		r.Computed = t.why.computed
	}
	if t.why.line != nil {
		r.Line = *t.why.line
	}
	xs := make([]any, 0, len(t.why.operands))
	for i, o := range t.why.operands[:min(t.why.count, len(t.why.operands))] {
		r.Operands, r.Literals = append(r.Operands, o.typed), append(r.Literals, o.literal)
		xs = append(xs, promote.Operand{Typed: o.typed, Rank: int(o.rank), Literal: literals[i]})
	}
	r.Steps = r.steps(xs, t.why.asked)
	if t.why.rules != nil && t.why.rules.casting != nil {
		r.Steps = t.why.rules.casting
	}
	if n := len(r.Steps); t.why.stored && n > 0 {
		r.Steps = append(r.Steps, storedStep(r.Steps[n-1].Result, r.Result))
	}
	return r
}

// storedStep is the conversion of a computed result to the dtype of the tensor that
// stores it.
func storedStep(computed, as dtype.Typed) promote.Step {
	return promote.Step{Operands: computed.String() + " into " + as.String(), Result: as,
		Rule: promote.Rule{Name: "stored", Doc: "the result takes the dtype of what it is stored in"}}
}

// Why is the method form of the function Why.
func (x Tensor) Why() Reason { return Why(x) }

// String returns the reason as text: "Add(i1, i32? literal) -> i32? under anvil", then
// the rules, numbered.
func (r Reason) String() string {
	if r.Op == "" {
		return r.Result.String()
	}
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
	s := fmt.Sprintf("%s(%s) -> %s", r.Op, strings.Join(words, ", "), r.Result)
	if r.System != nil {
		s += " under " + r.System.Name()
	}
	if r.Line != "" {
		s += ", at " + r.Line
	}
	for i, step := range r.Steps {
		s += fmt.Sprintf("\n%2d. %s: %s (%s: %s)", i+1, step.Operands, step.Result, step.Rule.Name, step.Rule.Doc)
	}
	if r.Computed != dtype.Invalid {
		s += "\n    intermediate values are " + r.Computed.String()
	}
	return s
}
