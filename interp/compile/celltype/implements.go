package celltype

import (
	"go/types"

	"github.com/goanvil/notebook/interp/check"
)

// Missing returns the first method of iface that a type of a cell, or
// the pointer to it, lacks, or "". Signatures are compared by their keys: those
// of a type and an interface may come from different checks of one cell.
func (tb *Table) Missing(t types.Type, pointer bool, iface *types.Interface) string {
	if pointer {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	for want := range iface.Methods() {
		have := lookup(set, want)
		if have == nil || tb.Key(have.Type()) != tb.Key(want.Type()) {
			return want.Name()
		}
	}
	return ""
}

// lookup finds a method by name; all cells are one package.
func lookup(set *types.MethodSet, want *types.Func) *types.Selection {
	for have := range set.Methods() {
		obj := have.Obj()
		if obj.Name() == want.Name() && (obj.Exported() || check.IsCell(obj.Pkg()) == check.IsCell(want.Pkg())) {
			return have
		}
	}
	return nil
}
