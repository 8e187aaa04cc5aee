package main

import (
	"fmt"
	"go/types"
	"testing"

	"github.com/goanvil/notebook/interp/universe"
)

// TestEveryPackageCanBeImported imports each package that a cell may import, and uses a
// function or variable of it.
func TestEveryPackageCanBeImported(t *testing.T) {
	f := newFront(t, "reference")
	u := universe.WithReceivers(nil)
	tried := 0
	for _, path := range universe.Paths() {
		pkg, err := u.Import(path)
		if err != nil {
			t.Error(err)
			continue
		}
		name := firstValue(u, path, pkg.Scope())
		if name == "" {
			continue // only types, constants, or generic
		}
		tried++
		code := fmt.Sprintf("import p %q\nvar v any = p.%s", path, name)
		if a := f.run(code); a.Failure != nil {
			t.Errorf("%s.%s: %s", path, name, a.Evalue)
		}
	}
	if tried < 150 {
		t.Errorf("only %d packages", tried)
	}
}

// onlyCalled are functions that a cell may call but not use as values.
var onlyCalled = map[string]bool{"errors.As": true}

// firstValue returns the first function or variable of a package that is not
// generic.
func firstValue(u *universe.Universe, path string, scope *types.Scope) string {
	for _, name := range scope.Names() {
		switch scope.Lookup(name).(type) {
		case *types.Func, *types.Var:
			if u.HasSymbol(path, name) && !onlyCalled[path+"."+name] {
				return name
			}
		}
	}
	return ""
}
