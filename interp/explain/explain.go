// Package explain rewrites the errors of go/types in terms of the author's source, and adds what to write
// instead.
//
// The sentences are in phrases.txt. They are selected by the error's code (see package internal/types/errors)
// and by facts about the syntax and types around it. An error without a phrase keeps the sentence of
// go/types. foreign.txt maps names of other libraries to the corresponding code here.
package explain

import (
	"cmp"
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// A Cell is a checked cell whose errors are explained.
type Cell struct {
	Env        *check.Env
	File       *ast.File
	Pkg        *types.Package
	Info       *types.Info
	Tensor     types.Type // nil if the universe has no tensors
	TensorPath string     // of the package of tensors

	// Authored holds the author's expression for each call that replaces an operator or an index.
	Authored map[ast.Expr]ast.Expr

	// Indexed holds the operand of each index that is not Go, such as x[:, 0], by the identifier At in the call
	// that replaces the index.
	Indexed map[*ast.Ident]ast.Expr
}

// An Error is an error in a cell, at a position of the author's source.
type Error struct {
	Pos token.Pos
	Msg string
}

func (e *Error) Error() string { return e.Msg }

// Errors returns the errors of the check, explained. Several errors about one mistake are
// merged. If ctx ends, Errors panics with the error of ctx soon after.
func (c *Cell) Errors(ctx context.Context, all []types.Error) []Error {
	var errs []Error
	var last *mistake
	for i, e := range all {
		check.Poll(ctx)
		if check.Continues(e) {
			continue
		}
		if check.CodeOf(e) == "UnexportedLitField" && mainDot.MatchString(e.Msg) {
			continue // a cell may set the fields of other cells' types; another error says what is wrong
		}
		if check.CodeOf(e) == "WrongArgCount" && len(all) > 1 && strings.Contains(e.Msg, "have (unknown type)") {
			continue // another error says what is wrong with the argument
		}
		e.Msg = withCycle(e, all[i+1:])
		m := c.locate(e)
		previous := last
		last = m
		if m.code == "InvalidPkgUse" && i+1 < len(all) && all[i+1].Pos == e.Pos {
			continue // math.Pi = 3: go/types also reports the assignment, at the same position
		}
		if previous != nil && m.follows(previous) {
			continue
		}
		// An error may occur twice, since the replacement of an operator may repeat an operand.
		if explained := m.explain(); !slices.Contains(errs, explained) {
			errs = append(errs, explained)
		}
	}
	return errs
}

// withCycle returns the message of e, followed by the steps of the cycle if e is an error about one. after has the
// errors after e.
func withCycle(e types.Error, after []types.Error) string {
	msg := e.Msg
	if !strings.Contains(msg, "cycle") {
		return msg
	}
	for _, step := range after {
		if !check.Continues(step) {
			break
		}
		if !strings.HasSuffix(msg, ":") {
			msg += ";"
		}
		msg += " " + strings.TrimSpace(step.Msg)
	}
	return msg
}

// explain returns the error with the message, and the hint if any, that fits best.
func (m *mistake) explain() Error {
	msg := m.choose(true) // the phrase that replaces the message
	if msg == "" {
		msg = m.message()
	}
	if hint := m.choose(false); hint != "" {
		msg += "; " + hint
	}
	return Error{m.pos, msg}
}

// message returns the message of go/types, with names as the author wrote them.
func (m *mistake) message() string {
	// "-" is the position of an object in a compiled package.
	return m.InOwnNames(strings.ReplaceAll(positionFile.ReplaceAllString(m.err.Msg, "$1:"), " (declared at -)", ""))
}

// positionFile matches the file of a position in a cell.
var positionFile = regexp.MustCompile(`(cell\[\d+\])/go:`)

// InOwnNames returns msg with the names of lowered code replaced by the author's.
func (c *Cell) InOwnNames(msg string) string { return c.withImportNames(Plain(c.asAuthored(msg))) }

// asAuthored returns msg with the calls that replace operators written as operators. Longer calls, which may contain
// others, are replaced first.
func (c *Cell) asAuthored(msg string) string {
	if !strings.Contains(msg, "(") {
		return msg
	}
	lowered := map[string]string{}
	for e, authored := range c.Authored {
		if longer(e, len(msg)) {
			continue
		}
		if text := types.ExprString(e); strings.Contains(msg, text) {
			lowered[text] = types.ExprString(authored)
		}
	}
	longestFirst := func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }
	for _, text := range slices.SortedFunc(maps.Keys(lowered), longestFirst) {
		msg = strings.ReplaceAll(msg, text, lowered[text])
	}
	return msg
}

// longer reports whether the text of e has more than n bytes, judging by its names and literals. It is faster than
// types.ExprString.
func longer(e ast.Expr, n int) bool {
	ast.Inspect(e, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.Ident:
			n -= len(node.Name)
		case *ast.BasicLit:
			n -= len(node.Value)
		}
		return n >= 0
	})
	return n < 0
}

// marked matches the suffix that engine names add to the author's names.
var marked = regexp.MustCompile(check.Mark + `[0-9]+|` + check.Mark)

// Plain returns msg with names as the author wrote them.
func Plain(msg string) string {
	msg = mainDot.ReplaceAllLiteralString(msg, "")
	if !strings.Contains(msg, check.Mark) {
		return msg
	}
	return marked.ReplaceAllString(msg, "")
}

// mainDot matches the qualifier that go/types gives to names of cells. Authors do not write it.
var mainDot = regexp.MustCompile(`\bmain\.`)

// withImportNames returns msg with the names under which the cell imports packages: nv, not anvil.
func (c *Cell) withImportNames(msg string) string {
	for name, p := range c.Env.Imports() {
		own := check.NameIn(p)
		if name != own && strings.Contains(msg, own+".") {
			msg = regexp.MustCompile(`\b`+regexp.QuoteMeta(own)+`\.`).ReplaceAllLiteralString(msg, name+".")
		}
	}
	return msg
}

// tensorName returns the cell's name for the tensor package.
func (c *Cell) tensorName() string {
	for name, path := range c.Env.Imports() {
		if path == c.TensorPath {
			return name
		}
	}
	return c.TensorPath[strings.LastIndex(c.TensorPath, "/")+1:]
}
