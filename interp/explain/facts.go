package explain

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// facts holds the facts about a mistake that phrases.txt can test and write, by name.
var facts map[string]func(m *mistake) []string

func init() { // in init because functions in facts read it
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
		"text":      func(m *mistake) []string { return m.textAndColumn(0) },
		"column":    func(m *mistake) []string { return m.textAndColumn(1) },
		"converted": (*mistake).converted,
		"power":     (*mistake).power,
		"tilde":     (*mistake).tilde,
		"reason":    (*mistake).importError,

		// Facts about the use of x.
		"in":         func(m *mistake) []string { return []string{m.role} },
		"want":       func(m *mistake) []string { return m.typeWords(m.want) },
		"claim":      (*mistake).claim,
		"redeclared": (*mistake).redeclared,
		"parameter":  (*mistake).parameter,
		"returned":   (*mistake).returned,
		"outside":    (*mistake).outside,
		"dropped":    (*mistake).dropped,
		"shell":      (*mistake).shell,
		"assigned":   (*mistake).assigned,

		// Facts about the call.
		"f":         (*mistake).function,
		"fname":     func(m *mistake) []string { return []string{m.calleeName()} },
		"fpackage":  (*mistake).functionPackage,
		"on":        (*mistake).functionReceiver,
		"args":      func(m *mistake) []string { return []string{strings.Join(m.arguments(m.text), ", ")} },
		"spread":    (*mistake).spread,
		"axis":      (*mistake).axis,
		"axes":      (*mistake).axes,
		"count":     (*mistake).count,
		"nth":       (*mistake).nth,
		"first":     func(m *mistake) []string { return m.argument(0) },
		"second":    func(m *mistake) []string { return m.argument(1) },
		"ints":      func(m *mistake) []string { return []string{strings.Join(m.ints(), ", ")} },
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

// text returns e as its author wrote it.
func (c *Cell) text(e ast.Expr) string {
	if e == nil {
		return ""
	}
	return c.inOwnNames(types.ExprString(e))
}

// value returns the source of e, and words that describe it and its type.
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
	if ok && m.Info.Defs[id] == nil && sig.Params().Len() == 0 && sig.Results().Len() == 1 { // may have to be called
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

// typeWords returns t as its author writes it, and words that describe it: its name without
// the package, and its kind.
func (m *mistake) typeWords(t types.Type) []string {
	if t == nil {
		return []string{""}
	}
	text := m.inOwnNames(TypeName(t))
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

// nameOf returns e if it is a name, or the selected name if it is a selector, as the author wrote it. For other
// expressions it returns "".
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return Plain(e.Name)
	case *ast.SelectorExpr:
		return Plain(e.Sel.Name)
	}
	return ""
}

// packageOf returns the cell's name of the package that e selects from, or "".
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

// binary returns x if it is a binary expression, or else the one around x, or nil.
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

func isString(t types.Type) bool {
	basic, ok := underlying(t).(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// converted returns the operation of x, whose operands are numbers of two types, with one of them converted. The
// integer is converted if the other is a float; otherwise the operand of the smaller type, or, if the types are
// equally large, the right one. The left side of an assignment keeps its type.
func (m *mistake) converted() []string {
	into := func(t types.Type, e ast.Expr) string {
		return m.typeWords(t)[0] + "(" + m.text(ast.Unparen(e)) + ")"
	}
	if a, ok := m.assignment(); ok {
		t, op := m.typeOf(a.Lhs[0]), strings.TrimSuffix(a.Tok.String(), "=")
		switch name := m.text(a.Lhs[0]); {
		case !isNumber(t, types.IsNumeric) || op == "%":
			return nil
		case m.code == "TruncatedFloat":
			result := into(types.Typ[types.Float64], a.Lhs[0]) + " " + op + " " + m.text(a.Rhs[0])
			return []string{name + " = " + m.typeWords(t)[0] + "(" + result + ")"}
		case isNumber(m.typeOf(a.Rhs[0]), types.IsNumeric):
			return []string{name + " " + a.Tok.String() + " " + into(t, a.Rhs[0])}
		}
		return nil
	}
	e := m.binary()
	if e == nil || e.Op == token.REM {
		return nil
	}
	x, y := m.typeOf(e.X), m.typeOf(e.Y)
	left := false
	switch {
	case m.code == "TruncatedFloat":
		x, y, left = types.Typ[types.Float64], types.Typ[types.Float64], m.x == e.Y
	case !isNumber(x, types.IsNumeric) || !isNumber(y, types.IsNumeric):
		return nil
	case isNumber(x, types.IsInteger) != isNumber(y, types.IsInteger):
		left = isNumber(x, types.IsInteger)
	default:
		_, basic := types.Unalias(x).(*types.Basic)
		_, named := types.Unalias(y).(*types.Named)
		sizes := types.SizesFor("gc", "amd64")
		// The basic type is converted to the named one, as in a count times a time.Duration.
		left = basic && (named || sizes.Sizeof(x) < sizes.Sizeof(y))
	}
	if left {
		return []string{into(y, e.X) + " " + e.Op.String() + " " + m.text(e.Y)}
	}
	return []string{m.text(e.X) + " " + e.Op.String() + " " + into(x, e.Y)}
}

// assignment returns the assignment with an operator, as in x += 2, that is wrong or has x on its right.
func (m *mistake) assignment() (a *ast.AssignStmt, ok bool) {
	a, ok = m.parent().(*ast.AssignStmt)
	return a, ok && a.Tok != token.ASSIGN && a.Tok != token.DEFINE
}

// isNumber reports whether t is a basic type with a property in info, such as types.IsInteger.
func isNumber(t types.Type, info types.BasicInfo) bool {
	basic, ok := underlying(t).(*types.Basic)
	return ok && basic.Info()&info != 0
}

// called returns "call" if x is the function of a call.
func (m *mistake) called() []string {
	if call, ok := m.parent().(*ast.CallExpr); ok && call.Fun == m.x {
		return []string{"call"}
	}
	return nil
}

// methodList returns the methods of the value that x selects from.
func (m *mistake) methodList() []string {
	sel, ok := m.x.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	return []string{strings.Join(methodsOf(m.typeOf(sel.X)), ", ")}
}

// power returns the operands of **, which Go reads as a product with *y.
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

// claim returns the message of go/types up to the called function. The reason after that is left out.
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

// redeclared returns the name of x's type if a later cell has declared a type of that name.
func (m *mistake) redeclared() []string {
	if m.want == nil || m.typeOf(m.x) == nil || types.Identical(m.want, m.typeOf(m.x)) {
		return nil
	}
	named, ok := types.Unalias(m.want).(*types.Named)
	name := m.typeWords(m.want)[0]
	if ok && check.IsCell(named.Obj().Pkg()) && name == m.typeWords(m.typeOf(m.x))[0] {
		return []string{name}
	}
	return nil
}

// parameter returns the name of a parameter that has no type.
func (m *mistake) parameter() (name []string) {
	ast.Inspect(m.File, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncDecl); ok {
			for _, p := range f.Type.Params.List {
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

// outside returns "return" if x is in a return statement outside all functions.
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

// shell returns "!" if x is a name in a statement that begins with ! and an unknown name, as
// a command of the shell does.
func (m *mistake) shell() []string {
	var whole ast.Node = m.x
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

// assigned returns x if it is a name on the left of =.
func (m *mistake) assigned() []string {
	if a, ok := m.parent().(*ast.AssignStmt); ok && a.Tok == token.ASSIGN && slices.Contains(a.Lhs, m.x) {
		return []string{nameOf(m.x)}
	}
	return nil
}

// fun returns the function of a call, or nil if there is no call.
func fun(call *ast.CallExpr) ast.Expr {
	if call == nil {
		return nil
	}
	return call.Fun
}

// function returns the function of the call, with its package or receiver.
func (m *mistake) function() []string { return []string{m.text(fun(m.call))} }

func (m *mistake) calleeName() string { return nameOf(fun(m.call)) }

func (m *mistake) functionPackage() []string { return []string{m.packageOf(fun(m.call))} }

func (m *mistake) functionReceiver() []string {
	if sel, ok := fun(m.call).(*ast.SelectorExpr); ok {
		return []string{m.text(sel.X)}
	}
	return nil
}

// arguments returns the texts that write returns for the arguments of the call.
func (m *mistake) arguments(write func(ast.Expr) string) []string {
	if m.call == nil {
		return nil
	}
	texts := make([]string, len(m.call.Args))
	for i, arg := range m.call.Args {
		texts[i] = write(arg)
	}
	return texts
}

// spread returns the arguments other than axes, with the elements of slices as arguments of their own.
func (m *mistake) spread() []string {
	var texts []string
	for _, arg := range m.call.Args {
		lit, isLit := arg.(*ast.CompositeLit)
		switch _, isSlice := m.typeOf(arg).(*types.Slice); {
		case m.isAxis(arg):
		case isLit && isSlice:
			for _, e := range lit.Elts {
				texts = append(texts, m.text(e))
			}
		case isSlice:
			texts = append(texts, m.text(arg)+"...")
		default:
			texts = append(texts, m.text(arg))
		}
	}
	return []string{strings.Join(texts, ", ")}
}

// axis returns the argument that is an axis, or axis 0.
func (m *mistake) axis() []string {
	if i := slices.IndexFunc(m.call.Args, m.isAxis); i >= 0 {
		return []string{m.text(m.call.Args[i])}
	}
	return []string{m.tensorName() + ".Axis(0)"}
}

func (m *mistake) isAxis(arg ast.Expr) bool { return slices.Contains(m.value(arg), "Axis") }

// axes returns a call of the function for each argument: nv.Axis(0), nv.Axis(1) for nv.Axis(0, 1).
func (m *mistake) axes() []string {
	calls := m.arguments(func(arg ast.Expr) string { return m.text(m.call.Fun) + "(" + m.text(arg) + ")" })
	return []string{strings.Join(calls, ", ")}
}

// count returns the number of arguments, and whether they are too many or too few.
func (m *mistake) count() []string {
	if m.call == nil {
		return nil
	}
	words := []string{fmt.Sprint(len(m.call.Args))}
	if sig, ok := underlying(m.Info.TypeOf(m.call.Fun)).(*types.Signature); ok {
		if n := sig.Params().Len(); len(m.call.Args) > n {
			words = append(words, "many")
		} else {
			words = append(words, "few")
		}
	}
	return words
}

// nth returns the position of x among the arguments, counted from 1.
func (m *mistake) nth() []string {
	if m.call == nil {
		return nil
	}
	return []string{fmt.Sprint(1 + slices.Index(m.call.Args, m.x))}
}

// argument returns facts about argument i of the call.
func (m *mistake) argument(i int) []string {
	if m.call == nil || i >= len(m.call.Args) {
		return nil
	}
	return m.value(m.call.Args[i])
}

// ints returns the arguments that are integers.
func (m *mistake) ints() (list []string) {
	if m.call == nil {
		return nil
	}
	for _, arg := range m.call.Args {
		if basic, ok := m.typeOf(arg).(*types.Basic); ok && basic.Info()&types.IsInteger != 0 {
			list = append(list, m.text(arg))
		}
	}
	return list
}

// numbers returns the arguments if they are several integers.
func (m *mistake) numbers() []string {
	if list := m.ints(); len(list) > 1 && len(list) == len(m.call.Args) {
		return []string{strings.Join(list, ", ")}
	}
	return nil
}

// takes returns words that describe the types of the parameters.
func (m *mistake) takes() (words []string) {
	if m.call == nil {
		return nil
	}
	if sig, ok := underlying(m.Info.TypeOf(m.call.Fun)).(*types.Signature); ok {
		for p := range sig.Params().Variables() {
			words = append(words, m.typeWords(p.Type())...)
		}
	}
	return words
}

// signature returns the name of a library function with the names of its parameters.
func (m *mistake) signature() []string {
	f := m.libraryCallee()
	if f == nil {
		return nil
	}
	var names []string
	for p := range f.Signature().Params().Variables() {
		names = append(names, p.Name())
	}
	if f.Signature().Variadic() {
		names[len(names)-1] += "..."
	}
	return []string{m.text(m.call.Fun) + "(" + strings.Join(names, ", ") + ")"}
}

// counted returns the variant of the called method that takes a count: SplitN for Split.
func (m *mistake) counted() []string {
	f := m.libraryCallee()
	if f == nil || f.Signature().Recv() == nil {
		return nil
	}
	variant, _, _ := types.LookupFieldOrMethod(f.Signature().Recv().Type(), true, f.Pkg(), f.Name()+"N")
	if variant != nil {
		return []string{variant.Name()}
	}
	return nil
}

// maxOptions bounds the options that are listed for a function.
const maxOptions = 8

// options returns the options of a function of the tensor package.
func (m *mistake) options() []string {
	f := m.libraryCallee()
	if f == nil || f.Pkg().Path() != m.TensorPath {
		return nil
	}
	var all []string
	for name, text := range check.Options(f, f.Pkg()) {
		text, isType := strings.CutPrefix(text, "type ")
		text = strings.Replace(text, name, m.tensorName()+"."+name, 1)
		switch {
		case isType && name == "DType":
			text = "a dtype such as " + m.tensorName() + ".F32"
		case isType:
			text += "(n)"
		}
		all = append(all, text)
	}
	if len(all) > maxOptions {
		return nil
	}
	slices.Sort(all)
	return []string{strings.Join(all, ", ")}
}

// math returns the library's name for a called function of package math, or for max or min.
func (m *mistake) math() []string {
	name := m.calleeName()
	own, ok := foreignNames()["math"][name]
	switch _, builtin := fun(m.call).(*ast.Ident); {
	case ok && (builtin || m.packageOf(fun(m.call)) == "math"):
		return []string{m.tensorName() + "." + own}
	case m.packageOf(fun(m.call)) == "math" && m.has(name):
		return []string{m.tensorName() + "." + name}
	}
	return nil
}

// several returns what to write if x, a call with several results, is used as one value.
func (m *mistake) several() []string {
	call, ok := m.x.(*ast.CallExpr)
	if !ok {
		return nil
	}
	if results, ok := m.Info.TypeOf(call).(*types.Tuple); ok && results.Len() > 1 {
		text := SeveralValues(call, results)
		if results.Len() == 2 && returnsError(results) && m.has("Must") {
			text += ", or " + m.tensorName() + ".Must(" + Written(call.Fun) + "(...))"
		}
		return []string{m.inOwnNames(text)}
	}
	return nil
}

// xCallee returns the function of the library with the name that x, a call, selects from a package, or nil.
func (m *mistake) xCallee() *types.Func {
	call, ok := m.x.(*ast.CallExpr)
	if !ok || m.packageOf(call.Fun) == "" {
		return nil
	}
	pkg, err := m.Env.Import(m.TensorPath)
	if err != nil {
		return nil
	}
	f, _ := pkg.Scope().Lookup(nameOf(call.Fun)).(*types.Func)
	return f
}

// resultNames returns the names of the results of x, a call, if there are several.
func (m *mistake) resultNames() []string {
	f := m.xCallee()
	if f == nil || f.Signature().Results().Len() < 2 || f.Signature().Results().At(0).Name() == "" {
		return nil
	}
	var names []string
	for r := range f.Signature().Results().Variables() {
		names = append(names, r.Name())
	}
	return []string{strings.Join(names, ", ")}
}

// all returns the variant of the function that x calls that returns more results.
func (m *mistake) all() []string {
	if f := m.xCallee(); f != nil && m.has(f.Name()+"All") {
		return []string{m.text(m.x.(*ast.CallExpr).Fun) + "All"}
	}
	return nil
}

// library returns x if the tensor package exports that name.
func (m *mistake) library() []string {
	if m.packageOf(m.x) == m.tensorName() && m.has(nameOf(m.x)) {
		return []string{m.text(m.x)}
	}
	return nil
}

// method returns the name in x if tensors have a method of that name.
func (m *mistake) method() []string {
	if name := nameOf(m.x); slices.Contains(m.methods(), name) {
		return []string{name}
	}
	return nil
}

// importPath returns the path of a package called x that exports the selected name.
func (m *mistake) importPath() []string {
	sel, ok := m.parent().(*ast.SelectorExpr)
	if !ok || sel.X != m.x || !sel.Sel.IsExported() {
		return nil
	}
	for _, path := range check.PathsOf(nameOf(m.x)) {
		if pkg, err := m.Env.Import(path); err == nil && pkg.Scope().Lookup(sel.Sel.Name) != nil {
			return []string{path}
		}
	}
	return nil
}

// foreign returns the replacement for a name of another library: x, or the name selected from x if x is the
// library or a part of it.
func (m *mistake) foreign() []string {
	name := nameOf(m.x)
	if m.partOf() != nil {
		return []string{m.foreignPath(m.selections())}
	}
	if sel, ok := m.x.(*ast.SelectorExpr); ok && m.packageOf(sel) == "" {
		x := m.text(sel.X)
		if m.is("receiver", "Table") || m.is("receiver", "GroupedTable") || m.is("receiver", "Column") {
			column := x
			if !m.is("receiver", "Column") {
				column += `.Col("a")`
			}
			names := foreignNames()
			return []string{cmp.Or(asWritten(names["tables"][folded(name)], x),
				asWritten(names["charts"][folded(name)], column))}
		}
		return []string{m.foreignName(name, x)}
	}
	switch m.packageOf(m.x) {
	case "":
		return nil
	case m.tensorName():
		return []string{m.foreignName(name, "")}
	case "display", "chart", "plot":
		return []string{foreignNames()["charts"][folded(name)]}
	case "data":
		return []string{m.foreignName(name, "")}
	}
	return nil
}

// partOf returns x if it is the name of another library or of a part of one.
func (m *mistake) partOf() []string {
	if name := nameOf(m.x); isForeignPackage(name) && m.receiver() == nil {
		return []string{name}
	}
	return nil
}

// draw returns the replacement for a function of another library's package random.
func (m *mistake) draw() []string {
	if pkg := m.packageOf(m.x); pkg != "" && m.Env.Imports()[pkg] == m.TensorPath+"/random" {
		return []string{foreignNames()["random"][folded(nameOf(m.x))]}
	}
	return nil
}

// dtype returns the dtype that x names: a string, a Go type, or a name.
func (m *mistake) dtype() []string {
	text := m.constantText()
	if m.x != nil && text == "" {
		text = nameOf(m.x)
		if m.code == "UndeclaredImportedName" || m.code == "MissingFieldOrMethod" {
			text = strings.ToLower(text)
		}
	}
	if call, ok := m.parent().(*ast.CallExpr); ok && call.Fun == m.x && m.code == "UndeclaredImportedName" {
		return nil // a call such as nv.Float(x) means a function
	}
	if text == "" || m.code == "UndeclaredImportedName" && m.packageOf(m.x) != m.tensorName() {
		return nil
	}
	return []string{m.dtypeNamed(text)}
}

// randomMember returns the member of package random with the name x.
func (m *mistake) randomMember() []string { return []string{m.memberNamed("random", nameOf(m.x))} }

// tensorMember returns the member of the tensor package, display or chart with the name x.
func (m *mistake) tensorMember() []string {
	name := nameOf(m.x)
	return []string{cmp.Or(m.memberNamed(m.tensorName(), name), m.memberNamed("display", name),
		m.memberNamed("chart", name))}
}

// near returns the visible name that x is probably a misspelling of.
func (m *mistake) near() []string {
	name := nameOf(m.x)
	if name == "" {
		return nil
	}
	if pkg := m.packageOf(m.x); pkg != "" {
		if own := nearest(name, m.membersOf(pkg)); own != "" {
			return []string{pkg + "." + own}
		}
		return nil
	}
	if sel, ok := m.x.(*ast.SelectorExpr); ok {
		if own := nearest(name, methodsOf(m.typeOf(sel.X))); own != "" {
			return []string{m.text(sel.X) + "." + own}
		}
		return nil
	}
	return []string{nearest(name, m.namesInSight())}
}

// otherCase returns the member of a package, or the method of a tensor, that differs from x
// in case only.
func (m *mistake) otherCase() []string {
	name := nameOf(m.x)
	if m.is("receiver", "tensor") {
		if capital := strings.ToUpper(name[:1]) + name[1:]; slices.Contains(m.methods(), capital) {
			return []string{capital}
		}
		return nil
	}
	for _, own := range m.membersOf(m.packageOf(m.x)) {
		if strings.EqualFold(own, name) {
			return []string{own}
		}
	}
	return nil
}

// packageName returns the name of the package that declares t or the type t points to.
func packageName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		return named.Obj().Pkg().Name()
	}
	return ""
}

// constantText returns the value of x if it is a constant string.
func (m *mistake) constantText() string {
	if m.x == nil {
		return ""
	}
	if v := m.Info.Types[m.x].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}

// memberNamed returns the member of package pkg that a text names, ignoring case, hyphens and
// underscores: "numpy" is promote.NumPy. pkg is the cells' name of the package.
func (c *Cell) memberNamed(pkg, text string) string {
	want := folded(strings.ReplaceAll(text, "-", ""))
	for _, name := range c.membersOf(pkg) {
		if want != "" && folded(name) == want {
			return pkg + "." + name
		}
	}
	return ""
}

// longDType matches the names of dtypes in other libraries and of Go's types.
var longDType = regexp.MustCompile(`^(?:(u?int|float|complex)(\d+)|ui(\d+)|(bool|int|float|double|string))$`)

// dtypeNamed returns the dtype that a string or a Go type names, or "".
func (m *mistake) dtypeNamed(text string) string {
	name := strings.ToUpper(text)
	if w := longDType.FindStringSubmatch(text); w != nil {
		switch {
		case w[1] != "":
			name = map[string]string{"uint": "U", "int": "I", "float": "F", "complex": "C"}[w[1]] + w[2]
		case w[3] != "":
			name = "U" + w[3]
		default:
			name = map[string]string{"bool": "I1", "int": "I64", "float": "F32", "double": "F64"}[w[4]]
		}
	}
	pkg, err := m.Env.Import(m.TensorPath)
	if err != nil || name == "" {
		return ""
	}
	if _, ok := pkg.Scope().Lookup(name).(*types.Const); !ok {
		return ""
	}
	return m.tensorName() + "." + name
}
