package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/check"
)

// generics holds the generic functions, and the methods of generic types, of a cell or of a package in stdFiles. They
// are compiled when a cell uses them, for the type arguments in that cell.
type generics struct {
	info  *types.Info
	decls []*ast.FuncDecl
}

// addGenerics adds the generic functions and methods among decls to s. engine returns the engine name of a function;
// it is nil for stdFiles.
func (s *Session) addGenerics(info *types.Info, decls []ast.Decl, engine func(types.Object) string) {
	for _, decl := range decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Body == nil {
			continue
		}
		fn, ok := info.Defs[d.Name].(*types.Func)
		if !ok || !isGeneric(fn) {
			continue
		}
		g := s.generics[fn.Pkg()]
		if g == nil {
			g = &generics{info: info}
			s.generics[fn.Pkg()] = g
		}
		g.decls = append(g.decls, d)
		if engine != nil && fn.Signature().Recv() == nil {
			s.genericFuncs[engine(fn)] = fn
		}
	}
}

// isGeneric reports whether fn, or the type that it is a method of, has type parameters.
func isGeneric(fn *types.Func) bool {
	sig := fn.Signature()
	return sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0
}

// walkInstances calls visit with each instance of a generic type of a cell that is t or a part of t. seen has the types
// already visited.
func walkInstances(t types.Type, seen map[types.Type]bool, visit func(*types.Named)) {
	t = types.Unalias(t)
	if seen[t] {
		return
	}
	seen[t] = true
	walk := func(t types.Type) { walkInstances(t, seen, visit) }
	switch t := t.(type) {
	case *types.Named:
		if t.Obj().Pkg() != nil && check.IsCell(t.Obj().Pkg()) {
			if t.TypeArgs().Len() > 0 {
				visit(t)
			}
			walk(t.Underlying())
		}
		for a := range t.TypeArgs().Types() {
			walk(a)
		}
	case *types.Struct:
		for v := range t.Fields() {
			walk(v.Type())
		}
	case *types.Tuple:
		for v := range t.Variables() {
			walk(v.Type())
		}
	case *types.Map:
		walk(t.Key())
		walk(t.Elem())
	case *types.Signature:
		walk(t.Params())
		walk(t.Results())
	case interface{ Elem() types.Type }:
		walk(t.Elem())
	}
}

// originOf returns the generic function of which fn is an instance, or nil.
func originOf(fn *ssa.Function) *types.Func {
	o := fn.Origin()
	if o == nil || fn.Parent() != nil {
		return nil
	}
	obj, _ := o.Object().(*types.Func)
	return obj
}

// instanceName returns the engine name of an instance of a generic function of cells.
func (b *builder) instanceName(fn *ssa.Function) string {
	var name strings.Builder
	name.WriteString(b.p.src.Engine(originOf(fn)))
	if name.Len() == 0 {
		b.fail("%s has no engine name", fn)
	}
	for _, t := range fn.TypeArgs() {
		name.WriteString("[" + b.s.Table.Key(t) + "]")
	}
	return name.String()
}

// wantInstance compiles fn, an instance of a generic function or method of cells, to the code of f. It does nothing if
// an earlier cell has compiled the instance and this cell does not redeclare the function.
func (b *builder) wantInstance(fn *ssa.Function, f *function) {
	p := b.p
	origin := originOf(fn)
	if p.instances[f] != nil || f.code.Load() != nil && !p.declares[origin] {
		return
	}
	c := p.want(fn)
	p.instances[f] = c
	if recv := fn.Signature.Recv(); recv != nil {
		named, hasPointer := namedOf(recv.Type())
		p.bound = append(p.bound, boundMethod{named, fn.Name(), c, hasPointer})
		return
	}
	if f.targs == nil {
		name := p.src.Engine(origin)
		p.setup = append(p.setup, func() {
			f.targs = fn.TypeArgs()
			p.s.instances[name] = append(p.s.instances[name], f)
		})
	}
}

// remakeInstances finds the instances that earlier cells use of generic functions that this cell redeclares. It returns
// the declaration of a function whose results are these instances, so that go/ssa makes them again, or nil if there are
// none. It adds the identifiers of the declaration to info.
func (p *program) remakeInstances(info *types.Info, pkg *types.Package) *ast.FuncDecl {
	var list []ast.Expr
	var results []*types.Var
	fields := &ast.FieldList{}
	for _, decl := range p.src.File.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		obj, ok := p.src.Info.Defs[d.Name].(*types.Func)
		if !ok || obj.Signature().TypeParams().Len() == 0 {
			continue
		}
		for _, f := range p.s.instances[p.src.Engine(obj)] {
			inst, _ := types.Instantiate(nil, obj.Signature(), f.targs, false) // without validation, there is no error
			id := &ast.Ident{NamePos: d.Pos(), Name: obj.Name()}
			info.Uses[id] = obj
			info.Instances[id] = types.Instance{TypeArgs: typeList(f.targs), Type: inst}
			info.Types[id] = types.TypeAndValue{Type: inst}
			list = append(list, id)
			results = append(results, types.NewParam(d.Pos(), pkg, "", inst))
			fields.List = append(fields.List, &ast.Field{Type: id})
		}
	}
	if len(list) == 0 {
		return nil
	}
	body := &ast.BlockStmt{List: []ast.Stmt{&ast.ReturnStmt{Results: list}}}
	typ := &ast.FuncType{Params: &ast.FieldList{}, Results: fields}
	decl := &ast.FuncDecl{Name: ast.NewIdent("ꓸinstances"), Type: typ, Body: body}
	sig := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(results...), false)
	info.Defs[decl.Name] = types.NewFunc(token.NoPos, pkg, decl.Name.Name, sig)
	return decl
}

// wantRemadeInstances asks for the code of the instances that p.remake returns.
func (p *program) wantRemadeInstances() {
	if p.remake == nil {
		return
	}
	b := &builder{s: p.s, p: p}
	for _, block := range p.prog.Package(p.src.Pkg).Func(p.remake.Name.Name).Blocks {
		for _, in := range block.Instrs {
			if ret, ok := in.(*ssa.Return); ok {
				for _, v := range ret.Results {
					b.cellFunction(v.(*ssa.Function))
				}
			}
		}
	}
}

// typeList returns list as a *types.TypeList. Since go/types has no constructor, typeList instantiates a generic type
// and returns its type arguments.
func typeList(list []types.Type) *types.TypeList {
	var params []*types.TypeParam
	for range list {
		name := types.NewTypeName(token.NoPos, nil, "T", nil)
		params = append(params, types.NewTypeParam(name, types.Universe.Lookup("any").Type()))
	}
	named := types.NewNamed(types.NewTypeName(token.NoPos, nil, "L", nil), types.NewStruct(nil, nil), nil)
	named.SetTypeParams(params)
	inst, err := types.Instantiate(nil, named, list, false)
	if err != nil {
		panic(err)
	}
	return inst.(*types.Named).TypeArgs()
}

// compileMethodsOf compiles all methods of the instances of generic types that are t or a part of t. Values of type t
// are converted to interfaces, through which any of the methods may be called.
func (b *builder) compileMethodsOf(t types.Type) {
	walkInstances(t, b.p.walked, func(n *types.Named) {
		if types.IsInterface(n) {
			return
		}
		for _, recv := range []types.Type{n, types.NewPointer(n)} {
			set := b.p.prog.MethodSets.MethodSet(recv)
			for sel := range set.Methods() {
				if len(sel.Index()) > 1 {
					continue
				}
				fn := b.p.prog.MethodValue(sel)
				if fn == nil || originOf(fn) == nil {
					continue // a wrapper for pointers
				}
				b.cellFunction(fn)
			}
		}
	})
}

// numberLocalTypes numbers the types that are declared in the functions of a cell, from 1, in source order.
func (s *Session) numberLocalTypes(file *ast.File) {
	var found []token.Pos
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && !spec.Assign.IsValid() {
				found = append(found, spec.Name.Pos())
			}
			return true
		})
	}
	slices.Sort(found)
	for i, pos := range found {
		s.localTypes[pos] = i + 1
	}
}

// localType is the Local function of s.Table. For each instance of a generic function, go/ssa makes new objects for the
// types that the function declares. They have the positions of the original objects, and localType finds the number of
// a type by its position.
func (s *Session) localType(obj *types.TypeName) (number int, funcArgs []types.Type) {
	number = s.localTypes[obj.Pos()]
	fn := s.building
	for fn != nil && fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn == nil || fn.Syntax() == nil || obj.Pos() < fn.Syntax().Pos() || fn.Syntax().End() < obj.Pos() {
		return number, nil
	}
	return number, fn.TypeArgs()
}
