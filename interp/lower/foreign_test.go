package lower_test

import (
	"go/types"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/goanvil/notebook/interp/lower"
	"github.com/goanvil/notebook/interp/universe"
)

// selected are the members that a text to write names.
var selected = regexp.MustCompile(`\.([A-Z]\w*)`)

// ofGo are members of packages of Go's own, and of others that cells have.
var ofGo = regexp.MustCompile(`\b(math\.\w+|promote\.Anvil\.Result|display\.MaxRows|DType\(\)\.Is\b|dtype\.\w+)`)

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
	random, err := u.Import(path + "/random")
	if err != nil {
		t.Fatal(err)
	}
	draws := map[string]bool{}
	for _, n := range random.Scope().Names() {
		draws[n] = true
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
		for _, m := range selected.FindAllStringSubmatch(ofGo.ReplaceAllString(own, ""), -1) {
			if unicode.IsLower(rune(own[0])) && !there[m[1]] && !draws[m[1]] {
				t.Errorf("%s: there is no %s of %s", foreign, m[1], own)
			}
		}
		if folded[foreign] {
			t.Errorf("%s is a name of the library's own", foreign)
		}
	}
}
