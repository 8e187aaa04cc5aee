package cell

import (
	"bytes"
	"go/token"
	"strings"
)

// A Remark is a hint for the author about a part of the cell that may have an unexpected meaning.
type Remark struct {
	Pos token.Position
	Msg string
}

// divisor matches a comment such as // 2, which after an operand would be an integer division in Python.
var divisor = re(`^//[ \t]*([0-9]+)[ \t]*$`)

// remark adds a Remark for each line that ends in an operand and a divisor, such as i // 2.
func (p *parsing) remark() {
	for i, x := range p.toks {
		if x.tok != token.SEMICOLON || x.lit == ";" || i == 0 || !p.operand(i-1) {
			continue
		}
		end := p.toks[i-1].end
		rest, _, _ := bytes.Cut(p.src[end:], []byte("\n"))
		line := string(rest)
		m := divisor().FindStringSubmatch(strings.TrimLeft(line, " \t"))
		if m == nil {
			continue
		}
		at := end + strings.Index(line, "//")
		p.cell.Remarks = append(p.cell.Remarks, Remark{p.position(at), "// begins a comment; write / " + m[1] +
			" to divide whole numbers, which drops the remainder, or nv.FloorDiv(x, " + m[1] + ") to round down"})
	}
}

// operand reports whether token i ends an operand: a name, a number, an index or a
// parenthesized expression. A call does not count as an operand, since a comment after the call
// may describe its result.
func (p *parsing) operand(i int) bool {
	switch p.toks[i].tok {
	case token.IDENT, token.INT, token.FLOAT, token.RBRACK:
		return true
	case token.RPAREN:
		for k := i - 1; k >= 0; k-- {
			if p.toks[k].tok == token.LPAREN && p.toks[k].depth == p.toks[i].depth {
				return k == 0 || !callee(p.toks[k-1].tok)
			}
		}
	}
	return false
}

// callee reports whether t can end an expression that denotes a function, so that a parenthesis after t begins a call.
func callee(t token.Token) bool {
	return t == token.IDENT || t == token.RPAREN || t == token.RBRACK || t == token.RBRACE
}
