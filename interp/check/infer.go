package check

import (
	"context"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"github.com/goanvil/notebook/interp/cell"
)

// An Inferred is what can be inferred about the types of a cell from declarations alone.
type Inferred struct {
	Pkg  *types.Package
	Info *types.Info // Types has only the expressions whose types are known; Uses is what go/types would set

	// AtTop has the objects in Uses that are declared outside of functions.
	AtTop map[types.Object]bool

	// Unsure reports that the keys of some composite literal may be fields or variables, since the type of the literal
	// is not known.
	Unsure bool
}

// Infer resolves the names of file, a package main of its own, and infers the types of expressions from declarations.
// By these types, operators on tensors can be found and replaced by calls before the cell is type-checked, so that one
// check is enough. tensor is the type of tensors, or nil. Infer reports no errors: it omits the types of expressions
// that are wrong or that need rules of Go it does not know. Once ctx has ended, it panics with the error of ctx.
func (e *Env) Infer(ctx context.Context, file *ast.File, tensor types.Type) (inferred *Inferred) {
	f := &inference{ctx: ctx, env: e, tensor: tensor, later: map[string]func(){}, outside: map[string]types.Object{},
		selected: selected(file)}
	f.Pkg, f.Info, f.AtTop = types.NewPackage("main", "main"), newInfo(), map[types.Object]bool{}
	defer func() {
		if recover() != nil { // go/types may panic if a declaration is wrong
			Poll(ctx)
			inferred = &Inferred{Pkg: f.Pkg, Info: newInfo(), AtTop: map[types.Object]bool{}, Unsure: true}
		}
	}()
	f.file(file)
	return &f.Inferred
}

// An inference infers the types of one file.
type inference struct {
	Inferred
	ctx     context.Context
	env     *Env
	tensor  types.Type
	scope   *scope                  // the current scope
	top     *scope                  // the scope of the package
	later   map[string]func()       // by name, a function that declares the name at top level, and then removes itself
	outside map[string]types.Object // the objects found outside the file, by name; nil if there is none

	selected map[string][]string // the names that the file selects from each identifier; see the function selected
}

// A scope holds the names of a block.
type scope struct {
	outer *scope
	names map[string]types.Object
}

// unknown is the type of expressions that Infer cannot type.
var unknown types.Type = types.Typ[types.Invalid]

func (f *inference) push() { f.scope = &scope{outer: f.scope, names: map[string]types.Object{}} }
func (f *inference) pop()  { f.scope = f.scope.outer }

// declare binds id to obj in the current scope.
func (f *inference) declare(id *ast.Ident, obj types.Object) {
	f.Info.Defs[id] = obj
	if id.Name != "_" {
		f.scope.names[id.Name] = obj
	}
	if f.scope == f.top {
		f.AtTop[obj] = true
	}
}

// variable declares id as a variable of type t, or of the default type of t.
func (f *inference) variable(id *ast.Ident, t types.Type) {
	f.declare(id, types.NewVar(id.Pos(), f.Pkg, id.Name, types.Default(t)))
}

// lookup returns the object that name refers to in the current scope, or nil.
func (f *inference) lookup(name string) types.Object {
	for s := f.scope; s != nil; s = s.outer {
		if obj := s.names[name]; obj != nil {
			return obj
		}
	}
	if declare := f.later[name]; declare != nil {
		declare()
		return f.top.names[name]
	}
	obj, ok := f.outside[name]
	if !ok {
		if obj = f.env.visible(name, f.Pkg, f.selected[name]); obj == nil {
			obj = types.Universe.Lookup(name)
		}
		f.outside[name] = obj
		f.AtTop[obj] = true
	}
	return obj
}

// atTop runs declare in the scope of the package.
func (f *inference) atTop(declare func()) {
	inner := f.scope
	f.scope = f.top
	declare()
	f.scope = inner
}

// file infers the types of a file. It visits first the declarations, each after those that it refers to, and then the
// bodies of functions.
func (f *inference) file(file *ast.File) {
	f.push()
	f.top = f.scope
	var declarations []func()
	// postpone makes declare run once: when one of names is looked up, or else when all declarations have been postponed.
	postpone := func(declare func(), names ...*ast.Ident) {
		done := false
		once := func() {
			if done {
				return
			}
			done = true
			for _, id := range names {
				delete(f.later, id.Name)
			}
			f.atTop(declare)
		}
		for _, id := range names {
			f.later[id.Name] = once
		}
		declarations = append(declarations, once)
	}
	var functions []*ast.FuncDecl
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			functions = append(functions, decl)
			if decl.Recv == nil {
				postpone(func() { f.function(decl) }, decl.Name)
			}
		case *ast.GenDecl:
			f.declaration(decl, postpone)
		}
	}
	for _, d := range functions {
		if d.Recv != nil {
			f.method(d)
		}
	}
	for _, declare := range declarations {
		declare()
	}
	for _, d := range functions {
		f.push()
		if d.Recv != nil {
			f.parameters(d.Recv)
		}
		f.typeParameters(d.Type.TypeParams)
		f.body(d.Type, d.Body)
		f.pop()
	}
}

// declaration visits the specifications in decl. It declares imports. For each other specification it calls do with the
// names and with a function that declares them, which do calls at once or later.
func (f *inference) declaration(decl *ast.GenDecl, do func(declare func(), names ...*ast.Ident)) {
	var last *ast.ValueSpec // the last one with a type or values, which the following constants repeat
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.ImportSpec:
			f.importSpec(spec)
		case *ast.TypeSpec:
			do(func() { f.typeSpec(spec) }, spec.Name)
		case *ast.ValueSpec:
			if decl.Tok == token.CONST {
				if last == nil || spec.Type != nil || len(spec.Values) > 0 {
					last = spec
				}
				from := last
				do(func() { f.constants(spec, from) }, spec.Names...)
			} else {
				do(func() { f.variables(spec) }, spec.Names...)
			}
		}
	}
}

// importSpec declares the name of an imported package.
func (f *inference) importSpec(spec *ast.ImportSpec) {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return
	}
	pkg, err := f.env.Import(path)
	if err != nil {
		return
	}
	name := pkg.Name()
	if spec.Name != nil {
		name = spec.Name.Name
	}
	f.top.names[name] = types.NewPkgName(spec.Pos(), f.Pkg, name, pkg)
}

// function declares a function. It declares a generic function as having an unknown type.
func (f *inference) function(d *ast.FuncDecl) {
	if d.Type.TypeParams != nil {
		f.variable(d.Name, unknown)
		return
	}
	f.declare(d.Name, types.NewFunc(d.Name.Pos(), f.Pkg, d.Name.Name, f.signature(d.Type)))
}

// method adds the method d to its receiver's type, unless the type is generic.
func (f *inference) method(d *ast.FuncDecl) {
	t, ok := f.lookup(cell.ReceiverType(d)).(*types.TypeName)
	if !ok || t.Pkg() != f.Pkg {
		return
	}
	if named, ok := t.Type().(*types.Named); ok && named.TypeParams() == nil {
		sig := f.signature(d.Type)
		recv := types.NewVar(d.Name.Pos(), f.Pkg, "", types.NewPointer(named))
		sig = types.NewSignatureType(recv, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
		named.AddMethod(types.NewFunc(d.Name.Pos(), f.Pkg, d.Name.Name, sig))
	}
}

// typeSpec declares a type. It declares a generic type as unknown.
func (f *inference) typeSpec(spec *ast.TypeSpec) {
	switch {
	case spec.TypeParams != nil:
		f.declare(spec.Name, types.NewTypeName(spec.Pos(), f.Pkg, spec.Name.Name, unknown))
	case spec.Assign.IsValid():
		obj := types.NewTypeName(spec.Pos(), f.Pkg, spec.Name.Name, nil)
		types.NewAlias(obj, f.typeOf(spec.Type))
		f.declare(spec.Name, obj)
	default:
		obj := types.NewTypeName(spec.Pos(), f.Pkg, spec.Name.Name, nil)
		named := types.NewNamed(obj, nil, nil)
		f.declare(spec.Name, obj)
		if u := f.typeOf(spec.Type).Underlying(); u != nil {
			named.SetUnderlying(u)
		} else {
			named.SetUnderlying(unknown)
		}
	}
}

// constants declares the constants of spec with the type and values in from, which is spec or an earlier specification
// that spec repeats. It infers all values before it declares any constant, since the values cannot refer to them.
func (f *inference) constants(spec, from *ast.ValueSpec) {
	declared := unknown
	if from.Type != nil {
		declared = f.typeOf(from.Type)
	}
	for i, id := range spec.Names {
		t := declared
		if i < len(from.Values) {
			if v := f.expr(from.Values[i]); from.Type == nil {
				t = v
			}
		}
		defer func() { f.declare(id, types.NewConst(id.Pos(), f.Pkg, id.Name, t, constant.MakeUnknown())) }()
	}
}

// variables declares the variables of spec.
func (f *inference) variables(spec *ast.ValueSpec) {
	values := f.values(len(spec.Names), spec.Values)
	for i, id := range spec.Names {
		t := values[i]
		if spec.Type != nil {
			t = f.typeOf(spec.Type)
		}
		f.variable(id, t)
	}
}

// values returns the types of n variables that are set to values. If there is only one value, it may be a call with
// several results, or an expression with a second result as in v, ok = m[k].
func (f *inference) values(n int, values []ast.Expr) []types.Type {
	all := make([]types.Type, n)
	for i := range all {
		all[i] = unknown
	}
	if len(values) != 1 || n == 1 {
		for i, e := range values {
			if t := f.expr(e); i < n {
				all[i] = t
			}
		}
		return all
	}
	t := f.expr(values[0])
	if several, ok := t.(*types.Tuple); ok {
		for i := range min(n, several.Len()) {
			all[i] = several.At(i).Type()
		}
		return all
	}
	switch ast.Unparen(values[0]).(type) {
	case *ast.IndexExpr, *ast.TypeAssertExpr, *ast.UnaryExpr: // v, ok := m[k], x.(T) or <-ch
		all[0], all[1] = t, types.Typ[types.Bool]
	}
	return all
}

// typeParameters declares type parameters, whose types are unknown.
func (f *inference) typeParameters(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, field := range list.List {
		for _, id := range field.Names {
			f.declare(id, types.NewTypeName(id.Pos(), f.Pkg, id.Name, unknown))
		}
	}
}

// parameters declares the parameters or results of a function.
func (f *inference) parameters(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, field := range list.List {
		t := f.fieldType(field.Type)
		for _, id := range field.Names {
			f.variable(id, t)
		}
	}
}

// fieldType returns the type of a parameter inside its function: a slice if the parameter is variadic.
func (f *inference) fieldType(e ast.Expr) types.Type {
	if rest, ok := e.(*ast.Ellipsis); ok {
		return types.NewSlice(f.typeOf(rest.Elt))
	}
	return f.typeOf(e)
}

// body infers the types in the body of a function.
func (f *inference) body(t *ast.FuncType, body *ast.BlockStmt) {
	f.push()
	f.parameters(t.Params)
	f.parameters(t.Results)
	if body != nil {
		f.statements(body.List)
	}
	f.pop()
}

// signature returns the type of a function without type parameters.
func (f *inference) signature(t *ast.FuncType) *types.Signature {
	tuple := func(list *ast.FieldList) (*types.Tuple, bool) {
		var vars []*types.Var
		variadic := false
		if list != nil {
			for _, field := range list.List {
				ft := f.fieldType(field.Type)
				_, variadic = field.Type.(*ast.Ellipsis)
				for _, id := range field.Names {
					vars = append(vars, types.NewVar(id.Pos(), f.Pkg, id.Name, ft))
				}
				if len(field.Names) == 0 {
					vars = append(vars, types.NewVar(field.Pos(), f.Pkg, "", ft))
				}
			}
		}
		return types.NewTuple(vars...), variadic
	}
	params, variadic := tuple(t.Params)
	results, _ := tuple(t.Results)
	return types.NewSignatureType(nil, nil, nil, params, results, variadic)
}

// typeOf returns the type that the type expression e denotes.
func (f *inference) typeOf(e ast.Expr) types.Type {
	switch e := e.(type) {
	case *ast.Ident:
		obj := f.lookup(e.Name)
		if obj != nil {
			f.Info.Uses[e] = obj
		}
		if t, ok := obj.(*types.TypeName); ok && t.Type() != nil {
			return t.Type()
		}
	case *ast.SelectorExpr:
		if t, ok := f.member(e).(*types.TypeName); ok {
			return t.Type()
		}
	case *ast.ParenExpr:
		return f.typeOf(e.X)
	case *ast.StarExpr:
		return types.NewPointer(f.typeOf(e.X))
	case *ast.ArrayType:
		return f.arrayType(e)
	case *ast.MapType:
		return types.NewMap(f.typeOf(e.Key), f.typeOf(e.Value))
	case *ast.ChanType:
		directions := map[ast.ChanDir]types.ChanDir{
			ast.SEND | ast.RECV: types.SendRecv, ast.SEND: types.SendOnly, ast.RECV: types.RecvOnly,
		}
		return types.NewChan(directions[e.Dir], f.typeOf(e.Value))
	case *ast.FuncType:
		return f.signature(e)
	case *ast.StructType:
		return f.structType(e)
	case *ast.InterfaceType:
		for _, m := range e.Methods.List {
			f.typeOf(m.Type)
		}
		if len(e.Methods.List) == 0 {
			return types.NewInterfaceType(nil, nil)
		}
	case *ast.IndexExpr:
		return f.instanceType(e.X, e.Index)
	case *ast.IndexListExpr:
		return f.instanceType(e.X, e.Indices...)
	}
	return unknown
}

// arrayType returns the array or slice type that e denotes. It is unknown if the length is not a literal.
func (f *inference) arrayType(e *ast.ArrayType) types.Type {
	elem := f.typeOf(e.Elt)
	switch n := e.Len.(type) {
	case nil:
		return types.NewSlice(elem)
	case *ast.BasicLit:
		if size, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			return types.NewArray(elem, size)
		}
	case *ast.Ellipsis:
	default:
		f.expr(n)
	}
	return unknown
}

// structType returns the struct type that e denotes.
func (f *inference) structType(e *ast.StructType) types.Type {
	var fields []*types.Var
	var tags []string
	for _, field := range e.Fields.List {
		t := f.typeOf(field.Type)
		tag := ""
		if field.Tag != nil {
			tag, _ = strconv.Unquote(field.Tag.Value)
		}
		for range max(1, len(field.Names)) {
			tags = append(tags, tag)
		}
		for _, id := range field.Names {
			fields = append(fields, types.NewField(id.Pos(), f.Pkg, id.Name, t, false))
		}
		if len(field.Names) == 0 {
			fields = append(fields, types.NewField(field.Pos(), f.Pkg, embeddedName(field.Type), t, true))
		}
	}
	return types.NewStruct(fields, tags)
}

// embeddedName returns the name of the field that embeds the type e.
func embeddedName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return embeddedName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr:
		return embeddedName(e.X)
	}
	return "_"
}

// instanceType returns the type x[args].
func (f *inference) instanceType(x ast.Expr, args ...ast.Expr) types.Type {
	named, ok := f.typeOf(x).(*types.Named)
	typeArgs := make([]types.Type, len(args))
	for i, arg := range args {
		typeArgs[i] = f.typeOf(arg)
	}
	if !ok || named.TypeParams().Len() != len(args) {
		return unknown
	}
	return instance(named, typeArgs)
}

// instance returns the generic type or function instantiated with args, or unknown.
func instance(generic types.Type, args []types.Type) types.Type {
	if t, err := types.Instantiate(nil, generic, args, true); err == nil {
		return t
	}
	return unknown
}

// isType reports whether e denotes a type. It does not infer or record the types of e and its parts.
func (f *inference) isType(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		_, ok := f.lookup(e.Name).(*types.TypeName)
		return ok
	case *ast.SelectorExpr:
		_, ok := f.member(e).(*types.TypeName)
		return ok
	case *ast.ParenExpr:
		return f.isType(e.X)
	case *ast.StarExpr:
		return f.isType(e.X)
	case *ast.IndexExpr:
		return f.isType(e.X)
	case *ast.IndexListExpr:
		return f.isType(e.X)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return true
	}
	return false
}

// member returns the object of e, a selector pkg.Name. It returns nil for other expressions.
func (f *inference) member(e *ast.SelectorExpr) types.Object {
	id, ok := e.X.(*ast.Ident)
	if !ok {
		return nil
	}
	pkg, ok := f.lookup(id.Name).(*types.PkgName)
	if !ok {
		return nil
	}
	f.Info.Uses[id] = pkg
	obj := pkg.Imported().Scope().Lookup(e.Sel.Name)
	if obj == nil || !obj.Exported() {
		return nil
	}
	f.Info.Uses[e.Sel] = obj
	return obj
}
