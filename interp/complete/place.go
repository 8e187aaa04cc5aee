package complete

import (
	"go/scanner"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// placeKind says what surrounds the cursor.
type placeKind int

const (
	inCode placeKind = iota
	afterDot
	inImport // within the path of an import
	inText   // within another string, a number or a comment
	inMagic
	inArgument // within a string that is an argument of a call behind strings alone, or a key
)

// A place is where the cursor is: start is where what it completes begins.
type place struct {
	kind  placeKind
	start int
	call  string // "backend.Set" or "m[", of inArgument
	nth   int    // the argument of call, from 0
}

func placeOf(code string, at int) place {
	if start, ok := magicAt(code, at); ok {
		return place{kind: inMagic, start: start}
	}
	start := wordStart(code, at)
	last, before := lastTokens(code[:at])
	switch {
	case last.open && last.tok == token.STRING && isImport(before):
		return place{kind: inImport, start: last.pos + 1}
	case last.open && last.tok == token.STRING && calls(before):
		call, nth := callBefore(before)
		return place{inArgument, last.pos + 1, call, nth}
	case last.open || last.tok == token.COMMENT && last.end >= at || isNumber(last, at):
		return place{kind: inText, start: at}
	}
	if before := strings.TrimRight(code[:start], " \t\n"); strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "..") {
		return place{kind: afterDot, start: start}
	}
	return place{kind: inCode, start: start}
}

// calls reports whether a string behind the tokens is an argument or a key that
// callBefore knows.
func calls(before []tok) bool {
	call, _ := callBefore(before)
	return call != ""
}

// callBefore returns the function whose call the tokens end in, as written, and
// how many strings stand in it: "backend.Set" of backend.Set(; of an index m[ it
// returns that. It is "" where they end in something else.
func callBefore(before []tok) (call string, strings int) {
	end := len(before)
	for end >= 2 && before[end-1].tok == token.COMMA && before[end-2].tok == token.STRING {
		end, strings = end-2, strings+1
	}
	switch {
	case endsIn(before[:end], token.IDENT, token.PERIOD, token.IDENT, token.LPAREN):
		return before[end-4].lit + "." + before[end-2].lit, strings
	case strings == 0 && endsIn(before[:end], token.IDENT, token.LBRACK) && !endsIn(before[:end-2], token.PERIOD):
		return before[end-2].lit + "[", 0
	}
	return "", 0
}

// endsIn reports whether the last tokens are of these kinds.
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

// magicAt reports whether the cursor is in the first word of a line that
// begins with '%'.
func magicAt(code string, at int) (start int, ok bool) {
	line := code[strings.LastIndexByte(code[:at], '\n')+1 : at]
	trimmed := strings.TrimLeft(line, " \t")
	if !strings.HasPrefix(trimmed, "%") || strings.ContainsAny(trimmed, " \t") {
		return 0, false
	}
	if before := strings.TrimSpace(code[:at-len(line)]); before != "" && !strings.HasPrefix(before, "%") {
		return 0, false // an operator at the head of a continued line
	}
	return at - len(trimmed), true
}

// argumentAt returns the magic in whose line the cursor is behind its name, and
// where the argument at the cursor begins.
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

// wordStart returns where the identifier that ends at the cursor begins.
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

// wordEnd returns where the identifier at the cursor ends.
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
	pos, end int
	lit      string
	open     bool // a string or comment without end
}

// scan returns the tokens of code, comments too. Automatic semicolons have no
// extent.
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

// lastTokens returns the last token of code that has an extent, and all before it.
func lastTokens(code string) (last tok, before []tok) {
	all := scan(code)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].end > all[i].pos {
			return all[i], all[:i]
		}
	}
	return tok{}, nil
}

// isImport reports whether the tokens end within an import declaration.
func isImport(before []tok) bool {
	for i := len(before) - 1; i >= 0; i-- {
		switch before[i].tok {
		case token.IMPORT:
			return true
		case token.IDENT, token.PERIOD, token.LPAREN, token.STRING, token.SEMICOLON, token.COMMENT:
		default:
			return false
		}
	}
	return false
}

func isNumber(t tok, at int) bool {
	return (t.tok == token.INT || t.tok == token.FLOAT || t.tok == token.IMAG) && t.end >= at
}

// withoutMagics blanks the "%name" or "?" at the head of lines, so that what
// follows reads as Go. Offsets stay what they are.
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
