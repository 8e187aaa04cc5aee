package complete

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// names returns the names that an identifier at the cursor could be: the names of the cell, from
// the innermost scope outwards, then those of the session, of packages, and of Go.
func (s *Session) names(f *fragment) []Match {
	var all []Match
	for scope := f.Pkg.Scope().Innermost(f.at); scope != nil && scope != f.Pkg.Scope(); scope = scope.Parent() {
		all = append(all, s.scopeNames(scope, f)...)
	}
	all = append(all, s.scopeNames(f.Pkg.Scope(), f)...)
	for _, name := range s.Env.Names() {
		m := s.matchOf(s.Env.Lookup(name).Object)
		m.Text = name
		all = append(all, m)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env.Imports())) {
		all = append(all, Match{Text: name, Kind: Package})
	}
	all = append(all, s.scopeNames(types.Universe, f)...)
	return append(append(all, keywords...), s.standardPackages()...)
}

// standardPackages returns the names of the packages of the standard library, which a cell
// need not import.
func (s *Session) standardPackages() (all []Match) {
	if s.Paths == nil {
		return nil
	}
	for _, p := range s.Paths() {
		if check.IsStandard(p) {
			all = append(all, Match{Text: check.NameIn(p), Kind: Package})
		}
	}
	return all
}

// scopeNames returns the names in scope. If scope is local, it returns only the names that are declared before the
// cursor.
func (s *Session) scopeNames(scope *types.Scope, f *fragment) []Match {
	var all []Match
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		local := scope != f.Pkg.Scope() && scope != types.Universe
		if reserved(name) || local && o.Pos() > f.at {
			continue
		}
		all = append(all, s.matchOf(o))
	}
	return all
}

// reserved reports whether name is reserved for the kernel or is the blank identifier.
func reserved(name string) bool { return strings.HasPrefix(name, check.Mark) || name == "_" }

var keywords = func() []Match {
	var all []Match
	for t := token.BREAK; t <= token.VAR; t++ {
		all = append(all, Match{Text: t.String(), Kind: Keyword})
	}
	return all
}()

// fields returns the fields that the key at the cursor in a struct literal could name. It omits fields that the literal
// sets already.
func (s *Session) fields(f *fragment) []Match {
	lit := literalAround(f.path)
	if lit == nil || !valid(f.Info.TypeOf(lit)) {
		return nil
	}
	st, ok := dereferenced(f.Info.TypeOf(lit)).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	used := keysOf(lit)
	var all []Match
	for field := range st.Fields() {
		if !used[field.Name()] && accessible(field) {
			all = append(all, Match{Text: field.Name(), Kind: Field})
		}
	}
	return all
}

// literalAround returns the composite literal that has the identifier path[0] as an element
// or a key, or nil.
func literalAround(path []ast.Node) *ast.CompositeLit {
	if len(path) < 2 {
		return nil
	}
	parent := path[1]
	if kv, ok := parent.(*ast.KeyValueExpr); ok && kv.Key == path[0] && len(path) > 2 {
		parent = path[2]
	}
	lit, ok := parent.(*ast.CompositeLit)
	if !ok || lit.Type == path[0] {
		return nil
	}
	return lit
}

// keysOf returns the keys that a literal already has.
func keysOf(lit *ast.CompositeLit) map[string]bool {
	used := map[string]bool{}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok {
				used[key.Name] = true
			}
		}
	}
	return used
}

// accessible reports whether a cell may refer to o.
func accessible(o types.Object) bool {
	return o.Exported() || check.IsCell(o.Pkg())
}
