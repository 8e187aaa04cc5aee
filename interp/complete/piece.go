package complete

import (
	"go/parser"
	"go/token"
	"slices"

	"github.com/goanvil/notebook/interp/check"
)

// A piece is a top-level declaration or statement of a cell.
type piece struct {
	start int // offset in the cell
	text  string
	toks  []tok // without comments and automatic semicolons
}

// plainIndexes writes the index 0 instead of each index that is not valid Go: indices with a colon and a comma, such as
// x[:, 0], and indices with a step, such as x[::2]. Offsets do not change.
func plainIndexes(code string) string {
	toks := scan(code)
	text := []byte(code)
	for i, t := range toks {
		if t.tok != token.LBRACK {
			continue
		}
		all := piece{toks: toks}
		end := all.closing(i)
		if end > 0 && all.has(token.COLON, i, end) && (all.has(token.COMMA, i, end) || hasInvalidStep(toks[i+1:end])) {
			for at := t.end; at < toks[end].pos; at++ {
				text[at] = ' '
			}
			text[t.end] = '0'
		}
	}
	return string(text)
}

// hasInvalidStep reports whether the tokens of an index are a slice that has two colons and lacks an operand after one
// of them. Go requires both operands.
func hasInvalidStep(toks []tok) bool {
	colons, depth := 0, 0
	for i, t := range toks {
		if depth += t.nesting(); depth > 0 {
			continue
		}
		if t.tok == token.COLON {
			colons++
		}
		if colons == 2 && t.tok == token.COLON && (toks[i-1].tok == token.COLON || i == len(toks)-1) {
			return true
		}
	}
	return false
}

// has reports whether a token of kind want is between the tokens with the indices open and end, which are a pair of
// brackets. It does not look into brackets between these.
func (p piece) has(want token.Token, open, end int) bool {
	depth := 0
	for _, t := range p.toks[open+1 : end] {
		if depth += t.nesting(); depth == 0 && t.tok == want {
			return true
		}
	}
	return false
}

// A section is a part of a file.
type section int

const (
	inImports section = iota
	inDecls
	inBody
)

// cut splits a cell at the semicolons, written or automatic, outside of brackets. The last
// piece may be empty.
func cut(code string) []piece {
	var pieces []piece
	current, depth := piece{}, 0
	header := false // in the header of a for, if or switch statement, where written semicolons separate clauses
	for _, t := range scan(code) {
		switch t.tok {
		case token.COMMENT:
			continue
		case token.LPAREN, token.LBRACK, token.LBRACE:
			header = header && (depth > 0 || t.tok != token.LBRACE)
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.FOR, token.IF, token.SWITCH:
			header = header || depth == 0
		case token.SEMICOLON:
			if depth <= 0 && t.pos < len(code) && !(header && t.lit == ";") {
				pieces = append(pieces, current.until(code, t.pos))
				current, depth, header = piece{start: t.end}, 0, false
			}
			continue
		}
		current.toks = append(current.toks, t)
	}
	return append(pieces, current.until(code, len(code)))
}

// until returns p with the text up to offset end of code.
func (p piece) until(code string, end int) piece {
	p.text = code[p.start:end]
	return p
}

// is reports whether the piece begins with the given tokens.
func (p piece) is(want ...token.Token) bool {
	if len(p.toks) < len(want) {
		return false
	}
	for i, t := range want {
		if p.toks[i].tok != t {
			return false
		}
	}
	return true
}

// section returns the section of a file to which the piece belongs.
func (p piece) section() section {
	switch {
	case p.is(token.IMPORT):
		return inImports
	case p.is(token.TYPE), p.is(token.VAR), p.is(token.CONST), p.is(token.FUNC, token.IDENT), p.isMethod():
		return inDecls
	}
	return inBody
}

// isMethod reports whether the piece is a method declaration, "func (r T) Name(", and not a
// function literal, "func(x T) {".
func (p piece) isMethod() bool {
	if !p.is(token.FUNC, token.LPAREN) {
		return false
	}
	end := p.closing(1)
	return end > 0 && end+2 < len(p.toks) && p.toks[end+1].tok == token.IDENT && p.toks[end+2].tok == token.LPAREN
}

// closing returns the index of the token that closes the bracket at index i, or 0 if it is
// not closed.
func (p piece) closing(i int) int {
	depth := 0
	for ; i < len(p.toks); i++ {
		if depth += p.toks[i].nesting(); depth == 0 {
			return i
		}
	}
	return 0
}

// closed returns the text with its open brackets closed.
func (p piece) closed() string { return p.text + closers(p.text) }

// parses reports whether the piece is valid syntax.
func (p piece) parses() bool {
	src := "package p\nfunc _() {\n" + p.closed() + "\n}"
	if p.section() != inBody {
		src = "package p\n" + p.closed()
	}
	_, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	return err == nil
}

// hoisted returns a piece "x := v" as "var x = v", so that functions of the cell can refer to x. It returns other
// pieces unchanged. It also returns the piece unchanged if v mentions x: v then refers to the x of an earlier cell.
func (p piece) hoisted() piece {
	i := 0
	for i+1 < len(p.toks) && p.toks[i].tok == token.IDENT && p.toks[i+1].tok == token.COMMA {
		i += 2
	}
	if i+1 >= len(p.toks) || p.toks[i].tok != token.IDENT || p.toks[i+1].tok != token.DEFINE {
		return p
	}
	left, right := p.toks[:i+1], p.toks[i+2:]
	for _, t := range right {
		if t.tok == token.IDENT && slices.ContainsFunc(left, func(l tok) bool { return l.lit == t.lit }) {
			return p
		}
	}
	define := p.toks[i+1].pos - p.start
	pieces := cut("var " + p.text[:define] + "=" + p.text[define+2:])
	return pieces[len(pieces)-1]
}

// typesOf returns the names of the types that the pieces declare, except in groups in parentheses.
func typesOf(pieces []piece) map[string]bool {
	names := map[string]bool{}
	for _, p := range pieces {
		if p.is(token.TYPE, token.IDENT) {
			names[p.toks[1].lit] = true
		}
	}
	return names
}

// methodAsFunc rewrites a method of a type of an earlier cell as a function, since go/types cannot add a method to
// such a type: func (r T) M(x X) {...} becomes func ꓸmethod(r T) { _ = func(x X) {...}, to which [piece.closed] adds
// the missing brace. It returns other pieces unchanged. local has the names of the types that the cell declares.
func (p piece) methodAsFunc(local map[string]bool) piece {
	if !p.isMethod() {
		return p
	}
	end := p.closing(1)
	for _, t := range p.toks[2:end] {
		if t.tok == token.IDENT && local[t.lit] {
			return p
		}
	}
	open, name, params := p.toks[1].pos-p.start, p.toks[end+1].pos-p.start, p.toks[end+2].pos-p.start
	q := p // with the tokens of the method, which determine the section
	q.text = p.text[:open] + check.Mark + "method" + p.text[open:name] + "{ _ = func" + p.text[params:]
	return q
}

// closers returns the brackets that close the open brackets of text.
func closers(text string) string {
	var open []byte
	for _, t := range scan(text) {
		switch t.tok {
		case token.LPAREN:
			open = append(open, ')')
		case token.LBRACK:
			open = append(open, ']')
		case token.LBRACE:
			open = append(open, '}')
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if n := len(open); n > 0 {
				open = open[:n-1]
			}
		}
	}
	slices.Reverse(open)
	return string(open)
}
