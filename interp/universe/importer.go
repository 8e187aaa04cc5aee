package universe

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"sync"
)

// files contains, for each package, the exported declarations in folder types and the documentation in folder doc.
// types also has packages that cells cannot import, if importable packages mention their types.
//
//go:embed types doc
var files embed.FS

// firstPosition is greater than all positions in cells, so that no position in the declarations of a package is
// mistaken for a position in a cell.
const firstPosition = 1 << 40

// A packageImporter type-checks the declarations of a package when it is first imported. importPath is safe for
// concurrent use.
type packageImporter struct {
	mu       *sync.Mutex
	fset     *token.FileSet
	packages map[string]*types.Package
}

func newPackageImporter() packageImporter {
	fset := token.NewFileSet()
	fset.AddFile("", firstPosition, 0)
	packages := map[string]*types.Package{"unsafe": types.Unsafe}
	return packageImporter{mu: &sync.Mutex{}, fset: fset, packages: packages}
}

// importPath returns the package at path, which must be a full path; see Resolve.
func (i packageImporter) importPath(path string) (*types.Package, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.Import(path)
}

// Import implements types.Importer for the packages that declarations import.
// i.mu must be locked.
func (i packageImporter) Import(path string) (*types.Package, error) {
	if known := i.packages[path]; known != nil {
		return known, nil
	}
	source, err := files.ReadFile("types/" + Short(path) + ".txt")
	if err != nil {
		return nil, fmt.Errorf("import %q: %w", path, err)
	}
	file, err := parser.ParseFile(i.fset, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("import %q: %w", path, err)
	}
	config := types.Config{Importer: i, IgnoreFuncBodies: true}
	i.packages[path], err = config.Check(path, i.fset, []*ast.File{file}, nil)
	return i.packages[path], err
}
