package anvil

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/typename"
)

// A State is a tensor of a model that optimizers do not change, such as a running mean. Grad
// and ValueAndGrad do not differentiate with respect to it; a gradient has the zero Tensor
// in its place, and the state of an optimizer has no entry for it.
type State struct{ Tensor }

var stateType = reflect.TypeFor[State]()

// TreePaths returns the path of each tensor of tree, in the order of TreeLeaves: the names
// of the fields, the indices and the keys that lead to it, joined by dots, as in
// "Blocks.0.Out.Kernel". An embedded Tensor has the path of its struct. The path of a tree
// that is itself a Tensor is "".
func TreePaths(tree any) []string {
	if tree != nil {
		refuseHidden("TreePaths", "the tree", reflect.TypeOf(tree))
	}
	var paths []string
	walkPaths(0, reflect.ValueOf(tree), nil, false, func(path []string, _ bool) {
		paths = append(paths, strings.Join(path, "."))
	})
	return paths
}

// walkPaths calls f for each tensor of v, in the order of leaves, with the path of the tensor
// in the tree and whether the tensor is in a State. v is a part of the tree: it is nested
// depth deep, has the given path, and is in a State if state is true.
func walkPaths(depth int, v reflect.Value, path []string, state bool, f func(path []string, state bool)) {
	checkDepth(depth, v)
	if !v.IsValid() {
		return
	}
	if v.Type() == tensorType {
		f(path, state)
		return
	}
	state = state || v.Type() == stateType
	walkChild := func(name string, child reflect.Value) {
		walkPaths(depth+1, child, append(path[:len(path):len(path)], name), state, f)
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			switch field := v.Type().Field(i); {
			case field.Anonymous && field.Type == tensorType:
				f(path, state)
			case field.IsExported():
				walkChild(field.Name, v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			walkChild(itoa(i), v.Index(i))
		}
	case reflect.Map:
		for _, k := range sortedKeys(v) {
			walkChild(fmt.Sprint(k), v.MapIndex(k))
		}
	case reflect.Pointer, reflect.Interface:
		walkPaths(depth+1, v.Elem(), path, state, f)
	}
}

// Freeze returns the option of Grad and ValueAndGrad that excludes the tensors at the given
// paths and below them from differentiation; see TreePaths. A gradient has the zero Tensor
// in their places. Given to optim.Init, the option leaves these tensors out of the
// optimizer's state.
func Freeze(paths ...string) GradOption {
	if len(paths) == 0 {
		panic(&Error{Op: "Freeze", Reason: "no path is named", Hint: `name a part of the model: nn.Freeze("In")`})
	}
	return func(o *gradOptions) { o.frozen = append(o.frozen, paths...) }
}

// freeze marks the tensors that are in a State, or at or below one of the given paths, in
// the arguments with the indices wrt. It fails if there is no tensor at a path.
func (c *tracedCall) freeze(wrt []int, paths []string) {
	trees := make([]reflect.Value, len(c.args))
	for _, i := range wrt {
		trees[i] = c.args[i]
	}
	c.frozen = frozenTensors(trees, paths, c.fail)
}

// frozenTensors reports for each tensor of each tree, in the order of leaves, whether it is
// in a State, or at or below one of the given paths. It calls fail if there is no tensor at
// a path.
func frozenTensors(trees []reflect.Value, paths []string, fail func(reason, hint string)) [][]bool {
	used := make([]bool, len(paths))
	frozen := make([][]bool, len(trees))
	var all []string
	for i, tree := range trees {
		walkPaths(0, tree, nil, false, func(path []string, state bool) {
			if len(paths) > 0 { // joining the path takes time
				name := strings.Join(path, ".")
				if name != "" { // "" if the argument is a tensor
					all = append(all, name)
				}
				for k, p := range paths {
					if name == p || strings.HasPrefix(name, p+".") {
						used[k], state = true, true
					}
				}
			}
			frozen[i] = append(frozen[i], state)
		})
	}
	for k, p := range paths {
		if !used[k] {
			hint := "the paths are " + strings.Join(all, ", ")
			if len(all) == 0 {
				hint = "leave nv.Freeze out: only parts of a struct, slice or map have paths"
			}
			fail("no tensor is at the frozen path "+strconv.Quote(p), hint)
		}
	}
	return frozen
}

// frozenBy is frozenTensors for one tree and the Freeze options given to op. It panics if
// there are other options.
func frozenBy(op string, tree any, opts []GradOption) []bool {
	var o gradOptions
	for _, opt := range opts {
		if opt != nil {
			opt(&o)
		}
	}
	fail := func(reason, hint string) {
		panic(&Error{Op: op, Operands: typename.Of(tree), Reason: reason, Hint: hint})
	}
	if o.wrt != nil || o.conventions != nil {
		fail("an option of Grad other than Freeze is given",
			`leave out Wrt and Conventions, and give only options such as nn.Freeze("In")`)
	}
	return frozenTensors([]reflect.Value{reflect.ValueOf(tree)}, o.frozen, fail)[0]
}
