package anvil

import (
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// families are the operations whose dtype a system gives by the rule of a
// family, where it has none of their name.
var families = map[string]promote.Reduction{
	"Sum": promote.Sum, "Prod": promote.Sum, "Cumsum": promote.Sum, "Cumprod": promote.Sum, "Trace": promote.Sum, "NanSum": promote.Sum, "NanProd": promote.Sum,
	"Max": promote.Extreme, "Min": promote.Extreme, "NanMax": promote.Extreme, "NanMin": promote.Extreme, "Ptp": promote.Extreme,
	"Mean": promote.Mean, "Var": promote.Mean, "Std": promote.Mean, "Median": promote.Mean,
	"NanMean": promote.Mean, "NanVar": promote.Mean, "NanStd": promote.Mean, "NanMedian": promote.Mean,
	"Quantile": promote.Mean, "Percentile": promote.Mean, "NanQuantile": promote.Mean, "Cov": promote.Mean, "CorrCoef": promote.Mean,
	"Any": promote.Logical, "All": promote.Logical,
	"ArgMax": promote.Index, "ArgMin": promote.Index, "Nonzero": promote.Index, "ArgWhere": promote.Index, "CountNonzero": promote.Index,
	"BinCount": promote.Index, "NanArgMax": promote.Index, "NanArgMin": promote.Index,
	"Eq": promote.Compare, "Ne": promote.Compare, "Lt": promote.Compare, "Le": promote.Compare, "Gt": promote.Compare, "Ge": promote.Compare,
}

// firstOperandRules are the operations whose dtype is that of their first operand, with
// the reason: the others say where, how many or what to store.
var firstOperandRules = map[string]promote.Rule{
	"At":     {Name: "first operand", Doc: "elements are taken as they are; indices say which"},
	"Set":    {Name: "first operand", Doc: "what is stored takes the dtype of the tensor that it is stored in"},
	"Pad":    {Name: "first operand", Doc: "what is put around takes the dtype of the tensor"},
	"SortBy": {Name: "first operand", Doc: "elements are moved; the keys say where to"},
	"Ldexp":  {Name: "first operand", Doc: "the exponents are integers and say by which power of two"},

	"AddAt": putRule, "MulAt": putRule, "MinAt": putRule, "MaxAt": putRule, "PutAlongAxis": putRule, "Scatter": putRule,
	"Insert": putRule, "Take": takeRule, "TakeAlongAxis": takeRule, "Gather": takeRule,
	"SegmentSum": segmentRule, "SegmentProd": segmentRule, "SegmentMax": segmentRule, "SegmentMin": segmentRule,
	"Reduce": {Name: "first operand", Doc: "elements are put together as they are"},
}

var (
	putRule     = promote.Rule{Name: "first operand", Doc: "what is stored takes the dtype of the tensor that it is stored in"}
	takeRule    = promote.Rule{Name: "first operand", Doc: "elements are taken as they are; indices say which"}
	segmentRule = promote.Rule{Name: "first operand", Doc: "rows are put together as they are; segments say which"}
)

// movingOperations are the operations that compute nothing.
var movingOperations = wordSet(`Reshape Transpose BroadcastTo ExpandDims Squeeze Flip Flatten MoveAxis SwapAxes Tile Repeat Roll Split Unstack
	Diagonal Diag Tril Triu Sort ToDevice Cummax Cummin Delete Diff Unique UniqueAll`)

var movedRule = promote.Rule{Name: "keeps the dtype", Doc: "elements are moved, not computed: dtype and flag stay"}

var positionRule = promote.Rule{Name: "position", Doc: "positions are integers of the dtype that the system gives the position of a maximum"}

// askedRules are the operations that give the dtype they are told to.
var askedRules = map[string]promote.Rule{
	"SearchSorted":   positionRule,
	"Digitize":       positionRule,
	"LexSort":        positionRule,
	"AsType":         {Name: "converted", Doc: "AsType gives the dtype that it is asked for, and a known one"},
	"BitcastConvert": {Name: "converted", Doc: "the bits are read as the dtype that it is asked for"},
}

const defaultFloatDoc = "made of no number: the float that the system takes by default, known"

// constructors say what each gives where no dtype is asked for.
var constructors = map[string]string{
	"New":   "Go numbers are what the system makes of such literals, sized ones have their own dtype; New's are known",
	"From":  "a Go number has exactly its own dtype",
	"Zeros": defaultFloatDoc, "Ones": defaultFloatDoc, "Eye": defaultFloatDoc, "Tri": defaultFloatDoc,
	"Hanning": defaultFloatDoc, "Hamming": defaultFloatDoc, "Blackman": defaultFloatDoc, "Bartlett": defaultFloatDoc,
	"Linspace": "its numbers lie between the integers: the float that the system takes by default, known",
	"Iota":     "it counts: the integer that the system takes by default, known",
	"Arange":   "the dtype that the bounds and the step have in common, known",
	"Scalar":   "one number is a tensor of what the system makes of it",
	"Full":     "one number, repeated, is what the system makes of it",
	"Lit":      "it keeps its exact value until it meets a dtype",
	"Constant": "",

	"ZerosLike": "dtype and flag of the tensor that it is like", "OnesLike": "dtype and flag of the tensor that it is like",
	"FullLike": "dtype and flag of the tensor that it is like",
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// stepCount returns the rules that gave an operation on xs its dtype: those of the
// operation where its system has it by name, else those of its family, or of
// its operands and what is computed of them.
func (r Reason) steps(xs []any, asked bool) []promote.Step {
	if r.System == nil || r.Op == "" {
		return nil
	}
	op := strings.TrimSuffix(r.Op, "Into")
	if doc, ok := constructors[op]; ok {
		return r.constructorSteps(op, asked, doc)
	}
	if len(xs) == 0 {
		return nil
	}
	steps, at := r.ruleSteps(op, xs)
	if n := len(steps); n > 0 {
		at = steps[n-1].Result
	}
	switch {
	case len(steps) > 0 && at == r.Result:
		return steps
	case asked:
		return append(steps, promote.Step{Operands: op + " of " + at.String() + " as " + r.Result.String(), Result: r.Result,
			Rule: promote.Rule{Name: "asked for", Doc: "it is accumulated in the dtype that was asked for"}})
	case len(xs) > 1 && len(steps) == 0: // the operands have nothing in common
		return nil
	}
	return append(steps, r.System.Computed(op, at, r.Result)...)
}

// ruleSteps returns the steps of the rule that the system has for the operation;
// without any, those by which several operands come together. at is the dtype
// ord a single one.
func (r Reason) ruleSteps(op string, xs []any) (steps []promote.Step, at dtype.Typed) {
	first := r.Operands[0]
	if rule, ok := askedRules[op]; ok {
		return []promote.Step{{Operands: first.String() + " as " + r.Result.String(), Result: r.Result, Rule: rule}}, first
	}
	if rule, ok := firstOperandRules[op]; ok {
		return []promote.Step{{Operands: first.String(), Result: first, Rule: rule}}, first
	}
	if op == "ArgSort" {
		d := r.Result.String()
		return []promote.Step{{Operands: op + " of " + first.String(), Result: r.Result, Rule: promote.Rule{Name: "counted in " + d, Doc: "positions are " + d}}}, first
	}
	if movingOperations[op] && first == r.Result {
		return []promote.Step{{Operands: op + " of " + first.String(), Result: first, Rule: movedRule}}, first
	}
	if op == "Where" && len(xs) == 3 {
		xs = xs[1:]
	}
	if e, ok := explain(r.System, op, xs...); ok && e.Err == nil {
		return e.Steps, first
	}
	return r.operandSteps(op, xs), first
}

// operandSteps returns the steps of the operation's family, or of its operands.
func (r Reason) operandSteps(op string, xs []any) []promote.Step {
	family, known := families[op]
	e := promote.Explanation{}
	switch {
	case op == "Div" && len(xs) == 2:
		e = r.System.ExplainDivision(xs[0], xs[1])
	case known && len(xs) == 1:
		e = r.System.ExplainReduction(family, xs[0])
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

// comparisonStep is the step from what two operands are compared in to a bool.
func (r Reason) comparisonStep(at dtype.Typed) promote.Step {
	rule := promote.Rule{Name: "truth", Doc: "a comparison is a bool, known because an operand is"}
	if r.Result.Ambiguous {
		rule = promote.Rule{Name: "truth, ambiguous", Doc: "a comparison is a bool, ambiguous because both operands are"}
	}
	return promote.Step{Operands: r.Op + " at " + at.String(), Result: r.Result, Rule: rule}
}

// constructorSteps returns the steps of a constructor.
func (r Reason) constructorSteps(op string, asked bool, doc string) (steps []promote.Step) {
	from := op
	for i, o := range r.Operands {
		from += " of " + o.String()
		if r.Literals[i] && o.Ambiguous {
			steps = append(steps, promote.Step{Operands: "a number, " + o.String(), Result: o, Rule: promote.Rule{Name: "literal",
				Doc: "a plain Go number has no dtype of its own; " + o.DType.String() + " stands for it until it meets one"}})
		}
	}
	rule := promote.Rule{Name: "made", Doc: doc}
	if asked || op == "Constant" {
		rule = promote.Rule{Name: "asked for", Doc: "it is made with the dtype, or the flag, that was asked for"}
	}
	return append(steps, promote.Step{Operands: from, Result: r.Result, Rule: rule})
}
