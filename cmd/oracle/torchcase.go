package main

import (
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// torchLanguage returns how the expressions of torch.json are read: "i32_dim",
// "bool_tensor" and "long_zerodim" are tensors.
func torchLanguage(s *promote.System) language {
	l := language{system: s, names: torchOperand,
		operators: map[string]string{"+": "add", "-": "sub", "*": "mul", "/": "true_divide", "//": "floor_divide", "%": "remainder", "**": "pow", "==": "eq", "<": "lt"}}
	l.calls = func(name string, xs []any, keys []string) (any, error) { return torchCall(l, name, xs, keys) }
	return l
}

// torchWords are the words for dtypes that are not the project's.
var torchWords = map[string]string{"bool": "i1", "uint": "ui8", "uint8": "ui8", "u8": "ui8", "int": "i32", "long": "i64", "float": "f32", "double": "f64",
	"complex_float": "c64", "complex_double": "c128"}

// torchOperand reads "i32", "i32_dim", "i64_zero", "long_zerodim", "int_tensor".
func torchOperand(name string) (any, bool) {
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
	if word, ok := torchWords[name]; ok {
		name = word
	}
	d, ok := promote.Named(name)
	x.Typed = promote.Known(d)
	return x, ok
}

func torchCall(l language, name string, xs []any, keys []string) (any, error) {
	s := l.system
	name = strings.TrimPrefix(name, "torch.")
	switch {
	case name == "add" && len(xs) == 3 && keys[2] == "out":
		return torchOut(s, "add", xs[2], xs[:2])
	case (name == "tensor" || name == "arange") && len(xs) == 1:
		return torchKnown(s, xs[0])
	case name == "full" && len(xs) == 2:
		return torchKnown(s, xs[1])
	case name == "linspace":
		return torchKnown(s, 1.0)
	case name == "where" && len(xs) == 3:
		return l.join(xs[1:])
	case name == "stack" && len(xs) == 1:
		list, _ := xs[0].([]any)
		return l.join(list)
	}
	if name == "isinf" { // the table has its sister
		name = "isnan"
	}
	t, err := s.Operation(name, xs...)
	return promote.Operand{Typed: t, Rank: rankOf(xs)}, err
}

// torchKnown returns the tensor that a number makes.
func torchKnown(s *promote.System, v any) (any, error) {
	x, err := s.Operand(v)
	return tensor(x.DType), err
}

// torchOut stores the result of an operation: its dtype must be one that may be
// stored as the output's.
func torchOut(s *promote.System, op string, out any, xs []any) (any, error) {
	t, err := s.Operation(op, xs...)
	if err != nil {
		return nil, err
	}
	into, _ := out.(promote.Operand)
	return into, s.Store(op, t.DType, into.DType)
}

// torchDefault answers expressions under another default dtype.
func torchDefault(r row) row {
	s, err := promote.TorchDefault(dtypeOf(r.text("default")))
	if err != nil {
		return failure(err)
	}
	return torchLanguage(s).ask(torchText(r.text("expr"), ""))
}

// torchWorked answers the examples of the documentation.
func torchWorked(r row) row {
	answer := torchLanguage(promote.Torch).ask(r.text("expr"))
	answer["seed"] = answer["result"]
	answer["agree"] = answer["result"] != nil // the release and its documentation give one answer
	return answer
}

// torchCase answers the cases that are expressions of dtypes; o is the operand
// that a case names so.
func torchCase(r row) row {
	text := r.text("case")
	if how, rest, ok := strings.Cut(text, ": "); ok {
		return torchAutocast(how, rest)
	}
	expr := torchText(text, r.text("o"))
	answer := torchLanguage(promote.TorchExt).ask(expr)
	if v, ok := torchWrapped(expr); ok && answer["result"] != nil {
		answer["value"] = v
	}
	return answer
}

// torchAutocast answers "autocast cpu bf16: matmul f32,f32": under it products of
// matrices take f32 as the narrower dtype, and all else promotes.
// Source: the lists of lower precision in ATen/autocast_mode.h.
func torchAutocast(how, text string) row {
	words := strings.Fields(how)
	op, args, ok := strings.Cut(text, " ")
	if len(words) != 3 || words[0] != "autocast" || !ok {
		return row{"unsupported": errFree.Error()}
	}
	narrow, products := dtypeOf(words[2]), []string{"matmul", "mm", "bmm", "mv", "addmm", "linear", "conv1d", "conv2d", "conv3d"}
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
	return result(promote.TorchExt.Operation(op, xs...))
}

// torchWrapped returns the value of an expression of a tensor of one 1 and a
// number that its dtype does not hold, which shows what becomes of it.
func torchWrapped(text string) (value any, ok bool) {
	n, parsed := parse(text)
	if !parsed || n.kind != operationNode || len(n.args) != 2 {
		return nil, false
	}
	x, named := torchOperand(n.args[0].text)
	o, is := x.(promote.Operand)
	v := n.args[1].num
	if !named || !is || v == nil {
		return nil, false
	}
	if at, err := dtype.Fit(v, o.DType); err == nil && !literalOverflows([]any{v}, o.DType) && at != nil {
		return nil, false
	}
	l, one := laboratories["torch"], any(1)
	if n.text == "==" || n.text == "<" { // with what the number is there
		one, _ = dtype.Cast(v, o.DType)
	}
	err := anvil.Try(func() {
		held := l.context().With(promote.Anvil).Full(anvil.Shape{1}, one, o.DType)
		r, free := call2(l.lib(), operators[n.text], held, v)
		if free == nil {
			value, ok = whole(r.(anvil.Tensor)), true
		}
	})
	return value, ok && err == nil
}

// pythonNumbers are the texts of the numbers that rows name.
var pythonNumbers = map[string]string{"pybool": "True", "pyint": "1", "pyfloat": "1.0", "pycomplex": "1j"}

// torchText returns an expression as it is parsed: without remarks, a tensor's
// state part of its name.
func torchText(text, o string) string {
	if bare, _, ok := strings.Cut(text, " ("); ok {
		text = bare
	}
	if name, rest, ok := strings.Cut(text, "-sum "); ok { // "isinf-sum bool"
		text = "sum(" + name + "(" + rest + "))"
	}
	return strings.NewReplacer("<py>", pythonNumbers[o], "<py int 0>", "0", "<o>", o,
		" dim", "_dim", " zero", "_zero", "0-d f64", "f64_zero", "0-d f32", "f32_zero").Replace(text)
}
