package lower

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/explain"
	"github.com/goanvil/notebook/interp/tensor"
)

// A lateMethod is a method that a cell declares on a type of an earlier cell. go/types does not support this,
// so the method is checked as a function that has the receiver as its first parameter.
type lateMethod struct {
	method   *ast.FuncDecl // as the author wrote it
	function *ast.FuncDecl // the function that replaces the method in the file
	typ      *check.Object // the type that the method is declared on
	added    *types.Func   // the method of the type; nil before addLateMethod
}

// findLateMethods replaces the declarations of late methods by functions.
func (c *Cell) findLateMethods() error {
	own, aliases := check.DeclaredNames(c.File), ownAliases(c.File)
	for i, decl := range c.File.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Recv == nil {
			continue
		}
		name := cell.ReceiverType(f)
		for range aliases { // an alias may denote another alias
			if aliased, ok := aliases[name]; ok {
				name = aliased
			}
		}
		base := c.Env.Lookup(name)
		if base == nil || own[name] {
			continue
		}
		if t, ok := base.Object.(*types.TypeName); ok && t.IsAlias() {
			if base = c.unaliased(t); base == nil { // go/types would panic when it checks the method
				aliased := explain.TypeName(types.Unalias(t.Type()))
				return c.Errorf(f.Name, "%s is another name of %s, on which a cell cannot declare methods; "+
					"declare a new type: type %s %s", name, aliased, name, aliased)
			}
		}
		named, ok := base.Type().(*types.Named)
		if !ok {
			continue // go/types reports the error
		}
		switch named.Underlying().(type) {
		case *types.Pointer, *types.Interface:
			return c.Errorf(f.Recv.List[0].Type, "invalid receiver type %s (pointer or interface type)", name)
		}
		if named.TypeParams().Len() > 0 {
			return c.Errorf(f.Name, "a generic type and its methods must be declared in one cell; declare %s again here", name)
		}
		if c.anyLate(func(l *lateMethod) bool {
			return l.typ == base && l.method.Name.Name == f.Name.Name && f.Name.Name != "_"
		}) {
			return c.Errorf(f.Name, "this cell declares %s.%s twice", name, f.Name.Name)
		}
		late := &lateMethod{method: f, typ: base}
		late.function = &ast.FuncDecl{
			Name: cell.Ident(f.Name.Pos(), name+check.Mark+f.Name.Name),
			Type: &ast.FuncType{Func: f.Type.Func, Results: f.Type.Results, Params: &ast.FieldList{
				Opening: f.Type.Params.Opening, Closing: f.Type.Params.Closing,
				List: withNames(append(f.Recv.List[:1:1], f.Type.Params.List...)),
			}},
			Body: f.Body,
		}
		c.File.Decls[i] = late.function
		c.lateMethods = append(c.lateMethods, late)
	}
	return nil
}

// ownAliases maps the aliases that file declares of named types, or of pointers to these, to the names of the types.
func ownAliases(file *ast.File) map[string]string {
	aliases := map[string]string{}
	for spec := range check.TypeSpecs(file) {
		if !spec.Assign.IsValid() {
			continue
		}
		t := ast.Unparen(spec.Type)
		if star, ok := t.(*ast.StarExpr); ok {
			t = ast.Unparen(star.X)
		}
		if id, ok := t.(*ast.Ident); ok {
			aliases[spec.Name.Name] = id.Name
		}
	}
	return aliases
}

// unaliased returns the type of an earlier cell that alias denotes, directly or as the element of a pointer type. It
// returns nil if alias denotes another type.
func (c *Cell) unaliased(alias *types.TypeName) *check.Object {
	t := types.Unalias(alias.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok && named.TypeArgs().Len() == 0 {
		if base := c.Env.Lookup(named.Obj().Name()); base != nil && base.Object == named.Obj() {
			return base
		}
	}
	return nil
}

// withNames returns list with unnamed parameters named _, because Go requires that all parameters have names or none.
func withNames(list []*ast.Field) []*ast.Field {
	all := make([]*ast.Field, len(list))
	for i, f := range list {
		if len(f.Names) == 0 {
			f = &ast.Field{Names: []*ast.Ident{cell.Ident(f.Type.Pos(), "_")}, Type: f.Type}
		}
		all[i] = f
	}
	return all
}

// addLateMethods adds the late methods to their types if every error in checked may be due to absent late methods.
// Otherwise it removes such errors from checked, and adds only the methods that hide promoted methods. If added is
// true, the cell must be checked again. go/types cannot remove a method from its type: if the cell fails later, the
// environment marks the method as unusable.
func (c *Cell) addLateMethods(checked *check.Checked) (added bool, err error) {
	others := slices.DeleteFunc(slices.Clone(checked.Errors), c.maybeMissing)
	hasOthers := len(others) > 0
	if hasOthers {
		checked.Errors = others
	}
	for _, late := range c.lateMethods {
		if late.added != nil || hasOthers && !late.hides() {
			continue
		}
		fresh, err := c.addLateMethod(late)
		if err != nil {
			return false, err
		}
		added = added || fresh
	}
	return added, nil
}

// hides reports whether the method hides a method that an embedded field promotes.
func (late *lateMethod) hides() bool {
	named := late.typ.Type().(*types.Named)
	_, path, _ := types.LookupFieldOrMethod(types.NewPointer(named), false, named.Obj().Pkg(), late.method.Name.Name)
	return len(path) > 1
}

// maybeMissing reports whether the error e may be due to a late method that has not been added yet.
func (c *Cell) maybeMissing(e types.Error) bool {
	switch check.CodeOf(e) {
	case "MissingFieldOrMethod", "InvalidIfaceAssign", "ImpossibleAssert", "InvalidTypeArg", "CannotInferTypeArgs",
		"InvalidConversion":
		return c.anyLate(func(late *lateMethod) bool { return mentions(e.Msg, late.method.Name.Name) })
	case "MismatchedTypes": // a comparison with an interface that the methods implement
		return c.anyLate(func(late *lateMethod) bool { return mentions(e.Msg, late.typ.Name()) })
	case "WrongArgCount": // of a call whose argument is a call of a method
		return c.anyLate(func(*lateMethod) bool { return true }) && strings.Contains(e.Msg, "have (unknown type)")
	}
	return false
}

// mentions reports whether text has name as a word.
func mentions(text, name string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), name)
}

// anyLate reports whether f returns true for a late method that has not been added yet.
func (c *Cell) anyLate(f func(*lateMethod) bool) bool {
	return slices.ContainsFunc(c.lateMethods, func(late *lateMethod) bool { return late.added == nil && f(late) })
}

// addLateMethod adds a late method to its type. It returns false if the type has an identical method already, or if the
// declaration has errors.
func (c *Cell) addLateMethod(late *lateMethod) (fresh bool, err error) {
	fn, ok := c.Info.Defs[late.function.Name].(*types.Func)
	if !ok {
		return false, nil
	}
	named := late.typ.Type().(*types.Named)
	name := late.method.Name.Name
	sig := fn.Signature()
	params := make([]*types.Var, 0, sig.Params().Len()-1)
	for i := 1; i < sig.Params().Len(); i++ {
		params = append(params, sig.Params().At(i))
	}
	receiver := sig.Params().At(0)
	recvType := types.Type(named) // and not the receiver's type, which may be an alias
	if _, ok := types.Unalias(receiver.Type()).(*types.Pointer); ok {
		recvType = types.NewPointer(named)
	}
	receiver = types.NewParam(receiver.Pos(), receiver.Pkg(), receiver.Name(), recvType)
	method := types.NewSignatureType(receiver, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
	late.added = types.NewFunc(late.method.Name.Pos(), named.Obj().Pkg(), name, method)
	old, path, _ := types.LookupFieldOrMethod(types.NewPointer(named), false, named.Obj().Pkg(), name)
	if old != nil && len(path) == 1 { // not promoted from an embedded field
		m, ok := old.(*types.Func)
		if ok && types.Identical(m.Type(), method) && types.Identical(m.Signature().Recv().Type(), method.Recv().Type()) {
			late.added = m
			return false, nil
		}
		as := "as " + explain.TypeName(old.Type())
		if ok && types.Identical(m.Type(), method) {
			as = "with the receiver " + explain.TypeName(m.Signature().Recv().Type())
		}
		return false, c.Errorf(late.method.Name, "%s.%s is declared already, %s; declare the type again to change it",
			named.Obj().Name(), name, as)
	}
	if c.mentionsOwn(method) {
		return false, c.Errorf(late.method.Name, "a method on a type of an earlier cell cannot mention types that this "+
			"cell declares; declare these types in a cell of their own first")
	}
	named.AddMethod(late.added)
	c.Env.AddPending(late.added)
	return true, nil
}

// mentionsOwn reports whether t mentions a type that this cell declares.
func (c *Cell) mentionsOwn(t types.Type) (found bool) {
	types.TypeString(t, func(p *types.Package) string {
		found = found || p == c.Pkg
		return ""
	})
	return found
}

// checkUnusable returns an error if the cell uses a method that was added for a cell that failed.
func (c *Cell) checkUnusable() error {
	for sel, s := range c.Info.Selections {
		m, ok := s.Obj().(*types.Func)
		if ok && c.Env.IsPending(m) && !c.declaresLate(m) {
			return c.Errorf(sel.Sel, "%s.%s undefined (type %s has no field or method %s)",
				types.ExprString(sel.X), m.Name(), explain.TypeName(s.Recv()), m.Name())
		}
	}
	return nil
}

// declaresLate reports whether m is one of the cell's late methods.
func (c *Cell) declaresLate(m *types.Func) bool {
	for _, late := range c.lateMethods {
		if late.method.Name.Name == m.Name() && late.typ.Type().(*types.Named) == tensor.ReceiverType(m) {
			return true
		}
	}
	return false
}

// lateNames returns the engine names of the late methods, by the functions that replace them.
func (c *Cell) lateNames() map[*ast.FuncDecl]string {
	names := map[*ast.FuncDecl]string{}
	for _, late := range c.lateMethods {
		names[late.function] = late.typ.Engine + "." + late.method.Name.Name
	}
	return names
}
