package extension

import (
	"bytes"
	"testing"
)

// TestTypeName checks that the names of types are those that a cell writes: without the packages of cells
// and of the library, with nv for package anvil.
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
