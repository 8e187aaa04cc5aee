// Package explain puts what go/types says of a cell into words of its author,
// with what to write instead.
//
// The sentences stand in phrases.txt, by go/types' code of the error and by facts
// of the syntax and the types around it (package internal/types/errors has the
// codes). An error that no phrase is for keeps the sentence of go/types. What to
// write for names that other libraries have stands in foreign.txt.
package explain

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// A Cell is a cell as go/types has checked it, whose errors are explained.
type Cell struct {
	Env        *check.Env
	File       *ast.File
	Pkg        *types.Package
	Info       *types.Info
	Tensor     types.Type // nil where the universe has no tensors
	TensorPath string     // of the package of tensors

	// What the author wrote where a call stands for an operator or an index.
	Authored map[ast.Expr]ast.Expr

	// The operands of indexes that Go's syntax lacks, such as x[:, 0], by the
	// name At in the call that each became.
	Indexed map[*ast.Ident]ast.Expr
}

// An Error is what is wrong with a cell, at a position of the author's.
type Error struct {
	Pos token.Pos
	Msg string
}

func (e *Error) Error() string { return e.Msg }

// Errors returns the errors of the check in the author's words. Several about
// one mistake are one.
func (c *Cell) Errors(all []types.Error) []Error {
	var errs []Error
	var last *mistake
	for i, e := range all {
		if check.Continues(e) {
			continue
		}
		m := c.locate(e)
		before := last
		last = m
		if m.code == "InvalidPkgUse" && i+1 < len(all) && all[i+1].Pos == e.Pos {
			continue // the assignment to math.Pi has an error of its own
		}
		if before != nil && m.follows(before) {
			continue
		}
		if wrong := m.explain(); !slices.Contains(errs, wrong) { // what an operator becomes may have an operand twice
			errs = append(errs, wrong)
		}
	}
	return errs
}

// explain returns an error of the check in the author's words.
func (m *mistake) explain() Error {
	msg := m.choose(true)
	if msg == "" {
		msg = m.message()
	}
	if hint := m.choose(false); hint != "" {
		msg += "; " + hint
	}
	return Error{m.pos, msg}
}

// message returns what go/types says, with names as the author wrote them.
func (m *mistake) message() string { return m.inOwnNames(m.err.Msg) }

// inOwnNames returns msg, in which names are those of lowered code, with names as
// the author wrote them.
func (c *Cell) inOwnNames(msg string) string { return c.named(Plain(c.asAuthored(msg))) }

// asAuthored returns msg with operators in place of the calls that they have
// become, the outer ones first.
func (c *Cell) asAuthored(msg string) string {
	lowered := make(map[string]string, len(c.Authored))
	for e, own := range c.Authored {
		lowered[types.ExprString(e)] = types.ExprString(own)
	}
	texts := slices.SortedFunc(maps.Keys(lowered), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	for _, text := range texts {
		msg = strings.ReplaceAll(msg, text, lowered[text])
	}
	return msg
}

var marked = regexp.MustCompile(check.Mark + `[0-9]+|` + check.Mark)

// Plain returns msg with names as the author wrote them.
func Plain(msg string) string {
	msg = mainDot.ReplaceAllLiteralString(msg, "")
	if !strings.Contains(msg, check.Mark) {
		return msg
	}
	return marked.ReplaceAllString(msg, "")
}

// mainDot is the package of all cells, which nobody writes.
var mainDot = regexp.MustCompile(`\bmain\.`)

// named returns msg with packages called as the cell calls them: nv, not anvil.
func (c *Cell) named(msg string) string {
	for name, p := range c.Env.Imports() {
		own := p[strings.LastIndex(p, "/")+1:]
		if name != own && strings.Contains(msg, own+".") {
			msg = regexp.MustCompile(`\b`+regexp.QuoteMeta(own)+`\.`).ReplaceAllLiteralString(msg, name+".")
		}
	}
	return msg
}

// tensorName returns what the cell calls the package of tensors.
func (c *Cell) tensorName() string {
	for name, path := range c.Env.Imports() {
		if path == c.TensorPath {
			return name
		}
	}
	return c.TensorPath[strings.LastIndex(c.TensorPath, "/")+1:]
}
