package complete

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goanvil/notebook/interp/cell"
)

// A placeKind is the kind of syntax at the cursor.
type placeKind int

const (
	inCode     placeKind = iota
	afterDot             // after a selector's dot
	inImport             // in the path of an import
	inText               // in a number, a comment or a character literal, where nothing is completed
	inString             // in a string that is neither in an import nor in an argument
	inMagic              // in the name of a magic command
	inArgument           // in a string that is a map key, or an argument of a call after other strings only
)

// A place describes the syntax at the cursor. start is the offset of the text to complete.
type place struct {
	kind  placeKind
	start int
	call  string // for inArgument, the called function or the indexed map: "backend.Set" or "m["
	nth   int    // for inArgument, the number of the argument, from 0
}

// placeOf returns the place of the cursor at offset at.
func placeOf(code string, at int) place {
	if start, ok := magicAt(code, at); ok {
		return place{kind: inMagic, start: start}
	}
	start := wordStart(code, at)
	last, before := lastTokens(code[:at])
	switch {
	case last.open && last.tok == token.STRING && isImport(before):
		return place{kind: inImport, start: last.pos + 1}
	case last.open && last.tok == token.STRING:
		if call, nth := callBefore(before); call != "" {
			return place{inArgument, last.pos + 1, call, nth}
		}
		return place{kind: inString, start: last.pos + 1}
	case last.open || last.tok == token.COMMENT && last.end >= at || isNumber(last, at):
		return place{kind: inText, start: at}
	}
	text := strings.TrimRight(code[:start], " \t\n")
	if strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "..") {
		return place{kind: afterDot, start: start}
	}
	return place{kind: inCode, start: start}
}

// callBefore returns the function of the unfinished call that the tokens end in, and the number of arguments already
// given. The function must be a selector, and the arguments strings. For an unfinished index of a variable, callBefore
// returns the variable with the bracket:
//
//	backend.Set("a",          "backend.Set", 1
//	t.GroupBy("a").Mean(      "t.GroupBy.Mean", 0
//	m[                        "m[", 0
//
// Otherwise it returns "", for example for f( and a.m[.
func callBefore(before []tok) (call string, given int) {
	end := len(before)
	for end >= 2 && before[end-1].tok == token.COMMA && before[end-2].tok == token.STRING {
		end, given = end-2, given+1
	}
	switch {
	case endsIn(before[:end], token.PERIOD, token.IDENT, token.LPAREN):
		return selected(before[:end-1]), given
	case given == 0 && endsIn(before[:end], token.IDENT, token.LBRACK) && !endsIn(before[:end-2], token.PERIOD):
		return before[end-2].lit + "[", 0
	}
	return "", 0
}

// selected returns the selector expression at the end of the tokens, without the arguments of calls in it. It returns
// "" if the expression does not begin with a name.
func selected(before []tok) string {
	path := before[len(before)-1].lit
	for before = before[:len(before)-1]; endsIn(before, token.PERIOD); {
		before = before[:len(before)-1]
		if endsIn(before, token.RPAREN) {
			before = before[:opening(before)]
		}
		if !endsIn(before, token.IDENT) {
			return ""
		}
		path = before[len(before)-1].lit + "." + path
		before = before[:len(before)-1]
	}
	return path
}

// opening returns the index of the parenthesis that the last token closes, or 0 if there is none.
func opening(before []tok) int {
	depth := 0
	for i, t := range slices.Backward(before) {
		switch t.tok {
		case token.RPAREN:
			depth++
		case token.LPAREN:
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return 0
}

// endsIn reports whether the last tokens are of the given kinds.
func endsIn(before []tok, kinds ...token.Token) bool {
	if len(before) < len(kinds) {
		return false
	}
	for i, t := range before[len(before)-len(kinds):] {
		if t.tok != kinds[i] {
			return false
		}
	}
	return true
}

// magicAt reports whether the cursor is in the name of a magic command that begins with '%', and returns the offset of
// the command.
func magicAt(code string, at int) (start int, ok bool) {
	line := code[strings.LastIndexByte(code[:at], '\n')+1 : at]
	trimmed := strings.TrimLeft(line, " \t")
	if !strings.HasPrefix(trimmed, "%") || strings.ContainsAny(trimmed, " \t") {
		return 0, false
	}
	// A command needs a name, so x completes "%". Parse finds the commands even if the code has errors.
	syntax, _ := cell.Parse(token.NewFileSet(), "", code[:at]+"x")
	n := len(syntax.Magics)
	return at - len(trimmed), n > 0 && syntax.Magics[n-1].Line == strings.Count(code[:at], "\n")+1
}

// argumentAt returns the magic command before the cursor on the same line, and the offset of the
// argument at the cursor. It returns "" if there is no such command.
func argumentAt(code string, at int) (magic string, start int) {
	head := strings.LastIndexByte(code[:at], '\n') + 1
	line := strings.TrimLeft(code[head:at], " \t")
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		return "", 0
	}
	if _, ok := magicAt(code, at-len(line)+end); !ok {
		return "", 0
	}
	return line[:end], head + strings.LastIndexAny(code[head:at], " \t") + 1
}

// wordStart returns the start of the identifier that ends at offset at.
func wordStart(code string, at int) int {
	for at > 0 {
		r, size := utf8.DecodeLastRuneInString(code[:at])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		at -= size
	}
	return at
}

// wordEnd returns the end of the identifier at offset at.
func wordEnd(code string, at int) int {
	for i, r := range code[at:] {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return at + i
		}
	}
	return len(code)
}

// A tok is a token with its extent.
type tok struct {
	tok      token.Token
	pos, end int // offsets
	lit      string
	open     bool // an unterminated string, character literal or comment
}

// nesting returns 1 for an opening bracket, -1 for a closing one, and 0 for other tokens.
func (t tok) nesting() int {
	switch t.tok {
	case token.LPAREN, token.LBRACK, token.LBRACE:
		return 1
	case token.RPAREN, token.RBRACK, token.RBRACE:
		return -1
	}
	return 0
}

// scan returns the tokens of code, including comments. Automatic semicolons have length 0.
func scan(code string) []tok {
	var all []tok
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(code))
	failed := map[int]bool{}
	s.Init(file, []byte(code), func(p token.Position, _ string) { failed[p.Offset] = true }, scanner.ScanComments)
	for {
		pos, t, lit := s.Scan()
		if t == token.EOF {
			return all
		}
		k := tok{tok: t, pos: file.Offset(pos), lit: lit}
		k.end = k.pos + len(lit)
		switch {
		case t.IsOperator() && t != token.SEMICOLON:
			k.end = k.pos + len(t.String())
		case t == token.SEMICOLON && lit != ";":
			k.end = k.pos
		}
		k.open = failed[k.pos] && (t == token.STRING || t == token.CHAR || t == token.COMMENT)
		all = append(all, k)
	}
}

// lastTokens returns the last token of code that is not an automatic semicolon, and all
// tokens before it, automatic semicolons included.
func lastTokens(code string) (last tok, before []tok) {
	all := scan(code)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].end > all[i].pos {
			return all[i], all[:i]
		}
	}
	return tok{}, nil
}

// isImport reports whether the tokens end inside an import declaration.
func isImport(before []tok) bool {
	ended := false // whether a semicolon follows, which ends a declaration without parentheses
	for i, t := range slices.Backward(before) {
		switch t.tok {
		case token.IMPORT:
			return !ended
		case token.LPAREN:
			return i > 0 && before[i-1].tok == token.IMPORT
		case token.SEMICOLON:
			ended = true
		case token.IDENT, token.PERIOD, token.STRING, token.COMMENT:
		default:
			return false
		}
	}
	return false
}

// isNumber reports whether t is a number that reaches offset at.
func isNumber(t tok, at int) bool {
	return (t.tok == token.INT || t.tok == token.FLOAT || t.tok == token.IMAG) && t.end >= at
}

// withoutMagics replaces "%name" and "?" at the beginning of lines by blanks, so that the rest of
// the line can be parsed as Go. Offsets do not change.
func withoutMagics(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		trimmed := strings.TrimLeft(line, " \t")
		lead := len(line) - len(trimmed)
		n := 0
		switch {
		case strings.HasPrefix(trimmed, "%"):
			n = strings.IndexAny(trimmed+"\n", " \t\n")
		case strings.HasPrefix(trimmed, "?"):
			n = len(trimmed) - len(strings.TrimLeft(trimmed, "?"))
		}
		b.WriteString(line[:lead] + strings.Repeat(" ", n) + line[lead+n:])
	}
	return b.String()
}
