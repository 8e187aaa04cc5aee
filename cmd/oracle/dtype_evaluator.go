package main

import (
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A dtypeEvaluator evaluates expressions to dtypes. Values are Operands, Typed dtypes, numbers, strings, and lists of
// values.
type dtypeEvaluator struct {
	system    *promote.System
	operators map[string]string                  // the system's operations, by operator
	names     func(name string) (v any, ok bool) // looks up a variable
	doubles   bool                               // an integer without the suffix L is a float, as in R

	// calls applies a function. keys[i] is the keyword of xs[i], or "".
	calls func(name string, xs []any, keys []string) (any, error)
}

// errExpression is the error of expressions that are not supported.
const errExpression = unsupported("the expression is not supported")

// ask answers with the dtype of an expression.
func (e dtypeEvaluator) ask(text string) row {
	n, ok := parse(text)
	if !ok {
		return errExpression.row()
	}
	v, err := eval(e, n)
	if err != nil {
		return errorRow(err)
	}
	switch v.(type) {
	case string, []any:
		return errExpression.row()
	}
	x, err := e.system.Operand(v)
	return dtypeRow(x.Typed, err)
}

func (e dtypeEvaluator) number(n node) any {
	if i, ok := n.num.(int); ok && e.doubles && !strings.HasSuffix(n.text, "L") {
		return float64(i)
	}
	return n.num
}

func (e dtypeEvaluator) name(name string) (any, error) {
	if v, ok := e.names(name); ok {
		return v, nil
	}
	return nil, errExpression
}

func (e dtypeEvaluator) call(n node) (any, error) {
	name, xs, err := evalCall(e, n)
	if err != nil {
		return nil, err
	}
	return e.calls(name, xs, n.keys[1:])
}

func (e dtypeEvaluator) part(n node) (any, error) { return noPart(e, n) }

// operate applies an operator. Under a system without operations, the result has the common dtype.
func (e dtypeEvaluator) operate(symbol string, xs []any) (any, error) {
	op, ok := e.operators[symbol]
	if !ok || len(xs) != 2 {
		return nil, errExpression
	}
	if !e.system.Operates() {
		return e.join(xs)
	}
	t, err := e.system.Operation(op, xs...)
	return promote.Operand{Typed: t, Rank: rankOf(xs)}, err
}

// join returns a tensor of the common dtype of xs.
func (e dtypeEvaluator) join(xs []any) (any, error) {
	t, err := resolve(e.system, xs)
	return promote.Operand{Typed: t, Rank: rankOf(xs)}, err
}

// resolve returns the common dtype of xs under s.
func resolve(s *promote.System, xs []any) (dtype.Typed, error) {
	ops, err := s.Operands(xs...)
	if err != nil {
		return dtype.Typed{}, err
	}
	return s.Resolve(ops...)
}

// rankOf returns the highest rank of operands.
func rankOf(xs []any) (rank int) {
	for _, x := range xs {
		if x, ok := x.(promote.Operand); ok {
			rank = max(rank, x.Rank)
		}
	}
	return rank
}

// tensor returns a tensor of rank 1 and a known dtype.
func tensor(d dtype.DType) promote.Operand { return promote.Operand{Typed: promote.Known(d), Rank: 1} }
