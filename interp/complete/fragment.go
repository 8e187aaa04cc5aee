package complete

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"time"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/goanvil/notebook/interp/check"
)

// placeholder is an identifier that is inserted at the cursor. tensorName is the name of a variable
// that replaces operations on tensors. Neither can be a name in a cell.
const (
	placeholder = check.Mark + "cursor"
	tensorName  = check.Mark + "tensor"
)

// A fragment is a cell up to the cursor, completed to valid syntax and type-checked.
type fragment struct {
	*check.Checked
	at   token.Pos  // start of the identifier at the cursor
	path []ast.Node // the nodes that enclose at, innermost first; may be empty if the code has syntax errors
}

// fragment parses and checks code, whose last token is an identifier at offset at.
func (s *Session) fragment(code string, at int) *fragment {
	text, shift := assemble(plainIndexes(code), s.head())
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, "", text, parser.SkipObjectResolution|parser.AllErrors)
	if file == nil {
		file = &ast.File{Name: ast.NewIdent("main")}
	}
	f := &fragment{at: file.FileStart + token.Pos(at+shift)}
	// The path must be found first: foldOperators replaces expressions by tensorName, which may be longer and then
	// seem to reach the cursor.
	f.path, _ = astutil.PathEnclosingInterval(file, f.at, f.at)
	for range maxRounds {
		f.Checked = s.check(fset, file)
		if !s.foldOperators(f) {
			break
		}
	}
	return f
}

// maxRounds is the greatest number of calls of foldOperators. A call may determine types of variables that the next
// call needs.
const maxRounds = 8

// checkTime is how long a check may take.
const checkTime = time.Second

// check is Env.Check, but returns a Checked without type information if go/types panics or takes more than checkTime.
func (s *Session) check(fset *token.FileSet, file *ast.File) (c *check.Checked) {
	defer func() {
		if recover() != nil {
			c = &check.Checked{File: file, Pkg: types.NewPackage("main", "main"), Info: &types.Info{}}
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), checkTime)
	defer cancel()
	return s.Env.Check(ctx, fset, file)
}

// head returns the declaration of the variable that foldOperators uses, after the import that it needs.
func (s *Session) head() string {
	if s.TensorPath == "" {
		return ""
	}
	return fmt.Sprintf("import %[1]s %[2]q\nvar %[3]s %[1]s.%[4]s\n", check.Mark+"anvil", s.TensorPath, tensorName,
		s.TensorName)
}

// foldOperators replaces operations on tensors, which are not Go, by a variable of the tensor type, and reports
// whether it replaced any. It does not change expressions that contain the cursor.
func (s *Session) foldOperators(f *fragment) (changed bool) {
	tensor := f.Pkg.Scope().Lookup(tensorName)
	if tensor == nil {
		return false
	}
	astutil.Apply(f.File, nil, func(c *astutil.Cursor) bool {
		e, ok := c.Node().(ast.Expr)
		if !ok || valid(f.Info.TypeOf(e)) {
			return true
		}
		isAroundCursor := e.Pos() <= f.at && f.at <= e.End()
		if !isAroundCursor && operatesOn(f.Info, tensor.Type(), e) {
			c.Replace(&ast.Ident{NamePos: e.Pos(), Name: tensorName})
			changed = true
		}
		return true
	})
	return changed
}

// valid reports whether the checker has determined t.
func valid(t types.Type) bool { return t != nil && t != types.Typ[types.Invalid] }

// operatesOn reports whether e is an operator, index or slice expression with an operand of
// type t.
func operatesOn(info *types.Info, t types.Type, e ast.Expr) bool {
	hasType := func(x ast.Expr) bool {
		u := info.TypeOf(ast.Unparen(x))
		return u != nil && types.Identical(u, t)
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return hasType(e.X) || hasType(e.Y)
	case *ast.UnaryExpr:
		return e.Op != token.AND && hasType(e.X)
	case *ast.IndexExpr:
		return hasType(e.X)
	case *ast.IndexListExpr:
		return hasType(e.X)
	case *ast.SliceExpr:
		return hasType(e.X)
	}
	return false
}

// marker marks the start of the last piece while a file is assembled. Go source cannot contain it.
const marker = "\x00"

// assemble returns a file with the pieces of a cell: imports, head, declarations, and a
// function with the statements. It leaves out pieces that do not parse, except the last
// one, whose open brackets it closes. The offset i of the cursor in the cell becomes i+shift
// in the file.
func assemble(code, head string) (text string, shift int) {
	pieces := cut(code)
	var sections [3]strings.Builder
	last := pieces[len(pieces)-1]
	local := typesOf(pieces)
	for _, p := range pieces[:len(pieces)-1] {
		if last.section() == inDecls { // a function at the cursor, for example, may refer to x, declared by x := v
			p = p.hoisted()
		}
		if p = p.methodAsFunc(local); p.parses() {
			sections[p.section()].WriteString(p.closed() + "\n")
		}
	}
	final := last.methodAsFunc(local)
	sections[final.section()].WriteString(marker + final.closed() + "\n")
	text = "package main\n" + sections[inImports].String() + head + sections[inDecls].String() +
		"func " + check.Entry + "() {\n" + sections[inBody].String() + "}\n"
	start := strings.Index(text, marker)
	grown := len(final.text) - len(last.text) // the number of bytes that methodAsFunc has inserted before the cursor
	return strings.Replace(text, marker, "", 1), start - last.start + grown
}
