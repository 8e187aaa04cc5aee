package explain

import (
	"cmp"
	_ "embed"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:embed foreign.txt
var foreignText string

// foreignNames maps each section of foreign.txt to its names, and these to their replacements. Names in the section
// packages have no replacement.
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
			name, replacement, _ := strings.Cut(line, " ")
			sections[section][name] = strings.TrimSpace(replacement)
		}
	}
	return sections
})

// foreignName returns the replacement for a function or method of another library, or "" if there is none. x is the
// source of the method's receiver, or "" for a function.
func (c *Cell) foreignName(name, x string) string {
	replacement, ok := foreignNames()["tensors"][folded(name)]
	if !ok {
		replacement, ok = foreignNames()["words"][name]
	}
	if !ok {
		replacement, ok = foreignNames()["charts"][folded(name)]
	}
	// nv.Sorted means sorted, which is in the section words. But nv.Float does not mean float: Float is a method.
	if !ok && x == "" && !slices.Contains(c.methods(), name) {
		replacement, ok = foreignNames()["words"][strings.ToLower(name)]
	}
	switch {
	case !ok:
		return ""
	case !unicode.IsUpper(rune(replacement[0])): // the replacement is code, not the name of a function or method
		return withReceiver(replacement, x)
	case x == "" && c.has(replacement):
		return c.tensorName() + "." + replacement
	case slices.Contains(c.methods(), replacement):
		return cmp.Or(x, "x") + "." + replacement
	case c.has(replacement):
		return c.tensorName() + "." + replacement
	}
	return ""
}

// isForeignPackage reports whether name is the name of another library or of a part of one.
func isForeignPackage(name string) bool {
	_, ok := foreignNames()["packages"][name]
	return ok
}

// folded returns name in lower case without underscores.
func folded(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// wordX matches the x that stands for the receiver in a replacement.
var wordX = regexp.MustCompile(`\bx\b`)

// withReceiver returns text with x replaced by receiver. It returns text itself if receiver is "".
func withReceiver(text, receiver string) string {
	if receiver == "" {
		return text
	}
	return wordX.ReplaceAllLiteralString(text, receiver)
}

// foreignPath returns the replacement for the names that the author selects from another library, such as "linalg" and
// "norm" in np.linalg.norm. It returns "" if there is none.
func (c *Cell) foreignPath(names []string) string {
	for i, name := range slices.Backward(names) {
		if slices.Contains(names[:i], "random") { // np.random.gamma is not nv.Gamma
			if text := cmp.Or(foreignNames()["random"][folded(name)], c.memberNamed("random", name)); text != "" {
				return text
			}
		}
		if text := c.foreignName(name, ""); text != "" {
			return text
		}
		for _, pkg := range []string{c.tensorName(), "random"} {
			if member := c.memberNamed(pkg, name); member != "" {
				return member
			}
		}
	}
	return ""
}

// selections returns the names that the author selects from x, in order: a, b for x.a.b.
func (m *mistake) selections() (names []string) {
	x := m.x
	for _, n := range m.path {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || sel.X != x {
			break
		}
		if m.Indexed[sel.Sel] != nil { // the selector is At, which the author wrote as an index
			break
		}
		names = append(names, sel.Sel.Name)
		x = sel
	}
	return names
}

// has reports whether the tensor package exports name.
func (c *Cell) has(name string) bool {
	pkg, err := c.Env.Import(c.TensorPath)
	return err == nil && pkg.Scope().Lookup(name) != nil
}

// methods returns the names of the methods of tensors.
func (c *Cell) methods() []string { return methodsOf(c.Tensor) }

// methodsOf returns the names of the exported methods of t and of pointers to t.
func methodsOf(t types.Type) (names []string) {
	if t == nil {
		return nil
	}
	if _, ok := t.Underlying().(*types.Interface); !ok && !isPointer(t) {
		t = types.NewPointer(t)
	}
	for m := range types.NewMethodSet(t).Methods() {
		if m.Obj().Exported() {
			names = append(names, m.Obj().Name())
		}
	}
	return names
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
