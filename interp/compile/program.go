package compile

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/check"
)

// A program is the go/ssa form of a cell that is being compiled.
type program struct {
	s          *Session
	src        Source
	prog       *ssa.Program
	decls      []*ast.FuncDecl         // the functions of the cell that are not generic
	codes      map[*ssa.Function]*code // the functions passed to want
	todo       []*ssa.Function         // those of them that are not compiled yet
	exprStarts exprStarts

	declares  map[types.Object]bool // functions with bodies in this cell
	instances map[*function]*code   // of generic functions and methods, compiled with this cell
	bound     []boundMethod         // methods of generic types, to be bound
	walked    map[types.Type]bool   // types that compileMethodsOf has visited
	remake    *ast.FuncDecl         // the result of remakeInstances
	setup     []func()              // functions to call before the statements of the cell run
}

// exprStarts maps the position of the left parenthesis of a call or type assertion, which go/ssa reports, to the start
// of the expression, which errors show.
type exprStarts map[token.Pos]token.Pos

// of returns the start of the call or type assertion at pos, or pos if there is none.
func (s exprStarts) of(pos token.Pos) token.Pos {
	if start, ok := s[pos]; ok {
		return start
	}
	return pos
}

// newProgram returns the program of a cell. go/ssa needs a declaration of every object that the functions of the cell
// mention, also of objects of earlier cells and of packages, in a file of the object's *types.Package. Generic
// functions of earlier cells are declared with their bodies.
func newProgram(s *Session, src Source) *program {
	p := &program{
		s: s, src: src, codes: map[*ssa.Function]*code{},
		exprStarts: exprStarts{},
		declares:   map[types.Object]bool{}, instances: map[*function]*code{}, walked: map[types.Type]bool{},
	}
	p.prog = ssa.NewProgram(src.Fset, ssa.InstantiateGenerics|ssa.BareInits|ssa.BuildSerially)
	d := &declarer{
		p: p, files: map[*types.Package]*ast.File{},
		checked: map[*types.Package]*types.Info{}, infos: map[*types.Info]*types.Info{},
		declared: map[types.Object]bool{}, included: map[*types.Package]bool{}, walked: map[types.Type]bool{},
	}
	for _, decl := range src.File.Decls {
		skipRangeOperands(decl, src.Info)
		skipUnsafeOperands(decl, src.Info)
	}
	for _, decl := range src.File.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || src.Info.Defs[f.Name] == nil || f.Body == nil {
			continue
		}
		obj := src.Info.Defs[f.Name].(*types.Func)
		p.declares[obj] = true
		d.declare(obj, f, src.Info)
		if !isGeneric(obj) {
			p.decls = append(p.decls, f)
		}
	}
	for _, decl := range src.File.Decls {
		d.declareMentioned(decl, src.Info)
	}
	for _, tv := range src.Info.Types {
		d.declareMethods(tv.Type)
	}
	info := d.info(src.Info)
	if remake := p.remakeInstances(info, src.Pkg); remake != nil {
		d.declare(info.Defs[remake.Name], remake, src.Info)
		p.remake = remake
	}
	for pkg, f := range d.files {
		p.prog.CreatePackage(pkg, []*ast.File{f}, d.info(d.checked[pkg]), false)
	}
	return p
}

// skipRangeOperands replaces arrays and pointers to arrays in range clauses with at most one iteration variable by the
// length of the array. Go does not evaluate these operands, but go/ssa does.
func skipRangeOperands(decl ast.Decl, info *types.Info) {
	ast.Inspect(decl, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || info.TypeOf(loop.X) == nil || hasCall(loop.X, info) {
			return true
		}
		if loop.Value != nil && !isBlank(loop.Value) {
			return true
		}
		t := info.TypeOf(loop.X).Underlying()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem().Underlying()
		}
		if array, ok := t.(*types.Array); ok {
			n := array.Len()
			length := &ast.BasicLit{ValuePos: loop.X.Pos(), Kind: token.INT, Value: strconv.FormatInt(n, 10)}
			info.Types[length] = types.TypeAndValue{Type: types.Typ[types.Int], Value: constant.MakeInt64(n)}
			loop.X, loop.Value = length, nil
		}
		return true
	})
}

// skipUnsafeOperands replaces operands of unsafe.Sizeof, Alignof and Offsetof that depend on type parameters: Go does
// not evaluate them, but go/ssa does. The new operand is *new(T) for an operand of type T, or new(T).f for a field f of
// a T.
func skipUnsafeOperands(decl ast.Decl, info *types.Info) {
	ast.Inspect(decl, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || info.Types[call].Value != nil {
			return true
		}
		var fun *ast.Ident
		switch f := ast.Unparen(call.Fun).(type) {
		case *ast.Ident:
			fun = f
		case *ast.SelectorExpr:
			fun = f.Sel
		}
		if _, ok := info.Uses[fun].(*types.Builtin); !ok {
			return true
		}
		switch fun.Name {
		case "Sizeof", "Alignof":
			t := info.TypeOf(call.Args[0])
			zero := &ast.StarExpr{Star: call.Lparen, X: newOf(t, call.Lparen, info)}
			info.Types[zero] = types.TypeAndValue{Type: t}
			call.Args[0] = zero
		case "Offsetof":
			field := ast.Unparen(call.Args[0]).(*ast.SelectorExpr)
			t := info.TypeOf(field.X)
			if p, ok := t.Underlying().(*types.Pointer); ok {
				t = p.Elem()
			}
			field.X = newOf(t, call.Lparen, info)
		}
		return true
	})
}

// newOf returns the expression new(t). It evaluates the expression int to get the TypeAndValue of a type, since only
// go/types can set the mode of a TypeAndValue.
func newOf(t types.Type, pos token.Pos, info *types.Info) ast.Expr {
	isType, err := types.Eval(token.NewFileSet(), nil, token.NoPos, "int")
	if err != nil {
		panic(err)
	}
	isType.Type = t
	fun, arg := &ast.Ident{NamePos: pos, Name: "new"}, &ast.Ident{NamePos: pos, Name: "T"}
	call := &ast.CallExpr{Fun: fun, Lparen: pos, Args: []ast.Expr{arg}, Rparen: pos}
	info.Uses[fun] = types.Universe.Lookup("new")
	info.Types[arg] = isType
	info.Types[call] = types.TypeAndValue{Type: types.NewPointer(t)}
	return call
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// hasCall reports whether e contains function calls or channel receives. If so, Go evaluates e even if only the length
// is needed.
func hasCall(e ast.Expr, info *types.Info) (has bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			tv := info.Types[n]
			has = has || !info.Types[n.Fun].IsType() && tv.Value == nil
		case *ast.UnaryExpr:
			has = has || n.Op == token.ARROW
		case *ast.FuncLit:
			return false
		}
		return true
	})
	return has
}

// A declarer collects the declarations of a program.
type declarer struct {
	p        *program
	files    map[*types.Package]*ast.File
	checked  map[*types.Package]*types.Info // the results of type-checking each package
	infos    map[*types.Info]*types.Info    // for each of these, a copy to which declarations are added
	declared map[types.Object]bool
	included map[*types.Package]bool // packages whose generic functions are declared
	walked   map[types.Type]bool     // types whose methods are declared
}

// info returns a copy of info whose Defs, Uses and FileVersions the program may change.
func (d *declarer) info(info *types.Info) *types.Info {
	own := d.infos[info]
	if own == nil {
		copied := *info
		own = &copied
		own.InitOrder = nil
		own.FileVersions = map[*ast.File]string{}
		own.Defs, own.Uses = maps.Clone(info.Defs), maps.Clone(info.Uses)
		d.infos[info] = own
	}
	return own
}

// declare adds decl, a declaration of obj. info is the result of type-checking the declaration.
func (d *declarer) declare(obj types.Object, decl ast.Decl, info *types.Info) {
	pkg := obj.Pkg()
	f := d.files[pkg]
	if f == nil {
		f = &ast.File{Name: ast.NewIdent(pkg.Name())}
		d.files[pkg] = f
		d.checked[pkg] = info
		if g := d.p.s.generics[pkg]; g != nil {
			d.checked[pkg] = g.info
		}
	}
	d.info(d.checked[pkg]).FileVersions[f] = check.GoVersion
	d.declared[obj] = true
	f.Decls = append(f.Decls, decl)
}

// declareMentioned declares the objects that decl mentions.
func (d *declarer) declareMentioned(decl ast.Decl, info *types.Info) {
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			obj := info.Uses[n]
			if f, ok := obj.(*types.Func); ok {
				if own := d.p.genericOf(f); own != nil {
					d.info(info).Uses[n] = own
					obj = own
				}
			}
			d.declareBodyless(obj)
		case *ast.SelectorExpr:
			if sel := info.Selections[n]; sel != nil {
				d.declareMethods(sel.Recv())
				d.declareBodyless(sel.Obj())
			}
		case *ast.CallExpr:
			d.p.exprStarts[n.Lparen] = n.Pos()
		case *ast.TypeAssertExpr:
			d.p.exprStarts[n.Lparen] = n.Pos()
		}
		return true
	})
}

// genericOf returns the object of a generic function with a body that must replace fn in the program, or nil. For a
// function of the standard library, this is the function in stdFiles. For a function of an earlier cell, it is the
// object that the cell declared.
func (p *program) genericOf(fn *types.Func) *types.Func {
	if fn.Signature().TypeParams().Len() == 0 || p.declares[fn] {
		return nil
	}
	if check.IsCell(fn.Pkg()) {
		return p.s.genericFuncs[p.src.Engine(fn)]
	}
	return p.s.stdFunc(fn)
}

// declareMethods declares the methods of the generic types whose instances are t or a part of t.
func (d *declarer) declareMethods(t types.Type) {
	if t != nil {
		walkInstances(t, d.walked, func(n *types.Named) { d.declareGenerics(n.Obj().Pkg()) })
	}
}

// declareGenerics declares the generic functions and methods of pkg, the package of an earlier cell or of
// stdFiles.
func (d *declarer) declareGenerics(pkg *types.Package) {
	g := d.p.s.generics[pkg]
	if g == nil || d.included[pkg] {
		return
	}
	d.included[pkg] = true
	for _, decl := range g.decls {
		obj := g.info.Defs[decl.Name]
		if !d.declared[obj] {
			d.declare(obj, decl, g.info)
		}
	}
	for _, decl := range g.decls {
		d.declareMentioned(decl, g.info)
	}
}

// declareBodyless declares obj without a body or value, unless obj is declared already. If obj is generic, it declares
// all generic functions and methods of the package instead.
func (d *declarer) declareBodyless(obj types.Object) {
	if obj == nil || obj.Pkg() == nil || d.declared[obj] {
		return
	}
	id := &ast.Ident{Name: obj.Name()}
	var decl ast.Decl
	switch obj := obj.(type) {
	case *types.Var:
		if obj.IsField() || obj.Kind() != types.PackageVar {
			return
		}
		decl = &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{id}}}}
	case *types.Const:
		if obj.Parent() != obj.Pkg().Scope() {
			return
		}
		decl = &ast.GenDecl{Tok: token.CONST, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{id}}}}
	case *types.Func:
		if obj.Origin() != obj {
			d.declareBodyless(obj.Origin())
			return
		}
		if recv := obj.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			return
		}
		if isGeneric(obj) {
			if d.declareGenerics(obj.Pkg()); d.declared[obj] {
				return
			}
		}
		decl = &ast.FuncDecl{Name: id, Type: &ast.FuncType{}}
	case *types.TypeName:
		if named, ok := obj.Type().(*types.Named); ok && named.TypeParams().Len() > 0 {
			d.declareGenerics(obj.Pkg())
		}
		return
	default:
		return
	}
	d.declare(obj, decl, d.p.src.Info)
	d.info(d.checked[obj.Pkg()]).Defs[id] = obj
}

// want returns the code of fn. If fn is not compiled yet, compileWanted will compile it.
func (p *program) want(fn *ssa.Function) *code {
	c := p.codes[fn]
	if c == nil {
		c = p.s.newCode(p.runtimeName(fn))
		c.pos, c.entry, c.exprStarts = fn.Pos(), p.isEntry(fn), p.exprStarts
		c.isWrapper = strings.Contains(fn.Synthetic, "wrapper") || strings.Contains(fn.Synthetic, "thunk")
		p.codes[fn] = c
		p.todo = append(p.todo, fn)
	}
	return c
}

// compileWanted compiles the functions passed to want, also those that are passed while it compiles others.
func (p *program) compileWanted() {
	for len(p.todo) > 0 {
		fn := p.todo[0]
		p.todo = p.todo[1:]
		b := &builder{s: p.s, p: p, fn: fn, code: p.codes[fn], types: map[types.Type]reflect.Type{}}
		p.s.building = fn
		b.function()
	}
	p.s.building = nil
}

// An Error describes a construct that cells do not support.
type Error struct {
	Pos token.Pos
	Msg string
}

func (e *Error) Error() string { return e.Msg }

// fail panics with an *Error at the position of the current instruction.
func (b *builder) fail(format string, args ...any) {
	panic(&Error{b.p.exprStarts.of(b.pos), fmt.Sprintf(format, args...)})
}
