package celltype

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// Key returns a text that is equal for identical types and different for different types. Two types that the checker
// has made for the same declaration at the top of a cell are identical. Unexported names of fields and methods count as
// equal in all packages.
func (tb *Table) Key(t types.Type) string {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return tb.keyOf(t, true)
}

// keyOf is Key for callers that have locked tb.mu. If tags is false, types that differ only in the tags of fields have
// the same key.
func (tb *Table) keyOf(t types.Type, tags bool) string {
	w := &keyWriter{tb: tb, tags: tags}
	w.typ(t)
	return w.b.String()
}

// A keyWriter writes the key of a type.
type keyWriter struct {
	tb   *Table
	tags bool
	b    strings.Builder
}

func (w *keyWriter) text(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

func (w *keyWriter) typ(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		w.named(t)
	case *types.Basic:
		w.text("%d", t.Kind())
	case *types.Pointer:
		w.part("*", t.Elem())
	case *types.Slice:
		w.part("[]", t.Elem())
	case *types.Array:
		w.part(fmt.Sprintf("[%d]", t.Len()), t.Elem())
	case *types.Chan:
		w.part(fmt.Sprintf("chan%d ", t.Dir()), t.Elem())
	case *types.Map:
		w.part("map ", t.Key())
		w.part(" ", t.Elem())
	case *types.Signature:
		w.signature(t)
	case *types.Struct:
		w.structure(t)
	case *types.Interface:
		w.iface(t)
	default:
		w.text("%T %p", t, t)
	}
}

func (w *keyWriter) part(prefix string, t types.Type) {
	w.text("%s", prefix)
	w.typ(t)
}

func (w *keyWriter) named(t *types.Named) {
	obj := t.Obj()
	switch {
	case obj.Pkg() == nil:
		w.text("%s", obj.Name())
	case !check.IsCell(obj.Pkg()):
		w.text("%s.%s", obj.Pkg().Path(), obj.Name())
	default:
		w.text("main.%s", w.tb.uniqueName(obj))
	}
	for i := range t.TypeArgs().Len() {
		w.part("[", t.TypeArgs().At(i))
		w.text("]")
	}
}

// uniqueName returns a name for obj, a type declared in a cell, that no other type of the session has.
func (tb *Table) uniqueName(obj *types.TypeName) string {
	if name := tb.name(obj); name != "" {
		return name
	}
	l, ok := tb.locals[obj]
	if !ok {
		l.index = len(tb.locals)
		if tb.Local != nil {
			l.number, l.funcArgs = tb.Local(obj)
		}
		tb.locals[obj] = l
	}
	return fmt.Sprintf("%s#%d", obj.Name(), l.index)
}

func (w *keyWriter) signature(t *types.Signature) {
	w.text("func(")
	for v := range t.Params().Variables() {
		w.part(",", v.Type())
	}
	w.text(")%t", t.Variadic())
	for v := range t.Results().Variables() {
		w.part(",", v.Type())
	}
	w.text(";")
}

func (w *keyWriter) structure(t *types.Struct) {
	w.text("struct{")
	for i := range t.NumFields() {
		w.text("%s %t ", WithoutSuffixes(t.Field(i).Name()), t.Field(i).Embedded())
		w.typ(t.Field(i).Type())
		if w.tags {
			w.text("%q", t.Tag(i))
		}
		w.text(";")
	}
	w.text("}")
}

func (w *keyWriter) iface(t *types.Interface) {
	w.text("interface{")
	for m := range t.Methods() {
		w.text("%s ", m.Name())
		w.typ(m.Type())
	}
	w.text("}")
}
