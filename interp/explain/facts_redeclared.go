package explain

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"

	"github.com/goanvil/notebook/interp/check"
)

// The methods in this file return the facts about types that cells have declared again. phrases.txt describes them.

// redeclared returns the name of two different types that cells have declared under the same name: the type of x and
// the wanted type, or the types of the operands of a binary expression, or the elements, parameters, results or type
// arguments in which these types differ.
func (m *mistake) redeclared() []string {
	a, b := m.want, m.typeOf(m.x)
	if e := m.binary(); a == nil && e != nil {
		a, b = m.typeOf(e.X), m.typeOf(e.Y)
	}
	if a == nil || b == nil {
		return nil
	}
	if named := namesake(a, b); named != nil {
		return []string{m.typeWords(named)[0]}
	}
	return nil
}

// namesake returns a type that cells have declared and that occurs in a where b has another type of the same name. It
// returns nil if there is no such type.
func namesake(a, b types.Type) types.Type {
	a, b = types.Unalias(a), types.Unalias(b)
	if types.Identical(a, b) || reflect.TypeOf(a) != reflect.TypeOf(b) {
		return nil
	}
	named, ok := a.(*types.Named)
	if ok && check.IsCell(named.Obj().Pkg()) && TypeName(a) == TypeName(b) && named.Origin() != b.(*types.Named).Origin() {
		return named
	}
	others := parts(b)
	for i, part := range parts(a) {
		if i < len(others) {
			if t := namesake(part, others[i]); t != nil {
				return t
			}
		}
	}
	return nil
}

// parts returns the types in t: its elements, its parameters and results, or its type arguments.
func parts(t types.Type) []types.Type {
	switch t := t.(type) {
	case *types.Named:
		return slices.Collect(t.TypeArgs().Types())
	case *types.Map:
		return []types.Type{t.Key(), t.Elem()}
	case interface{ Elem() types.Type }: // a pointer, slice, array or channel
		return []types.Type{t.Elem()}
	case *types.Signature:
		return slices.Concat(parts(t.Params()), parts(t.Results()))
	case *types.Tuple:
		var list []types.Type
		for v := range t.Variables() {
			list = append(list, v.Type())
		}
		return list
	}
	return nil
}

// outdated returns the name of a type that a later cell has declared again, if the error would not occur with the later
// type: the wanted type, or the type of the value from which x selects a field or method.
func (m *mistake) outdated() []string {
	want := m.want
	sel, isSelector := m.x.(*ast.SelectorExpr)
	if m.code == "MissingFieldOrMethod" && isSelector {
		want = m.typeOf(sel.X)
		if p, ok := underlying(want).(*types.Pointer); ok {
			want = p.Elem()
		}
	}
	named, ok := types.Unalias(want).(*types.Named)
	if !ok || m.Env.Of(named.Obj()) == nil {
		return nil
	}
	name := named.Obj().Name()
	later := m.Pkg.Scope().Lookup(name)
	if o := m.Env.Lookup(name); later == nil && o != nil {
		later = o.Object
	}
	if _, isType := later.(*types.TypeName); !isType || later == named.Obj() {
		return nil
	}
	if m.code == "MissingFieldOrMethod" {
		if member, _, _ := types.LookupFieldOrMethod(later.Type(), true, m.Pkg, sel.Sel.Name); member == nil {
			return nil
		}
	} else if x := m.typeOf(m.x); x == nil || !types.AssignableTo(x, later.Type()) {
		return nil
	}
	return []string{name}
}
