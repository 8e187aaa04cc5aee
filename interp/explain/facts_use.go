package explain

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// The methods in this file return the facts about how x is used. phrases.txt describes them.

// claim returns the message of go/types without the reason that follows the name of the called function.
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

// parameter returns the name of the parameter at the position of the error, if it is written without a type, as x in
// func f(x).
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

// returned returns the types of the values in a return statement, if the function is declared without results.
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

// outside returns "return" if x is in a return statement outside of all functions.
func (m *mistake) outside() []string {
	if _, inside := m.results(); !inside && m.role == "return" {
		return []string{"return"}
	}
	return nil
}

// dropped returns the last expression of a function that has a result but lacks the return statement.
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

// returnable reports whether e can be returned as a value of the type that the expression result denotes.
func (m *mistake) returnable(e, result ast.Expr) bool {
	t, want := m.typeOf(e), m.typeOf(result)
	return t == nil || want == nil || types.AssignableTo(t, want)
}

// shell returns "!" if x is in a statement that begins with ! and an unknown name, such as !ls -l.
func (m *mistake) shell() []string {
	var whole ast.Node = m.x // becomes the outermost expression around x
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

// assigned returns the name of x if x is on the left side of an assignment with =.
func (m *mistake) assigned() []string {
	if a, ok := m.parent().(*ast.AssignStmt); ok && a.Tok == token.ASSIGN && slices.Contains(a.Lhs, m.x) {
		return []string{nameOf(m.x)}
	}
	return nil
}

// surplus returns the numbers of variables and values of a declaration, if x is a value for which there is no variable.
func (m *mistake) surplus() []string {
	spec, ok := m.parent().(*ast.ValueSpec)
	if !ok || len(m.path) < 2 || len(spec.Values) <= len(spec.Names) || !slices.Contains(spec.Values, m.x) {
		return nil
	}
	if decl, ok := m.path[1].(*ast.GenDecl); !ok || decl.Tok != token.VAR {
		return nil
	}
	variables := "variables"
	if len(spec.Names) == 1 {
		variables = "variable"
	}
	return []string{fmt.Sprintf("%d %s but %d values", len(spec.Names), variables, len(spec.Values))}
}
