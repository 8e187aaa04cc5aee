package cell

import (
	"go/scanner"
	"go/token"
	"strings"
)

// A lexeme is a token of a cell and its position.
type lexeme struct {
	at, end int // offsets
	tok     token.Token
	lit     string
	depth   int // the number of brackets around the token
}

// A fault is an error in the text of a cell.
type fault struct {
	at         int // offset
	msg        string
	incomplete bool // text after the end of the cell could correct the error
}

// scan returns the tokens of src, and the first lexical error or unmatched bracket.
func scan(src string) ([]lexeme, *fault) {
	var first *fault
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), func(pos token.Position, msg string) {
		if first == nil {
			first = &fault{pos.Offset, msg, unterminated(msg)}
		}
	}, 0)
	var all []lexeme
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		x := lexeme{at: file.Offset(pos), tok: tok, lit: lit}
		x.end = x.at + len(text(tok, lit))
		all = append(all, x)
	}
	if unbalanced := nest(all); first == nil {
		first = unbalanced
	}
	return all, first
}

// unterminated reports whether msg is about a literal that later text may complete.
func unterminated(msg string) bool {
	return strings.HasPrefix(msg, "raw string literal not terminated") || strings.HasPrefix(msg, "comment not terminated")
}

// text returns the source text of a token, which is empty for a semicolon that the scanner has inserted.
func text(tok token.Token, lit string) string {
	switch {
	case tok == token.SEMICOLON && lit != ";":
		return ""
	case lit != "":
		return lit
	}
	return tok.String()
}

// closing maps opening brackets to closing ones.
var closing = map[token.Token]token.Token{
	token.LPAREN: token.RPAREN, token.LBRACK: token.RBRACK, token.LBRACE: token.RBRACE,
}

// nest sets the depth of each token. A bracket has the depth of the text outside of the brackets. nest returns an error
// for the first bracket without a partner, or nil.
func nest(all []lexeme) *fault {
	var open []lexeme
	for i := range all {
		x := &all[i]
		switch x.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			x.depth = len(open)
			open = append(open, *x)
			if len(open) > maxDepth {
				return &fault{at: x.at, msg: tooDeep}
			}
			continue
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(open) == 0 {
				return &fault{at: x.at, msg: "unexpected " + x.tok.String() + ", no bracket is open"}
			}
			if top := open[len(open)-1]; closing[top.tok] != x.tok {
				return &fault{at: x.at, msg: "unexpected " + x.tok.String() + ", " + top.tok.String() + " is open"}
			}
			open = open[:len(open)-1]
		}
		x.depth = len(open)
	}
	if len(open) > 0 {
		top := open[len(open)-1]
		return &fault{top.at, top.tok.String() + " is not closed", true}
	}
	return nil
}

// blank replaces all but the line ends in src[at:end] by spaces.
func blank(src []byte, at, end int) {
	for i := at; i < end; i++ {
		if src[i] != '\n' {
			src[i] = ' '
		}
	}
}
