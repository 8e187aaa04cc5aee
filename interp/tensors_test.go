package interp

import (
	"fmt"
	"reflect"
	"testing"
)

// A leaf takes the place of a tensor.
type leaf struct{ n int }

// A branch leads to leaves.
type branch struct {
	Left, right *branch
	Leaf        leaf
	leaf        leaf
	any         any
}

// TestTensorsIn checks in which values tensors are found and in which order, and that the search of values that
// contain themselves ends.
func TestTensorsIn(t *testing.T) {
	one := &branch{Leaf: leaf{1}, leaf: leaf{2}}
	cycle := &branch{Leaf: leaf{3}}
	cycle.Left, cycle.right = cycle, one
	loop := map[string]any{"leaf": leaf{4}}
	loop["self"] = loop
	var none *branch
	for _, c := range []struct {
		name string
		v    any
		want string
	}{
		{"tensor", leaf{5}, "[{5}]"},
		{"pointer", &leaf{5}, "[{5}]"},
		{"nil pointer", none, "[]"},
		{"nil", nil, "[]"},
		{"number", 3, "[]"},
		{"list", []leaf{{1}, {2}}, "[{1} {2}]"},
		{"array", [2]any{leaf{1}, 2}, "[{1}]"},
		{"list of anything", []any{1, nil, leaf{2}, []*leaf{{3}, nil}}, "[{2} {3}]"},
		{"fields", &branch{right: one, any: leaf{7}}, "[{1} {2} {0} {0} {7}]"},
		{"fields of a copy", branch{Left: one, right: one, Leaf: leaf{8}, leaf: leaf{9}}, "[{1} {2} {8}]"},
		{"cycle", cycle, "[{1} {2} {3} {0}]"},
		{"pointer twice", []*branch{one, one}, "[{1} {2}]"},
		{"map", map[string]leaf{"a": {6}}, "[{6}]"},
		{"map that contains itself", loop, "[{4}]"},
		{"map twice", []map[int]leaf{{1: {2}}, {1: {2}}}, "[{2} {2}]"},
		{"map keys", map[leaf]int{{1}: 2}, "[]"},
		{"function", func() leaf { return leaf{1} }, "[]"},
	} {
		s := &Session{tensor: reflect.TypeFor[leaf]()}
		found := []leaf{}
		for _, v := range s.tensorsIn(reflect.ValueOf(c.v), nil) {
			found = append(found, v.Interface().(leaf))
		}
		if got := fmt.Sprint(found); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := (&Session{}).tensorsIn(reflect.ValueOf(c.v), nil); got != nil {
			t.Errorf("%s: %v without a type of tensors", c.name, got)
		}
	}
	s := &Session{tensor: reflect.TypeFor[leaf]()}
	if got := len(s.tensorsIn(reflect.ValueOf(make([]leaf, maxWalk+10)), nil)); got != 99_999 {
		t.Errorf("%d tensors are found in a very long list, want 99999", got)
	}
}
