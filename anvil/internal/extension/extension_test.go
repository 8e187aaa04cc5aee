package extension

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

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
