package main

import (
	"fmt"
	"strconv"
	"strings"
)

type Expr interface{ Accept(Visitor) any }
type Visitor interface {
	VisitNum(*Num) any
	VisitBin(*Bin) any
	VisitNeg(Neg) any
}
type Num struct{ V float64 }
type Bin struct {
	Op   rune
	L, R Expr
}
type Neg struct{ X Expr }

func (n *Num) Accept(v Visitor) any { return v.VisitNum(n) }
func (b *Bin) Accept(v Visitor) any { return v.VisitBin(b) }
func (n Neg) Accept(v Visitor) any  { return v.VisitNeg(n) }

type eval struct{}

func (eval) VisitNum(n *Num) any { return n.V }
func (e eval) VisitBin(b *Bin) any {
	l, r := b.L.Accept(e).(float64), b.R.Accept(e).(float64)
	switch b.Op {
	case '+':
		return l + r
	case '*':
		return l * r
	}
	return 0.0
}
func (e eval) VisitNeg(n Neg) any { return -n.X.Accept(e).(float64) }

type show struct{ depth int }

func (s *show) VisitNum(n *Num) any { return strconv.FormatFloat(n.V, 'g', -1, 64) }
func (s *show) VisitBin(b *Bin) any {
	s.depth++
	return fmt.Sprintf("(%v%c%v)", b.L.Accept(s), b.Op, b.R.Accept(s))
}
func (s *show) VisitNeg(n Neg) any { return "-" + n.X.Accept(s).(string) }

type parser struct {
	toks []string
	pos  int
}

func (p *parser) next() string {
	if p.pos >= len(p.toks) {
		return ""
	}
	t := p.toks[p.pos]
	p.pos++
	return t
}
func (p *parser) expr() Expr {
	l := p.term()
	for p.pos < len(p.toks) && p.toks[p.pos] == "+" {
		p.next()
		l = &Bin{'+', l, p.term()}
	}
	return l
}
func (p *parser) term() Expr {
	l := p.atom()
	for p.pos < len(p.toks) && p.toks[p.pos] == "*" {
		p.next()
		l = &Bin{'*', l, p.atom()}
	}
	return l
}
func (p *parser) atom() Expr {
	switch t := p.next(); t {
	case "(":
		e := p.expr()
		p.next()
		return e
	case "-":
		return Neg{p.atom()}
	default:
		f, err := strconv.ParseFloat(t, 64)
		if err != nil {
			panic(err)
		}
		return &Num{f}
	}
}
func main() {
	e := (&parser{toks: strings.Fields("2 * ( 3 + - 4 ) + 1")}).expr()
	s := &show{}
	fmt.Println(e.Accept(eval{}), e.Accept(s), s.depth)
	defer func() { fmt.Println("error:", recover()) }()
	(&parser{toks: []string{"x"}}).expr()
}

// Output:
// -1 ((2*(3+-4))+1) 3
// error: strconv.ParseFloat: parsing "x": invalid syntax
