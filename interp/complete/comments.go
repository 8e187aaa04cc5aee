package complete

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// commentOn returns the comment directly above the declaration of o in code, the text of a cell, or "".
func commentOn(code string, o types.Object) string {
	code = withoutMagics(code)
	for _, p := range cut(code) {
		if !p.mayDeclare(o) {
			continue
		}
		src := "package p\nfunc _() {\n" + p.text + "\n}"
		if p.section() != inBody {
			src = "package p\n" + p.text
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return ""
		}
		if id := declaration(file, o); id != nil {
			return commentAbove(fset, file, id)
		}
	}
	return ""
}

// mayDeclare reports whether the piece may declare o. It compares tokens only:
//
//   - A declaration of a function must have the name of o.
//   - A declaration of a method must have the name of o and mention the type of the receiver.
//   - A declaration of types, variables or constants must contain the name of o.
//   - Any other statement must begin with a list of identifiers that contains the name of o, as in x, y := f().
func (p piece) mayDeclare(o types.Object) bool {
	f, isFunc := o.(*types.Func)
	if isFunc && f.Signature().Recv() != nil {
		if !p.isMethod() {
			return false
		}
		end := p.closing(1) // of the receiver
		return p.toks[end+1].lit == o.Name() &&
			strings.Contains(p.text, typeName(f.Signature().Recv().Type()))
	}
	if p.is(token.FUNC, token.IDENT) {
		return p.toks[1].lit == o.Name()
	}
	if p.section() == inDecls && !p.isMethod() { // type, var or const
		for _, t := range p.toks {
			if t.tok == token.IDENT && t.lit == o.Name() {
				return true
			}
		}
		return false
	}
	for _, t := range p.toks { // x, y := ...
		switch {
		case t.tok == token.IDENT && t.lit == o.Name():
			return true
		case t.tok != token.IDENT && t.tok != token.COMMA:
			return false
		}
	}
	return false
}

// declaration returns the identifier that declares o in file, which holds one piece. It returns nil if the piece only
// uses an object of that name.
func declaration(file *ast.File, o types.Object) (found *ast.Ident) {
	v, isVar := o.(*types.Var)
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if found == nil && id.Name == o.Name() {
				found = id
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.FuncDecl:
			add(n.Name)
		case *ast.TypeSpec:
			add(n.Name)
		case *ast.ValueSpec:
			add(n.Names...)
		case *ast.Field:
			if isVar && v.IsField() {
				add(n.Names...)
			}
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); ok && n.Tok == token.DEFINE {
					add(id)
				}
			}
		}
		return found == nil
	})
	return found
}

// commentAbove returns the comment that ends on the line above id, or "".
func commentAbove(fset *token.FileSet, file *ast.File, id *ast.Ident) string {
	line := fset.Position(id.Pos()).Line
	for _, group := range file.Comments {
		if fset.Position(group.End()).Line == line-1 {
			return group.Text()
		}
	}
	return ""
}
