package magic_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/printer"
	"go/token"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/magic"
)

// A kernel records the calls of its methods.
type kernel struct {
	system *promote.System
	asked  []string
	shell  bool
}

func (k *kernel) System() *promote.System { return k.system }
func (k *kernel) SetSystem(s *promote.System) error {
	k.system = s
	k.asked = append(k.asked, "system "+s.Name())
	return nil
}
func (k *kernel) Names() []string      { return []string{"x  int"} }
func (k *kernel) Reset() error         { k.asked = append(k.asked, "reset"); return nil }
func (k *kernel) Page(markdown string) { k.asked = append(k.asked, "page "+markdown) }
func (k *kernel) Document(name string, source bool) bool {
	k.asked = append(k.asked, "document "+name)
	return name != "nothing"
}
func (k *kernel) Shell(commands string) error {
	k.asked = append(k.asked, "shell "+commands)
	return nil
}
func (k *kernel) SetShell(on bool) { k.shell = on }
func (k *kernel) TakesShell() bool { return k.shell }
func (k *kernel) Time() func() string {
	k.asked = append(k.asked, "time")
	return func() string { return "1 ms" }
}

func parse(t *testing.T, code string) (*cell.Cell, *token.FileSet) {
	fset := token.NewFileSet()
	c, err := cell.Parse(fset, "cell", code)
	if err != nil {
		t.Fatal(err)
	}
	return c, fset
}

// TestOrder checks that commands before the code run before it, and those after it run after it.
func TestOrder(t *testing.T) {
	syntax, _ := parse(t, "%promotion torch\n%time x := 1\n%promotion\n%who\nnv.Sum?\n%reset")
	c, err := magic.Read(syntax)
	if err != nil {
		t.Fatal(err)
	}
	k := &kernel{}
	var out bytes.Buffer
	if err := c.Before(k, &out); err != nil || strings.Join(k.asked, ", ") != "system torch, time" {
		t.Errorf("before the code: %v, %v", k.asked, err)
	}
	c.End()
	if err := c.After(k, &out); err != nil || strings.Join(k.asked, ", ") != "system torch, time, document nv.Sum, reset" {
		t.Errorf("after the code: %v, %v", k.asked, err)
	}
	if out.String() != "1 ms\ntorch\nx  int\n" {
		t.Errorf("printed %q", out.String())
	}
}

// TestShell checks that %%bash takes the rest of the cell, and that a line with ! is a command if the setting is on.
func TestShell(t *testing.T) {
	k := &kernel{}
	var out bytes.Buffer
	run := func(code string, opts ...cell.Option) {
		t.Helper()
		syntax, err := cell.Parse(token.NewFileSet(), "cell", code, opts...)
		if err != nil {
			t.Fatal(err)
		}
		c, err := magic.Read(syntax)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Before(k, &out); err != nil {
			t.Error(err)
		}
	}
	run("%%bash\nls 'a\n%who\n")
	run("%config")
	run("%config shell on\n%config")
	run("!ls -l | wc", cell.Shell)
	run("%config  shell  off")
	if got := strings.Join(k.asked, ", "); got != "shell ls 'a\n%who\n, shell ls -l | wc" || k.shell || out.String() != "shell off\nshell on\n" {
		t.Errorf("asked %q, shell %v, printed %q", got, k.shell, out.String())
	}
}

// TestRefused checks the errors for misplaced and unknown commands.
func TestRefused(t *testing.T) {
	for code, want := range map[string]string{
		"%nosuch": "%nosuch: no such command; the commands are %%bash, %bench, %%compare, %config, " +
			"%%dtypes, %help, %%nan, %%predict, %promotion, %reset, %time, %who",
		"%%latex\nx^2":            "%%latex: no such command; write display.LaTeX(text)",
		"%timeit 1":               "%timeit: no such command; %bench measures an expression, %%bench a cell",
		"%compare torch":          "%compare is not a line command; write %%compare on the first line of a cell",
		"%%who":                   "%%who is not a cell command; write %who on a line",
		"1\n%%time":               "%%time: a cell command must be on the first line of the cell",
		"%who x":                  "%who takes nothing after its name",
		"%%nan x":                 "%%nan takes nothing after its name",
		"%%bash -e\nls":           "%%bash takes nothing after its name",
		"1\n%%predict":            "%%predict: a cell command must be on the first line of the cell",
		"%%time\n%%compare torch": "%%compare: the cell already has %%time; use one %% command per cell",
	} {
		syntax, _ := parse(t, code)
		if _, err := magic.Read(syntax); err == nil || err.Error() != want {
			t.Errorf("%q: %v, not %s", code, err, want)
		}
	}
}

// TestElsewhere checks that the errors for commands of IPython name what replaces them.
func TestElsewhere(t *testing.T) {
	for name, instead := range map[string]string{
		"timeit":     "%bench measures an expression, %%bench a cell",
		"prun":       "%time shows the times of tracing, compiling and running",
		"whos":       "%who lists names, types and values",
		"who_ls":     "%who lists names, types and values",
		"matplotlib": "a cell that ends with chart.Line(ys) shows this chart",
		"pylab":      "a cell that ends with chart.Line(ys) shows this chart",
		"load_ext":   "import a package",
		"autoreload": "it is not needed: when a cell declares a function again, its callers use the new function",
		"pip":        "packages cannot be installed; write import and an opening quote, then press Tab for a list of the packages in the kernel",
		"conda":      "packages cannot be installed; write import and an opening quote, then press Tab for a list of the packages in the kernel",
		"cd":         "write os.Chdir(folder)",
		"pwd":        "write os.Getwd()",
		"ls":         "write os.ReadDir(folder)",
		"env":        "write os.Getenv(name) or os.Setenv(name, value)",
		"set_env":    "write os.Setenv(name, value)",
		"sh":         "%%bash runs a cell with the shell",
		"system":     "%%bash runs a cell with the shell",
		"writefile":  "write os.WriteFile(name, data, 0o644)",
		"markdown":   "write display.Markdown(text)",
		"latex":      "write display.LaTeX(text)",
		"html":       "write display.HTML(text)",
		"svg":        "write display.SVG(text)",
		"capture":    "assign results to variables; printed text goes to os.Stdout, which a cell may set to a file",
		"pinfo":      "write name? or ?name",
		"lsmagic":    "%help lists the commands",
		"magic":      "%help lists the commands",
		"quickref":   "%help lists the commands",
	} {
		syntax, _ := parse(t, "%"+name)
		_, err := magic.Read(syntax)
		if want := "%" + name + ": no such command; " + instead; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestDocs checks that each command is described in the forms that Read takes, and that Read takes no others.
func TestDocs(t *testing.T) {
	docs := magic.Docs()
	for _, name := range strings.Fields("time bench promotion nan compare dtypes predict bash config who reset help") {
		for _, form := range []string{"%" + name, "%%" + name} {
			syntax, _ := parse(t, form)
			_, err := magic.Read(syntax)
			if doc, ok := docs[form]; ok != (err == nil) || ok && !strings.Contains(doc, form) {
				t.Errorf("%s is described as %q, and Read returns %v", form, doc, err)
			}
			delete(docs, form)
		}
	}
	if len(docs) > 0 {
		t.Errorf("other commands are described: %v", docs)
	}
}

// TestPredict checks that %%predict keeps its question, and that %bench is no command that runs before or after code.
func TestPredict(t *testing.T) {
	for code, want := range map[string]string{
		"%%predict\n1":              `true "" false`,
		"%%predict what is it?\n1":  `true "what is it?" false`,
		"%%bench\n1":                `false "" true`,
		"%bench 1":                  `false "" true`,
		"%time 1":                   `false "" false`,
		"%%predict\n%bench 1\n1":    `true "" true`,
		"1\n%bench 2\n%bench 3\nx?": `false "" true`,
	} {
		syntax, _ := parse(t, code)
		c, err := magic.Read(syntax)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%v %q %v", c.Predicts, c.Question, c.Benched()); got != want {
			t.Errorf("%q: %s, want %s", code, got, want)
		}
	}
}

// TestPrepare checks that measured code becomes the argument of nv.Bench.
func TestPrepare(t *testing.T) {
	for code, want := range map[string]string{
		"%%bench\ny := f(x)\ny": "nv.Bench(func() any { y := f(x) return []any{func(values ...any) any { return values }(y), y} })",
		"%%bench\na, b = 1, 2":  "nv.Bench(func() any { a, b = 1, 2 return []any{a, b} })",
		"%%bench\nx, y":         "nv.Bench(func() any { return []any{func(values ...any) any { return values }(x, y)} })",
		"z := 1\n%bench z + 1":  "z := 1 nv.Bench(func() any { return []any{func(values ...any) any { return values }(z + 1)} })",
		"%time z + 1":           "z + 1",
		"%%bench":               "",
		"%%bench\na, _ = f()\nvar b = 1\na, b = b, a\n": "nv.Bench(func() any { a, _ = f() var b = 1 a, b = b, a return []any{a, b} })",
		"%%bench\nvar c, d int\nconst k = 1":            "nv.Bench(func() any { var c, d int const k = 1 return []any{c, d} })",
		"%bench f()\n%bench x = 2\ny":                   "nv.Bench(func() any { return []any{func(values ...any) any { return values }(f())} }) nv.Bench(func() any { x = 2 return []any{x} }) y",
	} {
		syntax, fset := parse(t, code)
		c, err := magic.Read(syntax)
		if err != nil {
			t.Fatal(err)
		}
		c.Prepare(syntax, func(pos token.Pos) int { return cell.Position(fset, pos).Line }, false)
		var b bytes.Buffer
		for _, s := range syntax.Stmts {
			if err := printer.Fprint(&b, token.NewFileSet(), s); err != nil {
				t.Fatal(err)
			}
			b.WriteString(" ")
		}
		if got := strings.Join(strings.Fields(b.String()), " "); got != want || len(syntax.Magics) > 0 {
			t.Errorf("%q becomes\n%s, not\n%s", code, got, want)
		}
	}
}

// TestPrepareWithoutValues checks that measured code that ends in an expression without a value is only run.
func TestPrepareWithoutValues(t *testing.T) {
	for code, want := range map[string]string{
		"%%bench\nf()":         "nv.Bench(func() any { f() return []any{} })",
		"%%bench\nx := 1\nf()": "nv.Bench(func() any { x := 1 f() return []any{x} })",
		"y\n%bench f()":        "y nv.Bench(func() any { f() return []any{} })",
	} {
		syntax, fset := parse(t, code)
		c, err := magic.Read(syntax)
		if err != nil {
			t.Fatal(err)
		}
		c.Prepare(syntax, func(pos token.Pos) int { return cell.Position(fset, pos).Line }, true)
		var b bytes.Buffer
		for _, s := range syntax.Stmts {
			if err := printer.Fprint(&b, token.NewFileSet(), s); err != nil {
				t.Fatal(err)
			}
			b.WriteString(" ")
		}
		if got := strings.Join(strings.Fields(b.String()), " "); got != want {
			t.Errorf("%q becomes\n%s, not\n%s", code, got, want)
		}
	}
}

// A nameless is a kernel of a session without names.
type nameless struct{ kernel }

func (*nameless) Names() []string { return nil }

// TestNothingIsKnown checks the output of %who without names, and the error of the documentation of an unknown name.
func TestNothingIsKnown(t *testing.T) {
	for code, want := range map[string]string{"%who": "no names yet\n", "nothing?": "nothing?: undefined", "?nothing": "nothing?: undefined"} {
		syntax, _ := parse(t, code)
		c, err := magic.Read(syntax)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		k := &nameless{}
		if err := errors.Join(c.Before(k, &out), c.After(k, &out)); err != nil {
			out.WriteString(err.Error())
		}
		if out.String() != want {
			t.Errorf("%s: %q, want %q", code, out.String(), want)
		}
	}
}

// TestTablesAreNoSystems checks that a system that is only a table of dtypes cannot become that of the session.
func TestTablesAreNoSystems(t *testing.T) {
	tables := 0
	for _, s := range promote.Systems() {
		syntax, _ := parse(t, "%promotion "+s.Name())
		k := &kernel{}
		c, err := magic.Read(syntax)
		if err == nil {
			err = c.Before(k, &bytes.Buffer{})
		}
		if promote.OnlyTable(s) {
			tables++
			want := s.Name() + " is a table of dtypes for comparison, without computations; show it with display.Table or display.Compare"
			if err == nil || err.Error() != want || k.system != nil {
				t.Errorf("%v, want %s; the system is %v", err, want, k.system)
			}
		} else if err != nil || k.system != s {
			t.Errorf("%s: %v, the system is %v", s.Name(), err, k.system)
		}
	}
	if tables == 0 {
		t.Error("no system is only a table")
	}
}
