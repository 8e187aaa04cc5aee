package compile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/check"
)

// generics holds the generic functions and the methods of generic types that a package declares. They are
// compiled for the type arguments of each cell that uses them.
type generics struct {
	info  *types.Info
	decls []*ast.FuncDecl
}

// addGenerics records the generic functions and methods among decls. engine returns the engine names of
// functions; it is nil for the standard library.
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

// walkInstances visits the instances of generic types of cells that t is made of.
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

// originOf returns the generic function that fn is an instance of, or nil.
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
		b.cannot("%s has no name", fn)
	}
	for _, t := range fn.TypeArgs() {
		name.WriteString("[" + b.s.Table.Key(t) + "]")
	}
	return name.String()
}

// wantInstance compiles fn, an instance of a generic function or method of cells, to be the code of f. It does
// nothing if an earlier cell has compiled the instance and this cell does not redeclare the function.
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
		p.start = append(p.start, func() {
			f.targs = fn.TypeArgs()
			p.s.instances[name] = append(p.s.instances[name], f)
		})
	}
}

// remakeInstances finds the instances, used by earlier cells, of the generic functions that this cell
// redeclares. It returns the declaration of a function that returns them, so that go/ssa makes them again, or
// nil if there are none. It records the identifiers of the declaration in info.
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
			inst, err := types.Instantiate(nil, obj.Signature(), f.targs, false)
			if err != nil {
				continue
			}
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
	decl := &ast.FuncDecl{Name: ast.NewIdent("ꓸinstances"), Type: &ast.FuncType{Params: &ast.FieldList{}, Results: fields}, Body: body}
	sig := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(results...), false)
	info.Defs[decl.Name] = types.NewFunc(token.NoPos, pkg, decl.Name.Name, sig)
	return decl
}

// wantRemade compiles the instances that p.remake returns.
func (p *program) wantRemade() {
	if p.remake == nil {
		return
	}
	b := &builder{s: p.s, p: p}
	for _, block := range p.prog.Package(p.src.Pkg).Func(p.remake.Name.Name).Blocks {
		for _, in := range block.Instrs {
			if ret, ok := in.(*ssa.Return); ok {
				for _, v := range ret.Results {
					b.lateFunction(v.(*ssa.Function))
				}
			}
		}
	}
}

// typeList returns list as a *types.TypeList. go/types has no constructor for these: they exist only as the
// type arguments of a type.
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

// methodsOf compiles all methods of the instances of generic types that t is made of. Values of type t are
// converted to interfaces, through which any of the methods may be called.
func (b *builder) methodsOf(t types.Type) {
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
				b.lateFunction(fn)
			}
		}
	})
}

// pointerWrapper returns the code of a method with a pointer receiver that calls c, the same method with a
// value receiver. ifNil is the text of the panic if the pointer is nil.
func (s *Session) pointerWrapper(c *code, ifNil string) *code {
	in := []reflect.Type{reflect.PointerTo(c.fn.In(0))}
	for i := 1; i < c.fn.NumIn(); i++ {
		in = append(in, c.fn.In(i))
	}
	var out []reflect.Type
	for i := range c.fn.NumOut() {
		out = append(out, c.fn.Out(i))
	}
	to := &target{deref: true, ifNil: ifNil}
	wrapper := s.callingCode(reflect.FuncOf(in, out, c.fn.IsVariadic()), func(fr *frame, args, results []*register) {
		fr.callMethod(c, to, *at[unsafe.Pointer](unsafe.Pointer(fr), args[0].at), args[1:], results)
	})
	wrapper.isWrapper = true
	return wrapper
}

// callingCode returns the code of a function of type t that only passes its parameters to call.
func (s *Session) callingCode(t reflect.Type, call caller) *code {
	l := &layout{}
	c := s.newCode(t.String())
	var params, results []*register
	for i := range t.NumIn() {
		params = append(params, l.add(t.In(i), false))
	}
	for i := range t.NumOut() {
		results = append(results, l.add(t.Out(i), false))
	}
	l.place(c)
	c.params, c.results, c.fn = values(params), values(results), t
	c.first = &block{
		next: func(unsafe.Pointer) *block { return nil },
		ops:  []op{func(p unsafe.Pointer) { call((*frame)(p), params, results) }},
	}
	return c
}

// A boundMethod is a method that compiled packages can call.
type boundMethod struct {
	named      *types.Named
	name       string
	code       *code
	hasPointer bool // the receiver is a pointer
}

// bind makes c the body of a method when packages call it.
func (s *Session) bind(named *types.Named, name string, c *code, hasPointer bool) {
	if !hasPointer {
		c = s.pointerWrapper(c, nilReceiverText(s.typeName(named), name))
	}
	s.Table.Bind(named, name, s.goFunction(c).Interface())
}

// twin returns the generic function of a compiled package that fn is an instance of, and its twin, the
// function that is called instead. The twin is invalid if there is none. The twin of
//
//	func G[T, U any](x X, f func(T) U) R
//
// is declared func GAny(x X, f any) any: every parameter and result whose type mentions a type parameter
// becomes any (a variadic ...T becomes ...any). For each type parameter that the types of the parameters do not
// mention, the twin has a reflect.Type before the other parameters.
func (b *builder) twin(fn *ssa.Function) (generic *types.Func, twin reflect.Value) {
	generic = originOf(fn)
	if generic == nil || generic.Pkg() == nil || check.IsCell(generic.Pkg()) || generic.Signature().Recv() != nil {
		return nil, reflect.Value{}
	}
	return generic, b.s.Hooks.Symbols(generic.Pkg().Path())[generic.Name()+"Any"]
}

// twinCaller returns the caller of fn, an instance of generic, by the twin.
func (b *builder) twinCaller(fn *ssa.Function, generic *types.Func, twin reflect.Value) caller {
	var leading []reflect.Value // the arguments that are types
	for i := range generic.Signature().TypeParams().Len() {
		if !tupleMentions(generic.Signature().Params(), generic.Signature().TypeParams().At(i)) {
			leading = append(leading, reflect.ValueOf(b.outerType(fn.TypeArgs()[i])))
		}
	}
	sig, t := fn.Signature, twin.Type()
	var boxes []func(p unsafe.Pointer) reflect.Value // for each parameter, returns the argument at p
	for i := range sig.Params().Len() {
		v := sig.Params().At(i).Type()
		to := t.In(i + len(leading))
		switch last := sig.Variadic() && i == sig.Params().Len()-1; {
		case !mentionsParam(generic.Signature().Params().At(i).Type(), nil, map[types.Type]bool{}):
			from := b.inner(v)
			b.checkLayout(from, to, 0)
			boxes = append(boxes, func(p unsafe.Pointer) reflect.Value { return reflect.NewAt(to, p).Elem() })
		case last:
			elem := v.Underlying().(*types.Slice).Elem()
			box, size := b.boxer(elem), b.inner(elem).Size()
			boxes = append(boxes, func(p unsafe.Pointer) reflect.Value {
				s := *(*slice)(p)
				list := make([]any, s.len)
				for i := range list {
					list[i] = box(unsafe.Add(s.data, uintptr(i)*size))
				}
				return reflect.ValueOf(list)
			})
		default:
			box := b.boxer(v)
			boxes = append(boxes, func(p unsafe.Pointer) reflect.Value {
				x := box(p)
				return reflect.ValueOf(&x).Elem()
			})
		}
	}
	var sets []func(v reflect.Value, p unsafe.Pointer) // for each result, stores v at p
	for i := range sig.Results().Len() {
		v := sig.Results().At(i).Type()
		from := t.Out(i)
		if !mentionsParam(generic.Signature().Results().At(i).Type(), nil, map[types.Type]bool{}) {
			sets = append(sets, func(v reflect.Value, p unsafe.Pointer) { reflect.NewAt(from, p).Elem().Set(v) })
			continue
		}
		assert, rt := b.asserter(v), b.inner(v)
		sets = append(sets, func(v reflect.Value, p unsafe.Pointer) {
			if x := v.Interface(); !assert(x, p) && x != nil {
				panic(fmt.Sprintf("a result of type %T where %v is expected", x, rt))
			}
		})
	}
	return func(fr *frame, args, results []*register) {
		in := append([]reflect.Value(nil), leading...)
		for i, a := range args {
			p := newObject(a.desc)
			move(a.how, a.desc, p, unsafe.Add(unsafe.Pointer(fr), a.at))
			in = append(in, boxes[i](p))
		}
		var out []reflect.Value
		if sig.Variadic() {
			out = twin.CallSlice(in)
		} else {
			out = twin.Call(in)
		}
		for i, r := range results {
			p := newObject(r.desc)
			sets[i](out[i], p)
			move(r.how, r.desc, unsafe.Add(unsafe.Pointer(fr), r.at), p)
		}
	}
}

// outerType returns the run-time type of t as compiled packages see it.
func (b *builder) outerType(t types.Type) reflect.Type {
	r, err := b.s.Table.Outer(t)
	if err != nil {
		b.cannot("%v", err)
	}
	return r
}

// boxer returns the function that puts the value of type t at p into an interface.
func (b *builder) boxer(t types.Type) func(p unsafe.Pointer) any {
	inner := b.inner(t)
	if types.IsInterface(t) {
		return anyOf(inner)
	}
	word, desc := b.outer(t), descriptor(inner)
	isDirect := direct(inner)
	return func(p unsafe.Pointer) any {
		i := iface{word: word()}
		if isDirect {
			i.data = *(*unsafe.Pointer)(p)
		} else {
			i.data = newObject(desc)
			typedMove(desc, i.data, p)
		}
		return *(*any)(unsafe.Pointer(&i))
	}
}

// asserter returns the function that stores v's value at p and returns true if v is a t.
func (b *builder) asserter(t types.Type) func(v any, p unsafe.Pointer) bool {
	if types.IsInterface(t) {
		return b.toInterface(b.row(t), t)
	}
	return b.toConcrete(b.row(t), t)
}

// tupleMentions reports whether the type of a variable of t mentions param.
func tupleMentions(t *types.Tuple, param *types.TypeParam) bool {
	for v := range t.Variables() {
		if mentionsParam(v.Type(), param, map[types.Type]bool{}) {
			return true
		}
	}
	return false
}

// mentionsParam reports whether t mentions param, or any type parameter if param is nil.
func mentionsParam(t types.Type, param *types.TypeParam, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	has := func(t types.Type) bool { return mentionsParam(t, param, seen) }
	tuple := func(t *types.Tuple) bool {
		for v := range t.Variables() {
			if has(v.Type()) {
				return true
			}
		}
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return param == nil || t == param
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if has(a) {
				return true
			}
		}
	case *types.Map:
		return has(t.Key()) || has(t.Elem())
	case *types.Signature:
		return tuple(t.Params()) || tuple(t.Results())
	case *types.Struct:
		for v := range t.Fields() {
			if has(v.Type()) {
				return true
			}
		}
	case interface{ Elem() types.Type }:
		return has(t.Elem())
	}
	return false
}

// numberLocalTypes numbers the types that the functions of a cell declare, in the order of the source, from 1.
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

// localType is the session's Table.Local. For each instance of a generic function, go/ssa makes new objects for
// the types that the function declares; they have the same positions.
func (s *Session) localType(obj *types.TypeName) (number int, outer []types.Type) {
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
