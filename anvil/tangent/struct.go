package tangent

import (
	"fmt"
	"html"
	"reflect"
	"slices"
	"strconv"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
)

// A Struct is a structural tangent: tangents of the parts of a primal value. The parts of a struct are its fields, the
// parts of a slice or array are its elements, and the parts of a map are its entries. A value of a defined number type,
// such as time.Duration, has one part: the number, with the name value. Missing parts are Zero.
//
// A Struct belongs to its primal type P and prints as Tangent{P}(field = value, ...). Tangents of two primal
// types cannot be added even if the types have the same fields.
type Struct struct {
	primal *primal
	parts  map[any]any // by name, index or key
}

// F holds the tangents of fields by name, or of properties, which are declared with Properties. It belongs to no primal
// type, so it cannot be added to anything.
type F map[string]any

// New returns a structural tangent for the type of value, a primal, with the given parts: an F with the names
// of fields or properties, or the tangents of the elements in order.
func (r *Registry) New(value any, parts ...any) Struct {
	const op = "New"
	t := Struct{primal: r.primalOf(typeOf(op, value)), parts: map[any]any{}}
	if t.primal.form() == noForm {
		fail(op, []any{value}, t.primal.name()+" has no parts",
			"give a struct, slice, array, map or a value of a defined number type")
	}
	if len(parts) == 1 && t.primal.form() != listForm {
		if f, ok := parts[0].(F); ok {
			for name, v := range f {
				t.parts[t.primal.key(op, name)] = v
			}
			return t
		}
	}
	if form := t.primal.form(); form != listForm && len(parts) > 0 {
		hint := `give one tangent.F{"key": tangent}; if the keys are not strings, use tangent.StructuralFor`
		if form != mapForm {
			hint = `give one tangent.F{"name": tangent} with the names ` + join(t.primal.fields())
		}
		fail(op, append([]any{value}, parts...), "the parts of a Tangent{"+t.primal.name()+"} need names", hint)
	}
	for i, v := range parts {
		t.parts[i] = v
	}
	return t
}

// key returns the key in Struct.parts of the part with the given name: for a map, the name as a value of the key type.
func (p *primal) key(op, name string) any {
	if p.form() != mapForm {
		return name
	}
	keyType := p.typ.Key()
	if keyType.Kind() != reflect.String && !(keyType.Kind() == reflect.Interface && keyType.NumMethod() == 0) {
		fail(op, []any{reflect.Zero(p.typ).Interface(), F{}}, "the keys of a "+p.name()+" are not strings",
			"use tangent.StructuralFor or tangent.Diff")
	}
	if keyType.Kind() == reflect.Interface {
		return name
	}
	return reflect.ValueOf(name).Convert(keyType).Interface()
}

// A form says what the parts of the values of a primal type are.
type form int

const (
	noForm     form = iota
	fieldsForm      // a struct
	numberForm      // a defined type of numbers, with the part "value"
	listForm        // a slice or an array
	mapForm
)

// form returns the form of the parts of p.
func (p *primal) form() form {
	switch {
	case p == nil: // the primal type of the zero Struct
		return noForm
	case p.typ == tensorType:
		return noForm
	case p.typ.Kind() == reflect.Struct:
		return fieldsForm
	case p.typ.Kind() == reflect.Slice || p.typ.Kind() == reflect.Array:
		return listForm
	case p.typ.Kind() == reflect.Map:
		return mapForm
	case isNumber(p.typ) && isDefined(p.typ):
		return numberForm
	}
	return noForm
}

// fields returns the names of the parts of a struct or number type.
func (p *primal) fields() []any {
	if p.form() == numberForm {
		return []any{"value"}
	}
	var names []any
	for f := range p.typ.Fields() {
		names = append(names, f.Name)
	}
	return names
}

// Field returns the tangent of a field or property, or Zero. A Thunk is computed.
func (t Struct) Field(name string) any { return t.part(name) }

// At returns the tangent of an element, or of the entry with a key, or Zero. A Thunk is computed.
func (t Struct) At(key any) any { return t.part(key) }

// part returns the tangent of a part without thunks, or Zero if the part is missing.
func (t Struct) part(key any) any {
	if v, ok := t.parts[key]; ok {
		return unthunkAll(v)
	}
	return Zero
}

// keys returns the keys of the parts in the order in which they print: fields as declared, then properties by name.
func (t Struct) keys() []any {
	if form := t.primal.form(); form != fieldsForm && form != numberForm {
		return keys(t.parts)
	}
	fields := t.primal.fields()
	order := slices.DeleteFunc(slices.Clone(fields), func(k any) bool { _, ok := t.parts[k]; return !ok })
	for _, k := range keys(t.parts) {
		if !slices.Contains(fields, k) {
			order = append(order, k)
		}
	}
	return order
}

// nonFields returns the names of the parts of t that are not fields of the primal type, such as properties.
func (t Struct) nonFields() []any {
	if form := t.primal.form(); form != fieldsForm && form != numberForm {
		return nil
	}
	fields := t.primal.fields()
	return slices.DeleteFunc(t.keys(), func(k any) bool { return slices.Contains(fields, k) })
}

// Canonical returns t with a part for each field of the primal type: Zero for missing fields. It converts properties to
// fields with the function declared by Properties. Other names are an error.
func (t Struct) Canonical() Struct {
	t = t.propertiesToFields("Canonical")
	out := t.withParts(t.parts)
	if form := t.primal.form(); form == fieldsForm || form == numberForm {
		for _, k := range t.primal.fields() {
			if _, ok := out.parts[k]; !ok {
				out.parts[k] = Zero
			}
		}
	}
	return out
}

// propertiesToFields returns t with its properties converted to fields.
func (t Struct) propertiesToFields(op string) Struct {
	nonFields := t.nonFields()
	if len(nonFields) == 0 {
		return t
	}
	convert := t.primal.declarations().properties
	if !convert.IsValid() {
		fail(op, []any{t}, fmt.Sprintf("%s has no field %v; its fields are %s", t.primal.name(), nonFields[0],
			join(t.primal.fields())),
			"declare properties with tangent.Properties")
	}
	f := F{}
	for k, v := range t.parts {
		f[k.(string)] = v
	}
	out := t.withParts(nil)
	for k, v := range call(op, convert, f).(F) {
		out.parts[k] = v
	}
	if left := out.nonFields(); len(left) > 0 {
		fail(op, []any{t},
			fmt.Sprintf("the function given to tangent.Properties for %s returned %v, which is not a field",
				t.primal.name(), left[0]),
			"return the tangents of "+join(t.primal.fields()))
	}
	return out
}

// withParts returns a tangent of t's primal type whose parts are a copy of parts.
func (t Struct) withParts(parts map[any]any) Struct {
	out := Struct{primal: t.primal, parts: make(map[any]any, len(parts))}
	for k, v := range parts {
		out.parts[k] = v
	}
	return out
}

// mapParts returns t with f applied to each part.
func (t Struct) mapParts(f func(v any) any) Struct {
	out := t.withParts(nil)
	for _, k := range t.keys() {
		out.parts[k] = f(t.parts[k])
	}
	return out
}

// addStructs returns a + b, part by part. It fails if their primal types differ.
func (r *Registry) addStructs(a, b Struct) any {
	if a.primal != b.primal {
		hint := ""
		if a.primal.name() == b.primal.name() {
			hint = a.primal.name() + " was declared again in between: compute both tangents with the new type"
		}
		fail("Add", []any{a, b}, fmt.Sprintf("cannot add %s to %s", describe(a), describe(b)), hint)
	}
	if (len(a.nonFields()) == 0) != (len(b.nonFields()) == 0) { // only one of them has properties
		if overload := a.primal.declarations().overload; overload.IsValid() {
			return call("Add", overload, a, b)
		}
		if a.primal.declarations().properties.IsValid() {
			a, b = a.propertiesToFields("Add"), b.propertiesToFields("Add")
		}
	}
	out := a.withParts(a.parts)
	for k, v := range b.parts {
		if old, ok := out.parts[k]; ok {
			v = r.Add(old, v)
		}
		out.parts[k] = v
	}
	return out
}

// String returns Tangent{P}(field = value, ...).
func (t Struct) String() string {
	var parts []string
	for _, k := range t.keys() {
		parts = append(parts, t.label(k)+formatPart(t.parts[k]))
	}
	return describe(t) + "(" + strings.Join(parts, ", ") + ")"
}

// label returns the text before the part with a key: "field = ".
func (t Struct) label(key any) string {
	switch t.primal.form() {
	case listForm:
		return ""
	case mapForm:
		return formatPart(key) + ": "
	}
	return fmt.Sprintf("%v = ", key)
}

// HTML returns the tangent as a tree that can be folded, with the size of each part in bytes. It does not compute
// thunks.
func (t Struct) HTML() string { return "<details open>" + t.tree("") + "</details>" }

// tree returns the contents of a details element, whose first line begins with label.
func (t Struct) tree(label string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<summary>%s%s &middot; %s</summary>", label, html.EscapeString(describe(t)), measure(t))
	for _, k := range t.keys() {
		label := html.EscapeString(t.label(k))
		if part, ok := t.parts[k].(Struct); ok {
			fmt.Fprintf(&b, `<details style="margin-left:1.5em">%s</details>`, part.tree(label))
			continue
		}
		text := html.EscapeString(formatPart(t.parts[k]))
		fmt.Fprintf(&b, `<div style="margin-left:1.5em">%s<code>%s</code> &middot; %d B</div>`, label, text,
			measure(t.parts[k]).bytes)
	}
	return b.String()
}

// A size is the amount of memory that a tangent takes.
type size struct {
	bytes         int // taken by numbers and indices
	zeros, thunks int // how many parts are Zero, and how many are thunks
}

// String returns "24 B, 1 Zero, 2 Thunk".
func (s size) String() string {
	text := fmt.Sprintf("%d B", s.bytes)
	if s.zeros > 0 {
		text += fmt.Sprintf(", %d Zero", s.zeros)
	}
	if s.thunks > 0 {
		text += fmt.Sprintf(", %d Thunk", s.thunks)
	}
	return text
}

// measure returns the size of a tangent.
func measure(t any) (s size) {
	const word = 8
	add := func(part any) {
		p := measure(part)
		s.bytes, s.zeros, s.thunks = s.bytes+p.bytes, s.zeros+p.zeros, s.thunks+p.thunks
	}
	switch t := t.(type) {
	case Struct:
		for _, part := range t.parts {
			add(part)
		}
		return s
	case ZeroTangent:
		return size{zeros: 1}
	case Thunk, InplaceableThunk:
		return size{thunks: 1}
	case OneElement:
		add(t.Value)
		s.bytes += word * (len(t.Shape) + len(t.Index))
		return s
	case Sparse:
		for _, e := range t.elements() {
			add(e.value)
			s.bytes += word
		}
		if t.Dense() {
			add(t.base)
		}
		return s
	case nv.Tensor:
		if t.Valid() {
			s.bytes = t.Type().Bytes()
		}
		return s
	}
	v := reflect.ValueOf(t)
	switch {
	case !v.IsValid():
	case isNumber(v.Type()):
		s.bytes = int(v.Type().Size())
	case isList(v.Type()):
		for i := range v.Len() {
			add(v.Index(i).Interface())
		}
	}
	return s
}

// formatPart returns v as text, quoted if it is a string.
func formatPart(v any) string {
	if s, ok := v.(string); ok {
		return strconv.Quote(s)
	}
	return fmt.Sprint(v)
}

// join returns the texts of list, separated by commas.
func join(list []any) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, ", ")
}
