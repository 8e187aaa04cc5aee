package complete

import (
	"go/ast"
	"go/types"
	"strings"
)

// members returns the matches after the dot before the cursor.
func (s *Session) members(f *fragment) []Match {
	if len(f.path) < 2 {
		return nil
	}
	sel, ok := f.path[1].(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if pkg := importedBy(f, sel.X); pkg != nil {
		return s.packageMembers(pkg)
	}
	t := f.Info.TypeOf(sel.X)
	if !valid(t) {
		return nil
	}
	return sorted(s.typeMembers(t))
}

// importedBy returns the package that x denotes, or nil.
func importedBy(f *fragment, x ast.Expr) *types.Package {
	id, ok := x.(*ast.Ident)
	if !ok {
		return nil
	}
	name, ok := f.Info.ObjectOf(id).(*types.PkgName)
	if !ok {
		return nil
	}
	return name.Imported()
}

// packageMembers returns the exported names of pkg, except twins and hidden names.
func (s *Session) packageMembers(pkg *types.Package) []Match {
	var all []Match
	for _, name := range pkg.Scope().Names() {
		if o := pkg.Scope().Lookup(name); o.Exported() && !isTwin(pkg, name) && (s.Hidden == nil || !s.Hidden(o)) {
			all = append(all, s.matchOf(o))
		}
	}
	return all
}

// isTwin reports whether name is the non-generic twin of a generic function: FAny is the twin of F. Only package
// compile calls twins; see compile/twin.go.
func isTwin(pkg *types.Package, name string) bool {
	base, ok := strings.CutSuffix(name, "Any")
	if !ok {
		return false
	}
	f, ok := pkg.Scope().Lookup(base).(*types.Func)
	return ok && f.Signature().TypeParams().Len() > 0
}

// typeMembers returns the fields and methods of a value of type t, including promoted ones.
func (s *Session) typeMembers(t types.Type) []Match {
	var all []Match
	seen := map[string]bool{}
	add := func(o types.Object) {
		if accessible(o) && !seen[o.Name()] {
			seen[o.Name()] = true
			all = append(all, s.matchOf(o))
		}
	}
	structFields(t, add, map[types.Type]bool{})
	methods := types.NewMethodSet(t)
	if _, ptr := t.Underlying().(*types.Pointer); !ptr && !types.IsInterface(t) {
		methods = types.NewMethodSet(types.NewPointer(t)) // variables are addressable
	}
	for m := range methods.Methods() {
		add(m.Obj())
	}
	return all
}

// structFields calls add for each field of a struct, including promoted fields. Fields precede
// the fields that are promoted from them.
func structFields(t types.Type, add func(types.Object), seen map[types.Type]bool) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || seen[t] {
		return
	}
	seen[t] = true
	for field := range st.Fields() {
		add(field)
	}
	for field := range st.Fields() {
		if field.Embedded() {
			structFields(field.Type(), add, seen)
		}
	}
}
