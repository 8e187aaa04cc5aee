// Package magic has the kernel's own commands: lines of a cell that begin with a percent sign, questions such as
// name?, and lines with ! for the shell. It works on the parsed cell and calls the kernel through [Kernel].
package magic

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/interp/cell"
)

// A Kernel is the state that commands read and change.
type Kernel interface {
	// System returns the promotion system of cells. SetSystem sets the promotion system of this cell
	// and later cells.
	System() *promote.System
	SetSystem(*promote.System) error

	// Names returns the names of the session, each in a line with its type and value. Reset
	// removes all names and imports, and resets the promotion system and other settings.
	Names() []string
	Reset() error

	// Page shows a page of help, in Markdown. Document shows the documentation of a
	// name, and also the source if source is set. It reports whether there is documentation.
	Page(markdown string)
	Document(name string, source bool) bool

	// Shell runs commands in the shell bash, and prints their output as output of the cell. SetShell
	// sets whether lines that begin with ! are such commands. TakesShell reports the setting.
	Shell(commands string) error
	SetShell(on bool)
	TakesShell() bool

	// Time starts a measurement of time, and makes the cell wait at its end until its tensors are
	// computed. spent reports how the time since the call of Time was spent.
	Time() (spent func() string)
}

// A command is a row of the table of commands.
type command struct {
	usage, doc string
	cell       bool // may have two percent signs; it then applies to the whole cell
	line       bool // may have one percent sign; it then stands on a line of its own or before code
	run        func(c *Commands, k Kernel, out io.Writer, args string) error
}

// written returns the name of m with its percent signs.
func written(m cell.Magic) string {
	if m.Cell {
		return "%%" + m.Name
	}
	return "%" + m.Name
}

// commands holds all commands by name. %time and the commands above the cell's code run before the code; other commands
// run after it. Read records a command without a run function, which Prepare (%bench) or the kernel (%%predict)
// carries out.
var commands map[string]command

func init() { // in init because help reads the table
	commands = map[string]command{
		"time":      {usage: "%time CODE, %%time", doc: "prints how long the cell takes, including CODE and the computation of its tensors, and how much of this time is tracing, compiling (with the reasons) and the rest", line: true, cell: true, run: (*Commands).time},
		"bench":     {usage: "%bench EXPRESSION, %%bench", doc: "runs an expression, or with %%bench the statements of the cell, many times, and shows how long a run takes, including the computation of its tensors", line: true, cell: true},
		"promotion": {usage: "%promotion [SYSTEM]", doc: "chooses the promotion system of this cell and later ones; without a name, prints the current one", line: true, run: (*Commands).promotion},
		"nan":       {usage: "%%nan", doc: "runs the cell operation by operation, gradients included, and stops with an error where a NaN arises; without a NaN it names the first infinity", cell: true, run: (*Commands).nan},
		"compare":   {usage: "%%compare SYSTEM...", doc: "runs the cell under each of the promotion systems, each time from the same values of the variables, and shows the outcomes side by side; variables keep the values of the last run; %%compare grad jax torch tensorflow anvil compares the conventions of these frameworks for derivatives instead", cell: true, run: (*Commands).compare},
		"dtypes":    {usage: "%%dtypes DTYPE...", doc: "runs the cell once with each dtype, such as f32 bf16 f16, as the default of numbers and layers, each time from the same values of the variables; if the cell ends with losses (a slice or a tensor), draws them in one chart; tells which values overflowed or were rounded to 0; variables keep the values of the last run", cell: true, run: (*Commands).dtypes},
		"predict":   {usage: "%%predict [QUESTION]", doc: "asks the reader to predict the dtype of the cell's output, or to answer QUESTION, before the output is shown; then shows the verdict and, collapsed below it, the output", cell: true},
		"bash":      {usage: "%%bash", doc: "runs the cell with the shell bash, in the kernel's working directory", cell: true, run: (*Commands).bash},
		"config":    {usage: "%config [shell on|off]", doc: "prints the settings, or changes one: with shell on, a line !command runs a command of the shell", line: true, run: (*Commands).config},
		"who":       {usage: "%who", doc: "lists the names of the session with their types and values", line: true, run: (*Commands).who},
		"reset":     {usage: "%reset", doc: "forgets all names and imports, and resets the promotion system and the settings of nv", line: true, run: (*Commands).reset},
		"help":      {usage: "%help", doc: "shows how to use the kernel", line: true, run: (*Commands).help},
	}
}

// Docs returns the usage and the description of each command.
func Docs() map[string]string {
	docs := map[string]string{}
	for name, c := range commands {
		if c.line {
			docs["%"+name] = c.usage + " " + c.doc
		}
		if c.cell {
			docs["%%"+name] = c.usage + " " + c.doc
		}
	}
	return docs
}

// Commands are the commands of one cell.
type Commands struct {
	// Under holds the promotion systems under which %%compare runs the cell, in order.
	Under []*promote.System

	// Gradients holds the conventions for derivatives under which %%compare grad runs the cell,
	// in order.
	Gradients []*autodiff.Conventions

	// DTypes holds the default dtypes with which %%dtypes runs the cell, in order.
	DTypes []dtype.DType

	// WatchesNaN reports that the cell stops where a NaN arises.
	WatchesNaN bool

	// Predicts reports that the cell has %%predict: the reader predicts its output first. Question
	// is the text after %%predict, or "".
	Predicts bool
	Question string

	before, after []cell.Magic
	benched       bool     // the cell has %%bench
	benchLines    []int    // the lines with %bench
	atEnd         []func() // called by End
}

// Read returns the commands of a parsed cell, or an error for the first command that is unknown or misplaced.
func Read(syntax *cell.Cell) (*Commands, error) {
	c := &Commands{}
	var whole string // the name of the command for the whole cell, or ""
	for _, m := range syntax.Magics {
		known, ok := commands[m.Name]
		switch {
		case m.Name == "?" || m.Name == "??" || m.Name == "!":
		case !ok:
			return nil, unknown(m)
		case m.Cell && !known.cell:
			return nil, fmt.Errorf("%%%%%s is not a cell command; write %%%s on a line", m.Name, m.Name)
		case !m.Cell && !known.line:
			return nil, fmt.Errorf("%%%s is not a line command; write %%%%%s on the first line of a cell", m.Name, m.Name)
		case known.usage == written(m) && m.Args != "": // the usage shows no arguments
			return nil, fmt.Errorf("%s takes nothing after its name", written(m))
		case m.Cell && m.Below:
			return nil, fmt.Errorf("%%%%%s: a cell command must be on the first line of the cell", m.Name)
		case m.Cell && whole != "":
			return nil, fmt.Errorf("%%%%%s: the cell already has %%%%%s; use one %%%% command per cell", m.Name, whole)
		case m.Cell:
			whole = m.Name
		}
		switch {
		case m.Name == "bench" && m.Cell:
			c.benched = true
		case m.Name == "bench":
			c.benchLines = append(c.benchLines, m.Line)
		case m.Name == "predict":
			c.Predicts, c.Question = true, m.Args
		case m.Below && !cell.TakesCode(m.Name):
			c.after = append(c.after, m)
		default:
			c.before = append(c.before, m)
		}
	}
	return c, nil
}

// ipythonCommands maps commands of IPython to their equivalents in this kernel.
var ipythonCommands = map[string]string{
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
}

// unknown returns the error for an unknown command.
func unknown(m cell.Magic) error {
	if instead, known := ipythonCommands[m.Name]; known {
		return fmt.Errorf("%s: no such command; %s", written(m), instead)
	}
	var names []string
	for _, known := range slices.Sorted(maps.Keys(commands)) {
		names = append(names, written(cell.Magic{Name: known, Cell: !commands[known].line}))
	}
	return fmt.Errorf("%s: no such command; the commands are %s", written(m), strings.Join(names, ", "))
}

// Before runs the commands before the cell's code.
func (c *Commands) Before(k Kernel, out io.Writer) error { return c.run(c.before, k, out) }

// After runs the commands after the cell's code.
func (c *Commands) After(k Kernel, out io.Writer) error { return c.run(c.after, k, out) }

// End finishes the commands after the code has run.
func (c *Commands) End() {
	for _, f := range c.atEnd {
		f()
	}
}

// run runs commands in order, up to the first error.
func (c *Commands) run(list []cell.Magic, k Kernel, out io.Writer) error {
	for _, m := range list {
		var err error
		switch m.Name {
		case "?", "??":
			err = question(k, m)
		case "!":
			err = k.Shell(m.Args)
		default:
			err = commands[m.Name].run(c, k, out, cmp.Or(m.Script, m.Args))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// time lets the cell wait at its end until its value and the tensors that its names hold are
// computed, and then prints how the cell's time was spent.
func (c *Commands) time(k Kernel, out io.Writer, _ string) error {
	spent := k.Time()
	c.atEnd = append(c.atEnd, func() { fmt.Fprintln(out, spent()) })
	return nil
}

// promotion sets the promotion system of this and later cells, or prints the current one if name is "".
func (c *Commands) promotion(k Kernel, out io.Writer, name string) error {
	if name == "" {
		fmt.Fprintln(out, k.System().Name())
		return nil
	}
	if names := strings.Fields(name); len(names) > 1 {
		return fmt.Errorf("%%promotion: %d systems, want one; write %%promotion %s, "+
			"or %%%%compare %s to run a cell under each", len(names), strings.Trim(names[0], ","),
			strings.ReplaceAll(strings.Join(names, " "), ",", ""))
	}
	s, err := system(name)
	if err != nil {
		return err
	}
	return k.SetSystem(s)
}

// dtypes selects the dtypes of %%dtypes.
func (c *Commands) dtypes(_ Kernel, _ io.Writer, names string) error {
	for _, name := range strings.Fields(names) {
		d, err := dtype.Parse(name)
		if err != nil {
			return fmt.Errorf("%%%%dtypes: %w", err)
		}
		if !d.Is(dtype.Floating) {
			return fmt.Errorf("%%%%dtypes: %s is not a float; write %%%%dtypes f32 bf16 f16", d)
		}
		c.DTypes = append(c.DTypes, d)
	}
	if len(c.DTypes) == 0 {
		return errors.New("%%dtypes: name the dtypes: %%dtypes f32 bf16 f16")
	}
	return nil
}

func (c *Commands) nan(Kernel, io.Writer, string) error {
	c.WatchesNaN = true
	return nil
}

// compare selects the systems in names for %%compare.
func (c *Commands) compare(_ Kernel, _ io.Writer, names string) error {
	if list := strings.Fields(names); len(list) > 0 && list[0] == "grad" {
		return c.compareGradients(list[1:])
	}
	for _, name := range strings.Fields(names) {
		s, err := system(name)
		if err != nil {
			return err
		}
		c.Under = append(c.Under, s)
	}
	if len(c.Under) == 0 {
		return errors.New("%%compare: name the systems: %%compare torch jax numpy anvil")
	}
	return nil
}

// compareGradients selects the frameworks in names, whose conventions for derivatives %%compare grad compares.
func (c *Commands) compareGradients(names []string) error {
	known := autodiff.AllConventions()
	for _, name := range names {
		i := slices.IndexFunc(known, func(conv *autodiff.Conventions) bool { return conv.Name == name })
		if i < 0 {
			return fmt.Errorf("%%%%compare grad: unknown framework %s; write jax, torch, tensorflow or anvil", name)
		}
		c.Gradients = append(c.Gradients, known[i])
	}
	if len(c.Gradients) == 0 {
		return errors.New("%%compare grad: name the frameworks: %%compare grad jax torch tensorflow anvil")
	}
	return nil
}

func (c *Commands) who(k Kernel, out io.Writer, _ string) error {
	names := k.Names()
	if len(names) == 0 {
		names = []string{"no names yet"}
	}
	for _, line := range names {
		fmt.Fprintln(out, line)
	}
	return nil
}

func (c *Commands) bash(k Kernel, _ io.Writer, script string) error { return k.Shell(script) }

// config prints the settings, or changes one.
func (c *Commands) config(k Kernel, out io.Writer, args string) error {
	switch strings.Join(strings.Fields(args), " ") {
	case "":
		fmt.Fprintln(out, "shell", map[bool]string{false: "off", true: "on"}[k.TakesShell()])
	case "shell on":
		k.SetShell(true)
	case "shell off":
		k.SetShell(false)
	default:
		return fmt.Errorf("%%config %s: no such setting; write %%config shell on, or off", args)
	}
	return nil
}

func (c *Commands) reset(k Kernel, _ io.Writer, _ string) error { return k.Reset() }

func (c *Commands) help(k Kernel, _ io.Writer, _ string) error {
	var b strings.Builder
	b.WriteString(helpText)
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		usage := strings.ReplaceAll(commands[name].usage, "|", `\|`) // a bare | would end the cell of the table
		fmt.Fprintf(&b, "| `%s` | %s |\n", usage, commands[name].doc)
	}
	k.Page(b.String())
	return nil
}

const helpText = `# Go (anvil)

Cells are Go: declarations and statements in any order, and the value of a
final expression is shown. Tensors are made by the package nv and take
operators: ` + "`2*nv.New([]float64{1, 2}) + 1`" + `, ` + "`x[:, 0]`" + `. Later cells can use declared names
and declare them again.

| | |
|---|---|
| ` + "`name?`, `?name`" + ` | documentation; two question marks show tables of dtypes and the source too |
| Tab, Shift-Tab | completes names, options, columns and files; explains the name at the cursor |
`

// question shows the documentation of a name.
func question(k Kernel, m cell.Magic) error {
	if !k.Document(m.Args, m.Name == "??") {
		return fmt.Errorf("%s?: undefined", m.Args)
	}
	return nil
}
