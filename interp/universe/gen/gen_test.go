package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/goanvil/notebook/interp/universe"
)

// TestGeneratedFilesAreFresh tests that generating the files again does not change them.
func TestGeneratedFilesAreFresh(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	fresh := t.TempDir()
	gone := filepath.Join(fresh, "types", "gone.txt")
	if err := replace(gone, []byte("package gone\n")); err != nil {
		t.Fatal(err)
	}
	if err := generate(fresh, false); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(gone); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file of a package that is gone: %v", err)
	}
	products := map[string][]byte{}
	err = fs.WalkDir(os.DirFS(fresh), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			products[name], err = contentOf(filepath.Join(fresh, name))
		}
		return err
	})
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

// TestReplace checks that replace compresses where the name says so, and writes no file whose content is unchanged.
func TestReplace(t *testing.T) {
	for _, name := range []string{"a/b.txt", "a/b.txt.gz"} {
		file := filepath.Join(t.TempDir(), name)
		for _, content := range []string{"one", "two"} {
			if err := replace(file, []byte(content)); err != nil {
				t.Fatal(err)
			}
			if got, err := contentOf(file); string(got) != content || err != nil {
				t.Errorf("%s has the content %q, want %q: %v", name, got, content, err)
			}
			raw, err := os.ReadFile(file)
			if err != nil || bytes.Equal(raw, []byte(content)) == strings.HasSuffix(name, ".gz") {
				t.Errorf("%s is written as %q", name, raw)
			}
			long := time.Unix(1, 0)
			if err := errors.Join(os.Chtimes(file, long, long), replace(file, []byte(content))); err != nil {
				t.Fatal(err)
			}
			if after, err := os.Stat(file); err != nil || !after.ModTime().Equal(long) {
				t.Errorf("%s is written again: %v", name, err)
			}
		}
		if _, err := contentOf(file + "/none"); err == nil {
			t.Errorf("%s/none has content", name)
		}
	}
}

// TestGroups checks which packages cells can import.
func TestGroups(t *testing.T) {
	const none, std, gonum, own = -1, 0, 1, 2
	for path, want := range map[string]int{
		"fmt": std, "net/http": std, "encoding/json": std, "internal/abi": none, "crypto/internal/fips140": none,
		"vendor/golang.org/x/net/idna": none, "unsafe": none, "syscall": none, "net/http/pprof": none,
		"gonum.org/v1/plot": gonum, "gonum.org/v1/gonum/mat": gonum, "gonum.org/v1/plot/cmpimg": none,
		modulePath: none, modulePath + "/anvil": own, modulePath + "/anvil/random": own, modulePath + "/display/chart": own,
		modulePath + "/anvil/internal/x": none, modulePath + "/anvil/xtest": none, modulePath + "/anvil/x/gen": none,
		modulePath + "/anvil/memory": none, modulePath + "/anvil/options": none, modulePath + "/anvil/xla": none,
		modulePath + "/anvil/xla/x": none, modulePath + "/anvil/typename": none,
	} {
		if got := groupOf(listed{ImportPath: path, Name: "p", GoFiles: []string{"a.go"}}); got != want {
			t.Errorf("%s is in group %d, want %d", path, got, want)
		}
	}
	for _, l := range []listed{{ImportPath: "fmt", Name: "fmt"},
		{ImportPath: "fmt", Name: "main", GoFiles: []string{"a.go"}}} {
		if got := groupOf(l); got != none {
			t.Errorf("%+v is in group %d", l, got)
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
	set, err := loadPackages(root, false)
	if err != nil {
		t.Fatal(err)
	}
	u := universe.WithReceivers(nil)
	for _, p := range set.packages {
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
