package anvil

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil/backend"
)

// A tree is a Tensor, or a struct, slice, array, map or pointer that contains trees. Its
// leaves are the tensors in order: fields as declared, elements by index, map entries by
// key. Transformations take and return trees. A zero Tensor inside a tree is absent: a
// transformation leaves it as it is.

// leaves calls f for each tensor of v, with its place in v: "[0].W".
func leaves(v reflect.Value, path string, f func(path string, x Tensor)) {
	switch {
	case !v.IsValid():
	case v.Type() == tensorType:
		f(path, v.Interface().(Tensor))
	default:
		children(v, func(name string, child reflect.Value) { leaves(child, path+name, f) })
	}
}

// tensorsOf calls f for each tensor of v, in the order of leaves. It looks into a pointer
// only if replace copies what is behind it.
func tensorsOf(v reflect.Value, f func(x Tensor)) {
	if !v.IsValid() {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == tensorType {
			f(v.Interface().(Tensor))
			return
		}
		tensorsOfFields(v, treeFields(v.Type()), f)
	case reflect.Slice, reflect.Array:
		if mayHold(v.Type()) {
			for i := range v.Len() {
				tensorsOf(v.Index(i), f)
			}
		}
	case reflect.Map:
		switch {
		case v.Type() == slotsType:
			m := v.Interface().(map[string][]Tensor)
			for _, k := range sortedNames(m) {
				for _, x := range m[k] {
					f(x)
				}
			}
		case mayHold(v.Type()):
			for _, k := range sortedKeys(v) {
				tensorsOf(v.MapIndex(k), f)
			}
		}
	case reflect.Pointer:
		if holdsTensors(v.Type()) {
			tensorsOf(v.Elem(), f)
		}
	case reflect.Interface:
		tensorsOf(v.Elem(), f)
	}
}

// tensorsOfFields is tensorsOf for a struct with the given fields.
func tensorsOfFields(v reflect.Value, fields []treeField, f func(x Tensor)) {
	for i := range fields {
		switch field := &fields[i]; {
		case !field.exported || !field.mayHold:
		case field.fields != nil:
			tensorsOfFields(v.Field(i), field.fields, f)
		default:
			tensorsOf(v.Field(i), f)
		}
	}
}

// A treeField is a field of a struct.
type treeField struct {
	name     string // ".Kernel"
	exported bool
	mayHold  bool        // its type holds tensors, or has interfaces, whose values may
	fields   []treeField // of its type, if that is a struct that may hold tensors and no Tensor
}

// treeFields returns the fields of struct type t. They are cached, since finding them by reflection can take
// longer than running a compiled function.
func treeFields(t reflect.Type) []treeField {
	if known, ok := treeFieldsCache.Load(t); ok {
		return known.([]treeField)
	}
	var all []treeField
	for f := range t.Fields() {
		field := treeField{name: "." + f.Name, exported: f.IsExported(), mayHold: mayHold(f.Type)}
		if field.mayHold && f.Type.Kind() == reflect.Struct && f.Type != tensorType {
			field.fields = treeFields(f.Type)
		}
		all = append(all, field)
	}
	treeFieldsCache.Store(t, all)
	return all
}

var treeFieldsCache sync.Map // reflect.Type to []treeField

// children calls f for each part of v.
func children(v reflect.Value, f func(name string, child reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i, field := range treeFields(v.Type()) {
			if field.exported {
				f(field.name, v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			f(fmt.Sprintf("[%d]", i), v.Index(i))
		}
	case reflect.Map:
		for _, k := range sortedKeys(v) {
			f(keyText(k), v.MapIndex(k))
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			f("", v.Elem())
		}
	}
}

// keyText returns an index expression for a map key: ["a"].
func keyText(k reflect.Value) string {
	if k.Kind() == reflect.String {
		return fmt.Sprintf("[%q]", k.String())
	}
	return fmt.Sprintf("[%v]", k)
}

func sortedKeys(v reflect.Value) []reflect.Value {
	if v.Len() == 0 {
		return nil
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, compareKeys)
	return keys
}

// sortedNames returns the keys of m in order.
func sortedNames(m map[string][]Tensor) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func compareKeys(a, b reflect.Value) int {
	switch {
	case a.Kind() == reflect.String && b.Kind() == reflect.String:
		return strings.Compare(a.String(), b.String())
	case a.CanInt() && b.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint() && b.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat() && b.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	}
	return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

// rebuild returns a copy of v with each tensor replaced by the result of f, in the order
// of leaves. Parts without tensors are shared with v.
func rebuild(v reflect.Value, f func(Tensor) Tensor) reflect.Value {
	if !v.IsValid() || !mayHold(v.Type()) {
		return v
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	replace(out, f)
	return out
}

// replace replaces each tensor of v, which is addressable, by the result of f. What v
// shares with other values is copied first.
func replace(v reflect.Value, f func(Tensor) Tensor) {
	switch v.Type() {
	case tensorType:
		x := v.Addr().Interface().(*Tensor)
		*x = f(*x)
		return
	case tensorsType:
		xs := v.Addr().Interface().(*[]Tensor)
		*xs = slices.Clone(*xs)
		for i, x := range *xs {
			(*xs)[i] = f(x)
		}
		return
	case slotsType:
		to := v.Addr().Interface().(*map[string][]Tensor)
		*to = maps.Clone(*to)
		for _, k := range sortedNames(*to) {
			xs := slices.Clone((*to)[k])
			for i, x := range xs {
				xs[i] = f(x)
			}
			(*to)[k] = xs
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		replaceFields(v, treeFields(v.Type()), f)
	case reflect.Array:
		for i := range v.Len() {
			replace(v.Index(i), f)
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(list, v)
		for i := range v.Len() {
			replace(list.Index(i), f)
		}
		v.Set(list)
	case reflect.Map:
		if v.IsNil() {
			return
		}
		entries := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, k := range sortedKeys(v) {
			entries.SetMapIndex(k, rebuild(v.MapIndex(k), f))
		}
		v.Set(entries)
	case reflect.Pointer:
		if v.IsNil() || !holdsTensors(v.Type()) {
			return
		}
		to := reflect.New(v.Type().Elem())
		to.Elem().Set(v.Elem())
		replace(to.Elem(), f)
		v.Set(to)
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(rebuild(v.Elem(), f))
		}
	}
}

// replaceFields is replace for a struct with the given fields.
func replaceFields(v reflect.Value, fields []treeField, f func(Tensor) Tensor) {
	for i := range fields {
		switch field := &fields[i]; {
		case !field.exported || !field.mayHold:
		case field.fields != nil:
			replaceFields(v.Field(i), field.fields, f)
		default:
			replace(v.Field(i), f)
		}
	}
}

// holdsTensors reports whether a value of type t can contain leaves. Recursive types are
// refused elsewhere.
func holdsTensors(t reflect.Type) bool {
	if t == tensorType {
		return true
	}
	if known, ok := holdsCache.Load(t); ok {
		return known.(bool)
	}
	h := holds(t, false, nil)
	holdsCache.Store(t, h)
	return h
}

var holdsCache sync.Map // reflect.Type to bool

// mayHold reports whether a value of type t can contain leaves, in any interface too.
func mayHold(t reflect.Type) bool {
	if known, ok := mayHoldCache.Load(t); ok {
		return known.(bool)
	}
	h := holds(t, true, nil)
	mayHoldCache.Store(t, h)
	return h
}

var mayHoldCache sync.Map // reflect.Type to bool

// holds reports whether a value of type t can contain tensors, in interfaces that have no
// methods, or in any if interfaces is true.
func holds(t reflect.Type, interfaces bool, above []reflect.Type) bool {
	if t == tensorType {
		return true
	}
	if slices.Contains(above, t) {
		return false
	}
	above = append(above, t)
	switch t.Kind() {
	case reflect.Interface:
		return interfaces || t.NumMethod() == 0
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Pointer:
		return holds(t.Elem(), interfaces, above)
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() && holds(t.Field(i).Type, interfaces, above) {
				return true
			}
		}
	}
	return false
}

// hiddenField returns the first unexported field in type t that contains tensors, which
// are not leaves: ".Layers[].w", or "" if there is none.
func hiddenField(t reflect.Type, path string) string {
	if t == tensorType || recursive(t) {
		return ""
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return hiddenField(t.Elem(), path+"[]")
	case reflect.Pointer:
		return hiddenField(t.Elem(), path)
	case reflect.Struct:
		for field := range t.Fields() {
			place := path + "." + field.Name
			if !field.IsExported() && containsTensors(field.Type) {
				return place
			}
			if inner := hiddenField(field.Type, place); field.IsExported() && inner != "" {
				return inner
			}
		}
	}
	return ""
}

// containsTensors reports whether a value of type t contains tensors, other than behind a
// pointer.
func containsTensors(t reflect.Type) bool {
	if recursive(t) {
		return false
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return containsTensors(t.Elem())
	case reflect.Struct:
		if t == tensorType {
			return true
		}
		for field := range t.Fields() {
			if containsTensors(field.Type) {
				return true
			}
		}
	}
	return false
}

// refuseHidden panics if a value of type t has tensors in unexported fields, which
// transformations would lose. what names the value in the error.
func refuseHidden(op, what string, t reflect.Type) {
	if where := hiddenField(t, ""); where != "" {
		name := where[strings.LastIndex(where, ".")+1:]
		panic(&Error{Op: op, Operands: cellTypeName(t.String()),
			Reason: what + " has tensors in the unexported field " + where,
			Hint:   "call it " + strings.ToUpper(name[:1]) + name[1:]})
	}
}

// cellTypeName returns the text of a type as written in a cell.
func cellTypeName(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "main.", ""), "anvil.", "nv.")
}

// recursive reports whether t contains itself.
func recursive(t reflect.Type) bool {
	if known, ok := recursiveCache.Load(t); ok {
		return known.(bool)
	}
	r := containsItself(t, nil)
	recursiveCache.Store(t, r)
	return r
}

var recursiveCache sync.Map // reflect.Type to bool

// containsItself reports whether t contains itself, or one of the types above it.
func containsItself(t reflect.Type, above []reflect.Type) bool {
	if t == tensorType || t.Kind() == reflect.Interface {
		return false
	}
	if slices.Contains(above, t) {
		return true
	}
	above = append(above, t)
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Pointer:
		return containsItself(t.Elem(), above)
	case reflect.Struct:
		for i := range t.NumField() {
			if containsItself(t.Field(i).Type, above) {
				return true
			}
		}
	}
	return false
}

// appendSettings appends the settings that a trace depends on.
func (c *Context) appendSettings(b []byte) []byte {
	if s := c.settings.State(); s != (backend.State{}) {
		b = fmt.Appendf(b, "%v;", s)
	}
	if conventions := c.conventions.Load(); conventions != nil {
		b = fmt.Appendf(b, "conventions %s;", conventions.Name)
	}
	if t := c.truncation.Load(); t != 0 {
		b = fmt.Appendf(b, "truncation %d;", t)
	}
	if d := c.LayerDType(); d.Valid() {
		b = fmt.Appendf(b, "layers %v;", d)
	}
	return b
}

// TreeMap returns a value with the structure of tree, with each tensor replaced by the
// result of f for it and the tensors at the same place in others. A zero Tensor in tree
// stays; one in others is passed to f.
func TreeMap[P any](f func(xs ...Tensor) Tensor, tree P, others ...P) P {
	vs := make([]any, len(others))
	for i, o := range others {
		vs[i] = o
	}
	return TreeMapAny(f, tree, vs...).(P)
}

// TreeMapAny is TreeMap for callers that cannot instantiate it.
func TreeMapAny(f func(xs ...Tensor) Tensor, tree any, others ...any) any {
	if tree == nil || f == nil {
		panic(&Error{Op: "TreeMap", Operands: fmt.Sprintf("%T, %T", f, tree), Reason: "the function or the tree is nil",
			Hint: "give a function of tensors and a value that contains tensors"})
	}
	refuseHidden("TreeMap", "the tree", reflect.TypeOf(tree))
	rest := make([][]Tensor, len(others))
	for i, o := range others {
		rest[i] = TreeLeaves(o)
	}
	at := 0
	n := len(TreeLeaves(tree))
	for i, r := range rest {
		if len(r) != n {
			panic(&Error{Op: "TreeMap", Operands: fmt.Sprintf("%T, %T", tree, others[i]),
				Reason: fmt.Sprintf("the trees have %d and %d tensors", n, len(r)), Hint: "give trees of one structure"})
		}
	}
	return rebuild(reflect.ValueOf(tree), func(x Tensor) Tensor {
		xs := []Tensor{x}
		for _, r := range rest {
			xs = append(xs, r[at])
		}
		at++
		if x.t == nil {
			return x
		}
		return f(xs...)
	}).Interface()
}

// TreeLeaves returns the tensors of tree, in order, zero Tensors among them.
func TreeLeaves(tree any) []Tensor {
	var xs []Tensor
	leaves(reflect.ValueOf(tree), "", func(_ string, x Tensor) { xs = append(xs, x) })
	return xs
}

// treeDifference returns where b differs from a, a value of the same type, in anything
// but its tensors, and how. how is "" if it does not.
func treeDifference(a, b reflect.Value, path string) (where, how string) {
	switch {
	case !a.IsValid() || !b.IsValid():
		if a.IsValid() != b.IsValid() {
			return path, "one of them is nil"
		}
		return "", ""
	case a.Type() != b.Type():
		return path, fmt.Sprintf("%s becomes %s", a.Type(), b.Type())
	case a.Type() == tensorType:
		return "", ""
	case !holdsTensors(a.Type()) && !(a.Kind() == reflect.Interface):
		if equalValues(a, b) {
			return "", ""
		}
		return path, fmt.Sprintf("%v becomes %v", a, b)
	}
	return partDifference(a, b, path)
}

// equalValues reports whether a and b, which contain no tensors, are equal as far as
// reflection can tell. Functions are compared by address.
func equalValues(a, b reflect.Value) bool {
	switch {
	case a.Kind() == reflect.Func:
		return a.Pointer() == b.Pointer()
	case a.Kind() == reflect.Struct:
		for i := range a.NumField() {
			if !equalValues(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case a.CanInterface():
		return reflect.DeepEqual(a.Interface(), b.Interface())
	}
	return !a.Comparable() || !b.Comparable() || a.Equal(b)
}

func partDifference(a, b reflect.Value, path string) (where, how string) {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			f := a.Type().Field(i)
			place := path + "." + f.Name
			if !f.IsExported() && !equalValues(a.Field(i), b.Field(i)) {
				return place, fmt.Sprintf("%v becomes %v", a.Field(i), b.Field(i))
			}
			if f.IsExported() {
				if where, how = treeDifference(a.Field(i), b.Field(i), place); how != "" {
					return where, how
				}
			}
		}
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return path, fmt.Sprintf("%d elements become %d", a.Len(), b.Len())
		}
		for i := range a.Len() {
			if where, how = treeDifference(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", path, i)); how != "" {
				return where, how
			}
		}
	case reflect.Map:
		return mapDifference(a, b, path)
	case reflect.Pointer, reflect.Interface:
		return treeDifference(a.Elem(), b.Elem(), path)
	}
	return "", ""
}

func mapDifference(a, b reflect.Value, path string) (where, how string) {
	for _, k := range sortedKeys(b) {
		if !a.MapIndex(k).IsValid() {
			return path + keyText(k), "the key is new"
		}
	}
	for _, k := range sortedKeys(a) {
		at := path + keyText(k)
		if !b.MapIndex(k).IsValid() {
			return at, "the key is missing"
		}
		if where, how = treeDifference(a.MapIndex(k), b.MapIndex(k), at); how != "" {
			return where, how
		}
	}
	return "", ""
}

// TreeReplace returns a copy of tree with its tensors replaced by leaves, in the order of
// TreeLeaves. Zero Tensors count: they are replaced too, and may replace others.
func TreeReplace[P any](tree P, leaves []Tensor) P { return TreeReplaceAny(tree, leaves).(P) }

// TreeReplaceAny is TreeReplace for callers that cannot instantiate it.
func TreeReplaceAny(tree any, leaves []Tensor) any {
	if tree == nil {
		panic(&Error{Op: "TreeReplace", Operands: "<nil>", Reason: "the tree is nil", Hint: "give a value that contains tensors"})
	}
	refuseHidden("TreeReplace", "the tree", reflect.TypeOf(tree))
	if n := len(TreeLeaves(tree)); n != len(leaves) {
		panic(&Error{Op: "TreeReplace", Operands: fmt.Sprintf("%T, %d tensors", tree, len(leaves)),
			Reason: fmt.Sprintf("the tree has %d tensors", n), Hint: "give as many as TreeLeaves returns"})
	}
	at := -1
	return rebuild(reflect.ValueOf(tree), func(Tensor) Tensor { at++; return leaves[at] }).Interface()
}
