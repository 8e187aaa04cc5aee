package explain

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// The methods in this file return the facts about x, the operand that is wrong. phrases.txt describes them.

// operand returns x, in parentheses if x needs them before a selector such as .Float().
func (m *mistake) operand() []string {
	e := m.x
	if authored := m.Authored[e]; authored != nil {
		e = authored
	}
	switch e.(type) {
	case nil:
		return nil
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.StarExpr, *ast.FuncLit:
		return []string{"(" + m.text(m.x) + ")"}
	}
	return []string{m.text(m.x)}
}

// receiver returns facts about the value from which x selects.
func (m *mistake) receiver() []string {
	if sel, ok := m.x.(*ast.SelectorExpr); ok && !isPackage(m.Info, sel.X) {
		return m.value(sel.X)
	}
	return nil
}

// constant returns the name of x if x is a constant that is not predeclared.
func (m *mistake) constant() []string {
	id, ok := m.x.(*ast.Ident)
	if sel, isSelector := m.x.(*ast.SelectorExpr); isSelector {
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

// indexType returns facts about the type of v if the error is about an index of v that Go does not have, as in v[:, 0].
func (m *mistake) indexType() []string {
	if x := m.indexedOperand(); x != nil {
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

// side returns facts about the operand of the binary expression that the function operand selects.
func (m *mistake) side(operand func(*ast.BinaryExpr) ast.Expr) []string {
	if e := m.binary(); e != nil {
		return m.value(operand(e))
	}
	return nil
}

// itself returns the name of a variable whose initial value refers to the variable.
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

// textAndColumn returns an operand of a binary expression that compares a string with a table's column, or with the
// Texts of a column: the string if i is 0, otherwise the column.
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

// converted returns the operation on numbers of two types with one operand converted to the type of the other: the
// integer if the other operand is a float, and otherwise the operand whose type is smaller. If the types have the same
// size, the right operand is converted. In an assignment such as x += y, y is converted.
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
	case !isBasic(x, types.IsNumeric) || !isBasic(y, types.IsNumeric):
		return nil
	case isBasic(x, types.IsInteger) != isBasic(y, types.IsInteger):
		convertLeft = isBasic(x, types.IsInteger)
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

// conversion returns t(e) as text.
func (m *mistake) conversion(t types.Type, e ast.Expr) string {
	return m.typeWords(t)[0] + "(" + m.text(ast.Unparen(e)) + ")"
}

// fitted returns x converted to the type that it should have, if both are types of numbers. Named types are left out,
// because they have a meaning: a time.Duration is not any int64, an axis not any int.
func (m *mistake) fitted() []string {
	for _, t := range []types.Type{m.want, m.typeOf(m.x)} {
		basic, ok := types.Unalias(t).(*types.Basic)
		if m.code != "IncompatibleAssign" || !ok || basic.Info()&(types.IsInteger|types.IsFloat) == 0 {
			return nil
		}
	}
	return []string{m.conversion(m.want, m.x)}
}

// convertedAssignment returns the assignment a, such as x += y, with one operand converted; see converted.
func (m *mistake) convertedAssignment(a *ast.AssignStmt) []string {
	t, op := m.typeOf(a.Lhs[0]), strings.TrimSuffix(a.Tok.String(), "=")
	switch name := m.text(a.Lhs[0]); {
	case !isBasic(t, types.IsNumeric) || op == "%":
		return nil
	case m.code == "TruncatedFloat":
		result := m.conversion(types.Typ[types.Float64], a.Lhs[0]) + " " + op + " " + m.text(a.Rhs[0])
		return []string{name + " = " + m.typeWords(t)[0] + "(" + result + ")"}
	case isBasic(m.typeOf(a.Rhs[0]), types.IsNumeric):
		return []string{name + " " + a.Tok.String() + " " + m.conversion(t, a.Rhs[0])}
	}
	return nil
}

// assignment returns the statement around x if it is an assignment with an operator, such as y += 2.
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

// importError returns why the package at path x cannot be imported.
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
