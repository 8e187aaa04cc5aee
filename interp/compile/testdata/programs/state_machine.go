package main

import "fmt"

type lexer struct {
	s   string
	pos int
	out []string
}
type stateFn func(*lexer) stateFn

func text(l *lexer) stateFn {
	if l.pos >= len(l.s) {
		return nil
	}
	if l.s[l.pos] >= '0' && l.s[l.pos] <= '9' {
		return number
	}
	l.out = append(l.out, "t"+string(l.s[l.pos]))
	l.pos++
	return text
}
func number(l *lexer) stateFn {
	st := l.pos
	for l.pos < len(l.s) && l.s[l.pos] >= '0' && l.s[l.pos] <= '9' {
		l.pos++
	}
	l.out = append(l.out, "n"+l.s[st:l.pos])
	return text
}

type Light int

const (
	Red Light = iota
	Green
	Yellow
)

var next = map[Light]Light{Red: Green, Green: Yellow, Yellow: Red}

func (l Light) String() string { return [...]string{"red", "green", "yellow"}[l] }
func (l *Light) Step()         { *l = next[*l] }
func main() {
	l := &lexer{s: "a12b3"}
	for st := stateFn(text); st != nil; {
		st = st(l)
	}
	fmt.Println(l.out)
	var t Light
	for range 4 {
		fmt.Print(t, " ")
		t.Step()
	}
	fmt.Println(next)
}

// Output:
// [ta n12 tb n3]
// red green yellow red map[red:green green:yellow yellow:red]
