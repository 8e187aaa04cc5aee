package display

import (
	"errors"
	"fmt"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

// An Outcome is the result of running code under one promotion system.
type Outcome struct {
	System string
	Tag    string // the dtype and shape of a tensor, otherwise ""
	Value  string
	Err    string      // the text of the error, if the code failed
	Reason string      // the rule that determined the dtype, or the reason for the error
	chain  []nv.Reason // the operations that led to a tensor, first to last
}

// OutcomeOf returns the outcome of code that returned x under a system: the tag, value and reason if x is a tensor, and
// otherwise the text of x. If computing or showing x panics, the outcome is the error.
func OutcomeOf(system string, x any) (o Outcome) {
	defer func() {
		if v := recover(); v != nil {
			err, ok := v.(error)
			if !ok {
				err = fmt.Errorf("showing the value panicked: %v", v)
			}
			o = ErrorOutcome(system, err, err.Error())
		}
	}()
	o.System = system
	t, ok := x.(nv.Tensor)
	if !ok || !t.Valid() {
		o.Value = Render(x).Text()
		return o
	}
	o.Tag, o.Value, _ = strings.Cut(t.String(), " ")
	why := nv.Why(t)
	o.chain, _ = why.Chain()
	o.Reason, _, _ = strings.Cut(why.String(), "\n")
	if n := len(why.Steps); n > 0 {
		deciding := why.Steps[n-1]
		if n > 1 && deciding.Rule.Name == "keeps the dtype" && why.Steps[n-2].Rule.Name != "one operand" {
			deciding = why.Steps[n-2] // the last step only kept the dtype that this one determined
		}
		o.Reason = deciding.Rule.Name + ": " + deciding.Rule.Doc
	}
	if otherSystem(system, why.System) {
		o.Reason = "computed under " + why.System.Name() + ", the system of the cell that defines the code: " + o.Reason
	}
	return o
}

// ErrorOutcome returns the outcome of code that failed with err under a system. If err is an *nv.Error, Err is the
// operation with its operands and Reason is the reason. Otherwise Err is text.
func ErrorOutcome(system string, err error, text string) Outcome {
	var e *nv.Error
	if errors.As(err, &e) {
		return Outcome{System: system, Err: e.Op + "(" + e.Operands + ")", Reason: e.Reason}
	}
	return Outcome{System: system, Err: text}
}

// otherSystem reports whether a value was computed under a system other than the one called name. This happens if the
// cell calls a function of an earlier cell, which computes under the system of that cell. actual is the system of the
// value, or nil. A system that follows the session's settings, as promote.Ivy does, computes under IvyPrecise or
// IvyFast, so these two are not other systems than Ivy.
func otherSystem(name string, actual *promote.System) bool {
	named, err := promote.ByName(name)
	if err != nil || actual == nil || actual.Name() == name {
		return false
	}
	return !named.Follows() || actual != promote.IvyPrecise && actual != promote.IvyFast
}

// Outcomes are the outcomes of running code under several systems. They are shown as a table with a row for each.
type Outcomes []Outcome

var outcomeHeads = []string{"system", "tag", "value or error", "reason"}

// divergence describes the first operation whose result differs between the outcomes. It returns "" if there is no
// such operation, or if the outcomes are not all tensors that were made by the same two or more operations.
func (outcomes Outcomes) divergence() string {
	if len(outcomes) < 2 || len(outcomes[0].chain) < 2 {
		return ""
	}
	for i, step := range outcomes[0].chain {
		var words []string
		differ := false
		for _, o := range outcomes {
			if len(o.chain) != len(outcomes[0].chain) || o.chain[i].Op != step.Op {
				return ""
			}
			differ = differ || o.chain[i].Result != step.Result
			words = append(words, o.System+" "+o.chain[i].Result.String())
		}
		if differ {
			return fmt.Sprintf("the results first differ at operation %d, %s: %s", i+1, step.Op, strings.Join(words, ", "))
		}
	}
	return ""
}

// Display returns the table as text and as HTML. Below it stands the first operation whose result differs, if any.
func (outcomes Outcomes) Display() Bundle {
	var rows [][]string
	for _, o := range outcomes {
		value := o.Value
		if o.Err != "" {
			value = "error: " + o.Err
		}
		rows = append(rows, []string{o.System, o.Tag, value, o.Reason})
	}
	return runTable(outcomeHeads, rows, outcomes.divergence())
}
