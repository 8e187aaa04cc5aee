package celltype_test

import (
	"fmt"
	"go/types"
	"reflect"
	"testing"
)

// recovered returns what f panics with.
func recovered(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// TestBox checks what values become on their way to the outer type and back.
func TestBox(t *testing.T) {
	tb, typ := declare(t)
	celsius, text := row(t, tb, typ("Celsius")), row(t, tb, types.Typ[types.String])
	if again := row(t, tb, typ("Celsius")); again != celsius || text == celsius || tb.At(celsius).Type != typ("Celsius") {
		t.Error("rows", celsius, again, text)
	}
	for _, c := range []struct {
		n    int
		v    any
		want string
	}{
		{celsius, 1.5, "main.Celsius 1.5"},
		{celsius, nil, "main.Celsius 0"},
		{celsius, 2, "main.Celsius 2"},
		{text, "a", "string a"},
		{text, nil, "string "},
	} {
		tb.Bind(typ("Celsius").(*types.Named), "String", func(c *float64) string { return fmt.Sprint(*c) })
		v := tb.Box(c.n, c.v)
		if got := fmt.Sprintf("%T %v", v, v); got != c.want {
			t.Errorf("%v becomes %s, not %s", c.v, got, c.want)
		}
		if reflect.TypeOf(v) != tb.Newest(c.n) {
			t.Errorf("%T is not the newest type", v)
		}
	}
	if got := recovered(func() { tb.Box(celsius, "text") }); got != "celltype: cannot convert a value of type string to the inner type float64" {
		t.Error(got)
	}
	v := tb.Box(celsius, 4.5)
	if !tb.Is(celsius, v) || tb.Is(celsius, 4.5) || tb.Is(celsius, nil) || tb.Is(text, v) || !tb.Is(text, "a") {
		t.Error("Is")
	}
	if got := tb.Unbox(celsius, v); got != 4.5 {
		t.Errorf("Unbox returns %T %v", got, got)
	}
}

// TestFamilies checks which cell type a boxed value has.
func TestFamilies(t *testing.T) {
	tb, typ := declare(t)
	literal := typ("struct{ Celsius }{}").(*types.Struct)
	zero := func(typ types.Type) any {
		n := row(t, tb, typ)
		return tb.Box(n, reflect.Zero(tb.At(n).Inner).Interface())
	}
	for _, c := range []struct {
		v              any
		named, literal string
		pointer        bool
	}{
		{v: zero(typ("Celsius")), named: "main.Celsius"},
		{v: zero(typ("*Celsius")), named: "main.Celsius", pointer: true},
		{v: zero(typ("point")), named: "main.point"},
		{v: zero(typ("[]point"))},
		{v: zero(literal), literal: "struct{main.Celsius}"},
		{v: zero(types.NewPointer(literal)), literal: "struct{main.Celsius}", pointer: true},
		{v: 1},
		{v: new(int)},
		{v: struct{}{}},
		{v: nil},
	} {
		named, pointer := tb.Named(c.v)
		lit, pointer2 := tb.UnnamedStruct(c.v)
		name, text := "", ""
		if named != nil {
			name = named.String()
		}
		if lit != nil {
			text = lit.String()
		}
		if name != c.named || text != c.literal || named != nil && pointer != c.pointer || lit != nil && pointer2 != c.pointer {
			t.Errorf("%T: %q %v, %q %v", c.v, name, pointer, text, pointer2)
		}
		if c.named == "" && c.literal == "" && (pointer || pointer2) {
			t.Errorf("%T is a pointer", c.v)
		}
	}
}

// TestMissing checks which method of an interface a type lacks.
func TestMissing(t *testing.T) {
	tb, typ := declare(t)
	for _, c := range []struct {
		typ, iface string
		pointer    bool
		want       string
	}{
		{"Celsius", "interface{ String() string }", false, ""},
		{"Celsius", "interface{ String() string }", true, ""},
		{"Celsius", "interface{ String() int }", false, "String"},
		{"Celsius", "interface{ String(int) string }", false, "String"},
		{"Celsius", "interface{ Error() string; String() string }", false, "Error"},
		{"Celsius", "interface{}", false, ""},
		{"Base", "interface{ Ident(int, string, float64) (string, int) }", false, "Ident"},
		{"Base", "interface{ Ident(int, string, float64) (string, int) }", true, ""},
		{"Derived", "interface{ Ident(int, string, float64) (string, int) }", true, ""},
		{"Derived", "interface{ String() string }", false, "String"},
		{"Flag", "interface{ hidden() }", false, "hidden"},
	} {
		iface := typ("(" + c.iface + ")(nil)").(*types.Interface)
		if got := tb.Missing(typ(c.typ), c.pointer, iface); got != c.want {
			t.Errorf("%s (pointer: %v) lacks %q of %s, not %q", c.typ, c.pointer, got, c.iface, c.want)
		}
	}
	own := types.NewNamed(types.NewTypeName(0, types.NewPackage("main", "main"), "own", nil), types.NewStruct(nil, nil), nil)
	empty := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	recv := types.NewSignatureType(types.NewVar(0, own.Obj().Pkg(), "", own), nil, nil, nil, nil, false)
	own.AddMethod(types.NewFunc(0, own.Obj().Pkg(), "hidden", recv))
	for path, want := range map[string]string{"main": "", "other": "hidden"} {
		iface := types.NewInterfaceType([]*types.Func{types.NewFunc(0, types.NewPackage(path, path), "hidden", empty)}, nil).Complete()
		if got := tb.Missing(own, false, iface); got != want {
			t.Errorf("the type lacks %q of package %s", got, path)
		}
	}
}
