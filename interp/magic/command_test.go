package magic_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/interp/magic"
)

// before reads a cell and runs its commands that come before the code.
func before(t *testing.T, k *kernel, code string) (*magic.Commands, error) {
	t.Helper()
	syntax, _ := parse(t, code)
	c, err := magic.Read(syntax)
	if err != nil {
		t.Fatal(err)
	}
	return c, c.Before(k, &bytes.Buffer{})
}

// TestCellCommands checks what the cell commands select from their arguments.
func TestCellCommands(t *testing.T) {
	for code, want := range map[string]string{
		"%%dtypes f32 bf16\n1":          "[f32 bf16] [] [] false",
		"%%compare torch numpy\n1":      "[] [torch numpy] [] false",
		"%%compare grad jax anvil\n1":   "[] [] [jax anvil] false",
		"%%nan\n1":                      "[] [] [] true",
		"%%dtypes\n1":                   "%%dtypes: name the dtypes: %%dtypes f32 bf16 f16",
		"%%dtypes i32\n1":               "%%dtypes: i32 is not a float; write %%dtypes f32 bf16 f16",
		"%%dtypes f33\n1":               `%%dtypes: dtype.Parse("f33"): no dtype has this name`,
		"%%compare\n1":                  "%%compare: name the systems: %%compare torch jax numpy anvil",
		"%%compare grad\n1":             "%%compare grad: name the frameworks: %%compare grad jax torch tensorflow anvil",
		"%%compare grad jax mxnet\n1":   "%%compare grad: unknown framework mxnet; write jax, torch, tensorflow or anvil",
		"%%compare nosuch\n1":           "unknown promotion system nosuch; give one of anvil",
		"%promotion torch jax\n1":       "%promotion: 2 systems, want one; write %promotion torch, or %%compare torch jax to run a cell under each",
		"%promotion tourch\n1":          "unknown promotion system tourch; give one of anvil",
		"%promotion Torch,\n1":          "no promotion system is called Torch,; write torch",
		"%promotion torch,jax\n1":       "torch,jax: separate names of systems with spaces: torch jax",
		"%%compare torch, jax;\n1":      "no promotion system is called torch,; write torch",
		"%%dtypes f16 f64\n1":           "[f16 f64] [] [] false",
		"%%dtypes f16 bool\n1":          "%%dtypes: i1 is not a float",
		"%config shell\n1":              "%config shell: no such setting; write %config shell on, or off",
		"%config notebook shell off\n1": "%config notebook shell off: no such setting",
	} {
		c, err := before(t, &kernel{}, code)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			var under, gradients []string
			for _, s := range c.Under {
				under = append(under, s.Name())
			}
			for _, g := range c.Gradients {
				gradients = append(gradients, g.Name)
			}
			got = fmt.Sprint(c.DTypes, under, gradients, c.WatchesNaN)
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", code, got, want)
		}
	}
}

// TestHelp checks that %help shows a page that lists every command.
func TestHelp(t *testing.T) {
	k := &kernel{}
	syntax, _ := parse(t, "%help")
	c, err := magic.Read(syntax)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Before(k, &bytes.Buffer{}), c.After(k, &bytes.Buffer{})); err != nil || len(k.asked) != 1 {
		t.Fatal(k.asked, err)
	}
	for _, command := range []string{"%promotion", "%%compare", "%%dtypes", "%%nan", "%time", "%bench", "%%bash", "%who", "%reset", "%config"} {
		if !strings.Contains(k.asked[0], "| `"+command) {
			t.Errorf("the page does not list %s", command)
		}
	}
}

// TestArguments checks the arguments that completion offers.
func TestArguments(t *testing.T) {
	for command, want := range map[string]string{"%config": "shell on, shell off", "%%dtypes": "f32, bf16, f16, f64", "%who": ""} {
		if got := strings.Join(magic.Arguments(command), ", "); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
	computing := magic.Arguments("%promotion")
	if compared := magic.Arguments("%%compare"); !slices.Equal(compared, computing) {
		t.Errorf("%%%%compare takes %v, %%promotion %v", compared, computing)
	}
	if len(computing) >= len(magic.Systems()) || len(magic.Systems()) != len(promote.Systems()) {
		t.Errorf("%d systems compute, of %d", len(computing), len(magic.Systems()))
	}
	for _, name := range computing {
		if s, err := promote.ByName(name); err != nil || promote.OnlyTable(s) {
			t.Errorf("%s does not compute: %v", name, err)
		}
	}
}
