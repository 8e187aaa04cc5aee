package tensor

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
)

// A Reach is what a function of a cell reads besides its parameters: what a
// trace of it depends on.
type Reach struct {
	Name    string   // of the function: its engine name, or that of its type, a dot, and the method's
	Reads   []string // variables, functions and methods at cell level, likewise
	Unknown bool     // it calls what no reading of its text tells
}

// CaptureVariables passes to nv.Jit what its function depends on: nv.Jit(f) becomes
//
//	nv.JitAny(f, ꓸaid.Captured(func() []any { return []any{lr} }, "wꓸ3", "helperꓸ4")).(F)
//
// with the variables of functions around it by value, and those at cell level
// and the functions it calls by name. A function or variable at cell level has one
// result of Jit while it stands for the same function:
//
//	ꓸaid.Jitted("fꓸ3", func(captured func() []any) any { return nv.JitAny(fꓸ3, captured) }).(F)
//
// What cannot be told stays nv.Jit(f), which traces f at every call. Names are
// those of functions that stand for methods.
func (c *Cell) CaptureVariables(names map[*ast.FuncDecl]string) {
	if c.Tensor == nil {
		return
	}
	c.findReaches(names)
	c.findCallees(names)
	c.vars = c.functionVars()
	c.tellFunctionVars()
	cell.Rewrite(c.File, func(n ast.Node) ast.Node {
		e, ok := n.(*ast.CallExpr)
		if !ok {
			return n
		}
		c.passCallees(e)
		if c.isJit(e) {
			return c.jitCaptured(e)
		}
		return n
	})
}

func (c *Cell) isJit(e *ast.CallExpr) bool {
	f := c.Callee(e)
	return f != nil && f.Name() == "Jit" && f.Pkg() != nil && f.Pkg().Path() == c.Path && len(e.Args) == 1 && f.Pkg().Scope().Lookup("JitAny") != nil
}

// jitCaptured returns e, a call of nv.Jit, as a call of nv.JitAny with what its
// function reads; e itself where that is not known.
func (c *Cell) jitCaptured(e *ast.CallExpr) ast.Expr {
	pos := e.Pos()
	t, err := c.TypeExpr(pos, c.TypeOf(e))
	if err != nil {
		return e
	}
	var jitted ast.Expr
	switch f := ast.Unparen(e.Args[0]).(type) {
	case *ast.Ident:
		if c.isFunctionAtTop(f) {
			jitted = c.jitByName(pos, f)
		} else if v, ok := c.Info.Uses[f].(*types.Var); ok {
			jitted = c.jitOf(e, c.reachOfLocal(v))
		}
	default:
		jitted = c.jitOf(e, c.reachOfFunction(f))
	}
	if jitted == nil {
		return e
	}
	return typed(c, &ast.TypeAssertExpr{X: jitted, Lparen: pos, Type: t, Rparen: e.End()}, c.TypeOf(e))
}

// isFunctionAtTop reports whether id names a function of a cell, or a variable at
// cell level.
func (c *Cell) isFunctionAtTop(id *ast.Ident) bool {
	switch obj := c.Info.Uses[id].(type) {
	case *types.Func:
		return check.IsCell(obj.Pkg()) && obj.Signature().TypeParams().Len() == 0
	case *types.Var:
		return c.isTop(obj, id)
	}
	return false
}

// jitByName returns ꓸaid.Jitted("fꓸ3", func(captured func() []any) any { return nv.JitAny(fꓸ3, captured) }).
func (c *Cell) jitByName(pos token.Pos, f *ast.Ident) ast.Expr {
	capture := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewVar(pos, c.Pkg, "", types.NewSlice(anyType))), false)
	param, captured := c.Define(pos, "captured", capture)
	jit := &ast.FuncLit{
		Type: &ast.FuncType{Func: pos, Results: results(cell.Ident(pos, "any")), Params: &ast.FieldList{List: []*ast.Field{{
			Names: []*ast.Ident{param},
			Type:  &ast.FuncType{Func: pos, Params: &ast.FieldList{}, Results: results(anySlice(pos))},
		}}}},
		Body: returning(pos, typed(c, cell.Call(c.TensorPackage(pos, "JitAny"), f, c.Use(pos, captured)), anyType)),
	}
	result := types.NewTuple(types.NewVar(pos, c.Pkg, "", anyType))
	typedFunc(c, jit, types.NewSignatureType(nil, nil, nil, types.NewTuple(captured), result, false))
	return c.CallAid(pos, "Jitted", c.String(pos, f.Name), jit)
}

// jitOf returns nv.JitAny(f, ꓸaid.Captured(...)) for e, the call nv.Jit(f), by what
// f reads; nil if that is not known.
func (c *Cell) jitOf(e *ast.CallExpr, r *reaching) ast.Expr {
	if r == nil || r.Unknown {
		return nil
	}
	pos := e.Pos()
	values := typed(c, &ast.CompositeLit{Type: anySlice(pos), Lbrace: pos, Elts: r.locals, Rbrace: pos}, types.NewSlice(anyType))
	locals := &ast.FuncLit{
		Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{}, Results: results(anySlice(pos))},
		Body: returning(pos, values),
	}
	result := types.NewVar(pos, c.Pkg, "", c.TypeOf(values))
	typedFunc(c, locals, types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(result), false))
	captured := c.CallAid(pos, "Captured", locals)
	for _, name := range r.Reads {
		captured.Args = append(captured.Args, c.String(pos, name))
	}
	return typed(c, cell.Call(c.TensorPackage(pos, "JitAny"), e.Args[0], captured), anyType)
}

var anyType = types.Universe.Lookup("any").Type()

func anySlice(pos token.Pos) ast.Expr {
	return &ast.ArrayType{Lbrack: pos, Elt: cell.Ident(pos, "any")}
}

// results returns the list of results of a function that returns a t.
func results(t ast.Expr) *ast.FieldList {
	return &ast.FieldList{List: []*ast.Field{{Type: t}}}
}

// returning returns { return e }.
func returning(pos token.Pos, e ast.Expr) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{&ast.ReturnStmt{Return: pos, Results: []ast.Expr{e}}}, Rbrace: pos}
}

// reachOfFunction returns what the function e reads, nil if e is neither a
// literal nor a declared function of a cell.
func (c *Cell) reachOfFunction(e ast.Expr) *reaching {
	switch e := e.(type) {
	case *ast.FuncLit:
		return c.reach(e)
	case *ast.Ident:
		if _, ok := c.Info.Uses[e].(*types.Func); ok && c.isFunctionAtTop(e) {
			return &reaching{Reach: Reach{Reads: []string{e.Name}}}
		}
	}
	return nil
}

// findReaches notes what each function and method of the cell reads.
func (c *Cell) findReaches(names map[*ast.FuncDecl]string) {
	for _, decl := range c.File.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Name.Name == check.Entry || f.Body == nil {
			continue
		}
		r := c.reach(f)
		if r.Name = names[f]; r.Name == "" {
			r.Name = cell.FunctionName(f)
		}
		c.Reaches = append(c.Reaches, r.Reach)
	}
}

// reaching collects what a function reads.
type reaching struct {
	Reach
	c      *Cell
	in     ast.Node
	seen   map[types.Object]bool
	locals []ast.Expr // variables of functions around it
}

// reach returns what the function n, a literal or a declaration, reads.
func (c *Cell) reach(n ast.Node) *reaching {
	r := &reaching{c: c, in: n, seen: map[types.Object]bool{}}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			r.ident(n)
		case *ast.CallExpr:
			r.call(n)
		}
		return true
	})
	return r
}

func (r *reaching) ident(id *ast.Ident) {
	obj := r.c.Info.Uses[id]
	if obj == nil || r.seen[obj] {
		return
	}
	switch obj := obj.(type) {
	case *types.Func:
		r.seen[obj] = true
		r.function(obj, id.Name)
	case *types.Var:
		if !obj.IsField() && check.IsCell(obj.Pkg()) {
			r.seen[obj] = true
			r.variable(obj, id)
		}
	}
}

func (r *reaching) function(f *types.Func, name string) {
	recv := f.Signature().Recv()
	switch {
	case recv == nil:
		if check.IsCell(f.Pkg()) {
			r.Reads = append(r.Reads, name)
		}
	case isDynamic(recv.Type()):
		r.Unknown = true
	case check.IsCell(f.Pkg()):
		r.method(f)
	}
}

// isDynamic reports whether what a method of t is shows when it is called.
func isDynamic(t types.Type) bool {
	_, param := types.Unalias(t).(*types.TypeParam)
	return param || types.IsInterface(t)
}

// method adds a method of a cell's type.
func (r *reaching) method(m *types.Func) {
	named, ok := types.Unalias(ReceiverType(m)).(*types.Named)
	if !ok {
		r.Unknown = true
		return
	}
	obj := named.Origin().Obj()
	name := r.c.EngineName(obj)
	if name == "" {
		name = obj.Name()
	}
	r.Reads = append(r.Reads, name+"."+m.Name())
}

func (r *reaching) variable(v *types.Var, id *ast.Ident) {
	top := r.c.Pkg.Scope().Lookup(id.Name) == types.Object(v)
	if !top && r.in.Pos() <= v.Pos() && v.Pos() < r.in.End() {
		return // its own
	}
	switch {
	case !r.c.isKnown(v.Type(), false, nil):
		r.Unknown = true
	case top:
		r.Reads = append(r.Reads, id.Name)
	default:
		r.locals = append(r.locals, r.c.copyIdent(id))
	}
}

// call finds methods that compiled code calls: those of a value of a cell's
// type that it is given as an interface, as sort.Sort is.
func (r *reaching) call(e *ast.CallExpr) {
	f := r.c.Callee(e)
	if f == nil || check.IsCell(f.Pkg()) {
		return
	}
	for _, arg := range e.Args {
		t := r.c.TypeOf(arg)
		if t == nil || r.c.Info.Types[arg].IsNil() {
			continue
		}
		if types.IsInterface(t) {
			r.Unknown = true
		}
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := types.Unalias(t).(*types.Named); ok && check.IsCell(named.Obj().Pkg()) {
			for m := range named.Methods() {
				r.method(m)
			}
		}
	}
}

// isKnown reports whether all that a value of type t can be is seen by looking
// at it: not in functions, channels, and what compiled types hide; inside tells
// of a part of one of these.
func (c *Cell) isKnown(t types.Type, inside bool, above []types.Type) bool {
	if c.IsTensor(t) {
		return true
	}
	for _, a := range above {
		if types.Identical(a, t) {
			return true
		}
	}
	above = append(above, t)
	if n, ok := types.Unalias(t).(*types.Named); ok {
		inside = n.Obj().Pkg() != nil && !check.IsCell(n.Obj().Pkg())
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Pointer:
		return !inside && c.isKnown(t.Elem(), inside, above)
	case *types.Interface:
		_, param := t.Underlying().(*types.TypeParam)
		return !inside && !param
	case *types.Slice:
		return c.isKnown(t.Elem(), inside, above)
	case *types.Array:
		return c.isKnown(t.Elem(), inside, above)
	case *types.Map:
		return c.isKnown(t.Key(), inside, above) && c.isKnown(t.Elem(), inside, above)
	case *types.Struct:
		for f := range t.Fields() {
			if !c.isKnown(f.Type(), inside, above) {
				return false
			}
		}
		return true
	}
	return false
}

// ReceiverType returns the type that m is a method of, behind a pointer or not.
func ReceiverType(m *types.Func) types.Type {
	t := m.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
