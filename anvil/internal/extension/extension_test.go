package extension

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// TestTypeName checks that the names of types are those that a cell writes: nv.Tensor, and types of cells without a
// package.
func TestTypeName(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{1, "int"},
		{[]any{}, "[]any"},
		{(*bytes.Buffer)(nil), "*bytes.Buffer"},
		{map[string]interface{ M() }{}, "map[string]interface { M() }"},
	} {
		if got := TypeName(c.v); got != c.want {
			t.Errorf("TypeName(%T) = %q, want %q", c.v, got, c.want)
		}
	}
	for text, want := range map[string]string{
		"main.MLP":                     "MLP",
		"[]anvil.Tensor":               "[]nv.Tensor",
		"map[string]main.Pair[nn.MLP]": "map[string]Pair[nn.MLP]",
		"func(interface {}) error":     "func(any) error",
	} {
		if got := TypeText(text); got != want {
			t.Errorf("TypeText(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestCompareKeys checks the order of keys of all kinds, alone and as interfaces.
func TestCompareKeys(t *testing.T) {
	for want, m := range map[string]any{
		"[-1 2 10]":               map[int8]bool{10: true, 2: true, -1: true},
		"[1 2 10]":                map[uint]bool{10: true, 2: true, 1: true},
		"[-1 2.5 10]":             map[float32]bool{10: true, 2.5: true, -1: true},
		"[ a b]":                  map[string]bool{"b": true, "": true, "a": true},
		"[[1] [2]]":               map[[1]int]bool{{2}: true, {1}: true},
		"[false 2 10 1 1.5 1 10]": map[any]bool{10: true, 2: true, "1": true, "10": true, uint(1): true, 1.5: true, false: true},
	} {
		keys := reflect.ValueOf(m).MapKeys()
		slices.SortFunc(keys, CompareKeys)
		var values []any
		for _, k := range keys {
			values = append(values, k.Interface())
		}
		if got := fmt.Sprint(values); got != want {
			t.Errorf("%T: %s, want %s", m, got, want)
		}
	}
}
