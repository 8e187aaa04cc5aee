package explain

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/goanvil/notebook/interp/check"
)

// A mistake is an error of the check, with the syntax that the error is about.
type mistake struct {
	*Cell
	err  types.Error
	pos  token.Pos // where the error is shown
	code check.Code

	x    ast.Expr      // the operand that is wrong, or nil
	path []ast.Node    // the nodes around x, innermost first
	call *ast.CallExpr // the innermost call that has the error in its arguments, or nil

	role string     // how x is used: argument, conversion, return, assignment, declaration, element, shown or ""
	want types.Type // the type that x should have in this role, or nil

	known map[string][]string // the values of the facts computed so far
}

// locate finds the syntax that e is about.
func (c *Cell) locate(e types.Error) *mistake {
	m := &mistake{Cell: c, err: e, pos: e.Pos, code: check.CodeOf(e), known: map[string][]string{}}
	m.findOperand()
	m.findRole()
	m.findGeneric()
	x := m.typeOf(m.x)
	if m.code == "NumericOverflow" && x != nil && m.want != nil && types.IsInterface(m.want) {
		m.want = types.Default(x) // the constant must fit in this type before it becomes an interface value
	}
	if m.call == nil {
		m.call = m.callAround()
	}
	if index := m.indexedOperand(); index != nil {
		m.pos = index.Pos()
	}
	return m
}

// findOperand sets x and path. x is the outermost expression that begins and ends where go/types reports the error, or
// the name at the position of the error. If the error is about a send statement, x is its channel.
func (m *mistake) findOperand() {
	from, to := check.Span(m.err)
	isOperand := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr: // with a generated key, it begins and ends where its value does
			return false
		case *ast.Ident:
			return n.Pos() == m.err.Pos && (from == to || n.End() == to)
		case ast.Expr:
			return n.Pos() == from && n.End() == to && from < to
		case *ast.SendStmt:
			return n.Pos() == from && n.End() == to && m.code == "InvalidSend"
		}
		return false
	}
	var stack []ast.Node
	find := func(n ast.Node) bool {
		switch {
		case m.path != nil || isAdded(n) || len(stack) > 0 && isAddedKey(stack[len(stack)-1], n):
			return false
		case n == nil:
			stack = stack[:len(stack)-1]
			return true
		case isOperand(n):
			m.x, _ = n.(ast.Expr)
			if send, ok := n.(*ast.SendStmt); ok {
				m.x = send.Chan
			}
			m.path = append([]ast.Node{}, stack...)
			slices.Reverse(m.path)
		}
		stack = append(stack, n)
		return true
	}
	for _, decl := range m.File.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && isAdded(f.Name) {
			ast.Inspect(f.Body, find) // f is the entry function, which has the statements of the cell
		} else {
			ast.Inspect(decl, find)
		}
	}
	if sel, ok := m.parent().(*ast.SelectorExpr); ok && sel.Sel == m.x {
		m.x = sel // if the selected name is wrong, x is the whole selector
		m.path = m.path[1:]
	}
}

// isAddedKey reports whether n is the key of parent and was generated. A generated key has the position of its value.
func isAddedKey(parent, n ast.Node) bool {
	element, ok := parent.(*ast.KeyValueExpr)
	return ok && n == element.Key && element.Key.Pos() == element.Value.Pos()
}

// isAdded reports whether n is a generated name, or a selector such as ꓸaid.Show that begins with one.
func isAdded(n ast.Node) bool {
	if sel, ok := n.(*ast.SelectorExpr); ok {
		n = sel.X
	}
	id, ok := n.(*ast.Ident)
	return ok && strings.HasPrefix(id.Name, check.Mark)
}

// parent returns the node around x.
func (m *mistake) parent() ast.Node {
	if len(m.path) == 0 {
		return nil
	}
	return m.path[0]
}

// findRole sets role, want and call if x is used where a value of a particular type is required.
func (m *mistake) findRole() {
	switch p := m.parent().(type) {
	case *ast.CallExpr:
		i := slices.Index(p.Args, m.x)
		switch {
		case i >= 0 && isAdded(p.Fun) && m.Authored[p] == nil:
			m.want = types.Universe.Lookup("any").Type() // p is the generated call of ꓸaid.Show
		case i >= 0:
			m.call = p
			m.role, m.want = "argument", parameterType(m.Info.TypeOf(p.Fun), i, p.Ellipsis.IsValid())
			if m.Info.Types[p.Fun].IsType() {
				m.role, m.want = "conversion", m.Info.TypeOf(p.Fun)
			}
		}
	case *ast.ReturnStmt:
		m.role = "return"
		results, _ := m.results()
		if i := slices.Index(p.Results, m.x); i >= 0 && i < results.Len() {
			m.want = results.At(i).Type()
		}
	case *ast.AssignStmt:
		if i := slices.Index(p.Rhs, m.x); i >= 0 && len(p.Lhs) == len(p.Rhs) {
			m.role, m.want = "assignment", m.Info.TypeOf(p.Lhs[i])
		}
	case *ast.ValueSpec:
		if slices.Contains(p.Values, m.x) && p.Type != nil {
			m.role, m.want = "declaration", m.Info.TypeOf(p.Type)
		}
	case *ast.SendStmt:
		if ch, ok := underlying(m.Info.TypeOf(p.Chan)).(*types.Chan); ok && p.Value == m.x {
			m.want = ch.Elem()
		}
	case *ast.KeyValueExpr: // in a composite literal
		lit, ok := m.path[1].(*ast.CompositeLit)
		if !ok {
			break
		}
		if table, ok := underlying(m.Info.TypeOf(lit)).(*types.Map); ok && p.Key == m.x {
			m.want = table.Key()
		}
		if p.Value == m.x {
			m.role = "element"
			if s, ok := underlying(m.Info.TypeOf(lit)).(*types.Struct); ok {
				m.want = fieldType(s, p.Key)
			} else {
				m.want = elementType(m.Info.TypeOf(lit))
			}
		}
	case *ast.CompositeLit:
		if i := slices.Index(p.Elts, m.x); i >= 0 {
			m.role = "element"
			if s, ok := underlying(m.Info.TypeOf(p)).(*types.Struct); ok && i < s.NumFields() {
				m.want = s.Field(i).Type()
			} else if !ok {
				m.want = elementType(m.Info.TypeOf(p))
			}
		}
	}
}

// findGeneric sets x, pos and role if the cell shows a generic function without its type arguments. go/types reports
// that they cannot be inferred, at the generated call of ꓸaid.Show.
func (m *mistake) findGeneric() {
	if m.code != "CannotInferTypeArgs" {
		return
	}
	ast.Inspect(m.File, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() != m.err.Pos || !isAdded(call.Fun) || m.Authored[call] != nil {
			return m.role != "shown"
		}
		for _, x := range call.Args {
			f, ok := typeutil.Callee(m.Info, &ast.CallExpr{Fun: x}).(*types.Func)
			if ok && f.Signature().TypeParams().Len() > 0 {
				m.x, m.path, m.pos, m.role = x, nil, x.Pos(), "shown"
				break
			}
		}
		return false
	})
}

// results returns the results of the innermost function around x. inside is false if x is outside of all functions.
func (m *mistake) results() (results *types.Tuple, inside bool) {
	for _, n := range m.path {
		var sig *types.Signature
		switch f := n.(type) {
		case *ast.FuncLit:
			sig, inside = m.Info.TypeOf(f).(*types.Signature)
		case *ast.FuncDecl:
			if fn, ok := m.Info.Defs[f.Name].(*types.Func); ok {
				sig, inside = fn.Signature(), true
			}
		default:
			continue
		}
		if !inside {
			return nil, false
		}
		return sig.Results(), true
	}
	return nil, false
}

// parameterType returns the type of the parameter for argument i in a call of a function of type fn. It returns nil if
// fn is not a function type or has no such parameter. spread reports whether dots follow the last argument.
func parameterType(fn types.Type, i int, spread bool) types.Type {
	sig, ok := underlying(fn).(*types.Signature)
	if !ok {
		return nil
	}
	last := sig.Params().Len() - 1
	switch {
	case sig.Variadic() && i >= last && !spread:
		return sig.Params().At(last).Type().(*types.Slice).Elem()
	case i > last:
		return nil
	}
	return sig.Params().At(i).Type()
}

// elementType returns the type of the elements of t, or nil if t is not a slice, array or map.
func elementType(t types.Type) types.Type {
	switch t := underlying(t).(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	case *types.Map:
		return t.Elem()
	}
	return nil
}

// fieldType returns the type of the field of s called key, or nil if there is none.
func fieldType(s *types.Struct, key ast.Expr) types.Type {
	if id, ok := key.(*ast.Ident); ok {
		for f := range s.Fields() {
			if f.Name() == id.Name {
				return f.Type()
			}
		}
	}
	return nil
}

// underlying returns the underlying type of t, or nil if t is nil.
func underlying(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// callAround returns the innermost call with the error between its parentheses or at the closing one, or nil.
func (m *mistake) callAround() (found *ast.CallExpr) {
	ast.Inspect(m.File, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Lparen < m.err.Pos && m.err.Pos <= call.Rparen {
			found = call
		}
		return true
	})
	return found
}

// indexedOperand returns v if the error is about an index such as v[:, 0], which Go does not have and which is lowered
// to a call of a method of v. Otherwise it returns nil.
func (m *mistake) indexedOperand() ast.Expr {
	if sel, ok := m.x.(*ast.SelectorExpr); ok && m.code == "MissingFieldOrMethod" {
		return m.Indexed[sel.Sel]
	}
	return nil
}

// inLibrary reports whether pkg is the tensor package or a package below it.
func (c *Cell) inLibrary(pkg *types.Package) bool {
	return pkg != nil && strings.HasPrefix(pkg.Path()+"/", c.TensorPath+"/")
}

// callee returns the function or method that m.call calls by its name, or nil.
func (m *mistake) callee() *types.Func {
	if m.call == nil {
		return nil
	}
	f, _ := typeutil.Callee(m.Info, m.call).(*types.Func)
	return f
}

// libraryCallee returns the function or method that m.call calls, if it is one of the library, and otherwise nil.
func (m *mistake) libraryCallee() *types.Func {
	if f := m.callee(); f != nil && m.inLibrary(f.Pkg()) {
		return f
	}
	return nil
}

// follows reports whether m is only a consequence of the previous mistake, before. It knows four cases: a last
// expression without return, a shell command, an option that is called like a function, and integers in place of a
// shape.
func (m *mistake) follows(before *mistake) bool {
	if m.code == "MissingReturn" && before.code == "UnusedExpr" {
		if dropped := m.fact("dropped"); slices.Equal(dropped, before.fact("dropped")) {
			return len(dropped) > 0
		}
	}
	if m.fact("shell") != nil && before.fact("shell") != nil && m.code == "UndeclaredName" {
		return true
	}
	if before.call == nil || before.role != "argument" {
		return false
	}
	if m.code == "TooManyValues" && before.call == m.x {
		return m.Info.TypeOf(m.x) == nil || isVoid(m.Info.TypeOf(m.x))
	}
	return m.call == before.call && m.role == "argument" && before.is("want", "Shape") && m.is("x", "integer")
}

// is reports whether word is one of the values of the named fact.
func (m *mistake) is(fact, word string) bool { return slices.Contains(m.fact(fact), word) }

func isVoid(t types.Type) bool {
	tuple, ok := t.(*types.Tuple)
	return ok && tuple.Len() == 0
}
