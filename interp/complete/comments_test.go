package complete

import (
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// TestCommentOn checks which comment of a cell belongs to a name that it declares.
func TestCommentOn(t *testing.T) {
	main := types.NewPackage("main", "main")
	named := types.NewNamed(types.NewTypeName(token.NoPos, main, "T", nil), types.NewStruct(nil, nil), nil)
	method := func(receiver types.Type) types.Object {
		sig := types.NewSignatureType(types.NewParam(token.NoPos, main, "t", receiver), nil, nil, nil, nil, false)
		return types.NewFunc(token.NoPos, main, "x", sig)
	}
	function := types.NewFunc(token.NoPos, main, "x", types.NewSignatureType(nil, nil, nil, nil, nil, false))
	variable := types.NewVar(token.NoPos, main, "x", types.Typ[types.Int])
	field := types.NewField(token.NoPos, main, "x", types.Typ[types.Int], false)
	for _, c := range []struct {
		o          types.Object
		code, want string
	}{
		{function, "// yes\nfunc x() {}", "yes"},
		{function, "// no\n\nfunc x() {}", ""},
		{function, "// no\nfunc g() {}\n// yes\nfunc x() {}", "yes"},
		{function, "// no\nfunc g() { x() }\nfunc x() {}", ""},
		{function, "type T int\n// no\nfunc (t T) x() {}\n// yes\nfunc x() {}", "yes"},
		{method(named), "// yes\nfunc (t T) x() {}", "yes"},
		{method(types.NewPointer(named)), "// no\nfunc y() {}\n// yes\nfunc (t *T) x() {}", "yes"},
		{method(named), "// no\nfunc (u U) x() {}\n// yes\nfunc (t T) x() {}", "yes"},
		{method(named), "// no\nfunc (t T) y() {}\n// yes\nfunc (t T) x() {}", "yes"},
		{method(named), "// no\nfunc x() {}\n// yes\nfunc (t T) x() {}", "yes"},
		{method(named), "// no\nx := T{}\n// yes\nfunc (t T) x() {}", "yes"},
		{field, "// no\ntype T struct {\n\t// yes\n\tx int\n\ty int\n}", "yes"},
		{field, "// no\ntype T struct {\n\t// no\n\ty int\n\n\tz int\n\tx int\n}", ""},
		{variable, "// no\ntype T struct {\n\t// no\n\tx int\n}\n// yes\nx := 2", "yes"},
		{types.NewTypeName(token.NoPos, main, "x", nil), "// yes\ntype x struct {\n\tA int\n}", "yes"},
		{types.NewTypeName(token.NoPos, main, "x", nil), "type (\n\t// no\n\ty int\n\t// yes\n\tx int\n)", "yes"},
		{variable, "// yes\nvar x int", "yes"},
		{variable, "// yes\nvar y, x int", "yes"},
		{variable, "const (\n\ta = 1\n\t// yes\n\tx = 2\n)", "yes"},
		{variable, "// no\ny := 1\n// yes\nx := 2", "yes"},
		{variable, "// yes\ny, x := 2, 3", "yes"},
		{variable, "// no\ny = 3\nx := y", ""},
		{variable, "// no\nf := func(x int) int { return x }\n// yes\nx := f(1)", "yes"},
		{variable, "// yes\nx := func() {\n\t// no\n\tx := 1\n}", "yes"},
		{variable, "%time 1\n// yes\nx := 2", "yes"},
		{variable, "/* yes\nand more */\nx := 2", "yes and more"},
		{variable, "// no\nx = )", ""},
	} {
		if got := strings.Join(strings.Fields(commentOn(c.code, c.o)), " "); got != c.want {
			t.Errorf("%s\nthe comment on %v is %q, want %q", c.code, c.o, got, c.want)
		}
	}
}
