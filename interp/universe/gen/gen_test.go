package main

import (
	"bytes"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp/universe"
)

// TestGeneratedFilesAreFresh tests that generating the files again does not change them.
func TestGeneratedFilesAreFresh(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	products, err := build(root, false)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "interp", "universe")
	for name, content := range products {
		old, err := contentOf(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(old, content) {
			t.Errorf("%s is stale: go generate ./interp/universe", name)
		}
	}
	found, err := embedded(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range found {
		if products[name] == nil {
			t.Errorf("%s belongs to no package: go generate ./interp/universe", name)
		}
	}
}

// TestDeclarationsGiveTheSameTypes compares the types that result from the declarations with those in the compiler's
// export data: objects and exported methods as text, which types are comparable, and which interfaces they implement.
func TestDeclarationsGiveTheSameTypes(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	w, err := loadWorld(root, false)
	if err != nil {
		t.Fatal(err)
	}
	u := universe.WithReceivers(nil)
	for _, p := range w.packages {
		got, err := u.Import(p.path)
		if err != nil {
			t.Fatal(err)
		}
		declared, compiled := describe(got), describe(p.types)
		for name, want := range compiled {
			if declared[name] != want && !equalConstants(got.Scope().Lookup(name), p.types.Scope().Lookup(name)) {
				t.Errorf("%s.%s is declared as\n%s\nand compiled as\n%s", p.path, name, declared[name], want)
			}
		}
		if len(declared) != len(compiled) {
			t.Errorf("%s has %d exported names, and %d are declared", p.path, len(compiled), len(declared))
		}
	}
}

// equalConstants reports whether two objects are constants of the same type and
// value, which package constant may represent in two ways.
func equalConstants(x, y types.Object) bool {
	a, ok := x.(*types.Const)
	b, ok2 := y.(*types.Const)
	return ok && ok2 && types.TypeString(a.Type(), nil) == types.TypeString(b.Type(), nil) &&
		constant.Compare(a.Val(), token.EQL, b.Val())
}

// describe returns, for each exported name of a package, a text with what importers can see of it.
func describe(p *types.Package) map[string]string {
	all := map[string]string{}
	scope := p.Scope()
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		if !o.Exported() {
			continue
		}
		switch o := o.(type) {
		case *types.Const:
			all[name] = fmt.Sprint(types.TypeString(o.Type(), nil), " ", o.Val().ExactString())
		case *types.TypeName:
			all[name] = describeType(o)
		default:
			all[name] = withoutCompilerNames(types.ObjectString(o, nil))
		}
	}
	return all
}

// describeType is describe for a type.
func describeType(o *types.TypeName) string {
	var b strings.Builder
	named, ok := o.Type().(*types.Named)
	if !ok || named.Obj() != o {
		return types.ObjectString(o, nil)
	}
	fmt.Fprint(&b, o.Name(), " ", types.Comparable(named), "\n")
	switch u := named.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			f := u.Field(i)
			fmt.Fprint(&b, f.Name(), " ", f.Embedded(), " ", u.Tag(i))
			if f.Exported() {
				fmt.Fprint(&b, " ", types.TypeString(f.Type(), nil))
			}
			b.WriteByte('\n')
		}
	default:
		b.WriteString(types.TypeString(u, nil) + "\n")
	}
	for _, t := range []types.Type{named, types.NewPointer(named)} {
		for m := range types.NewMethodSet(t).Methods() {
			if m.Obj().Exported() {
				fmt.Fprint(&b, types.ObjectString(m.Obj(), nil), "\n")
			}
		}
		for _, name := range o.Pkg().Scope().Names() {
			i, ok := o.Pkg().Scope().Lookup(name).Type().Underlying().(*types.Interface)
			if ok && token.IsExported(name) && named.TypeParams().Len() == 0 && types.Implements(t, i) {
				fmt.Fprint(&b, "implements ", name, "\n")
			}
		}
	}
	return withoutCompilerNames(b.String())
}

// oneResult matches a single result in parentheses.
var oneResult = regexp.MustCompile(`\(([^(), ]+)\)`)

// withoutCompilerNames returns text with "(#rv1 T)" as "T".
func withoutCompilerNames(text string) string {
	return oneResult.ReplaceAllString(compilerNames.ReplaceAllString(text, ""), "$1")
}
