package tangent

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/internal/extension"
)

// This file has the functions between primal values and tangents: AddTo, Diff and StructuralFor.

// AddTo returns the primal value p + t, with the type of p. If t is Zero or None it returns p. If t is a structural
// tangent, it adds each part of t to the same part of p. It makes a struct with the function declared by
// Constructor, or else by setting fields. Adding a fraction to an integer is an error.
func (r *Registry) AddTo(p, t any) any {
	switch t := unthunkAll(t).(type) {
	case ZeroTangent, NoTangent:
		return p
	case NotImplemented:
		failNotImplemented("AddTo", t, p, t)
	case Struct:
		return r.addStructTo(p, t)
	default:
		return r.addNaturalTo(p, t)
	}
	return nil
}

// addNaturalTo returns p + t for a natural tangent, a OneElement or a Sparse.
func (r *Registry) addNaturalTo(p, t any) any {
	const op = "AddTo"
	if isNil(p) || isNil(t) {
		fail(op, []any{p, t}, "nil has no tangents other than Zero and None", "")
	}
	if x, ok := p.(nv.Tensor); ok {
		return r.addToTensor(x, t)
	}
	v, d := reflect.ValueOf(p), reflect.ValueOf(t)
	if v.Kind() == reflect.Pointer {
		out := reflect.New(v.Type().Elem())
		set(op, out.Elem(), r.AddTo(v.Elem().Interface(), t))
		return out.Interface()
	}
	if n, ok := r.primalOf(v.Type()).naturalFor(t); ok {
		return call(op, n.add, p, t)
	}
	if isNumber(v.Type()) && isNumber(d.Type()) && (!isDefined(d.Type()) || v.Type() == d.Type()) {
		return addNumbers(op, v, d, v.Type())
	}
	if isList(v.Type()) && isList(d.Type()) && v.Len() == d.Len() && v.Type().Elem().Kind() != reflect.Interface {
		out := newList(v)
		for i := range v.Len() {
			set(op, out.Index(i), r.AddTo(v.Index(i).Interface(), d.Index(i).Interface()))
		}
		return out.Interface()
	}
	if _, ok := t.(F); ok {
		r.failNoRule(op, p, t)
	}
	hint := "its tangent types are " + strings.Join(r.TypesFor(p), ", ")
	if v.Type() == d.Type() && len(r.Natural(p)) > 0 {
		hint = fmt.Sprintf("a %s is a point, so two of them have no sum; %s", describe(p), hint)
	}
	fail(op, []any{p, t}, notTangent(p, t), hint)
	return nil
}

// addToTensor returns p + t, with the dtype and shape of p.
func (r *Registry) addToTensor(p nv.Tensor, t any) nv.Tensor {
	d := r.denseAs("AddTo", t, p)
	if _, number := numberOf(d); !number && !isTensor(d) {
		fail("AddTo", []any{p, t}, notTangent(p, t), "give a number or a tensor")
	}
	sum := nv.Add(p, d)
	switch {
	case !sum.Shape().Equal(p.Shape()):
		fail("AddTo", []any{p, t}, "the shapes differ", "give a tangent with the shape of the first operand")
	case sum.DType() == p.DType():
		return sum
	case !p.DType().Is(dtype.Inexact):
		fail("AddTo", []any{p, t}, "inexact: a tensor of integers or bools cannot hold fractions",
			"convert it to a float: x.AsType(nv.F32)")
	case sum.DType().Is(dtype.Complex) && !p.DType().Is(dtype.Complex):
		fail("AddTo", []any{p, t}, "a real tensor has no complex tangent",
			"take the real part of the tangent with tangent.Project")
	}
	return sum.AsType(p.DType())
}

// addStructTo returns p + t for a structural tangent.
func (r *Registry) addStructTo(p any, t Struct) any {
	const op = "AddTo"
	v := reflect.ValueOf(p)
	if !v.IsValid() || r.primalOf(v.Type()) != t.primal {
		fail(op, []any{p, t}, fmt.Sprintf("cannot add %s to a %s", describe(t), describe(p)), "")
	}
	t = t.propertiesToFields(op)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			fail(op, []any{p, t}, "nil has no tangents other than Zero and None", "")
		}
		out := reflect.New(v.Type().Elem())
		set(op, out.Elem(), r.AddTo(v.Elem().Interface(), t))
		return out.Interface()
	}
	switch t.primal.form() {
	case numberForm:
		d := t.part("value")
		if n, ok := numberOf(d); ok {
			return addNumbers(op, v, n, v.Type())
		}
		return r.AddTo(p, d)
	case fieldsForm:
		return r.construct(p, v, t)
	case listForm:
		out := newList(v)
		reflect.Copy(out, v)
		for k, d := range t.parts {
			i, ok := k.(int)
			if !ok || i < 0 || i >= v.Len() {
				fail(op, []any{p, t},
					fmt.Sprintf("the tangent has a part for element %v, but the length of the value is %d", k, v.Len()), "")
			}
			set(op, out.Index(i), r.AddTo(v.Index(i).Interface(), d))
		}
		return out.Interface()
	}
	return r.addToMap(p, v, t)
}

// addToMap returns p + t for a map; v is the reflect.Value of p.
func (r *Registry) addToMap(p any, v reflect.Value, t Struct) any {
	out := reflect.MakeMapWithSize(v.Type(), v.Len())
	for _, k := range v.MapKeys() {
		sum := reflect.New(v.Type().Elem()).Elem()
		set("AddTo", sum, r.AddTo(v.MapIndex(k).Interface(), t.part(k.Interface())))
		out.SetMapIndex(k, sum)
	}
	for k, d := range t.parts {
		if key := reflect.ValueOf(k); !out.MapIndex(key).IsValid() && rankOf(d) != zeroRank && rankOf(d) != noneRank {
			fail("AddTo", []any{p, t}, "the map has no entry "+formatPart(k), "give tangents of its entries only")
		}
	}
	return out.Interface()
}

// construct returns p + t for a struct; v is the reflect.Value of p.
func (r *Registry) construct(p any, v reflect.Value, t Struct) any {
	const op = "AddTo"
	constructor := t.primal.declarations().constructor
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	var fields []any
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		d := t.part(name)
		unchanged := rankOf(d) == zeroRank || rankOf(d) == noneRank
		if unchanged && !constructor.IsValid() {
			continue
		}
		old, ok := readField(v.Field(i))
		if !ok || !constructor.IsValid() && !out.Field(i).CanSet() {
			r.failUnexported(op, p, t.primal, name)
		}
		sum := r.AddTo(old, d)
		if constructor.IsValid() {
			fields = append(fields, sum)
		} else {
			set(op, out.Field(i), sum)
		}
	}
	if constructor.IsValid() {
		return call(op, constructor, fields...)
	}
	return out.Interface()
}

// failUnexported panics with the error that a field of p is not exported. typ is the primal type of p.
func (r *Registry) failUnexported(op string, p any, typ *primal, field string) {
	hint := "export the field, or declare "
	if !typ.declarations().constructor.IsValid() {
		hint += fmt.Sprintf("tangent.Constructor(func(%s) %s), or ", join(typ.fields()), typ.name())
	}
	hint += "a natural tangent with tangent.DeclareNatural"
	if names := r.Natural(p); len(names) > 0 {
		hint = "its natural tangent is " + strings.Join(names, ", ")
	}
	fail(op, []any{p}, fmt.Sprintf("a %s cannot be constructed: its field %s is not exported", typ.name(), field), hint)
}

// readField returns the value of a field or another part of a value. It can read an unexported field only if that is
// a number, a string or a bool; otherwise ok is false.
func readField(v reflect.Value) (value any, ok bool) {
	if v.CanInterface() {
		return v.Interface(), true
	}
	out := reflect.New(v.Type()).Elem()
	switch {
	case v.CanInt():
		out.SetInt(v.Int())
	case v.CanUint():
		out.SetUint(v.Uint())
	case v.CanFloat():
		out.SetFloat(v.Float())
	case v.CanComplex():
		out.SetComplex(v.Complex())
	case v.Kind() == reflect.String:
		out.SetString(v.String())
	case v.Kind() == reflect.Bool:
		out.SetBool(v.Bool())
	default:
		return nil, false
	}
	return out.Interface(), true
}

// Diff returns the difference of two primal values of the same type as a tangent: AddTo(from, Diff(to, from)) is to.
// The tangent is structural, except for tensors, numbers, slices and arrays of numbers, and types with a declared
// natural tangent. Parts without a derivative, such as strings, must be equal.
func (r *Registry) Diff(to, from any) any {
	refuseCycles("Diff", reflect.ValueOf(to), false)
	return r.diff(to, from)
}

// diff is Diff without the check for cycles.
func (r *Registry) diff(to, from any) any {
	const op = "Diff"
	a, b := reflect.ValueOf(to), reflect.ValueOf(from)
	switch {
	case isNil(to) && isNil(from):
		return None
	case isNil(to) || isNil(from) || a.Type() != b.Type():
		fail(op, []any{to, from}, "the operands have different types, or one of them is nil", "")
	case a.Type() == tensorType:
		return nv.Sub(to, from)
	case a.Kind() == reflect.Pointer:
		return r.diff(a.Elem().Interface(), b.Elem().Interface())
	}
	p := r.primalOf(a.Type())
	if naturals := p.declarations().naturals; len(naturals) > 0 {
		return call(op, naturals[0].diff, to, from)
	}
	if isNumber(a.Type()) {
		minus := scaleNumber(op, reflect.ValueOf(-1), signed(b))
		d := reflect.ValueOf(minus)
		return addNumbers(op, signed(a), d, d.Type())
	}
	t := Struct{primal: p, parts: map[any]any{}}
	eachPart(a, func(key any, x reflect.Value) {
		if y := partOf(b, key); y.IsValid() {
			old, ok := readField(y)
			value, _ := readField(x)
			if !ok {
				fail(op, []any{to, from}, fmt.Sprintf("the field %v of a %s is not exported", key, p.name()),
					"export it, or declare a natural tangent with tangent.DeclareNatural")
			}
			t.parts[key] = r.diff(value, old)
		}
	})
	switch p.form() {
	case listForm, mapForm:
		if a.Len() != b.Len() {
			fail(op, []any{to, from}, fmt.Sprintf("the operands have lengths %d and %d", a.Len(), b.Len()),
				"give values of the same length")
		}
		if len(t.parts) != a.Len() {
			fail(op, []any{to, from}, "the two maps have different keys", "give maps with the same keys")
		}
		if p.form() == listForm && isNumeric(a.Type().Elem()) {
			out := newList(a)
			for i := range a.Len() {
				set(op, out.Index(i), t.part(i))
			}
			return out.Interface()
		}
	case noForm:
		if !reflect.DeepEqual(to, from) && a.Kind() != reflect.Func {
			fail(op, []any{to, from}, "the values differ, but a "+describe(to)+" has no tangent", "")
		}
		return None
	}
	return t
}

// isNumeric reports whether t is a type of numbers, or of lists of them.
func isNumeric(t reflect.Type) bool { return isNumber(t) || isList(t) && isNumeric(t.Elem()) }

// signed returns v, converted to an int64 if it is an unsigned integer.
func signed(v reflect.Value) reflect.Value {
	if !v.CanUint() {
		return v
	}
	return reflect.ValueOf(toInteger("Diff", []any{v.Interface()}, bigOf(v), reflect.TypeFor[int64]()))
}

// eachPart calls f for each part of a struct, slice, array or map. The entries of a map come in the order of their
// keys, as in nv.TreeLeaves.
func eachPart(v reflect.Value, f func(key any, part reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f(v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			f(i, v.Index(i))
		}
	case reflect.Map:
		if !v.CanInterface() { // an unexported field, whose keys cannot be read either
			return
		}
		for _, k := range slices.SortedFunc(slices.Values(v.MapKeys()), extension.CompareKeys) {
			f(k.Interface(), v.MapIndex(k))
		}
	}
}

// partOf returns the part of v that has the given key in eachPart, or the invalid Value if there is none.
func partOf(v reflect.Value, key any) reflect.Value {
	switch v.Kind() {
	case reflect.Struct:
		return v.FieldByName(key.(string))
	case reflect.Map:
		return v.MapIndex(reflect.ValueOf(key))
	}
	if i := key.(int); i < v.Len() {
		return v.Index(i)
	}
	return reflect.Value{}
}

// StructuralFor returns the structural tangent whose parts are the numbers and tensors of value, a primal. Parts
// without a derivative (strings, bools, functions, channels, locks and nil) become None. For a tensor, or a number of
// a predeclared type, StructuralFor returns value itself.
func (r *Registry) StructuralFor(value any) any {
	refuseCycles("StructuralFor", reflect.ValueOf(value), true)
	return r.structural(reflect.ValueOf(value), "")
}

// refuseCycles panics if a value contains itself. It follows fields that are not exported only if unexported
// is true.
func refuseCycles(op string, v reflect.Value, unexported bool) {
	var walk func(v reflect.Value, path string, above []reflect.Value)
	walk = func(v reflect.Value, path string, above []reflect.Value) {
		switch v.Kind() {
		case reflect.Interface:
			walk(v.Elem(), path, above)
			return
		case reflect.Pointer, reflect.Slice, reflect.Map:
			if v.IsNil() || v.Kind() != reflect.Pointer && v.Len() == 0 {
				return
			}
			for _, a := range above {
				if a.Type() == v.Type() && a.Pointer() == v.Pointer() {
					reason := "the value holds itself"
					if path != "" {
						reason += " in " + path[1:]
					}
					fail(op, []any{zeroLike(v)}, reason, "")
				}
			}
			above = append(above, v)
		}
		switch {
		case v.Kind() == reflect.Pointer:
			walk(v.Elem(), path, above)
		case v.IsValid() && v.Type() != tensorType && !isNumeric(v.Type()):
			eachPart(v, func(key any, part reflect.Value) {
				if unexported || part.CanInterface() {
					walk(part, fmt.Sprintf("%s.%v", path, key), above)
				}
			})
		}
	}
	walk(v, "", nil)
}

// structural is StructuralFor for v, the part at path of the whole value. A path is "" or like ".Layers.0.W".
func (r *Registry) structural(v reflect.Value, path string) any {
	const op = "StructuralFor"
	if !v.IsValid() {
		return None
	}
	switch v.Kind() {
	case reflect.Interface:
		return r.structural(v.Elem(), path)
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if v.IsNil() {
			return None
		}
		if v.Kind() == reflect.Pointer {
			return r.structural(v.Elem(), path)
		}
	case reflect.Bool, reflect.String, reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		return None
	}
	if v.Type().PkgPath() == "sync" {
		return None
	}
	p := r.primalOf(v.Type())
	switch {
	case v.Type() == tensorType || isNumber(v.Type()):
		value, ok := readField(v)
		if !ok {
			fail(op, []any{zeroLike(v)}, "the field "+path[1:]+" is not exported", "export it")
		}
		if p.form() == numberForm {
			return Struct{primal: p, parts: map[any]any{"value": basicNumber(v)}}
		}
		return value
	case p.form() == fieldsForm && len(p.declarations().naturals) > 0:
		for f := range v.Type().Fields() {
			if !f.IsExported() {
				fail(op, []any{zeroLike(v)}, fmt.Sprintf("the field %s is not exported", (path + "." + f.Name)[1:]),
					"use a natural tangent of "+typeName(v.Type())+": "+strings.Join(r.Natural(zeroLike(v)), ", "))
			}
		}
	}
	t := Struct{primal: p, parts: map[any]any{}}
	eachPart(v, func(key any, part reflect.Value) {
		t.parts[key] = r.structural(part, fmt.Sprintf("%s.%v", path, key))
	})
	return t
}

// basicNumber returns a number of a defined type as an int64, uint64, float64 or complex128.
func basicNumber(v reflect.Value) any {
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return v.Uint()
	case v.CanFloat():
		return v.Float()
	}
	return v.Complex()
}

// zeroLike returns the zero value of v's type, as an operand of an error, which shows the type only. The value of v
// itself cannot be read if it comes from an unexported field.
func zeroLike(v reflect.Value) any { return reflect.Zero(v.Type()).Interface() }

// Dump returns the structure of a value as an indented tree of names and types, with the numbers, strings and bools
// at its leaves.
func (r *Registry) Dump(value any) string {
	var b strings.Builder
	v := reflect.ValueOf(value)
	if !v.IsValid() {
		return "nil"
	}
	b.WriteString(typeName(v.Type()))
	r.dump(&b, v, "  ", 0)
	return b.String()
}

// dump writes the parts of v, which is nested depth deep, after its type.
func (r *Registry) dump(b *strings.Builder, v reflect.Value, indent string, depth int) {
	if depth == 20 { // a deep value, or one that contains itself
		b.WriteString(" ...")
		return
	}
	switch p := r.primalOf(v.Type()); {
	case (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && !v.IsNil():
		if v.Kind() == reflect.Interface {
			fmt.Fprintf(b, " %s", typeName(v.Elem().Type()))
		}
		r.dump(b, v.Elem(), indent, depth+1)
	case p.form() == numberForm && v.Kind() != reflect.Pointer:
		fmt.Fprintf(b, "\n%svalue: %T %v", indent, basicNumber(v), basicNumber(v))
	case p.form() != noForm && v.Kind() != reflect.Pointer:
		eachPart(v, func(key any, part reflect.Value) {
			fmt.Fprintf(b, "\n%s%v: %s", indent, key, typeName(part.Type()))
			r.dump(b, part, indent+"  ", depth+1)
		})
	default:
		if value, ok := readField(v); ok {
			fmt.Fprintf(b, " %v", formatPart(value))
		}
	}
}

// addDuration returns t + d. Default declares the natural tangents of time.Time with addDuration and subTime.
func addDuration(t time.Time, d time.Duration) time.Time { return t.Add(d) }

// subTime returns to - from, or an error if that overflows a Duration.
func subTime(to, from time.Time) (time.Duration, error) {
	d := to.Sub(from)
	if !from.Add(d).Equal(to) {
		return 0, fmt.Errorf("overflow: the times are more than 292 years apart, which a Duration does not hold")
	}
	return d, nil
}
