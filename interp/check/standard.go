package check

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// PathsOf returns the import paths that a package called name may have. Paths of the standard library come first,
// except for math/name/v2, which is last.
func PathsOf(name string) []string {
	parents := []string{"", "math/", "encoding/", "net/", "text/", "os/", "path/", "container/", "go/", "unicode/",
		"sync/", "io/", "image/", "compress/", "crypto/", "hash/", "database/", "html/", "runtime/", "log/", "regexp/",
		"mime/", "archive/", "index/", "debug/", "testing/", "net/http/",
		"anvil/", "gonum.org/v1/", "gonum.org/v1/plot/", "gonum.org/v1/gonum/"}
	paths := make([]string, len(parents), len(parents)+1)
	for i, parent := range parents {
		paths[i] = parent + name
	}
	return append(paths, "math/"+name+"/v2")
}

// standard returns the package of the standard library that is called name and exports all selected names that begin
// with a capital. If no package exports all of them, standard returns the package called name if there is only one, and
// otherwise nil.
func (e *Env) standard(name string, selected []string) *types.Package {
	var others []*types.Package
	for _, path := range PathsOf(name) {
		if !IsStandard(path) {
			continue
		}
		pkg, err := e.importer.Import(path)
		if err != nil || pkg.Name() != name {
			continue
		}
		if !slices.ContainsFunc(selected, func(member string) bool {
			return ast.IsExported(member) && pkg.Scope().Lookup(member) == nil
		}) {
			return pkg
		}
		others = append(others, pkg)
	}
	if len(others) == 1 {
		return others[0]
	}
	return nil
}

// IsStandard reports whether path is an import path of the standard library.
func IsStandard(path string) bool {
	isOurs := path == "display" || strings.HasPrefix(path, "display/") || strings.HasPrefix(path, "anvil")
	return !isOurs && !strings.Contains(path, ".")
}

// selected returns the names that file selects from each identifier: for math.Sin(x), math has the name Sin.
func selected(file *ast.File) map[string][]string {
	names := map[string][]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				names[id.Name] = append(names[id.Name], sel.Sel.Name)
			}
		}
		return true
	})
	return names
}
