package main

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// otherSystems maps the system and the operation of a row to a promotion system that serves only for
// comparison: no cell runs under it.
var otherSystems = map[[2]string]*promote.System{
	{"julia", "promote_type"}: promote.Julia,
	{"mlx", "add"}:            promote.MLX,
	{"polars", "add"}:         promote.Polars,
	{"polars", "supertype(concat vertical_relaxed)"}: promote.PolarsSupertype,
	{"pyarrow", "add"}:                       promote.Arrow,
	{"pyarrow", "unify_schemas(permissive)"}: promote.ArrowUnify,
}

// otherOperations maps the system of a row to the system of otherSystems that defines its other operations.
var otherOperations = map[string]*promote.System{"mlx": promote.MLX, "polars": promote.Polars, "pyarrow": promote.Arrow}

// otherRow answers rows about the systems that serve only for comparison.
func otherRow(r row) row {
	if s, ok := otherSystems[[2]string{r.text("system"), r.text("op")}]; ok {
		return joinRow(s, r)
	}
	s, ok := otherOperations[r.text("system")]
	if ok && r.text("op") == "expr" {
		return otherValue(r)
	}
	if !ok || r.text("a") == "" {
		return unsupported("no rows of " + r.text("op") + " of " + r.text("system") + " are answered").row()
	}
	return answerOperation(s, r.text("op"), r)
}

// An otherEvaluator evaluates expressions under one of otherOperations. Package promote gives the dtypes;
// the library computes the values.
type otherEvaluator struct {
	valueEvaluator
	column any // the column of the data frame to which the expression may refer, or nil
}

// otherValue answers rows of an expression with its dtype and value, or its error.
func otherValue(r row) row {
	s := otherOperations[r.text("system")]
	c := otherEvaluator{valueEvaluator: valueEvaluator{valueSystem: valueSystem{system: s}}}
	text := r.text("expr")
	if column, rest, ok := strings.Cut(text, ": "); ok { // "u8[1]: pl.col('a')+300"
		text = rest
		d, known := promote.Named(strings.Replace(strings.TrimSuffix(column, "[1]"), "u", "ui", 1))
		if !known {
			return unsupported("no column " + column).row()
		}
		c.column = c.vectorOf([]any{1}, d)
	}
	n, ok := parse(text)
	if !ok {
		return errExpression.row()
	}
	var answer row
	if err := anvil.Try(func() { answer = c.answerExpression(n) }); err != nil {
		return valueErrorRow(err)
	}
	return answer
}

// answerExpression answers with the dtype and the value of an expression.
func (c otherEvaluator) answerExpression(n node) row {
	v, err := eval(c, n)
	if err != nil {
		return errorRow(err)
	}
	t, ok := v.(anvil.Tensor)
	if null, is := v.(nullElements); is {
		return row{"result": null.d.String(), "value": make([]any, null.n)}
	}
	if !ok {
		return errExpression.row()
	}
	return row{"result": t.DType().String(), "value": allValues(t)}
}

// nullElements are n null elements of a column.
type nullElements struct {
	d dtype.DType
	n int
}

// call makes an array, or applies one of Arrow's functions.
func (c otherEvaluator) call(n node) (any, error) {
	name, xs, err := evalCall(c, n)
	if err != nil {
		return nil, err
	}
	if d, ok := dtypesByName[bareName(name)]; ok && len(xs) == 0 { // pa.uint8()
		return d, nil
	}
	safe := true
	for i, key := range n.keys {
		if key == "safe" && i > 0 { // the last argument; keys[0] belongs to the function itself
			safe, xs = xs[i-1] != false, xs[:i-1]
		}
	}
	switch {
	case name == "pl.col" && c.column != nil && len(xs) == 1:
		return c.column, nil
	case bareName(name) == "array" && len(xs) > 0:
		return c.array(xs)
	case len(xs) != 2 || !strings.HasPrefix(name, "pc."):
		return nil, errExpression
	case name == "pc.cast" && isDType(xs[1]):
		return c.cast(xs[0], asDType(xs[1]), safe)
	}
	return c.function(strings.TrimPrefix(name, "pc."), xs)
}

// array makes an array of xs[0], a number or a list of numbers. xs[1], if present, is the dtype. Otherwise the
// array has the default dtype of the highest kind among the numbers; integers have i64 instead of i32 under
// Arrow, and where the first number does not fit in i32.
func (c otherEvaluator) array(xs []any) (any, error) {
	vs, list := xs[0].([]any)
	if !list {
		vs = []any{xs[0]}
	}
	d := dtype.Invalid
	if len(xs) > 1 && isDType(xs[1]) {
		d = asDType(xs[1])
	}
	if len(vs) == 0 || len(xs) > 1 && d == dtype.Invalid {
		return nil, errExpression
	}
	highest, err := c.highestDType(vs)
	if err != nil {
		return nil, err
	}
	if len(xs) == 1 {
		d = highest
	}
	if n, ok := vs[0].(int); ok && len(xs) == 1 && d == dtype.I32 && (c.system == promote.Arrow || int(int32(n)) != n) {
		d = dtype.I64
	}
	t := c.vectorOf(vs, d)
	if !list {
		return t.At(0), nil
	}
	return t, nil
}

// lib returns the functions of anvil's system. The evaluator converts operands to the dtype of the operation
// before it calls them.
func (c otherEvaluator) lib() *anvil.Lib { return c.context().With(promote.Anvil) }

// vectorOf returns a vector of dtype d.
func (c otherEvaluator) vectorOf(vs []any, d dtype.DType) anvil.Tensor {
	return valueSystem{system: promote.Anvil}.tensorOf(d, vs...)
}

// operate applies an operator. Operations on two Python integers are computed exactly, others in the dtype
// of the system's operation.
func (c otherEvaluator) operate(symbol string, xs []any) (any, error) {
	op := operators[symbol]
	if len(xs) != 2 {
		return c.valueEvaluator.operate(symbol, xs)
	}
	if _, a := asBig(xs[0]); a {
		if _, b := asBig(xs[1]); b {
			return c.valueEvaluator.operate(symbol, xs)
		}
	}
	return c.compute(op, xs)
}

// sameDTypes maps operations that a system does not list to operations with the same dtypes.
var sameDTypes = map[string]string{"sub": "add", "mul": "add", "subtract": "add", "multiply": "add"}

// arrowNames maps operations to Arrow's functions.
var arrowNames = map[string]string{"eq": "equal", "pow": "power"}

// compute applies an operation to two operands: it converts them to the dtype of the system's operation,
// and computes as NumPy does.
func (c otherEvaluator) compute(op string, xs []any) (any, error) {
	systemOp := op
	if same, ok := sameDTypes[op]; ok {
		systemOp = same
	}
	if op == "true_divide" && c.system == promote.MLX {
		systemOp = "divide"
	}
	if op == "floor_divide" && c.system == promote.MLX { // computed in the common dtype
		systemOp = "add"
	}
	if name, ok := arrowNames[op]; ok && c.system == promote.Arrow {
		systemOp = name
	}
	t, err := c.system.Operation(systemOp, xs...)
	if err == nil && op == "eq" { // computed in the common dtype
		t, err = resolve(c.system, xs)
	}
	if err != nil {
		return nil, err
	}
	l := c.lib()
	var operands [2]anvil.Tensor
	for i, x := range xs {
		if y, ok := x.(anvil.Tensor); ok {
			operands[i] = l.AsType(y, t.DType)
			continue
		}
		v, err := dtype.Cast(x, t.DType)
		if err != nil {
			return nil, err
		}
		operands[i] = l.Full(anvil.Shape{1}, v, t.DType)
	}
	x, y := operands[0], operands[1]
	if c.system == promote.Polars && op == "floor_divide" && t.DType.Is(dtype.Integral) && l.Eq(y, 0).At(0).Bool() {
		return nullElements{t.DType, x.Len()}, nil // Polars has null in place of an integer division by zero
	}
	numpy := valueSystem{system: promote.NumPy}.lib()
	return callBinary(numpy, op, x, y)
}

// function applies one of Arrow's functions of two operands. A function whose name ends in _checked fails if
// an integer overflows.
func (c otherEvaluator) function(name string, xs []any) (any, error) {
	plain, checked := strings.CutSuffix(name, "_checked")
	invalid := func(reason string) error {
		return &promote.Refusal{Op: name, Kind: "ArrowInvalid", Reason: reason}
	}
	if plain == "divide" {
		return c.divide(xs, invalid)
	}
	if alias, ok := binaryNames[plain]; ok {
		plain = alias
	}
	r, err := c.compute(plain, xs)
	t, ok := r.(anvil.Tensor)
	if err == nil && ok && checked && t.DType().Is(dtype.Integral) && integerFault(plain, xs, t, true) != "" {
		return nil, invalid("overflow")
	}
	return r, err
}

// divide applies Arrow's division, which truncates integers. invalid returns its error.
func (c otherEvaluator) divide(xs []any, invalid func(string) error) (any, error) {
	t, err := c.system.Operation("divide", xs...)
	if err != nil {
		return nil, err
	}
	l := c.lib()
	x, y := l.AsType(xs[0], t.DType), l.AsType(xs[1], t.DType)
	if !t.DType.Is(dtype.Integral) {
		return l.Div(x, y), nil
	}
	for i := range elementCount(y) {
		if integerElement(y, i).Sign() == 0 {
			return nil, invalid("divide by zero")
		}
	}
	q := l.Div(x, y)
	if integerFault("floor_divide", []any{x, y}, q, true) != "overflow" {
		return q, nil
	}
	// In Arrow the least integer divided by -1 is 0. Only there does q have the wrong sign.
	wrongSign := l.Lt(l.Mul(l.Sign(x), l.Mul(l.Sign(y), l.Sign(q))), 0)
	return l.Where(wrongSign, l.ZerosLike(q), q), nil
}

// cast applies Arrow's cast. If safe is set, it fails if a value would change.
func (c otherEvaluator) cast(x any, to dtype.DType, safe bool) (any, error) {
	t, ok := x.(anvil.Tensor)
	if !ok {
		return nil, errExpression
	}
	from := t.DType()
	invalid := func(format string, args ...any) error {
		return &promote.Refusal{Op: "cast", Kind: "ArrowInvalid", Reason: fmt.Sprintf(format, args...)}
	}
	r := valueSystem{system: promote.NumPy}.lib().AsType(t, to)
	for i := range elementCount(t) {
		v, f := integerElement(t, i), toFloat(elementAt(t, i))
		switch limit := int64(1) << mantissas[to]; {
		case !safe:
		case from.Is(dtype.Floating) && to.Is(dtype.Integral) && toFloat(elementAt(r, i)) != f:
			return nil, invalid("Float value %f was truncated converting to %s", f, to.Long())
		case from.Is(dtype.Integral) && to.Is(dtype.Integral) && integerElement(r, i).Cmp(v) != 0:
			words := strings.Fields(to.Range())
			return nil, invalid("Integer value %s not in range: %s to %s", v, words[0], words[len(words)-1])
		case from.Is(dtype.Integral) && to.Is(dtype.Floating) && v.CmpAbs(big.NewInt(limit)) > 0:
			return nil, invalid("Integer value %s not in range: %d to %d", v, -limit, limit)
		}
	}
	return r, nil
}

// mantissas maps a float dtype to the greatest n such that it represents all integers up to 2^n exactly.
var mantissas = map[dtype.DType]int{dtype.F16: 11, dtype.F32: 24, dtype.F64: 53}
