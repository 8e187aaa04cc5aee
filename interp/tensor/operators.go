package tensor

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/explain"
)

// binaryOps and unaryOps map operators on tensors to the functions of the tensor package that replace them. The
// parameters of these functions have type any. assignOps and incDecOps map the tokens of assignments such as += and of
// the statements ++ and -- to their binary operators.
var (
	binaryOps = map[token.Token]string{
		token.ADD: "Add", token.SUB: "Sub", token.MUL: "Mul", token.QUO: "Div", token.REM: "Rem",
		token.AND: "And", token.OR: "Or", token.XOR: "Xor", token.AND_NOT: "AndNot", token.SHL: "Shl", token.SHR: "Shr",
		token.EQL: "Eq", token.NEQ: "Ne", token.LSS: "Lt", token.LEQ: "Le", token.GTR: "Gt", token.GEQ: "Ge",
	}
	unaryOps  = map[token.Token]string{token.SUB: "Neg", token.XOR: "Not"}
	assignOps = map[token.Token]token.Token{
		token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO,
		token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR,
		token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR, token.AND_NOT_ASSIGN: token.AND_NOT,
	}
	incDecOps = map[token.Token]token.Token{token.INC: token.ADD, token.DEC: token.SUB}
)

// operators rewrites the operators with a tensor operand. It learns which expressions are tensors from Info and from
// its own rewriting.
type operators struct {
	*Cell
	ctx         context.Context
	tensorVars  map[types.Object]bool // variables that hold a tensor but have no type in Info
	madeTensors map[ast.Expr]bool     // expressions that the rewriting has made and whose value is a tensor
	replaced    map[ast.Stmt]ast.Stmt // the replacements of statements
	loops       map[ast.Stmt]bool     // the replacements of loops over tensors
	inferred    bool                  // Info comes from check.Env.Infer, not from a check
	changed     bool                  // something has been rewritten
	err         error
}

// RewriteOperators replaces operators on tensors by calls. inferred reports whether c.Info comes from
// [check.Env.Infer] and not from a check; then operators with an operand of unknown type are left as they are.
// RewriteOperators returns the replacements of statements, and reports whether it changed anything. It panics with the
// error of ctx soon after ctx has ended.
func (c *Cell) RewriteOperators(
	ctx context.Context, inferred bool,
) (replaced map[ast.Stmt]ast.Stmt, changed bool, err error) {
	o := &operators{
		Cell: c, ctx: ctx, inferred: inferred,
		tensorVars: map[types.Object]bool{}, madeTensors: map[ast.Expr]bool{},
		replaced: map[ast.Stmt]ast.Stmt{}, loops: map[ast.Stmt]bool{},
	}
	o.walk()
	return o.replaced, o.changed, o.err
}

// walk rewrites the file bottom-up. It visits declarations before the entry function, and statements in order, so that
// a variable is known to hold a tensor when its uses are visited.
func (o *operators) walk() {
	for _, decl := range o.File.Decls {
		if f, ok := decl.(*ast.FuncDecl); !ok || f.Name.Name != check.Entry {
			cell.Rewrite(decl, o.leave)
		}
	}
	for _, decl := range o.File.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == check.Entry {
			cell.Rewrite(decl, o.leave)
		}
	}
}

// leave is called for each node after its children. It returns the node's replacement.
func (o *operators) leave(n ast.Node) ast.Node {
	check.Poll(o.ctx)
	if o.err != nil {
		return n
	}
	switch n := n.(type) {
	case ast.Expr:
		e := o.expr(n)
		if e != n {
			o.changed = true
			o.authored[e] = n
		}
		return e
	case ast.Stmt:
		s := o.stmt(n)
		if s != n {
			o.changed = true
			o.replaced[n] = s
		}
		return s
	case *ast.ValueSpec:
		if n.Type == nil { // a variable declared with a type, such as any, may later hold another value
			o.define(identsOf(n.Names), n.Values)
		}
	}
	return n
}

// expr returns e or its replacement.
func (o *operators) expr(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return o.binary(e)
	case *ast.UnaryExpr:
		return o.unary(e)
	case *ast.CallExpr:
		return o.call(e)
	case *ast.IndexExpr, *ast.IndexListExpr, *ast.SliceExpr:
		return o.index(e)
	case *ast.CompositeLit:
		o.dtypeFields(e)
		o.addFieldNames(e)
	}
	return e
}

// addFieldNames adds field names to a literal of an earlier cell's struct type. For go/types each cell is a package
// of its own, and a literal without field names may not set unexported fields of another package's struct.
func (o *operators) addFieldNames(e *ast.CompositeLit) {
	t := o.Info.TypeOf(e)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok { // {...} for &T{...} in a list of pointers
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || len(e.Elts) != s.NumFields() || len(e.Elts) == 0 {
		return
	}
	if pkg := s.Field(0).Pkg(); pkg == o.Pkg || pkg == nil || pkg.Path() != o.Pkg.Path() {
		return
	}
	for i, elt := range e.Elts {
		if _, ok := elt.(*ast.KeyValueExpr); ok {
			return
		}
		e.Elts[i] = &ast.KeyValueExpr{Key: cell.Ident(elt.Pos(), s.Field(i).Name()), Colon: elt.Pos(), Value: elt}
	}
	o.changed = true
}

// isTensor reports whether e's value is a tensor.
func (o *operators) isTensor(e ast.Expr) bool {
	e = ast.Unparen(e)
	if o.madeTensors[e] || o.IsTensor(o.Info.TypeOf(e)) {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		return o.tensorVars[o.Info.ObjectOf(e)]
	case *ast.CallExpr:
		return o.returnsTensor(e)
	}
	return false
}

// returnsTensor reports whether call calls a method of a tensor that returns a tensor. It is for calls that have no
// type in Info.
func (o *operators) returnsTensor(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || o.Tensor == nil || !o.isTensor(sel.X) {
		return false
	}
	method, _, _ := types.LookupFieldOrMethod(o.Tensor, true, nil, sel.Sel.Name)
	f, ok := method.(*types.Func)
	return ok && f.Signature().Results().Len() == 1 && o.IsTensor(f.Signature().Results().At(0).Type())
}

// define records which of the variables that lhs declares are set to tensors by rhs.
func (o *operators) define(lhs []ast.Expr, rhs []ast.Expr) {
	if len(lhs) != len(rhs) {
		return
	}
	for i, l := range lhs {
		if id, ok := l.(*ast.Ident); ok && o.isTensor(rhs[i]) {
			if obj := o.Info.Defs[id]; obj != nil {
				o.tensorVars[obj] = true
			}
		}
	}
}

// identsOf returns names as expressions.
func identsOf(names []*ast.Ident) []ast.Expr {
	all := make([]ast.Expr, len(names))
	for i, id := range names {
		all[i] = id
	}
	return all
}

// callLibrary returns a call, at pos, of the named function of the tensor package.
func (o *operators) callLibrary(pos token.Pos, name string, args ...ast.Expr) *ast.CallExpr {
	e := cell.Call(o.TensorPackage(pos, name), args...)
	e.Rparen = args[len(args)-1].End() - 1
	return e
}

// markTensor records that the value of e is a tensor, and returns e.
func (o *operators) markTensor(e ast.Expr) ast.Expr {
	o.madeTensors[e] = true
	return e
}

// binary returns the replacement of a binary expression, or e.
func (o *operators) binary(e *ast.BinaryExpr) ast.Expr {
	if !o.isTensor(e.X) && !o.isTensor(e.Y) || o.isUnion(e) {
		return e
	}
	switch e.Op {
	case token.LAND, token.LOR:
		e.X, e.Y = o.condition(e.X), o.condition(e.Y)
		return e
	}
	name, ok := binaryOps[e.Op]
	if !ok {
		return e
	}
	if !o.typeIsKnown(e.X) || !o.typeIsKnown(e.Y) {
		return e
	}
	o.checkOperand(name, e.X)
	o.checkOperand(name, e.Y)
	if o.err != nil {
		return e
	}
	o.noteOperands(e.Op, e.OpPos, e.X, e.Y)
	return o.markTensor(o.callLibrary(e.OpPos, name, e.X, e.Y))
}

// isUnion reports whether e is a union of types in a constraint, such as int | string.
func (o *operators) isUnion(e *ast.BinaryExpr) bool { return o.isType(e.X) || o.isType(e.Y) }

// isType reports whether e is the name of a type or a union with one.
func (o *operators) isType(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return check.IsTypeName(o.Info.Uses[e])
	case *ast.SelectorExpr:
		return check.IsTypeName(o.Info.Uses[e.Sel])
	case *ast.BinaryExpr:
		return e.Op == token.OR && o.isUnion(e)
	}
	return false
}

// typeIsKnown reports whether the type of the operand e is known, which is necessary to rewrite its operator.
func (o *operators) typeIsKnown(e ast.Expr) bool {
	if !o.inferred || o.isTensor(e) {
		return true
	}
	t := o.Info.TypeOf(e)
	return t != nil && t.Underlying() != types.Typ[types.Invalid]
}

// checkOperand sets o.err if e cannot be an operand of the function op together with a tensor.
func (o *operators) checkOperand(op string, e ast.Expr) {
	if o.isTensor(e) {
		return
	}
	t := o.Info.TypeOf(e)
	if star, ok := e.(*ast.StarExpr); ok && (t == nil || t == types.Typ[types.Invalid]) && o.isNotPointer(star.X) {
		o.err = o.Errorf(star, "Go has no operator **; write nv.Pow(x, y)")
		return
	}
	if t == nil || t == types.Typ[types.Invalid] {
		return // e has an error, or gets its type in the next check
	}
	if results, ok := t.(*types.Tuple); ok {
		o.err = &explain.Error{Pos: e.Pos(), Msg: o.Explainer().InOwnNames(explain.SeveralValues(ast.Unparen(e), results))}
		return
	}
	if why := explain.Operand(op, t); why != "" {
		o.err = &explain.Error{Pos: e.Pos(), Msg: o.Explainer().InOwnNames(why)}
	}
}

// isNotPointer reports whether e is known not to be a pointer.
func (o *operators) isNotPointer(e ast.Expr) bool {
	t := o.Info.TypeOf(e)
	if _, isLiteral := e.(*ast.BasicLit); isLiteral || o.isTensor(e) || t == nil || t == types.Typ[types.Invalid] {
		return isLiteral || o.isTensor(e)
	}
	_, isPointer := t.Underlying().(*types.Pointer)
	return !isPointer
}

// unary returns the replacement of a unary expression, or e.
func (o *operators) unary(e *ast.UnaryExpr) ast.Expr {
	if !o.isTensor(e.X) {
		return e
	}
	switch e.Op {
	case token.ADD:
		return o.markTensor(&ast.ParenExpr{Lparen: e.OpPos, X: e.X, Rparen: e.X.End()})
	case token.NOT:
		e.X = o.condition(e.X)
		return e
	}
	if name, ok := unaryOps[e.Op]; ok {
		return o.markTensor(o.callLibrary(e.OpPos, name, e.X))
	}
	return e
}

// condition returns e as a bool: e.Bool() if e is a tensor, and e otherwise.
func (o *operators) condition(e ast.Expr) ast.Expr {
	if e == nil || !o.isTensor(e) {
		return e
	}
	o.changed = true
	return method(e, "Bool")
}

// method returns a call of the named method of e.
func method(e ast.Expr, name string, args ...ast.Expr) *ast.CallExpr {
	sel := &ast.SelectorExpr{X: e, Sel: cell.Ident(e.Pos(), name)}
	return &ast.CallExpr{Fun: sel, Lparen: e.End(), Args: args, Rparen: e.End()}
}

// conversions maps basic types to the methods of tensors that replace conversions: float64(x) becomes x.Float().
var conversions = map[types.BasicKind]string{
	types.Float64: "Float", types.Int: "Int", types.Bool: "Bool", types.Complex128: "Complex128",
}

// call returns the replacement of a call, or e. It rewrites len(x), conversions such as float64(x), calls of
// transformations, and names of dtypes. In calls such as nv.Stack(axis, xs...), where xs is a slice of tensors, it
// removes the dots: the slice becomes one operand of type any.
func (o *operators) call(e *ast.CallExpr) ast.Expr {
	if o.Tensor != nil {
		o.dtypeArguments(e)
	}
	if o.spreads(e) {
		e.Ellipsis, o.changed = token.NoPos, true
	}
	if t := o.transformation(e); t != nil {
		return t
	}
	if len(e.Args) != 1 || !o.isTensor(e.Args[0]) {
		return e
	}
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	if !ok {
		return e
	}
	obj := o.Info.Uses[id]
	if obj == nil || obj.Parent() != types.Universe {
		return e
	}
	if obj.Name() == "len" {
		return method(e.Args[0], "Len")
	}
	if t, ok := obj.(*types.TypeName); ok {
		return o.convert(e, t)
	}
	return e
}

// spreads reports whether e passes xs..., where xs is a slice of tensors, to a library function with operands of type
// any.
func (o *operators) spreads(e *ast.CallExpr) bool {
	if !e.Ellipsis.IsValid() || o.Tensor == nil {
		return false
	}
	slice, ok := o.Info.TypeOf(e.Args[len(e.Args)-1]).(*types.Slice)
	f := o.Callee(e)
	if !ok || f == nil || !o.IsTensor(slice.Elem()) || !o.inLibrary(f.Pkg()) {
		return false
	}
	params := f.Signature().Params()
	rest, ok := params.At(params.Len() - 1).Type().(*types.Slice)
	return ok && f.Signature().Variadic() && types.IsInterface(rest.Elem()) &&
		rest.Elem().Underlying().(*types.Interface).Empty()
}

// inLibrary reports whether pkg is the tensor package or a package below it.
func (c *Cell) inLibrary(pkg *types.Package) bool {
	return pkg != nil && strings.HasPrefix(pkg.Path()+"/", c.Path+"/")
}

// noteOperands makes NoteOperators add the notes on the operands x and y of op; see [explain.Cell.Operands].
func (o *operators) noteOperands(op token.Token, pos token.Pos, x, y ast.Expr) {
	left := explain.NoteOperand{Expr: x, IsTensor: o.isTensor(x)}
	right := explain.NoteOperand{Expr: y, IsTensor: o.isTensor(y)}
	o.pendingNotes = append(o.pendingNotes, func() { o.Note(o.Explainer().Operands(op, pos, left, right)) })
}

// convert returns the replacement of e, a conversion of a tensor to t, or e if tensors cannot be converted to t.
func (o *operators) convert(e *ast.CallExpr, t *types.TypeName) ast.Expr {
	basic, ok := t.Type().(*types.Basic)
	if !ok {
		return e
	}
	if name, ok := conversions[basic.Kind()]; ok {
		return method(e.Args[0], name)
	}
	switch {
	case basic.Info()&types.IsFloat != 0:
		e.Args[0] = method(e.Args[0], "Float")
	case basic.Info()&types.IsInteger != 0:
		e.Args[0] = method(e.Args[0], "Int")
	default:
		return e
	}
	o.changed = true
	return e
}
