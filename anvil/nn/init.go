package nn

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"strconv"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
	"github.com/goanvil/notebook/anvil/typename"
)

// Init returns a copy of model that has the tensors that its layers lack, made for inputs with the
// shapes and dtypes of x. It keeps tensors that are present. It calls model.Apply(x...) once to learn the
// shapes, without computing. The layer's initializer makes each tensor from a key that depends only
// on key and the tensor's path (see Names), so that adding a layer changes no other layer's numbers.
func Init[M any](model M, key random.PRNGKey, x ...nv.Tensor) M {
	return InitAny(model, key, x...).(M)
}

// InitAny is Init for callers that cannot instantiate a generic function.
func InitAny(model any, key random.PRNGKey, x ...nv.Tensor) any {
	lacking, _ := trace("Init", model, x, nil)
	return mapLayers("Init", model, func(l layer, path string) {
		l.layer().path = path
		for _, m := range lacking {
			if m.layer != path {
				continue
			}
			name := strings.TrimPrefix(path+"."+m.field, ".")
			h := fnv.New32a()
			h.Write([]byte(name))
			set(l, m.field, m.init(key.FoldIn(int(h.Sum32())), m.shape, m.dtype))
		}
	})
}

// trace calls Apply of a copy of model, whose layers have collectors, with tensors that have
// the types of x and no values. It returns the tensors that the layers lack, and the program.
// If r is not nil, trace collects the calls of layers in r, and the program returns the results
// of Apply. If r is nil, the program has no meaning.
func trace(op string, model any, x []nv.Tensor, r *report) (lacking []*missingTensor, program *nv.Lowered) {
	bound := mapLayers(op, model, func(l layer, path string) { l.layer().collector = &collector{path, x, &lacking, r} })
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
	return lacking, program
}

// applyMethod returns the method Apply of bound, a copy of model, after checking that it takes n tensors.
func applyMethod(op string, model, bound any, n int) reflect.Value {
	name := typename.Of(model)
	v := reflect.ValueOf(bound)
	apply := v.MethodByName("Apply")
	if !apply.IsValid() && v.IsValid() {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		apply = p.MethodByName("Apply")
	}
	if !apply.IsValid() {
		if _, ok := bound.(Cell); ok {
			fail(op, name, "a cell computes only one element of a sequence", "give a layer: nn.RNN{Cell: "+name+"{...}}")
		}
		fail(op, name, "the model has no method Apply", "declare func (m "+name+") Apply(x nv.Tensor) nv.Tensor")
	}
	if n == 0 {
		fail(op, name, "no input is given",
			"give example inputs: tensors with the shapes and dtypes that the model takes")
	}
	t := apply.Type()
	fixed, more := t.NumIn(), false // more: Apply takes any number of tensors after the first fixed ones
	if t.IsVariadic() {
		fixed--
		more = t.In(fixed).Elem() == reflect.TypeFor[nv.Tensor]()
	}
	for i := range fixed {
		if t.In(i) != reflect.TypeFor[nv.Tensor]() {
			fail(op, name, fmt.Sprintf("argument %d of Apply has type %s", i+1, typename.Text(t.In(i).String())),
				"make it a field of the model; Apply takes tensors, and may end with mode ...nn.Mode")
		}
	}
	if n < fixed || n > fixed && !more {
		takes := strconv.Itoa(fixed)
		if more {
			takes += " or more"
		}
		fail(op, name, fmt.Sprintf("the number of inputs is %d, but Apply takes %s", n, takes),
			"give one input for each nv.Tensor that Apply takes")
	}
	return apply
}

// A collector collects the tensors that a layer lacks, while its model's Apply is traced.
type collector struct {
	path    string            // of the layer
	x       []nv.Tensor       // the inputs of the model
	lacking *[]*missingTensor // the missing tensors of all layers
	report  *report           // of Summary or Audit; nil in Init
}

// A missingTensor describes a tensor that a layer lacks.
type missingTensor struct {
	layer, field string // the layer's path, and the name of its field
	shape        nv.Shape
	dtype        nv.DType
	init         Initializer
}

// make returns a placeholder for the missing tensor of a field, and adds the tensor to lacking. It fails if the layer
// has asked for the tensor with another shape before.
func (c *collector) make(op, field string, shape nv.Shape, d nv.DType, init Initializer) nv.Tensor {
	// Each call makes a new placeholder, since an earlier one may belong to the body of a Scan.
	placeholder := func() nv.Tensor { return c.x[0].Context().Zeros(shape, d) }
	for _, m := range *c.lacking {
		if m.layer != c.path || m.field != field {
			continue
		}
		if !m.shape.Equal(shape) {
			fail(op, strings.TrimPrefix(c.path+"."+field, "."),
				fmt.Sprintf("the layer is applied to inputs that need the shapes %v and %v", m.shape, shape),
				"give each use a layer of its own")
		}
		return placeholder()
	}
	*c.lacking = append(*c.lacking, &missingTensor{c.path, field, shape, d, init})
	return placeholder()
}

// set stores x in a field of a layer; the type of the field is Tensor or State.
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
