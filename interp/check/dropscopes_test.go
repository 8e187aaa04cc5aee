package check_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/goanvil/notebook/interp/check"
)

// TestDropScopes checks that no scope of the package refers to an object afterwards.
func TestDropScopes(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "cell", `package main
type P struct{ x int }
func (p P) m(a int) int { b := a; return b + p.x }
func f(c int) func() int { if d := c; d > 0 { e := d; return func() int { g := e; return g } }; return nil }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Scopes: map[ast.Node]*types.Scope{}}
	pkg, err := (&types.Config{}).Check("main", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	check.DropScopes(pkg)
	info.Scopes[nil] = pkg.Scope()
	for node, s := range info.Scopes {
		if s.Len() > 0 || s.NumChildren() > 0 {
			t.Errorf("%T still has the names %v and %d scopes", node, s.Names(), s.NumChildren())
		}
	}
}
