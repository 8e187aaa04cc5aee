package anvil

import (
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// This file explains the dtypes of results: it finds the rules that a Reason shows as its Steps.

// promotionRules maps an operation to its rule in promotion systems that do not know operations by name.
var promotionRules = map[string]promote.Reduction{
	"Sum": promote.Sum, "Prod": promote.Sum, "Cumsum": promote.Sum, "Cumprod": promote.Sum, "Trace": promote.Sum,
	"NanSum": promote.Sum, "NanProd": promote.Sum,
	"Max": promote.Extreme, "Min": promote.Extreme, "NanMax": promote.Extreme, "NanMin": promote.Extreme,
	"Ptp":  promote.Extreme,
	"Mean": promote.Mean, "Var": promote.Mean, "Std": promote.Mean, "Median": promote.Mean,
	"NanMean": promote.Mean, "NanVar": promote.Mean, "NanStd": promote.Mean, "NanMedian": promote.Mean,
	"Quantile": promote.Mean, "Percentile": promote.Mean, "NanQuantile": promote.Mean, "Cov": promote.Mean,
	"CorrCoef": promote.Mean,
	"Any":      promote.Logical, "All": promote.Logical,
	"ArgMax": promote.Index, "ArgMin": promote.Index, "Nonzero": promote.Index, "ArgWhere": promote.Index,
	"CountNonzero": promote.Index,
	"BinCount":     promote.Index, "NanArgMax": promote.Index, "NanArgMin": promote.Index,
	"Eq": promote.Compare, "Ne": promote.Compare, "Lt": promote.Compare, "Le": promote.Compare, "Gt": promote.Compare,
	"Ge": promote.Compare,
}

// firstOperandRules maps the operations whose result has the dtype of the first operand to
// a rule that gives the reason.
var firstOperandRules = map[string]promote.Rule{
	"At":     takeRule,
	"Set":    setRule,
	"Pad":    {Name: "first operand", Doc: "the padding is converted to the dtype of the tensor"},
	"SortBy": {Name: "first operand", Doc: "elements are moved in the order of the keys"},
	"Ldexp":  {Name: "first operand", Doc: "the exponents are integers"},
	"Diff":   {Name: "first operand", Doc: "neighbours are subtracted at their own dtype"},

	"AddAt": setRule, "MulAt": setRule, "MinAt": setRule, "MaxAt": setRule, "PutAlongAxis": setRule, "Scatter": setRule,
	"Insert": setRule, "Take": takeRule, "TakeAlongAxis": takeRule, "Gather": takeRule,
	"SegmentSum": segmentRule, "SegmentProd": segmentRule, "SegmentMax": segmentRule, "SegmentMin": segmentRule,
	"Reduce": {Name: "first operand", Doc: "elements are combined at their own dtype"},
}

var (
	setRule     = promote.Rule{Name: "first operand", Doc: "stored values are converted to the dtype of the tensor"}
	takeRule    = promote.Rule{Name: "first operand", Doc: "elements are selected by index and keep their dtype"}
	segmentRule = promote.Rule{Name: "first operand", Doc: "rows are combined by segment at their own dtype"}
)

// movingOperations are operations that only move or select elements of their operand.
var movingOperations = wordSet(`Reshape Transpose BroadcastTo ExpandDims Squeeze Flip Flatten MoveAxis SwapAxes
	Tile Repeat Roll Split Unstack Diagonal Diag Tril Triu Sort ToDevice Cummax Cummin Delete Unique UniqueAll`)

var (
	movedRule = promote.Rule{Name: "keeps the dtype",
		Doc: "elements are moved, not computed: dtype and ambiguity stay"}
	positionRule = promote.Rule{Name: "position", Doc: "positions have the dtype that the system gives ArgMax"}
)

// fixedRules maps the operations whose result dtype does not depend on the dtypes of the
// operands to a rule that gives the reason.
var fixedRules = map[string]promote.Rule{
	"SearchSorted":   positionRule,
	"Digitize":       positionRule,
	"LexSort":        positionRule,
	"AsType":         {Name: "converted", Doc: "AsType converts to the given dtype, which is then known"},
	"BitcastConvert": {Name: "converted", Doc: "the bits are read as the given dtype"},
}

const (
	likeDoc         = "the dtype and ambiguity of the given tensor"
	defaultFloatDoc = "no number is given: the system's default float, known"
)

// constructorDocs maps a constructor to the reason for the dtype of its result if no dtype is
// given. Constant always has a dtype given.
var constructorDocs = map[string]string{
	"New": "int, float64 and complex128 numbers have the system's default dtype, others (int8, float32) keep " +
		"their own; New makes it known",
	"From":  "a Go number keeps exactly its own dtype",
	"Zeros": defaultFloatDoc, "Ones": defaultFloatDoc, "Eye": defaultFloatDoc, "Tri": defaultFloatDoc,
	"Hanning": defaultFloatDoc, "Hamming": defaultFloatDoc, "Blackman": defaultFloatDoc, "Bartlett": defaultFloatDoc,
	"Linspace": "the values are fractions: the system's default float, known",
	"Iota":     "the values are integers: the system's default integer, known",
	"Arange":   "the common dtype of the bounds and the step, known",
	"Scalar":   "the dtype that the system gives the number",
	"Full":     "the dtype that the system gives the number",
	"Lit":      "a literal keeps its exact value until it meets a dtype",
	"Constant": "",

	"ZerosLike": likeDoc, "OnesLike": likeDoc, "FullLike": likeDoc,
}

// wordSet returns the set of the words in words, which are separated by spaces.
func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// steps returns the steps that led from the operands xs to the result's dtype. asked tells
// whether the dtype or its ambiguity was an argument of the call.
func (r Reason) steps(xs []any, asked bool) []promote.Step {
	if r.System == nil || r.Op == "" {
		return nil
	}
	op := strings.TrimSuffix(r.Op, "Into")
	if doc, ok := constructorDocs[op]; ok {
		return r.constructorSteps(op, asked, doc)
	}
	if len(xs) == 0 {
		return nil
	}
	steps, last := r.ruleSteps(op, xs)
	if n := len(steps); n > 0 {
		last = steps[n-1].Result
	}
	switch {
	case len(steps) > 0 && last == r.Result:
		return steps
	case asked:
		rule := promote.Rule{Name: "asked for", Doc: "the operation was called with this dtype or ambiguity"}
		operands := op + " of " + last.String() + " as " + r.Result.String()
		return append(steps, promote.Step{Operands: operands, Result: r.Result, Rule: rule})
	case len(xs) > 1 && len(steps) == 0: // the operands have no common dtype
		return nil
	}
	return append(steps, r.System.Computed(op, last, r.Result)...)
}

// ruleSteps returns the steps of the rule that applies to the operation. It looks for the
// rule in fixedRules, firstOperandRules and movingOperations, then in the system by the name
// of the operation, and then in operandSteps. first is the type of the first operand.
func (r Reason) ruleSteps(op string, xs []any) (steps []promote.Step, first dtype.Typed) {
	first = r.Operands[0]
	if rule, ok := fixedRules[op]; ok {
		operands := first.String() + " as " + r.Result.String()
		return []promote.Step{{Operands: operands, Result: r.Result, Rule: rule}}, first
	}
	if rule, ok := firstOperandRules[op]; ok {
		return []promote.Step{{Operands: first.String(), Result: first, Rule: rule}}, first
	}
	if op == "ArgSort" {
		d := r.Result.String()
		rule := promote.Rule{Name: "counted in " + d, Doc: "positions are " + d}
		return []promote.Step{{Operands: op + " of " + first.String(), Result: r.Result, Rule: rule}}, first
	}
	if movingOperations[op] && first == r.Result {
		return []promote.Step{{Operands: op + " of " + first.String(), Result: first, Rule: movedRule}}, first
	}
	if op == "Where" && len(xs) == 3 {
		xs = xs[1:] // the condition does not promote
	}
	if e, ok := explain(r.System, op, xs...); ok && e.Err == nil {
		return e.Steps, first
	}
	return r.operandSteps(op, xs), first
}

// operandSteps returns the steps of the operation's rule in promotionRules, or of promoting
// its operands xs. It returns nil if the operands do not promote.
func (r Reason) operandSteps(op string, xs []any) []promote.Step {
	rule, known := promotionRules[op]
	e := promote.Explanation{}
	switch {
	case op == "Div" && len(xs) == 2:
		e = r.System.ExplainDivision(xs[0], xs[1])
	case known && len(xs) == 1:
		e = r.System.ExplainReduction(rule, xs[0])
		if n := len(e.Steps); n > 0 {
			e.Steps[n-1].Operands = op + " of " + e.Steps[n-1].Operands
		}
	case len(xs) > 1:
		e = r.System.Explain(xs...)
		if known && e.Err == nil {
			return append(e.Steps, r.comparisonStep(e.Result))
		}
	}
	if e.Err != nil {
		return nil
	}
	return e.Steps
}

// comparisonStep returns the step of a comparison from the common dtype to a bool.
func (r Reason) comparisonStep(common dtype.Typed) promote.Step {
	rule := promote.Rule{Name: "truth", Doc: "a comparison is a bool; it is ambiguous only if both operands are"}
	if r.Result.Ambiguous {
		rule = promote.Rule{Name: "truth, ambiguous",
			Doc: "a comparison is a bool; it is ambiguous because both operands are"}
	}
	return promote.Step{Operands: r.Op + " at " + common.String(), Result: r.Result, Rule: rule}
}

// constructorSteps returns the steps of the constructor op: one for each number without a
// dtype of its own, and one for the result, with the reason doc.
func (r Reason) constructorSteps(op string, asked bool, doc string) (steps []promote.Step) {
	from := op
	for i, o := range r.Operands {
		from += " of " + o.String()
		if r.Literals[i] && o.Ambiguous {
			rule := promote.Rule{Name: "literal",
				Doc: "a plain Go number has no dtype of its own; by itself it counts as " + o.DType.String()}
			steps = append(steps, promote.Step{Operands: "a number, " + o.String(), Result: o, Rule: rule})
		}
	}
	rule := promote.Rule{Name: "made", Doc: doc}
	if asked || op == "Constant" {
		rule = promote.Rule{Name: "asked for", Doc: "the constructor was called with this dtype or ambiguity"}
	}
	return append(steps, promote.Step{Operands: from, Result: r.Result, Rule: rule})
}
