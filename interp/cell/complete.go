package cell

import (
	"go/token"
	"strings"
)

// A Status says whether a cell may be run as it stands.
type Status string

// The statuses of Jupyter's is_complete_reply.
const (
	Complete   Status = "complete"
	Incomplete Status = "incomplete"
	Invalid    Status = "invalid"
)

// IsComplete reports whether src may be run. If src is incomplete, indent is the indentation of the next line.
func IsComplete(src string, opts ...Option) (status Status, indent string) {
	_, err := Parse(token.NewFileSet(), "cell", src, opts...)
	wrong, _ := err.(*Error)
	switch {
	case err == nil:
		return Complete, ""
	case wrong != nil && wrong.Incomplete:
		return Incomplete, indentOf(src)
	}
	return Invalid, ""
}

// indentOf returns the indentation of the line after src: a tab for each open bracket, or nothing if src ends inside
// a raw string or a comment.
func indentOf(src string) string {
	toks, first := scan(src)
	if first != nil && unterminated(first.msg) {
		return ""
	}
	open := 0
	for _, x := range toks {
		switch x.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			open++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			open--
		}
	}
	return strings.Repeat("\t", max(open, 0))
}
