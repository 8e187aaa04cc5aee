package lower_test

import (
	"go/types"
	"strings"
	"testing"
	"unicode"

	"github.com/goanvil/notebook/interp/lower"
	"github.com/goanvil/notebook/interp/universe"
)

// TestForeignNames: what a hint says to write is there, and what it is for is not.
func TestForeignNames(t *testing.T) {
	u := universe.WithReceivers(nil)
	path, name := u.Tensor()
	pkg, err := u.Import(path)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, n := range pkg.Scope().Names() {
		there[n] = true
	}
	set := types.NewMethodSet(types.NewPointer(pkg.Scope().Lookup(name).Type()))
	for i := range set.Len() {
		there[set.At(i).Obj().Name()] = true
	}
	folded := map[string]bool{}
	for n := range there {
		folded[strings.ToLower(n)] = true
	}
	for foreign, own := range lower.Foreign() {
		if foreign != strings.ToLower(strings.ReplaceAll(foreign, "_", "")) {
			t.Errorf("%q is not in small letters without underscores", foreign)
		}
		if unicode.IsUpper(rune(own[0])) && !there[own] {
			t.Errorf("%s: there is no %s", foreign, own)
		}
		if folded[foreign] {
			t.Errorf("%s is a name of the library's own", foreign)
		}
	}
}
