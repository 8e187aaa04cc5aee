package main

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/messaging/wire"
)

// A dog has a field that holds what a cell may hold.
type dog struct {
	Name string
	age  int
	any  any
	kin  *dog
}

// TestBrief checks how values are listed on one line.
func TestBrief(t *testing.T) {
	ctx := anvil.NewContext(anvil.ContextOptions{Backend: "reference", NoCache: true})
	x := ctx.New([][]float64{{1, 2, 3}, {4, 5, 6}})
	table := ctx.NewTable([]string{"a", "b"}, []int{1}, []string{"x"})
	long := strings.Repeat("ä", 50)
	var none *dog
	var noError error
	for _, c := range []struct {
		v    any
		want string
	}{
		{x, "f32{2,3}"}, {anvil.Tensor{}, ""}, {table, "1 row of a, b"}, {(*anvil.Table)(nil), "nil"},
		{"a\"b", `"a\"b"`}, {strings.Clone, ""}, {make(chan int), ""}, {true, "true"}, {-3, "-3"}, {uint8(200), "200"},
		{float32(0.1), "0.1"}, {1e100, "1e+100"}, {complex64(1 + 2i), "(1+2i)"}, {2 * time.Second, "2s"},
		{[]int(nil), "0 elements"}, {[]int{1}, "1 element: 1"}, {[2]bool{true}, "2 elements: true false"},
		{[][]int{{1, 2}, nil}, "2 elements: (2 elements: 1 2) (0 elements)"},
		{[][][]int{{{1}}}, "1 element: (1 element: (1 element))"}, // no deeper
		{[]any{1, nil, "a"}, `3 elements: 1 nil "a"`}, {map[string]int{"a": 1}, "1 key"}, {map[int]int{}, "0 keys"},
		{none, "nil"}, {&[]int{1}, "&1 element: 1"}, {errors.New("e"), ""},
		{[]error{noError}, "1 element: nil"},
		{make([]int, 500), "500 elements:" + strings.Repeat(" 0", 32) + "..."},
		{long, `"` + strings.Repeat("ä", 38) + "..."},
	} {
		got := brief(reflect.ValueOf(c.v))
		if got != c.want {
			t.Errorf("%T is listed as %q, want %q", c.v, got, c.want)
		}
		if len(got) > maxBrief {
			t.Errorf("%T is listed with %d bytes", c.v, len(got))
		}
	}
	if got := brief(reflect.Value{}); got != "nil" {
		t.Errorf("no value is listed as %q", got)
	}
}

// TestParts checks the entries of the parts of values.
func TestParts(t *testing.T) {
	ctx := anvil.NewContext(anvil.ContextOptions{Backend: "reference", NoCache: true})
	many := make([]int, 150)
	table := map[int]int{}
	for i := range many {
		table[i] = i
	}
	for _, c := range []struct {
		v     any
		parts int
		first wire.Variable
	}{
		{dog{"rex", 3, nil, nil}, 4, wire.Variable{Name: "Name", Value: `"rex"`, Type: `string "rex"`}},
		{&struct{ X []int }{[]int{1}}, 1, wire.Variable{Name: "X", Value: "1 element: 1", Type: "[]int 1 element: 1",
			Reference: 1}},
		{[]int{7}, 1, wire.Variable{Name: "0", Value: "7", Type: "int"}},
		{[1]bool{true}, 1, wire.Variable{Name: "0", Value: "true", Type: "bool"}},
		{[]anvil.Tensor{ctx.Scalar(1)}, 1, wire.Variable{Name: "0", Value: "i32?{}", Type: "nv.Tensor i32?{}"}},
		{map[string]float64{"k": 0.5}, 1, wire.Variable{Name: `"k"`, Value: "0.5", Type: "float64 0.5"}},
		{many, 100, wire.Variable{Name: "0", Value: "0", Type: "int"}},
		{table, 100, wire.Variable{}},
		{[]int{}, 0, wire.Variable{}}, {map[int]int(nil), 0, wire.Variable{}}, {struct{}{}, 0, wire.Variable{}},
		{3, 0, wire.Variable{}}, {"text", 0, wire.Variable{}}, {ctx.Scalar(1), 0, wire.Variable{}},
		{(*dog)(nil), 0, wire.Variable{}},
	} {
		var l listing
		listed := l.variable("v", "T", reflect.ValueOf(c.v))
		if hasReference := listed.Reference > 0; hasReference != (c.parts > 0) {
			t.Errorf("%T has the reference %d", c.v, listed.Reference)
		}
		if c.parts == 0 {
			continue
		}
		l = listing{}
		parts := l.parts(reflect.ValueOf(c.v))
		if len(parts) != c.parts {
			t.Errorf("%T has %d parts, want %d", c.v, len(parts), c.parts)
		} else if c.first != (wire.Variable{}) && parts[0] != c.first {
			t.Errorf("the first part of %T is %+v, want %+v", c.v, parts[0], c.first)
		}
	}
}
