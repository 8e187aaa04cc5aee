package main

import (
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A node is an expression of Python or R: a number, a string, a name (with its
// dots), a call, a list, an operation, an attribute or an element of a value.
type node struct {
	kind nodeKind
	text string // the name, string, number or operator
	num  any    // of a numberNode: bool, int, *big.Int, float64 or complex128
	args []node
	keys []string // of a callNode, for each of args: its keyword, or ""
}

type nodeKind uint8

const (
	numberNode nodeKind = iota // the zero value: number nodes are made without a kind
	stringNode
	nameNode
	callNode // args[0] is the function
	listNode
	operationNode // one or two args
	attributeNode // args[0] is the value
	indexNode     // args[0] is the value, the others are the indices
)

// parse parses an expression; ok is false if a node cannot represent it.
func parse(text string) (n node, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, isSyntax := r.(syntaxError); !isSyntax {
				panic(r)
			}
			ok = false
		}
	}()
	if len(text) > maxExpression {
		return n, false
	}
	p := &parser{rest: text}
	n = p.binary(0)
	return n, p.peek() == ""
}

// maxExpression is the greatest length of an expression in bytes. It bounds the depth of recursion.
const maxExpression = 4096

// maxElements is the greatest number of elements that an expression may give a tensor.
const maxElements = 4096

// A syntaxError is the value of a panic that parse recovers.
type syntaxError struct{}

// A parser parses by recursive descent. Its methods panic with a syntaxError.
type parser struct{ rest string }

// symbols are the operators and brackets, the longer ones first.
var symbols = []string{
	"**", "//", "<<", ">>", "==", "!=", "<=", ">=", "+", "-", "*", "/", "%", "<", ">", "&", "|", "^", "~",
	"(", ")", "[", "]", ",", "=", ".",
}

// peek returns the next token, or "" at the end.
func (p *parser) peek() string {
	p.rest = strings.TrimSpace(p.rest)
	if p.rest == "" {
		return ""
	}
	switch c, _ := utf8.DecodeRuneInString(p.rest); {
	case c == '\'' || c == '"':
		if end := strings.IndexRune(p.rest[1:], c); end >= 0 {
			return p.rest[:end+2]
		}
		panic(syntaxError{})
	case unicode.IsDigit(c):
		return p.number()
	case unicode.IsLetter(c) || c == '_':
		return p.rest[:wordEnd(p.rest)]
	}
	for _, s := range symbols {
		if strings.HasPrefix(p.rest, s) {
			return s
		}
	}
	panic(syntaxError{})
}

// wordEnd returns the length of the word at the beginning of s.
func wordEnd(s string) int {
	for i, c := range s {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' {
			return i
		}
	}
	return len(s)
}

// number returns the token of a number, with exponent and suffix: 1e-50, 1L, 1j.
func (p *parser) number() string {
	for i, c := range p.rest {
		signed := (c == '-' || c == '+') && p.rest[i-1] == 'e'
		if !unicode.IsDigit(c) && !strings.ContainsRune(".ejL", c) && !signed {
			return p.rest[:i]
		}
	}
	return p.rest
}

// next consumes the next token and returns it.
func (p *parser) next() string {
	token := p.peek()
	p.rest = p.rest[len(token):]
	return token
}

// accept consumes the next token if it is the given one, and reports whether it did.
func (p *parser) accept(token string) bool {
	if p.peek() != token {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(token string) {
	if !p.accept(token) {
		panic(syntaxError{})
	}
}

// precedence maps Python's binary operators to their precedence. The unary operators have
// unaryPrecedence.
var precedence = map[string]int{
	"==": 1, "!=": 1, "<": 1, ">": 1, "<=": 1, ">=": 1, "|": 2, "^": 3, "&": 4, "<<": 5, ">>": 5,
	"+": 6, "-": 6, "*": 7, "/": 7, "//": 7, "%": 7, "**": 9,
}

const unaryPrecedence = 8

// binary parses an expression up to the first operator whose precedence is limit or lower.
func (p *parser) binary(limit int) node {
	left := p.unary()
	for {
		op := p.peek()
		level, ok := precedence[op]
		if !ok || level <= limit {
			return left
		}
		p.next()
		if op == "**" {
			level-- // right-associative
		}
		left = node{kind: operationNode, text: op, args: []node{left, p.binary(level)}}
	}
}

// unary parses an operand, which may have a unary operator. A minus before an integer or a float makes a negative
// number, not an operation.
func (p *parser) unary() node {
	if p.accept("~") {
		return node{kind: operationNode, text: "~", args: []node{p.binary(unaryPrecedence)}}
	}
	if !p.accept("-") {
		return p.postfix(p.primary())
	}
	x := p.binary(unaryPrecedence)
	switch v := x.num.(type) {
	case int:
		return node{text: "-" + x.text, num: -v} // the text may have R's suffix L
	case *big.Int:
		return node{num: pythonInteger(new(big.Int).Neg(v))}
	case float64:
		return node{num: -v}
	}
	return node{kind: operationNode, text: "-", args: []node{x}}
}

// primary parses a literal, a name, a list, or an expression in parentheses.
func (p *parser) primary() node {
	token := p.next()
	switch {
	case token == "":
		panic(syntaxError{})
	case token == "(":
		return p.parenthesis()
	case token == "[":
		xs, _ := p.arguments("]")
		return node{kind: listNode, args: xs}
	case token[0] == '\'' || token[0] == '"':
		return node{kind: stringNode, text: token[1 : len(token)-1]}
	case unicode.IsDigit(rune(token[0])):
		return node{text: token, num: parseNumber(token)}
	case token == "True" || token == "TRUE":
		return node{num: true}
	case token == "False" || token == "FALSE":
		return node{num: false}
	case unicode.IsLetter(rune(token[0])):
		return node{kind: nameNode, text: token}
	}
	panic(syntaxError{})
}

// parenthesis reads a parenthesized expression or a tuple.
func (p *parser) parenthesis() node {
	xs, _ := p.arguments(")")
	if len(xs) == 1 {
		return xs[0]
	}
	return node{kind: listNode, args: xs}
}

// postfix parses the calls, attributes and indices that follow n.
func (p *parser) postfix(n node) node {
	for {
		switch p.peek() {
		case "(":
			p.next()
			xs, keys := p.arguments(")")
			n = node{kind: callNode, args: append([]node{n}, xs...), keys: append([]string{""}, keys...)}
		case ".":
			p.next()
			name := p.next()
			if n.kind == nameNode {
				n.text += "." + name
				continue
			}
			n = node{kind: attributeNode, text: name, args: []node{n}}
		case "[":
			p.next()
			xs, _ := p.arguments("]")
			n = node{kind: indexNode, args: append([]node{n}, xs...)}
		default:
			return n
		}
	}
}

// arguments reads "a, key=b" and the closing token; there may be a trailing comma.
func (p *parser) arguments(closing string) (xs []node, keys []string) {
	for !p.accept(closing) {
		key, before := "", p.rest
		if word := p.peek(); word != "" && unicode.IsLetter(rune(word[0])) {
			if p.next(); p.accept("=") {
				key = word
			} else {
				p.rest = before
			}
		}
		xs, keys = append(xs, p.binary(0)), append(keys, key)
		if !p.accept(",") {
			p.expect(closing)
			break
		}
	}
	return xs, keys
}

// parseNumber reads 1, 1.5, 1e-50, 1j and R's 1L.
func parseNumber(token string) any {
	if text, ok := strings.CutSuffix(token, "j"); ok {
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return complex(0, f)
		}
		panic(syntaxError{})
	}
	if i, err := strconv.Atoi(strings.TrimSuffix(token, "L")); err == nil {
		return i
	}
	if n, ok := new(big.Int).SetString(token, 10); ok {
		return n
	}
	if f, err := strconv.ParseFloat(token, 64); err == nil {
		return f
	}
	panic(syntaxError{})
}
