package nn

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"strconv"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
)

// Init returns a copy of model in which every absent tensor of a layer is made for inputs with the
// shapes and dtypes of x; tensors that are present stay. It calls model.Apply(x...) once to learn
// the shapes, without computing. Each tensor is made by its layer's initializer from a key that
// depends only on key and the tensor's path (see Names), so that adding a layer changes no other
// layer's numbers.
func Init[M any](model M, key random.PRNGKey, x ...nv.Tensor) M {
	return InitAny(model, key, x...).(M)
}

// InitAny is Init for callers that cannot instantiate a generic function.
func InitAny(model any, key random.PRNGKey, x ...nv.Tensor) any {
	missing, _ := trace("Init", model, x, nil)
	return mapLayers("Init", model, func(l layer, path string) {
		l.layer().path = path
		for _, w := range missing {
			if w.layer != path {
				continue
			}
			name := strings.TrimPrefix(path+"."+w.field, ".")
			h := fnv.New32a()
			h.Write([]byte(name))
			set(l, w.field, w.init(key.FoldIn(int(h.Sum32())), w.shape, w.dtype))
		}
	})
}

// trace calls Apply of a copy of model, whose layers have slots, with tensors that have the
// types of x and no values. It returns the tensors that the layers lack, and the program. If
// r is not nil, it collects the calls of layers, and the program has the results of Apply;
// without it, the program is of no use.
func trace(op string, model any, x []nv.Tensor, r *report) (all []*missing, program *nv.Lowered) {
	bound := mapLayers(op, model, func(l layer, path string) { l.layer().slot = &slot{path, x, &all, r} })
	apply := applyMethod(op, model, bound, len(x))
	program = nv.Lower(func(x []nv.Tensor) (ys []nv.Tensor) {
		args := make([]reflect.Value, len(x))
		for i := range x {
			args[i] = reflect.ValueOf(x[i])
		}
		results := apply.Call(args)
		if r == nil {
			return x[:1]
		}
		for _, y := range results {
			ys = append(ys, nv.TreeLeaves(y.Interface())...)
		}
		return ys
	}, x)
	return all, program
}

// applyMethod returns the method Apply of bound, a copy of model, after checking that it takes n tensors.
func applyMethod(op string, model, bound any, n int) reflect.Value {
	name := strings.ReplaceAll(fmt.Sprintf("%T", model), "main.", "")
	v := reflect.ValueOf(bound)
	apply := v.MethodByName("Apply")
	if !apply.IsValid() && v.IsValid() {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		apply = p.MethodByName("Apply")
	}
	if !apply.IsValid() {
		fail(op, name, "the model has no method Apply", "declare func (m "+name+") Apply(x nv.Tensor) nv.Tensor")
	}
	if n == 0 {
		fail(op, name, "no input is given", "give inputs like those that the model is for")
	}
	t := apply.Type()
	fixed := t.NumIn()
	if t.IsVariadic() {
		fixed--
	}
	if n != fixed && !(n > fixed && t.IsVariadic() && t.In(fixed).Elem() == reflect.TypeFor[nv.Tensor]()) {
		fail(op, name, fmt.Sprintf("Apply takes %d tensors, and %d are given", fixed, n), "")
	}
	for i := range fixed {
		if t.In(i) != reflect.TypeFor[nv.Tensor]() {
			fail(op, name, fmt.Sprintf("argument %d of Apply is a %v", i+1, t.In(i)), "take the tensors first")
		}
	}
	return apply
}

// A slot collects the tensors that a layer lacks.
type slot struct {
	path string
	x    []nv.Tensor // the inputs of the model
	all  *[]*missing // the tensors of all layers
	// report is nil in Init.
	report *report
}

// A missing describes a tensor that a layer lacks.
type missing struct {
	layer, field string
	shape        nv.Shape
	dtype        nv.DType
	init         Initializer
}

// make returns a placeholder for the tensor that the field lacks.
func (s *slot) make(op, field string, shape nv.Shape, d nv.DType, init Initializer) nv.Tensor {
	// Each call makes a new placeholder, since an earlier one may belong to the body of a Scan.
	placeholder := func() nv.Tensor { return s.x[0].Context().Zeros(shape, d) }
	for _, w := range *s.all {
		if w.layer != s.path || w.field != field {
			continue
		}
		if !w.shape.Equal(shape) {
			fail(op, strings.TrimPrefix(s.path+"."+field, "."),
				fmt.Sprintf("the layer is applied to inputs that need the shapes %v and %v", w.shape, shape),
				"give each use a layer of its own")
		}
		return placeholder()
	}
	*s.all = append(*s.all, &missing{s.path, field, shape, d, init})
	return placeholder()
}

// set stores x in the field of a layer.
func set(l layer, field string, x nv.Tensor) {
	f := reflect.ValueOf(l).Elem().FieldByName(field)
	if f.Type() == reflect.TypeFor[State]() {
		f.Set(reflect.ValueOf(State{Tensor: x}))
		return
	}
	f.Set(reflect.ValueOf(x))
}

// mapLayers returns a copy of model. It calls f, which may change the copy's layers, with each
// layer and its path.
func mapLayers(op string, model any, f func(l layer, path string)) any {
	if model == nil {
		fail(op, "nil", "the model is nil", "give a struct with layers")
	}
	checkFields(op, model)
	return copyTree(reflect.ValueOf(model), "", f).Interface()
}

// checkFields panics with an error of op if the model has tensors in fields that are not exported.
func checkFields(op string, model any) {
	defer func() {
		r := recover()
		if e, ok := r.(*nv.Error); ok {
			e.Op = "nn." + op
		}
		if r != nil {
			panic(r)
		}
	}()
	nv.TreePaths(model)
}

// copyTree returns a copy of v, which is at path in the model, with its layers changed by f.
func copyTree(v reflect.Value, path string, f func(l layer, path string)) reflect.Value {
	if !v.IsValid() || v.Type() == reflect.TypeFor[nv.Tensor]() {
		return v
	}
	copyChild := func(name string, child reflect.Value) reflect.Value {
		return copyTree(child, strings.TrimPrefix(path+"."+name, "."), f)
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Struct:
		if l, ok := out.Addr().Interface().(layer); ok {
			f(l, path)
		}
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				out.Field(i).Set(copyChild(field.Name, out.Field(i)))
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			out.Index(i).Set(copyChild(strconv.Itoa(i), v.Index(i)))
		}
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out = reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, k := range v.MapKeys() {
			out.SetMapIndex(k, copyChild(fmt.Sprint(k), v.MapIndex(k)))
		}
	case reflect.Pointer:
		if v.IsNil() || !v.Elem().CanInterface() {
			return v
		}
		out = reflect.New(v.Type().Elem())
		out.Elem().Set(copyTree(v.Elem(), path, f))
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out.Set(copyTree(v.Elem(), path, f))
	}
	return out
}

// Names returns the paths of the tensors that are present in model, in the order of
// nv.TreeLeaves: "In.Kernel", "Blocks.0.Out.Bias".
func Names(model any) []string {
	checkFields("Names", model)
	var names []string
	xs := nv.TreeLeaves(model)
	for i, path := range nv.TreePaths(model) {
		if xs[i].Valid() {
			names = append(names, path)
		}
	}
	return names
}
