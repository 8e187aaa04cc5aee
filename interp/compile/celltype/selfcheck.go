package celltype

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
)

// Check returns an error if the layouts of type descriptors in this Go release differ from those in abi.go. It makes a
// named type with a String method, and tests whether fmt prints a value of the type by that method.
func Check() error {
	pkg := types.NewPackage("main", "main")
	t := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Probe", nil), types.Typ[types.Int], nil)
	text := types.NewTuple(types.NewVar(token.NoPos, nil, "", types.Typ[types.String]))
	recv := types.NewVar(token.NoPos, pkg, "p", t)
	t.AddMethod(types.NewFunc(token.NoPos, pkg, "String", types.NewSignatureType(recv, nil, nil, nil, text, false)))
	tb := New(func(path, name string) reflect.Type { return nil }, func(*types.TypeName) string { return "" })
	n, err := tb.Row(t)
	if err != nil {
		return err
	}
	tb.Bind(t, "String", func(p *int) string { return fmt.Sprint("probe ", *p) })
	want := "7 main.Probe"
	if HasMethods {
		want = "probe 7 main.Probe"
	}
	v := tb.Box(n, 7)
	if got := fmt.Sprintf("%v %T", v, v); got != want {
		return fmt.Errorf("celltype: a type made at run time prints as %q, not %q: "+
			"this Go release has other layouts of type descriptors", got, want)
	}
	return nil
}
