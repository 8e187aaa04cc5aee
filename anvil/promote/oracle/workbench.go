package oracle

import (
	"reflect"
	"strings"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A workbench computes the expressions of the rows of values as a cell under a
// system does. What an expression is made of are tensors, Go numbers, dtypes,
// strings and lists.
type workbench struct {
	laboratory
	weak bool // tensors made of numbers without a dtype are weak
}

// answer computes an expression: its value with its dtype, or its error.
func (w workbench) answer(text string) (answer Row) {
	n, ok := parse(text)
	if !ok {
		return Row{"unsupported": errFree.Error()}
	}
	err := anvil.Try(func() {
		v, free := w.eval(n)
		if free != nil {
			answer = failure(free)
			return
		}
		answer = w.shown(v)
	})
	if err != nil {
		return valueFailure(err)
	}
	return answer
}

// shown returns a value as the rows have it.
func (w workbench) shown(v any) Row {
	switch v := v.(type) {
	case anvil.Tensor:
		return Row{"value": whole(v), "dtype": dtype.Typed{DType: v.DType(), Ambiguous: v.Ambiguous()}.String()}
	case dtype.DType:
		answer := Row{"value": v.String()}
		if !w.jax() { // the type of what NumPy's function returns
			answer["dtype"] = "dtype"
		}
		return answer
	case bool:
		return Row{"value": v, "dtype": "i1"}
	}
	return Row{"unsupported": errFree.Error()}
}

func (w workbench) eval(n node) (any, error) {
	switch n.kind {
	case numberNode:
		return n.num, nil
	case stringNode:
		return n.text, nil
	case nameNode:
		if d, ok := longNames[bareName(n.text)]; ok {
			return d, nil
		}
		return nil, errFree
	case callNode:
		return w.call(n)
	}
	xs, err := evalEach(n.args, w.eval)
	if err != nil || n.kind == listNode {
		return xs, err
	}
	if n.kind == operationNode {
		return w.operate(n.text, xs)
	}
	return nil, errFree
}

// longNames are the dtypes by the names that the frameworks have for them.
var longNames = func() map[string]dtype.DType {
	m := map[string]dtype.DType{"bool_": dtype.I1}
	for _, d := range dtype.All() {
		m[d.Long()] = d
		m[strings.Replace(d.String(), "f8", "float8_", 1)] = d
	}
	return m
}()

// bareName returns a name without the framework before it.
func bareName(name string) string { return name[strings.LastIndex(name, ".")+1:] }

// operators are the operations by Python's symbols.
var operators = map[string]string{"+": "add", "-": "sub", "*": "mul", "/": "true_divide", "//": "floor_divide", "%": "remainder",
	"**": "pow", "<<": "left_shift", "==": "eq", "<": "lt"}

// operate applies an operator: of Go numbers in Go, else in the library.
func (w workbench) operate(symbol string, xs []any) (any, error) {
	if len(xs) == 1 && symbol == "-" {
		return w.lib().Neg(xs[0]), nil
	}
	a, isInt := xs[0].(int)
	b, both := xs[1].(int)
	switch {
	case isInt && both && symbol == "**" && a == 2 && b >= 0 && b < 63:
		return 1 << b, nil
	case isInt && both && symbol == "-":
		return a - b, nil
	case isInt && both:
		return nil, errFree
	}
	for _, x := range xs {
		if !operandLike(x) {
			return nil, errFree
		}
	}
	return call2(w.lib(), operators[symbol], xs[0], xs[1])
}

// operandLike reports whether x is a tensor or a number.
func operandLike(x any) bool {
	switch x.(type) {
	case anvil.Tensor, bool, int, float64, complex128:
		return true
	}
	return false
}

// call2 is an operation on two operands, tensors or numbers.
func call2(l *anvil.Lib, op string, x, y any) (any, error) {
	switch op {
	case "add":
		return l.Add(x, y), nil
	case "sub":
		return l.Sub(x, y), nil
	case "mul":
		return l.Mul(x, y), nil
	case "true_divide":
		return l.TrueDiv(x, y), nil
	case "floor_divide":
		return l.FloorDiv(x, y), nil
	case "remainder":
		return l.Rem(x, y), nil
	case "pow":
		return l.Pow(x, y), nil
	case "left_shift":
		return l.Shl(x, y), nil
	case "eq":
		return l.Eq(x, y), nil
	case "lt":
		return l.Lt(x, y), nil
	case "minimum":
		return l.Minimum(x, y), nil
	}
	return nil, errFree
}

// array makes a tensor of numbers, at a dtype or at that of the highest kind
// among them.
func (w workbench) array(v any, d dtype.DType, weak bool) (any, error) {
	vs, list := v.([]any)
	if !list {
		vs = []any{v}
	}
	if t, ok := v.(anvil.Tensor); ok {
		return t, nil
	}
	if d == dtype.Invalid {
		for _, x := range vs {
			t, err := w.system.Literal(x)
			if err != nil {
				return nil, err
			}
			if d == dtype.Invalid || dtype.CategoryOf(t.DType) > dtype.CategoryOf(d) {
				d = t.DType
			}
		}
	} else {
		t, err := w.system.Resolve(tensor(d)) // the dtype that the system takes it for
		if err != nil {
			return nil, err
		}
		d, weak = t.DType, false
	}
	elements := reflect.MakeSlice(reflect.SliceOf(d.GoType()), 0, len(vs))
	for _, x := range vs {
		e, err := dtype.Fit(x, d)
		if err != nil {
			e, err = w.system.Convert(x, d)
		}
		if err != nil {
			return nil, err
		}
		elements = reflect.Append(elements, reflect.ValueOf(e))
	}
	l := w.context().With(promote.Anvil)
	ambiguous := anvil.Ambiguous(weak && d != dtype.I1)
	if !list {
		return l.Scalar(elements.Index(0).Interface(), d, ambiguous), nil
	}
	return l.From(elements.Interface(), d, ambiguous), nil
}
