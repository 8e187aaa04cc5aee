// Package explain rewrites the errors of go/types in terms of the author's source, and adds hints about what to write
// instead.
//
// The texts come from phrases.txt. A phrase of one kind replaces the message of go/types, and one of the other kind
// follows it as a hint. Phrases are selected by the error's code (see package internal/types/errors) and by facts about
// the syntax and types around the error. An error for which no replacement is selected keeps the message of go/types.
// foreign.txt maps names of other libraries to the corresponding code here.
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
	TensorPath string     // the import path of the tensor package

	// Authored holds the author's expression for each call that replaces an operator or an index.
	Authored map[ast.Expr]ast.Expr

	// Indexed holds the operand x of each index that Go does not have, such as x[:, 0], by the identifier At in the
	// call that replaces the index.
	Indexed map[*ast.Ident]ast.Expr
}

// An Error is an error in a cell, at a position of the author's source.
type Error struct {
	Pos token.Pos
	Msg string
}

func (e *Error) Error() string { return e.Msg }

// Errors returns the errors of the check, explained. Of several errors with the same cause it returns one. If ctx ends,
// Errors panics with the error of ctx soon after.
func (c *Cell) Errors(ctx context.Context, all []types.Error) []Error {
	var errs []Error
	var last *mistake
	for i, e := range all {
		check.Poll(ctx)
		if check.Continues(e) {
			continue
		}
		if check.CodeOf(e) == "UnexportedLitField" && mainDot.MatchString(e.Msg) {
			continue // cells may set unexported fields of each other's types; the literal has another error
		}
		if check.CodeOf(e) == "WrongArgCount" && len(all) > 1 && strings.Contains(e.Msg, "have (unknown type)") {
			continue // the argument of unknown type has another error
		}
		e.Msg = withCycle(e, all[i+1:])
		m := c.locate(e)
		previous := last
		last = m
		if m.code == "InvalidPkgUse" && i+1 < len(all) && all[i+1].Pos == e.Pos {
			continue // of the two errors for math.Pi = 3, the one about the assignment follows
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

// withCycle returns the message of e. If e reports a cycle of declarations, the steps of the cycle follow the message.
// after has the errors after e, which begin with the steps.
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

// explain returns the explained error: a phrase that replaces the message of go/types, or else that message, and after
// it a hint if there is one.
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

// message returns the message of go/types, with names as the author wrote them.
func (m *mistake) message() string {
	// "-" is the position of an object in a compiled package.
	return m.InOwnNames(strings.ReplaceAll(positionFile.ReplaceAllString(m.err.Msg, "$1:"), " (declared at -)", ""))
}

// positionFile matches the file name of a position in a cell, such as cell[3]/go.
var positionFile = regexp.MustCompile(`(cell\[\d+\])/go:`)

// InOwnNames returns msg with the calls and names of rewritten code replaced by what the author wrote.
func (c *Cell) InOwnNames(msg string) string { return c.withImportNames(Plain(c.asAuthored(msg))) }

// asAuthored returns msg with the calls that replace the author's expressions written as these expressions. Longer
// calls, which may contain others, are replaced first.
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

// longer reports whether the names and literals of e have more than n bytes together: then the text of e has too.
// Counting them is faster than types.ExprString.
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

// engineSuffix matches what an engine name such as xꓸ3 adds to the author's name.
var engineSuffix = regexp.MustCompile(check.Mark + `[0-9]+|` + check.Mark)

// Plain returns msg without what the author did not write: the suffixes of engine names, and the qualifier main.
func Plain(msg string) string {
	msg = mainDot.ReplaceAllLiteralString(msg, "")
	if !strings.Contains(msg, check.Mark) {
		return msg
	}
	return engineSuffix.ReplaceAllString(msg, "")
}

// mainDot matches the qualifier that go/types gives to names of cells. Authors do not write it.
var mainDot = regexp.MustCompile(`\bmain\.`)

// withImportNames returns msg with the names under which cells import packages, such as nv for anvil.
func (c *Cell) withImportNames(msg string) string {
	for name, p := range c.Env.Imports() {
		own := check.NameIn(p)
		if name != own && strings.Contains(msg, own+".") {
			msg = regexp.MustCompile(`\b`+regexp.QuoteMeta(own)+`\.`).ReplaceAllLiteralString(msg, name+".")
		}
	}
	return msg
}

// tensorName returns the name that cells use for the tensor package, such as nv.
func (c *Cell) tensorName() string {
	for name, path := range c.Env.Imports() {
		if path == c.TensorPath {
			return name
		}
	}
	return c.TensorPath[strings.LastIndex(c.TensorPath, "/")+1:]
}
