package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sync"
)

// assignable returns a TypeAndValue with the mode of a variable. Only go/types can set this mode, so go/types evaluates
// an expression that is a variable.
var assignable = sync.OnceValue(func() types.TypeAndValue {
	tv, err := types.Eval(token.NewFileSet(), nil, token.NoPos, "[]int{0}[0]")
	if err != nil {
		panic(err)
	}
	return tv
})

// expr returns the type of e, and records it.
func (f *inference) expr(e ast.Expr) types.Type {
	if e == nil {
		return unknown
	}
	t := f.typeOfValue(e)
	if t == nil || t == unknown {
		return unknown
	}
	tv := types.TypeAndValue{Type: t}
	if f.isVariable(e) {
		tv = assignable()
		tv.Type = t
	}
	f.Info.Types[e] = tv
	return t
}

// isVariable reports whether e, whose type has been inferred, can be assigned to.
func (f *inference) isVariable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		_, ok := f.Info.Uses[e].(*types.Var)
		return ok
	case *ast.ParenExpr:
		return f.isVariable(e.X)
	case *ast.StarExpr:
		return true
	case *ast.SelectorExpr:
		v, ok := f.Info.Uses[e.Sel].(*types.Var)
		if !ok || !v.IsField() {
			return ok
		}
		return isPointer(f.Info.TypeOf(e.X)) || f.isVariable(e.X)
	case *ast.IndexExpr:
		switch f.under(e.X).(type) {
		case *types.Slice, *types.Map, *types.Pointer:
			return true
		case *types.Array:
			return f.isVariable(e.X)
		}
	}
	return false
}

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// under returns the underlying type of e, whose type has been inferred, or unknown.
func (f *inference) under(e ast.Expr) types.Type {
	if t := f.Info.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return unknown
}

func (f *inference) isTensor(t types.Type) bool {
	return f.tensor != nil && types.Identical(t, f.tensor)
}

// literals maps the tokens of literals to their types.
var literals = map[token.Token]types.BasicKind{
	token.INT: types.UntypedInt, token.FLOAT: types.UntypedFloat, token.IMAG: types.UntypedComplex,
	token.CHAR: types.UntypedRune, token.STRING: types.UntypedString,
}

// typeOfValue returns the type of the value of e, or unknown. It records the types of the parts of e, but not of e.
func (f *inference) typeOfValue(e ast.Expr) types.Type {
	switch e := e.(type) {
	case *ast.BasicLit:
		return types.Typ[literals[e.Kind]]
	case *ast.Ident:
		return f.name(e)
	case *ast.ParenExpr:
		return f.expr(e.X)
	case *ast.FuncLit:
		f.body(e.Type, e.Body)
		return f.signature(e.Type)
	case *ast.CompositeLit:
		return f.composite(e, unknown)
	case *ast.SelectorExpr:
		return f.selector(e)
	case *ast.IndexExpr:
		return f.index(e.X, e.Index)
	case *ast.IndexListExpr:
		return f.index(e.X, e.Indices...)
	case *ast.SliceExpr:
		return f.slice(e)
	case *ast.StarExpr:
		if p, ok := f.expr(e.X).Underlying().(*types.Pointer); ok {
			return p.Elem()
		}
	case *ast.TypeAssertExpr:
		f.expr(e.X)
		if e.Type != nil {
			return f.typeOf(e.Type)
		}
	case *ast.CallExpr:
		return f.call(e)
	case *ast.UnaryExpr:
		return f.unary(e)
	case *ast.BinaryExpr:
		return f.binary(e)
	default:
		f.typeOf(e) // e is a type, which has no value
	}
	return unknown
}

// name resolves an identifier and returns the type of its value, or unknown if it refers to a package or a type.
func (f *inference) name(id *ast.Ident) types.Type {
	if id.Name == "_" {
		return unknown
	}
	obj := f.lookup(id.Name)
	if obj == nil {
		return unknown
	}
	f.Info.Uses[id] = obj
	switch obj := obj.(type) {
	case *types.Var, *types.Const, *types.Func, *types.Nil:
		return obj.Type()
	}
	return unknown
}

// selector returns the type of e: a field, a method value or a member of a package.
func (f *inference) selector(e *ast.SelectorExpr) types.Type {
	switch obj := f.member(e).(type) {
	case *types.Var, *types.Const, *types.Func:
		return obj.Type()
	}
	if f.isType(e.X) {
		f.typeOf(e.X)
		return unknown // a method expression
	}
	t := f.expr(e.X)
	if t == unknown {
		return unknown
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, f.Pkg, e.Sel.Name)
	switch obj := obj.(type) {
	case *types.Var:
		f.Info.Uses[e.Sel] = obj
		return obj.Type()
	case *types.Func:
		f.Info.Uses[e.Sel] = obj
		sig := obj.Signature()
		return types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	}
	return unknown
}

// index returns the type of x[args]. x may be a generic function.
func (f *inference) index(x ast.Expr, args ...ast.Expr) types.Type {
	if f.isType(x) {
		f.typeOf(x)
		for _, arg := range args {
			f.typeOf(arg)
		}
		return unknown
	}
	t := f.expr(x)
	if sig, ok := t.(*types.Signature); ok && sig.TypeParams().Len() == len(args) {
		typeArgs := make([]types.Type, len(args))
		for i, arg := range args {
			typeArgs[i] = f.typeOf(arg)
		}
		return instance(sig, typeArgs)
	}
	for _, arg := range args {
		f.expr(arg)
	}
	if f.isTensor(t) {
		return t
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		return u.Elem()
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Pointer:
		if a, ok := u.Elem().Underlying().(*types.Array); ok {
			return a.Elem()
		}
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return types.Universe.Lookup("byte").Type()
		}
	}
	return unknown
}

// slice returns the type of a slice expression.
func (f *inference) slice(e *ast.SliceExpr) types.Type {
	t := f.expr(e.X)
	for _, bound := range []ast.Expr{e.Low, e.High, e.Max} {
		f.expr(bound)
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return types.NewSlice(u.Elem())
	case *types.Pointer:
		if a, ok := u.Elem().Underlying().(*types.Array); ok {
			return types.NewSlice(a.Elem())
		}
		return unknown
	}
	return types.Default(t)
}

// composite returns the type of a composite literal. If the literal is written without a type, as an element of
// another literal may be, its type is the one given as elided.
func (f *inference) composite(e *ast.CompositeLit, elided types.Type) types.Type {
	t := elided
	if e.Type != nil {
		t = f.typeOf(e.Type)
		if a, ok := e.Type.(*ast.ArrayType); ok && isEllipsis(a.Len) && !slices.ContainsFunc(e.Elts, isKeyValue) {
			t = types.NewArray(f.typeOf(a.Elt), int64(len(e.Elts)))
		}
	}
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok && e.Type == nil {
		u = p.Elem().Underlying()
	}
	key, elem := unknown, unknown
	switch u := u.(type) {
	case *types.Map:
		key, elem = u.Key(), u.Elem()
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		elem = u.Elem()
	}
	_, isStruct := u.(*types.Struct)
	for _, elt := range e.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			f.element(elt, elem)
			continue
		}
		if _, isName := kv.Key.(*ast.Ident); isName && u == unknown {
			f.Unsure = true // the key may name a field or a variable
		} else if !isStruct {
			f.element(kv.Key, key)
		}
		f.element(kv.Value, elem)
	}
	return t
}

func isEllipsis(e ast.Expr) bool {
	_, ok := e.(*ast.Ellipsis)
	return ok
}

func isKeyValue(e ast.Expr) bool {
	_, ok := e.(*ast.KeyValueExpr)
	return ok
}

// element infers the types in e, an element or a key of a composite literal. t is the type that e must have.
func (f *inference) element(e ast.Expr, t types.Type) {
	lit, ok := e.(*ast.CompositeLit)
	if !ok || lit.Type != nil {
		f.expr(e)
		return
	}
	if t = f.composite(lit, t); t != unknown {
		f.Info.Types[lit] = types.TypeAndValue{Type: t}
	}
}

// call returns the type of a call or conversion. It is a tuple unless the call has exactly one result.
func (f *inference) call(e *ast.CallExpr) types.Type {
	fun := ast.Unparen(e.Fun)
	if f.isType(fun) {
		t := f.typeOf(fun)
		f.values(len(e.Args), e.Args)
		return t
	}
	if id, ok := fun.(*ast.Ident); ok {
		if b, ok := f.lookup(id.Name).(*types.Builtin); ok {
			f.Info.Uses[id] = b
			return f.builtin(b.Name(), e.Args)
		}
	}
	sig, ok := f.expr(e.Fun).Underlying().(*types.Signature)
	args := make([]types.Type, 0, len(e.Args))
	for _, arg := range e.Args {
		args = appendTypes(args, f.expr(arg))
	}
	if ok && sig.TypeParams().Len() > 0 {
		sig, ok = instantiate(sig, args)
	}
	if !ok {
		return unknown
	}
	if sig.Results().Len() == 1 {
		return sig.Results().At(0).Type()
	}
	return sig.Results()
}

// appendTypes appends the types of the results if t is the tuple of a call, and otherwise t.
func appendTypes(all []types.Type, t types.Type) []types.Type {
	tuple, ok := t.(*types.Tuple)
	if !ok {
		return append(all, t)
	}
	for v := range tuple.Variables() {
		all = append(all, v.Type())
	}
	return all
}

// instantiate returns the instance of a generic function for arguments of the given types. ok is false if these do not
// determine all type arguments.
func instantiate(sig *types.Signature, args []types.Type) (inst *types.Signature, ok bool) {
	bound := map[*types.TypeParam]types.Type{}
	params := sig.Params()
	for i, arg := range args {
		switch {
		case sig.Variadic() && i >= params.Len()-1:
			bind(params.At(params.Len()-1).Type().(*types.Slice).Elem(), arg, bound)
		case i < params.Len():
			bind(params.At(i).Type(), arg, bound)
		}
	}
	var typeArgs []types.Type
	for p := range sig.TypeParams().TypeParams() {
		if bound[p] == nil {
			return nil, false
		}
		typeArgs = append(typeArgs, bound[p])
	}
	inst, ok = instance(sig, typeArgs).(*types.Signature)
	return inst, ok
}

// bind matches param, the type of a parameter, with arg, the type of its argument, and records in bound the type
// arguments that this determines.
func bind(param, arg types.Type, bound map[*types.TypeParam]types.Type) {
	if p, ok := param.(*types.TypeParam); ok {
		if bound[p] == nil && arg != unknown && arg != types.Typ[types.UntypedNil] {
			bound[p] = types.Default(arg)
		}
		return
	}
	switch p := param.(type) {
	case *types.Slice:
		if a, ok := arg.Underlying().(*types.Slice); ok {
			bind(p.Elem(), a.Elem(), bound)
		}
	case *types.Pointer:
		if a, ok := arg.Underlying().(*types.Pointer); ok {
			bind(p.Elem(), a.Elem(), bound)
		}
	case *types.Map:
		if a, ok := arg.Underlying().(*types.Map); ok {
			bind(p.Key(), a.Key(), bound)
			bind(p.Elem(), a.Elem(), bound)
		}
	case *types.Signature:
		if a, ok := arg.Underlying().(*types.Signature); ok {
			bindAll(p.Params(), a.Params(), bound)
			bindAll(p.Results(), a.Results(), bound)
		}
	}
}

// bindAll calls bind for each of params and the element of args at the same index.
func bindAll(params, args *types.Tuple, bound map[*types.TypeParam]types.Type) {
	for i := range min(params.Len(), args.Len()) {
		bind(params.At(i).Type(), args.At(i).Type(), bound)
	}
}

// builtin returns the type of a call of the built-in function called name.
func (f *inference) builtin(name string, args []ast.Expr) types.Type {
	argTypes := make([]types.Type, len(args))
	for i, arg := range args {
		if i == 0 && (name == "make" || name == "new") && f.isType(arg) {
			argTypes[i] = f.typeOf(arg)
		} else {
			argTypes[i] = f.expr(arg)
		}
	}
	switch name {
	case "len", "cap", "copy":
		return types.Typ[types.Int]
	case "recover":
		return types.Universe.Lookup("any").Type()
	}
	if len(args) == 0 {
		return unknown
	}
	switch name {
	case "make", "append":
		return argTypes[0]
	case "new":
		return types.NewPointer(types.Default(argTypes[0]))
	case "min", "max":
		t := argTypes[0]
		for _, other := range argTypes[1:] {
			t = common(t, other)
		}
		return t
	}
	return unknown
}

// unary returns the type of a unary expression.
func (f *inference) unary(e *ast.UnaryExpr) types.Type {
	t := f.expr(e.X)
	switch {
	case t == unknown:
		return unknown
	case e.Op == token.AND:
		return types.NewPointer(t)
	case e.Op == token.ARROW:
		if c, ok := t.Underlying().(*types.Chan); ok {
			return c.Elem()
		}
		return unknown
	case e.Op == token.NOT && f.isTensor(t):
		return types.Typ[types.Bool]
	}
	return t
}

// binary returns the type of a binary expression.
func (f *inference) binary(e *ast.BinaryExpr) types.Type {
	x, y := f.expr(e.X), f.expr(e.Y)
	if f.isTensor(x) || f.isTensor(y) {
		if e.Op == token.LAND || e.Op == token.LOR {
			return types.Typ[types.Bool]
		}
		return f.tensor
	}
	switch e.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		if x == unknown || y == unknown {
			return unknown // an operand may be a tensor
		}
		return types.Typ[types.UntypedBool]
	case token.SHL, token.SHR:
		if isUntyped(x) && !isUntyped(y) {
			return unknown // the context of the shift determines its type
		}
		return x
	}
	return common(x, y)
}

func isUntyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

// common returns the type of an arithmetic operation on values of types x and y, or unknown.
func common(x, y types.Type) types.Type {
	switch {
	case x == unknown || y == unknown:
		return unknown
	case isUntyped(x) && isUntyped(y):
		if x.(*types.Basic).Kind() < y.(*types.Basic).Kind() {
			return y
		}
		return x
	case isUntyped(x):
		return y
	case isUntyped(y) || types.Identical(x, y):
		return x
	}
	return unknown
}
