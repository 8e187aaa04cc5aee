package explain

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// The methods in this file return the facts about the operand x that is wrong. phrases.txt describes them.

// operand returns x, in parentheses if a selector after it needs them.
func (m *mistake) operand() []string {
	own := m.x
	if authored := m.Authored[own]; authored != nil {
		own = authored
	}
	switch own.(type) {
	case nil:
		return nil
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.StarExpr, *ast.FuncLit:
		return []string{"(" + m.text(m.x) + ")"}
	}
	return []string{m.text(m.x)}
}

// receiver returns facts about the value that x selects from.
func (m *mistake) receiver() []string {
	if sel, ok := m.x.(*ast.SelectorExpr); ok && !isPackage(m.Info, sel.X) {
		return m.value(sel.X)
	}
	return nil
}

// constant returns the name of x if it is a constant that is not predeclared.
func (m *mistake) constant() []string {
	id, ok := m.x.(*ast.Ident)
	if sel, is := m.x.(*ast.SelectorExpr); is {
		id, ok = sel.Sel, true
	}
	if !ok {
		return nil
	}
	if o, ok := m.Info.Uses[id].(*types.Const); ok && o.Pkg() != nil {
		return []string{nameOf(id)}
	}
	return nil
}

// indexType returns the type of the operand of the index that the error is about.
func (m *mistake) indexType() []string {
	if x := m.index(); x != nil {
		return m.typeWords(m.typeOf(x))
	}
	return nil
}

// called returns "call" if x is the function of a call.
func (m *mistake) called() []string {
	if call, ok := m.parent().(*ast.CallExpr); ok && call.Fun == m.x {
		return []string{"call"}
	}
	return nil
}

// binary returns x if x is a binary expression, otherwise the binary expression around x, or nil if there is none.
func (m *mistake) binary() *ast.BinaryExpr {
	if e, ok := m.x.(*ast.BinaryExpr); ok {
		return e
	}
	e, _ := m.parent().(*ast.BinaryExpr)
	return e
}

// side returns facts about an operand of the binary expression.
func (m *mistake) side(operand func(*ast.BinaryExpr) ast.Expr) []string {
	if e := m.binary(); e != nil {
		return m.value(operand(e))
	}
	return nil
}

// itself returns the name of a variable that its own value needs.
func (m *mistake) itself() []string {
	if !strings.HasSuffix(m.err.Msg, " refers to itself") {
		return nil
	}
	return []string{nameOf(m.x)}
}

func (m *mistake) operator() []string {
	if e := m.binary(); e != nil {
		return []string{e.Op.String()}
	}
	return nil
}

// textAndColumn returns an operand of a comparison of a string with a table's column or with the column's Texts:
// the string if i is 0, otherwise the column.
func (m *mistake) textAndColumn(i int) []string {
	e := m.binary()
	if e == nil {
		return nil
	}
	text, other := e.X, e.Y
	if isString(m.typeOf(other)) {
		text, other = other, text
	}
	if !isString(m.typeOf(text)) || isString(m.typeOf(other)) {
		return nil
	}
	if i == 0 {
		return []string{m.text(text)}
	}
	if call, ok := ast.Unparen(other).(*ast.CallExpr); ok {
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Texts" {
			other = sel.X
		}
	}
	if t := m.typeOf(other); t != nil && isColumn(t) {
		return []string{m.text(other)}
	}
	return nil
}

// converted returns the operation of x, whose operands are numbers of two types, with one operand converted: the
// integer if the other operand is a float, otherwise the operand of the smaller type, and the right operand if the
// types have the same size. In an assignment such as x += y, y is converted.
func (m *mistake) converted() []string {
	if a, ok := m.assignment(); ok {
		return m.convertedAssignment(a)
	}
	e := m.binary()
	if e == nil || e.Op == token.REM {
		return nil
	}
	x, y := m.typeOf(e.X), m.typeOf(e.Y)
	convertLeft := false
	switch {
	case m.code == "TruncatedFloat":
		x, y, convertLeft = types.Typ[types.Float64], types.Typ[types.Float64], m.x == e.Y
	case !isNumber(x, types.IsNumeric) || !isNumber(y, types.IsNumeric):
		return nil
	case isNumber(x, types.IsInteger) != isNumber(y, types.IsInteger):
		convertLeft = isNumber(x, types.IsInteger)
	default:
		_, basic := types.Unalias(x).(*types.Basic)
		_, named := types.Unalias(y).(*types.Named)
		sizes := types.SizesFor("gc", "amd64")
		// The basic type is converted to the named one, as in a count times a time.Duration.
		convertLeft = basic && (named || sizes.Sizeof(x) < sizes.Sizeof(y))
	}
	if convertLeft {
		return []string{m.conversion(y, e.X) + " " + e.Op.String() + " " + m.text(e.Y)}
	}
	return []string{m.text(e.X) + " " + e.Op.String() + " " + m.conversion(x, e.Y)}
}

// conversion returns the text of the conversion t(e).
func (m *mistake) conversion(t types.Type, e ast.Expr) string {
	return m.typeWords(t)[0] + "(" + m.text(ast.Unparen(e)) + ")"
}

// convertedAssignment is converted for an assignment such as x += y.
func (m *mistake) convertedAssignment(a *ast.AssignStmt) []string {
	t, op := m.typeOf(a.Lhs[0]), strings.TrimSuffix(a.Tok.String(), "=")
	switch name := m.text(a.Lhs[0]); {
	case !isNumber(t, types.IsNumeric) || op == "%":
		return nil
	case m.code == "TruncatedFloat":
		result := m.conversion(types.Typ[types.Float64], a.Lhs[0]) + " " + op + " " + m.text(a.Rhs[0])
		return []string{name + " = " + m.typeWords(t)[0] + "(" + result + ")"}
	case isNumber(m.typeOf(a.Rhs[0]), types.IsNumeric):
		return []string{name + " " + a.Tok.String() + " " + m.conversion(t, a.Rhs[0])}
	}
	return nil
}

// assignment returns the assignment with an operator, as in x += 2, that is wrong or has x on its right.
func (m *mistake) assignment() (a *ast.AssignStmt, ok bool) {
	a, ok = m.parent().(*ast.AssignStmt)
	return a, ok && a.Tok != token.ASSIGN && a.Tok != token.DEFINE
}

// power returns the operands of x ** y, which Go reads as x * (*y).
func (m *mistake) power() []string {
	if len(m.path) < 2 {
		return nil
	}
	star, ok := m.path[0].(*ast.StarExpr)
	if e, product := m.path[1].(*ast.BinaryExpr); ok && product && e.Op == token.MUL && e.Y == star {
		return []string{m.text(e.X) + ", " + m.text(star.X)}
	}
	return nil
}

// tilde returns the operand of ~.
func (m *mistake) tilde() []string {
	if e, ok := m.x.(*ast.UnaryExpr); ok && e.Op == token.TILDE {
		return []string{m.text(e.X)}
	}
	return nil
}

// importError returns the error of importing the path x.
func (m *mistake) importError() []string {
	lit, ok := m.x.(*ast.BasicLit)
	if !ok {
		return nil
	}
	if _, err := m.Env.Import(strings.Trim(lit.Value, "`\"")); err != nil {
		return []string{err.Error()}
	}
	return nil
}
