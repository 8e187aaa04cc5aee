package main

// A language evaluates the nodes whose meaning differs between the languages of the rows.
type language interface {
	number(n node) any
	name(name string) (any, error)
	call(n node) (any, error)
	part(n node) (any, error) // an attribute or an element
	operate(symbol string, xs []any) (any, error)
}

// eval evaluates an expression.
func eval(l language, n node) (any, error) {
	switch n.kind {
	case numberNode:
		return l.number(n), nil
	case stringNode:
		return n.text, nil
	case nameNode:
		return l.name(n.text)
	case callNode:
		return l.call(n)
	case attributeNode, indexNode:
		return l.part(n)
	}
	xs, err := evalAll(l, n.args)
	if err != nil || n.kind == listNode {
		return xs, err
	}
	return l.operate(n.text, xs)
}

// evalAll returns the values of ns.
func evalAll(l language, ns []node) ([]any, error) {
	xs := make([]any, len(ns))
	for i, n := range ns {
		var err error
		if xs[i], err = eval(l, n); err != nil {
			return nil, err
		}
	}
	return xs, nil
}

// evalCall returns the name of the function that n calls, and the values of the arguments.
func evalCall(l language, n node) (name string, xs []any, err error) {
	if n.args[0].kind != nameNode {
		return "", nil, errExpression
	}
	xs, err = evalAll(l, n.args[1:])
	return n.args[0].text, xs, err
}

// noPart returns the error for an attribute or an element in a language without them: the first error of n's parts, or
// else errExpression.
func noPart(l language, n node) (any, error) {
	if _, err := evalAll(l, n.args); err != nil {
		return nil, err
	}
	return nil, errExpression
}
