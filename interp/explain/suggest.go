package explain

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// membersOf returns the exported names of the package that the cell calls pkg, or nil if there is no such package.
func (c *Cell) membersOf(pkg string) []string {
	path := c.Env.Imports()[pkg]
	for _, decl := range c.File.Decls {
		if g, ok := decl.(*ast.GenDecl); ok {
			for _, spec := range g.Specs {
				i, ok := spec.(*ast.ImportSpec)
				if !ok {
					continue
				}
				p := strings.Trim(i.Path.Value, `"`)
				if name := check.NameIn(p); i.Name == nil && name == pkg || i.Name != nil && i.Name.Name == pkg {
					path = p
				}
			}
		}
	}
	if unimported, ok := c.Pkg.Scope().Lookup(pkg).(*types.PkgName); ok && path == "" {
		path = unimported.Imported().Path() // packages of the standard library need no import in cells
	}
	imported, err := c.Env.Import(path)
	if path == "" || err != nil {
		return nil
	}
	var names []string
	for _, name := range imported.Scope().Names() {
		if imported.Scope().Lookup(name).Exported() {
			names = append(names, name)
		}
	}
	return names
}

// namesInSight returns the names that the cell can use at pos: those of this and earlier cells, imports, predeclared
// names, and those of the functions and blocks around pos.
func (c *Cell) namesInSight(pos token.Pos) []string {
	names := c.Env.Names()
	for name := range c.Env.Imports() {
		names = append(names, name)
	}
	names = append(names, types.Universe.Names()...)
	for _, name := range c.Pkg.Scope().Names() {
		if !strings.Contains(name, check.Mark) {
			names = append(names, name)
		}
	}
	ast.Inspect(c.File, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || strings.Contains(id.Name, check.Mark) {
			return true
		}
		// Fields and methods have no scope.
		if obj := c.Info.Defs[id]; obj != nil && obj.Parent() != nil && obj.Parent().Contains(pos) {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

// nearest returns the most similar of names. If none is similar, it returns the one of which name is a prefix, or
// that is a prefix of name; the prefix must have at least 4 letters. It returns "" if there is no such name or more
// than one.
func nearest(name string, names []string) string {
	if near := similar(name, names); near != "" || len(name) < 4 {
		return near
	}
	var found []string
	low := strings.ToLower(name)
	for _, other := range names {
		if other == name {
			continue
		}
		if o := strings.ToLower(other); strings.HasPrefix(o, low) || len(o) > 3 && strings.HasPrefix(low, o) {
			found = append(found, other)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// similar returns the name at the least distance from name, or "" if that distance is more than 2 or more than a third
// of the letters of name. Of several names at this distance it returns the alphabetically first.
func similar(name string, names []string) string {
	best, least := "", 1+min(2, len(name)/3) // least begins above the greatest distance allowed
	for _, other := range names {
		d := distance(name, other)
		if d == 0 {
			continue
		}
		if d < least || d == least && best != "" && other < best {
			best, least = other, d
		}
	}
	return best
}

// distance returns how many letters must be inserted, deleted, replaced or swapped with a neighbour to turn a into b.
// It ignores case, but returns 1 if a and b differ only in case.
func distance(a, b string) int {
	if a == b {
		return 0
	}
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	previous, row := make([]int, len(y)+1), make([]int, len(y)+1) // the last two rows of the table of distances
	for j := range row {
		row[j] = j
	}
	for i := range x {
		next := make([]int, len(y)+1)
		next[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			next[j+1] = min(next[j]+1, row[j+1]+1, row[j]+cost)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				next[j+1] = min(next[j+1], previous[j-1]+1)
			}
		}
		previous, row = row, next
	}
	return max(1, row[len(y)])
}
