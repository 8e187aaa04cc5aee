package explain

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// The methods in this file return the facts about what the author may have meant by x. phrases.txt describes them.

// library returns x if x is an exported name of the tensor package.
func (m *mistake) library() []string {
	if m.packageOf(m.x) == m.tensorName() && m.has(nameOf(m.x)) {
		return []string{m.text(m.x)}
	}
	return nil
}

// methodList returns the names of the methods of the value from which x selects.
func (m *mistake) methodList() []string {
	sel, ok := m.x.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	return []string{strings.Join(methodsOf(m.typeOf(sel.X)), ", ")}
}

// canSet reports whether the cell may set the field f.
func (m *mistake) canSet(f *types.Var) bool { return f.Exported() || f.Pkg().Path() == m.Pkg.Path() }

// fieldList returns the fields that the cell may set in the struct literal with the key x: "fields X, Y".
func (m *mistake) fieldList() []string {
	if len(m.path) < 2 {
		return nil
	}
	literal, ok := m.path[1].(*ast.CompositeLit)
	if !ok || m.typeOf(literal) == nil {
		return nil
	}
	t := m.typeOf(literal).Underlying()
	if p, ok := t.(*types.Pointer); ok { // in a list of pointers to structs, &P may be left out
		t = p.Elem().Underlying()
	}
	s, ok := t.(*types.Struct)
	if !ok {
		return nil
	}
	var names []string
	for f := range s.Fields() {
		if m.canSet(f) {
			names = append(names, f.Name())
		}
	}
	switch len(names) {
	case 0:
		return nil
	case 1:
		return []string{"field " + names[0]}
	}
	return []string{"fields " + strings.Join(names, ", ")}
}

// method returns the name x, or the name that x selects, if tensors have a method of that name.
func (m *mistake) method() []string {
	if name := nameOf(m.x); slices.Contains(m.methods(), name) {
		return []string{name}
	}
	return nil
}

// importPath returns the path of a package called x that exports the name which the author selects from x.
func (m *mistake) importPath() []string {
	sel, ok := m.parent().(*ast.SelectorExpr)
	if !ok || sel.X != m.x || !sel.Sel.IsExported() {
		return nil
	}
	for _, path := range check.PathsOf(nameOf(m.x)) {
		if pkg, err := m.Env.Import(path); err == nil && pkg.Scope().Lookup(sel.Sel.Name) != nil {
			return []string{path}
		}
	}
	return nil
}

// foreign returns the replacement for a name of another library. The name is the one that x selects. If x itself is
// another library or a part of one, such as np, the name is what the author selects from x.
func (m *mistake) foreign() []string {
	name := nameOf(m.x)
	if m.partOf() != nil {
		return []string{m.foreignPath(m.selections())}
	}
	if sel, ok := m.x.(*ast.SelectorExpr); ok && m.packageOf(sel) == "" {
		x := m.text(sel.X)
		if m.is("receiver", "Table") || m.is("receiver", "GroupedTable") || m.is("receiver", "Column") {
			names := foreignNames()
			own, column := names["tables"][folded(name)], x+`.Col("a")`
			if m.is("receiver", "Column") {
				own, column = strings.ReplaceAll(own, `x.Col("a")`, "x"), x
			}
			return []string{cmp.Or(withReceiver(own, x), withReceiver(names["charts"][folded(name)], column))}
		}
		return []string{m.foreignName(name, x)}
	}
	switch m.packageOf(m.x) {
	case "":
		return nil
	case m.tensorName():
		return []string{m.foreignName(name, "")}
	case "display", "chart", "plot":
		return []string{foreignNames()["charts"][folded(name)]}
	case "data":
		return []string{m.foreignName(name, "")}
	case "nn": // activations and losses, which are layers in other libraries, are functions of tensors here
		return []string{cmp.Or(foreignNames()["layers"][folded(name)], m.memberNamed(m.tensorName(), name))}
	}
	return nil
}

// draw returns the replacement for random.F, if another library has F in its package random.
func (m *mistake) draw() []string {
	if pkg := m.packageOf(m.x); pkg != "" && m.Env.Imports()[pkg] == m.TensorPath+"/random" {
		return []string{foreignNames()["random"][folded(nameOf(m.x))]}
	}
	return nil
}

// partOf returns x if x is the name of another library or of a part of another library.
func (m *mistake) partOf() []string {
	if name := nameOf(m.x); isForeignPackage(name) && m.receiver() == nil {
		return []string{name}
	}
	return nil
}

// dtype returns the dtype that x means, where x is a constant string, a Go type or another name.
func (m *mistake) dtype() []string {
	text := m.constantText()
	if m.x != nil && text == "" {
		text = nameOf(m.x)
		if m.code == "UndeclaredImportedName" || m.code == "MissingFieldOrMethod" {
			text = strings.ToLower(text)
		}
	}
	if call, ok := m.parent().(*ast.CallExpr); ok && call.Fun == m.x && m.code == "UndeclaredImportedName" {
		return nil // a call such as nv.Float(x) means a function
	}
	if text == "" || m.code == "UndeclaredImportedName" && m.packageOf(m.x) != m.tensorName() {
		return nil
	}
	return []string{m.dtypeNamed(text)}
}

// randomMember returns the member of package random that has the name x, ignoring case.
func (m *mistake) randomMember() []string { return []string{m.memberNamed("random", nameOf(m.x))} }

// tensorMember returns the member of the tensor package, display or chart that has the name x, ignoring case.
func (m *mistake) tensorMember() []string {
	name := nameOf(m.x)
	return []string{cmp.Or(m.memberNamed(m.tensorName(), name), m.memberNamed("display", name),
		m.memberNamed("chart", name))}
}

// near returns the existing name of which x is probably a misspelling.
func (m *mistake) near() []string {
	name := nameOf(m.x)
	if name == "" {
		return nil
	}
	if pkg := m.packageOf(m.x); pkg != "" {
		if member := nearest(name, m.membersOf(pkg)); member != "" {
			return []string{pkg + "." + member}
		}
		return nil
	}
	if sel, ok := m.x.(*ast.SelectorExpr); ok {
		if method := nearest(name, methodsOf(m.typeOf(sel.X))); method != "" {
			return []string{m.text(sel.X) + "." + method}
		}
		return nil
	}
	return []string{nearest(name, m.namesInSight(m.err.Pos))}
}

// otherCase returns the member of a package, or the method of a tensor, whose name differs from x only in case.
func (m *mistake) otherCase() []string {
	name := nameOf(m.x)
	if m.is("receiver", "tensor") {
		if capital := strings.ToUpper(name[:1]) + name[1:]; slices.Contains(m.methods(), capital) {
			return []string{capital}
		}
		return nil
	}
	for _, member := range m.membersOf(m.packageOf(m.x)) {
		if strings.EqualFold(member, name) {
			return []string{member}
		}
	}
	return nil
}

// packageName returns the name of the package that declares t, or the element type of t if t is a pointer. It returns
// "" if there is none.
func packageName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		return named.Obj().Pkg().Name()
	}
	return ""
}

// constantText returns the value of x if it is a constant string.
func (m *mistake) constantText() string {
	if m.x == nil {
		return ""
	}
	if v := m.Info.Types[m.x].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}

// memberNamed returns the exported name of a package that equals text except for case, hyphens and underscores, such as
// promote.NumPy for "numpy". It returns "" if there is none. pkg is the name that cells use for the package.
func (c *Cell) memberNamed(pkg, text string) string {
	want := folded(strings.ReplaceAll(text, "-", ""))
	for _, name := range c.membersOf(pkg) {
		if want != "" && folded(name) == want {
			return pkg + "." + name
		}
	}
	return ""
}

// longDType matches the names of dtypes in other libraries, and of Go's types.
var longDType = regexp.MustCompile(`^(?:(u?int|float|complex)(\d+)|ui(\d+)|(bool|int|float|double|string))$`)

// dtypeNamed returns the constant of the tensor package for the dtype that text names, such as nv.F32 for "float32",
// or "".
func (m *mistake) dtypeNamed(text string) string {
	name := strings.ToUpper(text)
	if w := longDType.FindStringSubmatch(text); w != nil {
		switch {
		case w[1] != "": // such as float32
			name = map[string]string{"uint": "U", "int": "I", "float": "F", "complex": "C"}[w[1]] + w[2]
		case w[3] != "": // such as ui8
			name = "U" + w[3]
		default: // without a number, such as bool
			name = map[string]string{"bool": "I1", "int": "I64", "float": "F32", "double": "F64"}[w[4]]
		}
	}
	pkg, err := m.Env.Import(m.TensorPath)
	if err != nil || name == "" {
		return ""
	}
	if _, ok := pkg.Scope().Lookup(name).(*types.Const); !ok {
		return ""
	}
	return m.tensorName() + "." + name
}
