package main

import (
	"fmt"
	"strings"
	"unicode"
)

type TokenKind int

const (
	EOF TokenKind = iota
	NUM
	OP
	LP
	RP
)

func (k TokenKind) String() string { return [...]string{"EOF", "NUM", "OP", "LP", "RP"}[k] }

type Token struct {
	Kind TokenKind
	Text string
}
type Lexer struct {
	in  []rune
	pos int
}

func (l *Lexer) Next() Token {
	for l.pos < len(l.in) && unicode.IsSpace(l.in[l.pos]) {
		l.pos++
	}
	if l.pos >= len(l.in) {
		return Token{}
	}
	switch c := l.in[l.pos]; {
	case unicode.IsDigit(c):
		st := l.pos
		for l.pos < len(l.in) && (unicode.IsDigit(l.in[l.pos]) || l.in[l.pos] == '.') {
			l.pos++
		}
		return Token{NUM, string(l.in[st:l.pos])}
	case strings.ContainsRune("+-*/", c):
		l.pos++
		return Token{OP, string(c)}
	case c == '(':
		l.pos++
		return Token{LP, "("}
	case c == ')':
		l.pos++
		return Token{RP, ")"}
	default:
		panic(fmt.Errorf("bad %q at %d", c, l.pos))
	}
}

type Parser struct {
	l   *Lexer
	tok Token
}

func (p *Parser) advance() { p.tok = p.l.Next() }
func (p *Parser) binary(ops string, sub func() float64) float64 {
	v := sub()
	for p.tok.Kind == OP && strings.Contains(ops, p.tok.Text) {
		op := p.tok.Text
		p.advance()
		w := sub()
		switch op {
		case "+":
			v += w
		case "-":
			v -= w
		case "*":
			v *= w
		case "/":
			v /= w
		}
	}
	return v
}
func (p *Parser) expr() float64 { return p.binary("+-", p.term) }
func (p *Parser) term() float64 { return p.binary("*/", p.factor) }
func (p *Parser) factor() (v float64) {
	switch p.tok.Kind {
	case NUM:
		fmt.Sscan(p.tok.Text, &v)
		p.advance()
	case LP:
		p.advance()
		v = p.expr()
		p.advance()
	case OP:
		p.advance()
		v = -p.factor()
	default:
		panic(fmt.Errorf("unexpected %v", p.tok.Kind))
	}
	return
}
func Eval(s string) (v float64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	p := &Parser{l: &Lexer{in: []rune(s)}}
	p.advance()
	return p.expr(), nil
}
func main() {
	for _, s := range []string{"1+2*3", "(1+2)*3", "-4/(2-4)", "2*", "3 $ 4", "1.5*4"} {
		v, err := Eval(s)
		fmt.Println(s, "=", v, err)
	}
	l := &Lexer{in: []rune("1 + (2)")}
	for t := l.Next(); t.Kind != EOF; t = l.Next() {
		fmt.Print(t, " ")
	}
	fmt.Println()
}

// Output:
// 1+2*3 = 7 <nil>
// (1+2)*3 = 9 <nil>
// -4/(2-4) = 2 <nil>
// 2* = 0 unexpected EOF
// 3 $ 4 = 0 bad '$' at 2
// 1.5*4 = 6 <nil>
// {NUM 1} {OP +} {LP (} {NUM 2} {RP )}
