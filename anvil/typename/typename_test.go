package typename_test

import (
	"bytes"
	"testing"

	"github.com/goanvil/notebook/anvil/typename"
)

// TestNames checks that the names of types are those that a cell writes: nv.Tensor, types of cells without a package,
// and type arguments without import paths.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{1, "int"},
		{[]any{}, "[]any"},
		{(*bytes.Buffer)(nil), "*bytes.Buffer"},
		{map[string]interface{ M() }{}, "map[string]interface { M() }"},
	} {
		if got := typename.Of(c.v); got != c.want {
			t.Errorf("Of(%T) = %q, want %q", c.v, got, c.want)
		}
	}
	for text, want := range map[string]string{
		"main.MLP":                     "MLP",
		"[]anvil.Tensor":               "[]nv.Tensor",
		"map[string]main.Pair[nn.MLP]": "map[string]Pair[nn.MLP]",
		"func(interface {}) error":     "func(any) error",
		"main.Box[map[encoding/json.Number]*math/rand/v2.PCG]": "Box[map[json.Number]*rand.PCG]",
		"Box[func(int, ...encoding/json.Number)]":              "Box[func(int, ...json.Number)]",
		"Box[github.com/goanvil/notebook/anvil.Tensor]":        "Box[nv.Tensor]",
	} {
		if got := typename.Text(text); got != want {
			t.Errorf("Text(%q) = %q, want %q", text, got, want)
		}
	}
}
