package explain

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:embed foreign.txt
var foreignText string

// foreignNames are the names of foreign.txt, by section, and what to write for them.
var foreignNames = sync.OnceValue(func() map[string]map[string]string {
	sections := map[string]map[string]string{}
	section := ""
	for line := range strings.Lines(foreignText) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			section = strings.Trim(line, "[]")
			sections[section] = map[string]string{}
		default:
			name, own, _ := strings.Cut(line, " ")
			sections[section][name] = strings.TrimSpace(own)
		}
	}
	return sections
})

// hintForeign returns what to write for a name that another library has; x is what
// a method of it was selected of, "" for a function.
func (c *Cell) hintForeign(name, x string) string {
	own, ok := foreignNames()["tensors"][folded(name)]
	if !ok {
		own, ok = foreignNames()["words"][name]
	}
	switch {
	case !ok:
		return ""
	case unicode.IsLower(rune(own[0])):
		return "write " + asWritten(own, x)
	case x == "" && c.has(own):
		return "write " + c.tensorName() + "." + own
	case c.hasMethod(own):
		return "write " + max(x, "x") + "." + own
	case c.has(own):
		return "write " + c.tensorName() + "." + own
	}
	return ""
}

// isForeignPackage reports whether another library, or a part of one, is called name.
func isForeignPackage(name string) bool {
	_, is := foreignNames()["packages"][name]
	return is
}

// folded returns name in small letters without underscores.
func folded(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

var theX = regexp.MustCompile(`\bx\b`)

// asWritten returns text with the author's x, where there is one.
func asWritten(text, x string) string {
	if x == "" {
		return text
	}
	return theX.ReplaceAllLiteralString(text, x)
}

// hintForeignPackage returns what to write for the last of names that are
// selected of another library: ["linalg", "norm"] of np.
func (c *Cell) hintForeignPackage(names []string) string {
	for _, name := range slices.Backward(names) {
		if text := c.hintForeign(name, ""); text != "" {
			return text
		}
		for _, pkg := range []string{c.tensorName(), "random"} {
			for _, own := range c.membersOf(pkg) {
				if folded(own) == folded(name) {
					return "write " + pkg + "." + own
				}
			}
		}
	}
	return ""
}

// hintForeignPart is hintForeignPackage for a part at pos, linalg in
// nv.linalg.norm; "" where member is none.
func (c *Cell) hintForeignPart(member string, pos token.Pos) string {
	if !isForeignPackage(member) {
		return ""
	}
	return c.hintForeignPackage(c.selections(pos))
}

// selections returns the names that are selected of the one at pos, one of
// another.
func (c *Cell) selections(pos token.Pos) (names []string) {
	ast.Inspect(c.File, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Pos() <= pos && pos < sel.Sel.Pos() && isPath(sel) {
			names = append([]string{sel.Sel.Name}, names...)
		}
		return true
	})
	return names
}

// isPath reports whether e is names and dots alone.
func isPath(e ast.Expr) bool {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		return isPath(sel.X)
	}
	_, ok := e.(*ast.Ident)
	return ok
}

// has reports whether the library exports name.
func (c *Cell) has(name string) bool {
	pkg, err := c.Env.Import(c.TensorPath)
	return err == nil && pkg.Scope().Lookup(name) != nil
}

// methods returns the names of the methods of tensors.
func (c *Cell) methods() (names []string) {
	if c.Tensor == nil {
		return nil
	}
	set := types.NewMethodSet(types.NewPointer(c.Tensor))
	for i := range set.Len() {
		if m := set.At(i).Obj(); m.Exported() {
			names = append(names, m.Name())
		}
	}
	return names
}

func (c *Cell) hasMethod(name string) bool {
	for _, m := range c.methods() {
		if m == name {
			return true
		}
	}
	return false
}

// hintMethod suggests what may have been meant by a method that tensors lack.
func (c *Cell) hintMethod(x, name string) string {
	if text := c.hintForeign(name, x); text != "" {
		return text
	}
	if text := c.hintDType(strings.ToLower(name)); text != "" { // x.Float32()
		return "write " + x + ".AsType(" + strings.TrimPrefix(text, "the dtype is ") + ")"
	}
	if near := nearest(name, c.methods()); near != "" {
		return fmt.Sprintf("did you mean %s.%s?", x, near)
	}
	return ""
}
