package explain

import (
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"strings"
)

// facts has the functions that compute the facts about a mistake, by the names of the facts in phrases.txt. A function
// returns the text of the fact, and then other words that conditions may ask for. It returns no text, or an empty one,
// if the fact is not known.
var facts map[string]func(m *mistake) []string

func init() { // an initializer would refer to itself, since some of the functions read facts
	facts = map[string]func(m *mistake) []string{
		// Facts about the operand x.
		"x":         func(m *mistake) []string { return m.value(m.x) },
		"operand":   (*mistake).operand,
		"name":      func(m *mistake) []string { return []string{nameOf(m.x)} },
		"lower":     func(m *mistake) []string { return []string{strings.ToLower(nameOf(m.x))} },
		"package":   func(m *mistake) []string { return []string{m.packageOf(m.x)} },
		"receiver":  (*mistake).receiver,
		"const":     (*mistake).constant,
		"index":     (*mistake).indexType,
		"called":    (*mistake).called,
		"left":      func(m *mistake) []string { return m.side(func(e *ast.BinaryExpr) ast.Expr { return e.X }) },
		"right":     func(m *mistake) []string { return m.side(func(e *ast.BinaryExpr) ast.Expr { return e.Y }) },
		"op":        (*mistake).operator,
		"itself":    (*mistake).itself,
		"text":      func(m *mistake) []string { return m.textAndColumn(0) },
		"column":    func(m *mistake) []string { return m.textAndColumn(1) },
		"converted": (*mistake).converted,
		"power":     (*mistake).power,
		"tilde":     (*mistake).tilde,
		"reason":    (*mistake).importError,

		// Facts about the use of x.
		"in":         func(m *mistake) []string { return []string{m.role} },
		"want":       func(m *mistake) []string { return m.typeWords(m.want) },
		"fitted":     (*mistake).fitted,
		"claim":      (*mistake).claim,
		"redeclared": (*mistake).redeclared,
		"outdated":   (*mistake).outdated,
		"parameter":  (*mistake).parameter,
		"returned":   (*mistake).returned,
		"outside":    (*mistake).outside,
		"dropped":    (*mistake).dropped,
		"shell":      (*mistake).shell,
		"assigned":   (*mistake).assigned,
		"surplus":    (*mistake).surplus,

		// Facts about the call.
		"f":         (*mistake).function,
		"fname":     func(m *mistake) []string { return []string{m.calleeName()} },
		"fpackage":  (*mistake).functionPackage,
		"on":        (*mistake).functionReceiver,
		"args":      func(m *mistake) []string { return []string{strings.Join(m.arguments(m.text), ", ")} },
		"spread":    (*mistake).spread,
		"literal":   (*mistake).literal,
		"axis":      (*mistake).axis,
		"axes":      (*mistake).axes,
		"count":     (*mistake).count,
		"nth":       (*mistake).nth,
		"first":     func(m *mistake) []string { return m.argument(0) },
		"second":    func(m *mistake) []string { return m.argument(1) },
		"ints":      func(m *mistake) []string { return []string{strings.Join(m.ints(), ", ")} },
		"lengths":   (*mistake).lengths,
		"numbers":   (*mistake).numbers,
		"takes":     (*mistake).takes,
		"signature": (*mistake).signature,
		"counted":   (*mistake).counted,
		"options":   (*mistake).options,
		"math":      (*mistake).math,

		// Facts about the results of x, a call.
		"several": (*mistake).several,
		"results": (*mistake).resultNames,
		"all":     (*mistake).all,

		// Facts about what the author may have meant.
		"library":   (*mistake).library,
		"methods":   (*mistake).methodList,
		"fields":    (*mistake).fieldList,
		"method":    (*mistake).method,
		"import":    (*mistake).importPath,
		"word":      func(m *mistake) []string { return []string{foreignNames()["words"][nameOf(m.x)]} },
		"foreign":   (*mistake).foreign,
		"draw":      (*mistake).draw,
		"partof":    (*mistake).partOf,
		"dtype":     (*mistake).dtype,
		"random":    (*mistake).randomMember,
		"member":    (*mistake).tensorMember,
		"near":      (*mistake).near,
		"othercase": (*mistake).otherCase,
		"system":    func(m *mistake) []string { return []string{m.memberNamed(packageName(m.want), m.constantText())} },
		"setting":   func(m *mistake) []string { return []string{m.memberNamed(m.packageOf(fun(m.call)), m.constantText())} },
	}
}

// text returns the source of e as the author wrote it, without the elements of literals if the source is long or has
// several lines.
func (c *Cell) text(e ast.Expr) string {
	if e == nil {
		return ""
	}
	var whole strings.Builder
	if err := printer.Fprint(&whole, token.NewFileSet(), e); err == nil && whole.Len() <= 100 && !strings.Contains(whole.String(), "\n") {
		return c.InOwnNames(whole.String())
	}
	return c.InOwnNames(types.ExprString(e))
}

// value returns the source of e, followed by words that describe e and its type.
func (m *mistake) value(e ast.Expr) []string {
	if e == nil {
		return nil
	}
	words := []string{m.text(e)}
	tv := m.Info.Types[e]
	switch {
	case isPackage(m.Info, e):
		return append(words, "package")
	case tv.IsType() && m.isTensor(tv.Type):
		return append(words, "type", "tensor")
	case tv.IsType():
		return append(words, "type")
	case tv.Value != nil:
		words = append(words, "constant")
	case tv.Addressable():
		words = append(words, "variable")
	}
	id, _ := e.(*ast.Ident)
	sig, ok := underlying(m.typeOf(e)).(*types.Signature)
	isDeclared := m.Info.Defs[id] != nil
	if ok && !isDeclared && sig.Params().Len() == 0 && sig.Results().Len() == 1 { // perhaps a call lacks its ()
		if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
			if s := m.Info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
				return append(words, "method")
			}
		}
		return append(words, "function")
	}
	return append(words, m.typeWords(m.typeOf(e))[1:]...)
}

// typeOf returns the type of e, or nil if it is not known.
func (m *mistake) typeOf(e ast.Expr) types.Type {
	if e == nil {
		return nil
	}
	t := m.Info.TypeOf(e)
	if t == types.Typ[types.Invalid] {
		return nil
	}
	return t
}

// typeWords returns t as the author writes it, followed by words that describe t: its name without the package, and
// its kind. If t is nil, the result is one empty string.
func (m *mistake) typeWords(t types.Type) []string {
	if t == nil {
		return []string{""}
	}
	text := m.InOwnNames(TypeName(t))
	words := []string{text, strings.TrimPrefix(text, "*")}
	name := t
	if p, ok := t.(*types.Pointer); ok {
		name = p.Elem()
	}
	if named, ok := types.Unalias(name).(*types.Named); ok {
		words = append(words, named.Obj().Name())
	}
	if m.isTensor(t) {
		return append(words, "tensor")
	}
	if basic, ok := types.Unalias(t).(*types.Basic); ok {
		words = append(words, "basic", types.Default(basic).String())
		if basic.Info()&types.IsInteger != 0 {
			words = append(words, "integer")
		}
		if basic.Info()&(types.IsNumeric|types.IsBoolean) != 0 {
			words = append(words, "number")
		}
	}
	switch t := t.Underlying().(type) {
	case *types.Interface:
		words = append(words, "interface")
	case *types.Slice:
		words = append(words, "slice")
		if m.isTensor(t.Elem()) {
			words = append(words, "tensors")
		}
		if isString(t.Elem()) {
			words = append(words, "texts")
		}
	}
	return words
}

func (m *mistake) isTensor(t types.Type) bool {
	return m.Tensor != nil && t != nil && types.Identical(t, m.Tensor)
}

// nameOf returns the name e, or the selected name if e is a selector, as the author wrote it. For other expressions it
// returns "".
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return Plain(e.Name)
	case *ast.SelectorExpr:
		return Plain(e.Sel.Name)
	}
	return ""
}

// packageOf returns the name that the cell uses for the package from which e selects, or "" if e does not select from a
// package.
func (m *mistake) packageOf(e ast.Expr) string {
	if sel, ok := e.(*ast.SelectorExpr); ok && isPackage(m.Info, sel.X) {
		return m.text(sel.X)
	}
	return ""
}

func isPackage(info *types.Info, e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	_, is := info.Uses[id].(*types.PkgName)
	return is
}

func isString(t types.Type) bool {
	basic, ok := underlying(t).(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// isBasic reports whether the underlying type of t is a basic type with one of the properties in info, such as
// types.IsInteger.
func isBasic(t types.Type, info types.BasicInfo) bool {
	basic, ok := underlying(t).(*types.Basic)
	return ok && basic.Info()&info != 0
}
