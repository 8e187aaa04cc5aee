package oracle

import (
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// torchSymbols are the operators of the expressions in torch.json.
var torchSymbols = map[string]string{"+": "add", "/": "true_divide", "*": "mul"}

// expression answers "i32 dim + 1.5", "exp(i32)" and the like; other
// expressions are unsupported.
func expression(s *promote.System, e string) Row {
	if op, arg, ok := strings.Cut(strings.TrimSuffix(e, ")"), "("); ok {
		return call(s, op, arg)
	}
	words := strings.Fields(e)
	for i, w := range words {
		if op, ok := torchSymbols[w]; ok {
			return result(s.Operation(op, term(s, words[:i]), term(s, words[i+1:])))
		}
	}
	return Row{"unsupported": "a free expression"}
}

// literals are the numbers in expressions.
var literals = map[string]any{"1.0": 1.0, "1.5": 1.5, "1j": 1i, "1": 1, "5": 5, "True": true}

func call(s *promote.System, op, arg string) Row {
	if v, ok := literals[arg]; ok && op == "torch.tensor" {
		t, err := s.Literal(v)
		return result(dtype.Typed{DType: t.DType}, err)
	}
	return result(s.Operation(op, operand(s, arg, "")))
}

// term reads "i32 dim", "i64 zero", "bool dim" or a number.
func term(s *promote.System, words []string) any {
	if v, ok := literals[words[0]]; ok && len(words) == 1 {
		return v
	}
	name := words[0]
	if name == "bool" {
		name = "i1"
	}
	if len(words) == 1 {
		return operand(s, name, "")
	}
	return operand(s, name, words[1])
}
