package complete

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/goanvil/notebook/interp/check"
)

// placeholder stands where the cursor is, tensorName for what operators on
// tensors give. Neither is a name of an author's.
const (
	placeholder = "ꓸcursor"
	tensorName  = "ꓸtensor"
)

// A fragment is a cell up to the cursor, made whole and type-checked.
type fragment struct {
	*check.Checked
	at   token.Pos  // where the identifier at the cursor begins
	path []ast.Node // from that identifier outwards; empty where it did not parse
}

// fragment parses and checks code, in which an identifier at offset at is the
// last token.
func (s *Session) fragment(code string, at int) *fragment {
	text, shift := assemble(plainIndexes(code), s.head())
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, "", text, parser.SkipObjectResolution|parser.AllErrors)
	if file == nil {
		file = &ast.File{Name: ast.NewIdent("main")}
	}
	f := &fragment{at: file.FileStart + token.Pos(at+shift)}
	// Now: what foldOperators writes is longer than what it replaces.
	f.path, _ = astutil.PathEnclosingInterval(file, f.at, f.at)
	for range maxRounds {
		f.Checked = s.check(fset, file)
		if !s.foldOperators(f) {
			break
		}
	}
	return f
}

// maxRounds bounds how often operators are folded; each round may give types
// to variables that the next one needs.
const maxRounds = 8

// check is Env.Check for code that may be broken in ways that make go/types
// panic; there is then no type information.
func (s *Session) check(fset *token.FileSet, file *ast.File) (c *check.Checked) {
	defer func() {
		if recover() != nil {
			c = &check.Checked{File: file, Pkg: types.NewPackage("main", "main"), Info: &types.Info{}}
		}
	}()
	return s.Env.Check(fset, file)
}

// head declares what foldOperators writes.
func (s *Session) head() string {
	if s.TensorPath == "" {
		return ""
	}
	return fmt.Sprintf("import ꓸanvil %q\nvar %s ꓸanvil.%s\n", s.TensorPath, tensorName, s.TensorName)
}

// foldOperators replaces operations on tensors, which Go does not have, by a
// tensor, and reports whether there was one that the check had no type for.
func (s *Session) foldOperators(f *fragment) (changed bool) {
	tensor := f.Pkg.Scope().Lookup(tensorName)
	if tensor == nil {
		return false
	}
	astutil.Apply(f.File, nil, func(c *astutil.Cursor) bool {
		e, ok := c.Node().(ast.Expr)
		if ok && !valid(f.Info.TypeOf(e)) && !encloses(e, f.at) && operatesOn(f.Info, tensor.Type(), e) {
			c.Replace(&ast.Ident{NamePos: e.Pos(), Name: tensorName})
			changed = true
		}
		return true
	})
	return changed
}

func valid(t types.Type) bool { return t != nil && t != types.Typ[types.Invalid] }

func encloses(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos <= n.End() }

// operatesOn reports whether e is an operator, index or slice form with an
// operand of type t.
func operatesOn(info *types.Info, t types.Type, e ast.Expr) bool {
	is := func(x ast.Expr) bool {
		u := info.TypeOf(ast.Unparen(x))
		return u != nil && types.Identical(u, t)
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return is(e.X) || is(e.Y)
	case *ast.UnaryExpr:
		return e.Op != token.AND && is(e.X)
	case *ast.IndexExpr:
		return is(e.X)
	case *ast.IndexListExpr:
		return is(e.X)
	case *ast.SliceExpr:
		return is(e.X)
	}
	return false
}

// here marks the last piece while a file is assembled. No Go source holds it.
const here = "\x00"

// assemble makes a file of a cell's pieces: imports, head, declarations, and a
// function with the statements. Pieces that do not parse are left out, but not
// the last one, whose open brackets are closed. What was at offset i of the
// last piece is at i+shift.
func assemble(code, head string) (text string, shift int) {
	pieces := cut(code)
	var sections [3]strings.Builder
	last := pieces[len(pieces)-1]
	local := typesOf(pieces)
	for _, p := range pieces[:len(pieces)-1] {
		if last.section() == inDecls {
			p = p.hoisted()
		}
		if p = p.unmethod(local); p.parses() {
			sections[p.section()].WriteString(p.whole() + "\n")
		}
	}
	final := last.unmethod(local)
	sections[final.section()].WriteString(here + final.whole() + "\n")
	text = "package main\n" + sections[inImports].String() + head + sections[inDecls].String() +
		"func ꓸcell() {\n" + sections[inBody].String() + "}\n"
	start := strings.Index(text, here)
	grown := len(final.text) - len(last.text) // in front of the cursor
	return strings.Replace(text, here, "", 1), start - last.start + grown
}
