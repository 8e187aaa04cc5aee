package magic_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	const computing = "anvil, torch, torchext, jax, jax64, jaxstrict, jaxstrict64, numpy, arrayapi, tensorflow, " +
		"tensorflow-legacy, tensorflow-all, tensorflow-safe, ivy-precise, ivy-fast, ivy, rdata"
	for code, want := range map[string]string{
		"%%dtypes f32 bf16\n1":          "[f32 bf16] [] [] false",
		"%%compare torch numpy\n1":      "[] [torch numpy] [] false",
		"%%compare grad jax anvil\n1":   "[] [] [jax anvil] false",
		"%%nan\n1":                      "[] [] [] true",
		"%%dtypes\n1":                   "%%dtypes: name the dtypes: %%dtypes f32 bf16 f16",
		"%%dtypes i32\n1":               "%%dtypes: i32 is not a float; write %%dtypes f32 bf16 f16",
		"%%dtypes f33\n1":               `%%dtypes: dtype.Parse("f33"): no dtype has this name; the common names are i1, i8 … i64, ui8 … ui64, bf16, f16, f32, f64, c64, c128`,
		"%%compare\n1":                  "%%compare: name the systems: %%compare torch jax numpy anvil",
		"%%compare grad\n1":             "%%compare grad: name the frameworks: %%compare grad jax torch tensorflow anvil",
		"%%compare grad jax mxnet\n1":   "%%compare grad: unknown framework mxnet; write jax, torch, tensorflow or anvil",
		"%%compare nosuch\n1":           "unknown promotion system nosuch; give one of " + computing,
		"%promotion torch jax\n1":       "%promotion: 2 systems, want one; write %promotion torch, or %%compare torch jax to run a cell under each",
		"%promotion tourch\n1":          "unknown promotion system tourch; give one of " + computing,
		"%promotion Torch,\n1":          "no promotion system is called Torch,; write torch",
		"%promotion torch,jax\n1":       "torch,jax: separate names of systems with spaces: torch jax",
		"%%compare torch, jax;\n1":      "no promotion system is called torch,; write torch",
		"%%dtypes f16 f64\n1":           "[f16 f64] [] [] false",
		"%%dtypes f16 bool\n1":          "%%dtypes: i1 is not a float; write %%dtypes f32 bf16 f16",
		"%config shell\n1":              "%config shell: no such setting; write %config shell on, or off",
		"%config notebook shell off\n1": "%config notebook shell off: no such setting; write %config shell on, or off",
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
		if got != want {
			t.Errorf("%q: %s, want %s", code, got, want)
		}
	}
}

// TestHelp checks the page that %help shows.
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
	if diff := cmp.Diff("page "+helpPage, strings.ReplaceAll(k.asked[0], "`", "'")); diff != "" {
		t.Errorf("%%help (-want +got):\n%s", diff)
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

// helpPage is the page that %help shows, with ' for backquotes.
const helpPage = `# Go (anvil)

Cells are Go: declarations and statements in any order, and the value of a
final expression is shown. Tensors are made by the package nv and take
operators: '2*nv.New([]float64{1, 2}) + 1', 'x[:, 0]'. Later cells can use declared names
and declare them again.

| | |
|---|---|
| 'name?', '?name' | documentation; two question marks show tables of dtypes and the source too |
| Tab, Shift-Tab | completes names, options, columns and files; explains the name at the cursor |
| '%%bash' | runs the cell with the shell bash, in the kernel's working directory |
| '%bench EXPRESSION, %%bench' | runs an expression, or with %%bench the statements of the cell, many times, and shows how long a run takes, including the computation of its tensors |
| '%%compare SYSTEM...' | runs the cell under each of the promotion systems, each time from the same values of the variables, and shows the outcomes side by side; variables keep the values of the last run; %%compare grad jax torch tensorflow anvil compares the conventions of these frameworks for derivatives instead |
| '%config [shell on\|off]' | prints the settings, or changes one: with shell on, a line !command runs a command of the shell |
| '%%dtypes DTYPE...' | runs the cell once with each dtype, such as f32 bf16 f16, as the default of numbers and layers, each time from the same values of the variables; if the cell ends with losses (a slice or a tensor), draws them in one chart; tells which values overflowed or were rounded to 0; variables keep the values of the last run |
| '%help' | shows how to use the kernel |
| '%%nan' | runs the cell operation by operation, gradients included, and stops with an error where a NaN arises; without a NaN it names the first infinity |
| '%%predict [QUESTION]' | asks the reader to predict the dtype of the cell's output, or to answer QUESTION, before the output is shown; then shows the verdict and, collapsed below it, the output |
| '%promotion [SYSTEM]' | chooses the promotion system of this cell and later ones; without a name, prints the current one |
| '%reset' | forgets all names and imports, and resets the promotion system and the settings of nv |
| '%time CODE, %%time' | prints how long the cell takes, including CODE and the computation of its tensors, and how much of this time is tracing, compiling (with the reasons) and the rest |
| '%who' | lists the names of the session with their types and values |
`
