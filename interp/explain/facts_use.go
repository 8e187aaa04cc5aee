package explain

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// The methods in this file return the facts about how x is used. phrases.txt describes them.

// claim returns the message of go/types up to the name of the called function, without the reason that follows.
func (m *mistake) claim() []string {
	if m.call == nil {
		return nil
	}
	msg := m.message()
	if before, _, ok := strings.Cut(msg, " "+m.text(m.call.Fun)+": "); ok {
		return []string{before + " " + m.text(m.call.Fun)}
	}
	return []string{msg}
}

// redeclared returns the name that two types of cells share, if x has one of them and the other is wanted, or if the
// operands of a binary expression have one each. Of two pointers it compares the types that they point to.
func (m *mistake) redeclared() []string {
	a, b := m.want, m.typeOf(m.x)
	if e := m.binary(); a == nil && e != nil {
		a, b = m.typeOf(e.X), m.typeOf(e.Y)
	}
	if a == nil || b == nil || types.Identical(a, b) {
		return nil
	}
	if p, ok := a.Underlying().(*types.Pointer); ok {
		q, ok := b.Underlying().(*types.Pointer)
		if !ok {
			return nil
		}
		a, b = p.Elem(), q.Elem()
	}
	named, ok := types.Unalias(a).(*types.Named)
	name := m.typeWords(a)[0]
	if ok && check.IsCell(named.Obj().Pkg()) && name == m.typeWords(b)[0] {
		return []string{name}
	}
	return nil
}

// parameter returns the name of a parameter that has no type.
func (m *mistake) parameter() (name []string) {
	ast.Inspect(m.File, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncType); ok {
			for _, p := range f.Params.List {
				if id, ok := p.Type.(*ast.Ident); ok && id.Pos() == m.err.Pos && len(p.Names) == 0 {
					name = []string{nameOf(id)}
				}
			}
		}
		return true
	})
	return name
}

// returned returns the types of the values returned from a function without results.
func (m *mistake) returned() []string {
	ret, ok := m.parent().(*ast.ReturnStmt)
	if results, inside := m.results(); !ok || !inside || results.Len() > 0 {
		return nil
	}
	list := make([]string, len(ret.Results))
	for i, e := range ret.Results {
		t := m.typeOf(e)
		if t == nil {
			return nil
		}
		list[i] = m.typeWords(types.Default(t))[0]
	}
	if len(list) > 1 {
		return []string{"(" + strings.Join(list, ", ") + ")"}
	}
	return list
}

// outside returns "return" if x is in a return statement that is outside of all functions.
func (m *mistake) outside() []string {
	if _, inside := m.results(); !inside && m.role == "return" {
		return []string{"return"}
	}
	return nil
}

// dropped returns the expression that ends a function with results, where return is missing.
func (m *mistake) dropped() (text []string) {
	ast.Inspect(m.File, func(n ast.Node) bool {
		var body *ast.BlockStmt
		var results *ast.FieldList
		switch f := n.(type) {
		case *ast.FuncDecl:
			body, results = f.Body, f.Type.Results
		case *ast.FuncLit:
			body, results = f.Body, f.Type.Results
		}
		if body == nil || results == nil || len(body.List) == 0 {
			return true
		}
		last, ok := body.List[len(body.List)-1].(*ast.ExprStmt)
		isWrong := body.Rbrace == m.err.Pos || ok && last.X == m.x
		if ok && isWrong && len(results.List) == 1 && m.returnable(last.X, results.List[0].Type) {
			text = []string{m.text(last.X)}
		}
		return true
	})
	return text
}

// returnable reports whether e can be returned as a result of the type that result denotes.
func (m *mistake) returnable(e, result ast.Expr) bool {
	t, want := m.typeOf(e), m.typeOf(result)
	return t == nil || want == nil || types.AssignableTo(t, want)
}

// shell returns "!" if x is in a statement that begins with ! and an unknown name, as a shell command does.
func (m *mistake) shell() []string {
	var whole ast.Node = m.x // the statement's expression
	for _, n := range m.path {
		if e, ok := n.(ast.Expr); !ok || isAdded(e) {
			break
		}
		if call, ok := n.(*ast.CallExpr); ok && isAdded(call.Fun) {
			break
		}
		whole = n
	}
	for {
		switch e := whole.(type) {
		case *ast.BinaryExpr:
			whole = e.X
			continue
		case *ast.UnaryExpr:
			if id, ok := e.X.(*ast.Ident); ok && e.Op == token.NOT && m.typeOf(id) == nil {
				return []string{"!"}
			}
		}
		return nil
	}
}

// assigned returns the name x if it is on the left of an assignment with =.
func (m *mistake) assigned() []string {
	if a, ok := m.parent().(*ast.AssignStmt); ok && a.Tok == token.ASSIGN && slices.Contains(a.Lhs, m.x) {
		return []string{nameOf(m.x)}
	}
	return nil
}
