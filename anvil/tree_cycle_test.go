package anvil_test

import (
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// A knot is a tree that may contain itself.
type knot struct {
	Next any
	W    nv.Tensor
}

// TestTreesThatContainThemselves checks that each way into trees refuses values that contain themselves.
func TestTreesThatContainThemselves(t *testing.T) {
	k := &knot{W: nv.Scalar(1.0)}
	k.Next = k
	list := []any{nil, nv.Scalar(1.0)}
	list[0] = list
	double := func(k *knot) nv.Tensor { return k.W.Mul(2) }
	for name, f := range map[string]func(){
		"TreeLeaves":  func() { nv.TreeLeaves(k) },
		"TreePaths":   func() { nv.TreePaths(k) },
		"TreeMap":     func() { nv.TreeMap(func(xs ...nv.Tensor) nv.Tensor { return xs[0] }, k) },
		"TreeReplace": func() { nv.TreeReplace(list, nil) },
		"Jit":         func() { nv.Jit(double)(k) },
		"Grad":        func() { nv.Grad(double)(k) },
		"Donate":      func() { nv.Donate(k) },
	} {
		if err := nv.Try(f); err == nil || !strings.Contains(err.Error(), "tree(any): the value contains itself, or nests more than 10000 deep; give a value that does not contain itself") {
			t.Errorf("%s: %v", name, err)
		}
	}
	long := &knot{W: nv.Scalar(0.0)}
	for range 1000 {
		long = &knot{long, nv.Scalar(1.0)}
	}
	if n := len(nv.TreeLeaves(long)); n != 1001 {
		t.Errorf("a list of 1001 parts has %d leaves", n)
	}
}

// TestNumbersThatContainThemselves checks that slices that contain themselves, and slices of recursive types, are
// refused as numbers, indices and masks.
func TestNumbersThatContainThemselves(t *testing.T) {
	type lists []lists
	list := []any{1.0, nil}
	list[1] = list
	self := []any{nil}
	self[0] = self
	x := nv.New([]int{1, 2})
	for part, f := range map[string]func(){
		"New([]any): the slices nest more than 255 deep, or contain themselves; a tensor has at most 255 axes":       func() { nv.New(self) },
		"New([]any): the nested slices differ in depth; nest every part equally deep, or join tensors with nv.Stack": func() { nv.New(list) },
		"New(anvil_test.lists): type anvil_test.lists has no dtype; give numbers, or nested slices of numbers":       func() { nv.New(lists{}) },
		"From(anvil_test.lists): type anvil_test.lists has no dtype; give numbers, or nested slices of numbers":      func() { nv.From(lists{{}}) },
		"At(i32{2}, anvil_test.lists): index anvil_test.lists does not contain integers; give integers, nv.All, " +
			"nv.Range, nv.Slice, nv.NewAxis, nv.Ellipsis, integer tensors and masks": func() { x.At(lists{}) },
		"At(i32{2}, []anvil_test.lists): index []anvil_test.lists does not contain integers; give integers, " +
			"nv.All, nv.Range, nv.Slice, nv.NewAxis, nv.Ellipsis, integer tensors and masks": func() { x.At([]lists{}) },
		"Sum(i32{2}): nv.Only is given anvil_test.lists, which is not a mask; give bools: nv.Only(x.Gt(0))": func() { nv.Sum(x, nv.Only(lists{})) },
		"Repeat(i32{2}): the counts are i64{1,0}; give an integer or a vector of integers: convert with " +
			"AsType(nv.I32), or flatten with nv.Reshape": func() { nv.Repeat(x, []any{lists{}}) },
	} {
		if s := errorOf(t, f); s != part {
			t.Errorf("%s\nwant %s", s, part)
		}
	}
	want(t, nv.New([]any{[][]int{}}), "f32{1,0,0} []")
}
