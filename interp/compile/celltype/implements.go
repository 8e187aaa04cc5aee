package celltype

import (
	"go/types"

	"github.com/goanvil/notebook/interp/check"
)

// Missing returns the name of the first method of iface that t lacks, or "" if t lacks none. If pointer is set,
// Missing examines the type *t. Signatures are compared by their keys, since the signatures of the type and of the
// interface may come from different checks of one cell.
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

// lookup returns the method of set with the name of want, or nil. Equal unexported names of different cells are the
// same name.
func lookup(set *types.MethodSet, want *types.Func) *types.Selection {
	for have := range set.Methods() {
		obj := have.Obj()
		if obj.Name() == want.Name() && (obj.Exported() || check.IsCell(obj.Pkg()) == check.IsCell(want.Pkg())) {
			return have
		}
	}
	return nil
}
