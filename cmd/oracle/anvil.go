package main

import (
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// anvilLists answer the rows about R anvil and about the article on its type promotion (see promote's rdata.go).
var anvilLists = lists{
	"pairs":               {anvilPairs, pairExplainer(promote.Anvil)},
	"table_disagreements": {answer: anvilDisagreement},
	"promotable_to":       {answer: anvilPromotable},
	"defaults":            {answer: anvilDefault},
	"ops":                 {answer: anvilOperation},
	"worked_examples":     {anvilExample, explainAnvilSteps},
}

// anvilPairs answers rows about pairs of dtypes. The field "table" has the result without the "?" of
// ambiguous dtypes, as in the article's tables. If one dtype is ambiguous, the field "prose" has the result
// of anvilProseRule.
func anvilPairs(r row) row {
	a, b := rowPair(promote.Anvil, r)
	answer := dtypeRow(promote.Anvil.Join(a, b))
	answer["table"] = withoutFlag(answer["result"])
	if a.Ambiguous != b.Ambiguous {
		answer["prose"] = anvilProseRule(a.Typed, b.Typed).String()
	}
	return answer
}

// anvilDisagreement answers rows about pairs of dtypes for which the article's tables and its prose
// disagree. The field "source" has the result of R anvil's source code, which agrees with the tables.
func anvilDisagreement(r row) row {
	answer := anvilPairs(r)
	return row{"table": answer["table"], "source": answer["table"], "prose": answer["prose"]}
}

// withoutFlag returns the name of a dtype without the "?" of ambiguous ones.
func withoutFlag(name any) any {
	text, ok := name.(string)
	if !ok {
		return name
	}
	return strings.TrimSuffix(text, "?")
}

// anvilProseRule returns the common dtype of a known and an ambiguous dtype by a sentence of the article
// that contradicts the article's tables. It is the known dtype, or, if the ambiguous dtype has a higher
// kind, the default dtype of that kind.
func anvilProseRule(a, b dtype.Typed) dtype.DType {
	if a.Ambiguous {
		a, b = b, a
	}
	switch {
	case dtype.CategoryOf(b.DType) <= dtype.CategoryOf(a.DType):
		return a.DType
	case b.DType.Is(dtype.Floating):
		return dtype.F32
	}
	return dtype.I32
}

// anvilPromotable answers whether the dtype in the field "to" is the common dtype of "from" and "to".
func anvilPromotable(r row) row {
	from, to := dtypeOf(r.text("from")), dtypeOf(r.text("to"))
	t, err := promote.Anvil.Join(promote.Operand{Typed: promote.Known(from)}, promote.Operand{Typed: promote.Known(to)})
	return boolResult(err == nil && t.DType == to, nil)
}

// anvilLiterals maps R's names of types to a literal of the type.
var anvilLiterals = map[string]any{"double": 1.0, "integer": 1, "logical": true}

// anvilDefault answers with the dtype of a literal.
func anvilDefault(r row) row {
	v, ok := anvilLiterals[r.text("literal")]
	if !ok {
		return unsupported("no literal " + r.text("literal")).row()
	}
	t, err := promote.Anvil.Literal(v)
	if err != nil {
		return errorRow(err)
	}
	return row{"dtype": t.String()}
}

// anvilReductions maps R anvil's reductions to the rules that give their dtypes.
var anvilReductions = map[string]promote.Reduction{
	"reduce_sum": promote.Sum, "reduce_prod": promote.Sum, "reduce_max": promote.Extreme, "reduce_min": promote.Extreme,
	"reduce_any": promote.Logical, "reduce_all": promote.Logical,
	"mean": promote.Mean, "argmax": promote.Index, "argmin": promote.Index,
}

// anvilOperation answers rows of an operation, whose name is the first word of the field op:
// "div int/int", "reduce_any/all", "ifelse(pred,a,b)".
func anvilOperation(r row) row {
	s := promote.Anvil
	name, _, _ := strings.Cut(r.text("op"), " ")
	name, _, _ = strings.Cut(name, "(")
	name, _, _ = strings.Cut(name, "/")
	if family, ok := anvilReductions[name]; ok {
		if r.text("a") == "any" && family == promote.Index { // operands of any dtype
			return dtypeRow(s.Reduction(family, promote.Known(dtype.F32)), nil)
		}
		return dtypeRow(s.Reduction(family, operand(s, r.text("a"), "").Typed), nil)
	}
	if name == "convert" && r.text("to") != "" {
		return dtypeRow(promote.Known(dtypeOf(r.text("to"))), nil)
	}
	if r.text("a") == "" || r.text("b") == "" {
		return unsupported("a rule in words, without operands").row()
	}
	a, b := rowPair(s, r)
	t, err := s.Join(a, b)
	if err != nil {
		return errorRow(err)
	}
	switch name {
	case "div":
		t = s.Division(t)
	case "compare":
		t = s.Reduction(promote.Compare, t)
	case "add", "mul", "sub", "pow", "max", "min", "remainder", "ifelse":
	default:
		return unsupported("no operation " + name).row()
	}
	return dtypeRow(t, nil)
}

// anvilExample answers an expression of R. It has one of three forms:
//
//	x+1L, x=i16             followed by the dtypes of its variables; also "x+1L  with x=i1 known"
//	z=x+1L; z*y, x=i16      a sequence of operations
//	jit(\() list(1L, 1))()  a list
func anvilExample(r row) row {
	if list, ok := strings.CutPrefix(r.text("expr"), `jit(\() `); ok {
		return anvilList(strings.TrimSuffix(list, ")()"))
	}
	text, e := anvilExpression(r)
	if steps := strings.Split(text, "; "); len(steps) > 1 {
		answer, _ := e.evalSteps(steps)
		return answer
	}
	answer := e.ask(text)
	if strings.Count(text, ",") == 3 { // common_dtype(i32,f32,TRUE,FALSE): two dtypes and two flags
		t, _ := answer["result"].(string)
		answer["ambiguous"] = strings.HasSuffix(t, "?")
	}
	return answer
}

// anvilExpression returns the expression of a worked example, and an evaluator that knows the dtypes
// of its variables.
func anvilExpression(r row) (text string, e dtypeEvaluator) {
	text, variables, _ := strings.Cut(strings.Replace(r.text("expr"), "  with ", ", ", 1), ", ")
	e = anvilEvaluator()
	e.names = anvilNames(variables)
	return text, e
}

// explainAnvilSteps explains the dtypes of a sequence of operations. It returns the zero Explanation for
// other rows.
func explainAnvilSteps(r row) promote.Explanation {
	text, e := anvilExpression(r)
	texts := strings.Split(text, "; ")
	if len(texts) < 2 {
		return promote.Explanation{}
	}
	_, explanation := e.evalSteps(texts)
	return explanation
}

// anvilList answers an expression such as "list(1L, 1)" with the dtype of each element.
func anvilList(text string) row {
	n, ok := parse(text)
	if !ok || n.kind != callNode || n.args[0].text != "list" {
		return errExpression.row()
	}
	result := []string{}
	for _, arg := range n.args[1:] {
		v, err := eval(anvilEvaluator(), arg)
		if err != nil {
			return errorRow(err)
		}
		x, err := promote.Anvil.Operand(v)
		if err != nil {
			return errorRow(err)
		}
		result = append(result, x.Typed.String())
	}
	return row{"result": result}
}

// evalSteps evaluates a sequence of operations, such as "z=x+1L", "z*y". It returns an answer with the
// dtype of the last operation and a line for each operation, and an explanation of all of them.
func (e dtypeEvaluator) evalSteps(texts []string) (row, promote.Explanation) {
	outer, assigned, lines := e.names, map[string]any{}, []string{}
	e.names = func(name string) (any, bool) {
		if v, ok := assigned[name]; ok {
			return v, true
		}
		return outer(name)
	}
	explanation := promote.Explanation{System: e.system}
	var last string
	for _, text := range texts {
		name, expr, assigns := strings.Cut(text, "=")
		if !assigns {
			expr = text
		}
		n, ok := parse(expr)
		if !ok || n.kind != operationNode || len(n.args) != 2 {
			return errExpression.row(), promote.Explanation{}
		}
		xs, err := evalAll(e, n.args)
		if err != nil {
			return errorRow(err), promote.Explanation{}
		}
		ops, err := e.system.Operands(xs...)
		if err != nil {
			return errorRow(err), promote.Explanation{}
		}
		v, err := e.operate(n.text, xs)
		if err != nil {
			return errorRow(err), promote.Explanation{}
		}
		why := e.system.Explain(xs...)
		explanation.Operands = append(explanation.Operands, why.Operands...)
		explanation.Steps = append(explanation.Steps, why.Steps...)
		explanation.Result = why.Result
		last = v.(promote.Operand).Typed.String()
		lines = append(lines, ops[0].Typed.String()+" "+n.text+" "+ops[1].Typed.String()+" -> "+last)
		if assigns {
			assigned[name] = v
		}
	}
	return row{"result": last, "steps": lines}, explanation
}

// anvilNames returns a function that looks up the variables that a text such as "x=i1 known, y=i16"
// declares.
func anvilNames(variables string) func(string) (any, bool) {
	names := map[string]any{}
	for _, part := range strings.FieldsFunc(variables, func(c rune) bool { return c == ',' || c == ' ' }) {
		name, value, ok := strings.Cut(part, "=")
		if d, known := promote.Named(value); known {
			names[name] = tensor(d)
		} else if ok && value == "nv_scalar(TRUE)" {
			names[name] = tensor(dtype.I1)
		}
	}
	return func(name string) (any, bool) { v, ok := names[name]; return v, ok }
}

// anvilEvaluator returns the evaluator of R anvil's expressions.
func anvilEvaluator() dtypeEvaluator {
	return dtypeEvaluator{system: promote.Anvil, doubles: true, names: anvilNames(""), calls: anvilCall,
		operators: map[string]string{"+": "add", "*": "mul", "-": "sub"}}
}

// anvilCall applies one of R anvil's functions.
func anvilCall(name string, xs []any, keys []string) (any, error) {
	s := promote.Anvil
	switch {
	case name == "common_dtype" && len(xs) >= 2:
		return anvilCommon(xs)
	case name == "c" && len(xs) > 0: // a vector has the dtype of its elements
		return xs[0], nil
	case name == "nv_scalar" && len(xs) == 1: // the result is ambiguous in the release that the article describes
		return s.Operand(xs[0])
	case name == "nv_scalar" && len(xs) == 2 && keys[1] == "dtype":
		name, _ := xs[1].(string)
		return tensor(dtypeOf(name)), nil
	case name == "nv_tensor" && len(xs) == 1:
		x, err := s.Operand(xs[0])
		return tensor(x.DType), err
	case name == "nv_negate" && len(xs) == 1:
		return xs[0], nil
	case name == "nv_mul" && len(xs) == 2:
		return anvilEvaluator().join(xs)
	}
	return nil, errExpression
}

// anvilCommon applies common_dtype to two dtypes, which may be followed by two flags that say whether they
// are ambiguous.
func anvilCommon(xs []any) (any, error) {
	var ops [2]promote.Operand
	for i := range ops {
		name, _ := xs[i].(string)
		ops[i] = tensor(dtypeOf(name))
		if len(xs) == 4 {
			ops[i].Ambiguous, _ = xs[i+2].(bool)
		}
	}
	t, err := promote.Anvil.Join(ops[0], ops[1])
	return t, err
}
