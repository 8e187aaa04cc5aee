package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// torchLists answer the rows about PyTorch. TorchExt is the system of its release, and Torch that of its
// documentation.
var torchLists = lists{
	"pairs":       pairList(promote.TorchExt),
	"result_type": pairList(promote.TorchExt),
	"binary_ops":  operationList(promote.TorchExt),
	"unary_ops":   operationList(promote.TorchExt),
	"scalar_ops": {
		answer: func(r row) row { return answerOperation(promote.TorchExt, torchUnreflected(r.text("op")), r) },
		explain: func(r row) promote.Explanation {
			return explainOperation(promote.TorchExt, torchUnreflected(r.text("op")), r)
		},
	},
	"inplace":           assignmentList(promote.TorchExt),
	"can_cast":          canCastList(promote.TorchExt),
	"default_dtype":     {answer: torchDefault},
	"misc":              {answer: torchMisc},
	"seed001_worked":    {answer: torchWorked},
	"result_type_three": {torchThree, explainTorchThree},
	// Rows for which the documented rule and the release differ.
	"seed001_algorithm_disagreements": {answer: func(r row) row {
		return row{"seed_algorithm": joinRow(promote.Torch, r)["result"], "torch": joinRow(promote.TorchExt, r)["result"]}
	}},
	"seed001_algorithm_disagreements_three": {answer: torchThreeDocumented},
	"promote_order_dependent_triples": {answer: func(r row) row {
		return joinInThreeOrders(r, joinByName(promote.TorchExt))
	}},
}

// torchArgs returns the three operands of a row, written "dtype:state".
func torchArgs(r row) (xs []any) {
	args := fieldOf[[]any](r, "args", "a list")
	if len(args) != 3 {
		panic(unsupported(fmt.Sprintf("args are three operands, not %d", len(args))))
	}
	for _, a := range args {
		text, _ := a.(string)
		name, state, _ := strings.Cut(text, ":")
		xs = append(xs, operand(promote.TorchExt, name, state))
	}
	return xs
}

// torchThree answers rows of clamp, an operation of three operands.
func torchThree(r row) row { return dtypeRow(promote.TorchExt.Operation("clamp", torchArgs(r)...)) }

// torchThreeDocumented answers rows of three operands with the results of the documented rule and
// of the release.
func torchThreeDocumented(r row) row {
	release := torchThree(r)
	if release["result"] == nil {
		release["result"] = release["error"]
	}
	documented := dtypeRow(resolve(promote.Torch, torchArgs(r)))
	return row{"seed_algorithm": documented["result"], "torch": release["result"]}
}

// joinInThreeOrders joins the dtypes a, b and c of a row in three orders, each time two of them and then
// the third. It answers with the sorted different results; an error counts as the result "error".
func joinInThreeOrders(r row, join func(a, b string) (string, error)) row {
	xs := []string{r.text("a"), r.text("b"), r.text("c")}
	var all []string
	for i := range xs {
		t, err := join(xs[i], xs[(i+1)%3])
		if err == nil {
			t, err = join(t, xs[(i+2)%3])
		}
		if err != nil {
			t = "error"
		}
		all = append(all, t)
	}
	slices.Sort(all)
	return row{"results": slices.Compact(all)}
}

// joinByName returns a function that joins two dtypes under s, given their names.
func joinByName(s *promote.System) func(a, b string) (string, error) {
	return func(a, b string) (string, error) {
		t, err := s.Join(operand(s, a, ""), operand(s, b, ""))
		return t.String(), err
	}
}

// torchEvaluator returns the evaluator of PyTorch's expressions, in which "i32_dim",
// "bool_tensor" and "long_zerodim" are tensors.
func torchEvaluator(s *promote.System) dtypeEvaluator {
	e := dtypeEvaluator{system: s, names: torchOperand, operators: map[string]string{
		"+": "add", "-": "sub", "*": "mul", "/": "true_divide", "//": "floor_divide", "%": "remainder", "**": "pow",
		"==": "eq", "<": "lt",
	}}
	e.calls = func(name string, xs []any, keys []string) (any, error) { return torchCall(e, name, xs, keys) }
	return e
}

// torchDTypeNames maps names of dtypes in PyTorch's expressions to the names of package dtype.
var torchDTypeNames = map[string]string{
	"bool": "i1", "uint": "ui8", "uint8": "ui8", "u8": "ui8", "int": "i32", "long": "i64",
	"float": "f32", "double": "f64", "complex_float": "c64", "complex_double": "c128",
}

// torchOperand returns the tensor with a name such as "i32", "i32_dim", "i64_zero", "long_zerodim" or
// "int_tensor"; ok is false for other names.
func torchOperand(name string) (operand any, ok bool) {
	if name == "cond" {
		return tensor(dtype.I1), true
	}
	x := promote.Operand{Rank: 1}
	for _, state := range []string{"_dim", "_tensor", "_zerodim", "_zero"} {
		if bare, ok := strings.CutSuffix(name, state); ok {
			name = bare
			if strings.HasPrefix(state, "_zero") {
				x.Rank = 0
			}
			break
		}
	}
	if word, ok := torchDTypeNames[name]; ok {
		name = word
	}
	d, ok := promote.Named(name)
	x.Typed = promote.Known(d)
	return x, ok
}

// torchCall applies one of PyTorch's functions.
func torchCall(e dtypeEvaluator, name string, xs []any, keys []string) (any, error) {
	s := e.system
	name = strings.TrimPrefix(name, "torch.")
	switch {
	case name == "add" && len(xs) == 3 && keys[2] == "out":
		return torchOut(s, "add", xs[2], xs[:2])
	case (name == "tensor" || name == "arange") && len(xs) == 1:
		return torchTensorOf(s, xs[0])
	case name == "full" && len(xs) == 2:
		return torchTensorOf(s, xs[1])
	case name == "linspace":
		return torchTensorOf(s, 1.0)
	case name == "where" && len(xs) == 3:
		return e.join(xs[1:])
	case name == "stack" && len(xs) == 1:
		list, _ := xs[0].([]any)
		return e.join(list)
	}
	if name == "isinf" { // the table has only isnan
		name = "isnan"
	}
	t, err := s.Operation(name, xs...)
	return promote.Operand{Typed: t, Rank: rankOf(xs)}, err
}

// torchTensorOf returns a tensor made of the number v, with the default dtype of v's kind.
func torchTensorOf(s *promote.System, v any) (any, error) {
	x, err := s.Operand(v)
	return tensor(x.DType), err
}

// torchOut returns out, the output argument of an operation, or an error if the result may not be stored
// in it.
func torchOut(s *promote.System, op string, out any, xs []any) (any, error) {
	t, err := s.Operation(op, xs...)
	if err != nil {
		return nil, err
	}
	into, _ := out.(promote.Operand)
	return into, s.Store(op, t.DType, into.DType)
}

// torchDefault answers expressions under the default dtype in the row's field default.
func torchDefault(r row) row {
	s, err := promote.TorchDefault(dtypeOf(r.text("default")))
	if err != nil {
		return errorRow(err)
	}
	return torchEvaluator(s).ask(torchExpression(r.text("expr"), ""))
}

// torchWorked answers the examples of the documentation.
func torchWorked(r row) row {
	answer := torchEvaluator(promote.Torch).ask(r.text("expr"))
	answer["seed"] = answer["result"]
	answer["agree"] = answer["result"] != nil // the release agrees with its documentation
	return answer
}

// torchMisc answers cases that are expressions. The field o has the operand that is written "<o>" in the
// case.
func torchMisc(r row) row {
	text := r.text("case")
	if mode, call, ok := strings.Cut(text, ": "); ok {
		return torchAutocast(mode, call)
	}
	expr := torchExpression(text, r.text("o"))
	answer := torchEvaluator(promote.TorchExt).ask(expr)
	if v, ok := torchWrappedValue(expr); ok && answer["result"] != nil {
		answer["value"] = v
	}
	return answer
}

// torchAutocast answers cases such as "autocast cpu bf16: matmul f32,f32". mode is the text before the
// colon, call the text after it. Under autocast, matrix products cast f32 and floats of 16 bits to the dtype
// of the mode; other operations promote. Source: the lists of lower precision in ATen/autocast_mode.h.
func torchAutocast(mode, call string) row {
	words := strings.Fields(mode)
	op, args, ok := strings.Cut(call, " ")
	if len(words) != 3 || words[0] != "autocast" || !ok {
		return errExpression.row()
	}
	narrow := dtypeOf(words[2])
	products := []string{"matmul", "mm", "bmm", "mv", "addmm", "linear", "conv1d", "conv2d", "conv3d"}
	var xs []any
	for name := range strings.SplitSeq(args, ",") {
		d := dtypeOf(name)
		if slices.Contains(products, op) && (d == dtype.F32 || d.Is(dtype.Floating) && d.Bits() == 16) {
			d = narrow
		}
		xs = append(xs, tensor(d))
	}
	if slices.Contains(products, op) {
		op = "matmul"
	}
	return dtypeRow(promote.TorchExt.Operation(op, xs...))
}

// torchWrappedValue returns the value of an operation on a tensor and a number that the tensor's dtype
// cannot represent; ok is false for other expressions. The tensor's element is 1, so that the value shows
// how the number wraps.
func torchWrappedValue(text string) (value any, ok bool) {
	n, parsed := parse(text)
	if !parsed || n.kind != operationNode || len(n.args) != 2 {
		return nil, false
	}
	x, isTensor := torchOperand(n.args[0].text)
	v := n.args[1].num
	if !isTensor || v == nil {
		return nil, false
	}
	o := x.(promote.Operand)
	if fitted, err := dtype.Fit(v, o.DType); err == nil && !literalOverflows([]any{v}, o.DType) && fitted != nil {
		return nil, false
	}
	s, element := valueSystems["torch"], any(1)
	if n.text == "==" || n.text == "<" { // in rows of comparisons the element is the wrapped number
		element, _ = dtype.Cast(v, o.DType)
	}
	err := anvil.Try(func() {
		t := s.context().With(promote.Anvil).Full(anvil.Shape{1}, element, o.DType)
		r, err := callBinary(s.lib(), operators[n.text], t, v)
		if err == nil {
			value, ok = allValues(r.(anvil.Tensor)), true
		}
	})
	return value, ok && err == nil
}

// pythonNumbers maps the names of Python's numbers in the rows to Python's literals.
var pythonNumbers = map[string]string{"pybool": "True", "pyint": "1", "pyfloat": "1.0", "pycomplex": "1j"}

// torchExpression returns a case as an expression that parse accepts: without remarks in parentheses, and
// with a tensor's state as part of the tensor's name. o is the operand that is written "<o>" in text.
func torchExpression(text, o string) string {
	if bare, _, ok := strings.Cut(text, " ("); ok {
		text = bare
	}
	if name, rest, ok := strings.Cut(text, "-sum "); ok { // "isinf-sum bool"
		text = "sum(" + name + "(" + rest + "))"
	}
	return strings.NewReplacer("<py>", pythonNumbers[o], "<py int 0>", "0", "<o>", o,
		" dim", "_dim", " zero", "_zero", "0-d f64", "f64_zero", "0-d f32", "f32_zero").Replace(text)
}
