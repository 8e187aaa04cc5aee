package anvil

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/goanvil/notebook/anvil/internal/extension"
	"github.com/goanvil/notebook/anvil/typename"
)

// This file is about trees. A tree is a Tensor, or a struct, slice, array, map or pointer
// that contains trees. Its leaves are the tensors in order: fields as declared, elements by
// index, map entries by key. Transformations take and return trees. A zero Tensor in a tree
// stands for no tensor: a transformation leaves it as it is.

// leaves calls f for each tensor of v. It passes path followed by the place of the tensor in
// v: "[0].W".
func leaves(v reflect.Value, path string, f func(path string, x Tensor)) { walkLeaves(0, v, path, f) }

// walkLeaves is leaves for a value that is nested depth deep in a tree.
func walkLeaves(depth int, v reflect.Value, path string, f func(path string, x Tensor)) {
	checkDepth(depth, v)
	switch {
	case !v.IsValid():
	case v.Type() == tensorType:
		f(path, v.Interface().(Tensor))
	default:
		children(v, func(name string, child reflect.Value) { walkLeaves(depth+1, child, path+name, f) })
	}
}

// maxTreeDepth limits how deep the parts of a tree may nest, since a value may contain itself.
const maxTreeDepth = 10_000

// checkDepth panics if v, a part of a tree at the given depth, is nested too deep.
func checkDepth(depth int, v reflect.Value) {
	if depth > maxTreeDepth {
		panic(&Error{Op: "tree", Operands: typename.Text(v.Type().String()),
			Reason: fmt.Sprintf("the value contains itself, or nests more than %d deep", maxTreeDepth),
			Hint:   "give a value that does not contain itself"})
	}
}

// tensorsOf calls f for each tensor of v, in the order of leaves but without making paths.
// Like replace, it follows a pointer only if the pointer leads to tensors.
func tensorsOf(v reflect.Value, f func(x Tensor)) { tensorsAt(0, v, f) }

// tensorsAt is tensorsOf for a value that is nested depth deep in a tree.
func tensorsAt(depth int, v reflect.Value, f func(x Tensor)) {
	checkDepth(depth, v)
	if !v.IsValid() {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == tensorType {
			f(v.Interface().(Tensor))
			return
		}
		tensorsOfFields(depth, v, treeFields(v.Type()), f)
	case reflect.Slice, reflect.Array:
		if mayHold(v.Type()) {
			for i := range v.Len() {
				tensorsAt(depth+1, v.Index(i), f)
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
				tensorsAt(depth+1, v.MapIndex(k), f)
			}
		}
	case reflect.Pointer:
		if leadsToLeaves(v) {
			tensorsAt(depth+1, v.Elem(), f)
		}
	case reflect.Interface:
		tensorsAt(depth+1, v.Elem(), f)
	}
}

// tensorsOfFields is tensorsAt for a struct with the given fields.
func tensorsOfFields(depth int, v reflect.Value, fields []treeField, f func(x Tensor)) {
	for i := range fields {
		switch field := &fields[i]; {
		case !field.exported || !field.mayHold:
		case field.fields != nil:
			tensorsOfFields(depth, v.Field(i), field.fields, f)
		default:
			tensorsAt(depth+1, v.Field(i), f)
		}
	}
}

// A treeField is a field of a struct.
type treeField struct {
	name     string // ".Kernel"
	exported bool
	mayHold  bool        // the result of the function mayHold for the type of the field
	fields   []treeField // the fields of a struct other than Tensor that may hold tensors; else nil
}

// treeFields returns the fields of struct type t. They are cached, since finding them by reflection can take
// longer than running a compiled function.
func treeFields(t reflect.Type) []treeField { return cached(&treeFieldsCache, t, newTreeFields) }

var treeFieldsCache sync.Map // reflect.Type to []treeField

// newTreeFields is treeFields without the cache.
func newTreeFields(t reflect.Type) (all []treeField) {
	for f := range t.Fields() {
		field := treeField{name: "." + f.Name, exported: f.IsExported(), mayHold: mayHold(f.Type)}
		if field.mayHold && f.Type.Kind() == reflect.Struct && f.Type != tensorType {
			field.fields = treeFields(f.Type)
		}
		all = append(all, field)
	}
	return all
}

// cached returns the value for t in the cache, which it sets to f(t) if there is none.
func cached[V any](cache *sync.Map, t reflect.Type, f func(reflect.Type) V) V {
	if known, ok := cache.Load(t); ok {
		return known.(V)
	}
	v := f(t)
	cache.Store(t, v)
	return v
}

// children calls f for each part of v, with its place in v: ".W", "[0]", or "" behind a
// pointer or in an interface.
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

// sortedKeys returns the keys of the map v in the order of extension.CompareKeys.
func sortedKeys(v reflect.Value) []reflect.Value {
	if v.Len() == 0 {
		return nil
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, extension.CompareKeys)
	return keys
}

// sortedNames is sortedKeys for the type of an optimizer's slots, without reflection, which
// is slow.
func sortedNames(m map[string][]Tensor) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// rebuild returns a copy of v with each tensor replaced by the result of f, in the order
// of leaves. Parts without tensors are shared with v.
func rebuild(v reflect.Value, f func(Tensor) Tensor) reflect.Value { return rebuildAt(0, v, f) }

// rebuildAt is rebuild for a value that is nested depth deep in a tree.
func rebuildAt(depth int, v reflect.Value, f func(Tensor) Tensor) reflect.Value {
	if !v.IsValid() || !mayHold(v.Type()) {
		return v
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	replaceAt(depth, out, f)
	return out
}

// withLeaves returns a copy of v with its tensors replaced by xs, in the order of leaves.
func withLeaves(v reflect.Value, xs []Tensor) reflect.Value {
	return rebuild(v, func(Tensor) (x Tensor) {
		x, xs = xs[0], xs[1:]
		return x
	})
}

// replace replaces each tensor of v, which is addressable, by the result of f. Slices, maps
// and pointers that contain tensors are copied first, since other values may share them.
func replace(v reflect.Value, f func(Tensor) Tensor) { replaceAt(0, v, f) }

// replaceAt is replace for a value that is nested depth deep in a tree.
func replaceAt(depth int, v reflect.Value, f func(Tensor) Tensor) {
	checkDepth(depth, v)
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
		replaceFields(depth, v, treeFields(v.Type()), f)
	case reflect.Array:
		for i := range v.Len() {
			replaceAt(depth+1, v.Index(i), f)
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(list, v)
		for i := range v.Len() {
			replaceAt(depth+1, list.Index(i), f)
		}
		v.Set(list)
	case reflect.Map:
		if v.IsNil() {
			return
		}
		entries := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, k := range sortedKeys(v) {
			entries.SetMapIndex(k, rebuildAt(depth+1, v.MapIndex(k), f))
		}
		v.Set(entries)
	case reflect.Pointer:
		if v.IsNil() || !leadsToLeaves(v) {
			return
		}
		to := reflect.New(v.Type().Elem())
		to.Elem().Set(v.Elem())
		replaceAt(depth+1, to.Elem(), f)
		v.Set(to)
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(rebuildAt(depth+1, v.Elem(), f))
		}
	}
}

// replaceFields is replaceAt for a struct with the given fields.
func replaceFields(depth int, v reflect.Value, fields []treeField, f func(Tensor) Tensor) {
	for i := range fields {
		switch field := &fields[i]; {
		case !field.exported || !field.mayHold:
		case field.fields != nil:
			replaceFields(depth, v.Field(i), field.fields, f)
		default:
			replaceAt(depth+1, v.Field(i), f)
		}
	}
}

// leadsToLeaves reports whether the pointer v leads to leaves, or has a type for which holdsTensors is true.
// holdsTensors does not find leaves in interfaces with methods, so hasLeaves looks for them in the value.
func leadsToLeaves(v reflect.Value) bool {
	return holdsTensors(v.Type()) || hasLeaves(v, map[destination]bool{})
}

// A destination identifies the value that a pointer leads to. The type is needed because a struct and its first field
// have the same address.
type destination struct {
	address unsafe.Pointer
	typ     reflect.Type // of the pointer
}

// hasLeaves reports whether v contains leaves. seen are the pointers that have been followed.
func hasLeaves(v reflect.Value, seen map[destination]bool) (found bool) {
	if !v.IsValid() || !mayHold(v.Type()) {
		return false
	}
	if v.Type() == tensorType {
		return true
	}
	if v.Kind() == reflect.Pointer {
		to := destination{v.UnsafePointer(), v.Type()}
		if seen[to] {
			return false
		}
		seen[to] = true
	}
	children(v, func(_ string, child reflect.Value) { found = found || hasLeaves(child, seen) })
	return found
}

// holdsTensors reports whether a value of type t can contain leaves, directly or in an
// interface without methods.
func holdsTensors(t reflect.Type) bool {
	if t == tensorType {
		return true
	}
	return cached(&holdsCache, t, func(t reflect.Type) bool { return canHold(t, false, nil) })
}

var holdsCache sync.Map // reflect.Type to bool

// mayHold reports whether a value of type t can contain leaves, directly or in any
// interface.
func mayHold(t reflect.Type) bool {
	return cached(&mayHoldCache, t, func(t reflect.Type) bool { return canHold(t, true, nil) })
}

var mayHoldCache sync.Map // reflect.Type to bool

// canHold reports whether a value of type t can contain leaves, directly or in an interface
// without methods; if anyInterface is true, also in other interfaces. above are the types
// that contain t.
func canHold(t reflect.Type, anyInterface bool, above []reflect.Type) bool {
	if t == tensorType {
		return true
	}
	if slices.Contains(above, t) { // a recursive type: t is being examined already
		return false
	}
	above = append(above, t)
	switch t.Kind() {
	case reflect.Interface:
		return anyInterface || t.NumMethod() == 0
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Pointer:
		return canHold(t.Elem(), anyInterface, above)
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() && canHold(t.Field(i).Type, anyInterface, above) {
				return true
			}
		}
	}
	return false
}

// hiddenField returns path followed by the place in type t of the first unexported field
// that contains tensors, ".Layers[].w", or "" if there is none. Such tensors are not leaves.
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

// containsTensors reports whether a value of type t contains tensors in fields of any kind,
// but not behind pointers or in interfaces.
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
		first, size := utf8.DecodeRuneInString(name)
		capital := unicode.ToUpper(first)
		hint := "rename the field to " + string(capital) + name[size:]
		if !unicode.IsUpper(capital) {
			hint = "give the field a name that begins with a capital letter"
		}
		panic(&Error{Op: op, Operands: typename.Text(t.String()),
			Reason: what + " has tensors in the unexported field " + where, Hint: hint})
	}
}

// recursive reports whether type t contains itself, or a type that does.
func recursive(t reflect.Type) bool {
	return cached(&recursiveCache, t, func(t reflect.Type) bool { return containsItself(t, nil) })
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

// TreeMap returns a copy of tree in which each tensor is replaced by the result of f for it
// and the tensors at the same place in others. A zero Tensor in tree is not replaced; one in
// others is passed to f.
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
		panic(&Error{Op: "TreeMap", Operands: typename.Of(f) + ", " + typename.Of(tree),
			Reason: "the function or the tree is nil",
			Hint:   "give a function of tensors and a value that contains tensors"})
	}
	refuseHidden("TreeMap", "the tree", reflect.TypeOf(tree))
	n := len(TreeLeaves(tree))
	otherLeaves := make([][]Tensor, len(others))
	for i, o := range others {
		otherLeaves[i] = TreeLeaves(o)
		if m := len(otherLeaves[i]); m != n {
			panic(&Error{Op: "TreeMap", Operands: typename.Of(tree) + ", " + typename.Of(o),
				Reason: fmt.Sprintf("the trees have %d and %d tensors", n, m), Hint: "give trees of one structure"})
		}
	}
	leaf := 0
	return rebuild(reflect.ValueOf(tree), func(x Tensor) Tensor {
		xs := []Tensor{x}
		for _, ys := range otherLeaves {
			xs = append(xs, ys[leaf])
		}
		leaf++
		if x.t == nil {
			return x
		}
		return f(xs...)
	}).Interface()
}

// TreeLeaves returns the tensors of tree, in order, including zero Tensors.
func TreeLeaves(tree any) []Tensor {
	var xs []Tensor
	leaves(reflect.ValueOf(tree), "", func(_ string, x Tensor) { xs = append(xs, x) })
	return xs
}

// treeDifference returns the first place where b differs from a in anything but tensors, as
// path followed by the place in a, and the difference as text. how is "" if a and b do not
// differ.
func treeDifference(a, b reflect.Value, path string) (where, how string) {
	switch {
	case !a.IsValid() && !b.IsValid():
		return "", ""
	case !a.IsValid():
		return path, "nil becomes " + typename.Text(b.Type().String())
	case !b.IsValid():
		return path, typename.Text(a.Type().String()) + " becomes nil"
	case a.Type() != b.Type():
		return path, typename.Text(a.Type().String() + " becomes " + b.Type().String())
	case a.Type() == tensorType:
		return "", ""
	case isOpaque(a):
		if equalValues(a, b) {
			return "", ""
		}
		return path, fmt.Sprintf("%v becomes %v", a, b)
	}
	return partDifference(a, b, path)
}

// isOpaque reports whether replace does not look into v for tensors.
func isOpaque(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface:
		return false
	case reflect.Pointer:
		return !leadsToLeaves(v)
	}
	return !mayHold(v.Type())
}

// equalValues reports whether a and b, which contain no tensors, are equal. Functions are
// compared by address. Values of unexported fields that Go cannot compare count as equal.
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

// partDifference is treeDifference for values of one composite type.
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
			return path, fmt.Sprintf("length %d becomes %d", a.Len(), b.Len())
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

// mapDifference is treeDifference for maps.
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
// TreeLeaves. Zero Tensors in tree are replaced too, and leaves may contain zero Tensors.
func TreeReplace[P any](tree P, leaves []Tensor) P { return TreeReplaceAny(tree, leaves).(P) }

// TreeReplaceAny is TreeReplace for callers that cannot instantiate it.
func TreeReplaceAny(tree any, leaves []Tensor) any {
	if tree == nil {
		panic(&Error{Op: "TreeReplace", Operands: "<nil>", Reason: "the tree is nil",
			Hint: "give a value that contains tensors"})
	}
	refuseHidden("TreeReplace", "the tree", reflect.TypeOf(tree))
	if n := len(TreeLeaves(tree)); n != len(leaves) {
		panic(&Error{Op: "TreeReplace",
			Operands: typename.Of(tree) + ", " + plural(len(leaves), "tensor", "tensors"),
			Reason:   "the tree has " + plural(n, "tensor", "tensors"), Hint: "give as many as TreeLeaves returns"})
	}
	return withLeaves(reflect.ValueOf(tree), leaves).Interface()
}
